//! Values against types of the plan: implicit conversion (`fit`), `as` ([`cast`]), `is`, the match of a typed pattern,
//! and text from outside ([`read`], [`input`]).
//!
//! What a value is converted to depends on how it is asked:
//!
//! | from | to | `fit` | `as` | cells | inputs |
//! |---|---|---|---|---|---|
//! | int | float, exact | ✓ | ✓ | ✓ | ✓ |
//! | whole float | int | | ✓ | ✓ | ✓ |
//! | record | record with fewer fields, missing optional ones null | ✓ | ✓ | ✓ | ✓ |
//! | dict, record | record: by `@key`, defaults filled | | ✓ | ✓ | ✓ |
//! | record, tuple | dict, list | as `json` | ✓ | ✓ | ✓ |
//! | list | tuple of that length | | ✓ | ✓ | ✓ |
//! | str | duration, size, datetime, bytes, as JSON writes them | | ✓ | ✓ | ✓ |
//! | duration, … | json: the str that JSON writes | | ✓ | ✓ | ✓ |
//! | str | number, bool, literal: its text; empty: null | | | ✓ | ✓ |
//! | str | list, dict, record, tuple, json, any: a literal or JSON | | | | ✓ |

mod known;
mod matches;
mod miss;
mod name;
#[cfg(test)]
mod tests;
mod text;
mod union;

pub(crate) use name::type_text;

use crate::json;
use crate::native::{Failed, Stop};
use crate::program::Program;
use crate::value::{Dict, Fault, Key, List, MAX_DEPTH, Record, Value, units};
use known::Known;
use miss::{Fail, Miss, Step};
use ntl_plan::{CodeId, Field, Type, TypeId};
use std::sync::Arc;

/// Runs the code of a field's default.
pub(crate) trait Defaults {
    /// The value of code without parameters.
    fn default_of(&mut self, code: CodeId) -> Result<Value, Failed>;
}

/// What a conversion gives: the new value, or `None` where the old one stands as it is.
pub(crate) type Converted = Result<Option<Value>, Stop>;

/// An implicit conversion.
pub(crate) fn fit(program: &Program, defaults: &mut dyn Defaults, value: &Value, ty: TypeId) -> Converted {
    convert(program, defaults, Mode::Fit, value, ty)
}

/// `as`.
pub(crate) fn cast(program: &Program, defaults: &mut dyn Defaults, value: &Value, ty: TypeId) -> Converted {
    convert(program, defaults, Mode::Cast, value, ty)
}

/// As `as`, but a str is read as what is wanted, if that is a plain type; an empty one is null where null fits.
pub(crate) fn read(program: &Program, defaults: &mut dyn Defaults, value: &Value, ty: TypeId) -> Converted {
    convert(program, defaults, Mode::Cells, value, ty)
}

/// A text from the command line.
pub(crate) fn input(program: &Program, defaults: &mut dyn Defaults, text: &str, ty: TypeId) -> Result<Value, Stop> {
    let text = Value::str(text);
    Ok(convert(program, defaults, Mode::Input, &text, ty)?.unwrap_or(text))
}

/// `is`: whether [`cast`] would do.
pub(crate) fn is(program: &Program, defaults: &mut dyn Defaults, value: &Value, ty: TypeId) -> bool {
    cast(program, defaults, value, ty).is_ok()
}

/// Whether the value is of the type as it stands. A record is of a record type if it has exactly its fields.
pub(crate) fn matches(program: &Program, value: &Value, ty: TypeId) -> Result<bool, Stop> {
    struct NoDefaults;
    impl Defaults for NoDefaults {
        fn default_of(&mut self, _: CodeId) -> Result<Value, Failed> {
            Ok(Value::Null) // never asked: a match fills nothing
        }
    }
    let mut cx = Conversion {
        program,
        defaults: &mut NoDefaults,
        mode: Mode::Fit,
        depth: 0,
        steps: 0,
        wasted: 0,
        known: Known::default(),
    };
    cx.matches(value, ty).map_err(|fail| fail.into_stop(program))
}

/// Whether null is of the type.
pub(crate) fn takes_null(program: &Program, ty: TypeId) -> bool {
    null_fits(program, ty, 0)
}

fn null_fits(program: &Program, ty: TypeId, depth: usize) -> bool {
    match program.ty(ty) {
        Type::Null | Type::Json | Type::Any => true,
        Type::Union(members) => depth < 8 && members.iter().any(|m| null_fits(program, *m, depth + 1)),
        _ => false,
    }
}

