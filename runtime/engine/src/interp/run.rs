//! The dispatch loop: one instruction after the other, quick ones in place.

use super::leave::Next;
use super::{Cx, Flow, Lazy, Machine, access, arith};
use crate::native::Stop;
use crate::value::{Dict, Fault, Func, Key, List, MAX_ITEMS, MAX_TEXT, Text, Value, compare, text_of};
use ntl_plan::{Code, Instr, Reg};
use std::sync::Arc;

impl Machine {
    /// Runs until no more than `floor` frames are left.
    pub(super) fn run(&mut self, cx: Cx<'_>, floor: usize) -> Flow {
        'frame: loop {
            // Here after a call, a return, a failure that was caught: the frame says where it goes on.
            if self.fuel == 0 && !self.refuel() {
                return Flow::Yield;
            }
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
                        let made = may_append(&reg!(a), &other).map(|()| {
                            let mine =
                                if dst == a { std::mem::replace(&mut reg!(a), Value::Null) } else { reg!(a).clone() };
                            append(mine, &other)
                        });
                        (dst, made)
                    }
                    Instr::Range { dst, a, b, inclusive } => (dst, range(&reg!(a), &reg!(b), inclusive)),
                    Instr::Concat { dst, first, count } => (dst, concat(self.slice(base, first, count))),
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
                            Value::List(items) if items.len() >= MAX_ITEMS => Err(Fault::list_too_long()),
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
pub(super) fn wrong(wanted: &str, found: &Value) -> Fault {
    Fault::new("internal", format!("expected {wanted}, found {}", found.kind()))
}

/// A list that grows by itself doubles each time: it ends before the memory does.
fn may_append(a: &Value, b: &Value) -> Result<(), Fault> {
    match (a, b) {
        (Value::List(items), Value::List(more)) if items.len().saturating_add(more.len()) > MAX_ITEMS => {
            Err(Fault::list_too_long())
        }
        (Value::List(_), Value::List(_)) => Ok(()),
        _ => Err(wrong("two lists", a)),
    }
}

fn append(a: Value, b: &Value) -> Value {
    match (a, b) {
        (Value::List(mut items), Value::List(more)) => {
            items.append(more);
            Value::List(items)
        }
        (a, _) => a,
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

fn concat(parts: &[Value]) -> Result<Value, Fault> {
    let texts = || parts.iter().filter_map(|p| if let Value::Str(t) = p { Some(t.as_str()) } else { None });
    let len: usize = texts().map(str::len).sum();
    if len > MAX_TEXT {
        return Err(Fault::text_too_long());
    }
    let mut text = String::with_capacity(len);
    text.extend(texts());
    Ok(Value::Str(Text::from(text)))
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
