//! Failures on their way through a run: what failed, where, on which item. A failure keeps its identity, so that it is
//! told once, however many things depended on it.

use crate::value::{Fault, Value};
use ntl_plan::{NativeId, Plan, SpanId};
use rustc_hash::FxHashSet;
use smol_str::SmolStr;
use std::sync::Arc;

/// One failure.
#[derive(Debug)]
pub(crate) struct Failure {
    pub fault: Fault,
    /// The failing expression.
    pub span: Option<SpanId>,
    /// Calls up to the step, innermost first: the name of what was called, and where.
    pub calls: Vec<(SmolStr, SpanId)>,
    /// The step's full id.
    pub step: SmolStr,
    /// The item on which it failed: indices, outermost first.
    pub key: Vec<u64>,
    /// Which try it was, from 1.
    pub attempt: u32,
    /// The native that failed and what it was given.
    pub inputs: Option<(NativeId, Vec<Value>)>,
    /// The operations that it happened within.
    pub within: Within,
}

/// An operation of an instance, by a number that is never used again.
pub(crate) type Spot = (u64, u32);
/// An operation and those that it stands in, innermost first.
pub(crate) type Within = Arc<[Spot]>;

/// One failure or several. Joining is cheap: the parts are shared.
#[derive(Clone, Debug)]
pub(crate) enum Failures {
    One(Arc<Failure>),
    Many(Arc<Vec<Failures>>),
}

impl From<Failure> for Failures {
    fn from(failure: Failure) -> Self {
        Failures::One(Arc::new(failure))
    }
}

impl Failures {
    /// All of them.
    pub fn all(mut parts: Vec<Failures>) -> Option<Failures> {
        match parts.len() {
            0 => None,
            1 => parts.pop(),
            _ => Some(Failures::Many(Arc::new(parts))),
        }
    }

    /// These, and those that are there already.
    pub fn join(self, there: &mut Option<Failures>) {
        *there = Some(match there.take() {
            None => self,
            Some(there) => Failures::Many(Arc::new(vec![there, self])),
        });
    }

    /// The failure, if it is one.
    pub fn alone(&self) -> Option<&Arc<Failure>> {
        match self {
            Failures::One(one) => Some(one),
            Failures::Many(_) => None,
        }
    }

    /// Each failure once, in the order of source places, then keys.
    pub fn list(&self, plan: &Plan) -> Vec<Arc<Failure>> {
        let (mut seen, mut list, mut open) = (FxHashSet::default(), Vec::new(), vec![self]);
        while let Some(failures) = open.pop() {
            match failures {
                Failures::One(one) => {
                    if seen.insert(Arc::as_ptr(one).addr()) {
                        list.push(one.clone());
                    }
                }
                // Shared parts are met many times: a walk without this could take exponential time.
                Failures::Many(parts) => {
                    if seen.insert(Arc::as_ptr(parts).addr()) {
                        open.extend(parts.iter());
                    }
                }
            }
        }
        let place = |f: &Failure| {
            let span = f.span.and_then(|s| plan.spans.get(s.at()));
            span.map(|s| (s.file, s.line, s.column))
        };
        list.sort_by(|a, b| (place(a), &a.key, &a.step).cmp(&(place(b), &b.key, &b.step)));
        list
    }

    /// The first of [`list`](Self::list): the one that a handler is told.
    pub fn first(&self, plan: &Plan) -> Option<Arc<Failure>> {
        match self {
            Failures::One(one) => Some(one.clone()),
            Failures::Many(_) => self.list(plan).into_iter().next(),
        }
    }
}

impl Drop for Failures {
    fn drop(&mut self) {
        // Joined one by one they may nest deep: taken apart in a loop, not by recursion.
        let Failures::Many(parts) = self else { return };
        let Some(parts) = Arc::get_mut(parts) else { return };
        let mut open = std::mem::take(parts);
        while let Some(mut failures) = open.pop() {
            if let Failures::Many(parts) = &mut failures
                && let Some(parts) = Arc::get_mut(parts)
            {
                open.append(parts);
            }
        }
    }
}
