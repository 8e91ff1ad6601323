//! Operands with bodies: `if`, `match`, `for`, `loop`, `try`, and lambdas.

use super::combinators::{eat, expect, many, read_list, read_name, read_recovering, recovering, whole};
use super::expr::Exprs;
use super::state::{Entry, Fault, Inp, Rule, at, instead, nested, peek, peek_second, span, span_since};
use super::{block, error_expr, pattern, types};
use crate::ast::{Arm, Block, Expr, ExprKind, ForClause, LoopVar, Pattern, Span};
use crate::error::{self, SyntaxError};
use crate::layout::Tok;
use chumsky::prelude::*;

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
pub(super) fn if_expression(parts: Exprs) -> Rule<Expr> {
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
pub(super) fn match_expression(parts: Exprs, pattern: Rule<Pattern>) -> Rule<Expr> {
    let arm = arm(parts.clone(), pattern);
    custom(move |inp: &mut Inp<'_>| {
        let start = at(inp);
        expect(inp, Tok::Match)?;
        let value = Box::new(head(inp, &parts.expr));
        let arms = block::entries(inp, &arm, [Tok::Comma, Tok::Separator], error_arm)?;
        Ok(Expr { kind: ExprKind::Match { value, arms }, span: span_since(inp, start) })
    })
    .boxed()
}

fn error_arm(span: Span) -> Arm {
    Arm { pattern: pattern::error_pattern(span), guard: None, body: error_expr(span), span }
}

fn arm(parts: Exprs, pattern: Rule<Pattern>) -> Rule<Arm> {
    let pattern = recovering(pattern, &[Tok::If, Tok::FatArrow, Tok::Comma, Tok::Separator], pattern::error_pattern);
    let pattern = pattern.boxed();
    let value = whole(parts.expr.clone(), [Tok::Comma, Tok::Separator]).boxed();
    custom(move |inp: &mut Inp<'_>| {
        let start = at(inp);
        let pattern = inp.parse(&pattern)?;
        let guard = if eat(inp, Tok::If) {
            Some(condition(inp, &parts.expr, &[Tok::FatArrow, Tok::Comma, Tok::Separator]))
        } else {
            None
        };
        match peek(inp) {
            // So others write it.
            Some(Tok::Arrow | Tok::Colon) => {
                instead(inp, error::UNEXPECTED, "an arm is written `pattern => value`", "=>")
            }
            _ => expect(inp, Tok::FatArrow)?,
        }
        let body = if peek(inp) == Some(Tok::LBrace) { block_expr(inp, &parts.block)? } else { inp.parse(&value)? };
        Ok(Arm { pattern, guard, body, span: span_since(inp, start) })
    })
    .boxed()
}

/// `for x, i in xs if c for y in ys { … }`.
pub(super) fn for_expression(parts: Exprs, pattern: Rule<Pattern>) -> Rule<Expr> {
    let clauses = many(Tok::For, for_clause(parts.expr.clone(), pattern));
    clauses
        .then(parts.block)
        .map_with(|(clauses, body), e| Expr { kind: ExprKind::For { clauses, body }, span: span(e) })
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
pub(super) fn loop_expression(parts: Exprs) -> Rule<Expr> {
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
pub(super) fn try_expression(parts: Exprs) -> Rule<Expr> {
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
pub(super) fn lambda(parts: Exprs, pattern: Rule<Pattern>) -> Rule<Expr> {
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
