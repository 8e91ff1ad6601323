//! A file as the formatter sees it: its tokens, and the comments and line ends between them.

use crate::{Parsed, PieceKind, SyntaxError, TokenKind, cut, lex, parse_item};
use std::ops::Range;

/// A file's items with the tokens and comments of the whole file.
#[derive(Default)]
pub(super) struct Source<'a> {
    pub(super) text: &'a str,
    pub(super) items: Vec<Item>,
    /// All tokens but trivia and separators; the last one is the empty end of the file.
    pub(super) tokens: Vec<Token>,
    pub(super) comments: Vec<Comment>,
    /// Mistakes with their bytes.
    pub(super) errors: Vec<(Range<u32>, SyntaxError)>,
}

/// An item and where its text begins in the file.
pub(super) struct Item {
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
    /// Whether a `;` stands before it.
    pub(super) after_semicolon: bool,
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
        let mut source = Source { text, ..Source::default() };
        // Before the first token is a new line.
        let (mut on_new_line, mut line_ends, mut after_semicolon) = (true, 0, false);
        for piece in cut(text) {
            let (start, first) = (piece.range.start as usize, source.tokens.len());
            let item = text.get(start..piece.range.end as usize).unwrap_or_default();
            for token in lex(item) {
                let range = start + token.range.start as usize..start + token.range.end as usize;
                match token.kind {
                    TokenKind::LineBreak => {
                        on_new_line = true;
                        line_ends += 1;
                    }
                    kind if kind.is_comment() => {
                        source.comments.push(Comment { range, trailing: !on_new_line, after_blank: line_ends > 1 });
                        line_ends = 0;
                    }
                    TokenKind::Semicolon => after_semicolon = true,
                    kind if kind.is_trivia() => {}
                    _ => {
                        source.token(range, on_new_line, line_ends, after_semicolon);
                        (on_new_line, line_ends, after_semicolon) = (false, 0, false);
                    }
                }
            }
            let parsed = parse_item(item);
            source.errors.extend(parsed.errors.iter().map(|error| {
                let bytes = parsed.tokens.bytes(error.span);
                (piece.range.start + bytes.start..piece.range.start + bytes.end, error.clone())
            }));
            if source.tokens.len() > first {
                source.items.push(Item { kind: piece.kind, parsed, start, first });
            }
        }
        source.token(text.len()..text.len(), on_new_line, line_ends, after_semicolon);
        source
    }

    fn token(&mut self, range: Range<usize>, on_new_line: bool, line_ends: usize, after_semicolon: bool) {
        let (after_blank, comments_end) = (line_ends > 1, self.comments.len());
        self.tokens.push(Token { range, on_new_line, after_blank, after_semicolon, comments_end });
    }

    /// The text of the token `index`; empty at the end of the file.
    pub(super) fn token_text(&self, index: usize) -> &'a str {
        self.tokens.get(index).and_then(|t| self.text.get(t.range.clone())).unwrap_or_default()
    }

    /// The text of a comment.
    pub(super) fn comment_text(&self, comment: &Comment) -> &'a str {
        self.text.get(comment.range.clone()).unwrap_or_default().trim_end()
    }

    /// What formatting must keep: the texts of tokens and comments, but for commas, which lists gain and lose.
    pub(super) fn essence(&self) -> (Vec<&'a str>, Vec<&'a str>) {
        let tokens = (0..self.tokens.len()).map(|i| self.token_text(i)).filter(|&t| t != ",").collect();
        (tokens, self.comments.iter().map(|c| self.comment_text(c)).collect())
    }
}
