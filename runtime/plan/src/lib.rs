//! The plan: what the compiler hands to the runtime. A tree of regions of operations, register code for the pure
//! stretches, and tables of files, types, constants and natives. Nothing here knows the compiler or runs anything.

#![deny(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::arithmetic_side_effects,
    clippy::string_slice
)]

pub mod arith;
pub mod code;

pub use code::{Code, Handler, HandlerKind, Instr, Loop, Reg, SMALL_FUNCTION};

use serde::{Deserialize, Serialize};
use smol_str::SmolStr;

/// An index into one of the plan's tables.
macro_rules! index {
    ($($(#[$doc:meta])* $name:ident),* $(,)?) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub u32);
        impl $name {
            /// As a position in its table.
            pub fn at(self) -> usize { self.0 as usize }
        }
    )*};
}
index! {
    /// Into [`Plan::types`].
    TypeId,
    /// Into [`Plan::consts`].
    ConstId,
    /// Into [`Plan::natives`].
    NativeId,
    /// Into [`Plan::codes`].
    CodeId,
    /// Into [`Plan::regions`].
    RegionId,
    /// Into [`Plan::spans`].
    SpanId,
    /// Into [`Region::ops`].
    OpId,
}

/// A compiled workflow.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    /// The workflow's name.
    pub workflow: SmolStr,
    /// The sources, for messages without the sources at hand.
    pub files: Vec<File>,
    /// Types, user types by name; may refer to one another in circles.
    #[serde(with = "file::capped")]
    pub types: Vec<Type>,
    /// Constants.
    #[serde(with = "file::capped")]
    pub consts: Vec<Const>,
    /// Natives that the plan calls.
    pub natives: Vec<Native>,
    /// What the plan may touch: what permission is asked for before it runs.
    pub touches: Vec<Touch>,
    /// Register code: functions, lambdas and stretches of operations.
    pub codes: Vec<Code>,
    /// Source spans.
    pub spans: Vec<Span>,
    /// Regions; a region comes after the regions that hold it.
    pub regions: Vec<Region>,
    /// The workflow's own region.
    pub entry: RegionId,
    /// What the workflow takes, in order of the entry region's parameters.
    pub inputs: Vec<Input>,
    /// What it gives, in order of the entry region's results.
    pub outputs: Vec<Output>,
}

/// A source file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct File {
    /// Its path as shown to users.
    pub path: SmolStr,
    /// BLAKE3 of its text.
    #[serde(with = "file::hex")]
    pub hash: [u8; 32],
}

/// A place in a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Span {
    /// Index into [`Plan::files`].
    pub file: u32,
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
    /// Line of the end, from 1.
    pub end_line: u32,
    /// Column after the end, in characters, from 1.
    pub end_column: u32,
}

/// A type, for checks and conversions at run time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Type {
    /// `any`.
    Any,
    /// `json`.
    Json,
    /// `null`.
    Null,
    /// `bool`.
    Bool,
    /// `int`.
    Int,
    /// `float`.
    Float,
    /// `str`.
    Str,
    /// `bytes`.
    Bytes,
    /// `duration`.
    Duration,
    /// `size`.
    Size,
    /// `datetime`.
    Datetime,
    /// `secret`.
    Secret,
    /// No value.
    Never,
    /// Media, documents, model choices and the like, by name.
    Opaque(SmolStr),
    /// Exactly this value: a str, int or bool.
    Literal(ConstId),
    /// `list[T]`.
    List(TypeId),
    /// `dict[K, V]`.
    Dict(TypeId, TypeId),
    /// A tuple.
    Tuple(Vec<TypeId>),
    /// A record. `name` is the user type's, for messages.
    Record {
        /// The user type's name.
        name: Option<SmolStr>,
        /// Its fields: the layout.
        fields: Vec<Field>,
    },
    /// A union.
    Union(Vec<TypeId>),
    /// A function value.
    Fn,
}

/// A field of a record type.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Field {
    /// Its name.
    pub name: SmolStr,
    /// Its name in JSON and CSV, where that differs.
    pub key: Option<SmolStr>,
    /// Its type.
    pub ty: TypeId,
    /// Code without parameters that gives its default.
    pub default: Option<CodeId>,
}

/// A constant.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Const {
    /// `null`.
    Null,
    /// A bool.
    Bool(bool),
    /// An int.
    Int(i64),
    /// A float; finite.
    Float(f64),
    /// A str.
    Str(SmolStr),
    /// Nanoseconds.
    Duration(i64),
    /// Bytes.
    Size(i64),
    /// JSON text, known to be valid.
    Json(SmolStr),
}

