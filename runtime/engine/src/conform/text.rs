//! Text from outside as values: inputs of a run, cells of a table.

use super::miss::{Fail, Miss};
use super::{Conv, Conversion, Mode, exact_int, takes_null};
use crate::value::{Value, text_of, units};
use crate::{json, literal};
use ntl_plan::{Type, TypeId};
use std::sync::Arc;

impl Conversion<'_> {
    /// Text from outside as the type.
    pub(super) fn text(&mut self, text: &str, value: &Value, ty: TypeId) -> Conv {
        let program = self.program;
        let plain = text.trim();
        let takes_nothing =
            |ty: &Type| matches!(ty, Type::Str | Type::Any | Type::Json | Type::Opaque(_) | Type::Bytes);
        if self.mode == Mode::Cells && plain.is_empty() && !takes_nothing(program.ty(ty)) && !takes_null(program, ty) {
            let converted = self.filled(text, value, ty);
            return converted.map_err(|fail| if matches!(fail, Fail::Miss(_)) { Miss::empty(ty) } else { fail });
        }
        self.filled(text, value, ty)
    }

    fn filled(&mut self, text: &str, value: &Value, ty: TypeId) -> Conv {
        let program = self.program;
        let plain = text.trim();
        match program.ty(ty) {
            Type::Str => Ok(None),
            Type::Null => self.taken((plain.is_empty() || plain == "null").then_some(Value::Null), value, ty),
            Type::Bool => self.taken(plain.parse().ok().map(Value::Bool), value, ty),
            Type::Int => {
                let whole = || literal::float(plain).and_then(exact_int);
                self.taken(literal::int(plain).map(Value::Int).or_else(whole), value, ty)
            }
            Type::Float => self.taken(literal::float(plain).map(Value::Float), value, ty),
            Type::Duration => self.taken(units::parse_duration(plain).map(Value::Duration), value, ty),
            Type::Size => self.taken(units::parse_size(plain).map(Value::Size), value, ty),
            Type::Datetime => self.taken(units::parse_datetime(plain).ok().map(Value::Datetime), value, ty),
            Type::Bytes => self.taken(json::bytes_of_text(plain).map(|b| Value::Bytes(Arc::new(b))), value, ty),
            Type::Literal(id) => {
                let constant = program.constant(*id);
                let same = match constant {
                    Value::Str(t) => t.as_str() == text,
                    other => text_of(other).is_ok_and(|t| t == plain),
                };
                self.taken(same.then(|| constant.clone()), value, ty)
            }
            Type::Union(members) => self.union(value, members, ty),
            Type::Opaque(_) => Ok(None),
            Type::Any | Type::Json if self.mode == Mode::Cells => Ok(None),
            Type::Any | Type::Json | Type::List(_) | Type::Dict(..) | Type::Tuple(_) | Type::Record { .. }
                if self.mode == Mode::Input =>
            {
                let parsed = literal::parse(text).map_err(|fault| Miss::unread(ty, value, fault.message))?;
                self.mode = Mode::Cast;
                let converted = self.convert(&parsed, ty);
                self.mode = Mode::Input;
                Ok(Some(converted?.unwrap_or(parsed)))
            }
            _ => Err(Miss::wrong(ty, value)),
        }
    }
}
