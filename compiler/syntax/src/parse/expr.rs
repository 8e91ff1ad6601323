//! Expressions: the operands. Their operators stand in [`super::operators`].

use super::combinators::{eat, expect, many, read_list, read_name, read_recovering, recovering};
use super::operators::{Operands, expression};
use super::state::{Entry, Fault, Inp, Rule, at, fail, nested, peek, peek_second, span_since};
use super::{block, error_expr, literal, pattern, types};
use crate::ast::{
    Annotation, Arg, Arm, Block, Expr, ExprKind, ForClause, LoopVar, Pattern, RecordField, Span, TypeExpr,
};
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
                    let equals = at(inp);
                    inp.skip();
                    let span = inp.state().span(equals, equals + 1);
                    let message = format!("a named argument is written `{}: …`", written.text);
                    let error = SyntaxError::new(error::NAMED_ARGUMENT, span, message);
                    inp.state().report(error.help("write `:` instead of `=`").fix(":"));
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
            _ => return fail(inp, &[Tok::AnExpression]),
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
        Some(Tok::RParen) => return fail(inp, &[Tok::AnExpression]),
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
        let span = key.span;
        dict.push((key, value.unwrap_or_else(|| error_expr(span))));
    }
    Ok(ExprKind::Dict(dict))
}

/// A condition, or what is matched or looped over: it stands before a block.
pub(super) fn head(inp: &mut Inp<'_>, expr: &Rule<Expr>) -> Expr {
    inp.state().entry = Entry { min: 0, condition: true, head: true };
    read_recovering(inp, expr, &[Tok::LBrace, Tok::Separator, Tok::Comma], error_expr)
}

/// A condition that no block follows.
pub(super) fn condition(inp: &mut Inp<'_>, expr: &Rule<Expr>, stops: &[Tok]) -> Expr {
    inp.state().entry = Entry { min: 0, condition: true, head: false };
    read_recovering(inp, expr, stops, error_expr)
}

/// `if c { a } else if d { b } else { c }`.
fn if_expression(parts: Exprs) -> Rule<Expr> {
    recursive(|if_| {
        let if_: Rule<Expr> = if_.boxed();
        custom(move |inp: &mut Inp<'_>| {
            nested(inp, error_expr, |inp| {
                let start = at(inp);
                expect(inp, Tok::If)?;
                let cond = Box::new(head(inp, &parts.expr));
                let then = inp.parse(&parts.block)?;
                let otherwise = if eat(inp, Tok::Else) {
                    Some(Box::new(match peek(inp) {
                        Some(Tok::If) => inp.parse(&if_)?,
                        _ => block_expr(inp, &parts.block)?,
                    }))
                } else {
                    None
                };
                Ok(Expr { kind: ExprKind::If { cond, then, otherwise }, span: span_since(inp, start) })
            })
        })
        .boxed()
    })
    .boxed()
}

fn block_expr(inp: &mut Inp<'_>, block: &Rule<Block>) -> Result<Expr, Fault> {
    let block = inp.parse(block)?;
    let span = block.span;
    Ok(Expr { kind: ExprKind::Block(block), span })
}

/// `match x { pattern if guard => value, … }`.
fn match_expression(parts: Exprs, pattern: Rule<Pattern>) -> Rule<Expr> {
    let arm = arm(parts.clone(), pattern);
    custom(move |inp: &mut Inp<'_>| {
        let start = at(inp);
        expect(inp, Tok::Match)?;
        let value = Box::new(head(inp, &parts.expr));
        let arms = block::entries(inp, &arm, &[Tok::Comma, Tok::Separator], error_arm)?;
        Ok(Expr { kind: ExprKind::Match { value, arms }, span: span_since(inp, start) })
    })
    .boxed()
}

fn error_arm(span: Span) -> Arm {
    Arm { pattern: pattern::error_pattern(span), guard: None, body: error_expr(span), span }
}

