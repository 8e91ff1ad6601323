//! Literals: their values.

use super::combinators::{eat, read_recovering, skip_to};
use super::error_expr;
use super::state::{Fault, Inp, Rule, State, at, fail, peek, span_since};
use crate::ast::{Code, Expr, Literal, Name, StrPart};
use crate::error::{self, SyntaxError};
use crate::layout::Tok;
use crate::lex::unicode_escape;
use crate::number;
use smol_str::SmolStr;

/// Reads a literal other than a str, with a minus before an int or float. `None` if its value is out of range, which is
/// reported.
pub(super) fn read(inp: &mut Inp<'_>) -> Result<Option<Literal>, Fault> {
    let start = at(inp);
    let negative = eat(inp, Tok::Minus);
    let place = at(inp);
    let found = match peek(inp) {
        Some(found @ (Tok::Int | Tok::Float)) => found,
        Some(found @ (Tok::Duration | Tok::Size | Tok::True | Tok::False | Tok::Null)) if !negative => found,
        _ => return fail(inp, if negative { Tok::Int } else { Tok::AnExpression }),
    };
    inp.skip();
    let text = inp.state().token_text(place);
    let literal = match found {
        Tok::Int => number::int(text, negative).map(Literal::Int),
        Tok::Float => number::float(text).map(|value| Literal::Float(if negative { -value } else { value })),
        Tok::Duration => number::duration(text).map(Literal::Duration),
        Tok::Size => number::size(text).map(Literal::Size),
        Tok::True => Some(Literal::Bool(true)),
        Tok::False => Some(Literal::Bool(false)),
        _ => Some(Literal::Null),
    };
    if literal.is_none() {
        let (message, help) = match found {
            Tok::Int => ("this int does not fit 64 bits", format!("ints reach from {} to {}", i64::MIN, i64::MAX)),
            Tok::Float => ("this float is too large", format!("floats reach up to {:e}", f64::MAX)),
            Tok::Duration => ("this duration is too large", "durations reach up to 106751 days".to_owned()),
            _ => ("this size is too large", "sizes reach up to 8589934591gb".to_owned()),
        };
        let span = span_since(inp, start);
        inp.state().report(SyntaxError::new(error::NUMBER_RANGE, span, message).help(help));
    }
    Ok(literal)
}

/// Reads a str; without a rule for its interpolations it may not have any.
pub(super) fn read_str(inp: &mut Inp<'_>, interpolation: Option<&Rule<Expr>>) -> Result<Vec<StrPart>, Fault> {
    let open = at(inp);
    let one = |text: String| if text.is_empty() { Vec::new() } else { vec![StrPart::Text(text.into())] };
    match peek(inp) {
        Some(Tok::RawStr) => {
            inp.skip();
            return Ok(one(raw(inp.state().token_text(open))));
        }
        Some(Tok::SingleQuoted) => {
            inp.skip();
            return Ok(one(inp.state().token_text(open).trim_matches('\'').replace("\\'", "'")));
        }
        Some(Tok::StrOpen) => inp.skip(),
        _ => return fail(inp, Tok::AStr),
    }
    let mut pieces = Vec::new();
    while peek(inp) != Some(Tok::StrClose) {
        let here = at(inp);
        match peek(inp) {
            Some(Tok::StrText) => pieces.push(Piece::Text(here)),
            Some(Tok::InterpolationOpen) => pieces.push(Piece::Expr(read_interpolation(inp, interpolation))),
            None => return fail(inp, Tok::StrClose),
            Some(_) => {}
        }
        inp.skip();
    }
    inp.skip();
    let state = inp.state();
    Ok(if state.token_text(open).starts_with("\"\"\"") { long_parts(state, pieces) } else { parts(state, pieces) })
}

