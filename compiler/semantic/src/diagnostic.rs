//! Diagnostics are data: made by queries, rendered at the edge.

use crate::db::Def;
use ntl_syntax::ast::Span;

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
    /// What is written instead of the tokens of each place.
    pub edits: Vec<(Place, String)>,
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
    pub fn fix(mut self, title: impl Into<String>, place: Place, text: impl Into<String>) -> Self {
        self.fixes.push(Fix { title: title.into(), edits: vec![(place, text.into())] });
        self
    }

    /// Names what was probably meant, with the repair, where there is something near.
    pub(crate) fn suggest(mut self, near: Option<smol_str::SmolStr>, place: Place) -> Self {
        if let Some(near) = near {
            self.message.push_str(&format!("; did you mean `{near}`?"));
            self = self.fix(format!("use `{near}`"), place, written_name(&near));
        }
        self
    }
}

/// A name as it is written: in backticks where it is no identifier.
pub(crate) fn written_name(name: &str) -> String {
    let is_path = name.chars().all(|c| c == '_' || c == '.' || c == '/' || unicode_ident::is_xid_continue(c));
    if is_path { name.to_owned() } else { format!("`{name}`") }
}
