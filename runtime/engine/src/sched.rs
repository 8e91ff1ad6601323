//! The scheduler of one run.
//!
//! Regions are instantiated once per key: an [`Instance`] holds the values that its region is given and a slot for each of
//! its operations. Nothing runs unless it is asked for: the outputs are, and the effects of every instance; an
//! operation that is asked for asks for what it takes, and waits until all of that is there or has failed. So each runs at
//! most once, and a failure reaches exactly what depends on it.
//!
//! All state belongs to one task. Work lies in three places, looked at in this order: `steps` (somebody asked, or what was
//! missing is there), `execs` (pure code that may run), `drivers` (loops that may begin a body). The first is a stack, so
//! that what was asked for spreads before anything long runs and whatever waits for the world starts early; loops come
//! last, so that a body is done with before the next begins. Nothing here recurses and nothing polls.
//!
//! *Settling*: an operation that holds regions has a value when their results are there, but it has ended when their
//! effects have, too. Each instance counts its effects that run and its inner instances that have not settled; at none it
//! tells its creator. Effects that failed travel that way, up to the `try` that catches them or to the run's errors.

mod child;
mod drive;
mod flow;
mod instance;
mod map;
mod native;
#[cfg(test)]
mod oracle;
mod report;
mod settle;
mod slot;
mod step;
#[cfg(test)]
mod tests;

use crate::cancel::Cancel;
use crate::failure::{Failure, Failures, Within};
use crate::interp::{Cx, Flow, Machine, Place};
use crate::native::Stop;
use crate::program::Program;
use crate::run::{Event, Options};
use crate::value::{Fault, Value};
use drive::Jobs;
use instance::{Instance, Outcome, Start};
use map::{Takers, Traits};
use native::{Message, Pool, Running};
use ntl_host::Host;
use ntl_plan::{OpKind, SpanId};
use report::Outputs;
use rustc_hash::FxHashMap;
use settle::{Caught, Losses, Settling};
use slot::{At, NONE, Slot, Wait, Waiter, Waiters};
use smol_str::SmolStr;
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

/// How many steps are taken before others get the thread.
const SLICE: u32 = 4096;

/// Something to be looked at.
enum Step {
    /// An operation: asked for, or what it waited for is there.
    Op(At),
    /// An instance: the results that were asked of it have ended.
    Child(u32),
    /// An instance whose effects are to start.
    Effects(u32),
    /// An instance of which one thing less runs; it may have failed.
    Release(u32, Losses),
    /// A flow that may go on.
    Flow(u32),
    /// A flow that may be wanted now, or no longer.
    Refresh(u32),
}

/// Pure code that may run.
enum Exec {
    Start(At),
    /// It used up its slice before.
    Resume(At, Box<Machine>),
}

/// How a run ended, for [`crate::run`].
pub(crate) struct Ended {
    pub cancelled: bool,
    pub outputs: Vec<Option<Value>>,
    pub failures: Vec<Arc<Failure>>,
    pub warnings: Vec<String>,
    /// How many operations ran.
    pub steps: u64,
}

/// What a run is given.
pub(crate) struct Setup<'p> {
    pub program: &'p Program,
    pub inputs: Vec<Value>,
    pub host: Arc<Host>,
    pub options: Options,
    pub events: Events,
}

/// Who listens to a run.
pub(crate) type Events = Box<dyn FnMut(Event) + Send>;

struct Scheduler<'p> {
    program: &'p Program,
    host: Arc<Host>,
    cancel: Cancel,
    trace: bool,
    events: Events,
    /// How many items of a source may be open.
    window: u32,
    shuffle: Option<u64>,

    instances: Vec<Instance>,
    free: Vec<u32>,
    /// How many instances there have been.
    count: u64,
    traits: Vec<Traits>,
    waiters: Waiters,
    /// Calls that were asked to start.
    calls: FxHashMap<At, Start>,
    /// Stream operations that have begun, as jobs.
    flows: FxHashMap<At, u32>,
    /// Which operations take each source.
    takers: Takers,
    /// Operations whose regions' effects have not ended, or have failed.
    settling: FxHashMap<At, Settling>,
    caught: Caught,

    steps: Vec<Step>,
    execs: VecDeque<Exec>,
    jobs: Jobs,
    machine: Machine,
    spare_machines: Vec<Machine>,
    args: Vec<Value>,

    pools: Vec<Pool>,
    free_pools: Vec<u32>,
    running: FxHashMap<At, Running>,
    sender: UnboundedSender<Message>,
    receiver: UnboundedReceiver<Message>,

    outputs: Outputs,
    exhausted: BTreeMap<SpanId, u64>,
    /// When steps began, if somebody wants to know.
    began: FxHashMap<At, Duration>,
    ran: u64,
}

