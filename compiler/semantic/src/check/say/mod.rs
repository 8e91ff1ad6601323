//! What there is to say about bodies, by theme. Each function tells one mistake in one message.

mod call;
mod field;
mod flow;
mod form;
mod name;
mod operator;
mod pattern;
mod value;
mod warn;
mod write;

use super::Checker;
use crate::diagnostic::{Code, Diagnostic};
use crate::ty::Type;
use ntl_syntax::ast::{self, Span};

impl Checker<'_> {
    /// Something to say at a place.
    fn said(&self, code: Code, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(code, self.place(span), message)
    }

    /// A type as a message shows it where no literal matters: `str` for `"a"`.
    fn show_wide(&self, ty: &Type) -> String {
        self.show(&crate::types::widen(ty))
    }

    /// A type that may be null, and that it may be so.
    fn shown_with_null(&self, ty: &Type) -> String {
        let shown = self.show_wide(ty);
        let may_be = *ty != Type::Null && crate::types::is_nullable(self.db, ty);
        if may_be { format!("`{shown}`, which may be null") } else { format!("`{shown}`") }
    }
}

/// A value as it is written, if that is short and sure.
fn text_of(tree: &ast::Expr) -> Option<String> {
    match &tree.kind {
        ast::ExprKind::Name(name) => Some(crate::diagnostic::written_name(&name.text)),
        ast::ExprKind::Field { base, name, optional: false } => {
            Some(format!("{}.{}", text_of(base)?, crate::diagnostic::written_name(&name.text)))
        }
        ast::ExprKind::Literal(ast::Literal::Int(value)) => Some(value.to_string()),
        _ => None,
    }
}

/// `a`, `b` and `c`.
fn listed(names: &[impl AsRef<str>]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{}`", name.as_ref())).collect();
    match quoted.as_slice() {
        [] => String::new(),
        [only] => only.clone(),
        [rest @ .., last] => format!("{} and {last}", rest.join(", ")),
    }
}

/// `1 argument`, `2 arguments`.
fn counted(count: usize, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}
