//! Items: what a file declares.

use super::combinators::{eat, expect, list, read_list, read_name, read_recovering, skip_to};
use super::error_expr;
use super::expr::{Exprs, exprs};
use super::literal;
use super::operators::POSTFIX;
use super::state::{Entry, Fault, Inp, Rule, at, fail, peek, peek_second, span_since};
use super::types::{self, error_type};
use crate::ast::{
    Callable, CallableBody, CallableKind, Const, FieldDecl, Item, ItemKind, Name, On, OutputDecl, Outputs, Param, Test,
    TypeDecl, TypeExpr, TypeKind, TypeParam, Use, UsePath,
};
use crate::error::{self, SyntaxError};
use crate::layout::Tok;
use chumsky::prelude::*;

/// Names where one is declared.
const DECLARED: &[Tok] = &[Tok::Ident, Tok::Label, Tok::Language];

/// The whole grammar: one item, with all tokens that there are.
pub(super) fn item() -> Rule<Item> {
    let parts = exprs();
    let kind = declaration(parts.clone());
    custom(move |inp: &mut Inp<'_>| {
        let start = at(inp);
        let mut annotations = Vec::new();
        while peek(inp) == Some(Tok::At) {
            let checkpoint = inp.save();
            match inp.parse(&parts.annotation) {
                Ok(annotation) => annotations.push(annotation),
                Err(fault) => {
                    inp.rewind(checkpoint);
                    inp.state().fault(fault);
                    inp.skip();
                    skip_to(inp, &[Tok::Separator]);
                }
            }
            eat(inp, Tok::Separator);
        }
        let kind = if peek(inp).is_none() {
            if let [first, ..] = annotations.as_slice() {
                let error = SyntaxError::new(error::MISPLACED_POLICY, first.span, "no declaration follows");
                inp.state().report(error);
            }
            ItemKind::Error
        } else {
            let kind = read_recovering(inp, &kind, &[], |_| ItemKind::Error);
            if kind != ItemKind::Error && peek(inp).is_some() {
                let fault = Fault::new(at(inp), &[Tok::TheEnd]);
                inp.state().fault(fault);
            }
            kind
        };
        let span = span_since(inp, start);
        while peek(inp).is_some() {
            inp.skip();
        }
        Ok(Item { annotations, kind, span })
    })
    .boxed()
}

fn declaration(parts: Exprs) -> Rule<ItemKind> {
    let params = list(Tok::RParen, param(&parts)).boxed();
    let outputs = list(Tok::RParen, output(parts.ty.clone())).boxed();
    let type_params = types::type_params();
    let field = types::field(parts.expr.clone(), parts.ty.clone(), parts.annotation.clone());
    let fields = list(Tok::RParen, field).boxed();
    custom(move |inp: &mut Inp<'_>| match peek(inp) {
        Some(Tok::Use) => read_use(inp).map(ItemKind::Use),
        Some(Tok::Const) => read_const(inp, &parts).map(ItemKind::Const),
        Some(Tok::Type) => read_type(inp, &parts.ty, &fields).map(ItemKind::Type),
        Some(Tok::Fn) => callable(inp, CallableKind::Fn, &parts, &params, &outputs, &type_params),
        Some(Tok::Node) => callable(inp, CallableKind::Node, &parts, &params, &outputs, &type_params),
        Some(Tok::Workflow) => callable(inp, CallableKind::Workflow, &parts, &params, &outputs, &type_params),
        Some(Tok::Prompt) => callable(inp, CallableKind::Prompt, &parts, &params, &outputs, &type_params),
        Some(Tok::Agent) => callable(inp, CallableKind::Agent, &parts, &params, &outputs, &type_params),
        Some(Tok::Secret) => {
            inp.skip();
            read_name(inp, DECLARED).map(ItemKind::Secret)
        }
        Some(Tok::On) => {
            inp.skip();
            // `as event` names the event: it is no conversion.
            inp.state().entry = Entry { min: POSTFIX, condition: false, head: true };
            let trigger = read_recovering(inp, &parts.expr, &[Tok::As, Tok::LBrace], error_expr);
            let binding = if eat(inp, Tok::As) { Some(read_name(inp, DECLARED)?) } else { None };
            Ok(ItemKind::On(On { trigger, binding, body: inp.parse(&parts.block)? }))
        }
        Some(Tok::Test) => {
            inp.skip();
            let name = literal::plain_str(inp)?;
            Ok(ItemKind::Test(Test { name, body: inp.parse(&parts.block)? }))
        }
        _ => fail(inp, &[Tok::ADeclaration]),
    })
    .boxed()
}