/// Reads an interpolation up to its `}`.
fn read_interpolation(inp: &mut Inp<'_>, rule: Option<&Rule<Expr>>) -> Expr {
    let open = at(inp);
    inp.skip();
    let Some(rule) = rule else {
        skip_to(inp, &[]);
        let close = at(inp);
        let span = inp.state().span(open, close + 1);
        let error = SyntaxError::new(error::NO_INTERPOLATION, span, "this str may not interpolate");
        inp.state().report(error.help("its text must be known when the file is read; a brace is written `{{`"));
        return error_expr(span);
    };
    let value = read_recovering(inp, rule, &[], error_expr);
    if peek(inp) == Some(Tok::InterpolationClose) {
        return value;
    }
    let fault = Fault::new(at(inp), Tok::InterpolationClose);
    inp.state().fault(fault);
    skip_to(inp, &[]);
    error_expr(value.span)
}

/// Reads a str that may not interpolate: its text and where it stands.
pub(super) fn plain_str(inp: &mut Inp<'_>) -> Result<Name, Fault> {
    let start = at(inp);
    let mut text = SmolStr::default();
    for part in read_str(inp, None)? {
        if let StrPart::Text(part) = part {
            text = part;
        }
    }
    Ok(Name { text, span: span_since(inp, start) })
}

/// A part of a str as it was read.
enum Piece {
    /// The token's index.
    Text(usize),
    Expr(Expr),
}

/// The parts of a str of one line.
fn parts(state: &State, pieces: Vec<Piece>) -> Vec<StrPart> {
    let mut parts = Parts::default();
    for piece in pieces {
        match piece {
            Piece::Text(at) => decode(state.token_text(at), &mut parts.text),
            Piece::Expr(expr) => parts.expr(expr),
        }
    }
    parts.finish()
}

#[derive(Default)]
struct Parts {
    parts: Vec<StrPart>,
    text: String,
}

impl Parts {
    fn end_text(&mut self) {
        if !self.text.is_empty() {
            self.parts.push(StrPart::Text(std::mem::take(&mut self.text).into()));
        }
    }

    fn expr(&mut self, expr: Expr) {
        self.end_text();
        self.parts.push(StrPart::Expr(expr));
    }

    fn finish(mut self) -> Vec<StrPart> {
        self.end_text();
        self.parts
    }
}

/// Adds `text` with its escapes resolved, line ends as `\n`.
fn decode(text: &str, out: &mut String) {
    let mut rest = text;
    while let Some(special) = rest.find(['\\', '{', '}', '\r']) {
        out.push_str(&rest[..special]);
        let escape = &rest[special..];
        let length = match escape.as_bytes() {
            [b'\\', b'u', ..] => {
                let length = escape.find('}').map_or(escape.len(), |end| end + 1);
                out.extend(unicode_escape(&escape[..length]));
                length
            }
            [b'\\', c, ..] => {
                out.push(match c {
                    b'n' => '\n',
                    b't' => '\t',
                    other => char::from(*other),
                });
                2
            }
            [b'\r', b'\n', ..] => {
                out.push('\n');
                2
            }
            [b'\r', ..] => {
                out.push('\n');
                1
            }
            [brace, ..] => {
                out.push(char::from(*brace));
                2
            }
            [] => 0,
        };
        rest = rest.get(special + length..).unwrap_or_default();
    }
    out.push_str(rest);
}

const BLANKS: [char; 2] = [' ', '\t'];
const LINE_ENDS: [char; 2] = ['\r', '\n'];

/// A text without its first line, if that is blank; whether it was.
fn without_first_line(text: &str) -> (&str, bool) {
    let rest = text.trim_start_matches(BLANKS);
    match rest.strip_prefix("\r\n").or_else(|| rest.strip_prefix(LINE_ENDS)) {
        Some(rest) => (rest, true),
        None => (text, false),
    }
}

/// A text without its last line, if that is blank; with it the last line's length.
fn without_last_line(text: &str) -> (&str, Option<usize>) {
    let rest = text.trim_end_matches(BLANKS);
    match rest.strip_suffix("\r\n").or_else(|| rest.strip_suffix(LINE_ENDS)) {
        Some(shorter) => (shorter, Some(text.len() - rest.len())),
        None => (text, None),
    }
}

