//! What an expression needs: always, perhaps, and in which order bindings are computed.

use crate::deep;
use ntl_semantic::hir::{Block, Callee, Expr, ExprKind, Lambda, LocalId, Stmt, StmtKind};
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::DfsPostOrder;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// Locals, in no order.
pub(crate) type Locals = FxHashSet<LocalId>;

/// When a part of an expression is evaluated.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum When {
    /// Whenever the whole is, once.
    Now,
    /// Perhaps, at most once.
    Maybe,
    /// Perhaps, and perhaps many times.
    Often,
}

/// A part of an expression.
pub(crate) enum Part<'h> {
    Expr(&'h Expr),
    Block(&'h Block),
    Stmts(&'h [Stmt]),
    Lambda(&'h Lambda),
    /// A local that is called.
    Local(LocalId),
}

/// Calls `f` with every direct part, in order of evaluation.
pub(crate) fn parts<'h>(expr: &'h Expr, f: &mut dyn FnMut(When, Part<'h>)) {
    use When::{Maybe, Now, Often};
    let mut now = |e: &'h Expr| f(Now, Part::Expr(e));
    match &expr.kind {
        ExprKind::Const(_)
        | ExprKind::Local(_)
        | ExprKind::ConstItem(_)
        | ExprKind::Default(..)
        | ExprKind::FnItem(_)
        | ExprKind::Error => {}
        ExprKind::Interpolate(items) | ExprKind::List(items) | ExprKind::Tuple(items) | ExprKind::Record(items) => {
            items.iter().for_each(now);
        }
        ExprKind::Dict(entries) => entries.iter().for_each(|(key, value)| {
            now(key);
            now(value);
        }),
        ExprKind::Update(base, fields) => {
            now(base);
            fields.iter().for_each(|(_, value)| now(value));
        }
        ExprKind::Field(base, _)
        | ExprKind::FieldNamed(base, _)
        | ExprKind::Neg(base)
        | ExprKind::Not(base)
        | ExprKind::Is(base, _)
        | ExprKind::As(base)
        | ExprKind::Fit(base) => now(base),
        ExprKind::Index(a, b) | ExprKind::JsonIndex(a, b) | ExprKind::Binary(_, a, b) | ExprKind::Range(a, b, _) => {
            now(a);
            now(b);
        }
        ExprKind::After(first, second) => {
            now(second);
            now(first);
        }
        ExprKind::And(a, b) | ExprKind::Or(a, b) | ExprKind::Coalesce(a, b) | ExprKind::Chain(a, _, b) => {
            now(a);
            f(Maybe, Part::Expr(b));
        }
        ExprKind::If(cond, then, otherwise) => {
            now(cond);
            f(Maybe, Part::Block(then));
            otherwise.iter().for_each(|otherwise| f(Maybe, Part::Block(otherwise)));
        }
        ExprKind::Match(value, arms) => {
            now(value);
            for arm in arms {
                arm.guard.iter().for_each(|guard| f(Maybe, Part::Expr(guard)));
                f(Maybe, Part::Block(&arm.body));
            }
        }
        ExprKind::For(item_loop) => {
            now(&item_loop.iter);
            f(Often, Part::Stmts(&item_loop.lets));
            item_loop.cond.iter().for_each(|cond| f(Often, Part::Expr(cond)));
            f(Often, Part::Block(&item_loop.body));
        }
        ExprKind::Loop(rounds) => {
            rounds.vars.iter().for_each(|(_, first)| now(first));
            rounds.max.iter().for_each(now);
            f(Often, Part::Stmts(&rounds.stmts));
            rounds.until.iter().chain(&rounds.next).for_each(|e| f(Often, Part::Expr(e)));
        }
        ExprKind::Try(body, _, handler) => {
            f(Maybe, Part::Expr(body));
            f(Maybe, Part::Block(handler));
        }
        ExprKind::Seq(block) | ExprKind::Block(block) => f(Now, Part::Block(block)),
        ExprKind::Call(call) => {
            call.args.iter().for_each(now);
            if let Callee::Value(local) = call.callee {
                f(Now, Part::Local(local));
            }
        }
        ExprKind::Lambda(lambda) => f(Now, Part::Lambda(lambda)),
    }
}

/// Calls `f` with the expressions of a statement.
pub(crate) fn stmt_exprs<'h>(stmt: &'h Stmt, f: &mut dyn FnMut(&'h Expr)) {
    match &stmt.kind {
        StmtKind::Let(_, e) | StmtKind::Effect(e) | StmtKind::Assert(e) | StmtKind::Mock(_, e) => f(e),
        StmtKind::Require(cond, message) => {
            f(cond);
            f(message);
        }
    }
}

/// Calls `f` with the expressions of a block.
pub(crate) fn block_exprs<'h>(block: &'h Block, f: &mut dyn FnMut(&'h Expr)) {
    block.stmts.iter().for_each(|stmt| stmt_exprs(stmt, f));
    block.value.iter().for_each(|value| f(value));
}

/// Calls `f` with every expression of a part, those of lambdas included.
fn part_exprs<'h>(part: Part<'h>, f: &mut dyn FnMut(&'h Expr)) {
    match part {
        Part::Expr(e) => f(e),
        Part::Block(block) => block_exprs(block, f),
        Part::Stmts(stmts) => stmts.iter().for_each(|stmt| stmt_exprs(stmt, f)),
        Part::Lambda(lambda) => {
            lambda.lets.iter().for_each(|stmt| stmt_exprs(stmt, f));
            f(&lambda.body);
        }
        Part::Local(_) => {}
    }
}

/// Calls `f` with every expression of a small function, outer ones first; it goes into those for which `f` says so.
pub(crate) fn lambda_exprs<'h>(lambda: &'h Lambda, f: &mut dyn FnMut(&'h Expr) -> bool) {
    part_exprs(Part::Lambda(lambda), &mut |e| each(e, f));
}

fn each<'h>(expr: &'h Expr, f: &mut dyn FnMut(&'h Expr) -> bool) {
    if f(expr) {
        deep(|| parts(expr, &mut |_, part| part_exprs(part, &mut |e| each(e, f))));
    }
}

/// Calls `f` with every local that an expression names, its own ones included.
pub(crate) fn uses(expr: &Expr, f: &mut dyn FnMut(LocalId)) {
    deep(|| {
        if let ExprKind::Local(local) = expr.kind {
            f(local);
        }
        parts(expr, &mut |_, part| match part {
            Part::Local(local) => f(local),
            part => part_exprs(part, &mut |e| uses(e, f)),
        });
    });
}

/// Adds every local that an expression names, its own ones included.
pub(crate) fn add_uses(expr: &Expr, locals: &mut Locals) {
    uses(expr, &mut |local| {
        locals.insert(local);
    });
}

/// Calls `f` with every local that the function's body names, its own ones included.
pub(crate) fn lambda_uses(lambda: &Lambda, f: &mut dyn FnMut(LocalId)) {
    part_exprs(Part::Lambda(lambda), &mut |e| uses(e, f));
}

/// Calls `f` with every local that a block names, its own ones included.
pub(crate) fn block_uses(block: &Block, f: &mut dyn FnMut(LocalId)) {
    block_exprs(block, &mut |e| uses(e, f));
}

/// Adds the locals that an expression needs whichever way it goes.
pub(crate) fn strict(expr: &Expr, needed: &mut Locals) {
    deep(|| match &expr.kind {
        ExprKind::Local(local) => drop(needed.insert(*local)),
        ExprKind::If(cond, then, Some(otherwise)) => {
            strict(cond, needed);
            needed.extend(common([then, otherwise]));
        }
        ExprKind::Match(value, arms) => {
            strict(value, needed);
            needed.extend(common(arms.iter().map(|arm| &arm.body)));
        }
        _ => parts(expr, &mut |when, part| match (when, part) {
            (When::Now, Part::Expr(e)) => strict(e, needed),
            (When::Now, Part::Block(block)) => strict_block(block, needed),
            (When::Now, Part::Local(local)) => drop(needed.insert(local)),
            // A function takes what it names when it is made.
            (When::Now, Part::Lambda(lambda)) => lambda_uses(lambda, &mut |local| {
                needed.insert(local);
            }),
            _ => {}
        }),
    });
}

/// What is computed of a body.
#[derive(Clone, Copy)]
pub(crate) enum Root<'h> {
    Expr(&'h Expr),
    Block(&'h Block),
}

impl<'h> Root<'h> {
    /// Adds the locals that it needs whichever way it goes.
    pub fn strict(self, needed: &mut Locals) {
        match self {
            Root::Expr(e) => strict(e, needed),
            Root::Block(block) => strict_block(block, needed),
        }
    }

    /// Counts how often its text takes each local, as [`count`] does.
    pub fn count(self, counts: &mut FxHashMap<LocalId, u32>) {
        match self {
            Root::Expr(e) => count(e, 1, counts),
            Root::Block(block) => block_exprs(block, &mut |e| count(e, 1, counts)),
        }
    }
}

/// What all of the blocks need whichever way they go.
fn common<'h>(blocks: impl IntoIterator<Item = &'h Block>) -> Locals {
    let mut sets = blocks.into_iter().map(|block| {
        let mut set = Locals::default();
        strict_block(block, &mut set);
        set
    });
    let mut common = sets.next().unwrap_or_default();
    sets.for_each(|set| common.retain(|local| set.contains(local)));
    common
}

fn strict_block(block: &Block, needed: &mut Locals) {
    let mut own = Locals::default();
    for stmt in &block.stmts {
        match &stmt.kind {
            StmtKind::Effect(e) | StmtKind::Require(e, _) => strict(e, &mut own),
            _ => {}
        }
    }
    block.value.iter().for_each(|value| strict(value, &mut own));
    close(&block.stmts, &mut own);
    needed.extend(own);
}

/// Adds what the bindings among `needed` need.
pub(crate) fn close(stmts: &[Stmt], needed: &mut Locals) {
    let values: FxHashMap<LocalId, &Expr> = bindings(stmts).map(|(_, local, value)| (local, value)).collect();
    if values.is_empty() {
        return;
    }
    let mut open: Vec<LocalId> = needed.iter().copied().filter(|local| values.contains_key(local)).collect();
    while let Some(local) = open.pop() {
        let Some(value) = values.get(&local) else { continue };
        let mut found = Locals::default();
        strict(value, &mut found);
        open.extend(found.into_iter().filter(|local| needed.insert(*local) && values.contains_key(local)));
    }
}

/// The bindings among statements: place, local, value.
pub(crate) fn bindings(stmts: &[Stmt]) -> impl DoubleEndedIterator<Item = (usize, LocalId, &Expr)> {
    stmts.iter().enumerate().filter_map(|(at, stmt)| match &stmt.kind {
        StmtKind::Let(local, value) => Some((at, *local, value)),
        _ => None,
    })
}

/// The places of the bindings among statements, each after those that it may need; else in written order.
pub(crate) fn order(stmts: &[Stmt]) -> Vec<usize> {
    let mut graph: DiGraph<usize, ()> = DiGraph::new();
    let nodes: FxHashMap<LocalId, NodeIndex> =
        bindings(stmts).map(|(at, local, _)| (local, graph.add_node(at))).collect();
    for (_, local, value) in bindings(stmts) {
        let mut needs = Vec::new();
        uses(value, &mut |needed| needs.extend(nodes.get(&needed)));
        let Some(node) = nodes.get(&local) else { continue };
        // The graph gives the newest edge first.
        for needed in needs.into_iter().rev().filter(|needed| needed != node) {
            graph.update_edge(*node, needed, ());
        }
    }
    let mut order = Vec::with_capacity(graph.node_count());
    let mut walk = DfsPostOrder::empty(&graph);
    for root in graph.node_indices() {
        walk.move_to(root);
        while let Some(node) = walk.next(&graph) {
            order.extend(graph.node_weight(node));
        }
    }
    order
}

/// Counts how often the text of an expression takes each local: one in a body that may run many times counts twice, those
/// in a small function once, where it is made.
pub(crate) fn count(expr: &Expr, times: u32, counts: &mut FxHashMap<LocalId, u32>) {
    deep(|| {
        let mut add = |local, times| *counts.entry(local).or_default() += times;
        if let ExprKind::Local(local) = expr.kind {
            add(local, times);
        }
        parts(expr, &mut |when, part| match part {
            Part::Local(local) => *counts.entry(local).or_default() += times,
            Part::Lambda(lambda) => {
                let mut captured = BTreeSet::new();
                lambda_uses(lambda, &mut |local| {
                    captured.insert(local);
                });
                for local in captured {
                    *counts.entry(local).or_default() += times;
                }
            }
            part => {
                let times = if when == When::Often { 2 } else { times };
                part_exprs(part, &mut |e| count(e, times, counts));
            }
        });
    });
}
