//! Queries over checked bodies: types that are inferred, how far a callable reaches, what needs what.
//!
//! Definitions may not need each other in a circle, but until that is told they do: these queries then start from a guess
//! and go on until nothing changes, a few rounds at most.

use crate::db::{Db, Def, Space};
use crate::declare::{declared_const, signature};
use crate::hir::{Body, Callee, ExprKind};
use crate::hir_walk::each_expr;
use crate::items::{self, Item};
use crate::query::{Checked, Effect, Signature};
use crate::ty::Type;
use crate::types::is_too_big;
use crate::{check, deep};
use ntl_syntax::ast::{CallableBody, CallableKind, ItemKind, Span};

/// After so many rounds a circle takes what it has.
const MOST_ROUNDS: u32 = 4;

fn settle<T: Clone + PartialEq>(cycle: &salsa::Cycle<'_>, last: &T, value: T) -> T {
    if cycle.iteration() > MOST_ROUNDS { last.clone() } else { value }
}

/// The checked body of an item that has one.
#[salsa::tracked(cycle_initial = no_body, cycle_fn = settle_body)]
pub(crate) fn checked_body<'db>(db: &'db dyn Db, item: Item<'db>) -> Option<Checked> {
    let has_body = match &items::tree_of(db, item).kind {
        ItemKind::Const(_) | ItemKind::On(_) | ItemKind::Test(_) => true,
        ItemKind::Callable(callable) => {
            matches!(callable.body, CallableBody::Block(_) | CallableBody::Expr(_))
                && callable.kind != CallableKind::Node
        }
        _ => false,
    };
    has_body.then(|| deep(|| check::check_body(db, item.def(db))))
}

fn no_body(_: &dyn Db, _: salsa::Id, _: Item<'_>) -> Option<Checked> {
    Some(Checked::default())
}

fn settle_body(
    _: &dyn Db,
    cycle: &salsa::Cycle<'_>,
    last: &Option<Checked>,
    value: Option<Checked>,
    _: Item<'_>,
) -> Option<Checked> {
    settle(cycle, last, value)
}

/// The checked default of a parameter or field.
#[salsa::tracked(cycle_initial = no_default, cycle_fn = settle_default)]
pub(crate) fn checked_default<'db>(db: &'db dyn Db, item: Item<'db>, index: u32) -> Option<Checked> {
    has_default(db, item, index).then(|| deep(|| check::check_default(db, item.def(db), index)))
}

fn no_default(_: &dyn Db, _: salsa::Id, _: Item<'_>, _: u32) -> Option<Checked> {
    Some(Checked::default())
}

fn settle_default(
    _: &dyn Db,
    cycle: &salsa::Cycle<'_>,
    last: &Option<Checked>,
    value: Option<Checked>,
    _: Item<'_>,
    _: u32,
) -> Option<Checked> {
    settle(cycle, last, value)
}

fn has_default<'db>(db: &'db dyn Db, item: Item<'db>, index: u32) -> bool {
    let at = index as usize;
    match &items::tree_of(db, item).kind {
        ItemKind::Callable(callable) => callable.params.get(at).is_some_and(|param| param.default.is_some()),
        ItemKind::Type(decl) => match &decl.ty.kind {
            ntl_syntax::ast::TypeKind::Record(fields) => fields.get(at).is_some_and(|field| field.default.is_some()),
            _ => false,
        },
        _ => false,
    }
}

/// The places of the parameters or fields of an item that have defaults.
pub(crate) fn defaults<'db>(db: &'db dyn Db, item: Item<'db>) -> Vec<u32> {
    let count = match &items::tree_of(db, item).kind {
        ItemKind::Callable(callable) => callable.params.len(),
        ItemKind::Type(decl) => match &decl.ty.kind {
            ntl_syntax::ast::TypeKind::Record(fields) => fields.len(),
            _ => 0,
        },
        _ => 0,
    };
    (0..u32::try_from(count).unwrap_or(u32::MAX)).filter(|index| has_default(db, item, *index)).collect()
}

/// The types of a callable's outputs.
#[salsa::tracked(cycle_initial = no_types, cycle_fn = settle_types)]
pub(crate) fn output_types<'db>(db: &'db dyn Db, item: Item<'db>) -> Vec<Type> {
    let Some(signature) = signature(db, item) else { return Vec::new() };
    let outputs = &signature.outputs;
    // A body is looked at only where a type is not written.
    let body =
        outputs.iter().any(|output| output.ty.is_none()).then(|| checked_body(db, item)).and_then(Option::as_ref);
    outputs
        .iter()
        .map(|output| {
            let inferred = || {
                let (_, value) = body?.body.outputs.iter().find(|(name, _)| *name == output.name)?;
                Some(value.ty.clone()).filter(|ty| !is_too_big(ty))
            };
            output.ty.clone().or_else(inferred).unwrap_or(Type::Unknown)
        })
        .collect()
}

fn no_types(_: &dyn Db, _: salsa::Id, _: Item<'_>) -> Vec<Type> {
    Vec::new()
}

fn settle_types(_: &dyn Db, cycle: &salsa::Cycle<'_>, last: &Vec<Type>, value: Vec<Type>, _: Item<'_>) -> Vec<Type> {
    settle(cycle, last, value)
}

