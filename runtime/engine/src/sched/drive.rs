//! Loops: what begins bodies one after the other and takes their results: `for`, `loop`, sources, what collects.

use super::Scheduler;
use super::instance::Found;
use super::native::Pool;
use super::settle::Losses;
use super::slot::{At, NONE, Waiter};
use crate::failure::{Failure, Failures};
use crate::interp::{item, len};
use crate::value::{Fault, Value};
use ntl_plan::{Op, OpKind, Ref, RegionId};
use std::sync::Arc;

/// How many bodies of a `for` are open at once: those that wait for the world are, others end before the next begins.
const WINDOW: u32 = 1024;

/// A loop that runs.
pub(super) enum Job {
    For(For),
    Loop(Loop),
    Source(Source),
    Collect(Collect),
}

pub(super) struct For {
    at: At,
    body: RegionId,
    keeps: bool,
    flatten: bool,
    skips: bool,
    items: Value,
    len: usize,
    /// The next item to begin.
    next: usize,
    /// Bodies that have not settled.
    open: u32,
    /// How many may be.
    limit: u32,
    /// Items whose result is known.
    known: usize,
    results: Vec<Option<Value>>,
    failed: Vec<Failures>,
    skipped: u64,
    first_skipped: Option<Arc<Failure>>,
    /// Permits of its own, by `@parallel`.
    pool: Option<u32>,
    is_queued: bool,
}

/// How an item of a `for` ends.
pub(super) enum Item {
    Value(Value),
    /// The condition does not hold.
    Dropped,
    Failed(Failures),
}

pub(super) struct Loop {
    pub at: At,
    body: RegionId,
    round: u64,
    max: u64,
    carried: Vec<Value>,
}

pub(super) struct Source {
    at: At,
    body: RegionId,
    items: Value,
    /// One per item, or [`NONE`].
    instances: Vec<u32>,
    /// The next one that its effects need.
    next: usize,
}

pub(super) struct Collect {
    at: At,
    source: u32,
    value: Ref,
    next: usize,
    missing: usize,
}

/// Loops that run, and those among them that may begin a body.
#[derive(Default)]
pub(super) struct Jobs {
    arena: Vec<Option<Job>>,
    free: Vec<u32>,
    /// Loops whose bodies wait for the world: begun first.
    eager: Vec<u32>,
    others: Vec<u32>,
}

impl Jobs {
    fn add(&mut self, job: Job) -> u32 {
        if let Some(id) = self.free.pop() {
            self.arena[id as usize] = Some(job);
            return id;
        }
        self.arena.push(Some(job));
        self.arena.len() as u32 - 1
    }

    pub fn get_mut(&mut self, id: u32) -> Option<&mut Job> {
        self.arena.get_mut(id as usize)?.as_mut()
    }

    pub fn remove(&mut self, id: u32) -> Option<Job> {
        let job = self.arena.get_mut(id as usize)?.take();
        if job.is_some() {
            self.free.push(id);
        }
        job
    }

    fn queue(&mut self, id: u32, is_eager: bool) {
        if is_eager { self.eager.push(id) } else { self.others.push(id) }
    }
}

impl Job {
    pub fn of_for(at: At, op: &Op, items: Value, len: usize) -> Job {
        let (body, keeps, flatten) = match op.kind {
            OpKind::For { body, keeps, flatten } => (body, keeps, flatten),
            _ => (RegionId(NONE), false, false),
        };
        Job::For(For {
            at,
            body,
            keeps,
            flatten,
            skips: op.policy.skip_errors,
            items,
            len,
            next: 0,
            open: 0,
            limit: op.policy.parallel.map_or(WINDOW, |n| n.max(1)),
            known: 0,
            results: Vec::new(),
            failed: Vec::new(),
            skipped: 0,
            first_skipped: None,
            pool: None,
            is_queued: true,
        })
    }
}

