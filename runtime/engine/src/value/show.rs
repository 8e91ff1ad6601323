//! Values as text: in a str, and shortened for messages.

use super::{Fault, Key, Value, units};
use crate::json;
use std::fmt::Write;

/// The text of a value: in a str, of `str(x)`, of a line of the log. A str is itself; numbers round-trip in their
/// shortest form, floats with a point or an exponent; durations and sizes are literals, datetimes RFC 3339; all else is
/// JSON. Fails where the value nests too deep.
pub fn text_of(value: &Value) -> Result<String, Fault> {
    Ok(match value {
        Value::Str(t) => t.as_str().to_owned(),
        Value::Bool(b) => b.to_string(),
        Value::Int(i) => i.to_string(),
        Value::Float(f) => float_text(*f),
        Value::Duration(n) => units::duration_text(*n),
        Value::Size(n) => units::size_text(*n),
        Value::Datetime(n) => units::datetime_text(*n),
        Value::Secret(_) => super::text::MASK.to_owned(),
        _ => json::text(value, None)?,
    })
}

/// A float in its shortest form that reads back as the same: `4.0`, `0.1`, `1e21`.
pub(crate) fn float_text(f: f64) -> String {
    format!("{f:?}")
}

/// A value for a message: like JSON, on one line, cut with `…` after about `limit` characters. It looks at no more of
/// the value than it shows.
pub fn brief(value: &Value, limit: usize) -> String {
    let mut out = Cut { text: String::new(), left: limit };
    if write(&mut out, value, 0).is_err() {
        out.text.push('…');
    }
    out.text
}

/// Takes so many characters and then fails.
struct Cut {
    text: String,
    left: usize,
}
impl Write for Cut {
    fn write_str(&mut self, s: &str) -> std::fmt::Result {
        for c in s.chars() {
            self.left = self.left.checked_sub(1).ok_or(std::fmt::Error)?;
            self.text.push(c);
        }
        Ok(())
    }
}

fn write(out: &mut Cut, value: &Value, depth: usize) -> std::fmt::Result {
    // Each level takes a character at least, so `depth` is bounded by the limit, which may be large.
    if depth > 64 {
        return Err(std::fmt::Error);
    }
    match value {
        Value::Null => out.write_str("null"),
        Value::Bool(b) => write!(out, "{b}"),
        Value::Int(i) => write!(out, "{i}"),
        Value::Float(f) => write!(out, "{f:?}"),
        Value::Duration(n) => out.write_str(&units::duration_text(*n)),
        Value::Size(n) => out.write_str(&units::size_text(*n)),
        Value::Datetime(n) => out.write_str(&units::datetime_text(*n)),
        Value::Str(t) => write_str(out, t),
        Value::Bytes(b) => write!(out, "‹{} bytes›", b.len()),
        Value::Func(_) => out.write_str("‹function›"),
        Value::Secret(_) => out.write_str(super::text::MASK),
        Value::List(list) => {
            out.write_char('[')?;
            for (i, item) in list.iter().enumerate() {
                separate(out, i)?;
                write(out, &item, depth + 1)?;
            }
            out.write_char(']')
        }
        Value::Tuple(items) => {
            out.write_char('(')?;
            for (i, item) in items.iter().enumerate() {
                separate(out, i)?;
                write(out, item, depth + 1)?;
            }
            out.write_char(')')
        }
        Value::Record(r) => {
            out.write_char('(')?;
            for (i, (name, field)) in r.shape.names.iter().zip(&r.fields).enumerate() {
                separate(out, i)?;
                write!(out, "{name}: ")?;
                write(out, field, depth + 1)?;
            }
            out.write_char(')')
        }
        Value::Dict(d) if d.is_empty() => out.write_str("[:]"),
        Value::Dict(d) => {
            out.write_char('[')?;
            for (i, (key, item)) in d.iter().enumerate() {
                separate(out, i)?;
                match key {
                    Key::Str(t) => write_str(out, t)?,
                    Key::Int(n) => write!(out, "{n}")?,
                }
                out.write_str(": ")?;
                write(out, item, depth + 1)?;
            }
            out.write_char(']')
        }
    }
}

fn separate(out: &mut Cut, index: usize) -> std::fmt::Result {
    if index > 0 { out.write_str(", ") } else { Ok(()) }
}

fn write_str(out: &mut Cut, text: &str) -> std::fmt::Result {
    out.write_char('"')?;
    for c in text.chars() {
        match c {
            '"' => out.write_str("\\\"")?,
            '\\' => out.write_str("\\\\")?,
            '\n' => out.write_str("\\n")?,
            '\t' => out.write_str("\\t")?,
            c if c.is_control() => write!(out, "\\u{{{:x}}}", u32::from(c))?,
            c => out.write_char(c)?,
        }
    }
    out.write_char('"')
}
