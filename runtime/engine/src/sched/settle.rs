//! Effects: when they start, when all of them have ended, and what becomes of those that failed.

use super::Scheduler;
use super::instance::Found;
use super::slot::{At, NONE, Waiter};
use crate::failure::{Failure, Failures};
use ntl_plan::{OpKind, Ref};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// An operation whose regions have effects: how many instances of them have not settled, and who waits for that.
#[derive(Default)]
pub(super) struct Settling {
    count: u32,
    waiters: Vec<Waiter>,
    failed: Option<Failures>,
}

/// Failures that a `try` has caught. Where such a one is an effect's, too, it is no failure of the effect's region.
#[derive(Default)]
pub(super) struct Caught(FxHashMap<usize, Arc<Failure>>);

impl Caught {
    pub fn add(&mut self, failures: &[Arc<Failure>]) {
        self.0.extend(failures.iter().map(|f| (Arc::as_ptr(f).addr(), f.clone())));
    }

    pub fn has(&self, failure: &Arc<Failure>) -> bool {
        self.0.contains_key(&Arc::as_ptr(failure).addr())
    }
}

impl Scheduler<'_> {
    /// Starts the effects of an instance.
    pub(super) fn start_effects(&mut self, inst: u32) {
        for effect in self.region(inst).effects.iter().rev() {
            let at = At { inst, op: effect.0 };
            // A call that runs for its effects starts; nobody takes its outputs.
            if let OpKind::Call(_) = self.op(at).kind {
                self.hold(inst);
                match self.start_call(at, Waiter::Effect(inst)) {
                    None => {}
                    Some(started) => self.release(inst, started.err()),
                }
                continue;
            }
            self.hold(inst);
            if !self.ask(inst, Ref::Op(*effect), Waiter::Effect(inst)) {
                let failed = self.outcome_of(inst, Ref::Op(*effect)).err();
                self.release(inst, failed);
            }
        }
    }

    /// One more thing of an instance that has not ended.
    pub(super) fn hold(&mut self, mut inst: u32) {
        loop {
            let instance = &mut self.instances[inst as usize];
            instance.unsettled += 1;
            if instance.unsettled > 1 || instance.creator.inst == NONE {
                return;
            }
            let creator = instance.creator;
            self.settling.entry(creator).or_default().count += 1;
            inst = creator.inst;
        }
    }

    /// One thing less; it may have failed.
    pub(super) fn release(&mut self, mut inst: u32, mut failed: Option<Failures>) {
        loop {
            let instance = &mut self.instances[inst as usize];
            if let Some(failures) = failed.take() {
                failures.join(&mut instance.failed);
            }
            instance.unsettled -= 1;
            if instance.unsettled > 0 || instance.creator.inst == NONE {
                return;
            }
            let creator = instance.creator;
            let mut up = self.instances[inst as usize].failed.take();
            if self.instances[inst as usize].is_taken {
                up = self.settled(inst, up);
            }
            if let Some(settling) = self.settling.get_mut(&creator) {
                settling.count -= 1;
                if let Some(failures) = &up {
                    failures.clone().join(&mut settling.failed);
                }
                if settling.count == 0 {
                    let waiters = std::mem::take(&mut settling.waiters);
                    if settling.failed.is_none() {
                        self.settling.remove(&creator);
                    }
                    for waiter in waiters {
                        self.wake(waiter, creator);
                    }
                }
            }
            (inst, failed) = (creator.inst, up);
        }
    }

    /// Asks for the end of a reference: whether it has to be waited for. `waiter` is told when there is a value; when the
    /// effects have ended, too, only if that is asked again.
    pub(super) fn ask_end(&mut self, inst: u32, reference: Ref, waiter: Waiter) -> bool {
        if self.ask(inst, reference, waiter) {
            return true;
        }
        match self.op_of(inst, reference).and_then(|at| self.settling.get_mut(&at)) {
            Some(settling) if settling.count > 0 => {
                settling.waiters.push(waiter);
                true
            }
            _ => false,
        }
    }

    /// What failed of a reference that has ended: its value, or effects of its regions.
    pub(super) fn end_failed(&self, inst: u32, reference: Ref) -> Option<Failures> {
        let value = self.outcome_of(inst, reference).err();
        let effects = self.op_of(inst, reference).and_then(|at| self.settling.get(&at)?.failed.clone());
        Failures::all(value.into_iter().chain(effects).collect())
    }

    fn op_of(&self, inst: u32, reference: Ref) -> Option<At> {
        match self.locate(inst, reference) {
            Found::Slot(inst, slot) => {
                let op = slot.checked_sub(self.instances[inst as usize].given)?;
                Some(At { inst, op })
            }
            Found::Const(_) => None,
        }
    }

    /// The failures that no `try` has caught.
    pub(super) fn uncaught(&self, failures: Option<Failures>) -> Option<Failures> {
        let list = failures?.list(&self.program.plan);
        Failures::all(list.into_iter().filter(|f| !self.caught.has(f)).map(Failures::One).collect())
    }
}
