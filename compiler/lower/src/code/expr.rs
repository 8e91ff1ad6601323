//! Expressions without control flow of their own.

use super::{Builder, Slot, called_value, captures, folded};
use crate::calls::{Class, Known};
use crate::deep;
use crate::needs::{self, Root};
use crate::types::Number;
use ntl_plan::{Const, ConstId, Instr, Reg};
use ntl_semantic::diagnostics::plan;
use ntl_semantic::hir::{self, BinaryOp, Call, Expr, ExprKind, Lambda};
use ntl_semantic::query;
use ntl_semantic::ty::Type;
use ntl_semantic::types::unfold;
use ntl_semantic::{Def, Space};
use ntl_syntax::ast::{CallableKind, Span};
use smol_str::SmolStr;

/// Lists and dicts with more items than this are filled one by one: registers are few.
const MANY: usize = 64;

impl<'h> Builder<'_, '_, 'h> {
    /// The register of a value: its own one if it is a local.
    pub(super) fn value(&mut self, expr: &'h Expr) -> Reg {
        if let Some(Slot::Reg(reg)) = self.hoisted.get(&std::ptr::from_ref(expr)).copied() {
            return reg;
        }
        if let ExprKind::Local(local) = expr.kind {
            return self.local(local, expr.span);
        }
        let dst = self.temp();
        self.to(expr, dst);
        dst
    }

    /// Computes a value into a register.
    pub(super) fn to(&mut self, expr: &'h Expr, dst: Reg) {
        deep(|| self.scoped(|b| b.expr(expr, dst)));
    }

    fn expr(&mut self, expr: &'h Expr, dst: Reg) {
        let span = expr.span;
        if let Some(slot) = self.hoisted.get(&std::ptr::from_ref(expr)).copied() {
            return self.slot_to(slot, dst, span);
        }
        if let Some(value) = folded(expr) {
            return self.const_to(&value, dst, span);
        }
        match &expr.kind {
            ExprKind::Const(value) => self.const_to(value, dst, span),
            ExprKind::Local(local) => self.local_to(*local, dst, span),
            ExprKind::ConstItem(def) => self.const_item(def, dst, span),
            ExprKind::Default(def, at) => self.default_to(def, *at, dst, span),
            ExprKind::FnItem(def) => self.fn_item(def, &expr.ty, dst, span),
            ExprKind::Interpolate(items) => self.interpolate(items, dst, span),
            ExprKind::List(items) if items.len() > MANY => {
                self.emit(Instr::List { dst, first: dst, count: 0 }, span);
                for item in items {
                    self.scoped(|b| {
                        let value = b.value(item);
                        b.emit(Instr::Push { list: dst, value }, span);
                    });
                }
            }
            ExprKind::List(items) => {
                let (first, count) = self.row(items);
                self.emit(Instr::List { dst, first, count }, span);
            }
            ExprKind::Dict(entries) => self.dict(entries, dst, span),
            ExprKind::Tuple(items) => {
                let (first, count) = self.row(items);
                self.emit(Instr::Tuple { dst, first, count }, span);
            }
            ExprKind::Record(fields) => {
                let (first, _) = self.row(fields);
                let ty = self.cx.ty(&expr.ty);
                self.emit(Instr::Record { dst, ty, first }, span);
            }
            ExprKind::Update(base, fields) => {
                self.to(base, dst);
                for (field, value) in fields {
                    self.scoped(|b| {
                        let value = b.value(value);
                        let field = u16::try_from(*field).unwrap_or(u16::MAX);
                        b.emit(Instr::SetField { dst, record: dst, field, value }, span);
                    });
                }
            }
            ExprKind::Field(base, field) => {
                let src = self.value(base);
                let field = u16::try_from(*field).unwrap_or(u16::MAX);
                self.emit(Instr::Field { dst, src, field }, span);
            }
            ExprKind::FieldNamed(base, name) => {
                let src = self.value(base);
                let name = self.name(name);
                self.emit(Instr::FieldNamed { dst, src, name }, span);
            }
            ExprKind::Index(base, at) => {
                let (src, index) = (self.value(base), self.value(at));
                self.emit(Instr::Index { dst, src, index }, span);
            }
            ExprKind::JsonIndex(base, at) => {
                let (src, index) = (self.value(base), self.value(at));
                self.emit(Instr::JsonIndex { dst, src, index }, span);
            }
            ExprKind::Neg(a) => {
                let a = self.value(a);
                self.emit(Instr::Neg { dst, a }, span);
            }
            ExprKind::Not(a) => {
                let a = self.value(a);
                self.emit(Instr::Not { dst, a }, span);
            }
            ExprKind::Binary(op, a, b) => self.binary(*op, a, b, dst, span),
            ExprKind::Range(a, b, inclusive) => {
                let (a, b) = (self.value(a), self.value(b));
                self.emit(Instr::Range { dst, a, b, inclusive: *inclusive }, span);
            }
            ExprKind::Is(value, ty) => {
                self.known_type(ty, span);
                let (src, ty) = (self.value(value), self.cx.ty(ty));
                self.emit(Instr::Is { dst, src, ty }, span);
            }
            ExprKind::As(value) => {
                self.known_type(&expr.ty, span);
                let (src, ty) = (self.value(value), self.cx.ty(&expr.ty));
                self.emit(Instr::As { dst, src, ty }, span);
            }
            ExprKind::Fit(value) => self.fit(value, &expr.ty, dst, span),
            ExprKind::Call(call) => self.call(call, dst, span),
            ExprKind::Lambda(lambda) => self.lambda(lambda, dst, span),
            ExprKind::And(a, b) => self.and(a, b, dst, span),
            ExprKind::Or(a, b) => self.or(a, b, dst, span),
            ExprKind::Coalesce(a, b) => self.coalesce(a, b, dst, span),
            ExprKind::Chain(base, local, then) => self.chain(base, *local, then, dst, span),
            ExprKind::If(cond, then, otherwise) => self.branch(cond, then, otherwise.as_ref(), dst, span),
            ExprKind::Match(value, arms) => self.choose(value, arms, dst, span),
            ExprKind::For(item_loop) => self.item_loop_to(item_loop, dst, span),
            ExprKind::Loop(rounds) => self.rounds(rounds, &expr.ty, dst, span),
            ExprKind::Try(body, local, handler) => self.attempt(body, *local, handler, dst, span),
            ExprKind::Seq(block) | ExprKind::Block(block) => self.block_to(block, dst),
            ExprKind::After(first, second) => {
                self.to(second, dst);
                self.to(first, dst);
            }
            ExprKind::Error => self.cx.internal(self.def, span, "an expression has an error that was not told"),
        }
    }

