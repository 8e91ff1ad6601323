//! Every fix that is offered anywhere in the sources of the repository mends what it says it mends: what comes out can be
//! read, the diagnostic is gone, nothing else is wrong instead, and the formatter is content with it.

use crate::program::{Program, blocks};
use ntl_semantic::diagnostics::REGISTRY;
use ntl_semantic::query::locate_edit;
use ntl_semantic::{Applicability, Diagnostic, Fix, RootDb, Severity, SourceFile};
use ntl_tests::{entries, root, stem};
use std::collections::BTreeMap;
use std::path::Path;

/// A program with a fix applied.
fn fixed(program: &Program, db: &RootDb, fix: &Fix) -> Program {
    let mut edits: Vec<(SourceFile, std::ops::Range<u32>, String)> =
        fix.edits.iter().map(|edit| locate_edit(db, edit)).collect();
    // From the end, so that places stay right; of two at one place the first comes first.
    edits.sort_by_key(|(_, bytes, _)| bytes.start);
    let mut program = program.clone();
    for (file, bytes, text) in edits.into_iter().rev() {
        let path = file.path(db);
        // A fix of anything but the program's own files would change nothing, and be found.
        if let Some((_, old)) = program.files.iter_mut().find(|(name, _)| name == path) {
            old.replace_range(bytes.start as usize..bytes.end as usize, &text);
        }
    }
    program
}

/// How often each error is told, by code and message: lines move.
fn errors(diagnostics: &[Diagnostic]) -> BTreeMap<(&'static str, String), usize> {
    let mut counts = BTreeMap::new();
    for diagnostic in diagnostics.iter().filter(|d| d.severity == Severity::Error) {
        *counts.entry((diagnostic.code, diagnostic.message.clone())).or_default() += 1;
    }
    counts
}

fn count(diagnostics: &[Diagnostic], wanted: &Diagnostic) -> usize {
    diagnostics.iter().filter(|d| d.code == wanted.code && d.message == wanted.message).count()
}

/// Whether the formatter, if it reads a file, leaves what it has written.
fn is_stable(program: &Program) -> bool {
    program.files.iter().filter(|(name, _)| name.ends_with(".ntl")).all(|(_, text)| match ntl_syntax::format(text) {
        Ok(once) => ntl_syntax::format(&once).is_ok_and(|twice| twice == once),
        Err(_) => true,
    })
}

/// What is wrong with what comes out of one fix.
fn problems(
    db: &mut RootDb,
    before: &[Diagnostic],
    diagnostic: &Diagnostic,
    is_sure: bool,
    fixed: &Program,
) -> Vec<String> {
    let after = fixed.check(db);
    let mut problems = Vec::new();
    if count(&after, diagnostic) >= count(before, diagnostic) {
        problems.push("it is told still".to_owned());
    }
    let was = errors(before);
    // What stands around it can be judged only now, which a fix that may be meant otherwise need not foresee.
    let around = |new: &Diagnostic| {
        let (new, old) = (&new.place, &diagnostic.place);
        new.def == old.def && new.span.first < old.span.first && old.span.end < new.span.end
    };
    let others: Vec<Diagnostic> = after.iter().filter(|new| is_sure || !around(new)).cloned().collect();
    for ((code, message), times) in errors(&others) {
        if times > was.get(&(code, message.clone())).copied().unwrap_or_default() {
            problems.push(format!("new: {code} {message}"));
        }
    }
    if !is_stable(fixed) {
        problems.push("the formatter does not leave what it has written".to_owned());
    }
    problems
}

/// Applies, again and again, the first fix of a code that a tool may apply. Each time one must be gone.
fn apply_all(program: &Program, code: &str) -> Result<(), String> {
    let mut db = RootDb::default();
    let mut program = program.clone();
    let is_sure = |fix: &&Fix| fix.applicability == Applicability::MachineApplicable;
    let sure = |diagnostics: &[Diagnostic]| {
        diagnostics.iter().filter(|d| d.code == code).find_map(|d| d.fixes.iter().find(is_sure).cloned())
    };
    let most = program.check(&mut db).len();
    for _ in 0..=most {
        let found = program.check(&mut db);
        let Some(fix) = sure(&found) else { return Ok(()) };
        program = fixed(&program, &db, &fix);
    }
    Err(format!("{code}: its fixes do not come to an end"))
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_default()
}

/// Every source of the repository in which something may be wrong.
fn programs() -> Vec<Program> {
    let mut all = Vec::new();
    for path in entries(&root().join("tests/checks")).iter().filter(|path| path.extension().is_some_and(|e| e == "ntl"))
    {
        all.push(Program::one(format!("checks/{}", stem(path)), &read(path)));
    }
    let chapters = entries(&root().join("tests/spec"));
    let references = ["grammar/REFERENCE.md", "README.md"].map(|name| root().join(name));
    for path in chapters.iter().chain(&references).filter(|path| path.extension().is_some_and(|e| e == "md")) {
        all.extend(blocks(&stem(path), &read(path)));
    }
    for (code, page) in REGISTRY {
        all.extend(blocks(&format!("page {}", code.id), page));
    }
    all
}

/// What one program's fixes have done: problems, and how many fixes there were.
fn judge(program: &Program) -> (Vec<String>, usize) {
    let mut db = RootDb::default();
    let before = program.check(&mut db);
    let mut found = Vec::new();
    let mut fixed = Vec::new();
    for diagnostic in &before {
        for fix in &diagnostic.fixes {
            fixed.push((diagnostic, fix, self::fixed(program, &db, fix)));
        }
    }
    for (diagnostic, fix, fixed) in &fixed {
        for problem in
            problems(&mut db, &before, diagnostic, fix.applicability == Applicability::MachineApplicable, fixed)
        {
            let text = &fixed.files[0].1;
            found.push(format!(
                "{}: {} {}\n  fix: {} → {problem}\n{text}",
                program.origin, diagnostic.code, diagnostic.message, fix.title
            ));
        }
    }
    for code in fixed.iter().map(|(diagnostic, ..)| diagnostic.code).collect::<std::collections::BTreeSet<_>>() {
        if let Err(problem) = apply_all(program, code) {
            found.push(format!("{}: {problem}", program.origin));
        }
    }
    (found, fixed.len())
}

#[test]
fn every_fix_mends_what_it_says() {
    let all = programs();
    let (mut wrong, mut fixes) = (Vec::new(), 0);
    for program in &all {
        let (problems, count) = judge(program);
        wrong.extend(problems);
        fixes += count;
    }
    assert!(wrong.is_empty(), "{} of {fixes} fixes:\n{}", wrong.len(), wrong.join("\n"));
}
