//! Natives: what a plan calls by id. The engine is handed a table of them and knows none by name.

use crate::value::{Fault, Func, Value};
use ntl_host::Host;
use rustc_hash::FxHashMap;
use smol_str::SmolStr;
use std::pin::Pin;
use std::sync::Arc;

/// What a native gives: a value or a fault.
pub type NativeResult = Result<Value, Fault>;
/// The future of an io native.
pub type NativeFuture = Pin<Box<dyn Future<Output = NativeResult> + Send>>;

/// How a pure native calls the function values that it is given, and reaches the types that its call names.
pub trait Calls {
    /// Calls `function` with `args`; a failure inside is passed on as it is, with its own place.
    fn call(&mut self, function: &Func, args: &[Value]) -> Result<Value, Failed>;

    /// The value as the type at a place of the call's [`ntl_plan::Native::type_args`]. Like `as`, but texts are read: a str
    /// where another plain type is wanted is read as a value of it (as an input of the command line is), an empty one as
    /// null where null fits and a str does not.
    fn read_as(&mut self, type_arg: usize, value: &Value) -> Result<Value, Fault>;
}

/// A failure inside a called function: the engine keeps the fault and where it happened; a native only passes it on.
#[derive(Debug)]
pub struct Failed(pub Box<dyn std::any::Any + Send>);

/// How a pure native ends.
#[derive(Debug)]
pub enum Stop {
    /// It fails itself.
    Fault(Fault),
    /// A function that it called failed.
    Failed(Failed),
}
impl From<Fault> for Stop {
    fn from(f: Fault) -> Self {
        Stop::Fault(f)
    }
}
impl From<Failed> for Stop {
    fn from(f: Failed) -> Self {
        Stop::Failed(f)
    }
}

/// What an io native is given besides its arguments.
#[derive(Clone)]
pub struct Cx {
    /// The gate to the world.
    pub host: Arc<Host>,
    /// Takes the run's log lines.
    pub log: Arc<dyn Fn(&str) + Send + Sync>,
}

/// What has happened, for a stream function that waits for it.
#[derive(Clone, Debug)]
pub enum Got {
    /// It begins, or what it gave has been taken.
    Nothing,
    /// A value of the stream at a place among its stream parameters.
    Value(usize, Value),
    /// No more values there.
    End(usize),
}

/// What a stream function does next.
#[derive(Clone, Debug)]
pub enum Turn {
    /// It takes the next value of the stream at a place among its stream parameters.
    Take(usize),
    /// It takes a value of any stream, as they arrive; [`Got::End`] when all have ended.
    TakeAny,
    /// It gives an item; of a `per` result the value for the item that it has just taken. Goes on when somebody wants more.
    Give(Value),
    /// It has ended, with this value if it gives neither.
    End(Value),
}

/// A stream function at work on the streams of one key. Dropped items are left out before it sees them, and an item that
/// failed ends it.
pub trait Stream: Send {
    /// Takes note of what has happened, and says what is next.
    fn turn(&mut self, calls: &mut dyn Calls, got: Got) -> Result<Turn, Stop>;

    /// How many more values it takes at most: no more are made for it at once.
    fn credit(&self) -> u64 {
        u64::MAX
    }
}

/// Begins a stream function, with those of its arguments that are no streams.
pub type StreamFn = fn(&[Value]) -> Result<Box<dyn Stream>, Fault>;

/// How a native runs.
#[derive(Clone, Copy)]
pub enum NativeFn {
    /// Pure and quick: inline, in register code.
    Pure(fn(&mut dyn Calls, &[Value]) -> Result<Value, Stop>),
    /// Waits for the world: its future runs beside the scheduler.
    Io(fn(Cx, Vec<Value>) -> NativeFuture),
    /// Blocks a thread: runs on the pool.
    Blocking(fn(Cx, Vec<Value>) -> NativeResult),
}

/// A native.
#[derive(Clone, Copy)]
pub struct Native {
    /// `std.text.join/0@1`.
    pub id: &'static str,
    /// How it runs.
    pub run: NativeFn,
    /// How it runs over what varies, if it is a stream function.
    pub stream: Option<StreamFn>,
}

/// The natives that a runtime has, by id.
#[derive(Clone, Default)]
pub struct Natives {
    table: FxHashMap<SmolStr, (NativeFn, Option<StreamFn>)>,
}

impl Natives {
    /// A table of these.
    pub fn new(natives: &[Native]) -> Self {
        Natives { table: natives.iter().map(|n| (SmolStr::new_static(n.id), (n.run, n.stream))).collect() }
    }

    /// These and others, which take the place of those with the same id.
    #[must_use]
    pub fn with(mut self, natives: &[Native]) -> Self {
        self.table.extend(Natives::new(natives).table);
        self
    }

    /// The native of an id.
    pub fn get(&self, id: &str) -> Option<NativeFn> {
        self.table.get(id).map(|native| native.0)
    }

    /// The native of an id as a stream function.
    pub fn stream(&self, id: &str) -> Option<StreamFn> {
        self.table.get(id).and_then(|native| native.1)
    }
}
