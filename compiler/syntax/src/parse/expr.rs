//! Expressions: the operands. Their operators stand in [`super::operators`], `if` and its like in [`super::control`].

use super::combinators::{eat, expect, read_list, read_name, recovering};
use super::control::{for_expression, if_expression, lambda, loop_expression, match_expression, try_expression};
use super::operators::{Operands, expression};
use super::state::{Fault, Inp, Rule, at, fail, instead, peek, peek_second, span_since};
use super::{block, error_expr, literal, pattern, types};
use crate::ast::{Annotation, Arg, Block, Expr, ExprKind, Pattern, RecordField, TypeExpr};
use crate::error::{self, SyntaxError};
use crate::layout::Tok;
use chumsky::prelude::*;

/// What the rest of the grammar takes from that of expressions.
#[derive(Clone)]
pub(super) struct Exprs {
    pub expr: Rule<Expr>,
    pub ty: Rule<TypeExpr>,
    pub annotation: Rule<Annotation>,
    pub block: Rule<Block>,
}

/// The rules that are made of expressions, given that of expressions.
pub(super) fn around(expr: Rule<Expr>) -> (Exprs, Rule<Pattern>, Rule<Arg>) {
    let arg = arg(expr.clone());
    let annotation = annotation(arg.clone());
    let ty = types::types(expr.clone(), annotation.clone());
    let pattern = pattern::patterns(ty.clone());
    let block = block::block(expr.clone(), ty.clone(), pattern.clone(), annotation.clone());
    (Exprs { expr, ty, annotation, block }, pattern, arg)
}

/// All of it.
pub(super) fn exprs() -> Exprs {
    let expr = recursive(|expr| {
        let expr: Rule<Expr> = expr.boxed();
        let (parts, pattern, arg) = around(expr.clone());
        let atom = atom(parts.clone(), pattern);
        expression(Operands { expr, atom, ty: parts.ty, arg })
    });
    around(expr.boxed()).0
}

/// `@name`, `@name(args)`.
fn annotation(arg: Rule<Arg>) -> Rule<Annotation> {
    custom(move |inp: &mut Inp<'_>| {
        let start = at(inp);
        expect(inp, Tok::At)?;
        let name = read_name(inp, &[Tok::Ident, Tok::Label])?;
        let args = if eat(inp, Tok::LParen) { Some(read_list(inp, Tok::RParen, &arg)?.0) } else { None };
        Ok(Annotation { name, args, span: span_since(inp, start) })
    })
    .boxed()
}

/// `value`, `name: value`, `name:`.
fn arg(expr: Rule<Expr>) -> Rule<Arg> {
    let value = recovering(expr, &[Tok::Comma], error_expr).boxed();
    custom(move |inp: &mut Inp<'_>| {
        let start = at(inp);
        let mut name = None;
        let mut found = None;
        if peek(inp) == Some(Tok::Label) {
            name = Some(read_name(inp, &[Tok::Label])?);
            inp.skip();
            if !matches!(peek(inp), Some(Tok::Comma | Tok::RParen)) {
                found = Some(inp.parse(&value)?);
            }
        } else {
            let first = inp.parse(&value)?;
            match first.kind {
                ExprKind::Name(written) if peek(inp) == Some(Tok::Eq) => {
                    let message = format!("a named argument is written `{}: …`", written.text);
                    instead(inp, error::NAMED_ARGUMENT, message, ":");
                    name = Some(written);
                    found = Some(inp.parse(&value)?);
                }
                kind => found = Some(Expr { kind, span: first.span }),
            }
        }
        Ok(Arg { name, value: found, span: span_since(inp, start) })
    })
    .boxed()
}

