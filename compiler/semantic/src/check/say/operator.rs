//! Operators between values that they do not take.

use super::text_of;
use crate::check::Checker;
use crate::diagnostic::{Edit, Fix};
use crate::diagnostics::codes;
use crate::hir;
use crate::names::nearest;
use crate::ty::{Lit, Type};
use crate::types::{self, unfold};
use ntl_syntax::ast::{self, Span};

/// What the fix of a sum of texts does.
const INTERPOLATE: &str = "join them by interpolation";

impl Checker<'_> {
    fn is_text(&self, ty: &Type) -> bool {
        matches!(unfold(self.db, &types::widen(ty)), Type::Str)
    }

    pub(in crate::check) fn say_no_arithmetic(
        &mut self,
        sign: &str,
        a: &hir::Expr,
        b: &hir::Expr,
        span: Span,
        left: &ast::Expr,
        right: &ast::Expr,
    ) {
        let (shown_a, shown_b) = (self.show_wide(&a.ty), self.show_wide(&b.ty));
        let null = [a, b].into_iter().find(|value| types::is_nullable(self.db, &value.ty));
        if let Some(value) = null {
            let tree = if std::ptr::eq(value, a) { left } else { right };
            let x = text_of(tree).unwrap_or_else(|| "x".to_owned());
            let message = format!("`{sign}` cannot take {}", self.shown_with_null(&value.ty));
            let note = format!("say what stands for null: `({x} ?? …)`; or look first with `if {x} != null`");
            let told = self.said(codes::MAYBE_NULL, value.span, message).note(note);
            return self.tell(told.mend(self.for_null(value, tree)));
        }
        let message = format!("`{sign}` cannot take `{shown_a}` and `{shown_b}`");
        let mut told = self.said(codes::NO_ARITHMETIC, span, message);
        let list = |ty: &Type| matches!(unfold(self.db, ty), Type::List(_));
        let (wide_a, wide_b) = (unfold(self.db, &types::widen(&a.ty)), unfold(self.db, &types::widen(&b.ty)));
        if sign == "+" && (self.is_text(&a.ty) || self.is_text(&b.ty)) {
            let part = |tree: &ast::Expr| match &tree.kind {
                ast::ExprKind::Str(parts) => match parts.as_slice() {
                    [ast::StrPart::Text(text)] if !text.contains(['{', '}', '"', '\\', '\n']) => text.to_string(),
                    _ => "{…}".to_owned(),
                },
                _ => text_of(tree).map_or_else(|| "{…}".to_owned(), |text| format!("{{{text}}}")),
            };
            told = told.note(format!("texts are joined by interpolation: `\"{}{}\"`", part(left), part(right)));
            told.fixes.extend(self.interpolation(left, right));
            for (text, tree, other) in [(a, left, &wide_b), (b, right, &wide_a)] {
                if self.is_text(&text.ty) && matches!(other, Type::Int | Type::Float) && may_be_number(tree) {
                    let name = self.show(other);
                    let fix = Fix::new(format!("read the number: `{name}(…)`"), self.call_around(&name, tree.span));
                    told = told.mend(fix.guessed());
                }
            }
        } else if sign == "+" && (list(&a.ty) || list(&b.ty)) {
            told = told.note(match (list(&a.ty), list(&b.ty)) {
                (true, true) => "lists are joined with `++`",
                _ => "lists are joined with `++`, an item as a list of one: `xs ++ [x]`",
            });
            let mut edits = vec![Edit::instead(self.place(span), "++")];
            for (value, tree) in [(a, left), (b, right)] {
                if !list(&value.ty) {
                    edits.extend(Edit::around(self.place(tree.span), "[", "]"));
                }
            }
            told = told.mend(Fix::new("join them with `++`", edits).guessed());
        } else if sign == "-" && wide_a == Type::Datetime && wide_b == Type::Datetime {
            told = told.note("the time between two is `time.diff(a, b)`");
            let edits = vec![
                Edit::before(self.place(left.span), "time.diff("),
                Edit::instead(self.place(span), ","),
                Edit::after(self.place(right.span), ")"),
            ];
            let fix = Fix::new("write `time.diff(…)`", edits);
            let is_used = crate::names::module(self.db, self.def.file, "time").is_some();
            told = told.mend(if is_used { fix } else { fix.using("time") });
        } else if sign == "~/"
            && (wide_a == wide_b && matches!(wide_a, Type::Duration | Type::Size)
                || [&wide_a, &wide_b].contains(&&Type::Float))
        {
            let edits = vec![
                Edit::before(self.place(left.span), "floor("),
                Edit::instead(self.place(span), "/"),
                Edit::after(self.place(right.span), ")"),
            ];
            told = told.note("`~/` divides ints; of other numbers it is `floor(a / b)`");
            told = told.mend(Fix::new("write `floor(… / …)`", edits).guessed());
        } else if self.is_text(&a.ty) || self.is_text(&b.ty) {
            told = told.note("a number in a text is read with `int(x)` or `float(x)`");
            for (text, tree, other) in [(a, left, &wide_b), (b, right, &wide_a)] {
                if self.is_text(&text.ty) && matches!(other, Type::Int | Type::Float) {
                    let name = self.show(other);
                    let edits = self.call_around(&name, tree.span);
                    told = told.mend(Fix::new(format!("write `{name}(…)`"), edits).guessed());
                }
            }
        } else if [&wide_a, &wide_b].iter().any(|ty| matches!(ty, Type::Json | Type::Any)) {
            told = told.note("say what it holds first: `x as int`");
            let mut edits = Vec::new();
            for (ty, tree, other) in [(&wide_a, left, &wide_b), (&wide_b, right, &wide_a)] {
                if matches!(ty, Type::Json | Type::Any) {
                    let wanted = if *other == Type::Float { "float" } else { "int" };
                    edits.extend(self.as_type(tree, wanted, true));
                }
            }
            told = told.mend(Fix::new("say what it holds", edits).with_placeholders());
        } else if [&wide_a, &wide_b].iter().any(|ty| matches!(ty, Type::Param(..))) {
            told = told.note("a type parameter is a number if it says so: `[T: number]`");
        }
        self.tell(told);
    }

    /// A value for null of an operand.
    fn for_null(&self, value: &hir::Expr, tree: &ast::Expr) -> Fix {
        let default = self.placeholder(&types::remove_null(self.db, &value.ty));
        Fix::new("say what stands for null", self.or_default(tree, &default, true)).with_placeholders()
    }

    /// A str that interpolates instead of a sum.
    fn interpolation(&self, left: &ast::Expr, right: &ast::Expr) -> Option<Fix> {
        let mut parts = Vec::new();
        summands(left, &mut parts);
        summands(right, &mut parts);
        let mut text = String::from("\"");
        for part in parts {
            let written = self.source(part.span);
            let inside = written.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
            match (&part.kind, inside) {
                (ast::ExprKind::Str(_), Some(inside)) if !written.starts_with("\"\"\"") => text.push_str(inside),
                _ => text.push_str(&format!("{{{written}}}")),
            }
        }
        text.push('"');
        let edit = Edit::instead(self.place(left.span.to(right.span)), text);
        (!edit.text.contains('\n')).then(|| Fix::new(INTERPOLATE, vec![edit]).guessed())
    }

    /// Where a sum of texts is part of a longer one, what is offered is for the longer one.
    pub(in crate::check) fn interpolate_all(&mut self, left: &ast::Expr, right: &ast::Expr) {
        let is_of = |fix: &Fix| {
            let spans = [left.span, right.span];
            fix.title == INTERPOLATE && fix.edits.iter().all(|edit| spans.contains(&edit.place.span))
        };
        let Some(told) = self.diagnostics.last() else { return };
        let Some(at) = told.fixes.iter().position(is_of) else { return };
        let longer = self.interpolation(left, right);
        if let Some(told) = self.diagnostics.last_mut() {
            told.fixes.splice(at..=at, longer);
        }
    }

    pub(in crate::check) fn say_not_negated(&mut self, value: &hir::Expr, tree: &ast::Expr) {
        let shown = self.show_wide(&value.ty);
        let (code, note) = match types::is_nullable(self.db, &value.ty) {
            true => (codes::MAYBE_NULL, "it may be null: say what stands for null with `??`"),
            false => (codes::NO_ARITHMETIC, "numbers and durations can be negated"),
        };
        let told = self.said(code, value.span, format!("`-` cannot take `{shown}`")).note(note);
        self.tell(if code == codes::MAYBE_NULL { told.mend(self.for_null(value, tree)) } else { told });
    }

    pub(in crate::check) fn say_never_equal(&mut self, a: &hir::Expr, b: &hir::Expr, span: Span) {
        let is_literal = |ty: &Type| matches!(ty, Type::Literal(_));
        if a.ty == Type::Null || b.ty == Type::Null {
            let shown = self.show_wide(if a.ty == Type::Null { &b.ty } else { &a.ty });
            let message = format!("`{shown}` is never null: this comparison always has the same result");
            return self.tell(self.said(codes::NEVER_EQUAL, span, message));
        }
        let (shown_a, shown_b) = match is_literal(&a.ty) || is_literal(&b.ty) {
            true => (self.show(&a.ty), self.show(&b.ty)),
            false => (self.show_wide(&a.ty), self.show_wide(&b.ty)),
        };
        let mut told = self.said(codes::NEVER_EQUAL, span, format!("`{shown_a}` and `{shown_b}` are never equal"));
        for (literal, other) in [(a, b), (b, a)] {
            let Type::Literal(Lit::Str(text)) = &literal.ty else { continue };
            let allowed = types::members(self.db, &other.ty);
            let allowed = allowed.iter().filter_map(|ty| match ty {
                Type::Literal(Lit::Str(text)) => Some(text),
                _ => None,
            });
            if let Some(near) = nearest(text, allowed) {
                let place = self.place(literal.span);
                told = told.note(format!("did you mean {near:?}?"));
                let edit = Edit::instead(place, format!("{near:?}"));
                told = told.mend(Fix::new(format!("write {near:?}"), vec![edit]).guessed());
            }
        }
        self.tell(told);
    }

    pub(in crate::check) fn say_no_order(
        &mut self,
        sign: &str,
        a: &hir::Expr,
        b: &hir::Expr,
        span: Span,
        left: &ast::Expr,
        right: &ast::Expr,
    ) {
        let (shown_a, shown_b) = (self.show_wide(&a.ty), self.show_wide(&b.ty));
        if let Some(value) = [a, b].into_iter().find(|value| types::is_nullable(self.db, &value.ty)) {
            let message = format!("`{sign}` cannot take {}", self.shown_with_null(&value.ty));
            let note = "say what stands for null with `??`, or look first with `if x != null`";
            let tree = if std::ptr::eq(value, a) { left } else { right };
            let told = self.said(codes::MAYBE_NULL, value.span, message).note(note);
            return self.tell(told.mend(self.for_null(value, tree)));
        }
        let message = match types::is_ordered(self.db, &a.ty) && types::is_ordered(self.db, &b.ty) {
            true => format!("`{sign}` cannot compare `{shown_a}` with `{shown_b}`"),
            false => {
                let shown = if types::is_ordered(self.db, &a.ty) { &shown_b } else { &shown_a };
                format!("`{sign}` cannot compare `{shown_a}` with `{shown_b}`: `{shown}` has no order")
            }
        };
        let note = "numbers, texts, durations, sizes, datetimes, and tuples and lists of them have an order";
        self.tell(self.said(codes::NO_ORDER, span, message).note(note));
    }

    pub(in crate::check) fn say_not_searched(&mut self, b: &hir::Expr, tree: &ast::Expr) {
        let shown = self.show_wide(&b.ty);
        let told =
            self.said(codes::NOT_INDEXED, b.span, format!("`in` looks into a list, dict or str, this is `{shown}`"));
        let told = match types::is_nullable(self.db, &b.ty) {
            true => told.note("it may be null: say what stands for null with `??`").mend(self.for_null(b, tree)),
            false if matches!(unfold(self.db, &b.ty), Type::Json | Type::Any) => {
                let edits = self.as_type(tree, "dict[str, json]", true);
                told.note("say what it holds first: keys are in a `dict[str, json]`, items in a `list[json]`")
                    .mend(Fix::new("look for a key", edits).guessed())
            }
            false => told,
        };
        self.tell(told);
    }

    pub(in crate::check) fn say_never_in(&mut self, a: &hir::Expr, member: &Type, b: &hir::Expr) {
        let (shown, member, whole) = (self.show_wide(&a.ty), self.show(member), self.show_wide(&b.ty));
        let message = format!("a `{shown}` is never in a `{whole}`, which holds `{member}`");
        self.tell(self.said(codes::NEVER_EQUAL, a.span, message));
    }

    pub(in crate::check) fn say_no_lists(
        &mut self,
        a: &hir::Expr,
        b: &hir::Expr,
        span: Span,
        left: &ast::Expr,
        right: &ast::Expr,
    ) {
        let (shown_a, shown_b) = (self.show_wide(&a.ty), self.show_wide(&b.ty));
        let told = self.said(codes::NO_ARITHMETIC, span, format!("`++` joins lists, not `{shown_a}` and `{shown_b}`"));
        let is_list = |ty: &Type| matches!(unfold(self.db, ty), Type::List(_));
        let told = match (is_list(&a.ty), is_list(&b.ty)) {
            (false, false) if self.is_text(&a.ty) || self.is_text(&b.ty) => {
                let mut told = told.note("texts are joined by interpolation: `\"{a}{b}\"`");
                told.fixes.extend(self.interpolation(left, right));
                told
            }
            (true, false) | (false, true)
                if types::is_nullable(self.db, if is_list(&a.ty) { &b.ty } else { &a.ty }) =>
            {
                let (value, tree) = if is_list(&a.ty) { (b, right) } else { (a, left) };
                told.note("one may be null: say what stands for null with `??`").mend(self.for_null(value, tree))
            }
            (true, false) | (false, true) => {
                let tree = if is_list(&a.ty) { right } else { left };
                let edits = Edit::around(self.place(tree.span), "[", "]");
                told.note("a list of one is `[x]`").mend(Fix::new("make it a list of one", edits).guessed())
            }
            _ => told,
        };
        self.tell(told);
    }
}

/// Whether a text may hold a number: one that is written, if it does.
fn may_be_number(tree: &ast::Expr) -> bool {
    match &tree.kind {
        ast::ExprKind::Str(parts) => match parts.as_slice() {
            [ast::StrPart::Text(text)] => text.parse::<f64>().is_ok(),
            _ => false,
        },
        ast::ExprKind::Binary { .. } => false,
        _ => true,
    }
}

/// The parts of a sum of texts, in order. What holds no text itself stays together: it may be a sum of numbers.
fn summands<'e>(tree: &'e ast::Expr, parts: &mut Vec<&'e ast::Expr>) {
    fn has_text(tree: &ast::Expr) -> bool {
        match &tree.kind {
            ast::ExprKind::Str(_) => true,
            ast::ExprKind::Binary { op: ast::BinaryOp::Add | ast::BinaryOp::Concat, left, right, .. } => {
                has_text(left) || has_text(right)
            }
            _ => false,
        }
    }
    match &tree.kind {
        ast::ExprKind::Binary { op: ast::BinaryOp::Add | ast::BinaryOp::Concat, left, right, .. } => {
            for part in [left, right] {
                if has_text(part) { summands(part, parts) } else { parts.push(part) }
            }
        }
        _ => parts.push(tree),
    }
}
