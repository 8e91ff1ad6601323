//! `std.yaml`: the events of a parser become a value, within bounds.

use crate::bounds;
use ntl_engine::{Fault, Text, Value, json as documents};
use saphyr_parser::{Event, Parser, ScalarStyle, ScanError, Tag};
use serde_json::{Map, Number, Value as Json};
use std::borrow::Cow;

/// How deep a text nests.
const DEEPEST: usize = 200;
/// How much aliases may add: values and bytes of texts.
const MOST: usize = 16 << 20;

/// A list or mapping that is still open.
enum Open {
    List(Vec<Json>),
    /// What it has, and the key whose value comes next.
    Map(Map<String, Json>, Option<String>),
}

#[derive(Default)]
struct Reader {
    open: Vec<(Open, usize)>,
    /// What anchors stand for, and how much that is.
    anchors: Vec<(usize, Json, usize)>,
    added: usize,
    root: Option<Json>,
}

pub(crate) fn parse(s: &Text) -> Result<Value, Fault> {
    let mut reader = Reader::default();
    let wrong = |line: usize, why: &str| Fault::new("parse", format!("this is no YAML: line {line}: {why}"));
    let mut documents_seen = 0;
    for event in Parser::new_from_str(s.strip_prefix('\u{feff}').unwrap_or(s)) {
        let (event, span) = event.map_err(|e: ScanError| wrong(e.marker().line(), e.info()))?;
        let line = span.start.line();
        if matches!(event, Event::DocumentStart(_)) {
            documents_seen += 1;
            if documents_seen > 1 {
                return Err(wrong(line, "a second document begins"));
            }
        }
        match reader.take(event) {
            Ok(()) => {}
            Err(Stop::Wrong(why)) => return Err(wrong(line, &why)),
            Err(Stop::TooMuch(why)) => return Err(Fault::new("invalid", why)),
        }
    }
    Ok(documents::from_json(&reader.root.unwrap_or(Json::Null)))
}

enum Stop {
    Wrong(String),
    TooMuch(String),
}

impl Reader {
    fn take(&mut self, event: Event<'_>) -> Result<(), Stop> {
        match event {
            Event::Scalar(text, style, anchor, tag) => self.value(scalar(text, style, tag.as_deref()), anchor),
            Event::SequenceStart(anchor, _) => self.begin(Open::List(Vec::new()), anchor),
            Event::MappingStart(anchor, _) => self.begin(Open::Map(Map::new(), None), anchor),
            Event::SequenceEnd | Event::MappingEnd => match self.open.pop() {
                Some((Open::List(items), anchor)) => self.value(Json::Array(items), anchor),
                Some((Open::Map(fields, _), anchor)) => self.value(Json::Object(merged(fields)?), anchor),
                None => Ok(()),
            },
            Event::Alias(anchor) => {
                let known = self.anchors.iter().rev().find(|(id, ..)| *id == anchor);
                let Some((_, value, size)) = known else {
                    return Err(Stop::Wrong("an alias of what it stands in".into()));
                };
                self.added += size;
                if self.added > MOST {
                    return Err(Stop::TooMuch(format!("the aliases make it more than {} MB", MOST >> 20)));
                }
                let value = value.clone();
                self.value(value, 0)
            }
            Event::Nothing | Event::StreamStart | Event::StreamEnd | Event::DocumentStart(_) | Event::DocumentEnd => {
                Ok(())
            }
        }
    }

    fn begin(&mut self, open: Open, anchor: usize) -> Result<(), Stop> {
        if self.open.len() == DEEPEST {
            return Err(Stop::TooMuch(format!("it nests more than {DEEPEST} levels deep")));
        }
        if let Some((Open::Map(_, None), _)) = self.open.last() {
            return Err(Stop::Wrong("a key that is a list or a mapping".into()));
        }
        self.open.push((open, anchor));
        Ok(())
    }