fn arm(parts: Exprs, pattern: Rule<Pattern>) -> Rule<Arm> {
    const STOPS: &[Tok] = &[Tok::Comma, Tok::Separator];
    let pattern = recovering(pattern, &[Tok::If, Tok::FatArrow, Tok::Comma, Tok::Separator], pattern::error_pattern);
    let pattern = pattern.boxed();
    let value = recovering(parts.expr.clone(), STOPS, error_expr).boxed();
    custom(move |inp: &mut Inp<'_>| {
        let start = at(inp);
        let pattern = inp.parse(&pattern)?;
        let guard = if eat(inp, Tok::If) {
            Some(condition(inp, &parts.expr, &[Tok::FatArrow, Tok::Comma, Tok::Separator]))
        } else {
            None
        };
        if !eat(inp, Tok::FatArrow) {
            // Rust and Scala agree on `=>`; others write `->` or `:`.
            if !matches!(peek(inp), Some(Tok::Arrow | Tok::Colon)) {
                return fail(inp, &[Tok::FatArrow]);
            }
            let arrow = at(inp);
            inp.skip();
            let span = inp.state().span(arrow, arrow + 1);
            let error = SyntaxError::new(error::UNEXPECTED, span, "an arm is written `pattern => value`");
            inp.state().report(error.help("write `=>`").fix("=>"));
        }
        let body = if peek(inp) == Some(Tok::LBrace) { block_expr(inp, &parts.block)? } else { inp.parse(&value)? };
        Ok(Arm { pattern, guard, body, span: span_since(inp, start) })
    })
    .boxed()
}

/// `for x, i in xs if c for y in ys { … }`.
fn for_expression(parts: Exprs, pattern: Rule<Pattern>) -> Rule<Expr> {
    let clauses = many(Tok::For, for_clause(parts.expr.clone(), pattern));
    clauses
        .then(parts.block)
        .map_with(|(clauses, body), e| Expr { kind: ExprKind::For { clauses, body }, span: super::state::span(e) })
        .boxed()
}

fn for_clause(expr: Rule<Expr>, pattern: Rule<Pattern>) -> Rule<ForClause> {
    custom(move |inp: &mut Inp<'_>| {
        expect(inp, Tok::For)?;
        if peek(inp) == Some(Tok::LParen) && peek_second(inp) == Some(Tok::Ident) {
            let open = at(inp);
            if inp.state().tok(open + 2) == Some(Tok::In) {
                return clause_in_parentheses(inp, &expr, &pattern);
            }
        }
        let mut patterns = vec![inp.parse(&pattern)?];
        while eat(inp, Tok::Comma) {
            patterns.push(inp.parse(&pattern)?);
        }
        if let [_, _, third, ..] = patterns.as_slice() {
            let error = SyntaxError::new(
                error::UNEXPECTED,
                third.span,
                "`for` names an item and its index, or a key and its value",
            );
            inp.state().report(error.help("take a tuple apart in parentheses: `for (a, b), i in xs`"));
            patterns.truncate(2);
        }
        expect(inp, Tok::In)?;
        let iter = head(inp, &expr);
        let cond = if eat(inp, Tok::If) { Some(head(inp, &expr)) } else { None };
        Ok(ForClause { patterns, iter, cond })
    })
    .boxed()
}

/// `(x in xs)` as other languages have it.
fn clause_in_parentheses(inp: &mut Inp<'_>, expr: &Rule<Expr>, pattern: &Rule<Pattern>) -> Result<ForClause, Fault> {
    let start = at(inp);
    inp.skip();
    let patterns = vec![inp.parse(pattern)?];
    expect(inp, Tok::In)?;
    let iter = read_recovering(inp, expr, &[], error_expr);
    expect(inp, Tok::RParen)?;
    let span = span_since(inp, start);
    let error = SyntaxError::new(error::UNEXPECTED, span, "the head of a `for` has no parentheses");
    inp.state().report(error.help("write `for x in xs { … }`"));
    Ok(ForClause { patterns, iter, cond: None })
}

