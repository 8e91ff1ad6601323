//! Diagnostics are data: made by queries, rendered at the edge.

use crate::db::Def;
use ntl_syntax::Side;
use ntl_syntax::ast::Span;
use smol_str::SmolStr;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// The program is wrong.
    Error,
    /// The program runs, but surely this is not meant.
    Warning,
}

/// A place in a source: tokens of an item, so that it stays right when the item moves.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    /// The item.
    pub def: Def,
    /// Its tokens.
    pub span: Span,
}

/// Something to say about a second place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// Where.
    pub place: Place,
    /// What.
    pub text: String,
}

/// A mechanical repair: all edits together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// What it does, in the imperative: "use `total`".
    pub title: String,
    /// What is written where.
    pub edits: Vec<Edit>,
    /// How far it goes by itself.
    pub applicability: Applicability,
    /// The library's module that the file must bring in as well. [`crate::query::file_diagnostics`] makes an edit of it.
    pub(crate) needs_use: Option<SmolStr>,
}

/// A text that is written at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The place.
    pub place: Place,
    /// Instead of it, before it or after it.
    pub side: Side,
    /// What is written.
    pub text: String,
}

/// How far a fix goes by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Applicability {
    /// What comes out is surely meant: a tool may apply it.
    MachineApplicable,
    /// It may be meant, or something like it: for a person to choose.
    MaybeIncorrect,
    /// It writes values that stand for those that only the author knows: `""`, `0`, `error("to do")`.
    HasPlaceholders,
}

impl Applicability {
    /// As documents call it.
    pub fn name(self) -> &'static str {
        match self {
            Applicability::MachineApplicable => "machine-applicable",
            Applicability::MaybeIncorrect => "maybe-incorrect",
            Applicability::HasPlaceholders => "has-placeholders",
        }
    }
}

impl Edit {
    /// A text instead of what stands at a place.
    pub(crate) fn instead(place: Place, text: impl Into<String>) -> Self {
        Edit { place, side: Side::Instead, text: text.into() }
    }

    /// A text right before a place.
    pub(crate) fn before(place: Place, text: impl Into<String>) -> Self {
        Edit { place, side: Side::Before, text: text.into() }
    }

    /// A text right after a place.
    pub(crate) fn after(place: Place, text: impl Into<String>) -> Self {
        Edit { place, side: Side::After, text: text.into() }
    }

    /// Texts around a place.
    pub(crate) fn around(place: Place, before: impl Into<String>, after: impl Into<String>) -> Vec<Self> {
        vec![Edit::before(place.clone(), before), Edit::after(place, after)]
    }
}

impl Fix {
    /// A repair that a tool may apply.
    pub(crate) fn new(title: impl Into<String>, edits: Vec<Edit>) -> Self {
        Fix { title: title.into(), edits, applicability: Applicability::MachineApplicable, needs_use: None }
    }

    /// The same as one of several ways out.
    pub(crate) fn guessed(mut self) -> Self {
        self.applicability = Applicability::MaybeIncorrect;
        self
    }

    /// The same with values in it that only the author knows.
    pub(crate) fn with_placeholders(mut self) -> Self {
        self.applicability = Applicability::HasPlaceholders;
        self
    }

    /// The same, bringing in a module of the library.
    pub(crate) fn using(mut self, module: impl Into<SmolStr>) -> Self {
        self.needs_use = Some(module.into());
        self
    }
}

/// Something to say to the author of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// `E0301`, `W0101`.
    pub code: &'static str,
    /// How bad.
    pub severity: Severity,
    /// One line, lower case, names things in backticks; good without anything else.
    pub message: String,
    /// What it is about.
    pub place: Place,
    /// Words right at the primary place; may be empty.
    pub label: String,
    /// Other places that explain.
    pub labels: Vec<Label>,
    /// What else to know or do: each a sentence.
    pub notes: Vec<String>,
    /// Repairs, the best first.
    pub fixes: Vec<Fix>,
}

/// A kind of diagnostic: an entry of the registry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Code {
    /// `E0301`. Never used again for something else.
    pub id: &'static str,
    /// How bad.
    pub severity: Severity,
    /// What it is about, in a few words.
    pub title: &'static str,
}

impl Diagnostic {
    /// Something to say about a place.
    pub fn new(code: Code, place: Place, message: impl Into<String>) -> Self {
        Diagnostic {
            code: code.id,
            severity: code.severity,
            message: message.into(),
            place,
            label: String::new(),
            labels: Vec::new(),
            notes: Vec::new(),
            fixes: Vec::new(),
        }
    }

    /// Adds words right at the primary place.
    pub fn here(mut self, text: impl Into<String>) -> Self {
        self.label = text.into();
        self
    }

    /// Adds another place that explains.
    pub fn label(mut self, place: Place, text: impl Into<String>) -> Self {
        self.labels.push(Label { place, text: text.into() });
        self
    }

    /// Adds what else to know or do.
    pub fn note(mut self, text: impl Into<String>) -> Self {
        self.notes.push(text.into());
        self
    }

    /// Adds a repair of one place.
    pub fn fix(self, title: impl Into<String>, place: Place, text: impl Into<String>) -> Self {
        self.mend(Fix::new(title, vec![Edit::instead(place, text)]))
    }

    /// Adds a repair.
    pub fn mend(mut self, fix: Fix) -> Self {
        self.fixes.push(fix);
        self
    }

    /// Names what was probably meant, with the repair, where there is something near.
    pub(crate) fn suggest(mut self, near: Option<SmolStr>, place: Place) -> Self {
        if let Some(near) = near {
            self.message.push_str(&format!("; did you mean `{near}`?"));
            let edit = Edit::instead(place, written_name(&near));
            self = self.mend(Fix::new(format!("use `{near}`"), vec![edit]).guessed());
        }
        self
    }
}

/// A name as it is written: in backticks where it is no identifier.
pub(crate) fn written_name(name: &str) -> String {
    let is_path = name.chars().all(|c| c == '_' || c == '.' || c == '/' || unicode_ident::is_xid_continue(c));
    if is_path { name.to_owned() } else { format!("`{name}`") }
}
