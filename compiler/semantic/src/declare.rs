//! What declarations say: signatures, user types, types of constants. Nothing here looks into a body.

use crate::annotations::{self, On};
use crate::db::{Db, Def, Space};
use crate::diagnostic::{Diagnostic, Place};
use crate::diagnostics::{declarations as say, names as say_names, types as say_types};
use crate::items::{self, Item};
use crate::modules::std_module;
use crate::names::nearest;
use crate::query::{Effect, Facts, Flow, Output, Param, Signature, named_type, output_span};
use crate::ty::{Bound, Type};
use crate::types::{self, Site, TypeScope, lower_declared, unfold};
use ntl_syntax::ast::{self, CallableBody, CallableKind, ItemKind, Name, Outputs, Span};
use rustc_hash::FxHashMap;
use smol_str::SmolStr;

/// A declaration as far as it has been understood.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Declared<T> {
    pub value: T,
    /// Types written as keys of dicts, still to be checked.
    pub keys: Vec<(Type, Span)>,
    pub diagnostics: Vec<Diagnostic>,
}

/// What lowering a declaration collects.
struct Context<'a> {
    db: &'a dyn Db,
    def: &'a Def,
    type_params: Vec<(SmolStr, Bound)>,
    keys: Vec<(Type, Span)>,
    diagnostics: Vec<Diagnostic>,
}

impl<'a> Context<'a> {
    fn new(db: &'a dyn Db, def: &'a Def) -> Self {
        Context { db, def, type_params: Vec::new(), keys: Vec::new(), diagnostics: Vec::new() }
    }

    fn place(&self, span: Span) -> Place {
        Place { def: self.def.clone(), span }
    }

    fn lower(&mut self, site: Site, ty: &ast::TypeExpr) -> (Type, Flow) {
        let scope = TypeScope { def: self.def, params: &self.type_params };
        let lowered = lower_declared(self.db, scope, site, ty, &mut self.diagnostics);
        self.keys.extend(lowered.keys);
        (lowered.ty, lowered.flow)
    }

    fn finish<T>(self, value: T) -> Declared<T> {
        Declared { value, keys: self.keys, diagnostics: self.diagnostics }
    }

    /// Keeps the first of several names; tells the others.
    fn unrepeated<'n, T>(&mut self, what: &str, list: &'n [T], name: impl Fn(&'n T) -> &'n Name) -> Vec<&'n T> {
        let mut kept: Vec<&T> = Vec::with_capacity(list.len());
        let mut known: FxHashMap<&SmolStr, Span> = FxHashMap::default();
        for entry in list {
            let this = name(entry);
            if let Some(first) = known.get(&this.text) {
                let (place, first) = (self.place(this.span), self.place(*first));
                self.diagnostics.push(say_names::repeated(place, what, &this.text, first));
                continue;
            }
            known.insert(&this.text, this.span);
            kept.push(entry);
        }
        kept
    }
}

/// The signature of a callable by itself: equal while only what is wrong with it, or where, changes.
#[salsa::tracked]
pub(crate) fn signature<'db>(db: &'db dyn Db, item: Item<'db>) -> Option<Signature> {
    declared_signature(db, item).as_ref().map(|declared| declared.value.clone())
}

/// The signature of a callable, and what is wrong with it.
#[salsa::tracked]
pub(crate) fn declared_signature<'db>(db: &'db dyn Db, item: Item<'db>) -> Option<Declared<Signature>> {
    let tree = items::tree_of(db, item);
    let ItemKind::Callable(callable) = &tree.kind else { return None };
    let mut cx = Context::new(db, item.def(db));
    let is_std = std_module(db, cx.def.file).is_some();
    let is_host = matches!(callable.body, CallableBody::Host);
    check_shape(&mut cx, callable, is_std);

    cx.type_params = type_params(&mut cx, callable);
    let facts = annotations::read(cx.def, &tree.annotations, On::item(&tree.kind));
    cx.diagnostics.extend(facts.diagnostics.iter().cloned());

    let is_fn = callable.kind == CallableKind::Fn;
    let allow_fn = is_fn || (is_host && callable.kind == CallableKind::Node);
    let params = cx.unrepeated("parameter", &callable.params, |param| &param.name);
    let params: Vec<Param> = params
        .into_iter()
        .map(|param| {
            let (ty, flow) = cx.lower(Site::Param { allow_stream: !is_fn, allow_fn }, &param.ty);
            let bounds = annotations::read(cx.def, &param.annotations, On::Param);
            cx.diagnostics.extend(bounds.diagnostics);
            check_bounds(&mut cx, param, &ty, bounds.min, bounds.max);
            Param {
                name: param.name.text.clone(),
                optional: param.default.is_some() || types::is_nullable(db, &ty),
                has_default: param.default.is_some(),
                ty,
                flow,
                min: bounds.min,
                max: bounds.max,
            }
        })
        .collect();
    let outputs = outputs(&mut cx, callable, &params);

    let touches = facts.touches.into_iter().filter_map(|(kind, touched)| {
        if params.iter().any(|param| param.name == touched.text) {
            return Some((kind, touched.text));
        }
        let near = nearest(&touched.text, params.iter().map(|param| &param.name));
        let place = cx.place(touched.span);
        cx.diagnostics.push(say::touches_unknown(place, &kind, &touched.text, near));
        None
    });
    let touches = touches.collect();
    let effect = match callable.kind {
        CallableKind::Fn => Effect::Pure,
        _ => facts.effect.unwrap_or(Effect::External),
    };
    let facts = Facts {
        effect,
        retry_safe: facts.retry_safe,
        drops: facts.drops,
        cache: facts.cache,
        touches,
        secrets: facts.secrets,
        deprecated: facts.deprecated,
        version: facts.version.unwrap_or(1),
    };
    let type_params = std::mem::take(&mut cx.type_params);
    Some(cx.finish(Signature { kind: callable.kind, type_params, params, outputs, facts, is_host }))
}

