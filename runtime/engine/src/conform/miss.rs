//! Why a value does not conform: kept as data until it is known that it is told.

use super::type_text;
use crate::native::Stop;
use crate::program::Program;
use crate::value::{Fault, Key, Shape, Value, brief};
use ntl_plan::TypeId;
use smol_str::SmolStr;
use std::fmt::Write;

/// How a conversion ends that did not succeed.
pub(super) enum Fail {
    /// The value does not fit: another member of a union may.
    Miss(Box<Miss>),
    /// The conversion itself failed.
    Stop(Stop),
}

/// A value that does not fit.
pub(super) struct Miss {
    /// From the inside out.
    path: Vec<Step>,
    wanted: TypeId,
    what: What,
}

enum What {
    Wrong(Value),
    Inexact(Value),
    Missing,
    Empty,
    Unread(Value, String),
}

/// A step of the path to a value.
pub(super) enum Step {
    Index(usize),
    Field(SmolStr),
    Key(Key),
}

impl Miss {
    fn fail(wanted: TypeId, what: What) -> Fail {
        Fail::Miss(Box::new(Miss { path: Vec::new(), wanted, what }))
    }
    /// It is of another type.
    pub(super) fn wrong(wanted: TypeId, found: &Value) -> Fail {
        Miss::fail(wanted, What::Wrong(found.clone()))
    }
    /// An int that no float is.
    pub(super) fn inexact(wanted: TypeId, found: &Value) -> Fail {
        Miss::fail(wanted, What::Inexact(found.clone()))
    }
    /// A field is not there.
    pub(super) fn missing(wanted: TypeId) -> Fail {
        Miss::fail(wanted, What::Missing)
    }
    /// A cell of a table has nothing in it.
    pub(super) fn empty(wanted: TypeId) -> Fail {
        Miss::fail(wanted, What::Empty)
    }
    /// A text is not the literal of one.
    pub(super) fn unread(wanted: TypeId, found: &Value, why: String) -> Fail {
        Miss::fail(wanted, What::Unread(found.clone(), why))
    }

    /// Whether it is about a part of the value.
    pub(super) fn is_within(&self) -> bool {
        !self.path.is_empty()
    }

    fn into_fault(self, program: &Program) -> Fault {
        let wanted = type_text(program, self.wanted);
        let path = path_text(&self.path);
        let at = if path.is_empty() { String::new() } else { format!(" at `{path}`") };
        let kind = |v: &Value| match v {
            Value::Null => String::new(),
            v => format!("{} ", v.kind()),
        };
        match self.what {
            What::Wrong(v) => Fault::new("type", format!("expected {wanted}{at}, found {}{}", kind(&v), brief(&v, 60))),
            What::Missing => Fault::new("type", format!("expected {wanted}{at}, but it is missing")),
            What::Empty => {
                let may = if wanted.contains(' ') { format!("({wanted})?") } else { format!("{wanted}?") };
                let message =
                    format!("expected {wanted}{at}, found an empty cell: what may be empty is of type `{may}`");
                Fault::new("type", message)
            }
            What::Inexact(v) => {
                let message = format!("int {}{at} is no float exactly: above 2^53 floats have gaps", brief(&v, 60));
                Fault::new("inexact", message)
            }
            What::Unread(v, why) => {
                let message = format!("expected {wanted}{at}, found {}: {why}", brief(&v, 60));
                Fault::new("type", message)
            }
        }
    }
}

impl Fail {
    pub(super) fn fault(fault: Fault) -> Fail {
        Fail::Stop(Stop::Fault(fault))
    }

    /// The same, seen from one level out.
    pub(super) fn at(mut self, step: impl FnOnce() -> Step) -> Fail {
        if let Fail::Miss(miss) = &mut self {
            miss.path.push(step());
        }
        self
    }

    /// The outermost step, an index into a record, as the field that it is.
    pub(super) fn name_steps(mut self, shape: &Shape) -> Fail {
        if let Fail::Miss(miss) = &mut self
            && let Some(step) = miss.path.last_mut()
            && let Step::Index(i) = *step
            && let Some(name) = shape.names.get(i)
        {
            *step = Step::Field(name.clone());
        }
        self
    }

    pub(super) fn into_stop(self, program: &Program) -> Stop {
        match self {
            Fail::Miss(miss) => Stop::Fault(miss.into_fault(program)),
            Fail::Stop(stop) => stop,
        }
    }
}

/// `[1].points`, `.a["b c"]` without the first point.
fn path_text(path: &[Step]) -> String {
    let mut text = String::new();
    for step in path.iter().rev() {
        // Writing to a String does not fail.
        let _ = match step {
            Step::Index(i) => write!(text, "[{i}]"),
            Step::Key(Key::Int(i)) => write!(text, "[{i}]"),
            Step::Field(name) if is_name(name) => write!(text, "{}{name}", if text.is_empty() { "" } else { "." }),
            Step::Field(name) => write!(text, "[{name:?}]"),
            Step::Key(Key::Str(name)) if is_name(name) => {
                write!(text, "{}{name}", if text.is_empty() { "" } else { "." })
            }
            Step::Key(Key::Str(name)) => write!(text, "[{:?}]", name.as_str()),
        };
    }
    text
}

fn is_name(name: &str) -> bool {
    !name.is_empty()
        && name.chars().all(|c| c.is_alphanumeric() || c == '_')
        && !name.starts_with(|c: char| c.is_numeric())
}
