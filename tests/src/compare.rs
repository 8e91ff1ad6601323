//! What came against what is wanted.

use serde_json::Value;

/// A line for each place where `got` is not what is wanted. Where a float is wanted, 1e-9 relative is near enough and an
/// int will do; where an int is wanted, only an int will do.
pub fn differences(want: &Value, got: &Value, path: &str) -> Vec<String> {
    match (want, got) {
        (Value::Object(want), Value::Object(got)) => {
            let missing = want.iter().flat_map(|(key, w)| match got.get(key) {
                Some(g) => differences(w, g, &format!("{path}.{key}")),
                None => vec![format!("{path}.{key} is missing, expected {}", show(w))],
            });
            let more = got.iter().filter(|(key, _)| !want.contains_key(*key));
            missing.chain(more.map(|(key, g)| format!("{path}.{key} is not expected, got {}", show(g)))).collect()
        }
        (Value::Array(want), Value::Array(got)) => {
            let length = (want.len() != got.len()).then(|| {
                format!("{path} has {} items, expected {}: {}", got.len(), want.len(), show(&Value::Array(got.clone())))
            });
            let items =
                want.iter().zip(got).enumerate().flat_map(|(i, (w, g))| differences(w, g, &format!("{path}[{i}]")));
            length.into_iter().chain(items).collect()
        }
        (Value::Number(w), Value::Number(g)) if w.is_f64() => match (w.as_f64(), g.as_f64()) {
            (Some(w), Some(g)) if (w - g).abs() <= f64::max(1e-9 * f64::max(w.abs(), g.abs()), 1e-12) => Vec::new(),
            _ => vec![format!("{path} is {g}, expected {w}")],
        },
        _ if want == got => Vec::new(),
        _ => vec![format!("{path} is {}, expected {}", show(got), show(want))],
    }
}

/// What is wanted of an error or diagnostic; what is left out is not looked at.
#[derive(Clone, Debug, Default)]
pub struct Wanted {
    /// The lines of which one is its own; empty for any.
    pub lines: Vec<u64>,
    /// The file, as the end of its path.
    pub file: Option<String>,
    /// `E0301`.
    pub code: Option<String>,
    /// `error` or `warning`.
    pub severity: Option<String>,
    /// The indices of the item on which it failed.
    pub key: Option<Value>,
    /// Each of these occurs in its texts, or one of the alternatives; upper or lower case.
    pub mentions: Vec<Vec<String>>,
}

impl Wanted {
    /// From the form of `case.json`. `file` is `own` where it is not said, and `*` for any.
    pub fn of_json(json: &Value, own: &str) -> Self {
        let numbers = |key: &str| match &json[key] {
            Value::Array(lines) => lines.iter().filter_map(Value::as_u64).collect(),
            one => one.as_u64().into_iter().collect::<Vec<_>>(),
        };
        let words = |word: &Value| match word {
            Value::Array(any) => any.iter().filter_map(Value::as_str).map(str::to_lowercase).collect(),
            one => one.as_str().map(str::to_lowercase).into_iter().collect(),
        };
        Wanted {
            lines: [numbers("line"), numbers("lines")].concat(),
            file: match json["file"].as_str() {
                Some("*") => None,
                Some(file) => Some(file.to_owned()),
                None => Some(own.to_owned()),
            },
            code: json["code"].as_str().map(str::to_owned),
            severity: json["severity"].as_str().map(str::to_owned),
            key: json.get("key").filter(|k| !k.is_null()).cloned(),
            mentions: json["mentions"].as_array().into_iter().flatten().map(words).collect(),
        }
    }

    /// What keeps `got` from being what is wanted; nothing if it is.
    fn misses(&self, got: &Value) -> Vec<String> {
        let mut misses = Vec::new();
        let differs = |key: &str, want: &Option<String>| want.as_ref().is_some_and(|w| got[key] != w.as_str());
        if !self.lines.is_empty() && !got["line"].as_u64().is_some_and(|l| self.lines.contains(&l)) {
            misses.push(format!("line {}", got["line"]));
        }
        if let (Some(want), Some(file)) = (&self.file, got["file"].as_str())
            && !format!("/{file}").ends_with(&format!("/{want}"))
        {
            misses.push(format!("file {file}"));
        }
        for (key, want) in [("code", &self.code), ("severity", &self.severity)] {
            if differs(key, want) {
                misses.push(format!("{key} {}", got[key]));
            }
        }
        if self.key.as_ref().is_some_and(|k| *k != got["key"]) {
            misses.push(format!("key {}", got["key"]));
        }
        let said = texts(got, false);
        for any in &self.mentions {
            if !any.iter().any(|word| said.contains(word)) {
                misses.push(format!("no mention of {}", any.join(" or ")));
            }
        }
        misses
    }
}

