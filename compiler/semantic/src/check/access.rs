//! What stands behind a dot or in brackets: fields, items, and what `?.` leaves out.

use super::{Checker, Expect, Want, argument::Given, deep};
use crate::hir::{self, ExprKind, LocalId};
use crate::names::{self, Found, Kind};
use crate::ty::Type;
use crate::types::{self, join, unfold};
use ntl_syntax::ast::{self, Name, Span};
use std::sync::Arc;

/// The bases of the `?.`s of a chain, outermost first, each with the local that stands for it in what follows.
type Links = Vec<(hir::Expr, LocalId)>;

impl Checker<'_> {
    /// `a.b?.c(d)[e]`: where one `?.` meets null, the whole chain is null.
    pub(super) fn chain(&mut self, expr: &ast::Expr, expect: Expect<'_>) -> hir::Expr {
        let mut links = Links::new();
        let mut value = self.link(expr, expect, &mut links);
        while let Some((base, local)) = links.pop() {
            let scope = self.meet(&base.scope, &value.scope, expr.span);
            let ty = types::union([value.ty.clone(), Type::Null]);
            let kind = ExprKind::Chain(Box::new(base), local, Box::new(value));
            value = Self::expr_of(kind, ty, scope, expr.span);
        }
        value
    }

    fn link(&mut self, expr: &ast::Expr, expect: Expect<'_>, links: &mut Links) -> hir::Expr {
        deep(|| match &expr.kind {
            ast::ExprKind::Field { base, name, optional } => {
                if let Some(module) = self.module_of(base) {
                    return self.module_value(module, name);
                }
                self.apart.insert(base.span);
                let base = self.base(base, *optional, name.span, links);
                self.field(base, name, expr)
            }
            ast::ExprKind::TupleField { base, index, optional } => {
                let place = Span::new(expr.span.end.saturating_sub(1), expr.span.end);
                let base = self.base(base, *optional, place, links);
                self.tuple_field(base, *index, expr.span)
            }
            ast::ExprKind::Index { base, index } => {
                let base = self.base(base, false, expr.span, links);
                self.index(base, index, expr.span)
            }
            ast::ExprKind::Call { callee, type_args, args } => match &callee.kind {
                ast::ExprKind::Field { base, name, optional } if self.module_of(base).is_none() => {
                    let receiver = self.base(base, *optional, name.span, links);
                    let first = Given::done(receiver, base);
                    self.method(first, name, type_args, args, expr.span, expect)
                }
                _ => self.call(None, callee, type_args, args, expr.span, expect),
            },
            _ => self.expr(expr, expect),
        })
    }

    /// What stands before a dot; before `?.` what it is where it is not null.
    fn base(&mut self, base: &ast::Expr, optional: bool, dot: Span, links: &mut Links) -> hir::Expr {
        self.before_dot = Some(base.span);
        let value = self.link(base, Expect::Nothing, links);
        self.before_dot = None;
        if !optional || matches!(value.ty, Type::Unknown | Type::Never) {
            return value;
        }
        if !types::is_nullable(self.db, &value.ty) {
            self.warn_needless_chain(&value, dot);
            return value;
        }
        let ty = types::remove_null(self.db, &value.ty);
        let (scope, span) = (value.scope.clone(), value.span);
        let local = self.hidden(ty, scope, span);
        links.push((value, local));
        self.read(local, span)
    }

    /// The module that an expression names, if it is no value.
    pub(super) fn module_of(&self, expr: &ast::Expr) -> Option<names::Module> {
        let ast::ExprKind::Name(name) = &expr.kind else { return None };
        if self.sees(&name.text).is_some() {
            return None;
        }
        names::module(self.db, self.def.file, &name.text)
    }

    /// `helper.GREEN`.
    fn module_value(&mut self, module: names::Module, name: &Name) -> hir::Expr {
        match names::member(self.db, module, Kind::Value, &name.text) {
            Found::Yes(defs) => match defs.into_iter().next() {
                Some(def) => self.const_item(def, name.span),
                None => self.broken_quietly(name.span),
            },
            Found::Silent => self.broken_quietly(name.span),
            Found::Private => {
                self.say_private(name, module);
                self.broken(name.span)
            }
            Found::No => {
                self.say_unknown_member(name, module, Kind::Value);
                self.broken(name.span)
            }
        }
    }

    fn field(&mut self, base: hir::Expr, name: &Name, expr: &ast::Expr) -> hir::Expr {
        let span = expr.span;
        if matches!(base.ty, Type::Unknown | Type::Never) {
            self.doing.failed = true;
            return self.broken(span);
        }
        let known = self.known_field(expr);
        let scope = base.scope.clone();
        if let Some(record) = types::as_record(self.db, &base.ty)
            && let Some(at) = record.fields.iter().position(|field| field.name == name.text)
        {
            let ty = known.unwrap_or_else(|| record.fields[at].ty.clone());
            let scope = self.scope_of_part(&base, at);
            return Self::expr_of(ExprKind::Field(Box::new(base), at as u32), ty, scope, span);
        }
        let all = types::members(self.db, &base.ty);
        let (nulls, values): (Vec<&Type>, Vec<&Type>) =
            all.iter().partition(|member| unfold(self.db, member) == Type::Null);
        let of_member = |member: &&Type| {
            let record = types::as_record(self.db, member)?;
            record.fields.iter().find(|field| field.name == name.text).map(|field| field.ty.clone())
        };
        let found: Option<Vec<Type>> = values.iter().map(of_member).collect();
        match found {
            Some(found) if !found.is_empty() && nulls.is_empty() => {
                let ty = known.unwrap_or_else(|| found.iter().fold(Type::Never, |ty, found| join(self.db, &ty, found)));
                Self::expr_of(ExprKind::FieldNamed(Box::new(base), name.text.clone()), ty, scope, span)
            }
            Some(found) if !found.is_empty() => {
                self.say_null_before_dot(&base, name);
                self.broken(span)
            }
            _ => {
                self.say_no_such_field(&base, name);
                self.broken(span)
            }
        }
    }

    fn tuple_field(&mut self, base: hir::Expr, index: u32, span: Span) -> hir::Expr {
        let scope = base.scope.clone();
        match unfold(self.db, &base.ty) {
            Type::Unknown | Type::Never => {
                self.doing.failed = true;
                self.broken(span)
            }
            Type::Tuple(items) => match items.get(index as usize) {
                Some(ty) => Self::expr_of(ExprKind::Field(Box::new(base), index), ty.clone(), scope, span),
                None => {
                    self.say_no_such_place(&base, index, items.len(), span);
                    self.broken(span)
                }
            },
            _ => {
                self.say_no_tuple(&base, index, span);
                self.broken(span)
            }
        }
    }

    fn index(&mut self, base: hir::Expr, index: &ast::Expr, span: Span) -> hir::Expr {
        let (at, ty, is_json) = match unfold(self.db, &base.ty) {
            Type::List(item) => {
                (self.check(index, &Type::Int, Want::Of("the index of a list")), (*item).clone(), false)
            }
            Type::Dict(key, value) => (self.check(index, &key, Want::Of("the key of a dict")), (*value).clone(), false),
            Type::Json => {
                let wanted = types::union([Type::Str, Type::Int]);
                (self.check(index, &wanted, Want::Of("the key or index of `json`")), Type::Json, true)
            }
            other => {
                let at = self.expr(index, Expect::Nothing);
                if matches!(other, Type::Unknown | Type::Never) {
                    self.doing.failed = true;
                } else {
                    self.say_no_index(&base, &at, span);
                }
                return self.broken(span);
            }
        };
        let scope = self.meet(&base.scope, &at.scope, span);
        let (base, at) = (Box::new(base), Box::new(at));
        let kind = if is_json { ExprKind::JsonIndex(base, at) } else { ExprKind::Index(base, at) };
        Self::expr_of(kind, ty, scope, span)
    }

    /// Takes an item of a value apart: field or place `at` of it.
    pub(super) fn part(&self, base: hir::Expr, at: usize, ty: Type) -> hir::Expr {
        let (scope, span) = (self.scope_of_part(&base, at), base.span);
        Self::expr_of(ExprKind::Field(Box::new(base), at as u32), ty, scope, span)
    }

    /// What a part of a value varies per: as the value does, unless it is an output of a call whose outputs vary in
    /// different ways.
    fn scope_of_part(&self, base: &hir::Expr, at: usize) -> hir::Scope {
        let parts = match &base.kind {
            ExprKind::Local(id) => self.info.get(id.0 as usize).and_then(|info| info.parts.as_ref()),
            ExprKind::Call(_) => self.mixed.get(&base.span),
            _ => None,
        };
        parts.and_then(|parts| parts.get(at)).unwrap_or(&base.scope).clone()
    }
}

/// The item type of a list.
pub(super) fn item_of(ty: &Type) -> Option<&Arc<Type>> {
    if let Type::List(item) = ty { Some(item) } else { None }
}

/// Whether null may stand where a type is expected: `json` and `any` take it, too.
pub(super) fn takes_null(db: &dyn crate::db::Db, ty: &Type) -> bool {
    types::members(db, ty).iter().any(|member| matches!(unfold(db, member), Type::Null | Type::Any | Type::Json))
}
