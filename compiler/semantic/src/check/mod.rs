//! The checker of bodies: from the tree of an item to [`crate::hir`]. Types go down where they are expected and come up
//! where they are inferred; every conversion is written out; what is wrong is told once.
//!
//! One [`Checker`] goes over one body. What it knows of other items it asks of the queries of this crate, by signature
//! only, so that a body is checked again only when it or a signature that it uses changes.

mod access;
mod agent;
mod apply;
mod argument;
mod block;
mod body;
mod branch;
mod call;
mod coerce;
mod effect;
mod exhaust;
mod expr;
mod files;
mod free;
mod function;
mod json;
mod literal;
mod looping;
mod name;
mod narrow;
mod operator;
mod order;
mod overload;
mod pattern;
mod policy;
mod record;
mod say;
mod scope;
mod stmt;
mod tag;
mod typed;

pub(crate) use body::{check_body, check_default};

use crate::db::{Db, Def};
use crate::diagnostic::{Diagnostic, Place, Severity};
use crate::hir::{self, Local, LocalId, LocalKind, Scope, SourceId};
use crate::ty::{Bound, Type};
use effect::Doing;
use ntl_syntax::ast::{Name, Span};
use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;
use std::sync::Arc;

/// Goes on with a stack that is large enough: trees nest as deeply as the parser lets them.
pub(crate) fn deep<T>(walk: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(256 * 1024, 1024 * 1024, walk)
}

/// What is known of a body while it is checked.
struct Checker<'db> {
    db: &'db dyn Db,
    def: Def,
    type_params: Vec<(SmolStr, Bound)>,
    out: hir::Body,
    diagnostics: Vec<Diagnostic>,
    /// How many of them are errors.
    errors: usize,
    /// Beside `out.locals`.
    info: Vec<Info>,
    /// The locals in sight by name, the innermost last.
    symbols: FxHashMap<SmolStr, Vec<LocalId>>,
    /// Names in the order in which they came in sight.
    sight: Vec<SmolStr>,
    facts: narrow::Facts,
    layers: scope::Layers,
    /// How many bodies stand around what is being checked.
    layer: u32,
    /// What this is, where effects are not allowed: "a `fn`".
    pure_in: Option<&'static str>,
    /// What the statement that is being checked does.
    doing: Doing,
    /// The binding whose value is being checked: how messages name a source.
    naming: Option<(SmolStr, Span)>,
    /// Expressions of which one output at a time is taken.
    apart: FxHashSet<Span>,
    /// What the outputs of calls vary per, where they vary in different ways: by the calls' places.
    mixed: FxHashMap<Span, Arc<[Scope]>>,
    /// The name that is being looked at and stands before a dot.
    before_dot: Option<Span>,
    /// Whether `assert` and `mock` make sense.
    in_test: bool,
    /// How many functions and loops that may be checked twice stand around this.
    retries: u32,
    /// How often one within another may still be checked twice.
    retries_left: u32,
    /// How many unknown names may still be compared with all that are known.
    searches_left: u32,
    /// The ids that steps are given, and where first.
    ids: FxHashMap<SmolStr, Span>,
    /// What binds names here could not be read: any name may be one of them.
    any_name: bool,
}

/// What the checker knows of a local beside what the body tells.
#[derive(Clone, Debug, Default)]
struct Info {
    /// Something names it, or it is wanted for itself.
    used: bool,
    /// It may be dropped: by `filter`.
    drops: bool,
    /// Its value, where that is known.
    value: Option<hir::Const>,
    /// It is a call whose outputs vary per these, in different ways.
    parts: Option<Arc<[Scope]>>,
}

/// A type that is wanted of an expression.
#[derive(Clone, Copy)]
enum Expect<'a> {
    /// Nothing.
    Nothing,
    /// It would be good if it was of this type.
    Hint(&'a Type),
    /// It must fit this type, for this reason.
    Must(&'a Type, Want<'a>),
}

impl<'a> Expect<'a> {
    fn ty(self) -> Option<&'a Type> {
        match self {
            Expect::Nothing => None,
            Expect::Hint(ty) | Expect::Must(ty, _) => Some(ty),
        }
    }

    /// The same as a hint only.
    fn soft(self) -> Expect<'a> {
        self.ty().map_or(Expect::Nothing, Expect::Hint)
    }
}

