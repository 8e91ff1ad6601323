//! Calls that are operations, and order.

use super::extract::Inputs;
use super::{Flow, Loc, Place, Val};
use crate::calls::{Class, Known, streams};
use crate::needs::{self, Locals};
use ntl_plan::{OpKind, Policy, Ref, RegionId, RegionKind};
use ntl_semantic::Def;
use ntl_semantic::hir::{Block, Call, Const, Expr, ExprKind, Stmt, StmtKind};
use ntl_semantic::query::Effect;
use ntl_syntax::ast::{CallableKind, Span};
use smol_str::format_smolstr;

static NULL: Const = Const::Null;

impl<'db, 'h> Flow<'_, 'db, 'h> {
    /// A call that is an operation of its own, after the given ones.
    pub(super) fn step(
        &mut self,
        class: Class<'db>,
        call: &'h Call,
        expr: &'h Expr,
        place: &Place,
        deps: &[Loc],
    ) -> Val<'h> {
        match class {
            Class::Step(known) => {
                let native = self.cx.native(&known, &call.type_args);
                self.call_op(OpKind::Native(native), &known, call, expr, place, deps)
            }
            Class::Workflow(known) => {
                let region = self.cx.workflow(&known.def);
                if streams(known.sig) {
                    return self.call_streams(region, &known, call, expr, place, deps);
                }
                self.call_op(OpKind::Call(region), &known, call, expr, place, deps)
            }
            Class::Each => self.each(call, expr, place, deps),
            Class::Collect => self.collect(call, expr, place, deps),
            Class::Filter => self.filter(call, expr, place, deps),
            Class::Stream(known) => self.stream(&known, call, expr, place, deps),
            Class::Code(_) | Class::Value | Class::Pure(_) | Class::Unknown => {
                self.cx.internal(self.def, expr.span, "a call is no step");
                Val::Const(&NULL)
            }
        }
    }

    fn call_op(
        &mut self,
        kind: OpKind,
        known: &Known<'db>,
        call: &'h Call,
        expr: &'h Expr,
        place: &Place,
        deps: &[Loc],
    ) -> Val<'h> {
        let id = self.call_id(&known.def.name);
        let region = self.region_of(&expr.scope, place);
        let mut inputs = Vec::with_capacity(call.args.len());
        for (arg, param) in call.args.iter().zip(&known.sig.params) {
            let outer = self.hint.replace(format_smolstr!("{}.{}", known.def.name, param.name));
            let val = self.value(arg, place);
            inputs.push(self.reference(region, val, arg.span));
            self.hint = outer;
        }
        let outputs = known.sig.outputs.len();
        let mut op = self.op(id, kind, inputs, &expr.ty, expr.span);
        op.after = self.order(deps, region, expr.span);
        op.policy = Policy { parallel: None, skip_errors: false, ..self.policy.clone() };
        let loc = self.add(op, region);
        if known.sig.kind == CallableKind::Workflow && outputs > 1 {
            self.calls.insert(loc, outputs);
        }
        if known.effect >= Effect::Write {
            self.mark(loc, true, place);
        }
        Val::Loc(loc)
    }

    /// A secret as a value: for the runtime to refuse, which does not hand out any yet.
    pub(super) fn secret(&mut self, def: &Def, expr: &'h Expr, place: &Place) -> Val<'h> {
        let native = self.cx.native_entry(ntl_plan::Native {
            id: format_smolstr!("secret:{}", def.name),
            name: def.name.clone(),
            effect: ntl_plan::Effect::Read,
            retry_safe: true,
            params: Vec::new(),
            type_args: Vec::new(),
        });
        let id = self.call_id(&def.name);
        let op = self.op(id, OpKind::Native(native), Vec::new(), &expr.ty, expr.span);
        Val::Loc(self.add(op, place.region))
    }

    // Order.

    /// References to what must have ended: of what varies, all of it.
    pub(super) fn order(&mut self, deps: &[Loc], region: RegionId, span: Span) -> Vec<Ref> {
        let mut refs = Vec::with_capacity(deps.len());
        for &dep in deps {
            let mut dep = dep;
            while !self.sees(region, dep.region) {
                let source = self.opened.iter().filter_map(|id| self.sources.get(id)).find(|s| s.region == dep.region);
                let Some(source) = source.copied() else { break };
                dep = self.collect_all(source, dep, span);
            }
            refs.push(self.reference_loc(region, dep, span));
        }
        refs
    }

    /// `first after second`.
    pub(super) fn after(&mut self, first: &'h Expr, second: &'h Expr, place: &Place) -> Val<'h> {
        match self.value(second, place) {
            Val::Loc(dep) | Val::Field(dep, _) => self.ordered(first, &[dep], place),
            Val::Const(_) => self.value(first, place),
        }
    }

    /// The value of an expression that starts after all of these.
    fn ordered(&mut self, expr: &'h Expr, deps: &[Loc], place: &Place) -> Val<'h> {
        if deps.is_empty() {
            return self.value(expr, place);
        }
        if let ExprKind::Call(call) = &expr.kind {
            let class = self.cx.class(call);
            if !matches!(class, Class::Code(_) | Class::Value | Class::Pure(_) | Class::Unknown) {
                return self.step(class, call, expr, place, deps);
            }
        }
        let region = self.region_of(&expr.scope, place);
        let mut sure = Locals::default();
        needs::strict(expr, &mut sure);
        if self.fits(expr, &sure) {
            let mut inputs = Inputs::default();
            self.extract(expr, place, &sure, &mut inputs);
            let after = self.order(deps, region, expr.span);
            if let Some(val) = inputs.given(expr) {
                let span = expr.span;
                let loc = self.derived(val, |builder| builder.part(&[], None, span), &expr.ty, span, region);
                if let Some(op) = self.op_mut(loc) {
                    op.after = after;
                }
                return Val::Loc(loc);
            }
            return Val::Loc(self.stretch(expr, inputs, region, after));
        }
        let id = self.code_id();
        let body = self.inner(RegionKind::Block, region, 0);
        let mut base = place.base.clone();
        base.extend(expr.scope.iter().filter(|source| !place.base.contains(source)));
        let inner = Place { region: body, base };
        let val = self.value(expr, &inner);
        let result = self.reference(body, val, expr.span);
        self.set_results(body, vec![result]);
        self.close(&inner);
        let mut op = self.op(id, OpKind::Block(body), Vec::new(), &expr.ty, expr.span);
        op.after = self.order(deps, region, expr.span);
        let loc = self.add(op, region);
        self.mark_regions(loc, &[body], place);
        Val::Loc(loc)
    }

    /// `seq { … }`: each statement that does something after the one before it.
    pub(super) fn seq(&mut self, block: &'h Block, expr: &'h Expr, place: &Place) -> Val<'h> {
        let mut base = place.base.clone();
        base.extend(expr.scope.iter().filter(|source| !place.base.contains(source)));
        let inner = Place { region: self.region_of(&expr.scope, place), base };
        let mut seq = Sequence { order: needs::order(&block.stmts), done: Locals::default(), last: Vec::new() };
        for stmt in &block.stmts {
            self.in_turn(&mut seq, &block.stmts, stmt, &inner);
        }
        let val = match &block.value {
            Some(value) => self.ordered(value, &seq.last, &inner),
            None => {
                let after = self.order(&seq.last, inner.region, block.span);
                let val = self.loc(Val::Const(&NULL), inner.region, block.span);
                if let Some(op) = self.op_mut(val) {
                    op.after = after;
                }
                Val::Loc(val)
            }
        };
        self.close(&inner);
        val
    }

    /// Lowers a statement of a `seq`, and what it names of the others before it.
    fn in_turn(&mut self, seq: &mut Sequence, stmts: &'h [Stmt], stmt: &'h Stmt, place: &Place) {
        let mut needed = Locals::default();
        needs::stmt_exprs(stmt, &mut |e| needs::add_uses(e, &mut needed));
        if let StmtKind::Let(local, _) = &stmt.kind {
            needed.insert(*local);
        }
        let bindings: Vec<(&'h Stmt, _, &'h Expr)> = seq
            .order
            .iter()
            .filter_map(|&at| match stmts.get(at) {
                Some(stmt @ Stmt { kind: StmtKind::Let(local, value), .. }) => Some((stmt, *local, value)),
                _ => None,
            })
            .collect();
        for (_, local, value) in bindings.iter().rev() {
            if needed.contains(local) {
                needs::add_uses(value, &mut needed);
            }
        }
        for (stmt, local, value) in bindings {
            if !needed.contains(&local) || !seq.done.insert(local) {
                continue;
            }
            if self.has_step(value) {
                let name = self.body.locals.get(local.0 as usize).map(|local| &local.name);
                let val = self.with_policies(stmt, name, |flow| flow.ordered(value, &seq.last, place));
                if let Val::Loc(loc) = val {
                    seq.last = vec![loc];
                }
                self.name(local, val, false);
            } else {
                self.binding(stmt, local, value, place);
            }
        }
        match &stmt.kind {
            StmtKind::Effect(effect) => {
                let val = self.with_policies(stmt, None, |flow| {
                    flow.hinted("effect", |flow| flow.ordered(effect, &seq.last, place))
                });
                if let Val::Loc(loc) = val {
                    let has_effect = self.has_effect(effect);
                    self.mark(loc, has_effect, place);
                    seq.last = vec![loc];
                }
            }
            StmtKind::Require(cond, message) => {
                let last = std::mem::take(&mut seq.last);
                let loc = self.with_policies(stmt, None, |flow| flow.require(cond, message, stmt.span, &last, place));
                seq.last = vec![loc];
            }
            StmtKind::Let(..) | StmtKind::Assert(_) | StmtKind::Mock(..) => {}
        }
    }
}

/// Where a `seq` stands.
struct Sequence {
    /// Its bindings, each after those that it may need.
    order: Vec<usize>,
    done: Locals,
    /// What the next one waits for.
    last: Vec<Loc>,
}
