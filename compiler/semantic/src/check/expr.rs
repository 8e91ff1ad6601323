//! Expressions: which form goes where, and the small forms.

use super::{Checker, Expect, Want, deep};
use crate::hir::{self, Const, ExprKind, Scope};
use crate::ty::Type;
use crate::types::{self, lower_type};
use ntl_syntax::ast::{self, StrPart, TypeExpr, UnaryOp};
use smol_str::SmolStr;
use std::sync::Arc;

impl Checker<'_> {
    /// An expression whose value must be of a type: it gets the conversion that it needs.
    pub(super) fn check(&mut self, expr: &ast::Expr, ty: &Type, want: Want<'_>) -> hir::Expr {
        let checked = self.expr(expr, Expect::Must(ty, want));
        self.coerce(checked, ty, want, Some(expr))
    }

    /// An expression. What `expect` says shapes literals and branches; the caller sees to it that the value fits.
    pub(super) fn expr(&mut self, expr: &ast::Expr, expect: Expect<'_>) -> hir::Expr {
        deep(|| self.expr_kind(expr, expect))
    }

    fn expr_kind(&mut self, expr: &ast::Expr, expect: Expect<'_>) -> hir::Expr {
        let span = expr.span;
        match &expr.kind {
            ast::ExprKind::Literal(literal) => self.literal(literal, span),
            ast::ExprKind::Str(parts) => self.text(parts, span),
            ast::ExprKind::Code(code) => self.code(code),
            ast::ExprKind::Name(name) => self.name(name),
            ast::ExprKind::List(items) => self.list(items, span, expect),
            ast::ExprKind::Dict(entries) => self.dict(entries, span, expect),
            ast::ExprKind::Tuple(items) => self.tuple(items, span, expect),
            ast::ExprKind::Record(fields) => self.record(fields, span, expect),
            ast::ExprKind::Paren(inner) => self.expr(inner, expect),
            ast::ExprKind::Field { .. }
            | ast::ExprKind::TupleField { .. }
            | ast::ExprKind::Index { .. }
            | ast::ExprKind::Call { .. } => self.chain(expr, expect),
            ast::ExprKind::Pipe { value, call } => self.pipe(value, call, span, expect),
            ast::ExprKind::Unary { op: UnaryOp::Not, .. } => self.condition(expr).0,
            ast::ExprKind::Unary { op: UnaryOp::Neg, operand } => self.negate(operand, span),
            ast::ExprKind::Binary { op, op_span, left, right } => self.binary(expr, *op, *op_span, left, right, expect),
            ast::ExprKind::Range { from, to, inclusive } => self.range(from, to, *inclusive, span),
            ast::ExprKind::Is { .. } => self.condition(expr).0,
            ast::ExprKind::As { value, ty } => self.convert(value, ty, span),
            ast::ExprKind::If { .. } => self.if_else(expr, expect, true),
            ast::ExprKind::Match { value, arms } => self.match_arms(value, arms, span, expect, true),
            ast::ExprKind::For { clauses, body } => self.for_loop(clauses, body, span, expect, true),
            ast::ExprKind::Loop { vars, max, body } => self.loop_rounds(vars, max.as_deref(), body, span, expect),
            ast::ExprKind::Try { body, binding, handler } => {
                self.try_else(body, binding.as_ref(), handler, span, expect, true)
            }
            ast::ExprKind::Seq(block) => self.seq(block, span, expect, true),
            ast::ExprKind::Block(block) => self.block_value(block, span, expect, true),
            ast::ExprKind::Lambda { .. } => {
                self.say_misplaced_lambda(span);
                self.broken(span)
            }
            ast::ExprKind::Error => self.broken_quietly(span),
        }
    }

    /// What could not be parsed: that has been told.
    pub(super) fn broken_quietly(&mut self, span: ast::Span) -> hir::Expr {
        self.doing.failed = true;
        self.broken(span)
    }

    fn text(&mut self, parts: &[StrPart], span: ast::Span) -> hir::Expr {
        match parts {
            [] => return self.constant(Const::Str(SmolStr::default()), span),
            [StrPart::Text(text)] => return self.constant(Const::Str(text.clone()), span),
            _ => {}
        }
        let mut checked = Vec::with_capacity(parts.len());
        let mut scope = Scope::new();
        for part in parts {
            let part = match part {
                StrPart::Text(text) => self.constant(Const::Str(text.clone()), span),
                StrPart::Expr(expr) => {
                    let value = self.expr(expr, Expect::Nothing);
                    self.interpolated(value, expr)
                }
            };
            scope = self.meet(&scope, &part.scope, span);
            checked.push(part);
        }
        Self::expr_of(ExprKind::Interpolate(checked), Type::Str, scope, span)
    }

    fn range(&mut self, from: &ast::Expr, to: &ast::Expr, inclusive: bool, span: ast::Span) -> hir::Expr {
        let from = self.check(from, &Type::Int, Want::Of("the first of a range"));
        let to = self.check(to, &Type::Int, Want::Of("the end of a range"));
        let scope = self.meet(&from.scope, &to.scope, span);
        let ty = Type::List(Arc::new(Type::Int));
        Self::expr_of(ExprKind::Range(Box::new(from), Box::new(to), inclusive), ty, scope, span)
    }

    fn convert(&mut self, value: &ast::Expr, written: &TypeExpr, span: ast::Span) -> hir::Expr {
        let ty = self.written_type(written);
        let checked = self.expr(value, Expect::Hint(&ty));
        if types::may_be(self.db, &checked.ty, &ty) == types::Verdict::Never {
            self.say_never_converts(&checked, &ty, written.span);
        }
        let scope = checked.scope.clone();
        Self::expr_of(ExprKind::As(Box::new(checked)), ty, scope, span)
    }

    /// A type that is written in the body.
    pub(super) fn written_type(&mut self, ty: &TypeExpr) -> Type {
        let mut told = Vec::new();
        let scope = types::TypeScope { def: &self.def, params: &self.type_params };
        let lowered = lower_type(self.db, scope, ty, &mut told);
        told.into_iter().for_each(|diagnostic| self.tell(diagnostic));
        if types::has_unknown(&lowered) {
            self.doing.failed = true;
        }
        lowered
    }
}
