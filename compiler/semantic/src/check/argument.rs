//! Arguments: as they are given, and which goes to which parameter.

use crate::hir;
use crate::query::Param;
use ntl_syntax::ast::{self, Arg, Name, Span, TypeExpr};
use rustc_hash::FxHashMap;
use smol_str::SmolStr;

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

    pub(super) fn of(arg: &'a Arg) -> Option<Self> {
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
    /// It has no name and stands behind one that has.
    Late(usize),
    /// There is no parameter of that name.
    Unknown(usize),
    /// It is given twice: parameter, and the two arguments.
    Twice(usize, usize, usize),
    /// A parameter that must be given is not.
    Missing(usize),
}

/// Sends arguments to parameters: positional ones first, then by name.
pub(super) fn matching(params: &[(SmolStr, bool)], given: &[Given<'_>]) -> Matching {
    let mut slots: Vec<Option<usize>> = vec![None; params.len()];
    let mut problems = Vec::new();
    let mut places: FxHashMap<&str, usize> = FxHashMap::default();
    if given.iter().any(|arg| arg.name.is_some()) {
        places.extend(params.iter().enumerate().rev().map(|(at, (name, _))| (name.as_str(), at)));
    }
    for (at, arg) in given.iter().enumerate() {
        let slot = match arg.name {
            None if given[..at].iter().any(|before| before.name.is_some()) => {
                problems.push(Problem::Late(at));
                continue;
            }
            None if at < params.len() => at,
            None => {
                if !problems.iter().any(|problem| matches!(problem, Problem::TooMany(_))) {
                    problems.push(Problem::TooMany(at));
                }
                continue;
            }
            Some(name) => match places.get(name.text.as_str()) {
                Some(slot) => *slot,
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

/// The names of parameters, each with whether it may be left out.
pub(super) fn shape(params: &[Param]) -> Vec<(SmolStr, bool)> {
    params.iter().map(|param| (param.name.clone(), param.optional)).collect()
}
