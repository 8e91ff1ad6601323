//! Items, types and patterns.

use super::{WIDTH, doc::Doc, printer::*};
use crate::ast::*;

impl<'a> Printer<'a> {
    pub(super) fn item(&mut self, item: &'a Item) -> Doc {
        let (annotations, _) = self.annotations(&item.annotations);
        let parts = match &item.kind {
            ItemKind::Use(used) => self.used(used),
            ItemKind::Const(c) => {
                let mut parts = vec![self.word(), self.token()];
                parts.extend(self.annotation_of_type(c.ty.as_ref()));
                parts.extend([self.spaced(), self.right_side(&c.value)]);
                parts
            }
            ItemKind::Type(TypeDecl { ty, is_record, .. }) => {
                let mut parts = vec![self.word(), self.token()];
                if !is_record {
                    parts.push(self.spaced());
                    parts.push(if self.on_new_line() { self.docs.hard_line() } else { self.docs.space() });
                }
                parts.push(self.ty(ty));
                parts
            }
            ItemKind::Callable(callable) => self.callable(callable),
            ItemKind::Secret(_) => vec![self.word(), self.token()],
            ItemKind::On(on) => {
                let mut parts = vec![self.word(), self.expr(&on.trigger)];
                if on.binding.is_some() {
                    parts.extend([self.spaced(), self.spaced()]);
                }
                parts.extend([self.docs.space(), self.block(&on.body)]);
                parts
            }
            ItemKind::Test(test) => {
                vec![self.word(), self.verbatim(test.name.span), self.docs.space(), self.block(&test.body)]
            }
            ItemKind::Error => vec![self.verbatim(item.span)],
        };
        let declaration = self.docs.concat(&parts);
        self.docs.concat(&[annotations, declaration])
    }

    /// Annotations with what stands behind each: a line end, as the author wrote it, or a space. With them those on the
    /// last line.
    pub(super) fn annotations(&mut self, annotations: &'a [Annotation]) -> (Doc, Doc) {
        let mut parts = Vec::new();
        let mut last_line = 0;
        let mut before = self.docs.nil();
        for annotation in annotations {
            let mut annotation_parts = vec![before, self.token(), self.token()];
            if let Some(args) = &annotation.args {
                annotation_parts.push(self.args(args));
            }
            let all = self.docs.concat(&annotation_parts);
            parts.push(self.docs.loose_group(all, false));
            before = if self.is_separated() {
                parts.push(self.docs.hard_line());
                last_line = parts.len();
                self.docs.nil()
            } else {
                self.docs.line()
            };
        }
        if last_line < parts.len() {
            parts.push(self.docs.space());
        }
        let last_line = self.docs.concat(parts.get(last_line..).unwrap_or_default());
        (self.docs.concat(&parts), last_line)
    }

    fn used(&mut self, used: &'a Use) -> Vec<Doc> {
        let mut parts = vec![self.word()];
        match &used.path {
            UsePath::File(path) => parts.push(self.verbatim(path.span)),
            UsePath::Module(names) | UsePath::Pack(names) => {
                if matches!(used.path, UsePath::Pack(_)) {
                    parts.push(self.word());
                }
                for _ in 0..(2 * names.len()).saturating_sub(1) {
                    parts.push(self.token());
                }
            }
        }
        if used.names.is_some() {
            parts.push(self.token());
            let names = self.inside(|p| Some(p.token()));
            parts.push(self.list(Breaks::Each, &names));
        }
        if used.alias.is_some() {
            parts.extend([self.spaced(), self.spaced()]);
        }
        parts
    }

