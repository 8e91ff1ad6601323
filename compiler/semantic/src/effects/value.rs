//! What an expression comes to, as far as the sources tell.

use super::lets;
use crate::db::{Db, Def, Space};
use crate::hir::{Body, Callee, Const, Expr, ExprKind, LocalId, LocalKind, StmtKind};
use crate::ty::Type;
use crate::{items, query, types};
use ntl_syntax::ast::Span;
use rustc_hash::FxHashMap;
use smol_str::{SmolStr, format_smolstr};
use std::cell::Cell;

/// What is touched, as far as it is known.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum What {
    /// This.
    Known(SmolStr),
    /// What this expression comes to when it runs.
    Computed(SmolStr),
    /// It is not said.
    Nothing,
}

/// How many expressions are looked at for one value: names may lead to names that name others twice.
const FUEL: u32 = 500;

/// A longer value is not put together.
const LONG: usize = 4096;

/// A longer expression is cut.
const SHOWN: usize = 120;

/// A body as it is called.
pub(super) struct Frame<'db> {
    pub def: &'db Def,
    pub body: &'db Body,
    lets: FxHashMap<LocalId, &'db Expr>,
    /// What its parameters are.
    given: FxHashMap<LocalId, What>,
}

impl<'db> Frame<'db> {
    pub fn new(def: &'db Def, body: &'db Body, given: FxHashMap<LocalId, What>) -> Self {
        Frame { def, body, lets: lets(body), given }
    }

    /// The value of a binding of a prompt or agent that says how it is asked.
    pub fn setting(&self, name: &str) -> Option<&'db Expr> {
        let is_it = |local: &LocalId| {
            let local = self.body.locals.get(local.0 as usize);
            local.is_some_and(|local| local.name == name && local.kind == LocalKind::Binding)
        };
        self.body.block.stmts.iter().find_map(|stmt| match &stmt.kind {
            StmtKind::Let(local, value) if is_it(local) => Some(value),
            _ => None,
        })
    }

    /// What an expression of the body comes to.
    pub fn value(&self, db: &'db dyn Db, expr: &'db Expr) -> What {
        known(db, self, expr, &Cell::new(FUEL)).unwrap_or_else(|| {
            match &resolve(db, self, expr, &Cell::new(FUEL)).1.kind {
                // A parameter is what the caller gave.
                ExprKind::Local(local) if self.given.contains_key(local) => {
                    self.given.get(local).cloned().unwrap_or(What::Nothing)
                }
                _ => What::Computed(written(db, self.def, expr.span)),
            }
        })
    }

    /// What a field of a record comes to; `None` where there is none.
    pub fn field(&self, db: &'db dyn Db, expr: &'db Expr, name: &str) -> Option<What> {
        let (at, record) = resolve(db, self, expr, &Cell::new(FUEL));
        let ExprKind::Record(values) = &record.kind else {
            let whole = written(db, self.def, expr.span);
            return Some(What::Computed(format_smolstr!("{whole}.{name}")));
        };
        let fields = types::as_record(db, &record.ty)?;
        let index = fields.fields.iter().position(|field| field.name == name)?;
        let value = values.get(index)?;
        Some(match at {
            At::Frame => self.value(db, value),
            At::Item(def) => known(db, &bare(db, def)?, value, &Cell::new(FUEL))
                .unwrap_or_else(|| What::Computed(written(db, def, value.span))),
        })
    }
}

/// Whose body an expression stands in.
#[derive(Clone, Copy)]
enum At<'db> {
    Frame,
    Item(&'db Def),
}

/// The frame of a constant.
fn bare<'db>(db: &'db dyn Db, def: &'db Def) -> Option<Frame<'db>> {
    Some(Frame::new(def, &query::body(db, def)?.body, FxHashMap::default()))
}

/// Whether there is enough left to look at one more expression.
fn burn(fuel: &Cell<u32>) -> bool {
    fuel.replace(fuel.get().saturating_sub(1)) > 0
}

