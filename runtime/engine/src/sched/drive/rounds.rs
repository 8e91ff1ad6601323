//! `loop`: rounds that carry values.

use super::Job;
use crate::sched::Scheduler;
use crate::sched::slot::At;
use crate::value::{Fault, Value};
use ntl_plan::{Op, OpKind, RegionId};

pub(in crate::sched) struct Loop {
    at: At,
    body: RegionId,
    round: u64,
    max: u64,
    carried: Vec<Value>,
}

impl Scheduler<'_> {
    /// Begins a `loop`.
    pub(in crate::sched) fn begin_loop(&mut self, at: At, op: &Op) -> Result<Option<Value>, Fault> {
        let OpKind::Loop(body) = op.kind else { return Ok(None) };
        let mut values = op.inputs.iter().map(|input| self.value_of(at.inst, *input));
        let max = match values.next() {
            Some(Value::Int(max)) => u64::try_from(max).unwrap_or(0),
            _ => return Err(Fault::new("internal", "a loop without a number of rounds")),
        };
        let carried = values.collect();
        let id = self.add_job(Job::Loop(Loop { at, body, round: 0, max, carried }), body);
        self.round(id);
        Ok(None)
    }

    /// Begins the next round, if there is one.
    fn round(&mut self, id: u32) {
        let Some(job) = self.jobs.rounds(id) else { return };
        let (at, body, round) = (job.at, job.body, job.round);
        if round == job.max {
            self.loop_exhausted(at, self.op(at).span);
            return self.end_loop(id);
        }
        job.round += 1;
        let carried = job.carried.clone();
        let child = self.instantiate(body, at, round, carried, id);
        self.begin(child, false);
    }

    pub(in crate::sched) fn next_round(&mut self, id: u32, next: Vec<Value>) {
        if let Some(job) = self.jobs.rounds(id) {
            job.carried = next;
            self.round(id);
        }
    }

    /// Ends a `loop` with what it carries.
    pub(in crate::sched) fn end_loop(&mut self, id: u32) {
        let Some(Job::Loop(job)) = self.jobs.remove(id) else { return };
        let value = self.one_or_record(job.at, job.carried);
        self.complete(job.at, Ok(value));
    }
}
