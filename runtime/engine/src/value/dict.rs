//! Dicts.

use super::{Text, Value, nest};
use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

type Entries = IndexMap<Key, Value, FxBuildHasher>;

/// A dict's entries in insertion order. Keys are [`Value::Str`] or [`Value::Int`] (see [`Key`]).
#[derive(Clone, Debug, Default)]
pub struct Dict(Entries);

impl Dict {
    /// No entries.
    pub fn new() -> Self {
        Dict::default()
    }

    /// No entries, and room for some.
    pub fn with_capacity(entries: usize) -> Self {
        Dict(Entries::with_capacity_and_hasher(entries, FxBuildHasher))
    }

    /// The value of a str key.
    pub fn get_str(&self, key: &str) -> Option<&Value> {
        self.0.get(&StrKey(key))
    }
}

/// A str that finds the equal [`Key::Str`] without a [`Text`] of its own.
struct StrKey<'a>(&'a str);
impl std::hash::Hash for StrKey<'_> {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        hash_str(self.0, state);
    }
}
impl indexmap::Equivalent<Key> for StrKey<'_> {
    fn equivalent(&self, key: &Key) -> bool {
        matches!(key, Key::Str(t) if t.as_str() == self.0)
    }
}
fn hash_str<H: std::hash::Hasher>(text: &str, state: &mut H) {
    state.write(text.as_bytes());
    state.write_u8(0xff);
}

impl std::ops::Deref for Dict {
    type Target = Entries;
    fn deref(&self) -> &Entries {
        &self.0
    }
}
impl std::ops::DerefMut for Dict {
    fn deref_mut(&mut self) -> &mut Entries {
        &mut self.0
    }
}
impl Drop for Dict {
    fn drop(&mut self) {
        if self.0.values().any(Value::nests) {
            nest::drop_values(&mut std::mem::take(&mut self.0).into_values().collect());
        }
    }
}
impl FromIterator<(Key, Value)> for Dict {
    fn from_iter<I: IntoIterator<Item = (Key, Value)>>(iter: I) -> Self {
        Dict(iter.into_iter().collect())
    }
}
impl IntoIterator for Dict {
    type Item = (Key, Value);
    type IntoIter = indexmap::map::IntoIter<Key, Value>;
    fn into_iter(mut self) -> Self::IntoIter {
        std::mem::take(&mut self.0).into_iter()
    }
}
impl<'a> IntoIterator for &'a Dict {
    type Item = (&'a Key, &'a Value);
    type IntoIter = indexmap::map::Iter<'a, Key, Value>;
    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

/// A key of a dict.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Key {
    /// A str.
    Str(Text),
    /// An int.
    Int(i64),
}

impl Key {
    /// A str as a key.
    pub fn str(text: impl Into<Box<str>>) -> Self {
        Key::Str(Text::new(text))
    }

    /// A value as a key: a str or int is one.
    pub fn of(value: &Value) -> Option<Key> {
        match value {
            Value::Str(t) => Some(Key::Str(t.clone())),
            Value::Int(i) => Some(Key::Int(*i)),
            _ => None,
        }
    }

    /// The key as a value.
    pub fn to_value(&self) -> Value {
        match self {
            Key::Str(t) => Value::Str(t.clone()),
            Key::Int(i) => Value::Int(*i),
        }
    }
}
impl std::hash::Hash for Key {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        match self {
            Key::Str(t) => hash_str(t, state),
            Key::Int(i) => state.write_i64(*i),
        }
    }
}
/// As JSON objects have it: an int as text.
impl std::fmt::Display for Key {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Key::Str(t) => f.write_str(t),
            Key::Int(i) => i.fmt(f),
        }
    }
}
impl std::fmt::Debug for Key {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Key::Str(t) => t.fmt(f),
            Key::Int(i) => i.fmt(f),
        }
    }
}
