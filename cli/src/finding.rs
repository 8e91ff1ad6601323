//! What there is to tell, whoever found it: the checker, a run, or the command itself. It is shown in two ways: as JSON
//! (here) and to people (`render`).

use crate::exit::Exit;
use crate::out::plain;
use crate::sources::{At, Sources};
use miette::{GraphicalReportHandler, GraphicalTheme};
use ntl_engine::RunError;
use ntl_plan::{Plan, Span, SpanId};
use ntl_semantic::query::{locate, locate_edit};
use ntl_semantic::{Applicability, Db, Diagnostic, Place};
use serde_json::{Map, Value, json};
use std::fmt;

pub use ntl_semantic::Severity;

/// Something to tell.
#[derive(Clone, Debug)]
pub struct Finding {
    /// `E0301`, or a run's word: `division_by_zero`.
    pub code: String,
    /// How bad it is.
    pub severity: Severity,
    /// One line.
    pub message: String,
    /// Where; `None` where it is in no source.
    pub at: Option<At>,
    /// Words at the place.
    pub label: String,
    /// Other places that explain.
    pub labels: Vec<(At, String)>,
    /// What else to know or do.
    pub notes: Vec<String>,
    /// Repairs.
    pub fixes: Vec<Fix>,
    /// Which step of a run failed.
    pub step: Option<Step>,
}

/// A mechanical repair.
#[derive(Clone, Debug)]
pub struct Fix {
    /// What it does.
    pub title: String,
    /// What is written instead of what stands at each place.
    pub edits: Vec<(At, String)>,
    /// How far it goes by itself.
    pub applicability: Applicability,
}

/// The step of a run that failed.
#[derive(Clone, Debug)]
pub struct Step {
    /// Whether it had begun; else the whole run was refused.
    began: bool,
    id: String,
    key: Vec<u64>,
    attempt: u32,
    inputs: Map<String, Value>,
    causes: Vec<(String, String)>,
}

/// Why a command ends early.
#[derive(Debug)]
pub struct Stop {
    /// What there is to tell.
    pub findings: Vec<Finding>,
    /// The sources that they are about.
    pub sources: Sources,
    /// How it ends.
    pub exit: Exit,
}

impl From<Finding> for Stop {
    fn from(finding: Finding) -> Self {
        Stop { findings: vec![finding], sources: Sources::default(), exit: Exit::Wrong }
    }
}

impl Stop {
    /// Says what to do about it.
    pub fn help(mut self, help: impl Into<String>) -> Self {
        if let Some(first) = self.findings.first_mut() {
            first.notes.push(help.into());
        }
        self
    }
}

impl Finding {
    /// A problem of the command itself, in no source.
    pub fn problem(code: &str, message: impl Into<String>) -> Self {
        Finding {
            code: code.to_owned(),
            severity: Severity::Error,
            message: message.into(),
            at: None,
            label: String::new(),
            labels: Vec::new(),
            notes: Vec::new(),
            fixes: Vec::new(),
            step: None,
        }
    }

