//! Whole bodies: of callables, constants, tests, `on`, and defaults.

use super::{
    Checker, Expect, Want, agent,
    block::{Done, Kind, Tail},
    branch::must,
};
use crate::constant::Known;
use crate::db::{Db, Def};
use crate::hir::{self, Block, LocalId, LocalKind, Scope, Source, SourceId};
use crate::items;
use crate::query::{self, Checked, Flow, Output, Signature};
use crate::ty::Type;
use crate::types;
use ntl_syntax::ast::{self, CallableBody, CallableKind, ItemKind, TypeKind};
use rustc_hash::FxHashMap;
use smol_str::SmolStr;

/// Checks the body of a callable, const, test or `on`.
pub(crate) fn check_body(db: &dyn Db, def: &Def) -> Checked {
    let mut checker = Checker::new(db, def);
    match items::tree(db, def).map(|item| &item.kind) {
        Some(ItemKind::Callable(callable)) => checker.callable(callable),
        Some(ItemKind::Const(decl)) => checker.constant_item(decl),
        Some(ItemKind::Test(test)) => checker.test(test),
        Some(ItemKind::On(on)) => checker.on(on),
        _ => {}
    }
    checker.finish()
}

/// Checks the default of parameter or field `index` of a callable or user type, as a body of its own.
pub(crate) fn check_default(db: &dyn Db, def: &Def, index: u32) -> Checked {
    let mut checker = Checker::new(db, def);
    let at = index as usize;
    match items::tree(db, def).map(|item| &item.kind) {
        Some(ItemKind::Callable(callable)) => {
            let param = query::signature(db, def).and_then(|signature| {
                checker.type_params.clone_from(&signature.type_params);
                signature.params.get(at)
            });
            let default = callable.params.get(at).and_then(|param| param.default.as_ref());
            if let (Some(param), Some(default)) = (param, default) {
                let ty = match param.flow {
                    Flow::Plain => param.ty.clone(),
                    _ => Type::List(std::sync::Arc::new(param.ty.clone())),
                };
                checker.default(default, &ty, &param.name, Some(param));
            }
        }
        Some(ItemKind::Type(decl)) => {
            let TypeKind::Record(fields) = &decl.ty.kind else { return checker.finish() };
            let field = fields.get(at);
            let record = types::as_record(db, &query::named_type(db, def));
            let known = field.and_then(|field| record.as_ref()?.fields.iter().find(|f| f.name == field.name.text));
            if let Some(default) = field.and_then(|field| field.default.as_ref()) {
                // A field whose type has an error has none; its default is looked at all the same.
                let (ty, name) = known.map_or((Type::Unknown, ""), |known| (known.ty.clone(), known.name.as_str()));
                checker.default(default, &ty, name, None);
            }
        }
        _ => {}
    }
    checker.finish()
}

