//! Register code of a pure stretch. The interpreter runs it; a compiler to machine code must mean the same.
//!
//! A frame has `regs` registers; the parameters (for a lambda: captures first, then its parameters) are the first.
//! Every register is written before it is read on every path. Arithmetic is checked: overflow, division by zero,
//! inexact conversion, inf and NaN are failures at the instruction's span.
//!
//! A failure inside a lazy block is one at the `Lazy` instruction that entered it, too: the handlers that hold the
//! failing instruction come first, then those that hold the `Lazy`. The block then counts as not run.

use crate::{CodeId, ConstId, NativeId, SpanId, TypeId};
use serde::{Deserialize, Serialize};
use smol_str::SmolStr;

/// A register of the frame.
pub type Reg = u16;
/// Index of an instruction.
pub type Pc = u32;

/// The name of what has none: a small function `x => …`.
pub const SMALL_FUNCTION: &str = "=>";

/// A function, lambda or stretch.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Code {
    /// For messages: the function's name, or the step's.
    pub name: SmolStr,
    /// How many registers are given.
    pub params: u16,
    /// How many there are.
    pub regs: u16,
    /// How many lazy blocks there are.
    pub lazies: u16,
    /// The instructions. The last one never goes on to a next one.
    pub instrs: Vec<Instr>,
    /// The span of each instruction.
    pub spans: Vec<SpanId>,
    /// What catches failures; of those that hold the instruction the last one counts.
    pub handlers: Vec<Handler>,
    /// The loops over items, for the key that a failure shows.
    pub loops: Vec<Loop>,
}

/// Where a failure in `start..end` goes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Handler {
    /// The first instruction that it covers.
    pub start: Pc,
    /// The one after the last.
    pub end: Pc,
    /// Where to go on.
    pub target: Pc,
    /// How.
    pub kind: HandlerKind,
}

/// What a handler does with a failure.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum HandlerKind {
    /// Puts the failure, as a record of the type `(code, message, node, retryable)`, into the register.
    Try(Reg, TypeId),
    /// Keeps the failure (all of them) for [`Instr::Raise`] with this number, and goes on with the next item. The
    /// number is an index into [`Code::loops`].
    Item(u16),
}

/// A loop over items within the code.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Loop {
    /// The first instruction of the body.
    pub start: Pc,
    /// The one after the last.
    pub end: Pc,
    /// The register that holds the index.
    pub index: Reg,
}

