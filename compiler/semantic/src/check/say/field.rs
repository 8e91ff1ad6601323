//! Fields, places of tuples, and methods that do not exist.

use crate::check::Checker;
use crate::diagnostic::{Diagnostic, Edit, Fix};
use crate::diagnostics::codes;
use crate::hir;
use crate::names::{self, nearest, synonyms};
use crate::ty::Type;
use crate::types::{self, unfold};
use ntl_syntax::ast::{Name, Span};
use smol_str::SmolStr;
use std::sync::Arc;

impl Checker<'_> {
    /// A field that a record does not have.
    pub(in crate::check) fn say_unknown_field(&mut self, ty: &Type, name: &Name, names: &[&str]) {
        let shown = self.show_wide(ty);
        let near = nearest(&name.text, names);
        let place = self.place(name.span);
        let mut told = self.said(codes::UNKNOWN_FIELD, name.span, format!("`{shown}` has no field `{}`", name.text));
        if near.is_none() && !names.is_empty() && names.len() <= 12 {
            told = told.note(format!("it has {}", super::listed(names)));
        }
        self.tell(told.suggest(near, place));
    }

    /// `x.name` where nothing has that name.
    pub(in crate::check) fn say_no_such_field(&mut self, base: &hir::Expr, name: &Name) {
        let value = types::remove_null(self.db, &base.ty);
        let shown = self.show_wide(&value);
        let has_field = |member: &Type| {
            types::as_record(self.db, member)
                .is_some_and(|record| record.fields.iter().any(|field| field.name == name.text))
        };
        let is_field = types::members(self.db, &value).iter().any(has_field);
        let methods = names::resolve_method(self.db, &value, &name.text);
        if !is_field && !methods.is_empty() {
            let message = format!("`{0}` is a method: call it, `.{0}(…)`", name.text);
            let told = self.said(codes::UNKNOWN_FIELD, name.span, message);
            let needs_more = |def: &crate::db::Def| {
                let signature = crate::query::signature(self.db, def);
                signature.is_none_or(|signature| signature.params.iter().skip(1).any(|param| !param.optional))
            };
            return self.tell(match methods.iter().all(needs_more) {
                true => told,
                false => {
                    let edit = Edit::after(self.place(name.span), "()");
                    told.mend(Fix::new(format!("write `.{}()`", name.text), vec![edit]))
                }
            });
        }
        // The dot and the name.
        let dotted = self.place(Span::new(name.span.first.saturating_sub(1), name.span.end));
        let is_nullable = types::is_nullable(self.db, &base.ty);
        match unfold(self.db, &value) {
            Type::Json => {
                let message = format!("a value of type `json` has no fields: look into it with `[\"{}\"]`", name.text);
                let note = "or say what it holds first: `x as Person`";
                let told = self.said(codes::UNKNOWN_FIELD, name.span, message).note(note);
                if is_nullable {
                    return self.tell(told);
                }
                let written = format!("[\"{}\"]", name.text);
                return self.tell(told.fix(format!("write `{written}`"), dotted, written));
            }
            Type::Any => {
                let message = format!("nothing is known of a value of type `any`: `.{}` needs `as` first", name.text);
                let note = "say what it holds: `(x as Person)`";
                return self.tell(self.said(codes::UNKNOWN_FIELD, name.span, message).note(note));
            }
            Type::List(item) => {
                let has_field = types::as_record(self.db, &item)
                    .is_some_and(|record| record.fields.iter().any(|field| field.name == name.text));
                if has_field {
                    let message = format!("`{shown}` has no field `{}`: its items have one", name.text);
                    let note = format!("take it of each: `xs.map(x => x.{})`", name.text);
                    let told = self.said(codes::UNKNOWN_FIELD, name.span, message).note(note);
                    if is_nullable {
                        return self.tell(told);
                    }
                    let written = format!(".map(x => x.{})", crate::diagnostic::written_name(&name.text));
                    let fix = Fix::new("take it of each", vec![Edit::instead(dotted, written)]).guessed();
                    return self.tell(told.mend(fix));
                }
            }
            _ => {}
        }
        let mut fields: Vec<SmolStr> = Vec::new();
        for member in types::members(self.db, &value) {
            let Some(record) = types::as_record(self.db, &member) else { continue };
            if record.fields.iter().any(|field| field.name == name.text) {
                let (with, all) = (self.show(&member), self.show(&value));
                let message = format!("only some of `{all}` have a field `{}`: `{with}` does", name.text);
                let note = "tell them apart with `match`, or by a field: `if x.kind == \"a\" { … }`";
                return self.tell(self.said(codes::UNKNOWN_FIELD, name.span, message).note(note));
            }
            fields.extend(record.fields.iter().map(|field| field.name.clone()));
        }
        let fields: Vec<&str> = fields.iter().map(SmolStr::as_str).collect();
        self.say_unknown_field(&value, name, &fields);
    }

    /// `args` counts what is given, the receiver included.
    pub(in crate::check) fn say_unknown_method(&mut self, receiver: &hir::Expr, name: &Name, args: usize) {
        let value = types::remove_null(self.db, &receiver.ty);
        let shown = self.show_wide(&value);
        let place = self.place(name.span);
        let message = format!("`{shown}` has no method `{}`", name.text);
        let mut told = self.said(codes::UNKNOWN_FIELD, name.span, message);
        match unfold(self.db, &value) {
            Type::Any => {
                told = told.note("nothing is known of a value of type `any`: say what it holds with `as` first")
            }
            Type::Json => return self.tell(self.method_of_json(told, receiver, name)),
            _ => {}
        }
        if matches!(names::lookup(self.db, self.def.file, names::Kind::Callable, &name.text), names::Found::Yes(_)) {
            let note = format!("your own functions take their first argument by a pipe: `x |> {}(…)`", name.text);
            let own = crate::diagnostic::written_name(&name.text);
            return self.tell(told.note(note).mend(self.called_with(receiver, name, args, &own)));
        }
        let mut known = names::method_names(self.db, &value);
        if let Some(record) = types::as_record(self.db, &value) {
            known.extend(record.fields.iter().map(|field| field.name.clone()));
        }
        let home = names::home_module(self.db, &value).unwrap_or("core");
        let synonym = synonyms::method(home, &name.text).map(SmolStr::new_static);
        let near = synonym.filter(|ours| known.contains(ours)).or_else(|| nearest(&name.text, &known));
        if near.is_none()
            && home == "list"
            && matches!(name.text.as_str(), "append" | "push" | "add" | "concat" | "extend")
        {
            told = told.note("a list never changes: `xs ++ [x]` is a longer one");
        }
        self.tell(told.suggest(near, place));
    }

    /// Which types that a `json` may hold have a method.
    fn method_of_json(&self, told: Diagnostic, receiver: &hir::Expr, name: &Name) -> Diagnostic {
        let json = || Arc::new(Type::Json);
        let held = [Type::Dict(Arc::new(Type::Str), json()), Type::List(json()), Type::Str];
        let ours = |ty: &Type| {
            let home = names::home_module(self.db, ty)?;
            let synonym = synonyms::method(home, &name.text).unwrap_or(&name.text);
            let is_known = |name: &str| names::method_names(self.db, ty).iter().any(|known| known == name);
            [name.text.as_str(), synonym].into_iter().find(|name| is_known(name)).map(SmolStr::new)
        };
        let found: Vec<(&Type, SmolStr)> = held.iter().filter_map(|ty| Some((ty, ours(ty)?))).collect();
        let shown = |ty: &Type| format!("`(x as {})`", self.show(ty));
        if found.is_empty() {
            return told.note(format!("say what it holds first: {}", shown(&Type::Str)));
        }
        let all: Vec<String> = found.iter().map(|(ty, _)| shown(ty)).collect();
        found.iter().fold(told.note(format!("say what it holds first: {}", all.join(" or "))), |told, (ty, ours)| {
            let mut edits = Edit::around(self.place(receiver.span), "(", format!(" as {})", self.show(ty)));
            if *ours != name.text {
                edits.push(Edit::instead(self.place(name.span), ours.as_str()));
            }
            told.mend(Fix::new(format!("take it as a `{}`", self.show(ty)), edits).guessed())
        })
    }

    /// `f(x, y)` for `x.f(y)`.
    fn called_with(&self, receiver: &hir::Expr, name: &Name, args: usize, written: &str) -> Fix {
        let called = self.place(Span::new(name.span.first.saturating_sub(1), name.span.end + 1));
        let between = if args > 1 { ", " } else { "" };
        let edits =
            vec![Edit::before(self.place(receiver.span), format!("{written}(")), Edit::instead(called, between)];
        Fix::new(format!("write `{written}(…)`"), edits).guessed()
    }

    pub(in crate::check) fn say_field_called(&mut self, ty: &Type, name: &Name, args: usize) {
        let shown = self.show(ty);
        let message = format!("`{}` is a field of `{shown}`, not a method: leave `(…)` out", name.text);
        let told = self.said(codes::NOT_CALLED, name.span, message);
        let parens = self.place(Span::new(name.span.end, name.span.end + 2));
        self.tell(if args == 1 { told.fix("leave `()` out", parens, "") } else { told });
    }

    pub(in crate::check) fn say_no_such_place(&mut self, base: &hir::Expr, at: u32, count: usize, span: Span) {
        let shown = self.show_wide(&base.ty);
        let message = format!("`{shown}` has no `.{at}`: its parts are `.0` to `.{}`", count.saturating_sub(1));
        self.tell(self.said(codes::UNKNOWN_FIELD, span, message));
    }

    pub(in crate::check) fn say_no_tuple(&mut self, base: &hir::Expr, at: u32, span: Span) {
        let shown = self.show_wide(&base.ty);
        let told = self.said(codes::UNKNOWN_FIELD, span, format!("`.{at}` is a part of a tuple, this is `{shown}`"));
        let told = match unfold(self.db, &types::remove_null(self.db, &base.ty)) {
            Type::List(_) if !types::is_nullable(self.db, &base.ty) => {
                let place = self.place(Span::new(span.end.saturating_sub(2), span.end));
                let written = format!("[{at}]");
                told.note(format!("an item of a list is `xs[{at}]`")).fix(format!("write `{written}`"), place, written)
            }
            Type::Tuple(_) => told.note(format!("it may be null: `?.{at}` gives null for null")),
            _ => told,
        };
        self.tell(told);
    }
}
