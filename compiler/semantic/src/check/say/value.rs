//! Values of the wrong type, and values that cannot stand where they do.

use super::text_of;
use super::write::{Strength, binds};
use crate::check::{Checker, Want};
use crate::diagnostic::{Diagnostic, Edit, Fix, Place};
use crate::diagnostics::{codes, types as say};
use crate::hir::{self, Const, ExprKind};
use crate::query;
use crate::ty::{Field, Lit, Type};
use crate::types::{self, Mismatch, Reason, unfold};
use ntl_syntax::ast::{self, Name, Span};
use smol_str::SmolStr;

impl Want<'_> {
    /// What the value is, for a message: "argument `n` of `text.repeat`".
    pub(in crate::check) fn describe(self) -> String {
        match self {
            Want::Arg { callee, param, .. } => format!("argument `{param}` of `{callee}`"),
            Want::Field(name) => format!("field `{name}`"),
            Want::Output(name) => format!("output `{name}`"),
            Want::Result(name) => format!("the value of `{name}`"),
            Want::Function(callee) => format!("the value of the function that `{callee}` takes"),
            Want::Written("") => String::new(),
            Want::Written(name) => format!("`{name}`"),
            Want::Setting(name) => format!("the setting `{name}`"),
            Want::Item => "an item of the list".to_owned(),
            Want::Entry(what) => format!("a {what} of the dict"),
            Want::Of(what) => what.to_owned(),
        }
    }
}

