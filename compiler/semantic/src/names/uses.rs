//! What a file brings in by `use`.

use super::{Found, Module, all_member_names, has_member, module_title, nearest};
use crate::db::{Db, Def, Project, SourceFile, Space};
use crate::diagnostic::{Diagnostic, Place};
use crate::diagnostics::names as say;
use crate::items;
use crate::mentions::mentions;
use crate::modules::{is_there, project_file, std_file, std_module, std_modules, used_path};
use ntl_syntax::ast::{self, ItemKind, UsePath};
use smol_str::SmolStr;
use std::collections::BTreeMap;

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
            let stays = decl.names.is_none() && decl.alias.is_none() && is_mentioned(db, def.file, &last.text);
            let module = library_module(db, def, path, stays, &mut found.diagnostics);
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

/// Whether something in a file is called so.
fn is_mentioned(db: &dyn Db, file: SourceFile, name: &SmolStr) -> bool {
    items::items(db, file).iter().any(|item| mentions(db, *item).names.contains(name))
}

/// The module at a path. The name that it has here `stays` if it must be mended, since it is in use.
fn library_module(
    db: &dyn Db,
    def: &Def,
    path: &[ast::Name],
    stays: bool,
    diagnostics: &mut Vec<Diagnostic>,
) -> Module {
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
        diagnostics.push(say::no_such_module(
            place,
            &written,
            None,
            parent.map(|p| (p, last.text.as_str())),
            std_modules(db),
        ));
        return Module::Missing;
    };
    match std_file(db, &name.text) {
        Some(file) => Module::File(file),
        None => {
            let near = nearest(&name.text, std_modules(db).map(SmolStr::as_str));
            let place = Place { def: def.clone(), span: name.span };
            let mut told = say::no_such_module(place, &written, near, None, std_modules(db));
            for edit in told.fixes.iter_mut().flat_map(|fix| &mut fix.edits).filter(|_| stays) {
                edit.text.push_str(&format!(" as {}", name.text));
            }
            diagnostics.push(told);
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
        Some(file) if is_there(db, file) => {
            found.files.push(file);
            Module::File(file)
        }
        Some(_) => {
            let near = near_file(db, def.file, &target, &path.text);
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

/// A known file of the same folder with a similar name that `file` does not use yet, as it would be written instead of
/// `written`.
fn near_file(db: &dyn Db, file: SourceFile, target: &str, written: &str) -> Option<SmolStr> {
    let used = |path: &str| {
        items::items(db, file).iter().any(|item| match &items::tree_of(db, *item).kind {
            ItemKind::Use(ast::Use { path: UsePath::File(other), .. }) => used_path(file.path(db), &other.text) == path,
            _ => false,
        })
    };
    let (folder, name) = target.rsplit_once('/').unwrap_or(("", target));
    let files = Project::try_get(db)?.files(db);
    let stems = files.iter().filter(|(_, file)| is_there(db, *file)).filter_map(|(path, _)| {
        let (dir, file) = path.rsplit_once('/').unwrap_or(("", path));
        (dir == folder && !used(path)).then(|| file.strip_suffix(".ntl")).flatten()
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
