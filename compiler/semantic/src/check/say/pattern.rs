//! Patterns that cannot match, and matches that are not complete.

use crate::check::{Checker, exhaust};
use crate::diagnostic::{Diagnostic, Edit, Fix};
use crate::diagnostics::codes;
use crate::hir;
use crate::names::nearest;
use crate::ty::{Lit, Record, Type};
use crate::types;
use ntl_syntax::Side;
use ntl_syntax::ast::{self, FieldPattern, Name, Span};
use smol_str::SmolStr;
use std::sync::Arc;

impl Checker<'_> {
    pub(in crate::check) fn say_refutable(&mut self, span: Span) {
        let told = self.said(codes::PATTERN, span, "this pattern does not match every value");
        self.tell(
            told.note("a binding, `for` or small function takes names, tuples and records; `match` tells values apart"),
        );
    }

    pub(in crate::check) fn say_not_this_tuple(&mut self, value: &hir::Expr, count: usize, span: Span) {
        let shown = self.show_wide(&value.ty);
        let told =
            self.said(codes::PATTERN, span, format!("this takes a tuple of {count} apart, but the value is `{shown}`"));
        let told = match types::as_record(self.db, &value.ty) {
            Some(record) => {
                let fields: Vec<String> =
                    record.fields.iter().take(4).map(|field| format!("{}:", field.name)).collect();
                told.note(format!("a record is taken apart by name: `({})`", fields.join(", ")))
            }
            None if types::is_nullable(self.db, &value.ty) => {
                told.note("it may be null: say what stands for null with `??`")
            }
            None if matches!(types::unfold(self.db, &value.ty), Type::List(_)) => told
                .note("a list may have any length: bind it, `xs = …`, and take its items, `xs[0]` or `xs.get(1) ?? …`"),
            None => told,
        };
        self.tell(told);
    }

    pub(in crate::check) fn say_not_a_record(&mut self, value: &hir::Expr, span: Span) {
        let shown = self.show_wide(&value.ty);
        let told = self.said(codes::PATTERN, span, format!("this takes a record apart, but the value is `{shown}`"));
        let told = match types::is_nullable(self.db, &value.ty) {
            true => told.note("it may be null: say what stands for null with `??`"),
            false => told,
        };
        self.tell(told);
    }

    pub(in crate::check) fn say_bound_in_or(&mut self, name: &Name) {
        let message = format!("`{}` cannot be bound in a pattern of alternatives", name.text);
        self.tell(self.said(codes::PATTERN, name.span, message).note("give each alternative an arm of its own"));
    }

    /// A pattern that no value of the matched type is like.
    pub(in crate::check) fn say_never_matches(&mut self, pattern: &Type, ty: &Type, span: Span) {
        let (shown, whole) = (self.show(pattern), self.show(ty));
        let mut told = self.said(codes::PATTERN, span, format!("`{shown}` never matches a value of type `{whole}`"));
        if let Type::Literal(Lit::Str(text)) = pattern {
            let members = types::members(self.db, ty);
            let literals =
                members.iter().filter_map(|ty| if let Type::Literal(Lit::Str(text)) = ty { Some(text) } else { None });
            if let Some(near) = nearest(text, literals) {
                let place = self.place(span);
                told = told.note(format!("did you mean {near:?}?")).fix(
                    format!("write {near:?}"),
                    place,
                    format!("{near:?}"),
                );
            }
        }
        self.tell(told);
    }

    pub(in crate::check) fn say_no_tuple_pattern(&mut self, ty: &Type, count: usize, span: Span) {
        let shown = self.show(ty);
        self.tell(self.said(
            codes::PATTERN,
            span,
            format!("a tuple of {count} never matches a value of type `{shown}`"),
        ));
    }

    pub(in crate::check) fn say_no_record_pattern(
        &mut self,
        ty: &Type,
        all: &[Arc<Record>],
        agreeing: &[&Arc<Record>],
        fields: &[FieldPattern],
        span: Span,
    ) {
        let shown = self.show(ty);
        if all.is_empty() {
            let message = format!("a record never matches a value of type `{shown}`");
            let told = self.said(codes::PATTERN, span, message);
            let is_open = |member: &Type| matches!(types::unfold(self.db, member), Type::Json | Type::Any);
            return self.tell(match types::members(self.db, ty).iter().any(is_open) {
                true => told.note("give the pattern a type: `p: (name: str) => …`, `p: Person => …`"),
                false => told,
            });
        }
        // One record is meant: what is wrong with its fields?
        let meant: &[&Arc<Record>] = agreeing;
        if let [record] = meant {
            let unknown = fields.iter().find(|field| !record.fields.iter().any(|known| known.name == field.name.text));
            if let Some(field) = unknown {
                let names: Vec<&str> = record.fields.iter().map(|field| field.name.as_str()).collect();
                return self.say_unknown_field(ty, &field.name, &names);
            }
            let left: Vec<&SmolStr> = record
                .fields
                .iter()
                .map(|field| &field.name)
                .filter(|name| !fields.iter().any(|field| field.name.text == **name))
                .collect();
            let message = format!("this pattern does not name {}", super::listed(&left));
            return self.tell(
                self.said(codes::PATTERN, span, message).note("a pattern that leaves fields out ends with `..`"),
            );
        }
        let message = format!("no record of `{shown}` has these fields");
        self.tell(self.said(codes::PATTERN, span, message).note("a pattern that leaves fields out ends with `..`"));
    }

    pub(in crate::check) fn say_not_exhaustive(
        &mut self,
        ty: &Type,
        missing: &[hir::Pattern],
        most: usize,
        arms: &[ast::Arm],
        result: &Type,
        span: Span,
    ) {
        let shown = self.show(ty);
        let written: Vec<String> = missing.iter().map(|pattern| exhaust::written(self.db, pattern)).collect();
        let message = match written.as_slice() {
            [only] if only == "_" => format!("`match` has no arm for other values of `{shown}`"),
            few if few.len() <= 4 => format!("`match` has no arm for {}", super::listed(few)),
            many => {
                let more = if many.len() == most { "more".to_owned() } else { format!("{} more", many.len() - 3) };
                format!(
                    "`match` has no arm for {} and {more}",
                    many[..3].iter().map(|arm| format!("`{arm}`")).collect::<Vec<_>>().join(", ")
                )
            }
        };
        let mut told = self.said(codes::NOT_EXHAUSTIVE, span, message);
        if written.iter().all(|arm| arm == "_") {
            told = told.note("add an arm that takes the rest: `_ => …`");
        } else {
            let arm = written.first().map_or("_", String::as_str);
            told = told.note(format!("add an arm `{arm} => …`, or `_ => …` for all that is left"));
        }
        if arms.iter().any(|arm| arm.guard.is_some()) {
            told = told.note("an arm with a condition may not be taken, so it does not count");
        }
        let is_whole = missing.len() < most && !written.iter().any(|arm| arm.contains('…'));
        let added = if is_whole { written } else { vec!["_".to_owned()] };
        self.tell(self.with_arms(told, &added, arms, result));
    }

    pub(in crate::check) fn say_too_many_arms(&mut self, arms: &[ast::Arm], result: &Type, span: Span) {
        let told =
            self.said(codes::NOT_EXHAUSTIVE, span, "this `match` is too large to see whether it takes every value");
        let told = told.note("add an arm that takes the rest: `_ => …`");
        self.tell(self.with_arms(told, &["_".to_owned()], arms, result));
    }

    /// Offers to add arms after the last one.
    fn with_arms(&self, told: Diagnostic, added: &[String], arms: &[ast::Arm], result: &Type) -> Diagnostic {
        let Some(last) = arms.last() else { return told };
        let place = self.place(last.pattern.span.to(last.body.span));
        let value = self.placeholder(result);
        let edit =
            |arm: &String| Edit { place: place.clone(), side: Side::Next(","), text: format!("{arm} => {value}") };
        let title = match added {
            [only] => format!("add the arm `{only} => …`"),
            _ => format!("add the {} missing arms", added.len()),
        };
        told.mend(Fix::new(title, added.iter().map(edit).collect()).with_placeholders())
    }
}
