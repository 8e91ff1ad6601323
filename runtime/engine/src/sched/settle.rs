//! Effects: when they start, when all of them have ended, and what becomes of those that failed.

use super::Scheduler;
use super::instance::Found;
use super::slot::{At, NONE, Waiter};
use crate::failure::{Failure, Failures, Spot, Within};
use ntl_plan::{OpKind, Ref, RegionKind, Stream};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Effects that failed.
#[derive(Clone, Default)]
pub(super) struct Losses {
    /// By what happened within them: no failure of the regions around where a `try` catches it that takes their value.
    own: Option<Failures>,
    /// By what happened elsewhere: nobody who takes their value makes up for that.
    inherited: Option<Failures>,
}

impl Losses {
    fn is_none(&self) -> bool {
        self.own.is_none() && self.inherited.is_none()
    }

    fn join(self, there: &mut Losses) {
        if let Some(own) = self.own {
            own.join(&mut there.own);
        }
        if let Some(inherited) = self.inherited {
            inherited.join(&mut there.inherited);
        }
    }
}

/// An operation whose regions have effects: how many instances of them have not settled, and who waits for that.
#[derive(Default)]
pub(super) struct Settling {
    count: u32,
    waiters: Vec<Waiter>,
    lost: Losses,
}

/// Failures that a `try` has caught, and within which operations. Where such a one happened within an effect, it is no
/// failure of the regions around both: what takes the effect's value has ended when they are judged.
#[derive(Default)]
pub(super) struct Caught(FxHashMap<usize, (Arc<Failure>, Vec<Within>)>);

impl Caught {
    fn has(&self, failure: &Arc<Failure>, within: Option<Spot>) -> bool {
        let caught = self.0.get(&Arc::as_ptr(failure).addr());
        caught.is_some_and(|(_, all)| within.is_none_or(|spot| all.iter().any(|w| w.contains(&spot))))
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
                    Some(started) => {
                        let lost = started.err().map(|failures| self.losses(at, &failures));
                        self.release(inst, lost.unwrap_or_default());
                    }
                }
                continue;
            }
            self.hold(inst);
            if !self.ask(inst, Ref::Op(*effect), Waiter::Effect(inst)) {
                let lost = self.lost_by(at);
                self.release(inst, lost);
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
    pub(super) fn release(&mut self, mut inst: u32, mut lost: Losses) {
        loop {
            let instance = &mut self.instances[inst as usize];
            lost.join(&mut instance.lost);
            instance.unsettled -= 1;
            if instance.unsettled > 0 || instance.creator.inst == NONE {
                return;
            }
            let creator = instance.creator;
            let mut up = std::mem::take(&mut self.instances[inst as usize].lost);
            if self.instances[inst as usize].is_taken {
                up = self.settled(inst, up);
            } else if self.region(inst).kind == RegionKind::Source {
                self.item_quiet(inst);
            }
            if let Some(settling) = self.settling.get_mut(&creator) {
                settling.count -= 1;
                up.clone().join(&mut settling.lost);
                if settling.count == 0 {
                    let waiters = std::mem::take(&mut settling.waiters);
                    if settling.lost.is_none() {
                        self.settling.remove(&creator);
                    }
                    for waiter in waiters {
                        self.wake(waiter, creator);
                    }
                }
            }
            (inst, lost) = (creator.inst, up);
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
        let effects = self.op_of(inst, reference).and_then(|at| {
            let lost = &self.settling.get(&at)?.lost;
            match self.op(at).kind {
                // Of a source nobody knows what else will be taken: what failed has failed.
                OpKind::Stream(Stream { opens: Some(_), .. }) => {
                    Failures::all(lost.own.iter().chain(&lost.inherited).cloned().collect())
                }
                _ => self.uncaught(lost, Some(at)),
            }
        });
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

    /// What is lost by an effect that has ended.
    pub(super) fn lost_by(&mut self, effect: At) -> Losses {
        match self.slot_mut(effect).failures().cloned() {
            Some(failures) => self.losses(effect, &failures),
            None => Losses::default(),
        }
    }

    /// The failures of an effect: those that happened within it, and others.
    pub(super) fn losses(&self, effect: At, failures: &Failures) -> Losses {
        let spot = self.spot(effect);
        let list = failures.list(&self.program.plan);
        let (own, inherited): (Vec<_>, Vec<_>) = list.into_iter().partition(|f| f.within.contains(&spot));
        let joined = |list: Vec<_>| Failures::all(list.into_iter().map(Failures::One).collect());
        Losses { own: joined(own), inherited: joined(inherited) }
    }

    /// What counts of effects that failed, for an operation that they ran within; for the run if that is none.
    pub(super) fn uncaught(&self, lost: &Losses, within: Option<At>) -> Option<Failures> {
        let spot = within.map(|at| self.spot(at));
        let own = lost.own.as_ref().map(|own| own.list(&self.program.plan)).unwrap_or_default();
        let own = own.into_iter().filter(|f| !self.caught.has(f, spot)).map(Failures::One);
        Failures::all(own.chain(lost.inherited.clone()).collect())
    }

    /// An operation catches failures.
    pub(super) fn catch(&mut self, at: At, failures: &Failures) {
        if !self.traits[self.program.plan.entry.at()].stirs {
            return;
        }
        let within = self.within(at);
        for failure in failures.list(&self.program.plan) {
            let caught = self.caught.0.entry(Arc::as_ptr(&failure).addr()).or_insert_with(|| (failure, Vec::new()));
            caught.1.push(within.clone());
        }
    }

    fn spot(&self, at: At) -> Spot {
        (self.instances[at.inst as usize].serial, at.op)
    }
}