/// `use std.text`, `use "./prompts".(judge)`, `use pack acme.search as search`.
fn read_use(inp: &mut Inp<'_>) -> Result<Use, Fault> {
    inp.skip();
    let path = if matches!(peek(inp), Some(Tok::StrOpen | Tok::RawStr | Tok::SingleQuoted)) {
        UsePath::File(literal::plain_str(inp)?)
    } else {
        let pack = eat(inp, Tok::Pack);
        let mut names = vec![read_name(inp, DECLARED)?];
        while peek(inp) == Some(Tok::Dot) && peek_second(inp) != Some(Tok::LParen) {
            inp.skip();
            names.push(read_name(inp, DECLARED)?);
        }
        if pack { UsePath::Pack(names) } else { UsePath::Module(names) }
    };
    let names = if eat(inp, Tok::Dot) {
        expect(inp, Tok::LParen)?;
        let name = custom(|inp: &mut Inp<'_>| read_name(inp, DECLARED)).boxed();
        Some(read_list(inp, Tok::RParen, &name)?.0)
    } else {
        None
    };
    let alias = if eat(inp, Tok::As) { Some(read_name(inp, DECLARED)?) } else { None };
    Ok(Use { path, alias, names })
}

/// `const NAME: T = value`.
fn read_const(inp: &mut Inp<'_>, parts: &Exprs) -> Result<Const, Fault> {
    inp.skip();
    let name = read_name(inp, DECLARED)?;
    let ty = if eat(inp, Tok::Colon) { Some(read_recovering(inp, &parts.ty, &[Tok::Eq], error_type)) } else { None };
    let equals = expect(inp, Tok::Eq);
    let value = match equals {
        Ok(()) => read_recovering(inp, &parts.expr, &[], error_expr),
        Err(fault) => {
            inp.state().fault(fault);
            let start = at(inp);
            skip_to(inp, &[]);
            error_expr(span_since(inp, start))
        }
    };
    Ok(Const { name, ty, value })
}

/// `type Point(…)`, `type Tone = …`.
fn read_type(inp: &mut Inp<'_>, ty: &Rule<TypeExpr>, fields: &Rule<Vec<FieldDecl>>) -> Result<TypeDecl, Fault> {
    inp.skip();
    let name = read_name(inp, DECLARED)?;
    let start = at(inp);
    if eat(inp, Tok::LParen) {
        let fields = inp.parse(fields)?;
        let ty = TypeExpr { kind: TypeKind::Record(fields), span: span_since(inp, start) };
        return Ok(TypeDecl { name, ty, is_record: true });
    }
    match expect(inp, Tok::Eq) {
        Ok(()) => {
            let ty = read_recovering(inp, ty, &[], error_type);
            Ok(TypeDecl { name, ty, is_record: false })
        }
        Err(_) => {
            let fault = Fault::new(at(inp), &[Tok::LParen, Tok::Eq]);
            inp.state().fault(fault);
            skip_to(inp, &[]);
            Ok(TypeDecl { name, ty: error_type(span_since(inp, start)), is_record: false })
        }
    }
}

fn param(parts: &Exprs) -> Rule<Param> {
    types::declared(parts.expr.clone(), parts.ty.clone(), parts.annotation.clone())
        .map(|(annotations, name, ty, default, span)| Param { annotations, name, ty, default, span })
        .boxed()
}

/// `a: T`, `a:`.
fn output(ty: Rule<TypeExpr>) -> Rule<OutputDecl> {
    custom(move |inp: &mut Inp<'_>| {
        let start = at(inp);
        let name = read_name(inp, &[Tok::Label])?;
        inp.skip();
        let alone = matches!(peek(inp), Some(Tok::Comma | Tok::RParen));
        let ty = if alone { None } else { Some(read_recovering(inp, &ty, &[Tok::Comma], error_type)) };
        Ok(OutputDecl { name, ty, span: span_since(inp, start) })
    })
    .boxed()
}

fn callable(
    inp: &mut Inp<'_>,
    kind: CallableKind,
    parts: &Exprs,
    params: &Rule<Vec<Param>>,
    outputs: &Rule<Vec<OutputDecl>>,
    type_params: &Rule<Vec<TypeParam>>,
) -> Result<ItemKind, Fault> {
    let start = at(inp);
    inp.skip();
    let name = read_name(inp, DECLARED)?;
    let mut head = Head { type_params: Vec::new(), params: Vec::new(), outputs: Outputs::None };
    let checkpoint = inp.save();
    let read = read_head(inp, kind, parts, params, outputs, type_params, &mut head);
    if let Err(fault) = read {
        inp.rewind(checkpoint);
        inp.state().fault(fault);
        skip_to(inp, &[Tok::LBrace, Tok::Eq]);
    }
    let head_span = span_since(inp, start);
    let body = read_body(inp, kind, parts, &name);
    let Head { type_params, params, outputs } = head;
    Ok(ItemKind::Callable(Callable { kind, name, type_params, params, outputs, body, head: head_span }))
}

