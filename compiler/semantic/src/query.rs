//! What the crates after this one ask: the public queries, by definition or file.

use crate::db::{Db, Def, SourceFile};
use crate::diagnostic::{Diagnostic, Place};
use crate::hir::Body;
use crate::modules::std_module;
use crate::ty::{Bound, Type};
use crate::{bodies, declare, items};
use ntl_syntax::ast::{CallableKind, ItemKind, Outputs, Span};
use smol_str::SmolStr;
use std::ops::Range;

pub use crate::modules::{files_in_use, missing_files};
pub use crate::types::{as_record, display};

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

/// What a callable takes and gives. Never depends on a body, nor on where its parts stand: who calls it is checked again only
/// when something else is said.
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
    /// Whether it may be left out: it has a default, or null is a member of its type and stands for it.
    pub optional: bool,
    /// Whether it has a default: what stands for it where it is left out. Else null does.
    pub has_default: bool,
    /// `@min(x)`, inclusive.
    pub min: Option<f64>,
    /// `@max(x)`, inclusive.
    pub max: Option<f64>,
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
    /// `@cache(1h)`, `@cache(forever)`.
    pub cache: Option<CacheFor>,
    /// `@fs_read(path)`, `@fs_write(path)`, `@net(url)`, `@command(name)`, `@env(name)`: kind (as written) and the
    /// parameter that holds what is touched.
    pub touches: Vec<(SmolStr, SmolStr)>,
    /// `@secret(NAME)`: the secrets that it takes.
    pub secrets: Vec<SmolStr>,
    /// `@deprecated("…")`.
    pub deprecated: Option<SmolStr>,
    /// `@version(n)` of a native; 1 where not written.
    pub version: u32,
}

/// How long a result may be kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CacheFor {
    /// Nanoseconds.
    Time(i64),
    /// For ever.
    Ever,
}

/// A checked body with what there is to say about it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Checked {
    /// The body; expressions with errors are [`crate::hir::ExprKind::Error`].
    pub body: Body,
    /// What is wrong in it.
    pub diagnostics: Vec<Diagnostic>,
}

/// The signature of a callable; `None` if `def` is no callable (any more).
pub fn signature<'db>(db: &'db dyn Db, def: &Def) -> Option<&'db Signature> {
    declare::signature(db, items::item(db, def)?).as_ref()
}

/// Where a parameter of a callable stands, by name; nowhere if it has none of that name.
pub fn param_span(db: &dyn Db, def: &Def, name: &str) -> Span {
    let params = items::callable(db, def).map(|callable| callable.params.as_slice()).unwrap_or_default();
    params.iter().find(|param| param.name.text == name).map_or(Span::default(), |param| param.span)
}

/// Where an output of a callable stands, by name; the type of one without a name.
pub fn output_span(db: &dyn Db, def: &Def, name: &str) -> Span {
    let span = items::callable(db, def).and_then(|callable| match &callable.outputs {
        Outputs::None => None,
        Outputs::One(ty) => Some(ty.span),
        Outputs::Named(decls) => decls.iter().find(|decl| decl.name.text == name).map(|decl| decl.span),
    });
    span.unwrap_or_default()
}

/// The checked body of a callable, const, test or `on`.
pub fn body<'db>(db: &'db dyn Db, def: &Def) -> Option<&'db Checked> {
    bodies::checked_body(db, items::item(db, def)?).as_ref()
}

/// The default of parameter or field `index` of a callable or user type, checked, as a body of its own.
pub fn default_body<'db>(db: &'db dyn Db, def: &Def, index: u32) -> Option<&'db Checked> {
    bodies::checked_default(db, items::item(db, def)?, index).as_ref()
}

/// The types of a callable's outputs, inferred ones included, in declared order.
pub fn output_types(db: &dyn Db, def: &Def) -> Vec<Type> {
    items::item(db, def).map(|item| bodies::output_types(db, item).clone()).unwrap_or_default()
}

/// The type of a `const`, inferred where it is not written, or of a `secret`.
pub fn const_type(db: &dyn Db, def: &Def) -> Type {
    items::item(db, def).map_or(Type::Unknown, |item| bodies::const_type(db, item).clone())
}

/// The written type of a `const`.
pub fn written_const_type(db: &dyn Db, def: &Def) -> Option<Type> {
    declare::declared_const(db, items::item(db, def)?).as_ref()?.value.clone()
}

