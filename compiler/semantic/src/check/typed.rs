//! Patterns with a type: `n: int`. One matches where `is` holds, and binds what `as` gives.

use super::{Checker, Want, pattern::Bind};
use crate::hir::{self, Pattern as Resolved, Stmt, StmtKind};
use crate::ty::Type;
use crate::types::{self, Conversion, Verdict, fit, join, unfold};
use ntl_syntax::ast::{FieldPattern, Name, Pattern, PatternKind, Span, TypeExpr};

impl<'db> Checker<'db> {
    /// `t: str` of a `match`.
    pub(super) fn typed_pattern(&mut self, name: &Name, written: &TypeExpr, ty: &Type) -> Resolved {
        let wanted = self.written_type(written);
        if types::has_unknown(&wanted) {
            return Resolved::Typed(wanted, Box::new(Resolved::Bind(self.pattern_local(name, Type::Unknown))));
        }
        let mut kept = Type::Never;
        let mut converts = false;
        for member in types::members(self.db, ty) {
            match types::may_be(self.db, &member, &wanted) {
                _ if unfold(self.db, &member) == Type::Unknown => kept = Type::Unknown,
                Verdict::Never => {}
                Verdict::Always if fit(self.db, &member, &wanted) == Ok(Conversion::None) => {
                    kept = join(self.db, &kept, &member);
                }
                // A literal of a base.
                _ if self.is_part(&wanted, &member) => kept = join(self.db, &kept, &wanted),
                _ => converts = true,
            }
        }
        if kept == Type::Never && !converts && *ty != Type::Never {
            self.say_never_matches(&wanted, ty, written.span);
            kept = Type::Unknown;
        }
        if !converts {
            return Resolved::Typed(wanted, Box::new(Resolved::Bind(self.pattern_local(name, kept))));
        }
        let inner = Resolved::Bind(self.pattern_local(name, wanted.clone()));
        Resolved::As(wanted, Box::new(inner))
    }

    /// Whether a type holds some of the values of another as they are, and no more.
    fn is_part(&self, part: &Type, whole: &Type) -> bool {
        !matches!(unfold(self.db, whole), Type::Any | Type::Json) && fit(self.db, part, whole) == Ok(Conversion::None)
    }

    /// `t: str` where every value must match: a binding, `for` or lambda.
    pub(super) fn take_typed(
        &mut self,
        name: &Name,
        written: &TypeExpr,
        value: hir::Expr,
        span: Span,
        bind: Bind<'_, 'db>,
        lets: &mut Vec<Stmt>,
    ) {
        let wanted = self.written_type(written);
        let value = self.coerce(value, &wanted, Want::Written(&name.text), None);
        let id = bind(self, name, wanted, value.scope.clone());
        lets.push(Stmt { policies: Vec::new(), kind: StmtKind::Let(id, value), span });
    }

    /// The parts of a pattern of typed names only, where they are those of a tuple: `(a: int, b: str)` of a value that may
    /// be a pair, and no record.
    pub(super) fn parts_of_tuple(&self, fields: &[FieldPattern], rest: bool, ty: &Type) -> Option<Vec<Pattern>> {
        let is_typed = |field: &FieldPattern| match &field.pattern {
            Some(Pattern { kind: PatternKind::Typed(name, _), .. }) => name.span == field.name.span,
            _ => false,
        };
        if rest || !fields.iter().all(is_typed) {
            return None;
        }
        let members = types::members(self.db, ty);
        let is_pair = |member: &Type| match unfold(self.db, member) {
            Type::Tuple(items) => items.len() == fields.len(),
            _ => false,
        };
        let has_record = members.iter().any(|member| types::as_record(self.db, member).is_some());
        let is_tuple = !has_record && members.iter().any(is_pair);
        is_tuple.then(|| fields.iter().filter_map(|field| field.pattern.clone()).collect())
    }
}
