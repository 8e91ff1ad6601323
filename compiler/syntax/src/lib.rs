//! Text to tree and back: tokens, layout, parser, AST and formatter. Knows text only; never fails and never panics.

pub mod ast;
mod cut;
mod docs;
mod error;
mod format;
mod layout;
mod lex;
mod lines;
mod number;
mod parse;
mod token;

pub use cut::{Piece, PieceKind, cut};
pub use docs::{doc_before, file_doc};
pub use error::{CODES, Side, SyntaxError, SyntaxFix};
pub use format::{FormatError, format};
pub use layout::MAX_DEPTH;
pub use lex::lex;
pub use lines::LineIndex;
pub use parse::{Parsed, parse_item};
pub use token::{Token, TokenKind};

use std::ops::Range;

/// An item's tokens as the parser saw them, which [`ast::Span`] counts: without trivia, with the separators that a line
/// end stands for and the closing brackets that are missing, and without a last comma or `;` that separates nothing. So a tree
/// stays the same when its text is formatted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tokens {
    places: Vec<Place>,
}

/// Where a significant token stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Place {
    start: u32,
    /// Equal to `start` for an inserted token.
    end: u32,
    /// Its index among all tokens of the item's text; for an inserted one that of the token before which it stands.
    index: u32,
}

impl Tokens {
    /// How many there are.
    pub fn len(&self) -> u32 {
        self.places.len() as u32
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// The bytes of `span` within the item's text. An empty span is the empty range before its token.
    pub fn bytes(&self, span: ast::Span) -> Range<u32> {
        let at = |i: u32| self.places.get(i as usize);
        let end = self.places.last().map_or(0, |p| p.end);
        let start = at(span.first).map_or(end, |p| p.start);
        if span.end <= span.first {
            return start..start;
        }
        start..at(span.end - 1).map_or(end, |p| p.end)
    }

    /// The index that the token `i` has in [`lex`] of the item's text; `None` for an inserted token and beyond the end.
    pub fn lossless(&self, i: u32) -> Option<usize> {
        self.places.get(i as usize).filter(|p| p.start < p.end).map(|p| p.index as usize)
    }
}
