//! Operators and what follows an operand: `a + b`, `-a`, `a.b`, `f(x)`.

use super::combinators::{eat, expect, read_list, read_recovering};
use super::error_expr;
use super::literal;
use super::state::{Entry, Fault, Inp, Rule, at, fail, grow, instead, nested, peek, peek_second, span_since};
use crate::ast::{Arg, BinaryOp, Expr, ExprKind, Span, TypeExpr, UnaryOp};
use crate::error::{self, SyntaxError};
use crate::layout::Tok;
use chumsky::prelude::*;

/// How strongly operators bind, loosest first.
mod power {
    pub const AFTER: u8 = 1;
    pub const OR: u8 = 2;
    pub const AND: u8 = 3;
    pub const NOT: u8 = 4;
    pub const COMPARE: u8 = 5;
    pub const COALESCE: u8 = 6;
    pub const PIPE: u8 = 7;
    pub const RANGE: u8 = 8;
    pub const ADD: u8 = 9;
    pub const MUL: u8 = 10;
    pub const NEG: u8 = 11;
    pub const AS: u8 = 12;
    pub const POSTFIX: u8 = 13;
}

pub(super) use power::POSTFIX;

/// What expressions with operators are made of.
pub(super) struct Operands {
    pub expr: Rule<Expr>,
    pub atom: Rule<Expr>,
    pub ty: Rule<TypeExpr>,
    pub arg: Rule<Arg>,
}

/// An expression as [`Entry`] in the state asks for it.
pub(super) fn expression(operands: Operands) -> Rule<Expr> {
    custom(move |inp: &mut Inp<'_>| {
        let entry = std::mem::take(&mut inp.state().entry);
        nested(inp, error_expr, |inp| operands.climb(inp, entry))
    })
    .boxed()
}

/// An operator between an operand and what follows.
enum Infix {
    Binary(BinaryOp),
    Range { inclusive: bool },
    Pipe,
    Is,
    As,
    Postfix,
}

impl Operands {
    /// Reads an expression of the operators that `entry` allows, by precedence.
    fn climb(&self, inp: &mut Inp<'_>, entry: Entry) -> Result<Expr, Fault> {
        let start = at(inp);
        let (mut left, mut limit) = self.prefix(inp, entry)?;
        loop {
            let Some((infix, power)) = infix(inp, entry) else { return Ok(left) };
            if power < entry.min || power > limit {
                return Ok(left);
            }
            limit = power;
            left = match infix {
                Infix::Postfix => self.postfix(inp, left, start)?,
                Infix::Binary(op) => self.binary(inp, left, op, power, entry, start)?,
                Infix::Range { inclusive } => self.range(inp, left, inclusive, entry, start)?,
                Infix::Pipe => self.pipe(inp, left, entry, start)?,
                Infix::Is => {
                    inp.skip();
                    let negated = eat(inp, Tok::Not);
                    let ty = Box::new(inp.parse(&self.ty)?);
                    let kind = ExprKind::Is { value: Box::new(left), ty, negated };
                    chained(inp, start);
                    Expr { kind, span: span_since(inp, start) }
                }
                Infix::As => {
                    inp.skip();
                    let ty = Box::new(inp.parse(&self.ty)?);
                    Expr { kind: ExprKind::As { value: Box::new(left), ty }, span: span_since(inp, start) }
                }
            };
            if !grow(inp, start) {
                left = error_expr(left.span);
            }
        }
    }

    /// Reads an operand of an operator that binds with `min`.
    fn operand(&self, inp: &mut Inp<'_>, min: u8, entry: Entry) -> Result<Expr, Fault> {
        inp.state().entry = Entry { min, ..entry };
        inp.parse(&self.expr)
    }

    /// Reads an operand with the operators before it; with it the strongest operator that may follow.
    fn prefix(&self, inp: &mut Inp<'_>, entry: Entry) -> Result<(Expr, u8), Fault> {
        let start = at(inp);
        let (op, power) = match peek(inp) {
            Some(Tok::Not) => (UnaryOp::Not, power::NOT),
            Some(Tok::Minus) if !negative_literal(inp, start) => (UnaryOp::Neg, power::NEG),
            Some(Tok::Minus) => {
                let literal = literal::read(inp)?;
                let kind = literal.map_or(ExprKind::Error, ExprKind::Literal);
                return Ok((Expr { kind, span: span_since(inp, start) }, POSTFIX));
            }
            _ => {
                inp.state().head = entry.head;
                return Ok((inp.parse(&self.atom)?, POSTFIX));
            }
        };
        inp.skip();
        if op == UnaryOp::Not && entry.min > power::NOT {
            let span = span_since(inp, start);
            let error = SyntaxError::new(error::PARENTHESES_NEEDED, span, "`not` needs parentheses here");
            inp.state().report(error.help("`not` binds looser than the operator before it: write `(not …)`"));
        }
        let operand = Box::new(self.operand(inp, power, entry)?);
        Ok((Expr { kind: ExprKind::Unary { op, operand }, span: span_since(inp, start) }, power))
    }

