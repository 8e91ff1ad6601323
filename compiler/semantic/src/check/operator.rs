//! Operators between values.

use super::{Checker, Expect};
use crate::hir::{self, BinaryOp as Op, Const, ExprKind, Scope};
use crate::ty::{Bound, Lit, Type};
use crate::types::{self, comparable, fits, join, ordered_together, unfold};
use ntl_syntax::ast::{self, BinaryOp, Span};
use std::sync::Arc;

/// What an operand is to arithmetic.
#[derive(Clone, PartialEq)]
enum Kind {
    Int,
    Float,
    Duration,
    Size,
    Datetime,
    /// A type parameter that is a number.
    Param(Type),
    /// Nothing is known of it: an error, or no value.
    Open,
    Other,
}

impl Checker<'_> {
    pub(super) fn binary(
        &mut self,
        expr: &ast::Expr,
        op: BinaryOp,
        op_span: Span,
        left: &ast::Expr,
        right: &ast::Expr,
        expect: Expect<'_>,
    ) -> hir::Expr {
        let value = self.binary_of(op, op_span, left, right, expr, expect);
        if matches!(op, BinaryOp::Add | BinaryOp::Concat) {
            self.interpolate_all(left, right);
        }
        value
    }

    fn binary_of(
        &mut self,
        op: BinaryOp,
        op_span: Span,
        left: &ast::Expr,
        right: &ast::Expr,
        expr: &ast::Expr,
        expect: Expect<'_>,
    ) -> hir::Expr {
        let span = expr.span;
        match op {
            BinaryOp::And | BinaryOp::Or | BinaryOp::Eq | BinaryOp::Ne => self.condition(expr).0,
            BinaryOp::After => self.after(left, right, span, expect),
            BinaryOp::Lt => self.compared(Op::Lt, "<", op_span, left, right, span),
            BinaryOp::Le => self.compared(Op::Le, "<=", op_span, left, right, span),
            BinaryOp::Gt => self.compared(Op::Gt, ">", op_span, left, right, span),
            BinaryOp::Ge => self.compared(Op::Ge, ">=", op_span, left, right, span),
            BinaryOp::In => self.contained(left, right, span),
            BinaryOp::NotIn => {
                let value = self.contained(left, right, span);
                let scope = value.scope.clone();
                Self::expr_of(ExprKind::Not(Box::new(value)), Type::Bool, scope, span)
            }
            BinaryOp::Coalesce => self.coalesce(left, right, op_span, span, expect),
            BinaryOp::Concat => self.concatenated(left, right, op_span, span, expect),
            BinaryOp::Add => self.arithmetic(Op::Add, "+", op_span, left, right, span),
            BinaryOp::Sub => self.arithmetic(Op::Sub, "-", op_span, left, right, span),
            BinaryOp::Mul => self.arithmetic(Op::Mul, "*", op_span, left, right, span),
            BinaryOp::Div => self.arithmetic(Op::Div, "/", op_span, left, right, span),
            BinaryOp::Rem => self.arithmetic(Op::Rem, "%", op_span, left, right, span),
            BinaryOp::IntDiv => self.arithmetic(Op::IntDiv, "~/", op_span, left, right, span),
        }
    }

    fn after(&mut self, left: &ast::Expr, right: &ast::Expr, span: Span, expect: Expect<'_>) -> hir::Expr {
        let value = self.expr(left, expect);
        let first = self.expr(right, Expect::Nothing);
        // What it waits for never adds to what it varies per.
        let (ty, scope) = (value.ty.clone(), value.scope.clone());
        Self::expr_of(ExprKind::After(Box::new(value), Box::new(first)), ty, scope, span)
    }

    /// `left == right` or `left != right`.
    pub(super) fn equality(
        &mut self,
        op: BinaryOp,
        op_span: Span,
        left: &ast::Expr,
        right: &ast::Expr,
        span: Span,
    ) -> hir::Expr {
        let a = self.expr(left, Expect::Nothing);
        let expected = a.ty.clone();
        let b = self.expr(right, Expect::Hint(&expected));
        let scope = self.meet(&a.scope, &b.scope, span);
        // `debug = false` and then `debug == true` compares bools, not two different literals.
        let known = |ty: &Type, other: &Type| match (ty, other) {
            (Type::Literal(_), Type::Literal(_)) => types::widen(ty),
            _ => ty.clone(),
        };
        let (ta, tb) = (known(&a.ty, &b.ty), known(&b.ty, &a.ty));
        let may_be = |tree: &ast::Expr, ty: &Type| {
            self.declared(tree).is_some_and(|declared| comparable(self.db, &declared, ty))
        };
        let asks_again = || may_be(right, &ta) || may_be(left, &tb);
        let (a, b) = if comparable(self.db, &ta, &tb) {
            self.alike(a, b)
        } else if asks_again() {
            // What is known already may be asked again.
            (a, b)
        } else {
            self.say_never_equal(&a, &b, op_span);
            (a, b)
        };
        let value = Self::expr_of(ExprKind::Binary(Op::Eq, Box::new(a), Box::new(b)), Type::Bool, scope.clone(), span);
        match op {
            BinaryOp::Ne => Self::expr_of(ExprKind::Not(Box::new(value)), Type::Bool, scope, span),
            _ => value,
        }
    }

    /// Two values that are compared, as values of one type where they have one. Numbers stay what they are: an int is
    /// compared with a float exactly.
    fn alike(&mut self, a: hir::Expr, b: hir::Expr) -> (hir::Expr, hir::Expr) {
        let (ta, tb) = (a.ty.clone(), b.ty.clone());
        // What is not known of a value is no reason to fail: it is compared as what it is.
        if [&ta, &tb].into_iter().any(|ty| types::any_part(ty, &mut |part| matches!(part, Type::Any))) {
            return (a, b);
        }
        if fits(self.db, &tb, &ta) {
            let b = self.comparand(b, &ta);
            return (a, b);
        }
        if fits(self.db, &ta, &tb) {
            let a = self.comparand(a, &tb);
            return (a, b);
        }
        let joined = join(self.db, &ta, &tb);
        let a = self.comparand(a, &joined);
        let b = self.comparand(b, &joined);
        (a, b)
    }

    /// A value as one of type `ty`, but for its numbers. A literal of an int where a float is expected is that float.
    fn comparand(&mut self, value: hir::Expr, ty: &Type) -> hir::Expr {
        let number = || Type::Union([Type::Int, Type::Float].into());
        let ty = types::map_parts(ty, &mut |part| matches!(part, Type::Float).then(number));
        match value.kind {
            ExprKind::Const(Const::Int(int)) if ty == number() && super::coerce::is_exact(int) => {
                self.coerce_if_fits(value, &Type::Float)
            }
            _ => self.coerce_if_fits(value, &ty),
        }
    }

    fn compared(
        &mut self,
        op: Op,
        sign: &str,
        op_span: Span,
        left: &ast::Expr,
        right: &ast::Expr,
        span: Span,
    ) -> hir::Expr {
        let a = self.expr(left, Expect::Nothing);
        let b = self.expr(right, Expect::Nothing);
        let scope = self.meet(&a.scope, &b.scope, span);
        let (a, b) = if ordered_together(self.db, &a.ty, &b.ty) {
            self.alike(a, b)
        } else if is_comparison(left) {
            // Comparisons do not chain: that has been told.
            (a, b)
        } else {
            self.say_no_order(sign, &a, &b, op_span, left, right);
            (a, b)
        };
        Self::expr_of(ExprKind::Binary(op, Box::new(a), Box::new(b)), Type::Bool, scope, span)
    }

    /// `left in right`.
    fn contained(&mut self, left: &ast::Expr, right: &ast::Expr, span: Span) -> hir::Expr {
        let a = self.expr(left, Expect::Nothing);
        let b = self.expr(right, Expect::Nothing);
        let scope = self.meet(&a.scope, &b.scope, span);
        let member = match unfold(self.db, &b.ty) {
            Type::List(item) => Some((*item).clone()),
            Type::Dict(key, _) => Some((*key).clone()),
            Type::Str | Type::Literal(Lit::Str(_)) => Some(Type::Str),
            Type::Unknown | Type::Never => Some(Type::Unknown),
            _ => None,
        };
        let (a, b) = match member {
            None => {
                self.say_not_searched(&b, right);
                (a, b)
            }
            Some(member) if comparable(self.db, &types::widen(&a.ty), &member) => {
                let is_text = matches!(member, Type::Str);
                match (fits(self.db, &a.ty, &member), is_text) {
                    (true, _) if matches!(a.ty, Type::Any) && !is_text => (a, b),
                    (true, _) => (self.comparand(a, &member), b),
                    // `2.5 in ints`: the ints are looked at as floats.
                    (false, false) if matches!(unfold(self.db, &b.ty), Type::List(_)) => {
                        let items = Type::List(Arc::new(join(self.db, &member, &a.ty)));
                        (a, self.comparand(b, &items))
                    }
                    _ => (a, b),
                }
            }
            Some(member) => {
                self.say_never_in(&a, &member, &b);
                (a, b)
            }
        };
        Self::expr_of(ExprKind::Binary(Op::In, Box::new(a), Box::new(b)), Type::Bool, scope, span)
    }

    fn coalesce(
        &mut self,
        left: &ast::Expr,
        right: &ast::Expr,
        op_span: Span,
        span: Span,
        expect: Expect<'_>,
    ) -> hir::Expr {
        let value = self.expr(left, expect.soft());
        let kept = types::remove_null(self.db, &value.ty);
        if !super::access::takes_null(self.db, &value.ty) && !matches!(value.ty, Type::Unknown | Type::Never) {
            self.warn_needless_default(&value, op_span, right);
        }
        let otherwise = self.expr(right, if expect.ty().is_some() { expect } else { Expect::Hint(&kept) });
        let scope = self.meet(&value.scope, &otherwise.scope, span);
        let wanted = expect.ty().filter(|ty| fits(self.db, &kept, ty) && fits(self.db, &otherwise.ty, ty));
        let ty = match wanted {
            Some(ty) if !matches!(ty, Type::Any) => ty.clone(),
            _ => join(self.db, &kept, &otherwise.ty),
        };
        let nullable =
            if types::is_nullable(self.db, &value.ty) { types::union([ty.clone(), Type::Null]) } else { ty.clone() };
        let value = self.coerce_if_fits(value, &nullable);
        let otherwise = self.coerce_if_fits(otherwise, &ty);
        Self::expr_of(ExprKind::Coalesce(Box::new(value), Box::new(otherwise)), ty, scope, span)
    }

    fn concatenated(
        &mut self,
        left: &ast::Expr,
        right: &ast::Expr,
        op_span: Span,
        span: Span,
        expect: Expect<'_>,
    ) -> hir::Expr {
        let a = self.expr(left, expect.soft());
        let b = self.expr(right, if expect.ty().is_some() { expect.soft() } else { Expect::Nothing });
        let scope = self.meet(&a.scope, &b.scope, span);
        let item = |ty: &Type| match unfold(self.db, ty) {
            Type::List(item) => Some((*item).clone()),
            Type::Unknown => Some(Type::Unknown),
            Type::Never => Some(Type::Never),
            _ => None,
        };
        let (Some(of_a), Some(of_b)) = (item(&a.ty), item(&b.ty)) else {
            self.say_no_lists(&a, &b, op_span, left, right);
            return Self::expr_of(ExprKind::Error, Type::Unknown, scope, span);
        };
        let ty = Type::List(Arc::new(join(self.db, &of_a, &of_b)));
        let a = self.coerce_if_fits(a, &ty);
        let b = self.coerce_if_fits(b, &ty);
        Self::expr_of(ExprKind::Binary(Op::Concat, Box::new(a), Box::new(b)), ty, scope, span)
    }

    fn kind(&self, ty: &Type) -> Kind {
        match unfold(self.db, ty) {
            Type::Int | Type::Literal(Lit::Int(_)) => Kind::Int,
            Type::Float => Kind::Float,
            Type::Duration => Kind::Duration,
            Type::Size => Kind::Size,
            Type::Datetime => Kind::Datetime,
            param @ Type::Param(_, Bound::Number) => Kind::Param(param),
            Type::Unknown | Type::Never => Kind::Open,
            Type::Union(_) => {
                let mut kinds = types::members(self.db, ty).into_iter().map(|member| self.kind(&member));
                let first = kinds.next().unwrap_or(Kind::Other);
                let is_number = |kind: &Kind| matches!(kind, Kind::Int | Kind::Float);
                kinds.fold(first, |known, kind| match () {
                    () if known == kind => known,
                    () if is_number(&known) && is_number(&kind) => Kind::Float,
                    () => Kind::Other,
                })
            }
            _ => Kind::Other,
        }
    }

    fn arithmetic(
        &mut self,
        op: Op,
        sign: &str,
        op_span: Span,
        left: &ast::Expr,
        right: &ast::Expr,
        span: Span,
    ) -> hir::Expr {
        let a = self.expr(left, Expect::Nothing);
        let b = self.expr(right, Expect::Nothing);
        let scope = self.meet(&a.scope, &b.scope, span);
        let (ka, kb) = (self.kind(&a.ty), self.kind(&b.ty));
        let number = |kind: &Kind| matches!(kind, Kind::Int | Kind::Float);
        let linear = |kind: &Kind| matches!(kind, Kind::Duration | Kind::Size);
        let (operand, result) = match (op, &ka, &kb) {
            (_, Kind::Open, _) | (_, _, Kind::Open) => {
                let ty = match (op, &ka, &kb) {
                    (Op::IntDiv, ..) => Type::Int,
                    _ => Type::Unknown,
                };
                return Self::expr_of(ExprKind::Binary(op, Box::new(a), Box::new(b)), ty, scope, span);
            }
            (Op::Div, a, b) if number(a) && number(b) => {
                (if *a == Kind::Int && *b == Kind::Int { None } else { Some(Type::Float) }, Type::Float)
            }
            (Op::Div, Kind::Param(a), Kind::Param(b)) if a == b => (None, Type::Float),
            (Op::IntDiv, Kind::Int, Kind::Int) => (None, Type::Int),
            (Op::Add | Op::Sub | Op::Mul | Op::Rem, Kind::Int, Kind::Int) => (None, Type::Int),
            (Op::Add | Op::Sub | Op::Mul | Op::Rem, a, b) if number(a) && number(b) => (Some(Type::Float), Type::Float),
            (Op::Add | Op::Sub | Op::Mul | Op::Rem, Kind::Param(a), Kind::Param(b)) if a == b => (None, a.clone()),
            (Op::Add | Op::Sub, a, b) if linear(a) && a == b => (None, self.type_of(a)),
            (Op::Add | Op::Sub, Kind::Datetime, Kind::Duration) => (None, Type::Datetime),
            (Op::Add, Kind::Duration, Kind::Datetime) => {
                let kind = ExprKind::Binary(op, Box::new(b), Box::new(a));
                return Self::expr_of(kind, Type::Datetime, scope, span);
            }
            (Op::Mul | Op::Div, a, b) if linear(a) && number(b) => (None, self.type_of(a)),
            (Op::Mul, number_kind, b_kind) if number(number_kind) && linear(b_kind) => {
                let ty = self.type_of(b_kind);
                return Self::expr_of(ExprKind::Binary(op, Box::new(b), Box::new(a)), ty, scope, span);
            }
            (Op::Div, a, b) if linear(a) && a == b => (None, Type::Float),
            _ => {
                self.say_no_arithmetic(sign, &a, &b, op_span, left, right);
                return Self::expr_of(ExprKind::Error, Type::Unknown, scope, span);
            }
        };
        let (a, b) = match operand {
            Some(ty) => (self.coerce_if_fits(a, &ty), self.coerce_if_fits(b, &ty)),
            None => (a, b),
        };
        Self::expr_of(ExprKind::Binary(op, Box::new(a), Box::new(b)), result, scope, span)
    }

    fn type_of(&self, kind: &Kind) -> Type {
        match kind {
            Kind::Int => Type::Int,
            Kind::Float => Type::Float,
            Kind::Duration => Type::Duration,
            Kind::Size => Type::Size,
            Kind::Datetime => Type::Datetime,
            Kind::Param(ty) => ty.clone(),
            Kind::Open | Kind::Other => Type::Unknown,
        }
    }

    /// `-a`.
    pub(super) fn negate(&mut self, operand: &ast::Expr, span: Span) -> hir::Expr {
        let value = self.expr(operand, Expect::Nothing);
        if let ExprKind::Const(Const::Int(int)) = &value.kind
            && let Some(negated) = int.checked_neg()
        {
            return self.constant(Const::Int(negated), span);
        }
        let scope: Scope = value.scope.clone();
        let ty = match self.kind(&value.ty) {
            kind @ (Kind::Int | Kind::Float | Kind::Duration | Kind::Param(_)) => self.type_of(&kind),
            Kind::Open => Type::Unknown,
            Kind::Size | Kind::Datetime | Kind::Other => {
                self.say_not_negated(&value, operand);
                return Self::expr_of(ExprKind::Error, Type::Unknown, scope, span);
            }
        };
        Self::expr_of(ExprKind::Neg(Box::new(value)), ty, scope, span)
    }
}

fn is_comparison(tree: &ast::Expr) -> bool {
    use BinaryOp::{Eq, Ge, Gt, Le, Lt, Ne};
    matches!(tree.kind, ast::ExprKind::Binary { op: Eq | Ne | Lt | Le | Gt | Ge, .. })
}