/// Whether there is a body, in a language that is known. That a body is of a kind that goes with the keyword is a matter of
/// syntax.
fn check_shape(cx: &mut Context<'_>, callable: &ast::Callable, is_std: bool) {
    let name = &callable.name;
    match (callable.kind, &callable.body) {
        (CallableKind::Fn | CallableKind::Node, CallableBody::Host) if is_std => {}
        (kind, CallableBody::Host) => {
            let place = cx.place(name.span);
            cx.diagnostics.push(say::no_body(place, &name.text, keyword(kind)));
        }
        _ => {}
    }
    if let CallableBody::Code(code) = &callable.body
        && code.lang.text != "js"
    {
        let place = cx.place(code.lang.span);
        cx.diagnostics.push(say::unknown_code_language(place, &code.lang.text));
    }
}

fn keyword(kind: CallableKind) -> &'static str {
    match kind {
        CallableKind::Fn => "fn",
        CallableKind::Node => "node",
        CallableKind::Workflow => "workflow",
        CallableKind::Prompt => "prompt",
        CallableKind::Agent => "agent",
    }
}

fn type_params(cx: &mut Context<'_>, callable: &ast::Callable) -> Vec<(SmolStr, Bound)> {
    let params = cx.unrepeated("type parameter", &callable.type_params, |param| &param.name);
    params
        .into_iter()
        .map(|param| {
            if types::is_builtin(&param.name.text) {
                let place = cx.place(param.name.span);
                cx.diagnostics.push(say_names::builtin_type(place, &param.name.text));
            }
            let bound = param.bound.as_ref().map_or(Bound::None, |written| {
                bound(&written.text).unwrap_or_else(|| {
                    let near = nearest(&written.text, ["number", "ordered", "key"]);
                    let place = cx.place(written.span);
                    cx.diagnostics.push(say::unknown_bound(place, &written.text, near.clone()));
                    // Taken for what was probably meant, so that its uses are not blamed.
                    near.and_then(|near| bound(&near)).unwrap_or(Bound::None)
                })
            });
            (param.name.text.clone(), bound)
        })
        .collect()
}

fn bound(word: &str) -> Option<Bound> {
    match word {
        "number" => Some(Bound::Number),
        "ordered" => Some(Bound::Ordered),
        "key" => Some(Bound::Key),
        _ => None,
    }
}

/// `@min` and `@max` bound numbers, and not crosswise.
fn check_bounds(cx: &mut Context<'_>, param: &ast::Param, ty: &Type, min: Option<f64>, max: Option<f64>) {
    if min.is_none() && max.is_none() {
        return;
    }
    let span = param.annotations.first().map_or(param.span, |annotation| annotation.span);
    let place = cx.place(span);
    let is_number = |ty: &Type| matches!(unfold(cx.db, ty), Type::Int | Type::Float | Type::Null | Type::Unknown);
    if !types::members(cx.db, ty).iter().all(is_number) {
        let shown = types::display(cx.db, ty);
        cx.diagnostics.push(say::bound_on_other(place, &param.name.text, &shown));
    } else if let (Some(min), Some(max)) = (min, max)
        && min > max
    {
        cx.diagnostics.push(say::crossed_bounds(place, &param.name.text));
    }
}

