//! Blocks and statements.

use super::{doc::Doc, printer::*};
use crate::ast::*;

impl<'a> Printer<'a> {
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

    /// A block whose lines break with those of the group around it.
    pub(super) fn ungrouped_block(&mut self, block: &'a Block) -> Doc {
        let inside = self.inside_of(&block.stmts, Self::stmt);
        let inside = self.align(inside);
        self.braced(&inside, "; ", "")
    }

    fn stmt(&mut self, stmt: &'a Stmt) -> StmtDoc {
        let first = self.position();
        let (before, last_line) = self.annotations(&stmt.policies);
        let parts = match &stmt.kind {
            StmtKind::Bind { pattern, ty, value } => {
                let mut binder = vec![self.pattern(pattern)];
                binder.extend(self.annotation_of_type(ty.as_deref()));
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
