//! Values: 16 bytes, text and containers shared.

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;
use smol_str::SmolStr;
use std::sync::Arc;

/// A value.
#[derive(Clone, Debug)]
pub enum Value {
    /// `null`.
    Null,
    /// A bool.
    Bool(bool),
    /// An int.
    Int(i64),
    /// A float; never inf or NaN.
    Float(f64),
    /// Nanoseconds.
    Duration(i64),
    /// Bytes (a count).
    Size(i64),
    /// A point in time: nanoseconds since 1970-01-01T00:00:00Z.
    Datetime(i64),
    /// Text.
    Str(Text),
    /// Raw bytes.
    Bytes(Arc<Vec<u8>>),
    /// A list.
    List(List),
    /// A tuple.
    Tuple(Arc<Vec<Value>>),
    /// A record.
    Record(Arc<Record>),
    /// A dict, in insertion order.
    Dict(Arc<Dict>),
    /// A function of register code with its captures.
    Func(Arc<Func>),
    /// A secret: shows as `‹secret›` everywhere.
    Secret(Arc<SecretText>),
}

/// Shared text that knows whether it is ASCII, so that it is counted and cut quickly.
#[derive(Clone)]
pub struct Text(Arc<TextData>);

struct TextData {
    text: Box<str>,
    is_ascii: bool,
}

impl Text {
    /// Shares a text.
    pub fn new(text: impl Into<Box<str>>) -> Self {
        let text = text.into();
        Text(Arc::new(TextData { is_ascii: text.is_ascii(), text }))
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0.text
    }

    /// The number of Unicode scalar values.
    pub fn chars(&self) -> usize {
        if self.0.is_ascii { self.0.text.len() } else { self.0.text.chars().count() }
    }

    /// Whether it has ASCII characters only: a place in characters is then one in bytes.
    pub fn is_ascii(&self) -> bool {
        self.0.is_ascii
    }
}

impl std::ops::Deref for Text {
    type Target = str;
    fn deref(&self) -> &str {
        self.as_str()
    }
}
impl std::fmt::Debug for Text {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.as_str().fmt(f)
    }
}
impl From<&str> for Text {
    fn from(s: &str) -> Self {
        Text::new(s)
    }
}
impl From<String> for Text {
    fn from(s: String) -> Self {
        Text::new(s)
    }
}
impl PartialEq for Text {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.as_str() == other.as_str()
    }
}
impl Eq for Text {}
impl std::hash::Hash for Text {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.as_str().hash(state);
    }
}
impl PartialOrd for Text {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Text {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.as_str().cmp(other.as_str())
    }
}

/// A shared list: of values, or a range that is made lazily.
#[derive(Clone, Debug)]
pub struct List(Arc<ListData>);

#[derive(Clone, Debug)]
enum ListData {
    Values(Vec<Value>),
    /// `start..end`, `start <= end`.
    Range(i64, i64),
}

impl List {
    /// A list of values.
    pub fn new(values: Vec<Value>) -> Self {
        List(Arc::new(ListData::Values(values)))
    }

    /// The ints from `start` to before `end`; empty if descending.
    pub fn range(start: i64, end: i64) -> Self {
        List(Arc::new(ListData::Range(start, end.max(start))))
    }

