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

/// The names that an item writes down.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Mentions {
    /// Where a value, something to call or a module may stand.
    pub(crate) names: BTreeSet<SmolStr>,
    /// Where a type stands, without a module before it.
    types: BTreeSet<SmolStr>,
}

/// The names that an item writes down.
#[salsa::tracked]
pub(crate) fn mentions<'db>(db: &'db dyn Db, item: Item<'db>) -> Mentions {
    let mut found = Mentions::default();
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
    found
}

/// Warnings for what a file brings in or keeps to itself and does not use.
#[salsa::tracked]
pub(crate) fn unused(db: &dyn Db, file: SourceFile) -> Vec<Diagnostic> {
    if std_module(db, file).is_some() {
        return Vec::new();
    }
    let items = items::items(db, file);
    let mut names: FxHashMap<&SmolStr, u32> = FxHashMap::default();
    let mut all: FxHashMap<&SmolStr, u32> = FxHashMap::default();
    for mentions in items.iter().map(|item| mentions(db, *item)) {
        mentions.names.iter().for_each(|name| *names.entry(name).or_default() += 1);
        mentions.names.union(&mentions.types).for_each(|name| *all.entry(name).or_default() += 1);
    }
    let imports = imports(db, file);
    let tell = |(name, (_, place)): (&SmolStr, &(Module, Place))| say::unused_use(place.clone(), name);
    let is_there = |(_, (module, _)): &(&SmolStr, &(Module, Place))| *module != Module::Missing;
    let modules = imports.modules.iter().filter(is_there).filter(|(name, _)| !names.contains_key(*name)).map(tell);
    let taken = imports.names.iter().filter(is_there).filter(|(name, _)| !all.contains_key(*name)).map(tell);
    let private = items.iter().filter_map(|item| {
        let def = item.def(db);
        if !is_private(&def.name) || !matches!(def.space, Space::Callable | Space::Value | Space::Type) {
            return None;
        }
        let own = mentions(db, *item);
        let by_itself = u32::from(own.names.contains(&def.name) || own.types.contains(&def.name));
        let by_all = all.get(&def.name).copied().unwrap_or_default();
        let place = || Place { def: def.clone(), span: name_span(db, def) };
        (by_all == by_itself).then(|| say::unused_private(place(), &def.name))
    });
    modules.chain(taken).chain(private).collect()
}

/// Adds a name to a set; most are there already.
fn note(set: &mut BTreeSet<SmolStr>, name: &Name) {
    if !set.contains(&name.text) {
        set.insert(name.text.clone());
    }
}

impl Mentions {
    fn name(&mut self, name: &Name) {
        note(&mut self.names, name);
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
                match module {
                    Some(module) => self.name(module),
                    None => note(&mut self.types, name),
                }
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
            StmtKind::Expr(expr) | StmtKind::Until(expr) | StmtKind::Next(expr) | StmtKind::Assert(expr) => {
                self.expr(expr)
            }
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
