//! Conditions, loops and failures within code.

use super::{Builder, Slot};
use crate::needs::Root;
use ntl_plan::code::{Handler, HandlerKind, Loop};
use ntl_plan::{Const, Instr, Reg};
use ntl_semantic::hir::{self, Block, Expr, For, LocalId};
use ntl_semantic::ty::Type;
use ntl_syntax::ast::Span;

/// Rounds of a loop whose `max` is not written.
pub(crate) const ROUNDS: i64 = 10;

impl<'h> Builder<'_, '_, 'h> {
    pub(super) fn and(&mut self, a: &'h Expr, b: &'h Expr, dst: Reg, span: Span) {
        self.to(a, dst);
        let end = self.emit(Instr::JumpIfNot { cond: dst, to: 0 }, span);
        self.to(b, dst);
        self.land(&[end]);
    }

    pub(super) fn or(&mut self, a: &'h Expr, b: &'h Expr, dst: Reg, span: Span) {
        self.to(a, dst);
        let end = self.emit(Instr::JumpIf { cond: dst, to: 0 }, span);
        self.to(b, dst);
        self.land(&[end]);
    }

    pub(super) fn coalesce(&mut self, a: &'h Expr, b: &'h Expr, dst: Reg, span: Span) {
        self.to(a, dst);
        let null = self.emit(Instr::JumpIfNull { src: dst, to: 0 }, span);
        let end = self.jump(span);
        self.land(&[null]);
        self.to(b, dst);
        self.land(&[end]);
    }

    pub(super) fn chain(&mut self, base: &'h Expr, local: LocalId, then: &'h Expr, dst: Reg, span: Span) {
        let value = self.value(base);
        self.slots.insert(local, Slot::Reg(value));
        let null = self.emit(Instr::JumpIfNull { src: value, to: 0 }, span);
        self.to(then, dst);
        let end = self.jump(span);
        self.land(&[null]);
        self.const_to(&hir::Const::Null, dst, span);
        self.land(&[end]);
    }

    pub(super) fn branch(
        &mut self,
        cond: &'h Expr,
        then: &'h Block,
        otherwise: Option<&'h Block>,
        dst: Reg,
        span: Span,
    ) {
        let reg = self.value(cond);
        let no = self.emit(Instr::JumpIfNot { cond: reg, to: 0 }, cond.span);
        self.block_to(then, dst);
        let end = self.jump(span);
        self.land(&[no]);
        match otherwise {
            Some(otherwise) => self.block_to(otherwise, dst),
            None => self.const_to(&hir::Const::Null, dst, span),
        }
        self.land(&[end]);
    }

    /// `for`: a failed item is kept, and the others still run; all failures are raised together.
    pub(super) fn item_loop_to(&mut self, item_loop: &'h For, dst: Reg, span: Span) {
        let skip_errors = std::mem::take(&mut self.skip_errors);
        let items = self.value(&item_loop.iter);
        let list = self.temp();
        let (len, at, one, item) = (self.temp(), self.temp(), self.temp(), self.temp());
        self.emit(Instr::List { dst: list, first: list, count: 0 }, span);
        self.emit(Instr::Len { dst: len, src: items }, span);
        self.const_to(&hir::Const::Int(0), at, span);
        self.const_to(&hir::Const::Int(1), one, span);
        let handler = self.handler();
        let number = self.item_loop(at);
        let lazies = self.lazy_count();

        let top = self.here();
        let more = self.temp();
        self.emit(Instr::LtInt { dst: more, a: at, b: len }, span);
        let end = self.emit(Instr::JumpIfNot { cond: more, to: 0 }, span);
        let start = self.here();
        self.emit(Instr::Item { dst: item, src: items, index: at }, item_loop.iter.span);
        if let Some(value) = item_loop.value {
            let (key, field) = (self.temp(), self.temp());
            self.emit(Instr::Field { dst: key, src: item, field: 0 }, span);
            self.emit(Instr::Field { dst: field, src: item, field: 1 }, span);
            self.slots.extend([(item_loop.item, Slot::Reg(key)), (value, Slot::Reg(field))]);
        } else {
            self.slots.insert(item_loop.item, Slot::Reg(item));
        }
        self.slots.extend(item_loop.index.map(|index| (index, Slot::Reg(at))));
        // What the items are taken apart into cannot fail: it may be computed for the condition and the body alike.
        let roots = item_loop.cond.iter().map(Root::Expr).chain([Root::Block(&item_loop.body)]);
        let left_out = self.scoped(|b| {
            b.stmts(&item_loop.lets, &roots.collect::<Vec<_>>());
            let left_out = item_loop.cond.as_ref().map(|cond| {
                let keep = b.value(cond);
                b.emit(Instr::JumpIfNot { cond: keep, to: 0 }, cond.span)
            });
            let value = b.temp();
            // The items of `for x in xs for y in ys` are those of the inner loop.
            b.skip_errors = skip_errors && item_loop.flatten;
            b.block_to(&item_loop.body, value);
            b.emit(
                match item_loop.flatten {
                    true => Instr::Append { dst: list, a: list, b: value },
                    false => Instr::Push { list, value },
                },
                item_loop.body.span,
            );
            left_out
        });
        self.flush_apart(lazies, span);
        let next = self.here();
        self.land(&left_out.into_iter().collect::<Vec<_>>());
        self.forget(lazies, span);
        self.emit(Instr::AddInt { dst: at, a: at, b: one }, span);
        self.emit(Instr::Jump { to: top }, span);
        self.land(&[end]);

        if let Some(known) = self.code.loops.get_mut(usize::from(number)) {
            *known = Loop { start, end: next, index: at };
        }
        let kind = if skip_errors {
            let failure = self.temp();
            HandlerKind::Try(failure, self.cx.failure())
        } else {
            self.emit(Instr::Raise { item_loop: number }, span);
            HandlerKind::Item(number)
        };
        self.set_handler(handler, Handler { start, end: next, target: next, kind });
        self.emit(Instr::Move { dst, src: list }, span);
    }

