//! Instances of regions, and where their references lead.

use super::settle::Losses;
use super::slot::{At, NONE, Slot, Wait, Waiter};
use super::{Scheduler, Step};
use crate::failure::{Failures, Within};
use crate::value::Value;
use ntl_plan::{ConstId, Op, OpKind, Ref, Region, RegionId, RegionKind};
use smol_str::SmolStr;

/// A region that is running for one key.
pub(super) struct Instance {
    pub region: RegionId,
    /// Its number among all that there have been.
    pub serial: u64,
    /// The operation that made it; nowhere for the entry. Its instance is the one that this one's region stands in, unless
    /// it is the caller of a workflow.
    pub creator: At,
    /// The index that it adds to the key.
    pub index: u64,
    /// The job that it is a body of.
    pub job: u32,
    /// The values that it is given, then its operations.
    pub slots: Vec<Slot>,
    /// How many of the slots are values that it is given; a called workflow takes those from its caller instead.
    pub given: u32,
    /// How many of the results that were asked for are missing.
    pub missing: u32,
    /// How many of the first results have been asked for.
    pub asked: u32,
    /// Its results have been taken.
    pub is_taken: bool,
    /// Effects that run, and inner instances that have not settled.
    pub unsettled: u32,
    /// Effects that failed.
    pub lost: Losses,
    /// Instances that end with it: called workflows.
    pub kept: Vec<u32>,
    /// The permits that its external calls take.
    pub pool: u32,
}

/// A call on its way to an instance of the workflow.
pub(super) enum Start {
    /// So many things must end before.
    Waiting(u32, Vec<Waiter>),
    Started(u32),
    Failed(Box<Failures>),
}

/// How something ends: with a value, dropped, or failed.
pub(super) type Outcome = Result<Option<Value>, Failures>;

/// Where a reference leads.
pub(super) enum Found {
    /// A slot of an instance.
    Slot(u32, u32),
    /// A constant, which needs no slot.
    Const(ConstId),
}

impl<'p> Scheduler<'p> {
    /// A new instance. Its effects are not started yet.
    pub(super) fn instantiate(
        &mut self,
        region: RegionId,
        creator: At,
        index: u64,
        given: impl IntoIterator<Item = Value>,
        job: u32,
    ) -> u32 {
        let id = self.free.pop().unwrap_or_else(|| {
            let id = u32::try_from(self.instances.len()).unwrap_or(NONE);
            self.instances.push(Instance {
                region,
                serial: 0,
                creator,
                index,
                job,
                slots: Vec::new(),
                given: 0,
                missing: 0,
                asked: 0,
                is_taken: false,
                unsettled: 0,
                lost: Losses::default(),
                kept: Vec::new(),
                pool: 0,
            });
            id
        });
        let ops = self.program.plan.regions[region.at()].ops.len();
        let pool = self.instances.get(creator.inst as usize).map_or(0, |i| i.pool);
        let instance = &mut self.instances[id as usize];
        (instance.region, instance.creator, instance.index, instance.job) = (region, creator, index, job);
        (instance.missing, instance.asked, instance.is_taken, instance.unsettled) = (0, 0, false, 0);
        instance.pool = pool;
        instance.serial = self.count;
        self.count += 1;
        instance.slots.extend(given.into_iter().map(Slot::Done));
        instance.given = instance.slots.len() as u32;
        instance.slots.extend(std::iter::repeat_with(|| Slot::Idle).take(ops));
        id
    }

    /// Gives an instance's memory back, and that of those which end with it.
    pub(super) fn dispose(&mut self, inst: u32) {
        let mut open = vec![inst];
        while let Some(inst) = open.pop() {
            let region = self.instances[inst as usize].region;
            if self.traits[region.at()].stirs || self.traits[region.at()].calls {
                for (op, o) in self.program.plan.regions[region.at()].ops.iter().zip(0..) {
                    let at = At { inst, op: o };
                    match op.kind {
                        OpKind::Code(_) | OpKind::Native(_) | OpKind::Const(_) | OpKind::Require => continue,
                        OpKind::Call(_) => drop(self.calls.remove(&at)),
                        OpKind::Stream(_) => open.extend(self.forget_flow(at)),
                        _ => {}
                    }
                    self.settling.remove(&at);
                }
            }
            let instance = &mut self.instances[inst as usize];
            open.append(&mut instance.kept);
            instance.slots.clear();
            instance.lost = Losses::default();
            self.free.push(inst);
        }
    }

