//! Where code is left for Rust that may call back: natives, and conversions that fill defaults.

use super::{Cx, Flow, Machine};
use crate::conform::{self, Defaults};
use crate::failure::Failures;
use crate::native::{Calls, Failed, NativeFn, Stop};
use crate::value::{Fault, Func, Value};
use ntl_plan::{CodeId, NativeId};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// How many natives may be calling back at once: each takes a piece of the thread's stack.
const MAX_NESTING: usize = 64;

/// A native that is calling back.
pub(super) struct Boundary {
    /// The frames below it.
    pub frames: usize,
    /// The key of the item that those are at.
    pub key: Vec<u64>,
}

/// What a native is handed: a way back into the code.
pub(crate) struct Outside<'m, 'a> {
    machine: &'m mut Machine,
    cx: Cx<'a>,
    /// The registers of the code that it was called from.
    regs: &'m [Value],
    native: Option<NativeId>,
    /// Whether it has called back.
    entered: bool,
}

/// Failures as a native passes them on.
pub(super) fn failed(failures: Failures) -> Failed {
    Failed(Box::new(failures))
}

/// The failures that a native passed on.
pub(crate) fn passed_on(failed: Failed) -> Result<Failures, Fault> {
    match failed.0.downcast::<Failures>() {
        Ok(failures) => Ok(*failures),
        Err(_) => Err(Fault::new("internal", "a native made up a failure")),
    }
}

impl Machine {
    /// Leaves the code: `f` sees its registers, and may run other code meanwhile.
    pub(super) fn outside<T>(
        &mut self,
        cx: Cx<'_>,
        native: Option<NativeId>,
        f: impl FnOnce(&mut Outside<'_, '_>, &[Value]) -> Result<T, Stop>,
    ) -> Result<T, Stop> {
        let regs = std::mem::replace(&mut self.regs, self.spare.pop().unwrap_or_default());
        let (frames, lazies, boundaries) = (self.frames.len(), self.lazies.len(), self.outside.len());
        let mut outside = Outside { machine: self, cx, regs: &regs, native, entered: false };
        // A native that panics, or ends by a fault that no result could carry, fails alone.
        let result = catch_unwind(AssertUnwindSafe(|| f(&mut outside, &regs)));
        if result.is_err() {
            self.frames.truncate(frames);
            self.lazies.truncate(lazies);
            self.kept.retain(|(depth, ..)| *depth <= frames);
        }
        self.outside.truncate(boundaries);
        // What a native has called took its time: the code around it stops as soon as it can.
        if self.outside.is_empty() && std::mem::take(&mut self.overdue) {
            self.fuel = 1;
        }
        let mut used = std::mem::replace(&mut self.regs, regs);
        used.clear();
        self.spare.push(used);
        result.unwrap_or_else(|payload| Err(Stop::Fault(Fault::caught(payload))))
    }

    /// Calls a pure native from no code at all.
    pub(crate) fn call_native(&mut self, cx: Cx<'_>, native: NativeId, args: &[Value]) -> Result<Value, Stop> {
        self.clear();
        self.fuel = super::SLICE;
        self.outside(cx, Some(native), |outside, _| outside.native(native, args))
    }

    /// Converts a value from no code at all.
    pub(crate) fn convert<T>(
        &mut self,
        cx: Cx<'_>,
        f: impl FnOnce(&mut Outside<'_, '_>) -> Result<T, Stop>,
    ) -> Result<T, Stop> {
        self.clear();
        self.fuel = super::SLICE;
        self.outside(cx, None, |outside, _| f(outside))
    }
}

impl Outside<'_, '_> {
    /// Calls a pure native.
    pub(super) fn native(&mut self, native: NativeId, args: &[Value]) -> Result<Value, Stop> {
        match self.cx.program.natives.get(native.at()) {
            Some(Some(NativeFn::Pure(run))) => run(self, args),
            _ => Err(Fault::new("internal", "a native that is not pure, or not there, in pure code").into()),
        }
    }

    fn run(&mut self, code: CodeId, captures: &[Value], args: &[Value]) -> Result<Value, Failed> {
        let machine = &mut *self.machine;
        if !self.entered {
            self.entered = true;
            let key = machine.key_in(self.cx, self.regs);
            machine.outside.push(Boundary { frames: machine.frames.len(), key });
        }
        let plan = &self.cx.program.plan;
        let params = plan.codes.get(code.at()).map(|c| usize::from(c.params));
        if params != Some(captures.len() + args.len()) {
            return Err(failed(machine.lost(self.cx, "a function is called with the wrong number of arguments")));
        }
        if machine.outside.len() > MAX_NESTING {
            let message = format!("functions that take functions call one another more than {MAX_NESTING} deep");
            return Err(failed(machine.failure(self.cx, Fault::new("overflow", message))));
        }
        // A native that calls on and on is where a cancelled run can stop, whether or not what it calls loops.
        machine.fuel = machine.fuel.saturating_sub(1);
        if machine.fuel == 0 {
            machine.refuel();
        }
        let floor = machine.frames.len();
        let base = machine.regs.len();
        machine.regs.extend_from_slice(captures);
        machine.regs.extend_from_slice(args);
        machine.push_frame(self.cx, code, base, 0, false);
        match machine.run(self.cx, floor) {
            Flow::Done(result) => result.map_err(failed),
            Flow::Yield => Err(failed(machine.lost(self.cx, "a callback stopped half way"))),
        }
    }
}

impl Calls for Outside<'_, '_> {
    fn call(&mut self, function: &Func, args: &[Value]) -> Result<Value, Failed> {
        self.run(function.code, &function.captures, args)
    }

    fn read_as(&mut self, type_arg: usize, value: &Value) -> Result<Value, Fault> {
        let program = self.cx.program;
        let native = self.native.and_then(|n| program.plan.natives.get(n.at()));
        let Some(ty) = native.and_then(|n| n.type_args.get(type_arg)) else {
            return Err(Fault::new("internal", "a native asks for a type that its call does not name"));
        };
        match conform::read(program, self, value, *ty) {
            Ok(read) => Ok(read.unwrap_or_else(|| value.clone())),
            Err(Stop::Fault(fault)) => Err(fault),
            Err(Stop::Failed(failed)) => {
                let first = passed_on(failed)?.first(&program.plan);
                Err(first.map_or_else(|| Fault::new("internal", "no failure"), |f| f.fault.clone()))
            }
        }
    }
}

impl Defaults for Outside<'_, '_> {
    fn default_of(&mut self, code: CodeId) -> Result<Value, Failed> {
        self.run(code, &[], &[])
    }
}
