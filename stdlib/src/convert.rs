//! Between values and the Rust types of natives. A value of the wrong kind is a fault, never a panic.

use ntl_engine::native::Stop;
use ntl_engine::value::Key;
use ntl_engine::{Dict, Fault, Func, List, Shape, Text, Value};
use smol_str::SmolStr;
use std::convert::Infallible;
use std::sync::{Arc, LazyLock};

/// A `duration`: nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Duration(pub(crate) i64);
/// A `size`: bytes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Size(pub(crate) i64);
/// A `datetime`: nanoseconds since 1970, UTC.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Datetime(pub(crate) i64);

/// What a native takes.
pub(crate) trait Arg<'a>: Sized {
    /// It, of a value.
    fn of(value: &'a Value) -> Result<Self, Fault>;
}

/// A call's arguments, as many as the declaration has parameters.
pub(crate) fn args<const N: usize>(values: &[Value]) -> Result<&[Value; N], Fault> {
    values
        .try_into()
        .map_err(|_| Fault::new("internal", format!("a native takes {N} arguments and was given {}", values.len())))
}

/// One argument.
pub(crate) fn arg<'a, T: Arg<'a>>(value: &'a Value) -> Result<T, Fault> {
    T::of(value)
}

/// The fault of a value of the wrong kind: an `any` that turns out to be something else.
pub(crate) fn wrong(wanted: &str, value: &Value) -> Fault {
    Fault::new("type", format!("expected {wanted}, found {}", value.kind()))
}

macro_rules! arg {
    ($($ty:ty, $name:literal: $pattern:pat => $arg:expr;)*) => {$(
        impl<'a> Arg<'a> for $ty {
            fn of(value: &'a Value) -> Result<Self, Fault> {
                match value {
                    $pattern => Ok($arg),
                    other => Err(wrong($name, other)),
                }
            }
        }
    )*};
}
arg! {
    bool, "bool": Value::Bool(x) => *x;
    i64, "int": Value::Int(x) => *x;
    f64, "float": Value::Float(x) => *x;
    Duration, "duration": Value::Duration(x) => Duration(*x);
    Size, "size": Value::Size(x) => Size(*x);
    Datetime, "datetime": Value::Datetime(x) => Datetime(*x);
    &'a Text, "str": Value::Str(x) => x;
    &'a [u8], "bytes": Value::Bytes(x) => x;
    &'a List, "list": Value::List(x) => x;
    &'a Dict, "dict": Value::Dict(x) => x;
    &'a Func, "function": Value::Func(x) => x;
}
impl<'a> Arg<'a> for &'a Value {
    fn of(value: &'a Value) -> Result<Self, Fault> {
        Ok(value)
    }
}
impl<'a, T: Arg<'a>> Arg<'a> for Option<T> {
    fn of(value: &'a Value) -> Result<Self, Fault> {
        match value {
            Value::Null => Ok(None),
            value => T::of(value).map(Some),
        }
    }
}

/// The items of a list as Rust values.
pub(crate) fn typed<T>(xs: &List) -> impl Iterator<Item = Result<T, Fault>> + '_
where
    T: for<'a> Arg<'a>,
{
    xs.iter().map(|x| T::of(&x))
}

/// What a native gives.
pub(crate) trait Give {
    /// It as a value. A float that is none fails.
    fn give(self) -> Result<Value, Fault>;
}

macro_rules! give {
    ($($ty:ty: $x:ident => $value:expr;)*) => {$(
        impl Give for $ty {
            fn give(self) -> Result<Value, Fault> {
                let $x = self;
                Ok($value)
            }
        }
    )*};
}
give! {
    Value: x => x;
    bool: x => Value::Bool(x);
    i64: x => Value::Int(x);
    Duration: x => Value::Duration(x.0);
    Size: x => Value::Size(x.0);
    Datetime: x => Value::Datetime(x.0);
    Text: x => Value::Str(x);
    Vec<u8>: x => Value::Bytes(Arc::new(x));
    List: x => Value::List(x);
    Dict: x => Value::dict(x);
}
impl Give for Infallible {
    fn give(self) -> Result<Value, Fault> {
        match self {}
    }
}
impl Give for () {
    fn give(self) -> Result<Value, Fault> {
        Ok(Value::Null)
    }
}
impl Give for f64 {
    fn give(self) -> Result<Value, Fault> {
        if self.is_nan() {
            return Err(Fault::new("invalid", "the function is not defined for this number"));
        }
        if self.is_infinite() {
            return Err(Fault::new("overflow", "the result is too great for a float"));
        }
        Ok(Value::Float(self))
    }
}
impl<T: Give> Give for Option<T> {
    fn give(self) -> Result<Value, Fault> {
        self.map_or(Ok(Value::Null), T::give)
    }
}
impl<T: Listed> Give for Vec<T> {
    fn give(self) -> Result<Value, Fault> {
        self.into_iter().map(T::give).collect::<Result<Vec<_>, _>>().map(Value::list)
    }
}
impl<A: Give, B: Give> Give for (A, B) {
    fn give(self) -> Result<Value, Fault> {
        Ok(Value::tuple(vec![self.0.give()?, self.1.give()?]))
    }
}

/// What a typed list is given of: texts and records. Other lists are [`List`]s; bytes are no list.
pub(crate) trait Listed: Give {}
impl Listed for Text {}

/// How natives end: with what they give, or with a fault, or (where they call functions) with another's failure.
pub(crate) trait Ends<T, E> {
    /// The end as a result.
    fn end(self) -> Result<T, E>;
}
impl<T, E> Ends<T, E> for T {
    fn end(self) -> Result<T, E> {
        Ok(self)
    }
}
impl<T, E: From<Fault>> Ends<T, E> for Result<T, Fault> {
    fn end(self) -> Result<T, E> {
        Ok(self?)
    }
}
impl<T> Ends<T, Stop> for Result<T, Stop> {
    fn end(self) -> Result<T, Stop> {
        self
    }
}

/// A native's result of type `T` as a value.
pub(crate) fn give<T: Give, E: From<Fault>>(end: impl Ends<T, E>) -> Result<Value, E> {
    Ok(end.end()?.give()?)
}

/// A record type's layout, made when it is first needed.
pub(crate) type Layout = LazyLock<Arc<Shape>>;

/// The layout of a record type: its name, and its fields' names.
pub(crate) fn shape(name: Option<&str>, fields: &[&str]) -> Arc<Shape> {
    let names: Vec<SmolStr> = fields.iter().map(SmolStr::new).collect();
    Arc::new(Shape { name: name.map(SmolStr::new), keys: names.clone(), names })
}

/// What a function that was given as a condition says.
pub(crate) fn truth(value: &Value) -> Result<bool, Fault> {
    arg(value)
}

/// A value as a key of a dict.
pub(crate) fn key(value: &Value) -> Result<Key, Fault> {
    Key::of(value).ok_or_else(|| wrong("a str or int", value))
}
