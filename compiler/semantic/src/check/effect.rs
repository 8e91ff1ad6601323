//! What a statement does beside giving a value: effects, what it touches, what it may drop.

use super::{Checker, files::Access};
use crate::bodies;
use crate::db::{Db, Def};
use crate::hir;
use crate::query::{self, Effect, Signature};
use ntl_syntax::ast::{CallableKind, Span};
use smol_str::SmolStr;

/// What a statement, or a part of one, does.
#[derive(Clone, Debug, Default)]
pub(super) struct Doing {
    /// It reads or changes the world.
    pub effect: bool,
    /// It reads from the world, as far as that is told apart from changing it.
    pub reads: bool,
    /// It changes the world, as far as the declarations of what it calls tell.
    pub changes: bool,
    /// A part of it has an error that has been told.
    pub failed: bool,
    /// Its value may be dropped: by `filter`.
    pub drops: bool,
    /// Calls in it that must not be made twice.
    pub risky: Vec<Risky>,
    /// Files that it reads or writes, as far as their paths can be told apart.
    pub files: Vec<Access>,
}

/// A call that must not be made twice, or of a workflow that may hold such.
#[derive(Clone, Debug)]
pub(super) struct Risky {
    pub name: SmolStr,
    pub span: Span,
    pub workflow: Option<Def>,
}

impl Doing {
    /// Adds what a part does.
    pub fn add(&mut self, part: Doing) {
        self.effect |= part.effect;
        self.reads |= part.reads;
        self.changes |= part.changes;
        self.failed |= part.failed;
        self.drops |= part.drops;
        self.risky.extend(part.risky);
        self.files.extend(part.files);
    }
}

/// Whether what is done changes the world, at whatever distance: then it is wanted for itself.
pub(super) fn changes(db: &dyn Db, doing: &Doing) -> bool {
    let called = || doing.risky.iter().filter_map(|call| call.workflow.as_ref());
    doing.changes || called().any(|workflow| query::effect(db, workflow) > Effect::Read)
}

/// How far a callable reaches, as far as its declaration tells.
pub(super) fn reach(signature: &Signature) -> Effect {
    match signature.kind {
        CallableKind::Fn => Effect::Pure,
        CallableKind::Node => signature.facts.effect,
        CallableKind::Workflow | CallableKind::Prompt | CallableKind::Agent => Effect::External,
    }
}

impl Checker<'_> {
    /// Notes what a call does; an effect where none is allowed is told.
    pub(super) fn note_call(
        &mut self,
        def: &Def,
        signature: &Signature,
        args: &[hir::Expr],
        name: &SmolStr,
        span: Span,
    ) {
        let facts = &signature.facts;
        self.doing.drops |= facts.drops;
        if let (true, Some(place)) = (facts.drops, self.pure_in) {
            self.say_drop_in_pure(name, place, span);
        }
        if let Some(instead) = &facts.deprecated {
            self.warn_deprecated(name, instead, span);
        }
        let reach = reach(signature);
        if reach == Effect::Pure {
            return;
        }
        self.doing.effect = true;
        let is_workflow = signature.kind == CallableKind::Workflow;
        self.doing.reads |= reach == Effect::Read || is_workflow;
        self.doing.changes |= reach != Effect::Read && !is_workflow;
        if let Some(place) = self.pure_in {
            self.say_impure(name, signature.kind, reach, place, span);
        }
        let workflow = is_workflow.then(|| def.clone());
        if workflow.is_some() || bodies::is_risky_node(signature) {
            self.doing.risky.push(Risky { name: name.clone(), span, workflow });
        }
        self.note_files(def, signature, args, span);
    }

    /// Checks with a clean slate and gives what was done: the caller adds it to what is being done around it.
    pub(super) fn watching<T>(&mut self, check: impl FnOnce(&mut Self) -> T) -> (T, Doing) {
        let around = std::mem::take(&mut self.doing);
        let errors = self.errors;
        let checked = check(self);
        let mut done = std::mem::replace(&mut self.doing, around);
        done.failed |= self.errors > errors;
        (checked, done)
    }
}
