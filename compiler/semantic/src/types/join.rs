//! Unions, and the type of what may be one of several.

use super::{Conversion, fit, members, unfold};
use crate::db::Db;
use crate::ty::{Field, Lit, Record, Type};
use std::sync::Arc;

/// How many literals an inferred union keeps before it becomes their base.
const MOST_LITERALS: usize = 64;

/// A union as written: flat, nothing twice, in order. [`Type::Unknown`] swallows it; a single member stands alone.
pub fn union(parts: impl IntoIterator<Item = Type>) -> Type {
    let mut flat: Vec<Type> = Vec::new();
    let mut add = |part: Type| {
        if part != Type::Never && !flat.contains(&part) {
            flat.push(part);
        }
    };
    for part in parts {
        match part {
            Type::Union(members) => members.iter().cloned().for_each(&mut add),
            other => add(other),
        }
    }
    if flat.contains(&Type::Unknown) {
        return Type::Unknown;
    }
    match flat.len() {
        0 => Type::Never,
        1 => flat.swap_remove(0),
        _ => Type::Union(flat.into()),
    }
}

/// The base of a literal type; other types, and literals inside lists, records and the like, alike: `"a"` becomes `str`,
/// `"a" | "b" | null` becomes `str?`. Named types stay.
pub fn widen(ty: &Type) -> Type {
    super::map_parts(ty, &mut |part| match part {
        Type::Literal(lit) => Some(base(lit)),
        Type::Fn(..) => Some(part.clone()),
        _ => None,
    })
}

pub(super) fn base(lit: &Lit) -> Type {
    match lit {
        Lit::Str(_) => Type::Str,
        Lit::Int(_) => Type::Int,
        Lit::Bool(_) => Type::Bool,
    }
}

/// The type of a value that is of one type or of the other: of branches, arms, elements. int and float join to float;
/// literals stay what they are (see [`widen`]); what has no common type becomes a union.
pub fn join(db: &dyn Db, a: &Type, b: &Type) -> Type {
    join_at(db, a, b, 0)
}

fn join_at(db: &dyn Db, a: &Type, b: &Type, depth: u32) -> Type {
    if a == b {
        return a.clone();
    }
    match (a, b) {
        (Type::Unknown, _) | (_, Type::Unknown) => return Type::Unknown,
        (Type::Never, other) | (other, Type::Never) => return other.clone(),
        (Type::Any, _) | (_, Type::Any) => return Type::Any,
        _ => {}
    }
    if depth > super::fit::DEEPEST {
        return union([a.clone(), b.clone()]);
    }
    let is_number = |ty: &Type| matches!(unfold(db, ty), Type::Int | Type::Literal(Lit::Int(_)));
    match (unfold(db, a), unfold(db, b)) {
        (Type::Float, _) if is_number(b) => return Type::Float,
        (_, Type::Float) if is_number(a) => return Type::Float,
        (Type::Json, _) if fit(db, b, &Type::Json).is_ok() => return Type::Json,
        (_, Type::Json) if fit(db, a, &Type::Json).is_ok() => return Type::Json,
        _ => {}
    }
    // What fits without a conversion is of the other type already.
    if fit(db, a, b) == Ok(Conversion::None) {
        return b.clone();
    }
    if fit(db, b, a) == Ok(Conversion::None) {
        return a.clone();
    }
    let join_part = |a: &Type, b: &Type| join_at(db, a, b, depth + 1);
    match (a, b) {
        (Type::List(a), Type::List(b)) => return Type::List(Arc::new(join_part(a, b))),
        (Type::Dict(ka, va), Type::Dict(kb, vb)) => {
            return Type::Dict(Arc::new(join_part(ka, kb)), Arc::new(join_part(va, vb)));
        }
        (Type::Tuple(a), Type::Tuple(b)) if a.len() == b.len() => {
            return Type::Tuple(a.iter().zip(b.iter()).map(|(a, b)| join_part(a, b)).collect());
        }
        (Type::Record(a), Type::Record(b)) => {
            if let Some(record) = join_records(a, b, &join_part) {
                return Type::Record(Arc::new(record));
            }
        }
        _ => {}
    }
    join_unions(db, a, b, depth)
}

/// Two records with the same fields, in whatever order; the first one's order holds.
fn join_records(a: &Record, b: &Record, join: &impl Fn(&Type, &Type) -> Type) -> Option<Record> {
    if a.fields.len() != b.fields.len() {
        return None;
    }
    let join_field = |field: &Field| {
        let other = b.fields.iter().find(|other| other.name == field.name)?;
        let key = if field.key == other.key { field.key.clone() } else { None };
        Some(Field { name: field.name.clone(), key, ty: join(&field.ty, &other.ty), has_default: false })
    };
    // Records that a literal tells apart stay apart.
    let is_tag = |field: &Field| {
        let other = b.fields.iter().find(|other| other.name == field.name);
        matches!((&field.ty, other.map(|o| &o.ty)), (Type::Literal(a), Some(Type::Literal(b))) if a != b)
    };
    if a.fields.iter().any(is_tag) {
        return None;
    }
    Some(Record { fields: a.fields.iter().map(join_field).collect::<Option<_>>()? })
}

/// Adds `b` to the members of `a`: into a member that it joins with, or beside them.
fn join_unions(db: &dyn Db, a: &Type, b: &Type, depth: u32) -> Type {
    let mut joined: Vec<Type> = direct_members(a);
    for member in direct_members(b) {
        let is_simple = |ty: &Type| !matches!(ty, Type::Null | Type::Literal(_) | Type::Union(_));
        let at = joined.iter().position(|known| {
            is_simple(known)
                && is_simple(&member)
                && joined.len() > 1
                && !matches!(join_at(db, known, &member, depth + 1), Type::Union(_))
        });
        match at.and_then(|at| joined.get_mut(at)) {
            Some(known) => *known = join_at(db, known, &member, depth + 1),
            None => joined.push(member),
        }
    }
    let literals = joined.iter().filter(|member| matches!(member, Type::Literal(_))).count();
    if literals > MOST_LITERALS {
        joined.iter_mut().for_each(|member| *member = widen(member));
    }
    absorb(db, joined)
}

fn direct_members(ty: &Type) -> Vec<Type> {
    match ty {
        Type::Union(members) => members.to_vec(),
        other => vec![other.clone()],
    }
}

/// Drops literals beside their base, and ints beside floats.
fn absorb(db: &dyn Db, mut parts: Vec<Type>) -> Type {
    let has = |parts: &[Type], ty: Type| parts.contains(&ty);
    let (str, int, bool, float) =
        (has(&parts, Type::Str), has(&parts, Type::Int), has(&parts, Type::Bool), has(&parts, Type::Float));
    parts.retain(|part| match part {
        Type::Literal(Lit::Str(_)) => !str,
        Type::Literal(Lit::Int(_)) => !int && !float,
        Type::Literal(Lit::Bool(_)) => !bool,
        Type::Int => !float,
        _ => true,
    });
    let both = [Type::Literal(Lit::Bool(true)), Type::Literal(Lit::Bool(false))];
    if both.iter().all(|value| parts.contains(value)) {
        parts.retain(|part| !both.contains(part));
        parts.push(Type::Bool);
    }
    let joined = union(parts);
    // A name may already stand for all of them.
    match &joined {
        Type::Union(parts) => parts
            .iter()
            .find(|part| matches!(part, Type::Named(_)) && members(db, part).len() >= parts.len())
            .filter(|name| fit(db, &joined, name) == Ok(Conversion::None))
            .cloned()
            .unwrap_or(joined),
        _ => joined,
    }
}
