//! What a run tells: events, warnings, outputs, errors.

use super::instance::Found;
use super::settle::Losses;
use super::slot::{At, Slot};
use super::{Ended, Scheduler};
use crate::failure::{Failure, Failures, Within};
use crate::run::{Event, StepStatus};
use crate::value::{Fault, MAX_DEPTH, MAX_TEXT, Value};
use ntl_plan::{OpKind, SpanId};

/// The outputs of the run: how many have not ended.
pub(super) struct Outputs {
    left: usize,
    is_told: bool,
}

impl Outputs {
    pub fn new(count: usize) -> Self {
        Outputs { left: count, is_told: false }
    }
}

/// The instance of the entry.
const ROOT: u32 = 0;

impl Scheduler<'_> {
    pub(super) fn emit(&mut self, event: Event) {
        (self.events)(event);
    }

    pub(super) fn log(&mut self, level: &'static str, at: Option<At>, message: String) {
        let step = at.map(|at| self.step_id(at));
        self.emit(Event::Log { level, step, message });
    }

    /// A loop has used up its rounds.
    pub(super) fn loop_exhausted(&mut self, at: At, span: SpanId) {
        let count = self.exhausted.entry(span).or_default();
        *count += 1;
        if *count == 1 {
            let message = format!("{} used up its rounds", self.loop_at(span));
            self.log("warning", Some(at), message);
        }
    }

    fn loop_at(&self, span: SpanId) -> String {
        let plan = &self.program.plan;
        let place = plan.spans.get(span.at()).and_then(|s| Some((plan.files.get(s.file as usize)?, s)));
        match place {
            Some((file, span)) => format!("the loop at {}:{}:{}", file.path, span.line, span.column),
            None => "a loop".to_owned(),
        }
    }

    /// A `for` has left out items that failed.
    pub(super) fn items_skipped(&mut self, at: At, skipped: u64, len: usize, first: &Failure) {
        let items = if skipped == 1 { "item" } else { "items" };
        let message = format!("left out {skipped} {items} of {len} that failed; first: {}", first.fault.message);
        self.log("info", Some(at), message);
    }

    pub(super) fn trace_started(&mut self, at: At, attempt: u32) {
        if self.trace {
            self.began.insert(at, self.host.elapsed());
            let (step, key) = (self.step_id(at), self.key(at.inst));
            self.emit(Event::StepStarted { step, key, attempt });
        }
    }

    pub(super) fn trace_finished(&mut self, at: At, ended: &Slot) {
        if !self.trace || !matches!(self.op(at).kind, OpKind::Code(_) | OpKind::Native(_)) {
            return;
        }
        let began = self.began.remove(&at);
        let (step, key) = (self.step_id(at), self.key(at.inst));
        // What failed before it began has failed by what it takes.
        let Some(began) = began else { return };
        let ms = self.host.elapsed().saturating_sub(began).as_secs_f64() * 1e3;
        let (status, error) = match ended.failures() {
            None => (StepStatus::Ok, None),
            Some(failures) => (StepStatus::Failed, failures.first(&self.program.plan).map(|f| f.fault.clone())),
        };
        self.emit(Event::StepFinished { step, key, status, ms, error });
    }

    /// An output has ended.
    pub(super) fn output_ended(&mut self, output: u32) {
        self.outputs.left -= 1;
        if let Some(Ok(value)) = self.output(output as usize)
            && let Some(declared) = self.program.plan.outputs.get(output as usize)
        {
            self.emit(Event::Output { name: declared.name.clone(), value });
        }
    }

    /// When all outputs have ended, the effects of the entry alone keep the run going.
    pub(super) fn outputs_may_have_ended(&mut self) {
        if self.outputs.left == 0 && !std::mem::replace(&mut self.outputs.is_told, true) {
            self.release(ROOT, Losses::default());
        }
    }

    /// What an output ended with, if it has.
    fn output(&self, output: usize) -> Option<Result<Value, Failures>> {
        let result = *self.region(ROOT).results.get(output)?;
        let at = match self.locate(ROOT, result) {
            Found::Slot(inst, slot) if !self.slot(inst, slot).has_ended() => return None,
            Found::Slot(inst, slot) => Some((inst, slot)),
            Found::Const(_) => None,
        };
        let ended = self.outcome_of(ROOT, result);
        // What is dropped is null where that may be: the compiler has seen to it.
        let ended = ended.map(|value| value.unwrap_or(Value::Null));
        match &ended {
            Ok(value) => match may_be_written(value, 0, &mut { MAX_TEXT }) {
                Ok(()) => Some(ended),
                Err(fault) => {
                    let given = self.instances[ROOT as usize].given;
                    let op = at.and_then(|(inst, slot)| Some(At { inst, op: slot.checked_sub(given)? }));
                    Some(Err(match op {
                        Some(op) => self.failure(op, fault, None, 1),
                        None => self.whole(fault),
                    }))
                }
            },
            Err(_) => Some(ended),
        }
    }

    /// A failure of the run as a whole.
    fn whole(&self, fault: Fault) -> Failures {
        let step = self.program.plan.workflow.clone();
        let within = Within::default();
        Failure { fault, span: None, calls: Vec::new(), step, key: Vec::new(), attempt: 1, inputs: None, within }.into()
    }

    /// What is told at the end.
    pub(super) fn end(&mut self, cancelled: bool) -> Ended {
        let (mut outputs, mut failed) = (Vec::new(), Vec::new());
        for at in 0..self.program.plan.outputs.len() {
            outputs.push(match self.output(at) {
                Some(Ok(value)) => Some(value),
                Some(Err(failures)) => {
                    failed.push(failures);
                    None
                }
                None => None,
            });
        }
        let lost = std::mem::take(&mut self.instances[ROOT as usize].lost);
        failed.extend(self.uncaught(&lost, None));
        if !cancelled && (self.outputs.left > 0 || self.instances[ROOT as usize].unsettled > 0) {
            failed
                .push(self.whole(Fault::new("internal", "a bug in NTL: nothing can go on, but the run has not ended")));
        }
        let warnings = std::mem::take(&mut self.exhausted).into_iter().map(|(span, count)| {
            let times = if count == 1 { String::new() } else { format!(" {count} times") };
            format!("{} used up its rounds{times}", self.loop_at(span))
        });
        Ended {
            cancelled,
            outputs,
            failures: Failures::all(failed).map(|f| f.list(&self.program.plan)).unwrap_or_default(),
            warnings: warnings.collect(),
            steps: self.ran,
        }
    }
}

