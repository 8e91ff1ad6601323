//! The interpreter of register code.
//!
//! Calls push frames onto a stack of their own, so deep chains of functions do not recurse here; only natives that call
//! back do, and that is bounded. After so many jumps back and calls ([`SLICE`]) it stops where it is and is gone on with
//! later, so that no stretch blocks the scheduler.

mod access;
mod arith;
mod leave;
mod outside;
mod run;
#[cfg(test)]
mod tests;
mod unwind;

pub(crate) use access::{item, len};
pub(crate) use outside::passed_on;
pub(crate) use run::refused;
pub(crate) use unwind::error_record;

use crate::conform;
use crate::failure::{Failures, Within};
use crate::native::Stop;
use crate::program::Program;
use crate::value::{Fault, Value};
use ntl_plan::{CodeId, Reg, SpanId, Type, TypeId};
use smol_str::SmolStr;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// How many jumps back and calls a stretch makes before it lets others run.
pub(crate) const SLICE: u32 = 4096;
/// The most calls that are open at once: functions cannot recurse, but a plan from outside may.
const MAX_FRAMES: usize = 100_000;

/// What the interpreter asks about the step that it runs for.
pub(crate) trait Place {
    /// The step's full id.
    fn step(&self) -> SmolStr;
    /// The indices of the item that the step runs for.
    fn key(&self) -> Vec<u64>;
    /// The operations that the step stands in.
    fn within(&self) -> Within;
}

/// What a run of code needs besides its own state.
#[derive(Clone, Copy)]
pub(crate) struct Cx<'a> {
    pub program: &'a Program,
    pub place: &'a dyn Place,
}

/// How far the interpreter got.
#[derive(Debug)]
pub(crate) enum Flow {
    /// To the end.
    Done(Result<Value, Failures>),
    /// Its slice is used up: it goes on from where it is.
    Yield,
}

/// The state of one stretch of code that runs; empty between two.
#[derive(Default)]
pub(crate) struct Machine {
    /// Registers of the frames since the last native that calls back.
    regs: Vec<Value>,
    frames: Vec<Frame>,
    lazies: Vec<Lazy>,
    /// Failures of items: the frame, the loop, what failed.
    kept: Vec<(usize, u16, Failures)>,
    /// Natives that are calling back, outermost first.
    outside: Vec<outside::Boundary>,
    /// Register stacks to use again.
    spare: Vec<Vec<Value>>,
    fuel: u32,
    /// Whether code that cannot stop half way has used up a slice, or more.
    overdue: bool,
    /// Loops that used up their rounds.
    pub exhausted: Vec<SpanId>,
    /// Set when the run is cancelled: code that cannot stop half way looks at it.
    cancelled: Option<Arc<AtomicBool>>,
}

struct Frame {
    code: CodeId,
    /// The instruction that it is at: of a frame that called, the call.
    pc: usize,
    /// Where its registers begin.
    base: usize,
    /// Where its lazy blocks begin.
    lazies: usize,
    /// The innermost lazy block that runs.
    running: Option<u16>,
    /// The caller's register that takes the result.
    dst: Reg,
    /// Whether the result is kept for the rest of the run.
    once: bool,
}

#[derive(Clone)]
enum Lazy {
    Idle,
    /// Entered from this instruction, while the other block ran.
    Running(usize, Option<u16>),
    Done,
    /// It failed: whoever needs it fails with the same failure.
    Failed(Failures),
}

impl Machine {
    /// One that ends where it cannot stop half way when the flag is set.
    pub fn stopped_by(flag: Arc<AtomicBool>) -> Self {
        Machine { cancelled: Some(flag), ..Machine::default() }
    }

    /// Sets up code with its parameters; [`resume`](Self::resume) runs it.
    pub fn start(&mut self, cx: Cx<'_>, code: CodeId, args: impl Iterator<Item = Value>) {
        self.clear();
        self.regs.extend(args);
        self.push_frame(cx, code, 0, 0, false);
    }

