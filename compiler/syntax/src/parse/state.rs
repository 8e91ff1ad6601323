//! What the grammar reads and writes besides tokens, and its error.

use super::message;
use crate::ast::{Name, Span};
use crate::error::{self, SyntaxError};
use crate::layout::{Layout, MAX_DEPTH, Tok};
use chumsky::DefaultExpected;
use chumsky::error::{Error, LabelError};
use chumsky::input::{Checkpoint, Cursor, InputRef, MapExtra, Stream};
use chumsky::inspector::Inspector;
use chumsky::prelude::*;
use chumsky::util::MaybeRef;

/// What the grammar reads: owned, so that the parser, which is kept, borrows nothing. It only counts; the tokens themselves are
/// looked up in the [`State`].
pub(super) type Input = Stream<std::iter::RepeatN<()>>;
pub(super) type Extra = extra::Full<Fault, State, ()>;
/// A production.
pub(super) type Rule<O> = chumsky::Boxed<'static, 'static, Input, O, Extra>;
pub(super) type Inp<'p> = InputRef<'static, 'p, Input, Extra>;
pub(super) type With<'b> = MapExtra<'static, 'b, Input, Extra>;

/// A place at which the grammar cannot go on, and what it could read there. Small, since some are made in vain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Fault {
    /// Index of the token.
    pub at: u32,
    /// One or the other; twice the same where there is but one.
    pub expected: [Tok; 2],
}

impl Fault {
    pub fn new(at: usize, expected: Tok) -> Self {
        Fault::either(at, expected, expected)
    }

    pub fn either(at: usize, one: Tok, other: Tok) -> Self {
        Fault { at: at as u32, expected: [one, other] }
    }

    pub fn expects(&self, tok: Tok) -> bool {
        self.expected.contains(&tok)
    }
}

impl LabelError<'static, Input, DefaultExpected<'static, ()>> for Fault {
    fn expected_found<E: IntoIterator<Item = DefaultExpected<'static, ()>>>(
        _expected: E,
        _found: Option<MaybeRef<'static, ()>>,
        span: SimpleSpan,
    ) -> Self {
        Fault::new(span.start, Tok::TheEnd)
    }
}

impl Error<'static, Input> for Fault {
    /// The one that came further.
    fn merge(self, other: Self) -> Self {
        if other.at > self.at { other } else { self }
    }
}

/// How an expression is read: what the one that asks for it allows.
#[derive(Clone, Copy, Default)]
pub(super) struct Entry {
    /// The weakest operator that it may hold outside brackets.
    pub min: u8,
    /// It is a condition, in which `=` is surely meant as `==`.
    pub condition: bool,
    /// A block follows it, so that a `try` in it needs parentheses.
    pub head: bool,
}

/// What goes along with a parse.
pub(crate) struct State {
    pub text: String,
    pub layout: Layout,
    /// For the next expression.
    pub entry: Entry,
    /// Whether the operand that is read now stands in a head.
    pub head: bool,
    /// How deep the grammar stands in itself.
    depth: usize,
    /// The height of the highest tree that was read in what is read now.
    height: usize,
    /// Where the last fault was reported.
    last_fault: Option<u32>,
}

impl Inspector<'static, Input> for State {
    type Checkpoint = ();
    fn on_token(&mut self, (): &()) {}
    fn on_save<'parse>(&self, _: &Cursor<'static, 'parse, Input>) {}
    fn on_rewind<'parse>(&mut self, _: &Checkpoint<'static, 'parse, Input, ()>) {}
}

impl State {
    pub fn new(text: &str, layout: Layout) -> Self {
        let (entry, text) = (Entry::default(), text.to_owned());
        State { text, layout, entry, head: false, depth: 0, height: 0, last_fault: None }
    }

    pub fn tok(&self, at: usize) -> Option<Tok> {
        self.layout.feed.get(at).copied()
    }

    /// The span of the tokens `start..end` of what the grammar reads; that of none is the place after the token before.
    pub fn span(&self, start: usize, end: usize) -> Span {
        let place = |at: usize| self.layout.map.get(at).copied();
        let after = |at: usize| at.checked_sub(1).and_then(place).map_or(0, |before| before + 1);
        match place(start).filter(|_| start < end) {
            Some(first) => Span::new(first, after(end)),
            None => Span::new(after(start), after(start)),
        }
    }

    /// The text of the token `at` of what the grammar reads.
    pub fn token_text(&self, at: usize) -> &str {
        self.source(self.span(at, at + 1))
    }

    /// The text of a span.
    pub fn source(&self, span: Span) -> &str {
        let range = self.layout.tokens.bytes(span);
        self.text.get(range.start as usize..range.end as usize).unwrap_or_default()
    }