    /// Puts a whole value where it belongs.
    fn value(&mut self, value: Json, anchor: usize) -> Result<(), Stop> {
        if anchor > 0 {
            let size = size(&value);
            self.added += size;
            if self.added > MOST {
                return Err(Stop::TooMuch(format!("the aliases make it more than {} MB", MOST >> 20)));
            }
            self.anchors.push((anchor, value.clone(), size));
        }
        match self.open.last_mut() {
            None => self.root = Some(value),
            Some((Open::List(items), _)) => items.push(value),
            Some((Open::Map(fields, key), _)) => match key.take() {
                Some(key) => drop(fields.insert(key, value)),
                None => {
                    let name = match value {
                        Json::String(text) => text,
                        Json::Array(_) | Json::Object(_) => {
                            return Err(Stop::Wrong("a key that is a list or a mapping".into()));
                        }
                        plain => plain.to_string(),
                    };
                    if fields.contains_key(&name) {
                        return Err(Stop::Wrong(format!("the key {} stands there twice", bounds::quote(&name))));
                    }
                    *key = Some(name);
                }
            },
        }
        Ok(())
    }
}

fn size(value: &Json) -> usize {
    match value {
        Json::String(text) => 32 + text.len(),
        Json::Array(items) => 32 + items.iter().map(size).sum::<usize>(),
        Json::Object(fields) => 32 + fields.iter().map(|(name, value)| 32 + name.len() + size(value)).sum::<usize>(),
        _ => 32,
    }
}

/// A mapping with what it takes from others by `<<`: its own come first.
fn merged(mut fields: Map<String, Json>) -> Result<Map<String, Json>, Stop> {
    let from = match fields.shift_remove("<<") {
        None => return Ok(fields),
        Some(Json::Array(items)) => items,
        Some(one) => vec![one],
    };
    for other in from {
        let Json::Object(other) = other else { return Err(Stop::Wrong("`<<` takes mappings".into())) };
        for (name, value) in other {
            fields.entry(name).or_insert(value);
        }
    }
    Ok(fields)
}

/// What a word means by the core schema; in quotes it means itself.
fn scalar(text: Cow<'_, str>, style: ScalarStyle, tag: Option<&Tag>) -> Json {
    let tag = tag.filter(|t| t.is_yaml_core_schema()).map(|t| t.suffix.as_str());
    if tag == Some("str") || tag.is_none() && style != ScalarStyle::Plain {
        return Json::String(text.into_owned());
    }
    match &*text {
        "" | "~" | "null" | "Null" | "NULL" => return Json::Null,
        "true" | "True" | "TRUE" => return Json::Bool(true),
        "false" | "False" | "FALSE" => return Json::Bool(false),
        _ => {}
    }
    number(&text).map_or_else(|| Json::String(text.into_owned()), Json::Number)
}

fn number(text: &str) -> Option<Number> {
    let based =
        |digits: &str, base| (!digits.starts_with(['+', '-'])).then(|| i64::from_str_radix(digits, base).ok())?;
    if let Some(digits) = text.strip_prefix("0x") {
        return based(digits, 16).map(Number::from);
    }
    if let Some(digits) = text.strip_prefix("0o") {
        return based(digits, 8).map(Number::from);
    }
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    let is_number = digits.starts_with(|c: char| c.is_ascii_digit() || c == '.')
        && digits.contains(|c: char| c.is_ascii_digit())
        && digits.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | 'e' | 'E' | '+' | '-'));
    if !is_number {
        return None;
    }
    match text.parse::<i64>() {
        Ok(n) => Some(n.into()),
        Err(_) => text.parse::<f64>().ok().and_then(Number::from_f64),
    }
}

pub(crate) fn write(x: &Value) -> Result<Text, Fault> {
    // Refuses what nests too deep or is too long, as JSON does.
    documents::text(x, None)?;
    let mut out = String::new();
    match documents::to_json(x) {
        value @ (Json::Array(_) | Json::Object(_)) if !is_empty(&value) => lines(&value, 0, &mut out)?,
        value => {
            out.push_str(&word(&value));
            out.push('\n');
        }
    }
    Ok(out.into())
}

fn is_empty(value: &Json) -> bool {
    match value {
        Json::Array(items) => items.is_empty(),
        Json::Object(fields) => fields.is_empty(),
        _ => false,
    }
}