    fn callable(&mut self, callable: &'a Callable) -> Vec<Doc> {
        let mut parts = vec![self.word(), self.token()];
        if !callable.type_params.is_empty() {
            parts.push(self.solid_list_of(&callable.type_params, Self::type_param));
        }
        parts.push(self.list_of(Breaks::Each, &callable.params, |p, param| {
            p.declared(&param.annotations, Some(&param.ty), param.default.as_ref())
        }));
        match &callable.outputs {
            Outputs::None => {}
            Outputs::One(ty) => parts.extend([self.spaced(), self.docs.space(), self.ty(ty)]),
            Outputs::Named(outputs) => {
                parts.extend([self.spaced(), self.docs.space()]);
                parts.push(self.list_of(Breaks::Each, outputs, |p, output| p.declared(&[], output.ty.as_ref(), None)));
            }
        }
        match &callable.body {
            CallableBody::Host | CallableBody::Error => {}
            CallableBody::Block(block) => parts.extend([self.docs.space(), self.block(block)]),
            CallableBody::Code(_) => parts.extend([self.docs.space(), self.code()]),
            CallableBody::Expr(value) => {
                parts.push(self.spaced());
                parts.push(self.below_or_behind(value));
            }
        }
        parts
    }

    fn type_param(&mut self, param: &'a TypeParam) -> Doc {
        let mut parts = vec![self.token()];
        if param.bound.is_some() {
            parts.extend([self.word(), self.token()]);
        }
        self.docs.concat(&parts)
    }

    /// The body of a function: one that does not fit behind its head goes below it if that lets it stay on one line.
    fn below_or_behind(&mut self, value: &'a Expr) -> Doc {
        if self.on_new_line() {
            return self.right_side(value);
        }
        let value = self.expr(value);
        let fits_below = self.docs.flat_width(value).is_some_and(|width| INDENT + width <= WIDTH);
        let before = if fits_below { self.docs.line() } else { self.docs.space() };
        let all = self.docs.concat(&[before, value]);
        let all = self.docs.nest(if fits_below { INDENT } else { 0 }, all);
        self.docs.loose_group(all, false)
    }

    /// `name: Type = default` with its annotations.
    fn declared(&mut self, annotations: &'a [Annotation], ty: Option<&'a TypeExpr>, default: Option<&'a Expr>) -> Doc {
        let (annotations, _) = self.annotations(annotations);
        let mut parts = vec![annotations, self.token(), self.token()];
        if let Some(ty) = ty {
            parts.extend([self.docs.space(), self.ty(ty)]);
        }
        if let Some(default) = default {
            parts.extend([self.spaced(), self.docs.space(), self.expr(default)]);
        }
        self.docs.concat(&parts)
    }

    pub(super) fn ty(&mut self, ty: &'a TypeExpr) -> Doc {
        let first = match &ty.kind {
            TypeKind::Union(members) => members.first().map(|m| m.span.first),
            TypeKind::Optional(inner) | TypeKind::Per(inner, _) => Some(inner.span.first),
            TypeKind::Tuple(items) => items.first().map(|i| i.span.first.saturating_sub(1)),
            // Before its first field stands no other parenthesis.
            TypeKind::Record(_) => Some(ty.span.first + self.count("(").saturating_sub(1)),
            _ => None,
        };
        self.parenthesised(ty.span, first, |p| p.bare_type(ty))
    }

    /// Prints the parentheses that stand around a type or pattern. `first` is the first token inside, if it may be one itself.
    fn parenthesised(&mut self, span: Span, first: Option<u32>, print: impl FnOnce(&mut Self) -> Doc) -> Doc {
        let mut open = Vec::new();
        while match first {
            Some(first) => span.first + (open.len() as u32) < first,
            None => self.peek() == "(",
        } {
            open.push(self.token());
        }
        let mut inner = print(self);
        for open in open.into_iter().rev() {
            let parts = [open, inner, self.token()];
            inner = self.enclosed(parts);
        }
        inner
    }

