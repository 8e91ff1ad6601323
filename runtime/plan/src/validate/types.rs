//! Types and constants.

use super::{Check, const_at, depths, ensure, type_at};
use crate::{CodeId, Const, Plan, Type, TypeId};

pub(super) fn check(plan: &Plan) -> Check {
    for (i, value) in plan.consts.iter().enumerate() {
        let is_finite = !matches!(value, Const::Float(f) if !f.is_finite());
        ensure(is_finite, || format!("constant {i} is no finite number"))?;
    }
    for (i, ty) in plan.types.iter().enumerate() {
        check_type(plan, ty).map_err(|e| format!("type {i}: {e}"))?;
    }
    // Lists and records stop where a value does; a union does not: one that holds itself would be looked at for ever.
    let members = plan.types.iter().map(|ty| match ty {
        Type::Union(members) => members.iter().map(|m| m.at()).collect(),
        _ => Vec::new(),
    });
    depths(&members.collect::<Vec<_>>()).map_err(|i| format!("type {i} is a union that holds itself"))?;
    Ok(())
}

fn check_type(plan: &Plan, ty: &Type) -> Check {
    match ty {
        Type::Literal(value) => {
            const_at(plan, *value)?;
            let is_literal =
                matches!(plan.consts.get(value.at()), Some(Const::Str(_) | Const::Int(_) | Const::Bool(_)));
            ensure(is_literal, || format!("constant {} is no literal type", value.0))
        }
        Type::List(item) => type_at(plan, *item),
        Type::Dict(key, value) => type_at(plan, *key).and_then(|()| type_at(plan, *value)),
        Type::Tuple(items) => items.iter().try_for_each(|&t| type_at(plan, t)),
        Type::Union(members) => {
            ensure(!members.is_empty(), || "a union of nothing".into())?;
            members.iter().try_for_each(|&t| type_at(plan, t))
        }
        Type::Record { fields, .. } => {
            ensure(u16::try_from(fields.len()).is_ok(), || format!("{} fields", fields.len()))?;
            for field in fields {
                type_at(plan, field.ty)?;
                field.default.map_or(Ok(()), |code| default_code(plan, code))?;
            }
            let mut names: Vec<_> = fields.iter().map(|f| &f.name).collect();
            names.sort_unstable();
            match names.array_windows().find(|[a, b]| a == b) {
                Some([name, _]) => Err(format!("two fields `{name}`")),
                None => Ok(()),
            }
        }
        Type::Any
        | Type::Json
        | Type::Null
        | Type::Bool
        | Type::Int
        | Type::Float
        | Type::Str
        | Type::Bytes
        | Type::Duration
        | Type::Size
        | Type::Datetime
        | Type::Secret
        | Type::Never
        | Type::Opaque(_)
        | Type::Fn => Ok(()),
    }
}

pub(super) fn record_at(plan: &Plan, id: TypeId) -> Result<usize, String> {
    match plan.types.get(id.at()) {
        Some(Type::Record { fields, .. }) => Ok(fields.len()),
        _ => Err(format!("type {} is no record", id.0)),
    }
}

/// Whether it is code without parameters.
pub(super) fn default_code(plan: &Plan, id: CodeId) -> Check {
    let params = plan.codes.get(id.at()).map(|c| c.params);
    ensure(params == Some(0), || format!("there is no code {} without parameters", id.0))
}