/// The type of a constant or secret.
#[salsa::tracked(cycle_initial = no_type, cycle_fn = settle_type)]
pub(crate) fn const_type<'db>(db: &'db dyn Db, item: Item<'db>) -> Type {
    if item.def(db).space == Space::Secret {
        return Type::Secret;
    }
    if let Some(ty) = declared_const(db, item).as_ref().and_then(|declared| declared.value.clone()) {
        return ty;
    }
    let value = checked_body(db, item).as_ref().and_then(|checked| checked.body.block.value.as_ref());
    value.map(|value| value.ty.clone()).filter(|ty| !is_too_big(ty)).unwrap_or(Type::Unknown)
}

fn no_type(_: &dyn Db, _: salsa::Id, _: Item<'_>) -> Type {
    Type::Unknown
}

fn settle_type(_: &dyn Db, cycle: &salsa::Cycle<'_>, last: &Type, value: Type, _: Item<'_>) -> Type {
    settle(cycle, last, value)
}

/// How far a callable reaches.
#[salsa::tracked(returns(copy), cycle_initial = no_effect, cycle_fn = settle_effect)]
pub(crate) fn effect<'db>(db: &'db dyn Db, item: Item<'db>) -> Effect {
    let Some(signature) = signature(db, item) else { return Effect::Pure };
    match signature.kind {
        CallableKind::Fn | CallableKind::Node => signature.facts.effect,
        CallableKind::Prompt | CallableKind::Agent => Effect::External,
        CallableKind::Workflow => deep(|| {
            let called = needed(db, item).iter().filter(|def| def.space == Space::Callable);
            let reach = called.filter_map(|def| items::item(db, def)).map(|item| effect(db, item));
            reach.max().unwrap_or(Effect::Pure)
        }),
    }
}

fn no_effect(_: &dyn Db, _: salsa::Id, _: Item<'_>) -> Effect {
    Effect::Pure
}

fn settle_effect(_: &dyn Db, cycle: &salsa::Cycle<'_>, last: &Effect, value: Effect, _: Item<'_>) -> Effect {
    settle(cycle, last, value)
}

/// Whether a node must not be called twice for one call.
pub(crate) fn is_risky_node(signature: &Signature) -> bool {
    let facts = &signature.facts;
    signature.kind == CallableKind::Node
        && matches!(facts.effect, Effect::Write | Effect::External)
        && !facts.retry_safe
}

/// Whether a workflow calls, at whatever distance, what must not be called twice.
pub(crate) fn is_risky_item(db: &dyn Db, def: &Def) -> bool {
    items::item(db, def).is_some_and(|item| is_risky(db, item))
}

#[salsa::tracked(returns(copy), cycle_initial = not_risky, cycle_fn = settle_risky)]
fn is_risky<'db>(db: &'db dyn Db, item: Item<'db>) -> bool {
    let Some(signature) = signature(db, item) else { return false };
    let calls = |need: &&Need| need.def.space == Space::Callable;
    match signature.kind {
        CallableKind::Workflow => {
            deep(|| needs(db, item).iter().filter(calls).any(|need| is_risky_item(db, &need.def)))
        }
        _ => is_risky_node(signature),
    }
}

fn not_risky(_: &dyn Db, _: salsa::Id, _: Item<'_>) -> bool {
    false
}

fn settle_risky(_: &dyn Db, cycle: &salsa::Cycle<'_>, last: &bool, value: bool, _: Item<'_>) -> bool {
    settle(cycle, last, value)
}

/// A definition that another one cannot do without: it calls it, names it, or takes its value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Need {
    pub def: Def,
    /// Where it is needed first.
    pub span: Span,
}

/// What an item needs, but not where: equal while an edit names nothing new.
#[salsa::tracked]
pub(crate) fn needed<'db>(db: &'db dyn Db, item: Item<'db>) -> Vec<Def> {
    needs(db, item).iter().map(|need| need.def.clone()).collect()
}

/// What the bodies and defaults of an item need, each once, in order.
#[salsa::tracked]
pub(crate) fn needs<'db>(db: &'db dyn Db, item: Item<'db>) -> Vec<Need> {
    let mut found: Vec<Need> = Vec::new();
    let mut add = |def: &Def, span: Span| {
        if !found.iter().any(|need| need.def == *def) {
            found.push(Need { def: def.clone(), span });
        }
    };
    let mut look = |body: &Body| {
        each_expr(body, &mut |expr| match &expr.kind {
            ExprKind::Call(call) => match &call.callee {
                Callee::Item(def) => add(def, expr.span),
                Callee::Value(_) => {}
            },
            // The default of a field; that of a parameter is a need of whom it belongs to.
            ExprKind::Default(def, _) if def.space == Space::Type => add(def, expr.span),
            ExprKind::ConstItem(def) | ExprKind::FnItem(def) => add(def, expr.span),
            _ => {}
        });
    };
    if let Some(checked) = checked_body(db, item) {
        look(&checked.body);
    }
    for index in defaults(db, item) {
        if let Some(checked) = checked_default(db, item, index) {
            look(&checked.body);
        }
    }
    found
}
