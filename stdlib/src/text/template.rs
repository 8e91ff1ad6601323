//! `{{ name | filter(argument) }}` in a text.

use super::{capitalize, lower, title, trim, truncate, upper};
use crate::bounds::{self, quote};
use ntl_engine::value::text_of;
use ntl_engine::{Dict, Fault, Text, Value};

/// The text with its placeholders filled.
pub(super) fn fill(template: &str, values: &Dict) -> Result<Text, Fault> {
    let mut out = String::with_capacity(template.len());
    let mut rest = template;
    while let Some((before, from)) = rest.split_once("{{") {
        out.push_str(before);
        let mut cursor = Cursor { rest: from, whole: from };
        let value = placeholder(&mut cursor, values)?;
        bounds::text(out.len().saturating_add(value.len()))?;
        out.push_str(&value);
        rest = cursor.rest;
    }
    out.push_str(rest);
    Ok(out.into())
}

/// What stands between the braces, the closing ones included.
fn placeholder(cursor: &mut Cursor<'_>, values: &Dict) -> Result<Text, Fault> {
    let name = cursor.path()?;
    let mut value = look_up(values, name);
    while cursor.eat("|") {
        let filter = cursor.word();
        let argument = cursor.argument()?;
        value = match (filter, argument) {
            ("default", Some(default)) => match value {
                None | Some(Value::Null) => Some(default),
                value => value,
            },
            (filter, argument) => Some(Value::Str(apply(filter, argument, &text(name, value)?)?)),
        };
    }
    if !cursor.eat("}}") {
        return Err(cursor.fault("`}}` is missing"));
    }
    text(name, value)
}

fn apply(filter: &str, argument: Option<Value>, s: &Text) -> Result<Text, Fault> {
    match (filter, argument) {
        ("upper", None) => Ok(upper(s)),
        ("lower", None) => Ok(lower(s)),
        ("capitalize", None) => Ok(capitalize(s)),
        ("title", None) => Ok(title(s)),
        ("trim", None) => Ok(trim(s)),
        ("truncate", Some(Value::Int(n))) => truncate(s, n, &"…".into()),
        ("upper" | "lower" | "capitalize" | "title" | "trim", Some(_)) => {
            Err(Fault::new("parse", format!("the filter `{filter}` takes no argument")))
        }
        ("truncate", _) => {
            Err(Fault::new("parse", "write the filter `truncate` with the greatest length: `truncate(80)`"))
        }
        ("default", _) => Err(Fault::new("parse", "write the filter `default` with a value: `default(\"none\")`")),
        _ => Err(Fault::new(
            "parse",
            format!(
                "there is no filter {}, only upper, lower, capitalize, title, trim, truncate(n), default(x)",
                quote(filter)
            ),
        )),
    }
}

fn text(name: &str, value: Option<Value>) -> Result<Text, Fault> {
    match value {
        Some(Value::Str(s)) => Ok(s),
        Some(value) => text_of(&value).map(Text::from),
        None => Err(Fault::new("key", format!("the template names {}, but there is no value for it", quote(name)))),
    }
}

/// The value at a path such as `user.address.0`.
fn look_up(values: &Dict, path: &str) -> Option<Value> {
    let mut names = path.split('.');
    let mut value = values.get_str(names.next()?)?.clone();
    for name in names {
        value = match &value {
            Value::Dict(d) => d.get_str(name)?.clone(),
            Value::Record(r) => r.get(name)?.clone(),
            Value::List(xs) => xs.get(name.parse().ok()?)?,
            Value::Tuple(xs) => xs.get(name.parse::<usize>().ok()?)?.clone(),
            _ => return None,
        };
    }
    Some(value)
}

/// What is left of a template from the inside of a placeholder on.
struct Cursor<'a> {
    rest: &'a str,
    whole: &'a str,
}

impl<'a> Cursor<'a> {
    /// Takes a token, if it is next.
    fn eat(&mut self, token: &str) -> bool {
        match self.rest.trim_start().strip_prefix(token) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn take_while(&mut self, f: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest.trim_start();
        let (taken, rest) = rest.split_at(rest.find(|c| !f(c)).unwrap_or(rest.len()));
        self.rest = rest;
        taken
    }

    fn word(&mut self) -> &'a str {
        self.take_while(|c| c.is_alphanumeric() || c == '_')
    }

