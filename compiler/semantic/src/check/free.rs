//! The names that a tree takes from outside: what a binding waits for.

use crate::check::deep;
use ntl_syntax::ast::{Arg, Block, Expr, ExprKind, Name, Pattern, PatternKind, RecordField, Stmt, StmtKind, StrPart};
use rustc_hash::FxHashMap;

/// Calls `found` with every name of a value that `stmt` takes from outside itself. Names of what is called are not
/// values and are left out.
pub(super) fn of_stmt<'a>(stmt: &'a Stmt, found: &mut dyn FnMut(&'a Name)) {
    Walk { hidden: FxHashMap::default(), found }.stmt(stmt);
}

/// Calls `found` with every name that a pattern binds.
pub(super) fn bound_by<'a>(pattern: &'a Pattern, found: &mut dyn FnMut(&'a Name)) {
    match &pattern.kind {
        PatternKind::Bind(name) | PatternKind::Typed(name, _) => found(name),
        PatternKind::Tuple(items) | PatternKind::Or(items) => {
            items.iter().for_each(|item| deep(|| bound_by(item, found)));
        }
        PatternKind::Record { fields, .. } => {
            for field in fields {
                match &field.pattern {
                    Some(pattern) => deep(|| bound_by(pattern, found)),
                    None => found(&field.name),
                }
            }
        }
        PatternKind::Wildcard | PatternKind::Literal(_) | PatternKind::Error => {}
    }
}

struct Walk<'a, 'f> {
    /// How many enclosing bodies bind a name.
    hidden: FxHashMap<&'a str, u32>,
    found: &'f mut dyn FnMut(&'a Name),
}

impl<'a> Walk<'a, '_> {
    /// Walks with the names of some patterns hidden.
    fn within(&mut self, patterns: &[&'a Pattern], walk: impl FnOnce(&mut Self)) {
        let mut names: Vec<&'a str> = Vec::new();
        patterns.iter().for_each(|pattern| bound_by(pattern, &mut |name| names.push(&name.text)));
        self.hiding(&names, walk);
    }

    fn hiding(&mut self, names: &[&'a str], walk: impl FnOnce(&mut Self)) {
        names.iter().for_each(|name| *self.hidden.entry(name).or_default() += 1);
        walk(self);
        for name in names {
            if let Some(count) = self.hidden.get_mut(name) {
                *count -= 1;
            }
        }
    }

    fn name(&mut self, name: &'a Name) {
        if self.hidden.get(name.text.as_str()).is_none_or(|count| *count == 0) {
            (self.found)(name);
        }
    }

    fn block(&mut self, block: &'a Block) {
        let mut names: Vec<&'a str> = Vec::new();
        for stmt in &block.stmts {
            if let StmtKind::Bind { pattern, .. } = &stmt.kind {
                bound_by(pattern, &mut |name| names.push(&name.text));
            }
        }
        self.hiding(&names, |walk| block.stmts.iter().for_each(|stmt| walk.stmt(stmt)));
    }

    fn stmt(&mut self, stmt: &'a Stmt) {
        match &stmt.kind {
            StmtKind::Bind { value, .. } => self.expr(value),
            StmtKind::Expr(expr) | StmtKind::Until(expr) | StmtKind::Next(expr) | StmtKind::Assert(expr) => {
                self.expr(expr);
            }
            StmtKind::Require { cond, message } => {
                self.expr(cond);
                message.iter().for_each(|message| self.expr(message));
            }
            StmtKind::Mock { value, .. } => self.expr(value),
            StmtKind::Error => {}
        }
    }

    fn args(&mut self, args: &'a [Arg]) {
        for arg in args {
            match (&arg.value, &arg.name) {
                (Some(value), _) => self.expr(value),
                (None, Some(name)) => self.name(name),
                (None, None) => {}
            }
        }
    }

    fn expr(&mut self, expr: &'a Expr) {
        deep(|| self.expr_kind(expr));
    }

    fn expr_kind(&mut self, expr: &'a Expr) {
        match &expr.kind {
            ExprKind::Literal(_) | ExprKind::Code(_) | ExprKind::Error => {}
            ExprKind::Str(parts) => {
                for part in parts {
                    if let StrPart::Expr(expr) = part {
                        self.expr(expr);
                    }
                }
            }
            ExprKind::Name(name) => self.name(name),
            ExprKind::List(items) | ExprKind::Tuple(items) => items.iter().for_each(|item| self.expr(item)),
            ExprKind::Dict(entries) => {
                for (key, value) in entries {
                    self.expr(key);
                    self.expr(value);
                }
            }
            ExprKind::Record(fields) => {
                for field in fields {
                    match field {
                        RecordField::Spread(value) | RecordField::Field(_, Some(value)) => self.expr(value),
                        RecordField::Field(name, None) => self.name(name),
                    }
                }
            }
            ExprKind::Paren(inner) => self.expr(inner),
            ExprKind::Field { base, .. } | ExprKind::TupleField { base, .. } => self.expr(base),
            ExprKind::Index { base, index } => {
                self.expr(base);
                self.expr(index);
            }
            ExprKind::Call { callee, args, .. } => {
                if !matches!(callee.kind, ExprKind::Name(_)) {
                    self.expr(callee);
                }
                self.args(args);
            }
            ExprKind::Pipe { value, call } => {
                self.expr(value);
                self.expr(call);
            }
            ExprKind::Unary { operand, .. } => self.expr(operand),
            ExprKind::Binary { left, right, .. } => {
                self.expr(left);
                self.expr(right);
            }
            ExprKind::Range { from, to, .. } => {
                self.expr(from);
                self.expr(to);
            }
            ExprKind::Is { value, .. } | ExprKind::As { value, .. } => self.expr(value),
            ExprKind::If { cond, then, otherwise } => {
                self.expr(cond);
                self.block(then);
                otherwise.iter().for_each(|otherwise| self.expr(otherwise));
            }
            ExprKind::Match { value, arms } => {
                self.expr(value);
                for arm in arms {
                    self.within(&[&arm.pattern], |walk| {
                        arm.guard.iter().for_each(|guard| walk.expr(guard));
                        walk.expr(&arm.body);
                    });
                }
            }
            ExprKind::For { clauses, body } => self.clauses(clauses, body),
            ExprKind::Loop { vars, max, body } => {
                vars.iter().for_each(|var| self.expr(&var.init));
                max.iter().for_each(|max| self.expr(max));
                let names: Vec<&'a str> = vars.iter().map(|var| var.name.text.as_str()).collect();
                self.hiding(&names, |walk| walk.block(body));
            }
            ExprKind::Try { body, binding, handler } => {
                self.expr(body);
                let names: Vec<&'a str> = binding.iter().map(|name| name.text.as_str()).collect();
                self.hiding(&names, |walk| walk.expr(handler));
            }
            ExprKind::Seq(block) | ExprKind::Block(block) => self.block(block),
            ExprKind::Lambda { params, body } => {
                let params: Vec<&'a Pattern> = params.iter().collect();
                self.within(&params, |walk| walk.expr(body));
            }
        }
    }

    fn clauses(&mut self, clauses: &'a [ntl_syntax::ast::ForClause], body: &'a Block) {
        let Some((first, rest)) = clauses.split_first() else { return self.block(body) };
        self.expr(&first.iter);
        let patterns: Vec<&'a Pattern> = first.patterns.iter().collect();
        self.within(&patterns, |walk| {
            first.cond.iter().for_each(|cond| walk.expr(cond));
            deep(|| walk.clauses(rest, body));
        });
    }
}
