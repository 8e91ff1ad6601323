//! Values that are known when a program is checked: of constants, and of expressions of literals and constants. Single values
//! only, without calls, so that the work is bounded by the text. What the operators give is what a run gives.

use crate::db::Db;
use crate::hir::{BinaryOp, Block, Const, Expr, ExprKind, LocalId};
use crate::items::{self, Item};
use crate::ty::{Lit, Type};
use crate::types::{self, Verdict, unfold};
use crate::{bodies, deep};
use ntl_plan::arith::{self, Number, Wrong};
use ntl_syntax::ast::Span;

/// What is known of a value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Known {
    /// All.
    Value(Const),
    /// Nothing.
    Nothing,
    /// That there is none: what is computed here fails.
    Fails(Span, Wrong),
}

/// The value of a constant.
#[salsa::tracked(cycle_initial = nothing, cycle_fn = settle)]
pub(crate) fn constant_value<'db>(db: &'db dyn Db, item: Item<'db>) -> Known {
    let value = bodies::checked_body(db, item).as_ref().and_then(|checked| checked.body.block.value.as_ref());
    value.map_or(Known::Nothing, |value| known(db, value, &|_| None))
}

fn nothing(_: &dyn Db, _: salsa::Id, _: Item<'_>) -> Known {
    Known::Nothing
}

fn settle(_: &dyn Db, _: &salsa::Cycle<'_>, _: &Known, _: Known, _: Item<'_>) -> Known {
    // A constant that needs itself has no value.
    Known::Nothing
}

/// What is known of the value of an expression; `local` tells that of a local.
pub(crate) fn known(db: &dyn Db, expr: &Expr, local: &dyn Fn(LocalId) -> Option<Const>) -> Known {
    deep(|| match (Evaluation { db, local }).value(expr) {
        Ok(value) => Known::Value(value),
        Err(None) => Known::Nothing,
        Err(Some((span, wrong))) => Known::Fails(span, wrong),
    })
}

/// A value, or why there is none: it is not known, or fails at a place.
type Found = Result<Const, Option<(Span, Wrong)>>;

struct Evaluation<'a> {
    db: &'a dyn Db,
    local: &'a dyn Fn(LocalId) -> Option<Const>,
}

