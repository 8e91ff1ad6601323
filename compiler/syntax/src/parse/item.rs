//! Items: what a file declares.

use super::combinators::{eat, expect, list, read_name, read_names, read_recovering, skip_to, whole};
use super::error_expr;
use super::expr::{Exprs, exprs};
use super::literal;
use super::operators::POSTFIX;
use super::state::{Entry, Fault, Inp, Rule, at, fail, instead, peek, peek_second, span_since};
use super::types::{self, error_type};
use crate::ast::{
    Annotation, Callable, CallableBody, CallableKind, Const, Expr, FieldDecl, Item, ItemKind, Name, On, OutputDecl,
    Outputs, Param, Test, TypeDecl, TypeExpr, TypeKind, TypeParam, Use, UsePath,
};
use crate::error::{self, SyntaxError};
use crate::layout::Tok;
use chumsky::prelude::*;

/// Names where one is declared.
const DECLARED: &[Tok] = &[Tok::Ident, Tok::Label, Tok::Language];

/// What items are made of.
struct Parts {
    exprs: Exprs,
    /// What a const is, or gives the value of a `fn`: up to the end.
    value: Rule<Expr>,
    block_body: Rule<CallableBody>,
    fields: Rule<Vec<FieldDecl>>,
    type_params: Rule<Vec<TypeParam>>,
    params: Rule<Vec<Param>>,
    outputs: Rule<Vec<OutputDecl>>,
}

/// The whole grammar: one item, with all tokens that there are.
pub(super) fn item() -> Rule<Item> {
    let exprs = exprs();
    let annotation = exprs.annotation.clone();
    let kind = declaration(exprs);
    custom(move |inp: &mut Inp<'_>| {
        let start = at(inp);
        let annotations = read_annotations(inp, &annotation);
        let kind = match (peek(inp), annotations.first()) {
            (Some(_), _) => read_recovering(inp, &kind, &[], |_| ItemKind::Error),
            (None, Some(first)) => {
                let error = SyntaxError::new(error::MISPLACED_POLICY, first.span, "no declaration follows");
                inp.state().report(error);
                ItemKind::Error
            }
            (None, None) => ItemKind::Error,
        };
        if kind != ItemKind::Error && peek(inp).is_some() {
            let fault = Fault::new(at(inp), Tok::TheEnd);
            inp.state().fault(fault);
        }
        let span = span_since(inp, start);
        skip_all(inp);
        Ok(Item { annotations, kind, span })
    })
    .boxed()
}

fn skip_all(inp: &mut Inp<'_>) {
    while peek(inp).is_some() {
        inp.skip();
    }
}