    /// `loop`: its rounds are counted, then `until` is looked at, then the next values are made.
    pub(super) fn rounds(&mut self, rounds: &'h hir::Loop, ty: &Type, dst: Reg, span: Span) {
        let vars = self.temps(rounds.vars.len());
        for ((_, first), reg) in rounds.vars.iter().zip(vars..) {
            self.to(first, reg);
        }
        let (max, round, one, more) = (self.temp(), self.temp(), self.temp(), self.temp());
        match &rounds.max {
            Some(value) => self.to(value, max),
            None => self.const_to(&hir::Const::Int(ROUNDS), max, span),
        }
        self.const_to(&hir::Const::Int(0), round, span);
        self.const_to(&hir::Const::Int(1), one, span);
        for (&(local, _), reg) in rounds.vars.iter().zip(vars..) {
            self.slots.insert(local, Slot::Reg(reg));
        }
        let lazies = self.lazy_count();

        let top = self.here();
        self.emit(Instr::LtInt { dst: more, a: round, b: max }, span);
        let goes_on = self.emit(Instr::JumpIf { cond: more, to: 0 }, span);
        if rounds.until.is_some() {
            self.emit(Instr::LoopExhausted, span);
        }
        let mut ends = vec![self.jump(span)];
        self.land(&[goes_on]);
        self.scoped(|b| {
            let until: Vec<Root> = rounds.until.iter().map(Root::Expr).collect();
            let next: Vec<Root> = rounds.next.iter().map(Root::Expr).collect();
            let bindings = b.bindings(&rounds.stmts, &[&until, &next]);
            b.requires(&bindings);
            b.force(&bindings, &until);
            if let Some(until) = &rounds.until {
                let cond = b.value(until);
                ends.push(b.emit(Instr::JumpIf { cond, to: 0 }, until.span));
            }
            b.force(&bindings, &next);
            b.effects(&bindings);
            let values = b.temps(rounds.next.len());
            for (value, reg) in rounds.next.iter().zip(values..) {
                b.to(value, reg);
            }
            for (src, dst) in (values..).zip(vars..).take(rounds.next.len()) {
                b.emit(Instr::Move { dst, src }, span);
            }
        });
        self.emit(Instr::AddInt { dst: round, a: round, b: one }, span);
        self.flush_apart(lazies, span);
        self.forget(lazies, span);
        self.emit(Instr::Jump { to: top }, span);
        self.land(&ends);
        if rounds.vars.len() == 1 {
            self.emit(Instr::Move { dst, src: vars }, span);
        } else {
            let ty = self.cx.ty(ty);
            self.emit(Instr::Record { dst, ty, first: vars }, span);
        }
    }

    pub(super) fn attempt(&mut self, body: &'h Expr, local: Option<LocalId>, handler: &'h Block, dst: Reg, span: Span) {
        let failure = self.temp();
        let number = self.handler();
        let start = self.here();
        self.to(body, dst);
        let end = self.here();
        let over = self.jump(span);
        let target = self.here();
        let ty = match local {
            Some(local) => {
                self.slots.insert(local, Slot::Reg(failure));
                let ty = self.local_type(local);
                self.cx.ty(ty)
            }
            None => self.cx.failure(),
        };
        self.block_to(handler, dst);
        self.land(&[over]);
        self.set_handler(number, Handler { start, end, target, kind: HandlerKind::Try(failure, ty) });
    }

    /// A failure with a message, where nothing fits.
    pub(super) fn fail(&mut self, message: &str, span: Span) {
        let dst = self.temp();
        let value = self.cx.constant(Const::Str(message.into()));
        self.emit(Instr::Const { dst, value }, span);
        self.emit(Instr::Fail { message: dst }, span);
    }
}
