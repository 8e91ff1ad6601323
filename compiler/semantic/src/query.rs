//! What the crates after this one ask: the public queries, by definition or file.

use crate::db::{Db, Def, Project, SourceFile};
use crate::diagnostic::{Diagnostic, Place};
use crate::hir::Body;
use crate::ty::{Bound, Record, Type};
use ntl_syntax::ast::{CallableKind, Span};
use smol_str::SmolStr;
use std::ops::Range;
use std::sync::Arc;

/// How far a callable reaches, weakest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Effect {
    /// Its result depends on its arguments alone.
    Pure,
    /// It reads the world.
    Read,
    /// It changes files or logs.
    Write,
    /// It talks to others.
    External,
}

/// How the values of an input or output flow.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Flow {
    /// One value.
    Plain,
    /// `stream[T]`; the type is that of an item.
    Stream,
    /// `T per x`: one for one with the stream parameter or output of that name.
    Per(SmolStr),
}

/// What a callable takes and gives. Never depends on a body.
#[derive(Clone, Debug, PartialEq)]
pub struct Signature {
    /// Which kind.
    pub kind: CallableKind,
    /// Its type parameters.
    pub type_params: Vec<(SmolStr, Bound)>,
    /// Its parameters.
    pub params: Vec<Param>,
    /// Its outputs: one with an empty name for `-> T`.
    pub outputs: Vec<Output>,
    /// What is said of it above its signature.
    pub facts: Facts,
    /// Whether the host provides it.
    pub is_host: bool,
}

/// A parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct Param {
    /// Its name.
    pub name: SmolStr,
    /// Its type; that of an item for a stream.
    pub ty: Type,
    /// Whether it takes a stream whole.
    pub flow: Flow,
    /// Whether it may be left out (it has a default, or takes null).
    pub optional: bool,
    /// `@min(x)`, inclusive.
    pub min: Option<f64>,
    /// `@max(x)`, inclusive.
    pub max: Option<f64>,
    /// Where it stands.
    pub span: Span,
}

/// An output.
#[derive(Clone, Debug, PartialEq)]
pub struct Output {
    /// Its name; empty for the only output of `-> T`.
    pub name: SmolStr,
    /// Its written type; `None` where it is inferred from the body (ask [`output_types`]).
    pub ty: Option<Type>,
    /// How it flows.
    pub flow: Flow,
    /// Where it stands.
    pub span: Span,
}

/// Annotations above a callable's signature.
#[derive(Clone, Debug, PartialEq)]
pub struct Facts {
    /// `@pure`, `@read`, `@write`, `@external` (a node's default). `Pure` for a `fn`. Meaningless for a workflow: ask [`effect`].
    pub effect: Effect,
    /// `@retry_safe`.
    pub retry_safe: bool,
    /// `@drops`.
    pub drops: bool,
    /// `@fs_read(path)`, `@fs_write(path)`, `@net(url)`, `@command(name)`, `@env(name)`: kind (as written) and the
    /// parameter that holds what is touched.
    pub touches: Vec<(SmolStr, SmolStr)>,
    /// `@deprecated("…")`.
    pub deprecated: Option<SmolStr>,
    /// `@version(n)` of a native; 1 where not written.
    pub version: u32,
}

/// A checked body with what there is to say about it.
#[derive(Clone, Debug, PartialEq)]
pub struct Checked {
    /// The body; expressions with errors are [`crate::hir::ExprKind::Error`].
    pub body: Body,
    /// What is wrong in it.
    pub diagnostics: Vec<Diagnostic>,
}

/// The signature of a callable; `None` if `def` is no callable (any more).
pub fn signature<'db>(db: &'db dyn Db, def: &Def) -> Option<&'db Signature> {
    let _ = (db, def);
    None
}

/// The checked body of a callable, const, test or `on`.
pub fn body<'db>(db: &'db dyn Db, def: &Def) -> Option<&'db Checked> {
    let _ = (db, def);
    None
}

/// The default of parameter or field `index` of a callable or user type, checked, as a body of its own.
pub fn default_body<'db>(db: &'db dyn Db, def: &Def, index: u32) -> Option<&'db Checked> {
    let _ = (db, def, index);
    None
}

/// The types of a callable's outputs, inferred ones included, in declared order.
pub fn output_types(db: &dyn Db, def: &Def) -> Vec<Type> {
    let _ = (db, def);
    Vec::new()
}

/// What a user type stands for.
pub fn named_type(db: &dyn Db, def: &Def) -> Type {
    let _ = (db, def);
    Type::Unknown
}

/// The record that a type is, seen through names; `None` if it is none.
pub fn as_record(db: &dyn Db, ty: &Type) -> Option<Arc<Record>> {
    let _ = (db, ty);
    None
}

/// How far a callable reaches, its body included.
pub fn effect(db: &dyn Db, def: &Def) -> Effect {
    let _ = (db, def);
    Effect::Pure
}

/// The NativeId of a host declaration: `std.text.join/0@1` (module, name, overload in file order, version).
pub fn native_id(db: &dyn Db, def: &Def) -> Option<SmolStr> {
    let _ = (db, def);
    None
}

/// Every definition of a file, in written order.
pub fn defs(db: &dyn Db, file: SourceFile) -> Vec<Def> {
    let _ = (db, file);
    Vec::new()
}

/// Everything to say about one file, in order of place: tokens, syntax, names, types, warnings.
pub fn file_diagnostics(db: &dyn Db, file: SourceFile) -> Vec<Diagnostic> {
    let _ = (db, file);
    Vec::new()
}

/// `file` and every project file that it uses, directly or not, in order of first use. Without the standard library.
pub fn files_in_use(db: &dyn Db, file: SourceFile) -> Vec<SourceFile> {
    let _ = db;
    vec![file]
}

/// Normalised paths that `file` and what it uses name by `use "./x"` and that the project has no [`SourceFile`] for
/// yet: the loader adds them (present or absent) and asks again.
pub fn missing_files(db: &dyn Db, file: SourceFile) -> Vec<String> {
    let _ = (db, file);
    Vec::new()
}

/// The bytes of a place in its file. The only way from tokens to bytes.
pub fn locate(db: &dyn Db, place: &Place) -> (SourceFile, Range<u32>) {
    let _ = db;
    (place.def.file, 0..0)
}

/// The `///` text of a definition.
pub fn doc(db: &dyn Db, def: &Def) -> Option<String> {
    let _ = (db, def);
    None
}

/// The `///` text of parameter `index` of a callable.
pub fn param_doc(db: &dyn Db, def: &Def, index: u32) -> Option<String> {
    let _ = (db, def, index);
    None
}

/// A type as it is written, for messages: `list[str]`, `Point`, `str?`.
pub fn display(db: &dyn Db, ty: &Type) -> String {
    let _ = (db, ty, Project::try_get(db));
    String::new()
}
