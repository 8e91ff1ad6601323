//! Functions as arguments: small ones written in place, named ones, parameters.

use super::{
    Checker, Expect, Want,
    apply::has_var,
    argument::{Given, Value},
    effect::{Doing, reach},
};
use crate::db::{Def, Space};
use crate::hir::{self, Call, Callee, ExprKind, Lambda, LocalId, LocalKind, Scope};
use crate::names::{self, Found, Kind};
use crate::query::{self, Effect, Signature};
use crate::ty::Type;
use crate::types::{self, Conversion, Infer, fit, fits};
use ntl_syntax::ast::{self, Name, Pattern, PatternKind, Span};
use smol_str::SmolStr;

/// How deeply functions and loops may nest that are checked twice: each level doubles the work.
const MOST_RETRIES: u32 = 3;

pub(super) fn is_function(ty: &Type) -> bool {
    matches!(ty, Type::Fn(..))
}

fn unwrapped(tree: &ast::Expr) -> &ast::Expr {
    let mut tree = tree;
    while let ast::ExprKind::Paren(inner) = &tree.kind {
        tree = inner;
    }
    tree
}

pub(super) fn is_lambda(tree: &ast::Expr) -> bool {
    lambda_params(tree).is_some()
}

/// How many parameters a small function has; `None` if it is none.
pub(super) fn lambda_params(tree: &ast::Expr) -> Option<usize> {
    match &unwrapped(tree).kind {
        ast::ExprKind::Lambda { params, .. } => Some(params.len()),
        _ => None,
    }
}

/// Where the checker stood.
pub(super) struct Start {
    told: usize,
    errors: usize,
    locals: usize,
    sources: usize,
    doing: Doing,
}

