//! Values where a type is expected: the conversion that they need, or what is wrong.

use super::{Checker, Want};
use crate::hir::{self, Const, ExprKind};
use crate::ty::{Lit, Type};
use crate::types::{self, Conversion, fit, unfold};
use ntl_syntax::ast;

/// The greatest int up to which every int is a float.
const EXACT: u64 = 1 << 53;

/// Whether an int is a float.
pub(super) fn is_exact(int: i64) -> bool {
    int.unsigned_abs() <= EXACT
}

impl Checker<'_> {
    /// A value as one of type `ty`. `tree` is what was written, for the message.
    pub(super) fn coerce(
        &mut self,
        value: hir::Expr,
        ty: &Type,
        want: Want<'_>,
        tree: Option<&ast::Expr>,
    ) -> hir::Expr {
        match fit(self.db, &value.ty, ty) {
            Ok(Conversion::None) => value,
            Ok(Conversion::Needed) => self.fitted(value, ty),
            Err(mismatch) => {
                self.say_mismatch(&value, ty, &mismatch, want, tree);
                // What it varies per may be the same mistake.
                Self::expr_of(ExprKind::Error, ty.clone(), hir::Scope::new(), value.span)
            }
        }
    }

    /// A value as one of type `ty` if it fits; else as it is.
    pub(super) fn coerce_if_fits(&mut self, value: hir::Expr, ty: &Type) -> hir::Expr {
        match fit(self.db, &value.ty, ty) {
            Ok(Conversion::Needed) => self.fitted(value, ty),
            _ => value,
        }
    }

    fn fitted(&mut self, value: hir::Expr, ty: &Type) -> hir::Expr {
        // A literal of an int where a float is expected is that float.
        if let ExprKind::Const(Const::Int(int)) = &value.kind
            && is_exact(*int)
            && types::members(self.db, ty).iter().any(|member| unfold(self.db, member) == Type::Float)
        {
            return hir::Expr { kind: ExprKind::Const(Const::Float(*int as f64)), ty: Type::Float, ..value };
        }
        let (scope, span) = (value.scope.clone(), value.span);
        Self::expr_of(ExprKind::Fit(Box::new(value)), ty.clone(), scope, span)
    }

    /// A value in a str.
    pub(super) fn interpolated(&mut self, value: hir::Expr, tree: &ast::Expr) -> hir::Expr {
        let members = types::members(self.db, &value.ty);
        let is_shown = |ty: &Type| {
            matches!(
                ty,
                Type::Str
                    | Type::Bool
                    | Type::Int
                    | Type::Float
                    | Type::Duration
                    | Type::Size
                    | Type::Datetime
                    | Type::Literal(Lit::Str(_) | Lit::Int(_) | Lit::Bool(_))
                    | Type::Param(_, crate::ty::Bound::Number | crate::ty::Bound::Key)
                    | Type::Unknown
                    | Type::Never
            )
        };
        if members.iter().all(|member| is_shown(&unfold(self.db, member))) {
            return value;
        }
        self.say_not_shown(&value, tree);
        hir::Expr { kind: ExprKind::Error, ty: Type::Str, ..value }
    }
}
