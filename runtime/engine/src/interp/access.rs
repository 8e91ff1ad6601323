//! Parts of containers: items, keys, fields.

use crate::value::{Fault, Key, Record, Value, brief};
use std::sync::Arc;

/// `list[i]` or `dict[k]`: a missing one is a fault that says what there is.
pub(crate) fn index(base: &Value, index: &Value) -> Result<Value, Fault> {
    match (base, index) {
        (Value::List(list), Value::Int(i)) => {
            usize::try_from(*i).ok().and_then(|at| list.get(at)).ok_or_else(|| out_of_range(*i, "list", list.len()))
        }
        (Value::Tuple(items), Value::Int(i)) => usize::try_from(*i)
            .ok()
            .and_then(|at| items.get(at).cloned())
            .ok_or_else(|| out_of_range(*i, "tuple", items.len())),
        (Value::Dict(dict), _) => {
            let found = match index {
                Value::Str(t) => dict.get_str(t),
                _ => Key::of(index).and_then(|k| dict.get(&k)),
            };
            found.cloned().ok_or_else(|| {
                let keys: Vec<String> = dict.keys().take(6).map(|k| brief(&k.to_value(), 40)).collect();
                let more = if dict.len() > keys.len() { ", …" } else { "" };
                let there = match keys.is_empty() {
                    true => "the dict is empty".to_owned(),
                    false => format!("the dict has {}{more}", keys.join(", ")),
                };
                Fault::new("key", format!("no key {}: {there}", brief(index, 60)))
            })
        }
        _ => Err(Fault::new("type", format!("{} has no items by {}", base.kind(), index.kind()))),
    }
}

fn out_of_range(index: i64, kind: &str, len: usize) -> Fault {
    let there = match len {
        0 => format!("the {kind} is empty"),
        1 => format!("the {kind} has 1 item"),
        n => format!("the {kind} has {n} items"),
    };
    Fault::new("index", format!("index {index} is out of range: {there}"))
}

/// `base[index]` of a `json`: null where absent.
pub(crate) fn json_index(base: &Value, index: &Value) -> Value {
    let found = match (base, index) {
        (Value::Dict(dict), Value::Str(t)) => dict.get_str(t).cloned(),
        (Value::Dict(dict), Value::Int(i)) => dict.get(&Key::Int(*i)).cloned(),
        (Value::List(list), Value::Int(i)) => usize::try_from(*i).ok().and_then(|at| list.get(at)),
        (Value::Tuple(items), Value::Int(i)) => usize::try_from(*i).ok().and_then(|at| items.get(at).cloned()),
        (Value::Record(r), Value::Str(t)) => {
            r.shape.keys.iter().position(|k| k.as_str() == t.as_str()).and_then(|at| r.fields.get(at).cloned())
        }
        _ => None,
    };
    found.unwrap_or(Value::Null)
}

/// `item in base`: an item of a list, a key of a dict, a part of a str.
pub(crate) fn contains(base: &Value, item: &Value) -> Result<bool, Fault> {
    match (base, item) {
        (Value::List(list), _) => Ok(match (list.as_slice(), list.as_range()) {
            (Some(values), _) => values.contains(item),
            (None, Some((start, end))) => match item {
                Value::Int(i) => (start..end).contains(i),
                Value::Float(f) => {
                    matches!(crate::conform::exact_int(*f), Some(Value::Int(i)) if (start..end).contains(&i))
                }
                _ => false,
            },
            (None, None) => false,
        }),
        (Value::Tuple(items), _) => Ok(items.contains(item)),
        (Value::Dict(dict), Value::Str(t)) => Ok(dict.get_str(t).is_some()),
        (Value::Dict(dict), _) => Ok(Key::of(item).is_some_and(|k| dict.contains_key(&k))),
        (Value::Str(text), Value::Str(part)) => Ok(text.contains(part.as_str())),
        _ => Err(Fault::new("type", format!("{} has no {} in it", base.kind(), item.kind()))),
    }
}

/// The item of a list, or the entry of a dict as a tuple, at a place.
pub(crate) fn item(base: &Value, index: usize) -> Option<Value> {
    match base {
        Value::List(list) => list.get(index),
        Value::Dict(dict) => dict.get_index(index).map(|(k, v)| Value::tuple(vec![k.to_value(), v.clone()])),
        _ => None,
    }
}

/// How many items a list or dict has.
pub(crate) fn len(base: &Value) -> Option<usize> {
    match base {
        Value::List(list) => Some(list.len()),
        Value::Dict(dict) => Some(dict.len()),
        Value::Tuple(items) => Some(items.len()),
        _ => None,
    }
}

/// The field or item at a place of a record or tuple.
pub(crate) fn field(base: &Value, at: usize) -> Option<&Value> {
    match base {
        Value::Record(r) => r.fields.get(at),
        Value::Tuple(items) => items.get(at),
        _ => None,
    }
}

/// The record with one field replaced: in place where nobody else holds it.
pub(crate) fn set_field(record: Value, at: usize, value: Value) -> Result<Value, Fault> {
    let wrong = |v: &Value| Fault::new("internal", format!("{} has no field {at}", v.kind()));
    let Value::Record(mut shared) = record else { return Err(wrong(&record)) };
    let Record { fields, .. } = Arc::make_mut(&mut shared);
    match fields.get_mut(at) {
        Some(field) => {
            *field = value;
            Ok(Value::Record(shared))
        }
        None => Err(wrong(&Value::Record(shared))),
    }
}
