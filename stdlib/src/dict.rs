//! `std.dict`.

use crate::bounds;
use crate::convert::{self, key as key_of, truth};
use ntl_engine::native::{Calls, Stop};
use ntl_engine::value::Key;
use ntl_engine::{Dict, Fault, Func, List, Value};

pub(crate) fn get(d: &Dict, key: &Value) -> Result<Option<Value>, Fault> {
    Ok(d.get(&key_of(key)?).cloned())
}

pub(crate) fn set(d: &Dict, key: &Value, value: &Value) -> Result<Dict, Fault> {
    let mut d = d.clone();
    d.insert(key_of(key)?, value.clone());
    Ok(d)
}

pub(crate) fn remove(d: &Dict, key: &Value) -> Result<Dict, Fault> {
    let mut d = d.clone();
    d.shift_remove(&key_of(key)?);
    Ok(d)
}

pub(crate) fn merge(a: &Dict, b: &Dict) -> Dict {
    let mut merged = a.clone();
    merged.extend(b.iter().map(|(k, v)| (k.clone(), v.clone())));
    merged
}

pub(crate) fn has(d: &Dict, key: &Value) -> Result<bool, Fault> {
    Ok(d.contains_key(&key_of(key)?))
}

pub(crate) fn keys(d: &Dict) -> List {
    d.keys().map(Key::to_value).collect()
}

pub(crate) fn values(d: &Dict) -> List {
    d.values().cloned().collect()
}

pub(crate) fn entries(d: &Dict) -> List {
    d.iter().map(|(k, v)| Value::tuple(vec![k.to_value(), v.clone()])).collect()
}

pub(crate) fn from(entries: &List) -> Result<Dict, Fault> {
    bounds::written_out(entries)?;
    entries
        .iter()
        .map(|entry| match &entry {
            Value::Tuple(pair) => match &***pair {
                [key, value] => Ok((key_of(key)?, value.clone())),
                _ => Err(convert::wrong("pairs", &entry)),
            },
            other => Err(convert::wrong("pairs", other)),
        })
        .collect()
}

pub(crate) fn map_values(cx: &mut dyn Calls, d: &Dict, f: &Func) -> Result<Dict, Stop> {
    d.iter().map(|(k, v)| Ok((k.clone(), cx.call(f, std::slice::from_ref(v))?))).collect()
}

pub(crate) fn filter(cx: &mut dyn Calls, d: &Dict, f: &Func) -> Result<Dict, Stop> {
    let mut kept = Dict::new();
    for (k, v) in d.iter() {
        if truth(&cx.call(f, &[k.to_value(), v.clone()])?)? {
            kept.insert(k.clone(), v.clone());
        }
    }
    Ok(kept)
}

pub(crate) fn select(d: &Dict, keys: &List) -> Result<Dict, Fault> {
    let mut selected = Dict::new();
    for key in keys.iter() {
        let key = key_of(&key)?;
        if let Some(value) = d.get(&key) {
            selected.insert(key, value.clone());
        }
    }
    Ok(selected)
}

pub(crate) fn sort_keys(d: &Dict) -> Dict {
    let mut d = d.clone();
    d.sort_unstable_keys();
    d
}

pub(crate) fn is_empty(d: &Dict) -> bool {
    d.is_empty()
}
