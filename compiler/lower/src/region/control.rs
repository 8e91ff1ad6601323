//! Conditions, loops and failures as operations with regions of their own: what is in a region is computed only if the
//! region is taken.

use super::extract::Inputs;
use super::{At, Flow, Loc, Place, Val};
use crate::code::{ROUNDS, Step, variables};
use crate::needs::{self, Locals};
use crate::tables::index;
use ntl_plan::{OpId, OpKind, Policy, Ref, RegionId, RegionKind};
use ntl_semantic::hir::{self, Arm, Block, Const, Expr, ExprKind, For, Loop, Pattern, SourceId};
use ntl_semantic::ty::Type;
use ntl_syntax::ast::Span;
use smol_str::SmolStr;

static FALSE: Const = Const::Bool(false);
static TRUE: Const = Const::Bool(true);
static NULL: Const = Const::Null;
static EMPTY: Const = Const::Str(SmolStr::new_static(""));
static ROUNDS_CONST: Const = Const::Int(ROUNDS);

impl<'h> Flow<'_, '_, 'h> {
    /// An expression of which a part is computed only sometimes.
    pub(super) fn control(&mut self, expr: &'h Expr, place: &Place) -> Val<'h> {
        match &expr.kind {
            ExprKind::If(cond, then, otherwise) => {
                let cond = self.hinted("if", |flow| flow.value(cond, place));
                self.select(cond, expr, place, |flow, region, place| {
                    let no = flow.branch("else", region, place, |flow, place| match otherwise {
                        Some(block) => flow.block_value(block, place),
                        None => Val::Const(&NULL),
                    });
                    vec![no, flow.branch("then", region, place, |flow, place| flow.block_value(then, place))]
                })
            }
            ExprKind::And(a, b) => {
                let cond = self.hinted("if", |flow| flow.value(a, place));
                self.select(cond, expr, place, |flow, region, place| {
                    let no = flow.branch("else", region, place, |_, _| Val::Const(&FALSE));
                    vec![no, flow.branch("then", region, place, |flow, place| flow.value(b, place))]
                })
            }
            ExprKind::Or(a, b) => {
                let cond = self.hinted("if", |flow| flow.value(a, place));
                self.select(cond, expr, place, |flow, region, place| {
                    let no = flow.branch("else", region, place, |flow, place| flow.value(b, place));
                    vec![no, flow.branch("then", region, place, |_, _| Val::Const(&TRUE))]
                })
            }
            ExprKind::Coalesce(a, b) => {
                let value = self.hinted("if", |flow| flow.value(a, place));
                let is_null = self.is_null(value, expr, place);
                self.select(is_null, expr, place, |flow, region, place| {
                    let there = flow.branch("then", region, place, |_, _| value);
                    vec![there, flow.branch("else", region, place, |flow, place| flow.value(b, place))]
                })
            }
            ExprKind::Chain(base, local, then) => {
                let value = self.hinted("if", |flow| flow.value(base, place));
                let is_null = self.is_null(value, expr, place);
                self.name(*local, value, true);
                self.select(is_null, expr, place, |flow, region, place| {
                    let there = flow.branch("then", region, place, |flow, place| flow.value(then, place));
                    vec![there, flow.branch("else", region, place, |_, _| Val::Const(&NULL))]
                })
            }
            ExprKind::Match(value, arms) => self.choose(value, arms, expr, place),
            ExprKind::Try(body, local, handler) => {
                let (id, region) = (self.code_id(), self.region_of(&expr.scope, place));
                let around = self.around(expr, place);
                let body =
                    self.region("try", RegionKind::Try, 0, region, &around, |flow, place| flow.value(body, place));
                let handler = self.region("else", RegionKind::Handler, 1, region, &around, |flow, place| {
                    if let Some(local) = local {
                        let failure = Loc { region: place.region, at: At::Param(0) };
                        flow.name(*local, Val::Loc(failure), true);
                    }
                    flow.block_value(handler, place)
                });
                let op = self.op(id, OpKind::Try(body, handler), Vec::new(), &expr.ty, expr.span);
                let loc = self.add(op, region);
                self.mark_regions(loc, &[body, handler], place);
                Val::Loc(loc)
            }
            ExprKind::Loop(rounds) => self.rounds(rounds, expr, place),
            _ => {
                self.cx.internal(self.def, expr.span, "an expression has a condition that is not known");
                Val::Const(&NULL)
            }
        }
    }

    pub(super) fn hinted<T>(&mut self, hint: &'static str, walk: impl FnOnce(&mut Self) -> T) -> T {
        let outer = self.hint.replace(SmolStr::new_static(hint));
        let result = walk(self);
        self.hint = outer;
        result
    }

    /// What the bodies of an expression stand in.
    pub(super) fn around(&self, expr: &Expr, place: &Place) -> Vec<SourceId> {
        let mut base = place.base.clone();
        base.extend(expr.scope.iter().filter(|source| !place.base.contains(source)));
        base
    }

    /// A region inside `parent`, and what is taken of it.
    pub(super) fn region(
        &mut self,
        hint: &'static str,
        kind: RegionKind,
        params: u32,
        parent: RegionId,
        base: &[SourceId],
        walk: impl FnOnce(&mut Self, &Place) -> Val<'h>,
    ) -> RegionId {
        let region = self.inner(kind, parent, params);
        let place = Place { region, base: base.to_vec() };
        let val = self.hinted(hint, |flow| walk(flow, &place));
        let result = self.hinted(hint, |flow| flow.reference(region, val, Span::default()));
        self.set_results(region, vec![result]);
        self.close(&place);
        region
    }

    fn branch(
        &mut self,
        hint: &'static str,
        parent: RegionId,
        place: &Place,
        walk: impl FnOnce(&mut Self, &Place) -> Val<'h>,
    ) -> RegionId {
        self.region(hint, RegionKind::Branch, 0, parent, &place.base, walk)
    }

    /// Takes one of the branches: the first where the bool `cond` is false. `branches` are made inside the given region
    /// for the given place.
    fn select(
        &mut self,
        cond: Val<'h>,
        expr: &Expr,
        place: &Place,
        branches: impl FnOnce(&mut Self, RegionId, &Place) -> Vec<RegionId>,
    ) -> Val<'h> {
        let (id, region) = (self.code_id(), self.region_of(&expr.scope, place));
        let around = Place { region, base: self.around(expr, place) };
        let branches = branches(self, region, &around);
        self.select_op(id, cond, branches, &expr.ty, expr.span, region, place)
    }

