//! Expressions, blocks and statements.

use super::{doc::Doc, printer::*};
use crate::ast::*;

/// Characters of a short str.
const SHORT: usize = 20;

impl<'a> Printer<'a> {
    pub(super) fn expr(&mut self, expr: &'a Expr) -> Doc {
        self.expr_indented(expr, INDENT)
    }

    /// An expression in the head of a construct: where it is a chain, it goes further right than the body below it.
    fn in_head(&mut self, expr: &'a Expr) -> Doc {
        self.expr_indented(expr, 2 * INDENT)
    }

    /// An expression; where it is a chain, its lines are further right by `indent`.
    fn expr_indented(&mut self, expr: &'a Expr, indent: usize) -> Doc {
        match &expr.kind {
            ExprKind::Literal(_) => self.literal(),
            ExprKind::Str(_) | ExprKind::Error => self.verbatim(expr.span),
            ExprKind::Code(_) => self.code(),
            ExprKind::Name(_) => self.token(),
            ExprKind::List(items) => {
                let breaks = if items.iter().all(is_short_literal) { Breaks::Lines } else { Breaks::Each };
                let mut items = items.iter();
                self.list(breaks, |p| p.next(&mut items, Self::expr))
            }
            ExprKind::Tuple(items) => {
                let mut items = items.iter();
                self.list(Breaks::Each, |p| p.next(&mut items, Self::expr))
            }
            ExprKind::Dict(entries) if entries.is_empty() => {
                let parts = [self.token(), self.token(), self.token()];
                self.docs.concat(&parts)
            }
            ExprKind::Dict(entries) => {
                let mut entries = entries.iter();
                self.list(Breaks::Each, |p| {
                    p.next(&mut entries, |p, (key, value)| p.labelled(|p| p.expr(key), Some(value)))
                })
            }
            ExprKind::Record(fields) => {
                let mut fields = fields.iter();
                self.list(Breaks::Each, |p| p.next(&mut fields, Self::record_field))
            }
            ExprKind::Paren(inner) => self.paren(inner),
            ExprKind::Field { .. } | ExprKind::TupleField { .. } | ExprKind::Index { .. } | ExprKind::Call { .. } => {
                self.postfix(expr, indent)
            }
            ExprKind::Pipe { .. } | ExprKind::Binary { .. } => self.infix(expr, indent),
            ExprKind::Unary { op, operand } => {
                let op_doc = if *op == UnaryOp::Not { self.word() } else { self.token() };
                let operand = self.expr(operand);
                self.docs.concat(&[op_doc, operand])
            }
            ExprKind::Range { from, to, .. } => {
                let from = self.expr(from);
                // A `?` together with the dots would be another token.
                let operator = if self.last() == "?" { self.spaced() } else { self.token() };
                let parts = [from, operator, self.expr(to)];
                self.docs.concat(&parts)
            }
            ExprKind::Is { value, ty, negated } => {
                let mut parts = vec![self.expr(value), self.spaced()];
                if *negated {
                    parts.push(self.spaced());
                }
                parts.extend([self.docs.space(), self.ty(ty)]);
                self.docs.concat(&parts)
            }
            ExprKind::As { value, ty } => {
                let parts = [self.expr(value), self.spaced(), self.docs.space(), self.ty(ty)];
                self.docs.concat(&parts)
            }
            ExprKind::If { .. } => self.if_else(expr),
            ExprKind::Match { value, arms } => {
                let head = [self.word(), self.in_head(value), self.docs.space()];
                let head = self.docs.concat(&head);
                let mut arms = arms.iter();
                let inside = self.inside(|p| p.next(&mut arms, Self::arm));
                let arms = self.braced(&inside, ", ", ",");
                let arms = self.docs.group(arms);
                self.docs.concat(&[head, arms])
            }
            ExprKind::For { clauses, body } => {
                let mut parts: Vec<_> = clauses.iter().map(|clause| self.for_clause(clause)).collect();
                parts.push(self.block(body));
                self.docs.concat(&parts)
            }
            ExprKind::Loop { vars, max, body } => self.loop_(vars, max.as_deref(), body),
            ExprKind::Try { body, binding, handler } => self.try_(body, binding.is_some(), handler),
            ExprKind::Seq(body) => {
                let parts = [self.word(), self.block(body)];
                self.docs.concat(&parts)
            }
            ExprKind::Block(body) => self.block(body),
            ExprKind::Lambda { params, body } => {
                let params = if self.peek() == "(" {
                    let mut params = params.iter();
                    self.list(Breaks::Each, |p| p.next(&mut params, Self::pattern))
                } else {
                    self.token()
                };
                let parts = [params, self.spaced(), self.docs.space(), self.expr(body)];
                self.docs.concat(&parts)
            }
        }
    }

