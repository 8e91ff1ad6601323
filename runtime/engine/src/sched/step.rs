//! One step of an operation: it asks for what is missing, or acts.

use super::instance::{Found, Start};
use super::settle::Losses;
use super::slot::{At, NONE, Slot, Waiter};
use super::{Exec, Scheduler, Step};
use crate::failure::Failures;
use crate::interp::refused;
use crate::native::NativeFn;
use crate::value::{Fault, Value};
use ntl_plan::{Op, OpKind, Ref};

impl Scheduler<'_> {
    /// An operation was asked for, or what it waited for has ended. May be asked again and again until it acts.
    pub(super) fn step(&mut self, at: At) {
        let op = self.op(at);
        match &op.kind {
            // These take the call's values from its instance when that has started.
            OpKind::Call(_) => return self.step_call(at, at, None),
            OpKind::Output(call, n) if self.is_ready(at, &[], op) => {
                return self.step_call(at, At { inst: at.inst, op: call.0 }, Some(*n));
            }
            OpKind::Output(..) => return,
            _ => {}
        }
        let inputs = match op.kind {
            // The message is needed only if it is told, the value only if it is kept.
            OpKind::Require | OpKind::Filter => op.inputs.get(..1).unwrap_or_default(),
            _ => &op.inputs,
        };
        if !self.is_ready(at, inputs, op) {
            return;
        }
        let made = match &op.kind {
            OpKind::Const(value) => Ok(Some(self.program.constant(*value).clone())),
            OpKind::Code(_) => {
                self.execs.push_back(Exec::Start(at));
                Ok(None)
            }
            OpKind::Native(native) => match self.program.natives.get(native.at()) {
                Some(Some(NativeFn::Pure(_))) => {
                    self.execs.push_back(Exec::Start(at));
                    Ok(None)
                }
                Some(Some(run)) => {
                    self.start_native(at, *native, *run);
                    Ok(None)
                }
                _ => Err(Fault::new("unsupported", "this version cannot run it")),
            },
            OpKind::Require => return self.step_require(at, op),
            OpKind::Filter => return self.step_filter(at, op),
            OpKind::Stream(stream) => return self.begin_flow(at, op, stream),
            OpKind::Per(stream) => return self.step_per(at, *stream),
            OpKind::Select(branches) => {
                let chosen = match self.value_of(at.inst, op.inputs[0]) {
                    Value::Bool(b) => Some(usize::from(b)),
                    Value::Int(i) => usize::try_from(i).ok(),
                    _ => None,
                };
                match chosen.and_then(|i| branches.get(i)) {
                    Some(branch) => {
                        self.begin_child(*branch, at, None);
                        Ok(None)
                    }
                    None => Err(Fault::new("internal", "no branch to take")),
                }
            }
            OpKind::Try(body, _) | OpKind::Block(body) => {
                self.begin_child(*body, at, None);
                Ok(None)
            }
            OpKind::For { .. } => self.begin_for(at, op),
            OpKind::Loop(_) => self.begin_loop(at, op),
            OpKind::Call(_) | OpKind::Output(..) => Ok(None),
        };
        match made {
            Ok(Some(value)) => self.complete(at, Ok(value)),
            Ok(None) => {}
            Err(fault) => {
                let failure = self.failure(at, fault, None, 1);
                self.complete(at, Err(failure));
            }
        }
    }

    /// Whether all that an operation takes, and all that it comes after, has ended well. What is missing is asked for; if
    /// something failed, so has the operation, when the rest has ended, too.
    fn is_ready(&mut self, at: At, inputs: &[Ref], op: &Op) -> bool {
        let mut missing = 0;
        for input in inputs.iter().rev() {
            missing += u32::from(self.ask(at.inst, *input, Waiter::Op(at)));
        }
        for after in op.after.iter().rev() {
            missing += u32::from(self.ask_end(at.inst, *after, Waiter::Op(at)));
        }
        if missing > 0 {
            self.wait(at, missing);
            return false;
        }
        let mut failed: Vec<Failures> = Vec::new();
        for input in inputs {
            if let Found::Slot(inst, slot) = self.locate(at.inst, *input) {
                match self.slot(inst, slot) {
                    // It does not run, so that nothing else matters to it.
                    Slot::Dropped => {
                        self.end_op(at, Ok(None));
                        return false;
                    }
                    ended => failed.extend(ended.failures().cloned()),
                }
            }
        }
        for after in &op.after {
            failed.extend(self.end_failed(at.inst, *after));
        }
        match Failures::all(failed) {
            None => true,
            Some(failures) => {
                self.complete(at, Err(failures));
                false
            }
        }
    }

    /// Notes how many things an operation waits for.
    pub(super) fn wait(&mut self, at: At, missing: u32) {
        if let Slot::Wait(wait) = self.slot_mut(at) {
            wait.missing = missing;
        }
    }

    fn step_require(&mut self, at: At, op: &Op) {
        let [cond, message] = op.inputs.as_slice() else { return };
        if let Value::Bool(true) = self.value_of(at.inst, *cond) {
            return self.complete(at, Ok(Value::Null));
        }
        if self.ask(at.inst, *message, Waiter::Op(at)) {
            return self.wait(at, 1);
        }
        let failure = match self.outcome_of(at.inst, *message) {
            Ok(text) => self.failure(at, refused(&text.unwrap_or(Value::Null)), None, 1),
            Err(failures) => failures,
        };
        self.complete(at, Err(failure));
    }

    fn step_filter(&mut self, at: At, op: &Op) {
        let [keep, value] = op.inputs.as_slice() else { return };
        if !matches!(self.value_of(at.inst, *keep), Value::Bool(true)) {
            return self.end_op(at, Ok(None));
        }
        if self.ask(at.inst, *value, Waiter::Op(at)) {
            return self.wait(at, 1);
        }
        let outcome = self.outcome_of(at.inst, *value);
        self.end_op(at, outcome);
    }

    /// A call (all its results), or one output of it.
    fn step_call(&mut self, at: At, call: At, output: Option<u32>) {
        let callee = match self.start_call(call, Waiter::Op(at)) {
            None => return self.wait(at, 1),
            Some(Err(failures)) => return self.complete(at, Err(failures)),
            Some(Ok(callee)) => callee,
        };
        let results = &self.region(callee).results;
        let results = match output {
            Some(n) => results.get(n as usize..=n as usize).unwrap_or_default(),
            None => results,
        };
        let mut missing = 0;
        for result in results.iter().rev() {
            missing += u32::from(self.ask(callee, *result, Waiter::Op(at)));
        }
        if missing > 0 {
            return self.wait(at, missing);
        }
        let (mut values, mut failed) = (Vec::with_capacity(results.len()), Vec::new());
        for result in results {
            match self.outcome_of(callee, *result) {
                Ok(Some(value)) => values.push(value),
                Ok(None) => return self.end_op(at, Ok(None)),
                Err(failures) => failed.push(failures),
            }
        }
        let result = match Failures::all(failed) {
            Some(failures) => Err(failures),
            None => Ok(self.one_or_record(at, values)),
        };
        self.complete(at, result);
    }

    /// The only value, or a record of several, of the operation's type.
    pub(super) fn one_or_record(&self, at: At, mut values: Vec<Value>) -> Value {
        match values.pop() {
            Some(only) if values.is_empty() => only,
            last => {
                values.extend(last);
                Value::record(self.program.shape(self.op(at).ty), values)
            }
        }
    }

    /// The instance of a call, made if it is not there yet. `None` where something has to end before: `waiter` is told.
    pub(super) fn start_call(&mut self, call: At, waiter: Waiter) -> Option<Result<u32, Failures>> {
        if !self.calls.contains_key(&call) {
            let mut missing = 0;
            for after in self.op(call).after.iter().rev() {
                missing += u32::from(self.ask_end(call.inst, *after, Waiter::Start(call)));
            }
            self.calls.insert(call, Start::Waiting(missing, Vec::new()));
            if missing == 0 {
                self.begin_call(call);
            }
        }
        match self.calls.get_mut(&call)? {
            Start::Started(callee) => Some(Ok(*callee)),
            Start::Failed(failures) => Some(Err(Failures::clone(failures))),
            Start::Waiting(_, waiting) => {
                waiting.push(waiter);
                None
            }
        }
    }

    /// One of the things before a call has ended.
    pub(super) fn start_when_ready(&mut self, call: At) {
        if let Some(Start::Waiting(missing, _)) = self.calls.get_mut(&call) {
            *missing -= 1;
            if *missing == 0 {
                self.begin_call(call);
            }
        }
    }

    fn begin_call(&mut self, call: At) {
        let op = self.op(call);
        let OpKind::Call(region) = op.kind else { return };
        // What has a value may have effects that run: then that is waited for, too.
        let mut missing = 0;
        for after in &op.after {
            missing += u32::from(self.ask_end(call.inst, *after, Waiter::Start(call)));
        }
        if missing > 0 {
            if let Some(Start::Waiting(count, _)) = self.calls.get_mut(&call) {
                *count = missing;
            }
            return;
        }
        let failed = op.after.iter().filter_map(|after| self.end_failed(call.inst, *after)).collect();
        let start = match Failures::all(failed) {
            Some(failures) => Start::Failed(Box::new(failures)),
            None => {
                let callee = self.instantiate(region, call, 0, None, NONE);
                self.instances[call.inst as usize].kept.push(callee);
                // Before anybody who waited for the start lets go of the caller.
                if self.traits[region.at()].stirs {
                    self.hold(callee);
                    self.steps.push(Step::Effects(callee));
                }
                Start::Started(callee)
            }
        };
        if let Some(Start::Waiting(_, waiting)) = self.calls.insert(call, start) {
            for waiter in waiting {
                self.wake_started(waiter, call);
            }
        }
    }

    /// A call that somebody waited for has started, or never will.
    fn wake_started(&mut self, waiter: Waiter, call: At) {
        match waiter {
            Waiter::Effect(inst) => {
                let lost = match self.calls.get(&call) {
                    Some(Start::Failed(failures)) => self.losses(call, failures),
                    _ => Losses::default(),
                };
                self.release(inst, lost);
            }
            other => self.wake(other, call),
        }
    }
}
