//! What conditions tell of types: of names and of paths like `p.mass`, where the condition holds and where it does not.

use super::{Checker, Expect, Want};
use crate::hir::{self, ExprKind, LocalId};
use crate::ty::{Lit, Type};
use crate::types::{self, join};
use ntl_syntax::ast::{self, BinaryOp, Literal, Span, UnaryOp};
use rustc_hash::FxHashMap;
use smol_str::SmolStr;

/// A local, or a field of a field … of one. Values never change, so what is known of a path stays true.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Path {
    local: LocalId,
    fields: Vec<SmolStr>,
}

impl Path {
    pub(super) fn local(local: LocalId) -> Self {
        Path { local, fields: Vec::new() }
    }

    /// What the path is a field of, and the field.
    pub(super) fn split(&self) -> Option<(Path, &SmolStr)> {
        let (last, fields) = self.fields.split_last()?;
        Some((Path { local: self.local, fields: fields.to_vec() }, last))
    }
}

/// What is known in addition to the types of locals.
#[derive(Default)]
pub(super) struct Facts {
    known: FxHashMap<Path, Type>,
    /// What was known before, to go back.
    before: Vec<(Path, Option<Type>)>,
}

impl Facts {
    pub(super) fn of(&self, path: &Path) -> Option<&Type> {
        if self.known.is_empty() { None } else { self.known.get(path) }
    }
}

/// What a condition tells: of each path the type that it has.
pub(super) type Told = Vec<(Path, Type)>;

/// What a condition tells where it holds and where it does not.
#[derive(Default)]
pub(super) struct Outcome {
    pub holds: Told,
    pub fails: Told,
}

