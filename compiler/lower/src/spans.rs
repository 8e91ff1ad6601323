//! Places of expressions as lines and columns.

use ntl_plan::{File, Span, SpanId};
use ntl_semantic::query::locate;
use ntl_semantic::{Db, Def, Place, SourceFile};
use ntl_syntax::{LineIndex, ast};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The tables of files and places that a plan gets.
#[derive(Default)]
pub(crate) struct Spans {
    pub files: Vec<File>,
    pub spans: Vec<Span>,
    ids: FxHashMap<Span, SpanId>,
    known: FxHashMap<(Def, ast::Span), SpanId>,
    indices: FxHashMap<SourceFile, Index>,
}

/// A file of the plan.
struct Index {
    file: u32,
    lines: LineIndex,
}

fn to_u32(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

impl Spans {
    /// The place of some tokens of an item.
    pub fn span(&mut self, db: &dyn Db, def: &Def, span: ast::Span) -> SpanId {
        let key = (def.clone(), span);
        if let Some(&id) = self.known.get(&key) {
            return id;
        }
        let (file, bytes) = locate(db, &Place { def: def.clone(), span });
        let files = &mut self.files;
        let index = self.indices.entry(file).or_insert_with(|| {
            let text: Arc<str> = file.text(db).clone().unwrap_or_default();
            files.push(File { path: file.path(db).into(), hash: *blake3::hash(text.as_bytes()).as_bytes() });
            Index { file: to_u32(files.len() - 1), lines: LineIndex::new(text) }
        });
        let (line, column) = index.lines.position(bytes.start as usize);
        let (end_line, end_column) = index.lines.position(bytes.end as usize);
        let place = Span { file: index.file, line, column, end_line, end_column };
        let spans = &mut self.spans;
        let id = *self.ids.entry(place).or_insert_with(|| {
            spans.push(place);
            SpanId(to_u32(spans.len() - 1))
        });
        self.known.insert(key, id);
        id
    }
}
