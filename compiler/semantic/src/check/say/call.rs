//! Arguments that do not go with what is called.

use super::{counted, listed};
use crate::check::{
    Checker, Want,
    argument::{Given, Problem, Site},
};
use crate::db::{Def, Space};
use crate::diagnostic::{Edit, Fix, Place};
use crate::diagnostics::{codes, types as say};
use crate::hir;
use crate::names::{name_span, nearest};
use crate::query::{Effect, Param, Signature};
use crate::ty::{Bound, Type};
use crate::types::Unmet;
use ntl_plan::arith::Wrong;
use ntl_syntax::ast::{CallableKind, Pattern, Span};
use smol_str::SmolStr;

impl Checker<'_> {
    /// What is wrong with the arguments of a call; `own` is what is called, if the user has declared it.
    pub(in crate::check) fn say_arguments(
        &mut self,
        site: Site<'_>,
        own: Option<&Def>,
        params: &[(SmolStr, bool)],
        types: &[Type],
        problems: &[Problem],
        given: &[Given<'_>],
    ) {
        let name = site.name;
        let of_type = own.is_some_and(|def| def.space == Space::Type);
        let (a_param, an_arg) = if of_type { ("field", "field") } else { ("parameter", "argument") };
        let declared = own.map(|def| Place { def: def.clone(), span: name_span(self.db, def) });
        let missing: Vec<&SmolStr> = problems
            .iter()
            .filter_map(|problem| match problem {
                Problem::Missing(at) => params.get(*at).map(|(name, _)| name),
                _ => None,
            })
            .collect();
        if !missing.is_empty() {
            let what = if missing.len() == 1 { "is" } else { "are" };
            let told = self.said(
                codes::MISSING_ARGUMENT,
                site.span,
                format!(
                    "{} {what} missing: `{name}` needs {}",
                    listed(&missing),
                    if missing.len() == 1 { "it" } else { "them" }
                ),
            );
            let told = match &declared {
                Some(place) => told.label(place.clone(), format!("`{name}` is declared here")),
                None => told,
            };
            let added: Vec<(&str, String)> = params
                .iter()
                .zip(types)
                .filter(|((name, _), _)| missing.contains(&name))
                .map(|((name, _), ty)| (name.as_str(), self.argument_placeholder(ty)))
                .collect();
            self.tell(told.mend(self.added_before_end(site.span, &added, "argument")));
        }
        for problem in problems {
            match problem {
                Problem::Missing(_) => {}
                Problem::TooMany(at) => {
                    let span = given.get(*at).map_or(site.span, |arg| arg.span);
                    let takes = counted(params.len(), an_arg);
                    let message = format!("too many arguments: `{name}` takes {takes}, {} given", given.len());
                    let told = self.said(codes::TOO_MANY_ARGUMENTS, span, message);
                    let told = match &declared {
                        Some(place) => told.label(place.clone(), format!("`{name}` is declared here")),
                        None => told,
                    };
                    let rest: Vec<Edit> = given
                        .iter()
                        .skip(*at)
                        .filter(|arg| arg.name.is_none())
                        .map(|arg| self.without(arg.span))
                        .collect();
                    self.tell(told.mend(Fix::new("leave out what is too many", rest).guessed()));
                }
                Problem::Late(at) => {
                    let span = given.get(*at).map_or(site.span, |arg| arg.span);
                    let message = "arguments without a name come before those with one";
                    self.tell(self.said(codes::UNEXPECTED, span, message).note("write its name: `name: value`"));
                }
                Problem::Unknown(at) => {
                    let Some(arg) = given.get(*at).and_then(|arg| arg.name) else { continue };
                    let free = params
                        .iter()
                        .filter(|(param, _)| !given.iter().any(|g| g.name.is_some_and(|n| n.text == *param)));
                    let near = nearest(&arg.text, free.map(|(param, _)| param));
                    let place = self.place(arg.span);
                    let mut told = self.said(
                        codes::UNKNOWN_ARGUMENT,
                        arg.span,
                        format!("`{name}` has no {a_param} `{}`", arg.text),
                    );
                    if near.is_none() && !params.is_empty() && params.len() <= 12 {
                        let names: Vec<&SmolStr> = params.iter().map(|(name, _)| name).collect();
                        told = told.note(format!("it has {}", listed(&names)));
                    }
                    self.tell(told.suggest(near, place));
                }
                Problem::Twice(param, first, again) => {
                    let Some((param, _)) = params.get(*param) else { continue };
                    let (first, again) = (
                        given.get(*first).map_or(site.span, |a| a.span),
                        given.get(*again).map_or(site.span, |a| a.span),
                    );
                    let first = self.place(first);
                    let message = format!("the {an_arg} `{param}` is given twice");
                    let told = self.said(codes::ARGUMENT_TWICE, again, message).label(first, "it is given here first");
                    self.tell(told.mend(self.given_once(params, given, again)));
                }
            }
        }
    }

    /// Gives the argument at `again` to the parameter that has none, or leaves it out.
    fn given_once(&self, params: &[(SmolStr, bool)], given: &[Given<'_>], again: Span) -> Fix {
        let by_place = given.iter().filter(|arg| arg.name.is_none()).count();
        let is_free = |name: &SmolStr| !given.iter().any(|arg| arg.name.is_some_and(|given| given.text == *name));
        let free = params.iter().skip(by_place).find(|(name, may_lack)| !may_lack && is_free(name));
        let name = given.iter().find(|arg| arg.span == again).and_then(|arg| arg.name);
        match (free, name) {
            (Some((free, _)), Some(name)) => {
                let written = crate::diagnostic::written_name(free);
                Fix::new(format!("give it to `{free}`"), vec![Edit::instead(self.place(name.span), written)])
            }
            _ => Fix::new("leave the second one out", vec![self.without(again)]),
        }
        .guessed()
    }

    /// A value for an argument, for the author to replace.
    fn argument_placeholder(&self, ty: &Type) -> String {
        match ty {
            Type::Fn(params, result) => {
                let names: Vec<String> = (0..params.len()).map(|at| format!("x{}", at + 1)).collect();
                let names = if names.len() == 1 { "x".to_owned() } else { format!("({})", names.join(", ")) };
                format!("{names} => {}", self.placeholder(result))
            }
            _ => self.placeholder(ty),
        }
    }

    /// Adds arguments or fields before the `)` that a span ends with.
    pub(super) fn added_before_end(&self, span: Span, added: &[(&str, String)], what: &str) -> Fix {
        let end = Span::new(span.end.saturating_sub(1), span.end);
        let before = Span::new(span.end.saturating_sub(2), span.end.saturating_sub(1));
        let mut text = if matches!(self.source(before), "(" | ",") { String::new() } else { ", ".to_owned() };
        let written: Vec<String> =
            added.iter().map(|(name, value)| format!("{}: {value}", crate::diagnostic::written_name(name))).collect();
        text.push_str(&written.join(", "));
        let names: Vec<&str> = added.iter().map(|(name, _)| *name).collect();
        let title = format!("add the {what}{} {}", if names.len() == 1 { "" } else { "s" }, listed(&names));
        Fix::new(title, vec![Edit::before(self.place(end), text)]).with_placeholders()
    }

    pub(in crate::check) fn say_out_of_bounds(&mut self, param: &Param, value: &hir::Const, arg: &hir::Expr) {
        let bound = match (param.min, param.max) {
            (Some(min), Some(max)) => format!("from {min} to {max}"),
            (Some(min), None) => format!("at least {min}"),
            (None, Some(max)) => format!("at most {max}"),
            (None, None) => return,
        };
        let message = format!("argument `{}` must be {bound}", param.name);
        let told = self.said(codes::OUT_OF_BOUNDS, arg.span, message);
        let told = match (&arg.kind, value) {
            (hir::ExprKind::Const(_), _) => told,
            (_, hir::Const::Int(value)) => told.note(format!("this is {value}")),
            (_, hir::Const::Float(value)) => told.note(format!("this is {value:?}")),
            _ => told,
        };
        let bound = match value {
            hir::Const::Int(value) => nearest_bound(param, *value as f64),
            hir::Const::Float(value) => nearest_bound(param, *value),
            _ => None,
        };
        self.tell(match bound {
            Some(bound) => {
                let edit = Edit::instead(self.place(arg.span), bound.to_string());
                told.mend(Fix::new(format!("write `{bound}`"), vec![edit]).guessed())
            }
            None => told,
        });
    }

    /// A constant or default that has no value.
    pub(in crate::check) fn say_fails(&mut self, wrong: Wrong, span: Span) {
        let message = match wrong {
            Wrong::ByZero => "this divides by zero".to_owned(),
            Wrong::Inexact(int) => format!("int {int} is no float exactly: above 2^53 floats have gaps"),
            Wrong::Overflow(kind) => format!("this is beyond what {kind} holds"),
            Wrong::Unknown => return,
        };
        self.tell(self.said(codes::FAILING_CONSTANT, span, message));
    }

    pub(in crate::check) fn say_type_arguments(&mut self, site: Site<'_>, expected: usize, given: usize) {
        self.tell(say::type_arguments(self.place(site.name_span), site.name, expected, given));
    }

    /// A type parameter that could not be found, or that is not as its bound says.
    pub(in crate::check) fn say_unmet(&mut self, site: Site<'_>, unmet: &Unmet) {
        let (name, param) = (site.name, &unmet.name);
        let told = match &unmet.found {
            None => {
                let message = format!("nothing tells what the type `{param}` of `{name}` is");
                let told =
                    self.said(codes::TYPE_PARAMETER, site.span, message).note(format!("say it: `{name}[str](…)`"));
                let edit = Edit::after(self.place(site.name_span), "[str]");
                match unmet.bound {
                    Bound::Number => told,
                    _ => told.mend(Fix::new(format!("write `{name}[str]`"), vec![edit]).with_placeholders()),
                }
            }
            Some(found) => {
                let shown = self.show(found);
                let wanted = match unmet.bound {
                    Bound::Number => "a number (`number`)",
                    Bound::Ordered => "what has an order (`ordered`)",
                    Bound::Key => "a `str` or `int` (`key`)",
                    Bound::None => "something else",
                };
                let told =
                    self.said(codes::TYPE_PARAMETER, site.span, format!("`{name}` takes {wanted}, not `{shown}`"));
                match (unmet.bound, found) {
                    (Bound::Key, Type::Tuple(_) | Type::Record(_)) => {
                        told.note("make one text of the parts: `\"{a}|{b}\"`")
                    }
                    (Bound::Key, _) => told.note("make it a text: `str(x)`"),
                    _ => told,
                }
            }
        };
        self.tell(told);
    }

    pub(in crate::check) fn say_pipe_needs_call(&mut self, span: Span) {
        let told = self.said(codes::NOT_CALLED, span, "`|>` gives its left side to a call as the first argument");
        let edit = Edit::after(self.place(span), "()");
        let fix = Fix::new("write `()` after it", vec![edit]).guessed();
        self.tell(told.note("write `x |> f()` or `x |> f(y)`, which are `f(x)` and `f(x, y)`").mend(fix));
    }

    pub(in crate::check) fn say_not_called(&mut self, value: &hir::Expr) {
        let shown = self.show_wide(&value.ty);
        self.tell(self.said(codes::NOT_CALLED, value.span, format!("this is `{shown}`, not a function")));
    }

    pub(in crate::check) fn say_function_arguments(&mut self, site: Site<'_>, takes: usize, given: &[Given<'_>]) {
        if let Some(arg) = given.iter().find(|arg| arg.name.is_some()) {
            let message = format!("`{}` is a parameter: its arguments have no names", site.name);
            return self.tell(self.said(codes::UNKNOWN_ARGUMENT, arg.span, message));
        }
        let code = if given.len() > takes { codes::TOO_MANY_ARGUMENTS } else { codes::MISSING_ARGUMENT };
        let message = format!("`{}` takes {}, {} given", site.name, counted(takes, "argument"), given.len());
        self.tell(self.said(code, site.span, message));
    }

    /// A value where a function is wanted.
    pub(in crate::check) fn say_no_function(&mut self, value: &hir::Expr, wanted: &Type, want: Want<'_>) {
        let (found, shown) = (self.show_wide(&value.ty), self.show(wanted));
        let params = match wanted {
            Type::Fn(params, _) => params.len(),
            _ => 1,
        };
        let example = if params == 1 { "`x => …`" } else { "`(a, b) => …`" };
        let message = format!("{}: expected a function `{shown}`, found `{found}`", want.describe());
        self.tell(
            self.said(codes::FUNCTION, value.span, message).note(format!("write {example}, or the name of a `fn`")),
        );
    }

    pub(in crate::check) fn say_lambda_params(
        &mut self,
        patterns: &[Pattern],
        wanted: &Type,
        want: Want<'_>,
        span: Span,
    ) {
        let Type::Fn(params, _) = wanted else { return };
        let takes = counted(params.len(), "parameter");
        let message = format!("{}: this function must have {takes}, it has {}", want.describe(), patterns.len());
        let span = patterns.first().map_or(span, |first| first.span.to(patterns.last().map_or(first.span, |p| p.span)));
        let told = self.said(codes::FUNCTION, span, message);
        let told = match params.as_ref() {
            [Type::Tuple(_)] if patterns.len() > 1 => {
                let edits = Edit::around(self.place(span), "(", ")");
                told.note("one tuple is taken apart in double parentheses: `((a, b)) => …`")
                    .mend(Fix::new("write double parentheses", edits))
            }
            _ => told,
        };
        self.tell(told);
    }

    pub(in crate::check) fn say_function_does_not_fit(
        &mut self,
        name: &SmolStr,
        items: &[(Def, &Signature)],
        wanted: &Type,
        want: Want<'_>,
        span: Span,
    ) {
        let shown = self.show(wanted);
        let message = format!("{}: `{name}` is no function `{shown}`", want.describe());
        let told = self.said(codes::FUNCTION, span, message);
        let told = match items {
            [(def, signature)] if !signature.is_host => {
                let place = Place { def: def.clone(), span: name_span(self.db, def) };
                told.label(place, "it is declared here")
            }
            _ => told,
        };
        self.tell(told.note(format!("a small function can call it: `x => {name}(x)`")));
    }

    /// A small function that is no argument.
    pub(in crate::check) fn say_misplaced_lambda(&mut self, span: Span) {
        let told = self.said(
            codes::MISPLACED_LAMBDA,
            span,
            "a small function `x => …` can only be an argument of a pure function",
        );
        self.tell(
            told.note("declare it with a name: `fn f(x: int) -> int = …`; `f` will do where a function is wanted"),
        );
    }

    /// An effect where none is allowed.
    pub(in crate::check) fn say_impure(
        &mut self,
        name: &SmolStr,
        kind: CallableKind,
        reach: Effect,
        place: &'static str,
        span: Span,
    ) {
        let what = match (kind, reach) {
            (CallableKind::Workflow, _) => "is a workflow",
            (CallableKind::Prompt, _) => "is a prompt",
            (CallableKind::Agent, _) => "is an agent",
            (_, Effect::Read) => "reads from outside",
            (_, Effect::Write) => "writes to outside",
            _ => "reaches outside",
        };
        let message = format!("`{name}` {what}: {place} is pure and may not have this effect");
        let told = self.said(codes::EFFECT, span, message);
        let told = match place {
            "a small function" | "a function that is an argument" => told.note("a `for` may: `for x in xs { … }`"),
            "a `fn`" => told.note("do it in a workflow, and give the `fn` what comes out as an argument"),
            _ => told.note("give it as an input, or bind it in a workflow"),
        };
        self.tell(told);
    }
}

/// The bound of a parameter that a value is beyond, if it can stand instead of it.
fn nearest_bound(param: &Param, value: f64) -> Option<f64> {
    let bound = param.min.filter(|min| value < *min).or(param.max)?;
    (!matches!(param.ty, Type::Int) || bound.fract() == 0.0).then_some(bound)
}