    /// Computes values into registers in a row.
    fn row(&mut self, values: &'h [Expr]) -> (Reg, u16) {
        let first = self.temps(values.len());
        for (value, reg) in values.iter().zip(first..) {
            self.to(value, reg);
        }
        (first, u16::try_from(values.len()).unwrap_or(u16::MAX))
    }

    pub(super) fn name(&mut self, name: &SmolStr) -> ConstId {
        self.cx.constant(Const::Str(name.clone()))
    }

    fn const_item(&mut self, def: &Def, dst: Reg, span: Span) {
        if def.space != Space::Value {
            return self.cx.internal(self.def, span, "a secret is read in a function");
        }
        if let Some(value) = self.cx.plain_const(query::body(self.cx.db, def)) {
            return self.const_to(value, dst, span);
        }
        let code = self.cx.const_code(def);
        self.emit(Instr::CallOnce { dst, code }, span);
    }

    /// The default of a parameter or field; null where it has none.
    pub(super) fn default_to(&mut self, def: &Def, at: u32, dst: Reg, span: Span) {
        if let Some(value) = self.cx.plain_const(query::default_body(self.cx.db, def, at)) {
            return self.const_to(value, dst, span);
        }
        match self.cx.default_code(def, at) {
            Some(code) => drop(self.emit(Instr::CallOnce { dst, code }, span)),
            None => self.const_to(&hir::Const::Null, dst, span),
        }
    }

    fn fn_item(&mut self, def: &Def, ty: &Type, dst: Reg, span: Span) {
        let given = match unfold(self.cx.db, ty) {
            Type::Fn(params, _) => params,
            _ => return self.cx.internal(self.def, span, "a function that is no function"),
        };
        let Some(known) = self.cx.known(def) else {
            return self.cx.internal(self.def, span, "an unknown function");
        };
        // A generic function takes whatever it is given.
        let fits = given.len() == known.sig.params.len()
            && given.iter().zip(&known.sig.params).all(|(given, param)| self.cx.is_within(given, &param.ty));
        let is_own = known.sig.kind == CallableKind::Fn && !known.sig.is_host;
        let code = if is_own && (fits || !known.sig.type_params.is_empty()) && given.len() == known.sig.params.len() {
            self.cx.fn_code(def)
        } else {
            self.cx.fn_value_code(def, ty, given.len())
        };
        self.emit(Instr::Closure { dst, code, first: 0, count: 0 }, span);
    }

