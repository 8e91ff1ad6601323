//! The statements of a body: in an order in which what is needed comes first, each checked once.

use super::{
    Checker, Expect,
    branch::is_compound,
    effect::{self, Doing},
    order,
};
use crate::hir::{self, LocalId, LocalKind, Scope, StmtKind};
use crate::ty::Type;
use ntl_syntax::ast::{self, Name, Span};
use rustc_hash::FxHashMap;
use smol_str::SmolStr;

/// What a body is, beside a set of bindings.
#[derive(Clone, Copy)]
pub(super) enum Kind<'a> {
    /// A branch, arm, `for`, …
    Inner,
    /// `seq`: in written order.
    Seq,
    /// The body of a callable whose bindings of these names are its outputs, with their types where they are written.
    Outputs(&'a FxHashMap<SmolStr, Option<Type>>),
    /// The body of a prompt or agent: bindings of these names are its settings.
    Settings(&'a FxHashMap<SmolStr, Option<Type>>),
    /// The body of a `loop` that carries values of these types.
    Loop(&'a [Type]),
}

/// What the last expression of a body is.
#[derive(Clone, Copy)]
pub(super) enum Tail<'a> {
    /// Its value, wanted as this.
    Value(Expect<'a>),
    /// Its value, unless a binding is named `output`.
    Result(Expect<'a>),
    /// A statement like others.
    Statement,
}

/// Checked statements.
#[derive(Default)]
pub(super) struct Done {
    pub stmts: Vec<hir::Stmt>,
    pub value: Option<hir::Expr>,
    pub until: Option<hir::Expr>,
    pub next: Vec<hir::Expr>,
    pub has_next: bool,
    /// What the statements vary per.
    pub scope: Scope,
    /// What is bound: by name.
    pub bound: FxHashMap<SmolStr, LocalId>,
    /// What is bound, in written order: the local, and the place of its statement.
    pub binders: Vec<(LocalId, usize)>,
    /// What each statement does.
    doings: Vec<Doing>,
    /// Whether the statements run in the order in which they are written, wanted or not.
    in_order: bool,
}

/// The local of each name that a body binds, by where it stands. A second binding of a name has none.
pub(super) type Names = FxHashMap<Span, LocalId>;

impl Checker<'_> {
    /// A body within another: its names go out of sight again.
    pub(super) fn inner_block(&mut self, block: &ast::Block, expect: Expect<'_>, wanted: bool) -> Done {
        let tail = if wanted { Tail::Value(expect) } else { Tail::Statement };
        self.whole_block(block, Kind::Inner, tail)
    }

    /// The body of a `seq`.
    pub(super) fn seq_block(&mut self, block: &ast::Block, expect: Expect<'_>, wanted: bool) -> Done {
        let tail = if wanted { Tail::Value(expect) } else { Tail::Statement };
        self.whole_block(block, Kind::Seq, tail)
    }

    /// The body of a `loop`.
    pub(super) fn loop_block(&mut self, block: &ast::Block, kind: Kind<'_>) -> Done {
        self.whole_block(block, kind, Tail::Statement)
    }

    fn whole_block(&mut self, block: &ast::Block, kind: Kind<'_>, tail: Tail<'_>) -> Done {
        let mark = self.sight.len();
        let done = self.statements(block, kind, tail);
        self.warn_unused_of(&done);
        self.leave(mark);
        done
    }

    /// The statements of a body. Their names stay in sight.
    pub(super) fn statements(&mut self, block: &ast::Block, kind: Kind<'_>, tail: Tail<'_>) -> Done {
        let stmts = &block.stmts;
        let params = self.taken(kind);
        let order = order::sort(stmts, |name| params.contains_key(name));
        for cycle in &order.cycles {
            self.say_cycle(cycle);
        }
        let mut done = Done::default();
        let names = self.declare(stmts, &params, &mut done);
        let last = self.value_place(block, tail, &done);
        let mut checked: Vec<Vec<hir::Stmt>> = Vec::new();
        checked.resize_with(stmts.len(), Vec::new);
        done.doings.resize_with(stmts.len(), Doing::default);
        for at in &order.sorted {
            let at = *at;
            let in_cycle = order.in_cycle.contains(&at);
            let stmt = &stmts[at];
            let ((), mut doing) = self.watching(|this| match (last, tail) {
                (Some(last), Tail::Value(expect) | Tail::Result(expect)) if last == at => {
                    this.value_stmt(stmt, expect, &mut checked[at], &mut done);
                }
                _ => this.statement(stmt, kind, &names, in_cycle, &mut checked[at], &mut done),
            });
            doing.failed |= in_cycle;
            done.doings[at] = doing;
        }
        done.in_order = matches!(kind, Kind::Seq);
        if done.in_order {
            self.check_written_order(stmts, &order);
        } else {
            self.warn_unordered_files(&order, &done.doings);
        }
        done.stmts = checked.into_iter().flatten().collect();
        if let (Tail::Result(_), Some(output)) = (tail, done.bound.get("output").copied()) {
            self.info(output).used = true;
            done.value = Some(self.read(output, self.local_of(output).span));
        }
        let mut whole = Doing::default();
        for doing in &mut done.doings {
            let files = std::mem::take(&mut doing.files);
            whole.add(Doing { files, ..doing.clone() });
        }
        // Whether the value may be dropped is told by the value alone.
        whole.drops = match (last, done.bound.get("output"), tail) {
            (_, Some(output), Tail::Result(_)) => self.info[output.0 as usize].drops,
            (Some(last), ..) => done.doings[last].drops,
            _ => false,
        };
        self.doing.add(whole);
        done
    }

    /// The parameters, whose names a body of this kind may not bind again.
    fn taken(&self, kind: Kind<'_>) -> FxHashMap<SmolStr, Span> {
        match kind {
            Kind::Outputs(_) | Kind::Settings(_) => {
                let param = |id: &LocalId| (self.local_of(*id).name.clone(), self.local_of(*id).span);
                self.out.params.iter().map(param).collect()
            }
            Kind::Inner | Kind::Seq | Kind::Loop(_) => FxHashMap::default(),
        }
    }

    /// Brings the names of all bindings in sight, unchecked.
    fn declare(&mut self, stmts: &[ast::Stmt], params: &FxHashMap<SmolStr, Span>, done: &mut Done) -> Names {
        let mut names = Names::default();
        let mut first: FxHashMap<SmolStr, Span> = FxHashMap::default();
        for (at, stmt) in stmts.iter().enumerate() {
            let ast::StmtKind::Bind { pattern, .. } = &stmt.kind else { continue };
            let mut bound: Vec<&Name> = Vec::new();
            super::free::bound_by(pattern, &mut |name| bound.push(name));
            for name in bound {
                if let Some(earlier) = first.get(&name.text).copied() {
                    self.say_bound_twice(name, earlier, false);
                } else if let Some(param) = params.get(&name.text).copied() {
                    self.say_bound_twice(name, param, true);
                } else {
                    let id = self.local(&name.text, Type::Unknown, Scope::new(), name.span, LocalKind::Binding);
                    first.insert(name.text.clone(), name.span);
                    names.insert(name.span, id);
                    done.bound.insert(name.text.clone(), id);
                    done.binders.push((id, at));
                    self.enter(name, id);
                }
            }
        }
        names
    }

    /// The place of the statement that is the body's value; told if there should be one and is none.
    fn value_place(&mut self, block: &ast::Block, tail: Tail<'_>, done: &Done) -> Option<usize> {
        match tail {
            Tail::Statement => return None,
            Tail::Result(_) if done.bound.contains_key("output") => return None,
            Tail::Value(_) | Tail::Result(_) => {}
        }
        match block.stmts.last() {
            Some(ast::Stmt { kind: ast::StmtKind::Expr(_), .. }) => Some(block.stmts.len() - 1),
            Some(ast::Stmt { kind: ast::StmtKind::Error, .. }) => {
                self.doing.failed = true;
                None
            }
            last => {
                let span = last.map_or(block.span, |last| last.span);
                // What the last line binds was probably meant.
                if let Some(ast::Stmt { kind: ast::StmtKind::Bind { pattern, .. }, .. }) = last {
                    let mut meant = Vec::new();
                    super::free::bound_by(pattern, &mut |name| meant.extend(done.bound.get(&name.text).copied()));
                    meant.into_iter().for_each(|id| self.info(id).used = true);
                }
                self.say_no_value(span, last, matches!(tail, Tail::Result(_)));
                None
            }
        }
    }

    /// The expression that is a body's value.
    fn value_stmt(&mut self, stmt: &ast::Stmt, expect: Expect<'_>, checked: &mut Vec<hir::Stmt>, done: &mut Done) {
        let ast::StmtKind::Expr(tree) = &stmt.kind else { return };
        let policies = self.policies(&stmt.policies, Some(tree));
        let value = self.closed_value(tree, expect);
        self.warn_risky_retry(&stmt.policies);
        let value = if policies.is_empty() {
            value
        } else {
            // Policies belong to a statement: the value gets one.
            let id = self.hidden(value.ty.clone(), value.scope.clone(), stmt.span);
            let read = self.read(id, value.span);
            checked.push(hir::Stmt { policies, kind: StmtKind::Let(id, value), span: stmt.span });
            read
        };
        self.vary(done, &value.scope, stmt.span);
        done.value = Some(value);
    }

    /// Adds to what the statements of a body vary per: only what lies outside of it counts.
    pub(super) fn vary(&mut self, done: &mut Done, scope: &[hir::SourceId], span: Span) {
        let outer = self.outer(scope);
        if !outer.is_empty() {
            done.scope = self.meet(&done.scope, &outer, span);
        }
    }

    /// In a `seq`, what is needed must stand before.
    fn check_written_order(&mut self, stmts: &[ast::Stmt], order: &order::Order) {
        for (at, needs) in order.needs.iter().enumerate() {
            for (needed, span) in needs {
                if *needed > at && !order.in_cycle.contains(needed) {
                    self.say_later_in_seq(*span, stmts[*needed].span);
                }
            }
        }
    }

    /// Warns of bindings that nobody needs.
    pub(super) fn warn_unused_of(&mut self, done: &Done) {
        for (id, at) in &done.binders {
            let Some(doing) = done.doings.get(*at) else { continue };
            let local = self.local_of(*id);
            let is_wanted = self.info[id.0 as usize].used || doing.failed || done.in_order && doing.effect;
            if is_wanted || local.name.starts_with('_') || local.ty == Type::Unknown {
                continue;
            }
            if !effect::changes(self.db, doing) {
                let (name, span) = (local.name.clone(), local.span);
                self.warn_unused(&name, span, doing.reads);
            }
        }
    }
}

/// Whether a statement whose value nobody wants is worth a warning if it has no effect.
pub(super) fn is_bare(tree: &ast::Expr) -> bool {
    !is_compound(tree)
}
