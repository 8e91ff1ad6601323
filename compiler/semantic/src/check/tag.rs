//! What a comparison with a literal tells of a name or path, and of the record that it is a field of: after
//! `s.kind == "circle"` the value `s` is a record whose `kind` may be that.

use super::Checker;
use super::narrow::{Outcome, Path, Told};
use crate::ty::{Lit, Type};
use crate::types::{self, comparable, unfold};
use ntl_syntax::ast::{self, Literal, StrPart};

impl Checker<'_> {
    /// What `left == right` tells where one of them is a literal.
    pub(super) fn literal_test(&self, left: &ast::Expr, right: &ast::Expr) -> Outcome {
        match (literal(left), literal(right)) {
            (None, Some(lit)) => self.tested(left, &lit),
            (Some(lit), None) => self.tested(right, &lit),
            _ => Outcome::default(),
        }
    }

    /// What it tells that an expression is a literal, and that it is not.
    pub(super) fn tested(&self, expr: &ast::Expr, lit: &Lit) -> Outcome {
        let mut outcome = Outcome::default();
        let Some((path, ty)) = self.path_type(expr) else { return outcome };
        outcome.holds.extend(self.present(expr));
        let lit = Type::Literal(lit.clone());
        let may_be = |ty: &Type| comparable(self.db, ty, &lit);
        let may_not_be = |ty: &Type| types::members(self.db, ty).iter().any(|member| unfold(self.db, member) != lit);
        outcome.holds.extend(self.owner(&path, may_be).map(|(owner, ty)| (owner, types::remove_null(self.db, &ty))));
        outcome.fails.extend(self.owner(&path, may_not_be));
        // What is one literal only may be asked again; a bool alone stays one.
        if types::members(self.db, &ty).len() > 1 {
            outcome.holds.push((path.clone(), types::keep(self.db, &ty, may_be)));
            outcome.fails.push((path, types::keep(self.db, &ty, may_not_be)));
        }
        outcome
    }

    /// What is known of the record that a path is a field of, where the field is of type `ty`.
    pub(super) fn owner_of(&self, path: &Path, ty: &Type) -> Told {
        self.owner(path, |field| comparable(self.db, field, ty)).into_iter().collect()
    }

    /// The record that a path is a field of: the members whose field may be so, if that is not every one.
    fn owner(&self, path: &Path, may_be: impl Fn(&Type) -> bool) -> Option<(Path, Type)> {
        let (owner, name) = path.split()?;
        let ty = self.type_of_path(&owner, self.known())?;
        // What is known of the field already leaves less of it.
        let known = self.known().of(path);
        let is_left = |member: &Type| known.is_none_or(|known| comparable(self.db, member, known));
        let kept = types::keep(self.db, &ty, |member| {
            let record = types::as_record(self.db, member);
            let field = record.as_ref().and_then(|record| record.fields.iter().find(|field| field.name == *name));
            field.is_none_or(|field| {
                let left = types::keep(self.db, &field.ty, is_left);
                left != Type::Never && may_be(&left)
            })
        });
        (kept != ty && kept != Type::Never).then_some((owner, kept))
    }
}

fn literal(expr: &ast::Expr) -> Option<Lit> {
    match &expr.kind {
        ast::ExprKind::Paren(inner) => literal(inner),
        ast::ExprKind::Literal(Literal::Int(value)) => Some(Lit::Int(*value)),
        ast::ExprKind::Literal(Literal::Bool(value)) => Some(Lit::Bool(*value)),
        ast::ExprKind::Str(parts) => match parts.as_slice() {
            [] => Some(Lit::Str(Default::default())),
            [StrPart::Text(text)] => Some(Lit::Str(text.clone())),
            _ => None,
        },
        _ => None,
    }
}
