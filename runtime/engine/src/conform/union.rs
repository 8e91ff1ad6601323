//! Which member of a union a value is made.

use super::{Conv, Conversion, Fail, Miss, Mode, takes_null};
use crate::value::{Fault, Value};
use ntl_plan::{Type, TypeId};

/// How many values may be looked at in vain: with unions in unions the ways to fit grow without bound.
const MAX_WASTED: u64 = 5_000_000;

impl Conversion<'_> {
    /// The member that the value is of as it stands; else the first one that it can be made. Text from outside is a str
    /// only if it is nothing else.
    pub(super) fn union(&mut self, value: &Value, members: &[TypeId], ty: TypeId) -> Conv {
        let is_text = self.mode >= Mode::Cells && matches!(value, Value::Str(_));
        let takes_str = is_text && members.iter().any(|m| matches!(self.program.ty(*m), Type::Str));
        if !is_text {
            for member in members {
                if self.counted(|cx| cx.matches(value, *member))? {
                    return Ok(None);
                }
            }
        }
        let mut misses = Vec::new();
        for member in members {
            // Where a str fits, `null` and nothing are texts like others.
            if takes_str && matches!(self.program.ty(*member), Type::Str | Type::Null) {
                continue;
            }
            if !self.may_fit(value, *member, 0) {
                continue;
            }
            match self.counted(|cx| cx.convert(value, *member)) {
                Err(Fail::Miss(miss)) => misses.push(miss),
                // A text that was left as it is became no value of the member, but a str of its own.
                done => return done,
            }
        }
        if takes_str {
            return Ok(None);
        }
        // Where one member only comes into question, what is wrong within it helps more than the list of members. Of a text
        // that is the one as which it could be read.
        if is_text {
            misses.retain(|miss| miss.is_within());
        }
        match (misses.pop(), misses.is_empty()) {
            (Some(miss), true) => Err(Fail::Miss(miss)),
            _ => Err(Miss::wrong(ty, value)),
        }
    }

    /// Counts what is looked at in vain.
    pub(super) fn counted<T: Found>(&mut self, f: impl FnOnce(&mut Self) -> Result<T, Fail>) -> Result<T, Fail> {
        let before = self.steps;
        let result = f(self);
        if !result.as_ref().is_ok_and(Found::found) {
            self.wasted += self.steps - before;
            if self.wasted > MAX_WASTED {
                return Err(Fail::fault(Fault::new("invalid", "the value may fit the union in too many ways")));
            }
        }
        result
    }

    /// Whether the value comes into question for the type, by a look at its surface: its kind, its tags, its fields.
    fn may_fit(&self, value: &Value, ty: TypeId, depth: usize) -> bool {
        let program = self.program;
        match (program.ty(ty), value) {
            (Type::Union(members), _) => depth > 8 || members.iter().any(|m| self.may_fit(value, *m, depth + 1)),
            (Type::Literal(id), _) if !matches!(value, Value::Str(_)) => value == program.constant(*id),
            (Type::Tuple(types), Value::Tuple(items)) => types.len() == items.len(),
            (Type::Tuple(types), Value::List(list)) => self.mode != Mode::Fit && types.len() == list.len(),
            (Type::Record { fields, .. }, Value::Record(_) | Value::Dict(_)) => fields.iter().all(|field| {
                let found = match value {
                    Value::Record(r) => r.get(&field.name),
                    Value::Dict(d) => d.get_str(field.key.as_ref().unwrap_or(&field.name)),
                    _ => None,
                };
                match (found, program.ty(field.ty)) {
                    (Some(found), Type::Literal(id)) => found == program.constant(*id),
                    (Some(_), _) => true,
                    (None, _) => (field.default.is_some() && self.mode != Mode::Fit) || takes_null(program, field.ty),
                }
            }),
            (Type::Record { .. } | Type::List(_) | Type::Dict(..), Value::Str(_)) => self.mode == Mode::Input,
            (Type::Record { .. }, _) => false,
            (Type::List(_), _) => matches!(value, Value::List(_) | Value::Tuple(_)),
            (Type::Dict(..), _) => matches!(value, Value::Dict(_) | Value::Record(_)),
            _ => true,
        }
    }
}

/// Whether an answer means that the value fits.
pub(super) trait Found {
    fn found(&self) -> bool;
}
impl Found for bool {
    fn found(&self) -> bool {
        *self
    }
}
impl Found for Option<Value> {
    fn found(&self) -> bool {
        true
    }
}
