//! Programs in memory, and diagnostics as text.

use ntl_semantic::query::{self, file_diagnostics, locate, locate_edit};
use ntl_semantic::{Db, Def, Diagnostic, Place, Project, RootDb, Severity, SourceFile, Space};
use salsa::Setter;
use std::fmt::Write;
use std::sync::Arc;

/// A small library: enough of core and of three modules for what is tested here.
const LIBRARY: &[(&str, &str)] = &[
    (
        "core",
        "node each[T](items: list[T]) -> stream[T]\n\
         node collect[T](values: stream[T]) -> list[T]\n\
         fn len(x: str | list[any] | dict[any, any] | bytes) -> int\n\
         fn round(x: float) -> int\n\
         fn round(x: float, digits: int) -> float\n\
         fn _hidden(x: int) -> int\n\
         @write node print(value: any) -> null\n",
    ),
    (
        "fs",
        "@read @fs_read(path) node read(path: str) -> str\n\
         @write @fs_write(path) @version(2) node write(path: str, text: str | bytes) -> null\n",
    ),
    (
        "list",
        "fn first[T](xs: list[T]) -> T?\n\
         fn take[T](xs: list[T], n: int) -> list[T]\n",
    ),
    (
        "text",
        "/// A line of a text.\n\
         type Line(text: str, number: int)\n\
         fn upper(s: str) -> str\n\
         fn trim(s: str) -> str\n\
         fn join(xs: list[str], sep: str = \"\") -> str\n",
    ),
];

/// Files in a database.
pub struct Fixture {
    pub db: RootDb,
    project: Project,
}

impl Fixture {
    /// A program of these files, and a database that tells what it runs.
    pub fn new(files: &[(&str, &str)]) -> Self {
        let db = RootDb::logging();
        let source = |db: &RootDb, path: String, text: &str, durability| {
            SourceFile::builder(path, Some(Arc::from(text))).durability(durability).new(db)
        };
        let std = LIBRARY
            .iter()
            .map(|(name, text)| ((*name).into(), source(&db, format!("std/{name}.ntl"), text, salsa::Durability::HIGH)))
            .collect();
        let mut known: Vec<(String, SourceFile)> = files
            .iter()
            .map(|(path, text)| ((*path).to_owned(), source(&db, (*path).to_owned(), text, salsa::Durability::LOW)))
            .collect();
        known.sort_by(|a, b| a.0.cmp(&b.0));
        let project = Project::builder(known.clone(), std).std_durability(salsa::Durability::HIGH).new(&db);
        let mut fixture = Fixture { db, project };
        // What is used and not there is absent, as the loader would say.
        for (_, file) in known {
            for path in query::missing_files(&fixture.db, file) {
                fixture.add(&path, None);
            }
        }
        fixture
    }

    /// A program of one file, `main.ntl`.
    pub fn of(text: &str) -> Self {
        Fixture::new(&[("main.ntl", text)])
    }

    /// Makes a file known, or that there is none.
    pub fn add(&mut self, path: &str, text: Option<&str>) {
        let mut files = self.project.files(&self.db).clone();
        if files.iter().any(|(known, _)| known == path) {
            return;
        }
        let file = SourceFile::new(&self.db, path.to_owned(), text.map(Arc::from));
        files.push((path.to_owned(), file));
        files.sort_by(|a, b| a.0.cmp(&b.0));
        self.project.set_files(&mut self.db).to(files);
    }

    pub fn file(&self, path: &str) -> SourceFile {
        let std = self.project.std(&self.db).iter().map(|(_, file)| *file);
        let all = self.project.files(&self.db).iter().map(|(_, file)| *file).chain(std);
        all.into_iter().find(|file| file.path(&self.db) == path).expect("a file of the fixture")
    }

    /// Writes a file anew.
    pub fn write(&mut self, path: &str, text: &str) {
        let file = self.file(path);
        file.set_text(&mut self.db).to(Some(Arc::from(text)));
    }

    /// Takes a file away.
    pub fn remove(&mut self, path: &str) {
        let file = self.file(path);
        file.set_text(&mut self.db).to(None);
    }

    /// Replaces a part of a file.
    pub fn edit(&mut self, path: &str, from: &str, to: &str) {
        let file = self.file(path);
        let text = file.text(&self.db).clone().expect("a text");
        assert!(text.contains(from), "{from:?} is not in {path}");
        self.write(path, &text.replacen(from, to, 1));
    }

    pub fn def(&self, path: &str, space: Space, name: &str) -> Def {
        Def { file: self.file(path), space, name: name.into(), nth: 0 }
    }

    /// What there is to say about a file, as text.
    pub fn report(&self, path: &str) -> String {
        let diagnostics = file_diagnostics(&self.db, self.file(path));
        render(&self.db, &diagnostics)
    }
}

fn line_and_column(db: &dyn Db, place: &Place) -> (usize, usize) {
    let (file, bytes) = locate(db, place);
    let text = file.text(db).as_deref().unwrap_or_default();
    let before = &text[..bytes.start as usize];
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1)
}

/// Diagnostics with the lines that they are about.
pub fn render(db: &dyn Db, diagnostics: &[Diagnostic]) -> String {
    let mut out = String::new();
    for d in diagnostics {
        let severity = if d.severity == Severity::Error { "error" } else { "warning" };
        writeln!(out, "{severity}[{}]: {}", d.code, d.message).unwrap();
        show(db, &d.place, &d.label, &mut out);
        for label in &d.labels {
            show(db, &label.place, &label.text, &mut out);
        }
        for note in &d.notes {
            writeln!(out, "  = {note}").unwrap();
        }
        for fix in &d.fixes {
            let edits: Vec<String> = fix
                .edits
                .iter()
                .map(|edit| {
                    let (file, bytes, text) = locate_edit(db, edit);
                    let old = &file.text(db).as_deref().unwrap()[bytes.start as usize..bytes.end as usize];
                    format!("{old} → {text}")
                })
                .collect();
            writeln!(out, "  = fix: {} ({})", fix.title, edits.join(", ")).unwrap();
        }
        out.push('\n');
    }
    out
}

fn show(db: &dyn Db, place: &Place, words: &str, out: &mut String) {
    let (file, bytes) = locate(db, place);
    let text = file.text(db).as_deref().unwrap_or_default();
    let (line, column) = line_and_column(db, place);
    let source = text.lines().nth(line - 1).unwrap_or_default();
    let width =
        text[bytes.start as usize..bytes.end as usize].lines().next().unwrap_or_default().chars().count().max(1);
    let at = format!("{}:{line}:{column}", file.path(db));
    writeln!(out, "  {at} | {source}").unwrap();
    writeln!(out, "  {} | {}{} {words}", " ".repeat(at.len()), " ".repeat(column - 1), "^".repeat(width)).unwrap();
    while out.ends_with(" \n") {
        out.truncate(out.len() - 2);
        out.push('\n');
    }
}