    fn binary(
        &self,
        inp: &mut Inp<'_>,
        left: Expr,
        op: BinaryOp,
        power: u8,
        entry: Entry,
        start: usize,
    ) -> Result<Expr, Fault> {
        let operator = at(inp);
        match peek(inp) {
            Some(Tok::Eq) => instead(inp, error::EQ_IN_CONDITION, "`=` binds a name; `==` compares", "=="),
            _ => inp.skip(),
        }
        if op == BinaryOp::NotIn {
            inp.skip();
        }
        let op_span = span_since(inp, operator);
        let right = Box::new(self.operand(inp, power + 1, entry)?);
        if power == power::COMPARE {
            chained(inp, start);
        }
        let kind = ExprKind::Binary { op, op_span, left: Box::new(left), right };
        Ok(Expr { kind, span: span_since(inp, start) })
    }

    fn range(&self, inp: &mut Inp<'_>, from: Expr, inclusive: bool, entry: Entry, start: usize) -> Result<Expr, Fault> {
        inp.skip();
        let to = Box::new(self.operand(inp, power::RANGE + 1, entry)?);
        if matches!(peek(inp), Some(Tok::DotDot | Tok::DotDotEq)) {
            let here = at(inp);
            let span = inp.state().span(here, here + 1);
            inp.state().report(SyntaxError::new(error::CHAINED_COMPARISON, span, "ranges do not chain"));
            while matches!(peek(inp), Some(Tok::DotDot | Tok::DotDotEq)) {
                inp.skip();
                self.operand(inp, power::RANGE + 1, entry)?;
            }
            return Ok(error_expr(span_since(inp, start)));
        }
        let kind = ExprKind::Range { from: Box::new(from), to, inclusive };
        Ok(Expr { kind, span: span_since(inp, start) })
    }

    /// `x |> f(y)`.
    fn pipe(&self, inp: &mut Inp<'_>, value: Expr, entry: Entry, start: usize) -> Result<Expr, Fault> {
        inp.skip();
        let mut call = self.operand(inp, power::PIPE + 1, entry)?;
        if !matches!(call.kind, ExprKind::Call { .. } | ExprKind::Error) {
            let is_name = matches!(call.kind, ExprKind::Name(_) | ExprKind::Field { .. });
            let error = SyntaxError::new(error::PIPE_TARGET, call.span, "`|>` hands a value to a call");
            let state = inp.state();
            let text = state.source(call.span).to_owned();
            state.report(if is_name {
                error.help(format!("write `{text}()`")).fix(format!("{text}()"))
            } else {
                error.help("write `x |> f()` or `x |> f(y)`")
            });
            call = if is_name {
                let span = call.span;
                Expr { kind: ExprKind::Call { callee: Box::new(call), type_args: Vec::new(), args: Vec::new() }, span }
            } else {
                error_expr(call.span)
            };
        }
        let kind = ExprKind::Pipe { value: Box::new(value), call: Box::new(call) };
        Ok(Expr { kind, span: span_since(inp, start) })
    }

    /// `.name`, `?.name`, `.0`, `[i]`, `(args)`, `[T](args)`.
    fn postfix(&self, inp: &mut Inp<'_>, base: Expr, start: usize) -> Result<Expr, Fault> {
        let opener = peek(inp);
        let base = Box::new(base);
        let kind = match opener {
            Some(Tok::Dot | Tok::QuestionDot) => {
                inp.skip();
                let optional = opener == Some(Tok::QuestionDot);
                member(inp, base, optional)?
            }
            Some(Tok::LParen | Tok::LambdaParen) => {
                inp.skip();
                let (args, _) = read_list(inp, Tok::RParen, &self.arg)?;
                ExprKind::Call { callee: base, type_args: Vec::new(), args }
            }
            _ => match self.type_args(inp) {
                Some(type_args) => {
                    expect(inp, Tok::LParen)?;
                    let (args, _) = read_list(inp, Tok::RParen, &self.arg)?;
                    ExprKind::Call { callee: base, type_args, args }
                }
                None => {
                    inp.skip();
                    let index = Box::new(read_recovering(inp, &self.expr, &[], error_expr));
                    if eat(inp, Tok::RBracket) {
                        ExprKind::Index { base, index }
                    } else {
                        let fault = Fault::new(at(inp), Tok::RBracket);
                        inp.state().fault(fault);
                        super::combinators::skip_to(inp, &[]);
                        expect(inp, Tok::RBracket)?;
                        ExprKind::Error
                    }
                }
            },
        };
        Ok(Expr { kind, span: span_since(inp, start) })
    }

    /// `[T, U]` before `(`, if it reads as types. This is the one place where the grammar tries.
    fn type_args(&self, inp: &mut Inp<'_>) -> Option<Vec<TypeExpr>> {
        if peek(inp) != Some(Tok::CallBracket) || peek_second(inp) == Some(Tok::RBracket) {
            return None;
        }
        let (checkpoint, reported) = (inp.save(), inp.state().reported());
        inp.skip();
        let mut types = Vec::new();
        while let Ok(ty) = inp.parse(&self.ty) {
            types.push(ty);
            let comma = eat(inp, Tok::Comma);
            if eat(inp, Tok::RBracket) && !inp.state().forget_since(reported) {
                return Some(types);
            }
            if !comma {
                break;
            }
        }
        inp.rewind(checkpoint);
        inp.state().forget_since(reported);
        None
    }
}

