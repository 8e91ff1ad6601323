//! Equality (`==`) and the hash that goes with it.

use super::{Dict, Key, List, Record, Value};
use rustc_hash::{FxHashSet, FxHasher};
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// How many levels recurse before the rest is put aside and compared from a loop.
const RECURSE: u32 = 64;

impl PartialEq for Value {
    /// The language's `==`: numbers by what they are worth (`1 == 1.0`), containers by what is in them, dicts and
    /// records whatever their order. Functions are equal to themselves only.
    fn eq(&self, other: &Self) -> bool {
        let mut state = Comparison { aside: vec![(self, other)], known: Known::default() };
        while let Some((a, b)) = state.aside.pop() {
            if !same(a, b, 0, &mut state) {
                return false;
            }
        }
        true
    }
}
impl Eq for Value {}

struct Comparison<'a> {
    /// Pairs that are still to be compared.
    aside: Vec<(&'a Value, &'a Value)>,
    known: Known,
}

/// Pairs of containers that were compared before: parts may be shared, so that a small value unfolds to very many.
#[derive(Default)]
pub(super) struct Known {
    count: u32,
    pairs: FxHashSet<(usize, usize)>,
}

impl Known {
    /// Whether two containers are the same one, or were compared before. Pairs are kept only when there are many.
    pub fn has(&mut self, a: &Value, b: &Value) -> bool {
        const MANY: u32 = 4096;
        let pair = (address(a), address(b));
        self.count = self.count.saturating_add(1);
        pair.0 == pair.1 || self.count > MANY && !self.pairs.insert(pair)
    }
}

/// Where a container lies in memory.
pub(crate) fn address(value: &Value) -> usize {
    match value {
        Value::List(list) => list.address(),
        Value::Tuple(t) => Arc::as_ptr(t).addr(),
        Value::Record(r) => Arc::as_ptr(r).addr(),
        Value::Dict(d) => Arc::as_ptr(d).addr(),
        other => std::ptr::from_ref(other).addr(),
    }
}

fn same<'a>(a: &'a Value, b: &'a Value, depth: u32, state: &mut Comparison<'a>) -> bool {
    use Value::*;
    match (a, b) {
        (Null, Null) => true,
        (Bool(a), Bool(b)) => a == b,
        (Int(a), Int(b)) | (Duration(a), Duration(b)) | (Size(a), Size(b)) | (Datetime(a), Datetime(b)) => a == b,
        (Float(a), Float(b)) => a == b,
        (Int(i), Float(f)) | (Float(f), Int(i)) => int_is_float(*i, *f),
        (Str(a), Str(b)) => a == b,
        (Bytes(a), Bytes(b)) => a == b,
        (Secret(a), Secret(b)) => a.reveal() == b.reveal(),
        (Func(a), Func(b)) => Arc::ptr_eq(a, b),
        (List(_), List(_)) | (Tuple(_), Tuple(_)) | (Record(_), Record(_)) | (Dict(_), Dict(_)) => {
            state.known.has(a, b) || same_parts(a, b, depth, state)
        }
        _ => false,
    }
}

fn same_parts<'a>(a: &'a Value, b: &'a Value, depth: u32, state: &mut Comparison<'a>) -> bool {
    use Value::*;
    if depth == RECURSE {
        // Compared anew: it is not known by then.
        state.known.pairs.remove(&(address(a), address(b)));
        state.aside.push((a, b));
        return true;
    }
    match (a, b) {
        (List(a), List(b)) => same_lists(a, b, depth, state),
        (Tuple(a), Tuple(b)) => same_items(a, b, depth, state),
        (Record(a), Record(b)) => same_records(a, b, depth, state),
        (Dict(a), Dict(b)) => same_dicts(a, b, depth, state),
        _ => false,
    }
}

/// Whether a float is exactly this int.
fn int_is_float(i: i64, f: f64) -> bool {
    // Beyond 2^63 the conversion back saturates; only i64::MAX could be taken for equal then, and no float is that.
    (i as f64) == f && i != i64::MAX && (f as i64) == i
}