    #[expect(clippy::too_many_arguments, reason = "an operation has that many parts")]
    fn select_op(
        &mut self,
        id: SmolStr,
        cond: Val<'h>,
        branches: Vec<RegionId>,
        ty: &Type,
        span: Span,
        region: RegionId,
        place: &Place,
    ) -> Val<'h> {
        let cond = self.hinted("if", |flow| flow.reference(region, cond, span));
        let op = self.op(id, OpKind::Select(branches.clone()), vec![cond], ty, span);
        let loc = self.add(op, region);
        self.mark_regions(loc, &branches, place);
        Val::Loc(loc)
    }

    fn is_null(&mut self, value: Val<'h>, expr: &Expr, place: &Place) -> Val<'h> {
        let region = match value {
            Val::Loc(loc) | Val::Field(loc, _) if self.sees(loc.region, place.region) => loc.region,
            _ => place.region,
        };
        let span = expr.span;
        self.hinted("is_null", |flow| {
            Val::Loc(flow.derived(value, |builder| builder.null_test(span), &Type::Bool, span, region))
        })
    }

    /// The value of a body in its own region: one stretch of code where nothing in it must wait to be asked for.
    pub(super) fn block_value(&mut self, block: &'h Block, place: &Place) -> Val<'h> {
        if block.stmts.is_empty() {
            return self.block(block, place);
        }
        let mut sure = Locals::default();
        needs::Root::Block(block).strict(&mut sure);
        let mut fits = true;
        needs::block_exprs(block, &mut |e| fits = fits && self.fits(e, &sure));
        if !fits {
            return self.block(block, place);
        }
        let mut inputs = Inputs::default();
        self.take_block(block, &mut inputs);
        let (id, region) = (self.code_id(), place.region);
        let code = self.code(inputs.locs.len(), &inputs, |builder| builder.block(block), id.clone());
        let refs = inputs.locs.iter().map(|&loc| self.reference_loc(region, loc, block.span)).collect();
        let (ty, span) = block.value.as_ref().map_or((&Type::Null, block.span), |value| (&value.ty, value.span));
        Val::Loc(self.code_op(id, code, refs, Vec::new(), ty, span, region))
    }

    /// `for`.
    pub(super) fn item_loop(&mut self, item_loop: &'h For, expr: &'h Expr, place: &Place) -> Val<'h> {
        let id = self.code_id();
        let skip_errors = std::mem::take(&mut self.skip_errors);
        let parallel = self.policy.parallel.take();
        let items = self.hinted("items", |flow| flow.value(&item_loop.iter, place));
        let region = self.region_of(&expr.scope, place);
        let body = self.inner(RegionKind::For, region, 2);
        let inner = Place { region: body, base: self.around(expr, place) };
        let (item, at) = (Loc { region: body, at: At::Param(0) }, Loc { region: body, at: At::Param(1) });
        if let Some(value) = item_loop.value {
            self.name(item_loop.item, Val::Field(item, 0), true);
            self.name(value, Val::Field(item, 1), true);
        } else {
            self.name(item_loop.item, Val::Loc(item), true);
        }
        if let Some(index) = item_loop.index {
            self.name(index, Val::Loc(at), true);
        }
        let mut used = Locals::default();
        item_loop.cond.iter().for_each(|cond| needs::add_uses(cond, &mut used));
        needs::block_exprs(&item_loop.body, &mut |e| needs::add_uses(e, &mut used));
        self.bindings(&item_loop.lets, used, &inner);
        let mut results = Vec::new();
        if let Some(cond) = &item_loop.cond {
            let keep = self.hinted("if", |flow| flow.value(cond, &inner));
            results.push(self.hinted("if", |flow| flow.reference(body, keep, cond.span)));
        }
        // The items of `for x in xs for y in ys` are those of the inner loop.
        self.skip_errors = skip_errors && item_loop.flatten;
        let value = self.hinted("item", |flow| flow.block_value(&item_loop.body, &inner));
        let keep = results.first().copied();
        results.push(self.hinted("item", |flow| flow.reference(body, value, item_loop.body.span)));
        self.set_results(body, results);
        self.close(&inner);
        if let Some(keep) = keep {
            self.gate(body, keep, true, expr.span);
        }
        (self.skip_errors, self.policy.parallel) = (skip_errors, parallel);
        let items = self.hinted("items", |flow| flow.reference(region, items, item_loop.iter.span));
        let kind = OpKind::For { body, keeps: keep.is_some(), flatten: item_loop.flatten };
        let mut op = self.op(id, kind, vec![items], &expr.ty, expr.span);
        op.policy = Policy { parallel, skip_errors, ..Policy::default() };
        let loc = self.add(op, region);
        self.mark_regions(loc, &[body], place);
        Val::Loc(loc)
    }

    /// Lets the effects of a region run only where a bool of it is `when`.
    fn gate(&mut self, region: RegionId, cond: Ref, when: bool, span: Span) {
        let effects = match self.cx.regions.get_mut(region.at()) {
            Some(region) if !region.effects.is_empty() => std::mem::take(&mut region.effects),
            _ => return,
        };
        let null = |flow: &mut Self, effects: &[OpId]| {
            let branch = flow.inner(RegionKind::Branch, region, 0);
            let value = flow.cx.body_const(&NULL);
            let id = flow.hinted("effects", Flow::code_id);
            let mut op = flow.op(id, OpKind::Const(value), Vec::new(), &Type::Null, span);
            op.after = effects.iter().map(|&op| Ref::Outer { up: 1, op }).collect();
            let Loc { at: At::Op(op), .. } = flow.add(op, branch) else { return branch };
            flow.set_results(branch, vec![Ref::Op(op)]);
            branch
        };
        let run = null(self, &effects);
        let rest = null(self, &[]);
        let id = self.hinted("effects", Flow::code_id);
        let branches = if when { vec![rest, run] } else { vec![run, rest] };
        let op = self.op(id, OpKind::Select(branches), vec![cond], &Type::Null, span);
        let loc = self.add(op, region);
        if let (At::Op(op), Some(region)) = (loc.at, self.cx.regions.get_mut(region.at())) {
            region.effects.push(op);
        }
    }

    /// `loop`.
    fn rounds(&mut self, rounds: &'h Loop, expr: &'h Expr, place: &Place) -> Val<'h> {
        let (id, region) = (self.code_id(), self.region_of(&expr.scope, place));
        let mut inputs = vec![match &rounds.max {
            Some(max) => self.hinted("max", |flow| flow.value(max, place)),
            None => Val::Const(&ROUNDS_CONST),
        }];
        for (_, first) in &rounds.vars {
            inputs.push(self.hinted("first", |flow| flow.value(first, place)));
        }
        let inputs = inputs.into_iter().map(|val| self.hinted("first", |flow| flow.reference(region, val, expr.span)));
        let inputs = inputs.collect();
        let body = self.inner(RegionKind::Loop, region, index(rounds.vars.len()));
        let inner = Place { region: body, base: self.around(expr, place) };
        for (&(local, _), at) in rounds.vars.iter().zip(0..) {
            self.name(local, Val::Loc(Loc { region: body, at: At::Param(at) }), true);
        }
        let roots: Vec<&Expr> = rounds.until.iter().chain(&rounds.next).collect();
        let requires = self.stmts(&rounds.stmts, &roots, &inner);
        let until = self.hinted("until", |flow| {
            let (val, span) = match &rounds.until {
                Some(until) => (flow.value(until, &inner), until.span),
                None => (Val::Const(&FALSE), expr.span),
            };
            let val = flow.after_requires(val, &Type::Bool, span, &requires, &inner);
            flow.reference(body, val, span)
        });
        let mut results = vec![until];
        for next in &rounds.next {
            let val = self.hinted("next", |flow| flow.value(next, &inner));
            results.push(self.hinted("next", |flow| flow.reference(body, val, next.span)));
        }
        self.set_results(body, results);
        self.close(&inner);
        self.gate(body, until, false, expr.span);
        let op = self.op(id, OpKind::Loop(body), inputs, &expr.ty, expr.span);
        let loc = self.add(op, region);
        self.mark_regions(loc, &[body], place);
        Val::Loc(loc)
    }

    /// `match`: which arm fits is computed first, then the arm.
    fn choose(&mut self, value: &'h Expr, arms: &'h [Arm], expr: &'h Expr, place: &Place) -> Val<'h> {
        let id = self.code_id();
        let subject = self.hinted("match", |flow| flow.value(value, place));
        let region = self.region_of(&expr.scope, place);
        let around = Place { region, base: self.around(expr, place) };
        let subject = self.hinted("match", |flow| flow.loc(subject, region, value.span));
        let which = self.hinted("arm", |flow| flow.decide(subject, value, arms, 0, &around));
        let branches = arms.iter().map(|arm| {
            self.branch("arm", region, &around, |flow, place| {
                flow.bind(&arm.pattern, subject, &value.ty, value.span, place.region);
                flow.block_value(&arm.body, place)
            })
        });
        let branches = branches.collect();
        self.select_op(id, Val::Loc(which), branches, &expr.ty, expr.span, region, place)
    }

    /// Which arm from the number `from` on fits. A guard that needs what is not there yet is looked at on its own.
    fn decide(&mut self, subject: Loc, value: &'h Expr, arms: &'h [Arm], from: usize, place: &Place) -> Loc {
        let (region, span) = (place.region, value.span);
        let rest = arms.get(from..).unwrap_or_default();
        let none = Locals::default();
        let heavy = rest.iter().position(|arm| arm.guard.as_ref().is_some_and(|guard| !self.fits(guard, &none)));
        let tested = heavy.map_or(rest, |at| rest.get(..=at).unwrap_or_default());
        let mut inputs = Inputs::default();
        inputs.locs.insert(subject);
        for (at, arm) in tested.iter().enumerate() {
            if let Some(guard) = arm.guard.as_ref().filter(|_| heavy != Some(at)) {
                self.take_expr(guard, &mut inputs);
            }
        }
        let id = self.code_id();
        let ty = &value.ty;
        let build =
            |builder: crate::code::Builder<'_, '_, 'h>| builder.decision(ty, tested, from, heavy.is_some(), span);
        let code = self.code(inputs.locs.len(), &inputs, build, id.clone());
        let refs = inputs.locs.iter().map(|&loc| self.reference_loc(region, loc, span)).collect();
        let first = self.code_op(id, code, refs, Vec::new(), &Type::Int, span, region);
        let Some((at, arm)) = heavy.and_then(|at| Some((from + at, rest.get(at)?))) else { return first };

        // first = the arm that fits, or `at`: its pattern does, or `at + 1`: none up to here does.
        let is_asked = self.derived(Val::Loc(first), |builder| builder.equals(at, span), &Type::Bool, span, region);
        let id = self.code_id();
        let no = self.branch("else", region, place, |_, _| Val::Const(&FALSE));
        let yes = self.branch("if", region, place, |flow, place| {
            flow.bind(&arm.pattern, subject, ty, span, place.region);
            arm.guard.as_ref().map_or(Val::Const(&TRUE), |guard| flow.value(guard, place))
        });
        let holds = self.select_op(id, Val::Loc(is_asked), vec![no, yes], &Type::Bool, span, region, place);
        let id = self.code_id();
        let mut inputs = Inputs::default();
        inputs.locs.insert(first);
        let holds = self.loc(holds, region, span);
        inputs.locs.insert(holds);
        let code = self.code(2, &inputs, |builder| builder.decided(at, span), id.clone());
        let refs = inputs.locs.iter().map(|&loc| self.reference_loc(region, loc, span)).collect();
        let is_decided = self.code_op(id, code, refs, Vec::new(), &Type::Bool, span, region);
        let id = self.code_id();
        let open =
            self.branch("arm", region, place, |flow, place| Val::Loc(flow.decide(subject, value, arms, at + 1, place)));
        let done = self.branch("arm", region, place, |_, _| Val::Loc(first));
        let which = self.select_op(id, Val::Loc(is_decided), vec![open, done], &Type::Int, span, region, place);
        self.loc(which, region, span)
    }

    /// Names what a pattern binds: parts of the subject, taken where they are needed.
    fn bind(&mut self, pattern: &'h Pattern, subject: Loc, ty: &Type, span: Span, region: RegionId) {
        let mut found: Vec<(hir::LocalId, Vec<Step<'h>>, Type)> = Vec::new();
        variables(self.cx.db, pattern, ty, &mut Vec::new(), &mut |local, way, ty| {
            found.push((local, way.to_vec(), ty.clone()));
        });
        for (local, way, ty) in found {
            let Some(wanted) = self.body.locals.get(local.0 as usize).map(|local| &local.ty) else { continue };
            let fit = Some(wanted).filter(|wanted| self.cx.must_fit(&ty, wanted));
            let val = if way.is_empty() && fit.is_none() {
                subject
            } else {
                let name = self.body.locals.get(local.0 as usize).map(|local| local.name.clone());
                let outer = std::mem::replace(&mut self.hint, name);
                let loc =
                    self.derived(Val::Loc(subject), |builder| builder.part(&way, fit, span), wanted, span, region);
                self.hint = outer;
                loc
            };
            self.name(local, Val::Loc(val), true);
        }
    }

    /// `require cond else message`: the message is made only if it is told.
    pub(super) fn require(
        &mut self,
        cond: &'h Expr,
        message: &'h Expr,
        span: Span,
        deps: &[Loc],
        place: &Place,
    ) -> Loc {
        self.hinted("require", |flow| {
            let id = flow.code_id();
            let region = flow.region_of(&cond.scope, place);
            let val = flow.hinted("if", |flow| flow.value(cond, place));
            let holds = flow.reference(region, val, cond.span);
            let text = match &message.kind {
                ExprKind::Const(text) => Val::Const(text),
                _ => {
                    let id = flow.hinted("message", Flow::code_id);
                    let around = Place { region, base: flow.around(cond, place) };
                    let no = flow.branch("message", region, &around, |flow, place| flow.value(message, place));
                    let yes = flow.branch("message", region, &around, |_, _| Val::Const(&EMPTY));
                    flow.select_op(id, val, vec![no, yes], &Type::Str, message.span, region, &around)
                }
            };
            let text = flow.hinted("message", |flow| flow.reference(region, text, message.span));
            let mut op = flow.op(id, OpKind::Require, vec![holds, text], &Type::Null, span);
            op.after = flow.order(deps, region, span);
            let loc = flow.add(op, region);
            flow.mark(loc, false, place);
            loc
        })
    }
}