fn convert(program: &Program, defaults: &mut dyn Defaults, mode: Mode, value: &Value, ty: TypeId) -> Converted {
    let mut cx = Conversion { program, defaults, mode, depth: 0, steps: 0, wasted: 0, known: Known::default() };
    cx.convert(value, ty).map_err(|fail| fail.into_stop(program))
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Mode {
    Fit,
    Cast,
    Cells,
    Input,
}

/// How many parts a value may have: parts that are shared count each time, so a small value may have very many.
const MAX_PARTS: u64 = 1 << 27;

/// A conversion under way.
struct Conversion<'a> {
    program: &'a Program,
    defaults: &'a mut dyn Defaults,
    mode: Mode,
    /// Levels of value and type that are open.
    depth: usize,
    /// Values looked at so far.
    steps: u64,
    /// Those of them that were for a member of a union that then did not fit.
    wasted: u64,
    known: Known,
}

type Conv = Result<Option<Value>, Fail>;

impl<'a> Conversion<'a> {
    /// Goes one level down.
    fn deeper<T>(&mut self, f: impl FnOnce(&mut Self) -> Result<T, Fail>) -> Result<T, Fail> {
        self.steps += 1;
        if self.steps > MAX_PARTS {
            return Err(Fail::fault(Fault::too_large()));
        }
        if self.depth == MAX_DEPTH {
            return Err(Fail::fault(Fault::too_deep()));
        }
        self.depth += 1;
        let result = f(self);
        self.depth -= 1;
        result
    }

    fn convert(&mut self, value: &Value, ty: TypeId) -> Conv {
        self.once(value, ty, |cx| cx.deeper(|cx| cx.convert_at(value, ty)))
    }

    fn convert_at(&mut self, value: &Value, ty: TypeId) -> Conv {
        let program = self.program;
        if let (Mode::Cells | Mode::Input, Value::Str(text)) = (self.mode, value) {
            return self.text(text.as_str(), value, ty);
        }
        match (program.ty(ty), value) {
            (Type::Any, _)
            | (Type::Null, Value::Null)
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
            | (Type::Opaque(_), Value::Str(_) | Value::Record(_) | Value::Dict(_) | Value::Bytes(_)) => Ok(None),
            (Type::Float, Value::Int(i)) => exact_float(*i).map(Some).ok_or_else(|| Miss::inexact(ty, value)),
            (Type::Literal(id), _) => self.literal(value, program.constant(*id), ty),
            (Type::Json, _) => self.json(value, ty),
            (Type::List(item), Value::List(list)) => self.list(list, *item),
            (Type::Dict(key, item), Value::Dict(dict)) => self.dict(dict, *key, *item),
            (Type::Tuple(types), Value::Tuple(items)) => self.tuple(items, types, value, ty),
            (Type::Record { fields, .. }, Value::Record(record)) => self.record(Source::Record(record), fields, ty),
            (Type::Union(members), _) => self.union(value, members, ty),
            _ if self.mode == Mode::Fit => Err(Miss::wrong(ty, value)),
            (Type::Int, Value::Float(f)) => exact_int(*f).map(Some).ok_or_else(|| Miss::wrong(ty, value)),
            (Type::Duration, Value::Str(t)) => self.taken(units::parse_duration(t).map(Value::Duration), value, ty),
            (Type::Size, Value::Str(t)) => self.taken(units::parse_size(t).map(Value::Size), value, ty),
            (Type::Datetime, Value::Str(t)) => {
                self.taken(units::parse_datetime(t).ok().map(Value::Datetime), value, ty)
            }
            (Type::Bytes, Value::Str(t)) => {
                self.taken(json::bytes_of_text(t).map(|b| Value::Bytes(Arc::new(b))), value, ty)
            }
            (Type::List(item), Value::Tuple(items)) => {
                let list = List::new(items.to_vec());
                Ok(Some(self.list(&list, *item)?.unwrap_or(Value::List(list))))
            }
            (Type::Dict(key, item), Value::Record(record)) => {
                let dict = record_to_dict(record);
                let converted = self.dict(&dict, *key, *item)?;
                Ok(Some(converted.unwrap_or_else(|| Value::dict(dict))))
            }
            (Type::Tuple(types), Value::List(list)) => {
                let items = list.clone().into_vec();
                let converted = self.tuple(&items, types, value, ty)?;
                Ok(Some(converted.unwrap_or_else(|| Value::tuple(items))))
            }
            (Type::Record { fields, .. }, Value::Dict(dict)) => self.record(Source::Dict(dict), fields, ty),
            _ => Err(Miss::wrong(ty, value)),
        }
    }

