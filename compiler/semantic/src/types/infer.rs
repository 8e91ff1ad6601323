//! Type arguments of a call, inferred from what is given and what is expected.

use super::{any_part, is_ordered, join, map_parts, members, unfold, union, widen};
use crate::db::Db;
use crate::ty::{Bound, Lit, Record, Type};
use smol_str::SmolStr;
use std::sync::Arc;

/// The type parameters of one call while they are being inferred.
#[derive(Clone, Debug)]
pub struct Infer {
    params: Vec<Variable>,
}

#[derive(Clone, Debug)]
struct Variable {
    name: SmolStr,
    bound: Bound,
    /// What arguments have shown, joined.
    learnt: Option<Type>,
    /// What the result should be: taken where no argument says more.
    hint: Option<Type>,
    /// The literals that are expected of the result: what is one of them stays one.
    choice: Option<Type>,
    /// Written by the caller: not to be changed.
    given: bool,
}

/// A type argument that could not be found, or that is not as its bound says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unmet {
    /// The type parameter.
    pub name: SmolStr,
    /// Its bound.
    pub bound: Bound,
    /// What was found for it; `None` if nothing.
    pub found: Option<Type>,
}

/// A walk ends here at the latest: types of declarations nest no deeper.
const DEEPEST: u32 = 300;

impl Infer {
    /// Begins with nothing known of the type parameters.
    pub fn new(type_params: &[(SmolStr, Bound)]) -> Self {
        let variable = |(name, bound): &(SmolStr, Bound)| Variable {
            name: name.clone(),
            bound: *bound,
            learnt: None,
            hint: None,
            choice: None,
            given: false,
        };
        Infer { params: type_params.iter().map(variable).collect() }
    }

    /// Takes type arguments as the caller wrote them.
    pub fn give(&mut self, args: &[Type]) {
        for (param, arg) in self.params.iter_mut().zip(args) {
            param.learnt = Some(arg.clone());
            param.given = true;
        }
    }

    /// A type of the declaration with its own type parameters as variables of this call.
    pub fn instantiate(&self, ty: &Type) -> Type {
        if self.params.is_empty() {
            return ty.clone();
        }
        map_parts(ty, &mut |part| match part {
            Type::Param(name, _) => self.index(name).map(Type::Var),
            _ => None,
        })
    }

    fn index(&self, name: &str) -> Option<u32> {
        self.params.iter().position(|param| param.name == name).and_then(|at| u32::try_from(at).ok())
    }

    /// Learns from an argument of type `found` where the declaration (instantiated) says `wanted`.
    pub fn learn(&mut self, db: &dyn Db, wanted: &Type, found: &Type) {
        self.walk(db, wanted, found, false, DEEPEST);
    }

    /// Takes a hint from the type that is expected of the result.
    pub fn expect(&mut self, db: &dyn Db, result: &Type, expected: &Type) {
        self.walk(db, result, expected, true, DEEPEST);
    }

    /// Keeps literals as they are where a result of literals is expected, by what [`Infer::expect`] told `hints`.
    pub fn choose(&mut self, db: &dyn Db, hints: &Infer) {
        let is_choice = |ty: &&Type| {
            members(db, ty).iter().all(|member| matches!(unfold(db, member), Type::Literal(_) | Type::Null))
        };
        for (param, hint) in self.params.iter_mut().zip(&hints.params) {
            param.choice = hint.hint.as_ref().filter(is_choice).cloned();
        }
    }

    fn note(&mut self, db: &dyn Db, var: u32, found: &Type, is_hint: bool) {
        let Some(param) = self.params.get_mut(var as usize) else { return };
        if param.given || matches!(found, Type::Var(_)) {
            return;
        }
        let found = match &param.choice {
            _ if is_hint => found.clone(),
            Some(choice) if widen(found) != *found && super::fits(db, found, choice) => choice.clone(),
            _ => widen(found),
        };
        let slot = if is_hint { &mut param.hint } else { &mut param.learnt };
        *slot = Some(match slot.take() {
            None => found,
            Some(known) if is_hint => known,
            Some(known) => join(db, &known, &found),
        });
    }

    fn walk(&mut self, db: &dyn Db, wanted: &Type, found: &Type, is_hint: bool, depth: u32) {
        if depth == 0 || !any_part(wanted, &mut |part| matches!(part, Type::Var(_))) {
            return;
        }
        if let Type::Var(var) = wanted {
            return self.note(db, *var, found, is_hint);
        }
        let mut part = |wanted: &Type, found: &Type| self.walk(db, wanted, found, is_hint, depth - 1);
        if let Type::Union(wanted) = wanted {
            return self.walk_union(db, wanted, found, is_hint, depth);
        }
        if matches!(found, Type::Unknown | Type::Any) {
            // Nothing is known of any part of it.
            return match wanted {
                Type::List(item) => part(item, found),
                Type::Dict(key, value) => {
                    part(key, &Type::Unknown);
                    part(value, found);
                }
                Type::Tuple(items) => items.iter().for_each(|item| part(item, found)),
                Type::Record(record) => record.fields.iter().for_each(|field| part(&field.ty, found)),
                Type::Fn(params, result) => {
                    params.iter().for_each(|param| part(param, found));
                    part(result, found);
                }
                _ => {}
            };
        }
        for found in members(db, found) {
            match (wanted, &unfold(db, &found)) {
                (Type::List(wanted), Type::List(found)) => part(wanted, found),
                (Type::Dict(wk, wv), Type::Dict(fk, fv)) => {
                    part(wk, fk);
                    part(wv, fv);
                }
                (Type::Tuple(wanted), Type::Tuple(found)) => {
                    wanted.iter().zip(found.iter()).for_each(|(wanted, found)| part(wanted, found));
                }
                (Type::Record(wanted), Type::Record(found)) => {
                    for field in &wanted.fields {
                        if let Some(given) = found.fields.iter().find(|given| given.name == field.name) {
                            part(&field.ty, &given.ty);
                        }
                    }
                }
                (Type::Fn(wp, wr), Type::Fn(fp, fr)) => {
                    wp.iter().zip(fp.iter()).for_each(|(wanted, found)| part(wanted, found));
                    part(wr, fr);
                }
                _ => {}
            }
        }
    }