/// Whether a value nests no deeper, and holds no more, than may be written. What is shared is written each time, and
/// a range in full, so that what takes little memory here may be beyond every memory there; `left` is in bytes.
fn may_be_written(value: &Value, depth: usize, left: &mut usize) -> Result<(), Fault> {
    let all = |items: usize| items.saturating_mul(size_of::<Value>());
    let bytes = match value {
        Value::Str(text) => text.as_str().len(),
        Value::Bytes(bytes) => bytes.len(),
        Value::List(list) => all(list.len()),
        Value::Tuple(items) => all(items.len()),
        Value::Record(record) => all(record.fields.len()),
        Value::Dict(entries) => all(entries.len()),
        _ => 0,
    };
    *left = left.checked_sub(bytes).ok_or_else(Fault::too_large)?;
    if !value.nests() {
        return Ok(());
    }
    if depth == MAX_DEPTH {
        return Err(Fault::too_deep());
    }
    let mut all = |items: &[Value]| items.iter().try_for_each(|v| may_be_written(v, depth + 1, left));
    match value {
        Value::List(list) => list.as_slice().map_or(Ok(()), all),
        Value::Tuple(items) => all(items),
        Value::Record(r) => all(&r.fields),
        Value::Dict(d) => d.values().try_for_each(|v| may_be_written(v, depth + 1, left)),
        _ => Ok(()),
    }
}
