//! Values that come by one of several ways: `if`, `match`, `try`, and blocks.

use super::{Checker, Expect, Want, exhaust, pattern};
use crate::hir::{self, Arm, Block, ExprKind, LocalKind, Scope};
use crate::ty::{Field, Record, Type};
use crate::types;
use ntl_syntax::ast::{self, Name, Pattern, PatternKind, Span};
use smol_str::SmolStr;
use std::sync::Arc;

/// How many arms are looked at for what they leave to those after them: each goes over all that is left.
const MOST_NARROWING: usize = 300;

/// A checked body with what comes out of it.
pub(super) struct Closed {
    pub block: Block,
    /// The type of its value.
    pub ty: Type,
    /// What it varies per by what it uses from outside.
    pub scope: Scope,
}

impl Checker<'_> {
    /// A body in braces. Where no value is `wanted` its last expression is a statement.
    pub(super) fn body(&mut self, block: &ast::Block, expect: Expect<'_>, wanted: bool) -> Closed {
        self.within(|this| {
            let mark = this.sight.len();
            let done = this.inner_block(block, expect, wanted);
            this.leave(mark);
            let scope = this.outer(&done.scope);
            let ty = done.value.as_ref().map_or(Type::Null, |value| value.ty.clone());
            let block = Block { stmts: done.stmts, value: done.value.map(Box::new), span: block.span };
            Closed { block, ty, scope }
        })
    }

    /// An expression as a body: an arm, an `else`, a handler.
    fn branch(&mut self, tree: &ast::Expr, expect: Expect<'_>, wanted: bool) -> Closed {
        if let ast::ExprKind::Block(block) = &tree.kind {
            return self.body(block, expect, wanted);
        }
        self.within(|this| {
            let value = if wanted { this.closed_value(tree, expect) } else { this.effect_expr(tree) };
            let scope = this.outer(&value.scope);
            let ty = if wanted { value.ty.clone() } else { Type::Null };
            let block = if wanted {
                Block { stmts: Vec::new(), value: Some(Box::new(value)), span: tree.span }
            } else {
                let effect = hir::Stmt { policies: Vec::new(), kind: hir::StmtKind::Effect(value), span: tree.span };
                Block { stmts: vec![effect], value: None, span: tree.span }
            };
            Closed { block, ty, scope }
        })
    }

    /// The value of a body.
    pub(super) fn closed_value(&mut self, tree: &ast::Expr, expect: Expect<'_>) -> hir::Expr {
        let value = self.expr(tree, expect);
        let value = self.closed(value, "this body");
        match expect {
            Expect::Must(ty, want) => self.coerce(value, ty, want, Some(tree)),
            _ => value,
        }
    }

    /// A value that leaves a body. One that varies per a source that was opened in it is told.
    pub(super) fn closed(&mut self, value: hir::Expr, what: &'static str) -> hir::Expr {
        let inner = match self.layer {
            0 => return value,
            layer => super::scope::split(&self.layers, &value.scope, layer - 1).1,
        };
        let Some(source) = inner.first().copied() else { return value };
        self.say_varies_out(&value, source, what);
        self.broken(value.span)
    }

    /// The type of what comes out of one of several bodies, and all of them converted to it.
    fn unify(&mut self, branches: &mut [Closed], expect: Expect<'_>, wanted: bool) -> Type {
        if !wanted {
            return Type::Null;
        }
        let ty = match expect {
            // Each has been converted.
            Expect::Must(ty, _) => return ty.clone(),
            Expect::Hint(ty) if branches.iter().all(|branch| types::fits(self.db, &branch.ty, ty)) => ty.clone(),
            _ => self.join_all(branches.iter().map(|branch| branch.ty.clone())),
        };
        for branch in branches {
            if let Some(value) = branch.block.value.take() {
                branch.block.value = Some(Box::new(self.coerce_if_fits(*value, &ty)));
            }
        }
        ty
    }

    pub(super) fn if_else(&mut self, expr: &ast::Expr, expect: Expect<'_>, wanted: bool) -> hir::Expr {
        let ast::ExprKind::If { cond, then, otherwise } = &expr.kind else { return self.broken_quietly(expr.span) };
        let (cond, outcome) = self.condition_of(cond, "`if`");
        let mut scope = cond.scope.clone();
        let mut branches = vec![self.knowing(&outcome.holds, |this| this.body(then, expect, wanted))];
        if let Some(otherwise) = otherwise {
            branches.push(self.knowing(&outcome.fails, |this| this.branch(otherwise, expect, wanted)));
        }
        for branch in &branches {
            scope = self.meet(&scope, &branch.scope, expr.span);
        }
        let mut ty = self.unify(&mut branches, expect, wanted);
        if otherwise.is_none() && wanted {
            match expect {
                Expect::Must(wanted, want)
                    if !super::access::takes_null(self.db, wanted) && !types::has_unknown(wanted) =>
                {
                    self.say_if_needs_else(wanted, want, expr.span);
                }
                Expect::Must(..) => {}
                _ => ty = types::union([ty, Type::Null]),
            }
        }
        let mut branches = branches.into_iter().map(|branch| branch.block);
        let then = branches.next().unwrap_or_default();
        Self::expr_of(ExprKind::If(Box::new(cond), then, branches.next()), ty, scope, expr.span)
    }

    pub(super) fn match_arms(
        &mut self,
        tree: &ast::Expr,
        arms: &[ast::Arm],
        span: Span,
        expect: Expect<'_>,
        wanted: bool,
    ) -> hir::Expr {
        let mut value = self.expr(tree, Expect::Nothing);
        let is_narrowed = self.declared(tree).is_some_and(|ty| !matches!(ty, Type::Literal(_)));
        if matches!(value.ty, Type::Literal(_)) && !is_narrowed {
            // `debug = false` and then a `match` is about bools, not about one literal.
            value.ty = types::widen(&value.ty);
        }
        let mut scope = value.scope.clone();
        let is_large = arms.len() > MOST_NARROWING;
        // Of a large union every arm asks for the members: they are found once.
        let whole = if is_large { types::union(types::members(self.db, &value.ty)) } else { value.ty.clone() };
        // What the arms before leave.
        let mut left = whole.clone();
        let mut patterns: Vec<(hir::Pattern, Option<hir::Expr>)> = Vec::with_capacity(arms.len());
        let mut branches: Vec<Closed> = Vec::with_capacity(arms.len());
        let mut told = false;
        for arm in arms {
            let mark = self.sight.len();
            self.once_bound(std::iter::once(&arm.pattern));
            let before = self.errors;
            let (pattern, seen) = self.arm_pattern(&arm.pattern, &left, &whole, mark);
            told |= self.errors > before;
            let part = if is_large { seen } else { self.matching_part(&seen, &pattern) };
            let known = self.matched(tree, &part);
            let any_name = self.any_name;
            self.any_name |= is_unread(&arm.pattern);
            let (guard, branch) = self.knowing(&known, |this| {
                let Some(guard) = &arm.guard else { return (None, this.branch(&arm.body, expect, wanted)) };
                let (guard, outcome) = this.within(|this| this.condition_of(guard, "a guard"));
                (Some(guard), this.knowing(&outcome.holds, |this| this.branch(&arm.body, expect, wanted)))
            });
            self.any_name = any_name;
            self.leave(mark);
            if let Some(guard) = &guard {
                scope = self.meet(&scope, &guard.scope, span);
            } else if !is_large {
                left = self.remaining_part(&left, &pattern);
            }
            scope = self.meet(&scope, &branch.scope, span);
            patterns.push((pattern, guard));
            branches.push(branch);
        }
        let ty = self.unify(&mut branches, expect, wanted);
        if !told && !types::has_unknown(&value.ty) && value.ty != Type::Never {
            self.exhaustive(&value.ty, &whole, &patterns, arms, &ty, span);
        }
        let arms = patterns
            .into_iter()
            .zip(branches)
            .map(|((pattern, guard), branch)| Arm { pattern, guard, body: branch.block })
            .collect();
        Self::expr_of(ExprKind::Match(Box::new(value), arms), ty, scope, span)
    }

    /// A pattern of an arm, and the type that it was looked at with: what earlier arms leave, if it may match that.
    fn arm_pattern(&mut self, pattern: &Pattern, left: &Type, whole: &Type, mark: usize) -> (hir::Pattern, Type) {
        if *left != Type::Never && left != whole {
            let start = self.start();
            let errors = self.errors;
            let resolved = self.match_pattern(pattern, left);
            if self.errors == errors {
                return (resolved, left.clone());
            }
            self.leave(mark);
            self.go_back(start);
        }
        (self.match_pattern(pattern, whole), whole.clone())
    }

    fn exhaustive(
        &mut self,
        ty: &Type,
        whole: &Type,
        patterns: &[(hir::Pattern, Option<hir::Expr>)],
        arms: &[ast::Arm],
        result: &Type,
        span: Span,
    ) {
        // Who knows what a pattern would take that could not be read.
        if arms.iter().any(|arm| is_unread(&arm.pattern)) {
            return;
        }
        let unguarded: Vec<&hir::Pattern> =
            patterns.iter().filter(|(_, guard)| guard.is_none()).map(|(pattern, _)| pattern).collect();
        /// How many arms a fix adds at most.
        const MOST_ARMS: usize = 20;
        match exhaust::missing(self.db, whole, &unguarded, MOST_ARMS) {
            Ok(missing) if missing.is_empty() => {}
            Ok(missing) => {
                self.say_not_exhaustive(ty, &missing, MOST_ARMS, arms, result, span);
            }
            Err(exhaust::TooHard) => self.say_too_many_arms(arms, result, span),
        }
        let all: Vec<(&hir::Pattern, bool)> =
            patterns.iter().map(|(pattern, guard)| (pattern, guard.is_some())).collect();
        for at in exhaust::unreachable(self.db, whole, &all) {
            if let Some(arm) = arms.get(at) {
                self.warn_unreachable(arm);
            }
        }
    }

    pub(super) fn try_else(
        &mut self,
        body: &ast::Expr,
        binding: Option<&Name>,
        handler: &ast::Expr,
        span: Span,
        expect: Expect<'_>,
        wanted: bool,
    ) -> hir::Expr {
        let body = self.branch(body, expect, wanted);
        let mark = self.sight.len();
        let local = binding.map(|name| {
            let id = self.local(&name.text, failure(), Scope::new(), name.span, LocalKind::Variable);
            self.enter(name, id);
            id
        });
        let handler = self.branch(handler, expect, wanted);
        self.leave(mark);
        let scope = self.meet(&body.scope, &handler.scope, span);
        let mut branches = [body, handler];
        let ty = self.unify(&mut branches, expect, wanted);
        let [body, handler] = branches;
        let body = match body.block {
            Block { stmts, value: Some(value), .. } if stmts.is_empty() => *value,
            block => {
                let span = block.span;
                Self::expr_of(ExprKind::Block(block), ty.clone(), body.scope, span)
            }
        };
        Self::expr_of(ExprKind::Try(Box::new(body), local, handler.block), ty, scope, span)
    }

    /// `seq { … }`.
    pub(super) fn seq(&mut self, block: &ast::Block, span: Span, expect: Expect<'_>, wanted: bool) -> hir::Expr {
        let closed = self.within(|this| {
            let mark = this.sight.len();
            let done = this.seq_block(block, expect, wanted);
            this.leave(mark);
            let scope = this.outer(&done.scope);
            let ty = done.value.as_ref().map_or(Type::Null, |value| value.ty.clone());
            let block = Block { stmts: done.stmts, value: done.value.map(Box::new), span: block.span };
            Closed { block, ty, scope }
        });
        Self::expr_of(ExprKind::Seq(closed.block), closed.ty, closed.scope, span)
    }

    /// `{ … }` as a value.
    pub(super) fn block_value(
        &mut self,
        block: &ast::Block,
        span: Span,
        expect: Expect<'_>,
        wanted: bool,
    ) -> hir::Expr {
        let closed = self.body(block, expect, wanted);
        Self::expr_of(ExprKind::Block(closed.block), closed.ty, closed.scope, span)
    }

    /// An expression whose value nobody wants.
    pub(super) fn effect_expr(&mut self, tree: &ast::Expr) -> hir::Expr {
        let span = tree.span;
        super::deep(|| match &tree.kind {
            ast::ExprKind::Paren(inner) => self.effect_expr(inner),
            ast::ExprKind::If { .. } => self.if_else(tree, Expect::Nothing, false),
            ast::ExprKind::Match { value, arms } => self.match_arms(value, arms, span, Expect::Nothing, false),
            ast::ExprKind::For { clauses, body } => self.for_loop(clauses, body, span, Expect::Nothing, false),
            ast::ExprKind::Try { body, binding, handler } => {
                self.try_else(body, binding.as_ref(), handler, span, Expect::Nothing, false)
            }
            ast::ExprKind::Seq(block) => self.seq(block, span, Expect::Nothing, false),
            ast::ExprKind::Block(block) => self.block_value(block, span, Expect::Nothing, false),
            _ => self.expr(tree, Expect::Nothing),
        })
    }
}

