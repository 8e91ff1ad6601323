//! Names of a file: what it declares, what it brings in by `use`, what the library's core gives, and what is near.
//!
//! What can be called, what is a value and what is a type are found separately. Each look-up is a query of its own, so
//! a new name wakes only those who asked for that name.

use crate::db::{Db, Def, SourceFile, Space};
use crate::diagnostic::{Diagnostic, Place};
use crate::diagnostics::names as say;
use crate::items;
use crate::modules::{project_file, std_file, std_module, std_modules, used_path};
use crate::ty::{Bound, Lit, Type};
use ntl_syntax::ast::{self, ItemKind, Span, UsePath};
use rustc_hash::FxHashMap;
use smol_str::SmolStr;
use std::collections::BTreeMap;

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

/// What a file brings in by `use`.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Imports {
    /// Modules by the name that they have here, each with the `use` it comes from.
    pub modules: BTreeMap<SmolStr, (Module, Place)>,
    /// Names taken out of a module.
    pub names: BTreeMap<SmolStr, (Module, Place)>,
    /// The project files that are used, in written order.
    pub files: Vec<SourceFile>,
    /// Paths that the project does not know yet.
    pub unknown_paths: Vec<String>,
    /// What is wrong with the `use`s.
    pub diagnostics: Vec<Diagnostic>,
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

/// What a file brings in.
#[salsa::tracked]
pub(crate) fn imports(db: &dyn Db, file: SourceFile) -> Imports {
    let mut found = Imports::default();
    for item in items::items(db, file) {
        let def = item.def(db);
        if def.space == Space::Use
            && let ItemKind::Use(decl) = &items::tree_of(db, *item).kind
        {
            import(db, def, decl, &mut found);
        }
    }
    found
}

fn import(db: &dyn Db, def: &Def, decl: &ast::Use, found: &mut Imports) {
    let place = |span| Place { def: def.clone(), span };
    let (module, name, span) = match &decl.path {
        UsePath::Module(path) => {
            let Some(last) = path.last() else { return };
            let module = library_module(db, def, path, &mut found.diagnostics);
            (module, last.text.clone(), last.span)
        }
        UsePath::File(path) => {
            let module = file_module(db, def, path, found);
            let stem = path.text.rsplit('/').next().unwrap_or_default();
            let stem = SmolStr::new(stem.strip_suffix(".ntl").unwrap_or(stem));
            if decl.alias.is_none() && decl.names.is_none() && !is_identifier(&stem) {
                found.diagnostics.push(say::use_needs_name(place(path.span), &path.text));
                return;
            }
            (module, stem, path.span)
        }
        UsePath::Pack(path) => {
            let Some(last) = path.last() else { return };
            let all = path.iter().fold(path.first().map_or(last.span, |p| p.span), |all, p| all.to(p.span));
            let written: Vec<&str> = path.iter().map(|p| p.text.as_str()).collect();
            found.diagnostics.push(say::pack_unsupported(place(all), &written.join(".")));
            (Module::Missing, last.text.clone(), last.span)
        }
    };
    let Some(names) = &decl.names else {
        let (name, span) = decl.alias.as_ref().map_or((name, span), |alias| (alias.text.clone(), alias.span));
        match found.modules.get(&name) {
            Some((first, earlier)) if *first != Module::Missing && module != Module::Missing => {
                found.diagnostics.push(say::used_twice(place(span), &name, earlier.clone(), *first == module));
            }
            _ => drop(found.modules.insert(name, (module, place(span)))),
        }
        return;
    };
    for name in names {
        if let Some((_, earlier)) = found.names.get(&name.text) {
            let earlier = earlier.clone();
            found.diagnostics.push(say::duplicate(place(name.span), &name.text, earlier));
            continue;
        }
        let target = match module {
            Module::Missing => Module::Missing,
            Module::File(target) => match has_member(db, target, &name.text) {
                Found::Yes(()) => module,
                Found::Private => {
                    found.diagnostics.push(say::private(place(name.span), &name.text, target.path(db)));
                    Module::Missing
                }
                Found::Silent | Found::No => {
                    let near = nearest(&name.text, all_member_names(db, target));
                    found.diagnostics.push(say::unknown_member(
                        place(name.span),
                        &name.text,
                        &module_title(db, target),
                        near,
                    ));
                    Module::Missing
                }
            },
        };
        found.names.insert(name.text.clone(), (target, place(name.span)));
    }
}

fn library_module(db: &dyn Db, def: &Def, path: &[ast::Name], diagnostics: &mut Vec<Diagnostic>) -> Module {
    let [first, .., last] = path else {
        let [only] = path else { return Module::Missing };
        let place = Place { def: def.clone(), span: only.span };
        let near = if std_file(db, &only.text).is_some() { Some(only.text.clone()) } else { None };
        diagnostics.push(say::not_a_library_path(place, &only.text, near));
        return Module::Missing;
    };
    let place = Place { def: def.clone(), span: first.span.to(last.span) };
    let written = path.iter().map(|p| p.text.as_str()).collect::<Vec<_>>().join(".");
    if first.text != "std" {
        diagnostics.push(say::not_a_library_path(place, &written, None));
        return Module::Missing;
    }
    let [_, name] = path else {
        let parent = path.get(1).filter(|parent| std_file(db, &parent.text).is_some()).map(|p| p.text.as_str());
        diagnostics.push(say::no_such_module(place, &written, None, parent.map(|p| (p, last.text.as_str()))));
        return Module::Missing;
    };
    match std_file(db, &name.text) {
        Some(file) => Module::File(file),
        None => {
            let near = nearest(&name.text, std_modules(db).map(SmolStr::as_str));
            let place = Place { def: def.clone(), span: name.span };
            diagnostics.push(say::no_such_module(place, &written, near, None));
            Module::Missing
        }
    }
}

