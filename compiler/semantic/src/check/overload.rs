//! Several declarations of one name: the library repeats names with other parameters.

use super::{
    Checker, Expect,
    argument::{Given, Matching, Value},
    function::{is_function, is_lambda, lambda_params},
};
use crate::db::Def;
use crate::hir;
use crate::query::{Flow, Param, Signature};
use crate::ty::Type;
use crate::types::{Infer, fits, unfold};
use ntl_syntax::ast;

impl<'db> Checker<'db> {
    /// Chooses among declarations of one name by the types of the arguments: the first that takes them.
    pub(super) fn overload(
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
                Value::Tree(tree) if !is_lambda(tree) => {
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
                        !is_function(&param.ty) && fits(checker.db, &ty, &infer.close(wanted))
                    }
                    Some(Value::Tree(tree)) if is_lambda(tree) => match &param.ty {
                        Type::Fn(params, _) => lambda_params(tree) == Some(params.len()),
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
        let Some(at) = first.params.iter().position(|param| is_function(&param.ty)) else { return };
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
}
