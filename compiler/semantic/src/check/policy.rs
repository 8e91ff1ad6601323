//! Policies: how a statement is run.

use super::{Checker, effect::Risky};
use crate::bodies;
use crate::hir::{Const, ExprKind as Hir, Policy};
use crate::names::{self, Found, Kind};
use crate::query;
use crate::{POLICIES, names::nearest};
use ntl_syntax::ast::{Annotation, Arg, Expr, ExprKind, Span, StrPart};
use smol_str::SmolStr;

/// A value that a policy is given.
enum Given {
    Const(Const),
    Word(SmolStr),
}

impl Checker<'_> {
    /// The policies before a statement; `value` is what they cover.
    pub(super) fn policies(&mut self, written: &[Annotation], value: Option<&Expr>) -> Vec<Policy> {
        let mut policies: Vec<Policy> = Vec::with_capacity(written.len());
        let mut seen: Vec<(&SmolStr, Span)> = Vec::new();
        for policy in written {
            let name = &policy.name.text;
            if !POLICIES.contains(&name.as_str()) {
                let near = nearest(name, POLICIES);
                self.say_unknown_policy(&policy.name, near);
                continue;
            }
            if let Some((_, first)) = seen.iter().find(|(known, _)| *known == name) {
                let first = *first;
                self.say_policy_twice(&policy.name, first);
                continue;
            }
            seen.push((name, policy.name.span));
            let is_for = value.is_some_and(goes_over);
            if matches!(name.as_str(), "on_error" | "parallel") && !is_for {
                self.say_policy_needs_for(policy);
                continue;
            }
            if value.is_none() {
                self.say_policy_of_nothing(policy);
                continue;
            }
            match self.policy(policy) {
                Some(known) => {
                    if let Policy::Id(id) = &known {
                        // A part that is checked twice names its id twice.
                        let first = *self.ids.entry(id.clone()).or_insert(policy.span);
                        if first != policy.span {
                            self.say_id_twice(id, policy.span, first);
                        }
                    }
                    policies.push(known);
                }
                None => self.say_policy_arguments(policy),
            }
        }
        policies
    }

    fn policy(&mut self, policy: &Annotation) -> Option<Policy> {
        let args = policy.args.as_deref().unwrap_or_default();
        let (positional, named): (Vec<&Arg>, Vec<&Arg>) = args.iter().partition(|arg| arg.name.is_none());
        let mut values = Vec::with_capacity(positional.len());
        for arg in positional {
            values.push(self.policy_value(arg.value.as_ref()?)?);
        }
        let whole = |value: &i64| u32::try_from(*value).ok();
        match (policy.name.text.as_str(), values.as_slice(), named.as_slice()) {
            ("retry", [Given::Const(Const::Int(count))], []) => Some(Policy::Retry(whole(count)?, None)),
            ("retry", [Given::Const(Const::Int(count))], [backoff]) if is_named(backoff, "backoff") => {
                match self.policy_value(backoff.value.as_ref()?)? {
                    Given::Const(Const::Duration(time)) if time >= 0 => Some(Policy::Retry(whole(count)?, Some(time))),
                    _ => None,
                }
            }
            ("timeout", [Given::Const(Const::Duration(time))], []) if *time > 0 => Some(Policy::Timeout(*time)),
            ("cache", [Given::Const(Const::Duration(time))], []) if *time > 0 => Some(Policy::Cache(Some(*time))),
            ("cache", [Given::Word(word)], []) if word == "forever" => Some(Policy::Cache(None)),
            ("cache", [Given::Word(word)], []) if word == "off" => Some(Policy::CacheOff),
            ("parallel", [Given::Const(Const::Int(count))], []) if *count > 0 => Some(Policy::Parallel(whole(count)?)),
            ("on_error", [Given::Word(word)], []) if word == "skip" => Some(Policy::SkipErrors),
            ("id", [Given::Const(Const::Str(id))], []) if !id.is_empty() => Some(Policy::Id(id.clone())),
            _ => None,
        }
    }

    /// A literal, a constant of one, or a word.
    fn policy_value(&mut self, tree: &Expr) -> Option<Given> {
        match &tree.kind {
            ExprKind::Paren(inner) => self.policy_value(inner),
            ExprKind::Literal(literal) => Some(Given::Const(super::literal::const_of(literal))),
            ExprKind::Str(parts) => match parts.as_slice() {
                [StrPart::Text(text)] => Some(Given::Const(Const::Str(text.clone()))),
                _ => None,
            },
            ExprKind::Name(name) if matches!(name.text.as_str(), "off" | "forever" | "skip") => {
                Some(Given::Word(name.text.clone()))
            }
            ExprKind::Name(name) => match names::lookup(self.db, self.def.file, Kind::Value, &name.text) {
                Found::Yes(defs) => {
                    let body = query::body(self.db, defs.first()?)?;
                    match &body.body.block.value.as_ref()?.kind {
                        Hir::Const(value) => Some(Given::Const(value.clone())),
                        _ => None,
                    }
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// Warns of a retry of what may then happen twice.
    pub(super) fn warn_risky_retry(&mut self, policies: &[Annotation]) {
        let Some(retry) = policies.iter().find(|policy| policy.name.text == "retry") else { return };
        let is_risky = |call: &&Risky| call.workflow.as_ref().is_none_or(|def| bodies::is_risky_item(self.db, def));
        if let Some(call) = self.doing.risky.iter().find(is_risky).cloned() {
            self.warn_risky(&call.name, call.span, retry.span);
        }
        // Told once.
        self.doing.risky.clear();
    }
}

fn is_named(arg: &Arg, name: &str) -> bool {
    arg.name.as_ref().is_some_and(|given| given.text == name)
}

/// Whether an expression is a `for`.
fn goes_over(tree: &Expr) -> bool {
    match &tree.kind {
        ExprKind::For { .. } => true,
        ExprKind::Paren(inner) => goes_over(inner),
        _ => false,
    }
}
