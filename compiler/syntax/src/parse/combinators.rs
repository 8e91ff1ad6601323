//! What the grammar is made of besides chumsky's own: layout sees to it that one token tells what to read, so these decide by
//! one token, never read anything twice, and go on after a mistake.

use super::error_expr;
use super::state::{Extra, Fault, Inp, Input, Rule, at, fail, peek};
use crate::ast::{Expr, Name, Span};
use crate::layout::Tok;
use chumsky::prelude::*;

/// One token.
pub(super) fn tok(tok: Tok) -> impl Parser<'static, Input, (), Extra> + Clone {
    custom(move |inp: &mut Inp<'_>| expect(inp, tok))
}

/// Reads one token.
pub(super) fn expect(inp: &mut Inp<'_>, tok: Tok) -> Result<(), Fault> {
    if peek(inp) == Some(tok) {
        inp.skip();
        return Ok(());
    }
    fail(inp, tok)
}

/// Reads `tok` if it is next; whether it was.
pub(super) fn eat(inp: &mut Inp<'_>, tok: Tok) -> bool {
    let found = peek(inp) == Some(tok);
    if found {
        inp.skip();
    }
    found
}

/// A name of one of the kinds of names.
pub(super) fn name(kinds: &'static [Tok]) -> impl Parser<'static, Input, Name, Extra> + Clone {
    custom(move |inp: &mut Inp<'_>| read_name(inp, kinds))
}

pub(super) fn read_name(inp: &mut Inp<'_>, kinds: &[Tok]) -> Result<Name, Fault> {
    match peek(inp) {
        Some(found) if kinds.contains(&found) => {
            let at = at(inp);
            inp.skip();
            Ok(inp.state().name(at))
        }
        _ => fail(inp, if kinds == [Tok::Label] { Tok::Label } else { Tok::AName }),
    }
}

/// `rule`, if `first` is next.
pub(super) fn when<O: 'static>(
    first: Tok,
    rule: impl Parser<'static, Input, O, Extra> + Clone + 'static,
) -> impl Parser<'static, Input, Option<O>, Extra> + Clone {
    custom(move |inp: &mut Inp<'_>| if peek(inp) == Some(first) { inp.parse(&rule).map(Some) } else { Ok(None) })
}

/// `rule` again and again, while `first` is next.
pub(super) fn many<O: 'static>(
    first: Tok,
    rule: impl Parser<'static, Input, O, Extra> + Clone + 'static,
) -> impl Parser<'static, Input, Vec<O>, Extra> + Clone {
    custom(move |inp: &mut Inp<'_>| {
        let mut found = Vec::new();
        while peek(inp) == Some(first) {
            found.push(inp.parse(&rule)?);
        }
        Ok(found)
    })
}

/// Items with commas between them, up to and with `close`, whose opening bracket was read.
pub(super) fn list<O: 'static>(close: Tok, item: Rule<O>) -> impl Parser<'static, Input, Vec<O>, Extra> + Clone {
    custom(move |inp: &mut Inp<'_>| read_list(inp, close, &item).map(|(items, _)| items))
}

/// Reads a list; with it, whether it ends with a comma. Mistakes between items are reported here.
pub(super) fn read_list<O>(inp: &mut Inp<'_>, close: Tok, item: &Rule<O>) -> Result<(Vec<O>, bool), Fault> {
    let (mut items, mut comma, mut told) = (Vec::new(), false, false);
    loop {
        match peek(inp) {
            Some(found) if found == close => {
                inp.skip();
                return Ok((items, comma));
            }
            None => return fail(inp, close),
            Some(_) => {}
        }
        let start = inp.save();
        let before = at(inp);
        match inp.parse(item) {
            Ok(found) => items.push(found),
            Err(fault) => {
                inp.rewind(start);
                inp.state().fault(fault);
                skip_to(inp, &[Tok::Comma]);
                told = true;
            }
        }
        comma = eat(inp, Tok::Comma);
        if !comma && peek(inp) != Some(close) {
            // A comma is missing, or there is something after the item: tell it once, and go on with what may be an item.
            if !told {
                let fault = Fault::either(at(inp), Tok::Comma, close);
                inp.state().fault(fault);
            }
            let begins_item = |tok: Tok| !tok.goes_on() && !matches!(tok, Tok::Colon | Tok::Question | Tok::At);
            let item_may_follow = !told && peek(inp).is_some_and(begins_item);
            told = true;
            if !item_may_follow || at(inp) == before {
                skip_to(inp, &[Tok::Comma]);
                comma = eat(inp, Tok::Comma);
            }
        }
        if at(inp) == before {
            inp.skip();
        }
    }
}

/// The same of names in some form, of which there is at least one.
pub(super) fn read_names<O>(inp: &mut Inp<'_>, close: Tok, item: &Rule<O>) -> Result<Vec<O>, Fault> {
    if peek(inp) == Some(close) {
        let fault = Fault::new(at(inp), Tok::AName);
        inp.state().fault(fault);
    }
    read_list(inp, close, item).map(|(names, _)| names)
}

/// Steps over balanced brackets and everything else up to one of `stops`, or the end of the bracket that all this stands in.
pub(super) fn skip_to(inp: &mut Inp<'_>, stops: &[Tok]) {
    let mut depth = 0_u32;
    while let Some(tok) = peek(inp) {
        if depth == 0 && (stops.contains(&tok) || tok.closes()) {
            return;
        }
        if tok.opens() {
            depth += 1;
        } else if tok.closes() {
            depth -= 1;
        }
        inp.skip();
    }
}

/// `rule`; where it cannot be read, everything up to one of `stops` becomes `error`.
pub(super) fn recovering<O: 'static>(
    rule: Rule<O>,
    stops: &'static [Tok],
    error: fn(Span) -> O,
) -> impl Parser<'static, Input, O, Extra> + Clone {
    custom(move |inp: &mut Inp<'_>| Ok(read_recovering(inp, &rule, stops, error)))
}

/// An expression that goes up to one of `stops` or a closing bracket. One with something else after it, which is reported,
/// is nobody knows what.
pub(super) fn whole(rule: Rule<Expr>, stops: [Tok; 2]) -> impl Parser<'static, Input, Expr, Extra> + Clone {
    custom(move |inp: &mut Inp<'_>| {
        let value = read_recovering(inp, &rule, &stops, error_expr);
        let ends = peek(inp).is_none_or(|tok| stops.contains(&tok) || tok.closes());
        if ends {
            return Ok(value);
        }
        let fault = Fault { at: at(inp) as u32, expected: stops };
        inp.state().fault(fault);
        skip_to(inp, &stops);
        Ok(error_expr(value.span))
    })
}

pub(super) fn read_recovering<O>(inp: &mut Inp<'_>, rule: &Rule<O>, stops: &[Tok], error: fn(Span) -> O) -> O {
    let (checkpoint, start) = (inp.save(), at(inp));
    match inp.parse(rule) {
        Ok(found) => found,
        Err(fault) => {
            inp.rewind(checkpoint);
            inp.state().fault(fault);
            skip_to(inp, stops);
            let span = super::state::span_since(inp, start);
            error(span)
        }
    }
}
