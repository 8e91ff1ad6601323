//! What stands in prompts, agents, tests and `on`: settings, tools, mocks, triggers.

use super::{Checker, Expect, Want, branch::must, function::Named};
use crate::db::Def;
use crate::hir;
use crate::names::nearest;
use crate::query;
use crate::ty::{Field, Record, Type};
use crate::types;
use ntl_syntax::ast::{self, CallableKind};
use rustc_hash::FxHashMap;
use smol_str::SmolStr;
use std::sync::Arc;

fn record(fields: &[(&str, Type)]) -> Type {
    let field =
        |(name, ty): &(&str, Type)| Field { name: SmolStr::new(name), key: None, ty: ty.clone(), has_default: false };
    Type::Record(Arc::new(Record { fields: fields.iter().map(field).collect() }))
}

fn optional(ty: Type) -> Type {
    types::union([ty, Type::Null])
}

/// The bindings of a prompt or agent that say how it is asked.
pub(super) fn settings(kind: CallableKind) -> FxHashMap<SmolStr, Option<Type>> {
    let mut known = vec![
        ("model", Type::Opaque(SmolStr::new("language_model"))),
        ("system", Type::Str),
        ("temperature", Type::Float),
        ("max_tokens", Type::Int),
        ("images", Type::List(Arc::new(Type::Opaque(SmolStr::new("image"))))),
    ];
    if kind == CallableKind::Agent {
        known.push(("tools", Type::Unknown));
        known.push((
            "budget",
            record(&[
                ("usd", optional(Type::Float)),
                ("turns", optional(Type::Int)),
                ("tokens", optional(Type::Int)),
                ("time", optional(Type::Duration)),
            ]),
        ));
    }
    known.into_iter().map(|(name, ty)| (SmolStr::new(name), Some(ty))).collect()
}

/// What a trigger tells: its name, what it takes, and the event.
fn triggers() -> [(&'static str, Type); 2] {
    let texts = || Type::Dict(Arc::new(Type::Str), Arc::new(Type::Str));
    [
        ("schedule", record(&[("time", Type::Datetime)])),
        (
            "webhook",
            record(&[
                ("method", Type::Str),
                ("path", Type::Str),
                ("query", texts()),
                ("headers", texts()),
                ("body", Type::Json),
            ]),
        ),
    ]
}

impl Checker<'_> {
    /// The trigger of an `on`; gives the type of its event.
    pub(super) fn trigger(&mut self, tree: &ast::Expr) -> Type {
        let ast::ExprKind::Call { callee, args, .. } = &tree.kind else {
            if !matches!(tree.kind, ast::ExprKind::Error) {
                self.say_no_trigger(tree.span);
            }
            return Type::Unknown;
        };
        let ast::ExprKind::Name(name) = &callee.kind else {
            self.say_no_trigger(callee.span);
            return Type::Unknown;
        };
        let known = triggers();
        let Some((_, event)) = known.iter().find(|(known, _)| *known == name.text) else {
            let near = nearest(&name.text, known.iter().map(|(known, _)| known));
            self.say_unknown_trigger(name, near);
            return Type::Unknown;
        };
        match args.as_slice() {
            [ast::Arg { name: None, value: Some(value), .. }] => {
                self.check(value, &Type::Str, Want::Of("what a trigger waits for"));
            }
            _ => self.say_trigger_arguments(name, tree.span),
        }
        event.clone()
    }

    /// `tools = [web.search, greet]`.
    pub(super) fn tools(&mut self, tree: &ast::Expr) {
        let ast::ExprKind::List(items) = &tree.kind else {
            self.say_no_tools(tree.span);
            return;
        };
        for item in items {
            match self.named_function(item) {
                Some(Named::Items(_, items)) => {
                    self.out.tools.extend(items.into_iter().map(|(def, _)| (def, item.span)));
                }
                Some(Named::Told) => {}
                Some(Named::Local(..)) => self.say_no_tool(item.span),
                None => match &item.kind {
                    ast::ExprKind::Name(name) if self.sees(&name.text).is_none() => self.say_unknown_function(name),
                    _ => self.say_no_tool(item.span),
                },
            }
        }
        // What a model may call is called.
        self.doing.effect = true;
        self.doing.changes = true;
    }

    /// `mock target => value`.
    pub(super) fn mock(&mut self, target: &ast::Expr, value: &ast::Expr) -> Option<(Def, hir::Expr)> {
        let target = match &target.kind {
            ast::ExprKind::Call { callee, .. } => callee,
            _ => target,
        };
        let found = match self.named_function(target) {
            Some(Named::Items(_, items)) => items,
            Some(Named::Told) => Vec::new(),
            Some(Named::Local(..)) => {
                self.say_not_mocked(target.span);
                Vec::new()
            }
            None => {
                match &target.kind {
                    ast::ExprKind::Name(name) => self.say_unknown_function(name),
                    _ => self.say_not_mocked(target.span),
                }
                Vec::new()
            }
        };
        let Some((def, signature)) = found.into_iter().next() else {
            self.expr(value, Expect::Nothing);
            return None;
        };
        let outputs: Vec<Type> = self
            .outputs_of(&def, signature)
            .into_iter()
            .zip(&signature.outputs)
            .map(|(ty, output)| match output.flow {
                // What comes over time is given at once.
                query::Flow::Plain => ty,
                _ => Type::List(Arc::new(ty)),
            })
            .collect();
        let ty = match signature.type_params.is_empty() {
            true => super::apply::result_of(signature, &outputs),
            false => Type::Any,
        };
        let want = Want::Result(&def.name);
        let value_checked = self.expr(value, must(&ty, want));
        let value = self.coerce(value_checked, &ty, want, Some(value));
        Some((def, value))
    }
}