/// What stands between the name and the body of a callable.
struct Head {
    type_params: Vec<TypeParam>,
    params: Vec<Param>,
    outputs: Outputs,
}

fn read_head(
    inp: &mut Inp<'_>,
    kind: CallableKind,
    parts: &Exprs,
    params: &Rule<Vec<Param>>,
    outputs: &Rule<Vec<OutputDecl>>,
    type_params: &Rule<Vec<TypeParam>>,
    head: &mut Head,
) -> Result<(), Fault> {
    if matches!(peek(inp), Some(Tok::LBracket | Tok::CallBracket)) {
        inp.skip();
        head.type_params = inp.parse(type_params)?;
    }
    expect(inp, Tok::LParen)?;
    head.params = inp.parse(params)?;
    let arrow = at(inp);
    match peek(inp) {
        Some(Tok::Arrow) => inp.skip(),
        // `: T` is TypeScript, `=>` a slip, `:` at the line's end Python.
        Some(Tok::Colon) if matches!(peek_second(inp), Some(Tok::Separator) | None) => {
            return fail(inp, &[Tok::LBrace]);
        }
        Some(Tok::Colon | Tok::FatArrow) => {
            inp.skip();
            let span = inp.state().span(arrow, arrow + 1);
            let error = SyntaxError::new(error::UNEXPECTED, span, "what it gives stands after `->`");
            inp.state().report(error.help("write `->`").fix("->"));
        }
        _ => return Ok(()),
    }
    let named = peek(inp) == Some(Tok::LParen) && peek_second(inp) == Some(Tok::Label);
    head.outputs = if named && kind != CallableKind::Fn {
        inp.skip();
        Outputs::Named(inp.parse(outputs)?)
    } else {
        Outputs::One(read_recovering(inp, &parts.ty, &[Tok::Eq, Tok::LBrace, Tok::Language], error_type))
    };
    Ok(())
}

fn read_body(inp: &mut Inp<'_>, kind: CallableKind, parts: &Exprs, name: &Name) -> CallableBody {
    let start = at(inp);
    let (body, right) = match peek(inp) {
        Some(Tok::Eq) => {
            inp.skip();
            let value = read_recovering(inp, &parts.expr, &[], error_expr);
            (CallableBody::Expr(value), kind == CallableKind::Fn)
        }
        Some(Tok::LBrace) => {
            let checkpoint = inp.save();
            let body = match inp.parse(&parts.block) {
                Ok(block) => CallableBody::Block(block),
                Err(fault) => {
                    inp.rewind(checkpoint);
                    inp.state().fault(fault);
                    skip_to(inp, &[]);
                    CallableBody::Error
                }
            };
            (body, kind != CallableKind::Node)
        }
        Some(Tok::Language) if peek_second(inp) == Some(Tok::Fence) => {
            inp.skip();
            inp.skip();
            (CallableBody::Code(literal::code(inp.state(), start)), kind == CallableKind::Node)
        }
        None => (CallableBody::Host, matches!(kind, CallableKind::Fn | CallableKind::Node)),
        Some(_) => {
            let fault = Fault::new(at(inp), body_of(kind).1);
            inp.state().fault(fault);
            while peek(inp).is_some() {
                inp.skip();
            }
            return CallableBody::Error;
        }
    };
    if !right {
        let message = match body {
            CallableBody::Host => format!("`{}` has no body", name.text),
            _ => format!("`{}` has a body of the wrong kind", name.text),
        };
        let span = if body == CallableBody::Host { name.span } else { inp.state().span(start, start + 1) };
        inp.state().report(SyntaxError::new(error::WRONG_BODY, span, message).help(body_of(kind).0));
    }
    body
}

/// How the body of a callable is written, and what it begins with.
fn body_of(kind: CallableKind) -> (&'static str, &'static [Tok]) {
    match kind {
        CallableKind::Fn => {
            ("a `fn` is written `fn f(x: int) -> int = x + 1`, or with a body in `{ }`", &[Tok::Eq, Tok::LBrace])
        }
        CallableKind::Node => (
            "a `node` is written in `js`, between three backticks, or provided by the host; what is written in NTL is a `fn` or `workflow`",
            &[Tok::Language],
        ),
        CallableKind::Workflow => ("the body of a `workflow` stands in `{ }`", &[Tok::LBrace]),
        CallableKind::Prompt | CallableKind::Agent => ("its settings and its text stand in `{ }`", &[Tok::LBrace]),
    }
}