fn read_annotations(inp: &mut Inp<'_>, annotation: &Rule<Annotation>) -> Vec<Annotation> {
    let mut annotations = Vec::new();
    while peek(inp) == Some(Tok::At) {
        let checkpoint = inp.save();
        match inp.parse(annotation) {
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
    annotations
}

fn declaration(exprs: Exprs) -> Rule<ItemKind> {
    let field = types::field(exprs.expr.clone(), exprs.ty.clone(), exprs.annotation.clone());
    let param = types::declared(exprs.expr.clone(), exprs.ty.clone(), exprs.annotation.clone())
        .map(|(annotations, name, ty, default, span)| Param { annotations, name, ty, default, span });
    let parts = Parts {
        fields: list(Tok::RParen, field).boxed(),
        type_params: types::type_params(),
        params: list(Tok::RParen, param.boxed()).boxed(),
        outputs: list(Tok::RParen, output(exprs.ty.clone())).boxed(),
        value: whole(exprs.expr.clone(), [Tok::TheEnd; 2]).boxed(),
        block_body: exprs.block.clone().map(CallableBody::Block).boxed(),
        exprs,
    };
    custom(move |inp: &mut Inp<'_>| match peek(inp) {
        Some(Tok::Use) => read_use(inp).map(ItemKind::Use),
        Some(Tok::Const) => parts.read_const(inp).map(ItemKind::Const),
        Some(Tok::Type) => parts.read_type(inp).map(ItemKind::Type),
        Some(Tok::Fn) => parts.callable(inp, CallableKind::Fn),
        Some(Tok::Node) => parts.callable(inp, CallableKind::Node),
        Some(Tok::Workflow) => parts.callable(inp, CallableKind::Workflow),
        Some(Tok::Prompt) => parts.callable(inp, CallableKind::Prompt),
        Some(Tok::Agent) => parts.callable(inp, CallableKind::Agent),
        Some(Tok::Secret) => {
            inp.skip();
            read_name(inp, DECLARED).map(ItemKind::Secret)
        }
        Some(Tok::On) => parts.read_on(inp).map(ItemKind::On),
        Some(Tok::Test) => {
            inp.skip();
            let name = literal::plain_str(inp)?;
            Ok(ItemKind::Test(Test { name, body: inp.parse(&parts.exprs.block)? }))
        }
        _ => fail(inp, Tok::ADeclaration),
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
    if !eat(inp, Tok::Dot) {
        let alias = if eat(inp, Tok::As) { Some(read_name(inp, DECLARED)?) } else { None };
        return Ok(Use { path, alias, names: None });
    }
    expect(inp, Tok::LParen)?;
    let name = custom(|inp: &mut Inp<'_>| read_name(inp, DECLARED)).boxed();
    let names = read_names(inp, Tok::RParen, &name)?;
    Ok(Use { path, alias: None, names: Some(names) })
}

/// `a: T`, `a:`.
fn output(ty: Rule<TypeExpr>) -> Rule<OutputDecl> {
    custom(move |inp: &mut Inp<'_>| {
        let start = at(inp);
        let name = read_name(inp, &[Tok::Label, Tok::Ident])?;
        let colon = at(inp);
        if !eat(inp, Tok::Colon) {
            // It is an output all the same, of whatever type.
            inp.state().fault(Fault::new(start, Tok::Label));
            skip_to(inp, &[Tok::Comma]);
            return Ok(OutputDecl { name, ty: Some(error_type(span_since(inp, colon))), span: span_since(inp, start) });
        }
        let alone = matches!(peek(inp), Some(Tok::Comma | Tok::RParen));
        let ty = if alone { None } else { Some(read_recovering(inp, &ty, &[Tok::Comma], error_type)) };
        Ok(OutputDecl { name, ty, span: span_since(inp, start) })
    })
    .boxed()
}

/// What stands between the name and the body of a callable.
struct Head {
    type_params: Vec<TypeParam>,
    params: Vec<Param>,
    outputs: Outputs,
}

impl Parts {
    /// `const NAME: T = value`.
    fn read_const(&self, inp: &mut Inp<'_>) -> Result<Const, Fault> {
        inp.skip();
        let name = read_name(inp, DECLARED)?;
        let ty = match peek(inp) {
            Some(Tok::Colon) => {
                inp.skip();
                Some(read_recovering(inp, &self.exprs.ty, &[Tok::Eq], error_type))
            }
            _ => None,
        };
        let start = at(inp);
        let value = match expect(inp, Tok::Eq) {
            Ok(()) => inp.parse(&self.value)?,
            Err(fault) => {
                inp.state().fault(fault);
                skip_to(inp, &[]);
                error_expr(span_since(inp, start))
            }
        };
        Ok(Const { name, ty, value })
    }

    /// `type Point(…)`, `type Tone = …`.
    fn read_type(&self, inp: &mut Inp<'_>) -> Result<TypeDecl, Fault> {
        inp.skip();
        let name = read_name(inp, DECLARED)?;
        let start = at(inp);
        if eat(inp, Tok::LParen) {
            let fields = inp.parse(&self.fields)?;
            let ty = TypeExpr { kind: TypeKind::Record(fields), span: span_since(inp, start) };
            return Ok(TypeDecl { name, ty, is_record: true });
        }
        let ty = if eat(inp, Tok::Eq) {
            read_recovering(inp, &self.exprs.ty, &[], error_type)
        } else {
            inp.state().fault(Fault::either(start, Tok::LParen, Tok::Eq));
            skip_to(inp, &[]);
            error_type(span_since(inp, start))
        };
        Ok(TypeDecl { name, ty, is_record: false })
    }

    /// `on webhook("/x") as event { … }`.
    fn read_on(&self, inp: &mut Inp<'_>) -> Result<On, Fault> {
        inp.skip();
        // `as event` names the event: it is no conversion.
        inp.state().entry = Entry { min: POSTFIX, condition: false, head: true };
        let trigger = read_recovering(inp, &self.exprs.expr, &[Tok::As, Tok::LBrace], error_expr);
        let binding = if eat(inp, Tok::As) { Some(read_name(inp, DECLARED)?) } else { None };
        Ok(On { trigger, binding, body: inp.parse(&self.exprs.block)? })
    }

    fn callable(&self, inp: &mut Inp<'_>, kind: CallableKind) -> Result<ItemKind, Fault> {
        let start = at(inp);
        inp.skip();
        let name = read_name(inp, DECLARED)?;
        let mut parts = Head { type_params: Vec::new(), params: Vec::new(), outputs: Outputs::None };
        let checkpoint = inp.save();
        let read = self.read_head(inp, kind, &mut parts);
        if let Err(fault) = read {
            inp.rewind(checkpoint);
            inp.state().fault(fault);
            skip_to(inp, &[Tok::LBrace, Tok::Eq]);
        }
        let head = span_since(inp, start);
        let body = match peek(inp) {
            None if read.is_err() => CallableBody::Error,
            _ => self.read_body(inp, kind, &name),
        };
        let Head { type_params, params, outputs } = parts;
        Ok(ItemKind::Callable(Callable { kind, name, type_params, params, outputs, body, head }))
    }

    fn read_head(&self, inp: &mut Inp<'_>, kind: CallableKind, head: &mut Head) -> Result<(), Fault> {
        if matches!(peek(inp), Some(Tok::LBracket | Tok::CallBracket)) {
            inp.skip();
            head.type_params = inp.parse(&self.type_params)?;
        }
        expect(inp, Tok::LParen)?;
        head.params = inp.parse(&self.params)?;
        match peek(inp) {
            Some(Tok::Arrow) => inp.skip(),
            // `:` at the line's end is Python, `: T` TypeScript, `=>` a slip.
            Some(Tok::Colon) if matches!(peek_second(inp), Some(Tok::Separator) | None) => {
                return fail(inp, Tok::LBrace);
            }
            Some(Tok::Colon | Tok::FatArrow) => {
                instead(inp, error::UNEXPECTED, "what it gives stands after `->`", "->");
            }
            _ => return Ok(()),
        }
        head.outputs = if kind != CallableKind::Fn && names_outputs(inp) {
            inp.skip();
            Outputs::Named(inp.parse(&self.outputs)?)
        } else {
            Outputs::One(read_recovering(inp, &self.exprs.ty, &[Tok::Eq, Tok::LBrace, Tok::Language], error_type))
        };
        Ok(())
    }

    fn read_body(&self, inp: &mut Inp<'_>, kind: CallableKind, name: &Name) -> CallableBody {
        use CallableKind::{Fn, Node};
        let start = at(inp);
        let (body, right) = match peek(inp) {
            Some(Tok::Eq) => {
                inp.skip();
                let value = inp.parse(&self.value).unwrap_or_else(|_| error_expr(span_since(inp, start)));
                (CallableBody::Expr(value), kind == Fn)
            }
            Some(Tok::LBrace) => (read_recovering(inp, &self.block_body, &[], |_| CallableBody::Error), kind != Node),
            Some(Tok::Language) if peek_second(inp) == Some(Tok::Fence) => {
                inp.skip();
                inp.skip();
                (CallableBody::Code(literal::code(inp.state(), start)), kind == Node)
            }
            // It may stand where a bracket or str has not ended.
            None if inp.state().has_errors() => (CallableBody::Error, true),
            None => (CallableBody::Host, matches!(kind, Fn | Node)),
            Some(_) => {
                inp.state().fault(match kind {
                    Fn => Fault::either(start, Tok::Eq, Tok::LBrace),
                    Node => Fault::new(start, Tok::Language),
                    _ => Fault::new(start, Tok::LBrace),
                });
                skip_all(inp);
                return CallableBody::Error;
            }
        };
        if !right {
            let (span, what) = match body {
                CallableBody::Host => (name.span, "no body"),
                _ => (inp.state().span(start, start + 1), "a body of the wrong kind"),
            };
            let error = SyntaxError::new(error::WRONG_BODY, span, format!("`{}` has {what}", name.text));
            inp.state().report(error.help(body_help(kind)));
        }
        body
    }
}

/// Whether names stand in the parentheses that are next: outputs, of which one may be written wrongly.
fn names_outputs(inp: &mut Inp<'_>) -> bool {
    if peek(inp) != Some(Tok::LParen) {
        return false;
    }
    let (mut place, mut depth) = (at(inp), 0_u32);
    while let Some(tok) = inp.state().tok(place) {
        match tok {
            Tok::Label if depth == 1 => return true,
            tok if tok.opens() => depth += 1,
            tok if tok.closes() => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return false;
        }
        place += 1;
    }
    false
}

/// How the body of a callable is written.
fn body_help(kind: CallableKind) -> &'static str {
    match kind {
        CallableKind::Fn => "a `fn` is written `fn f(x: int) -> int = x + 1`, or with a body in `{ }`",
        CallableKind::Node => {
            "a `node` is written in `js` or provided by the host; what is written in NTL is a `fn` or a `workflow`"
        }
        CallableKind::Workflow => "the body of a `workflow` stands in `{ }`",
        CallableKind::Prompt | CallableKind::Agent => "its settings and its text stand in `{ }`",
    }
}
