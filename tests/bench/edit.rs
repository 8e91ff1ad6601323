//! An edit in a loaded program: how long until what there is to say about it is known again.

use crate::{Row, Table, timed};
use ntl_project::{Memory, load};
use ntl_semantic::{Project, RootDb, SourceFile, query};
use ntl_tests::generate;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

pub fn measure(table: &mut Table) {
    if !table.wants("edit") {
        return;
    }
    in_one_file(table);
    in_a_project(table);
}

/// A program in memory, all of it loaded.
struct Program {
    db: RootDb,
    round: u32,
}

impl Program {
    fn new(files: usize, lines: usize) -> Self {
        let project = generate::project(files, lines, 1);
        let files = project.iter().fold(Memory::default(), |files, (name, text)| files.with(name, text.as_str()));
        let mut db = RootDb::default();
        for (name, _) in &project {
            load(&mut db, &files, Path::new(name)).unwrap();
        }
        Program { db, round: 0 }
    }

    fn file(&self, name: &str) -> SourceFile {
        let files = Project::get(&self.db).files(&self.db);
        files.iter().find(|(path, _)| path == name).unwrap().1
    }

    fn files(&self) -> Vec<SourceFile> {
        Project::get(&self.db).files(&self.db).iter().map(|(_, file)| *file).collect()
    }

    fn text(&self, file: SourceFile) -> Arc<str> {
        file.text(&self.db).clone().unwrap()
    }

    /// Writes something new each time before `place` in a file, and asks.
    fn edit(&mut self, file: SourceFile, text: &str, place: usize, ask: impl Fn(&RootDb)) -> Duration {
        self.round += 1;
        let (before, after) = text.split_at(place);
        let edited: Arc<str> = format!("{before}{} + {after}", self.round).into();
        timed(|| {
            ntl_project::edit(&mut self.db, file, Some(edited));
            ask(&self.db);
        })
    }
}

fn in_one_file(table: &mut Table) {
    for (first, names, all, lines) in [
        ("edit: first check of 20 kB", "edit: one item of 20 kB, its names", "edit: one item of 20 kB, checked", 700),
        ("edit: first check of 1 MB", "edit: one item of 1 MB, its names", "edit: one item of 1 MB, checked", 35_000),
    ] {
        let row = |name, than| Row { name, samples: 10, bytes: 0, than };
        table.row(row(first, None), || {
            let program = Program::new(1, lines);
            timed(|| query::file_diagnostics(&program.db, program.file("main.ntl")))
        });
        let mut program = Program::new(1, lines);
        let file = program.file("main.ntl");
        query::file_diagnostics(&program.db, file);
        let text = program.text(file);
        let place = text.find("n % 10").unwrap();
        table.row(row(names, Some(first)), || program.edit(file, &text, place, |db| drop(query::defs(db, file))));
        table.row(row(all, Some(first)), || {
            program.edit(file, &text, place, |db| drop(query::file_diagnostics(db, file)))
        });
    }
}

fn in_a_project(table: &mut Table) {
    let mut program = Program::new(200, 50_000);
    let files = program.files();
    let check = |db: &RootDb, files: &[SourceFile]| {
        assert!(files.iter().all(|file| query::file_diagnostics(db, *file).is_empty()));
    };
    check(&program.db, &files);
    let row = |name| Row { name, samples: 40, bytes: 0, than: None };
    let file = program.file("part_0100.ntl");
    let text = program.text(file);
    let place = text.find("n % 10").unwrap();
    table.row(row("edit: a body of 200 files, its file checked"), || {
        program.edit(file, &text, place, |db| check(db, &[file]))
    });
    table.row(row("edit: a body of 200 files, all checked"), || {
        program.edit(file, &text, place, |db| check(db, &files))
    });
    let file = program.file("part_0000.ntl");
    let text = program.text(file);
    let head = format!("fn {}(n: int", generate::SHARED);
    let mut round = 0;
    table.row(row("edit: a signature used in 100 files, all checked"), || {
        round += 1;
        let edited: Arc<str> = text.replace(&head, &format!("{head}, n_{round}: int = 0")).into();
        timed(|| {
            ntl_project::edit(&mut program.db, file, Some(edited));
            check(&program.db, &files);
        })
    });
}
