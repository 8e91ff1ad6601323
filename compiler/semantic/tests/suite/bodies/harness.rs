//! Programs in memory, with the library's declarations.

use ntl_semantic::query::{self, Checked};
use ntl_semantic::{Def, Diagnostic, Project, RootDb, Severity, SourceFile};
use std::path::Path;
use std::sync::Arc;

/// A database with the library and one file, `main.ntl`.
pub fn program(text: &str) -> (RootDb, SourceFile) {
    program_of(&[("main.ntl", text)])
}

/// A database with the library and some files; gives the first.
pub fn program_of(texts: &[(&str, &str)]) -> (RootDb, SourceFile) {
    let db = RootDb::default();
    let file = |path: &str, text: &str| SourceFile::new(&db, path.to_owned(), Some(Arc::from(text)));
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../stdlib/ntl");
    let mut std: Vec<_> = std::fs::read_dir(folder)
        .expect("the library's declarations")
        .map(|entry| {
            let path = entry.expect("an entry").path();
            let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            let text = read(&path);
            (smol_str::SmolStr::new(&name), file(&format!("std/{name}.ntl"), &text))
        })
        .collect();
    std.sort_by(|a: &(smol_str::SmolStr, SourceFile), b| a.0.cmp(&b.0));
    let mut files: Vec<(String, SourceFile)> =
        texts.iter().map(|(path, text)| ((*path).to_owned(), file(path, text))).collect();
    let first = files.first().expect("a file").1;
    files.sort_by(|a, b| a.0.cmp(&b.0));
    let _ = Project::new(&db, files, std);
    (db, first)
}

/// The checked body of a definition.
pub fn body_of<'db>(db: &'db RootDb, file: SourceFile, name: &str) -> &'db Checked {
    let def = def_of(db, file, name);
    query::body(db, &def).unwrap_or_else(|| panic!("`{name}` has no body"))
}

/// The definition of a name.
pub fn def_of(db: &RootDb, file: SourceFile, name: &str) -> Def {
    query::defs(db, file).into_iter().find(|def| def.name == name).unwrap_or_else(|| panic!("there is no `{name}`"))
}

/// The line of a diagnostic, from 1.
pub fn line_of(db: &RootDb, diagnostic: &Diagnostic) -> usize {
    let (file, bytes) = query::locate(db, &diagnostic.place);
    let text = file.text(db).as_deref().unwrap_or_default();
    1 + text[..bytes.start as usize].matches('\n').count()
}

/// Everything that a diagnostic says.
pub fn words(diagnostic: &Diagnostic) -> String {
    let mut words = vec![diagnostic.message.clone(), diagnostic.label.clone()];
    words.extend(diagnostic.labels.iter().map(|label| label.text.clone()));
    words.extend(diagnostic.notes.iter().cloned());
    words.extend(diagnostic.fixes.iter().map(|fix| fix.title.clone()));
    words.join("\n")
}

/// Checks a program whose lines say in a comment what is told of them: `// E0301 word word, W0203 word`. What is told and
/// not said, or said and not told, fails.
pub fn check(text: &str) {
    let (db, file) = program(text);
    let mut told: Vec<(usize, Diagnostic)> =
        query::file_diagnostics(&db, file).into_iter().map(|d| (line_of(&db, &d), d)).collect();
    let mut problems = Vec::new();
    for (at, line) in text.lines().enumerate() {
        let Some((_, said)) = line.split_once("// ") else { continue };
        for said in said.split(", ").filter(|said| said.starts_with(['E', 'W'])) {
            let mut parts = said.split(' ');
            let code = parts.next().unwrap_or_default();
            let wanted: Vec<&str> = parts.collect();
            let found = told.iter().position(|(line, diagnostic)| {
                *line == at + 1
                    && diagnostic.code == code
                    && wanted.iter().all(|word| words(diagnostic).contains(&word.replace('_', " ")))
            });
            match found {
                Some(found) => drop(told.remove(found)),
                None => problems.push(format!("line {}: `{said}` was not told: {}", at + 1, line.trim())),
            }
        }
    }
    problems.extend(told.iter().map(|(line, d)| format!("line {line}: {} {}", d.code, words(d))));
    assert!(problems.is_empty(), "{}\n{text}", problems.join("\n"));
}

/// The errors of a program, each with its line.
pub fn errors(text: &str) -> Vec<String> {
    let (db, file) = program(text);
    let all = query::file_diagnostics(&db, file);
    let errors = all.iter().filter(|diagnostic| diagnostic.severity == Severity::Error);
    errors.map(|d| format!("{}: {} {}", line_of(&db, d), d.code, d.message)).collect()
}

/// The text of a file of the repository; empty if there is none.
#[expect(clippy::disallowed_methods, reason = "a test reads what the repository holds")]
pub fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_default()
}