    /// `T?` against `str?`: what the union names outright is taken away first, the variable gets what is left.
    fn walk_union(&mut self, db: &dyn Db, wanted: &[Type], found: &Type, is_hint: bool, depth: u32) {
        let has_var = |ty: &Type| any_part(ty, &mut |part| matches!(part, Type::Var(_)));
        let (open, closed): (Vec<&Type>, Vec<&Type>) = wanted.iter().partition(|member| has_var(member));
        let left: Vec<Type> = members(db, found)
            .into_iter()
            .filter(|found| !closed.iter().any(|closed| super::fits(db, found, closed) && *found != Type::Any))
            .collect();
        if left.is_empty() {
            return;
        }
        let structured: Vec<&Type> = open.iter().copied().filter(|member| !matches!(member, Type::Var(_))).collect();
        let mut rest = Vec::new();
        for found in left {
            let fitting = structured.iter().find(|wanted| same_shape(wanted, &unfold(db, &found)));
            match fitting {
                Some(wanted) => self.walk(db, wanted, &found, is_hint, depth - 1),
                None => rest.push(found),
            }
        }
        if !rest.is_empty() {
            let rest = union(rest);
            for var in open.iter().filter(|member| matches!(member, Type::Var(_))) {
                self.walk(db, var, &rest, is_hint, depth - 1);
            }
        }
    }

    /// A type with what is known by now filled in; what is not known yet stays a variable.
    pub fn resolve(&self, ty: &Type) -> Type {
        if self.params.is_empty() {
            return ty.clone();
        }
        map_parts(ty, &mut |part| match part {
            Type::Var(var) => self.known(*var).cloned(),
            _ => None,
        })
    }

    fn known(&self, var: u32) -> Option<&Type> {
        let param = self.params.get(var as usize)?;
        param.learnt.as_ref().or(param.hint.as_ref())
    }

    /// Whether everything in an instantiated type is known by now.
    pub fn is_known(&self, ty: &Type) -> bool {
        !any_part(ty, &mut |part| matches!(part, Type::Var(var) if self.known(*var).is_none()))
    }

    /// The type arguments, and what is wrong with them; what could not be found is [`Type::Unknown`].
    pub fn finish(&self, db: &dyn Db) -> (Vec<Type>, Vec<Unmet>) {
        let mut unmet = Vec::new();
        let args = self.params.iter().map(|param| {
            let found = param.learnt.as_ref().or(param.hint.as_ref());
            let Some(found) = found else {
                unmet.push(Unmet { name: param.name.clone(), bound: param.bound, found: None });
                return Type::Unknown;
            };
            if !meets(db, found, param.bound) {
                unmet.push(Unmet { name: param.name.clone(), bound: param.bound, found: Some(found.clone()) });
                return Type::Unknown;
            }
            found.clone()
        });
        let args = args.collect();
        (args, unmet)
    }

    /// An instantiated type with all variables filled in; what could not be found is [`Type::Unknown`].
    pub fn close(&self, ty: &Type) -> Type {
        map_parts(ty, &mut |part| match part {
            Type::Var(var) => Some(self.known(*var).cloned().unwrap_or(Type::Unknown)),
            _ => None,
        })
    }
}

fn same_shape(a: &Type, b: &Type) -> bool {
    match (a, b) {
        (Type::Tuple(a), Type::Tuple(b)) => a.len() == b.len(),
        (Type::Record(a), Type::Record(b)) => has_fields(a, b),
        (Type::Fn(a, _), Type::Fn(b, _)) => a.len() == b.len(),
        _ => std::mem::discriminant(a) == std::mem::discriminant(b) && matches!(a, Type::List(_) | Type::Dict(..)),
    }
}

fn has_fields(wanted: &Arc<Record>, found: &Arc<Record>) -> bool {
    wanted.fields.iter().all(|field| found.fields.iter().any(|given| given.name == field.name))
}

/// Whether a type argument is as its parameter's bound says.
fn meets(db: &dyn Db, ty: &Type, bound: Bound) -> bool {
    let all = |is: &dyn Fn(&Type) -> bool| members(db, ty).iter().all(|member| is(&unfold(db, member)));
    let is_free = |ty: &Type| matches!(ty, Type::Unknown | Type::Never | Type::Any);
    match bound {
        Bound::None => true,
        Bound::Number => all(&|ty| {
            matches!(ty, Type::Int | Type::Float | Type::Literal(Lit::Int(_)) | Type::Param(_, Bound::Number))
                || is_free(ty)
        }),
        Bound::Ordered => is_ordered(db, ty),
        Bound::Key => all(&|ty| {
            matches!(ty, Type::Str | Type::Int | Type::Literal(Lit::Str(_) | Lit::Int(_)) | Type::Param(_, Bound::Key))
                || is_free(ty)
        }),
    }
}
