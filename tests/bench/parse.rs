//! Parsing, next to the bare lexer.

use crate::{Row, Table, timed};

pub fn measure(table: &mut Table) {
    if !table.wants("parse") {
        return;
    }
    const LEXER: &str = "parse: bare lexer, 1 MB";
    let text: String = ntl_tests::generate::project(1, 35_000, 1).into_iter().map(|(_, text)| text).collect();
    let row = |name, than| Row { name, samples: 20, bytes: text.len(), than };
    table.row(row(LEXER, None), || timed(|| ntl_syntax::lex(&text)));
    table.row(row("parse: cut into items", Some(LEXER)), || timed(|| ntl_syntax::cut(&text)));
    table.row(row("parse: cut and every item", Some(LEXER)), || {
        timed(|| {
            let pieces = ntl_syntax::cut(&text);
            let parsed =
                pieces.iter().map(|p| ntl_syntax::parse_item(&text[p.range.start as usize..p.range.end as usize]));
            parsed.map(|p| p.errors.len()).sum::<usize>()
        })
    });
}
