//! Bindings: each is computed when it is sure to be needed, where it is first needed, or not at all.

use super::{Builder, LazyBlock, Slot, bound};
use crate::needs::{self, Locals, Root};
use crate::tables::index;
use ntl_plan::{Instr, Reg};
use ntl_semantic::hir::{Block, Const, Expr, ExprKind, LocalId, Policy, Stmt, StmtKind};
use ntl_syntax::ast::Span;
use rustc_hash::FxHashMap;

/// The statements of a body, its bindings not computed yet.
pub(super) struct Bindings<'h> {
    stmts: &'h [Stmt],
    /// The bindings in an order in which they may be computed.
    order: Vec<usize>,
    requires: Vec<Root<'h>>,
    effects: Vec<Root<'h>>,
}

impl<'h> Bindings<'h> {
    fn iter(&self) -> impl DoubleEndedIterator<Item = (&'h Stmt, LocalId, &'h Expr)> {
        self.order.iter().filter_map(|&at| {
            let stmt = self.stmts.get(at)?;
            match &stmt.kind {
                StmtKind::Let(local, value) => Some((stmt, *local, value)),
                _ => None,
            }
        })
    }

    /// What is sure to be needed for some values.
    fn sure<'r>(&self, roots: impl IntoIterator<Item = &'r Root<'h>>) -> Locals
    where
        'h: 'r,
    {
        let mut sure = Locals::default();
        roots.into_iter().for_each(|root| root.strict(&mut sure));
        needs::close(self.stmts, &mut sure);
        sure
    }
}

impl<'h> Builder<'_, '_, 'h> {
    /// Computes the value of a block into a register.
    pub(super) fn block_to(&mut self, block: &'h Block, dst: Reg) {
        self.scoped(|b| {
            let value = block.value.as_deref();
            b.stmts(&block.stmts, &value.map(Root::Expr).into_iter().collect::<Vec<_>>());
            match value {
                Some(value) => b.to(value, dst),
                None => b.const_to(&Const::Null, dst, block.span),
            }
        });
    }

