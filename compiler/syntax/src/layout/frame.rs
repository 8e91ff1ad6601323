//! What is open around a token.

use super::Tok;

/// What surrounds a token.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Inside {
    /// The item itself, outside all brackets.
    Item,
    /// `( )`.
    Parens,
    /// `[ ]`.
    Brackets,
    /// The `{ }` of a body.
    Body,
    /// The `{ }` of a `match`.
    Arms,
    Str,
    Interpolation,
}

impl Inside {
    /// What ends it.
    pub fn close(self) -> (Tok, &'static str) {
        match self {
            Inside::Parens => (Tok::RParen, ")"),
            Inside::Brackets => (Tok::RBracket, "]"),
            Inside::Body | Inside::Arms => (Tok::RBrace, "}"),
            Inside::Interpolation => (Tok::InterpolationClose, "}"),
            Inside::Str | Inside::Item => (Tok::StrClose, "\""),
        }
    }
}

/// A bracket that is open, with what stands directly in it.
pub(super) struct Frame {
    pub inside: Inside,
    /// The opening bracket, in the tokens of the text and among the significant ones.
    pub opener: usize,
    pub opener_place: u32,
    pub opener_fed: u32,
    /// Of a bracket that is never closed: the indentation of its line; a line that is indented no further ends it.
    pub ends_at: Option<u32>,
    /// Nothing of a statement has been seen, or only its policies.
    pub fresh: bool,
    pub policy: Policy,
    /// The heads that still await their `{`, innermost in the lowest bit below a leading one; set for those of `match`.
    heads: u64,
    /// The next `=>` is that of an arm or `mock`, not of a lambda.
    pub awaits_arrow: bool,
}

/// How much of a policy was seen.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Policy {
    None,
    At,
    Name,
}

impl Frame {
    pub fn new(inside: Inside, opener: usize, (opener_place, opener_fed): (u32, u32), ends_at: Option<u32>) -> Self {
        let (policy, heads, awaits_arrow) = (Policy::None, 1, inside == Inside::Arms);
        Frame { inside, opener, opener_place, opener_fed, ends_at, fresh: true, policy, heads, awaits_arrow }
    }

    pub fn counts_lines(&self) -> bool {
        matches!(self.inside, Inside::Item | Inside::Body | Inside::Arms)
    }

    pub fn in_head(&self) -> bool {
        self.heads > 1
    }

    pub fn begin_head(&mut self, of_match: bool) {
        // Nobody nests 60 heads; beyond that the outermost is forgotten.
        self.heads = (self.heads.min(1 << 60) << 1) | u64::from(of_match);
    }

    /// Ends the innermost head; whether it is that of a `match`.
    pub fn end_head(&mut self) -> bool {
        if !self.in_head() {
            return false;
        }
        let of_match = self.heads & 1 == 1;
        self.heads >>= 1;
        of_match
    }

    pub fn begin_statement(&mut self) {
        self.fresh = true;
        self.policy = Policy::None;
        self.heads = 1;
        self.awaits_arrow = self.inside == Inside::Arms;
    }
}