    pub(super) fn region(&self, inst: u32) -> &'p Region {
        let program = self.program;
        &program.plan.regions[self.instances[inst as usize].region.at()]
    }

    pub(super) fn op(&self, at: At) -> &'p Op {
        &self.region(at.inst).ops[at.op as usize]
    }

    pub(super) fn slot(&self, inst: u32, slot: u32) -> &Slot {
        &self.instances[inst as usize].slots[slot as usize]
    }

    /// The slot of an operation.
    pub(super) fn slot_mut(&mut self, at: At) -> &mut Slot {
        let instance = &mut self.instances[at.inst as usize];
        &mut instance.slots[(instance.given + at.op) as usize]
    }

    /// Where a reference of an instance leads.
    pub(super) fn locate(&self, mut inst: u32, mut reference: Ref) -> Found {
        loop {
            let (up, is_param, n) = match reference {
                Ref::Op(op) => (0, false, op.0),
                Ref::Outer { up, op } => (up, false, op.0),
                Ref::Param(param) => (0, true, param),
                Ref::OuterParam { up, param } => (up, true, param),
            };
            for _ in 0..up {
                inst = self.instances[inst as usize].creator.inst;
            }
            let instance = &self.instances[inst as usize];
            if !is_param {
                let op = &self.region(inst).ops[n as usize];
                return match op.kind {
                    OpKind::Const(value) if op.after.is_empty() => Found::Const(value),
                    _ => Found::Slot(inst, instance.given + n),
                };
            }
            if n < instance.given {
                return Found::Slot(inst, n);
            }
            // A called workflow: what the caller hands over, in the caller's instance.
            reference = self.op(instance.creator).inputs[n as usize];
            inst = instance.creator.inst;
        }
    }

    /// The value of a reference that is known to be there.
    pub(super) fn value_of(&self, inst: u32, reference: Ref) -> Value {
        match self.locate(inst, reference) {
            Found::Const(value) => self.program.constant(value).clone(),
            Found::Slot(inst, slot) => match self.slot(inst, slot) {
                Slot::Done(value) => value.clone(),
                _ => Value::Null,
            },
        }
    }

    /// What a reference ended with; as if it was dropped for one that has not.
    pub(super) fn outcome_of(&self, inst: u32, reference: Ref) -> Outcome {
        match self.locate(inst, reference) {
            Found::Const(value) => Ok(Some(self.program.constant(value).clone())),
            Found::Slot(inst, slot) => match self.slot(inst, slot) {
                Slot::Done(value) => Ok(Some(value.clone())),
                ended => ended.failures().map_or(Ok(None), |failures| Err(failures.clone())),
            },
        }
    }

    /// Puts a waiter to a slot that has not ended, and asks for it.
    pub(super) fn wait_for(&mut self, inst: u32, slot: u32, waiter: Waiter) {
        let instance = &mut self.instances[inst as usize];
        let op = slot - instance.given;
        let slot = &mut instance.slots[slot as usize];
        if let Slot::Idle = slot {
            *slot = Slot::Wait(Wait { missing: 0, waiters: NONE });
            self.steps.push(Step::Op(At { inst, op }));
        }
        if let Slot::Wait(wait) = slot {
            self.waiters.push(&mut wait.waiters, waiter);
        }
    }

    /// Asks for a reference: whether it has to be waited for, which `waiter` then does.
    pub(super) fn ask(&mut self, inst: u32, reference: Ref, waiter: Waiter) -> bool {
        match self.locate(inst, reference) {
            Found::Slot(inst, slot) if !self.slot(inst, slot).has_ended() => {
                self.wait_for(inst, slot, waiter);
                true
            }
            _ => false,
        }
    }

    /// Asks an instance for its results up to a number; it is looked at again when they have ended.
    pub(super) fn ask_results(&mut self, inst: u32, up_to: usize) {
        let results = &self.region(inst).results;
        let asked = self.instances[inst as usize].asked as usize;
        let mut missing = 0;
        for result in results.get(asked..up_to).unwrap_or_default().iter().rev() {
            missing += u32::from(self.ask(inst, *result, Waiter::Child(inst)));
        }
        let instance = &mut self.instances[inst as usize];
        (instance.missing, instance.asked) = (missing, up_to as u32);
        if missing == 0 {
            self.steps.push(Step::Child(inst));
        }
    }

    /// The indices of an instance's key, outermost first.
    pub(super) fn key(&self, mut inst: u32) -> Vec<u64> {
        let mut key = Vec::new();
        while let Some(instance) = self.instances.get(inst as usize) {
            if let RegionKind::For | RegionKind::Source | RegionKind::Loop = self.region(inst).kind {
                key.push(instance.index);
            }
            inst = instance.creator.inst;
        }
        key.reverse();
        key
    }

    /// An operation and those that it stands in, innermost first.
    pub(super) fn within(&self, mut at: At) -> Within {
        let mut spots = Vec::new();
        while let Some(instance) = self.instances.get(at.inst as usize) {
            spots.push((instance.serial, at.op));
            at = instance.creator;
        }
        spots.into()
    }

    /// A step's full id: the workflow's name, the ids of the calls, its own.
    pub(super) fn step_id(&self, at: At) -> SmolStr {
        let mut parts = vec![self.op(at).id.as_str()];
        let mut inst = at.inst;
        while let Some(instance) = self.instances.get(inst as usize) {
            let is_called = self.region(inst).kind == RegionKind::Workflow && instance.creator.inst != NONE;
            if is_called {
                parts.push(self.op(instance.creator).id.as_str());
            }
            inst = instance.creator.inst;
        }
        parts.push(self.program.plan.workflow.as_str());
        parts.reverse();
        SmolStr::new(parts.join("/"))
    }
}
