//! Trees as short text, and what holds of every tree: a node stands within its parent.

use ntl_syntax::ast::*;

/// An item as one line, or several for its statements.
pub fn item(item: &Item) -> String {
    let mut out = Tree::default();
    out.inside(item.span, |out| {
        out.annotations(&item.annotations);
        out.item_kind(&item.kind);
    });
    out.text
}

#[derive(Default)]
struct Tree {
    text: String,
    /// The spans of what is open.
    around: Vec<Span>,
}

impl Tree {
    fn add(&mut self, text: &str) {
        self.text.push_str(text);
    }

    fn inside(&mut self, span: Span, write: impl FnOnce(&mut Self)) {
        assert!(span.first <= span.end, "{span:?} in {}", self.text);
        if let Some(parent) = self.around.last() {
            assert!(parent.contains(span), "{span:?} is not in {parent:?}: {}", self.text);
        }
        self.around.push(span);
        write(self);
        self.around.pop();
    }

    fn name(&mut self, name: &Name) {
        self.inside(name.span, |out| out.add(&name.text));
    }

    fn each<T>(&mut self, between: &str, items: &[T], mut write: impl FnMut(&mut Self, &T)) {
        for (i, item) in items.iter().enumerate() {
            if i > 0 {
                self.add(between);
            }
            write(self, item);
        }
    }

    fn annotations(&mut self, annotations: &[Annotation]) {
        for annotation in annotations {
            self.inside(annotation.span, |out| {
                out.add("@");
                out.name(&annotation.name);
                if let Some(args) = &annotation.args {
                    out.args(args);
                }
            });
            self.add(" ");
        }
    }

    fn item_kind(&mut self, kind: &ItemKind) {
        match kind {
            ItemKind::Use(used) => {
                match &used.path {
                    UsePath::Module(names) => {
                        self.add("(use ");
                        self.each(".", names, Self::name);
                    }
                    UsePath::File(name) => {
                        self.add("(use-file ");
                        self.name(name);
                    }
                    UsePath::Pack(names) => {
                        self.add("(use-pack ");
                        self.each(".", names, Self::name);
                    }
                }
                if let Some(names) = &used.names {
                    self.add(" names ");
                    self.each(" ", names, Self::name);
                }
                if let Some(alias) = &used.alias {
                    self.add(" as ");
                    self.name(alias);
                }
                self.add(")");
            }
            ItemKind::Const(item) => {
                self.add("(const ");
                self.name(&item.name);
                if let Some(ty) = &item.ty {
                    self.add(": ");
                    self.ty(ty);
                }
                self.add(" = ");
                self.expr(&item.value);
                self.add(")");
            }
            ItemKind::Type(item) => {
                self.add(if item.is_record { "(record-type " } else { "(type " });
                self.name(&item.name);
                self.add(" ");
                self.ty(&item.ty);
                self.add(")");
            }
            ItemKind::Callable(item) => self.callable(item),
            ItemKind::Secret(name) => {
                self.add("(secret ");
                self.name(name);
                self.add(")");
            }
            ItemKind::On(on) => {
                self.add("(on ");
                self.expr(&on.trigger);
                if let Some(name) = &on.binding {
                    self.add(" as ");
                    self.name(name);
                }
                self.block(&on.body);
                self.add(")");
            }
            ItemKind::Test(test) => {
                self.add("(test ");
                self.name(&test.name);
                self.block(&test.body);
                self.add(")");
            }
            ItemKind::Error => self.add("‹error›"),
        }
    }

