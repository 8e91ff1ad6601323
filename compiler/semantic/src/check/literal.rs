//! Literals: single values, lists, dicts, tuples, records, embedded data.

use super::{Checker, Expect, Want, json};
use crate::hir::{self, Const, ExprKind, Scope};
use crate::ty::{Lit, Type};
use crate::types::{self, join, members, unfold};
use ntl_syntax::ast::{self, Literal, Span};
use std::sync::Arc;

impl Checker<'_> {
    pub(super) fn constant(&self, value: Const, span: Span) -> hir::Expr {
        let ty = crate::constant::type_of(&value);
        Self::expr_of(ExprKind::Const(value), ty, Scope::new(), span)
    }

    pub(super) fn literal(&self, literal: &Literal, span: Span) -> hir::Expr {
        self.constant(const_of(literal), span)
    }

    pub(super) fn code(&mut self, code: &ast::Code) -> hir::Expr {
        if code.lang.text != "json" {
            self.say_code_value(&code.lang);
            return self.broken(code.span);
        }
        if let Err((what, line)) = json::check(&code.text) {
            self.say_bad_json(&what, line, code.span);
            return Self::expr_of(ExprKind::Error, Type::Json, Scope::new(), code.span);
        }
        self.constant(Const::Json(code.text.clone()), code.span)
    }

    /// The only member of an expected type that has a shape.
    fn expected<T>(&self, expect: Expect<'_>, shape: impl Fn(&Type) -> Option<T>) -> Option<T> {
        let expected = expect.ty()?;
        let mut found = members(self.db, expected).into_iter().filter_map(|member| shape(&unfold(self.db, &member)));
        let first = found.next()?;
        found.next().is_none().then_some(first)
    }

    pub(super) fn list(&mut self, items: &[ast::Expr], span: Span, expect: Expect<'_>) -> hir::Expr {
        let item = self.expected(expect, |ty| match ty {
            Type::List(item) => Some(item.clone()),
            Type::Json => Some(Arc::new(Type::Json)),
            _ => None,
        });
        let item = if matches!(item.as_deref(), Some(Type::Unknown)) { None } else { item };
        let (checked, ty, scope) = self.items(items, item.as_deref(), expect, Want::Item, span);
        Self::expr_of(ExprKind::List(checked), Type::List(Arc::new(ty)), scope, span)
    }

    /// Values of one type: the items of a list, the keys or values of a dict.
    fn items<'e>(
        &mut self,
        items: impl IntoIterator<Item = &'e ast::Expr>,
        expected: Option<&Type>,
        expect: Expect<'_>,
        want: Want<'_>,
        span: Span,
    ) -> (Vec<hir::Expr>, Type, Scope) {
        let mut scope = Scope::new();
        let must = expected.filter(|_| matches!(expect, Expect::Must(..)));
        let mut checked: Vec<hir::Expr> = Vec::new();
        let errors = self.errors;
        for item in items {
            let item = match (must, expected) {
                // Of items of the wrong type the first is told.
                (Some(ty), _) if self.errors == errors => self.check(item, ty, want),
                (_, Some(ty)) => self.expr(item, Expect::Hint(ty)),
                (_, None) => self.expr(item, Expect::Nothing),
            };
            scope = self.meet(&scope, &item.scope, span);
            checked.push(item);
        }
        if let Some(ty) = must {
            return (checked, ty.clone(), scope);
        }
        let ty = match expected.filter(|ty| checked.iter().all(|item| types::fits(self.db, &item.ty, ty))) {
            Some(ty) => ty.clone(),
            None => self.join_all(checked.iter().map(|item| types::widen(&item.ty))),
        };
        let checked = checked.into_iter().map(|item| self.coerce(item, &ty, want, None)).collect();
        (checked, ty, scope)
    }

    /// The type of what is of one of these types.
    pub(super) fn join_all(&self, all: impl IntoIterator<Item = Type>) -> Type {
        let mut joined = Type::Never;
        for ty in all {
            // Most are alike.
            if joined != ty {
                joined = join(self.db, &joined, &ty);
            }
        }
        joined
    }

    pub(super) fn dict(&mut self, entries: &[(ast::Expr, ast::Expr)], span: Span, expect: Expect<'_>) -> hir::Expr {
        let expected = self.expected(expect, |ty| match ty {
            Type::Dict(key, value) => Some((key.clone(), value.clone())),
            Type::Json => Some((Arc::new(Type::Str), Arc::new(Type::Json))),
            _ => None,
        });
        let (key, value) = expected.unzip();
        // Where any dict will do, the keys say themselves what they are.
        let key = key.filter(|key| **key != Type::Any);
        let (keys, key, key_scope) =
            self.items(entries.iter().map(|(key, _)| key), key.as_deref(), expect, Want::Entry("key"), span);
        let (values, value, value_scope) =
            self.items(entries.iter().map(|(_, value)| value), value.as_deref(), expect, Want::Entry("value"), span);
        let is_key = |ty: &Type| {
            members(self.db, ty).iter().all(|ty| match unfold(self.db, ty) {
                Type::Str | Type::Int | Type::Literal(Lit::Str(_) | Lit::Int(_)) | Type::Unknown | Type::Never => true,
                Type::Param(_, bound) => bound == crate::ty::Bound::Key,
                _ => false,
            })
        };
        let key = match entries.first() {
            _ if is_key(&key) => key,
            // Without entries the type is one that was written, and told there.
            first => {
                first.into_iter().for_each(|(first, _)| self.say_bad_key(&key, first.span));
                Type::Unknown
            }
        };
        self.warn_repeated_keys(&keys);
        let scope = self.meet(&key_scope, &value_scope, span);
        let ty = Type::Dict(Arc::new(key), Arc::new(value));
        Self::expr_of(ExprKind::Dict(keys.into_iter().zip(values).collect()), ty, scope, span)
    }

    fn warn_repeated_keys(&mut self, keys: &[hir::Expr]) {
        let mut seen: rustc_hash::FxHashMap<(Option<&str>, i64), Span> = rustc_hash::FxHashMap::default();
        let mut repeated = Vec::new();
        for key in keys {
            let known = match &key.kind {
                ExprKind::Const(Const::Str(text)) => (Some(text.as_str()), 0),
                ExprKind::Const(Const::Int(value)) => (None, *value),
                _ => continue,
            };
            if let Some(first) = seen.insert(known, key.span) {
                repeated.push((key.span, first));
            }
        }
        repeated.into_iter().for_each(|(again, first)| self.warn_repeated_key(again, first));
    }

    pub(super) fn tuple(&mut self, items: &[ast::Expr], span: Span, expect: Expect<'_>) -> hir::Expr {
        let expected = self.expected(expect, |ty| match ty {
            Type::Tuple(expected) if expected.len() == items.len() => Some(expected.clone()),
            _ => None,
        });
        let is_must = matches!(expect, Expect::Must(..));
        let mut scope = Scope::new();
        let mut checked = Vec::with_capacity(items.len());
        for (at, item) in items.iter().enumerate() {
            let item = match expected.as_ref().and_then(|expected| expected.get(at)) {
                Some(ty) if is_must => self.check(item, ty, Want::Of("an item of a tuple")),
                Some(ty) => {
                    let item = self.expr(item, Expect::Hint(ty));
                    self.coerce_if_fits(item, ty)
                }
                None => self.expr(item, Expect::Nothing),
            };
            scope = self.meet(&scope, &item.scope, span);
            checked.push(item);
        }
        let part = |(at, item): (usize, &hir::Expr)| match expected.as_ref().and_then(|expected| expected.get(at)) {
            Some(ty) if is_must || types::fits(self.db, &item.ty, ty) => ty.clone(),
            _ => types::widen(&item.ty),
        };
        let ty = Type::Tuple(checked.iter().enumerate().map(part).collect());
        Self::expr_of(ExprKind::Tuple(checked), ty, scope, span)
    }
}

/// The constant that a literal is.
pub(super) fn const_of(literal: &Literal) -> Const {
    match literal {
        Literal::Null => Const::Null,
        Literal::Bool(value) => Const::Bool(*value),
        Literal::Int(value) => Const::Int(*value),
        Literal::Float(value) => Const::Float(*value),
        Literal::Str(text) => Const::Str(text.clone()),
        Literal::Duration(nanoseconds) => Const::Duration(*nanoseconds),
        Literal::Size(bytes) => Const::Size(*bytes),
    }
}