/// What a user type stands for; may be a name again. [`Type::Unknown`] where it has an error.
pub fn named_type(db: &dyn Db, def: &Def) -> Type {
    items::item(db, def).map_or(Type::Unknown, |item| declare::resolved_type(db, item).clone())
}

/// How far a callable reaches, its body included.
pub fn effect(db: &dyn Db, def: &Def) -> Effect {
    items::item(db, def).map_or(Effect::Pure, |item| bodies::effect(db, item))
}

/// The NativeId of a host declaration: `std.text.join/0@1` (module, name, overload in file order, version).
pub fn native_id(db: &dyn Db, def: &Def) -> Option<SmolStr> {
    let module = std_module(db, def.file)?;
    let signature = signature(db, def).filter(|signature| signature.is_host)?;
    Some(smol_str::format_smolstr!("std.{module}.{}/{}@{}", def.name, def.nth, signature.facts.version))
}

/// Every definition of a file, in written order.
pub fn defs(db: &dyn Db, file: SourceFile) -> Vec<Def> {
    items::items(db, file).iter().map(|item| item.def(db).clone()).collect()
}

/// Everything to say about one file, in order of place: tokens, syntax, names, types, warnings.
pub fn file_diagnostics(db: &dyn Db, file: SourceFile) -> Vec<Diagnostic> {
    crate::report::file_diagnostics(db, file).clone()
}

/// The bytes of a place in its file. The only way from tokens to bytes.
pub fn locate(db: &dyn Db, place: &Place) -> (SourceFile, Range<u32>) {
    let file = place.def.file;
    let Some(item) = items::item(db, &place.def) else { return (file, 0..0) };
    let bytes = items::parse(db, item).tokens.bytes(place.span);
    let start = item.start(db);
    (file, start.saturating_add(bytes.start)..start.saturating_add(bytes.end))
}

/// `std.text.join/0@1` as users write it: `text.join`; `name` where it is not of the library.
pub fn native_name(id: &str, name: &SmolStr) -> SmolStr {
    let path = id.split_once('/').map_or(id, |(path, _)| path);
    match path.strip_prefix("std.") {
        Some(path) => path.strip_prefix("core.").unwrap_or(path).into(),
        None => name.clone(),
    }
}

/// The bytes of its file that an edit replaces, and what is written instead.
pub fn locate_edit(db: &dyn Db, edit: &crate::Edit) -> (SourceFile, Range<u32>, String) {
    let file = edit.place.def.file;
    let Some(item) = items::item(db, &edit.place.def) else { return (file, 0..0, String::new()) };
    let bytes = items::parse(db, item).tokens.bytes(edit.place.span);
    let (bytes, text) = edit.side.write(item.text(db), bytes, &edit.text);
    let start = item.start(db);
    (file, start.saturating_add(bytes.start)..start.saturating_add(bytes.end), text)
}

/// The `///` text of a definition.
pub fn doc(db: &dyn Db, def: &Def) -> Option<String> {
    let item = items::item(db, def)?;
    let parsed = items::parse(db, item);
    let text = |first| ntl_syntax::doc_before(item.text(db), &parsed.tokens, first);
    // Before its annotations, or between them and what they stand before.
    text(parsed.tree.span.first).or_else(|| text(keyword_token(&parsed.tree)?))
}

/// The token that an item begins with, its annotations aside.
fn keyword_token(item: &ntl_syntax::ast::Item) -> Option<u32> {
    match &item.kind {
        ItemKind::Callable(callable) => Some(callable.head.first),
        ItemKind::Const(decl) => decl.name.span.first.checked_sub(1),
        ItemKind::Type(decl) => decl.name.span.first.checked_sub(1),
        ItemKind::Secret(name) => name.span.first.checked_sub(1),
        ItemKind::Test(test) => test.name.span.first.checked_sub(1),
        ItemKind::On(on) => on.trigger.span.first.checked_sub(1),
        ItemKind::Use(_) | ItemKind::Error => None,
    }
}

/// The `///` text of parameter `index` of a callable.
pub fn param_doc(db: &dyn Db, def: &Def, index: u32) -> Option<String> {
    let item = items::item(db, def)?;
    let parsed = items::parse(db, item);
    let ItemKind::Callable(callable) = &parsed.tree.kind else { return None };
    let param = callable.params.get(index as usize)?;
    let text = |first| ntl_syntax::doc_before(item.text(db), &parsed.tokens, first);
    text(param.span.first).or_else(|| text(param.name.span.first))
}
