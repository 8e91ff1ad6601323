//! Whether a value is of a type as it stands.

use super::Conversion;
use super::miss::Fail;
use crate::value::Value;
use ntl_plan::{Type, TypeId};

impl Conversion<'_> {
    pub(super) fn matches(&mut self, value: &Value, ty: TypeId) -> Result<bool, Fail> {
        self.matched_once(value, ty, |cx| cx.deeper(|cx| cx.matches_at(value, ty)))
    }

    fn matches_at(&mut self, value: &Value, ty: TypeId) -> Result<bool, Fail> {
        let program = self.program;
        let all = |cx: &mut Self, values: &mut dyn Iterator<Item = (&Value, TypeId)>| {
            for (value, ty) in values {
                if !cx.matches(value, ty)? {
                    return Ok(false);
                }
            }
            Ok(true)
        };
        match (program.ty(ty), value) {
            (Type::Any, _) => Ok(true),
            (Type::Literal(id), _) => {
                let constant = program.constant(*id);
                Ok(value.kind() == constant.kind() && value == constant)
            }
            (Type::Union(members), _) => {
                for member in members {
                    if self.counted(|cx| cx.matches(value, *member))? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            (Type::List(item), Value::List(list)) => match list.as_slice() {
                Some(values) => all(self, &mut values.iter().map(|v| (v, *item))),
                None if matches!(program.ty(*item), Type::Int | Type::Any | Type::Json) => Ok(true),
                None => {
                    for value in list.iter() {
                        if !self.matches(&value, *item)? {
                            return Ok(false);
                        }
                    }
                    Ok(true)
                }
            },
            (Type::Tuple(types), Value::Tuple(items)) => {
                Ok(types.len() == items.len() && all(self, &mut items.iter().zip(types.iter().copied()))?)
            }
            (Type::Dict(key, item), Value::Dict(dict)) => {
                for (k, v) in dict.iter() {
                    if !self.matches(&k.to_value(), *key)? || !self.matches(v, *item)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            (Type::Record { fields, .. }, Value::Record(r)) => {
                let same_place = r.shape.names.iter().eq(fields.iter().map(|f| &f.name));
                if same_place {
                    return all(self, &mut r.fields.iter().zip(fields.iter().map(|f| f.ty)));
                }
                if fields.len() != r.fields.len() {
                    return Ok(false);
                }
                for field in fields {
                    let Some(value) = r.get(&field.name) else { return Ok(false) };
                    if !self.matches(value, field.ty)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            (Type::Json, Value::List(list)) => match list.as_slice() {
                Some(values) => all(self, &mut values.iter().map(|v| (v, ty))),
                None => Ok(true),
            },
            (Type::Json, Value::Dict(dict)) => all(self, &mut dict.values().map(|v| (v, ty))),
            (Type::Json, Value::Null | Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Str(_)) => Ok(true),
            (Type::Null, Value::Null)
            | (Type::Bool, Value::Bool(_))
            | (Type::Int, Value::Int(_))
            | (Type::Float, Value::Float(_))
            | (Type::Str, Value::Str(_))
            | (Type::Bytes, Value::Bytes(_))
            | (Type::Duration, Value::Duration(_))
            | (Type::Size, Value::Size(_))
            | (Type::Datetime, Value::Datetime(_))
            | (Type::Secret, Value::Secret(_))
            | (Type::Fn, Value::Func(_))
            | (Type::Opaque(_), Value::Str(_) | Value::Record(_) | Value::Dict(_) | Value::Bytes(_)) => Ok(true),
            _ => Ok(false),
        }
    }
}
