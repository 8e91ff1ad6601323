//! Patterns: of arms, bindings, `for` and lambdas.

mod parts;

use super::combinators::{eat, read_list, read_name, recovering};
use super::literal;
use super::state::{Fault, Inp, Rule, at, fail, nested, peek, span_since};
use crate::ast::{FieldPattern, Literal, Pattern, PatternKind, Span, TypeExpr};
use crate::error::{self, SyntaxError};
use crate::layout::Tok;
use chumsky::prelude::*;

pub(super) fn error_pattern(span: Span) -> Pattern {
    Pattern { kind: PatternKind::Error, span }
}

pub(super) fn patterns(ty: Rule<TypeExpr>) -> Rule<Pattern> {
    recursive(|pattern| {
        let part = recovering(pattern.boxed(), &[Tok::Comma], error_pattern).boxed();
        let field = field(part.clone(), ty.clone());
        custom(move |inp: &mut Inp<'_>| {
            nested(inp, error_pattern, |inp| {
                let start = at(inp);
                let first = primary(inp, &part, &field, &ty)?;
                if peek(inp) != Some(Tok::Bar) {
                    return Ok(first);
                }
                let mut members = vec![first];
                while eat(inp, Tok::Bar) {
                    members.push(primary(inp, &part, &field, &ty)?);
                }
                Ok(Pattern { kind: PatternKind::Or(members), span: span_since(inp, start) })
            })
        })
        .boxed()
    })
    .boxed()
}

fn primary(
    inp: &mut Inp<'_>,
    part: &Rule<Pattern>,
    field: &Rule<Option<FieldPattern>>,
    ty: &Rule<TypeExpr>,
) -> Result<Pattern, Fault> {
    let start = at(inp);
    let kind = match peek(inp) {
        Some(Tok::Ident | Tok::LambdaName | Tok::BindName) => {
            let name = read_name(inp, &[Tok::Ident, Tok::LambdaName, Tok::BindName])?;
            if name.text == "_" { PatternKind::Wildcard } else { PatternKind::Bind(name) }
        }
        Some(Tok::Label) => {
            let name = read_name(inp, &[Tok::Label])?;
            inp.skip();
            PatternKind::Typed(name, Box::new(inp.parse(ty)?))
        }
        Some(Tok::LParen | Tok::LambdaParen | Tok::BindParen) => {
            inp.skip();
            return parenthesised(inp, part, field, start);
        }
        Some(Tok::StrOpen | Tok::RawStr | Tok::SingleQuoted) => {
            PatternKind::Literal(Literal::Str(literal::plain_str(inp)?.text))
        }
        Some(Tok::Bad) => {
            inp.skip();
            PatternKind::Error
        }
        Some(Tok::Minus | Tok::Int | Tok::Float | Tok::Duration | Tok::Size | Tok::True | Tok::False | Tok::Null) => {
            literal::read(inp)?.map_or(PatternKind::Error, PatternKind::Literal)
        }
        _ => return fail(inp, Tok::APattern),
    };
    Ok(Pattern { kind, span: span_since(inp, start) })
}

/// `(a, b)`, `(n: int, true)`, `(kind: "x", ..)` or a pattern in parentheses; the `(` was read.
fn parenthesised(
    inp: &mut Inp<'_>,
    part: &Rule<Pattern>,
    field: &Rule<Option<FieldPattern>>,
    start: usize,
) -> Result<Pattern, Fault> {
    let kind = match peek(inp) {
        Some(Tok::Label | Tok::DotDot) if parts::all_named(inp) => {
            let (fields, _) = read_list(inp, Tok::RParen, field)?;
            let rest = fields.iter().any(Option::is_none);
            PatternKind::Record { fields: fields.into_iter().flatten().collect(), rest }
        }
        Some(Tok::RParen) => return fail(inp, Tok::APattern),
        _ => {
            let (mut items, comma) = read_list(inp, Tok::RParen, part)?;
            let span = span_since(inp, start);
            if items.len() == 1 && !comma {
                return Ok(items.pop().map_or_else(|| error_pattern(span), |only| Pattern { span, ..only }));
            }
            if items.len() < 2 {
                inp.state().report(SyntaxError::new(error::UNEXPECTED, span, "a tuple has two items or more"));
                return Ok(error_pattern(span));
            }
            PatternKind::Tuple(items)
        }
    };
    Ok(Pattern { kind, span: span_since(inp, start) })
}

/// `radius: r`, `title:`, `n: int`, or `..`, which is `None`.
fn field(part: Rule<Pattern>, ty: Rule<TypeExpr>) -> Rule<Option<FieldPattern>> {
    custom(move |inp: &mut Inp<'_>| {
        if eat(inp, Tok::DotDot) {
            return Ok(None);
        }
        let start = at(inp);
        let name = read_name(inp, &[Tok::Label])?;
        inp.skip();
        let pattern = match peek(inp) {
            Some(Tok::Comma | Tok::RParen) => None,
            _ if parts::is_type(inp) => {
                let kind = PatternKind::Typed(name.clone(), Box::new(inp.parse(&ty)?));
                Some(Pattern { kind, span: span_since(inp, start) })
            }
            _ => Some(inp.parse(&part)?),
        };
        Ok(Some(FieldPattern { name, pattern }))
    })
    .boxed()
}
