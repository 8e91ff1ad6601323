//! Comments that look like divisions: in other languages `//` divides.

use crate::bodies::checked_body;
use crate::db::Db;
use crate::diagnostic::{Diagnostic, Edit, Fix, Place};
use crate::diagnostics::codes::COMMENTED_DIVISION;
use crate::hir::{Body, Expr};
use crate::hir_walk::each_expr;
use crate::items::{self, Item};
use crate::ty::{Lit, Type};
use crate::types;
use ntl_syntax::Side;
use ntl_syntax::ast::Span;

/// Tells each comment behind a number that begins with another one, or is the name of one. Reads comments, so it runs
/// again whenever the text changes.
pub(crate) fn commented_divisions(db: &dyn Db, item: Item<'_>) -> Vec<Diagnostic> {
    let text = item.text(db);
    let mut found = Vec::new();
    if !text.contains("//") {
        return found;
    }
    let tokens = &items::parse(db, item).tokens;
    let bytes = |token| tokens.bytes(Span::new(token, token + 1));
    for token in 0..tokens.len() {
        let end = bytes(token).end as usize;
        let Some(comment) = text.get(end..).and_then(comment_at) else { continue };
        let line = text.get(..end).and_then(|before| before.rsplit('\n').next()).unwrap_or_default();
        let Some(body) = checked_body(db, item).as_ref().map(|checked| &checked.body) else { return found };
        if !(is_operand(comment) || names_number(db, body, comment) && !line.trim_start().starts_with(comment)) {
            continue;
        }
        // Parentheses belong to no expression of a checked body.
        let is_closing = |token: &u32| text.get(bytes(*token).start as usize..bytes(*token).end as usize) == Some(")");
        let closing = (0..=token).rev().take_while(is_closing).count() as u32;
        let ends = (token + 1 - closing..=token + 1).rev();
        if let Some((number, is_int)) = ends.into_iter().find_map(|end| number_before(db, body, end)) {
            let place = |span| Place { def: item.def(db).clone(), span };
            let last = Span::new(token, token + 1);
            // Only ints are divided to ints.
            let operator = if is_int && !comment.contains('.') { "~/" } else { "/" };
            let edit = Edit { place: place(last), side: Side::Slashes, text: operator.to_owned() };
            let message = format!("`// {comment}` is a comment: it divides nothing");
            let fix = Fix::new(format!("write `{operator}`"), vec![edit]).guessed();
            let told = Diagnostic::new(COMMENTED_DIVISION, place(number), message);
            found.push(told.note("ints are divided by `~/`; `/` gives a float").mend(fix));
        }
    }
    found
}

/// The text of the comment that a text begins with, on its first line.
fn comment_at(text: &str) -> Option<&str> {
    let comment = text.trim_start_matches([' ', '\t']).strip_prefix("//")?.lines().next()?.trim();
    (!comment.starts_with(['/', '!'])).then_some(comment)
}

/// Whether a comment is a number, alone or with an operator or closing bracket behind it.
fn is_operand(comment: &str) -> bool {
    let rest = comment.trim_start_matches(|c: char| c.is_ascii_digit() || "_.".contains(c));
    comment.starts_with(|c: char| c.is_ascii_digit()) && {
        let rest = rest.trim_start();
        rest.is_empty() || rest.starts_with(['+', '-', '*', '/', '%', ')', ']', '}', ','])
    }
}

/// Whether a comment is the name of a number and nothing else.
fn names_number(db: &dyn Db, body: &Body, comment: &str) -> bool {
    body.locals.iter().any(|local| local.name == comment && is_number(db, &local.ty))
}

/// The largest expression that ends before a token and is a number, and whether it is an int.
fn number_before(db: &dyn Db, body: &Body, end: u32) -> Option<(Span, bool)> {
    let mut found: Option<(Span, bool)> = None;
    let mut look = |expr: &Expr| {
        if expr.span.end == end && is_number(db, &expr.ty) {
            let is_int = types::members(db, &expr.ty).iter().all(|ty| types::unfold(db, ty) != Type::Float);
            found = found.filter(|(found, _)| found.first <= expr.span.first).or(Some((expr.span, is_int)));
        }
    };
    each_expr(body, &mut look);
    found
}

fn is_number(db: &dyn Db, ty: &Type) -> bool {
    let is_one = |ty: &Type| matches!(types::unfold(db, ty), Type::Int | Type::Float | Type::Literal(Lit::Int(_)));
    types::members(db, ty).iter().all(is_one)
}
