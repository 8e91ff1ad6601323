//! Calls: which declaration is meant, which argument goes where, and what comes out.

use super::{Checker, Expect, Want, access::item_of};
use crate::db::{Def, Space};
use crate::hir::{self, Call, Callee, ExprKind, LocalId, Scope, Source, SourceId};
use crate::names::{self, Found, Kind};
use crate::query::{self, Flow, Param, Signature};
use crate::ty::{Field, Record, Type};
use crate::types::{self, Infer, fits, unfold};
use ntl_syntax::ast::{self, Arg, Name, Span, TypeExpr};
use smol_str::SmolStr;
use std::sync::Arc;

/// An argument as it was given.
pub(super) struct Given<'a> {
    pub name: Option<&'a Name>,
    pub value: Value<'a>,
    pub span: Span,
}

/// The value of an argument.
pub(super) enum Value<'a> {
    /// Checked already: the receiver of a method, the left side of a pipe.
    Done(Box<hir::Expr>, Option<&'a ast::Expr>),
    /// As written.
    Tree(&'a ast::Expr),
    /// `name:` alone.
    Short(&'a Name),
    /// Nothing is left of it.
    Taken,
}

impl<'a> Given<'a> {
    pub(super) fn done(value: hir::Expr, tree: &'a ast::Expr) -> Self {
        Given { name: None, span: value.span, value: Value::Done(Box::new(value), Some(tree)) }
    }

    fn of(arg: &'a Arg) -> Option<Self> {
        let value = match (&arg.value, &arg.name) {
            (Some(value), _) => Value::Tree(value),
            (None, Some(name)) => Value::Short(name),
            (None, None) => return None,
        };
        Some(Given { name: arg.name.as_ref(), value, span: arg.span })
    }

    pub(super) fn tree(&self) -> Option<&'a ast::Expr> {
        match &self.value {
            Value::Done(_, tree) => *tree,
            Value::Tree(tree) => Some(tree),
            Value::Short(_) | Value::Taken => None,
        }
    }
}

/// A call while it is being checked.
#[derive(Clone, Copy)]
pub(super) struct Site<'a> {
    /// What is called, as messages name it.
    pub name: &'a SmolStr,
    pub name_span: Span,
    pub type_args: &'a [TypeExpr],
    pub span: Span,
}

/// How arguments go to parameters.
pub(super) struct Matching {
    /// For each parameter the place of its argument.
    pub slots: Vec<Option<usize>>,
    pub problems: Vec<Problem>,
}

/// What is wrong with the arguments of a call.
pub(super) enum Problem {
    /// There are more than parameters: from this one on.
    TooMany(usize),
    /// There is no parameter of that name.
    Unknown(usize),
    /// It is given twice: parameter, and the two arguments.
    Twice(usize, usize, usize),
    /// A parameter that must be given is not.
    Missing(usize),
}

