//! Layout: from a text's tokens to those that the grammar reads.
//!
//! In one pass over the tokens it
//! - inserts the separators that line ends stand for, and the closing brackets that are missing,
//! - tells keywords from names, and brackets that look alike from one another,
//! - reports mistakes inside tokens and between brackets, and hands on what was meant,
//! - caps how deep brackets nest, so that nothing that recurses over them goes deeper.
//!
//! So the grammar reads balanced brackets, and one token tells it what to parse.

mod brackets;
mod frame;
mod kind;
pub(crate) mod lines;
mod mistakes;
mod words;

pub(crate) use brackets::{closes, opens};
pub(crate) use kind::Tok;
pub(crate) use mistakes::meant_declarator;
pub(crate) use words::declarator;

use crate::ast::Span;
use crate::error::{self, SyntaxError};
use crate::token::{Token, TokenKind};
use crate::{Place, Tokens};
use brackets::NONE;
use frame::{Frame, Inside, Policy};
use std::collections::HashSet;

/// How deep brackets, expressions, types and patterns nest at most.
pub const MAX_DEPTH: usize = 256;

/// What the grammar reads.
#[derive(Default)]
pub(crate) struct Layout {
    /// All significant tokens.
    pub tokens: Tokens,
    /// Those that the grammar sees.
    pub feed: Vec<Tok>,
    /// For each of `feed` its index in `tokens`.
    pub map: Vec<u32>,
    /// Mistakes in tokens and brackets.
    pub errors: Vec<SyntaxError>,
    /// Indices into `feed` at which the grammar has nothing to add: a mistake there was told.
    pub told: HashSet<u32>,
}

/// How many mistakes of one item are told at most: more would help nobody.
const MAX_ERRORS: usize = 200;

impl Layout {
    pub fn report(&mut self, error: SyntaxError) {
        if self.errors.len() < MAX_ERRORS {
            self.errors.push(error);
        }
    }
}

/// A token that is no trivia, and where it stands.
#[derive(Clone, Copy)]
struct Raw {
    kind: TokenKind,
    start: u32,
    end: u32,
    index: u32,
    line: u32,
    /// The indentation of its line, in bytes.
    indent: u32,
    /// Whether it is the first of its line.
    first: bool,
}

/// Prepares the tokens of one item for the grammar.
pub(crate) fn lay_out(text: &str, tokens: &[Token]) -> Layout {
    let raws = significant(tokens);
    let partners = brackets::partners(&raws);
    let mut layouter = Layouter {
        text,
        raws: &raws,
        partners: &partners,
        out: Layout::default(),
        frames: vec![Frame::new(Inside::Item, 0, (0, 0), None)],
        previous: Tok::Separator,
        last_unknown_line: u32::MAX,
        last_missing: None,
    };
    layouter.out.feed.reserve(raws.len() + raws.len() / 8);
    layouter.out.map.reserve(raws.len() + raws.len() / 8);
    layouter.out.tokens.places.reserve(raws.len() + raws.len() / 8);
    let mut i = 0;
    while i < raws.len() {
        i = layouter.token(i);
    }
    while layouter.frames.len() > 1 {
        layouter.close_missing(raws.len(), true);
    }
    layouter.out
}

fn significant(tokens: &[Token]) -> Vec<Raw> {
    let mut raws = Vec::with_capacity(tokens.len() * 2 / 3);
    let (mut line, mut indent, mut first) = (0, 0, true);
    for (index, token) in tokens.iter().enumerate() {
        match token.kind {
            TokenKind::LineBreak => (line, indent, first) = (line + 1, 0, true),
            TokenKind::Space if first => indent = token.range.end - token.range.start,
            kind if kind.is_trivia() => {}
            kind => {
                let Token { range, .. } = token;
                raws.push(Raw { kind, start: range.start, end: range.end, index: index as u32, line, indent, first });
                first = false;
            }
        }
    }
    raws
}

struct Layouter<'a> {
    text: &'a str,
    raws: &'a [Raw],
    partners: &'a [u32],
    out: Layout,
    /// Never empty: the item itself is the first.
    frames: Vec<Frame>,
    /// What was fed last.
    previous: Tok,
    /// The line on which an unknown character was reported last.
    last_unknown_line: u32,
    /// The token before which a closing bracket was missing last.
    last_missing: Option<usize>,
}

