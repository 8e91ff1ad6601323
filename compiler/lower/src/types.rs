//! Types of the checker as types of the plan, and what code asks of types.

use crate::deep;
use crate::tables::Cx;
use ntl_plan::TypeId;
use ntl_semantic::query::{self, Param};
use ntl_semantic::ty::{Lit, Record, Type};
use ntl_semantic::types::{Conversion, fit, members, unfold};
use ntl_semantic::{Def, hir};
use smol_str::SmolStr;
use std::sync::Arc;

/// Which instructions of arithmetic take a type.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Number {
    Int,
    Float,
    Other,
}

impl<'db> Cx<'db> {
    /// The type's entry in the plan's table.
    pub fn ty(&mut self, ty: &Type) -> TypeId {
        let ty = match ty {
            // Generic code knows no types: it is one for all.
            Type::Param(..) | Type::Unknown | Type::Var(_) => &Type::Any,
            ty => ty,
        };
        if let Some(&id) = self.type_ids.get(ty) {
            return id;
        }
        deep(|| match ty {
            Type::Named(def) => {
                // The entry stands before what it holds: the type may hold itself.
                let id = self.new_type(ntl_plan::Type::Any);
                self.type_ids.insert(ty.clone(), id);
                let (def, behind) = self.named(def);
                let node = match behind {
                    Type::Record(record) => self.record(&record, Some(&def)),
                    other => self.node(&other),
                };
                self.set_type(id, node);
                id
            }
            _ => {
                let node = self.node(ty);
                let id = self.new_type(node);
                self.type_ids.insert(ty.clone(), id);
                id
            }
        })
    }

    /// The last name of a chain of names, and what it stands for.
    fn named(&self, def: &Def) -> (Def, Type) {
        let mut def = def.clone();
        for _ in 0..256 {
            match query::named_type(self.db, &def) {
                Type::Named(next) => def = next,
                ty => return (def, ty),
            }
        }
        (def, Type::Unknown)
    }

    fn node(&mut self, ty: &Type) -> ntl_plan::Type {
        use ntl_plan::Type as P;
        match ty {
            Type::Unknown | Type::Any | Type::Param(..) | Type::Var(_) | Type::Named(_) => P::Any,
            Type::Never => P::Never,
            Type::Null => P::Null,
            Type::Bool => P::Bool,
            Type::Int => P::Int,
            Type::Float => P::Float,
            Type::Str => P::Str,
            Type::Bytes => P::Bytes,
            Type::Json => P::Json,
            Type::Duration => P::Duration,
            Type::Size => P::Size,
            Type::Datetime => P::Datetime,
            Type::Secret => P::Secret,
            Type::Opaque(name) => P::Opaque(name.clone()),
            Type::Literal(lit) => P::Literal(self.constant(match lit {
                Lit::Str(s) => ntl_plan::Const::Str(s.clone()),
                Lit::Int(i) => ntl_plan::Const::Int(*i),
                Lit::Bool(b) => ntl_plan::Const::Bool(*b),
            })),
            Type::List(item) => P::List(self.ty(item)),
            Type::Dict(key, value) => P::Dict(self.ty(key), self.ty(value)),
            Type::Tuple(items) => P::Tuple(items.iter().map(|ty| self.ty(ty)).collect()),
            Type::Record(record) => self.record(record, None),
            Type::Union(members) => P::Union(members.iter().map(|ty| self.ty(ty)).collect()),
            Type::Fn(..) => P::Fn,
        }
    }

    fn record(&mut self, record: &Record, def: Option<&Def>) -> ntl_plan::Type {
        let fields = record.fields.iter().zip(0..).map(|(field, at)| ntl_plan::Field {
            name: field.name.clone(),
            key: field.key.clone(),
            ty: self.ty(&field.ty),
            default: def.filter(|_| field.has_default).and_then(|def| self.default_code(def, at)),
        });
        ntl_plan::Type::Record { fields: fields.collect(), name: def.map(|def| def.name.clone()) }
    }

    /// The record type of a failure: `(code, message, node, retryable)`.
    pub fn failure(&mut self) -> TypeId {
        let field = |name: &'static str, ty| {
            let name = SmolStr::new_static(name);
            ntl_semantic::ty::Field { name, key: None, ty, has_default: false }
        };
        let fields = vec![
            field("code", Type::Str),
            field("message", Type::Str),
            field("node", Type::Str),
            field("retryable", Type::Bool),
        ];
        self.ty(&Type::Record(Arc::new(Record { fields })))
    }

    /// The default of an input: its own, or null where it may be left out without one.
    pub fn param_default(&mut self, def: &Def, at: u32, param: &Param) -> Option<ntl_plan::CodeId> {
        let own = self.default_code(def, at);
        own.or_else(|| param.optional.then(|| self.null_code(def)))
    }

    /// Which arithmetic an operand takes.
    pub fn number(&self, ty: &Type) -> Number {
        match unfold(self.db, ty) {
            Type::Int | Type::Literal(Lit::Int(_)) => Number::Int,
            Type::Float => Number::Float,
            _ => Number::Other,
        }
    }

    /// Whether every value is a str.
    pub fn is_str(&self, ty: &Type) -> bool {
        match unfold(self.db, ty) {
            Type::Str | Type::Literal(Lit::Str(_)) => true,
            Type::Union(members) => members.iter().all(|ty| self.is_str(ty)),
            _ => false,
        }
    }

    /// Whether a value of type `from` is one of type `to` as it stands.
    pub fn is_within(&self, from: &Type, to: &Type) -> bool {
        // Generic code takes a value as it is.
        matches!(to, Type::Any | Type::Unknown | Type::Param(..)) || fit(self.db, from, to) == Ok(Conversion::None)
    }

    /// Whether some value of type `from` must be changed to be one of type `to`.
    pub fn must_fit(&self, from: &Type, to: &Type) -> bool {
        !matches!(to, Type::Any | Type::Unknown | Type::Param(..))
            && members(self.db, from).iter().any(|member| fit(self.db, member, to) == Ok(Conversion::Needed))
    }
}

/// A constant of a body as one of the plan.
pub(crate) fn constant(value: &hir::Const) -> ntl_plan::Const {
    use ntl_plan::Const as P;
    match value {
        hir::Const::Null => P::Null,
        hir::Const::Bool(b) => P::Bool(*b),
        hir::Const::Int(i) => P::Int(*i),
        hir::Const::Float(f) => P::Float(*f),
        hir::Const::Str(s) => P::Str(s.clone()),
        hir::Const::Duration(ns) => P::Duration(*ns),
        hir::Const::Size(bytes) => P::Size(*bytes),
        hir::Const::Json(text) => P::Json(text.clone()),
    }
}
