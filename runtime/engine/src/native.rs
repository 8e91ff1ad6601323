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
}

/// The natives that a runtime has, by id.
#[derive(Clone, Default)]
pub struct Natives {
    table: FxHashMap<SmolStr, NativeFn>,
}

impl Natives {
    /// A table of these.
    pub fn new(natives: &[Native]) -> Self {
        Natives { table: natives.iter().map(|n| (SmolStr::new_static(n.id), n.run)).collect() }
    }

    /// The native of an id.
    pub fn get(&self, id: &str) -> Option<NativeFn> {
        self.table.get(id).copied()
    }
}