/// Sends arguments to parameters: positional ones first, then by name.
fn matching(params: &[(SmolStr, bool)], given: &[Given<'_>]) -> Matching {
    let mut slots: Vec<Option<usize>> = vec![None; params.len()];
    let mut problems = Vec::new();
    for (at, arg) in given.iter().enumerate() {
        let slot = match arg.name {
            None if at < params.len() => at,
            None => {
                if !problems.iter().any(|problem| matches!(problem, Problem::TooMany(_))) {
                    problems.push(Problem::TooMany(at));
                }
                continue;
            }
            Some(name) => match params.iter().position(|(param, _)| *param == name.text) {
                Some(slot) => slot,
                None => {
                    problems.push(Problem::Unknown(at));
                    continue;
                }
            },
        };
        match slots[slot] {
            Some(first) => problems.push(Problem::Twice(slot, first, at)),
            None => slots[slot] = Some(at),
        }
    }
    // What is missing after another mistake is the same mistake.
    if problems.is_empty() {
        let missing = |at: &usize| slots[*at].is_none() && !params[*at].1;
        problems.extend((0..params.len()).filter(missing).map(Problem::Missing));
    }
    Matching { slots, problems }
}

fn shape(params: &[Param]) -> Vec<(SmolStr, bool)> {
    params.iter().map(|param| (param.name.clone(), param.optional)).collect()
}

impl<'db> Checker<'db> {
    /// `x |> f(y)`.
    pub(super) fn pipe(&mut self, value: &ast::Expr, call: &ast::Expr, span: Span, expect: Expect<'_>) -> hir::Expr {
        let first = self.expr(value, Expect::Nothing);
        let ast::ExprKind::Call { callee, type_args, args } = &call.kind else {
            if !matches!(call.kind, ast::ExprKind::Error) {
                self.say_pipe_needs_call(call.span);
            }
            return self.broken_quietly(span);
        };
        self.call(Some(Given::done(first, value)), callee, type_args, args, span, expect)
    }

    /// `f(a, b: c)`, `module.f(a)`; `first` is an argument before all others.
    pub(super) fn call(
        &mut self,
        first: Option<Given<'_>>,
        callee: &ast::Expr,
        type_args: &[TypeExpr],
        args: &[Arg],
        span: Span,
        expect: Expect<'_>,
    ) -> hir::Expr {
        let mut callee = callee;
        while let ast::ExprKind::Paren(inner) = &callee.kind {
            callee = inner;
        }
        let mut given: Vec<Given<'_>> = first.into_iter().chain(args.iter().filter_map(Given::of)).collect();
        match &callee.kind {
            ast::ExprKind::Name(name) => {
                let site = Site { name: &name.text, name_span: name.span, type_args, span };
                if let Some(id) = self.sees(&name.text)
                    && let Type::Fn(params, result) = self.local_of(id).ty.clone()
                {
                    self.info(id).used = true;
                    return self.call_value(site, id, &params, &result, given);
                }
                match names::lookup(self.db, self.def.file, Kind::Callable, &name.text) {
                    Found::Yes(defs) => self.call_defs(site, defs, given, expect),
                    Found::Silent | Found::Private => self.call_nothing(given, span),
                    Found::No => {
                        self.say_unknown_function(name);
                        self.call_nothing(given, span)
                    }
                }
            }
            ast::ExprKind::Field { base, name, optional } => {
                if let (Some(module), ast::ExprKind::Name(alias)) = (self.module_of(base), &base.kind) {
                    let written = SmolStr::new(format!("{}.{}", alias.text, name.text));
                    let site = Site { name: &written, name_span: name.span, type_args, span };
                    return match names::member(self.db, module, Kind::Callable, &name.text) {
                        Found::Yes(defs) => self.call_defs(site, defs, given, expect),
                        Found::Silent => self.call_nothing(given, span),
                        Found::Private => {
                            self.say_private(name, module);
                            self.call_nothing(given, span)
                        }
                        Found::No => {
                            self.say_unknown_member(name, module, Kind::Callable);
                            self.call_nothing(given, span)
                        }
                    };
                }
                // `x |> v.f(y)`: `v` comes first, as in every method.
                let receiver = self.expr(base, Expect::Nothing);
                if *optional {
                    self.say_pipe_needs_call(callee.span);
                    return self.call_nothing(given, span);
                }
                given.insert(0, Given::done(receiver, base));
                self.method_given(name, type_args, given, span, expect)
            }
            ast::ExprKind::Error => self.call_nothing(given, span),
            _ => {
                let value = self.expr(callee, Expect::Nothing);
                if !types::has_unknown(&value.ty) {
                    self.say_not_called(&value);
                }
                self.call_nothing(given, span)
            }
        }
    }

    /// `x.f(y)`.
    pub(super) fn method(
        &mut self,
        receiver: Given<'_>,
        name: &Name,
        type_args: &[TypeExpr],
        args: &[Arg],
        span: Span,
        expect: Expect<'_>,
    ) -> hir::Expr {
        let given = std::iter::once(receiver).chain(args.iter().filter_map(Given::of)).collect();
        self.method_given(name, type_args, given, span, expect)
    }

    fn method_given(
        &mut self,
        name: &Name,
        type_args: &[TypeExpr],
        given: Vec<Given<'_>>,
        span: Span,
        expect: Expect<'_>,
    ) -> hir::Expr {
        let Some(Value::Done(receiver, _)) = given.first().map(|given| &given.value) else {
            return self.call_nothing(given, span);
        };
        let ty = receiver.ty.clone();
        if matches!(ty, Type::Unknown | Type::Never) {
            self.doing.failed = true;
            return self.call_nothing(given, span);
        }
        if let Some(record) = types::as_record(self.db, &ty)
            && record.fields.iter().any(|field| field.name == name.text)
        {
            self.say_field_called(&ty, name);
            return self.call_nothing(given, span);
        }
        let site = Site { name: &name.text, name_span: name.span, type_args, span };
        let defs = names::resolve_method(self.db, &ty, &name.text);
        let takes_null = |def: &Def| {
            let first = query::signature(self.db, def).and_then(|signature| signature.params.first());
            first.is_some_and(|param| types::is_nullable(self.db, &param.ty) || matches!(param.ty, Type::Param(..)))
        };
        if types::is_nullable(self.db, &ty) && !defs.iter().any(takes_null) {
            let value = types::remove_null(self.db, &ty);
            if !names::resolve_method(self.db, &value, &name.text).is_empty() {
                let receiver = receiver.as_ref().clone();
                self.say_null_before_dot(&receiver, name);
                return self.call_nothing(given, span);
            }
        }
        // Core's functions are methods of what they take.
        let takes_receiver = |def: &Def| {
            let Some(signature) = query::signature(self.db, def) else { return true };
            let first = signature.params.first();
            !signature.type_params.is_empty() || first.is_some_and(|param| fits(self.db, &ty, &param.ty))
        };
        let is_core = |def: &Def| crate::modules::std_module(self.db, def.file).is_some_and(|module| module == "core");
        if defs.iter().all(|def| is_core(def) && !takes_receiver(def)) {
            let receiver = receiver.as_ref().clone();
            self.say_unknown_method(&receiver, name);
            return self.call_nothing(given, span);
        }
        self.call_defs(site, defs, given, expect)
    }

    /// Checks the arguments of a call of nobody knows what.
    fn call_nothing(&mut self, given: Vec<Given<'_>>, span: Span) -> hir::Expr {
        for arg in given {
            self.argument_alone(arg);
        }
        self.broken_quietly(span)
    }

    /// Checks an argument that goes nowhere.
    fn argument_alone(&mut self, arg: Given<'_>) {
        match arg.value {
            Value::Tree(tree) => self.tree_alone(tree),
            Value::Short(name) => drop(self.name(name)),
            Value::Done(..) | Value::Taken => {}
        }
    }

    pub(super) fn call_defs(
        &mut self,
        site: Site<'_>,
        defs: Vec<Def>,
        mut given: Vec<Given<'_>>,
        expect: Expect<'_>,
    ) -> hir::Expr {
        if let [def] = defs.as_slice()
            && def.space == Space::Type
        {
            return self.construct(site, def, given);
        }
        let signatures: Vec<(Def, &'db Signature)> =
            defs.iter().filter_map(|def| Some((def.clone(), query::signature(self.db, def)?))).collect();
        let type_args: Vec<Type> = site.type_args.iter().map(|ty| self.written_type(ty)).collect();
        let mut fitting: Vec<(Def, &'db Signature, Matching)> = Vec::new();
        let mut failing: Vec<(Def, &'db Signature, Matching)> = Vec::new();
        for (def, signature) in signatures {
            let found = matching(&shape(&signature.params), &given);
            let fits =
                found.problems.is_empty() && (type_args.is_empty() || type_args.len() == signature.type_params.len());
            if fits { fitting.push((def, signature, found)) } else { failing.push((def, signature, found)) }
        }
        if fitting.len() > 1 {
            self.overload(&mut given, &mut fitting, &type_args);
        }
        let Some((def, signature, found)) = fitting.into_iter().next() else {
            // The one with the fewest mistakes was probably meant.
            let Some((def, signature, found)) = failing.into_iter().min_by_key(|(_, _, found)| found.problems.len())
            else {
                return self.call_nothing(given, site.span);
            };
            if found.problems.is_empty() {
                self.say_type_arguments(site, signature.type_params.len(), type_args.len());
            }
            let params = shape(&signature.params);
            self.say_arguments(site, &def, &params, signature.is_host, &found.problems, &given);
            given.into_iter().for_each(|arg| self.argument_alone(arg));
            self.note_call(&def, signature, &[], site.name, site.span);
            self.doing.failed = true;
            let outputs = self.outputs_of(&def, signature);
            let ty = result_of(signature, &outputs);
            let ty = if signature.type_params.is_empty() { ty } else { Type::Unknown };
            return Self::expr_of(ExprKind::Error, ty, Scope::new(), site.span);
        };
        self.apply(site, &def, signature, &found.slots, given, &type_args, expect)
    }

    /// Chooses among declarations of one name by the types of the arguments: the first that takes them.
    fn overload(
        &mut self,
        given: &mut [Given<'_>],
        fitting: &mut Vec<(Def, &'db Signature, Matching)>,
        type_args: &[Type],
    ) {
        let is_fn = |ty: &Type| matches!(ty, Type::Fn(..));
        for (at, given) in given.iter_mut().enumerate() {
            let goes_to_fn = fitting.iter().any(|(_, signature, found)| {
                let param = found.slots.iter().position(|slot| *slot == Some(at));
                param.and_then(|param| signature.params.get(param)).is_some_and(|param| is_fn(&param.ty))
            });
            if goes_to_fn {
                continue;
            }
            let checked = match &given.value {
                Value::Tree(tree) if !super::function::is_lambda(tree) => {
                    let tree: &ast::Expr = tree;
                    (self.expr(tree, Expect::Nothing), Some(tree))
                }
                Value::Short(name) => (self.name(name), None),
                _ => continue,
            };
            given.value = Value::Done(Box::new(checked.0), checked.1);
        }
        let takes = |checker: &Self, signature: &Signature, found: &Matching| {
            let mut infer = Infer::new(&signature.type_params);
            if !type_args.is_empty() {
                infer.give(type_args);
            }
            let wanted: Vec<Type> = signature.params.iter().map(|param| infer.instantiate(&param.ty)).collect();
            let arg = |slot: &Option<usize>| slot.and_then(|at| given.get(at));
            for ((slot, param), wanted) in found.slots.iter().zip(&signature.params).zip(&wanted) {
                if let Some(Value::Done(value, _)) = arg(slot).map(|given| &given.value) {
                    infer.learn(checker.db, wanted, &checker.given_type(value, param));
                }
            }
            let takes_each = found.slots.iter().zip(&signature.params).zip(&wanted).all(|((slot, param), wanted)| {
                match arg(slot).map(|given| &given.value) {
                    Some(Value::Done(value, _)) => {
                        let ty = checker.given_type(value, param);
                        !super::function::is_function(&param.ty) && fits(checker.db, &ty, &infer.close(wanted))
                    }
                    Some(Value::Tree(tree)) if super::function::is_lambda(tree) => match &param.ty {
                        Type::Fn(params, _) => super::function::lambda_params(tree) == Some(params.len()),
                        _ => false,
                    },
                    _ => true,
                }
            });
            takes_each && infer.finish(checker.db).1.iter().all(|unmet| unmet.found.is_none())
        };
        let first_taking: Vec<bool> =
            fitting.iter().map(|(_, signature, found)| takes(self, signature, found)).collect();
        // Where none takes them, the last is used to say what is wrong: the most general stands last.
        if first_taking.iter().any(|takes| *takes) {
            let mut takes = first_taking.into_iter();
            fitting.retain(|_| takes.next().unwrap_or(false));
        } else {
            fitting.drain(..fitting.len().saturating_sub(1));
        }
        if fitting.len() > 1 {
            self.overload_by_result(given, fitting, type_args);
        }
    }

    /// Chooses among declarations that differ in what a function that they take gives.
    fn overload_by_result(
        &mut self,
        given: &[Given<'_>],
        fitting: &mut Vec<(Def, &'db Signature, Matching)>,
        type_args: &[Type],
    ) {
        let results = |signature: &Signature| -> Vec<Type> {
            let result =
                |param: &Param| if let Type::Fn(_, result) = &param.ty { Some((**result).clone()) } else { None };
            signature.params.iter().filter_map(result).collect()
        };
        let Some((_, first, found)) = fitting.first() else { return };
        let differ = fitting.iter().any(|(_, other, _)| results(other) != results(first));
        let Some(at) = first.params.iter().position(|param| super::function::is_function(&param.ty)) else { return };
        let Some(tree) = found.slots[at].and_then(|at| given.get(at)).and_then(Given::tree) else { return };
        if !differ || !self.may_retry() {
            return;
        }
        let mut infer = Infer::new(&first.type_params);
        infer.give(type_args);
        for (slot, param) in found.slots.iter().zip(&first.params) {
            if let Some(Value::Done(value, _)) = slot.and_then(|at| given.get(at)).map(|given| &given.value) {
                let wanted = infer.instantiate(&param.ty);
                infer.learn(self.db, &wanted, &self.given_type(value, param));
            }
        }
        let Type::Fn(params, _) = infer.close(&infer.instantiate(&first.params[at].ty)) else { return };
        let Some(result) = self.trial(|this| this.result_of_function(tree, &params)) else { return };
        let takes = |signature: &Signature| match signature.params.get(at).map(|param| &param.ty) {
            Some(Type::Fn(_, wanted)) => fits(self.db, &result, &infer.close(&infer.instantiate(wanted))),
            _ => false,
        };
        if let Some(chosen) = fitting.iter().position(|(_, signature, _)| takes(signature)) {
            fitting.swap(0, chosen);
        }
    }

    /// The type that an argument has for a parameter: of an item, for one that takes a stream whole.
    fn given_type(&self, value: &hir::Expr, param: &Param) -> Type {
        match (&param.flow, unfold(self.db, &value.ty)) {
            (Flow::Stream, Type::List(item)) if value.scope.is_empty() => (*item).clone(),
            _ => value.ty.clone(),
        }
    }

    pub(super) fn outputs_of(&self, def: &Def, signature: &Signature) -> Vec<Type> {
        if signature.outputs.iter().any(|output| output.ty.is_none()) {
            return query::output_types(self.db, def);
        }
        signature.outputs.iter().map(|output| output.ty.clone().unwrap_or(Type::Unknown)).collect()
    }

    /// A call of a declaration whose arguments have found their parameters.
    #[expect(clippy::too_many_arguments, reason = "a call with all that belongs to it")]
    fn apply(
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
        }
        let wanted: Vec<Type> = signature.params.iter().map(|param| infer.instantiate(&param.ty)).collect();
        let errors = self.errors;
        let mut args: Vec<Option<hir::Expr>> = Vec::with_capacity(wanted.len());
        args.resize_with(wanted.len(), || None);
        let mut place = crate::diagnostic::Place { def: def.clone(), span: Span::default() };
        let trees: Vec<Option<&ast::Expr>> = given.iter().map(Given::tree).collect();
        let mut take = |slot: &Option<usize>| {
            let given = given.get_mut(slot.as_ref().copied()?)?;
            let value = std::mem::replace(&mut given.value, Value::Taken);
            Some(Given { name: given.name, value, span: given.span })
        };
        let mut functions: Vec<(usize, Given<'_>)> = Vec::new();
        for (at, param) in signature.params.iter().enumerate() {
            let Some(arg) = take(&slots[at]) else { continue };
            if super::function::is_function(&param.ty) {
                functions.push((at, arg));
                continue;
            }
            place.span = param.span;
            let place = if signature.is_host { None } else { Some(&place) };
            let want = Want::Arg { callee: site.name, param: &param.name, place };
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
            place.span = param.span;
            let place = if signature.is_host { None } else { Some(&place) };
            let want = Want::Arg { callee: site.name, param: &param.name, place };
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
            place.span = param.span;
            let place = if signature.is_host { None } else { Some(&place) };
            let want = Want::Arg { callee: site.name, param: &param.name, place };
            let is_stream = param.flow == Flow::Stream;
            let is_whole = is_stream && !arg.scope.is_empty();
            let ty = if is_stream && !is_whole { Type::List(Arc::new(ty)) } else { ty };
            let tree = slots[at].and_then(|at| trees.get(at).copied()).flatten();
            // Others have been converted already.
            let arg = if is_stream || has_var(&wanted[at]) && !super::function::is_function(&param.ty) {
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
        let outputs: Vec<Type> = outputs.iter().map(|ty| infer.close(&infer.instantiate(ty))).collect();
        let (ty, scope, source) = self.flow_out(site, signature, &outputs, scope, &streams);
        let call = Call { callee: Callee::Item(def.clone()), args: checked, type_args: solved, source };
        Self::expr_of(ExprKind::Call(Box::new(call)), ty, scope, site.span)
    }

    /// Tells a number that is known to be out of a parameter's bounds.
    fn check_bounds(&mut self, param: &Param, arg: &hir::Expr) {
        let value = match arg.kind {
            ExprKind::Const(hir::Const::Int(value)) => value as f64,
            ExprKind::Const(hir::Const::Float(value)) => value,
            _ => return,
        };
        if param.min.is_some_and(|min| value < min) || param.max.is_some_and(|max| value > max) {
            self.say_out_of_bounds(param, arg.span);
        }
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
        let hint = known.clone().or_else(|| hints.is_known(wanted).then(|| hints.close(wanted)));
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
                return self.coerce(value, &known, want, tree);
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

    fn given(&mut self, arg: Given<'_>, expect: Expect<'_>) -> hir::Expr {
        match arg.value {
            Value::Done(value, _) => *value,
            Value::Tree(tree) => self.expr(tree, expect),
            Value::Short(name) => self.name(name),
            Value::Taken => self.broken_quietly(arg.span),
        }
    }

    /// The type and scope of what a call gives, and the source that it opens.
    fn flow_out(
        &mut self,
        site: Site<'_>,
        signature: &Signature,
        outputs: &[Type],
        scope: Scope,
        streams: &Streams,
    ) -> (Type, Scope, Option<SourceId>) {
        let flows: Vec<&Flow> = signature.outputs.iter().map(|output| &output.flow).collect();
        if flows.iter().all(|flow| **flow == Flow::Plain) {
            return (result_of(signature, outputs), scope, None);
        }
        // Lists in, lists out.
        if streams.lists && streams.varying.is_empty() {
            let lists: Vec<Type> = flows
                .iter()
                .zip(outputs)
                .map(|(flow, ty)| if **flow == Flow::Plain { ty.clone() } else { Type::List(Arc::new(ty.clone())) })
                .collect();
            return (result_of(signature, &lists), scope, None);
        }
        let opened = flows.iter().filter(|flow| ***flow == Flow::Stream).count();
        let ty = result_of(signature, outputs);
        match (opened, flows.as_slice()) {
            (0, [Flow::Per(param)]) => {
                let whole = streams.varying.iter().find(|(name, _)| name == param).map(|(_, scope)| scope.clone());
                let whole = self.meet(&whole.unwrap_or_default(), &scope, site.span);
                (ty, whole, None)
            }
            (1, flows) if flows.iter().all(|flow| **flow != Flow::Plain) => {
                if let Some(place) = self.pure_in {
                    self.say_source_in_pure(site, place);
                }
                let source = self.open(site, &scope);
                let mut inner = scope;
                inner.push(source);
                (ty, inner, Some(source))
            }
            _ => {
                self.say_mixed_streams(site);
                (Type::Unknown, Scope::new(), None)
            }
        }
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

    /// A call of a function that is a parameter.
    fn call_value(
        &mut self,
        site: Site<'_>,
        id: LocalId,
        params: &[Type],
        result: &Type,
        given: Vec<Given<'_>>,
    ) -> hir::Expr {
        if given.len() != params.len() || given.iter().any(|arg| arg.name.is_some()) {
            self.say_function_arguments(site, params.len(), &given);
            given.into_iter().for_each(|arg| self.argument_alone(arg));
            return Self::expr_of(ExprKind::Error, result.clone(), Scope::new(), site.span);
        }
        let mut scope = Scope::new();
        let mut args = Vec::with_capacity(params.len());
        for (arg, ty) in given.into_iter().zip(params) {
            let want = Want::Arg { callee: site.name, param: "it", place: None };
            let tree = arg.tree();
            let value = self.given(arg, Expect::Must(ty, want));
            let value = self.coerce(value, ty, want, tree);
            scope = self.meet(&scope, &value.scope, site.span);
            args.push(value);
        }
        let call = Call { callee: Callee::Value(id), args, type_args: Vec::new(), source: None };
        Self::expr_of(ExprKind::Call(Box::new(call)), result.clone(), scope, site.span)
    }

    /// `Point(x: 1.0)`.
    fn construct(&mut self, site: Site<'_>, def: &Def, given: Vec<Given<'_>>) -> hir::Expr {
        let ty = Type::Named(def.clone());
        let Some(record) = types::as_record(self.db, &ty) else { return self.call_nothing(given, site.span) };
        let params: Vec<(SmolStr, bool)> = record
            .fields
            .iter()
            .map(|field| (field.name.clone(), field.has_default || types::is_nullable(self.db, &field.ty)))
            .collect();
        let found = matching(&params, &given);
        let broken = !found.problems.is_empty() || !site.type_args.is_empty();
        if !site.type_args.is_empty() {
            self.say_type_arguments(site, 0, site.type_args.len());
        }
        self.say_arguments(site, def, &params, false, &found.problems, &given);
        let mut given: Vec<Option<Given<'_>>> = given.into_iter().map(Some).collect();
        let mut scope = Scope::new();
        let mut values = Vec::with_capacity(record.fields.len());
        for (at, field) in record.fields.iter().enumerate() {
            let arg = found.slots[at].and_then(|at| given.get_mut(at)).and_then(Option::take);
            let value = match arg {
                Some(arg) => {
                    let want = Want::Field(&field.name);
                    let tree = arg.tree();
                    let value = self.given(arg, Expect::Must(&field.ty, want));
                    self.coerce(value, &field.ty, want, tree)
                }
                None => self.omitted_field(&ty, field, at, site.span),
            };
            scope = self.meet(&scope, &value.scope, site.span);
            values.push(value);
        }
        given.into_iter().flatten().for_each(|arg| self.argument_alone(arg));
        let kind = if broken { ExprKind::Error } else { ExprKind::Record(values) };
        Self::expr_of(kind, ty, scope, site.span)
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
