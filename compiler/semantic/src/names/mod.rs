//! Names of a file: what it declares, what it brings in by `use`, what the library's core gives, and what is near.
//!
//! What can be called, what is a value and what is a type are found separately. Each look-up is a query of its own, so
//! a new name wakes only those who asked for that name.

mod methods;
mod near;
pub(crate) mod synonyms;
mod uses;

pub use methods::{home_module, method_names, resolve_method};
pub use near::nearest;
pub use synonyms::called_elsewhere;
pub(crate) use uses::imports;

use crate::db::{Db, Def, SourceFile, Space};
use crate::diagnostic::Place;
use crate::items;
use crate::modules::{std_file, std_module};
use ntl_syntax::ast::{ItemKind, Span};
use rustc_hash::FxHashMap;
use smol_str::SmolStr;

/// What kind of name is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// What can be called: a callable, or a record type by its constructor.
    Callable,
    /// A `const` or `secret`.
    Value,
    /// A type.
    Type,
}

/// What a name means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found<T> {
    /// This.
    Yes(T),
    /// It is there, but its name keeps it within its own file.
    Private,
    /// It comes from something that does not exist, which has been told: say nothing more.
    Silent,
    /// Nothing.
    No,
}

impl<T> Found<T> {
    /// Changes what was found.
    pub fn map<U>(self, f: impl FnOnce(T) -> U) -> Found<U> {
        match self {
            Found::Yes(found) => Found::Yes(f(found)),
            Found::Private => Found::Private,
            Found::Silent => Found::Silent,
            Found::No => Found::No,
        }
    }
}

/// What a `use` leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Module {
    /// A file, of the project or of the library.
    File(SourceFile),
    /// Nothing, which has been told.
    Missing,
}

/// The definitions of a file by name.
#[salsa::tracked]
pub(crate) fn own_names(db: &dyn Db, file: SourceFile) -> FxHashMap<SmolStr, Vec<Def>> {
    let mut names: FxHashMap<SmolStr, Vec<Def>> = FxHashMap::default();
    for item in items::items(db, file) {
        let def = item.def(db);
        if matches!(def.space, Space::Callable | Space::Type | Space::Value | Space::Secret) && !def.name.is_empty() {
            names.entry(def.name.clone()).or_default().push(def.clone());
        }
    }
    // In an order that moving an item does not change.
    names.values_mut().for_each(|defs| defs.sort_by_key(|def| (def.space, def.nth)));
    names
}

/// Whether a name stays within its file.
pub fn is_private(name: &str) -> bool {
    name.starts_with('_')
}

fn module_title(db: &dyn Db, file: SourceFile) -> String {
    std_module(db, file).map_or_else(|| file.path(db).to_owned(), |name| format!("std.{name}"))
}

/// A module as messages name it: `std.text`, `lib/prompts.ntl`.
pub fn module_name(db: &dyn Db, module: Module) -> String {
    match module {
        Module::File(file) => module_title(db, file),
        Module::Missing => String::new(),
    }
}

/// Of the definitions with one name, those of a kind.
fn of_kind(db: &dyn Db, defs: &[Def], kind: Kind) -> Vec<Def> {
    let mut found: Vec<Def> = defs
        .iter()
        .filter(|def| match kind {
            Kind::Callable => def.space == Space::Callable,
            Kind::Value => matches!(def.space, Space::Value | Space::Secret),
            Kind::Type => def.space == Space::Type,
        })
        .cloned()
        .collect();
    if found.is_empty() && kind == Kind::Callable {
        let is_record = |def: &&Def| def.space == Space::Type && items::type_decl(db, def).is_some_and(|d| d.is_record);
        found.extend(defs.iter().filter(is_record).take(1).cloned());
    }
    // Only the library overloads; a second one elsewhere is a mistake that is told at its definition.
    if found.first().is_some_and(|def| std_module(db, def.file).is_none()) {
        found.truncate(1);
    }
    found
}

#[salsa::tracked]
fn member_query(db: &dyn Db, file: SourceFile, kind: Kind, name: SmolStr) -> Vec<Def> {
    own_names(db, file).get(&name).map(|defs| of_kind(db, defs, kind)).unwrap_or_default()
}

#[salsa::tracked]
fn lookup_query(db: &dyn Db, file: SourceFile, kind: Kind, name: SmolStr) -> Found<Vec<Def>> {
    let own = member_query(db, file, kind, name.clone());
    if !own.is_empty() {
        return Found::Yes(own.clone());
    }
    if let Some((module, _)) = imports(db, file).names.get(&name) {
        match member(db, *module, kind, &name) {
            Found::No => {}
            found => return found,
        }
    }
    match std_file(db, "core") {
        Some(core) if core != file && !is_private(&name) => member(db, Module::File(core), kind, &name),
        _ => Found::No,
    }
}

