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