    fn taken(&self, found: Option<Value>, value: &Value, ty: TypeId) -> Conv {
        found.map(Some).ok_or_else(|| Miss::wrong(ty, value))
    }

    fn literal(&self, value: &Value, constant: &Value, ty: TypeId) -> Conv {
        if value.kind() == constant.kind() && value == constant {
            return Ok(None);
        }
        match value {
            Value::Float(_) if self.mode != Mode::Fit && value == constant => Ok(Some(constant.clone())),
            _ => Err(Miss::wrong(ty, value)),
        }
    }

    fn list(&mut self, list: &List, item: TypeId) -> Conv {
        match list.as_slice() {
            Some(values) => Ok(self.items(values.len(), |i| values.get(i), |_| item)?.map(Value::list)),
            None if matches!(self.program.ty(item), Type::Int | Type::Any | Type::Json) => Ok(None),
            None => {
                let values = list.clone().into_vec();
                Ok(self.items(values.len(), |i| values.get(i), |_| item)?.map(Value::list))
            }
        }
    }

    fn tuple(&mut self, items: &[Value], types: &[TypeId], value: &Value, ty: TypeId) -> Conv {
        if items.len() != types.len() {
            return Err(Miss::wrong(ty, value));
        }
        let never = || TypeId(u32::MAX);
        let type_of = |i: usize| types.get(i).copied().unwrap_or_else(never);
        Ok(self.items(items.len(), |i| items.get(i), type_of)?.map(Value::tuple))
    }

