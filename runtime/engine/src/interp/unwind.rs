//! What happens when an instruction fails: where that was, and which handler goes on.

use super::{Cx, Lazy, Machine, outside};
use crate::failure::{Failure, Failures, Within};
use crate::native::Stop;
use crate::value::{Fault, Shape, Value};
use ntl_plan::{Code, Handler, HandlerKind, Instr, Plan};
use std::sync::Arc;

impl Machine {
    /// Takes a failure of the running instruction to the handler that catches it; gives it back where none does above
    /// `floor`.
    pub(super) fn unwind(&mut self, cx: Cx<'_>, stop: Stop, floor: usize) -> Result<(), Failures> {
        let failures = match stop {
            Stop::Fault(fault) => self.failure(cx, fault),
            Stop::Failed(failed) => match outside::passed_on(failed) {
                Ok(failures) => failures,
                Err(fault) => self.failure(cx, fault),
            },
        };
        while self.frames.len() > floor {
            if self.catch(cx, &failures) {
                return Ok(());
            }
            if let Some(frame) = self.pop_frame()
                && frame.once
                && let Some(cell) = cx.program.once.get(frame.code.at())
            {
                let _ = cell.set(Err(failures.clone()));
            }
        }
        Err(failures)
    }

    /// Looks for a handler in the running frame: first for the failing instruction, then, lazy block by lazy block, for
    /// the one that entered it.
    fn catch(&mut self, cx: Cx<'_>, failures: &Failures) -> bool {
        loop {
            let Some(frame) = self.frames.last() else { return false };
            let Some(code) = cx.program.plan.codes.get(frame.code.at()) else { return false };
            let handler = handler_at(code, frame.pc);
            if let Some(lazy) = frame.running {
                let entered = match self.lazies.get(frame.lazies + usize::from(lazy)) {
                    Some(Lazy::Running(from, outer)) => (*from, *outer),
                    _ => (frame.pc, None),
                };
                // A handler that holds the `Lazy`, too, is around the block, not in it: the block has failed.
                if handler.is_none_or(|h| holds(h, entered.0)) {
                    if let Some(state) = self.lazy(lazy) {
                        *state = Lazy::Failed(failures.clone());
                    }
                    if let Some(frame) = self.frames.last_mut() {
                        (frame.pc, frame.running) = entered;
                    }
                    continue;
                }
            }
            let Some(handler) = handler else { return false };
            let (base, depth) = (frame.base, self.frames.len());
            match handler.kind {
                HandlerKind::Try(reg, ty) => {
                    let error = error_record(&cx.program.plan, failures, &cx.program.shape(ty));
                    if let Some(slot) = self.regs.get_mut(base + usize::from(reg)) {
                        *slot = error;
                    }
                }
                HandlerKind::Item(number) => self.kept.push((depth, number, failures.clone())),
            }
            // It may go back.
            self.fuel = self.fuel.saturating_sub(1);
            self.at(handler.target as usize);
            return true;
        }
    }

    /// A failure at the running instruction.
    #[cold]
    pub(super) fn failure(&self, cx: Cx<'_>, fault: Fault) -> Failures {
        let codes = &cx.program.plan.codes;
        let place = |frame: &super::Frame| {
            let code = codes.get(frame.code.at())?;
            Some((code, *code.spans.get(frame.pc)?, *code.instrs.get(frame.pc)?))
        };
        let innermost = self.frames.last().and_then(place);
        let callers = self.frames.iter().rev().skip(1);
        let calls = self.frames.iter().rev().zip(callers).filter_map(|(callee, caller)| {
            let name = codes.get(callee.code.at())?.name.clone();
            Some((name, place(caller)?.1))
        });
        // What a failing native was given is still in the registers.
        let inputs = innermost.and_then(|(_, _, instr)| match instr {
            Instr::Native { native, first, count, .. } => {
                let base = self.frames.last()?.base;
                Some((native, self.slice(base, first, count).to_vec()))
            }
            _ => None,
        });
        let mut key = cx.place.key();
        key.extend(self.key_in(cx, &self.regs));
        Failure {
            fault,
            span: innermost.map(|(_, span, _)| span),
            calls: calls.collect(),
            step: cx.place.step(),
            key,
            attempt: 1,
            inputs,
            // What is kept for all belongs to nobody.
            within: match self.frames.iter().any(|f| f.once) {
                true => Within::default(),
                false => cx.place.within(),
            },
        }
        .into()
    }

    /// A failure that no checked plan has.
    #[cold]
    pub(super) fn lost(&self, cx: Cx<'_>, message: &str) -> Failures {
        self.failure(cx, Fault::new("internal", message))
    }

    /// The indices of the loops that the frames stand in. `regs` are the registers of the frames since the last native
    /// that called back.
    pub(super) fn key_in(&self, cx: Cx<'_>, regs: &[Value]) -> Vec<u64> {
        let (mut key, done) = match self.outside.last() {
            Some(boundary) => (boundary.key.clone(), boundary.frames),
            None => (Vec::new(), 0),
        };
        for frame in self.frames.iter().skip(done) {
            let Some(code) = cx.program.plan.codes.get(frame.code.at()) else { continue };
            if code.loops.is_empty() {
                continue;
            }
            // The instructions that it stands in, outermost first: those that entered lazy blocks, then its own.
            let mut places = vec![frame.pc];
            let mut running = frame.running;
            while let Some(lazy) = running {
                let Some(Lazy::Running(from, outer)) = self.lazies.get(frame.lazies + usize::from(lazy)) else { break };
                places.push(*from);
                running = *outer;
            }
            let mut loops: Vec<_> = code
                .loops
                .iter()
                .filter_map(|l| {
                    let depth = places.iter().rev().position(|pc| (l.start as usize..l.end as usize).contains(pc))?;
                    Some((depth, l.start, std::cmp::Reverse(l.end), l.index))
                })
                .collect();
            loops.sort_unstable();
            key.extend(loops.iter().filter_map(|(.., index)| match regs.get(frame.base + usize::from(*index)) {
                Some(Value::Int(i)) => u64::try_from(*i).ok(),
                _ => None,
            }));
        }
        key
    }
}

fn holds(handler: &Handler, pc: usize) -> bool {
    (handler.start as usize..handler.end as usize).contains(&pc)
}

fn handler_at(code: &Code, pc: usize) -> Option<&Handler> {
    code.handlers.iter().rev().find(|h| holds(h, pc))
}

/// A failure as a handler sees it: `(code, message, node, retryable)`, of the first of them.
pub(crate) fn error_record(plan: &Plan, failures: &Failures, shape: &Arc<Shape>) -> Value {
    let Some(first) = failures.first(plan) else { return Value::Null };
    let fields = shape.names.iter().map(|name| match name.as_str() {
        "code" => Value::str(first.fault.code.as_str()),
        "message" => Value::str(first.fault.message.as_str()),
        "node" => Value::str(first.step.as_str()),
        "retryable" => Value::Bool(first.fault.retryable),
        _ => Value::Null,
    });
    Value::record(shape.clone(), fields.collect())
}