/// What a name without a dot means in a file: its own definitions first, then names it takes by `use`, then core. More
/// than one only for overloads of the library.
pub fn lookup(db: &dyn Db, file: SourceFile, kind: Kind, name: &str) -> Found<Vec<Def>> {
    lookup_query(db, file, kind, SmolStr::new(name)).clone()
}

/// What `name` means after `module.`.
pub fn member(db: &dyn Db, module: Module, kind: Kind, name: &str) -> Found<Vec<Def>> {
    let Module::File(file) = module else { return Found::Silent };
    let found = member_query(db, file, kind, SmolStr::new(name));
    match found.is_empty() {
        true => Found::No,
        false if is_private(name) => Found::Private,
        false => Found::Yes(found.clone()),
    }
}

fn has_member(db: &dyn Db, file: SourceFile, name: &str) -> Found<()> {
    let module = Module::File(file);
    [Kind::Callable, Kind::Type, Kind::Value]
        .into_iter()
        .map(|kind| member(db, module, kind, name).map(drop))
        .find(|found| *found != Found::No)
        .unwrap_or(Found::No)
}

#[salsa::tracked(returns(copy))]
fn module_query(db: &dyn Db, file: SourceFile, name: SmolStr) -> Option<Module> {
    imports(db, file).modules.get(&name).map(|(module, _)| *module)
}

/// The module that a name before a dot means in a file.
pub fn module(db: &dyn Db, file: SourceFile, name: &str) -> Option<Module> {
    module_query(db, file, SmolStr::new(name))
}

/// Where a file brings in the module that it calls `name`.
pub fn module_place(db: &dyn Db, file: SourceFile, name: &str) -> Option<Place> {
    // Most names are no modules: asked first, so that another `use` does not wake who asked.
    module(db, file, name)?;
    imports(db, file).modules.get(name).map(|(_, place)| place.clone())
}

fn all_member_names(db: &dyn Db, file: SourceFile) -> impl Iterator<Item = &SmolStr> {
    let mut names: Vec<&SmolStr> = own_names(db, file).keys().filter(|name| !is_private(name)).collect();
    names.sort_unstable();
    names.into_iter()
}

/// The public names of a kind that a file declares, sorted.
pub fn member_names(db: &dyn Db, file: SourceFile, kind: Kind) -> Vec<SmolStr> {
    let own = own_names(db, file);
    all_member_names(db, file)
        .filter(|name| own.get(*name).is_some_and(|defs| !of_kind(db, defs, kind).is_empty()))
        .cloned()
        .collect()
}

/// The names of a kind that can be written in a file without a dot, sorted: its own, those it takes by `use`, core's.
pub fn names_in_scope(db: &dyn Db, file: SourceFile, kind: Kind) -> Vec<SmolStr> {
    let own = own_names(db, file);
    let mut names: Vec<SmolStr> =
        own.iter().filter(|(_, defs)| !of_kind(db, defs, kind).is_empty()).map(|(name, _)| name.clone()).collect();
    for (name, (module, _)) in &imports(db, file).names {
        if matches!(member(db, *module, kind, name), Found::Yes(_)) {
            names.push(name.clone());
        }
    }
    names.extend(std_file(db, "core").into_iter().flat_map(|core| member_names(db, core, kind)));
    names.sort_unstable();
    names.dedup();
    names
}

/// The names by which a file knows modules, sorted.
pub fn modules_in_scope(db: &dyn Db, file: SourceFile) -> Vec<SmolStr> {
    imports(db, file).modules.keys().cloned().collect()
}

/// Where the name of a definition stands; its first token if it has none.
pub fn name_span(db: &dyn Db, def: &Def) -> Span {
    match items::tree(db, def).map(|item| (&item.kind, item.span)) {
        Some((ItemKind::Const(decl), _)) => decl.name.span,
        Some((ItemKind::Type(decl), _)) => decl.name.span,
        Some((ItemKind::Callable(decl), _)) => decl.name.span,
        Some((ItemKind::Secret(name), _)) => name.span,
        Some((ItemKind::Test(test), _)) => test.name.span,
        Some((ItemKind::On(on), _)) => on.trigger.span,
        Some((_, span)) => span,
        None => Span::default(),
    }
}
