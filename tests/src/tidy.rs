//! The rules of the code base that no other tool knows.

use crate::{entries, root};
use std::path::{Path, PathBuf};

/// Where sources lie; folders that are not there are passed over.
const FOLDERS: [&str; 8] = ["cli", "compiler", "runtime", "stdlib", "tests", "examples", "grammar", ".ci"];

/// A line for each place that breaks a rule.
pub fn problems() -> Vec<String> {
    let root = root();
    let mut files = Vec::new();
    for folder in FOLDERS {
        walk(&root.join(folder), &mut files);
    }
    files.extend(entries(&root).into_iter().filter(|p| p.is_file()));
    let mut problems = Vec::new();
    for path in files {
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        let shown = path.strip_prefix(&root).unwrap_or(&path).display().to_string();
        let found = file(&shown, &text);
        problems.extend(found.into_iter().map(|(line, what)| format!("{shown}:{line}: {what}")));
    }
    problems.extend(undocumented_codes(&root));
    problems
}

/// Data that is as it was found, and what tools write.
fn is_foreign(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name == "target"
        || name == "node_modules"
        || path.extension().is_some_and(|e| e == "csv" || e == "xml" || e == "snap" || e == "txt")
}

fn walk(folder: &Path, files: &mut Vec<PathBuf>) {
    for path in entries(folder) {
        if is_foreign(&path) {
            continue;
        }
        if path.is_dir() { walk(&path, files) } else { files.push(path) }
    }
}

/// What one file breaks: the line and the rule.
fn file(path: &str, text: &str) -> Vec<(usize, String)> {
    let mut problems = Vec::new();
    let is_rust = path.ends_with(".rs");
    for (i, line) in text.lines().enumerate() {
        let mut say = |what: &str| problems.push((i + 1, what.to_owned()));
        if is_rust || path.ends_with(".md") || path.ends_with(".toml") {
            if line != line.trim_end() {
                say("white space at the line's end");
            }
            if line.contains('\t') {
                say("a tab");
            }
        }
        if is_rust {
            // Written in two parts, so that this file keeps its own rules.
            if line.contains(concat!("dbg", "!(")) {
                say("a forgotten debugging print");
            }
            if let Some((_, rest)) = line.split_once(concat!("TO", "DO"))
                && rest.split_whitespace().count() < 4
            {
                say("an open end must say what is to be done and why it is not");
            }
            if line.trim_start().starts_with("#[allow(") {
                say("`#[expect(…, reason)]` tells when it is no longer needed; `#[allow]` does not");
            }
            if line.trim() == concat!("#[ign", "ore]") || line.contains(concat!("#[should", "_panic")) {
                say("no test is ignored or expected to panic: assert what happens today");
            }
        }
    }
    if !text.is_empty()
        && !text.ends_with('\n')
        && !path.ends_with(".json")
        && !path.contains("/spec/")
        && !path.contains("tests/checks/")
    {
        problems.push((text.lines().count(), "no line end at the file's end".into()));
    }
    problems
}

/// Codes that occur in the compiler's sources (not in its tests) without a page that explains them, and pages without a code.
fn undocumented_codes(root: &Path) -> Vec<String> {
    let mut sources = Vec::new();
    walk(&root.join("compiler"), &mut sources);
    let pages: Vec<String> = entries(&root.join("compiler/semantic/explain")).iter().map(|p| crate::stem(p)).collect();
    let mut used: Vec<String> = Vec::new();
    let is_source = |p: &Path| p.extension().is_some_and(|e| e == "rs") && p.iter().all(|part| part != "tests");
    for path in sources.iter().filter(|p| is_source(p.strip_prefix(root).unwrap_or(p))) {
        let text = std::fs::read_to_string(path).unwrap_or_default();
        used.extend(text.split('"').skip(1).step_by(2).filter(|s| is_code(s)).map(str::to_owned));
    }
    used.sort();
    used.dedup();
    let unexplained =
        used.iter().filter(|c| !pages.contains(c)).map(|c| format!("{c} has no page in compiler/semantic/explain"));
    let unused = pages
        .iter()
        .filter(|p| is_code(p) && !used.contains(p))
        .map(|p| format!("{p} is explained, but no source has it"));
    unexplained.chain(unused).collect()
}

fn is_code(text: &str) -> bool {
    text.len() == 5 && text.starts_with(['E', 'W']) && text[1..].bytes().all(|b| b.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_tidy_is_found() {
        let lines = |text: &str| file("a.rs", text).iter().map(|(line, _)| *line).collect::<Vec<_>>();
        assert_eq!(lines("fn a() {} \n\tb\n"), [1, 2]);
        assert_eq!(lines(concat!("x\ndbg", "!(1);\n// TO", "DO\n")), [2, 3]);
        assert_eq!(lines(concat!("// TO", "DO: count lines once salsa can tell them apart\n")), [0; 0]);
        assert_eq!(lines("a"), [1]);
    }
}
