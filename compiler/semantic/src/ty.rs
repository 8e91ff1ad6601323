//! Types as the checker knows them.

use crate::db::Def;
use smol_str::SmolStr;
use std::sync::Arc;

/// A type. Cheap to clone.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// Not known because of an error that has been told; fits everything and silences what follows from it.
    Unknown,
    /// No value: what `error()` gives. Fits everything.
    Never,
    /// `null`.
    Null,
    /// `bool`.
    Bool,
    /// `int`.
    Int,
    /// `float`.
    Float,
    /// `str`.
    Str,
    /// `bytes`.
    Bytes,
    /// `json`.
    Json,
    /// `any`: checked when the value arrives.
    Any,
    /// `duration`.
    Duration,
    /// `size`.
    Size,
    /// `datetime`.
    Datetime,
    /// `secret`.
    Secret,
    /// A type without structure here: media, documents, model choices, messages (`image`, `language_model`, …).
    Opaque(SmolStr),
    /// A literal type.
    Literal(Lit),
    /// `list[T]`.
    List(Arc<Type>),
    /// `dict[K, V]`.
    Dict(Arc<Type>, Arc<Type>),
    /// `(A, B)`.
    Tuple(Arc<[Type]>),
    /// `(a: A, b: B)`.
    Record(Arc<Record>),
    /// `A | B`: two members or more, none itself a union, none twice.
    Union(Arc<[Type]>),
    /// A user type; [`crate`]'s queries give what it stands for. May be recursive.
    Named(Def),
    /// `fn(A, B) -> C`: type of a parameter, lambda or named function.
    Fn(Arc<[Type]>, Arc<Type>),
    /// A type parameter inside its own declaration.
    Param(SmolStr, Bound),
    /// A type to be inferred; never in a result of a query.
    Var(u32),
}

/// A literal of a literal type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Lit {
    /// `"low"`.
    Str(SmolStr),
    /// `1`.
    Int(i64),
    /// `true`.
    Bool(bool),
}

/// What a type parameter's argument must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Bound {
    /// Anything.
    None,
    /// int or float.
    Number,
    /// What `<` takes.
    Ordered,
    /// str or int.
    Key,
}

/// A record type: fields in declared order. Structural; the order and the keys are its layout, not its identity.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Record {
    /// The fields.
    pub fields: Vec<Field>,
}

/// A field of a record type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Field {
    /// Its name.
    pub name: SmolStr,
    /// Its name in JSON and CSV, where `@key` gives one.
    pub key: Option<SmolStr>,
    /// Its type.
    pub ty: Type,
    /// Whether it has a default (in the declaration of the user type that the record comes from).
    pub has_default: bool,
}