/// A function that can be named.
pub(super) enum Named<'db> {
    /// A parameter.
    Local(LocalId, Vec<Type>, Type),
    /// A declaration; more than one only in the library.
    Items(SmolStr, Vec<(Def, &'db Signature)>),
    /// It has been told what is wrong with it.
    Told,
}

impl<'db> Checker<'db> {
    /// Checks a tree that stands where nothing is known of what is wanted.
    pub(super) fn tree_alone(&mut self, tree: &ast::Expr) {
        match &unwrapped(tree).kind {
            ast::ExprKind::Lambda { params, body } => {
                let unknown = vec![Type::Unknown; params.len()];
                self.lambda(params, body, &unknown, Expect::Nothing, tree.span);
            }
            ast::ExprKind::Name(name) if self.sees(&name.text).is_none() => {
                // It may be meant as a function.
                let is_function = matches!(
                    names::lookup(self.db, self.def.file, Kind::Callable, &name.text),
                    Found::Yes(_) | Found::Silent
                );
                let is_value = matches!(names::lookup(self.db, self.def.file, Kind::Value, &name.text), Found::Yes(_));
                if !is_function || is_value {
                    self.name(name);
                }
            }
            _ => drop(self.expr(tree, Expect::Nothing)),
        }
    }

    /// Checks and forgets what was told and made; `None` if there were mistakes.
    pub(super) fn trial<T>(&mut self, check: impl FnOnce(&mut Self) -> T) -> Option<T> {
        let start = self.start();
        self.retries += 1;
        let checked = check(self);
        self.retries -= 1;
        let is_clean = self.errors == start.errors;
        self.go_back(start);
        is_clean.then_some(checked)
    }

    /// Whether something may be checked a second time.
    pub(super) fn may_retry(&mut self) -> bool {
        if self.retries == 0 {
            return true;
        }
        let may = self.retries < MOST_RETRIES && self.retries_left > 0;
        self.retries_left -= u32::from(may);
        may
    }

    /// Where the checker stands, to go back to.
    pub(super) fn start(&self) -> Start {
        Start {
            told: self.diagnostics.len(),
            errors: self.errors,
            locals: self.out.locals.len(),
            sources: self.out.sources.len(),
            doing: self.doing.clone(),
        }
    }

    /// Forgets what was told and made since.
    pub(super) fn go_back(&mut self, start: Start) {
        self.diagnostics.truncate(start.told);
        self.errors = start.errors;
        self.out.locals.truncate(start.locals);
        self.info.truncate(start.locals);
        self.out.sources.truncate(start.sources);
        self.layers.truncate(start.sources);
        self.doing = start.doing;
    }

    /// The type that a function gives for parameters of these types.
    pub(super) fn result_of_function(&mut self, tree: &ast::Expr, params: &[Type]) -> Type {
        match &unwrapped(tree).kind {
            ast::ExprKind::Lambda { params: patterns, body } if patterns.len() == params.len() => {
                self.lambda(patterns, body, params, Expect::Nothing, tree.span).1
            }
            _ => match self.named_function(tree) {
                Some(Named::Local(_, _, result)) => result,
                Some(Named::Items(_, items)) => {
                    items.first().and_then(|(_, signature)| self.result_for(signature, params)).unwrap_or(Type::Unknown)
                }
                _ => Type::Unknown,
            },
        }
    }

    /// An argument for a parameter that is a function.
    pub(super) fn function_argument(
        &mut self,
        arg: Given<'_>,
        wanted: &Type,
        infer: &mut Infer,
        want: Want<'_>,
    ) -> hir::Expr {
        let Type::Fn(params, result) = wanted else { return self.broken_quietly(arg.span) };
        let tree = match arg.value {
            Value::Tree(tree) => tree,
            Value::Short(name) => {
                let tree = ast::Expr { kind: ast::ExprKind::Name(name.clone()), span: name.span };
                return self.named_argument(&tree, params, result, infer, want);
            }
            Value::Done(value, _) => {
                if !types::has_unknown(&value.ty) {
                    self.say_no_function(&value, &infer.close(wanted), want);
                }
                return self.broken_quietly(value.span);
            }
            Value::Taken => return self.broken_quietly(arg.span),
        };
        match &unwrapped(tree).kind {
            ast::ExprKind::Lambda { params: patterns, body } => {
                if patterns.len() != params.len() {
                    self.say_lambda_params(patterns, &infer.close(wanted), want, tree.span);
                    self.tree_alone(tree);
                    infer.learn(self.db, result, &Type::Unknown);
                    return self.broken_quietly(tree.span);
                }
                self.lambda_argument(patterns, body, params, result, infer, want, tree.span)
            }
            _ => self.named_argument(tree, params, result, infer, want),
        }
    }

    #[expect(clippy::too_many_arguments, reason = "a function with all that is wanted of it")]
    fn lambda_argument(
        &mut self,
        patterns: &[Pattern],
        body: &ast::Expr,
        params: &[Type],
        result: &Type,
        infer: &mut Infer,
        want: Want<'_>,
        span: Span,
    ) -> hir::Expr {
        let of = |infer: &Infer| -> Vec<Type> { params.iter().map(|param| infer.close(param)).collect() };
        let want = match want {
            Want::Arg { callee, .. } => Want::Function(callee),
            other => other,
        };
        if !has_var(result) {
            return self.lambda(patterns, body, &of(infer), Expect::Must(result, want), span).0;
        }
        if !infer.is_known(result) {
            let (value, ty) = self.lambda(patterns, body, &of(infer), Expect::Nothing, span);
            infer.learn(self.db, result, &ty);
            return self.with_result(value, &infer.close(result), want, body);
        }
        // The result has a part in what it is made from, as in `xs.fold([], (all, x) => all ++ [x])`: where it turns
        // out to be wider than the start, the function is looked at again.
        let known = infer.close(result);
        let start = self.start();
        self.retries += 1;
        let (value, ty) = self.lambda(patterns, body, &of(infer), Expect::Hint(&known), span);
        self.retries -= 1;
        let is_wider = !fits(self.db, &ty, &known) && fits(self.db, &known, &ty);
        if !is_wider || !self.may_retry() {
            return self.with_result(value, &known, want, body);
        }
        self.go_back(start);
        infer.learn(self.db, result, &ty);
        let known = infer.close(result);
        self.lambda(patterns, body, &of(infer), Expect::Must(&known, want), span).0
    }

    /// A small function. With [`Expect::Must`] its value fits.
    fn lambda(
        &mut self,
        patterns: &[Pattern],
        body: &ast::Expr,
        params: &[Type],
        expect: Expect<'_>,
        span: Span,
    ) -> (hir::Expr, Type) {
        let mark = self.sight.len();
        let pure_in = self.pure_in.replace("a small function");
        let (lambda, inner) = self.within(|this| {
            let mut ids = Vec::with_capacity(patterns.len());
            let mut lets = Vec::new();
            this.once_bound(patterns.iter());
            for (pattern, ty) in patterns.iter().zip(params) {
                ids.push(this.variable(pattern, ty.clone(), Scope::new(), &mut lets));
            }
            let value = this.closed_value(body, expect);
            let outer = this.outer(&value.scope);
            (Lambda { params: ids, lets, body: value }, outer)
        });
        self.pure_in = pure_in;
        self.leave(mark);
        let result = lambda.body.ty.clone();
        let ty = Type::Fn(params.into(), std::sync::Arc::new(result.clone()));
        (Self::expr_of(ExprKind::Lambda(Box::new(lambda)), ty, inner, span), result)
    }

    /// A small function whose value becomes one of type `result`.
    fn with_result(&mut self, value: hir::Expr, result: &Type, want: Want<'_>, tree: &ast::Expr) -> hir::Expr {
        let hir::Expr { kind: ExprKind::Lambda(mut lambda), ty: Type::Fn(params, _), scope, span } = value else {
            return value;
        };
        lambda.body = self.coerce(lambda.body, result, want, Some(tree));
        let ty = Type::Fn(params, std::sync::Arc::new(result.clone()));
        Self::expr_of(ExprKind::Lambda(lambda), ty, scope, span)
    }

    /// The function that an expression names; `None` if it is no name.
    pub(super) fn named_function(&mut self, tree: &ast::Expr) -> Option<Named<'db>> {
        let (written, found, name): (SmolStr, Found<Vec<Def>>, &Name) = match &unwrapped(tree).kind {
            ast::ExprKind::Name(name) => {
                if let Some(id) = self.sees(&name.text) {
                    let Type::Fn(params, result) = self.local_of(id).ty.clone() else { return None };
                    self.info(id).used = true;
                    return Some(Named::Local(id, params.to_vec(), (*result).clone()));
                }
                let found = names::lookup(self.db, self.def.file, Kind::Callable, &name.text);
                if found == Found::No {
                    return None;
                }
                (name.text.clone(), found, name)
            }
            ast::ExprKind::Field { base, name, .. } => {
                let module = self.module_of(base)?;
                let found = names::member(self.db, module, Kind::Callable, &name.text);
                if found == Found::No {
                    self.say_unknown_member(name, module, Kind::Callable);
                    return Some(Named::Told);
                }
                let ast::ExprKind::Name(alias) = &base.kind else { return None };
                (SmolStr::new(format!("{}.{}", alias.text, name.text)), found, name)
            }
            _ => return None,
        };
        let Found::Yes(defs) = found else {
            self.doing.failed = true;
            return Some(Named::Told);
        };
        let items: Vec<(Def, &Signature)> = defs
            .into_iter()
            .filter(|def| def.space == Space::Callable)
            .filter_map(|def| query::signature(self.db, &def).map(|signature| (def, signature)))
            .collect();
        if items.is_empty() {
            self.say_constructor_as_function(name);
            return Some(Named::Told);
        }
        Some(Named::Items(written, items))
    }

    /// What a declaration gives for parameters of these types; `None` if it does not take them.
    fn result_for(&self, signature: &Signature, params: &[Type]) -> Option<Type> {
        self.solved(signature, params).map(|(_, result, _)| result)
    }

    /// Parameters, result and type arguments of a declaration for parameters of these types.
    fn solved(&self, signature: &Signature, params: &[Type]) -> Option<(Vec<Type>, Type, Vec<Type>)> {
        let required = signature.params.iter().filter(|param| !param.optional).count();
        let is_plain = |flow: &query::Flow| *flow == query::Flow::Plain;
        if required > params.len()
            || params.len() > signature.params.len()
            || !signature.params.iter().all(|param| is_plain(&param.flow))
            || !signature.outputs.iter().all(|output| is_plain(&output.flow) && output.ty.is_some())
        {
            return None;
        }
        let mut infer = Infer::new(&signature.type_params);
        let wanted: Vec<Type> = signature.params.iter().map(|param| infer.instantiate(&param.ty)).collect();
        for (wanted, param) in wanted.iter().zip(params) {
            infer.learn(self.db, wanted, param);
        }
        let (solved, unmet) = infer.finish(self.db);
        let closed: Vec<Type> = wanted.iter().take(params.len()).map(|wanted| infer.close(wanted)).collect();
        let takes = unmet.is_empty() && params.iter().zip(&closed).all(|(param, wanted)| fits(self.db, param, wanted));
        let outputs: Vec<Type> = signature
            .outputs
            .iter()
            .filter_map(|output| Some(infer.close(&infer.instantiate(output.ty.as_ref()?))))
            .collect();
        takes.then(|| (closed, super::apply::result_of(signature, &outputs), solved))
    }

    /// A named function where a function is wanted: as it is, or in a small function that converts.
    fn named_argument(
        &mut self,
        tree: &ast::Expr,
        params: &[Type],
        result: &Type,
        infer: &mut Infer,
        want: Want<'_>,
    ) -> hir::Expr {
        let given: Vec<Type> = params.iter().map(|param| infer.close(param)).collect();
        let wanted = |infer: &Infer| Type::Fn(given.clone().into(), std::sync::Arc::new(infer.close(result)));
        match self.named_function(tree) {
            None => {
                let value = self.expr(tree, Expect::Nothing);
                if !types::has_unknown(&value.ty) {
                    self.say_no_function(&value, &wanted(infer), want);
                }
                infer.learn(self.db, result, &Type::Unknown);
                self.broken_quietly(tree.span)
            }
            Some(Named::Told) => {
                infer.learn(self.db, result, &Type::Unknown);
                self.broken_quietly(tree.span)
            }
            Some(Named::Local(id, own, gives)) => {
                if has_var(result) {
                    infer.learn(self.db, result, &gives);
                }
                let ty = Type::Fn(own.clone().into(), std::sync::Arc::new(gives.clone()));
                match fit(self.db, &ty, &wanted(infer)) {
                    Ok(Conversion::None) => {
                        let scope = self.local_of(id).scope.clone();
                        Self::expr_of(ExprKind::Local(id), ty, scope, tree.span)
                    }
                    Ok(Conversion::Needed) => {
                        let callee = Callee::Value(id);
                        self.wrapped(
                            callee,
                            &own,
                            Vec::new(),
                            gives,
                            Vec::new(),
                            &given,
                            &infer.close(result),
                            tree.span,
                        )
                    }
                    Err(mismatch) => {
                        let value = Self::expr_of(ExprKind::Local(id), ty, Scope::new(), tree.span);
                        self.say_mismatch(&value, &wanted(infer), &mismatch, want, Some(tree));
                        self.broken(tree.span)
                    }
                }
            }
            Some(Named::Items(name, items)) => {
                let solved = items
                    .iter()
                    .find_map(|(def, signature)| Some((def.clone(), *signature, self.solved(signature, &given)?)));
                let Some((def, signature, (own, gives, type_args))) = solved else {
                    self.say_function_does_not_fit(&name, &items, &wanted(infer), want, tree.span);
                    infer.learn(self.db, result, &Type::Unknown);
                    return self.broken_quietly(tree.span);
                };
                if has_var(result) {
                    infer.learn(self.db, result, &gives);
                }
                let closed = infer.close(result);
                if let Err(mismatch) = fit(self.db, &gives, &closed) {
                    let value = Self::expr_of(ExprKind::Error, gives, Scope::new(), tree.span);
                    self.say_mismatch(&value, &closed, &mismatch, want, Some(tree));
                    return self.broken(tree.span);
                }
                let pure_in = self.pure_in.replace("a function that is an argument");
                if reach(signature) != Effect::Pure {
                    self.note_call(&def, signature, &[], &name, tree.span);
                }
                self.pure_in = pure_in;
                let is_exact = own == given && gives == closed && own.len() == signature.params.len();
                if is_exact && !signature.is_host && type_args.is_empty() {
                    return Self::expr_of(ExprKind::FnItem(def), wanted(infer), Scope::new(), tree.span);
                }
                let rest: Vec<hir::Expr> = (own.len()..signature.params.len())
                    .map(|at| {
                        let param = &signature.params[at];
                        match param.has_default {
                            true => {
                                let kind = ExprKind::Default(def.clone(), at as u32);
                                Self::expr_of(kind, param.ty.clone(), Scope::new(), tree.span)
                            }
                            false => self.null(tree.span),
                        }
                    })
                    .collect();
                self.wrapped(Callee::Item(def), &own, rest, gives, type_args, &given, &closed, tree.span)
            }
        }
    }

    /// A small function of parameters `given` that calls another and converts what goes in and out.
    #[expect(clippy::too_many_arguments, reason = "a call with all that belongs to it")]
    fn wrapped(
        &mut self,
        callee: Callee,
        own: &[Type],
        rest: Vec<hir::Expr>,
        gives: Type,
        type_args: Vec<Type>,
        given: &[Type],
        result: &Type,
        span: Span,
    ) -> hir::Expr {
        let params: Vec<LocalId> = given.iter().map(|ty| self.hidden(ty.clone(), Scope::new(), span)).collect();
        let mut args = Vec::with_capacity(own.len() + rest.len());
        for (id, ty) in params.iter().zip(own) {
            let value = self.read(*id, span);
            args.push(self.coerce_if_fits(value, ty));
        }
        args.extend(rest);
        let call = Call { callee, args, type_args, sources: Vec::new() };
        let body = Self::expr_of(ExprKind::Call(Box::new(call)), gives, Scope::new(), span);
        let body = self.coerce_if_fits(body, result);
        let ty = Type::Fn(given.into(), std::sync::Arc::new(result.clone()));
        let lambda = Lambda { params, lets: Vec::new(), body };
        Self::expr_of(ExprKind::Lambda(Box::new(lambda)), ty, Scope::new(), span)
    }

    /// A variable of a lambda or `for`: a name, or a hidden local that `lets` take apart.
    pub(super) fn variable(&mut self, pattern: &Pattern, ty: Type, scope: Scope, lets: &mut Vec<hir::Stmt>) -> LocalId {
        if let PatternKind::Bind(name) = &pattern.kind {
            let id = self.local(&name.text, ty, scope, name.span, LocalKind::Variable);
            self.enter(name, id);
            return id;
        }
        let id = self.hidden(ty, scope, pattern.span);
        let value = self.read(id, pattern.span);
        self.take_apart(
            pattern,
            value,
            &mut |this, name, ty, scope| {
                let id = this.local(&name.text, ty, scope, name.span, LocalKind::Variable);
                this.enter(name, id);
                id
            },
            lets,
        );
        id
    }
}