/// The expression that names lead to.
fn resolve<'db>(db: &'db dyn Db, frame: &Frame<'db>, expr: &'db Expr, fuel: &Cell<u32>) -> (At<'db>, &'db Expr) {
    if !burn(fuel) {
        return (At::Frame, expr);
    }
    match &expr.kind {
        ExprKind::Local(local) => match frame.lets.get(local) {
            Some(value) => resolve(db, frame, value, fuel),
            None => (At::Frame, expr),
        },
        ExprKind::Fit(inner) => {
            let (at, inner) = resolve(db, frame, inner, fuel);
            // A record that is cut to other fields is another one.
            if matches!(inner.kind, ExprKind::Record(_)) { (At::Frame, expr) } else { (at, inner) }
        }
        ExprKind::ConstItem(def) if def.space == Space::Value => {
            let inner = bare(db, def).and_then(|at| {
                let value = at.body.block.value.as_deref()?;
                Some(resolve(db, &at, value, fuel))
            });
            match inner {
                Some((At::Frame, value)) => (At::Item(def), value),
                Some(found) => found,
                None => (At::Frame, expr),
            }
        }
        ExprKind::Field(base, index) => match resolve(db, frame, base, fuel) {
            (at, Expr { kind: ExprKind::Record(values) | ExprKind::Tuple(values), .. }) => {
                match (at, values.get(*index as usize)) {
                    (At::Frame, Some(value)) => resolve(db, frame, value, fuel),
                    (At::Item(def), Some(value)) => match bare(db, def).map(|at| resolve(db, &at, value, fuel)) {
                        Some((At::Frame, value)) => (At::Item(def), value),
                        Some(found) => found,
                        None => (At::Frame, expr),
                    },
                    (_, None) => (At::Frame, expr),
                }
            }
            _ => (At::Frame, expr),
        },
        _ => (At::Frame, expr),
    }
}

/// What an expression comes to, if that is known.
fn known<'db>(db: &'db dyn Db, frame: &Frame<'db>, expr: &'db Expr, fuel: &Cell<u32>) -> Option<What> {
    if !burn(fuel) {
        return None;
    }
    let (at, expr) = resolve(db, frame, expr, fuel);
    let other;
    let frame = match at {
        At::Frame => frame,
        At::Item(def) => {
            other = bare(db, def)?;
            &other
        }
    };
    let text = match &expr.kind {
        ExprKind::Const(value) => constant(value),
        ExprKind::Local(local) => match frame.given.get(local) {
            Some(What::Known(text)) => text.clone(),
            _ => return None,
        },
        ExprKind::Fit(inner) => return known(db, frame, inner, fuel),
        ExprKind::As(inner) if expr.ty == Type::Str && inner.ty == Type::Str => return known(db, frame, inner, fuel),
        ExprKind::Default(def, at) => {
            let body = &query::default_body(db, def, *at)?.body;
            let frame = Frame::new(def, body, FxHashMap::default());
            return known(db, &frame, body.block.value.as_deref()?, fuel);
        }
        ExprKind::Interpolate(parts) => {
            let mut text = String::new();
            for part in parts {
                // What a number or a duration looks like in a text is for the run to say.
                let is_text = matches!(&part.ty, Type::Str | Type::Literal(crate::ty::Lit::Str(_)));
                let Some(What::Known(part)) = known(db, frame, part, fuel).filter(|_| is_text) else { return None };
                text.push_str(&part);
                if text.len() > LONG {
                    return None;
                }
            }
            text.into()
        }
        ExprKind::Call(call) => match &call.callee {
            // A model with settings of its own is the model that it names.
            Callee::Item(def) if query::native_id(db, def).is_some_and(|id| id.starts_with("std.core.model/")) => {
                return known(db, frame, call.args.first()?, fuel);
            }
            _ => return None,
        },
        _ => return None,
    };
    Some(What::Known(text))
}

fn constant(value: &Const) -> SmolStr {
    match value {
        Const::Null => SmolStr::new_static("null"),
        Const::Bool(value) => format_smolstr!("{value}"),
        Const::Int(value) => format_smolstr!("{value}"),
        Const::Float(value) => format_smolstr!("{value}"),
        Const::Str(value) | Const::Json(value) => value.clone(),
        Const::Duration(ns) => format_smolstr!("{}s", *ns as f64 / 1e9),
        Const::Size(value) => format_smolstr!("{value}b"),
    }
}

/// An expression as it is written, in one line.
fn written(db: &dyn Db, def: &Def, span: Span) -> SmolStr {
    let text = items::item(db, def).and_then(|item| {
        let bytes = items::parse(db, item).tokens.bytes(span);
        item.text(db).get(bytes.start as usize..bytes.end as usize)
    });
    let text = text.unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ");
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format_smolstr!("{}…", text.get(..end).unwrap_or_default()),
        None => text.into(),
    }
}
