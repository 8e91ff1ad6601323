//! Everything to say about a file, collected and put in order.

use crate::bodies::{checked_body, checked_default, defaults};
use crate::circles::circles;
use crate::db::{Db, Def, SourceFile, Space};
use crate::declare::declaration_diagnostics;
use crate::diagnostic::{Diagnostic, Edit, Fix, Label, Place, Severity};
use crate::diagnostics::codes::{MISSING_OUTPUT, NO_VALUE, UNUSED_BINDING};
use crate::diagnostics::names as say;
use crate::items::{self, Item};
use crate::modules::std_module;
use crate::names::{Kind, imports, name_span, own_names};
use crate::query::locate;
use crate::{mentions, names, slashes};
use ntl_syntax::ast::{CallableBody, ItemKind};
use ntl_syntax::{Side, SyntaxError};

/// Everything to say about a file, in order of place. Reads places, so it runs again whenever the file changes.
#[salsa::tracked]
pub(crate) fn file_diagnostics(db: &dyn Db, file: SourceFile) -> Vec<Diagnostic> {
    let mut found: Vec<Diagnostic> = Vec::new();
    for item in items::items(db, file) {
        let def = item.def(db);
        let mistakes = &items::parse(db, *item).errors;
        found.extend(mistakes.iter().map(|error| syntax_error(def, error)));
        let told = |diagnostic: &&Diagnostic| mistakes.is_empty() || !is_about_absence(diagnostic);
        found.extend(item_diagnostics(db, *item).iter().filter(told).cloned());
        found.extend(slashes::commented_divisions(db, *item));
    }
    found.extend(imports(db, file).diagnostics.iter().cloned());
    found.extend(duplicates(db, file).iter().cloned());
    found.extend(circles(db, file).iter().cloned());
    // What could not be read may be what uses it.
    if !has_syntax_errors(&found) {
        found.extend(mentions::unused(db, file).iter().cloned());
    }
    let mut placed: Vec<(u32, u32, Diagnostic)> = found
        .into_iter()
        .map(|diagnostic| {
            let (_, bytes) = locate(db, &diagnostic.place);
            (bytes.start, bytes.end, diagnostic)
        })
        .collect();
    placed.sort_by(|a, b| (a.0, a.1, a.2.code).cmp(&(b.0, b.1, b.2.code)));
    placed.dedup();
    let mut found: Vec<Diagnostic> = placed.into_iter().map(|(_, _, diagnostic)| diagnostic).collect();
    for fix in found.iter_mut().flat_map(|diagnostic| &mut diagnostic.fixes) {
        if let Some(module) = fix.needs_use.take() {
            fix.edits.extend(new_use(db, file, &module));
        }
    }
    found
}

/// What brings in a module of the library: a line among the `use`s that are there, sorted in where they are sorted, or
/// before everything.
fn new_use(db: &dyn Db, file: SourceFile, module: &str) -> Option<Edit> {
    let written = format!("use std.{module}");
    let all = items::items(db, file);
    let whole = |item: &Item| Place { def: item.def(db).clone(), span: items::parse(db, *item).tree.span };
    let text = |item: &Item| items::source(db, *item, whole(item).span).to_owned();
    let uses: Vec<&Item> = all.iter().filter(|item| item.def(db).space == Space::Use).collect();
    let is_before = |item: &&&Item| text(item).starts_with("use std.") && text(item) < written;
    if let Some(before) = uses.iter().rfind(is_before) {
        return Some(Edit::after(whole(before), format!("\n{written}")));
    }
    let (first, ends) = match uses.first() {
        Some(first) => (*first, "\n"),
        None => (all.first()?, "\n\n"),
    };
    Some(Edit { place: whole(first), side: Side::Above, text: format!("{written}{ends}") })
}

/// Whether something is said because something else is not there: where an item could not be read in full, it may be.
fn is_about_absence(diagnostic: &Diagnostic) -> bool {
    [MISSING_OUTPUT.id, NO_VALUE.id, UNUSED_BINDING.id].contains(&diagnostic.code)
}