    fn bare_type(&mut self, ty: &'a TypeExpr) -> Doc {
        let parts = match &ty.kind {
            TypeKind::Path { module, args, .. } => {
                let mut parts = vec![self.token()];
                if module.is_some() {
                    parts.extend([self.token(), self.token()]);
                }
                if !args.is_empty() {
                    parts.push(self.solid_list_of(args, Self::ty));
                }
                parts
            }
            TypeKind::Optional(inner) => {
                let inner = self.ty(inner);
                // Together they would be one token.
                let twice = self.last() == "?";
                vec![inner, if twice { self.spaced() } else { self.token() }]
            }
            TypeKind::Union(members) => return self.alternatives_of(members, Self::ty),
            TypeKind::Literal(_) => vec![self.literal()],
            TypeKind::Tuple(items) => vec![self.list_of(Breaks::Each, items, Self::ty)],
            TypeKind::Record(fields) => vec![self.list_of(Breaks::Each, fields, |p, field| {
                p.declared(&field.annotations, Some(&field.ty), field.default.as_ref())
            })],
            TypeKind::Fn(params, result) => {
                vec![
                    self.token(),
                    self.list_of(Breaks::Each, params, Self::ty),
                    self.spaced(),
                    self.docs.space(),
                    self.ty(result),
                ]
            }
            TypeKind::Per(inner, _) => vec![self.ty(inner), self.spaced(), self.spaced()],
            TypeKind::Error => vec![self.verbatim(ty.span)],
        };
        self.docs.concat(&parts)
    }

    pub(super) fn pattern(&mut self, pattern: &'a Pattern) -> Doc {
        let first = match &pattern.kind {
            PatternKind::Tuple(items) => items.first().map(|i| i.span.first.saturating_sub(1)),
            PatternKind::Or(members) => members.first().map(|m| m.span.first),
            // Before its first field stands no other parenthesis.
            PatternKind::Record { .. } => Some(pattern.span.first + self.count("(").saturating_sub(1)),
            _ => None,
        };
        self.parenthesised(pattern.span, first, |p| p.bare_pattern(pattern))
    }

    fn bare_pattern(&mut self, pattern: &'a Pattern) -> Doc {
        let parts = match &pattern.kind {
            PatternKind::Wildcard | PatternKind::Bind(_) => vec![self.token()],
            PatternKind::Literal(_) => vec![self.literal()],
            PatternKind::Typed(_, ty) => vec![self.token(), self.word(), self.ty(ty)],
            PatternKind::Tuple(items) => vec![self.list_of(Breaks::Each, items, Self::pattern)],
            PatternKind::Record { fields, .. } => {
                let mut fields = fields.iter();
                let fields = self.inside(|p| match p.peek() {
                    ".." => Some(p.token()),
                    _ => fields.next().map(|field| p.field_pattern(field)),
                });
                vec![self.list(Breaks::Each, &fields)]
            }
            PatternKind::Or(patterns) => return self.alternatives_of(patterns, Self::pattern),
            PatternKind::Error => vec![self.verbatim(pattern.span)],
        };
        self.docs.concat(&parts)
    }

    fn field_pattern(&mut self, field: &'a FieldPattern) -> Doc {
        let mut parts = vec![self.token(), self.token()];
        if let Some(pattern) = &field.pattern {
            let pattern = match &pattern.kind {
                PatternKind::Typed(name, ty) if name.span == field.name.span => self.ty(ty),
                _ => self.pattern(pattern),
            };
            parts.extend([self.docs.space(), pattern]);
        }
        self.docs.concat(&parts)
    }

    /// `a | b | c`.
    fn alternatives_of<T>(&mut self, items: &'a [T], print: fn(&mut Self, &'a T) -> Doc) -> Doc {
        let Some((first, others)) = items.split_first() else { return self.docs.nil() };
        let head = print(self, first);
        let line = self.docs.line();
        let mut was_broken = false;
        let mut links = Vec::new();
        for item in others {
            was_broken |= self.on_new_line();
            let bar = self.word();
            was_broken |= self.on_new_line();
            links.extend([line, bar, print(self, item)]);
        }
        self.chain(head, &links, was_broken, INDENT)
    }
}
