//! A run: checks before the start, then the scheduler.

use crate::native::Natives;
use crate::value::{Fault, Value};
use ntl_host::Host;
use ntl_plan::{Plan, Span};
use smol_str::SmolStr;
use std::sync::Arc;

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Every output is there.
    Completed,
    /// Something failed.
    Failed,
    /// It was cancelled.
    Cancelled,
}

/// A failure of a run, or a refusal before its start.
#[derive(Clone, Debug)]
pub struct RunError {
    /// What failed.
    pub fault: Fault,
    /// The failing expression; `None` where the fault is not in a source (an input).
    pub span: Option<Span>,
    /// Calls up to the step, innermost first: name and place.
    pub calls: Vec<(SmolStr, Span)>,
    /// The step's full id.
    pub step: SmolStr,
    /// The indices of the item on which it failed.
    pub key: Vec<u64>,
    /// Which try it was, from 1.
    pub attempt: u32,
    /// What the step was given, by name, cut at 2 KB, secrets masked.
    pub inputs: Vec<(SmolStr, serde_json::Value)>,
}

/// What happens during a run, in order. Grows with RUNTIME.md.
#[derive(Clone, Debug)]
pub enum Event {
    /// A line of the run's log: `print`, warnings.
    Log {
        /// `info`, `warning`.
        level: &'static str,
        /// The step, if it is one's.
        step: Option<SmolStr>,
        /// The line.
        message: String,
    },
}

/// How a run is run.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The run's id.
    pub run: SmolStr,
}

/// How a run ended.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// In one word.
    pub status: Status,
    /// Outputs that are there, in declared order.
    pub outputs: Vec<(SmolStr, Value)>,
    /// Every failure that nothing caught, once each.
    pub errors: Vec<RunError>,
    /// Log lines of level `warning`.
    pub warnings: Vec<String>,
}

/// An input as a user gives it.
#[derive(Clone, Debug)]
pub enum Input {
    /// `name=value` of a command line: by the declared type, a str verbatim, a duration or size as its literal, all
    /// else JSON or an NTL literal.
    Text(String),
    /// From a JSON document.
    Json(serde_json::Value),
}

/// A run that may start: inputs, permissions and natives are in order.
pub struct Prepared {
    /// The plan.
    pub plan: Arc<Plan>,
    /// Its inputs, defaults filled in.
    pub inputs: Vec<Value>,
}

impl Prepared {
    /// Checks, in this order, inputs (present, known, of their type, within bounds), permissions, and that every native
    /// is there. The second part of the error is the exit status: 2, or 3 where a native is missing.
    pub fn new(
        plan: Arc<Plan>,
        inputs: &[(String, Input)],
        host: &Host,
        natives: &Natives,
    ) -> Result<Self, (Vec<RunError>, u8)> {
        let _ = (plan, inputs, host, natives);
        Err((Vec::new(), 2))
    }
}

/// Runs it to its end. `events` is called in order, on the scheduler's thread.
pub async fn run(
    prepared: Prepared,
    natives: Natives,
    host: Arc<Host>,
    options: Options,
    events: Box<dyn FnMut(Event) + Send>,
) -> Outcome {
    let _ = (prepared, natives, host, options, events);
    Outcome { status: Status::Failed, outputs: Vec::new(), errors: Vec::new(), warnings: Vec::new() }
}