/// The operator that is next, and how strongly it binds.
fn infix(inp: &mut Inp<'_>, entry: Entry) -> Option<(Infix, u8)> {
    use Infix::*;
    Some(match peek(inp)? {
        Tok::Dot | Tok::QuestionDot | Tok::LParen | Tok::LambdaParen | Tok::LBracket | Tok::CallBracket => {
            (Postfix, power::POSTFIX)
        }
        Tok::After => (Binary(BinaryOp::After), power::AFTER),
        Tok::Or => (Binary(BinaryOp::Or), power::OR),
        Tok::And => (Binary(BinaryOp::And), power::AND),
        Tok::EqEq => (Binary(BinaryOp::Eq), power::COMPARE),
        Tok::NotEq => (Binary(BinaryOp::Ne), power::COMPARE),
        Tok::Less => (Binary(BinaryOp::Lt), power::COMPARE),
        Tok::LessEq => (Binary(BinaryOp::Le), power::COMPARE),
        Tok::Greater => (Binary(BinaryOp::Gt), power::COMPARE),
        Tok::GreaterEq => (Binary(BinaryOp::Ge), power::COMPARE),
        Tok::In => (Binary(BinaryOp::In), power::COMPARE),
        Tok::Not if peek_second(inp) == Some(Tok::In) => (Binary(BinaryOp::NotIn), power::COMPARE),
        Tok::Eq if entry.condition => (Binary(BinaryOp::Eq), power::COMPARE),
        Tok::Is => (Is, power::COMPARE),
        Tok::Coalesce => (Binary(BinaryOp::Coalesce), power::COALESCE),
        Tok::Pipe => (Pipe, power::PIPE),
        Tok::DotDot => (Range { inclusive: false }, power::RANGE),
        Tok::DotDotEq => (Range { inclusive: true }, power::RANGE),
        Tok::Plus => (Binary(BinaryOp::Add), power::ADD),
        Tok::Minus => (Binary(BinaryOp::Sub), power::ADD),
        Tok::PlusPlus => (Binary(BinaryOp::Concat), power::ADD),
        Tok::Star => (Binary(BinaryOp::Mul), power::MUL),
        Tok::Slash => (Binary(BinaryOp::Div), power::MUL),
        Tok::Percent => (Binary(BinaryOp::Rem), power::MUL),
        Tok::IntDiv => (Binary(BinaryOp::IntDiv), power::MUL),
        Tok::As => (As, power::AS),
        _ => return None,
    })
}

/// Whether the minus at `start` belongs to a literal: an int or float to which nothing is applied that binds stronger.
fn negative_literal(inp: &mut Inp<'_>, start: usize) -> bool {
    let state = inp.state();
    let applied = [Tok::Dot, Tok::QuestionDot, Tok::LParen, Tok::LBracket, Tok::CallBracket];
    matches!(state.tok(start + 1), Some(Tok::Int | Tok::Float))
        && state.tok(start + 2).is_none_or(|after| !applied.contains(&after))
}

/// Reports a comparison that follows a comparison.
fn chained(inp: &mut Inp<'_>, start: usize) {
    let here = at(inp);
    let state = inp.state();
    let comparison = match state.tok(here) {
        Some(Tok::EqEq | Tok::NotEq | Tok::Less | Tok::LessEq | Tok::Greater | Tok::GreaterEq | Tok::In | Tok::Is) => {
            true
        }
        Some(Tok::Not) => state.tok(here + 1) == Some(Tok::In),
        _ => false,
    };
    if comparison {
        let span: Span = state.span(here, here + 1);
        let error = SyntaxError::new(error::CHAINED_COMPARISON, span, "comparisons do not chain");
        let first = state.span(start, here);
        state.report(
            error
                .label(first, "this is a comparison already")
                .help("join two with `and`: `a < b and b < c`; or put one in parentheses"),
        );
    }
}

/// What follows a `.`.
fn member(inp: &mut Inp<'_>, base: Box<Expr>, optional: bool) -> Result<ExprKind, Fault> {
    let place = at(inp);
    if peek(inp) == Some(Tok::Int) {
        inp.skip();
        let text = inp.state().token_text(place);
        if let Ok(index) = text.parse() {
            return Ok(ExprKind::TupleField { base, index, optional });
        }
        let span = inp.state().span(place, place + 1);
        inp.state().report(SyntaxError::new(error::UNEXPECTED, span, "a place in a tuple is a number like `0`"));
        return Ok(ExprKind::Error);
    }
    if peek(inp) != Some(Tok::Ident) {
        return fail(inp, Tok::AName);
    }
    inp.skip();
    let name = inp.state().name(place);
    Ok(ExprKind::Field { base, name, optional })
}
