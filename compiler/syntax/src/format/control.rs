//! `if`, `match`, `for`, `loop` and `try`.

use super::{doc::Doc, printer::*};
use crate::ast::*;

impl<'a> Printer<'a> {
    /// `if` with all its branches: they break together.
    pub(super) fn if_else(&mut self, expr: &'a Expr) -> Doc {
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

    pub(super) fn match_(&mut self, value: &'a Expr, arms: &'a [Arm]) -> Doc {
        let head = [self.word(), self.in_head(value), self.docs.space()];
        let head = self.docs.concat(&head);
        let arms = self.inside_of(arms, Self::arm);
        let arms = self.braced(&arms, ", ", ",");
        let arms = self.docs.group(arms);
        self.docs.concat(&[head, arms])
    }

    fn arm(&mut self, arm: &'a Arm) -> Doc {
        let mut parts = vec![self.pattern(&arm.pattern)];
        if let Some(guard) = &arm.guard {
            parts.extend([self.spaced(), self.docs.space(), self.expr(guard)]);
        }
        parts.extend([self.spaced(), self.right_side(&arm.body)]);
        self.docs.concat(&parts)
    }

    pub(super) fn for_clause(&mut self, clause: &'a ForClause) -> Doc {
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

    pub(super) fn loop_(&mut self, vars: &'a [LoopVar], max: Option<&'a Expr>, body: &'a Block) -> Doc {
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
            let next = match max {
                Some(max) if self.peek() == "max" && self.peek_second() == ":" => {
                    let name = self.token();
                    Some(self.labelled(name, Some(max)))
                }
                _ => vars.next().map(|var| self.loop_var(var)),
            };
            let Some(next) = next else { break };
            parts.push(next);
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

    pub(super) fn try_(&mut self, body: &'a Expr, binding: bool, handler: &'a Expr) -> Doc {
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
}