    /// The name that the token `at` is.
    pub fn name(&self, at: usize) -> Name {
        let text = self.token_text(at);
        let text = text.strip_prefix('`').and_then(|text| text.strip_suffix('`')).unwrap_or(text);
        Name { text: text.into(), span: self.span(at, at + 1) }
    }

    pub fn report(&mut self, error: SyntaxError) {
        self.layout.report(error);
    }

    /// Whether anything was reported up to now.
    pub fn has_errors(&self) -> bool {
        !self.layout.errors.is_empty()
    }

    /// What was reported up to now, for [`State::forget_since`].
    pub fn reported(&self) -> (usize, Option<u32>) {
        (self.layout.errors.len(), self.last_fault)
    }

    /// Forgets what was reported on a way that led nowhere; whether there was anything.
    pub fn forget_since(&mut self, (errors, last_fault): (usize, Option<u32>)) -> bool {
        let any = self.layout.errors.len() > errors || self.last_fault != last_fault;
        self.layout.errors.truncate(errors);
        self.last_fault = last_fault;
        any
    }

    /// Reports that the grammar cannot go on, unless a mistake was reported there.
    pub fn fault(&mut self, fault: Fault) {
        // What nests too deeply was left out: what is missing then is no mistake.
        let too_deep = || self.layout.errors.iter().any(|error| error.code == error::TOO_DEEP);
        let told = self.last_fault == Some(fault.at) || self.layout.told.contains(&fault.at) || too_deep();
        if !told {
            let error = message::explain(self, fault);
            self.report(error);
        }
        self.last_fault = Some(fault.at);
    }
}

/// Index of the next token.
pub(super) fn at(inp: &Inp<'_>) -> usize {
    *inp.cursor().inner()
}

/// The next token.
pub(super) fn peek(inp: &mut Inp<'_>) -> Option<Tok> {
    let at = at(inp);
    inp.state().tok(at)
}

/// The token after the next.
pub(super) fn peek_second(inp: &mut Inp<'_>) -> Option<Tok> {
    let at = at(inp);
    inp.state().tok(at + 1)
}

/// What was read since the token `start`.
pub(super) fn span_since(inp: &mut Inp<'_>, start: usize) -> Span {
    let end = at(inp);
    inp.state().span(start, end)
}

/// Reports that the next token is written otherwise, and reads it.
pub(super) fn instead(inp: &mut Inp<'_>, code: &'static str, message: impl Into<String>, ours: &str) {
    let at = at(inp);
    inp.skip();
    let state = inp.state();
    let error = SyntaxError::new(code, state.span(at, at + 1), message);
    state.report(error.help(format!("write `{ours}`")).fix(ours));
}

/// Cannot go on at the next token.
pub(super) fn fail<O>(inp: &mut Inp<'_>, expected: Tok) -> Result<O, Fault> {
    Err(Fault::new(at(inp), expected))
}

/// The span of what a production has read.
pub(super) fn span(e: &mut With<'_>) -> Span {
    let read = e.span();
    e.state().span(read.start, read.end)
}

/// Reads one more level of what nests in itself, and keeps trees at most [`MAX_DEPTH`] high: what would be higher is
/// reported and becomes `too_deep`.
pub(super) fn nested<O>(
    inp: &mut Inp<'_>,
    too_deep: fn(Span) -> O,
    read: impl FnOnce(&mut Inp<'_>) -> Result<O, Fault>,
) -> Result<O, Fault> {
    let start = at(inp);
    if inp.state().depth >= MAX_DEPTH {
        report_depth(inp, start);
        super::combinators::skip_to(inp, &[Tok::Comma, Tok::Separator]);
        let span = span_since(inp, start);
        return Ok(too_deep(span));
    }
    let outside = std::mem::take(&mut inp.state().height);
    inp.state().depth += 1;
    let result = read(inp);
    inp.state().depth -= 1;
    let result = if result.is_ok() && !grow(inp, start) {
        let span = span_since(inp, start);
        Ok(too_deep(span))
    } else {
        result
    };
    let state = inp.state();
    state.height = state.height.max(outside);
    result
}

/// Counts one more node on top of what was read; `false` if the tree is too high then: it is to be dropped.
pub(super) fn grow(inp: &mut Inp<'_>, start: usize) -> bool {
    let state = inp.state();
    state.height += 1;
    if state.height <= MAX_DEPTH {
        return true;
    }
    state.height = 1;
    report_depth(inp, start);
    false
}

fn report_depth(inp: &mut Inp<'_>, start: usize) {
    let state = inp.state();
    if state.layout.errors.iter().any(|error| error.code == error::TOO_DEEP) {
        return;
    }
    let span = state.span(start, start + 1);
    let message = format!("code nests at most {MAX_DEPTH} deep");
    state.report(
        SyntaxError::new(error::TOO_DEEP, span, message).help("give a part of it a name of its own: `part = …`"),
    );
}
