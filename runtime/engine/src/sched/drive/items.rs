//! `for`: bodies side by side, results in order.

use super::Job;
use crate::failure::{Failure, Failures};
use crate::interp::{item, len};
use crate::sched::Scheduler;
use crate::sched::instance::Outcome;
use crate::sched::native::Pool;
use crate::sched::settle::Losses;
use crate::sched::slot::At;
use crate::value::{Fault, List, MAX_ITEMS, Value};
use ntl_plan::{Op, OpKind, RegionId};
use std::sync::Arc;

/// How many bodies of a `for` are open at once: those that wait for the world are, others end before the next begins.
const WINDOW: u32 = 1024;

pub(in crate::sched) struct For {
    at: At,
    body: RegionId,
    keeps: bool,
    flatten: bool,
    /// Items that fail are left out.
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

/// How an item ends.
pub(in crate::sched) enum Item {
    Value(Value),
    /// The condition does not hold, or the value is dropped.
    Dropped,
    Failed(Failures),
}

impl From<Outcome> for Item {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Ok(Some(value)) => Item::Value(value),
            Ok(None) => Item::Dropped,
            Err(failures) => Item::Failed(failures),
        }
    }
}

impl Scheduler<'_> {
    /// Begins a `for`: its value at once if there is nothing to do.
    pub(in crate::sched) fn begin_for(&mut self, at: At, op: &Op) -> Result<Option<Value>, Fault> {
        let OpKind::For { body, keeps, flatten } = op.kind else { return Ok(None) };
        let items = self.value_of(at.inst, op.inputs[0]);
        let len = len(&items).ok_or_else(|| Fault::new("internal", format!("a loop over {}", items.kind())))?;
        if len > MAX_ITEMS {
            return Err(Fault::list_too_long());
        }
        if len == 0 {
            return Ok(Some(Value::List(List::new(Vec::new()))));
        }
        let pool = op.policy.parallel.map(|limit| self.add_pool(limit));
        let job = For {
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
            pool,
            is_queued: true,
        };
        let id = self.add_job(Job::For(job), body);
        self.jobs.queue(id);
        Ok(None)
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

    /// Begins the body of one more item, if one may begin.
    pub(super) fn drive_for(&mut self, id: u32) {
        let Some(job) = self.jobs.items(id) else { return };
        job.is_queued = false;
        if job.next >= job.len || job.open >= job.limit {
            return;
        }
        let index = job.next;
        job.next += 1;
        job.open += 1;
        job.results.push(None);
        job.is_queued = job.next < job.len && job.open < job.limit;
        let (body, at, pool, all, again) = (job.body, job.at, job.pool, !job.keeps, job.is_queued);
        let given = [item(&job.items, index).unwrap_or(Value::Null), Value::Int(index as i64)];
        if again {
            self.jobs.queue(id);
        }
        let child = self.instantiate(body, at, index as u64, given, id);
        if let Some(pool) = pool {
            self.instances[child as usize].pool = pool;
        }
        self.begin(child, all);
    }

    /// The result of an item is there. With `@on_error(skip)` it is judged only when its effects have ended.
    pub(in crate::sched) fn item_done(&mut self, id: u32, child: u32, result: Item) {
        let Some(job) = self.jobs.items(id) else { return };
        if !(job.skips && self.traits[job.body.at()].stirs) {
            self.item_known(id, child, result);
        }
    }

    fn item_known(&mut self, id: u32, child: u32, result: Item) {
        let index = self.instances[child as usize].index as usize;
        let plan = &self.program.plan;
        let Some(job) = self.jobs.items(id) else { return };
        job.known += 1;
        match result {
            Item::Value(value) => job.results[index] = Some(value),
            Item::Dropped => {}
            Item::Failed(failures) if job.skips => {
                job.skipped += 1;
                if job.first_skipped.is_none() {
                    job.first_skipped = failures.first(plan);
                }
            }
            Item::Failed(failures) => job.failed.push(failures),
        }
        if job.known == job.len {
            self.end_for(id);
        }
    }

    /// A body has ended, effects and all. Gives what of its effects goes up from here.
    pub(in crate::sched) fn item_settled(&mut self, id: u32, child: u32, mut lost: Losses) -> Losses {
        let Some(job) = self.jobs.items(id) else { return lost };
        let (skips, body, at) = (job.skips, job.body, job.at);
        if skips && self.traits[body.at()].stirs {
            let effects = self.uncaught(&std::mem::take(&mut lost), Some(at));
            let results = &self.region(child).results;
            let asked = self.instances[child as usize].asked as usize;
            let result = match (effects, self.outcome_of(child, results[asked - 1])) {
                (Some(failures), _) | (None, Err(failures)) => Item::Failed(failures),
                (None, Ok(value)) if asked == results.len() => Ok(value).into(),
                (None, Ok(_)) => Item::Dropped,
            };
            if let Item::Failed(failures) = &result {
                self.catch(at, failures);
            }
            self.item_known(id, child, result);
        }
        let Some(job) = self.jobs.items(id) else { return lost };
        job.open -= 1;
        if job.known == job.len && job.open == 0 {
            self.free_pools.extend(job.pool);
            self.jobs.remove(id);
        } else if !job.is_queued && job.next < job.len {
            job.is_queued = true;
            self.jobs.queue(id);
        }
        lost
    }

    fn end_for(&mut self, id: u32) {
        let Some(job) = self.jobs.items(id) else { return };
        let (at, flatten, skipped, len) = (job.at, job.flatten, job.skipped, job.len);
        let failed = Failures::all(std::mem::take(&mut job.failed));
        let results = std::mem::take(&mut job.results);
        if let Some(first) = job.first_skipped.take() {
            self.items_skipped(at, skipped, len, &first);
        }
        let values = results.into_iter().flatten();
        let result = match failed {
            Some(failures) => Err(failures),
            None if flatten => joined(values).map_err(|fault| self.failure(at, fault, None, 1)),
            None => Ok(Value::list(values.collect())),
        };
        self.complete(at, result);
    }
}

/// The items of lists, one list after the other.
fn joined(lists: impl Iterator<Item = Value>) -> Result<Value, Fault> {
    let mut all = List::new(Vec::new());
    for list in lists {
        let Value::List(list) = list else { return Err(Fault::new("internal", "a body that gives no list")) };
        if all.len().saturating_add(list.len()) > MAX_ITEMS {
            return Err(Fault::list_too_long());
        }
        all.append(&list);
    }
    Ok(Value::List(all))
}