    /// The next of `items`; where the tree has no more, the next token.
    pub(super) fn next<T>(
        &mut self,
        items: &mut impl Iterator<Item = T>,
        print: impl FnOnce(&mut Self, T) -> Doc,
    ) -> Doc {
        match items.next() {
            Some(item) => print(self, item),
            None => self.token(),
        }
    }

    /// The next token with a space behind it.
    pub(super) fn word(&mut self) -> Doc {
        let parts = [self.token(), self.docs.space()];
        self.docs.concat(&parts)
    }

    /// A language and its fence.
    pub(super) fn code(&mut self) -> Doc {
        let parts = [self.word(), self.token()];
        self.docs.concat(&parts)
    }

    /// `name:`, and a value if there is one.
    pub(super) fn labelled(&mut self, label: impl FnOnce(&mut Self) -> Doc, value: Option<&'a Expr>) -> Doc {
        let mut parts = vec![label(self), self.token()];
        if let Some(value) = value {
            parts.extend([self.docs.space(), self.expr(value)]);
        }
        self.docs.concat(&parts)
    }

    fn record_field(&mut self, field: &'a RecordField) -> Doc {
        match field {
            RecordField::Spread(value) => {
                let parts = [self.token(), self.expr(value)];
                self.docs.concat(&parts)
            }
            RecordField::Field(_, value) => self.labelled(Self::token, value.as_ref()),
        }
    }

    fn arg(&mut self, arg: &'a Arg) -> Doc {
        match (&arg.name, &arg.value) {
            (None, Some(value)) => self.expr(value),
            (_, value) => self.labelled(Self::token, value.as_ref()),
        }
    }

    pub(super) fn args(&mut self, args: &'a [Arg]) -> Doc {
        let hug = args.last().and_then(|arg| arg.value.as_ref()).is_some_and(hugs);
        let mut args = args.iter();
        self.list(if hug { Breaks::Last } else { Breaks::Each }, |p| p.next(&mut args, Self::arg))
    }

    fn paren(&mut self, inner: &'a Expr) -> Doc {
        let parts = [self.token(), self.expr(inner), self.token()];
        if hugs(inner) { self.docs.concat(&parts) } else { self.enclosed(parts) }
    }

    /// A chain of members, elements and calls; broken, each called member begins a line.
    fn postfix(&mut self, expr: &'a Expr, indent: usize) -> Doc {
        let mut links = Vec::new();
        let mut head = expr;
        while let ExprKind::Field { base, .. }
        | ExprKind::TupleField { base, .. }
        | ExprKind::Index { base, .. }
        | ExprKind::Call { callee: base, .. } = &head.kind
        {
            links.push(head);
            head = base;
        }
        links.reverse();

        let mut segments = vec![vec![self.expr(head)]];
        // A module belongs to the call behind it.
        let mut solid = matches!(&head.kind, ExprKind::Name(name) if self.is_module(&name.text));
        let mut was_broken = false;
        for (i, link) in links.iter().enumerate() {
            let is_called = matches!(links.get(i + 1).map(|l| &l.kind), Some(ExprKind::Call { .. }));
            let is_member = matches!(link.kind, ExprKind::Field { .. } | ExprKind::TupleField { .. });
            if is_member && self.on_new_line() {
                if !was_broken {
                    // Up to here the author left the chain on one line.
                    segments = vec![segments.concat()];
                }
                was_broken = true;
                segments.push(Vec::new());
            } else if is_member && is_called && !solid {
                segments.push(Vec::new());
            }
            solid &= !is_member;
            let doc = self.link(link);
            if let Some(segment) = segments.last_mut() {
                segment.push(doc);
            }
        }
        let mut segments = segments.into_iter().map(|parts| self.docs.concat(&parts)).collect::<Vec<_>>();
        let head = segments.remove(0);
        if segments.len() < 2 && !was_broken {
            return segments.iter().fold(head, |head, &segment| self.docs.concat(&[head, segment]));
        }
        let soft = self.docs.soft_line();
        let links: Vec<_> = segments.into_iter().flat_map(|segment| [soft, segment]).collect();
        self.chain(head, &links, was_broken, indent)
    }