/// An instruction. `dst` is written last, so it may be one of the operands.
#[expect(missing_docs, reason = "each operand is what its name and the instruction's line say")]
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Instr {
    /// dst = constant.
    Const { dst: Reg, value: ConstId },
    /// dst = src.
    Move { dst: Reg, src: Reg },
    /// Ends the code with the value.
    Return { src: Reg },
    /// Goes to an instruction.
    Jump { to: Pc },
    /// Goes there if the bool is true.
    JumpIf { cond: Reg, to: Pc },
    /// Goes there if the bool is false.
    JumpIfNot { cond: Reg, to: Pc },
    /// Goes there if the value is null.
    JumpIfNull { src: Reg, to: Pc },
    /// Runs the lazy block at `block` unless it ran in this frame; it ends with `LazyEnd` and writes its registers once.
    Lazy { lazy: u16, block: Pc },
    /// Ends the lazy block: back after the `Lazy` that entered it.
    LazyEnd { lazy: u16 },
    /// The lazy block counts as not run: it is one of the body of a loop, which begins a new round here.
    Forget { lazy: u16 },

    /// Numbers, durations, sizes, datetimes: by the operands' kinds. Int with int gives int.
    Add { dst: Reg, a: Reg, b: Reg },
    /// Alike.
    Sub { dst: Reg, a: Reg, b: Reg },
    /// Alike; a duration or size by a number.
    Mul { dst: Reg, a: Reg, b: Reg },
    /// Always a float for numbers; a duration or size by a number is one; like by like is a float.
    Div { dst: Reg, a: Reg, b: Reg },
    /// Sign of the divisor.
    Rem { dst: Reg, a: Reg, b: Reg },
    /// Floored.
    IntDiv { dst: Reg, a: Reg, b: Reg },
    /// -a.
    Neg { dst: Reg, a: Reg },
    /// Two ints.
    AddInt { dst: Reg, a: Reg, b: Reg },
    /// Two ints.
    SubInt { dst: Reg, a: Reg, b: Reg },
    /// Two ints.
    MulInt { dst: Reg, a: Reg, b: Reg },
    /// Two floats.
    AddFloat { dst: Reg, a: Reg, b: Reg },
    /// Two floats.
    SubFloat { dst: Reg, a: Reg, b: Reg },
    /// Two floats.
    MulFloat { dst: Reg, a: Reg, b: Reg },
    /// Two floats.
    DivFloat { dst: Reg, a: Reg, b: Reg },
    /// not a.
    Not { dst: Reg, a: Reg },
    /// a == b, of any two values; `1 == 1.0`.
    Eq { dst: Reg, a: Reg, b: Reg },
    /// a < b in the language's order.
    Lt { dst: Reg, a: Reg, b: Reg },
    /// a <= b.
    Le { dst: Reg, a: Reg, b: Reg },
    /// Two ints.
    LtInt { dst: Reg, a: Reg, b: Reg },
    /// Two ints.
    LeInt { dst: Reg, a: Reg, b: Reg },
    /// Two floats.
    LtFloat { dst: Reg, a: Reg, b: Reg },
    /// Two floats.
    LeFloat { dst: Reg, a: Reg, b: Reg },
    /// Whether a is an item of list b, a key of dict b, or a part of str b.
    In { dst: Reg, a: Reg, b: Reg },
    /// The list a ++ b; in place where `dst` is `a` and nobody else holds it.
    Append { dst: Reg, a: Reg, b: Reg },
    /// The range a..b, or a..=b: a list, made lazily.
    Range { dst: Reg, a: Reg, b: Reg, inclusive: bool },

    /// The str of `count` strs from `first` on.
    Concat { dst: Reg, first: Reg, count: u16 },
    /// The text of a value in a str: str, number, bool, duration, size, datetime.
    Text { dst: Reg, src: Reg },

    /// A list of `count` values from `first` on.
    List { dst: Reg, first: Reg, count: u16 },
    /// A tuple.
    Tuple { dst: Reg, first: Reg, count: u16 },
    /// A record of the type: one value per field.
    Record { dst: Reg, ty: TypeId, first: Reg },
    /// A dict of `count` pairs from `first` on: key, value, key, value; a later key wins.
    Dict { dst: Reg, first: Reg, count: u16 },
    /// Adds to the list in `list`, in place where nobody else holds it.
    Push { list: Reg, value: Reg },
    /// Adds to the dict in `dict`, in place where nobody else holds it; a later key wins.
    Insert { dict: Reg, key: Reg, value: Reg },
    /// A copy of the record with one field replaced.
    SetField { dst: Reg, record: Reg, field: u16, value: Reg },
    /// The field or item at a place of a record or tuple.
    Field { dst: Reg, src: Reg, field: u16 },
    /// The field of a name of a record; the name is a str constant.
    FieldNamed { dst: Reg, src: Reg, name: ConstId },
    /// Whether it is a record with the field of that name.
    HasField { dst: Reg, src: Reg, name: ConstId },
    /// list[i] or dict[k]: a missing one is a failure.
    Index { dst: Reg, src: Reg, index: Reg },
    /// Of a json: null where absent.
    JsonIndex { dst: Reg, src: Reg, index: Reg },
    /// The number of items of a list or dict, as an int.
    Len { dst: Reg, src: Reg },
    /// The item of a list, or the `(key, value)` tuple of a dict, at an int index that is known to be in it.
    Item { dst: Reg, src: Reg, index: Reg },

    /// An implicit conversion to the type: exact int to float, cut and order of fields, missing optional ones null, check of `any`.
    Fit { dst: Reg, src: Reg, ty: TypeId },
    /// `as`: converts and checks.
    As { dst: Reg, src: Reg, ty: TypeId },
    /// `is`: whether `as` would do.
    Is { dst: Reg, src: Reg, ty: TypeId },
    /// Whether the value is of the type as it stands, for a typed pattern or union member: an int is no float here.
    Matches { dst: Reg, src: Reg, ty: TypeId },

    /// Calls code with its parameters from `first` on.
    Call { dst: Reg, code: CodeId, first: Reg },
    /// The value of code without parameters (a `const`): it may be kept and given again for the rest of the run.
    CallOnce { dst: Reg, code: CodeId },
    /// Calls a pure native with `count` arguments from `first` on.
    Native { dst: Reg, native: NativeId, first: Reg, count: u16 },
    /// Calls a function value.
    CallValue { dst: Reg, function: Reg, first: Reg, count: u16 },
    /// A function value: code and its first `count` parameters, from `first` on.
    Closure { dst: Reg, code: CodeId, first: Reg, count: u16 },

    /// Fails with `failed` and the message, a str: a `require` that does not hold.
    Fail { message: Reg },
    /// Fails with all that the item handlers of the loop kept, if any.
    Raise { item_loop: u16 },
    /// A log line: the loop used up its rounds.
    LoopExhausted,
}

