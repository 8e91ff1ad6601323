//! What of an expression is an operation of its own, and what stays in one stretch of code.

use super::{Flow, Loc, Place, Val};
use crate::calls::Class;
use crate::deep;
use crate::needs::{self, Locals, Part, When};
use crate::tables::index;
use indexmap::IndexSet;
use ntl_plan::{OpKind, Reg};
use ntl_semantic::Space;
use ntl_semantic::hir::{Block, Call, Callee, Expr, ExprKind, Lambda, LocalId};

/// What a stretch of code takes.
#[derive(Default)]
pub(super) struct Inputs<'h> {
    /// The values that are its parameters.
    pub locs: IndexSet<Loc>,
    pub locals: IndexSet<LocalId>,
    /// Expressions that are computed by operations of their own.
    pub given: Vec<(*const Expr, Val<'h>)>,
}

impl<'h> Inputs<'h> {
    /// The value of an expression that is computed by an operation of its own.
    pub fn given(&self, expr: &Expr) -> Option<Val<'h>> {
        let last = self.given.last()?;
        std::ptr::eq(last.0, expr).then_some(last.1)
    }

    /// The parameter that is a value.
    pub fn param(&self, loc: Loc) -> Reg {
        self.locs.get_index_of(&loc).and_then(|at| Reg::try_from(at).ok()).unwrap_or(Reg::MAX)
    }

    fn take(&mut self, val: Val<'h>) {
        if let Val::Loc(loc) | Val::Field(loc, _) = val {
            self.locs.insert(loc);
        }
    }

    fn give(&mut self, expr: &'h Expr, val: Val<'h>) {
        self.take(val);
        self.given.push((expr, val));
    }
}

impl<'h> Flow<'_, '_, 'h> {
    /// Walks what is sure to be evaluated of an expression: lowers what must be an operation, and notes what the code for
    /// the rest takes. `sure` are the locals that the whole stretch needs in any case.
    pub(super) fn extract(&mut self, expr: &'h Expr, place: &Place, sure: &Locals, inputs: &mut Inputs<'h>) {
        deep(|| self.extract_kind(expr, place, sure, inputs));
    }

    fn extract_kind(&mut self, expr: &'h Expr, place: &Place, sure: &Locals, inputs: &mut Inputs<'h>) {
        match &expr.kind {
            ExprKind::Local(local) => self.take(*local, inputs),
            ExprKind::ConstItem(def) if def.space == Space::Secret => {
                let val = self.secret(def, expr, place);
                inputs.give(expr, val);
            }
            ExprKind::Field(base, field) => match self.output(base, *field, expr, place) {
                Some(val) => inputs.give(expr, val),
                None => self.extract(base, place, sure, inputs),
            },
            ExprKind::Call(call) => match self.cx.class(call) {
                Class::Code(_) | Class::Value | Class::Pure(_) | Class::Unknown => {
                    self.extract_call(call, place, sure, inputs);
                }
                class => {
                    let val = self.step(class, call, expr, place, &[]);
                    inputs.give(expr, val);
                }
            },
            ExprKind::For(item_loop) => {
                let val = self.item_loop(item_loop, expr, place);
                inputs.give(expr, val);
            }
            ExprKind::Seq(block) => {
                let val = self.seq(block, expr, place);
                inputs.give(expr, val);
            }
            ExprKind::After(first, second) => {
                let val = self.after(first, second, place);
                inputs.give(expr, val);
            }
            ExprKind::Block(block) if !self.stays(expr, sure) => {
                let val = self.block(block, place);
                inputs.give(expr, val);
            }
            _ if !self.stays(expr, sure) => {
                let val = self.control(expr, place);
                inputs.give(expr, val);
            }
            _ => needs::parts(expr, &mut |when, part| match (when, part) {
                (When::Now, Part::Expr(e)) => self.extract(e, place, sure, inputs),
                (When::Now, Part::Lambda(lambda)) => self.take_lambda(lambda, place, inputs),
                (_, part) => self.take_part(part, inputs),
            }),
        }
    }

    fn extract_call(&mut self, call: &'h Call, place: &Place, sure: &Locals, inputs: &mut Inputs<'h>) {
        if let Callee::Value(local) = call.callee {
            self.take(local, inputs);
        }
        call.args.iter().for_each(|arg| self.extract(arg, place, sure, inputs));
    }

    /// Notes a local that the code takes, unless it is the code's own.
    fn take(&self, local: LocalId, inputs: &mut Inputs<'h>) {
        if let Some(named) = self.locals.get(&local) {
            inputs.take(named.val);
            inputs.locals.insert(local);
        }
    }

