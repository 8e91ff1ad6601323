//! The examples on the pages of the codes: the wrong one is told exactly so, the right one is clean.

use super::harness::{program, words};
use ntl_semantic::diagnostics::REGISTRY;
use ntl_semantic::query;

/// The first block of NTL after a heading.
fn block<'p>(page: &'p str, heading: &str) -> Option<&'p str> {
    let (_, rest) = page.split_once(heading)?;
    let fence = if rest.trim_start().starts_with("````") { "````" } else { "```" };
    let (before, rest) = rest.split_once(&format!("{fence}ntl\n"))?;
    before.trim().is_empty().then_some(())?;
    rest.split_once(&format!("\n{fence}\n")).map(|(block, _)| block)
}

fn told(text: &str) -> Vec<(&'static str, String)> {
    let (db, file) = program(text);
    query::file_diagnostics(&db, file).iter().map(|d| (d.code, words(d))).collect()
}

#[test]
fn examples_are_as_they_say() {
    let mut checked = 0;
    for (code, page) in REGISTRY {
        let (Some(wrong), Some(right)) = (block(page, "\nWrong:\n"), block(page, "\nRight:\n")) else { continue };
        // Plans are made elsewhere; examples of several files show the one that matters.
        if code.id.starts_with("E09") || wrong.contains("use \"./") || right.contains("use \"./") {
            continue;
        }
        let found = told(wrong);
        assert!(!found.is_empty() && found.iter().all(|(id, _)| *id == code.id), "{}: {found:?}\n{wrong}", code.id);
        assert_eq!(told(right), [], "{}\n{right}", code.id);
        checked += 1;
    }
    assert!(checked > 70, "only {checked} pages have examples");
}