    /// How many items there are; saturates.
    pub fn len(&self) -> usize {
        match &*self.0 {
            ListData::Values(v) => v.len(),
            ListData::Range(a, b) => usize::try_from(i128::from(*b) - i128::from(*a)).unwrap_or(usize::MAX),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The item at a place.
    pub fn get(&self, index: usize) -> Option<Value> {
        match &*self.0 {
            ListData::Values(v) => v.get(index).cloned(),
            ListData::Range(a, b) => {
                i64::try_from(index).ok().and_then(|i| a.checked_add(i)).filter(|x| x < b).map(Value::Int)
            }
        }
    }

    /// The items in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Value> + DoubleEndedIterator + '_ {
        (0..self.len()).map(|i| self.get(i).unwrap_or(Value::Null))
    }

    /// The values, if it is not a range.
    pub fn as_slice(&self) -> Option<&[Value]> {
        match &*self.0 {
            ListData::Values(v) => Some(v),
            ListData::Range(..) => None,
        }
    }

    /// Its bounds, if it is a range.
    pub fn as_range(&self) -> Option<(i64, i64)> {
        match *self.0 {
            ListData::Range(a, b) => Some((a, b)),
            ListData::Values(_) => None,
        }
    }

    /// The items as a vector: in place where nobody else holds the list.
    pub fn into_vec(self) -> Vec<Value> {
        match Arc::try_unwrap(self.0) {
            Ok(ListData::Values(v)) => v,
            Ok(ListData::Range(a, b)) => (a..b).map(Value::Int).collect(),
            Err(shared) => List(shared).iter().collect(),
        }
    }

    /// Adds an item at the end: in place where nobody else holds the list.
    pub fn push(&mut self, value: Value) {
        if let Some(ListData::Values(v)) = Arc::get_mut(&mut self.0) {
            v.push(value);
            return;
        }
        let mut items: Vec<Value> = self.iter().collect();
        items.push(value);
        *self = List::new(items);
    }
}

impl FromIterator<Value> for List {
    fn from_iter<I: IntoIterator<Item = Value>>(iter: I) -> Self {
        List::new(iter.into_iter().collect())
    }
}

/// A dict's entries. Keys are [`Value::Str`] or [`Value::Int`] (see [`Key`]).
pub type Dict = IndexMap<Key, Value, FxBuildHasher>;

/// A key of a dict.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Key {
    /// A str.
    Str(Text),
    /// An int.
    Int(i64),
}

/// The layout of records: names in order, and the names that JSON and CSV use.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct Shape {
    /// The user type's name, for messages.
    pub name: Option<SmolStr>,
    /// Field names.
    pub names: Vec<SmolStr>,
    /// Field names in JSON; the same length.
    pub keys: Vec<SmolStr>,
}

/// A record.
#[derive(Clone, Debug)]
pub struct Record {
    /// Its layout.
    pub shape: Arc<Shape>,
    /// One value per field.
    pub fields: Vec<Value>,
}

impl Record {
    /// The field of a name.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.shape.names.iter().position(|n| n == name).and_then(|i| self.fields.get(i))
    }
}

/// A function value.
#[derive(Clone, Debug)]
pub struct Func {
    /// Its code.
    pub code: ntl_plan::CodeId,
    /// The first of its parameters.
    pub captures: Vec<Value>,
}

/// Text that must not be shown.
#[derive(Clone)]
pub struct SecretText(Box<str>);

impl SecretText {
    /// Hides a text.
    pub fn new(text: impl Into<Box<str>>) -> Self {
        SecretText(text.into())
    }

    /// The text, for the one who is granted it.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}
impl std::fmt::Debug for SecretText {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("‹secret›")
    }
}

/// Why a native or instruction failed: what it knows itself. The engine adds where and with which inputs.
#[derive(Clone, Debug, PartialEq)]
pub struct Fault {
    /// One of STDLIB's codes (`parse`, `index`, `overflow`, …), or the program's own.
    pub code: SmolStr,
    /// What happened: lower case, values quoted.
    pub message: String,
    /// Whether trying again may help.
    pub retryable: bool,
    /// The fault behind it.
    pub cause: Option<Box<Fault>>,
}

impl Fault {
    /// A fault that trying again will not mend.
    pub fn new(code: impl Into<SmolStr>, message: impl Into<String>) -> Self {
        Fault { code: code.into(), message: message.into(), retryable: false, cause: None }
    }
}

impl Value {
    /// A str.
    pub fn str(text: impl Into<Box<str>>) -> Self {
        Value::Str(Text::new(text))
    }

    /// A list.
    pub fn list(values: Vec<Value>) -> Self {
        Value::List(List::new(values))
    }

    /// A tuple.
    pub fn tuple(values: Vec<Value>) -> Self {
        Value::Tuple(Arc::new(values))
    }

    /// Which kind of value it is, as messages say it: `int`, `str`, `list`.
    pub fn kind(&self) -> &'static str {
        match self {
            Value::Null => "null",
            Value::Bool(_) => "bool",
            Value::Int(_) => "int",
            Value::Float(_) => "float",
            Value::Duration(_) => "duration",
            Value::Size(_) => "size",
            Value::Datetime(_) => "datetime",
            Value::Str(_) => "str",
            Value::Bytes(_) => "bytes",
            Value::List(_) => "list",
            Value::Tuple(_) => "tuple",
            Value::Record(_) => "record",
            Value::Dict(_) => "dict",
            Value::Func(_) => "function",
            Value::Secret(_) => "secret",
        }
    }
}
