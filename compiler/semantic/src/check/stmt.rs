//! Single statements.

use super::{
    Checker, Expect, Want,
    block::{Done, Kind, Names, is_bare},
    branch::must,
};
use crate::constant::Known;
use crate::hir::{self, Const, ExprKind, LocalId, Scope, StmtKind};
use crate::ty::{Lit, Type};
use crate::types;
use ntl_syntax::ast::{self, Name, Pattern, PatternKind, Span, TypeExpr};
use smol_str::SmolStr;

impl Checker<'_> {
    /// A statement that is not the value of its body.
    pub(super) fn statement(
        &mut self,
        stmt: &ast::Stmt,
        kind: Kind<'_>,
        names: &Names,
        in_cycle: bool,
        checked: &mut Vec<hir::Stmt>,
        done: &mut Done,
    ) {
        let value = match &stmt.kind {
            ast::StmtKind::Bind { value, .. } | ast::StmtKind::Expr(value) => Some(value),
            _ => None,
        };
        let policies = self.policies(&stmt.policies, value);
        let span = stmt.span;
        let id = policies.iter().find_map(|policy| if let hir::Policy::Id(id) = policy { Some(id) } else { None });
        if let Some(id) = id
            && let Some(local) = done.bound.get(id)
            && let bound = self.local_of(*local).span
            && !(span.first..span.end).contains(&bound.first)
        {
            self.say_id_twice(id, span, bound);
        }
        match &stmt.kind {
            ast::StmtKind::Bind { pattern, ty, value } => {
                let start = checked.len();
                let scope = self.bind(pattern, ty.as_deref(), value, span, kind, names, in_cycle, checked);
                if let Some(first) = checked.get_mut(start) {
                    first.policies = policies;
                }
                self.vary(done, &scope, span);
            }
            ast::StmtKind::Expr(tree) => {
                let value = self.effect_expr(tree);
                // `error("…")` ends the run: that is what it is there for.
                let is_silent = !self.doing.effect && !matches!(value.ty, Type::Unknown | Type::Never);
                if is_bare(tree) && is_silent && !self.doing.failed {
                    self.warn_bare(tree, &value);
                }
                self.vary(done, &value.scope, span);
                checked.push(hir::Stmt { policies, kind: StmtKind::Effect(value), span });
            }
            ast::StmtKind::Require { cond, message } => {
                let (cond, _) = self.condition_of(cond, "`require`");
                let message = match message {
                    Some(message) => self.check(message, &Type::Str, Want::Of("the message of `require`")),
                    None => self.constant(Const::Str(SmolStr::new("a requirement does not hold")), span),
                };
                let scope = self.meet(&cond.scope, &message.scope, span);
                self.vary(done, &scope, span);
                self.doing.effect = true;
                checked.push(hir::Stmt { policies, kind: StmtKind::Require(cond, message), span });
            }
            ast::StmtKind::Until(cond) => {
                let (cond, _) = self.condition_of(cond, "`until`");
                if !matches!(kind, Kind::Loop(_)) {
                    self.say_outside_loop("until", span);
                } else if let Some(first) = &done.until {
                    let first = first.span;
                    self.say_twice_in_loop("until", span, first);
                }
                self.vary(done, &cond.scope, span);
                done.until.get_or_insert(cond);
            }
            ast::StmtKind::Next(value) => self.next(value, kind, span, done),
            ast::StmtKind::Assert(cond) => {
                let (cond, _) = self.condition_of(cond, "`assert`");
                if !self.in_test {
                    self.say_outside_test("assert", span);
                }
                self.vary(done, &cond.scope, span);
                checked.push(hir::Stmt { policies, kind: StmtKind::Assert(cond), span });
            }
            ast::StmtKind::Mock { target, value } => {
                if !self.in_test {
                    self.say_outside_test("mock", span);
                }
                if let Some((def, value)) = self.mock(target, value) {
                    checked.push(hir::Stmt { policies, kind: StmtKind::Mock(def, value), span });
                }
            }
            ast::StmtKind::Error => self.doing.failed = true,
        }
        self.warn_risky_retry(&stmt.policies);
    }

    /// A binding; gives what its value varies per.
    #[expect(clippy::too_many_arguments, reason = "a binding with all that belongs to it")]
    fn bind(
        &mut self,
        pattern: &Pattern,
        written: Option<&TypeExpr>,
        tree: &ast::Expr,
        span: Span,
        kind: Kind<'_>,
        names: &Names,
        in_cycle: bool,
        checked: &mut Vec<hir::Stmt>,
    ) -> Scope {
        let name = match &pattern.kind {
            PatternKind::Bind(name) => Some(name),
            _ => None,
        };
        if let (Some(name), Kind::Settings(_)) = (name, kind)
            && name.text == "tools"
            && let Some(id) = names.get(&name.span)
        {
            self.info(*id).used = true;
            self.tools(tree);
            return Scope::new();
        }
        let (ty, want) = self.bound_type(name, written, kind);
        self.naming = name.map(|name| (name.text.clone(), tree.span));
        let value = match &ty {
            Some(ty) => {
                let value = self.expr(tree, must(ty, want));
                self.coerce(value, ty, want, Some(tree))
            }
            None => {
                self.apart.insert(tree.span);
                self.expr(tree, Expect::Nothing)
            }
        };
        self.naming = None;
        let parts = self.mixed.get(&value.span).filter(|_| matches!(value.kind, ExprKind::Call(_))).cloned();
        let scope = value.scope.clone();
        let mut bound_ty = ty.unwrap_or_else(|| value.ty.clone());
        if types::is_too_big(&bound_ty) {
            self.say_too_big(name, span);
            bound_ty = Type::Unknown;
        }
        let drops = self.doing.drops;
        if let Some(name) = name {
            let Some(id) = names.get(&name.span).copied() else { return scope };
            self.settle(id, bound_ty, &scope, drops, in_cycle);
            if let Known::Value(known) = self.known_value(&value) {
                self.info(id).value = Some(known);
            }
            self.info(id).parts = parts;
            checked.push(hir::Stmt { policies: Vec::new(), kind: StmtKind::Let(id, value), span });
            return scope;
        }
        let hidden = self.hidden(bound_ty, scope.clone(), span);
        self.info(hidden).parts = parts;
        let read = self.read(hidden, span);
        checked.push(hir::Stmt { policies: Vec::new(), kind: StmtKind::Let(hidden, value), span });
        self.take_apart(
            pattern,
            read,
            &mut |this, name, ty, scope| match names.get(&name.span).copied() {
                Some(id) => {
                    this.settle(id, ty, &scope, drops, in_cycle);
                    id
                }
                // A second binding of its name.
                None => this.hidden(ty, scope, name.span),
            },
            checked,
        );
        scope
    }

    /// The type that the value of a binding must be of, and why.
    fn bound_type<'a>(
        &mut self,
        name: Option<&'a Name>,
        written: Option<&TypeExpr>,
        kind: Kind<'_>,
    ) -> (Option<Type>, Want<'a>) {
        let text = name.map_or("", |name| name.text.as_str());
        let written = written.map(|ty| self.written_type(ty));
        let (declared, want) = match (kind, name) {
            (Kind::Outputs(types), Some(_)) => (types.get(text).cloned().flatten(), Want::Output(text)),
            (Kind::Settings(types), Some(_)) => (types.get(text).cloned().flatten(), Want::Setting(text)),
            _ => (None, Want::Written(text)),
        };
        match (written, declared) {
            // What is written must do, too; that it fits the output is looked at where it is given out.
            (Some(written), _) => (Some(written), Want::Written(text)),
            (None, declared) => (declared, want),
        }
    }

    /// Sets what is known of a bound local.
    fn settle(&mut self, id: LocalId, ty: Type, scope: &Scope, drops: bool, in_cycle: bool) {
        self.info(id).drops = drops;
        let local = self.local_mut(id);
        if !in_cycle {
            local.ty = ty;
            local.scope.clone_from(scope);
        }
    }

    fn next(&mut self, tree: &ast::Expr, kind: Kind<'_>, span: Span, done: &mut Done) {
        let Kind::Loop(carried) = kind else {
            self.say_outside_loop("next", span);
            self.expr(tree, Expect::Nothing);
            return;
        };
        if done.has_next {
            let first = done.next.first().map_or(span, |next| next.span);
            self.say_twice_in_loop("next", span, first);
        }
        let mut inner = tree;
        while let ast::ExprKind::Paren(expr) = &inner.kind {
            inner = expr;
        }
        let next: Vec<hir::Expr> = match (carried, &inner.kind) {
            ([ty], _) => vec![self.expr(tree, Expect::Hint(ty))],
            (_, ast::ExprKind::Tuple(items)) if items.len() == carried.len() => {
                items.iter().zip(carried).map(|(item, ty)| self.expr(item, Expect::Hint(ty))).collect()
            }
            _ => {
                self.expr(tree, Expect::Nothing);
                self.say_next_needs_tuple(carried.len(), tree.span);
                carried.iter().map(|_| self.broken(tree.span)).collect()
            }
        };
        if !done.has_next {
            done.has_next = true;
            done.next = next;
        }
    }

    /// Warns of a statement without an effect.
    fn warn_bare(&mut self, tree: &ast::Expr, value: &hir::Expr) {
        let is_literal = matches!(value.kind, ExprKind::Const(_)) && matches!(value.ty, Type::Literal(Lit::Str(_)));
        self.warn_no_effect(tree, is_literal);
    }
}
