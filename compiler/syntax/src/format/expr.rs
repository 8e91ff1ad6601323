//! Expressions.

use super::{doc::Doc, printer::*};
use crate::ast::*;

/// Characters of a short str.
const SHORT: usize = 20;

impl<'a> Printer<'a> {
    pub(super) fn expr(&mut self, expr: &'a Expr) -> Doc {
        self.expr_indented(expr, INDENT)
    }

    /// An expression in the head of a construct: where it is a chain, it goes further right than the body below it.
    pub(super) fn in_head(&mut self, expr: &'a Expr) -> Doc {
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
                self.list_of(breaks, items, Self::expr)
            }
            ExprKind::Tuple(items) => self.list_of(Breaks::Each, items, Self::expr),
            ExprKind::Dict(entries) if entries.is_empty() => {
                let parts = [self.token(), self.token(), self.token()];
                self.docs.concat(&parts)
            }
            ExprKind::Dict(entries) => self.list_of(Breaks::Each, entries, |p, (key, value)| {
                let key = p.expr(key);
                p.labelled(key, Some(value))
            }),
            ExprKind::Record(fields) => self.list_of(Breaks::Each, fields, Self::record_field),
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
            ExprKind::Match { value, arms } => self.match_(value, arms),
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
                let params =
                    if self.peek() == "(" { self.list_of(Breaks::Each, params, Self::pattern) } else { self.token() };
                let parts = [params, self.spaced(), self.docs.space(), self.expr(body)];
                self.docs.concat(&parts)
            }
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

    /// A label, its `:`, and a value if there is one.
    pub(super) fn labelled(&mut self, label: Doc, value: Option<&'a Expr>) -> Doc {
        let mut parts = vec![label, self.token()];
        if let Some(value) = value {
            parts.extend([self.docs.space(), self.expr(value)]);
        }
        self.docs.concat(&parts)
    }

    fn record_field(&mut self, field: &'a RecordField) -> Doc {
        let first = self.token();
        match field {
            RecordField::Spread(value) => {
                let value = self.expr(value);
                self.docs.concat(&[first, value])
            }
            RecordField::Field(_, value) => self.labelled(first, value.as_ref()),
        }
    }

    fn arg(&mut self, arg: &'a Arg) -> Doc {
        match &arg.value {
            Some(value) if arg.name.is_none() => self.expr(value),
            value => {
                let name = self.token();
                self.labelled(name, value.as_ref())
            }
        }
    }

    pub(super) fn args(&mut self, args: &'a [Arg]) -> Doc {
        let hug = args.last().and_then(|arg| arg.value.as_ref()).is_some_and(hugs);
        self.list_of(if hug { Breaks::Last } else { Breaks::Each }, args, Self::arg)
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
                    parts.push(self.solid_list_of(type_args, Self::ty));
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
