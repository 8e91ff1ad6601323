//! Values in JSON (RUNTIME.md: "values in JSON").
//!
//! Reading: an int that i64 does not hold is the nearest float, as in most readers of JSON; taken as an int (`as`) it
//! fails, so no wrong int comes of it. Of two equal keys the later wins. Input may nest 128 levels deep.

use crate::value::{Dict, Fault, Key, MAX_DEPTH, MAX_TEXT, Text, Value, units};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use rustc_hash::FxHashMap;
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use std::fmt::Write;

/// A value as JSON. What nests deeper than [`MAX_DEPTH`] is cut to `"…"`; a run's outputs never do.
pub fn to_json(value: &Value) -> serde_json::Value {
    json_at(value, 0)
}

fn json_at(value: &Value, depth: usize) -> serde_json::Value {
    use serde_json::Value as Json;
    if depth == MAX_DEPTH && value.nests() {
        return Json::String("…".into());
    }
    let items = |items: &[Value]| Json::Array(items.iter().map(|v| json_at(v, depth + 1)).collect());
    match value {
        Value::Null => Json::Null,
        Value::Bool(b) => Json::Bool(*b),
        Value::Int(i) => Json::from(*i),
        Value::Float(f) => Json::from(*f),
        Value::List(list) => match list.as_slice() {
            Some(values) => items(values),
            None => Json::Array(list.iter().map(|v| json_at(&v, depth + 1)).collect()),
        },
        Value::Tuple(t) => items(t),
        Value::Record(r) => {
            let entries = r.shape.keys.iter().zip(&r.fields);
            Json::Object(entries.map(|(k, v)| (k.to_string(), json_at(v, depth + 1))).collect())
        }
        Value::Dict(d) => Json::Object(d.iter().map(|(k, v)| (k.to_string(), json_at(v, depth + 1))).collect()),
        _ => Json::String(plain_text(value)),
    }
}

/// The text that stands in a JSON string for a value that is not one of JSON's own.
pub(crate) fn plain_text(value: &Value) -> String {
    match value {
        Value::Str(t) => t.as_str().to_owned(),
        Value::Duration(n) => units::duration_text(*n),
        Value::Size(n) => units::size_text(*n),
        Value::Datetime(n) => units::datetime_text(*n),
        Value::Bytes(b) => BASE64_STANDARD.encode(b.as_slice()),
        Value::Secret(_) => "‹secret›".to_owned(),
        _ => format!("‹{}›", value.kind()),
    }
}

/// The bytes of a base64 text.
pub(crate) fn bytes_of_text(text: &str) -> Option<Vec<u8>> {
    BASE64_STANDARD.decode(text).ok()
}

/// JSON as a value of type `json`.
pub fn from_json(json: &serde_json::Value) -> Value {
    use serde_json::Value as Json;
    match json {
        Json::Null => Value::Null,
        Json::Bool(b) => Value::Bool(*b),
        Json::Number(n) => match n.as_i64() {
            Some(i) => Value::Int(i),
            // Without serde_json's arbitrary precision every number is a finite f64.
            None => Value::Float(n.as_f64().unwrap_or_default()),
        },
        Json::String(s) => Value::str(s.as_str()),
        Json::Array(items) => Value::list(items.iter().map(from_json).collect()),
        Json::Object(map) => Value::dict(map.iter().map(|(k, v)| (Key::str(k.as_str()), from_json(v))).collect()),
    }
}

/// Reads JSON text. A fault `parse` says what is wrong, in which line and column.
pub fn parse(text: &str) -> Result<Value, Fault> {
    let mut reader = serde_json::Deserializer::from_str(text);
    let mut keys = Keys::default();
    let value = Seed { keys: &mut keys }.deserialize(&mut reader).and_then(|value| reader.end().map(|()| value));
    value.map_err(|e| Fault::new("parse", format!("this is no JSON: {e}")))
}

/// Keys that were read before: the objects of a list mostly have the same.
#[derive(Default)]
struct Keys(FxHashMap<Box<str>, Text>);

impl Keys {
    fn key(&mut self, text: &str) -> Key {
        if let Some(key) = self.0.get(text) {
            return Key::Str(key.clone());
        }
        let key = Text::from(text);
        if self.0.len() < 1024 && text.len() <= 64 {
            self.0.insert(text.into(), key.clone());
        }
        Key::Str(key)
    }
}

struct Seed<'k> {
    keys: &'k mut Keys,
}

impl<'de> DeserializeSeed<'de> for Seed<'_> {
    type Value = Value;
    fn deserialize<D: Deserializer<'de>>(self, reader: D) -> Result<Value, D::Error> {
        reader.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Seed<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("JSON")
    }
    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }
    fn visit_bool<E>(self, b: bool) -> Result<Value, E> {
        Ok(Value::Bool(b))
    }
    fn visit_i64<E>(self, i: i64) -> Result<Value, E> {
        Ok(Value::Int(i))
    }
    fn visit_u64<E>(self, n: u64) -> Result<Value, E> {
        Ok(i64::try_from(n).map_or(Value::Float(n as f64), Value::Int))
    }
    fn visit_f64<E: Error>(self, f: f64) -> Result<Value, E> {
        if f.is_finite() { Ok(Value::Float(f)) } else { Err(E::custom("number out of range")) }
    }
    fn visit_str<E>(self, s: &str) -> Result<Value, E> {
        Ok(Value::str(s))
    }
    fn visit_string<E>(self, s: String) -> Result<Value, E> {
        Ok(Value::str(s))
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut values = Vec::new();
        while let Some(value) = items.next_element_seed(Seed { keys: self.keys })? {
            values.push(value);
        }
        Ok(Value::list(values))
    }
    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut dict = Dict::new();
        while let Some(key) = entries.next_key_seed(KeySeed(self.keys))? {
            let value = entries.next_value_seed(Seed { keys: self.keys })?;
            dict.insert(key, value);
        }
        Ok(Value::dict(dict))
    }
}

