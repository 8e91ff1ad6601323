//! Types.

use super::combinators::{eat, expect, many, name, read_list, read_name, read_names, read_recovering, tok, when};
use super::literal;
use super::state::{Fault, Inp, Rule, at, fail, grow, nested, peek, peek_second, span_since};
use crate::ast::{Annotation, Expr, FieldDecl, Literal, Name, Span, TypeExpr, TypeKind, TypeParam};
use crate::error::{self, SyntaxError};
use crate::layout::Tok;
use chumsky::prelude::*;

/// What stands for a type that cannot be read.
pub(super) fn error_type(span: Span) -> TypeExpr {
    TypeExpr { kind: TypeKind::Error, span }
}

/// Types; `T per x` included, which only signatures have.
pub(super) fn types(expr: Rule<Expr>, annotation: Rule<Annotation>) -> Rule<TypeExpr> {
    recursive(|ty| {
        let ty = ty.boxed();
        let field = field(expr, ty.clone(), annotation);
        custom(move |inp: &mut Inp<'_>| nested(inp, error_type, |inp| union(inp, &ty, &field))).boxed()
    })
    .boxed()
}

/// `A | B`, `T per x`.
fn union(inp: &mut Inp<'_>, ty: &Rule<TypeExpr>, field: &Rule<FieldDecl>) -> Result<TypeExpr, Fault> {
    let start = at(inp);
    let mut found = optional(inp, ty, field)?;
    if peek(inp) == Some(Tok::Bar) {
        let mut members = vec![found];
        while eat(inp, Tok::Bar) {
            members.push(optional(inp, ty, field)?);
        }
        found = TypeExpr { kind: TypeKind::Union(members), span: span_since(inp, start) };
    }
    while eat(inp, Tok::Per) {
        let source = read_name(inp, &[Tok::Ident])?;
        let span = span_since(inp, start);
        found = if grow(inp, start) {
            TypeExpr { kind: TypeKind::Per(Box::new(found), source), span }
        } else {
            error_type(span)
        };
    }
    Ok(found)
}

/// `T?`.
fn optional(inp: &mut Inp<'_>, ty: &Rule<TypeExpr>, field: &Rule<FieldDecl>) -> Result<TypeExpr, Fault> {
    let start = at(inp);
    let mut found = primary(inp, ty, field)?;
    loop {
        if eat(inp, Tok::Question) {
            let span = span_since(inp, start);
            found = if grow(inp, start) {
                TypeExpr { kind: TypeKind::Optional(Box::new(found)), span }
            } else {
                error_type(span)
            };
        } else if peek(inp) == Some(Tok::LBracket) && peek_second(inp) == Some(Tok::RBracket) {
            found = list_of(inp, found, start);
        } else {
            return Ok(found);
        }
    }
}

/// `int[]`, as other languages write a list.
fn list_of(inp: &mut Inp<'_>, item: TypeExpr, start: usize) -> TypeExpr {
    let bracket = at(inp);
    inp.skip();
    inp.skip();
    let (span, whole) = (span_since(inp, bracket), span_since(inp, start));
    let text = match &item.kind {
        TypeKind::Path { args, .. } if args.is_empty() => inp.state().source(item.span),
        _ => "T",
    };
    let help = format!("write `list[{text}]`");
    inp.state().report(SyntaxError::new(error::UNEXPECTED, span, "a list type is written `list[T]`").help(help));
    if !grow(inp, start) {
        return error_type(whole);
    }
    let kind = TypeKind::Path { module: None, name: Name { text: "list".into(), span }, args: vec![item] };
    TypeExpr { kind, span: whole }
}

fn primary(inp: &mut Inp<'_>, ty: &Rule<TypeExpr>, field: &Rule<FieldDecl>) -> Result<TypeExpr, Fault> {
    let start = at(inp);
    let kind = match peek(inp) {
        Some(Tok::Ident) => path(inp, ty)?,
        Some(Tok::LParen | Tok::LambdaParen | Tok::BindParen) => {
            inp.skip();
            if peek(inp) == Some(Tok::Label) || peek(inp) == Some(Tok::At) {
                TypeKind::Record(read_list(inp, Tok::RParen, field)?.0)
            } else {
                return tuple(inp, ty, start);
            }
        }
        Some(Tok::Fn) => {
            inp.skip();
            expect(inp, Tok::LParen)?;
            let (params, _) = read_list(inp, Tok::RParen, ty)?;
            expect(inp, Tok::Arrow)?;
            TypeKind::Fn(params, Box::new(inp.parse(ty)?))
        }
        Some(Tok::Int | Tok::Float | Tok::Minus | Tok::True | Tok::False | Tok::Null | Tok::Duration | Tok::Size) => {
            literal::read(inp)?.map_or(TypeKind::Error, TypeKind::Literal)
        }
        Some(Tok::StrOpen | Tok::RawStr | Tok::SingleQuoted) => {
            TypeKind::Literal(Literal::Str(literal::plain_str(inp)?.text))
        }
        Some(Tok::Bad) => {
            inp.skip();
            TypeKind::Error
        }
        _ => return fail(inp, Tok::AType),
    };
    Ok(TypeExpr { kind, span: span_since(inp, start) })
}

/// `str`, `list[int]`, `rss.Item`.
fn path(inp: &mut Inp<'_>, ty: &Rule<TypeExpr>) -> Result<TypeKind, Fault> {
    let read = |inp: &mut Inp<'_>| read_name(inp, &[Tok::Ident]);
    let mut name = read(inp)?;
    let mut module = None;
    if eat(inp, Tok::Dot) {
        module = Some(std::mem::replace(&mut name, read(inp)?));
    }
    let brackets = matches!(peek(inp), Some(Tok::LBracket | Tok::CallBracket));
    let args = if brackets && peek_second(inp) != Some(Tok::RBracket) {
        inp.skip();
        read_list(inp, Tok::RBracket, ty)?.0
    } else {
        Vec::new()
    };
    Ok(TypeKind::Path { module, name, args })
}

/// `(A, B)`, or `A` in parentheses; the `(` was read.
fn tuple(inp: &mut Inp<'_>, ty: &Rule<TypeExpr>, start: usize) -> Result<TypeExpr, Fault> {
    if peek(inp) == Some(Tok::RParen) {
        return fail(inp, Tok::AType);
    }
    let (mut items, comma) = read_list(inp, Tok::RParen, ty)?;
    let span = span_since(inp, start);
    if items.len() == 1 && !comma {
        return Ok(items.pop().map_or_else(|| error_type(span), |only| TypeExpr { span, ..only }));
    }
    if items.len() < 2 {
        inp.state().report(SyntaxError::new(error::UNEXPECTED, span, "a tuple has two items or more"));
        return Ok(error_type(span));
    }
    Ok(TypeExpr { kind: TypeKind::Tuple(items), span })
}

/// A field of a record type: `@key("Name") name: T = default`.
pub(super) fn field(expr: Rule<Expr>, ty: Rule<TypeExpr>, annotation: Rule<Annotation>) -> Rule<FieldDecl> {
    declared(expr, ty, annotation)
        .map(|(annotations, name, ty, default, span)| FieldDecl { annotations, name, ty, default, span })
        .boxed()
}

/// What fields and parameters are made of: annotations, name, type, default, and the whole.
type Declared = (Vec<Annotation>, Name, TypeExpr, Option<Expr>, Span);

pub(super) fn declared(expr: Rule<Expr>, ty: Rule<TypeExpr>, annotation: Rule<Annotation>) -> Rule<Declared> {
    let annotations = many(Tok::At, annotation).boxed();
    let default = when(Tok::Eq, tok(Tok::Eq).ignore_then(expr)).boxed();
    custom(move |inp: &mut Inp<'_>| {
        let start = at(inp);
        let annotations = inp.parse(&annotations)?;
        let (name, ty) = typed_name(inp, &ty)?;
        let default = inp.parse(&default)?;
        Ok((annotations, name, ty, default, span_since(inp, start)))
    })
    .boxed()
}

