//! What can be done with types: written ones lowered, names seen through, fitted, joined, narrowed, inferred, shown.

mod compare;
mod display;
mod fit;
mod infer;
mod join;
mod lower;
mod narrow;

pub use compare::{comparable, is_ordered, ordered_together};
pub use display::display;
pub use fit::{Conversion, Mismatch, Reason, Step, fit, fits};
pub use infer::{Infer, Unmet};
pub use join::{join, union, widen};
pub(crate) use lower::{Site, check_keys, is_builtin, lower_declared};
pub use lower::{TypeScope, lower_type};
pub(crate) use narrow::keep;
pub use narrow::{Verdict, keep_is, may_be, remove_null};

use crate::db::Db;
use crate::query::named_type;
use crate::ty::{Record, Type};
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// The type behind its name: never [`Type::Named`].
pub fn unfold(db: &dyn Db, ty: &Type) -> Type {
    match ty {
        Type::Named(def) => named_type(db, def),
        other => other.clone(),
    }
}

/// The members of a union, unions in it and behind names included, none twice; the type itself if it is no union. A name
/// that does not stand for a union is kept.
pub fn members(db: &dyn Db, ty: &Type) -> Vec<Type> {
    match ty {
        Type::Named(_) => {}
        // Most unions hold no further ones.
        Type::Union(inner) if inner.iter().any(|member| matches!(member, Type::Union(_) | Type::Named(_))) => {}
        Type::Union(inner) => return inner.to_vec(),
        other => return vec![other.clone()],
    }
    let mut found: Vec<Type> = Vec::new();
    let mut seen: FxHashSet<Type> = FxHashSet::default();
    let mut todo = vec![ty.clone()];
    while let Some(ty) = todo.pop() {
        if !seen.insert(ty.clone()) {
            continue;
        }
        match &ty {
            Type::Union(inner) => todo.extend(inner.iter().rev().cloned()),
            Type::Named(_) => match unfold(db, &ty) {
                union @ Type::Union(_) => todo.push(union),
                Type::Unknown => found.push(Type::Unknown),
                _ => found.push(ty),
            },
            _ => found.push(ty),
        }
    }
    found
}

/// The record that a type is, seen through names; `None` if it is none.
pub fn as_record(db: &dyn Db, ty: &Type) -> Option<Arc<Record>> {
    match unfold(db, ty) {
        Type::Record(record) => Some(record),
        _ => None,
    }
}

/// Whether null is a member of a type: one may leave a parameter or field of it out.
pub fn is_nullable(db: &dyn Db, ty: &Type) -> bool {
    members(db, ty).iter().any(|member| unfold(db, member) == Type::Null)
}

/// Whether an error that has been told is part of a type.
pub fn has_unknown(ty: &Type) -> bool {
    any_part(ty, &mut |part| matches!(part, Type::Unknown))
}

/// Whether a part of a type, itself included, is such. Does not look behind names.
pub(crate) fn any_part(ty: &Type, is: &mut impl FnMut(&Type) -> bool) -> bool {
    if is(ty) {
        return true;
    }
    match ty {
        Type::List(item) => any_part(item, is),
        Type::Dict(key, value) => any_part(key, is) || any_part(value, is),
        Type::Tuple(items) | Type::Union(items) => items.iter().any(|item| any_part(item, is)),
        Type::Record(record) => record.fields.iter().any(|field| any_part(&field.ty, is)),
        Type::Fn(params, result) => params.iter().any(|param| any_part(param, is)) || any_part(result, is),
        _ => false,
    }
}

/// Whether an inferred type has grown beyond use: every walk over types would take for ever, or nest too deeply. Ask
/// it of each binding's type and go on with [`Type::Unknown`].
pub fn is_too_big(ty: &Type) -> bool {
    const MOST_PARTS: u32 = 10_000;
    const DEEPEST: u32 = 300;
    fn walk(ty: &Type, depth: u32, left: &mut u32) -> bool {
        if depth == 0 || *left == 0 {
            return true;
        }
        *left -= 1;
        let mut part = |ty: &Type| walk(ty, depth - 1, left);
        match ty {
            Type::List(item) => part(item),
            Type::Dict(key, value) => part(key) || part(value),
            Type::Tuple(items) | Type::Union(items) => items.iter().any(part),
            Type::Record(record) => record.fields.iter().any(|field| part(&field.ty)),
            Type::Fn(params, result) => params.iter().any(&mut part) || part(result),
            _ => false,
        }
    }
    walk(ty, DEEPEST, &mut MOST_PARTS.clone())
}

/// Rebuilds a type with its innermost parts changed; `None` leaves a part as it is and its own parts are looked at.
pub(crate) fn map_parts(ty: &Type, change: &mut impl FnMut(&Type) -> Option<Type>) -> Type {
    if let Some(changed) = change(ty) {
        return changed;
    }
    match ty {
        Type::List(item) => Type::List(Arc::new(map_parts(item, change))),
        Type::Dict(key, value) => Type::Dict(Arc::new(map_parts(key, change)), Arc::new(map_parts(value, change))),
        Type::Tuple(items) => Type::Tuple(items.iter().map(|item| map_parts(item, change)).collect()),
        Type::Union(items) => union(items.iter().map(|item| map_parts(item, change))),
        Type::Record(record) => {
            let mut record = Record::clone(record);
            record.fields.iter_mut().for_each(|field| field.ty = map_parts(&field.ty, change));
            Type::Record(Arc::new(record))
        }
        Type::Fn(params, result) => {
            Type::Fn(params.iter().map(|param| map_parts(param, change)).collect(), Arc::new(map_parts(result, change)))
        }
        other => other.clone(),
    }
}