    fn link(&mut self, link: &'a Expr) -> Doc {
        let parts = match &link.kind {
            ExprKind::Index { index, .. } => vec![self.token(), self.expr(index), self.token()],
            ExprKind::Call { type_args, args, .. } => {
                let mut parts = Vec::new();
                if !type_args.is_empty() {
                    let mut types = type_args.iter();
                    parts.push(self.solid_list(|p| p.next(&mut types, Self::ty)));
                }
                parts.push(self.args(args));
                parts
            }
            // Together with an int before it, the place in a tuple would be a float.
            ExprKind::TupleField { base, .. } if matches!(base.kind, ExprKind::Literal(Literal::Int(_))) => {
                vec![self.spaced(), self.token()]
            }
            _ => vec![self.token(), self.token()],
        };
        self.docs.concat(&parts)
    }

    /// A chain of operators that bind alike; broken, each begins or ends a line, as the language has it.
    fn infix(&mut self, expr: &'a Expr, indent: usize) -> Doc {
        let level = Level::of(expr);
        let mut operands = Vec::new();
        let mut head = expr;
        loop {
            match &head.kind {
                _ if Level::of(head) != level => break,
                ExprKind::Pipe { value: left, call: right } | ExprKind::Binary { left, right, .. } => {
                    operands.push((head, &**right));
                    head = left;
                }
                _ => break,
            }
        }
        let head = self.expr(head);
        let (line, space) = (self.docs.line(), self.docs.space());
        let mut was_broken = false;
        let mut links = Vec::new();
        for (operation, right) in operands.into_iter().rev() {
            was_broken |= self.on_new_line();
            let mut operator = vec![self.token()];
            if matches!(operation.kind, ExprKind::Binary { op: BinaryOp::NotIn, .. }) {
                operator.push(self.spaced());
            }
            was_broken |= self.on_new_line();
            let (before, behind) = if level.leads() { (line, space) } else { (space, line) };
            links.push(before);
            links.extend(operator);
            links.extend([behind, self.expr(right)]);
        }
        self.chain(head, &links, was_broken, indent)
    }

    /// `if` with all its branches: they break together.
    fn if_else(&mut self, expr: &'a Expr) -> Doc {
        let mut heads = Vec::new();
        let mut branches = Vec::new();
        let mut next = Some(expr);
        while let Some(expr) = next {
            let block = match &expr.kind {
                ExprKind::If { cond, then, otherwise } => {
                    next = otherwise.as_deref();
                    let head = [self.word(), self.in_head(cond), self.docs.space()];
                    // The first head is no part of the group, so that it may break without the branches.
                    if branches.is_empty() {
                        heads.extend(head)
                    } else {
                        branches.extend(head)
                    };
                    then
                }
                ExprKind::Block(block) => {
                    next = None;
                    block
                }
                _ => break,
            };
            branches.push(self.ungrouped_block(block));
            if next.is_some() {
                branches.extend([self.spaced(), self.docs.space()]);
            }
        }
        let branches = self.docs.concat(&branches);
        heads.push(self.docs.group(branches));
        self.docs.concat(&heads)
    }

    fn arm(&mut self, arm: &'a Arm) -> Doc {
        let mut parts = vec![self.pattern(&arm.pattern)];
        if let Some(guard) = &arm.guard {
            parts.extend([self.spaced(), self.docs.space(), self.expr(guard)]);
        }
        parts.extend([self.spaced(), self.right_side(&arm.body)]);
        self.docs.concat(&parts)
    }

    fn for_clause(&mut self, clause: &'a ForClause) -> Doc {
        let mut parts = vec![self.word()];
        for (i, pattern) in clause.patterns.iter().enumerate() {
            if i > 0 {
                parts.push(self.word());
            }
            parts.push(self.pattern(pattern));
        }
        parts.extend([self.spaced(), self.docs.space(), self.in_head(&clause.iter), self.docs.space()]);
        if let Some(cond) = &clause.cond {
            parts.extend([self.word(), self.in_head(cond), self.docs.space()]);
        }
        self.docs.concat(&parts)
    }