/// Why a type is expected: what messages say of it.
#[derive(Clone, Copy)]
enum Want<'a> {
    /// Parameter `param` of `callee`, which `declared` declares.
    Arg { callee: &'a str, param: &'a str, declared: Option<&'a Def> },
    /// A field of a record.
    Field(&'a str),
    /// An output of that name.
    Output(&'a str),
    /// What a body gives.
    Result(&'a str),
    /// What a function that is an argument of `callee` gives.
    Function(&'a str),
    /// The type that was written for a binding, const or loop variable.
    Written(&'a str),
    /// A setting of a prompt or agent.
    Setting(&'a str),
    /// An item of a list.
    Item,
    /// A key or value of a dict.
    Entry(&'a str),
    /// An operand: "`not`", "the index of a list".
    Of(&'a str),
}

impl<'db> Checker<'db> {
    fn new(db: &'db dyn Db, def: &Def) -> Self {
        Checker {
            db,
            def: def.clone(),
            type_params: Vec::new(),
            out: hir::Body::default(),
            diagnostics: Vec::new(),
            errors: 0,
            info: Vec::new(),
            symbols: FxHashMap::default(),
            sight: Vec::new(),
            facts: narrow::Facts::default(),
            layers: Vec::new(),
            layer: 0,
            pure_in: None,
            doing: Doing::default(),
            naming: None,
            apart: FxHashSet::default(),
            mixed: FxHashMap::default(),
            before_dot: None,
            in_test: false,
            retries: 0,
            retries_left: 200,
            searches_left: 100,
            ids: FxHashMap::default(),
            any_name: false,
        }
    }

    fn place(&self, span: Span) -> Place {
        Place { def: self.def.clone(), span }
    }

    /// Tells something.
    fn tell(&mut self, diagnostic: Diagnostic) {
        self.errors += usize::from(diagnostic.severity == Severity::Error);
        self.diagnostics.push(diagnostic);
    }

    fn show(&self, ty: &Type) -> String {
        crate::types::display(self.db, ty)
    }

    /// A new local, not in sight yet.
    fn local(&mut self, name: &str, ty: Type, scope: Scope, span: Span, kind: LocalKind) -> LocalId {
        let id = LocalId(self.out.locals.len() as u32);
        self.out.locals.push(Local { name: SmolStr::new(name), ty, scope, span, kind });
        self.info.push(Info::default());
        id
    }

    /// A local that no name stands for.
    fn hidden(&mut self, ty: Type, scope: Scope, span: Span) -> LocalId {
        let id = self.local("", ty, scope, span, LocalKind::Variable);
        self.info[id.0 as usize].used = true;
        id
    }

    fn info(&mut self, id: LocalId) -> &mut Info {
        &mut self.info[id.0 as usize]
    }

    fn local_of(&self, id: LocalId) -> &Local {
        &self.out.locals[id.0 as usize]
    }

    fn local_mut(&mut self, id: LocalId) -> &mut Local {
        &mut self.out.locals[id.0 as usize]
    }

    /// Brings a local in sight under a name.
    fn enter(&mut self, name: &Name, id: LocalId) {
        self.warn_hidden_module(name);
        self.symbols.entry(name.text.clone()).or_default().push(id);
        self.sight.push(name.text.clone());
    }

    /// Takes everything out of sight that came in after `mark`, a length of `sight`.
    fn leave(&mut self, mark: usize) {
        for name in self.sight.drain(mark..) {
            if let Some(ids) = self.symbols.get_mut(&name) {
                ids.pop();
            }
        }
    }

    /// Checks what stands in a body of its own.
    fn within<T>(&mut self, check: impl FnOnce(&mut Self) -> T) -> T {
        self.layer += 1;
        let checked = check(self);
        self.layer -= 1;
        checked
    }

    /// The scope of what is computed from two values. Told at `span` if they do not meet.
    fn meet(&mut self, a: &[SourceId], b: &[SourceId], span: Span) -> Scope {
        match scope::meet(&self.layers, a, b) {
            Ok(scope) => scope,
            Err((x, y)) => {
                self.say_unrelated(x, y, span);
                a.to_vec()
            }
        }
    }

    /// What of a scope lies outside the body that is being checked.
    fn outer(&self, scope: &[SourceId]) -> Scope {
        match self.layer {
            0 => Scope::new(),
            layer => scope::split(&self.layers, scope, layer - 1).0.to_vec(),
        }
    }

    fn expr_of(kind: hir::ExprKind, ty: Type, scope: Scope, span: Span) -> hir::Expr {
        hir::Expr { ty, scope, span, kind }
    }

    /// What stands for something with an error that has been told.
    fn broken(&self, span: Span) -> hir::Expr {
        Self::expr_of(hir::ExprKind::Error, Type::Unknown, Scope::new(), span)
    }

    fn null(&self, span: Span) -> hir::Expr {
        Self::expr_of(hir::ExprKind::Const(hir::Const::Null), Type::Null, Scope::new(), span)
    }

    fn read(&self, id: LocalId, span: Span) -> hir::Expr {
        let local = self.local_of(id);
        Self::expr_of(hir::ExprKind::Local(id), local.ty.clone(), local.scope.clone(), span)
    }
}
