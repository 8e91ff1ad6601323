//! Annotations of declarations, parameters and fields: facts, bounds and keys. Policies of steps are read where bodies
//! are checked.

use crate::db::Def;
use crate::diagnostic::{Diagnostic, Place};
use crate::diagnostics::declarations as say;
use crate::names::nearest;
use crate::query::{CacheFor, Effect};
use ntl_syntax::ast::{
    Annotation, Arg, CallableBody, CallableKind, Expr, ExprKind, ItemKind, Literal, StrPart, UnaryOp,
};
use smol_str::SmolStr;

/// What annotations stand before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum On {
    HostNode,
    CodeNode,
    Fn,
    /// A workflow, prompt or agent.
    Flow,
    /// A `type` or `const`.
    Plain,
    /// A `use`, `secret`, `on` or `test`.
    Other,
    Param,
    Field,
}

impl On {
    pub fn item(kind: &ItemKind) -> On {
        match kind {
            ItemKind::Callable(callable) => match (callable.kind, &callable.body) {
                (CallableKind::Node, CallableBody::Host) => On::HostNode,
                (CallableKind::Node, _) => On::CodeNode,
                (CallableKind::Fn, _) => On::Fn,
                (CallableKind::Workflow | CallableKind::Prompt | CallableKind::Agent, _) => On::Flow,
            },
            ItemKind::Type(_) | ItemKind::Const(_) => On::Plain,
            _ => On::Other,
        }
    }

    fn describe(self) -> &'static str {
        match self {
            On::HostNode | On::CodeNode => "a node",
            On::Fn => "a `fn`",
            On::Flow => "a workflow, prompt or agent",
            On::Plain | On::Other => "this declaration",
            On::Param => "a parameter",
            On::Field => "a field",
        }
    }
}

/// The policies of steps, for help where one stands before a declaration.
pub const POLICIES: &[&str] = &["retry", "timeout", "cache", "parallel", "on_error", "id"];

/// What an annotation takes in its parentheses.
#[derive(Clone, Copy, PartialEq)]
enum Takes {
    Nothing,
    /// The name of a parameter.
    Param,
    /// Any name.
    Name,
    Text,
    Version,
    Number,
    /// A duration or `forever`.
    Time,
    /// `"nodetool.text.Concat", a: "a"`.
    Handles,
}

impl Takes {
    fn example(self, name: &str) -> String {
        match self {
            Takes::Nothing => format!("write `@{name}`, without arguments"),
            Takes::Param => format!("name the parameter that holds it: `@{name}(path)`"),
            Takes::Name => format!("write a name: `@{name}(API_KEY)`"),
            Takes::Text => format!("write a text: `@{name}(\"…\")`"),
            Takes::Version => format!("write a number from 1: `@{name}(2)`"),
            Takes::Number => format!("write a number: `@{name}(0)`"),
            Takes::Time => format!("write a duration or `forever`: `@{name}(1h)`"),
            Takes::Handles => {
                format!("write the node's type and its handles: `@{name}(\"nodetool.text.Concat\", a: \"a\")`")
            }
        }
    }
}

/// Every annotation of declarations: its name, what it takes, and before what it may stand.
const KNOWN: &[(&str, Takes, &[On])] = {
    use On::*;
    &[
        ("pure", Takes::Nothing, &[HostNode, CodeNode, Fn]),
        ("read", Takes::Nothing, &[HostNode, CodeNode]),
        ("write", Takes::Nothing, &[HostNode, CodeNode]),
        ("external", Takes::Nothing, &[HostNode, CodeNode]),
        ("retry_safe", Takes::Nothing, &[HostNode, CodeNode]),
        ("drops", Takes::Nothing, &[HostNode]),
        ("cache", Takes::Time, &[HostNode, CodeNode]),
        ("net", Takes::Param, &[HostNode, CodeNode]),
        ("fs_read", Takes::Param, &[HostNode, CodeNode]),
        ("fs_write", Takes::Param, &[HostNode, CodeNode]),
        ("command", Takes::Param, &[HostNode, CodeNode]),
        ("env", Takes::Param, &[HostNode, CodeNode]),
        ("secret", Takes::Name, &[HostNode, CodeNode]),
        ("deprecated", Takes::Text, &[HostNode, CodeNode, Fn, Flow, Plain]),
        ("version", Takes::Version, &[HostNode, Fn]),
        ("nodetool", Takes::Handles, &[HostNode, CodeNode, Fn, Flow]),
        ("key", Takes::Text, &[Field]),
        ("min", Takes::Number, &[Param]),
        ("max", Takes::Number, &[Param]),
    ]
};

