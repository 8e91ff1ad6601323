//! `std.toml`.

use crate::bounds;
use ntl_engine::{Fault, Text, Value, json as documents};
use serde_json::Value as Json;
use toml::Value as Toml;

pub(crate) fn parse(s: &Text) -> Result<Value, Fault> {
    let table: toml::Table = s.parse().map_err(|e: toml::de::Error| {
        let line = s.as_bytes().iter().take(e.span().map_or(0, |span| span.start)).filter(|b| **b == b'\n').count() + 1;
        Fault::new("parse", format!("this is no TOML: line {line}: {}", e.message()))
    })?;
    Ok(documents::from_json(&json(Toml::Table(table))))
}

fn json(value: Toml) -> Json {
    match value {
        Toml::String(s) => Json::String(s),
        Toml::Integer(n) => n.into(),
        // `inf` and `nan` are no numbers of JSON.
        Toml::Float(x) => serde_json::Number::from_f64(x).map_or_else(|| Json::String(x.to_string()), Json::Number),
        Toml::Boolean(b) => b.into(),
        Toml::Datetime(t) => Json::String(t.to_string()),
        Toml::Array(items) => items.into_iter().map(json).collect(),
        Toml::Table(table) => Json::Object(table.into_iter().map(|(name, value)| (name, json(value))).collect()),
    }
}

pub(crate) fn write(x: &Value) -> Result<Text, Fault> {
    // Refuses what nests too deep or is too long, as JSON does.
    documents::text(x, None)?;
    let Some(Toml::Table(table)) = toml(documents::to_json(x))? else {
        return Err(Fault::new("invalid", format!("TOML is written of a record or a dict, not of {}", x.kind())));
    };
    let text = toml::to_string(&table).map_err(|e| Fault::new("invalid", format!("this cannot be TOML: {e}")))?;
    bounds::text(text.len())?;
    Ok(text.into())
}

/// `None` for null.
fn toml(value: Json) -> Result<Option<Toml>, Fault> {
    Ok(Some(match value {
        Json::Null => return Ok(None),
        Json::Bool(b) => Toml::Boolean(b),
        Json::Number(n) => match n.as_i64() {
            Some(n) => Toml::Integer(n),
            None => Toml::Float(n.as_f64().unwrap_or_default()),
        },
        Json::String(s) => Toml::String(s),
        Json::Array(items) => {
            let null = || Fault::new("invalid", "a list in TOML has no null");
            let items = items.into_iter().map(|item| toml(item)?.ok_or_else(null));
            Toml::Array(items.collect::<Result<_, _>>()?)
        }
        Json::Object(fields) => {
            let mut table = toml::Table::new();
            for (name, value) in fields {
                if let Some(value) = toml(value)? {
                    table.insert(name, value);
                }
            }
            Toml::Table(table)
        }
    }))
}