/// Writes a list or mapping that is not empty, its first line where the cursor is.
fn lines(value: &Json, indent: usize, out: &mut String) -> Result<(), Fault> {
    let entries: Vec<(String, &Json)> = match value {
        Json::Array(items) => items.iter().map(|item| ("-".to_owned(), item)).collect(),
        Json::Object(fields) => fields.iter().map(|(name, value)| (format!("{}:", text(name)), value)).collect(),
        _ => return Ok(()),
    };
    for (at, (head, value)) in entries.into_iter().enumerate() {
        if at > 0 {
            out.extend(std::iter::repeat_n(' ', indent));
        }
        let is_item = head == "-";
        out.push_str(&head);
        if matches!(value, Json::Array(_) | Json::Object(_)) && !is_empty(value) {
            if is_item {
                out.push(' ');
            } else {
                out.push('\n');
                out.extend(std::iter::repeat_n(' ', indent + 2));
            }
            lines(value, indent + 2, out)?;
        } else {
            out.push(' ');
            out.push_str(&word(value));
            out.push('\n');
        }
        bounds::text(out.len())?;
    }
    Ok(())
}

fn word(value: &Json) -> String {
    match value {
        Json::String(s) => text(s),
        other => other.to_string(),
    }
}

/// A text: as it is where that surely means itself, for the older YAML too, else in quotes as JSON has them.
fn text(s: &str) -> String {
    const WORDS: &[&str] = &["null", "true", "false", "yes", "no", "on", "off", "y", "n"];
    let is_plain = s.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && s.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/' | ' ' | '(' | ')' | '+'))
        && !s.ends_with(' ')
        && !WORDS.iter().any(|word| word.eq_ignore_ascii_case(s));
    if is_plain { s.to_owned() } else { Json::String(s.to_owned()).to_string() }
}

#[cfg(test)]
mod tests {
    use super::{parse, write};
    use ntl_engine::value::text_of;

    fn read(s: &str) -> String {
        match parse(&s.into()) {
            Ok(value) => ntl_engine::json::text(&value, None).unwrap(),
            Err(f) => format!("{}: {}", f.code, f.message),
        }
    }

    #[test]
    fn words_by_the_core_schema() {
        let text = "[~, null, true, False, yes, 12, -3, +4, 0x1f, 0o17, 012, 1.5, .5, 1e3, 1_000, .inf, .nan, 2024-01-02, '1', !!str 1, !x a]";
        let want = "[null,null,true,false,\"yes\",12,-3,4,31,15,12,1.5,0.5,1000.0,\"1_000\",\".inf\",\".nan\",\"2024-01-02\",\"1\",\"1\",\"a\"]";
        assert_eq!(read(text), want);
        assert_eq!(read(""), "null");
        assert_eq!(
            read("a: |\n  x\n  y\nb: >\n  x\n  y\n1: &k {n: 1}\nc: {<<: *k, m: 2}"),
            "{\"a\":\"x\\ny\\n\",\"b\":\"x y\\n\",\"1\":{\"n\":1},\"c\":{\"m\":2,\"n\":1}}"
        );
    }

    #[test]
    fn what_is_wrong_or_too_much() {
        for (text, code) in [
            ("a: 1\na: 2".to_owned(), "parse: this is no YAML: line 2"),
            ("a: 1\n---\nb: 2".to_owned(), "parse: "),
            ("[a]: 1".to_owned(), "parse: "),
            ("a: &x [*x]".to_owned(), "parse: "),
            ("a: *y".to_owned(), "parse: "),
            ("<<: 1".to_owned(), "parse: "),
            ("[".repeat(100_000), "parse: "),
            ((0..250).map(|at| format!("{}a:\n", " ".repeat(at))).collect(), "invalid: "),
        ] {
            let said = read(&text);
            assert!(said.starts_with(code), "{said}");
        }
        let mut bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
        for at in 1..30 {
            let aliases = vec![format!("*a{}", at - 1); 10].join(", ");
            bomb.push_str(&format!("a{at}: &a{at} [{aliases}]\n"));
        }
        assert!(read(&bomb).starts_with("invalid: the aliases"), "{}", read(&bomb));
    }

    #[test]
    fn what_is_written_is_read_again() {
        for text in [
            r#"{"a":{"b":[1,[2,[]],{"c":{},"d":null}]},"e f":"x: y","no":["-"," ","\n","é","0x1","~","a #","y",true,1.5]}"#,
            r#""plain text""#,
            "[[[1]]]",
            r#"[{"a":[{"b":1,"c":2}]},"- x"]"#,
        ] {
            let value = ntl_engine::json::parse(text).unwrap();
            let yaml = write(&value).unwrap();
            assert_eq!(text_of(&parse(&yaml).unwrap()).unwrap(), text_of(&value).unwrap(), "{yaml}");
        }
    }
}