    /// Says what to do about it.
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.notes.push(help.into());
        self
    }

    /// What the checker says.
    pub fn of_diagnostic(db: &dyn Db, sources: &mut Sources, d: &Diagnostic) -> Self {
        let mut at = |place: &Place| {
            let (file, bytes) = locate(db, place);
            sources.at(db, file, bytes)
        };
        let (place, label) = (at(&d.place), d.label.clone());
        let labels = d.labels.iter().map(|l| (at(&l.place), l.text.clone())).collect();
        let mut edit = |edit: &ntl_semantic::Edit| {
            let (file, bytes, text) = locate_edit(db, edit);
            (sources.at(db, file, bytes), text)
        };
        Finding {
            code: d.code.to_owned(),
            severity: d.severity,
            message: d.message.clone(),
            at: Some(place),
            label,
            labels,
            notes: d.notes.clone(),
            fixes: d
                .fixes
                .iter()
                .map(|f| Fix {
                    title: f.title.clone(),
                    edits: f.edits.iter().map(&mut edit).collect(),
                    applicability: f.applicability,
                })
                .collect(),
            step: None,
        }
    }

    /// Why a run was refused before its start.
    pub fn of_refusal(plan: &Plan, error: &RunError) -> Self {
        let mut finding = Finding::of_run(plan, error);
        if let Some(step) = &mut finding.step {
            step.began = false;
        }
        finding
    }

    /// What went wrong in a run.
    pub fn of_run(plan: &Plan, error: &RunError) -> Self {
        let at = |span: &Span| place_in(plan, span);
        let causes = std::iter::successors(error.fault.cause.as_deref(), |f| f.cause.as_deref());
        Finding {
            at: error.span.as_ref().and_then(at),
            labels: error.calls.iter().filter_map(|(name, span)| Some((at(span)?, used(name)))).collect(),
            step: Some(Step {
                began: true,
                id: error.step.to_string(),
                key: error.key.clone(),
                attempt: error.attempt,
                inputs: error.inputs.iter().map(|(name, value)| (name.to_string(), value.clone())).collect(),
                causes: causes.map(|f| (f.code.to_string(), f.message.clone())).collect(),
            }),
            ..Finding::problem(&error.fault.code, error.fault.message.clone())
        }
    }

    /// Whether it is an error.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }

    /// The object of a JSON document. `file` and its like are null where the finding is in no source.
    pub fn json(&self) -> Value {
        let mut object = Map::new();
        object.insert("code".into(), json!(self.code));
        object.insert("severity".into(), json!(self.severity_word()));
        object.insert("message".into(), json!(self.message));
        match &self.at {
            Some(at) => at.write(&mut object),
            None => {
                for key in ["file", "line", "column", "end_line", "end_column"] {
                    object.insert(key.into(), Value::Null);
                }
            }
        }
        if !self.label.is_empty() {
            object.insert("label".into(), json!(self.label));
        }
        let labels = self.labels.iter().map(|(at, text)| with_place(at, "message", text));
        object.insert("labels".into(), labels.collect());
        object.insert("notes".into(), json!(self.notes));
        let fix = |fix: &Fix| {
            let edits: Value = fix.edits.iter().map(|(at, text)| with_place(at, "text", text)).collect();
            json!({ "title": fix.title, "applicability": fix.applicability.name(), "edits": edits })
        };
        object.insert("fixes".into(), self.fixes.iter().map(fix).collect());
        Value::Object(object)
    }

    /// The object in the document of a run, which says besides what was going on: of what failed before a step had begun,
    /// `step` is null and `attempt` 0.
    pub fn run_json(&self) -> Value {
        let mut object = self.json();
        let began = self.step.as_ref().filter(|step| step.began);
        let cause = |(code, message): &(String, String)| json!({ "code": code, "message": message });
        let causes = self.step.iter().flat_map(|step| &step.causes).map(cause);
        object["step"] = json!(began.map(|step| &step.id));
        object["key"] = json!(began.map_or(&[][..], |step| &step.key));
        object["attempt"] = json!(began.map_or(0, |step| step.attempt));
        object["inputs"] = began.map_or_else(|| json!({}), |step| json!(step.inputs));
        object["causes"] = causes.collect();
        object
    }

    /// What stands below the source: notes, and of a run which step, on which item, given what.
    pub fn remarks(&self) -> Vec<String> {
        let mut remarks: Vec<String> = self.notes.iter().map(|n| plain(n)).collect();
        if let Some(step) = self.step.as_ref().filter(|s| s.began) {
            for (code, message) in &step.causes {
                remarks.push(plain(&format!("because of {code}: {message}")));
            }
            if !step.id.is_empty() {
                let item = match step.key.as_slice() {
                    [] => String::new(),
                    key => format!(", item {}", key.iter().map(u64::to_string).collect::<Vec<_>>().join(".")),
                };
                let attempt = if step.attempt > 1 { format!(", attempt {}", step.attempt) } else { String::new() };
                remarks.push(plain(&format!("in step `{}`{item}{attempt}", step.id)));
            }
            if !step.inputs.is_empty() {
                let inputs: Vec<String> =
                    step.inputs.iter().map(|(name, v)| format!("{name} = {}", short(v))).collect();
                remarks.push(plain(&format!("given {}", inputs.join(", "))));
            }
        }
        remarks
    }

    /// What people read where there is no source to show.
    pub fn human(&self) -> String {
        let theme = if crate::out::stderr_is_coloured() {
            GraphicalTheme::unicode()
        } else {
            GraphicalTheme::unicode_nocolor()
        };
        let mut text = String::new();
        // Writing to a String does not fail.
        let _ = GraphicalReportHandler::new_themed(theme).render_report(&mut text, self);
        text
    }

    /// `error`, `warning`.
    pub fn severity_word(&self) -> &'static str {
        match self.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        }
    }
}

