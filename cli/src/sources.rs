//! The texts behind a finding: places as lines and columns, and back.

use ntl_semantic::{Db, SourceFile};
use ntl_syntax::LineIndex;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

/// A place as users count: lines from 1, columns in characters from 1, the end after the last character.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct At {
    /// The file's path as shown.
    pub file: String,
    /// First line.
    pub line: u32,
    /// First column.
    pub column: u32,
    /// Last line.
    pub end_line: u32,
    /// Column after the end.
    pub end_column: u32,
}

impl At {
    /// The place of some bytes.
    pub fn of(file: &str, text: &LineIndex, bytes: Range<usize>) -> Self {
        let (line, column) = text.position(bytes.start);
        let (end_line, end_column) = text.position(bytes.end.max(bytes.start));
        At { file: file.to_owned(), line, column, end_line, end_column }
    }

    /// Adds it to the object of a JSON document.
    pub fn write(&self, object: &mut Map<String, Value>) {
        object.insert("file".into(), json!(self.file));
        object.insert("line".into(), json!(self.line));
        object.insert("column".into(), json!(self.column));
        object.insert("end_line".into(), json!(self.end_line));
        object.insert("end_column".into(), json!(self.end_column));
    }

    /// Its bytes: always within the text and between characters.
    pub fn bytes(&self, text: &LineIndex) -> Range<usize> {
        let start = text.byte(self.line, self.column);
        start..text.byte(self.end_line, self.end_column).max(start)
    }
}

/// The texts that findings are about, by path as shown.
#[derive(Clone, Debug, Default)]
pub struct Sources(BTreeMap<String, LineIndex>);

impl Sources {
    /// Keeps a text.
    pub fn insert(&mut self, path: &str, text: Arc<str>) -> &LineIndex {
        self.0.entry(path.to_owned()).or_insert_with(|| LineIndex::new(text))
    }

    /// Keeps a file's text.
    pub fn add(&mut self, db: &dyn Db, file: SourceFile) -> &LineIndex {
        self.insert(file.path(db), file.text(db).clone().unwrap_or_default())
    }

    /// The place of a range of bytes of a file.
    pub fn at(&mut self, db: &dyn Db, file: SourceFile, bytes: Range<u32>) -> At {
        At::of(file.path(db), self.add(db, file), bytes.start as usize..bytes.end as usize)
    }

    /// Keeps the texts that others have kept.
    pub fn merge(&mut self, others: Sources) {
        self.0.extend(others.0);
    }

    /// The text at a path.
    pub fn get(&self, path: &str) -> Option<&LineIndex> {
        self.0.get(path)
    }
}