/// The parts of a long str: its first and last line end and the indentation that all its lines have are left out.
fn long_parts(state: &State, pieces: Vec<Piece>) -> Vec<StrPart> {
    let mut texts: Vec<Option<&str>> = pieces
        .iter()
        .map(|piece| match piece {
            Piece::Text(at) => Some(state.token_text(*at)),
            Piece::Expr(_) => None,
        })
        .collect();
    let (mut first_line, mut indentation) = (false, usize::MAX);
    if let Some(Some(first)) = texts.first_mut() {
        (*first, first_line) = without_first_line(first);
    }
    let only = texts.len() == 1;
    if let Some(Some(last)) = texts.last_mut() {
        let (rest, closing) = without_last_line(last);
        // Between the quotes there may be nothing but the closing line.
        let blank = first_line && only && last.trim_matches(BLANKS).is_empty();
        (*last, indentation) = if blank { ("", last.len()) } else { (rest, closing.unwrap_or(usize::MAX)) };
    }
    let last = texts.len().saturating_sub(1);
    let mut line_start = first_line;
    for (i, text) in texts.iter().enumerate() {
        let Some(text) = text else {
            // An interpolation at the very start of a line: that line has no indentation.
            if line_start {
                indentation = 0;
            }
            line_start = false;
            continue;
        };
        for_lines(text, &mut line_start, |line, starts, ends| {
            let blanks = line.len() - line.trim_start_matches(BLANKS).len();
            let is_blank = blanks == line.len() && (ends || i == last);
            if starts && !is_blank {
                indentation = indentation.min(blanks);
            }
        });
    }
    let mut parts = Parts::default();
    let mut line_start = first_line;
    for (piece, text) in pieces.into_iter().zip(texts.clone()) {
        match (piece, text) {
            (Piece::Expr(expr), _) => {
                parts.expr(expr);
                line_start = false;
            }
            (Piece::Text(_), text) => {
                for_lines(text.unwrap_or_default(), &mut line_start, |line, starts, ends| {
                    let blanks = line.len() - line.trim_start_matches(BLANKS).len();
                    decode(if starts { &line[blanks.min(indentation)..] } else { line }, &mut parts.text);
                    if ends {
                        parts.text.push('\n');
                    }
                });
            }
        }
    }
    parts.finish()
}

/// Calls `each` with every line of a text, whether the text starts that line, and whether a line end follows.
fn for_lines(text: &str, line_start: &mut bool, mut each: impl FnMut(&str, bool, bool)) {
    let mut rest = text;
    while let Some(end) = rest.find(LINE_ENDS) {
        each(&rest[..end], *line_start, true);
        *line_start = true;
        let after = &rest[end..];
        rest = after.strip_prefix("\r\n").unwrap_or(&after[1..]);
    }
    if !rest.is_empty() {
        each(rest, *line_start, false);
        *line_start = false;
    }
}

/// The text of a raw str, closed or not.
fn raw(token: &str) -> String {
    let body = token.strip_prefix('r').unwrap_or(token);
    let hashes = body.bytes().take_while(|b| *b == b'#').count();
    let body = body.get(hashes + 1..).unwrap_or_default();
    let close = format!("\"{}", "#".repeat(hashes));
    plain_lines(body.strip_suffix(&close).unwrap_or(body))
}

/// The code of a fence, closed or not, that stands after its language.
pub(super) fn code(state: &State, language: usize) -> Code {
    let token = state.token_text(language + 1);
    let ticks = token.bytes().take_while(|b| *b == b'`').count();
    let (ticks, body) = token.split_at(ticks);
    let body = without_first_line(body.strip_suffix(ticks).unwrap_or(body)).0;
    let text = plain_lines(without_last_line(body).0).into();
    Code { lang: state.name(language), text, span: state.span(language, language + 2) }
}

fn plain_lines(text: &str) -> String {
    if text.contains('\r') { text.replace("\r\n", "\n").replace('\r', "\n") } else { text.to_owned() }
}