/// Runs a program to its end.
pub(crate) async fn run(setup: Setup<'_>) -> (Ended, Events) {
    let (sender, receiver) = unbounded_channel();
    let plan = &setup.program.plan;
    let machine = Machine::stopped_by(setup.options.cancel.flag());
    let mut scheduler = Scheduler {
        program: setup.program,
        host: setup.host,
        cancel: setup.options.cancel,
        trace: setup.options.trace,
        events: setup.events,
        window: if setup.options.window == 0 { flow::WINDOW } else { setup.options.window },
        shuffle: setup.options.shuffle,
        instances: Vec::new(),
        free: Vec::new(),
        count: 0,
        traits: map::traits(plan),
        waiters: Waiters::new(),
        calls: FxHashMap::default(),
        flows: FxHashMap::default(),
        takers: Takers::of(plan),
        settling: FxHashMap::default(),
        caught: Caught::default(),
        steps: Vec::new(),
        execs: VecDeque::new(),
        jobs: Jobs::default(),
        machine,
        spare_machines: Vec::new(),
        args: Vec::new(),
        pools: vec![Pool::new(native::EXTERNAL)],
        free_pools: Vec::new(),
        running: FxHashMap::default(),
        sender,
        receiver,
        outputs: Outputs::new(plan.outputs.len()),
        exhausted: BTreeMap::new(),
        began: FxHashMap::default(),
        ran: 0,
    };
    scheduler.begin_run(setup.inputs);
    let cancelled = scheduler.drive().await;
    let ended = scheduler.end(cancelled);
    (ended, scheduler.events)
}

impl<'p> Scheduler<'p> {
    /// Instantiates the entry and asks for its outputs.
    fn begin_run(&mut self, inputs: Vec<Value>) {
        let entry = self.program.plan.entry;
        let root = self.instantiate(entry, At { inst: NONE, op: NONE }, 0, inputs, NONE);
        self.hold(root);
        self.start_effects(root);
        for (at, result) in self.region(root).results.iter().enumerate().rev() {
            let output = u32::try_from(at).unwrap_or(NONE);
            match self.locate(root, *result) {
                instance::Found::Slot(inst, slot) if !self.slot(inst, slot).has_ended() => {
                    self.wait_for(inst, slot, Waiter::Output(output));
                }
                _ => self.output_ended(output),
            }
        }
        self.outputs_may_have_ended();
    }

    /// Works until nothing is left to do; whether that is because the run was cancelled.
    async fn drive(&mut self) -> bool {
        loop {
            let mut budget = SLICE;
            while budget > 0 && !self.cancel.is_cancelled() {
                budget -= 1;
                self.mix();
                if let Some(step) = self.steps.pop() {
                    match step {
                        Step::Op(at) => self.step(at),
                        Step::Child(inst) => self.child(inst),
                        Step::Effects(inst) => {
                            self.start_effects(inst);
                            self.release(inst, Losses::default());
                        }
                        Step::Release(inst, lost) => self.release(inst, lost),
                        Step::Flow(flow) => self.advance(flow),
                        Step::Refresh(flow) => self.refresh(flow),
                    }
                } else if let Some(exec) = self.execs.pop_front() {
                    budget = budget.saturating_sub(self.exec(exec));
                } else if !self.drive_next() {
                    break;
                }
            }
            if self.cancel.is_cancelled() {
                self.stop().await;
                return true;
            }
            if budget == 0 {
                tokio::task::yield_now().await;
            } else if self.running.is_empty() {
                if !self.loosen() {
                    return false;
                }
            } else {
                let cancel = self.cancel.clone();
                tokio::select! {
                    biased;
                    () = cancel.cancelled() => {}
                    message = self.receiver.recv() => self.receive(message),
                }
            }
            self.drain();
        }
    }

    /// Takes what has arrived from outside.
    fn drain(&mut self) {
        while let Ok(message) = self.receiver.try_recv() {
            self.receive(Some(message));
        }
    }

    /// Runs pure code for one slice at most; how much of [`SLICE`] it used up.
    fn exec(&mut self, exec: Exec) -> u32 {
        let program = self.program;
        let (at, is_new, mut machine) = match exec {
            Exec::Start(at) => (at, true, std::mem::take(&mut self.machine)),
            Exec::Resume(at, machine) => (at, false, *machine),
        };
        let op = self.op(at);
        let mut args = std::mem::take(&mut self.args);
        if is_new {
            self.ran += 1;
            self.trace_started(at, 1);
            args.extend(op.inputs.iter().map(|input| self.value_of(at.inst, *input)));
        }
        let place = Stands { scheduler: self, at };
        let cx = Cx { program, place: &place };
        let flow = match &op.kind {
            OpKind::Code(code) => {
                if is_new {
                    machine.start(cx, *code, args.drain(..));
                }
                machine.resume(cx)
            }
            OpKind::Native(native) => Flow::Done(match machine.call_native(cx, *native, &args) {
                Ok(value) => Ok(value),
                Err(Stop::Fault(fault)) => Err(self.failure(at, fault, Some((*native, args.clone())), 1)),
                Err(Stop::Failed(failed)) => {
                    Err(crate::interp::passed_on(failed).unwrap_or_else(|fault| self.failure(at, fault, None, 1)))
                }
            }),
            _ => Flow::Done(Err(self.failure(at, Fault::new("internal", "this runs no code"), None, 1))),
        };
        args.clear();
        self.args = args;
        for span in std::mem::take(&mut machine.exhausted) {
            self.loop_exhausted(at, span);
        }
        let used = machine.used();
        match flow {
            Flow::Yield => {
                let new = || Machine::stopped_by(self.cancel.flag());
                self.machine = self.spare_machines.pop().unwrap_or_else(new);
                self.execs.push_back(Exec::Resume(at, Box::new(machine)));
                SLICE
            }
            Flow::Done(result) => {
                let idle = std::mem::replace(&mut self.machine, machine);
                if !is_new {
                    self.spare_machines.push(idle);
                }
                self.complete(at, result);
                used
            }
        }
    }

