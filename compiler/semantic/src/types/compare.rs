//! What may be equal, and what has an order.

use super::{fit::DEEPEST, members, unfold};
use crate::db::Db;
use crate::ty::{Bound, Lit, Type};

/// Whether values of the two types can ever be equal: `==` of others is a mistake.
pub fn comparable(db: &dyn Db, a: &Type, b: &Type) -> bool {
    comparable_at(db, a, b, 0)
}

fn comparable_at(db: &dyn Db, a: &Type, b: &Type, depth: u32) -> bool {
    if depth > DEEPEST {
        return true;
    }
    let (left, right) = (members(db, a), members(db, b));
    left.iter().any(|a| right.iter().any(|b| a == b && !is_function(a) || one_comparable(db, a, b, depth)))
}

fn is_function(ty: &Type) -> bool {
    matches!(ty, Type::Fn(..))
}

fn one_comparable(db: &dyn Db, a: &Type, b: &Type, depth: u32) -> bool {
    let (a, b) = (unfold(db, a), unfold(db, b));
    let part = |a: &Type, b: &Type| comparable_at(db, a, b, depth + 1);
    let is_number = |ty: &Type| matches!(ty, Type::Int | Type::Float | Type::Literal(Lit::Int(_)));
    match (&a, &b) {
        (Type::Unknown | Type::Never | Type::Var(_), _) | (_, Type::Unknown | Type::Never | Type::Var(_)) => true,
        (Type::Fn(..), _) | (_, Type::Fn(..)) => false,
        (Type::Any, _) | (_, Type::Any) => true,
        (Type::Json, other) | (other, Type::Json) => super::fits(db, other, &Type::Json),
        (Type::Literal(a), Type::Literal(b)) => a == b,
        (Type::Literal(Lit::Str(_)), Type::Str) | (Type::Str, Type::Literal(Lit::Str(_))) => true,
        (Type::Literal(Lit::Bool(_)), Type::Bool) | (Type::Bool, Type::Literal(Lit::Bool(_))) => true,
        (a, b) if is_number(a) && is_number(b) => true,
        (Type::List(a), Type::List(b)) => part(a, b),
        (Type::Dict(ka, va), Type::Dict(kb, vb)) => part(ka, kb) && part(va, vb),
        (Type::Tuple(a), Type::Tuple(b)) => a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| part(a, b)),
        (Type::Record(a), Type::Record(b)) => {
            a.fields.len() == b.fields.len()
                && a.fields.iter().all(|field| {
                    b.fields.iter().any(|other| other.name == field.name && part(&field.ty, &other.ty))
                })
        }
        (a, b) => a == b,
    }
}

/// A kind of values that have an order among themselves.
#[derive(Clone, Debug, PartialEq)]
enum Order {
    /// Whatever it is, it has one: a type parameter, `any`, or what an error hides.
    Free(Type),
    Number,
    Text,
    Duration,
    Size,
    Datetime,
    List(Box<Order>),
    Tuple(Vec<Order>),
}

fn order(db: &dyn Db, ty: &Type, depth: u32) -> Option<Order> {
    if depth > DEEPEST {
        return None;
    }
    let mut found: Option<Order> = None;
    for member in members(db, ty) {
        let one = match unfold(db, &member) {
            Type::Int | Type::Float | Type::Literal(Lit::Int(_)) => Order::Number,
            Type::Str | Type::Literal(Lit::Str(_)) => Order::Text,
            Type::Duration => Order::Duration,
            Type::Size => Order::Size,
            Type::Datetime => Order::Datetime,
            ty @ (Type::Unknown | Type::Never | Type::Any | Type::Var(_)) => Order::Free(ty),
            ty @ Type::Param(_, Bound::Number | Bound::Ordered | Bound::Key) => Order::Free(ty),
            Type::List(item) => Order::List(Box::new(order(db, &item, depth + 1)?)),
            Type::Tuple(items) => {
                Order::Tuple(items.iter().map(|item| order(db, item, depth + 1)).collect::<Option<_>>()?)
            }
            _ => return None,
        };
        match &found {
            Some(first) if *first != one => return None,
            _ => found = Some(one),
        }
    }
    found
}

/// Whether the values of a type have an order: what `<`, `sort` and a bound `ordered` take.
pub fn is_ordered(db: &dyn Db, ty: &Type) -> bool {
    order(db, ty, 0).is_some()
}

/// Whether values of the one type have an order with values of the other.
pub fn ordered_together(db: &dyn Db, a: &Type, b: &Type) -> bool {
    fn agree(a: &Order, b: &Order) -> bool {
        let is_wild = |order: &Order| matches!(order, Order::Free(ty) if !matches!(ty, Type::Param(..)));
        match (a, b) {
            (a, b) if is_wild(a) || is_wild(b) => true,
            (Order::List(a), Order::List(b)) => agree(a, b),
            (Order::Tuple(a), Order::Tuple(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| agree(a, b)),
            (a, b) => a == b,
        }
    }
    match (order(db, a, 0), order(db, b, 0)) {
        (Some(a), Some(b)) => agree(&a, &b),
        _ => false,
    }
}