/// `loop a = 1, max: 9 { … }`.
fn loop_expression(parts: Exprs) -> Rule<Expr> {
    const STOPS: &[Tok] = &[Tok::Comma, Tok::LBrace, Tok::Separator];
    custom(move |inp: &mut Inp<'_>| {
        let start = at(inp);
        expect(inp, Tok::Loop)?;
        let (mut vars, mut max) = (Vec::new(), None);
        while peek(inp) != Some(Tok::LBrace) {
            let name = read_name(inp, &[Tok::Ident, Tok::Label])?;
            let mut ty = None;
            if eat(inp, Tok::Colon) {
                if name.text == "max" {
                    max = Some(Box::new(head(inp, &parts.expr)));
                } else {
                    ty = Some(read_recovering(inp, &parts.ty, &[Tok::Eq, Tok::Comma, Tok::LBrace], types::error_type));
                }
            }
            if ty.is_some() || max.is_none() || peek(inp) == Some(Tok::Eq) {
                expect(inp, Tok::Eq)?;
                inp.state().entry = Entry { min: 0, condition: false, head: true };
                let init = read_recovering(inp, &parts.expr, STOPS, error_expr);
                vars.push(LoopVar { name, ty, init });
            }
            if !eat(inp, Tok::Comma) {
                break;
            }
        }
        if vars.is_empty() {
            let span = inp.state().span(start, start + 1);
            let error = SyntaxError::new(error::UNEXPECTED, span, "a `loop` carries a value from round to round");
            inp.state().report(
                error.help("write `loop x = first, max: 10 { until …` and `next …` `}`; a `for` goes over a list"),
            );
        }
        let body = inp.parse(&parts.block)?;
        Ok(Expr { kind: ExprKind::Loop { vars, max, body }, span: span_since(inp, start) })
    })
    .boxed()
}

/// `try e else f`, `try e else err { … }`.
fn try_expression(parts: Exprs) -> Rule<Expr> {
    custom(move |inp: &mut Inp<'_>| {
        let start = at(inp);
        let in_head = inp.state().head;
        expect(inp, Tok::Try)?;
        let body = Box::new(inp.parse(&parts.expr)?);
        expect(inp, Tok::Else)?;
        let (binding, handler) = match peek(inp) {
            Some(Tok::ErrorName) => {
                let name = read_name(inp, &[Tok::ErrorName])?;
                (Some(name), block_expr(inp, &parts.block)?)
            }
            Some(Tok::LBrace) => (None, block_expr(inp, &parts.block)?),
            _ => {
                inp.state().entry.head = in_head;
                (None, inp.parse(&parts.expr)?)
            }
        };
        let span = span_since(inp, start);
        if in_head {
            let error = SyntaxError::new(error::TRY_IN_HEAD, span, "`try` stands in parentheses here");
            let help = "before a block, what belongs to the `try` would not be clear: write `(try … else …)`";
            inp.state().report(error.help(help));
        }
        Ok(Expr { kind: ExprKind::Try { body, binding, handler: Box::new(handler) }, span })
    })
    .boxed()
}

/// `a => e`, `(a, b) => e`, `((a, b)) => e`.
fn lambda(parts: Exprs, pattern: Rule<Pattern>) -> Rule<Expr> {
    custom(move |inp: &mut Inp<'_>| {
        let start = at(inp);
        let params = if eat(inp, Tok::LambdaParen) {
            read_list(inp, Tok::RParen, &pattern)?.0
        } else {
            vec![inp.parse(&pattern)?]
        };
        expect(inp, Tok::FatArrow)?;
        let body = if peek(inp) == Some(Tok::LBrace) {
            let block = block_expr(inp, &parts.block)?;
            let error = SyntaxError::new(error::WRONG_BODY, block.span, "a small function is one expression");
            inp.state().report(error.help("write `x => x + 1`; what needs bindings is a `fn` of its own"));
            block
        } else {
            inp.parse(&parts.expr)?
        };
        Ok(Expr { kind: ExprKind::Lambda { params, body: Box::new(body) }, span: span_since(inp, start) })
    })
    .boxed()
}
