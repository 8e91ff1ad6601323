//! What each name of a file stands for: its type, and what it varies per. The command line lists it, an editor shows it
//! beside the name.

use crate::db::{Db, Def, SourceFile, Space};
use crate::diagnostic::Place;
use crate::hir::{Body, LocalKind};
use crate::names::name_span;
use crate::ty::Type;
use crate::{bodies, items, query};
use smol_str::SmolStr;

/// A name and what it stands for.
#[derive(Clone, Debug, PartialEq)]
pub struct Binding {
    /// Where it is bound.
    pub place: Place,
    /// The name.
    pub name: SmolStr,
    /// What binds it.
    pub kind: BindingKind,
    /// Its type; that of an item where it varies.
    pub ty: Type,
    /// The names of the sources that it varies per, outermost first.
    pub scope: Vec<SmolStr>,
}

/// What binds a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BindingKind {
    /// `const`.
    Constant,
    /// A parameter.
    Parameter,
    /// `name = …`.
    Binding,
    /// A variable of a `for`, `loop`, lambda, pattern, or `else err`.
    Variable,
}

impl Binding {
    /// The type with what it varies per: `str per item`; per several sources `str per file, line`.
    pub fn shown(&self, db: &dyn Db) -> String {
        let ty = query::display(db, &self.ty);
        if self.scope.is_empty() { ty } else { format!("{ty} per {}", self.scope.join(", ")) }
    }
}

/// Every name that a file binds to a value, in order of place.
pub fn bindings(db: &dyn Db, file: SourceFile) -> Vec<Binding> {
    let mut found = Vec::new();
    for item in items::items(db, file) {
        let def = item.def(db);
        let start = found.len();
        if def.space == Space::Value {
            found.push(Binding {
                place: Place { def: def.clone(), span: name_span(db, def) },
                name: def.name.clone(),
                kind: BindingKind::Constant,
                ty: bodies::const_type(db, *item).clone(),
                scope: Vec::new(),
            });
        }
        let defaults = bodies::defaults(db, *item);
        let defaults = defaults.iter().filter_map(|index| query::default_body(db, def, *index));
        for checked in query::body(db, def).into_iter().chain(defaults) {
            found.extend(of_body(def, &checked.body));
        }
        found.get_mut(start..).unwrap_or_default().sort_by_key(|binding| binding.place.span.first);
    }
    found
}

fn of_body<'b>(def: &'b Def, body: &'b Body) -> impl Iterator<Item = Binding> {
    let name_of = |source: &crate::hir::SourceId| body.sources.get(source.0 as usize).map(|s| s.name.clone());
    // A local that the checker needs for itself has no name.
    body.locals.iter().filter(|local| !local.name.is_empty()).map(move |local| Binding {
        place: Place { def: def.clone(), span: local.span },
        name: local.name.clone(),
        kind: match local.kind {
            LocalKind::Param => BindingKind::Parameter,
            LocalKind::Binding => BindingKind::Binding,
            LocalKind::Variable => BindingKind::Variable,
        },
        ty: local.ty.clone(),
        scope: local.scope.iter().filter_map(name_of).collect(),
    })
}
