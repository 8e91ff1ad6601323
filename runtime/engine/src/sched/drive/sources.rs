//! `each` and `collect`: a region for each item of a source, and what is taken whole of it.

use super::Job;
use crate::failure::Failures;
use crate::interp::{item, len};
use crate::sched::Scheduler;
use crate::sched::instance::Found;
use crate::sched::slot::{At, NONE, Waiter};
use crate::value::{Fault, Value};
use ntl_plan::{Op, OpKind, Ref, RegionId};

pub(in crate::sched) struct Source {
    at: At,
    body: RegionId,
    items: Value,
    /// One per item, or [`NONE`].
    instances: Vec<u32>,
    /// The next one that its effects need.
    next: usize,
}

pub(in crate::sched) struct Collect {
    at: At,
    /// The source's job.
    source: u32,
    value: Ref,
    /// The next item to ask.
    next: usize,
    /// Values that are missing, and one while not all are asked for.
    missing: usize,
}

impl Scheduler<'_> {
    /// Begins a source. Its items are instantiated when something is collected from them, or for their effects.
    pub(in crate::sched) fn begin_source(&mut self, at: At, op: &Op) -> Result<Option<Value>, Fault> {
        let OpKind::Each(body) = op.kind else { return Ok(None) };
        let items = self.value_of(at.inst, op.inputs[0]);
        let len = len(&items).ok_or_else(|| Fault::new("internal", format!("a source over {}", items.kind())))?;
        let stirs = self.traits[body.at()].stirs;
        let id = self.add_job(Job::Source(Source { at, body, items, instances: Vec::new(), next: 0 }), body);
        self.sources.insert(at, id);
        if stirs && len > 0 {
            self.jobs.queue(id);
            return Ok(None);
        }
        Ok(Some(Value::Null))
    }

    /// Instantiates one more item of a source for its effects.
    pub(super) fn drive_source(&mut self, id: u32) {
        let Some(job) = self.jobs.source(id) else { return };
        let (at, index) = (job.at, job.next);
        job.next += 1;
        match self.source_item(id, index) {
            Some(_) => self.jobs.queue(id),
            None => self.complete(at, Ok(Value::Null)),
        }
    }

    /// The instance of an item of a source, if there is such an item.
    fn source_item(&mut self, id: u32, index: usize) -> Option<u32> {
        let job = self.jobs.source(id)?;
        if let Some(known) = job.instances.get(index).filter(|i| **i != NONE) {
            return Some(*known);
        }
        let value = item(&job.items, index)?;
        if job.instances.len() <= index {
            job.instances.resize(index + 1, NONE);
        }
        let (at, body) = (job.at, job.body);
        let inst = self.instantiate(body, at, index as u64, [value, Value::Int(index as i64)], NONE);
        if let Some(job) = self.jobs.source(id) {
            job.instances[index] = inst;
        }
        self.instances[at.inst as usize].kept.push(inst);
        self.start_effects(inst);
        Some(inst)
    }

    /// Begins to collect a value of a source.
    pub(in crate::sched) fn begin_collect(&mut self, at: At, source: Ref, value: Ref) -> Result<Option<Value>, Fault> {
        // The source is waited for as if it was an input.
        if self.ask(at.inst, source, Waiter::Op(at)) {
            self.wait(at, 1);
            return Ok(None);
        }
        if let Err(failures) = self.outcome_of(at.inst, source) {
            self.complete(at, Err(failures));
            return Ok(None);
        }
        let lost = || Fault::new("internal", "it collects from what is no source");
        let Found::Slot(inst, slot) = self.locate(at.inst, source) else { return Err(lost()) };
        let each = At { inst, op: slot - self.instances[inst as usize].given };
        let source = *self.sources.get(&each).ok_or_else(lost)?;
        let body = self.jobs.source(source).ok_or_else(lost)?.body;
        let id = self.add_job(Job::Collect(Collect { at, source, value, next: 0, missing: 1 }), body);
        self.jobs.queue(id);
        Ok(None)
    }

    /// Asks one more item for its value.
    pub(super) fn drive_collect(&mut self, id: u32) {
        let Some(job) = self.jobs.collect(id) else { return };
        let (source, value, index) = (job.source, job.value, job.next);
        job.next += 1;
        let Some(inst) = self.source_item(source, index) else {
            return self.collected(id);
        };
        self.jobs.queue(id);
        if self.ask(inst, value, Waiter::Job(id))
            && let Some(job) = self.jobs.collect(id)
        {
            job.missing += 1;
        }
    }

    /// One of the values that are collected has ended, or all have been asked for.
    pub(in crate::sched) fn collected(&mut self, id: u32) {
        let Some(job) = self.jobs.collect(id) else { return };
        job.missing -= 1;
        if job.missing > 0 {
            return;
        }
        let Some(Job::Collect(job)) = self.jobs.remove(id) else { return };
        let instances = self.jobs.source(job.source).map(|s| std::mem::take(&mut s.instances)).unwrap_or_default();
        let (mut values, mut failed) = (Vec::with_capacity(instances.len()), Vec::new());
        for inst in &instances {
            match self.outcome_of(*inst, job.value) {
                Ok(value) => values.push(value),
                Err(failures) => failed.push(failures),
            }
        }
        if let Some(source) = self.jobs.source(job.source) {
            source.instances = instances;
        }
        self.complete(job.at, Failures::all(failed).map_or_else(|| Ok(Value::list(values)), Err));
    }
}