fn file_module(db: &dyn Db, def: &Def, path: &ast::Name, found: &mut Imports) -> Module {
    let place = Place { def: def.clone(), span: path.span };
    if std_module(db, def.file).is_some() || path.text.is_empty() {
        found.diagnostics.push(say::no_such_file(place, &path.text, "", None));
        return Module::Missing;
    }
    let target = used_path(def.file.path(db), &path.text);
    if let Some(stem) = path.text.strip_suffix(".ntl") {
        found.diagnostics.push(say::needless_extension(place.clone(), stem));
    }
    match project_file(db, &target) {
        Some(file) if file.text(db).is_some() => {
            found.files.push(file);
            Module::File(file)
        }
        Some(_) => {
            let near = near_file(db, &target, &path.text);
            found.diagnostics.push(say::no_such_file(place, &path.text, &target, near));
            Module::Missing
        }
        None => {
            // The loader will add it, present or absent, and ask again.
            found.unknown_paths.push(target);
            Module::Missing
        }
    }
}

/// A known file of the same folder with a similar name, as it would be written instead of `written`.
fn near_file(db: &dyn Db, target: &str, written: &str) -> Option<SmolStr> {
    let (folder, name) = target.rsplit_once('/').unwrap_or(("", target));
    let files = crate::db::Project::try_get(db)?.files(db);
    let stems = files.iter().filter(|(_, file)| file.text(db).is_some()).filter_map(|(path, _)| {
        let (dir, file) = path.rsplit_once('/').unwrap_or(("", path));
        (dir == folder).then(|| file.strip_suffix(".ntl")).flatten()
    });
    let near = nearest(name.strip_suffix(".ntl")?, stems)?;
    let dir = written.rfind('/').map_or("./", |at| written.get(..=at).unwrap_or_default());
    Some(SmolStr::new(format!("{dir}{near}")))
}

fn is_identifier(name: &str) -> bool {
    let mut chars = name.chars();
    chars.next().is_some_and(|c| c == '_' || unicode_ident::is_xid_start(c))
        && chars.all(unicode_ident::is_xid_continue)
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
    imports(db, file).modules.get(name).map(|(_, place)| place.clone())
}

/// The library module whose functions are the methods of a type; all members of a union must agree on it.
pub fn home_module(db: &dyn Db, ty: &Type) -> Option<&'static str> {
    let members = crate::types::members(db, ty);
    let mut homes = members.iter().map(|member| match crate::types::unfold(db, member) {
        Type::Str | Type::Literal(Lit::Str(_)) => Some("text"),
        Type::Int | Type::Float | Type::Literal(Lit::Int(_)) | Type::Param(_, Bound::Number) => Some("math"),
        Type::List(_) => Some("list"),
        Type::Dict(..) => Some("dict"),
        Type::Datetime | Type::Duration => Some("time"),
        Type::Bytes => Some("hash"),
        Type::Json => Some("json"),
        _ => None,
    });
    let first = homes.next()??;
    homes.all(|home| home == Some(first)).then_some(first)
}

#[salsa::tracked]
fn method_query(db: &dyn Db, home: Option<&'static str>, name: SmolStr) -> Vec<Def> {
    for module in home.into_iter().chain(["core"]) {
        let Some(file) = std_file(db, module) else { continue };
        if let Found::Yes(found) = member(db, Module::File(file), Kind::Callable, &name) {
            let found: Vec<Def> = found.into_iter().filter(|def| def.space == Space::Callable).collect();
            if !found.is_empty() {
                return found;
            }
        }
    }
    Vec::new()
}

/// The functions that `x.name(…)` may mean for an `x` of this type: those of the type's home module, else those of core.
/// No `use` is needed. Empty where there is none.
pub fn resolve_method(db: &dyn Db, receiver: &Type, name: &str) -> Vec<Def> {
    method_query(db, home_module(db, receiver), SmolStr::new(name)).clone()
}

/// The names of all methods of a type, sorted: for suggestions and completion.
pub fn method_names(db: &dyn Db, receiver: &Type) -> Vec<SmolStr> {
    let mut names: Vec<SmolStr> = home_module(db, receiver)
        .into_iter()
        .chain(["core"])
        .filter_map(|module| std_file(db, module))
        .flat_map(|file| member_names(db, file, Kind::Callable))
        .filter(|name| !name.starts_with(char::is_uppercase))
        .collect();
    names.sort_unstable();
    names.dedup();
    names
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

/// The name among `candidates` that was probably meant by `name`.
pub fn nearest<S: AsRef<str>>(name: &str, candidates: impl IntoIterator<Item = S>) -> Option<SmolStr> {
    let length = name.chars().count();
    // A name of one or two letters is near to everything.
    let limit = match length {
        0 => return None,
        1..=2 => 1,
        3..=5 => 2,
        _ => length / 3 + 1,
    };
    let lower = name.to_lowercase();
    let mut best: Option<(usize, SmolStr)> = None;
    for candidate in candidates {
        let candidate = candidate.as_ref();
        if candidate == name || candidate.chars().count().abs_diff(length) > limit {
            continue;
        }
        let distance = strsim::damerau_levenshtein(&lower, &candidate.to_lowercase());
        let is_near = distance <= limit && (length > 2 || candidate.chars().count() <= 2) && distance < length;
        if is_near && best.as_ref().is_none_or(|(least, _)| distance < *least) {
            best = Some((distance, SmolStr::new(candidate)));
        }
    }
    best.map(|(_, name)| name)
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
