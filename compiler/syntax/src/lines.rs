//! Places in a text as people count them.

use std::ops::Range;
use std::sync::Arc;

/// A text that knows its lines: from bytes to lines and columns and back, quickly however long a line is.
#[derive(Clone, Debug)]
pub struct LineIndex {
    text: Arc<str>,
    /// Where each line begins.
    starts: Vec<usize>,
    /// How many characters begin before each [`CHUNK`]th byte; empty if all are ASCII.
    chars: Vec<usize>,
}

const CHUNK: usize = 1024;

impl LineIndex {
    /// Finds the lines of a text. `\n` ends one.
    pub fn new(text: Arc<str>) -> Self {
        let starts = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        let mut chars = Vec::new();
        if !text.is_ascii() {
            let mut before = 0;
            for chunk in text.as_bytes().chunks(CHUNK) {
                chars.push(before);
                before += count(chunk);
            }
        }
        LineIndex { text, starts, chars }
    }

    /// The text.
    pub fn text(&self) -> &Arc<str> {
        &self.text
    }

    /// The number of lines; at least one.
    pub fn lines(&self) -> usize {
        self.starts.len()
    }

    /// The bytes of a line, counted from 0, without what ends it; the empty end of the text beyond the last.
    pub fn line(&self, index: usize) -> Range<usize> {
        let start = self.start(index);
        let end = self.starts.get(index + 1).map_or(self.text.len(), |next| next - 1);
        let is_crlf = self.text.get(start..end).is_some_and(|line| line.ends_with('\r'));
        start..end - usize::from(is_crlf)
    }

    /// The line, counted from 0, that holds a byte.
    pub fn line_at(&self, byte: usize) -> usize {
        self.starts.partition_point(|start| *start <= byte).saturating_sub(1)
    }

    /// Line and column of a byte, both from 1, columns in characters. Within a character that is its begin.
    pub fn position(&self, byte: usize) -> (u32, u32) {
        let byte = self.text.floor_char_boundary(byte);
        let line = self.line_at(byte);
        let column = self.chars_before(byte) - self.chars_before(self.start(line));
        (to_u32(line + 1), to_u32(column + 1))
    }

    /// The byte at a line and column; the end of the line beyond its last column.
    pub fn byte(&self, line: u32, column: u32) -> usize {
        let line = self.line((line as usize).saturating_sub(1));
        let column = (column as usize).saturating_sub(1);
        if self.chars.is_empty() {
            return line.start.saturating_add(column).min(line.end);
        }
        let wanted = self.chars_before(line.start) + column;
        let chunk = self.chars.partition_point(|before| *before <= wanted).saturating_sub(1);
        let from = self.text.ceil_char_boundary((chunk * CHUNK).max(line.start));
        let skipped = wanted.saturating_sub(self.chars_before(from));
        let rest = self.text.get(from..line.end).unwrap_or_default();
        rest.char_indices().nth(skipped).map_or(line.end, |(at, _)| from + at)
    }

    fn start(&self, line: usize) -> usize {
        self.starts.get(line).copied().unwrap_or(self.text.len())
    }

    /// How many characters begin before a byte.
    fn chars_before(&self, byte: usize) -> usize {
        let chunk = byte / CHUNK;
        match self.chars.get(chunk).or(self.chars.last()) {
            None => byte,
            Some(before) => {
                let chunk = chunk.min(self.chars.len() - 1) * CHUNK;
                before + self.text.as_bytes().get(chunk..byte).map_or(0, count)
            }
        }
    }
}

/// How many characters begin in some bytes.
fn count(bytes: &[u8]) -> usize {
    bytes.iter().filter(|byte| !matches!(byte, 0x80..=0xbf)).count()
}

fn to_u32(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_goes_there_and_back() {
        let long = format!("{}\r\n\n{}ü{}\nend", "日é".repeat(900), "x".repeat(3000), "y".repeat(3000));
        for text in ["", "a", "α = 1\r\nbeta\n\nüx", "plain\nascii\n", &long] {
            let index = LineIndex::new(text.into());
            for (byte, _) in text.char_indices().chain([(text.len(), ' ')]) {
                let (line, column) = index.position(byte);
                let before = &text[..byte];
                let start = before.rfind('\n').map_or(0, |at| at + 1);
                assert_eq!(line as usize, before.matches('\n').count() + 1);
                assert_eq!(column as usize, before[start..].chars().count() + 1);
                if index.line(line as usize - 1).end >= byte {
                    assert_eq!(index.byte(line, column), byte);
                }
            }
        }
    }

    #[test]
    fn a_place_that_is_not_there_is_the_nearest() {
        let index = LineIndex::new("ü\nab".into());
        assert_eq!((index.position(1), index.position(900)), ((1, 1), (2, 3)));
        assert_eq!((index.byte(0, 0), index.byte(1, 9), index.byte(70, 9)), (0, 2, 5));
        assert_eq!((index.lines(), index.line(0), index.line(9)), (2, 0..2, 5..5));
    }
}
