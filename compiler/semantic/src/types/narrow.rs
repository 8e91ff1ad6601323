//! What is known of a type after a test. Values never change: narrowing only leaves members of a union out.

use super::{Conversion, fit, is_nullable, members, unfold, union};
use crate::db::Db;
use crate::ty::{Field, Lit, Record, Type};

/// Whether `as` (and so `is`) succeeds for the values of a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// For all of them.
    Always,
    /// For some, or it depends on the value.
    Sometimes,
    /// For none.
    Never,
}

/// Keeps the members of which a test says so; the type itself, names and all, if that is every one.
pub(crate) fn keep(db: &dyn Db, ty: &Type, test: impl Fn(&Type) -> bool) -> Type {
    let all = members(db, ty);
    let kept: Vec<Type> = all.iter().filter(|member| test(member)).cloned().collect();
    if kept.len() == all.len() { ty.clone() } else { union(kept) }
}

/// A type without null: after `x != null`.
pub fn remove_null(db: &dyn Db, ty: &Type) -> Type {
    keep(db, ty, |member| unfold(db, member) != Type::Null)
}

/// Whether `x as to` may succeed for an `x` of type `from`.
pub fn may_be(db: &dyn Db, from: &Type, to: &Type) -> Verdict {
    let verdicts: Vec<Verdict> = members(db, from).iter().map(|member| may_be_one(db, member, to)).collect();
    let all = |wanted| verdicts.iter().all(|verdict| *verdict == wanted);
    match () {
        () if all(Verdict::Always) => Verdict::Always,
        () if all(Verdict::Never) => Verdict::Never,
        () => Verdict::Sometimes,
    }
}

fn may_be_one(db: &dyn Db, from: &Type, to: &Type) -> Verdict {
    let from_head = unfold(db, from);
    if matches!(from_head, Type::Any | Type::Json) && *to != from_head {
        return Verdict::Sometimes;
    }
    match fit(db, from, to) {
        Ok(Conversion::None) => return Verdict::Always,
        // An int that is no exact float, an `any` inside, …
        Ok(Conversion::Needed) => {
            return match from_head {
                Type::Record(_) => Verdict::Always,
                _ => Verdict::Sometimes,
            };
        }
        Err(_) => {}
    }
    let converts = members(db, to).iter().any(|to| match (&from_head, unfold(db, to)) {
        (Type::Float, Type::Int) => true,
        (Type::Str | Type::Int | Type::Bool, Type::Literal(lit)) => super::join::base(&lit) == from_head,
        (Type::Float, Type::Literal(Lit::Int(_))) => true,
        // Part by part; the parts may still fail.
        (Type::List(_), Type::List(_)) => true,
        (Type::Dict(..), Type::Dict(..) | Type::Record(_)) | (Type::Record(_), Type::Dict(..)) => true,
        (Type::Record(a), Type::Record(b)) => b.fields.iter().all(|field| may_give(db, a, field)),
        (Type::Tuple(a), Type::Tuple(b)) => a.len() == b.len(),
        _ => false,
    });
    if converts { Verdict::Sometimes } else { Verdict::Never }
}

/// Whether a record may give a field to one that it is converted to. It has no more fields than its type says.
fn may_give(db: &dyn Db, from: &Record, field: &Field) -> bool {
    let is_same = |given: &&Field| given.name == field.name || given.key.is_some() && given.key == field.key;
    match from.fields.iter().find(is_same) {
        Some(given) => !matches!((&given.ty, &field.ty), (Type::Literal(a), Type::Literal(b)) if a != b),
        None => field.has_default || field.key.is_some() || is_nullable(db, &field.ty),
    }
}

/// The type of an `x` of type `ty` where `x is to` holds, or where it does not.
pub fn keep_is(db: &dyn Db, ty: &Type, to: &Type, holds: bool) -> Type {
    keep(db, ty, |member| match may_be_one(db, member, to) {
        Verdict::Always => holds,
        Verdict::Never => !holds,
        Verdict::Sometimes => true,
    })
}
