//! The examples of `ntl explain`: the wrong ones have the mistake that their page is about and no other, the right ones none.

use crate::program::{Program, blocks};
use ntl_semantic::diagnostics::REGISTRY;
use ntl_semantic::{RootDb, Severity};
use std::collections::BTreeSet;

/// What is told of a program: of errors all codes, of warnings that of the page.
fn told(program: &Program, code: &str) -> BTreeSet<&'static str> {
    let found = program.check(&mut RootDb::default());
    found.iter().filter(|d| d.severity == Severity::Error || d.code == code).map(|d| d.code).collect()
}

/// Whether the checker says nothing of this kind: it is in a manifest, an input or the file itself, or found when a plan is
/// made.
fn is_beside_sources(code: &str) -> bool {
    code.starts_with("E07") || code.starts_with("E08") || code.starts_with("E09") || code == "E0011"
}

#[test]
fn pages_show_what_they_are_about() {
    let mut wrong = Vec::new();
    for (code, page) in REGISTRY {
        let (before, after) = page.split_once("\nRight:").unwrap_or((page, ""));
        let (mistaken, good) = (blocks(code.id, before), blocks(code.id, after));
        if (mistaken.is_empty() || good.is_empty()) && !is_beside_sources(code.id) {
            wrong.push(format!("{}: an example is missing", code.id));
        }
        // Of several files together one is wrong.
        let all: BTreeSet<&str> = mistaken.iter().flat_map(|program| told(program, code.id)).collect();
        let expected = if is_beside_sources(code.id) { None } else { Some(code.id) };
        if !mistaken.is_empty() && all != expected.into_iter().collect() {
            wrong.push(format!("{}, wrong: {all:?}", code.id));
        }
        for program in &good {
            let told = told(program, code.id);
            if !told.is_empty() {
                wrong.push(format!("{}, right: {told:?}\n{}", code.id, program.files[0].1));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
