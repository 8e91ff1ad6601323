//! Values: 16 bytes, text and containers shared.
//!
//! Values may nest without bound (a loop may wrap a record in a record a million times), so dropping, comparing for
//! equality and hashing never recurse deeply; see [`nest`]. What turns a value into something else (text, JSON, another
//! type) or orders it is capped at [`MAX_DEPTH`] levels and fails beyond.

mod dict;
mod equal;
mod fault;
mod list;
mod nest;
mod order;
mod show;
#[cfg(test)]
mod tests;
mod text;
pub mod units;

pub use dict::{Dict, Key};
pub use equal::ByValue;
pub(crate) use equal::address;
pub use fault::Fault;
pub use list::List;
pub use order::{compare, compare_total};
pub use show::{brief, text_of};
pub use text::{SecretText, Text};

use smol_str::SmolStr;
use std::sync::Arc;

/// How deep values may nest where they are converted, ordered or written: more than JSON input may (128), so that what
/// was read can be wrapped and written again.
pub const MAX_DEPTH: usize = 256;

/// The longest text that is made of a value, in bytes: a short program can say `[x, x, …]` of what says that, too.
pub const MAX_TEXT: usize = 256 << 20;

/// The longest list that is made of something smaller, in items: as many as fill [`MAX_TEXT`].
pub const MAX_ITEMS: usize = MAX_TEXT / size_of::<Value>();

/// A value.
#[derive(Clone)]
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
    Tuple(Arc<Tuple>),
    /// A record.
    Record(Arc<Record>),
    /// A dict, in insertion order.
    Dict(Arc<Dict>),
    /// A function of register code with its captures.
    Func(Arc<Func>),
    /// A secret: shows as `‹secret›` everywhere.
    Secret(Arc<SecretText>),
}

const _: () = assert!(size_of::<Value>() == 16);

/// The items of a tuple.
#[derive(Clone)]
pub struct Tuple(Vec<Value>);

impl Tuple {
    /// A tuple of these.
    pub fn new(items: Vec<Value>) -> Self {
        Tuple(items)
    }
}
impl std::ops::Deref for Tuple {
    type Target = [Value];
    fn deref(&self) -> &[Value] {
        &self.0
    }
}
impl Drop for Tuple {
    fn drop(&mut self) {
        nest::drop_values(&mut self.0);
    }
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
#[derive(Clone)]
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
impl Drop for Record {
    fn drop(&mut self) {
        nest::drop_values(&mut self.fields);
    }
}

/// A function value.
#[derive(Clone)]
pub struct Func {
    /// Its code.
    pub code: ntl_plan::CodeId,
    /// The first of its parameters.
    pub captures: Vec<Value>,
}
impl Drop for Func {
    fn drop(&mut self) {
        nest::drop_values(&mut self.captures);
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
        Value::Tuple(Arc::new(Tuple::new(values)))
    }

    /// A dict.
    pub fn dict(entries: Dict) -> Self {
        Value::Dict(Arc::new(entries))
    }

    /// A record: one value per field of the shape.
    pub fn record(shape: Arc<Shape>, fields: Vec<Value>) -> Self {
        Value::Record(Arc::new(Record { shape, fields }))
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

    /// Whether it holds other values.
    pub(crate) fn nests(&self) -> bool {
        matches!(self, Value::List(_) | Value::Tuple(_) | Value::Record(_) | Value::Dict(_) | Value::Func(_))
    }
}

impl std::fmt::Debug for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&brief(self, 200))
    }
}
