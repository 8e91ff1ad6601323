//! Which names an item writes down, and so which `use`s and private definitions nobody uses.
//!
//! It goes by names as written, not by what they mean: a name that does not resolve, or a body with errors, must not make
//! what was meant look unused.

use crate::db::{Db, SourceFile, Space};
use crate::diagnostic::{Diagnostic, Place};
use crate::diagnostics::names as say;
use crate::items::{self, Item};
use crate::modules::std_module;
use crate::names::{Module, imports, is_private, name_span};
use ntl_syntax::ast::*;
use rustc_hash::FxHashMap;
use smol_str::SmolStr;
use std::collections::BTreeSet;

/// The names that an item writes down where a value, something to call, a type or a module may stand.
#[salsa::tracked]
pub(crate) fn mentions<'db>(db: &'db dyn Db, item: Item<'db>) -> BTreeSet<SmolStr> {
    let mut found = Mentions(BTreeSet::new());
    match &items::tree_of(db, item).kind {
        ItemKind::Const(decl) => {
            decl.ty.iter().for_each(|ty| found.ty(ty));
            found.expr(&decl.value);
        }
        ItemKind::Type(decl) => found.ty(&decl.ty),
        ItemKind::Callable(callable) => found.callable(callable),
        ItemKind::On(on) => {
            found.expr(&on.trigger);
            found.block(&on.body);
        }
        ItemKind::Test(test) => found.block(&test.body),
        ItemKind::Use(_) | ItemKind::Secret(_) | ItemKind::Error => {}
    }
    found.0
}

/// Warnings for what a file brings in or keeps to itself and does not use.
#[salsa::tracked]
pub(crate) fn unused(db: &dyn Db, file: SourceFile) -> Vec<Diagnostic> {
    if std_module(db, file).is_some() {
        return Vec::new();
    }
    let items = items::items(db, file);
    let mut users: FxHashMap<&SmolStr, u32> = FxHashMap::default();
    for name in items.iter().flat_map(|item| mentions(db, *item)) {
        *users.entry(name).or_default() += 1;
    }
    let imports = imports(db, file);
    let brought = imports.modules.iter().chain(&imports.names);
    let unused_uses = brought
        .filter(|(name, (module, _))| *module != Module::Missing && !users.contains_key(*name))
        .map(|(name, (_, place))| say::unused_use(place.clone(), name));
    let unused_private = items.iter().filter_map(|item| {
        let def = item.def(db);
        let is_kept = matches!(def.space, Space::Callable | Space::Value | Space::Type) && is_private(&def.name);
        if !is_kept {
            return None;
        }
        let by_itself = u32::from(mentions(db, *item).contains(&def.name));
        let by_all = users.get(&def.name).copied().unwrap_or_default();
        (by_all == by_itself).then(|| say::unused_private(Place { def: def.clone(), span: name_span(db, def) }, &def.name))
    });
    unused_uses.chain(unused_private).collect()
}

struct Mentions(BTreeSet<SmolStr>);

impl Mentions {
    fn name(&mut self, name: &Name) {
        if !self.0.contains(&name.text) {
            self.0.insert(name.text.clone());
        }
    }

    fn callable(&mut self, callable: &Callable) {
        for param in &callable.params {
            self.ty(&param.ty);
            param.default.iter().for_each(|default| self.expr(default));
        }
        match &callable.outputs {
            Outputs::None => {}
            Outputs::One(ty) => self.ty(ty),
            Outputs::Named(decls) => decls.iter().flat_map(|decl| &decl.ty).for_each(|ty| self.ty(ty)),
        }
        match &callable.body {
            CallableBody::Expr(expr) => self.expr(expr),
            CallableBody::Block(block) => self.block(block),
            CallableBody::Host | CallableBody::Code(_) | CallableBody::Error => {}
        }
    }

    fn ty(&mut self, ty: &TypeExpr) {
        match &ty.kind {
            TypeKind::Path { module, name, args } => {
                self.name(module.as_ref().unwrap_or(name));
                args.iter().for_each(|arg| self.ty(arg));
            }
            TypeKind::Optional(inner) | TypeKind::Per(inner, _) => self.ty(inner),
            TypeKind::Union(parts) | TypeKind::Tuple(parts) => parts.iter().for_each(|part| self.ty(part)),
            TypeKind::Record(fields) => {
                for field in fields {
                    self.ty(&field.ty);
                    field.default.iter().for_each(|default| self.expr(default));
                }
            }
            TypeKind::Fn(params, result) => {
                params.iter().for_each(|param| self.ty(param));
                self.ty(result);
            }
            TypeKind::Literal(_) | TypeKind::Error => {}
        }
    }

    fn block(&mut self, block: &Block) {
        block.stmts.iter().for_each(|stmt| self.stmt(stmt));
    }