    fn loop_(&mut self, vars: &'a [LoopVar], max: Option<&'a Expr>, body: &'a Block) -> Doc {
        let keyword = self.word();
        let (comma, line) = (self.docs.text(","), self.docs.line());
        let mut vars = vars.iter();
        let mut was_broken = false;
        let mut parts = Vec::new();
        while self.peek() != "{" {
            if !parts.is_empty() {
                was_broken |= self.on_new_line();
                parts.extend([comma, line]);
            }
            match max {
                Some(max) if self.peek() == "max" && self.peek_second() == ":" => {
                    parts.push(self.labelled(Self::token, Some(max)));
                }
                _ => parts.push(self.next(&mut vars, Self::loop_var)),
            }
            self.skip(",");
        }
        let head = self.docs.concat(&parts);
        let head = self.docs.nest(2 * INDENT, head);
        let parts = [keyword, self.docs.loose_group(head, was_broken), self.docs.space(), self.block(body)];
        self.docs.concat(&parts)
    }

    fn loop_var(&mut self, var: &'a LoopVar) -> Doc {
        let mut parts = vec![self.token()];
        parts.extend(self.annotation_of_type(var.ty.as_ref()));
        parts.extend([self.spaced(), self.docs.space(), self.expr(&var.init)]);
        self.docs.concat(&parts)
    }

    fn try_(&mut self, body: &'a Expr, binding: bool, handler: &'a Expr) -> Doc {
        let head = [self.word(), self.expr(body)];
        let head = self.docs.concat(&head);
        if let ExprKind::Block(block) = &handler.kind {
            let mut parts = vec![head, self.spaced(), self.docs.space()];
            if binding {
                parts.push(self.word());
            }
            parts.push(self.block(block));
            return self.docs.concat(&parts);
        }
        let was_broken = self.on_new_line();
        let links = [self.docs.line(), self.word(), self.expr(handler)];
        self.chain(head, &links, was_broken, INDENT)
    }

    /// `: T`, if it is written.
    pub(super) fn annotation_of_type(&mut self, ty: Option<&'a TypeExpr>) -> Option<Doc> {
        let ty = ty?;
        let parts = [self.word(), self.ty(ty)];
        Some(self.docs.concat(&parts))
    }

    /// What stands behind `=` or `=>`: on the next line if the author put it there.
    pub(super) fn right_side(&mut self, value: &'a Expr) -> Doc {
        let on_new_line = self.on_new_line();
        let before = if on_new_line { self.docs.hard_line() } else { self.docs.space() };
        let value = self.expr(value);
        let all = self.docs.concat(&[before, value]);
        if on_new_line { self.docs.nest(INDENT, all) } else { all }
    }

    pub(super) fn block(&mut self, block: &'a Block) -> Doc {
        let doc = self.ungrouped_block(block);
        self.docs.group(doc)
    }

    fn ungrouped_block(&mut self, block: &'a Block) -> Doc {
        let mut stmts = block.stmts.iter();
        let inside = self.inside(|p| match stmts.next() {
            Some(stmt) => p.stmt(stmt),
            None => StmtDoc { doc: p.token(), bind: None },
        });
        let inside = self.align(inside);
        self.braced(&inside, "; ", "")
    }

    fn stmt(&mut self, stmt: &'a Stmt) -> StmtDoc {
        let first = self.position();
        let (before, last_line) = self.annotations(&stmt.policies);
        let parts = match &stmt.kind {
            StmtKind::Bind { pattern, ty, value } => {
                let mut binder = vec![self.pattern(pattern)];
                binder.extend(self.annotation_of_type(ty.as_ref()));
                let binder = self.docs.concat(&binder);
                let column = self.column_since(first);
                let last_line = self.docs.concat(&[last_line, binder]);
                let value = [self.token(), self.right_side(value)];
                let bind = self.docs.flat_width(last_line).zip(column).map(|(width, column)| BindDoc {
                    width,
                    column,
                    value: self.docs.concat(&value),
                });
                let doc = self.docs.concat(&[before, binder]);
                return match bind {
                    Some(bind) => StmtDoc { doc, bind: Some(bind) },
                    None => {
                        let space = self.docs.space();
                        StmtDoc { doc: self.docs.concat(&[doc, space, value[0], value[1]]), bind: None }
                    }
                };
            }
            StmtKind::Expr(expr) => vec![self.expr(expr)],
            StmtKind::Require { cond, message: None }
            | StmtKind::Until(cond)
            | StmtKind::Next(cond)
            | StmtKind::Assert(cond) => {
                vec![self.word(), self.expr(cond)]
            }
            StmtKind::Require { cond, message: Some(message) } => {
                let head = [self.word(), self.expr(cond)];
                let head = self.docs.concat(&head);
                let was_broken = self.on_new_line();
                let links = [self.docs.line(), self.word(), self.expr(message)];
                vec![self.chain(head, &links, was_broken, INDENT)]
            }
            StmtKind::Mock { target, value } => {
                vec![self.word(), self.expr(target), self.spaced(), self.right_side(value)]
            }
            StmtKind::Error => vec![self.verbatim(stmt.span)],
        };
        let stmt = self.docs.concat(&parts);
        StmtDoc { doc: self.docs.concat(&[before, stmt]), bind: None }
    }

