//! A run: checks before the start, then the scheduler.

mod forms;
mod inputs;
mod permissions;
#[cfg(test)]
mod tests;

use crate::cancel::Cancel;
use crate::failure::Failure;
use crate::json::to_json;
use crate::native::Natives;
use crate::program::Program;
use crate::sched::{self, Setup};
use crate::value::{Fault, Value, brief};
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

/// How a step ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepStatus {
    /// It has a value.
    Ok,
    /// It failed.
    Failed,
}

/// What happens during a run, in order. Grows with RUNTIME.md.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Event {
    /// The run begins.
    RunStarted {
        /// Its id.
        run: SmolStr,
        /// The workflow's name.
        workflow: SmolStr,
    },
    /// A step begins. Told only if [`Options::trace`] is set, as the next one.
    StepStarted {
        /// Its full id.
        step: SmolStr,
        /// The indices of the item that it runs for.
        key: Vec<u64>,
        /// Which try it is, from 1.
        attempt: u32,
    },
    /// A step that had begun has ended.
    StepFinished {
        /// Its full id.
        step: SmolStr,
        /// The indices of the item that it ran for.
        key: Vec<u64>,
        /// How it ended.
        status: StepStatus,
        /// How long it took, in milliseconds.
        ms: f64,
        /// Why it failed.
        error: Option<Fault>,
    },
    /// An output of the run is there.
    Output {
        /// Its name.
        name: SmolStr,
        /// Its value.
        value: Value,
    },
    /// A line of the run's log: `print`, warnings.
    Log {
        /// `info`, `warning`.
        level: &'static str,
        /// The step, if it is one's.
        step: Option<SmolStr>,
        /// The line.
        message: String,
    },
    /// Nothing could go on but sources whose windows are full: that of one has grown.
    WindowGrown {
        /// The source's full id.
        step: SmolStr,
        /// The key under which it gives items.
        key: Vec<u64>,
        /// How many items may be open now.
        window: u32,
    },
    /// The run has ended.
    RunFinished {
        /// How.
        status: Status,
        /// How many failures nothing caught.
        errors: usize,
        /// How many steps ran.
        steps: u64,
        /// How long it took, in milliseconds.
        ms: f64,
    },
}

/// How a run is run.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The run's id.
    pub run: SmolStr,
    /// What stops it.
    pub cancel: Cancel,
    /// Whether each step is an event, too.
    pub trace: bool,
    /// How many items of a source may be open per key of its scope; 0 for the default.
    pub window: u32,
    /// What is ready is looked at in an order made from this number instead of the usual one.
    pub shuffle: Option<u64>,
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
    program: Program,
}

impl std::fmt::Debug for Prepared {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Prepared").field("workflow", &self.plan.workflow).field("inputs", &self.inputs).finish()
    }
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
        let program = ntl_plan::validate(&plan)
            .map_err(|e| Fault::new("invalid", format!("the plan is broken: {}", e.message)))
            .and_then(|()| Program::new(plan.clone(), natives))
            .map_err(|fault| (vec![refusal(&plan, fault, None)], 2))?;
        let values = inputs::check(&program, inputs).map_err(|errors| (errors, 2))?;
        permissions::granted(&plan, host).map_err(|errors| (errors, 2))?;
        permissions::present(&program).map_err(|errors| (errors, 3))?;
        Ok(Prepared { plan, inputs: values, program })
    }
}

/// Runs it to its end. `events` is called in order, on the scheduler's thread.
pub async fn run(
    prepared: Prepared,
    host: Arc<Host>,
    options: Options,
    mut events: Box<dyn FnMut(Event) + Send>,
) -> Outcome {
    let Prepared { plan, inputs, program } = prepared;
    let began = host.elapsed();
    events(Event::RunStarted { run: options.run.clone(), workflow: plan.workflow.clone() });
    let setup = Setup { program: &program, inputs, host: host.clone(), options, events };
    let (ended, mut events) = sched::run(setup).await;
    let status = match (ended.cancelled, ended.failures.is_empty()) {
        (true, _) => Status::Cancelled,
        (false, false) => Status::Failed,
        (false, true) => Status::Completed,
    };
    let errors: Vec<RunError> = ended.failures.iter().map(|f| told(&plan, f)).collect();
    let names = plan.outputs.iter().map(|o| o.name.clone());
    let outputs = names.zip(ended.outputs).filter_map(|(name, value)| Some((name, value?))).collect();
    let ms = host.elapsed().saturating_sub(began).as_secs_f64() * 1e3;
    events(Event::RunFinished { status, errors: errors.len(), steps: ended.steps, ms });
    Outcome { status, outputs, errors, warnings: ended.warnings }
}

/// A failure as users are told.
fn told(plan: &Plan, failure: &Failure) -> RunError {
    let span = |id: ntl_plan::SpanId| plan.spans.get(id.at()).copied();
    let inputs = failure.inputs.as_ref().map(|(native, args)| {
        let Some(native) = plan.natives.get(native.at()) else { return Vec::new() };
        let reaches_net = plan.touches.iter().any(|t| t.kind == "net" && t.by == native.name);
        let shown = args.iter().map(|value| match value {
            Value::Str(text) if reaches_net => match ntl_host::net::without_secrets(text) {
                Some(url) => shortened(&Value::str(url)),
                None => shortened(value),
            },
            value => shortened(value),
        });
        native.params.iter().cloned().zip(shown).collect()
    });
    RunError {
        fault: failure.fault.clone(),
        span: failure.span.and_then(span),
        calls: failure.calls.iter().filter_map(|(name, at)| Some((name.clone(), span(*at)?))).collect(),
        step: failure.step.clone(),
        key: failure.key.clone(),
        attempt: failure.attempt,
        inputs: inputs.unwrap_or_default(),
    }
}

/// A value as JSON; one that is longer than 2 KB as the beginning of its text.
fn shortened(value: &Value) -> serde_json::Value {
    const LIMIT: usize = 2048;
    let text = brief(value, LIMIT);
    if text.ends_with('…') { serde_json::Value::String(text) } else { to_json(value) }
}

/// Why a run does not start.
fn refusal(plan: &Plan, fault: Fault, span: Option<Span>) -> RunError {
    let step = plan.workflow.clone();
    RunError { fault, span, calls: Vec::new(), step, key: Vec::new(), attempt: 1, inputs: Vec::new() }
}
