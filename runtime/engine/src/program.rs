//! A plan made ready to run: its constants as values, its natives by index, its layouts of records.

use crate::failure::Failures;
use crate::json;
use crate::native::{NativeFn, Natives, StreamFn};
use crate::value::{Fault, Shape, Value};
use ntl_plan::{Const, ConstId, Plan, Type, TypeId};
use std::sync::{Arc, OnceLock};

/// A plan with what is made of it once per run.
pub(crate) struct Program {
    pub plan: Arc<Plan>,
    /// [`Plan::consts`] as values.
    pub consts: Vec<Value>,
    /// [`Plan::natives`]; `None` for those that this runtime does not have.
    pub natives: Vec<Option<NativeFn>>,
    /// [`Plan::natives`] as stream functions; `None` for those that are none.
    pub streams: Vec<Option<StreamFn>>,
    shapes: Vec<OnceLock<Arc<Shape>>>,
    /// The layout of a failure as a handler sees it.
    pub error: Arc<Shape>,
    /// Values of codes that are computed once ([`ntl_plan::Instr::CallOnce`]).
    pub once: Vec<OnceLock<Result<Value, Failures>>>,
}

impl Program {
    pub fn new(plan: Arc<Plan>, natives: &Natives) -> Result<Self, Fault> {
        Ok(Program {
            consts: plan.consts.iter().map(const_value).collect::<Result<_, _>>()?,
            natives: plan.natives.iter().map(|n| natives.get(&n.id)).collect(),
            streams: plan.natives.iter().map(|n| natives.stream(&n.id)).collect(),
            shapes: plan.types.iter().map(|_| OnceLock::new()).collect(),
            error: {
                let names: Vec<_> = ["code", "message", "node", "retryable"].map(Into::into).to_vec();
                Arc::new(Shape { name: None, keys: names.clone(), names })
            },
            once: plan.codes.iter().map(|_| OnceLock::new()).collect(),
            plan,
        })
    }

    /// The type of an id. The loader checked every id.
    pub fn ty(&self, id: TypeId) -> &Type {
        self.plan.types.get(id.at()).unwrap_or(&Type::Never)
    }

    /// The value of a constant.
    pub fn constant(&self, id: ConstId) -> &Value {
        self.consts.get(id.at()).unwrap_or(&Value::Null)
    }

    /// The layout of a record type; of any other type an empty one.
    pub fn shape(&self, id: TypeId) -> Arc<Shape> {
        let made = || {
            let (name, fields) = match self.ty(id) {
                Type::Record { name, fields } => (name.clone(), fields.as_slice()),
                _ => (None, &[][..]),
            };
            let names = fields.iter().map(|f| f.name.clone()).collect();
            let keys = fields.iter().map(|f| f.key.clone().unwrap_or_else(|| f.name.clone())).collect();
            Arc::new(Shape { name, names, keys })
        };
        match self.shapes.get(id.at()) {
            Some(cell) => cell.get_or_init(made).clone(),
            None => made(),
        }
    }
}

fn const_value(constant: &Const) -> Result<Value, Fault> {
    Ok(match constant {
        Const::Null => Value::Null,
        Const::Bool(b) => Value::Bool(*b),
        Const::Int(i) => Value::Int(*i),
        Const::Float(f) => Value::Float(*f),
        Const::Str(s) => Value::str(s.as_str()),
        Const::Duration(n) => Value::Duration(*n),
        Const::Size(n) => Value::Size(*n),
        Const::Json(text) => json::parse(text)?,
    })
}
