//! Calls: which declaration is meant.

use super::{
    Checker, Expect, Want,
    apply::result_of,
    argument::{Given, Matching, Site, Value, matching, shape},
};
use crate::db::{Def, Space};
use crate::hir::{self, Call, Callee, ExprKind, LocalId, Scope};
use crate::names::{self, Found, Kind};
use crate::query::{self, Signature};
use crate::ty::Type;
use crate::types::{self, fits};
use ntl_syntax::ast::{self, Arg, Name, Span, TypeExpr};
use smol_str::SmolStr;

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
                self.before_dot = Some(base.span);
                let receiver = self.expr(base, Expect::Nothing);
                self.before_dot = None;
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
            self.say_field_called(&ty, name, given.len());
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
            self.say_unknown_method(&receiver, name, given.len());
            return self.call_nothing(given, span);
        }
        self.call_defs(site, defs, given, expect)
    }

    /// Checks the arguments of a call of nobody knows what.
    pub(super) fn call_nothing(&mut self, given: Vec<Given<'_>>, span: Span) -> hir::Expr {
        for arg in given {
            self.argument_alone(arg);
        }
        self.broken_quietly(span)
    }

    /// Checks an argument that goes nowhere.
    pub(super) fn argument_alone(&mut self, arg: Given<'_>) {
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
            let types: Vec<Type> = signature
                .params
                .iter()
                .map(|param| match param.flow {
                    query::Flow::Stream => Type::List(std::sync::Arc::new(param.ty.clone())),
                    _ => param.ty.clone(),
                })
                .collect();
            let own = (!signature.is_host).then_some(&def);
            self.say_arguments(site, own, &params, &types, &found.problems, &given);
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
            let want = Want::Arg { callee: site.name, param: "it", declared: None };
            let tree = arg.tree();
            let value = self.given(arg, Expect::Must(ty, want));
            let value = self.coerce(value, ty, want, tree);
            scope = self.meet(&scope, &value.scope, site.span);
            args.push(value);
        }
        let call = Call { callee: Callee::Value(id), args, type_args: Vec::new(), sources: Vec::new() };
        Self::expr_of(ExprKind::Call(Box::new(call)), result.clone(), scope, site.span)
    }
}
