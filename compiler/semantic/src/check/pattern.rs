//! Patterns: what takes a value apart, and what tells values apart.

use super::{Checker, exhaust, literal::const_of};
use crate::hir::{self, Const, ExprKind, LocalId, LocalKind, Pattern as Resolved, Scope, Stmt, StmtKind};
use crate::ty::{Lit, Record, Type};
use crate::types::{self, comparable, join, unfold};
use ntl_syntax::ast::{FieldPattern, Literal, Name, Pattern, PatternKind, Span};
use rustc_hash::FxHashMap;
use smol_str::SmolStr;
use std::sync::Arc;

/// Makes the local that a name of a pattern is bound to.
pub(super) type Bind<'f, 'db> = &'f mut dyn FnMut(&mut Checker<'db>, &Name, Type, Scope) -> LocalId;

impl<'db> Checker<'db> {
    /// Tells names that patterns bind twice; those of alternatives are told as such.
    pub(super) fn once_bound<'p>(&mut self, patterns: impl Iterator<Item = &'p Pattern>) {
        let mut seen: FxHashMap<&str, Span> = FxHashMap::default();
        let mut twice: Vec<(&Name, Span)> = Vec::new();
        for pattern in patterns.filter(|pattern| !has(pattern, &|kind| matches!(kind, PatternKind::Or(_)))) {
            super::free::bound_by(pattern, &mut |name| match seen.get(name.text.as_str()) {
                Some(first) => twice.push((name, *first)),
                None => drop(seen.insert(&name.text, name.span)),
            });
        }
        twice.into_iter().for_each(|(name, first)| self.say_bound_twice(name, first, false));
    }

    /// Takes a value apart that always matches: in a binding, `for` or lambda. `value` is a local, or a part of one.
    pub(super) fn take_apart(
        &mut self,
        pattern: &Pattern,
        value: hir::Expr,
        bind: Bind<'_, 'db>,
        lets: &mut Vec<Stmt>,
    ) {
        super::deep(|| match &pattern.kind {
            PatternKind::Wildcard => {}
            PatternKind::Bind(name) => {
                let id = bind(self, name, value.ty.clone(), value.scope.clone());
                lets.push(Stmt { policies: Vec::new(), kind: StmtKind::Let(id, value), span: pattern.span });
            }
            PatternKind::Tuple(items) => self.take_tuple(items, value, pattern.span, bind, lets),
            PatternKind::Record { fields, rest } => match self.parts_of_tuple(fields, *rest, &value.ty) {
                Some(items) => self.take_tuple(&items, value, pattern.span, bind, lets),
                None => self.take_record(fields, value, pattern.span, bind, lets),
            },
            PatternKind::Typed(name, ty) => self.take_typed(name, ty, value, pattern.span, bind, lets),
            PatternKind::Literal(_) | PatternKind::Or(_) => {
                self.say_refutable(pattern.span);
                self.bind_unknown(pattern, bind);
            }
            PatternKind::Error => {
                self.doing.failed = true;
                self.bind_unknown(pattern, bind);
            }
        });
    }

    fn bind_unknown(&mut self, pattern: &Pattern, bind: Bind<'_, 'db>) {
        let mut names: Vec<Name> = Vec::new();
        super::free::bound_by(pattern, &mut |name| names.push(name.clone()));
        for name in names {
            bind(self, &name, Type::Unknown, Scope::new());
        }
    }

    fn take_tuple(
        &mut self,
        items: &[Pattern],
        value: hir::Expr,
        span: Span,
        bind: Bind<'_, 'db>,
        lets: &mut Vec<Stmt>,
    ) {
        match unfold(self.db, &value.ty) {
            Type::Tuple(types) if types.len() == items.len() => {
                for (at, (item, ty)) in items.iter().zip(types.iter()).enumerate() {
                    let part = self.part(value.clone(), at, ty.clone());
                    self.take_apart(item, part, bind, lets);
                }
            }
            ty => {
                if !matches!(ty, Type::Unknown | Type::Never) {
                    self.say_not_this_tuple(&value, items.len(), span);
                }
                self.doing.failed = true;
                items.iter().for_each(|item| self.bind_unknown(item, bind));
            }
        }
    }

    fn take_record(
        &mut self,
        fields: &[FieldPattern],
        value: hir::Expr,
        span: Span,
        bind: Bind<'_, 'db>,
        lets: &mut Vec<Stmt>,
    ) {
        let record = types::as_record(self.db, &value.ty);
        if record.is_none() && !matches!(unfold(self.db, &value.ty), Type::Unknown | Type::Never) {
            self.say_not_a_record(&value, span);
        }
        self.doing.failed |= record.is_none();
        for field in fields {
            let inner = Pattern { kind: PatternKind::Bind(field.name.clone()), span: field.name.span };
            let inner = field.pattern.as_ref().unwrap_or(&inner);
            let Some(record) = &record else {
                self.bind_unknown(inner, bind);
                continue;
            };
            match record.fields.iter().position(|known| known.name == field.name.text) {
                Some(at) => {
                    let part = self.part(value.clone(), at, record.fields[at].ty.clone());
                    self.take_apart(inner, part, bind, lets);
                }
                None => {
                    let names: Vec<&str> = record.fields.iter().map(|field| field.name.as_str()).collect();
                    self.say_unknown_field(&value.ty, &field.name, &names);
                    self.bind_unknown(inner, bind);
                }
            }
        }
    }

    /// A pattern of a `match` on a value of type `ty`; its names come in sight.
    pub(super) fn match_pattern(&mut self, pattern: &Pattern, ty: &Type) -> Resolved {
        super::deep(|| match &pattern.kind {
            PatternKind::Wildcard => Resolved::Wildcard,
            PatternKind::Bind(name) => {
                self.warn_hidden_const(name);
                Resolved::Bind(self.pattern_local(name, ty.clone()))
            }
            PatternKind::Literal(literal) => self.literal_pattern(literal, ty, pattern.span),
            PatternKind::Typed(name, written) => self.typed_pattern(name, written, ty),
            PatternKind::Tuple(items) => self.tuple_pattern(items, ty, pattern.span),
            PatternKind::Record { fields, rest } => match self.parts_of_tuple(fields, *rest, ty) {
                Some(items) => self.tuple_pattern(&items, ty, pattern.span),
                None => self.record_pattern(fields, *rest, ty, pattern.span),
            },
            PatternKind::Or(all) => {
                let mut bound = Vec::new();
                super::free::bound_by(pattern, &mut |name| bound.push(name.clone()));
                if let Some(name) = bound.first() {
                    self.say_bound_in_or(name);
                }
                Resolved::Or(all.iter().map(|one| self.match_pattern(one, ty)).collect())
            }
            PatternKind::Error => {
                self.doing.failed = true;
                Resolved::Wildcard
            }
        })
    }

    pub(super) fn pattern_local(&mut self, name: &Name, ty: Type) -> LocalId {
        let id = self.local(&name.text, ty, Scope::new(), name.span, LocalKind::Variable);
        self.enter(name, id);
        id
    }

    fn literal_pattern(&mut self, literal: &Literal, ty: &Type, span: Span) -> Resolved {
        let value = self.constant(const_of(literal), span);
        if !comparable(self.db, &value.ty, ty) {
            self.say_never_matches(&value.ty, ty, span);
        }
        Resolved::Const(match value.kind {
            ExprKind::Const(value) => value,
            _ => Const::Null,
        })
    }

    fn tuple_pattern(&mut self, items: &[Pattern], ty: &Type, span: Span) -> Resolved {
        let mut types: Vec<Type> = vec![Type::Never; items.len()];
        let mut found = false;
        let mut is_open = false;
        for member in types::members(self.db, ty) {
            match unfold(self.db, &member) {
                Type::Tuple(all) if all.len() == items.len() => {
                    found = true;
                    for (known, ty) in types.iter_mut().zip(all.iter()) {
                        *known = join(self.db, known, ty);
                    }
                }
                Type::Unknown | Type::Never => is_open = true,
                _ => {}
            }
        }
        if !found {
            if !is_open {
                self.say_no_tuple_pattern(ty, items.len(), span);
            }
            self.doing.failed = true;
            types = vec![Type::Unknown; items.len()];
        }
        Resolved::Tuple(items.iter().zip(&types).map(|(item, ty)| self.match_pattern(item, ty)).collect())
    }

    fn record_pattern(&mut self, fields: &[FieldPattern], rest: bool, ty: &Type, span: Span) -> Resolved {
        let all: Vec<Arc<Record>> =
            types::members(self.db, ty).iter().filter_map(|member| types::as_record(self.db, member)).collect();
        let agreeing: Vec<&Arc<Record>> = all.iter().filter(|record| self.agrees(record, fields)).collect();
        let named: Vec<&Arc<Record>> = agreeing
            .iter()
            .copied()
            .filter(|record| {
                fields.iter().all(|field| record.fields.iter().any(|known| known.name == field.name.text))
                    && (rest || record.fields.len() == fields.len())
            })
            .collect();
        if named.is_empty() {
            self.doing.failed = true;
            if !types::has_unknown(&unfold(self.db, ty)) && *ty != Type::Never {
                self.say_no_record_pattern(ty, &all, &agreeing, fields, span);
            }
        }
        let mut seen: FxHashMap<&str, Span> = FxHashMap::default();
        let mut resolved: Vec<(SmolStr, Resolved)> = Vec::with_capacity(fields.len());
        for field in fields {
            if let Some(first) = seen.insert(&field.name.text, field.name.span) {
                self.say_field_twice(&field.name, first);
            }
            let of = |record: &&Arc<Record>| {
                record.fields.iter().find(|known| known.name == field.name.text).map(|known| known.ty.clone())
            };
            let ty = match named.is_empty() {
                true => Type::Unknown,
                false => named.iter().filter_map(of).fold(Type::Never, |known, ty| join(self.db, &known, &ty)),
            };
            let inner = match &field.pattern {
                Some(pattern) => self.match_pattern(pattern, &ty),
                None => Resolved::Bind(self.pattern_local(&field.name, ty)),
            };
            resolved.push((field.name.text.clone(), inner));
        }
        Resolved::Record(resolved)
    }

    /// Whether the literals of a record pattern may be those of a record's literal fields.
    fn agrees(&self, record: &Record, fields: &[FieldPattern]) -> bool {
        fields.iter().all(|field| {
            let known = record.fields.iter().find(|known| known.name == field.name.text);
            let literal = match field.pattern.as_ref().map(|pattern| &pattern.kind) {
                Some(PatternKind::Literal(Literal::Str(text))) => Lit::Str(text.clone()),
                Some(PatternKind::Literal(Literal::Int(value))) => Lit::Int(*value),
                Some(PatternKind::Literal(Literal::Bool(value))) => Lit::Bool(*value),
                _ => return true,
            };
            known.is_none_or(|known| comparable(self.db, &known.ty, &Type::Literal(literal)))
        })
    }

    /// The type of a matched value where a pattern matches.
    pub(super) fn matching_part(&self, ty: &Type, pattern: &Resolved) -> Type {
        let members = self.apart(ty);
        let kept: Vec<Type> =
            members.iter().filter(|member| exhaust::accepts(self.db, pattern, member)).cloned().collect();
        if kept.len() == members.len() { ty.clone() } else { of_members(kept) }
    }

    /// The type of a matched value where a pattern has not matched.
    pub(super) fn remaining_part(&self, ty: &Type, pattern: &Resolved) -> Type {
        let members = self.apart(ty);
        let mut changed = false;
        let mut kept: Vec<Type> = Vec::with_capacity(members.len());
        for member in &members {
            if exhaust::covers(self.db, pattern, member) {
                changed = true;
            } else if let Some(smaller) = self.remaining_parts(member, pattern) {
                changed = true;
                kept.push(smaller);
            } else {
                kept.push(member.clone());
            }
        }
        if changed { of_members(kept) } else { ty.clone() }
    }

    /// The members of a type, of bools each of the two.
    fn apart(&self, ty: &Type) -> Vec<Type> {
        let two = || [true, false].map(|value| Type::Literal(Lit::Bool(value)));
        let members = types::members(self.db, ty).into_iter();
        members.flat_map(|member| if member == Type::Bool { two().to_vec() } else { vec![member] }).collect()
    }

    /// Where a tuple or record is told by one of its parts alone, what that part may be if it has not matched.
    fn remaining_parts(&self, ty: &Type, pattern: &Resolved) -> Option<Type> {
        let covers = |pattern: &Resolved, ty: &Type| {
            types::members(self.db, ty).iter().all(|member| exhaust::covers(self.db, pattern, member))
        };
        let smaller = |pattern: &Resolved, ty: &Type| {
            let left = self.remaining_part(ty, pattern);
            (left != *ty).then_some(left)
        };
        match (pattern, unfold(self.db, ty)) {
            (Resolved::Tuple(items), Type::Tuple(types)) if items.len() == types.len() => {
                let mut open = (0..items.len()).filter(|at| !covers(&items[*at], &types[*at]));
                let (at, None) = (open.next()?, open.next()) else { return None };
                let mut types = types.to_vec();
                types[at] = smaller(&items[at], &types[at])?;
                Some(Type::Tuple(types.into()))
            }
            (Resolved::Record(fields), Type::Record(record)) => {
                let place = |name: &SmolStr| record.fields.iter().position(|field| field.name == *name);
                let mut open = fields
                    .iter()
                    .filter_map(|(name, pattern)| Some((place(name)?, pattern)))
                    .filter(|(at, pattern)| !covers(pattern, &record.fields[*at].ty));
                let ((at, pattern), None) = (open.next()?, open.next()) else { return None };
                let ty = smaller(pattern, &record.fields[at].ty)?;
                let mut record = Record::clone(&record);
                record.fields[at].ty = ty;
                Some(Type::Record(Arc::new(record)))
            }
            _ => None,
        }
    }
}

/// Whether a pattern is of a kind, or a part of it is.
pub(super) fn has(pattern: &Pattern, is: &dyn Fn(&PatternKind) -> bool) -> bool {
    let mut parts = match &pattern.kind {
        kind if is(kind) => return true,
        PatternKind::Tuple(items) | PatternKind::Or(items) => items.iter().collect::<Vec<_>>(),
        PatternKind::Record { fields, .. } => fields.iter().filter_map(|field| field.pattern.as_ref()).collect(),
        _ => return false,
    }
    .into_iter();
    parts.any(|part| super::deep(|| has(part, is)))
}

/// A union of members of a union.
fn of_members(mut members: Vec<Type>) -> Type {
    match members.len() {
        0 => Type::Never,
        1 => members.swap_remove(0),
        _ => Type::Union(members.into()),
    }
}