    /// In a shuffled run, brings what is ready into another order.
    fn mix(&mut self) {
        let Some(state) = &mut self.shuffle else { return };
        *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let random = (*state >> 33) as usize;
        if let Some(last) = self.steps.len().checked_sub(1) {
            self.steps.swap(random % (last + 1), last);
        }
        if !self.execs.is_empty() {
            let at = random % self.execs.len();
            self.execs.swap(at, 0);
        }
        self.jobs.mix(random);
    }

    /// An operation has a value or has failed: tells who waits for it.
    fn complete(&mut self, at: At, result: Result<Value, Failures>) {
        self.end_op(at, result.map(Some));
    }

    /// An operation has ended: tells who waits for it.
    fn end_op(&mut self, at: At, outcome: Outcome) {
        let ended = match outcome {
            Ok(Some(value)) => Slot::Done(value),
            Ok(None) => Slot::Dropped,
            Err(failures) => Slot::Failed(Box::new(self.placed(at, failures))),
        };
        self.trace_finished(at, &ended);
        if let OpKind::Stream(_) = self.op(at).kind {
            self.forgo(at);
        }
        let Slot::Wait(Wait { mut waiters, .. }) = std::mem::replace(self.slot_mut(at), ended) else { return };
        while let Some(waiter) = self.waiters.pop(&mut waiters) {
            self.wake(waiter, at);
        }
    }

    /// One of the things that somebody waits for has ended: the slot of `at`.
    fn wake(&mut self, waiter: Waiter, at: At) {
        match waiter {
            Waiter::Op(waiting) => {
                if let Slot::Wait(wait) = self.slot_mut(waiting) {
                    wait.missing -= 1;
                    if wait.missing == 0 {
                        self.steps.push(Step::Op(waiting));
                    }
                }
            }
            Waiter::Child(inst) => {
                let child = &mut self.instances[inst as usize];
                child.missing -= 1;
                if child.missing == 0 {
                    self.steps.push(Step::Child(inst));
                }
            }
            Waiter::Effect(inst) => {
                let lost = self.lost_by(at);
                self.steps.push(Step::Release(inst, lost));
            }
            Waiter::Start(call) => self.start_when_ready(call),
            Waiter::Take(flow, item) => self.arrived(flow, item),
            Waiter::Output(output) => {
                self.output_ended(output);
                self.outputs_may_have_ended();
            }
        }
    }

    /// A failure of an operation itself.
    fn failure(
        &self,
        at: At,
        fault: Fault,
        inputs: Option<(ntl_plan::NativeId, Vec<Value>)>,
        attempt: u32,
    ) -> Failures {
        let (span, step, key) = (Some(self.op(at).span), self.step_id(at), self.key(at.inst));
        let within = self.within(at);
        Failure { fault, span, calls: Vec::new(), step, key, attempt, inputs, within }.into()
    }

    /// A failure that happened in no instruction is one of the operation as a whole.
    fn placed(&self, at: At, failures: Failures) -> Failures {
        match failures.alone() {
            Some(one) if one.span.is_none() => Failure {
                span: Some(self.op(at).span),
                fault: one.fault.clone(),
                calls: one.calls.clone(),
                step: one.step.clone(),
                key: one.key.clone(),
                attempt: one.attempt,
                inputs: one.inputs.clone(),
                within: one.within.clone(),
            }
            .into(),
            _ => failures,
        }
    }
}

/// Where code runs, for the failures in it.
struct Stands<'s, 'p> {
    scheduler: &'s Scheduler<'p>,
    at: At,
}

impl Place for Stands<'_, '_> {
    fn step(&self) -> SmolStr {
        self.scheduler.step_id(self.at)
    }
    fn key(&self) -> Vec<u64> {
        self.scheduler.key(self.at.inst)
    }
    fn within(&self) -> Within {
        self.scheduler.within(self.at)
    }
}
