//! An edit in one item: how long until it is parsed and checked again.

use crate::{Table, timed};
use ntl_project::{Files, load};
use ntl_semantic::{RootDb, query};
use salsa::Setter;
use std::path::Path;
use std::sync::Arc;

/// One file in memory.
struct One(String);

impl Files for One {
    fn read(&self, path: &Path) -> std::io::Result<Option<String>> {
        Ok((path == Path::new("main.ntl")).then(|| self.0.clone()))
    }
}

pub fn measure(table: &mut Table) {
    if !table.wants("edit") {
        return;
    }
    for (name, lines) in [("20 kB", 700), ("1 MB", 35_000)] {
        let text: String = ntl_tests::generate::project(1, lines, 1).into_iter().map(|(_, text)| text).collect();
        let place = text.find("n % 10").unwrap();
        let mut db = RootDb::default();
        let file = load(&mut db, &One(text.clone()), Path::new("main.ntl")).unwrap().root;
        table.cold_row(&format!("edit: first check of {name}"), 1, 0, None, || {
            timed(|| query::file_diagnostics(&db, file))
        });
        let mut round = 0;
        let mut edit = |what: &str, ask: &dyn Fn(&RootDb)| {
            table.row(&format!("edit: one item of {name}, {what}"), 15, 0, None, || {
                round += 1;
                let edited: Arc<str> = format!("{}{round} + {}", &text[..place], &text[place..]).into();
                timed(|| {
                    file.set_text(&mut db).to(Some(edited));
                    ask(&db);
                })
            });
        };
        edit("its names again", &|db| drop(query::defs(db, file)));
        edit("all checked again", &|db| drop(query::file_diagnostics(db, file)));
    }
}
