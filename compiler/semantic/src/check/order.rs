//! The order in which the statements of a body are checked: what a statement needs comes before it.

use super::free;
use ntl_syntax::ast::{Name, Span, Stmt, StmtKind};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// How the statements of a body hang together. Statements are named by their place in it.
pub(super) struct Order {
    /// Every statement, after those it needs.
    pub sorted: Vec<usize>,
    /// What each statement needs: statement, and where it names what that binds.
    pub needs: Vec<Vec<(usize, Span)>>,
    /// Circles: the names on the way round, each with the place where it names the next.
    pub cycles: Vec<Vec<(Name, Span)>>,
    /// Statements on a circle.
    pub in_cycle: BTreeSet<usize>,
}

/// Sorts the statements of a body. A name of which `is_taken` says so means something outside, though it is bound here.
pub(super) fn sort(stmts: &[Stmt], is_taken: impl Fn(&str) -> bool) -> Order {
    let mut binds: FxHashMap<&str, usize> = FxHashMap::default();
    let mut first: Vec<Option<&Name>> = vec![None; stmts.len()];
    for (at, stmt) in stmts.iter().enumerate() {
        if let StmtKind::Bind { pattern, .. } = &stmt.kind {
            free::bound_by(pattern, &mut |name| {
                if is_taken(&name.text) {
                    return;
                }
                binds.entry(&name.text).or_insert(at);
                first[at].get_or_insert(name);
            });
        }
    }
    let mut needs: Vec<Vec<(usize, Span)>> = Vec::with_capacity(stmts.len());
    for stmt in stmts {
        let mut found: Vec<(usize, Span)> = Vec::new();
        let mut seen: BTreeSet<usize> = BTreeSet::new();
        if !binds.is_empty() {
            free::of_stmt(stmt, &mut |name| {
                if let Some(at) = binds.get(name.text.as_str())
                    && seen.insert(*at)
                {
                    found.push((*at, name.span));
                }
            });
        }
        needs.push(found);
    }
    let mut order = Order { sorted: Vec::new(), needs, cycles: Vec::new(), in_cycle: BTreeSet::new() };
    visit_all(&mut order, &first);
    order
}

#[derive(Clone, Copy, PartialEq)]
enum State {
    New,
    Open,
    Done,
}

/// Depth first, with a stack of its own: a body may hold a chain of a hundred thousand bindings.
fn visit_all(order: &mut Order, first: &[Option<&Name>]) {
    let mut states = vec![State::New; first.len()];
    for root in 0..first.len() {
        if states[root] != State::New {
            continue;
        }
        states[root] = State::Open;
        let mut stack: Vec<(usize, usize)> = vec![(root, 0)];
        while let Some((at, next)) = stack.last_mut() {
            let at = *at;
            let Some(&(needed, _)) = order.needs[at].get(*next) else {
                states[at] = State::Done;
                order.sorted.push(at);
                stack.pop();
                continue;
            };
            *next += 1;
            match states[needed] {
                State::Done => {}
                State::New => {
                    states[needed] = State::Open;
                    stack.push((needed, 0));
                }
                State::Open => {
                    let from = stack.iter().position(|(open, _)| *open == needed).unwrap_or(0);
                    let round: Vec<usize> = stack[from..].iter().map(|(at, _)| *at).collect();
                    // A circle that shares a statement with one that has been told is not told again.
                    let is_new = !round.iter().any(|at| order.in_cycle.contains(at));
                    order.in_cycle.extend(&round);
                    if is_new {
                        order.cycles.push(path(&round, order, first));
                    }
                }
            }
        }
    }
}

fn path(round: &[usize], order: &Order, first: &[Option<&Name>]) -> Vec<(Name, Span)> {
    let use_of = |at: usize, needed: usize| order.needs[at].iter().find(|(n, _)| *n == needed).map(|(_, span)| *span);
    let next = |i: usize| round[(i + 1) % round.len()];
    round
        .iter()
        .enumerate()
        .filter_map(|(i, at)| Some((first[*at]?.clone(), use_of(*at, next(i)).unwrap_or_default())))
        .collect()
}

impl Order {
    /// What a statement needs, directly or not.
    pub(super) fn needed(&self, from: usize) -> FxHashSet<usize> {
        let mut seen = FxHashSet::default();
        let mut todo = vec![from];
        while let Some(at) = todo.pop() {
            todo.extend(self.needs[at].iter().map(|(needed, _)| *needed).filter(|needed| seen.insert(*needed)));
        }
        seen
    }
}