/// What annotations say.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Facts {
    pub effect: Option<Effect>,
    pub retry_safe: bool,
    pub drops: bool,
    pub cache: Option<CacheFor>,
    pub touches: Vec<(SmolStr, ntl_syntax::ast::Name)>,
    pub secrets: Vec<SmolStr>,
    pub deprecated: Option<SmolStr>,
    pub version: Option<u32>,
    pub key: Option<SmolStr>,
    pub min: Option<f64>,
    pub max: Option<f64>,
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads the annotations before something of `def`.
pub(crate) fn read(def: &Def, annotations: &[Annotation], on: On) -> Facts {
    let mut facts = Facts::default();
    for (i, annotation) in annotations.iter().enumerate() {
        let name = annotation.name.text.as_str();
        let place = |span| Place { def: def.clone(), span };
        let Some((_, takes, allowed)) = KNOWN.iter().find(|(known, ..)| *known == name) else {
            facts.diagnostics.push(if POLICIES.contains(&name) {
                say::policy_on_declaration(place(annotation.span), name)
            } else {
                let fitting = KNOWN.iter().filter(|(.., allowed)| allowed.contains(&on)).map(|(known, ..)| *known);
                say::unknown_annotation(place(annotation.name.span), name, nearest(name, fitting))
            });
            continue;
        };
        if !allowed.contains(&on) {
            facts.diagnostics.push(if POLICIES.contains(&name) {
                say::policy_on_declaration(place(annotation.span), name)
            } else {
                say::misplaced_annotation(place(annotation.span), name, on.describe())
            });
            continue;
        }
        let earlier = annotations.iter().take(i).find(|earlier| earlier.name.text == name);
        if let Some(earlier) = earlier.filter(|_| !matches!(*takes, Takes::Param | Takes::Name | Takes::Handles)) {
            facts.diagnostics.push(say::repeated_annotation(place(annotation.span), name, place(earlier.span)));
            continue;
        }
        if facts.take(name, *takes, annotation).is_none() {
            facts.diagnostics.push(say::annotation_arguments(place(annotation.span), name, takes.example(name)));
        }
    }
    let effects = annotations.iter().filter(|a| effect_of(&a.name.text).is_some());
    if let [first, second, ..] = effects.collect::<Vec<_>>().as_slice()
        && first.name.text != second.name.text
    {
        let place = |span| Place { def: def.clone(), span };
        facts.diagnostics.push(say::two_effects(place(second.span), &second.name.text, place(first.span)));
    }
    facts
}

fn effect_of(name: &str) -> Option<Effect> {
    Some(match name {
        "pure" => Effect::Pure,
        "read" => Effect::Read,
        "write" => Effect::Write,
        "external" => Effect::External,
        _ => return None,
    })
}

impl Facts {
    /// Takes one annotation in; `None` if its arguments are not as they should be.
    fn take(&mut self, name: &str, takes: Takes, annotation: &Annotation) -> Option<()> {
        let args = annotation.args.as_deref();
        match takes {
            Takes::Nothing => {
                if args.is_some() {
                    return None;
                }
                match name {
                    "retry_safe" => self.retry_safe = true,
                    "drops" => self.drops = true,
                    _ => self.effect = effect_of(name),
                }
            }
            Takes::Param | Takes::Name => {
                let ExprKind::Name(touched) = &only(args)?.kind else { return None };
                match takes {
                    Takes::Param => self.touches.push((SmolStr::new(name), touched.clone())),
                    _ => self.secrets.push(touched.text.clone()),
                }
            }
            Takes::Text => {
                let text = text(only(args)?)?;
                match name {
                    "key" => self.key = Some(text),
                    _ => self.deprecated = Some(text),
                }
            }
            Takes::Version => {
                let version = number(only(args)?)?;
                if version < 1.0 || version.fract() != 0.0 || version > f64::from(u32::MAX) {
                    return None;
                }
                self.version = Some(version as u32);
            }
            Takes::Number => {
                let bound = Some(number(only(args)?)?);
                *(if name == "min" { &mut self.min } else { &mut self.max }) = bound;
            }
            Takes::Time => {
                self.cache = Some(match &only(args)?.kind {
                    ExprKind::Literal(Literal::Duration(time)) if *time > 0 => CacheFor::Time(*time),
                    ExprKind::Name(name) if name.text == "forever" => CacheFor::Ever,
                    _ => return None,
                });
            }
            Takes::Handles => {
                let (first, handles) = args?.split_first()?;
                text(first.value.as_ref().filter(|_| first.name.is_none())?)?;
                for handle in handles {
                    handle.name.as_ref()?;
                    text(handle.value.as_ref()?)?;
                }
            }
        }
        Some(())
    }
}

fn only(args: Option<&[Arg]>) -> Option<&Expr> {
    match args? {
        [Arg { name: None, value: Some(value), .. }] => Some(value),
        _ => None,
    }
}

fn text(expr: &Expr) -> Option<SmolStr> {
    match &expr.kind {
        ExprKind::Str(parts) => match parts.as_slice() {
            [] => Some(SmolStr::default()),
            [StrPart::Text(text)] => Some(text.clone()),
            _ => None,
        },
        ExprKind::Literal(Literal::Str(text)) => Some(text.clone()),
        _ => None,
    }
}

fn number(expr: &Expr) -> Option<f64> {
    match &expr.kind {
        ExprKind::Literal(Literal::Int(value)) => Some(*value as f64),
        ExprKind::Literal(Literal::Float(value)) => Some(*value),
        ExprKind::Unary { op: UnaryOp::Neg, operand } => number(operand).map(|value| -value),
        _ => None,
    }
}