/// `name: T`; where the `:` or the type is missing, that is reported.
fn typed_name(inp: &mut Inp<'_>, ty: &Rule<TypeExpr>) -> Result<(Name, TypeExpr), Fault> {
    let name = read_name(inp, &[Tok::Label, Tok::Ident])?;
    if eat(inp, Tok::Colon) {
        let stops = [Tok::Comma, Tok::Eq];
        return Ok((name, read_recovering(inp, ty, &stops, error_type)));
    }
    match peek(inp) {
        Some(Tok::Ident | Tok::Fn | Tok::StrOpen | Tok::LParen) => Ok(name_and_type(inp, name, ty)),
        Some(Tok::Comma | Tok::Eq | Tok::RParen) => {
            let after = at(inp);
            let error = SyntaxError::new(error::MISSING_TYPE, name.span, format!("`{}` has no type", name.text));
            inp.state().report(error.help(format!("write `{}: str`, or another type", name.text)));
            let place = inp.state().span(after, after);
            Ok((name, error_type(place)))
        }
        _ => fail(inp, Tok::Colon),
    }
}

/// `name T`, or `T name` as C has it.
fn name_and_type(inp: &mut Inp<'_>, name: Name, ty: &Rule<TypeExpr>) -> (Name, TypeExpr) {
    let found = read_recovering(inp, ty, &[Tok::Comma, Tok::Eq], error_type);
    let state = inp.state();
    let (first, second) = (state.source(name.span), state.source(found.span));
    let is_type = |word: &str| matches!(word, "str" | "int" | "float" | "bool" | "bytes" | "json" | "any" | "string");
    let (message, meant) = if is_type(first) && !is_type(second) {
        ("the name stands before its type".to_owned(), format!("{second}: {first}"))
    } else {
        (format!("a `:` is missing between `{first}` and its type"), format!("{first}: {second}"))
    };
    let error = SyntaxError::new(error::MISSING_TYPE, name.span.to(found.span), message);
    state.report(error.help(format!("write `{meant}`")).fix(meant));
    (name, found)
}

/// `[T: ordered, U]`, whose `[` was read.
pub(super) fn type_params() -> Rule<Vec<TypeParam>> {
    let bound = when(Tok::Colon, tok(Tok::Colon).ignore_then(name(&[Tok::Ident])));
    let param = name(&[Tok::Ident, Tok::Label]).then(bound);
    let param = param.map(|(name, bound)| TypeParam { name, bound }).boxed();
    custom(move |inp: &mut Inp<'_>| read_names(inp, Tok::RBracket, &param)).boxed()
}