/// A native that the plan calls. One that the runtime does not have makes a run fail with `unsupported` before it starts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Native {
    /// `std.text.join/0@1`; `prompt:judge`, `agent:x`, `node:y` for what this version cannot run.
    pub id: SmolStr,
    /// As users name it: `text.join`.
    pub name: SmolStr,
    /// How far it reaches.
    pub effect: Effect,
    /// May be retried without asking.
    pub retry_safe: bool,
    /// Its parameters' names, for the inputs that an error shows.
    pub params: Vec<SmolStr>,
    /// The types given for those of its type parameters that no parameter tells: `Article` of `csv.parse_as[Article](t)`.
    /// A plan has one entry per native and such types.
    pub type_args: Vec<TypeId>,
}

/// Something that a plan may touch.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Touch {
    /// A kind of permission: `fs_read`, `fs_write`, `net`, `command`, `env`; a `secret` or `model`; a limit of what a model
    /// may cost: `usd`, `turns`, `tokens`, `time`; or, where no more is known, how far it reaches: `read`, `write`,
    /// `external`.
    pub kind: SmolStr,
    /// Which one.
    pub what: What,
    /// What touches it, as users name it: `fs.read`.
    pub by: SmolStr,
    /// The full id of the step that does it; of what a prompt or agent does, the step that it is.
    pub step: SmolStr,
    /// Where.
    pub span: SpanId,
    /// The calls that lead there from the workflow, outermost first: name and place.
    pub calls: Vec<(SmolStr, SpanId)>,
}

/// What is touched, as far as it is known before the run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum What {
    /// This.
    Known(SmolStr),
    /// What this expression of the source comes to.
    Computed(SmolStr),
    /// It is not said.
    Nothing,
}

/// How far a native reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Effect {
    /// Its result depends on its arguments alone.
    Pure,
    /// It reads the world.
    Read,
    /// It changes files or logs.
    Write,
    /// It talks to others.
    External,
}

/// Why a region is a region.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum RegionKind {
    /// A workflow's body. Parameters: the workflow's. Results: its outputs.
    Workflow,
    /// A branch, arm or `else`. Parameters: none. One result.
    Branch,
    /// The body of a `for`, once per item. Parameters: the item (a `(key, value)` tuple for a dict), the index.
    /// Results: `[value]`, or `[keep, value]` where the `for` has a condition: the value is needed only if `keep` is true.
    For,
    /// What varies per a source, once per item. Parameters: the item (of some streams several values), the index. No
    /// results: stream operations take from it.
    Source,
    /// A round of a loop. Parameters: the carried values. Results: `[until, next…]`: the next values are needed only if
    /// `until` is false.
    Loop,
    /// What may fail. Parameters: none. One result.
    Try,
    /// What is taken instead. Parameters: the failure, a record `(code, message, node, retryable)`. One result.
    Handler,
    /// Statements that start together, after something. Parameters: none. One result.
    Block,
}

/// A body: operations and what is taken of them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Region {
    /// Why it is one.
    pub kind: RegionKind,
    /// The region that it stands in; `None` for a workflow's, which may be called from many places.
    pub parent: Option<RegionId>,
    /// The number of values that it is given.
    pub params: u32,
    /// Its operations, each after those whose values it takes from the same region.
    pub ops: Vec<Op>,
    /// What is taken of it.
    pub results: Vec<Ref>,
    /// Operations that run although nobody takes their value: effects and `require`s. A [`OpKind::Call`] that runs for
    /// this reason runs the effects of its region; its outputs are computed where they are taken. Any other operation
    /// runs as if its value was taken.
    pub effects: Vec<OpId>,
    /// Streams that a workflow takes, beside its parameters: how many values each item of them has.
    pub streams: Vec<u32>,
    /// Streams that a workflow gives, beside its results. [`Take::kept`] says nothing here.
    pub gives: Vec<Take>,
}

/// A stream as somebody takes it whole: the items of a source that is in the same region or an outer one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Take {
    /// The [`OpKind::Stream`] operation that opens the source.
    pub source: Ref,
    /// What is taken of each item: an operation or parameter of the source's region. The first says whether the item is
    /// dropped or has failed; others go along with it.
    pub values: Vec<Ref>,
    /// Whether the reader lies on a circle with its source, or takes what is late: items wait for it, it never holds the
    /// source's window. Told by [`set_readers`].
    pub kept: bool,
}

/// A stream operation: runs once per instance of its region, as long as somebody wants more of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Stream {
    /// What it does with the streams that it takes, and with its inputs, the plain ones among its arguments.
    pub from: StreamFn,
    /// What is run for each item that it gives, if it gives a stream.
    pub opens: Option<Opens>,
    /// The [`OpKind::Per`] operation that has its value for each item of the stream that it takes first, if it gives those.
    pub per: Option<OpId>,
}

/// A source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Opens {
    /// What varies per it.
    pub region: RegionId,
    /// Whether it runs to its end for effects that nobody takes the value of; else as far as somebody takes its items.
    /// Told by [`set_readers`].
    pub drives: bool,
    /// Whether effects in its items wait for what waits for all of its items: they never hold its window. Told by
    /// [`set_readers`].
    pub late: bool,
}