struct KeySeed<'k>(&'k mut Keys);

impl<'de> DeserializeSeed<'de> for KeySeed<'_> {
    type Value = Key;
    fn deserialize<D: Deserializer<'de>>(self, reader: D) -> Result<Key, D::Error> {
        reader.deserialize_str(self)
    }
}
impl Visitor<'_> for KeySeed<'_> {
    type Value = Key;
    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a key")
    }
    fn visit_str<E>(self, s: &str) -> Result<Key, E> {
        Ok(self.0.key(s))
    }
}

/// The JSON text of a value: on one line without spaces (`{"a":1}`), or with each level indented by so many spaces.
/// Fails where the value nests deeper than [`MAX_DEPTH`], or the text gets longer than [`MAX_TEXT`].
pub fn text(value: &Value, indent: Option<usize>) -> Result<String, Fault> {
    let mut out = Writer { text: String::new(), indent, depth: 0 };
    out.value(value)?;
    Ok(out.text)
}

struct Writer {
    text: String,
    indent: Option<usize>,
    depth: usize,
}

impl Writer {
    fn value(&mut self, value: &Value) -> Result<(), Fault> {
        if self.text.len() > MAX_TEXT {
            return Err(Fault::text_too_long());
        }
        match value {
            Value::Null => self.text.push_str("null"),
            Value::Bool(b) => self.text.push_str(if *b { "true" } else { "false" }),
            Value::Int(i) => self.write(format_args!("{i}")),
            Value::Float(f) => self.write(format_args!("{f:?}")),
            Value::Str(t) => self.string(t),
            Value::List(list) => match list.as_slice() {
                Some(values) => self.items(values.iter(), |out, v| out.value(v))?,
                None => self.items(list.iter(), |out, v| out.value(&v))?,
            },
            Value::Tuple(t) => self.items(t.iter(), |out, v| out.value(v))?,
            Value::Record(r) => {
                let entries = r.shape.keys.iter().zip(&r.fields);
                self.group(['{', '}'], entries, |out, (k, v)| out.entry(k, v))?;
            }
            Value::Dict(d) => self.group(['{', '}'], d.iter(), |out, (k, v)| match k {
                Key::Str(t) => out.entry(t, v),
                Key::Int(i) => out.entry(&i.to_string(), v),
            })?,
            _ => self.string(&plain_text(value)),
        }
        Ok(())
    }

    fn items<T>(
        &mut self,
        items: impl ExactSizeIterator<Item = T>,
        one: impl FnMut(&mut Self, T) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        self.group(['[', ']'], items, one)
    }

    fn group<T>(
        &mut self,
        brackets: [char; 2],
        items: impl ExactSizeIterator<Item = T>,
        mut one: impl FnMut(&mut Self, T) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        let [open, close] = brackets;
        self.text.push(open);
        let is_empty = items.len() == 0;
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(Fault::too_deep());
        }
        for (i, item) in items.enumerate() {
            if i > 0 {
                self.text.push(',');
            }
            self.line();
            one(self, item)?;
        }
        self.depth -= 1;
        if !is_empty {
            self.line();
        }
        self.text.push(close);
        Ok(())
    }

    fn entry(&mut self, key: &str, value: &Value) -> Result<(), Fault> {
        self.string(key);
        self.text.push_str(if self.indent.is_some() { ": " } else { ":" });
        self.value(value)
    }

    /// A new line at the current depth, where the text is indented.
    fn line(&mut self) {
        if let Some(indent) = self.indent {
            self.text.push('\n');
            self.text.extend(std::iter::repeat_n(' ', indent.saturating_mul(self.depth)));
        }
    }

    fn write(&mut self, arguments: std::fmt::Arguments<'_>) {
        // Writing to a String does not fail.
        let _ = self.text.write_fmt(arguments);
    }

    fn string(&mut self, text: &str) {
        self.text.push('"');
        let mut rest = text;
        while let Some(at) = rest.find(|c: char| c < ' ' || c == '"' || c == '\\') {
            let (plain, special) = rest.split_at(at);
            self.text.push_str(plain);
            let mut chars = special.chars();
            match chars.next() {
                Some('"') => self.text.push_str("\\\""),
                Some('\\') => self.text.push_str("\\\\"),
                Some('\n') => self.text.push_str("\\n"),
                Some('\r') => self.text.push_str("\\r"),
                Some('\t') => self.text.push_str("\\t"),
                Some(c) => self.write(format_args!("\\u{:04x}", u32::from(c))),
                None => {}
            }
            rest = chars.as_str();
        }
        self.text.push_str(rest);
        self.text.push('"');
    }
}