    /// Computes what the values to come are sure to need, and what runs in any case.
    pub(super) fn stmts(&mut self, stmts: &'h [Stmt], values: &[Root<'h>]) {
        if !stmts.is_empty() {
            let bindings = self.bindings(stmts, &[values]);
            self.requires(&bindings);
            self.force(&bindings, values);
            self.effects(&bindings);
        }
    }

    /// Says how each binding will be computed: those that the conditions, the effects or a group of values is sure to need
    /// by [`Builder::force`], the others where they are taken.
    pub(super) fn bindings(&mut self, stmts: &'h [Stmt], groups: &[&[Root<'h>]]) -> Bindings<'h> {
        let mut bindings = Bindings { stmts, order: needs::order(stmts), requires: Vec::new(), effects: Vec::new() };
        let mut counts: FxHashMap<LocalId, u32> = FxHashMap::default();
        for stmt in stmts {
            match &stmt.kind {
                StmtKind::Require(cond, message) => {
                    bindings.requires.push(Root::Expr(cond));
                    needs::count(message, 1, &mut counts);
                }
                StmtKind::Effect(effect) => bindings.effects.push(Root::Expr(effect)),
                _ => {}
            }
        }
        let values = groups.iter().copied().flatten();
        let roots: Vec<Root<'h>> = bindings.requires.iter().chain(&bindings.effects).chain(values).copied().collect();
        roots.iter().for_each(|root| root.count(&mut counts));
        let sure = bindings.sure(&roots);
        for (stmt, local, value) in bindings.iter().rev() {
            let taken = counts.get(&local).copied().unwrap_or(0);
            if taken == 0 {
                continue;
            }
            needs::count(value, 1, &mut counts);
            let slot = match &value.kind {
                ExprKind::Const(value) => Slot::Const(value),
                _ if taken == 1 || sure.contains(&local) => Slot::Inline(stmt),
                _ => self.lazy(stmt),
            };
            self.slots.insert(local, slot);
        }
        bindings
    }

    /// Computes the bindings that values are sure to need.
    pub(super) fn force(&mut self, bindings: &Bindings<'h>, values: &[Root<'h>]) {
        let sure = bindings.sure(values);
        for (stmt, local, value) in bindings.iter() {
            if sure.contains(&local) && matches!(self.slots.get(&local), Some(Slot::Inline(_))) {
                let alias = match &value.kind {
                    // Another name for the same value.
                    ExprKind::Local(of) => self.slots.get(of).copied().filter(|slot| matches!(slot, Slot::Reg(_))),
                    _ => None,
                };
                let slot = alias.unwrap_or_else(|| {
                    let reg = self.temp();
                    self.binding_to(stmt, reg);
                    Slot::Reg(reg)
                });
                self.slots.insert(local, slot);
            }
        }
    }

    /// Checks the `require`s.
    pub(super) fn requires(&mut self, bindings: &Bindings<'h>) {
        self.force(bindings, &bindings.requires);
        for stmt in bindings.stmts {
            if let StmtKind::Require(cond, message) = &stmt.kind {
                self.scoped(|b| {
                    let cond = b.value(cond);
                    let holds = b.emit(Instr::JumpIf { cond, to: 0 }, stmt.span);
                    let message = b.value(message);
                    b.emit(Instr::Fail { message }, stmt.span);
                    b.land(&[holds]);
                });
            }
        }
    }

    /// Computes the bare statements: they may fail.
    pub(super) fn effects(&mut self, bindings: &Bindings<'h>) {
        self.force(bindings, &bindings.effects);
        for stmt in bindings.stmts {
            if let StmtKind::Effect(effect) = &stmt.kind {
                self.scoped(|b| b.value(effect));
            }
        }
    }

    /// Computes the value of a binding.
    pub(super) fn binding_to(&mut self, stmt: &'h Stmt, dst: Reg) {
        let Some(value) = bound(stmt) else { return };
        let outer = std::mem::replace(&mut self.skip_errors, stmt.policies.contains(&Policy::SkipErrors));
        self.to(value, dst);
        self.skip_errors = outer;
    }

    fn lazy(&mut self, stmt: &'h Stmt) -> Slot<'h> {
        let lazy = u16::try_from(self.lazies.len()).unwrap_or(u16::MAX);
        let reg = self.temp();
        self.lazies.push(LazyBlock { stmt, reg, uses: Vec::new(), block: None });
        Slot::Lazy(lazy)
    }

    /// The number of lazy blocks so far.
    pub(super) fn lazy_count(&self) -> usize {
        self.lazies.len()
    }

    /// The register of a lazy binding, after it has run.
    pub(super) fn run_lazy(&mut self, lazy: u16, span: Span) -> Reg {
        let Some(block) = self.lazies.get(usize::from(lazy)) else { return 0 };
        let (reg, known) = (block.reg, block.block);
        let at = self.emit(Instr::Lazy { lazy, block: known.unwrap_or(0) }, span);
        if known.is_none()
            && let Some(block) = self.lazies.get_mut(usize::from(lazy))
        {
            if block.uses.is_empty() {
                self.open_lazies.push(lazy);
            }
            block.uses.push(at);
        }
        reg
    }

    /// Writes the lazy blocks from the number `from` on that are used and not yet written. Nothing runs into them.
    pub(super) fn flush(&mut self, from: usize) {
        while let Some(at) = self.open_lazies.iter().rposition(|&lazy| usize::from(lazy) >= from) {
            let lazy = self.open_lazies.remove(at);
            let here = self.here();
            let Some(block) = self.lazies.get_mut(usize::from(lazy)) else { continue };
            block.block = Some(here);
            let (stmt, reg, uses) = (block.stmt, block.reg, std::mem::take(&mut block.uses));
            self.land(&uses);
            // Whatever is in a register when the block runs stays there.
            let top = std::mem::replace(&mut self.top, self.high);
            self.binding_to(stmt, reg);
            self.top = top;
            self.emit(Instr::LazyEnd { lazy }, stmt.span);
        }
    }

    /// The same in the midst of code, which goes on after them.
    pub(super) fn flush_apart(&mut self, from: usize, span: Span) {
        if self.open_lazies.iter().any(|&lazy| usize::from(lazy) >= from) {
            let over = self.jump(span);
            self.flush(from);
            self.land(&[over]);
        }
    }

    /// Lets the lazy blocks from the number `from` on run again.
    pub(super) fn forget(&mut self, from: usize, span: Span) {
        let written = self.lazies.iter().enumerate().skip(from).filter(|(_, block)| block.block.is_some());
        for lazy in written.map(|(lazy, _)| index(lazy)).collect::<Vec<_>>() {
            self.emit(Instr::Forget { lazy: u16::try_from(lazy).unwrap_or(u16::MAX) }, span);
        }
    }
}