impl Checker<'_> {
    /// Checks with some facts known.
    pub(super) fn knowing<T>(&mut self, told: &[(Path, Type)], check: impl FnOnce(&mut Self) -> T) -> T {
        let mark = self.facts.before.len();
        self.learn(told);
        let checked = check(self);
        self.forget(mark);
        checked
    }

    /// From now on knows some facts; [`Checker::forget`] goes back to the mark that is given.
    pub(super) fn learn(&mut self, told: &[(Path, Type)]) -> usize {
        let mark = self.facts.before.len();
        for (path, ty) in told {
            let before = self.facts.known.insert(path.clone(), ty.clone());
            self.facts.before.push((path.clone(), before));
        }
        mark
    }

    pub(super) fn forget(&mut self, mark: usize) {
        while self.facts.before.len() > mark
            && let Some((path, before)) = self.facts.before.pop()
        {
            match before {
                Some(ty) => self.facts.known.insert(path, ty),
                None => self.facts.known.remove(&path),
            };
        }
    }

    /// The path that an expression is.
    pub(super) fn path(&self, expr: &ast::Expr) -> Option<Path> {
        let mut fields = Vec::new();
        let mut expr = expr;
        loop {
            match &expr.kind {
                ast::ExprKind::Paren(inner) => expr = inner,
                ast::ExprKind::Field { base, name, .. } => {
                    fields.push(name.text.clone());
                    expr = base;
                }
                ast::ExprKind::Name(name) => {
                    let local = self.sees(&name.text)?;
                    fields.reverse();
                    return Some(Path { local, fields });
                }
                _ => return None,
            }
        }
    }

    /// What is known of the field of a value, if that value is a path.
    pub(super) fn known_field(&self, field: &ast::Expr) -> Option<Type> {
        if self.facts.known.is_empty() {
            return None;
        }
        self.path(field).and_then(|path| self.facts.of(&path).cloned())
    }

    /// A condition, and what it tells. Anything but a bool is told as a mistake.
    pub(super) fn condition_of(&mut self, expr: &ast::Expr, of: &'static str) -> (hir::Expr, Outcome) {
        let (checked, outcome) = self.condition(expr);
        (self.bool(checked, of, expr), outcome)
    }

    fn bool(&mut self, value: hir::Expr, of: &'static str, tree: &ast::Expr) -> hir::Expr {
        self.coerce(value, &Type::Bool, Want::Of(of), Some(tree))
    }

    /// An expression, and what it tells if it is a condition.
    pub(super) fn condition(&mut self, expr: &ast::Expr) -> (hir::Expr, Outcome) {
        super::deep(|| self.condition_kind(expr))
    }

    fn condition_kind(&mut self, expr: &ast::Expr) -> (hir::Expr, Outcome) {
        let span = expr.span;
        match &expr.kind {
            ast::ExprKind::Paren(inner) => self.condition(inner),
            ast::ExprKind::Unary { op: UnaryOp::Not, operand } => {
                let (value, outcome) = self.condition_of(operand, "`not`");
                let scope = value.scope.clone();
                let value = Self::expr_of(ExprKind::Not(Box::new(value)), Type::Bool, scope, span);
                (value, Outcome { holds: outcome.fails, fails: outcome.holds })
            }
            ast::ExprKind::Binary { op: BinaryOp::And, left, right, .. } => self.both(left, right, span),
            ast::ExprKind::Binary { op: BinaryOp::Or, left, right, .. } => self.either(left, right, span),
            ast::ExprKind::Binary { op: op @ (BinaryOp::Eq | BinaryOp::Ne), op_span, left, right } => {
                let value = self.equality(*op, *op_span, left, right, span);
                let mut outcome = self.null_test(left, right);
                let literal = self.literal_test(left, right);
                outcome.holds.extend(literal.holds);
                outcome.fails.extend(literal.fails);
                if *op == BinaryOp::Ne {
                    std::mem::swap(&mut outcome.holds, &mut outcome.fails);
                }
                (value, outcome)
            }
            ast::ExprKind::Is { value, ty, negated } => self.type_test(value, ty, *negated, span),
            _ => (self.expr(expr, Expect::Nothing), self.tested(expr, &Lit::Bool(true))),
        }
    }

    fn both(&mut self, left: &ast::Expr, right: &ast::Expr, span: Span) -> (hir::Expr, Outcome) {
        let (first, one) = self.condition_of(left, "`and`");
        let (second, two) = self.knowing(&one.holds, |this| this.condition_of(right, "`and`"));
        let scope = self.meet(&first.scope, &second.scope, span);
        let value = Self::expr_of(ExprKind::And(Box::new(first), Box::new(second)), Type::Bool, scope, span);
        let fails = self.common(&one.fails, &two.fails);
        (value, Outcome { holds: chained(one.holds, two.holds), fails })
    }

    fn either(&mut self, left: &ast::Expr, right: &ast::Expr, span: Span) -> (hir::Expr, Outcome) {
        let (first, one) = self.condition_of(left, "`or`");
        let (second, two) = self.knowing(&one.fails, |this| this.condition_of(right, "`or`"));
        let scope = self.meet(&first.scope, &second.scope, span);
        let value = Self::expr_of(ExprKind::Or(Box::new(first), Box::new(second)), Type::Bool, scope, span);
        let holds = self.common(&one.holds, &two.holds);
        (value, Outcome { holds, fails: chained(one.fails, two.fails) })
    }

    /// What is known if the one or the other is.
    fn common(&self, one: &Told, two: &Told) -> Told {
        one.iter()
            .filter_map(|(path, ty)| {
                let (_, other) = two.iter().rev().find(|(known, _)| known == path)?;
                Some((path.clone(), join(self.db, ty, other)))
            })
            .collect()
    }

    /// What `left == right` tells where one of them is `null`.
    fn null_test(&mut self, left: &ast::Expr, right: &ast::Expr) -> Outcome {
        let is_null = |expr: &ast::Expr| matches!(expr.kind, ast::ExprKind::Literal(Literal::Null));
        let tested = match (is_null(left), is_null(right)) {
            (false, true) => left,
            (true, false) => right,
            _ => return Outcome::default(),
        };
        let mut outcome = Outcome::default();
        if let Some((path, ty)) = self.path_type(tested) {
            outcome.holds.push((path.clone(), Type::Null));
            outcome.fails.push((path, types::remove_null(self.db, &ty)));
        }
        outcome.fails.extend(self.present(tested));
        outcome
    }

    /// What it tells that `a?.b` is not null: neither is `a`.
    pub(super) fn present(&self, expr: &ast::Expr) -> Told {
        let (mut told, mut inner) = (Told::new(), expr);
        loop {
            match &inner.kind {
                ast::ExprKind::Paren(expr) => inner = expr,
                ast::ExprKind::Field { base, optional, .. } => {
                    if *optional && let Some((path, ty)) = self.path_type(base) {
                        told.push((path, types::remove_null(self.db, &ty)));
                    }
                    inner = base;
                }
                _ => return told,
            }
        }
    }

    /// The path that an expression is, and the type that is known of it.
    pub(super) fn path_type(&self, expr: &ast::Expr) -> Option<(Path, Type)> {
        let path = self.path(expr)?;
        let ty = self.type_of_path(&path, &self.facts)?;
        Some((path, ty))
    }

    /// The type of a path where nothing more is known of it.
    pub(super) fn declared(&self, expr: &ast::Expr) -> Option<Type> {
        self.path(expr).and_then(|path| self.type_of_path(&path, &Facts::default()))
    }

    pub(super) fn known(&self) -> &Facts {
        &self.facts
    }

    pub(super) fn type_of_path(&self, path: &Path, facts: &Facts) -> Option<Type> {
        let mut at = Path::local(path.local);
        let mut ty = facts.of(&at).unwrap_or(&self.local_of(path.local).ty).clone();
        for field in &path.fields {
            at.fields.push(field.clone());
            ty = match facts.of(&at) {
                Some(known) => known.clone(),
                None => {
                    let records = types::members(self.db, &ty);
                    let mut found = Type::Never;
                    for member in records.iter().filter(|ty| types::unfold(self.db, ty) != Type::Null) {
                        let record = types::as_record(self.db, member)?;
                        let field = record.fields.iter().find(|candidate| candidate.name == *field)?;
                        found = join(self.db, &found, &field.ty);
                    }
                    found
                }
            };
        }
        Some(ty)
    }

    fn type_test(
        &mut self,
        value: &ast::Expr,
        written: &ast::TypeExpr,
        negated: bool,
        span: Span,
    ) -> (hir::Expr, Outcome) {
        let ty = self.written_type(written);
        let checked = self.expr(value, Expect::Nothing);
        if types::may_be(self.db, &checked.ty, &ty) == types::Verdict::Never {
            self.say_never_is(&checked, &ty, written.span);
        }
        let mut outcome = Outcome::default();
        if let Some(path) = self.path(value) {
            outcome.holds.push((path.clone(), types::keep_is(self.db, &checked.ty, &ty, true)));
            outcome.fails.push((path, types::keep_is(self.db, &checked.ty, &ty, false)));
        }
        let scope = checked.scope.clone();
        let test = Self::expr_of(ExprKind::Is(Box::new(checked), ty), Type::Bool, scope.clone(), span);
        if !negated {
            return (test, outcome);
        }
        let value = Self::expr_of(ExprKind::Not(Box::new(test)), Type::Bool, scope, span);
        (value, Outcome { holds: outcome.fails, fails: outcome.holds })
    }

    /// What is known of what a `match` looks at, in an arm where it is of type `ty`.
    pub(super) fn matched(&self, value: &ast::Expr, ty: &Type) -> Told {
        let Some(path) = self.path(value) else { return Told::new() };
        let mut told = self.owner_of(&path, ty);
        told.push((path, ty.clone()));
        told
    }
}

/// Both are known; the second was found knowing the first.
fn chained(mut one: Told, two: Told) -> Told {
    one.extend(two);
    one
}
