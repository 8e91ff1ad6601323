//! Statements, settings and policies that stand where they mean nothing.

use crate::check::Checker;
use crate::diagnostics::codes;
use ntl_syntax::ast::{Annotation, Name, Span, Stmt, StmtKind};
use smol_str::SmolStr;

impl Checker<'_> {
    /// A body without a value where one is wanted.
    pub(in crate::check) fn say_no_value(&mut self, span: Span, last: Option<&Stmt>, is_result: bool) {
        let told = self.said(codes::NO_VALUE, span, "this body gives no value");
        let told = match (last.map(|last| &last.kind), is_result) {
            (Some(StmtKind::Bind { .. }), true) => {
                told.note("its value is the last expression, or a binding named `output`")
            }
            _ => told.note("its value is the last expression"),
        };
        self.doing.failed = true;
        self.tell(told);
    }

    pub(in crate::check) fn say_outside_loop(&mut self, what: &str, span: Span) {
        self.tell(self.said(codes::MISPLACED, span, format!("`{what}` stands directly in the body of a `loop`")));
    }

    pub(in crate::check) fn say_twice_in_loop(&mut self, what: &str, span: Span, first: Span) {
        let message = format!("a `loop` has one `{what}`");
        let first = self.place(first);
        self.tell(self.said(codes::MISPLACED, span, message).label(first, "the first one is here"));
    }

    pub(in crate::check) fn say_no_next(&mut self, span: Span) {
        let told = self.said(codes::LOOP, span, "this `loop` has no `next`: nothing is carried to the next round");
        self.tell(told.note("say what the next round begins with: `next …`"));
    }

    pub(in crate::check) fn say_next_needs_tuple(&mut self, count: usize, span: Span) {
        let message = format!("`next` gives {count} values here, one for each that is carried");
        self.tell(self.said(codes::LOOP, span, message).note("write `next (a, b)`"));
    }

    pub(in crate::check) fn say_outside_test(&mut self, what: &str, span: Span) {
        let told = self.said(codes::MISPLACED, span, format!("`{what}` belongs into a `test`"));
        self.tell(if what == "assert" { told.note("a workflow says what must hold with `require`") } else { told });
    }

    pub(in crate::check) fn say_not_mocked(&mut self, span: Span) {
        let told = self.said(codes::SETTING, span, "`mock` replaces a node, workflow or function by its name");
        self.tell(told.note("write `mock rss.fetch => []`"));
    }

    pub(in crate::check) fn say_no_trigger(&mut self, span: Span) {
        let told = self.said(codes::SETTING, span, "`on` waits for a trigger");
        self.tell(told.note("write `on schedule(\"0 7 * * 1-5\")` or `on webhook(\"/path\") as event`"));
    }

    pub(in crate::check) fn say_unknown_trigger(&mut self, name: &Name, near: Option<SmolStr>) {
        let place = self.place(name.span);
        let told = self.said(codes::SETTING, name.span, format!("unknown trigger `{}`", name.text));
        self.tell(told.note("there are `schedule` and `webhook`").suggest(near, place));
    }

    pub(in crate::check) fn say_trigger_arguments(&mut self, name: &Name, span: Span) {
        let example = if name.text == "schedule" { "schedule(\"0 7 * * 1-5\")" } else { "webhook(\"/path\")" };
        self.tell(self.said(codes::SETTING, span, format!("`{}` takes one text: `{example}`", name.text)));
    }

    pub(in crate::check) fn say_no_tools(&mut self, span: Span) {
        self.tell(self.said(codes::SETTING, span, "`tools` is a list of what may be called: `[web.search, greet]`"));
    }

    pub(in crate::check) fn say_no_tool(&mut self, span: Span) {
        self.tell(self.said(codes::SETTING, span, "a tool is the name of a node, workflow or function"));
    }

    pub(in crate::check) fn say_unknown_policy(&mut self, name: &Name, near: Option<SmolStr>) {
        let place = self.place(name.span);
        let told = self.said(codes::UNKNOWN_POLICY, name.span, format!("unknown policy `@{}`", name.text));
        let told = match near {
            Some(_) => told,
            None => told.note("there are `@retry`, `@timeout`, `@cache`, `@parallel`, `@on_error` and `@id`"),
        };
        self.tell(told.suggest(near, place));
    }

    pub(in crate::check) fn say_policy_twice(&mut self, name: &Name, first: Span) {
        let message = format!("`@{}` is given twice", name.text);
        let first = self.place(first);
        self.tell(self.said(codes::POLICY_PLACE, name.span, message).label(first, "the first one is here"));
    }

    /// An id that another step has: by `@id`, or because a binding of that name stands beside it.
    pub(in crate::check) fn say_id_twice(&mut self, id: &SmolStr, span: Span, first: Span) {
        let first = self.place(first);
        let told = self.said(codes::ID_TWICE, span, format!("another step is called \"{id}\" already"));
        self.tell(told.label(first, "it is this one").note("runs, caches and traces find a step by its id"));
    }

    pub(in crate::check) fn say_policy_needs_for(&mut self, policy: &Annotation) {
        let name = &policy.name.text;
        let told = self.said(
            codes::POLICY_PLACE,
            policy.span,
            format!("`@{name}` stands before a `for`, or a binding of one"),
        );
        self.tell(match name.as_str() {
            "on_error" => told.note("one failure becomes a value with `try … else …`"),
            _ => told,
        });
    }

    pub(in crate::check) fn say_policy_of_nothing(&mut self, policy: &Annotation) {
        let message =
            format!("`@{}` covers the calls of a binding or expression: there is none here", policy.name.text);
        self.tell(self.said(codes::POLICY_PLACE, policy.span, message));
    }

    pub(in crate::check) fn say_policy_arguments(&mut self, policy: &Annotation) {
        let name = policy.name.text.as_str();
        let example = match name {
            "retry" => "`@retry(3)` or `@retry(3, backoff: 1s)`",
            "timeout" => "`@timeout(30s)`",
            "cache" => "`@cache(1h)`, `@cache(forever)` or `@cache(off)`",
            "parallel" => "`@parallel(4)`",
            "on_error" => "`@on_error(skip)`",
            _ => "`@id(\"stable\")`",
        };
        self.tell(self.said(codes::POLICY_ARGUMENTS, policy.span, format!("`@{name}` is written {example}")));
    }
}
