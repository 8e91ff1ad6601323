//! The texts behind a finding: places as lines and columns, and back.

use ntl_semantic::{Db, SourceFile};
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

/// A text that knows its lines.
#[derive(Clone, Debug)]
pub struct Source {
    /// The text.
    pub text: Arc<str>,
    starts: Vec<usize>,
}

impl Source {
    /// Finds the lines of a text.
    pub fn new(text: Arc<str>) -> Self {
        let starts = std::iter::once(0).chain(text.match_indices('\n').map(|(i, _)| i + 1)).collect();
        Source { text, starts }
    }

    /// The bytes of the line at `index`, from 0, its end not counted; the empty end of the text beyond the last.
    pub fn line(&self, index: usize) -> Range<usize> {
        let start = self.starts.get(index).copied().unwrap_or(self.text.len());
        let end = self.starts.get(index + 1).map_or(self.text.len(), |next| next - 1);
        let end = if self.text[start..end].ends_with('\r') { end - 1 } else { end };
        start..end
    }

    /// The number of lines; at least one.
    pub fn lines(&self) -> usize {
        self.starts.len()
    }

    /// The index of the line that holds a byte.
    pub fn line_at(&self, byte: usize) -> usize {
        self.starts.partition_point(|s| *s <= byte).saturating_sub(1)
    }

    /// The place of a range of bytes.
    pub fn at(&self, file: &str, range: Range<usize>) -> At {
        let (line, column) = self.position(range.start);
        let (end_line, end_column) = self.position(range.end.max(range.start));
        At { file: file.to_owned(), line, column, end_line, end_column }
    }

    /// Line and column of a byte, both from 1.
    fn position(&self, byte: usize) -> (u32, u32) {
        let byte = self.text.floor_char_boundary(byte);
        let line = self.line_at(byte);
        let start = self.line(line).start;
        (count(line + 1), count(self.text[start..byte].chars().count() + 1))
    }

    /// The bytes of a place: always within the text and between characters.
    pub fn bytes(&self, at: &At) -> Range<usize> {
        let byte = |line: u32, column: u32| {
            let line = self.line((line as usize).saturating_sub(1));
            let column = (column as usize).saturating_sub(1);
            let within = self.text[line.clone()].char_indices().nth(column).map_or(line.len(), |(i, _)| i);
            line.start + within
        };
        let start = byte(at.line, at.column);
        start..byte(at.end_line, at.end_column).max(start)
    }
}

fn count(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

/// The texts that findings are about, by path as shown.
#[derive(Clone, Debug, Default)]
pub struct Sources(BTreeMap<String, Source>);

impl Sources {
    /// Keeps a text.
    pub fn insert(&mut self, path: &str, text: Arc<str>) -> &Source {
        self.0.entry(path.to_owned()).or_insert_with(|| Source::new(text))
    }

    /// Keeps a file's text.
    pub fn add(&mut self, db: &dyn Db, file: SourceFile) -> &Source {
        self.insert(file.path(db), file.text(db).clone().unwrap_or_default())
    }

    /// The place of a range of bytes of a file.
    pub fn at(&mut self, db: &dyn Db, file: SourceFile, bytes: Range<u32>) -> At {
        self.add(db, file).at(file.path(db), bytes.start as usize..bytes.end as usize)
    }

    /// The text at a path.
    pub fn get(&self, path: &str) -> Option<&Source> {
        self.0.get(path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_goes_there_and_back() {
        let source = Source::new("α = 1\r\nbeta\n\nüx".into());
        for (range, line, column, end_line, end_column) in
            [(0..2, 1, 1, 1, 2), (3..6, 1, 3, 1, 6), (8..12, 2, 1, 2, 5), (13..13, 3, 1, 3, 1), (14..17, 4, 1, 4, 3)]
        {
            let at = source.at("a.ntl", range.clone());
            assert_eq!((at.line, at.column, at.end_line, at.end_column), (line, column, end_line, end_column));
            assert_eq!(source.bytes(&at), range);
        }
    }

    #[test]
    fn a_place_that_is_not_there_is_the_nearest() {
        let source = Source::new("ü\nab".into());
        assert_eq!(source.at("a", 1..900), At { file: "a".into(), line: 1, column: 1, end_line: 2, end_column: 3 });
        let far = At { file: "a".into(), line: 70, column: 9, end_line: 1, end_column: 1 };
        assert_eq!(source.bytes(&far), 5..5);
    }
}
