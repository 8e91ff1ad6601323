//! What a statement does beside giving a value: effects, what it touches, what it may drop.

use super::Checker;
use crate::hir::{self, Const, ExprKind};
use crate::query::{Effect, Signature};
use ntl_syntax::ast::{CallableKind, Span};
use smol_str::SmolStr;

/// What a statement, or a part of one, does.
#[derive(Clone, Debug, Default)]
pub(super) struct Doing {
    /// It reads or changes the world.
    pub effect: bool,
    /// A part of it has an error that has been told.
    pub failed: bool,
    /// Its value may be dropped: by `filter`.
    pub drops: bool,
    /// Calls in it that must not be made twice: the name, and where.
    pub risky: Vec<(SmolStr, Span)>,
    /// Files of a literal path that it reads or writes.
    pub files: Vec<Access>,
}

/// A file of a literal path that is read or written.
#[derive(Clone, Debug)]
pub(super) struct Access {
    pub path: SmolStr,
    pub writes: bool,
    pub span: Span,
}

impl Doing {
    /// Adds what a part does.
    pub fn add(&mut self, part: Doing) {
        self.effect |= part.effect;
        self.failed |= part.failed;
        self.drops |= part.drops;
        self.risky.extend(part.risky);
        self.files.extend(part.files);
    }
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
    pub(super) fn note_call(&mut self, signature: &Signature, args: &[hir::Expr], name: &SmolStr, span: Span) {
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
        if let Some(place) = self.pure_in {
            self.say_impure(name, signature.kind, reach, place, span);
        }
        let is_native = signature.kind == CallableKind::Node;
        if is_native && matches!(reach, Effect::Write | Effect::External) && !facts.retry_safe {
            self.doing.risky.push((name.clone(), span));
        }
        for (kind, param) in &facts.touches {
            let writes = match kind.as_str() {
                "fs_write" => true,
                "fs_read" => false,
                _ => continue,
            };
            let at = signature.params.iter().position(|p| p.name == *param);
            if let Some(ExprKind::Const(Const::Str(path))) = at.and_then(|at| args.get(at)).map(|arg| &arg.kind) {
                self.doing.files.push(Access { path: path.clone(), writes, span });
            }
        }
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