/// What a stream operation does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum StreamFn {
    /// Gives the items of input 0, a list.
    Each,
    /// Its value is the list of what it takes.
    Collect,
    /// A native: gives a stream, a value per item that it takes, or one value.
    Native(NativeId),
    /// Gives what the [`OpKind::Call`] op of the same region gives as its stream of that number.
    Call(OpId, u32),
    /// Gives what the caller hands over as that stream of the workflow's. In the workflow's own region.
    Param(u32),
}

/// A value that an operation takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Ref {
    /// The value of an operation of the same region.
    Op(OpId),
    /// The value of an operation of the region `up` levels out (1: the parent).
    Outer {
        /// How many regions out.
        up: u32,
        /// The operation there.
        op: OpId,
    },
    /// A value that the region is given.
    Param(u32),
    /// A value that the region `up` levels out is given.
    OuterParam {
        /// How many regions out.
        up: u32,
        /// Which.
        param: u32,
    },
}

/// An operation: runs at most once per instance of its region, when something needs its value or it is an effect. It has
/// ended when its value is there and the effects of its regions have ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Op {
    /// The step's id within its workflow: `verdicts/judge`. The full id has the calls' ids before it.
    pub id: SmolStr,
    /// What it does.
    pub kind: OpKind,
    /// What it takes; it starts when all are there.
    pub inputs: Vec<Ref>,
    /// Streams that it takes whole: of a stream operation or a call.
    pub takes: Vec<Take>,
    /// What must have ended before it starts, besides: `after`, `seq`, `require`. A failure there fails it.
    pub after: Vec<Ref>,
    /// How it is run.
    pub policy: Policy,
    /// Where it stands.
    pub span: SpanId,
    /// The type of its value.
    pub ty: TypeId,
}

/// What an operation does.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum OpKind {
    /// A constant.
    Const(ConstId),
    /// A pure stretch: the inputs are the code's parameters.
    Code(CodeId),
    /// A native that is not pure, or a pure one worth a thread: the inputs are its arguments.
    Native(NativeId),
    /// A workflow: the inputs are its parameters, taken when needed. Its value is its only output, or a record of them.
    Call(RegionId),
    /// Output `.1` of the [`OpKind::Call`] op of the same region `.0`: needs that output only.
    Output(OpId, u32),
    /// Takes the region at the place that input 0, an int, says. `if` is `[else, then]` over a bool: false is 0.
    Select(Vec<RegionId>),
    /// Runs the region once per item of input 0, a list or dict, and gives the list of the values in order.
    For {
        /// The body.
        body: RegionId,
        /// Whether result 0 says if the item is kept.
        keeps: bool,
        /// Whether the values are lists to be joined.
        flatten: bool,
    },
    /// Makes or takes streams. One that gives a stream, or a value per item, has no value of its own.
    Stream(Stream),
    /// In a source's region: what the stream operation that it names gives for the item.
    Per(Ref),
    /// Input 1 where input 0, a bool, is true, and needs it only then; else it is dropped: what takes it is dropped, too,
    /// and what takes it whole leaves it out.
    Filter,
    /// Rounds of the region, at most input 0 of them; the inputs after it are the first carried values.
    /// Its value is the carried value, or a record of them (of the op's type).
    Loop(RegionId),
    /// The first region's result, or the second's (a handler) where that fails.
    Try(RegionId, RegionId),
    /// The region's result.
    Block(RegionId),
    /// Fails with `failed` and input 1 as its message where input 0 is false; null else.
    Require,
}

/// How an operation is run. Durations in nanoseconds.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Policy {
    /// Retries after the first try.
    pub retry: Option<u32>,
    /// The first pause between tries.
    pub backoff: Option<i64>,
    /// Bound of each attempt.
    pub timeout: Option<i64>,
    /// How many bodies of a `for` run at once.
    pub parallel: Option<u32>,
    /// How long a result may be reused; `None` for not at all.
    pub cache: Option<Cache>,
    /// A `for` leaves out items that fail.
    pub skip_errors: bool,
}

/// How long a result may be reused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Cache {
    /// Nanoseconds.
    For(i64),
    /// Always.
    Forever,
}

/// An input of the workflow.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Input {
    /// Its name.
    pub name: SmolStr,
    /// Its type.
    pub ty: TypeId,
    /// Code without parameters that gives its default.
    pub default: Option<CodeId>,
    /// Least value.
    pub min: Option<f64>,
    /// Greatest value.
    pub max: Option<f64>,
    /// What it is, from its `///`.
    pub doc: Option<SmolStr>,
    /// Where it stands.
    pub span: SpanId,
}

/// An output of the workflow.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Output {
    /// Its name; `output` for the only one of `-> T`.
    pub name: SmolStr,
    /// Its type.
    pub ty: TypeId,
}

mod dump;
mod file;
mod readers;
mod validate;
pub use file::{MAX_SIZE, ReadError, read, write};
pub use readers::set_readers;
pub use validate::{MAX_CALL_DEPTH, call_depth, validate, workflow_depth};
