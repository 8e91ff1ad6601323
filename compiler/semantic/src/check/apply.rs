//! A call of a declaration whose arguments have found their parameters: type arguments, conversions, what comes out.

use super::{
    Checker, Expect, Want,
    access::item_of,
    argument::{Given, Site, Value},
    function::is_function,
};
use crate::constant::{self, Known};
use crate::db::Def;
use crate::hir::{self, Call, Callee, ExprKind, Scope, Source, SourceId};
use crate::query::{self, Flow, Param, Signature};
use crate::ty::{Field, Record, Type};
use crate::types::{self, Infer, fits, unfold};
use ntl_syntax::ast::{self, Span};
use smol_str::SmolStr;
use std::sync::Arc;

impl Checker<'_> {
    /// The types of a callable's outputs; its body is looked at only where one is not written.
    pub(super) fn outputs_of(&self, def: &Def, signature: &Signature) -> Vec<Type> {
        if signature.outputs.iter().any(|output| output.ty.is_none()) {
            return query::output_types(self.db, def);
        }
        signature.outputs.iter().map(|output| output.ty.clone().unwrap_or(Type::Unknown)).collect()
    }

    /// A call of a declaration whose arguments have found their parameters.
    #[expect(clippy::too_many_arguments, reason = "a call with all that belongs to it")]
    pub(super) fn apply(
        &mut self,
        site: Site<'_>,
        def: &Def,
        signature: &Signature,
        slots: &[Option<usize>],
        mut given: Vec<Given<'_>>,
        type_args: &[Type],
        expect: Expect<'_>,
    ) -> hir::Expr {
        let outputs = self.outputs_of(def, signature);
        let result = result_of(signature, &outputs);
        let mut infer = Infer::new(&signature.type_params);
        if !type_args.is_empty() {
            infer.give(type_args);
        }
        // What is expected of the result is a hint for literals, and for what no argument tells.
        let mut hints = infer.clone();
        if let (Some(expected), false) = (expect.ty(), signature.type_params.is_empty()) {
            hints.expect(self.db, &infer.instantiate(&result), expected);
            infer.choose(self.db, &hints);
        }
        let wanted: Vec<Type> = signature.params.iter().map(|param| infer.instantiate(&param.ty)).collect();
        let errors = self.errors;
        let mut args: Vec<Option<hir::Expr>> = Vec::with_capacity(wanted.len());
        args.resize_with(wanted.len(), || None);
        // Where parameters are declared is shown for those that can be seen.
        let declared = (!signature.is_host).then_some(def);
        let trees: Vec<Option<&ast::Expr>> = given.iter().map(Given::tree).collect();
        let mut take = |slot: &Option<usize>| {
            let given = given.get_mut(slot.as_ref().copied()?)?;
            let value = std::mem::replace(&mut given.value, Value::Taken);
            Some(Given { name: given.name, value, span: given.span })
        };
        let mut functions: Vec<(usize, Given<'_>)> = Vec::new();
        for (at, param) in signature.params.iter().enumerate() {
            let Some(arg) = take(&slots[at]) else { continue };
            if is_function(&param.ty) {
                functions.push((at, arg));
                continue;
            }
            let want = Want::Arg { callee: site.name, param: &param.name, declared };
            args[at] = Some(match param.flow {
                Flow::Stream => self.stream_argument(arg, &wanted[at], &mut infer, site, &param.name),
                _ => self.value_argument(arg, &wanted[at], &mut infer, &hints, want),
            });
        }
        if let (Some(expected), false) = (expect.ty(), signature.type_params.is_empty()) {
            infer.expect(self.db, &infer.instantiate(&result), expected);
        }
        for (at, arg) in functions {
            let param = &signature.params[at];
            let want = Want::Arg { callee: site.name, param: &param.name, declared };
            args[at] = Some(self.function_argument(arg, &wanted[at], &mut infer, want));
        }
        let (solved, unmet) = infer.finish(self.db);
        if self.errors == errors {
            for unmet in &unmet {
                self.say_unmet(site, unmet);
            }
        }
        let mut streams = Streams::default();
        let mut scope = Scope::new();
        let mut checked: Vec<hir::Expr> = Vec::with_capacity(args.len());
        for (at, (param, arg)) in signature.params.iter().zip(args).enumerate() {
            let ty = infer.close(&wanted[at]);
            let Some(arg) = arg else {
                checked.push(self.omitted(def, param, at, ty, site.span));
                continue;
            };
            let want = Want::Arg { callee: site.name, param: &param.name, declared };
            let is_stream = param.flow == Flow::Stream;
            let is_whole = is_stream && !arg.scope.is_empty();
            let ty = if is_stream && !is_whole { Type::List(Arc::new(ty)) } else { ty };
            let tree = slots[at].and_then(|at| trees.get(at).copied()).flatten();
            // Others have been converted already.
            let arg = if is_stream || has_var(&wanted[at]) && !is_function(&param.ty) {
                self.coerce(arg, &ty, want, tree)
            } else {
                arg
            };
            if is_whole {
                let parent = arg.scope[..arg.scope.len() - 1].to_vec();
                scope = self.meet(&scope, &parent, site.span);
                streams.varying.push((param.name.clone(), arg.scope.clone()));
            } else {
                streams.lists |= is_stream;
                scope = self.meet(&scope, &arg.scope, site.span);
            }
            self.check_bounds(param, &arg);
            checked.push(arg);
        }
        self.note_call(def, signature, &checked, site.name, site.span);
        let is_wrong = self.errors > errors;
        let output = |ty: &Type| match infer.instantiate(ty) {
            // What it would have been is as wrong as the arguments.
            ty if is_wrong && has_var(&ty) => Type::Unknown,
            ty => infer.close(&ty),
        };
        let outputs: Vec<Type> = outputs.iter().map(output).collect();
        let (ty, scope, sources) = self.flow_out(site, signature, &outputs, scope, &streams);
        let call = Call { callee: Callee::Item(def.clone()), args: checked, type_args: solved, sources };
        Self::expr_of(ExprKind::Call(Box::new(call)), ty, scope, site.span)
    }

    /// Tells a number that is known to be out of a parameter's bounds.
    pub(super) fn check_bounds(&mut self, param: &Param, arg: &hir::Expr) {
        if (param.min, param.max) == (None, None) {
            return;
        }
        if let Known::Value(value) = self.known_value(arg)
            && !constant::is_within(&value, param.min, param.max)
        {
            self.say_out_of_bounds(param, &value, arg);
        }
    }

    /// What is known of the value of an expression.
    pub(super) fn known_value(&self, expr: &hir::Expr) -> Known {
        constant::known(self.db, expr, &|id| self.info.get(id.0 as usize).and_then(|info| info.value.clone()))
    }

    /// The value of a parameter that is not given.
    fn omitted(&self, def: &Def, param: &Param, at: usize, ty: Type, span: Span) -> hir::Expr {
        match param.has_default {
            true => Self::expr_of(ExprKind::Default(def.clone(), at as u32), ty, Scope::new(), span),
            false => self.null(span),
        }
    }

    /// An argument for a parameter that takes one value.
    fn value_argument(
        &mut self,
        arg: Given<'_>,
        wanted: &Type,
        infer: &mut Infer,
        hints: &Infer,
        want: Want<'_>,
    ) -> hir::Expr {
        if !has_var(wanted) {
            let tree = arg.tree();
            let value = self.given(arg, Expect::Must(wanted, want));
            return self.coerce(value, wanted, want, tree);
        }
        let known = infer.is_known(wanted).then(|| infer.close(wanted));
        let expected = hints.is_known(wanted).then(|| hints.close(wanted));
        let hint = known.clone().or_else(|| expected.clone());
        let tree = arg.tree();
        let mut value = self.given(arg, hint.as_ref().map_or(Expect::Nothing, Expect::Hint));
        if let (Some(hint), Type::Literal(_)) = (&hint, &value.ty) {
            value = self.coerce_if_fits(value, hint);
        }
        if let Some(known) = known {
            if fits(self.db, &value.ty, &known) && !matches!(value.ty, Type::Any) {
                return value;
            }
            // One type parameter is one type: of unlike arguments one is wrong.
            let (a, b) = (types::remove_null(self.db, &known), types::remove_null(self.db, &types::widen(&value.ty)));
            if !fits(self.db, &a, &b) && !fits(self.db, &b, &a) {
                let wide = expected.filter(|ty| fits(self.db, &known, ty) && fits(self.db, &value.ty, ty));
                let Some(wide) = wide else { return self.coerce(value, &known, want, tree) };
                infer.learn(self.db, wanted, &wide);
                return value;
            }
        }
        infer.learn(self.db, wanted, &value.ty);
        value
    }

    /// An argument for a parameter that takes a varying value whole, or a list.
    fn stream_argument(
        &mut self,
        arg: Given<'_>,
        wanted: &Type,
        infer: &mut Infer,
        site: Site<'_>,
        param: &SmolStr,
    ) -> hir::Expr {
        let drops = self.doing.drops;
        let value = self.given(arg, Expect::Nothing);
        // What is dropped is left out of what is taken whole.
        self.doing.drops = drops;
        if !value.scope.is_empty() {
            infer.learn(self.db, wanted, &value.ty);
            return value;
        }
        let ty = unfold(self.db, &value.ty);
        if let Some(item) = item_of(&ty) {
            infer.learn(self.db, wanted, item);
            return value;
        }
        infer.learn(self.db, wanted, &Type::Unknown);
        if !matches!(ty, Type::Unknown | Type::Never) {
            self.say_no_stream(site, param, &value);
        }
        self.broken_quietly(value.span)
    }

    /// The value of an argument.
    pub(super) fn given(&mut self, arg: Given<'_>, expect: Expect<'_>) -> hir::Expr {
        match arg.value {
            Value::Done(value, _) => *value,
            Value::Tree(tree) => self.expr(tree, expect),
            Value::Short(name) => self.name(name),
            Value::Taken => self.broken_quietly(arg.span),
        }
    }

    /// The type and scope of what a call gives, and the sources that it opens.
    fn flow_out(
        &mut self,
        site: Site<'_>,
        signature: &Signature,
        outputs: &[Type],
        scope: Scope,
        streams: &Streams,
    ) -> (Type, Scope, Vec<SourceId>) {
        let flows: Vec<&Flow> = signature.outputs.iter().map(|output| &output.flow).collect();
        if flows.iter().all(|flow| **flow == Flow::Plain) {
            return (result_of(signature, outputs), scope, Vec::new());
        }
        // Lists in, lists out.
        if streams.lists && streams.varying.is_empty() {
            let lists: Vec<Type> = flows
                .iter()
                .zip(outputs)
                .map(|(flow, ty)| if **flow == Flow::Plain { ty.clone() } else { Type::List(Arc::new(ty.clone())) })
                .collect();
            return (result_of(signature, &lists), scope, Vec::new());
        }
        let opened = flows.iter().filter(|flow| ***flow == Flow::Stream).count();
        let ty = result_of(signature, outputs);
        match (opened, flows.as_slice()) {
            (0, [Flow::Per(param)]) => {
                let whole = streams.varying.iter().find(|(name, _)| name == param).map(|(_, scope)| scope.clone());
                let whole = self.meet(&whole.unwrap_or_default(), &scope, site.span);
                (ty, whole, Vec::new())
            }
            (1, flows) if flows.iter().all(|flow| **flow != Flow::Plain) => {
                if let Some(place) = self.pure_in {
                    self.say_source_in_pure(site, place);
                }
                let source = self.open(site, &scope);
                let mut inner = scope;
                inner.push(source);
                (ty, inner, vec![source])
            }
            _ => self.mixed_out(site, signature, ty, scope, streams),
        }
    }

    /// A call whose outputs vary in different ways: each stream is a source of its own.
    fn mixed_out(
        &mut self,
        site: Site<'_>,
        signature: &Signature,
        ty: Type,
        scope: Scope,
        streams: &Streams,
    ) -> (Type, Scope, Vec<SourceId>) {
        if !self.apart.contains(&site.span) {
            self.say_mixed_streams(site.name, site.span);
            return (Type::Unknown, Scope::new(), Vec::new());
        }
        if let Some(place) = self.pure_in {
            self.say_source_in_pure(site, place);
        }
        let mut sources: Vec<(SmolStr, SourceId)> = Vec::new();
        for output in signature.outputs.iter().filter(|output| output.flow == Flow::Stream) {
            sources.push((output.name.clone(), self.open(site, &scope)));
        }
        let varying =
            |of: &SmolStr| streams.varying.iter().find(|(name, _)| name == of).map(|(_, scope)| scope.clone());
        let part = |output: &query::Output| {
            let of = match &output.flow {
                Flow::Plain => return scope.clone(),
                Flow::Stream => &output.name,
                Flow::Per(of) => of,
            };
            match sources.iter().find(|(name, _)| name == of) {
                Some((_, source)) => scope.iter().copied().chain([*source]).collect(),
                None => varying(of).unwrap_or_default(),
            }
        };
        let parts: Arc<[Scope]> = signature.outputs.iter().map(part).collect();
        self.mixed.insert(site.span, parts);
        (ty, scope, sources.into_iter().map(|(_, source)| source).collect())
    }

    /// Opens a source.
    fn open(&mut self, site: Site<'_>, scope: &Scope) -> SourceId {
        let id = SourceId(self.out.sources.len() as u32);
        let name = match &self.naming {
            Some((name, span)) if *span == site.span => name.clone(),
            _ => SmolStr::new(format!("{}(…)", site.name)),
        };
        self.out.sources.push(Source { name, scope: scope.clone(), span: site.span });
        self.layers.push(self.layer);
        id
    }
}

/// What the stream parameters of a call were given.
#[derive(Default)]
struct Streams {
    /// A list was given for one.
    lists: bool,
    /// Those that take a varying value whole, with its scope.
    varying: Vec<(SmolStr, Scope)>,
}

/// Whether a type parameter of a call, to be inferred, is part of a type.
pub(super) fn has_var(ty: &Type) -> bool {
    types::any_part(ty, &mut |part| matches!(part, Type::Var(_)))
}

/// The type of a call's value: of its only output, or a record of them.
pub(super) fn result_of(signature: &Signature, outputs: &[Type]) -> Type {
    match outputs {
        [] => Type::Null,
        [only] => only.clone(),
        _ => {
            let field = |(output, ty): (&query::Output, &Type)| Field {
                name: output.name.clone(),
                key: None,
                ty: ty.clone(),
                has_default: false,
            };
            Type::Record(Arc::new(Record { fields: signature.outputs.iter().zip(outputs).map(field).collect() }))
        }
    }
}