    /// Converts items; `None` where all of them stand as they are.
    fn items<'v>(
        &mut self,
        len: usize,
        item: impl Fn(usize) -> Option<&'v Value>,
        ty: impl Fn(usize) -> TypeId,
    ) -> Result<Option<Vec<Value>>, Fail> {
        let mut changed: Option<Vec<Value>> = None;
        for i in 0..len {
            let Some(value) = item(i) else { break };
            let new = self.convert(value, ty(i)).map_err(|fail| fail.at(|| Step::Index(i)))?;
            match (&mut changed, new) {
                (None, None) => {}
                (Some(items), new) => items.push(new.unwrap_or_else(|| value.clone())),
                (None, Some(new)) => {
                    let mut items = Vec::with_capacity(len);
                    items.extend((0..i).filter_map(&item).cloned());
                    items.push(new);
                    changed = Some(items);
                }
            }
        }
        Ok(changed)
    }

    fn dict(&mut self, dict: &Dict, key: TypeId, item: TypeId) -> Conv {
        let mut changed: Option<Dict> = None;
        for (i, (k, v)) in dict.iter().enumerate() {
            let at = || Step::Key(k.clone());
            let new_key = self.key(k, key).map_err(|fail| fail.at(at))?;
            let new = self.convert(v, item).map_err(|fail| fail.at(at))?;
            if changed.is_none() && (new_key.is_some() || new.is_some()) {
                changed = Some(dict.iter().take(i).map(|(k, v)| (k.clone(), v.clone())).collect());
            }
            if let Some(entries) = &mut changed {
                entries.insert(new_key.unwrap_or_else(|| k.clone()), new.unwrap_or_else(|| v.clone()));
            }
        }
        Ok(changed.map(Value::dict))
    }

    /// JSON has str keys only: `as` reads an int from one, and writes one.
    fn key(&mut self, key: &Key, ty: TypeId) -> Result<Option<Key>, Fail> {
        match (key, self.program.ty(ty)) {
            (Key::Str(_), Type::Str | Type::Any) | (Key::Int(_), Type::Int | Type::Any) => return Ok(None),
            (Key::Str(text), Type::Int) if self.mode != Mode::Fit => {
                let int = text.parse().map_err(|_| Miss::wrong(ty, &key.to_value()))?;
                return Ok(Some(Key::Int(int)));
            }
            (Key::Int(i), Type::Str) if self.mode != Mode::Fit => return Ok(Some(Key::str(i.to_string()))),
            _ => {}
        }
        let value = key.to_value();
        let new = self.convert(&value, ty)?;
        Ok(new.and_then(|v| Key::of(&v)))
    }

    fn record(&mut self, source: Source<'_>, fields: &[Field], ty: TypeId) -> Conv {
        let shape = self.program.shape(ty);
        let stands = match source {
            Source::Record(r) => {
                Arc::ptr_eq(&r.shape, &shape) || (r.shape.names == shape.names && r.shape.keys == shape.keys)
            }
            Source::Dict(_) => false,
        };
        if let (true, Source::Record(r)) = (stands, source) {
            // The same layout: place by place.
            let ty_of = |i: usize| fields.get(i).map_or(TypeId(u32::MAX), |f| f.ty);
            let changed = self.items(r.fields.len(), |i| r.fields.get(i), ty_of);
            let changed = changed.map_err(|fail| fail.name_steps(&shape))?;
            return Ok(changed.map(|fields| Value::record(shape, fields)));
        }
        let mut values = Vec::with_capacity(fields.len());
        for (field, key) in fields.iter().zip(&shape.keys) {
            let found = match source {
                Source::Record(r) => r.get(&field.name),
                Source::Dict(d) => d.get_str(key),
            };
            let at = || Step::Field(if matches!(source, Source::Dict(_)) { key } else { &field.name }.clone());
            let value = match (found, field.default) {
                (Some(value), _) => {
                    let new = self.convert(value, field.ty).map_err(|fail| fail.at(at))?;
                    new.unwrap_or_else(|| value.clone())
                }
                (None, Some(code)) if self.mode != Mode::Fit => {
                    self.defaults.default_of(code).map_err(|failed| Fail::Stop(Stop::Failed(failed)))?
                }
                (None, _) if takes_null(self.program, field.ty) => Value::Null,
                (None, _) => return Err(Miss::missing(field.ty).at(at)),
            };
            values.push(value);
        }
        Ok(Some(Value::record(shape, values)))
    }

    /// As `json`: what JSON itself has. `as` writes the rest as the text that JSON has for it.
    fn json(&mut self, value: &Value, ty: TypeId) -> Conv {
        self.once(value, ty, |cx| cx.deeper(|cx| cx.json_at(value, ty)))
    }

    fn json_at(&mut self, value: &Value, ty: TypeId) -> Conv {
        let cx = self;
        match value {
            Value::Null | Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Str(_) => Ok(None),
            Value::List(list) => cx.list(list, ty),
            Value::Tuple(items) => {
                let list = List::new(items.to_vec());
                Ok(Some(cx.list(&list, ty)?.unwrap_or(Value::List(list))))
            }
            Value::Dict(dict) if dict.keys().all(|k| matches!(k, Key::Str(_))) => cx.json_entries(dict, ty),
            Value::Dict(dict) => {
                let named: Dict = dict.iter().map(|(k, v)| (Key::str(k.to_string()), v.clone())).collect();
                Ok(Some(cx.json_entries(&named, ty)?.unwrap_or_else(|| Value::dict(named))))
            }
            Value::Record(record) => {
                let dict = record_to_dict(record);
                Ok(Some(cx.json_entries(&dict, ty)?.unwrap_or_else(|| Value::dict(dict))))
            }
            Value::Duration(_) | Value::Size(_) | Value::Datetime(_) | Value::Bytes(_) if cx.mode != Mode::Fit => {
                Ok(Some(Value::str(json::plain_text(value))))
            }
            _ => Err(Miss::wrong(ty, value)),
        }
    }

    fn json_entries(&mut self, dict: &Dict, ty: TypeId) -> Conv {
        let mut changed: Option<Dict> = None;
        for (k, v) in dict {
            if let Some(new) = self.json(v, ty).map_err(|fail| fail.at(|| Step::Key(k.clone())))? {
                changed.get_or_insert_with(|| dict.clone()).insert(k.clone(), new);
            }
        }
        Ok(changed.map(Value::dict))
    }
}

/// What a record is made of.
#[derive(Clone, Copy)]
enum Source<'a> {
    Record(&'a Record),
    Dict(&'a Dict),
}

fn record_to_dict(record: &Record) -> Dict {
    record.shape.keys.iter().zip(&record.fields).map(|(k, v)| (Key::str(k.as_str()), v.clone())).collect()
}

/// The float that an int is, if that is exact.
pub(crate) fn exact_float(i: i64) -> Option<Value> {
    ntl_plan::arith::exact_float(i).map(Value::Float)
}

/// The int that a float is, if that is exact.
pub(crate) fn exact_int(f: f64) -> Option<Value> {
    ntl_plan::arith::exact_int(f).map(Value::Int)
}
