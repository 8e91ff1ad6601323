//! Instances of the regions that an operation holds: how they begin, what becomes of their results.

use super::Scheduler;
use super::drive::Item;
use super::settle::Losses;
use super::slot::{At, NONE};
use crate::failure::Failures;
use crate::interp::error_record;
use crate::value::{Fault, Value};
use ntl_plan::{OpKind, RegionId, RegionKind};

impl Scheduler<'_> {
    /// A region of an operation begins: its value will be the operation's.
    pub(super) fn begin_child(&mut self, region: RegionId, at: At, given: Option<Value>) {
        let child = self.instantiate(region, at, 0, given, NONE);
        self.begin(child, true);
    }

    /// An instance begins: its effects, unless something is looked at first, and its first result, or all.
    pub(super) fn begin(&mut self, child: u32, all: bool) {
        if self.traits[self.instances[child as usize].region.at()].stirs {
            // Until its results have been taken.
            self.hold(child);
            if all {
                self.start_effects(child);
            }
        }
        let results = if all { self.region(child).results.len() } else { 1 };
        self.ask_results(child, results);
    }

    /// What was looked at first lets the rest of the instance run.
    fn go_on(&mut self, child: u32) {
        if self.traits[self.instances[child as usize].region.at()].stirs {
            self.start_effects(child);
        }
        self.ask_results(child, self.region(child).results.len());
    }

    /// The results that were asked of an instance have ended.
    pub(super) fn child(&mut self, child: u32) {
        let (creator, job) = (self.instances[child as usize].creator, self.instances[child as usize].job);
        let region = self.region(child);
        match region.kind {
            RegionKind::Branch | RegionKind::Block | RegionKind::Handler => {
                let result = self.outcome_of(child, region.results[0]);
                self.end_op(creator, result);
                self.taken(child);
            }
            RegionKind::Try => self.taken(child),
            RegionKind::For => self.child_of_for(child, job),
            RegionKind::Loop => self.child_of_loop(child, job),
            RegionKind::Workflow | RegionKind::Source => {}
        }
    }

    fn child_of_for(&mut self, child: u32, job: u32) {
        let OpKind::For { keeps, .. } = self.op(self.instances[child as usize].creator).kind else { return };
        if keeps && self.instances[child as usize].asked == 1 {
            match self.outcome_of(child, self.region(child).results[0]) {
                Ok(Some(Value::Bool(true))) => return self.go_on(child),
                Ok(_) => self.item_done(job, child, Item::Dropped),
                Err(failures) => self.item_done(job, child, Item::Failed(failures)),
            }
        } else {
            let outcome = self.outcome_of(child, self.region(child).results[usize::from(keeps)]);
            self.item_done(job, child, outcome.into());
        }
        self.taken(child);
    }

    fn child_of_loop(&mut self, child: u32, job: u32) {
        let (region, at) = (self.region(child), self.instances[child as usize].creator);
        if self.instances[child as usize].asked == 1 {
            match self.outcome_of(child, region.results[0]) {
                Ok(Some(Value::Bool(true))) => self.end_loop(job),
                Ok(Some(_)) => return self.go_on(child),
                Ok(None) => {
                    self.jobs.remove(job);
                    self.end_op(at, Ok(None));
                }
                Err(failures) => {
                    self.jobs.remove(job);
                    self.complete(at, Err(failures));
                }
            }
            return self.taken(child);
        }
        let (mut next, mut failed, mut is_dropped) = (Vec::with_capacity(region.results.len()), Vec::new(), false);
        for result in region.results.iter().skip(1) {
            match self.outcome_of(child, *result) {
                Ok(Some(value)) => next.push(value),
                Ok(None) => is_dropped = true,
                Err(failures) => failed.push(failures),
            }
        }
        match (is_dropped, Failures::all(failed)) {
            (false, None) => self.next_round(job, next),
            (false, Some(failures)) => {
                self.jobs.remove(job);
                self.complete(at, Err(failures));
            }
            (true, _) => {
                self.jobs.remove(job);
                self.end_op(at, Ok(None));
            }
        }
        self.taken(child);
    }

    /// The results of an instance have been taken: it ends when its effects have.
    fn taken(&mut self, child: u32) {
        let instance = &mut self.instances[child as usize];
        instance.is_taken = true;
        if self.traits[instance.region.at()].stirs {
            self.release(child, Losses::default());
        } else {
            self.settled(child, Losses::default());
        }
    }

    /// An instance has ended, results and effects. Gives what of its effects goes up from here.
    pub(super) fn settled(&mut self, child: u32, lost: Losses) -> Losses {
        let (creator, job) = (self.instances[child as usize].creator, self.instances[child as usize].job);
        let up = match self.region(child).kind {
            RegionKind::Try => {
                self.end_try(child, creator, lost);
                Losses::default()
            }
            RegionKind::For => self.item_settled(job, child, lost),
            _ => lost,
        };
        self.dispose(child);
        up
    }

    /// The body of a `try` has ended: its value, or else the handler.
    fn end_try(&mut self, child: u32, creator: At, lost: Losses) {
        let OpKind::Try(_, handler) = self.op(creator).kind else { return };
        let effects = self.uncaught(&lost, Some(creator));
        let result = self.outcome_of(child, self.region(child).results[0]);
        let failures = match (result, effects) {
            (Ok(value), None) => return self.end_op(creator, Ok(value)),
            (Ok(_), Some(failures)) => failures,
            (Err(failures), None) => failures,
            (Err(a), Some(b)) => Failures::all(vec![a, b]).unwrap_or_else(|| self.lost(creator, "no failure")),
        };
        self.catch(creator, &failures);
        let error = error_record(&self.program.plan, &failures, &self.program.error);
        self.begin_child(handler, creator, Some(error));
    }

    /// A failure that no checked plan has.
    pub(super) fn lost(&self, at: At, message: &str) -> Failures {
        self.failure(at, Fault::new("internal", message), None, 1)
    }
}