impl Checker<'_> {
    fn finish(self) -> Checked {
        Checked { body: self.out, diagnostics: self.diagnostics }
    }

    fn only_value(&mut self, value: hir::Expr) {
        let span = value.span;
        self.out.block = Block { stmts: Vec::new(), value: Some(Box::new(value)), span };
    }

    fn default(&mut self, tree: &ast::Expr, ty: &Type, name: &str, param: Option<&query::Param>) {
        self.pure_in = Some("a default");
        let value = self.wanted(tree, ty, Want::Written(name));
        self.tell_failing(&value);
        if let Some(param) = param {
            self.check_bounds(param, &value);
        }
        self.only_value(value);
    }

    /// Tells a value that is sure to fail.
    fn tell_failing(&mut self, value: &hir::Expr) {
        if let Known::Fails(span, wrong) = self.known_value(value) {
            self.say_fails(wrong, span);
        }
    }

    fn wanted(&mut self, tree: &ast::Expr, ty: &Type, want: Want<'_>) -> hir::Expr {
        let value = self.expr(tree, must(ty, want));
        self.coerce(value, ty, want, Some(tree))
    }

    fn constant_item(&mut self, decl: &ast::Const) {
        self.pure_in = Some("a constant");
        let value = match query::written_const_type(self.db, &self.def) {
            Some(ty) => self.wanted(&decl.value, &ty, Want::Written(&decl.name.text)),
            None => self.expr(&decl.value, Expect::Nothing),
        };
        if types::is_too_big(&value.ty) {
            self.say_too_big(Some(&decl.name), decl.value.span);
        }
        self.tell_failing(&value);
        self.only_value(value);
    }

    fn test(&mut self, test: &ast::Test) {
        self.in_test = true;
        let done = self.statements(&test.body, Kind::Inner, Tail::Statement);
        self.warn_unused_of(&done);
        self.out.block = Block { stmts: done.stmts, value: None, span: test.body.span };
    }

    fn on(&mut self, on: &ast::On) {
        let event = self.trigger(&on.trigger);
        if let Some(name) = &on.binding {
            let id = self.local(&name.text, event, Scope::new(), name.span, LocalKind::Param);
            self.enter(name, id);
            self.out.params.push(id);
        }
        let done = self.statements(&on.body, Kind::Inner, Tail::Statement);
        self.warn_unused_of(&done);
        self.out.block = Block { stmts: done.stmts, value: None, span: on.body.span };
    }

    fn callable(&mut self, callable: &ast::Callable) {
        let Some(signature) = query::signature(self.db, &self.def) else { return };
        self.type_params.clone_from(&signature.type_params);
        if callable.kind == CallableKind::Fn {
            self.pure_in = Some("a `fn`");
        }
        self.params(callable, signature);
        match &callable.body {
            CallableBody::Host | CallableBody::Code(_) | CallableBody::Error => {}
            CallableBody::Expr(tree) => {
                let ty = signature.outputs.first().and_then(|output| output.ty.clone()).unwrap_or(Type::Unknown);
                let value = self.wanted(tree, &ty, Want::Result(&callable.name.text));
                self.only_value(value);
            }
            CallableBody::Block(block) => match callable.kind {
                CallableKind::Prompt | CallableKind::Agent => self.prompt(callable, block),
                CallableKind::Fn | CallableKind::Node | CallableKind::Workflow => {
                    self.block_of(callable, signature, block);
                }
            },
        }
    }

    fn params(&mut self, callable: &ast::Callable, signature: &Signature) {
        let mut scopes: Vec<(SmolStr, SourceId)> = Vec::new();
        for (at, param) in signature.params.iter().enumerate() {
            let is_it = |tree: &&ast::Param| tree.name.text == param.name;
            let here = callable.params.get(at).filter(is_it);
            let Some(tree) = here.or_else(|| callable.params.iter().find(is_it)) else { continue };
            let scope = match &param.flow {
                Flow::Plain => Scope::new(),
                Flow::Stream => {
                    let id = SourceId(self.out.sources.len() as u32);
                    let source = Source { name: param.name.clone(), scope: Scope::new(), span: tree.name.span };
                    self.out.sources.push(source);
                    self.layers.push(0);
                    scopes.push((param.name.clone(), id));
                    vec![id]
                }
                Flow::Per(of) => {
                    scopes.iter().find(|(name, _)| name == of).map(|(_, id)| vec![*id]).unwrap_or_default()
                }
            };
            let id = self.local(&param.name, param.ty.clone(), scope, tree.name.span, LocalKind::Param);
            self.enter(&tree.name, id);
            self.out.params.push(id);
        }
    }

    fn prompt(&mut self, callable: &ast::Callable, block: &ast::Block) {
        let settings = agent::settings(callable.kind);
        let want = Want::Of("the text of a prompt");
        let done = self.statements(block, Kind::Settings(&settings), Tail::Value(Expect::Must(&Type::Str, want)));
        for (id, _) in &done.binders {
            if settings.contains_key(&self.local_of(*id).name) {
                self.info(*id).used = true;
            }
        }
        self.warn_unused_of(&done);
        if let Some(value) = &done.value {
            self.say_varying_result(value, &callable.name.text);
        }
        self.out.block = Block { stmts: done.stmts, value: done.value.map(Box::new), span: block.span };
    }

    fn block_of(&mut self, callable: &ast::Callable, signature: &Signature, block: &ast::Block) {
        let is_single = matches!(callable.outputs, ast::Outputs::One(_));
        let types: FxHashMap<SmolStr, Option<Type>> = match (is_single, signature.outputs.first()) {
            (true, Some(only)) => FxHashMap::from_iter([(SmolStr::new("output"), only.ty.clone())]),
            _ => signature.outputs.iter().map(|output| (output.name.clone(), output.ty.clone())).collect(),
        };
        let result = signature.outputs.first().filter(|_| is_single).and_then(|output| output.ty.clone());
        let want = Want::Result(&callable.name.text);
        let tail = match (is_single, &result) {
            (true, Some(ty)) => Tail::Result(must(ty, want)),
            (true, None) => Tail::Result(Expect::Nothing),
            _ => Tail::Statement,
        };
        let mut done = self.statements(block, Kind::Outputs(&types), tail);
        if is_single {
            let output = signature.outputs.first();
            if let Some(value) = done.value.take() {
                let value = match &result {
                    Some(ty) => self.coerce(value, ty, want, None),
                    None => value,
                };
                if let Some(output) = output {
                    self.check_flow(output, &callable.name.text, &value, &[]);
                    self.check_dropped(output, &callable.name.text, &value);
                }
                done.value = Some(value);
            }
        } else {
            self.bind_outputs(callable, signature, &done);
        }
        self.warn_unused_of(&done);
        self.out.block = Block { stmts: done.stmts, value: done.value.map(Box::new), span: block.span };
    }

    /// Gives out the bindings that are outputs by name.
    fn bind_outputs(&mut self, callable: &ast::Callable, signature: &Signature, done: &Done) {
        let mut given: Vec<(SmolStr, hir::Expr)> = Vec::with_capacity(signature.outputs.len());
        let mut missing: Vec<&Output> = Vec::new();
        for output in &signature.outputs {
            let Some(id) = done.bound.get(&output.name).copied() else {
                missing.push(output);
                given.push((output.name.clone(), self.broken(query::output_span(self.db, &self.def, &output.name))));
                continue;
            };
            self.info(id).used = true;
            let span = self.local_of(id).span;
            let value = self.read(id, span);
            let value = match &output.ty {
                Some(ty) => self.coerce(value, ty, Want::Output(&output.name), None),
                // Callers need not know which literal it is.
                None => hir::Expr { ty: types::widen(&value.ty), ..value },
            };
            given.push((output.name.clone(), value));
        }
        let scopes: Vec<(SmolStr, Scope)> =
            given.iter().map(|(name, value)| (name.clone(), value.scope.clone())).collect();
        for (output, (_, value)) in signature.outputs.iter().zip(&given) {
            self.check_flow(output, &output.name, value, &scopes);
            self.check_dropped(output, &output.name, value);
        }
        for output in missing {
            self.tell_missing(callable, signature, output, done);
        }
        self.out.outputs = given;
    }

    /// Tells an output that no binding gives; a binding of a near name was probably meant.
    fn tell_missing(&mut self, callable: &ast::Callable, signature: &Signature, output: &Output, done: &Done) {
        let free: Vec<LocalId> = done
            .binders
            .iter()
            .map(|(id, _)| *id)
            .filter(|id| {
                let name = &self.local_of(*id).name;
                !self.info[id.0 as usize].used && !signature.outputs.iter().any(|output| output.name == *name)
            })
            .collect();
        let near = crate::names::nearest(&output.name, free.iter().map(|id| &self.local_of(*id).name));
        let meant = near.and_then(|near| free.into_iter().find(|id| self.local_of(*id).name == near));
        if let Some(id) = meant {
            self.info(id).used = true;
        }
        self.say_missing_output(&callable.name, output, meant);
    }

    /// Whether an output varies as it is declared to.
    fn check_flow(&mut self, output: &Output, name: &str, value: &hir::Expr, others: &[(SmolStr, Scope)]) {
        if types::has_unknown(&value.ty) {
            return;
        }
        match (&output.flow, value.scope.as_slice()) {
            (Flow::Plain, []) | (Flow::Stream, [_]) => {}
            (Flow::Plain, scope) => self.say_varying_output(name, value, scope),
            (Flow::Stream, []) => self.say_output_does_not_vary(name, value),
            (Flow::Stream, scope) => self.say_output_varies_twice(name, value, scope),
            (Flow::Per(of), scope) => {
                let with = others.iter().find(|(other, _)| other == of).map(|(_, scope)| scope.as_slice());
                if with.is_some_and(|with| with != scope) {
                    self.say_output_varies_otherwise(name, of, value);
                }
            }
        }
    }

    /// A value that `filter` may drop is no plain output.
    fn check_dropped(&mut self, output: &Output, name: &str, value: &hir::Expr) {
        let drops = match &value.kind {
            hir::ExprKind::Local(id) => self.info[id.0 as usize].drops,
            _ => self.doing.drops,
        };
        let takes_null = output.ty.as_ref().is_none_or(|ty| super::access::takes_null(self.db, ty));
        if drops && output.flow == Flow::Plain && value.scope.is_empty() && !takes_null {
            self.say_dropped_output(name, value);
        }
    }
}