impl<'a> Layouter<'a> {
    /// Lays out the token `i`; the index of the next one.
    fn token(&mut self, i: usize) -> usize {
        let raw = self.raws[i];
        if raw.first {
            self.line_start(i);
        }
        if brackets::closes(raw.kind) {
            self.closer(i);
        } else if brackets::opens(raw.kind) {
            return self.opener(i);
        } else {
            match raw.kind {
                TokenKind::Word => self.word(i),
                TokenKind::Quoted => {
                    let tok = self.name(i);
                    self.feed(i, tok);
                }
                TokenKind::Colon if self.frame().inside == Inside::Interpolation && self.previous != Tok::Label => {
                    return self.format(i);
                }
                kind => match Tok::plain(kind) {
                    Some(tok) => self.plain(i, tok),
                    None => self.mistake(i),
                },
            }
        }
        i + 1
    }

    fn frame(&mut self) -> &mut Frame {
        let last = self.frames.len() - 1;
        &mut self.frames[last]
    }

    fn text(&self, i: usize) -> &'a str {
        self.raws.get(i).map_or("", |raw| &self.text[raw.start as usize..raw.end as usize])
    }

    fn kind(&self, i: usize) -> Option<TokenKind> {
        self.raws.get(i).map(|raw| raw.kind)
    }

    /// The span of the significant token that is added next.
    fn next_span(&self) -> Span {
        let place = self.out.tokens.len();
        Span::new(place, place + 1)
    }

    /// Adds the token `i` for the grammar to read as `tok`.
    fn feed(&mut self, i: usize, tok: Tok) {
        self.out.feed.push(tok);
        self.out.map.push(self.out.tokens.len());
        self.skip(i);
        self.previous = tok;
        let frame = self.frame();
        match (frame.fresh, frame.policy, tok) {
            (false, ..) => {}
            (true, _, Tok::At) => frame.policy = Policy::At,
            (true, Policy::At, Tok::Ident) => frame.policy = Policy::Name,
            (true, Policy::Name, Tok::LParen) => {}
            (true, Policy::Name, Tok::RParen) => frame.policy = Policy::None,
            _ => frame.fresh = false,
        }
    }

    /// Whether the token `i` separates nothing: a last comma or `;`, or another `;`.
    fn is_needless(&mut self, i: usize, tok: Tok) -> bool {
        let ends_entry = self.previous.ends_operand() || matches!(self.previous, Tok::Colon | Tok::DotDot);
        let is_last = self.kind(i + 1).is_none_or(brackets::closes);
        let separates = match self.frame().inside {
            Inside::Parens | Inside::Brackets => tok == Tok::Comma,
            Inside::Arms => matches!(tok, Tok::Comma | Tok::Separator),
            Inside::Item | Inside::Body => tok == Tok::Separator,
            Inside::Str | Inside::Interpolation => false,
        };
        let is_again = tok == Tok::Separator && matches!(self.previous, Tok::Separator | Tok::LBrace);
        separates && !self.out.feed.is_empty() && (is_last && ends_entry || is_again)
    }

    /// Adds a separator that the grammar reads but that counts as none, so that places stay the same with and without it.
    fn feed_needless(&mut self, tok: Tok) {
        self.out.feed.push(tok);
        self.out.map.push(self.out.tokens.len().saturating_sub(1));
        self.previous = tok;
    }

    /// Adds the token `i`, which the grammar does not see.
    fn skip(&mut self, i: usize) {
        let raw = self.raws[i];
        self.out.tokens.places.push(Place { start: raw.start, end: raw.end, index: raw.index });
    }

    /// Adds a token that is not in the text, before the token `i`.
    fn insert(&mut self, i: usize, tok: Tok) {
        let at = i.checked_sub(1).map_or(0, |before| self.raws[before].end);
        let index = self.raws.get(i).map_or(u32::MAX, |raw| raw.index);
        self.out.feed.push(tok);
        self.out.map.push(self.out.tokens.len());
        self.out.tokens.places.push(Place { start: at, end: at, index });
        self.previous = tok;
    }

    fn report(&mut self, error: SyntaxError) {
        self.out.report(error);
    }

    /// Tells the grammar that the mistake at what is fed next was reported.
    fn told(&mut self) {
        self.out.told.insert(self.out.feed.len() as u32);
    }

    fn line_start(&mut self, i: usize) {
        let indent = self.raws[i].indent;
        while self.frame().ends_at.is_some_and(|limit| indent <= limit) {
            self.close_missing(i, true);
        }
        let (kind, found, next) = (self.raws[i].kind, self.text(i), self.kind(i + 1));
        // A line is not finished yet when it ends with `.` before a binding.
        let binding = kind == TokenKind::Word && matches!(next, Some(TokenKind::Eq | TokenKind::Colon));
        let unfinished = matches!(self.previous, Tok::Dot | Tok::QuestionDot) && binding;
        if !self.frame().counts_lines() || self.previous == Tok::LBrace || self.previous.goes_on() && !unfinished {
            return;
        }
        if brackets::closes(kind) || lines::goes_on_before(kind, found, next) {
            return;
        }
        if lines::cannot_begin(kind, found, next) {
            let error =
                SyntaxError::new(error::LINE_START, self.next_span(), format!("a line cannot begin with `{found}`"));
            let help = format!("write the `{found}` at the end of the line before: a line goes on after it");
            self.report(error.help(help));
            return;
        }
        self.insert(i, Tok::Separator);
        self.frame().begin_statement();
    }

    /// Closes the parameters before `->` or `{` where their `)` is missing.
    fn close_params(&mut self, i: usize) {
        let in_item = self.frames.len() == 2 && self.frame().inside == Inside::Parens;
        if in_item && self.frame().ends_at.is_some() && self.previous != Tok::RParen {
            self.close_missing(i, true);
        }
    }

    fn opener(&mut self, i: usize) -> usize {
        let raw = self.raws[i];
        let partner = self.partners[i];
        if raw.kind == TokenKind::LBrace {
            self.close_params(i);
        }
        if self.frames.len() > MAX_DEPTH {
            return self.too_deep(i);
        }
        let after = self.kind(partner.wrapping_add(1) as usize).filter(|_| partner != NONE);
        let fresh = self.frame().fresh && self.frame().policy == Policy::None;
        let (inside, tok) = match raw.kind {
            TokenKind::LParen => {
                let body = self.frame().inside == Inside::Body;
                let tok = match after {
                    Some(TokenKind::Eq) if fresh && body => Tok::BindParen,
                    Some(TokenKind::FatArrow)
                        if !self.frame().awaits_arrow && (fresh || !self.previous.ends_operand()) =>
                    {
                        Tok::LambdaParen
                    }
                    _ => Tok::LParen,
                };
                (Inside::Parens, tok)
            }
            TokenKind::LBracket => {
                let call = self.previous == Tok::Ident && after == Some(TokenKind::LParen);
                (Inside::Brackets, if call { Tok::CallBracket } else { Tok::LBracket })
            }
            TokenKind::LBrace => {
                let own = matches!(self.previous, Tok::Else | Tok::ErrorName | Tok::Seq | Tok::FatArrow);
                let of_match = !own && self.frame().end_head();
                (if of_match { Inside::Arms } else { Inside::Body }, Tok::LBrace)
            }
            TokenKind::InterpolationOpen => (Inside::Interpolation, Tok::InterpolationOpen),
            _ => (Inside::Str, Tok::StrOpen),
        };
        let ends_at = (partner == NONE).then_some(raw.indent);
        let places = (self.out.tokens.len(), self.out.feed.len() as u32);
        self.feed(i, tok);
        self.frames.push(Frame::new(inside, i, places, ends_at));
        i + 1
    }

    /// Leaves out what stands in a bracket that is nested too deeply.
    fn too_deep(&mut self, i: usize) -> usize {
        if !self.out.errors.iter().any(|error| error.code == error::TOO_DEEP) {
            let message = format!("code nests at most {MAX_DEPTH} deep");
            let help = "give a part of it a name of its own: `part = …`";
            self.report(SyntaxError::new(error::TOO_DEEP, self.next_span(), message).help(help));
        }
        self.told();
        self.feed(i, Tok::Bad);
        self.told();
        let surrounding = self.partners[self.frame().opener];
        let end = match (self.partners[i], surrounding) {
            (NONE, NONE) => self.raws.len(),
            (NONE, closer) => closer as usize,
            (closer, _) => closer as usize + 1,
        };
        for skipped in i + 1..end {
            self.skip(skipped);
        }
        end
    }

    fn closer(&mut self, i: usize) {
        let raw = self.raws[i];
        let partner = self.partners[i];
        if partner == NONE {
            let found = self.text(i);
            let message = format!("`{found}` closes nothing");
            self.report(SyntaxError::new(error::STRAY_BRACKET, self.next_span(), message).fix(""));
            self.told();
            return self.skip(i);
        }
        let in_unclosed_str = raw.kind == TokenKind::StrUnclosed;
        let mut missing = false;
        while self.frames.len() > 1 && self.frame().opener != partner as usize {
            self.close_missing(i, !in_unclosed_str);
            missing = true;
        }
        if self.frames.len() == 1 {
            return self.skip(i);
        }
        let Some(frame) = self.frames.pop() else { return };
        if !brackets::fits(self.raws[frame.opener].kind, raw.kind) {
            let (found, close) = (self.text(i), frame.inside.close().1);
            let error =
                SyntaxError::new(error::STRAY_BRACKET, self.next_span(), format!("`{found}` closes something else"));
            let opener = Span::new(frame.opener_place, frame.opener_place + 1);
            let label = format!("this is closed by `{close}`");
            self.report(error.label(opener, label).help(format!("write `{close}`")).fix(close));
        }
        if in_unclosed_str && self.kind(i + 1) != Some(TokenKind::StrUnclosed) {
            if missing {
                // Nobody knows where the text of it was to go on.
                self.out.feed.truncate(frame.opener_fed as usize + 1);
                self.out.map.truncate(frame.opener_fed as usize + 1);
                self.out.errors.retain(|error| error.span.first < frame.opener_place);
            }
            self.unclosed_str(i, frame.opener_place, missing);
            self.out.told.extend(frame.opener_fed..self.out.feed.len() as u32);
        }
        self.feed(i, frame.inside.close().0);
    }

    /// Closes the innermost bracket before the token `i`, where its own closing one is missing.
    fn close_missing(&mut self, i: usize, report: bool) {
        let Some(frame) = self.frames.pop() else { return };
        let (tok, close) = frame.inside.close();
        self.told();
        self.insert(i, tok);
        self.told();
        // A str that is never closed has taken in the bracket, too.
        let in_str = i.checked_sub(1).is_some_and(|before| self.raws[before].kind == TokenKind::StrUnclosed);
        // Of several that end at one place the innermost is told.
        let is_told = self.last_missing.replace(i) == Some(i);
        if report && is_told {
            self.out.told.insert(frame.opener_fed);
        } else if report && !in_str {
            let opener = self.text(frame.opener);
            self.out.told.insert(frame.opener_fed);
            let here = self.out.tokens.len() - 1;
            let span = Span::new(frame.opener_place, frame.opener_place + 1);
            let error = SyntaxError::new(error::UNCLOSED_BRACKET, span, format!("`{opener}` is never closed"));
            self.report(error.label(Span::new(here, here), format!("a `{close}` is missing before this")));
        }
    }

    /// Adds punctuation or a literal.
    fn plain(&mut self, i: usize, tok: Tok) {
        match tok {
            Tok::Arrow => self.close_params(i),
            Tok::PlusPlus if self.is_increment(i) => return self.increment(i),
            _ => {}
        }
        if self.is_needless(i, tok) {
            self.feed_needless(tok);
        } else {
            self.feed(i, tok);
        }
        let frame = self.frame();
        match tok {
            Tok::FatArrow => frame.awaits_arrow = false,
            Tok::Separator => frame.begin_statement(),
            Tok::Comma if frame.inside == Inside::Arms && !frame.in_head() => frame.begin_statement(),
            _ => {}
        }
    }
}