    fn callable(&mut self, item: &Callable) {
        self.add(match item.kind {
            CallableKind::Fn => "(fn ",
            CallableKind::Node => "(node ",
            CallableKind::Workflow => "(workflow ",
            CallableKind::Prompt => "(prompt ",
            CallableKind::Agent => "(agent ",
        });
        self.inside(item.head, |out| {
            out.name(&item.name);
            if !item.type_params.is_empty() {
                out.add("[");
                out.each(", ", &item.type_params, |out, param| {
                    out.name(&param.name);
                    if let Some(bound) = &param.bound {
                        out.add(": ");
                        out.name(bound);
                    }
                });
                out.add("]");
            }
            out.add("(");
            out.each(", ", &item.params, |out, param| {
                out.inside(param.span, |out| {
                    out.declared(&param.annotations, &param.name, &param.ty, param.default.as_ref());
                });
            });
            out.add(")");
            match &item.outputs {
                Outputs::None => {}
                Outputs::One(ty) => {
                    out.add(" -> ");
                    out.ty(ty);
                }
                Outputs::Named(outputs) => {
                    out.add(" -> named(");
                    out.each(", ", outputs, |out, output| {
                        out.inside(output.span, |out| {
                            out.name(&output.name);
                            out.add(":");
                            if let Some(ty) = &output.ty {
                                out.add(" ");
                                out.ty(ty);
                            }
                        });
                    });
                    out.add(")");
                }
            }
        });
        match &item.body {
            CallableBody::Host => self.add(" host"),
            CallableBody::Expr(value) => {
                self.add(" = ");
                self.expr(value);
            }
            CallableBody::Block(block) => self.block(block),
            CallableBody::Code(code) => {
                self.add(" ");
                self.code(code);
            }
            CallableBody::Error => self.add(" ‹error›"),
        }
        self.add(")");
    }

    fn declared(&mut self, annotations: &[Annotation], name: &Name, ty: &TypeExpr, default: Option<&Expr>) {
        self.annotations(annotations);
        self.name(name);
        self.add(": ");
        self.ty(ty);
        if let Some(default) = default {
            self.add(" = ");
            self.expr(default);
        }
    }

    fn code(&mut self, code: &Code) {
        self.inside(code.span, |out| {
            out.name(&code.lang);
            out.add(&format!("{:?}", code.text));
        });
    }

    fn ty(&mut self, ty: &TypeExpr) {
        self.inside(ty.span, |out| match &ty.kind {
            TypeKind::Path { module, name, args } => {
                if let Some(module) = module {
                    out.name(module);
                    out.add(".");
                }
                out.name(name);
                if !args.is_empty() {
                    out.add("[");
                    out.each(", ", args, Self::ty);
                    out.add("]");
                }
            }
            TypeKind::Optional(inner) => {
                out.ty(inner);
                out.add("?");
            }
            TypeKind::Union(members) => {
                out.add("(");
                out.each(" | ", members, Self::ty);
                out.add(")");
            }
            TypeKind::Literal(value) => out.literal(value),
            TypeKind::Tuple(items) => {
                out.add("tuple(");
                out.each(", ", items, Self::ty);
                out.add(")");
            }
            TypeKind::Record(fields) => {
                out.add("record(");
                out.each(", ", fields, |out, field| {
                    out.inside(field.span, |out| {
                        out.declared(&field.annotations, &field.name, &field.ty, field.default.as_ref());
                    });
                });
                out.add(")");
            }
            TypeKind::Fn(params, result) => {
                out.add("fn(");
                out.each(", ", params, Self::ty);
                out.add(") -> ");
                out.ty(result);
            }
            TypeKind::Per(inner, source) => {
                out.add("(");
                out.ty(inner);
                out.add(" per ");
                out.name(source);
                out.add(")");
            }
            TypeKind::Error => out.add("‹error›"),
        });
    }

    fn literal(&mut self, literal: &Literal) {
        self.text.push_str(&match literal {
            Literal::Null => "null".to_owned(),
            Literal::Bool(value) => value.to_string(),
            Literal::Int(value) => value.to_string(),
            Literal::Float(value) => format!("{value:?}"),
            Literal::Str(text) => format!("{text:?}"),
            Literal::Duration(value) => format!("{value}ns"),
            Literal::Size(value) => format!("{value}b"),
        });
    }

    fn block(&mut self, block: &Block) {
        self.inside(block.span, |out| {
            out.add(" {");
            out.each("; ", &block.stmts, |out, stmt| {
                out.inside(stmt.span, |out| {
                    out.annotations(&stmt.policies);
                    out.statement(&stmt.kind);
                });
            });
            out.add("}");
        });
    }