fn same_items<'a>(a: &'a [Value], b: &'a [Value], depth: u32, state: &mut Comparison<'a>) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b, depth + 1, state))
}

fn same_lists<'a>(a: &'a List, b: &'a List, depth: u32, state: &mut Comparison<'a>) -> bool {
    match (a.as_slice(), b.as_slice()) {
        (Some(a), Some(b)) => same_items(a, b, depth, state),
        // A range holds ints only: its items are equal to no container.
        (Some(values), None) => is_range(values, b),
        (None, Some(values)) => is_range(values, a),
        (None, None) => a.len() == b.len() && (a.is_empty() || a.as_range() == b.as_range()),
    }
}

fn is_range(values: &[Value], range: &List) -> bool {
    values.len() == range.len() && values.iter().zip(range.iter()).all(|(v, n)| !v.nests() && *v == n)
}

fn same_records<'a>(a: &'a Record, b: &'a Record, depth: u32, state: &mut Comparison<'a>) -> bool {
    if Arc::ptr_eq(&a.shape, &b.shape) || a.shape.names == b.shape.names {
        return same_items(&a.fields, &b.fields, depth, state);
    }
    a.fields.len() == b.fields.len()
        && a.shape.names.iter().zip(&a.fields).all(|(n, v)| b.get(n).is_some_and(|w| same(v, w, depth + 1, state)))
}

fn same_dicts<'a>(a: &'a Dict, b: &'a Dict, depth: u32, state: &mut Comparison<'a>) -> bool {
    a.len() == b.len() && a.iter().all(|(k, v)| b.get(k).is_some_and(|w| same(v, w, depth + 1, state)))
}

/// A value as a key of a hash map: by `==`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ByValue(pub Value);

impl Hash for ByValue {
    fn hash<H: Hasher>(&self, state: &mut H) {
        hash(&self.0, 0, state);
    }
}

/// What is deeper than this tells no values apart.
const HASH_DEPTH: u32 = 16;

fn hash<H: Hasher>(value: &Value, depth: u32, state: &mut H) {
    if depth == HASH_DEPTH {
        return;
    }
    match value {
        Value::Null => state.write_u8(0),
        Value::Bool(b) => state.write_u8(1 + u8::from(*b)),
        Value::Int(i) => state.write_i64(*i),
        // As the int that it is equal to, if it is one.
        Value::Float(f) if int_is_float(*f as i64, *f) => state.write_i64(*f as i64),
        Value::Float(f) => state.write_u64(f.to_bits()),
        Value::Duration(n) | Value::Size(n) | Value::Datetime(n) => state.write_i64(*n),
        Value::Str(t) => t.hash(state),
        Value::Bytes(b) => b.hash(state),
        Value::Secret(s) => s.reveal().hash(state),
        Value::Func(_) => state.write_u8(3),
        Value::List(list) => {
            state.write_u8(4);
            for item in list.iter() {
                hash(&item, depth + 1, state);
            }
        }
        Value::Tuple(items) => {
            state.write_u8(5);
            for item in items.iter() {
                hash(item, depth + 1, state);
            }
        }
        // Order does not matter in these: the sum of the entries' hashes.
        Value::Record(r) => {
            let entries = r.shape.names.iter().zip(&r.fields);
            state.write_u64(entries.map(|(name, v)| entry_hash(name, v, depth)).fold(6, u64::wrapping_add));
        }
        Value::Dict(d) => {
            let entries = d.iter().map(|(k, v)| match k {
                Key::Str(t) => entry_hash(t, v, depth),
                Key::Int(i) => entry_hash(&i.to_string(), v, depth),
            });
            state.write_u64(entries.fold(7, u64::wrapping_add));
        }
    }
}

fn entry_hash(name: &str, value: &Value, depth: u32) -> u64 {
    let mut state = FxHasher::default();
    name.hash(&mut state);
    hash(value, depth + 1, &mut state);
    state.finish()
}
