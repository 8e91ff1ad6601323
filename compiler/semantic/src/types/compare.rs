//! What may be equal, and what has an order.

use super::{members, unfold};
use crate::db::Db;
use crate::ty::{Bound, Lit, Type};
use rustc_hash::FxHashMap;

/// A walk over two types at once. Types may be recursive: a pair with a name in it is looked at once, and taken to agree
/// until it is known.
struct Pairs<'a> {
    db: &'a dyn Db,
    known: FxHashMap<(Type, Type), bool>,
}

impl<'a> Pairs<'a> {
    fn new(db: &'a dyn Db) -> Self {
        Pairs { db, known: FxHashMap::default() }
    }

    fn once(&mut self, a: &Type, b: &Type, look: impl FnOnce(&mut Self) -> bool) -> bool {
        if !matches!(a, Type::Named(_)) && !matches!(b, Type::Named(_)) {
            return look(self);
        }
        let pair = (a.clone(), b.clone());
        if let Some(known) = self.known.get(&pair) {
            return *known;
        }
        self.known.insert(pair.clone(), true);
        // Chains of names may be long.
        let agree = crate::deep(|| look(self));
        self.known.insert(pair, agree);
        agree
    }
}

/// Whether values of the two types can ever be equal: `==` of others is a mistake.
pub fn comparable(db: &dyn Db, a: &Type, b: &Type) -> bool {
    Pairs::new(db).comparable(a, b)
}

/// Whether the values of a type have an order: what `<`, `sort` and a bound `ordered` take.
pub fn is_ordered(db: &dyn Db, ty: &Type) -> bool {
    ordered_together(db, ty, ty)
}

/// Whether values of the one type have an order with values of the other.
pub fn ordered_together(db: &dyn Db, a: &Type, b: &Type) -> bool {
    Pairs::new(db).ordered(a, b)
}

fn is_number(ty: &Type) -> bool {
    matches!(ty, Type::Int | Type::Float | Type::Literal(Lit::Int(_)))
}

fn is_text(ty: &Type) -> bool {
    matches!(ty, Type::Str | Type::Literal(Lit::Str(_)))
}

/// What an error hides, and what is known when it arrives.
fn is_open(ty: &Type) -> bool {
    matches!(ty, Type::Unknown | Type::Never | Type::Var(_) | Type::Any)
}

impl Pairs<'_> {
    fn comparable(&mut self, a: &Type, b: &Type) -> bool {
        // Of large unions a literal is mostly one.
        if let (Type::Literal(_), Type::Union(all)) | (Type::Union(all), Type::Literal(_)) = (a, b)
            && (all.contains(a) || all.contains(b))
        {
            return true;
        }
        let (left, right) = (members(self.db, a), members(self.db, b));
        left.iter().any(|a| right.iter().any(|b| self.once(a, b, |pairs| pairs.one_comparable(a, b))))
    }

    fn one_comparable(&mut self, a: &Type, b: &Type) -> bool {
        let (a, b) = (unfold(self.db, a), unfold(self.db, b));
        match (&a, &b) {
            (Type::Fn(..), _) | (_, Type::Fn(..)) => is_open(&a) || is_open(&b),
            (a, b) if is_open(a) || is_open(b) => true,
            (Type::Json, other) | (other, Type::Json) => super::fits(self.db, other, &Type::Json),
            (Type::Literal(a), Type::Literal(b)) => a == b,
            (a, b) if is_text(a) && is_text(b) || is_number(a) && is_number(b) => true,
            (Type::Literal(Lit::Bool(_)), Type::Bool) | (Type::Bool, Type::Literal(Lit::Bool(_))) => true,
            (Type::List(a), Type::List(b)) => self.comparable(a, b),
            (Type::Dict(ka, va), Type::Dict(kb, vb)) => self.comparable(ka, kb) && self.comparable(va, vb),
            (Type::Tuple(a), Type::Tuple(b)) => {
                a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| self.comparable(a, b))
            }
            (Type::Record(a), Type::Record(b)) => {
                a.fields.len() == b.fields.len()
                    && a.fields.iter().all(|field| {
                        let other = b.fields.iter().find(|other| other.name == field.name);
                        other.is_some_and(|other| self.comparable(&field.ty, &other.ty))
                    })
            }
            (a, b) => a == b,
        }
    }

    /// Whether all members of both are of one kind that has an order.
    fn ordered(&mut self, a: &Type, b: &Type) -> bool {
        let mut all = members(self.db, a);
        all.extend(members(self.db, b));
        all.retain(|ty| !is_open(&unfold(self.db, ty)));
        let Some(first) = all.first() else { return true };
        all.iter().all(|other| self.once(first, other, |pairs| pairs.one_ordered(first, other)))
    }

    fn one_ordered(&mut self, a: &Type, b: &Type) -> bool {
        match (&unfold(self.db, a), &unfold(self.db, b)) {
            (a, b) if is_text(a) && is_text(b) || is_number(a) && is_number(b) => true,
            (Type::Duration, Type::Duration) | (Type::Size, Type::Size) | (Type::Datetime, Type::Datetime) => true,
            (Type::Param(_, bound), b) => a == b && *bound != Bound::None,
            (Type::List(a), Type::List(b)) => self.ordered(a, b),
            (Type::Tuple(a), Type::Tuple(b)) => {
                a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| self.ordered(a, b))
            }
            _ => false,
        }
    }
}