    fn interpolate(&mut self, items: &'h [Expr], dst: Reg, span: Span) {
        if let [only] = items {
            return self.text(only, dst);
        }
        let first = self.temps(items.len());
        for (item, reg) in items.iter().zip(first..) {
            self.text(item, reg);
        }
        let count = u16::try_from(items.len()).unwrap_or(u16::MAX);
        self.emit(Instr::Concat { dst, first, count }, span);
    }

    fn text(&mut self, item: &'h Expr, dst: Reg) {
        if self.cx.is_str(&item.ty) {
            return self.to(item, dst);
        }
        self.scoped(|b| {
            let src = b.value(item);
            b.emit(Instr::Text { dst, src }, item.span);
        });
    }

    fn dict(&mut self, entries: &'h [(Expr, Expr)], dst: Reg, span: Span) {
        if entries.len() > MANY {
            self.emit(Instr::Dict { dst, first: dst, count: 0 }, span);
            for (key, value) in entries {
                self.scoped(|b| {
                    let (key, value) = (b.value(key), b.value(value));
                    b.emit(Instr::Insert { dict: dst, key, value }, span);
                });
            }
            return;
        }
        let first = self.temps(entries.len() * 2);
        let values = entries.iter().flat_map(|(key, value)| [key, value]);
        for (value, reg) in values.zip(first..) {
            self.to(value, reg);
        }
        let count = u16::try_from(entries.len()).unwrap_or(u16::MAX);
        self.emit(Instr::Dict { dst, first, count }, span);
    }

    fn binary(&mut self, op: BinaryOp, left: &'h Expr, right: &'h Expr, dst: Reg, span: Span) {
        let kind = match (self.cx.number(&left.ty), self.cx.number(&right.ty)) {
            (a, b) if a == b => a,
            _ => Number::Other,
        };
        let (a, b) = (self.value(left), self.value(right));
        use BinaryOp::{Add, Concat, Div, Eq, Ge, Gt, In, IntDiv, Le, Lt, Mul, Rem, Sub};
        use Number::{Float, Int, Other};
        let instr = match (op, kind) {
            (Eq, _) => Instr::Eq { dst, a, b },
            (Lt, Int) => Instr::LtInt { dst, a, b },
            (Lt, Float) => Instr::LtFloat { dst, a, b },
            (Lt, Other) => Instr::Lt { dst, a, b },
            (Le, Int) => Instr::LeInt { dst, a, b },
            (Le, Float) => Instr::LeFloat { dst, a, b },
            (Le, Other) => Instr::Le { dst, a, b },
            (Gt, Int) => Instr::LtInt { dst, a: b, b: a },
            (Gt, Float) => Instr::LtFloat { dst, a: b, b: a },
            (Gt, Other) => Instr::Lt { dst, a: b, b: a },
            (Ge, Int) => Instr::LeInt { dst, a: b, b: a },
            (Ge, Float) => Instr::LeFloat { dst, a: b, b: a },
            (Ge, Other) => Instr::Le { dst, a: b, b: a },
            (In, _) => Instr::In { dst, a, b },
            (Add, Int) => Instr::AddInt { dst, a, b },
            (Add, Float) => Instr::AddFloat { dst, a, b },
            (Add, Other) => Instr::Add { dst, a, b },
            (Sub, Int) => Instr::SubInt { dst, a, b },
            (Sub, Float) => Instr::SubFloat { dst, a, b },
            (Sub, Other) => Instr::Sub { dst, a, b },
            (Mul, Int) => Instr::MulInt { dst, a, b },
            (Mul, Float) => Instr::MulFloat { dst, a, b },
            (Mul, Other) => Instr::Mul { dst, a, b },
            (Div, Float) => Instr::DivFloat { dst, a, b },
            (Div, _) => Instr::Div { dst, a, b },
            (Rem, _) => Instr::Rem { dst, a, b },
            (IntDiv, _) => Instr::IntDiv { dst, a, b },
            (Concat, _) => Instr::Append { dst, a, b },
        };
        self.emit(instr, span);
    }

    /// A type that is asked for when the code runs: generic code does not know what it is called with.
    pub(super) fn known_type(&mut self, ty: &Type, span: Span) {
        if has_param(ty) {
            self.cx.tell(self.def, span, plan::generic_conversion);
        }
    }

