//! Blocks and statements.

use super::combinators::{eat, expect, read_name, read_recovering, recovering, skip_to, tok, whole};
use super::control::condition;
use super::error_expr;
use super::pattern::error_pattern;
use super::state::{Fault, Inp, Rule, at, fail, peek, span_since};
use super::types::error_type;
use crate::ast::{Annotation, Block, Expr, Name, Pattern, PatternKind, Span, Stmt, StmtKind, TypeExpr};
use crate::error::{self, SyntaxError};
use crate::layout::Tok;
use chumsky::prelude::*;

const END: &[Tok] = &[Tok::Separator];

fn error_statement(span: Span) -> Stmt {
    Stmt { policies: Vec::new(), kind: StmtKind::Error, span }
}

/// `{ … }`.
pub(super) fn block(
    expr: Rule<Expr>,
    ty: Rule<TypeExpr>,
    pattern: Rule<Pattern>,
    annotation: Rule<Annotation>,
) -> Rule<Block> {
    let statement = statement(expr, ty, pattern, annotation);
    custom(move |inp: &mut Inp<'_>| {
        let start = at(inp);
        let stmts = entries(inp, &statement, [Tok::Separator; 2], error_statement)?;
        Ok(Block { stmts, span: span_since(inp, start) })
    })
    .boxed()
}

/// Reads what stands between `{` and `}` with one of `separators` after each; what cannot be read becomes `error`.
pub(super) fn entries<O>(
    inp: &mut Inp<'_>,
    entry: &Rule<O>,
    separators: [Tok; 2],
    error: fn(Span) -> O,
) -> Result<Vec<O>, Fault> {
    expect(inp, Tok::LBrace)?;
    let mut entries = Vec::new();
    let mut after_entry = false;
    loop {
        match peek(inp) {
            Some(Tok::RBrace) => break,
            None => return fail(inp, Tok::RBrace),
            Some(tok) if separators.contains(&tok) => {
                if tok == Tok::Comma && !after_entry {
                    stray_comma(inp);
                }
                after_entry = false;
                inp.skip();
                continue;
            }
            Some(_) => {}
        }
        entries.push(read_recovering(inp, entry, &separators, error));
        after_entry = true;
        if !peek(inp).is_some_and(|tok| tok == Tok::RBrace || separators.contains(&tok)) {
            let fault = Fault { at: at(inp) as u32, expected: separators };
            inp.state().fault(fault);
            skip_to(inp, &separators);
        }
        // A closing bracket of another kind cannot be here: layout has balanced them.
        if peek(inp).is_some_and(|tok| tok.closes() && tok != Tok::RBrace) {
            return fail(inp, Tok::RBrace);
        }
    }
    inp.skip();
    Ok(entries)
}

/// Reports a comma that ends no arm.
fn stray_comma(inp: &mut Inp<'_>) {
    let here = at(inp);
    let span = inp.state().span(here, here + 1);
    let error = SyntaxError::new(error::UNEXPECTED, span, "expected a pattern, found `,`");
    inp.state().report(error.help("one comma ends an arm").fix(""));
}

fn statement(expr: Rule<Expr>, ty: Rule<TypeExpr>, pattern: Rule<Pattern>, annotation: Rule<Annotation>) -> Rule<Stmt> {
    let value = whole(expr.clone(), [Tok::Separator; 2]).boxed();
    // Where the `=` is missing, the names stay bound.
    let bound = recovering(tok(Tok::Eq).ignore_then(value.clone()).boxed(), END, error_expr).boxed();
    custom(move |inp: &mut Inp<'_>| {
        let start = at(inp);
        let mut policies = Vec::new();
        while peek(inp) == Some(Tok::At) {
            policies.push(inp.parse(&annotation)?);
            eat(inp, Tok::Separator);
        }
        let kind = match peek(inp) {
            Some(Tok::BindName) => {
                let name = read_name(inp, &[Tok::BindName])?;
                let pattern = bind_name(name);
                inp.skip();
                StmtKind::Bind { pattern, ty: None, value: inp.parse(&value)? }
            }
            Some(Tok::Label) => {
                let name = read_name(inp, &[Tok::Label])?;
                inp.skip();
                let ty = read_recovering(inp, &ty, &[Tok::Eq, Tok::Separator], error_type);
                StmtKind::Bind { pattern: bind_name(name), ty: Some(Box::new(ty)), value: inp.parse(&bound)? }
            }
            Some(Tok::BindParen) => {
                let pattern = read_recovering(inp, &pattern, &[Tok::Eq, Tok::Separator], error_pattern);
                StmtKind::Bind { pattern, ty: None, value: inp.parse(&bound)? }
            }
            Some(Tok::Require) => {
                inp.skip();
                let cond = condition(inp, &expr, &[Tok::Else, Tok::Separator]);
                let message = if eat(inp, Tok::Else) { Some(inp.parse(&value)?) } else { None };
                StmtKind::Require { cond, message }
            }
            Some(Tok::Until) => {
                inp.skip();
                StmtKind::Until(condition(inp, &expr, END))
            }
            Some(Tok::Assert) => {
                inp.skip();
                StmtKind::Assert(condition(inp, &expr, END))
            }
            Some(Tok::Next) => {
                inp.skip();
                StmtKind::Next(inp.parse(&value)?)
            }
            Some(Tok::Mock) => {
                inp.skip();
                let target = inp.parse(&expr)?;
                expect(inp, Tok::FatArrow)?;
                StmtKind::Mock { target, value: inp.parse(&value)? }
            }
            Some(Tok::Separator | Tok::RBrace) | None => {
                let span = span_since(inp, start);
                let error = SyntaxError::new(error::MISPLACED_POLICY, span, "nothing follows this policy");
                inp.state().report(error.help("a policy stands before a binding or statement"));
                StmtKind::Error
            }
            Some(_) => StmtKind::Expr(inp.parse(&value)?),
        };
        Ok(Stmt { policies, kind, span: span_since(inp, start) })
    })
    .boxed()
}

fn bind_name(name: Name) -> Pattern {
    let span = name.span;
    let kind = if name.text == "_" { PatternKind::Wildcard } else { PatternKind::Bind(name) };
    Pattern { kind, span }
}
