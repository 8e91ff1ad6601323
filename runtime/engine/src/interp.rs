//! The interpreter of register code.
//!
//! Calls push frames onto a stack of their own, so deep chains of functions do not recurse here; only natives that call
//! back do, and that is bounded. After so many jumps back and calls ([`SLICE`]) it stops where it is and is gone on with
//! later, so that no stretch blocks the scheduler.

mod access;
mod arith;
mod outside;
#[cfg(test)]
mod tests;
mod unwind;

pub(crate) use access::{item, len};
pub(crate) use outside::passed_on;
pub(crate) use unwind::error_record;

use crate::conform;
use crate::failure::{Failures, Within};
use crate::native::Stop;
use crate::program::Program;
use crate::value::{Dict, Fault, Func, Key, List, Text, Value, compare, text_of};
use ntl_plan::code::Pc;
use ntl_plan::{Code, CodeId, Instr, Reg, SpanId, Type, TypeId};
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
        self.fuel = SLICE;
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

    /// Runs until no more than `floor` frames are left.
    fn run(&mut self, cx: Cx<'_>, floor: usize) -> Flow {
        'frame: loop {
            let Some(frame) = self.frames.last() else {
                return Flow::Done(Err(self.lost(cx, "no code to run")));
            };
            let (code_id, base, mut pc) = (frame.code, frame.base, frame.pc);
            let Some(code) = cx.program.plan.codes.get(code_id.at()) else {
                return Flow::Done(Err(self.lost(cx, "no such code")));
            };
            let code: &Code = code;

            macro_rules! reg {
                ($r:expr) => {
                    self.regs[base + usize::from($r)]
                };
            }
            // Goes on at an instruction; one that goes back pays for it.
            macro_rules! jump {
                ($to:expr) => {{
                    let to = $to as usize;
                    if to <= pc {
                        self.fuel = self.fuel.saturating_sub(1);
                        if self.fuel == 0 && !self.refuel() {
                            self.at(to);
                            return Flow::Yield;
                        }
                    }
                    pc = to;
                    continue;
                }};
            }
            macro_rules! binary {
                ($a:expr, $b:expr, $dst:expr, $kind:ident, $quick:expr, $slow:path) => {
                    match (&reg!($a), &reg!($b)) {
                        (Value::$kind(a), Value::$kind(b)) => match $quick(*a, *b) {
                            Some(n) => {
                                reg!($dst) = n;
                                pc += 1;
                                continue;
                            }
                            None => $slow(&Value::$kind(*a), &Value::$kind(*b)),
                        },
                        (a, b) => $slow(a, b),
                    }
                };
            }
            macro_rules! order {
                ($a:expr, $b:expr, $test:ident) => {
                    compare(&reg!($a), &reg!($b)).map(|order| Value::Bool(order.$test()))
                };
            }

            loop {
                let Some(instr) = code.instrs.get(pc) else {
                    return Flow::Done(Err(self.lost(cx, "code without an end")));
                };
                let (dst, made): (Reg, Result<Value, Fault>) = match *instr {
                    Instr::Const { dst, value } => (dst, Ok(cx.program.constant(value).clone())),
                    Instr::Move { dst, src } => (dst, Ok(reg!(src).clone())),
                    Instr::Return { src } => {
                        let value = std::mem::replace(&mut reg!(src), Value::Null);
                        let Some(frame) = self.pop_frame() else { return Flow::Done(Ok(value)) };
                        if frame.once
                            && let Some(cell) = cx.program.once.get(frame.code.at())
                        {
                            let _ = cell.set(Ok(value.clone()));
                        }
                        if self.frames.len() == floor {
                            return Flow::Done(Ok(value));
                        }
                        if let Some(caller) = self.frames.last_mut() {
                            caller.pc += 1;
                            let at = caller.base + usize::from(frame.dst);
                            self.regs[at] = value;
                        }
                        continue 'frame;
                    }
                    Instr::Jump { to } => jump!(to),
                    Instr::JumpIf { cond, to } => {
                        if matches!(reg!(cond), Value::Bool(true)) {
                            jump!(to);
                        }
                        pc += 1;
                        continue;
                    }
                    Instr::JumpIfNot { cond, to } => {
                        if matches!(reg!(cond), Value::Bool(false)) {
                            jump!(to);
                        }
                        pc += 1;
                        continue;
                    }
                    Instr::JumpIfNull { src, to } => {
                        if matches!(reg!(src), Value::Null) {
                            jump!(to);
                        }
                        pc += 1;
                        continue;
                    }
                    Instr::Lazy { lazy, block } => match self.enter_lazy(lazy, block, pc) {
                        Ok(next) => {
                            pc = next;
                            continue;
                        }
                        Err(stop) => {
                            self.at(pc);
                            match self.unwind(cx, stop, floor) {
                                Ok(()) => continue 'frame,
                                Err(failures) => return Flow::Done(Err(failures)),
                            }
                        }
                    },
                    Instr::LazyEnd { lazy } => {
                        pc = self.end_lazy(lazy).unwrap_or(pc + 1);
                        continue;
                    }
                    Instr::Forget { lazy } => {
                        if let Some(state) = self.lazy(lazy) {
                            *state = Lazy::Idle;
                        }
                        pc += 1;
                        continue;
                    }
                    Instr::AddInt { dst, a, b } => {
                        (dst, binary!(a, b, dst, Int, |a: i64, b| a.checked_add(b).map(Value::Int), arith::add))
                    }
                    Instr::SubInt { dst, a, b } => {
                        (dst, binary!(a, b, dst, Int, |a: i64, b| a.checked_sub(b).map(Value::Int), arith::sub))
                    }
                    Instr::MulInt { dst, a, b } => {
                        (dst, binary!(a, b, dst, Int, |a: i64, b| a.checked_mul(b).map(Value::Int), arith::mul))
                    }
                    Instr::AddFloat { dst, a, b } => {
                        (dst, binary!(a, b, dst, Float, |a: f64, b: f64| float(a + b), arith::add))
                    }
                    Instr::SubFloat { dst, a, b } => {
                        (dst, binary!(a, b, dst, Float, |a: f64, b: f64| float(a - b), arith::sub))
                    }
                    Instr::MulFloat { dst, a, b } => {
                        (dst, binary!(a, b, dst, Float, |a: f64, b: f64| float(a * b), arith::mul))
                    }
                    Instr::DivFloat { dst, a, b } => {
                        (dst, binary!(a, b, dst, Float, |a: f64, b: f64| float(a / b), arith::div))
                    }
                    Instr::LtInt { dst, a, b } => {
                        (dst, binary!(a, b, dst, Int, |a: i64, b: i64| Some(Value::Bool(a < b)), less))
                    }
                    Instr::LeInt { dst, a, b } => {
                        (dst, binary!(a, b, dst, Int, |a: i64, b: i64| Some(Value::Bool(a <= b)), less_or_equal))
                    }
                    Instr::LtFloat { dst, a, b } => {
                        (dst, binary!(a, b, dst, Float, |a: f64, b: f64| Some(Value::Bool(a < b)), less))
                    }
                    Instr::LeFloat { dst, a, b } => {
                        (dst, binary!(a, b, dst, Float, |a: f64, b: f64| Some(Value::Bool(a <= b)), less_or_equal))
                    }
                    Instr::Add { dst, a, b } => (dst, arith::add(&reg!(a), &reg!(b))),
                    Instr::Sub { dst, a, b } => (dst, arith::sub(&reg!(a), &reg!(b))),
                    Instr::Mul { dst, a, b } => (dst, arith::mul(&reg!(a), &reg!(b))),
                    Instr::Div { dst, a, b } => (dst, arith::div(&reg!(a), &reg!(b))),
                    Instr::Rem { dst, a, b } => (dst, arith::rem(&reg!(a), &reg!(b))),
                    Instr::IntDiv { dst, a, b } => (dst, arith::int_div(&reg!(a), &reg!(b))),
                    Instr::Neg { dst, a } => (dst, arith::neg(&reg!(a))),
                    Instr::Not { dst, a } => (dst, Ok(Value::Bool(!matches!(reg!(a), Value::Bool(true))))),
                    Instr::Eq { dst, a, b } => (dst, Ok(Value::Bool(reg!(a) == reg!(b)))),
                    Instr::Lt { dst, a, b } => (dst, order!(a, b, is_lt)),
                    Instr::Le { dst, a, b } => (dst, order!(a, b, is_le)),
                    Instr::In { dst, a, b } => (dst, access::contains(&reg!(b), &reg!(a)).map(Value::Bool)),
                    Instr::Append { dst, a, b } => {
                        self.at(pc);
                        let other = reg!(b).clone();
                        let mine =
                            if dst == a { std::mem::replace(&mut reg!(a), Value::Null) } else { reg!(a).clone() };
                        (dst, append(mine, &other))
                    }
                    Instr::Range { dst, a, b, inclusive } => (dst, range(&reg!(a), &reg!(b), inclusive)),
                    Instr::Concat { dst, first, count } => (dst, Ok(concat(self.slice(base, first, count)))),
                    Instr::Text { dst, src } => (
                        dst,
                        match &reg!(src) {
                            Value::Str(t) => Ok(Value::Str(t.clone())),
                            other => text_of(other).map(Value::str),
                        },
                    ),
                    Instr::List { dst, first, count } => {
                        (dst, Ok(Value::list(self.slice(base, first, count).to_vec())))
                    }
                    Instr::Tuple { dst, first, count } => {
                        (dst, Ok(Value::tuple(self.slice(base, first, count).to_vec())))
                    }
                    Instr::Record { dst, ty, first } => {
                        let shape = cx.program.shape(ty);
                        let count = Reg::try_from(shape.names.len()).unwrap_or(Reg::MAX);
                        let fields = self.slice(base, first, count).to_vec();
                        (dst, Ok(Value::record(shape, fields)))
                    }
                    Instr::Dict { dst, first, count } => (dst, dict(self.slice(base, first, count.saturating_mul(2)))),
                    Instr::Push { list, value } => {
                        self.at(pc);
                        let value = reg!(value).clone();
                        let made = match std::mem::replace(&mut reg!(list), Value::Null) {
                            Value::List(mut items) => {
                                items.push(value);
                                Ok(Value::List(items))
                            }
                            other => Err(wrong("a list", &other)),
                        };
                        (list, made)
                    }
                    Instr::Insert { dict, key, value } => {
                        let (key, value) = (Key::of(&reg!(key)), reg!(value).clone());
                        let made = match (std::mem::replace(&mut reg!(dict), Value::Null), key) {
                            (Value::Dict(mut entries), Some(key)) => {
                                Arc::make_mut(&mut entries).insert(key, value);
                                Ok(Value::Dict(entries))
                            }
                            (other, _) => Err(wrong("a dict and a key", &other)),
                        };
                        (dict, made)
                    }
                    Instr::SetField { dst, record, field, value } => {
                        let value = reg!(value).clone();
                        let record = match dst == record {
                            true => std::mem::replace(&mut reg!(record), Value::Null),
                            false => reg!(record).clone(),
                        };
                        (dst, access::set_field(record, usize::from(field), value))
                    }
                    Instr::Field { dst, src, field } => {
                        let found = access::field(&reg!(src), usize::from(field)).cloned();
                        (dst, found.ok_or_else(|| wrong("a record", &reg!(src))))
                    }
                    Instr::FieldNamed { dst, src, name } => (
                        dst,
                        match (&reg!(src), cx.program.constant(name)) {
                            (Value::Record(r), Value::Str(name)) => {
                                r.get(name).cloned().ok_or_else(|| wrong("a record with the field", &reg!(src)))
                            }
                            (other, _) => Err(wrong("a record", other)),
                        },
                    ),
                    Instr::HasField { dst, src, name } => {
                        let has = match (&reg!(src), cx.program.constant(name)) {
                            (Value::Record(r), Value::Str(name)) => r.get(name).is_some(),
                            _ => false,
                        };
                        (dst, Ok(Value::Bool(has)))
                    }
                    Instr::Index { dst, src, index } => (dst, access::index(&reg!(src), &reg!(index))),
                    Instr::JsonIndex { dst, src, index } => (dst, Ok(access::json_index(&reg!(src), &reg!(index)))),
                    Instr::Len { dst, src } => {
                        let len = access::len(&reg!(src)).ok_or_else(|| wrong("a list or dict", &reg!(src)));
                        (dst, len.map(|n| Value::Int(i64::try_from(n).unwrap_or(i64::MAX))))
                    }
                    Instr::Item { dst, src, index } => {
                        let at = match reg!(index) {
                            Value::Int(i) => usize::try_from(i).ok(),
                            _ => None,
                        };
                        let found = at.and_then(|at| access::item(&reg!(src), at));
                        (dst, found.ok_or_else(|| wrong("a list or dict with the item", &reg!(src))))
                    }
                    Instr::Fit { dst, src, ty } if self.quick_fit(cx, base, src, dst, ty) => {
                        pc += 1;
                        continue;
                    }
                    Instr::Closure { dst, code, first, count } => {
                        let captures = self.slice(base, first, count).to_vec();
                        (dst, Ok(Value::Func(Arc::new(Func { code, captures }))))
                    }
                    Instr::Fail { message } => (message, Err(refused(&reg!(message)))),
                    Instr::LoopExhausted => {
                        self.exhausted.extend(code.spans.get(pc));
                        pc += 1;
                        continue;
                    }
                    // Everything else leaves this frame, or may run other code.
                    Instr::Fit { .. }
                    | Instr::As { .. }
                    | Instr::Is { .. }
                    | Instr::Matches { .. }
                    | Instr::Native { .. }
                    | Instr::Raise { .. }
                    | Instr::Call { .. }
                    | Instr::CallOnce { .. }
                    | Instr::CallValue { .. } => {
                        self.at(pc);
                        let instr = *instr;
                        match self.outer_instr(cx, instr, base, code) {
                            Ok(Next::Same) => {
                                pc += 1;
                                continue;
                            }
                            Ok(Next::Called) => {
                                self.fuel = self.fuel.saturating_sub(1);
                                if self.fuel == 0 && !self.refuel() {
                                    return Flow::Yield;
                                }
                                continue 'frame;
                            }
                            Err(stop) => match self.unwind(cx, stop, floor) {
                                Ok(()) => continue 'frame,
                                Err(failures) => return Flow::Done(Err(failures)),
                            },
                        }
                    }
                };
                match made {
                    Ok(value) => {
                        reg!(dst) = value;
                        pc += 1;
                    }
                    Err(fault) => {
                        self.at(pc);
                        match self.unwind(cx, Stop::Fault(fault), floor) {
                            Ok(()) => continue 'frame,
                            Err(failures) => return Flow::Done(Err(failures)),
                        }
                    }
                }
            }
        }
    }

    /// Notes where the running frame is.
    fn at(&mut self, pc: usize) {
        if let Some(frame) = self.frames.last_mut() {
            frame.pc = pc;
        }
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

    /// The instructions that may run other code.
    fn outer_instr(&mut self, cx: Cx<'_>, instr: Instr, base: usize, code: &Code) -> Result<Next, Stop> {
        let reg = |r: Reg| base + usize::from(r);
        match instr {
            Instr::Fit { dst, src, ty } | Instr::As { dst, src, ty } => {
                let convert = if matches!(instr, Instr::Fit { .. }) { conform::fit } else { conform::cast };
                let value = self.regs[reg(src)].clone();
                let converted = self.outside(cx, None, |outside, _| convert(cx.program, outside, &value, ty))?;
                self.regs[reg(dst)] = converted.unwrap_or(value);
                Ok(Next::Same)
            }
            Instr::Is { dst, src, ty } => {
                let value = self.regs[reg(src)].clone();
                let is = self.outside(cx, None, |outside, _| Ok(conform::is(cx.program, outside, &value, ty)))?;
                self.regs[reg(dst)] = Value::Bool(is);
                Ok(Next::Same)
            }
            Instr::Matches { dst, src, ty } => {
                let matches = conform::matches(cx.program, &self.regs[reg(src)], ty)?;
                self.regs[reg(dst)] = Value::Bool(matches);
                Ok(Next::Same)
            }
            Instr::Native { dst, native, first, count } => {
                let start = reg(first);
                let range = start..start + usize::from(count);
                let value = self.outside(cx, Some(native), |outside, regs| {
                    outside.native(native, regs.get(range).unwrap_or_default())
                })?;
                self.regs[reg(dst)] = value;
                Ok(Next::Same)
            }
            Instr::Raise { item_loop } => {
                let depth = self.frames.len();
                let mut raised = Vec::new();
                self.kept.retain(|(frame, number, failures)| {
                    let mine = *frame == depth && *number == item_loop;
                    if mine {
                        raised.push(failures.clone());
                    }
                    !mine
                });
                match Failures::all(raised) {
                    Some(failures) => Err(Stop::Failed(outside::failed(failures))),
                    None => Ok(Next::Same),
                }
            }
            Instr::Call { dst, code: callee, first } => {
                let params = cx.program.plan.codes.get(callee.at()).map_or(0, |c| c.params);
                let start = reg(first);
                self.enter(cx, callee, base + usize::from(code.regs), start..start + usize::from(params), &[], dst)
            }
            Instr::CallOnce { dst, code: callee } => {
                match cx.program.once.get(callee.at()).and_then(|cell| cell.get()) {
                    Some(Ok(value)) => {
                        self.regs[reg(dst)] = value.clone();
                        Ok(Next::Same)
                    }
                    Some(Err(failures)) => Err(Stop::Failed(outside::failed(failures.clone()))),
                    None => {
                        let next = self.enter(cx, callee, base + usize::from(code.regs), 0..0, &[], dst)?;
                        if let Some(frame) = self.frames.last_mut() {
                            frame.once = true;
                        }
                        Ok(next)
                    }
                }
            }
            Instr::CallValue { dst, function, first, count } => {
                let Value::Func(function) = self.regs[reg(function)].clone() else {
                    return Err(wrong("a function", &self.regs[reg(function)]).into());
                };
                let start = reg(first);
                let args = start..start + usize::from(count);
                self.enter(cx, function.code, base + usize::from(code.regs), args, &function.captures, dst)
            }
            _ => Err(Fault::new("internal", "an instruction out of place").into()),
        }
    }

    /// A new frame at `base`, with captures and arguments as its parameters.
    fn enter(
        &mut self,
        cx: Cx<'_>,
        code: CodeId,
        base: usize,
        args: std::ops::Range<usize>,
        captures: &[Value],
        dst: Reg,
    ) -> Result<Next, Stop> {
        let params = cx.program.plan.codes.get(code.at()).map(|c| usize::from(c.params));
        if params != Some(captures.len() + args.len()) {
            return Err(Fault::new("internal", "a function is called with the wrong number of arguments").into());
        }
        if self.frames.len() >= MAX_FRAMES {
            let message = format!("functions call one another more than {MAX_FRAMES} deep");
            return Err(Fault::new("overflow", message).into());
        }
        self.regs.truncate(base);
        self.regs.extend_from_slice(captures);
        self.regs.extend_from_within(args);
        self.push_frame(cx, code, base, dst, false);
        Ok(Next::Called)
    }

    fn lazy(&mut self, lazy: u16) -> Option<&mut Lazy> {
        let first = self.frames.last()?.lazies;
        self.lazies.get_mut(first + usize::from(lazy))
    }

    /// Where to go on: into the block, or past the `Lazy` if it ran.
    fn enter_lazy(&mut self, lazy: u16, block: Pc, pc: usize) -> Result<usize, Stop> {
        let running = self.frames.last().and_then(|f| f.running);
        match self.lazy(lazy) {
            Some(Lazy::Done) => Ok(pc + 1),
            Some(Lazy::Failed(failures)) => Err(Stop::Failed(outside::failed(failures.clone()))),
            Some(state @ Lazy::Idle) => {
                *state = Lazy::Running(pc, running);
                if let Some(frame) = self.frames.last_mut() {
                    frame.running = Some(lazy);
                }
                Ok(block as usize)
            }
            Some(Lazy::Running(..)) | None => Err(Fault::new("internal", "a value depends on itself").into()),
        }
    }

    fn end_lazy(&mut self, lazy: u16) -> Option<usize> {
        let state = self.lazy(lazy)?;
        let Lazy::Running(from, outer) = *state else { return None };
        *state = Lazy::Done;
        if let Some(frame) = self.frames.last_mut() {
            frame.running = outer;
        }
        Some(from + 1)
    }
}

