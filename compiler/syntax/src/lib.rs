//! Text to tree and back: tokens, layout, parser, AST and formatter. Knows text only; never fails and never panics.

pub mod ast;
mod cut;
mod lex;
mod token;

pub use lex::lex;
pub use token::{Token, TokenKind};

use smol_str::SmolStr;
use std::ops::Range;

/// What a piece of a file declares, as far as its first words tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum PieceKind {
    /// `use`.
    Use,
    /// `const`.
    Const,
    /// `type`.
    Type,
    /// `fn`, `node`, `workflow`, `prompt`, `agent`.
    Callable,
    /// `secret`.
    Secret,
    /// `on`.
    On,
    /// `test`.
    Test,
    /// Anything else, and white space and comments after the last item.
    Other,
}

/// A piece of a file: one top-level item with the comments before it. Pieces follow one another without gaps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Its bytes.
    pub range: Range<u32>,
    /// What it declares.
    pub kind: PieceKind,
    /// The declared name; for `use` the path as written, for `test` its text; empty where there is none.
    pub name: SmolStr,
}

/// Cuts a file into its items.
pub fn cut(text: &str) -> Vec<Piece> {
    let _ = text;
    Vec::new()
}

/// An item's tokens as the parser saw them, which [`ast::Span`] counts: without trivia, with the separators that a line
/// end stands for and the closing brackets that are missing.
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

/// A mistake of form. The message is short and lower case; `help` says what to write instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    /// `E0001`… for tokens, `E0101`… for syntax.
    pub code: &'static str,
    /// Where.
    pub span: ast::Span,
    /// What is wrong.
    pub message: String,
    /// Another place that explains, such as the bracket that is never closed.
    pub label: Option<(ast::Span, String)>,
    /// What to do.
    pub help: Option<String>,
    /// What to write instead of `span`, where a mechanical fix exists.
    pub fix: Option<String>,
}

/// The tree of one item.
#[derive(Clone, Debug, PartialEq)]
pub struct Parsed {
    /// The tree; of kind `Error` where nothing could be made of the text.
    pub item: ast::Item,
    /// Its tokens.
    pub tokens: Tokens,
    /// What is wrong with its form.
    pub errors: Vec<SyntaxError>,
}

/// Parses one piece of a file; `text` is the piece's text.
pub fn parse_item(text: &str) -> Parsed {
    let _ = text;
    Parsed {
        item: ast::Item { annotations: Vec::new(), kind: ast::ItemKind::Error, span: ast::Span::default() },
        tokens: Tokens::default(),
        errors: Vec::new(),
    }
}

/// The `///` text before the token `first` of an item, without the slashes; `None` where there is none.
pub fn doc_before(text: &str, tokens: &Tokens, first: u32) -> Option<String> {
    let _ = (text, tokens, first);
    None
}

/// The `//!` text at the head of a file.
pub fn file_doc(text: &str) -> Option<String> {
    let _ = text;
    None
}
