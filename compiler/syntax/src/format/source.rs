//! A file as the formatter sees it: its tokens, and the comments and line ends between them.

use crate::{Parsed, PieceKind, SyntaxError, ast::Span, cut, parse_item};
use std::ops::Range;

/// A file's items with the tokens and comments of the whole file.
pub(super) struct Source<'a> {
    pub(super) text: &'a str,
    pub(super) items: Vec<Piece>,
    /// All tokens but separators; the last one is the empty end of the file.
    pub(super) tokens: Vec<Token>,
    pub(super) comments: Vec<Comment>,
    pub(super) errors: Vec<(Range<u32>, SyntaxError)>,
}

/// An item and where its text begins in the file.
pub(super) struct Piece {
    pub(super) kind: PieceKind,
    pub(super) parsed: Parsed,
    pub(super) start: usize,
    /// Its first token in [`Source::tokens`].
    pub(super) first: usize,
}

pub(super) struct Token {
    pub(super) range: Range<usize>,
    /// Whether a line ends between the token before and this one.
    pub(super) on_new_line: bool,
    /// Whether an empty line stands right before it.
    pub(super) after_blank: bool,
    /// Where in [`Source::comments`] the comments end that stand before it.
    pub(super) comments_end: usize,
}

pub(super) struct Comment {
    pub(super) range: Range<usize>,
    /// Whether it stands on the line of the token before.
    pub(super) trailing: bool,
    /// Whether an empty line stands right before it.
    pub(super) after_blank: bool,
}

impl<'a> Source<'a> {
    /// Reads a file.
    pub(super) fn read(text: &'a str) -> Self {
        let mut source =
            Source { text, items: Vec::new(), tokens: Vec::new(), comments: Vec::new(), errors: Vec::new() };
        for piece in cut(text) {
            let start = piece.range.start as usize;
            let parsed = parse_item(text.get(start..piece.range.end as usize).unwrap_or_default());
            source.errors.extend(parsed.errors.iter().map(|error| {
                let bytes = parsed.tokens.bytes(error.span);
                (piece.range.start + bytes.start..piece.range.start + bytes.end, error.clone())
            }));
            let first = source.tokens.len();
            for index in 0..parsed.tokens.len() as u32 {
                let bytes = parsed.tokens.bytes(Span::new(index, index + 1));
                let range = start + bytes.start as usize..start + bytes.end as usize;
                if !matches!(text.get(range.clone()), None | Some("" | ";")) {
                    source.token(range);
                }
            }
            if source.tokens.len() > first {
                source.items.push(Piece { kind: piece.kind, parsed, start, first });
            }
        }
        source.token(text.len()..text.len());
        source
    }

    /// Adds a token and the comments between it and the last one.
    fn token(&mut self, range: Range<usize>) {
        let mut at = self.tokens.last().map_or(0, |t| t.range.end);
        let mut on_new_line = self.tokens.is_empty();
        let mut line_ends = 0;
        while let Some(rest) = self.text.get(at..range.start).filter(|rest| !rest.is_empty()) {
            if rest.starts_with("//") {
                let line = rest.split(['\n', '\r']).next().unwrap_or(rest);
                let text = line.trim_end();
                let (trailing, after_blank) = (!on_new_line, line_ends > 1);
                self.comments.push(Comment { range: at..at + text.len(), trailing, after_blank });
                at += line.len();
                line_ends = 0;
            } else {
                if rest.starts_with(['\n', '\r']) {
                    line_ends += 1;
                    on_new_line = true;
                }
                at += rest.chars().next().map_or(1, char::len_utf8);
            }
        }
        let (after_blank, comments_end) = (line_ends > 1, self.comments.len());
        self.tokens.push(Token { range, on_new_line, after_blank, comments_end });
    }

    /// The text of the token `index`; empty at the end of the file.
    pub(super) fn token_text(&self, index: usize) -> &'a str {
        self.tokens.get(index).and_then(|t| self.text.get(t.range.clone())).unwrap_or_default()
    }

    /// The text of a comment.
    pub(super) fn comment_text(&self, comment: &Comment) -> &'a str {
        self.text.get(comment.range.clone()).unwrap_or_default()
    }

    /// What formatting must keep: the texts of tokens and comments, but for commas, which lists gain and lose.
    pub(super) fn essence(&self) -> (Vec<&'a str>, Vec<&'a str>) {
        let tokens = (0..self.tokens.len()).map(|i| self.token_text(i)).filter(|&t| t != ",").collect();
        (tokens, self.comments.iter().map(|c| self.comment_text(c)).collect())
    }
}
