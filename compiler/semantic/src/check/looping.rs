//! `for` and `loop`.

use super::{Checker, Expect, Want, block::Kind, narrow::Told};
use crate::hir::{self, Block, ExprKind, For, LocalId, LocalKind, Loop, Scope};
use crate::ty::{Field, Record, Type};
use crate::types::{self, fits, unfold};
use ntl_syntax::ast::{self, ForClause, LoopVar, Span};
use std::sync::Arc;

/// What a `for` goes over.
enum Over {
    List(Type),
    Dict(Type, Type),
    Nothing,
}

impl Checker<'_> {
    pub(super) fn for_loop(
        &mut self,
        clauses: &[ForClause],
        body: &ast::Block,
        span: Span,
        expect: Expect<'_>,
        wanted: bool,
    ) -> hir::Expr {
        let lists: Vec<Arc<Type>> = expect
            .ty()
            .map(|ty| types::members(self.db, ty))
            .unwrap_or_default()
            .iter()
            .filter_map(|ty| super::access::item_of(&unfold(self.db, ty)).cloned())
            .collect();
        let item = match (lists.as_slice(), expect) {
            ([item], Expect::Must(..)) if !types::has_unknown(item) => Expect::Must(item, Want::Item),
            ([item], Expect::Hint(_)) => Expect::Hint(item),
            _ => Expect::Nothing,
        };
        let drops = self.doing.drops;
        let value = self.clause(clauses, body, span, item, wanted);
        // Items that are dropped are left out.
        self.doing.drops = drops;
        value
    }

    fn clause(
        &mut self,
        clauses: &[ForClause],
        body: &ast::Block,
        span: Span,
        expect: Expect<'_>,
        wanted: bool,
    ) -> hir::Expr {
        super::deep(|| match clauses.split_first() {
            Some((clause, rest)) => self.clause_over(clause, rest, body, span, expect, wanted),
            None => self.broken_quietly(span),
        })
    }

    fn clause_over(
        &mut self,
        clause: &ForClause,
        rest: &[ForClause],
        body: &ast::Block,
        span: Span,
        expect: Expect<'_>,
        wanted: bool,
    ) -> hir::Expr {
        let iter = self.expr(&clause.iter, Expect::Nothing);
        let over = self.looped_over(&iter, &clause.iter);
        let mark = self.sight.len();
        let iter_scope = if matches!(over, Over::Nothing) { Scope::new() } else { iter.scope.clone() };
        let (mut checked, ty, inner) = self.within(|this| {
            let mut lets = Vec::new();
            this.once_bound(clause.patterns.iter());
            let (item, value, index) = this.loop_variables(clause, &over, &mut lets);
            let mut inner = Scope::new();
            let (cond, known): (_, Told) = match &clause.cond {
                Some(cond) => {
                    let (cond, outcome) = this.condition_of(cond, "`for … if`");
                    inner = this.outer(&cond.scope);
                    (Some(cond), outcome.holds)
                }
                None => (None, Told::new()),
            };
            let facts = this.learn(&known);
            let (block, ty, scope) = if rest.is_empty() {
                let closed = this.body(body, expect, wanted);
                (closed.block, closed.ty, closed.scope)
            } else {
                let nested = this.clause(rest, body, span, expect, wanted);
                let ty = super::access::item_of(&nested.ty).map_or(Type::Unknown, |item| (**item).clone());
                let scope = nested.scope.clone();
                (Block { stmts: Vec::new(), value: Some(Box::new(nested)), span: body.span }, ty, scope)
            };
            this.forget(facts);
            let scope = this.outer(&scope);
            let inner = this.meet(&inner, &scope, span);
            let flatten = !rest.is_empty();
            let is_dict = matches!(over, Over::Dict(..));
            (For { iter, is_dict, item, value, index, lets, cond, body: block, flatten }, ty, inner)
        });
        self.leave(mark);
        let scope = self.meet(&iter_scope, &inner, span);
        let ty = match expect {
            Expect::Must(ty, _) if wanted => ty.clone(),
            Expect::Hint(hint) if wanted && fits(self.db, &ty, hint) => hint.clone(),
            _ => types::widen(&ty),
        };
        if rest.is_empty()
            && let Some(value) = checked.body.value.take()
        {
            checked.body.value = Some(Box::new(self.coerce_if_fits(*value, &ty)));
        }
        Self::expr_of(ExprKind::For(Box::new(checked)), Type::List(Arc::new(ty)), scope, span)
    }

    fn looped_over(&mut self, iter: &hir::Expr, tree: &ast::Expr) -> Over {
        match unfold(self.db, &iter.ty) {
            Type::List(item) => Over::List((*item).clone()),
            Type::Dict(key, value) => Over::Dict((*key).clone(), (*value).clone()),
            Type::Unknown | Type::Never => {
                self.doing.failed = true;
                Over::Nothing
            }
            _ => {
                self.say_not_looped(iter, tree);
                Over::Nothing
            }
        }
    }

    /// The locals of a `for`: item, value (of a dict) and index.
    fn loop_variables(
        &mut self,
        clause: &ForClause,
        over: &Over,
        lets: &mut Vec<hir::Stmt>,
    ) -> (LocalId, Option<LocalId>, Option<LocalId>) {
        let (first, second) = (clause.patterns.first(), clause.patterns.get(1));
        let span = clause.iter.span;
        let Some(first) = first else {
            self.doing.failed = true;
            return (self.hidden(Type::Unknown, Scope::new(), span), None, None);
        };
        match over {
            Over::List(item) => {
                let item = self.variable(first, item.clone(), Scope::new(), lets);
                let index = second.map(|second| self.variable(second, Type::Int, Scope::new(), lets));
                (item, None, index)
            }
            Over::Dict(key, value) => {
                let key = self.variable(first, key.clone(), Scope::new(), lets);
                match second {
                    Some(second) => (key, Some(self.variable(second, value.clone(), Scope::new(), lets)), None),
                    None => {
                        self.say_dict_needs_two(&clause.iter, first.span);
                        (key, None, None)
                    }
                }
            }
            Over::Nothing => {
                let item = self.variable(first, Type::Unknown, Scope::new(), lets);
                let other = second.map(|second| self.variable(second, Type::Unknown, Scope::new(), lets));
                (item, other, None)
            }
        }
    }

    pub(super) fn loop_rounds(
        &mut self,
        vars: &[LoopVar],
        max: Option<&ast::Expr>,
        body: &ast::Block,
        span: Span,
        expect: Expect<'_>,
    ) -> hir::Expr {
        let mut first: Vec<(Type, hir::Expr, bool)> = Vec::with_capacity(vars.len());
        let mut scope = Scope::new();
        for var in vars {
            let written = var.ty.as_ref().map(|ty| self.written_type(ty));
            let hint = if vars.len() == 1 { expect.soft() } else { Expect::Nothing };
            let entry = match written {
                Some(ty) => {
                    let want = Want::Written(&var.name.text);
                    let value = self.expr(&var.init, super::branch::must(&ty, want));
                    let value = self.coerce(value, &ty, want, Some(&var.init));
                    (ty, value, true)
                }
                None => {
                    let value = self.expr(&var.init, hint);
                    let ty = match hint.ty() {
                        Some(ty) if fits(self.db, &value.ty, ty) && !types::has_unknown(ty) => ty.clone(),
                        _ => types::widen(&value.ty),
                    };
                    let value = self.coerce_if_fits(value, &ty);
                    (ty, value, false)
                }
            };
            scope = self.meet(&scope, &entry.1.scope, span);
            first.push(entry);
        }
        let max = max.map(|max| self.check(max, &Type::Int, Want::Of("`max` of a `loop`")));
        if let Some(max) = &max {
            scope = self.meet(&scope, &max.scope, span);
        }
        let mut types: Vec<Type> = first.iter().map(|(ty, ..)| ty.clone()).collect();
        let start = self.start();
        self.retries += 1;
        let mut rounds = self.rounds(vars, &types, body, span);
        self.retries -= 1;
        // What begins as `[]` or `0` may become a `list[int]` or a float: then the body is looked at again.
        let grown: Vec<Type> = types
            .iter()
            .zip(&rounds.next)
            .zip(&first)
            .map(|((ty, next), (_, _, is_written))| {
                let is_wider = !is_written && !fits(self.db, &next.ty, ty) && fits(self.db, ty, &next.ty);
                if is_wider { types::widen(&next.ty) } else { ty.clone() }
            })
            .collect();
        if grown != types && self.may_retry() {
            self.go_back(start);
            types = grown;
            rounds = self.rounds(vars, &types, body, span);
        }
        let mut next = Vec::with_capacity(rounds.next.len());
        for ((value, ty), var) in rounds.next.into_iter().zip(&types).zip(vars) {
            next.push(self.coerce(value, ty, Want::Written(&var.name.text), None));
        }
        scope = self.meet(&scope, &rounds.scope, span);
        let ty = match types.as_slice() {
            [only] => only.clone(),
            _ => {
                let field = |(var, ty): (&LoopVar, &Type)| Field {
                    name: var.name.text.clone(),
                    key: None,
                    ty: ty.clone(),
                    has_default: false,
                };
                Type::Record(Arc::new(Record { fields: vars.iter().zip(&types).map(field).collect() }))
            }
        };
        let mut carried = Vec::with_capacity(vars.len());
        for ((id, (_, value, _)), ty) in rounds.ids.into_iter().zip(first).zip(&types) {
            carried.push((id, self.coerce_if_fits(value, ty)));
        }
        let checked = Loop { vars: carried, max, stmts: rounds.stmts, until: rounds.until, next };
        Self::expr_of(ExprKind::Loop(Box::new(checked)), ty, scope, span)
    }

    /// The body of a `loop` whose carried values are of these types.
    fn rounds(&mut self, vars: &[LoopVar], types: &[Type], body: &ast::Block, span: Span) -> Rounds {
        let mark = self.sight.len();
        let rounds = self.within(|this| {
            let mut ids = Vec::with_capacity(vars.len());
            for (var, ty) in vars.iter().zip(types) {
                if let Some(first) = vars.iter().find(|v| v.name.text == var.name.text && v.name.span < var.name.span) {
                    this.say_bound_twice(&var.name, first.name.span, false);
                }
                let id = this.local(&var.name.text, ty.clone(), Scope::new(), var.name.span, LocalKind::Variable);
                this.enter(&var.name, id);
                ids.push(id);
            }
            let mut done = this.loop_block(body, Kind::Loop(types));
            let mut scope = this.outer(&done.scope);
            let until = done.until.take().map(|until| this.closed(until, "`until`"));
            let mut next: Vec<hir::Expr> = Vec::with_capacity(done.next.len());
            for value in std::mem::take(&mut done.next) {
                let value = this.closed(value, "`next`");
                let outer = this.outer(&value.scope);
                scope = this.meet(&scope, &outer, span);
                next.push(value);
            }
            if !done.has_next {
                this.say_no_next(span);
                next = vars.iter().map(|_| this.broken(span)).collect();
            }
            Rounds { ids, stmts: done.stmts, until, next, scope }
        });
        self.leave(mark);
        rounds
    }
}

struct Rounds {
    ids: Vec<LocalId>,
    stmts: Vec<hir::Stmt>,
    until: Option<hir::Expr>,
    next: Vec<hir::Expr>,
    scope: Scope,
}