/// Where an instruction that may run other code leaves off.
enum Next {
    /// At the next instruction.
    Same,
    /// In a new frame.
    Called,
}

fn float(f: f64) -> Option<Value> {
    f.is_finite().then_some(Value::Float(f))
}

fn less(a: &Value, b: &Value) -> Result<Value, Fault> {
    compare(a, b).map(|order| Value::Bool(order.is_lt()))
}

fn less_or_equal(a: &Value, b: &Value) -> Result<Value, Fault> {
    compare(a, b).map(|order| Value::Bool(order.is_le()))
}

/// A `require` that does not hold.
pub(crate) fn refused(message: &Value) -> Fault {
    Fault::new("failed", text_of(message).unwrap_or_else(|fault| fault.message))
}

/// What the checker does not let through: only a plan from elsewhere gets here.
fn wrong(wanted: &str, found: &Value) -> Fault {
    Fault::new("internal", format!("expected {wanted}, found {}", found.kind()))
}

fn append(a: Value, b: &Value) -> Result<Value, Fault> {
    match (a, b) {
        (Value::List(mut items), Value::List(more)) => {
            items.append(more);
            Ok(Value::List(items))
        }
        (a, _) => Err(wrong("two lists", &a)),
    }
}

fn range(a: &Value, b: &Value, inclusive: bool) -> Result<Value, Fault> {
    match (a, b) {
        (Value::Int(start), Value::Int(end)) => {
            let end = if inclusive { end.checked_add(1) } else { Some(*end) };
            let end = end.ok_or_else(|| Fault::new("overflow", "overflow: the range ends at the greatest int"))?;
            Ok(Value::List(List::range(*start, end)))
        }
        _ => Err(wrong("two ints", if matches!(a, Value::Int(_)) { b } else { a })),
    }
}

fn concat(parts: &[Value]) -> Value {
    let texts = || parts.iter().filter_map(|p| if let Value::Str(t) = p { Some(t.as_str()) } else { None });
    let mut text = String::with_capacity(texts().map(str::len).sum());
    text.extend(texts());
    Value::Str(Text::from(text))
}

fn dict(pairs: &[Value]) -> Result<Value, Fault> {
    let mut entries = Dict::with_capacity(pairs.len() / 2);
    for pair in pairs.chunks_exact(2) {
        if let [key, value] = pair {
            let key = Key::of(key).ok_or_else(|| wrong("a str or int for a key", key))?;
            entries.insert(key, value.clone());
        }
    }
    Ok(Value::dict(entries))
}