    fn statement(&mut self, kind: &StmtKind) {
        let (word, first, second) = match kind {
            StmtKind::Bind { pattern, ty, value } => {
                self.pattern(pattern);
                if let Some(ty) = ty {
                    self.add(": ");
                    self.ty(ty);
                }
                self.add(" = ");
                return self.expr(value);
            }
            StmtKind::Expr(value) => return self.expr(value),
            StmtKind::Error => return self.add("‹error›"),
            StmtKind::Require { cond, message } => ("require ", cond, message.as_ref()),
            StmtKind::Until(cond) => ("until ", cond, None),
            StmtKind::Next(value) => ("next ", value, None),
            StmtKind::Assert(cond) => ("assert ", cond, None),
            StmtKind::Mock { target, value } => ("mock ", target, Some(value)),
        };
        self.add(word);
        self.expr(first);
        if let Some(second) = second {
            self.add(" else ");
            self.expr(second);
        }
    }

    fn pattern(&mut self, pattern: &Pattern) {
        self.inside(pattern.span, |out| match &pattern.kind {
            PatternKind::Wildcard => out.add("_"),
            PatternKind::Bind(name) => out.name(name),
            PatternKind::Literal(value) => out.literal(value),
            PatternKind::Typed(name, ty) => {
                out.add("(");
                out.name(name);
                out.add(" is ");
                out.ty(ty);
                out.add(")");
            }
            PatternKind::Tuple(items) => {
                out.add("tuple(");
                out.each(", ", items, Self::pattern);
                out.add(")");
            }
            PatternKind::Record { fields, rest } => {
                out.add("record(");
                out.each(", ", fields, |out, field| {
                    out.name(&field.name);
                    out.add(":");
                    if let Some(pattern) = &field.pattern {
                        out.add(" ");
                        out.pattern(pattern);
                    }
                });
                out.add(if *rest { ", ..)" } else { ")" });
            }
            PatternKind::Or(members) => {
                out.add("(");
                out.each(" | ", members, Self::pattern);
                out.add(")");
            }
            PatternKind::Error => out.add("‹error›"),
        });
    }

    fn args(&mut self, args: &[Arg]) {
        self.add("(");
        self.each(", ", args, |out, arg| {
            out.inside(arg.span, |out| {
                if let Some(name) = &arg.name {
                    out.name(name);
                    out.add(":");
                }
                if let Some(value) = &arg.value {
                    out.expr(value);
                }
            });
        });
        self.add(")");
    }

    fn expr(&mut self, expr: &Expr) {
        self.inside(expr.span, |out| out.expr_kind(&expr.kind));
    }

