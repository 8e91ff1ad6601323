//! Values that vary: where they do not meet, and where they may not go.

use crate::check::{Checker, argument::Site};
use crate::diagnostics::codes;
use crate::hir::{self, LocalId, SourceId};
use crate::query::{self, Output};
use ntl_syntax::ast::{Name, Span};
use smol_str::SmolStr;

impl Checker<'_> {
    fn source_name(&self, id: SourceId) -> SmolStr {
        self.out.sources.get(id.0 as usize).map(|source| source.name.clone()).unwrap_or_default()
    }

    fn source_span(&self, id: SourceId) -> Span {
        self.out.sources.get(id.0 as usize).map(|source| source.span).unwrap_or_default()
    }

    /// Values that vary per unrelated sources and do not meet.
    pub(in crate::check) fn say_unrelated(&mut self, x: SourceId, y: SourceId, span: Span) {
        let (a, b) = (self.source_name(x), self.source_name(y));
        let (place_a, place_b) = (self.place(self.source_span(x)), self.place(self.source_span(y)));
        self.doing.failed = true;
        self.tell(
            self.said(
                codes::UNRELATED,
                span,
                format!("this varies per `{a}` and per `{b}`, which have nothing to do with each other"),
            )
            .label(place_a, format!("`{a}` varies from here"))
            .label(place_b, format!("`{b}` varies from here"))
            .note("item by item: `(x, y) = zip(a, b)`")
            .note("each with each: `(x, y) = cross(a, b)`"),
        );
    }

    /// A value of a body that varies per what was opened in it.
    pub(in crate::check) fn say_varies_out(&mut self, value: &hir::Expr, source: SourceId, what: &str) {
        let name = self.source_name(source);
        let place = self.place(self.source_span(source));
        let message = format!("the value of {what} varies per `{name}`, which is opened in it");
        self.tell(
            self.said(codes::VARIES_OUT, value.span, message)
                .label(place, format!("`{name}` varies from here"))
                .note("make one value of it: `collect(x)`"),
        );
    }

    /// An output that varies and is not declared so.
    pub(in crate::check) fn say_varying_output(&mut self, name: &str, value: &hir::Expr, scope: &[SourceId]) {
        let source = scope.last().map(|id| self.source_name(*id)).unwrap_or_default();
        let place = scope.last().map(|id| self.place(self.source_span(*id)));
        let shown = self.show_wide(&value.ty);
        let message = format!("the output `{name}` is one value, but this varies per item of `{source}`");
        let mut told = self.said(codes::VARYING_OUTPUT, value.span, message);
        if let Some(place) = place {
            told = told.label(place, format!("`{source}` varies from here"));
        }
        self.tell(
            told.note(format!("make a list of it: `collect({name})`, or do it all in a `for`"))
                .note(format!("or say that it varies: `{name}: stream[{shown}]`")),
        );
    }

    pub(in crate::check) fn say_varying_result(&mut self, value: &hir::Expr, name: &str) {
        let scope = value.scope.clone();
        if !scope.is_empty() {
            self.say_varying_output(name, value, &scope);
        }
    }

    pub(in crate::check) fn say_output_does_not_vary(&mut self, name: &str, value: &hir::Expr) {
        let message = format!("the output `{name}` is declared as a stream, but this does not vary");
        self.tell(
            self.said(codes::STREAM_OUTPUT, value.span, message).note("the items of a list one by one: `each(xs)`"),
        );
    }

    pub(in crate::check) fn say_output_varies_twice(&mut self, name: &str, value: &hir::Expr, scope: &[SourceId]) {
        let names: Vec<SmolStr> = scope.iter().map(|id| self.source_name(*id)).collect();
        let message = format!(
            "the output `{name}` varies per {}: an output varies by one source of its own",
            super::listed(&names)
        );
        self.tell(self.said(codes::STREAM_OUTPUT, value.span, message).note("`collect` the inner one"));
    }

    pub(in crate::check) fn say_output_varies_otherwise(&mut self, name: &str, of: &str, value: &hir::Expr) {
        let message = format!("the output `{name}` is declared `per {of}`, but does not vary as `{of}` does");
        self.tell(self.said(codes::STREAM_OUTPUT, value.span, message));
    }

    pub(in crate::check) fn say_dropped_output(&mut self, name: &str, value: &hir::Expr) {
        let message = format!("the output `{name}` may be dropped: it comes from a `filter`");
        self.tell(
            self.said(codes::DROPPED_OUTPUT, value.span, message).note(
                "use `if … { x }`, which is null where the condition does not hold, or declare the output with `?`",
            ),
        );
    }

    /// One value where a varying one, or a list, is wanted.
    pub(in crate::check) fn say_no_stream(&mut self, site: Site<'_>, param: &str, value: &hir::Expr) {
        let shown = self.show_wide(&value.ty);
        let message =
            format!("argument `{param}` of `{}`: expected a value that varies, or a list, found `{shown}`", site.name);
        self.tell(
            self.said(codes::NO_STREAM, value.span, message)
                .note("a list of one is `[x]`; the items of a list one by one are `each(xs)`"),
        );
    }

    pub(in crate::check) fn say_source_in_pure(&mut self, site: Site<'_>, place: &str) {
        let message = format!("{place} computes one value: `{}` would make it vary", site.name);
        self.tell(
            self.said(codes::SOURCE_IN_PURE, site.span, message).note("do it for each item with `for x in xs { … }`"),
        );
    }

    pub(in crate::check) fn say_drop_in_pure(&mut self, name: &str, place: &str, span: Span) {
        let message = format!("{place} computes one value: `{name}` might drop it");
        let note = "use `if … { x }`, which is null where the condition does not hold, or `xs.filter(x => …)`";
        self.tell(self.said(codes::SOURCE_IN_PURE, span, message).note(note));
    }

    pub(in crate::check) fn say_mixed_streams(&mut self, name: &str, span: Span) {
        let message = format!("the outputs of `{name}` vary in different ways: there is no value that is all of them");
        let told = self.said(codes::MIXED_STREAMS, span, message);
        self.tell(told.note("take them one by one: `x.output`, or `(output:, other:) = …`"));
    }

    /// An output that no binding gives; `meant` is a binding of a near name.
    pub(in crate::check) fn say_missing_output(&mut self, callable: &Name, output: &Output, meant: Option<LocalId>) {
        let name = &output.name;
        let declared = query::output_span(self.db, &self.def, name);
        let told = match meant {
            Some(id) => {
                let local = self.local_of(id);
                let (bound, span) = (local.name.clone(), local.span);
                let place = self.place(span);
                let message = format!("the output `{name}` is never bound; did you mean it by `{bound}`?");
                self.said(codes::MISSING_OUTPUT, span, message)
                    .fix(format!("use `{name}`"), place, crate::diagnostic::written_name(name))
                    .label(self.place(declared), "it is declared here")
            }
            None => {
                let message = format!("the output `{name}` is never bound in `{}`", callable.text);
                self.said(codes::MISSING_OUTPUT, declared, message).note(format!("bind it: `{name} = …`"))
            }
        };
        self.tell(told);
    }
}