    fn path(&mut self) -> Result<&'a str, Fault> {
        let path = self.take_while(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.'));
        if path.is_empty() { Err(self.fault("a name is missing after `{{`")) } else { Ok(path) }
    }

    /// `(…)` of a filter: a text in quotes or a number.
    fn argument(&mut self) -> Result<Option<Value>, Fault> {
        if !self.eat("(") {
            return Ok(None);
        }
        let value = if self.eat("\"") {
            self.quoted('"')?
        } else if self.eat("'") {
            self.quoted('\'')?
        } else {
            let number = self.take_while(|c| c.is_alphanumeric() || matches!(c, '-' | '+' | '.'));
            match (number.parse::<i64>(), number.parse::<f64>()) {
                (Ok(n), _) => Value::Int(n),
                (_, Ok(x)) if x.is_finite() => Value::Float(x),
                _ => return Err(self.fault("a filter takes a text in quotes or a number")),
            }
        };
        if self.eat(")") { Ok(Some(value)) } else { Err(self.fault("`)` is missing")) }
    }

    /// A text up to its closing quote; a backslash makes the character after it an ordinary one.
    fn quoted(&mut self, quote: char) -> Result<Value, Fault> {
        let mut text = String::new();
        let mut chars = self.rest.chars();
        loop {
            match chars.next() {
                Some(c) if c == quote => break,
                Some('\\') => text.extend(chars.next()),
                Some(c) => text.push(c),
                None => return Err(self.fault("the quote is never closed")),
            }
        }
        self.rest = chars.as_str();
        Ok(Value::str(text))
    }

    fn fault(&self, what: &str) -> Fault {
        let shown: String = self.whole.chars().take(40).collect();
        Fault::new("parse", format!("{what} in {}", quote(&format!("{{{{{shown}"))))
    }
}

#[cfg(test)]
mod tests {
    use super::fill;
    use ntl_engine::value::Key;
    use ntl_engine::{Dict, Value};

    fn filled(template: &str) -> Result<String, String> {
        let inner: Dict = [(Key::Str("city".into()), Value::str("Bern"))].into_iter().collect();
        let values: Dict = [
            (Key::Str("name".into()), Value::str("ada lovelace")),
            (Key::Str("n".into()), Value::Int(3)),
            (Key::Str("none".into()), Value::Null),
            (Key::Str("user".into()), Value::dict(inner)),
            (Key::Str("xs".into()), Value::list(vec![Value::Int(7)])),
        ]
        .into_iter()
        .collect();
        fill(template, &values).map(|t| t.as_str().to_owned()).map_err(|f| f.code.to_string())
    }

    #[test]
    fn fills_paths_and_filters() {
        let good = [
            ("", ""),
            ("no {braces} }} here", "no {braces} }} here"),
            ("{{name}}/{{ n }}", "ada lovelace/3"),
            ("{{name|title|truncate(5)}}", "Ada …"),
            ("{{ user.city | upper }} {{ xs.0 }}", "BERN 7"),
            ("{{ x | default('it\\'s }} }') }}!", "it's }} }!"),
            ("{{ none | default(\"-\") }}{{ n | default(0) }}", "-3"),
            ("{{ none }}", "null"),
        ];
        for (template, want) in good {
            assert_eq!(filled(template).as_deref(), Ok(want), "{template}");
        }
    }

    #[test]
    fn tells_what_is_wrong() {
        let bad = [
            ("{{ x }}", "key"),
            ("{{ user.town }}", "key"),
            ("{{ n.x }}", "key"),
            ("{{", "parse"),
            ("{{ }}", "parse"),
            ("{{ n", "parse"),
            ("{{ n } }", "parse"),
            ("{{ n | shout }}", "parse"),
            ("{{ n | upper(1) }}", "parse"),
            ("{{ n | truncate }}", "parse"),
            ("{{ n | default }}", "parse"),
            ("{{ n | default(\"x }}", "parse"),
            ("{{ n | truncate(3 }}", "parse"),
            ("{{ n | truncate(-3) }}", "invalid"),
        ];
        for (template, code) in bad {
            assert_eq!(filled(template), Err(code.to_owned()), "{template}");
        }
    }
}
