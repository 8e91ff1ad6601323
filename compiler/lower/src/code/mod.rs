//! Pure expressions to register code.

mod block;
mod control;
mod expr;
mod pattern;

pub(crate) use control::ROUNDS;
pub(crate) use pattern::{Step, variables};

use crate::tables::{Cx, index};
use ntl_plan::code::{Handler, HandlerKind, Loop, Pc};
use ntl_plan::{Code, Instr, Reg};
use ntl_semantic::diagnostics::plan;
use ntl_semantic::hir::{Block, Body, Callee, Expr, ExprKind, Lambda, LocalId, Stmt, StmtKind};
use ntl_semantic::query::{self, Checked};
use ntl_semantic::ty::Type;
use ntl_semantic::types::unfold;
use ntl_semantic::{Db, Def, hir};
use ntl_syntax::ast::Span;
use rustc_hash::FxHashMap;
use smol_str::SmolStr;

/// How a local is read.
#[derive(Clone, Copy)]
pub(crate) enum Slot<'h> {
    /// It is in a register.
    Reg(Reg),
    /// It is a constant.
    Const(&'h hir::Const),
    /// It is taken in one place only and computed there.
    Inline(&'h Stmt),
    /// It is computed where it is first needed.
    Lazy(u16),
}

/// A binding that is computed where it is first needed, in a block of its own.
struct LazyBlock<'h> {
    stmt: &'h Stmt,
    reg: Reg,
    /// The `Lazy` instructions that run it, while it is not written.
    uses: Vec<Pc>,
    block: Option<Pc>,
}

/// Code in the making.
pub(crate) struct Builder<'c, 'db, 'h> {
    pub cx: &'c mut Cx<'db>,
    /// Whose tokens the spans count.
    def: &'h Def,
    body: &'h Body,
    pub slots: FxHashMap<LocalId, Slot<'h>>,
    /// Expressions whose value is given.
    pub hoisted: FxHashMap<*const Expr, Slot<'h>>,
    code: Code,
    /// The first register that is free.
    top: u32,
    /// The most that were ever used.
    high: u32,
    lazies: Vec<LazyBlock<'h>>,
    /// Those that are used and not written.
    open_lazies: Vec<u16>,
    /// Whether the next `for` leaves out what fails.
    skip_errors: bool,
}

impl<'c, 'db, 'h> Builder<'c, 'db, 'h> {
    pub fn new(cx: &'c mut Cx<'db>, def: &'h Def, body: &'h Body, name: SmolStr, params: usize) -> Self {
        let params = u16::try_from(params).unwrap_or(u16::MAX);
        Builder {
            cx,
            def,
            body,
            slots: FxHashMap::default(),
            hoisted: FxHashMap::default(),
            code: Code {
                name,
                params,
                regs: params,
                lazies: 0,
                instrs: Vec::new(),
                spans: Vec::new(),
                handlers: Vec::new(),
                loops: Vec::new(),
            },
            top: params.into(),
            high: params.into(),
            lazies: Vec::new(),
            open_lazies: Vec::new(),
            skip_errors: false,
        }
    }

    /// Ends it with the value of a register.
    fn finish(mut self, src: Reg, span: Span) -> Code {
        self.emit(Instr::Return { src }, span);
        self.flush(0);
        self.code.lazies = u16::try_from(self.lazies.len()).unwrap_or(u16::MAX);
        self.code.regs = u16::try_from(self.high).unwrap_or(u16::MAX);
        if self.high > u16::MAX.into() || self.lazies.len() > u16::MAX.into() || self.code.loops.len() > u16::MAX.into()
        {
            self.cx.tell(self.def, span, plan::too_large);
        }
        self.code
    }

    /// Code whose value is that of an expression.
    pub fn expression(mut self, expr: &'h Expr) -> Code {
        let src = self.value(expr);
        self.finish(src, expr.span)
    }

    /// Code whose value is that of a block.
    pub fn block(mut self, block: &'h Block) -> Code {
        let dst = self.temp();
        self.block_to(block, dst);
        self.finish(dst, block.value.as_ref().map_or(block.span, |value| value.span))
    }

