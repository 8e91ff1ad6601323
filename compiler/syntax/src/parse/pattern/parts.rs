//! What stands in the parentheses of a pattern, found out by looking ahead: `(n: int, true)` is a tuple, `(n: int, ..)` a
//! record; after `name:` may stand a type or a pattern.

use super::super::state::{Inp, State, at};
use crate::layout::Tok;

/// Whether every part, up to the closing parenthesis, is `name: …` or `..`: if not, they are those of a tuple.
pub(super) fn all_named(inp: &mut Inp<'_>) -> bool {
    let start = at(inp);
    let (state, mut place) = (inp.state(), start);
    loop {
        match state.tok(place) {
            // Only a record has these, so whatever else is there is the mistake.
            Some(Tok::DotDot) => return true,
            Some(Tok::Label) if matches!(state.tok(place + 2), Some(Tok::Comma | Tok::RParen)) => return true,
            Some(Tok::Label) => {}
            Some(Tok::RParen) | None => return true,
            Some(_) => return false,
        }
        place = end_of_part(state, place);
        match state.tok(place) {
            Some(Tok::Comma) => place += 1,
            _ => return true,
        }
    }
}

/// Whether what is next, after `name:`, is a type: it cannot be read as a pattern, or names types only.
pub(super) fn is_type(inp: &mut Inp<'_>) -> bool {
    let start = at(inp);
    let mut reading = Reading { state: inp.state(), place: start, is_typed: true, names_one: false };
    let is_pattern = reading.pattern() && matches!(reading.tok(), Some(Tok::Comma | Tok::RParen));
    // What is neither reads as a pattern, whose mistakes are told.
    if is_pattern { reading.is_typed && reading.names_one } else { begins_type(inp.state(), start) }
}

/// Whether a type that is no pattern begins here: `list[…]`, `int?`, `rss.Item`, `fn(…)`, or one in parentheses.
fn begins_type(state: &State, start: usize) -> bool {
    let end = end_of_part(state, start);
    let of_types = |tok: Tok| {
        matches!(
            tok,
            Tok::Question | Tok::Dot | Tok::LBracket | Tok::CallBracket | Tok::Fn | Tok::Arrow | Tok::At | Tok::Per
        )
    };
    (start..end).filter_map(|place| state.tok(place)).any(of_types)
        && !matches!(state.tok(start), Some(Tok::LBracket | Tok::CallBracket | Tok::Dot | Tok::Question))
}

/// The place after what stands between two commas.
fn end_of_part(state: &State, start: usize) -> usize {
    let (mut place, mut depth) = (start, 0_u32);
    while let Some(tok) = state.tok(place) {
        if depth == 0 && (tok == Tok::Comma || tok.closes()) {
            break;
        }
        depth = if tok.opens() { depth + 1 } else { depth - u32::from(tok.closes()) };
        place += 1;
    }
    place
}

/// Whether a name is that of a type: one that is built in, or as types are written, `Point`.
fn names_type(name: &str) -> bool {
    const BUILT_IN: [&str; 12] =
        ["str", "int", "float", "bool", "bytes", "json", "any", "duration", "size", "datetime", "secret", "never"];
    BUILT_IN.contains(&name) || name.starts_with(char::is_uppercase) && name.contains(char::is_lowercase)
}

/// A look ahead over a pattern.
struct Reading<'s> {
    state: &'s State,
    place: usize,
    /// All that it is made of may be a type.
    is_typed: bool,
    /// A type is named in it.
    names_one: bool,
}

impl Reading<'_> {
    fn tok(&self) -> Option<Tok> {
        self.state.tok(self.place)
    }

    fn eat(&mut self, tok: Tok) -> bool {
        let found = self.tok() == Some(tok);
        self.place += usize::from(found);
        found
    }

    /// Steps over `a | b`; whether it is a pattern.
    fn pattern(&mut self) -> bool {
        while self.one() {
            if !self.eat(Tok::Bar) {
                return true;
            }
        }
        false
    }

    fn one(&mut self) -> bool {
        let Some(tok) = self.tok() else { return false };
        let start = self.place;
        self.place += 1;
        match tok {
            Tok::Ident | Tok::LambdaName | Tok::BindName => {
                let is_type = names_type(self.state.token_text(start));
                self.is_typed &= is_type;
                self.names_one |= is_type;
                true
            }
            Tok::Label => {
                self.is_typed = false;
                self.place = end_of_part(self.state, start);
                true
            }
            Tok::Minus => self.eat(Tok::Int) || self.eat(Tok::Float),
            Tok::Int | Tok::Float | Tok::Duration | Tok::Size | Tok::True | Tok::False | Tok::Null => true,
            Tok::RawStr | Tok::SingleQuoted => true,
            Tok::StrOpen => {
                while self.tok().is_some_and(|tok| tok != Tok::StrClose) {
                    self.place += 1;
                }
                self.eat(Tok::StrClose)
            }
            Tok::LParen | Tok::LambdaParen | Tok::BindParen => self.parts(),
            _ => false,
        }
    }

    /// Steps over the parts of a tuple or record, and its `)`.
    fn parts(&mut self) -> bool {
        loop {
            let is_part = if self.eat(Tok::DotDot) {
                self.is_typed = false;
                true
            } else if self.eat(Tok::Label) {
                self.is_typed = false;
                self.eat(Tok::Colon) && (matches!(self.tok(), Some(Tok::Comma | Tok::RParen)) || self.field())
            } else {
                self.pattern()
            };
            if !is_part {
                return false;
            }
            let comma = self.eat(Tok::Comma);
            if self.eat(Tok::RParen) {
                return true;
            }
            if !comma {
                return false;
            }
        }
    }

    /// Steps over what stands after `name:`: that it may be a type is for its own list to say.
    fn field(&mut self) -> bool {
        self.place = end_of_part(self.state, self.place);
        true
    }
}