    /// Joins bindings with their values. Where the author put the `=` of neighbours in one column, they stay in one.
    fn align(&mut self, inside: Inside<StmtDoc>) -> Inside<Doc> {
        let columns: Vec<_> =
            inside.entries.iter().map(|e| e.item.bind.as_ref().map(|b| (b.column, b.width + 1))).collect();
        let mut aligned: Vec<_> = columns.iter().map(|c| c.map(|(_, width)| width)).collect();
        let mut start = 0;
        while start < columns.len() {
            let column = columns[start].map(|(column, _)| column);
            let mut end = start + 1;
            while column.is_some()
                && inside.entries.get(end).is_some_and(|e| e.on_new_line && !e.apart)
                && columns[end].map(|(column, _)| column) == column
            {
                end += 1;
            }
            if end > start + 1 {
                let widest = columns[start..end].iter().flatten().map(|(_, width)| *width).max();
                aligned[start..end].fill(widest.max(column));
            }
            start = end;
        }
        let mut aligned = aligned.into_iter();
        inside.map(|StmtDoc { doc, bind }| match (bind, aligned.next().flatten()) {
            (Some(bind), Some(column)) => {
                let space = self.docs.spaces(column - bind.width);
                self.docs.concat(&[doc, space, bind.value])
            }
            _ => doc,
        })
    }
}

/// A statement; of a binding only what stands before the `=`.
struct StmtDoc {
    doc: Doc,
    bind: Option<BindDoc>,
}

struct BindDoc {
    /// Columns before the `=` on its line, as the author wrote it and as it is printed, there without the space.
    column: usize,
    width: usize,
    /// From the `=` on.
    value: Doc,
}

/// How tightly an operator binds.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Level {
    After,
    Or,
    And,
    Compare,
    Coalesce,
    Pipe,
    Sum,
    Product,
    None,
}

impl Level {
    fn of(expr: &Expr) -> Level {
        match &expr.kind {
            ExprKind::Pipe { .. } => Level::Pipe,
            ExprKind::Binary { op, .. } => match op {
                BinaryOp::After => Level::After,
                BinaryOp::Or => Level::Or,
                BinaryOp::And => Level::And,
                BinaryOp::Eq
                | BinaryOp::Ne
                | BinaryOp::Lt
                | BinaryOp::Le
                | BinaryOp::Gt
                | BinaryOp::Ge
                | BinaryOp::In
                | BinaryOp::NotIn => Level::Compare,
                BinaryOp::Coalesce => Level::Coalesce,
                BinaryOp::Add | BinaryOp::Sub | BinaryOp::Concat => Level::Sum,
                BinaryOp::Mul | BinaryOp::Div | BinaryOp::Rem | BinaryOp::IntDiv => Level::Product,
            },
            _ => Level::None,
        }
    }

    /// Whether a line that begins with such an operator goes on with the line before.
    fn leads(self) -> bool {
        matches!(self, Level::After | Level::Or | Level::And | Level::Coalesce | Level::Pipe)
    }
}

/// Whether an expression is a literal of which several may stand on a line of a broken list.
fn is_short_literal(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Literal(_) => true,
        ExprKind::Str(parts) => {
            parts.iter().all(|part| matches!(part, StrPart::Text(text) if text.chars().count() <= SHORT))
        }
        _ => false,
    }
}

/// Whether an expression breaks inside brackets of its own, so that it may share its first and last line with others.
fn hugs(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::List(_)
        | ExprKind::Dict(_)
        | ExprKind::Tuple(_)
        | ExprKind::Record(_)
        | ExprKind::If { .. }
        | ExprKind::Match { .. }
        | ExprKind::For { .. }
        | ExprKind::Loop { .. }
        | ExprKind::Seq(_)
        | ExprKind::Block(_) => true,
        ExprKind::Try { handler: inner, .. } | ExprKind::Lambda { body: inner, .. } | ExprKind::Paren(inner) => {
            hugs(inner)
        }
        _ => false,
    }
}
