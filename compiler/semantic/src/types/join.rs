//! Unions, and the type of what may be one of several.

use super::fit::{MANY, is_part_of};
use super::{fits, members, unfold};
use crate::db::Db;
use crate::ty::{Field, Lit, Record, Type};
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// From so many members on an inferred union says nothing any more, and becomes `any`.
const MOST_MEMBERS: usize = 256;

/// How many literals an inferred union keeps before it becomes their base.
const MOST_LITERALS: usize = 64;

/// A union as written: flat, nothing twice, in order. [`Type::Unknown`] swallows it; a single member stands alone.
pub fn union(parts: impl IntoIterator<Item = Type>) -> Type {
    let mut flat: Vec<Type> = Vec::new();
    let mut index: FxHashSet<Type> = FxHashSet::default();
    let mut add = |part: Type| {
        let is_new = if flat.len() < MANY { !flat.contains(&part) } else { !index.contains(&part) };
        if part != Type::Never && is_new {
            flat.push(part.clone());
            match flat.len() {
                MANY => index.extend(flat.iter().cloned()),
                more if more > MANY => drop(index.insert(part)),
                _ => {}
            }
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
        (Type::Json, _) if fits(db, b, &Type::Json) => return Type::Json,
        (_, Type::Json) if fits(db, a, &Type::Json) => return Type::Json,
        _ => {}
    }
    // What fits without a conversion is of the other type already.
    if is_part_of(db, a, b) {
        return b.clone();
    }
    if is_part_of(db, b, a) {
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
        let is_join = |known: &Type| !matches!(join_at(db, known, &member, depth + 1), Type::Union(_));
        let at = joined.iter().position(|known| joined.len() > 1 && may_join(known, &member) && is_join(known));
        match at.and_then(|at| joined.get_mut(at)) {
            Some(known) => *known = join_at(db, known, &member, depth + 1),
            None => joined.push(member),
        }
    }
    let literals = joined.iter().filter(|member| matches!(member, Type::Literal(_))).count();
    if literals > MOST_LITERALS {
        joined.iter_mut().for_each(|member| *member = widen(member));
    }
    if joined.len() > MOST_MEMBERS { Type::Any } else { absorb(db, joined) }
}

/// Whether two types that are unlike might join to something else than their union: cheaper than to try.
fn may_join(a: &Type, b: &Type) -> bool {
    match (a, b) {
        (Type::Null | Type::Literal(_) | Type::Union(_), _) | (_, Type::Null | Type::Literal(_) | Type::Union(_)) => {
            false
        }
        (Type::Record(a), Type::Record(b)) => {
            a.fields.len() == b.fields.len()
                && a.fields.iter().all(|field| b.fields.iter().any(|other| other.name == field.name))
        }
        (Type::Record(_), other) | (other, Type::Record(_)) => matches!(other, Type::Named(_) | Type::Json),
        _ => true,
    }
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
            .filter(|name| is_part_of(db, &joined, name))
            .cloned()
            .unwrap_or(joined),
        _ => joined,
    }
}