    fn fit(&mut self, value: &'h Expr, ty: &Type, dst: Reg, span: Span) {
        let is_function = matches!(unfold(self.cx.db, ty), Type::Fn(..));
        match &value.kind {
            ExprKind::FnItem(def) if is_function => self.fn_item(def, ty, dst, span),
            // Generic code takes a value as it is; a function's own conversions stand in it.
            _ if is_function || self.cx.is_within(&value.ty, ty) => self.to(value, dst),
            _ => {
                let (src, ty) = (self.value(value), self.cx.ty(ty));
                self.emit(Instr::Fit { dst, src, ty }, span);
            }
        }
    }

    fn call(&mut self, call: &'h Call, dst: Reg, span: Span) {
        let count = u16::try_from(call.args.len()).unwrap_or(u16::MAX);
        if let Some(local) = called_value(&call.callee) {
            let function = self.local(local, span);
            let (first, count) = self.row(&call.args);
            self.emit(Instr::CallValue { dst, function, first, count }, span);
            return;
        }
        match self.cx.class(call) {
            Class::Code(def) => {
                let (first, _) = self.row(&call.args);
                let code = self.cx.fn_code(&def);
                self.emit(Instr::Call { dst, code, first }, span);
            }
            Class::Pure(known) => {
                let (first, _) = self.row(&call.args);
                self.invoke(&known, &call.type_args, dst, first, count.into(), span);
            }
            _ => self.cx.internal(self.def, span, "a call with effects in a function"),
        }
    }

    /// Calls a function with arguments that are in their registers.
    pub(super) fn invoke(&mut self, known: &Known<'_>, types: &[Type], dst: Reg, first: Reg, count: usize, span: Span) {
        let instr = if known.sig.is_host {
            let native = self.cx.native(known, types);
            Instr::Native { dst, native, first, count: u16::try_from(count).unwrap_or(u16::MAX) }
        } else {
            Instr::Call { dst, code: self.cx.fn_code(&known.def), first }
        };
        self.emit(instr, span);
    }

    fn lambda(&mut self, lambda: &'h Lambda, dst: Reg, span: Span) {
        let (constants, captured): (Vec<_>, Vec<_>) = captures(&self.slots, lambda)
            .into_iter()
            .partition(|local| matches!(self.slots.get(local), Some(Slot::Const(_))));
        let mut given = Vec::new();
        if !self.hoisted.is_empty() {
            needs::lambda_exprs(lambda, &mut |expr| {
                let slot = self.hoisted.get(&std::ptr::from_ref(expr));
                given.extend(slot.map(|&slot| (std::ptr::from_ref(expr), slot)));
                slot.is_none()
            });
        }
        let count = captured.len() + given.len();
        let first = self.temps(count);
        let mut regs = first..;
        for (&local, reg) in captured.iter().zip(&mut regs) {
            self.scoped(|b| b.local_to(local, reg, span));
        }
        for (&(_, slot), reg) in given.iter().zip(&mut regs) {
            self.scoped(|b| b.slot_to(slot, reg, span));
        }
        let mut inner =
            Builder::new(self.cx, self.def, self.body, ntl_plan::SMALL_FUNCTION.into(), count + lambda.params.len());
        for local in constants {
            inner.slots.extend(self.slots.get(&local).map(|slot| (local, *slot)));
        }
        let mut regs = 0..;
        inner.slots.extend(captured.into_iter().zip(&mut regs).map(|(local, reg)| (local, Slot::Reg(reg))));
        inner.hoisted.extend(given.into_iter().zip(&mut regs).map(|((expr, _), reg)| (expr, Slot::Reg(reg))));
        inner.slots.extend(lambda.params.iter().zip(&mut regs).map(|(&local, reg)| (local, Slot::Reg(reg))));
        let result = inner.temp();
        inner.stmts(&lambda.lets, &[Root::Expr(&lambda.body)]);
        inner.to(&lambda.body, result);
        let code = inner.finish(result, lambda.body.span);
        let code = self.cx.add_code(code);
        self.emit(Instr::Closure { dst, code, first, count: u16::try_from(count).unwrap_or(u16::MAX) }, span);
    }
}

fn has_param(ty: &Type) -> bool {
    match ty {
        Type::Param(..) => true,
        Type::List(item) => has_param(item),
        Type::Dict(key, value) => has_param(key) || has_param(value),
        Type::Tuple(items) | Type::Union(items) => items.iter().any(has_param),
        Type::Record(record) => record.fields.iter().any(|field| has_param(&field.ty)),
        _ => false,
    }
}