/// Everything that a finding says in words, lower case: places and codes are not words; of a run's inputs, everything.
fn texts(value: &Value, inputs: bool) -> String {
    const UNREAD: [&str; 10] =
        ["file", "code", "step", "severity", "key", "attempt", "line", "column", "end_line", "end_column"];
    match value {
        Value::Object(object) => {
            let read = object.iter().filter(|(key, _)| inputs || !UNREAD.contains(&key.as_str()));
            read.map(|(key, v)| texts(v, inputs || key == "inputs") + "\n").collect()
        }
        Value::Array(items) => items.iter().map(|v| texts(v, inputs) + "\n").collect(),
        Value::String(text) => text.to_lowercase(),
        other => other.to_string(),
    }
}

/// Pairs what is wanted with what came, as well as can be, and gives a line for each that is left over.
pub fn unpaired(wants: &[Wanted], gots: &[Value]) -> Vec<String> {
    let fits: Vec<Vec<usize>> = wants
        .iter()
        .map(|w| (0..gots.len()).filter(|g| gots.get(*g).is_some_and(|g| w.misses(g).is_empty())).collect())
        .collect();
    let mut pair: Vec<Option<usize>> = vec![None; gots.len()];
    for want in 0..wants.len() {
        assign(want, &fits, &mut pair, &mut vec![false; gots.len()]);
    }
    let left: Vec<&Value> = gots.iter().zip(&pair).filter(|(_, p)| p.is_none()).map(|(g, _)| g).collect();
    let missing = wants.iter().enumerate().filter(|(w, _)| !pair.contains(&Some(*w))).map(|(_, want)| {
        let nearest = left.iter().min_by_key(|g| want.misses(g).len());
        let nearest =
            nearest.map(|g| format!("\n    nearest: {} ({})", show(&g["message"]), want.misses(g).join("; ")));
        format!("missing: {}{}", want.describe(), nearest.unwrap_or_default())
    });
    let more = left.iter().map(|g| format!("not expected: line {} {} {}", g["line"], g["code"], show(&g["message"])));
    missing.chain(more).collect()
}

/// Gives `want` one of those that fit it, moving others where that helps (bipartite matching).
fn assign(want: usize, fits: &[Vec<usize>], pair: &mut [Option<usize>], seen: &mut [bool]) -> bool {
    for &got in &fits[want] {
        if !std::mem::replace(&mut seen[got], true) && pair[got].is_none_or(|other| assign(other, fits, pair, seen)) {
            pair[got] = Some(want);
            return true;
        }
    }
    false
}

impl Wanted {
    fn describe(&self) -> String {
        let mut parts: Vec<String> = self.severity.iter().chain(&self.code).cloned().collect();
        if !self.lines.is_empty() {
            parts.push(format!("line {}", self.lines.iter().map(u64::to_string).collect::<Vec<_>>().join(" or ")));
        }
        parts.extend(self.mentions.iter().map(|any| format!("`{}`", any.join("` or `"))));
        parts.join(", ")
    }
}

fn show(value: &Value) -> String {
    const LIMIT: usize = 120;
    let text = value.to_string();
    if text.len() <= LIMIT { text } else { format!("{}…", &text[..text.floor_char_boundary(LIMIT)]) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn numbers_are_near_enough_or_not() {
        let same = |want: Value, got: Value| differences(&want, &got, "x").is_empty();
        assert!(
            same(json!(2.0), json!(2))
                && same(json!(0.1), json!(0.1 + 1e-12))
                && same(json!([1, null]), json!([1, null]))
        );
        assert!(!same(json!(2), json!(2.0)) && !same(json!(0.1), json!(0.1001)) && !same(json!("2"), json!(2)));
        assert!(!same(json!({ "a": 1 }), json!({ "a": 1, "b": 1 })) && !same(json!({ "a": 1 }), json!({})));
        assert!(!same(json!([1]), json!([1, 1])) && !same(json!([1, 1]), json!([1])));
    }

    #[test]
    fn what_fits_two_is_given_to_the_one_that_needs_it() {
        let want = |lines: &[u64]| Wanted { lines: lines.to_vec(), ..Wanted::default() };
        let got = |line: u64| json!({ "line": line, "message": "m" });
        assert!(unpaired(&[want(&[1, 2]), want(&[1])], &[got(1), got(2)]).is_empty());
        assert_eq!(unpaired(&[want(&[1])], &[got(1), got(1)]).len(), 1);
        assert_eq!(unpaired(&[want(&[1]), want(&[1])], &[got(1)]).len(), 1);
    }

    #[test]
    fn words_are_looked_for_where_words_are() {
        let got =
            json!({ "file": "words.ntl", "message": "no such Name", "labels": [{ "message": "Here", "line": 7 }] });
        let says =
            |word: &str| Wanted { mentions: vec![vec![word.into()]], ..Wanted::default() }.misses(&got).is_empty();
        assert!(says("name") && says("here") && !says("words") && !says("7"));
    }
}