impl Instr {
    /// The runs of registers that it reads or writes, first and count; those whose count only the plan's tables know
    /// ([`Instr::Record`], [`Instr::Call`]) with a count of 0, and the pairs of [`Instr::Dict`] counted once.
    pub fn registers(&self) -> [(Reg, u16); 3] {
        const NONE: (Reg, u16) = (0, 0);
        match *self {
            Instr::Jump { .. }
            | Instr::Lazy { .. }
            | Instr::LazyEnd { .. }
            | Instr::Forget { .. }
            | Instr::Raise { .. }
            | Instr::LoopExhausted => [NONE; 3],
            Instr::Const { dst: r, .. }
            | Instr::CallOnce { dst: r, .. }
            | Instr::Return { src: r }
            | Instr::Fail { message: r }
            | Instr::JumpIf { cond: r, .. }
            | Instr::JumpIfNot { cond: r, .. }
            | Instr::JumpIfNull { src: r, .. } => [(r, 1), NONE, NONE],
            Instr::Move { dst, src }
            | Instr::Text { dst, src }
            | Instr::Field { dst, src, .. }
            | Instr::FieldNamed { dst, src, .. }
            | Instr::HasField { dst, src, .. }
            | Instr::Len { dst, src }
            | Instr::Fit { dst, src, .. }
            | Instr::As { dst, src, .. }
            | Instr::Is { dst, src, .. }
            | Instr::Matches { dst, src, .. }
            | Instr::Neg { dst, a: src }
            | Instr::Not { dst, a: src }
            | Instr::Push { list: dst, value: src } => [(dst, 1), (src, 1), NONE],
            Instr::Add { dst, a, b }
            | Instr::Sub { dst, a, b }
            | Instr::Mul { dst, a, b }
            | Instr::Div { dst, a, b }
            | Instr::Rem { dst, a, b }
            | Instr::IntDiv { dst, a, b }
            | Instr::AddInt { dst, a, b }
            | Instr::SubInt { dst, a, b }
            | Instr::MulInt { dst, a, b }
            | Instr::AddFloat { dst, a, b }
            | Instr::SubFloat { dst, a, b }
            | Instr::MulFloat { dst, a, b }
            | Instr::DivFloat { dst, a, b }
            | Instr::Eq { dst, a, b }
            | Instr::Lt { dst, a, b }
            | Instr::Le { dst, a, b }
            | Instr::LtInt { dst, a, b }
            | Instr::LeInt { dst, a, b }
            | Instr::LtFloat { dst, a, b }
            | Instr::LeFloat { dst, a, b }
            | Instr::In { dst, a, b }
            | Instr::Append { dst, a, b }
            | Instr::Range { dst, a, b, .. }
            | Instr::Index { dst, src: a, index: b }
            | Instr::JsonIndex { dst, src: a, index: b }
            | Instr::Item { dst, src: a, index: b }
            | Instr::Insert { dict: dst, key: a, value: b }
            | Instr::SetField { dst, record: a, value: b, .. } => [(dst, 1), (a, 1), (b, 1)],
            Instr::Concat { dst, first, count }
            | Instr::List { dst, first, count }
            | Instr::Tuple { dst, first, count }
            | Instr::Dict { dst, first, count }
            | Instr::Native { dst, first, count, .. }
            | Instr::Closure { dst, first, count, .. } => [(dst, 1), (first, count), NONE],
            Instr::CallValue { dst, function, first, count } => [(dst, 1), (function, 1), (first, count)],
            Instr::Record { dst, first, .. } | Instr::Call { dst, first, .. } => [(dst, 1), (first, 0), NONE],
        }
    }
}
