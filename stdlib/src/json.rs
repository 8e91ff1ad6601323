//! `std.json`.

use crate::bounds::quote;
use ntl_engine::{Fault, List, Text, Value, json};
use serde_json_path::JsonPath;

pub(crate) fn parse(s: &Text) -> Result<Value, Fault> {
    json::parse(s)
}

pub(crate) fn write(x: &Value, indent: i64) -> Result<Text, Fault> {
    if !(0..=16).contains(&indent) {
        return Err(Fault::new("invalid", format!("`indent` is {indent}, but must be from 0 to 16")));
    }
    Ok(json::text(x, (indent > 0).then_some(indent as usize))?.into())
}

pub(crate) fn query(x: &Value, path: &Text) -> Result<List, Fault> {
    let path = compiled(path)?;
    Ok(path.query(&json::to_json(x)).iter().map(|found| json::from_json(found)).collect())
}

pub(crate) fn get(x: &Value, path: &Text) -> Result<Option<Value>, Fault> {
    let path = compiled(path)?;
    Ok(path.query(&json::to_json(x)).first().map(json::from_json))
}

fn compiled(path: &Text) -> Result<JsonPath, Fault> {
    let fault = |why: String| Fault::new("invalid", format!("{} is no JSONPath: {why}", quote(path)));
    bounded(path).map_err(|why| fault(why.into()))?;
    JsonPath::parse(path).map_err(|e| fault(e.to_string()))
}

/// Refuses what would take for ever: the parser tries each filter in a filter twice, each `..` looks at everything below
/// everything that the ones before it found.
fn bounded(path: &str) -> Result<(), &'static str> {
    let (mut brackets, mut parentheses, mut descents) = (0_u32, 0_u32, 0_u32);
    let mut quote = None;
    let mut chars = path.chars().peekable();
    while let Some(c) = chars.next() {
        match (c, quote) {
            ('\\', Some(_)) => drop(chars.next()),
            (c, Some(q)) if c == q => quote = None,
            (_, Some(_)) => {}
            ('"' | '\'', None) => quote = Some(c),
            ('[', None) => brackets += 1,
            (']', None) => brackets = brackets.saturating_sub(1),
            ('(', None) => parentheses += 1,
            (')', None) => parentheses = parentheses.saturating_sub(1),
            ('.', None) if chars.next_if_eq(&'.').is_some() => descents += 1,
            _ => {}
        }
        if brackets > 8 || parentheses > 64 {
            return Err("it nests too deep");
        }
        if descents > 4 {
            return Err("it has more than four `..`");
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::compiled;

    #[test]
    fn hostile_paths_are_refused() {
        for path in [
            format!("${}{}", "[?@".repeat(50), "]".repeat(50)),
            format!("$[?{}@.a == 1{}]", "(".repeat(100_000), ")".repeat(100_000)),
            format!("$[?{}@.a == 1{}]", "!(".repeat(100_000), ")".repeat(100_000)),
            "$..*..*..*..*..*".into(),
            "$".repeat(1000),
        ] {
            assert_eq!(compiled(&path.as_str().into()).unwrap_err().code, "invalid");
        }
        for path in
            ["$..book[?@.price < 10 && @['a\\'[[[[[[[[['] == \"((\"].title", "$[?(((@.a == 1)))]", "$..a..b..c..d"]
        {
            assert!(compiled(&path.into()).is_ok(), "{path}");
        }
    }
}
