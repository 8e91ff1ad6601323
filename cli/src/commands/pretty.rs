//! JSON as people read it: on one line where it fits.

use serde_json::Value;

/// The width to which lists and records are kept on one line.
const WIDTH: usize = 88;

/// A value: text as it is, all else as JSON.
pub fn value(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => {
            let mut text = String::new();
            write(other, 0, &mut text);
            text
        }
    }
}

fn write(value: &Value, indent: usize, text: &mut String) {
    let parts: Vec<(String, &Value)> = match value {
        Value::Array(items) => items.iter().map(|v| (String::new(), v)).collect(),
        Value::Object(fields) => fields.iter().map(|(k, v)| (format!("{}: ", Value::from(k.as_str())), v)).collect(),
        scalar => return text.push_str(&scalar.to_string()),
    };
    let (open, close) = if value.is_array() { ('[', ']') } else { ('{', '}') };
    text.push(open);
    if let Some(line) = one_line(&parts, WIDTH.saturating_sub(indent)) {
        text.push_str(&line);
    } else {
        for (i, (name, part)) in parts.iter().enumerate() {
            let comma = if i > 0 { "," } else { "" };
            text.push_str(&format!("{comma}\n{:1$}{name}", "", indent + 2));
            write(part, indent + 2, text);
        }
        text.push_str(&format!("\n{:indent$}", ""));
    }
    text.push(close);
}

/// The parts on one line; `None` if that is longer than `most`.
fn one_line(parts: &[(String, &Value)], most: usize) -> Option<String> {
    let mut line = String::new();
    for (i, (name, part)) in parts.iter().enumerate() {
        if i > 0 {
            line.push_str(", ");
        }
        line.push_str(name);
        match part {
            Value::Array(items) => {
                let items: Vec<_> = items.iter().map(|v| (String::new(), v)).collect();
                line.push_str(&format!("[{}]", one_line(&items, most)?));
            }
            Value::Object(fields) => {
                let fields: Vec<_> =
                    fields.iter().map(|(k, v)| (format!("{}: ", Value::from(k.as_str())), v)).collect();
                line.push_str(&format!("{{{}}}", one_line(&fields, most)?));
            }
            scalar => line.push_str(&scalar.to_string()),
        }
        if line.len() > most {
            return None;
        }
    }
    Some(line)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_fits_stays_on_one_line() {
        assert_eq!(value(&json!({ "a": [1, 2.0, null], "b": {} })), r#"{"a": [1, 2.0, null], "b": {}}"#);
        assert_eq!(value(&json!("two\nlines")), "two\nlines");
    }

    #[test]
    fn what_does_not_is_broken_at_its_parts() {
        let long = "x".repeat(50);
        let text = value(&json!([{ "a": long, "b": long }, 1]));
        assert_eq!(text, format!("[\n  {{\n    \"a\": \"{long}\",\n    \"b\": \"{long}\"\n  }},\n  1\n]"));
    }
}
