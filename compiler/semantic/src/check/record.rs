//! Records: literals, changed copies, constructors.

use super::{
    Checker, Expect, Want,
    argument::{Given, Site, matching},
};
use crate::db::Def;
use crate::hir::{self, ExprKind, Scope};
use crate::ty::{Field, Lit, Record, Type};
use crate::types::{self, members, unfold};
use ntl_syntax::ast::{self, Literal, Name, RecordField, Span};
use smol_str::SmolStr;
use std::sync::Arc;

impl Checker<'_> {
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
        let Some((ty, record)) = expected else { return self.plain_record(&given, span, expect) };
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
    fn plain_record(&mut self, given: &[(&Name, Option<&ast::Expr>)], span: Span, expect: Expect<'_>) -> hir::Expr {
        // What is in a `json` is `json`: `[1, 2.5]` there stays as it is written.
        let is_json = expect.ty().is_some_and(|ty| types::members(self.db, ty).contains(&Type::Json));
        let inner = if is_json { Expect::Hint(&Type::Json) } else { Expect::Nothing };
        let mut scope = Scope::new();
        let mut fields = Vec::with_capacity(given.len());
        let mut values = Vec::with_capacity(given.len());
        for (name, value) in given {
            let value = self.value_or_name(name, *value, inner);
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
            self.say_missing_fields(ty, &missing, span);
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
        let mut is_known = true;
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
                    is_known = false;
                }
            }
        }
        if !is_known {
            return self.broken_quietly(span);
        }
        Self::expr_of(ExprKind::Update(Box::new(base), changes), ty, scope, span)
    }

    /// `Point(x: 1.0)`.
    pub(super) fn construct(&mut self, site: Site<'_>, def: &Def, given: Vec<Given<'_>>) -> hir::Expr {
        let ty = Type::Named(def.clone());
        let Some(record) = types::as_record(self.db, &ty) else { return self.call_nothing(given, site.span) };
        let params: Vec<(SmolStr, bool)> = record
            .fields
            .iter()
            .map(|field| (field.name.clone(), field.has_default || types::is_nullable(self.db, &field.ty)))
            .collect();
        let found = matching(&params, &given);
        let broken = !found.problems.is_empty() || !site.type_args.is_empty();
        if !site.type_args.is_empty() {
            self.say_type_arguments(site, 0, site.type_args.len());
        }
        let types: Vec<Type> = record.fields.iter().map(|field| field.ty.clone()).collect();
        self.say_arguments(site, Some(def), &params, &types, &found.problems, &given);
        let mut given: Vec<Option<Given<'_>>> = given.into_iter().map(Some).collect();
        let mut scope = Scope::new();
        let mut values = Vec::with_capacity(record.fields.len());
        for (at, field) in record.fields.iter().enumerate() {
            let arg = found.slots[at].and_then(|at| given.get_mut(at)).and_then(Option::take);
            let value = match arg {
                Some(arg) => {
                    let want = Want::Field(&field.name);
                    let tree = arg.tree();
                    let value = self.given(arg, Expect::Must(&field.ty, want));
                    self.coerce(value, &field.ty, want, tree)
                }
                None => self.omitted_field(&ty, field, at, site.span),
            };
            scope = self.meet(&scope, &value.scope, site.span);
            values.push(value);
        }
        given.into_iter().flatten().for_each(|arg| self.argument_alone(arg));
        let kind = if broken { ExprKind::Error } else { ExprKind::Record(values) };
        Self::expr_of(kind, ty, scope, site.span)
    }
}