    /// Notes what the code for an expression takes.
    pub(super) fn take_expr(&self, expr: &'h Expr, inputs: &mut Inputs<'h>) {
        self.take_part(Part::Expr(expr), inputs);
    }

    /// Notes what the code for a block takes.
    pub(super) fn take_block(&self, block: &'h Block, inputs: &mut Inputs<'h>) {
        self.take_part(Part::Block(block), inputs);
    }

    /// Notes what code that stays takes.
    fn take_part(&self, part: Part<'h>, inputs: &mut Inputs<'h>) {
        let mut take = |local| self.take(local, inputs);
        match part {
            Part::Expr(e) => needs::uses(e, &mut take),
            Part::Block(block) => needs::block_uses(block, &mut take),
            Part::Stmts(stmts) => {
                stmts.iter().for_each(|stmt| needs::stmt_exprs(stmt, &mut |e| needs::uses(e, &mut take)));
            }
            Part::Lambda(lambda) => needs::lambda_uses(lambda, &mut take),
            Part::Local(local) => take(local),
        }
    }

    /// Notes what a small function takes: of a call with several outputs only those that it names.
    fn take_lambda(&mut self, lambda: &'h Lambda, place: &Place, inputs: &mut Inputs<'h>) {
        needs::lambda_exprs(lambda, &mut |expr| match &expr.kind {
            ExprKind::Field(base, field) if matches!(base.kind, ExprKind::Local(_)) => {
                match self.output(base, *field, expr, place) {
                    Some(val) => {
                        inputs.give(expr, val);
                        false
                    }
                    None => true,
                }
            }
            ExprKind::Local(local) => {
                self.take(*local, inputs);
                true
            }
            ExprKind::Call(call) => {
                if let Callee::Value(local) = call.callee {
                    self.take(local, inputs);
                }
                true
            }
            _ => true,
        });
    }

    /// Whether an expression's conditional parts, and a block's statements, may stay in the code: there is no step in
    /// them, and they take only what is there anyway.
    fn stays(&mut self, expr: &Expr, sure: &Locals) -> bool {
        let mut stays = true;
        needs::parts(expr, &mut |when, part| {
            if !stays || (when == When::Now && matches!(part, Part::Expr(_) | Part::Lambda(_) | Part::Local(_))) {
                return;
            }
            let mut look = |e: &Expr| stays = stays && self.fits(e, sure);
            match part {
                Part::Expr(e) => look(e),
                Part::Block(block) => needs::block_exprs(block, &mut look),
                Part::Stmts(stmts) => stmts.iter().for_each(|stmt| needs::stmt_exprs(stmt, &mut look)),
                Part::Lambda(_) | Part::Local(_) => {}
            }
        });
        stays
    }

    /// Whether a conditional part may stay in the code around it.
    pub(super) fn fits(&mut self, expr: &Expr, sure: &Locals) -> bool {
        if self.has_step(expr) {
            return false;
        }
        let mut fits = true;
        needs::uses(expr, &mut |local| {
            fits = fits
                && self.locals.get(&local).is_none_or(|named| match named.val {
                    // Of a call with several outputs only those that are taken are needed.
                    Val::Loc(loc) if self.calls.contains_key(&loc) => false,
                    _ => named.is_free || sure.contains(&local),
                });
        });
        fits
    }

    /// An output of a call that has several: it alone is needed.
    fn output(&mut self, base: &'h Expr, field: u32, expr: &Expr, place: &Place) -> Option<Val<'h>> {
        let call = match &base.kind {
            ExprKind::Local(local) => match self.locals.get(local)?.val {
                Val::Loc(loc) => loc,
                _ => return None,
            },
            ExprKind::Call(call) if matches!(self.cx.class(call), Class::Workflow(_)) => {
                match self.value(base, place) {
                    Val::Loc(loc) => loc,
                    _ => return None,
                }
            }
            _ => return None,
        };
        let outputs = self.calls.get(&call).copied()?;
        if field >= index(outputs) {
            return None;
        }
        if let Some(&known) = self.outputs.get(&(call, field)) {
            return Some(Val::Loc(known));
        }
        let super::At::Op(op) = call.at else { return None };
        let id = self.code_id();
        let output = self.op(id, OpKind::Output(op, field), Vec::new(), &expr.ty, expr.span);
        let loc = self.add(output, call.region);
        self.outputs.insert((call, field), loc);
        Some(Val::Loc(loc))
    }
}
