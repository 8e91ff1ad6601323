//! Runs plans: values, the interpreter of register code, the scheduler, events. Sees operations, never nodes by name.

pub mod native;
pub mod value;

pub use native::{Cx, Native, NativeFn, Natives};
pub use value::{Dict, Fault, Func, Key, List, Record, Shape, Text, Tuple, Value};

#[cfg(test)]
mod build;
mod cancel;
mod conform;
mod failure;
mod interp;
pub mod json;
mod literal;
mod program;
pub mod run;
mod sched;
pub use cancel::Cancel;
pub use run::{Event, Input, Options, Outcome, Prepared, RunError, Status, StepStatus, run};
