//! Values of the wrong type, and values that cannot stand where they do.

use super::text_of;
use crate::check::{Checker, Want};
use crate::diagnostic::Place;
use crate::diagnostics::{codes, types as say};
use crate::hir::{self, Const, ExprKind};
use crate::query;
use crate::ty::{Lit, Type};
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
            told.fixes.clear();
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
        if is_condition(want) && mismatch.path.is_empty() {
            told = told.note("only a `bool` is a condition: compare with something, as in `x != 0` or `x.len() > 0`");
        }
        self.tell(told);
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
        if let Some(x) = x {
            told = told.fix(format!("write `str({x})`"), place, format!("str({x})"));
        }
        self.tell(told);
    }

    /// A field or method of what may be null.
    pub(in crate::check) fn say_null_before_dot(&mut self, base: &hir::Expr, name: &Name) {
        let shown = self.show_wide(&base.ty);
        let message = format!("this is `{shown}`: it may be null, which has no `{}`", name.text);
        self.tell(
            self.said(codes::MAYBE_NULL, base.span, message)
                .note(format!("`?.{}` gives null for null; `??` says what stands for null", name.text))
                .note("`if x != null { … }` looks first"),
        );
    }

    pub(in crate::check) fn say_never_converts(&mut self, value: &hir::Expr, ty: &Type, span: Span) {
        let (found, wanted) = (self.show_wide(&value.ty), self.show(ty));
        let told =
            self.said(codes::NEVER_CONVERTS, span, format!("a `{found}` can never be made a `{wanted}` by `as`"));
        let told = match (unfold(self.db, &types::widen(&value.ty)), unfold(self.db, ty)) {
            (Type::Str, Type::Int | Type::Float) => told.note(format!("a number in a text is read with `{wanted}(x)`")),
            (_, Type::Str) => told.note("text is made with `str(x)` or `\"{x}\"`"),
            _ => told,
        };
        self.tell(told);
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
        self.tell(self.said(codes::NO_ELSE, span, message).note("say what it is then: `else { … }`"));
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

    pub(in crate::check) fn say_missing_fields(&mut self, ty: &Type, missing: &[&SmolStr], span: Span) {
        let shown = self.show(ty);
        let what = if missing.len() == 1 { "is" } else { "are" };
        let message = format!("{} {what} missing in this `{shown}`", super::listed(missing));
        self.tell(self.said(codes::FIELDS, span, message));
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
            told.note(format!("it may be null: `{x} ?? []`"))
        } else {
            match unfold(self.db, &types::widen(&iter.ty)) {
                Type::Any | Type::Json => told.note(format!("say what it holds first: `{x} as list[json]`")),
                Type::Int => told.note(format!("the numbers up to it are `0..{x}`")),
                Type::Str => told.note(format!("its characters are `{x}.chars()`, its lines `{x}.lines()`")),
                _ => told,
            }
        };
        self.tell(told);
    }

    pub(in crate::check) fn say_dict_needs_two(&mut self, span: Span) {
        let told =
            self.said(codes::NOT_LOOPED, span, "a `for` over a dict has a key and a value: `for key, value in d`");
        self.tell(told.note("the keys alone are `d.keys()`"));
    }

    pub(in crate::check) fn say_no_index(&mut self, base: &hir::Expr, at: &hir::Expr) {
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
                (Type::Tuple(_), ExprKind::Const(Const::Int(at))) => told.note(format!("a part of a tuple is `.{at}`")),
                (Type::Record(_), ExprKind::Const(Const::Str(name))) => {
                    told.note(format!("a field of a record is `.{name}`"))
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
