//! What fixes write: values that stand for others, types, and texts around expressions.

use crate::check::Checker;
use crate::diagnostic::Edit;
use crate::items;
use crate::names::{self, Found, Kind};
use crate::ty::{Lit, Type};
use crate::types::{self, unfold};
use ntl_syntax::ast::{self, BinaryOp, ExprKind, Span};

/// A value of no type that only the author knows.
const TO_DO: &str = "error(\"to do\")";

impl Checker<'_> {
    /// A value of a type, for the author to replace: the simplest one that fits.
    pub(in crate::check) fn placeholder(&self, ty: &Type) -> String {
        self.placeholder_in(ty, 4).unwrap_or_else(|| TO_DO.to_owned())
    }

    fn placeholder_in(&self, ty: &Type, deep: usize) -> Option<String> {
        let deep = deep.checked_sub(1)?;
        Some(match unfold(self.db, ty) {
            Type::Null | Type::Json | Type::Any => "null".to_owned(),
            Type::Bool => "false".to_owned(),
            Type::Int => "0".to_owned(),
            Type::Float => "0.0".to_owned(),
            Type::Str => "\"\"".to_owned(),
            Type::Duration => "0s".to_owned(),
            Type::Size => "0b".to_owned(),
            ty @ Type::Literal(Lit::Str(_) | Lit::Int(_) | Lit::Bool(_)) => types::display(self.db, &ty),
            Type::List(_) => "[]".to_owned(),
            Type::Dict(..) => "[:]".to_owned(),
            Type::Tuple(items) => {
                let items: Option<Vec<String>> = items.iter().map(|item| self.placeholder_in(item, deep)).collect();
                format!("({})", items?.join(", "))
            }
            Type::Record(record) => {
                let needed =
                    record.fields.iter().filter(|field| !field.has_default && !types::is_nullable(self.db, &field.ty));
                let fields: Option<Vec<String>> = needed
                    .map(|field| {
                        let value = self.placeholder_in(&field.ty, deep)?;
                        Some(format!("{}: {value}", crate::diagnostic::written_name(&field.name)))
                    })
                    .collect();
                let fields = fields?;
                if fields.is_empty() {
                    return None;
                }
                format!("({})", fields.join(", "))
            }
            Type::Union(_) if types::is_nullable(self.db, ty) => "null".to_owned(),
            Type::Union(members) => members.iter().find_map(|member| self.placeholder_in(member, deep))?,
            _ => return None,
        })
    }

    /// What is written at a span.
    pub(in crate::check) fn source(&self, span: Span) -> &str {
        items::item(self.db, &self.def).map_or("", |item| items::source(self.db, item, span))
    }

    /// Takes out an item of a row, with the comma before or after it.
    pub(super) fn without(&self, item: Span) -> Edit {
        let before = item.first.checked_sub(1).map(|at| Span::new(at, at + 1));
        let span = before.filter(|before| self.source(*before) == ",").map_or(item, |comma| comma.to(item));
        Edit::instead(self.place(span), "")
    }

    /// A type as it can be written in this file; `None` if it cannot.
    pub(super) fn written_here(&self, ty: &Type) -> Option<String> {
        let is_strange = |part: &Type| match part {
            Type::Named(def) => {
                let found = names::lookup(self.db, self.def.file, Kind::Type, &def.name);
                !matches!(found, Found::Yes(defs) if defs.first() == Some(def))
            }
            Type::Unknown | Type::Var(_) | Type::Never | Type::Fn(..) => true,
            _ => false,
        };
        let shown = self.show(ty);
        (!types::any_part(ty, &mut { is_strange }) && !shown.contains('…')).then_some(shown)
    }

    /// A call of a function with an expression as its only argument.
    pub(super) fn call_around(&self, function: &str, span: Span) -> Vec<Edit> {
        Edit::around(self.place(span), format!("{function}("), ")")
    }

    /// `x ?? value`, in parentheses where it `stands_in` an operation.
    pub(super) fn or_default(&self, tree: &ast::Expr, value: &str, stands_in: bool) -> Vec<Edit> {
        let (mut before, mut after) = (String::new(), format!(" ?? {value}"));
        if !binds(tree, Strength::Coalesce) {
            (before, after) = ("(".to_owned(), format!(") ?? {value}"));
        }
        if stands_in {
            before.insert(0, '(');
            after.push(')');
        }
        self.around(tree, before, after)
    }

    /// `x as T`, in parentheses where it `stands_in` an operation.
    pub(super) fn as_type(&self, tree: &ast::Expr, ty: &str, stands_in: bool) -> Vec<Edit> {
        let (mut before, mut after) = (String::new(), format!(" as {ty}"));
        if !binds(tree, Strength::As) {
            (before, after) = ("(".to_owned(), format!(") as {ty}"));
        }
        if stands_in {
            before.insert(0, '(');
            after.push(')');
        }
        self.around(tree, before, after)
    }

    /// What follows a dot after an expression: `.chars()`.
    pub(super) fn dot_after(&self, tree: &ast::Expr, dot: &str) -> Vec<Edit> {
        match binds(tree, Strength::Dot) {
            true => vec![Edit::after(self.place(tree.span), dot)],
            false => self.around(tree, "(".to_owned(), format!("){dot}")),
        }
    }

    fn around(&self, tree: &ast::Expr, before: String, after: String) -> Vec<Edit> {
        let mut edits = Edit::around(self.place(tree.span), before, after);
        edits.retain(|edit| !edit.text.is_empty());
        edits
    }
}

/// How strongly what is to be written after an expression binds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Strength {
    /// `??`
    Coalesce,
    /// `+` and the like
    Arithmetic,
    /// `as`
    As,
    /// `.`, `[ ]`, `( )`
    Dot,
}

/// Whether an expression needs no parentheses before something that binds so.
pub(super) fn binds(tree: &ast::Expr, strength: Strength) -> bool {
    match &tree.kind {
        ExprKind::Name(_)
        | ExprKind::Str(_)
        | ExprKind::List(_)
        | ExprKind::Dict(_)
        | ExprKind::Record(_)
        | ExprKind::Tuple(_)
        | ExprKind::Paren(_)
        | ExprKind::Field { .. }
        | ExprKind::TupleField { .. }
        | ExprKind::Index { .. }
        | ExprKind::Call { .. } => true,
        // `1.upper()` could not be read.
        ExprKind::Literal(_) => strength < Strength::Dot,
        ExprKind::As { .. } => strength < Strength::Dot,
        ExprKind::Unary { op: ast::UnaryOp::Neg, .. } => strength < Strength::As,
        ExprKind::Binary { op: BinaryOp::Mul | BinaryOp::Div | BinaryOp::Rem | BinaryOp::IntDiv, .. } => {
            strength < Strength::As
        }
        ExprKind::Binary { op: BinaryOp::Add | BinaryOp::Sub | BinaryOp::Concat, .. } => strength < Strength::As,
        ExprKind::Range { .. } | ExprKind::Pipe { .. } => strength < Strength::Arithmetic,
        _ => false,
    }
}