    fn expr_kind(&mut self, kind: &ExprKind) {
        match kind {
            ExprKind::Literal(value) => self.literal(value),
            ExprKind::Str(parts) => {
                self.add("\"");
                for part in parts {
                    match part {
                        StrPart::Text(text) => self.add(&text.escape_debug().to_string()),
                        StrPart::Expr(value) => {
                            self.add("{");
                            self.expr(value);
                            self.add("}");
                        }
                    }
                }
                self.add("\"");
            }
            ExprKind::Code(code) => self.code(code),
            ExprKind::Name(name) => self.name(name),
            ExprKind::List(items) => {
                self.add("[");
                self.each(", ", items, Self::expr);
                self.add("]");
            }
            ExprKind::Dict(entries) => {
                self.add("dict[");
                self.each(", ", entries, |out, (key, value)| {
                    out.expr(key);
                    out.add(": ");
                    out.expr(value);
                });
                self.add("]");
            }
            ExprKind::Tuple(items) => {
                self.add("tuple(");
                self.each(", ", items, Self::expr);
                self.add(")");
            }
            ExprKind::Record(fields) => {
                self.add("record(");
                self.each(", ", fields, |out, field| match field {
                    RecordField::Spread(value) => {
                        out.add("..");
                        out.expr(value);
                    }
                    RecordField::Field(name, value) => {
                        out.name(name);
                        out.add(":");
                        if let Some(value) = value {
                            out.add(" ");
                            out.expr(value);
                        }
                    }
                });
                self.add(")");
            }
            ExprKind::Paren(inner) => {
                self.add("<");
                self.expr(inner);
                self.add(">");
            }
            ExprKind::Field { base, name, optional } => {
                self.expr(base);
                self.add(if *optional { "?." } else { "." });
                self.name(name);
            }
            ExprKind::TupleField { base, index, optional } => {
                self.expr(base);
                self.add(if *optional { "?." } else { "." });
                self.add(&index.to_string());
            }
            ExprKind::Index { base, index } => {
                self.add("(at ");
                self.expr(base);
                self.add(" ");
                self.expr(index);
                self.add(")");
            }
            ExprKind::Call { callee, type_args, args } => {
                self.expr(callee);
                if !type_args.is_empty() {
                    self.add("[");
                    self.each(", ", type_args, Self::ty);
                    self.add("]");
                }
                self.args(args);
            }
            ExprKind::Pipe { value, call } => self.joined("|>", value, call),
            ExprKind::Unary { op, operand } => {
                self.add(if *op == UnaryOp::Not { "(not " } else { "(neg " });
                self.expr(operand);
                self.add(")");
            }
            ExprKind::Binary { op, op_span, left, right } => {
                self.inside(*op_span, |_| {});
                self.joined(&format!("{op:?}").to_lowercase(), left, right);
            }
            ExprKind::Range { from, to, inclusive } => self.joined(if *inclusive { "..=" } else { ".." }, from, to),
            ExprKind::Is { value, ty, negated } => {
                self.add(if *negated { "(is-not " } else { "(is " });
                self.expr(value);
                self.add(" ");
                self.ty(ty);
                self.add(")");
            }
            ExprKind::As { value, ty } => {
                self.add("(as ");
                self.expr(value);
                self.add(" ");
                self.ty(ty);
                self.add(")");
            }
            _ => self.control(kind),
        }
    }

    fn joined(&mut self, op: &str, left: &Expr, right: &Expr) {
        self.add(&format!("({op} "));
        self.expr(left);
        self.add(" ");
        self.expr(right);
        self.add(")");
    }

    fn control(&mut self, kind: &ExprKind) {
        match kind {
            ExprKind::If { cond, then, otherwise } => {
                self.add("(if ");
                self.expr(cond);
                self.block(then);
                if let Some(otherwise) = otherwise {
                    self.add(" else ");
                    self.expr(otherwise);
                }
            }
            ExprKind::Match { value, arms } => {
                self.add("(match ");
                self.expr(value);
                for arm in arms {
                    self.add(" ");
                    self.inside(arm.span, |out| {
                        out.pattern(&arm.pattern);
                        if let Some(guard) = &arm.guard {
                            out.add(" if ");
                            out.expr(guard);
                        }
                        out.add(" => ");
                        out.expr(&arm.body);
                    });
                }
            }
            ExprKind::For { clauses, body } => {
                self.add("(for");
                for clause in clauses {
                    self.add(" ");
                    self.each(", ", &clause.patterns, Self::pattern);
                    self.add(" in ");
                    self.expr(&clause.iter);
                    if let Some(cond) = &clause.cond {
                        self.add(" if ");
                        self.expr(cond);
                    }
                }
                self.block(body);
            }
            ExprKind::Loop { vars, max, body } => {
                self.add("(loop");
                for var in vars {
                    self.add(" ");
                    self.name(&var.name);
                    if let Some(ty) = &var.ty {
                        self.add(": ");
                        self.ty(ty);
                    }
                    self.add(" = ");
                    self.expr(&var.init);
                }
                if let Some(max) = max {
                    self.add(" max ");
                    self.expr(max);
                }
                self.block(body);
            }
            ExprKind::Try { body, binding, handler } => {
                self.add("(try ");
                self.expr(body);
                self.add(" else ");
                if let Some(name) = binding {
                    self.name(name);
                }
                self.expr(handler);
            }
            ExprKind::Seq(block) => {
                self.add("(seq");
                self.block(block);
            }
            ExprKind::Block(block) => {
                self.add("(do");
                self.block(block);
            }
            ExprKind::Lambda { params, body } => {
                self.add("(lambda ");
                self.each(" ", params, Self::pattern);
                self.add(" => ");
                self.expr(body);
            }
            _ => return self.add("‹error›"),
        }
        self.add(")");
    }
}