impl Scheduler<'_> {
    pub(super) fn begin_job(&mut self, job: Job, op: &Op) {
        let body = match &job {
            Job::For(job) => job.body,
            Job::Source(job) => job.body,
            Job::Loop(_) | Job::Collect(_) => RegionId(NONE),
        };
        let is_eager = self.traits.get(body.at()).is_some_and(|t| t.waits);
        let pool = match (&job, op.policy.parallel) {
            (Job::For(_), Some(limit)) => Some(self.add_pool(limit)),
            _ => None,
        };
        let id = self.jobs.add(job);
        if let Some(Job::For(job)) = self.jobs.get_mut(id) {
            job.pool = pool;
        }
        self.jobs.queue(id, is_eager);
    }

    fn add_pool(&mut self, limit: u32) -> u32 {
        let pool = Pool::new(limit.max(1));
        match self.free_pools.pop() {
            Some(id) => {
                self.pools[id as usize] = pool;
                id
            }
            None => {
                self.pools.push(pool);
                self.pools.len() as u32 - 1
            }
        }
    }

    /// Lets one loop begin one body; whether there was one.
    pub(super) fn drive_next(&mut self) -> bool {
        let Some(id) = self.jobs.eager.pop().or_else(|| self.jobs.others.pop()) else { return false };
        match self.jobs.get_mut(id) {
            Some(Job::For(_)) => self.drive_for(id),
            Some(Job::Source(_)) => self.drive_source(id),
            Some(Job::Collect(_)) => self.drive_collect(id),
            Some(Job::Loop(_)) | None => {}
        }
        true
    }

    fn drive_for(&mut self, id: u32) {
        let Some(Job::For(job)) = self.jobs.get_mut(id) else { return };
        job.is_queued = false;
        if job.next >= job.len || job.open >= job.limit {
            return;
        }
        let index = job.next;
        job.next += 1;
        job.open += 1;
        job.results.push(None);
        let (body, at, pool, all) = (job.body, job.at, job.pool, !job.keeps);
        let value = item(&job.items, index).unwrap_or(Value::Null);
        if job.next < job.len && job.open < job.limit {
            job.is_queued = true;
            let is_eager = self.traits[body.at()].waits;
            self.jobs.queue(id, is_eager);
        }
        let given = [value, Value::Int(index as i64)];
        let child = self.instantiate(body, at, index as u64, given, id);
        if let Some(pool) = pool {
            self.instances[child as usize].pool = pool;
        }
        self.begin(child, all);
    }

    /// The result of an item is known, unless its effects may still make it fail.
    pub(super) fn item_done(&mut self, id: u32, child: u32, result: Item) {
        let Some(Job::For(job)) = self.jobs.get_mut(id) else { return };
        // With `@on_error(skip)` an item is judged when its effects have ended.
        if job.skips && self.traits[job.body.at()].stirs {
            return;
        }
        self.item_known(id, child, result);
    }

    fn item_known(&mut self, id: u32, child: u32, result: Item) {
        let index = self.instances[child as usize].index as usize;
        let program = self.program;
        let Some(Job::For(job)) = self.jobs.get_mut(id) else { return };
        job.known += 1;
        match result {
            Item::Value(value) => job.results[index] = Some(value),
            Item::Dropped => {}
            Item::Failed(failures) if job.skips => {
                job.skipped += 1;
                if job.first_skipped.is_none() {
                    job.first_skipped = failures.first(&program.plan);
                }
            }
            Item::Failed(failures) => job.failed.push(failures),
        }
        if job.known == job.len {
            self.end_for(id);
        }
    }

    /// A body has ended, effects and all. Gives what of its effects goes up from here.
    pub(super) fn item_settled(&mut self, id: u32, child: u32, lost: Losses) -> Losses {
        let Some(Job::For(job)) = self.jobs.get_mut(id) else { return lost };
        let (skips, body, at) = (job.skips, job.body, job.at);
        let mut up = lost;
        if skips && self.traits[body.at()].stirs {
            let results = &self.region(child).results;
            let asked = self.instances[child as usize].asked as usize;
            let effects = self.uncaught(&std::mem::take(&mut up), Some(at));
            let is_kept = asked == results.len();
            let result = match (effects, self.outcome_of(child, results[asked - 1])) {
                (Some(failures), _) | (None, Err(failures)) => Item::Failed(failures),
                (None, Ok(value)) if is_kept => Item::Value(value),
                (None, Ok(_)) => Item::Dropped,
            };
            if let Item::Failed(failures) = &result {
                self.catch(at, failures);
            }
            self.item_known(id, child, result);
        }
        let Some(Job::For(job)) = self.jobs.get_mut(id) else { return up };
        job.open -= 1;
        if job.known == job.len && job.open == 0 {
            self.free_pools.extend(job.pool);
            self.jobs.remove(id);
        } else if !job.is_queued && job.next < job.len {
            job.is_queued = true;
            let is_eager = self.traits[body.at()].waits;
            self.jobs.queue(id, is_eager);
        }
        up
    }

    fn end_for(&mut self, id: u32) {
        let Some(Job::For(job)) = self.jobs.get_mut(id) else { return };
        let at = job.at;
        let failed = Failures::all(std::mem::take(&mut job.failed));
        let results = std::mem::take(&mut job.results);
        let (flatten, skipped, len, first) = (job.flatten, job.skipped, job.len, job.first_skipped.take());
        if let Some(first) = first {
            self.items_skipped(at, skipped, len, &first);
        }
        let result = match failed {
            Some(failures) => Err(failures),
            None if flatten => {
                let lists = results.into_iter().flatten();
                Ok(Value::list(lists.fold(Vec::new(), |mut all, list| {
                    match list {
                        Value::List(list) => match list.as_slice() {
                            Some(items) => all.extend_from_slice(items),
                            None => all.extend(list.iter()),
                        },
                        other => all.push(other),
                    }
                    all
                })))
            }
            None => Ok(Value::list(results.into_iter().flatten().collect())),
        };
        self.complete(at, result);
    }

    /// Begins a `loop`.
    pub(super) fn begin_loop(&mut self, at: At, op: &Op) -> Result<Option<Value>, Fault> {
        let OpKind::Loop(body) = op.kind else { return Ok(None) };
        let mut values = op.inputs.iter().map(|input| self.value_of(at.inst, *input));
        let max = match values.next() {
            Some(Value::Int(max)) => u64::try_from(max).unwrap_or(0),
            _ => return Err(Fault::new("internal", "a loop without a number of rounds")),
        };
        let carried: Vec<Value> = values.collect();
        let id = self.jobs.add(Job::Loop(Loop { at, body, round: 0, max, carried }));
        self.round(id);
        Ok(None)
    }

    /// Begins the next round, if there is one.
    fn round(&mut self, id: u32) {
        let Some(Job::Loop(job)) = self.jobs.get_mut(id) else { return };
        let (at, body, round) = (job.at, job.body, job.round);
        if round == job.max {
            let span = self.op(at).span;
            self.loop_exhausted(at, span);
            return self.end_loop(id);
        }
        job.round += 1;
        let carried = job.carried.clone();
        let child = self.instantiate(body, at, round, carried, id);
        self.begin(child, false);
    }

    pub(super) fn next_round(&mut self, id: u32, next: Vec<Value>) {
        if let Some(Job::Loop(job)) = self.jobs.get_mut(id) {
            job.carried = next;
            self.round(id);
        }
    }

    pub(super) fn end_loop(&mut self, id: u32) {
        let Some(Job::Loop(mut job)) = self.jobs.remove(id) else { return };
        let value = match job.carried.pop() {
            Some(only) if job.carried.is_empty() => only,
            last => {
                job.carried.extend(last);
                Value::record(self.program.shape(self.op(job.at).ty), job.carried)
            }
        };
        self.complete(job.at, Ok(value));
    }

    /// Begins a source. Its items are instantiated when something is collected from them, or for their effects.
    pub(super) fn begin_source(&mut self, at: At, op: &Op) -> Result<Option<Value>, Fault> {
        let OpKind::Each(body) = op.kind else { return Ok(None) };
        let items = self.value_of(at.inst, op.inputs[0]);
        let Some(len) = len(&items) else {
            return Err(Fault::new("internal", format!("a source over {}", items.kind())));
        };
        let stirs = self.traits[body.at()].stirs;
        let source = Source { at, body, items, instances: Vec::new(), next: if stirs { 0 } else { len } };
        let id = self.jobs.add(Job::Source(source));
        self.sources.insert(at, id);
        if stirs && len > 0 {
            let is_eager = self.traits[body.at()].waits;
            self.jobs.queue(id, is_eager);
            return Ok(None);
        }
        Ok(Some(Value::Null))
    }

    fn drive_source(&mut self, id: u32) {
        let Some(Job::Source(job)) = self.jobs.get_mut(id) else { return };
        let (at, index, count) = (job.at, job.next, len(&job.items).unwrap_or(0));
        if index >= count {
            return self.complete(at, Ok(Value::Null));
        }
        job.next += 1;
        let is_eager = self.traits[job.body.at()].waits;
        self.jobs.queue(id, is_eager);
        self.source_item(id, index);
    }

    /// The instance of an item of a source.
    fn source_item(&mut self, id: u32, index: usize) -> Option<u32> {
        let Some(Job::Source(job)) = self.jobs.get_mut(id) else { return None };
        if let Some(known) = job.instances.get(index).filter(|i| **i != NONE) {
            return Some(*known);
        }
        let value = item(&job.items, index)?;
        if job.instances.len() <= index {
            job.instances.resize(index + 1, NONE);
        }
        let (at, body) = (job.at, job.body);
        let inst = self.instantiate(body, at, index as u64, [value, Value::Int(index as i64)], NONE);
        if let Some(Job::Source(job)) = self.jobs.get_mut(id) {
            job.instances[index] = inst;
        }
        self.instances[at.inst as usize].kept.push(inst);
        self.start_effects(inst);
        Some(inst)
    }

    /// Begins to collect a value of a source.
    pub(super) fn begin_collect(&mut self, at: At, source: Ref, value: Ref) -> Result<Option<Value>, Fault> {
        let lost = || Fault::new("internal", "a source that is none");
        let Found::Slot(inst, slot) = self.locate(at.inst, source) else { return Err(lost()) };
        let each = At { inst, op: slot - self.instances[inst as usize].given };
        // It is waited for as if it was an input.
        if self.ask(at.inst, source, Waiter::Op(at)) {
            self.wait(at, 1);
            return Ok(None);
        }
        if let Err(failures) = self.outcome_of(at.inst, source) {
            self.complete(at, Err(failures));
            return Ok(None);
        }
        let source = *self.sources.get(&each).ok_or_else(lost)?;
        let body = match self.jobs.get_mut(source) {
            Some(Job::Source(job)) => job.body,
            _ => return Err(lost()),
        };
        let id = self.jobs.add(Job::Collect(Collect { at, source, value, next: 0, missing: 1 }));
        let is_eager = self.traits[body.at()].waits;
        self.jobs.queue(id, is_eager);
        Ok(None)
    }

    fn drive_collect(&mut self, id: u32) {
        let Some(Job::Collect(job)) = self.jobs.get_mut(id) else { return };
        let (source, value, index) = (job.source, job.value, job.next);
        job.next += 1;
        let Some(inst) = self.source_item(source, index) else {
            // All are asked for.
            return self.job_got_one(id);
        };
        let missing = self.ask(inst, value, Waiter::Job(id));
        let body = self.instances[inst as usize].region;
        let is_eager = self.traits[body.at()].waits;
        self.jobs.queue(id, is_eager);
        if missing && let Some(Job::Collect(job)) = self.jobs.get_mut(id) {
            job.missing += 1;
        }
    }

    /// One of the values that are collected has ended, or all have been asked for.
    pub(super) fn job_got_one(&mut self, id: u32) {
        let Some(Job::Collect(job)) = self.jobs.get_mut(id) else { return };
        job.missing -= 1;
        if job.missing > 0 {
            return;
        }
        let Some(Job::Collect(job)) = self.jobs.remove(id) else { return };
        let instances = match self.jobs.get_mut(job.source) {
            Some(Job::Source(source)) => std::mem::take(&mut source.instances),
            _ => Vec::new(),
        };
        let (mut values, mut failed) = (Vec::with_capacity(instances.len()), Vec::new());
        for inst in &instances {
            match self.outcome_of(*inst, job.value) {
                Ok(value) => values.push(value),
                Err(failures) => failed.push(failures),
            }
        }
        if let Some(Job::Source(source)) = self.jobs.get_mut(job.source) {
            source.instances = instances;
        }
        let result = match Failures::all(failed) {
            Some(failures) => Err(failures),
            None => Ok(Value::list(values)),
        };
        self.complete(job.at, result);
    }
}