impl Checker<'_> {
    /// A value that does not fit where it stands.
    pub(in crate::check) fn say_mismatch(
        &mut self,
        value: &hir::Expr,
        ty: &Type,
        mismatch: &Mismatch,
        want: Want<'_>,
        tree: Option<&ast::Expr>,
    ) {
        let text = tree.and_then(text_of);
        // A literal is shown as such only where literals are expected.
        let shows_literal = matches!(mismatch.reason, Reason::OtherLiteral(_));
        let found = if shows_literal { value.ty.clone() } else { types::widen(&value.ty) };
        let place = self.place(value.span);
        let mut told = say::mismatch(self.db, place, &want.describe(), &found, ty, mismatch, text.as_deref());
        if mismatch.reason == Reason::ItemForList && !value.scope.is_empty() {
            let x = text.as_deref().unwrap_or("x");
            told.notes = vec![format!("it varies: `collect({x})` makes a list of it")];
        }
        if let Want::Arg { param, declared: Some(def), .. } = want {
            let place = Place { def: def.clone(), span: query::param_span(self.db, def, param) };
            told = told.label(place, format!("`{param}` is declared here"));
        }
        if let (ExprKind::Const(Const::Str(text)), true) = (&value.kind, mismatch.path.is_empty())
            && !shows_literal
            && text.len() < 40
        {
            told = told.here(format!("{text:?} is a `str`"));
        }
        if let Some(tree) = tree.filter(|_| mismatch.path.is_empty()) {
            told = self.mended(told, value, ty, mismatch, want, tree);
        }
        if is_condition(want) && mismatch.path.is_empty() {
            told = told.note("only a `bool` is a condition: compare with something, as in `x != 0` or `x.len() > 0`");
        }
        self.tell(told);
    }

    /// What turns a value into one that fits.
    fn mended(
        &self,
        told: Diagnostic,
        value: &hir::Expr,
        ty: &Type,
        mismatch: &Mismatch,
        want: Want<'_>,
        tree: &ast::Expr,
    ) -> Diagnostic {
        let stands_in = matches!(want, Want::Of(_)) && !is_condition(want);
        let called = |name: &str| Fix::new(format!("write `{name}(…)`"), self.call_around(name, tree.span)).guessed();
        let fix = match &mismatch.reason {
            _ if is_condition(want) => self.as_condition(value, tree),
            Reason::ItemForList if value.scope.is_empty() => {
                Some(Fix::new("make it a list of one", Edit::around(self.place(tree.span), "[", "]")).guessed())
            }
            Reason::ItemForList => Some(called("collect")),
            Reason::MaybeNull => {
                let edits = self.or_default(tree, &self.placeholder_of(ty), stands_in);
                Some(Fix::new("say what stands for null", edits).with_placeholders())
            }
            Reason::FloatForInt => match &tree.kind {
                ast::ExprKind::Binary { op: ast::BinaryOp::Div, op_span, left, right }
                    if self.are_ints(left, right) =>
                {
                    Some(Fix::new("divide ints: `~/`", vec![Edit::instead(self.place(*op_span), "~/")]).guessed())
                }
                _ => Some(called("round")),
            },
            Reason::JsonNeedsAs | Reason::BaseForLiteral => self.written_here(&mismatch.expected).map(|wanted| {
                Fix::new(format!("write `as {wanted}`"), self.as_type(tree, &wanted, stands_in)).guessed()
            }),
            Reason::NotText if !self.source(tree.span).contains('\n') => {
                Some(Fix::new("write it in a str", Edit::around(self.place(tree.span), "\"{", "}\"")).guessed())
            }
            Reason::TextForNumber => Some(called(&self.show(&mismatch.expected))),
            _ => None,
        };
        match fix {
            Some(fix) => told.mend(fix),
            None => told,
        }
    }

    /// What stands for null where a type is expected; never null itself.
    fn placeholder_of(&self, ty: &Type) -> String {
        self.placeholder(&types::remove_null(self.db, ty))
    }

    /// Whether two operands are ints by their form.
    fn are_ints(&self, left: &ast::Expr, right: &ast::Expr) -> bool {
        let is_int = |tree: &ast::Expr| match &tree.kind {
            ast::ExprKind::Literal(ast::Literal::Int(_)) => true,
            ast::ExprKind::Name(name) => {
                self.sees(&name.text).is_some_and(|id| matches!(types::widen(&self.local_of(id).ty), Type::Int))
            }
            _ => false,
        };
        is_int(left) && is_int(right)
    }

    /// A condition from a value that is none.
    fn as_condition(&self, value: &hir::Expr, tree: &ast::Expr) -> Option<Fix> {
        let ty = unfold(self.db, &types::widen(&value.ty));
        let edits = match ty {
            Type::Int | Type::Float => self.asked_of(tree, " != 0"),
            Type::Str => self.asked_of(tree, " != \"\""),
            Type::List(_) | Type::Dict(..) => self.dot_after(tree, ".len() > 0"),
            _ if types::is_nullable(self.db, &value.ty) => self.asked_of(tree, " != null"),
            _ => return None,
        };
        Some(Fix::new("compare it", edits).guessed())
    }

    fn asked_of(&self, tree: &ast::Expr, with: &str) -> Vec<Edit> {
        match binds(tree, Strength::Coalesce) {
            true => vec![Edit::after(self.place(tree.span), with)],
            false => Edit::around(self.place(tree.span), "(", format!("){with}")),
        }
    }

    /// A value in a str that cannot be shown there.
    pub(in crate::check) fn say_not_shown(&mut self, value: &hir::Expr, tree: &ast::Expr) {
        let x = text_of(tree);
        let written = x.as_deref().unwrap_or("…");
        let place = self.place(value.span);
        let message = format!("a str cannot hold {}", self.shown_with_null(&value.ty));
        let mut told = self.said(codes::NOT_SHOWN, value.span, message);
        if matches!(unfold(self.db, &value.ty), Type::Secret) {
            return self.tell(told.note("a secret is never shown"));
        }
        told = told.note(format!("make it text with `str({written})`"));
        if types::is_nullable(self.db, &value.ty) {
            told = told.note(format!("or say what stands for null: `{written} ?? …`"));
        }
        let title = x.map_or_else(|| "write `str(…)`".to_owned(), |x| format!("write `str({x})`"));
        self.tell(told.mend(Fix::new(title, Edit::around(place, "str(", ")"))));
    }

    /// A field or method of what may be null.
    pub(in crate::check) fn say_null_before_dot(&mut self, base: &hir::Expr, name: &Name) {
        let shown = self.show_wide(&base.ty);
        let message = format!("this is `{shown}`: it may be null, which has no `{}`", name.text);
        let value = self.placeholder_of(&base.ty);
        let edits = Edit::around(self.place(base.span), "(", format!(" ?? {value})"));
        self.tell(
            self.said(codes::MAYBE_NULL, base.span, message)
                .note(format!("`?.{}` gives null for null; `??` says what stands for null", name.text))
                .note("`if x != null { … }` looks first")
                .mend(Fix::new("say what stands for null", edits).with_placeholders()),
        );
    }

    pub(in crate::check) fn say_never_converts(&mut self, value: &hir::Expr, ty: &Type, span: Span) {
        let (found, wanted) = (self.show_wide(&value.ty), self.show(ty));
        let told =
            self.said(codes::NEVER_CONVERTS, span, format!("a `{found}` can never be made a `{wanted}` by `as`"));
        let told = match (unfold(self.db, &types::widen(&value.ty)), unfold(self.db, ty)) {
            (Type::Str, Type::Int | Type::Float) => told
                .note(format!("a number in a text is read with `{wanted}(x)`"))
                .mend(self.function_for_as(&wanted, value.span, span)),
            (Type::Str, Type::Datetime) => {
                let fix = self.function_for_as("time.parse", value.span, span);
                let is_used = crate::names::module(self.db, self.def.file, "time").is_some();
                told.note("a time in a text is read with `time.parse(x)`").mend(if is_used {
                    fix
                } else {
                    fix.using("time")
                })
            }
            (Type::Str, Type::Duration | Type::Size | Type::Bool) => {
                told.note(format!("`as` reads data: `j: json = x`, then `j as {wanted}`"))
            }
            (_, Type::Str) => {
                told.note("text is made with `str(x)` or `\"{x}\"`").mend(self.function_for_as("str", value.span, span))
            }
            _ => told,
        };
        self.tell(told);
    }

    /// `str(x)` for `x as str`.
    fn function_for_as(&self, function: &str, value: Span, written: Span) -> Fix {
        let end = self.place(Span::new(value.end, written.end));
        let edits = vec![Edit::before(self.place(value), format!("{function}(")), Edit::instead(end, ")")];
        Fix::new(format!("write `{function}(…)`"), edits).guessed()
    }

    pub(in crate::check) fn say_never_is(&mut self, value: &hir::Expr, ty: &Type, span: Span) {
        let (found, wanted) = (self.show_wide(&value.ty), self.show(ty));
        self.tell(self.said(codes::NEVER_CONVERTS, span, format!("a `{found}` is never a `{wanted}`")));
    }

    pub(in crate::check) fn say_if_needs_else(&mut self, wanted: &Type, want: Want<'_>, span: Span) {
        let what = want.describe();
        let subject = if what.is_empty() { String::new() } else { format!("{what}: ") };
        let shown = self.show(wanted);
        let message =
            format!("{subject}expected `{shown}`, but without `else` this is null where the condition does not hold");
        let edit = Edit::after(self.place(span), format!(" else {{ {} }}", self.placeholder(wanted)));
        let fix = Fix::new("add an `else`", vec![edit]).with_placeholders();
        self.tell(self.said(codes::NO_ELSE, span, message).note("say what it is then: `else { … }`").mend(fix));
    }

    pub(in crate::check) fn say_bad_key(&mut self, key: &Type, span: Span) {
        let shown = self.show_wide(key);
        self.tell(say::dict_key(self.place(span), &shown, matches!(key, Type::Param(..))));
    }

    pub(in crate::check) fn say_field_twice(&mut self, name: &Name, first: Span) {
        let message = format!("the field `{}` is given twice", name.text);
        let first = self.place(first);
        self.tell(self.said(codes::FIELDS, name.span, message).label(first, "it is given here first"));
    }

    pub(in crate::check) fn say_missing_fields(&mut self, ty: &Type, fields: &[&Field], span: Span) {
        let shown = self.show(ty);
        let missing: Vec<&SmolStr> = fields.iter().map(|field| &field.name).collect();
        let added: Vec<(&str, String)> =
            fields.iter().map(|field| (field.name.as_str(), self.placeholder(&field.ty))).collect();
        let what = if missing.len() == 1 { "is" } else { "are" };
        let message = format!("{} {what} missing in this `{shown}`", super::listed(&missing));
        self.tell(self.said(codes::FIELDS, span, message).mend(self.added_before_end(span, &added, "field")));
    }

    pub(in crate::check) fn say_late_spread(&mut self, span: Span) {
        let message = "`..` stands first, once: a changed copy of one record";
        self.tell(self.said(codes::FIELDS, span, message).note("write `(..r, title: \"y\")`"));
    }

    pub(in crate::check) fn say_spread_of_no_record(&mut self, base: &hir::Expr) {
        let shown = self.show_wide(&base.ty);
        let message = format!("`..` copies a record, this is `{shown}`");
        let told = self.said(codes::FIELDS, base.span, message);
        let told =
            if types::is_nullable(self.db, &base.ty) { told.note("say what stands for null with `??`") } else { told };
        self.tell(told);
    }

    pub(in crate::check) fn say_code_value(&mut self, lang: &Name) {
        let message = format!("`{}` is no data: only `json` can be embedded as a value", lang.text);
        self.tell(self.said(codes::EMBEDDED, lang.span, message).note("a node in JavaScript is declared with `node`"));
    }

    pub(in crate::check) fn say_bad_json(&mut self, what: &str, line: usize, span: Span) {
        self.tell(self.said(codes::EMBEDDED, span, format!("this is no JSON: {what}, in line {line} of it")));
    }

    pub(in crate::check) fn say_too_big(&mut self, name: Option<&Name>, span: Span) {
        let (what, span) = name.map_or(("this", span), |name| (name.text.as_str(), name.span));
        self.tell(say::too_big(self.place(span), what));
    }

    /// What is looped over and is no list.
    pub(in crate::check) fn say_not_looped(&mut self, iter: &hir::Expr, tree: &ast::Expr) {
        let shown = self.show_wide(&iter.ty);
        let x = text_of(tree);
        let x = x.as_deref().unwrap_or("x");
        let told =
            self.said(codes::NOT_LOOPED, iter.span, format!("`for` goes over a list or dict, this is `{shown}`"));
        let told = if !iter.scope.is_empty() {
            told.note("it varies already: what is computed from it runs once per item, so drop the `for`")
        } else if types::is_nullable(self.db, &iter.ty) {
            let fix = Fix::new("take an empty list for null", self.or_default(tree, "[]", false)).guessed();
            told.note(format!("it may be null: `{x} ?? []`")).mend(fix)
        } else {
            match unfold(self.db, &types::widen(&iter.ty)) {
                Type::Any | Type::Json => told
                    .note(format!("say what it holds first: `{x} as list[json]`"))
                    .mend(Fix::new("write `as list[json]`", self.as_type(tree, "list[json]", false)).guessed()),
                Type::Int => {
                    let told = told.note(format!("the numbers up to it are `0..{x}`"));
                    match binds(tree, Strength::Arithmetic) {
                        true => {
                            let edit = Edit::before(self.place(tree.span), "0..");
                            told.mend(Fix::new("go from 0 to it", vec![edit]).guessed())
                        }
                        false => told,
                    }
                }
                Type::Str => told
                    .note(format!("its characters are `{x}.chars()`, its lines `{x}.lines()`"))
                    .mend(Fix::new("go over its characters", self.dot_after(tree, ".chars()")).guessed()),
                _ => told,
            }
        };
        self.tell(told);
    }

    pub(in crate::check) fn say_dict_needs_two(&mut self, iter: &ast::Expr, span: Span) {
        let told =
            self.said(codes::NOT_LOOPED, span, "a `for` over a dict has a key and a value: `for key, value in d`");
        let fix = Fix::new("go over its keys", self.dot_after(iter, ".keys()")).guessed();
        self.tell(told.note("the keys alone are `d.keys()`").mend(fix));
    }

    pub(in crate::check) fn say_no_index(&mut self, base: &hir::Expr, at: &hir::Expr, span: Span) {
        // `[…]` alone.
        let brackets = self.place(Span::new(base.span.end, span.end));
        let shown = self.show_wide(&base.ty);
        let told = self.said(
            codes::NOT_INDEXED,
            base.span,
            format!("`[…]` looks into a list, dict or json, this is `{shown}`"),
        );
        let told = if types::is_nullable(self.db, &base.ty) {
            told.note("it may be null: say what stands for null with `??`, or look first with `if x != null`")
        } else {
            match (unfold(self.db, &base.ty), &at.kind) {
                (Type::Tuple(_), ExprKind::Const(Const::Int(at))) => told
                    .note(format!("a part of a tuple is `.{at}`"))
                    .fix(format!("write `.{at}`"), brackets, format!(".{at}")),
                (Type::Record(_), ExprKind::Const(Const::Str(name))) => {
                    let written = format!(".{}", crate::diagnostic::written_name(name));
                    told.note(format!("a field of a record is `.{name}`")).fix(
                        format!("write `{written}`"),
                        brackets,
                        written,
                    )
                }
                (Type::Str | Type::Literal(Lit::Str(_)), _) => told.note("a part of a text is `x.slice(from, to)`"),
                (Type::Any, _) => told.note("say what it holds first: `x as list[json]`"),
                _ => told,
            }
        };
        self.tell(told);
    }
}

fn is_condition(want: Want<'_>) -> bool {
    matches!(
        want,
        Want::Of("`if`" | "`for … if`" | "`not`" | "`and`" | "`or`" | "a guard" | "`until`" | "`require`" | "`assert`")
    )
}
