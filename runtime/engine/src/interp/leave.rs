//! Instructions that leave their frame, or may run other code: conversions, natives, calls, lazy blocks.

use super::run::wrong;
use super::{Cx, Lazy, MAX_FRAMES, Machine, outside};
use crate::conform;
use crate::failure::Failures;
use crate::native::Stop;
use crate::value::{Fault, Value};
use ntl_plan::code::Pc;
use ntl_plan::{Code, CodeId, Instr, Reg};

/// Where an instruction that may run other code leaves off.
pub(super) enum Next {
    /// At the next instruction.
    Same,
    /// In a new frame.
    Called,
}

impl Machine {
    /// The instructions that may run other code.
    pub(super) fn outer_instr(&mut self, cx: Cx<'_>, instr: Instr, base: usize, code: &Code) -> Result<Next, Stop> {
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

    pub(super) fn lazy(&mut self, lazy: u16) -> Option<&mut Lazy> {
        let first = self.frames.last()?.lazies;
        self.lazies.get_mut(first + usize::from(lazy))
    }

    /// Where to go on: into the block, or past the `Lazy` if it ran.
    pub(super) fn enter_lazy(&mut self, lazy: u16, block: Pc, pc: usize) -> Result<usize, Stop> {
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

    pub(super) fn end_lazy(&mut self, lazy: u16) -> Option<usize> {
        let state = self.lazy(lazy)?;
        let Lazy::Running(from, outer) = *state else { return None };
        *state = Lazy::Done;
        if let Some(frame) = self.frames.last_mut() {
            frame.running = outer;
        }
        Some(from + 1)
    }
}