impl Evaluation<'_> {
    fn value(&self, expr: &Expr) -> Found {
        let fails = |wrong| Some((expr.span, wrong));
        match &expr.kind {
            ExprKind::Const(Const::Json(_)) => Err(None),
            ExprKind::Const(value) => Ok(value.clone()),
            ExprKind::Local(id) => (self.local)(*id).ok_or(None),
            ExprKind::ConstItem(def) => {
                // What fails there is told there.
                match items::item(self.db, def).map(|item| constant_value(self.db, item)) {
                    Some(Known::Value(value)) => Ok(value.clone()),
                    _ => Err(None),
                }
            }
            ExprKind::Neg(a) => {
                let a = number(&self.value(a)?).ok_or(None)?;
                arith::neg(a).map(constant).map_err(fails)
            }
            ExprKind::Not(a) => Ok(Const::Bool(!self.bool(a)?)),
            ExprKind::And(a, b) => Ok(Const::Bool(self.bool(a)? && self.bool(b)?)),
            ExprKind::Or(a, b) => Ok(Const::Bool(self.bool(a)? || self.bool(b)?)),
            ExprKind::Coalesce(a, b) => match self.value(a)? {
                Const::Null => self.value(b),
                value => Ok(value),
            },
            ExprKind::If(cond, then, otherwise) => match (self.bool(cond)?, otherwise) {
                (true, _) => self.block(then),
                (false, Some(block)) => self.block(block),
                (false, None) => Ok(Const::Null),
            },
            ExprKind::Block(block) => self.block(block),
            ExprKind::Binary(op, a, b) => self.binary(*op, &self.value(a)?, &self.value(b)?, expr.span),
            ExprKind::Is(value, ty) => match types::may_be(self.db, &type_of(&self.value(value)?), ty) {
                Verdict::Always => Ok(Const::Bool(true)),
                Verdict::Never => Ok(Const::Bool(false)),
                Verdict::Sometimes => Err(None),
            },
            ExprKind::Fit(value) | ExprKind::As(value) => self.converted(self.value(value)?, &expr.ty, expr.span),
            _ => Err(None),
        }
    }

    fn bool(&self, expr: &Expr) -> Result<bool, Option<(Span, Wrong)>> {
        if let Const::Bool(value) = self.value(expr)? { Ok(value) } else { Err(None) }
    }

    fn block(&self, block: &Block) -> Found {
        match (&block.value, block.stmts.is_empty()) {
            (Some(value), true) => self.value(value),
            _ => Err(None),
        }
    }

    fn binary(&self, op: BinaryOp, a: &Const, b: &Const, span: Span) -> Found {
        use BinaryOp::{Add, Concat, Div, Eq, Ge, Gt, In, IntDiv, Le, Lt, Mul, Rem, Sub};
        let operation: fn(Number, Number) -> Result<Number, Wrong> = match op {
            Add => arith::add,
            Sub => arith::sub,
            Mul => arith::mul,
            Div => arith::div,
            Rem => arith::rem,
            IntDiv => arith::int_div,
            Concat | In => return Err(None),
            Eq | Lt | Le | Gt | Ge => {
                let order = match (number(a), number(b), a, b) {
                    (Some(a), Some(b), ..) => arith::order(a, b),
                    (.., Const::Str(a), Const::Str(b)) => Some(a.cmp(b)),
                    (.., a, b) if op == Eq => return Ok(Const::Bool(a == b)),
                    _ => None,
                };
                let order = order.ok_or(None)?;
                return Ok(Const::Bool(match op {
                    Lt => order.is_lt(),
                    Le => order.is_le(),
                    Gt => order.is_gt(),
                    Ge => order.is_ge(),
                    _ => order.is_eq(),
                }));
            }
        };
        let (Some(a), Some(b)) = (number(a), number(b)) else { return Err(None) };
        match operation(a, b) {
            Ok(value) => Ok(constant(value)),
            Err(Wrong::Unknown) => Err(None),
            Err(wrong) => Err(Some((span, wrong))),
        }
    }

    /// A value as one of a type: as it is, or an int as a float.
    fn converted(&self, value: Const, ty: &Type, span: Span) -> Found {
        let members = types::members(self.db, ty);
        let has = |wanted: &Type| members.iter().any(|member| unfold(self.db, member) == *wanted);
        if has(&Type::Any) || has(&Type::Json) {
            return Ok(value);
        }
        match value {
            Const::Int(int) if has(&Type::Float) && !has(&Type::Int) => {
                arith::exact_float(int).map(Const::Float).ok_or(Some((span, Wrong::Inexact(int))))
            }
            Const::Float(float) if has(&Type::Int) && !has(&Type::Float) => {
                arith::exact_int(float).map(Const::Int).ok_or(None)
            }
            value if types::may_be(self.db, &type_of(&value), ty) == Verdict::Always => Ok(value),
            _ => Err(None),
        }
    }
}

fn number(value: &Const) -> Option<Number> {
    Some(match value {
        Const::Int(n) => Number::Int(*n),
        Const::Float(f) => Number::Float(*f),
        Const::Duration(n) => Number::Duration(*n),
        Const::Size(n) => Number::Size(*n),
        _ => return None,
    })
}

/// Whether a number lies between two bounds, if they are there.
pub(crate) fn is_within(value: &Const, min: Option<f64>, max: Option<f64>) -> bool {
    let Some(value) = number(value) else { return true };
    let against = |bound: f64| arith::order(value, Number::Float(bound));
    min.and_then(against).is_none_or(|order| order.is_ge()) && max.and_then(against).is_none_or(|order| order.is_le())
}

fn constant(number: Number) -> Const {
    match number {
        Number::Int(n) => Const::Int(n),
        Number::Float(f) => Const::Float(f),
        Number::Duration(n) => Const::Duration(n),
        Number::Size(n) => Const::Size(n),
        // No constant is one, and none comes of those that are.
        Number::Datetime(_) => Const::Null,
    }
}

/// The type of a constant.
pub(crate) fn type_of(value: &Const) -> Type {
    match value {
        Const::Null => Type::Null,
        Const::Bool(value) => Type::Literal(Lit::Bool(*value)),
        Const::Int(value) => Type::Literal(Lit::Int(*value)),
        Const::Float(_) => Type::Float,
        Const::Str(text) => Type::Literal(Lit::Str(text.clone())),
        Const::Duration(_) => Type::Duration,
        Const::Size(_) => Type::Size,
        Const::Json(_) => Type::Json,
    }
}