/// Whether an expression is made of bodies, whose statements are looked at one by one.
pub(super) fn is_compound(tree: &ast::Expr) -> bool {
    match &tree.kind {
        ast::ExprKind::Paren(inner) => is_compound(inner),
        ast::ExprKind::If { .. }
        | ast::ExprKind::Match { .. }
        | ast::ExprKind::For { .. }
        | ast::ExprKind::Try { .. }
        | ast::ExprKind::Seq(_)
        | ast::ExprKind::Block(_) => true,
        _ => false,
    }
}

/// Whether a pattern, or a part of it, could not be read.
fn is_unread(pattern: &Pattern) -> bool {
    pattern::has(pattern, &|kind| matches!(kind, PatternKind::Error))
}

/// What `else err` is told: `(code, message, node, retryable)`.
fn failure() -> Type {
    let field = |name: &str, ty| Field { name: SmolStr::new(name), key: None, ty, has_default: false };
    let fields = vec![
        field("code", Type::Str),
        field("message", Type::Str),
        field("node", Type::Str),
        field("retryable", Type::Bool),
    ];
    Type::Record(Arc::new(Record { fields }))
}

/// What a setting or body of one value wants.
pub(super) fn must<'a>(ty: &'a Type, want: Want<'a>) -> Expect<'a> {
    if types::has_unknown(ty) { Expect::Nothing } else { Expect::Must(ty, want) }
}
