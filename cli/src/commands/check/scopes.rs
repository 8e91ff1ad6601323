//! `ntl check --scopes`: each name with its type and what it varies per, as an editor shows it.

use crate::out::plain;
use crate::sources::{At, Sources};
use ntl_semantic::query::{display, locate};
use ntl_semantic::scopes::{Binding, BindingKind, bindings};
use ntl_semantic::{RootDb, SourceFile};
use serde_json::{Value, json};

/// A name of a file, ready to be shown.
pub struct Shown {
    at: At,
    binding: Binding,
    ty: String,
    /// The type and what it varies per.
    whole: String,
}

/// Every name that the files bind, file by file in order of place.
pub fn list(db: &RootDb, sources: &mut Sources, files: &[SourceFile]) -> Vec<Shown> {
    let all = files.iter().flat_map(|file| bindings(db, *file));
    all.map(|binding| {
        let (file, bytes) = locate(db, &binding.place);
        let (ty, whole) = (display(db, &binding.ty), binding.shown(db));
        Shown { at: sources.at(db, file, bytes), binding, ty, whole }
    })
    .collect()
}

/// One line each below the name of their file: `4:3  line: str per item`.
pub fn human(shown: &[Shown]) -> String {
    let places: Vec<String> = shown.iter().map(|s| format!("{}:{}", s.at.line, s.at.column)).collect();
    let width = places.iter().map(String::len).max().unwrap_or_default();
    let mut text = String::new();
    let mut file = "";
    for (s, place) in shown.iter().zip(&places) {
        if s.at.file != file {
            file = &s.at.file;
            text.push_str(&format!("{}{file}\n", if text.is_empty() { "" } else { "\n" }));
        }
        text.push_str(&format!("  {place:<width$}  {}: {}\n", s.binding.name, s.whole));
    }
    plain(&text)
}

/// The objects of a JSON document.
pub fn json(shown: &[Shown]) -> Value {
    let kind = |kind: BindingKind| match kind {
        BindingKind::Constant => "constant",
        BindingKind::Parameter => "parameter",
        BindingKind::Binding => "binding",
        BindingKind::Variable => "variable",
    };
    let one = |s: &Shown| {
        json!({
            "name": s.binding.name,
            "kind": kind(s.binding.kind),
            "type": s.ty,
            "scope": s.binding.scope,
            "shown": s.whole,
            "file": s.at.file,
            "line": s.at.line,
            "column": s.at.column,
            "end_line": s.at.end_line,
            "end_column": s.at.end_column,
        })
    };
    shown.iter().map(one).collect()
}