    fn annotations(&mut self, annotations: &[Annotation]) {
        annotations.iter().flat_map(|annotation| annotation.args.iter().flatten()).for_each(|arg| self.arg(arg));
    }

    fn stmt(&mut self, stmt: &Stmt) {
        self.annotations(&stmt.policies);
        match &stmt.kind {
            StmtKind::Bind { pattern, ty, value } => {
                self.pattern(pattern);
                ty.iter().for_each(|ty| self.ty(ty));
                self.expr(value);
            }
            StmtKind::Expr(expr) | StmtKind::Until(expr) | StmtKind::Next(expr) | StmtKind::Assert(expr) => self.expr(expr),
            StmtKind::Require { cond, message } => {
                self.expr(cond);
                message.iter().for_each(|message| self.expr(message));
            }
            StmtKind::Mock { target, value } => {
                self.expr(target);
                self.expr(value);
            }
            StmtKind::Error => {}
        }
    }

    fn pattern(&mut self, pattern: &Pattern) {
        match &pattern.kind {
            PatternKind::Typed(_, ty) => self.ty(ty),
            PatternKind::Tuple(parts) | PatternKind::Or(parts) => parts.iter().for_each(|part| self.pattern(part)),
            PatternKind::Record { fields, .. } => {
                fields.iter().flat_map(|field| &field.pattern).for_each(|pattern| self.pattern(pattern));
            }
            PatternKind::Bind(_) | PatternKind::Wildcard | PatternKind::Literal(_) | PatternKind::Error => {}
        }
    }

    fn arg(&mut self, arg: &Arg) {
        match (&arg.value, &arg.name) {
            (Some(value), _) => self.expr(value),
            (None, Some(name)) => self.name(name),
            (None, None) => {}
        }
    }

    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Literal(_) | ExprKind::Code(_) | ExprKind::Error => {}
            ExprKind::Name(name) => self.name(name),
            ExprKind::Str(parts) => {
                for part in parts {
                    if let StrPart::Expr(expr) = part {
                        self.expr(expr);
                    }
                }
            }
            ExprKind::List(items) | ExprKind::Tuple(items) => items.iter().for_each(|item| self.expr(item)),
            ExprKind::Dict(entries) => entries.iter().for_each(|(key, value)| {
                self.expr(key);
                self.expr(value);
            }),
            ExprKind::Record(fields) => {
                for field in fields {
                    match field {
                        RecordField::Spread(value) | RecordField::Field(_, Some(value)) => self.expr(value),
                        RecordField::Field(name, None) => self.name(name),
                    }
                }
            }
            ExprKind::Paren(inner)
            | ExprKind::Field { base: inner, .. }
            | ExprKind::TupleField { base: inner, .. }
            | ExprKind::Unary { operand: inner, .. } => self.expr(inner),
            ExprKind::Index { base: a, index: b }
            | ExprKind::Pipe { value: a, call: b }
            | ExprKind::Binary { left: a, right: b, .. }
            | ExprKind::Range { from: a, to: b, .. } => {
                self.expr(a);
                self.expr(b);
            }
            ExprKind::Call { callee, type_args, args } => {
                self.expr(callee);
                type_args.iter().for_each(|ty| self.ty(ty));
                args.iter().for_each(|arg| self.arg(arg));
            }
            ExprKind::Is { value, ty, .. } | ExprKind::As { value, ty } => {
                self.expr(value);
                self.ty(ty);
            }
            ExprKind::If { cond, then, otherwise } => {
                self.expr(cond);
                self.block(then);
                otherwise.iter().for_each(|otherwise| self.expr(otherwise));
            }
            ExprKind::Match { value, arms } => {
                self.expr(value);
                for arm in arms {
                    self.pattern(&arm.pattern);
                    arm.guard.iter().for_each(|guard| self.expr(guard));
                    self.expr(&arm.body);
                }
            }
            ExprKind::For { clauses, body } => {
                for clause in clauses {
                    clause.patterns.iter().for_each(|pattern| self.pattern(pattern));
                    self.expr(&clause.iter);
                    clause.cond.iter().for_each(|cond| self.expr(cond));
                }
                self.block(body);
            }
            ExprKind::Loop { vars, max, body } => {
                for var in vars {
                    var.ty.iter().for_each(|ty| self.ty(ty));
                    self.expr(&var.init);
                }
                max.iter().for_each(|max| self.expr(max));
                self.block(body);
            }
            ExprKind::Try { body, handler, .. } => {
                self.expr(body);
                self.expr(handler);
            }
            ExprKind::Seq(block) | ExprKind::Block(block) => self.block(block),
            ExprKind::Lambda { params, body } => {
                params.iter().for_each(|param| self.pattern(param));
                self.expr(body);
            }
        }
    }
}