    /// Runs what was set up, for one slice.
    pub fn resume(&mut self, cx: Cx<'_>) -> Flow {
        self.resume_for(cx, SLICE)
    }

    /// Runs what was set up, for so many jumps back and calls.
    fn resume_for(&mut self, cx: Cx<'_>, fuel: u32) -> Flow {
        self.fuel = fuel;
        loop {
            match catch_unwind(AssertUnwindSafe(|| self.run(cx, 0))) {
                Ok(Flow::Yield) => return Flow::Yield,
                Ok(done) => {
                    self.clear();
                    return done;
                }
                // An instruction that ends by a fault no result could carry fails like others.
                Err(payload) => {
                    if let Err(failures) = self.unwind(cx, Stop::Fault(Fault::caught(payload)), 0) {
                        self.clear();
                        return Flow::Done(Err(failures));
                    }
                }
            }
        }
    }

    /// Runs code to its end, whatever it takes.
    pub fn run_to_end(
        &mut self,
        cx: Cx<'_>,
        code: CodeId,
        args: impl Iterator<Item = Value>,
    ) -> Result<Value, Failures> {
        self.start(cx, code, args);
        loop {
            if let Flow::Done(result) = self.resume(cx) {
                return result;
            }
        }
    }

    /// Forgets what was running.
    pub fn clear(&mut self) {
        self.regs.clear();
        self.frames.clear();
        self.lazies.clear();
        self.kept.clear();
        self.outside.clear();
    }

    /// A frame whose parameters stand at `base`.
    fn push_frame(&mut self, cx: Cx<'_>, code: CodeId, base: usize, dst: Reg, once: bool) {
        let lazies = self.lazies.len();
        if let Some(c) = cx.program.plan.codes.get(code.at()) {
            self.regs.resize(base + usize::from(c.regs), Value::Null);
            self.lazies.resize(lazies + usize::from(c.lazies), Lazy::Idle);
        }
        self.frames.push(Frame { code, pc: 0, base, lazies, running: None, dst, once });
    }

    fn pop_frame(&mut self) -> Option<Frame> {
        let frame = self.frames.pop()?;
        self.regs.truncate(frame.base);
        self.lazies.truncate(frame.lazies);
        while self.kept.last().is_some_and(|(depth, ..)| *depth > self.frames.len()) {
            self.kept.pop();
        }
        Some(frame)
    }

    /// Notes where the running frame is.
    fn at(&mut self, pc: usize) {
        if let Some(frame) = self.frames.last_mut() {
            frame.pc = pc;
        }
    }

    /// How much of [`SLICE`] the code that ran last has used up.
    pub(crate) fn used(&self) -> u32 {
        SLICE.saturating_sub(self.fuel)
    }

    /// New fuel for code that cannot stop half way, unless the run is cancelled; false where it must stop.
    fn refuel(&mut self) -> bool {
        if self.outside.is_empty() {
            return false;
        }
        if self.cancelled.as_ref().is_some_and(|c| c.load(Ordering::Relaxed)) {
            Fault::new("cancelled", "the run was cancelled").unwind();
        }
        self.fuel = SLICE;
        self.overdue = true;
        true
    }

    /// Registers that follow one another.
    fn slice(&self, base: usize, first: Reg, count: Reg) -> &[Value] {
        let start = base + usize::from(first);
        self.regs.get(start..start + usize::from(count)).unwrap_or_default()
    }

    /// The conversions that nearly all of `Fit` are: done here, true if it was one.
    fn quick_fit(&mut self, cx: Cx<'_>, base: usize, src: Reg, dst: Reg, ty: TypeId) -> bool {
        let value = match (cx.program.ty(ty), self.regs.get(base + usize::from(src))) {
            (Type::Float, Some(Value::Int(i))) => match conform::exact_float(*i) {
                Some(f) => f,
                None => return false,
            },
            (Type::Float, Some(Value::Float(f))) => Value::Float(*f),
            (Type::Any, Some(value)) => value.clone(),
            _ => return false,
        };
        self.regs[base + usize::from(dst)] = value;
        true
    }
}
