//! Literals: single values, lists, dicts, tuples, records, embedded data.

use super::{Checker, Expect, Want, json};
use crate::hir::{self, Const, ExprKind, Scope};
use crate::ty::{Field, Lit, Record, Type};
use crate::types::{self, join, members, unfold};
use ntl_syntax::ast::{self, Literal, Name, RecordField, Span};
use smol_str::SmolStr;
use std::sync::Arc;

impl Checker<'_> {
    pub(super) fn constant(&self, value: Const, span: Span) -> hir::Expr {
        let ty = match &value {
            Const::Null => Type::Null,
            Const::Bool(value) => Type::Literal(Lit::Bool(*value)),
            Const::Int(value) => Type::Literal(Lit::Int(*value)),
            Const::Float(_) => Type::Float,
            Const::Str(text) => Type::Literal(Lit::Str(text.clone())),
            Const::Duration(_) => Type::Duration,
            Const::Size(_) => Type::Size,
            Const::Json(_) => Type::Json,
        };
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
        let item = self.expected(expect, |ty| if let Type::List(item) = ty { Some(item.clone()) } else { None });
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
        let key = if is_key(&key) {
            key
        } else {
            let at = entries.first().map_or(span, |(key, _)| key.span);
            self.say_bad_key(&key, at);
            Type::Unknown
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

    pub(super) fn record(&mut self, fields: &[RecordField], span: Span, expect: Expect<'_>) -> hir::Expr {
        if fields.iter().any(|field| matches!(field, RecordField::Spread(_))) {
            return self.updated(fields, span, expect);
        }
        let given: Vec<(&Name, Option<&ast::Expr>)> = fields
            .iter()
            .filter_map(|field| match field {
                RecordField::Field(name, value) => Some((name, value.as_ref())),
                RecordField::Spread(_) => None,
            })
            .collect();
        let given = self.once(given);
        let expected = self.expected_record(expect, &given);
        let Some((ty, record)) = expected else { return self.plain_record(&given, span) };
        self.shaped_record(&given, &ty, &record, span, expect)
    }

    /// The given fields without repeated ones, which are told.
    fn once<'e>(&mut self, given: Vec<(&'e Name, Option<&'e ast::Expr>)>) -> Vec<(&'e Name, Option<&'e ast::Expr>)> {
        let mut seen: rustc_hash::FxHashMap<&str, Span> = rustc_hash::FxHashMap::default();
        let mut kept = Vec::with_capacity(given.len());
        for (name, value) in given {
            match seen.get(name.text.as_str()) {
                Some(first) => {
                    let first = *first;
                    self.say_field_twice(name, first);
                    if let Some(value) = value {
                        self.expr(value, Expect::Nothing);
                    }
                }
                None => {
                    seen.insert(&name.text, name.span);
                    kept.push((name, value));
                }
            }
        }
        kept
    }

    /// The record that is expected of a literal with these fields. Of a union, the one whose literal fields agree.
    fn expected_record(
        &self,
        expect: Expect<'_>,
        given: &[(&Name, Option<&ast::Expr>)],
    ) -> Option<(Type, Arc<Record>)> {
        let expected = expect.ty()?;
        let records: Vec<(Type, Arc<Record>)> = members(self.db, expected)
            .into_iter()
            .filter_map(|member| types::as_record(self.db, &member).map(|record| (member, record)))
            .collect();
        if let [(ty, record)] = records.as_slice() {
            return Some((ty.clone(), record.clone()));
        }
        let agrees = |record: &Record| {
            record.fields.iter().all(|field| {
                let Type::Literal(lit) = unfold(self.db, &field.ty) else { return true };
                let value = given.iter().find(|(name, _)| name.text == field.name).and_then(|(_, value)| *value);
                match value.map(|value| &value.kind) {
                    Some(ast::ExprKind::Str(parts)) => match parts.as_slice() {
                        [ast::StrPart::Text(text)] => lit == Lit::Str(text.clone()),
                        _ => true,
                    },
                    Some(ast::ExprKind::Literal(Literal::Int(value))) => lit == Lit::Int(*value),
                    Some(ast::ExprKind::Literal(Literal::Bool(value))) => lit == Lit::Bool(*value),
                    Some(_) => true,
                    None => false,
                }
            })
        };
        let has_names = |record: &Record| {
            given.iter().all(|(name, _)| record.fields.iter().any(|field| field.name == name.text))
                && record.fields.iter().all(|field| {
                    given.iter().any(|(name, _)| name.text == field.name)
                        || field.has_default
                        || types::is_nullable(self.db, &field.ty)
                })
        };
        let agreeing: Vec<&(Type, Arc<Record>)> = records.iter().filter(|(_, record)| agrees(record)).collect();
        if let [one] = agreeing.as_slice() {
            return Some((*one).clone());
        }
        let mut named = agreeing.into_iter().filter(|(_, record)| has_names(record));
        let first = named.next()?;
        named.next().is_none().then(|| first.clone())
    }

    /// A record literal where nothing says what it should be.
    fn plain_record(&mut self, given: &[(&Name, Option<&ast::Expr>)], span: Span) -> hir::Expr {
        let mut scope = Scope::new();
        let mut fields = Vec::with_capacity(given.len());
        let mut values = Vec::with_capacity(given.len());
        for (name, value) in given {
            let value = self.value_or_name(name, *value, Expect::Nothing);
            scope = self.meet(&scope, &value.scope, span);
            let ty = types::widen(&value.ty);
            fields.push(Field { name: name.text.clone(), key: None, ty, has_default: false });
            values.push(value);
        }
        let ty = Type::Record(Arc::new(Record { fields }));
        Self::expr_of(ExprKind::Record(values), ty, scope, span)
    }

    /// `name: value`, or `name:` for the value of that name.
    pub(super) fn value_or_name(&mut self, name: &Name, value: Option<&ast::Expr>, expect: Expect<'_>) -> hir::Expr {
        match value {
            Some(value) => self.expr(value, expect),
            None => self.name(name),
        }
    }

    fn field_value(&mut self, name: &Name, value: Option<&ast::Expr>, ty: &Type, is_must: bool) -> hir::Expr {
        let want = Want::Field(&name.text);
        if !is_must {
            let value = self.value_or_name(name, value, Expect::Hint(ty));
            return self.coerce_if_fits(value, ty);
        }
        let checked = self.value_or_name(name, value, Expect::Must(ty, want));
        self.coerce(checked, ty, want, value)
    }

    /// A record literal whose type is known: defaults are filled, fields beyond it are welcome and cut by the caller.
    fn shaped_record(
        &mut self,
        given: &[(&Name, Option<&ast::Expr>)],
        ty: &Type,
        record: &Arc<Record>,
        span: Span,
        expect: Expect<'_>,
    ) -> hir::Expr {
        let is_must = matches!(expect, Expect::Must(..));
        let mut scope = Scope::new();
        let mut checked: Vec<(SmolStr, hir::Expr)> = Vec::with_capacity(given.len());
        let mut extra: Vec<&Name> = Vec::new();
        let mut fits = true;
        for (name, value) in given {
            let field = record.fields.iter().find(|field| field.name == name.text);
            let value = match field {
                Some(field) => self.field_value(name, *value, &field.ty, is_must),
                None => {
                    extra.push(name);
                    self.value_or_name(name, *value, Expect::Nothing)
                }
            };
            scope = self.meet(&scope, &value.scope, span);
            fits &= field.is_none_or(|field| is_must || types::fits(self.db, &value.ty, &field.ty));
            checked.push((name.text.clone(), value));
        }
        let missing: Vec<&Field> = record
            .fields
            .iter()
            .filter(|field| {
                !given.iter().any(|(name, _)| name.text == field.name)
                    && !field.has_default
                    && !types::is_nullable(self.db, &field.ty)
            })
            .collect();
        if is_must && self.tell_near_fields(ty, record, given, &extra) {
            return Self::expr_of(ExprKind::Error, ty.clone(), scope, span);
        }
        if is_must && !missing.is_empty() {
            let names: Vec<&SmolStr> = missing.iter().map(|field| &field.name).collect();
            self.say_missing_fields(ty, &names, span);
            return Self::expr_of(ExprKind::Error, ty.clone(), scope, span);
        }
        if !fits || !missing.is_empty() {
            // The hint was of no use: what is there is what it is.
            let fields = checked.iter().map(|(name, value)| Field {
                name: name.clone(),
                key: None,
                ty: types::widen(&value.ty),
                has_default: false,
            });
            let ty = Type::Record(Arc::new(Record { fields: fields.collect() }));
            return Self::expr_of(
                ExprKind::Record(checked.into_iter().map(|(_, value)| value).collect()),
                ty,
                scope,
                span,
            );
        }
        let mut values = Vec::with_capacity(record.fields.len());
        for (at, field) in record.fields.iter().enumerate() {
            let value = match checked.iter().position(|(name, _)| *name == field.name) {
                Some(given) => checked.swap_remove(given).1,
                None => self.omitted_field(ty, field, at, span),
            };
            values.push(value);
        }
        if checked.is_empty() {
            return Self::expr_of(ExprKind::Record(values), ty.clone(), scope, span);
        }
        // Fields that nobody wants are computed and cut, so that their mistakes are told.
        let mut fields = record.fields.clone();
        for (name, value) in checked {
            fields.push(Field { name, key: None, ty: types::widen(&value.ty), has_default: false });
            values.push(value);
        }
        let whole = Type::Record(Arc::new(Record { fields }));
        let whole = Self::expr_of(ExprKind::Record(values), whole, scope.clone(), span);
        Self::expr_of(ExprKind::Fit(Box::new(whole)), ty.clone(), scope, span)
    }

    /// Tells fields that nobody wants and that are near to one that is not given: they are no welcome extras.
    fn tell_near_fields(
        &mut self,
        ty: &Type,
        record: &Record,
        given: &[(&Name, Option<&ast::Expr>)],
        extra: &[&Name],
    ) -> bool {
        let left = |field: &&Field| !given.iter().any(|(name, _)| name.text == field.name);
        let left: Vec<&str> = record.fields.iter().filter(left).map(|field| field.name.as_str()).collect();
        let mut told = false;
        for name in extra {
            if crate::names::nearest(&name.text, &left).is_some() {
                self.say_unknown_field(ty, name, &left);
                told = true;
            }
        }
        told
    }

    /// The value of a field that is not given: its default, or null.
    pub(super) fn omitted_field(&self, ty: &Type, field: &Field, at: usize, span: Span) -> hir::Expr {
        match (field.has_default, self.record_item(ty)) {
            (true, Some(def)) => Self::expr_of(ExprKind::Default(def, at as u32), field.ty.clone(), Scope::new(), span),
            _ => self.null(span),
        }
    }

    /// The user type whose declaration has the fields of a type.
    fn record_item(&self, ty: &Type) -> Option<crate::db::Def> {
        let mut ty = ty.clone();
        loop {
            let Type::Named(def) = &ty else { return None };
            match crate::query::named_type(self.db, def) {
                named @ Type::Named(_) => ty = named,
                _ => return Some(def.clone()),
            }
        }
    }

    /// `(..r, title: "y")`.
    fn updated(&mut self, fields: &[RecordField], span: Span, expect: Expect<'_>) -> hir::Expr {
        let mut base: Option<hir::Expr> = None;
        let mut given: Vec<(&Name, Option<&ast::Expr>)> = Vec::new();
        for (at, field) in fields.iter().enumerate() {
            match field {
                RecordField::Spread(value) => {
                    let checked = self.expr(value, if base.is_none() { expect.soft() } else { Expect::Nothing });
                    if at > 0 {
                        self.say_late_spread(value.span);
                    }
                    base.get_or_insert(checked);
                }
                RecordField::Field(name, value) => given.push((name, value.as_ref())),
            }
        }
        let given = self.once(given);
        let Some(base) = base else { return self.broken_quietly(span) };
        let ty = base.ty.clone();
        let mut scope = base.scope.clone();
        let Some(record) = types::as_record(self.db, &ty) else {
            if !types::has_unknown(&ty) {
                self.say_spread_of_no_record(&base);
            }
            given.iter().for_each(|(name, value)| drop(self.value_or_name(name, *value, Expect::Nothing)));
            return self.broken(span);
        };
        let mut changes: Vec<(u32, hir::Expr)> = Vec::with_capacity(given.len());
        for (name, value) in given {
            match record.fields.iter().position(|field| field.name == name.text) {
                Some(at) => {
                    let value = self.field_value(name, value, &record.fields[at].ty, true);
                    scope = self.meet(&scope, &value.scope, span);
                    changes.push((at as u32, value));
                }
                None => {
                    self.value_or_name(name, value, Expect::Nothing);
                    let names: Vec<&str> = record.fields.iter().map(|field| field.name.as_str()).collect();
                    self.say_unknown_field(&ty, name, &names);
                }
            }
        }
        Self::expr_of(ExprKind::Update(Box::new(base), changes), ty, scope, span)
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