    /// A field of a parameter, as the value of a local.
    pub fn given_field(&mut self, src: Reg, field: u32) -> Slot<'h> {
        let dst = self.temp();
        let field = u16::try_from(field).unwrap_or(u16::MAX);
        self.emit(Instr::Field { dst, src, field }, self.body.block.span);
        Slot::Reg(dst)
    }

    /// Code that says whether its parameter is that number.
    pub fn equals(mut self, number: usize, span: Span) -> Code {
        let dst = self.temp();
        self.number_to(number, dst, span);
        self.emit(Instr::Eq { dst, a: 0, b: dst }, span);
        self.finish(dst, span)
    }

    /// Code that says whether its first parameter is below that number, or its second one is true.
    pub fn decided(mut self, number: usize, span: Span) -> Code {
        let dst = self.temp();
        self.number_to(number, dst, span);
        self.emit(Instr::LtInt { dst, a: 0, b: dst }, span);
        let end = self.emit(Instr::JumpIf { cond: dst, to: 0 }, span);
        self.emit(Instr::Move { dst, src: 1 }, span);
        self.land(&[end]);
        self.finish(dst, span)
    }

    /// Code whose value is a parameter with a pattern's steps taken, converted to a type.
    pub fn part(mut self, steps: &[pattern::Step<'h>], fit: Option<&Type>, span: Span) -> Code {
        let dst = self.temp();
        self.emit(Instr::Move { dst, src: 0 }, span);
        steps.iter().for_each(|step| self.step(step, dst, dst, span));
        if let Some(ty) = fit {
            let ty = self.cx.ty(ty);
            self.emit(Instr::Fit { dst, src: dst, ty }, span);
        }
        self.finish(dst, span)
    }

    /// Code that says whether its parameter is null.
    pub fn null_test(mut self, span: Span) -> Code {
        let dst = self.temp();
        self.const_to(&hir::Const::Bool(true), dst, span);
        let yes = self.emit(Instr::JumpIfNull { src: 0, to: 0 }, span);
        self.const_to(&hir::Const::Bool(false), dst, span);
        self.land(&[yes]);
        self.finish(dst, span)
    }

    // Instructions.

    fn emit(&mut self, instr: Instr, span: Span) -> Pc {
        let at = self.here();
        self.code.instrs.push(instr);
        self.code.spans.push(self.cx.span(self.def, span));
        at
    }

    fn here(&self) -> Pc {
        index(self.code.instrs.len())
    }

    /// Lets jumps go to the next instruction.
    fn land(&mut self, jumps: &[Pc]) {
        let here = self.here();
        for &jump in jumps {
            if let Some(
                Instr::Jump { to }
                | Instr::JumpIf { to, .. }
                | Instr::JumpIfNot { to, .. }
                | Instr::JumpIfNull { to, .. }
                | Instr::Lazy { block: to, .. },
            ) = self.code.instrs.get_mut(jump as usize)
            {
                *to = here;
            }
        }
    }

    fn jump(&mut self, span: Span) -> Pc {
        self.emit(Instr::Jump { to: 0 }, span)
    }

    // Registers: a stack. What is alive while a lazy block may run is below `high`, where such a block begins.

    fn temps(&mut self, count: usize) -> Reg {
        let first = u16::try_from(self.top).unwrap_or(u16::MAX);
        self.top = self.top.saturating_add(index(count));
        self.high = self.high.max(self.top);
        first
    }

    fn temp(&mut self) -> Reg {
        self.temps(1)
    }

    /// Frees the registers that `walk` takes.
    fn scoped<T>(&mut self, walk: impl FnOnce(&mut Self) -> T) -> T {
        let top = self.top;
        let result = walk(self);
        self.top = top;
        result
    }

    // Locals.

    /// The register of a local.
    fn local(&mut self, local: LocalId, span: Span) -> Reg {
        match self.slots.get(&local).copied() {
            Some(Slot::Reg(reg)) => reg,
            Some(Slot::Lazy(lazy)) => self.run_lazy(lazy, span),
            _ => {
                let dst = self.temp();
                self.local_to(local, dst, span);
                dst
            }
        }
    }

    fn local_to(&mut self, local: LocalId, dst: Reg, span: Span) {
        match self.slots.get(&local).copied() {
            Some(slot) => self.slot_to(slot, dst, span),
            None => {
                let name = self.body.locals.get(local.0 as usize).map_or("?", |local| local.name.as_str());
                self.cx.internal(self.def, span, &format!("`{name}` is not known here"));
            }
        }
    }

    fn slot_to(&mut self, slot: Slot<'h>, dst: Reg, span: Span) {
        match slot {
            Slot::Reg(src) => drop(self.emit(Instr::Move { dst, src }, span)),
            Slot::Const(value) => self.const_to(value, dst, span),
            Slot::Inline(stmt) => self.binding_to(stmt, dst),
            Slot::Lazy(lazy) => {
                let src = self.run_lazy(lazy, span);
                self.emit(Instr::Move { dst, src }, span);
            }
        }
    }

    fn local_type(&self, local: LocalId) -> &'h Type {
        self.body.locals.get(local.0 as usize).map_or(&Type::Any, |local| &local.ty)
    }

    fn number_to(&mut self, number: usize, dst: Reg, span: Span) {
        self.const_to(&hir::Const::Int(i64::try_from(number).unwrap_or(i64::MAX)), dst, span);
    }

    fn const_to(&mut self, value: &hir::Const, dst: Reg, span: Span) {
        let value = self.cx.body_const(value);
        self.emit(Instr::Const { dst, value }, span);
    }

    // Failures.

    /// Room for a handler: those around others come before them.
    fn handler(&mut self) -> usize {
        let none = Handler { start: 0, end: 0, target: 0, kind: HandlerKind::Item(0) };
        self.code.handlers.push(none);
        self.code.handlers.len() - 1
    }

    fn set_handler(&mut self, at: usize, handler: Handler) {
        if let Some(known) = self.code.handlers.get_mut(at) {
            *known = handler;
        }
    }

    fn item_loop(&mut self, index: Reg) -> u16 {
        self.code.loops.push(Loop { start: 0, end: 0, index });
        u16::try_from(self.code.loops.len() - 1).unwrap_or(u16::MAX)
    }
}

