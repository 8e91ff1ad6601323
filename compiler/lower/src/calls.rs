//! What a call is: code, a native, a workflow, or something that makes or takes a stream.

use crate::tables::Cx;
use ntl_plan::{Native, NativeId};
use ntl_semantic::Def;
use ntl_semantic::hir::{Call, Callee, Expr};
use ntl_semantic::query::{self, Effect, Flow, Signature};
use ntl_semantic::ty::Type;
use ntl_syntax::ast::CallableKind;
use smol_str::{SmolStr, format_smolstr};

/// How a call is lowered.
#[derive(Clone)]
pub(crate) enum Class<'db> {
    /// A `fn` of the program.
    Code(Def),
    /// A function value.
    Value,
    /// A native without effects.
    Pure(Known<'db>),
    /// A native with effects, a prompt, an agent, a node of code: a step of its own.
    Step(Known<'db>),
    /// A workflow.
    Workflow(Known<'db>),
    /// Makes its value vary.
    Each,
    /// Takes a varying value whole, as a list.
    Collect,
    /// Keeps its value for some items only.
    Filter,
    /// A stream function over what varies.
    Stream(Known<'db>),
    /// What has an error.
    Unknown,
}

/// A callable with what is known of it.
#[derive(Clone)]
pub(crate) struct Known<'db> {
    pub def: Def,
    pub sig: &'db Signature,
    pub id: SmolStr,
    pub effect: Effect,
}

impl<'db> Cx<'db> {
    /// How a call is lowered.
    pub fn class(&mut self, call: &Call) -> Class<'db> {
        let Callee::Item(def) = &call.callee else { return Class::Value };
        let Some(known) = self.known(def) else { return Class::Unknown };
        match known.sig.kind {
            CallableKind::Fn if !known.sig.is_host => Class::Code(def.clone()),
            CallableKind::Workflow => Class::Workflow(known),
            _ if !call.sources.is_empty() && known.id.starts_with("std.core.each/") => Class::Each,
            _ if varies(call, known.sig) && known.id.starts_with("std.core.collect/") => Class::Collect,
            _ if known.sig.facts.drops => Class::Filter,
            _ if !call.sources.is_empty() || varies(call, known.sig) => Class::Stream(known),
            _ if known.effect == Effect::Pure => Class::Pure(known),
            _ => Class::Step(known),
        }
    }

    /// What is known of a callable.
    pub fn known(&mut self, def: &Def) -> Option<Known<'db>> {
        if let Some(known) = self.callables.get(def) {
            return known.clone();
        }
        let db = self.db;
        let known = query::signature(db, def).map(|sig| {
            let id = match sig.kind {
                CallableKind::Prompt => Some(format_smolstr!("prompt:{}", def.name)),
                CallableKind::Agent => Some(format_smolstr!("agent:{}", def.name)),
                CallableKind::Node if !sig.is_host => Some(format_smolstr!("node:{}", def.name)),
                _ => query::native_id(db, def),
            };
            let effect = match sig.kind {
                CallableKind::Prompt | CallableKind::Agent => Effect::External,
                _ => query::effect(db, def),
            };
            // A node of code is a step whatever it says of itself.
            let is_code = sig.kind == CallableKind::Node && !sig.is_host;
            let effect = if is_code { effect.max(Effect::Read) } else { effect };
            Known { def: def.clone(), sig, id: id.unwrap_or_default(), effect }
        });
        self.callables.insert(def.clone(), known.clone());
        known
    }

    /// The entry of a native in the plan's table, for a call with these type arguments.
    pub fn native(&mut self, known: &Known<'_>, type_args: &[Type]) -> NativeId {
        let sig = known.sig;
        let untold = sig
            .type_params
            .iter()
            .zip(type_args)
            .filter(|((name, _), _)| !sig.params.iter().any(|param| mentions(&param.ty, name)));
        let type_args: Vec<_> = untold.map(|(_, ty)| self.ty(ty)).collect();
        let native = Native {
            id: known.id.clone(),
            name: query::native_name(&known.id, &known.def.name),
            effect: effect(known.effect),
            retry_safe: sig.facts.retry_safe,
            params: sig.params.iter().map(|param| param.name.clone()).collect(),
            type_args,
        };
        self.native_entry(native)
    }
}

/// An effect of the compiler as one of the plan.
pub(crate) fn effect(effect: Effect) -> ntl_plan::Effect {
    match effect {
        Effect::Pure => ntl_plan::Effect::Pure,
        Effect::Read => ntl_plan::Effect::Read,
        Effect::Write => ntl_plan::Effect::Write,
        Effect::External => ntl_plan::Effect::External,
    }
}

/// Whether a workflow takes or gives a stream.
pub(crate) fn streams(sig: &Signature) -> bool {
    let flows = sig.params.iter().map(|p| &p.flow).chain(sig.outputs.iter().map(|o| &o.flow));
    flows.into_iter().any(|flow| *flow != Flow::Plain)
}

/// Of each stream that a callable takes: how many values an item of it has.
pub(crate) fn streams_of(sig: Option<&Signature>) -> impl Iterator<Item = usize> {
    let params = sig.map(|sig| sig.params.as_slice()).unwrap_or_default();
    let goes_with = |of: &SmolStr| params.iter().filter(|p| p.flow == Flow::Per(of.clone())).count();
    params.iter().filter(|p| p.flow == Flow::Stream).map(move |p| 1 + goes_with(&p.name))
}

/// Whether something is given for a stream that varies: of lists, a stream function makes lists.
pub(crate) fn varies(call: &Call, sig: &Signature) -> bool {
    let is_varying = |arg: &Expr| !arg.scope.is_empty();
    sig.params.iter().zip(&call.args).any(|(param, arg)| param.flow != Flow::Plain && is_varying(arg))
}

fn mentions(ty: &Type, name: &str) -> bool {
    match ty {
        Type::Param(param, _) => param == name,
        Type::List(item) => mentions(item, name),
        Type::Dict(key, value) => mentions(key, name) || mentions(value, name),
        Type::Tuple(items) | Type::Union(items) => items.iter().any(|ty| mentions(ty, name)),
        Type::Record(record) => record.fields.iter().any(|field| mentions(&field.ty, name)),
        Type::Fn(params, result) => params.iter().any(|ty| mentions(ty, name)) || mentions(result, name),
        _ => false,
    }
}