/// A place of a plan.
pub fn place_of(plan: &Plan, span: SpanId) -> Option<At> {
    place_in(plan, plan.spans.get(span.at())?)
}

fn place_in(plan: &Plan, span: &Span) -> Option<At> {
    let file = plan.files.get(span.file as usize)?.path.to_string();
    let Span { line, column, end_line, end_column, .. } = *span;
    Some(At { file, line, column, end_line, end_column })
}

/// A value as a remark shows it.
fn short(value: &Value) -> String {
    const LIMIT: usize = 120;
    let text = value.to_string();
    if text.len() <= LIMIT { text } else { format!("{}…", &text[..text.floor_char_boundary(LIMIT)]) }
}

fn with_place(at: &At, key: &str, text: &str) -> Value {
    let mut object = Map::new();
    object.insert(key.into(), json!(text));
    at.write(&mut object);
    Value::Object(object)
}

/// A bug in `ntl` itself.
pub fn internal(what: &str) -> Finding {
    Finding::problem("internal", format!("internal error: {what}")).help(format!(
        "this is a bug in ntl {}, not in your program; please report it with this message, the command and the files ({} {})",
        env!("CARGO_PKG_VERSION"),
        std::env::consts::OS,
        std::env::consts::ARCH,
    ))
}

/// A command line that is not understood, for those who asked for JSON.
pub fn usage(error: &clap::Error) -> Finding {
    let text = error.render().to_string();
    let (first, rest) = text.trim().split_once('\n').unwrap_or((text.trim(), ""));
    let finding = Finding::problem("usage", first.trim_start_matches("error: "));
    rest.lines().map(str::trim).filter(|l| !l.is_empty()).fold(finding, |f, line| f.help(line))
}

/// What is said where code runs other code: a function, a constant, or a small function that it handed to another one.
fn used(name: &str) -> String {
    match name {
        ntl_plan::SMALL_FUNCTION => "in the small function that is used here".to_owned(),
        _ => format!("in `{name}`, which is used here"),
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = self.at.as_ref().map(|at| format!("{}:{}:{}: ", at.file, at.line, at.column));
        f.write_str(&plain(&format!("{}{}", place.unwrap_or_default(), self.message)))
    }
}
impl std::error::Error for Finding {}
impl miette::Diagnostic for Finding {
    fn code<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        // A problem of the command says all in its message.
        let is_told =
            self.step.as_ref().is_some_and(|s| s.began) || ntl_semantic::diagnostics::explain(&self.code).is_some();
        is_told.then(|| Box::new(&self.code) as Box<dyn fmt::Display>)
    }
    fn severity(&self) -> Option<miette::Severity> {
        Some(match self.severity {
            Severity::Error => miette::Severity::Error,
            Severity::Warning => miette::Severity::Warning,
        })
    }
    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        let mut lines = self.remarks();
        lines.extend(self.labels.iter().map(|(at, text)| plain(&format!("{}:{}: {text}", at.file, at.line))));
        lines.extend(self.fixes.iter().map(|f| plain(&f.title)));
        if lines.is_empty() { None } else { Some(Box::new(lines.join("\n"))) }
    }
}