/// Code that gives null.
pub(crate) fn null(cx: &mut Cx<'_>, def: &Def) -> Code {
    let body = Body::default();
    let mut builder = Builder::new(cx, def, &body, def.name.clone(), 0);
    let dst = builder.temp();
    builder.const_to(&hir::Const::Null, dst, Span::default());
    builder.finish(dst, Span::default())
}

/// The code of a `fn`, `const` or default.
pub(crate) fn of_body<'db>(
    cx: &mut Cx<'db>,
    def: &Def,
    body: impl FnOnce(&'db dyn Db, &Def) -> Option<&'db Checked>,
) -> Code {
    let Some(checked) = body(cx.db, def) else {
        cx.internal(def, Span::default(), "it has no body");
        return null(cx, def);
    };
    let body = &checked.body;
    let mut builder = Builder::new(cx, def, body, def.name.clone(), body.params.len());
    for (&param, reg) in body.params.iter().zip(0..) {
        builder.slots.insert(param, Slot::Reg(reg));
    }
    let dst = builder.temp();
    builder.block_to(&body.block, dst);
    builder.finish(dst, body.block.span)
}

/// The code of a named function where a function value of a type is wanted: it converts what it is given and fills in
/// the defaults of the parameters that it is not given.
pub(crate) fn fn_value(cx: &mut Cx<'_>, def: &Def, ty: &Type) -> Code {
    let body = Body::default();
    let Type::Fn(given, result) = unfold(cx.db, ty) else {
        cx.internal(def, Span::default(), "a function that is no function");
        return null(cx, def);
    };
    let Some(known) = cx.known(def) else {
        cx.internal(def, Span::default(), "it is no function");
        return null(cx, def);
    };
    let span = known.sig.params.first().map_or(Span::default(), |param| query::param_span(cx.db, def, &param.name));
    let name = def.name.clone();
    let mut builder = Builder::new(cx, def, &body, name, given.len());
    let count = known.sig.params.len();
    let first = builder.temps(count);
    for ((param, at), reg) in known.sig.params.iter().zip(0_u32..).zip(first..) {
        match (given.get(at as usize), u16::try_from(at)) {
            (Some(given), Ok(src)) if builder.cx.is_within(given, &param.ty) => {
                builder.emit(Instr::Move { dst: reg, src }, span);
            }
            (Some(_), Ok(src)) => {
                let ty = builder.cx.ty(&param.ty);
                builder.emit(Instr::Fit { dst: reg, src, ty }, span);
            }
            _ => builder.default_to(def, at, reg, span),
        }
    }
    let dst = builder.temp();
    builder.invoke(&known, &[], dst, first, count, span);
    let output = query::output_types(builder.cx.db, def).into_iter().next().unwrap_or(Type::Any);
    if !builder.cx.is_within(&output, &result) {
        let ty = builder.cx.ty(&result);
        builder.emit(Instr::Fit { dst, src: dst, ty }, span);
    }
    builder.finish(dst, span)
}

/// The locals of a body that a lambda names and does not bind itself, in order of first use.
fn captures(slots: &FxHashMap<LocalId, Slot<'_>>, lambda: &Lambda) -> Vec<LocalId> {
    let mut captured = Vec::new();
    crate::needs::lambda_uses(lambda, &mut |local| {
        if slots.contains_key(&local) && !captured.contains(&local) {
            captured.push(local);
        }
    });
    captured
}

/// The value of a binding.
fn bound(stmt: &Stmt) -> Option<&Expr> {
    match &stmt.kind {
        StmtKind::Let(_, value) => Some(value),
        _ => None,
    }
}

/// Whether a call is of a function value.
fn called_value(callee: &Callee) -> Option<LocalId> {
    match callee {
        Callee::Value(local) => Some(*local),
        Callee::Item(_) => None,
    }
}

/// The constant that an expression is, conversions of it included.
fn folded(expr: &Expr) -> Option<hir::Const> {
    match &expr.kind {
        ExprKind::Const(value) => Some(value.clone()),
        ExprKind::Fit(inner) => match (&inner.kind, &expr.ty) {
            // What a float does not hold exactly fails when it runs.
            #[expect(clippy::cast_precision_loss, reason = "at most 2^53")]
            (ExprKind::Const(hir::Const::Int(i)), Type::Float) if i.unsigned_abs() <= 1 << 53 => {
                Some(hir::Const::Float(*i as f64))
            }
            _ => None,
        },
        _ => None,
    }
}
