//! A walk over a checked body.

use crate::hir::{Block, Body, Expr, ExprKind, Stmt, StmtKind};

/// Calls `see` with every expression of a body, outer ones before inner ones, in written order.
pub fn each_expr<'b>(body: &'b Body, see: &mut impl FnMut(&'b Expr)) {
    walk(body, &mut |part| {
        if let Part::Expr(expr) = part {
            see(expr);
        }
    });
}

/// Calls `see` with every statement of a body, in whichever of its blocks.
pub fn each_stmt<'b>(body: &'b Body, see: &mut impl FnMut(&'b Stmt)) {
    walk(body, &mut |part| {
        if let Part::Stmt(stmt) = part {
            see(stmt);
        }
    });
}

/// A part of a body.
enum Part<'b> {
    Expr(&'b Expr),
    Stmt(&'b Stmt),
}

fn walk<'b>(body: &'b Body, see: &mut impl FnMut(Part<'b>)) {
    block(&body.block, see);
    body.outputs.iter().for_each(|(_, value)| expr(value, see));
}

fn block<'b>(block: &'b Block, see: &mut impl FnMut(Part<'b>)) {
    stmts(&block.stmts, see);
    if let Some(value) = &block.value {
        expr(value, see);
    }
}

fn stmts<'b>(stmts: &'b [Stmt], see: &mut impl FnMut(Part<'b>)) {
    for stmt in stmts {
        see(Part::Stmt(stmt));
        match &stmt.kind {
            StmtKind::Let(_, value) | StmtKind::Effect(value) | StmtKind::Assert(value) | StmtKind::Mock(_, value) => {
                expr(value, see);
            }
            StmtKind::Require(cond, message) => {
                expr(cond, see);
                expr(message, see);
            }
        }
    }
}

fn expr<'b>(e: &'b Expr, see: &mut impl FnMut(Part<'b>)) {
    see(Part::Expr(e));
    match &e.kind {
        ExprKind::Const(_)
        | ExprKind::Local(_)
        | ExprKind::ConstItem(_)
        | ExprKind::Default(..)
        | ExprKind::FnItem(_)
        | ExprKind::Error => {}
        ExprKind::Interpolate(parts) | ExprKind::List(parts) | ExprKind::Tuple(parts) | ExprKind::Record(parts) => {
            parts.iter().for_each(|part| expr(part, see));
        }
        ExprKind::Dict(entries) => entries.iter().for_each(|(key, value)| {
            expr(key, see);
            expr(value, see);
        }),
        ExprKind::Update(base, fields) => {
            expr(base, see);
            fields.iter().for_each(|(_, value)| expr(value, see));
        }
        ExprKind::Field(a, _)
        | ExprKind::FieldNamed(a, _)
        | ExprKind::Neg(a)
        | ExprKind::Not(a)
        | ExprKind::Is(a, _)
        | ExprKind::As(a)
        | ExprKind::Fit(a) => expr(a, see),
        ExprKind::Index(a, b)
        | ExprKind::JsonIndex(a, b)
        | ExprKind::And(a, b)
        | ExprKind::Or(a, b)
        | ExprKind::Coalesce(a, b)
        | ExprKind::Binary(_, a, b)
        | ExprKind::Range(a, b, _)
        | ExprKind::After(a, b)
        | ExprKind::Chain(a, _, b) => {
            expr(a, see);
            expr(b, see);
        }
        ExprKind::If(cond, then, otherwise) => {
            expr(cond, see);
            block(then, see);
            if let Some(otherwise) = otherwise {
                block(otherwise, see);
            }
        }
        ExprKind::Match(value, arms) => {
            expr(value, see);
            for arm in arms {
                if let Some(guard) = &arm.guard {
                    expr(guard, see);
                }
                block(&arm.body, see);
            }
        }
        ExprKind::For(looped) => {
            expr(&looped.iter, see);
            stmts(&looped.lets, see);
            if let Some(cond) = &looped.cond {
                expr(cond, see);
            }
            block(&looped.body, see);
        }
        ExprKind::Loop(looped) => {
            looped.vars.iter().for_each(|(_, first)| expr(first, see));
            looped.max.iter().for_each(|max| expr(max, see));
            stmts(&looped.stmts, see);
            looped.until.iter().for_each(|until| expr(until, see));
            looped.next.iter().for_each(|next| expr(next, see));
        }
        ExprKind::Try(body, _, handler) => {
            expr(body, see);
            block(handler, see);
        }
        ExprKind::Seq(inner) | ExprKind::Block(inner) => block(inner, see),
        ExprKind::Call(call) => call.args.iter().for_each(|arg| expr(arg, see)),
        ExprKind::Lambda(lambda) => {
            stmts(&lambda.lets, see);
            expr(&lambda.body, see);
        }
    }
}