fn outputs(cx: &mut Context<'_>, callable: &ast::Callable, params: &[Param]) -> Vec<Output> {
    let allow_stream = callable.kind != CallableKind::Fn;
    let has_body = matches!(callable.body, CallableBody::Block(_) | CallableBody::Expr(_) | CallableBody::Error);
    let outputs = match &callable.outputs {
        Outputs::None => {
            let is_fn = callable.kind == CallableKind::Fn && callable.body != CallableBody::Error;
            if is_fn || !has_body {
                let place = cx.place(callable.name.span);
                cx.diagnostics.push(say::no_outputs(place, &callable.name.text, keyword(callable.kind)));
            }
            Vec::new()
        }
        Outputs::One(ty) => {
            let (ty, flow) = cx.lower(Site::Output { allow_stream }, ty);
            vec![Output { name: SmolStr::default(), ty: Some(ty), flow }]
        }
        Outputs::Named(decls) => {
            let decls = cx.unrepeated("output", decls, |decl| &decl.name);
            decls
                .into_iter()
                .map(|decl| {
                    let written = decl.ty.as_ref().map(|ty| cx.lower(Site::Output { allow_stream }, ty));
                    if written.is_none() && !has_body {
                        let place = cx.place(decl.span);
                        cx.diagnostics.push(say::output_needs_type(place, &decl.name.text, keyword(callable.kind)));
                    }
                    let (ty, flow) = written.map_or((None, Flow::Plain), |(ty, flow)| (Some(ty), flow));
                    Output { name: decl.name.text.clone(), ty, flow }
                })
                .collect()
        }
    };
    for output in &outputs {
        let Flow::Per(source) = &output.flow else { continue };
        let streams: Vec<&SmolStr> = params
            .iter()
            .filter(|param| param.flow == Flow::Stream)
            .map(|param| &param.name)
            .chain(outputs.iter().filter(|output| output.flow == Flow::Stream).map(|output| &output.name))
            .collect();
        if !streams.contains(&source) {
            let near = nearest(source, &streams).or_else(|| streams.first().map(|name| (*name).clone()));
            let place = cx.place(output_span(cx.db, cx.def, &output.name));
            cx.diagnostics.push(say_types::per_what(place, source, near));
        }
    }
    outputs
}

/// What a user type stands for, as written: perhaps endlessly.
#[salsa::tracked]
pub(crate) fn declared_type<'db>(db: &'db dyn Db, item: Item<'db>) -> Option<Declared<Type>> {
    let tree = items::tree_of(db, item);
    let ItemKind::Type(decl) = &tree.kind else { return None };
    let mut cx = Context::new(db, item.def(db));
    let facts = annotations::read(cx.def, &tree.annotations, On::Plain);
    cx.diagnostics.extend(facts.diagnostics);
    if types::is_builtin(&decl.name.text) {
        let place = cx.place(decl.name.span);
        cx.diagnostics.push(say_names::builtin_type(place, &decl.name.text));
    }
    let (ty, _) = cx.lower(Site::Alias, &decl.ty);
    Some(cx.finish(ty))
}

/// What a user type stands for, never a name again; [`Type::Unknown`] if it is but another name of itself.
#[salsa::tracked(cycle_result = endless)]
pub(crate) fn resolved_type<'db>(db: &'db dyn Db, item: Item<'db>) -> Type {
    match declared_type(db, item).as_ref().map(|declared| &declared.value) {
        Some(Type::Named(def)) => crate::deep(|| named_type(db, def)),
        Some(ty) => ty.clone(),
        None => Type::Unknown,
    }
}

fn endless(_: &dyn Db, _: salsa::Id, _: Item<'_>) -> Type {
    Type::Unknown
}

/// The names that a type is, or is a union of: if they lead back to it, it has no end.
pub(crate) fn direct_names<'db>(db: &'db dyn Db, item: Item<'db>) -> Vec<Def> {
    match declared_type(db, item).as_ref().map(|declared| &declared.value) {
        Some(Type::Named(def)) => vec![def.clone()],
        Some(Type::Union(members)) => members
            .iter()
            .filter_map(|member| if let Type::Named(def) = member { Some(def.clone()) } else { None })
            .collect(),
        _ => Vec::new(),
    }
}

/// The written type of a constant.
#[salsa::tracked]
pub(crate) fn declared_const<'db>(db: &'db dyn Db, item: Item<'db>) -> Option<Declared<Option<Type>>> {
    let tree = items::tree_of(db, item);
    let ItemKind::Const(decl) = &tree.kind else { return None };
    let mut cx = Context::new(db, item.def(db));
    let facts = annotations::read(cx.def, &tree.annotations, On::Plain);
    cx.diagnostics.extend(facts.diagnostics);
    let ty = decl.ty.as_ref().map(|ty| cx.lower(Site::Plain, ty).0);
    Some(cx.finish(ty))
}

/// What is wrong with a declaration as such, its body aside.
pub(crate) fn declaration_diagnostics<'db>(db: &'db dyn Db, item: Item<'db>) -> Vec<Diagnostic> {
    fn take<T>(db: &dyn Db, def: &Def, declared: &Option<Declared<T>>, found: &mut Vec<Diagnostic>) {
        if let Some(declared) = declared {
            found.extend(declared.diagnostics.iter().cloned());
            types::check_keys(db, def, &declared.keys, found);
        }
    }
    let def = item.def(db);
    let mut found = Vec::new();
    match def.space {
        Space::Callable => take(db, def, declared_signature(db, item), &mut found),
        Space::Value => take(db, def, declared_const(db, item), &mut found),
        Space::Type => take(db, def, declared_type(db, item), &mut found),
        Space::Use | Space::Secret | Space::On | Space::Test | Space::Other => {
            let tree = items::tree_of(db, item);
            found.extend(annotations::read(def, &tree.annotations, On::item(&tree.kind)).diagnostics);
        }
    }
    found
}