/// What an operand begins with tells what it is.
fn atom(parts: Exprs, pattern: Rule<Pattern>) -> Rule<Expr> {
    let expr = parts.expr.clone();
    let item = recovering(expr.clone(), &[Tok::Comma], error_expr).boxed();
    let record_field = record_field(item.clone());
    let entry = list_entry(item.clone());
    let if_ = if_expression(parts.clone());
    let match_ = match_expression(parts.clone(), pattern.clone());
    let for_ = for_expression(parts.clone(), pattern.clone());
    let loop_ = loop_expression(parts.clone());
    let try_ = try_expression(parts.clone());
    let lambda = lambda(parts.clone(), pattern);
    let block = parts.block;
    custom(move |inp: &mut Inp<'_>| {
        let start = at(inp);
        let kind = match peek(inp) {
            Some(Tok::Ident) => {
                inp.skip();
                ExprKind::Name(inp.state().name(start))
            }
            Some(Tok::StrOpen | Tok::RawStr | Tok::SingleQuoted) => ExprKind::Str(literal::read_str(inp, Some(&expr))?),
            Some(Tok::Int | Tok::Float | Tok::Duration | Tok::Size | Tok::True | Tok::False | Tok::Null) => {
                literal::read(inp)?.map_or(ExprKind::Error, ExprKind::Literal)
            }
            Some(Tok::LParen | Tok::BindParen) => {
                inp.skip();
                parenthesised(inp, &item, &record_field, start)?
            }
            Some(Tok::LBracket | Tok::CallBracket) => {
                inp.skip();
                list_or_dict(inp, &entry)?
            }
            Some(Tok::LambdaName | Tok::LambdaParen) => return inp.parse(&lambda),
            Some(Tok::If) => return inp.parse(&if_),
            Some(Tok::Match) => return inp.parse(&match_),
            Some(Tok::For) => return inp.parse(&for_),
            Some(Tok::Loop) => return inp.parse(&loop_),
            Some(Tok::Try) => return inp.parse(&try_),
            Some(Tok::Seq) => {
                inp.skip();
                ExprKind::Seq(inp.parse(&block)?)
            }
            Some(Tok::Language) if peek_second(inp) == Some(Tok::Fence) => {
                inp.skip();
                inp.skip();
                ExprKind::Code(literal::code(inp.state(), start))
            }
            Some(Tok::Bad) => {
                inp.skip();
                ExprKind::Error
            }
            _ => return fail(inp, Tok::AnExpression),
        };
        Ok(Expr { kind, span: span_since(inp, start) })
    })
    .boxed()
}

/// `(a)`, `(a, b)`, `(name: a, ..r)`; the `(` was read.
fn parenthesised(
    inp: &mut Inp<'_>,
    item: &Rule<Expr>,
    field: &Rule<RecordField>,
    start: usize,
) -> Result<ExprKind, Fault> {
    match peek(inp) {
        Some(Tok::Label | Tok::DotDot) => return Ok(ExprKind::Record(read_list(inp, Tok::RParen, field)?.0)),
        Some(Tok::RParen) => return fail(inp, Tok::AnExpression),
        _ => {}
    }
    let (mut items, comma) = read_list(inp, Tok::RParen, item)?;
    if items.len() >= 2 {
        return Ok(ExprKind::Tuple(items));
    }
    if comma {
        let span = span_since(inp, start);
        inp.state().report(SyntaxError::new(error::UNEXPECTED, span, "a tuple has two items or more"));
    }
    Ok(items.pop().map_or(ExprKind::Error, |only| ExprKind::Paren(Box::new(only))))
}

/// `..r`, `name: value`, `name:`.
fn record_field(item: Rule<Expr>) -> Rule<RecordField> {
    custom(move |inp: &mut Inp<'_>| {
        if eat(inp, Tok::DotDot) {
            return Ok(RecordField::Spread(inp.parse(&item)?));
        }
        let name = read_name(inp, &[Tok::Label])?;
        inp.skip();
        let alone = matches!(peek(inp), Some(Tok::Comma | Tok::RParen));
        Ok(RecordField::Field(name, if alone { None } else { Some(inp.parse(&item)?) }))
    })
    .boxed()
}

/// `a`, or `k: v` of a dict.
fn list_entry(item: Rule<Expr>) -> Rule<(Expr, Option<Expr>)> {
    custom(move |inp: &mut Inp<'_>| {
        let first = inp.parse(&item)?;
        let value = if eat(inp, Tok::Colon) { Some(inp.parse(&item)?) } else { None };
        Ok((first, value))
    })
    .boxed()
}

/// `[a, b]`, `["k": v]`, `[:]`; the `[` was read.
fn list_or_dict(inp: &mut Inp<'_>, entry: &Rule<(Expr, Option<Expr>)>) -> Result<ExprKind, Fault> {
    if peek(inp) == Some(Tok::Colon) && peek_second(inp) == Some(Tok::RBracket) {
        inp.skip();
        inp.skip();
        return Ok(ExprKind::Dict(Vec::new()));
    }
    let (entries, _) = read_list(inp, Tok::RBracket, entry)?;
    if entries.iter().all(|(_, value)| value.is_none()) {
        return Ok(ExprKind::List(entries.into_iter().map(|(item, _)| item).collect()));
    }
    let mut dict = Vec::with_capacity(entries.len());
    let mut told = false;
    for (key, value) in entries {
        if value.is_none() && !told && key.kind != ExprKind::Error {
            told = true;
            let error = SyntaxError::new(error::UNEXPECTED, key.span, "this key of a dict has no value");
            inp.state().report(error.help("write `key: value` for each; a list has no `:`"));
        }
        // What it was meant for nobody knows, so nothing more is said of it.
        let span = key.span;
        dict.push(value.map_or_else(|| (error_expr(span), error_expr(span)), |value| (key, value)));
    }
    Ok(ExprKind::Dict(dict))
}