fn has_syntax_errors(found: &[Diagnostic]) -> bool {
    found.iter().any(|diagnostic| diagnostic.code.starts_with("E00") || diagnostic.code.starts_with("E01"))
}

/// What there is to say about an item alone, its syntax aside.
#[salsa::tracked]
pub(crate) fn item_diagnostics<'db>(db: &'db dyn Db, item: Item<'db>) -> Vec<Diagnostic> {
    let mut found = declaration_diagnostics(db, item);
    if let Some(checked) = checked_body(db, item) {
        found.extend(checked.diagnostics.iter().cloned());
    }
    for index in defaults(db, item) {
        if let Some(checked) = checked_default(db, item, index) {
            found.extend(checked.diagnostics.iter().cloned());
        }
    }
    found
}

fn syntax_error(def: &Def, error: &SyntaxError) -> Diagnostic {
    let place = |span| Place { def: def.clone(), span };
    let edit = |(span, side, text): &(_, _, String)| Edit { place: place(*span), side: *side, text: text.clone() };
    let fix = error.fix.iter().map(|fix| Fix::new(fix.title.clone(), fix.edits.iter().map(edit).collect()));
    Diagnostic {
        code: error.code,
        severity: Severity::Error,
        message: error.message.clone(),
        place: place(error.span),
        label: String::new(),
        labels: error.label.iter().map(|(span, text)| Label { place: place(*span), text: text.clone() }).collect(),
        notes: error.help.iter().cloned().collect(),
        fixes: fix.collect(),
    }
}

/// Names that a file declares twice, or declares and brings in.
#[salsa::tracked]
fn duplicates(db: &dyn Db, file: SourceFile) -> Vec<Diagnostic> {
    let place = |def: &Def| Place { def: def.clone(), span: name_span(db, def) };
    let is_std = std_module(db, file).is_some();
    let mut found = Vec::new();
    for item in items::items(db, file) {
        let def = item.def(db);
        let Some(kinds) = kinds(db, def) else { continue };
        if def.space == Space::Test {
            if def.nth > 0 {
                found.push(say::duplicate(place(def), &def.name, place(&Def { nth: 0, ..def.clone() })));
            }
            continue;
        }
        let all = own_names(db, file).get(&def.name).map(Vec::as_slice).unwrap_or_default();
        let shares =
            |other: &&Def| self::kinds(db, other).is_some_and(|others| others.iter().any(|kind| kinds.contains(kind)));
        let line = |other: &&Def| items::items(db, file).iter().position(|item| item.def(db) == *other);
        let alike = || all.iter().filter(shares);
        let first = if alike().nth(1).is_some() { alike().min_by_key(line) } else { None };
        let first = first.filter(|first| *first != def);
        // The library repeats the names of what the host provides; a mistake is told at the later one.
        if let Some(first) = first
            && !(is_std && is_host(db, first) && is_host(db, def))
        {
            found.push(say::duplicate(place(def), &def.name, place(first)));
        } else if let Some((names::Module::File(module), used)) = imports(db, file).names.get(&def.name)
            && kinds.iter().any(|kind| {
                matches!(names::member(db, names::Module::File(*module), *kind, &def.name), names::Found::Yes(_))
            })
        {
            found.push(say::defined_and_used(place(def), &def.name, used.clone()));
        }
    }
    found
}

/// In which ways the name of a definition is looked for; `None` if in none.
fn kinds(db: &dyn Db, def: &Def) -> Option<Vec<Kind>> {
    Some(match def.space {
        Space::Callable => vec![Kind::Callable],
        Space::Value | Space::Secret => vec![Kind::Value],
        Space::Type if items::type_decl(db, def).is_some_and(|decl| decl.is_record) => vec![Kind::Type, Kind::Callable],
        Space::Type => vec![Kind::Type],
        Space::Test => Vec::new(),
        Space::Use | Space::On | Space::Other => return None,
    })
    .filter(|_| !def.name.is_empty())
}

fn is_host(db: &dyn Db, def: &Def) -> bool {
    match items::tree(db, def).map(|item| &item.kind) {
        Some(ItemKind::Callable(callable)) => matches!(callable.body, CallableBody::Host),
        _ => false,
    }
}
