//! `match`: tests of patterns, and the way to what they bind.

use super::{Builder, Slot};
use ntl_plan::code::Pc;
use ntl_plan::{Code, Instr, Reg};
use ntl_semantic::Db;
use ntl_semantic::hir::{self, Arm, Expr, LocalId, Pattern};
use ntl_semantic::query;
use ntl_semantic::ty::Type;
use ntl_semantic::types::{is_nullable, members, unfold, union};
use ntl_syntax::ast::Span;
use smol_str::SmolStr;

/// A step from a value to a part of it.
#[derive(Clone)]
pub(crate) enum Step<'h> {
    /// The field or item at a place.
    Place(u16),
    /// The field of a name, of a value that has more than one layout.
    Name(&'h SmolStr),
    /// What `as` makes of it.
    As(&'h Type),
}

/// Calls `f` with every local that a pattern binds, the way to it from the matched value, and the value's type there.
pub(crate) fn variables<'h>(
    db: &dyn Db,
    pattern: &'h Pattern,
    ty: &Type,
    way: &mut Vec<Step<'h>>,
    f: &mut dyn FnMut(LocalId, &[Step<'h>], &Type),
) {
    match pattern {
        Pattern::Wildcard | Pattern::Const(_) | Pattern::Or(_) => {}
        Pattern::Bind(local) => f(*local, way, ty),
        Pattern::Typed(ty, inner) => variables(db, inner, ty, way, f),
        Pattern::As(ty, inner) => {
            way.push(Step::As(ty));
            variables(db, inner, ty, way, f);
            way.pop();
        }
        Pattern::Tuple(items) => {
            let types = tuple(db, ty, items.len());
            for (at, item) in items.iter().enumerate() {
                way.push(Step::Place(u16::try_from(at).unwrap_or(u16::MAX)));
                variables(db, item, types.get(at).unwrap_or(&Type::Any), way, f);
                way.pop();
            }
        }
        Pattern::Record(fields) => {
            for (name, inner) in fields {
                let (step, ty) = field(db, ty, name);
                way.push(step);
                variables(db, inner, &ty, way, f);
                way.pop();
            }
        }
    }
}

/// The members of a type but null, seen through names.
fn present(db: &dyn Db, ty: &Type) -> Vec<Type> {
    members(db, ty).iter().map(|member| unfold(db, member)).filter(|member| *member != Type::Null).collect()
}

/// The item types of the tuple of that length which a value may be.
fn tuple(db: &dyn Db, ty: &Type, len: usize) -> Vec<Type> {
    let found = present(db, ty).into_iter().find_map(|ty| match ty {
        Type::Tuple(items) if items.len() == len => Some(items.to_vec()),
        _ => None,
    });
    found.unwrap_or_default()
}

/// The step to a field, and its type.
fn field<'h>(db: &dyn Db, ty: &Type, name: &'h SmolStr) -> (Step<'h>, Type) {
    let members = present(db, ty);
    let record = match members.as_slice() {
        [only] => query::as_record(db, only),
        _ => None,
    };
    let known = record.and_then(|r| {
        let at = r.fields.iter().position(|f| f.name == *name)?;
        Some((Step::Place(u16::try_from(at).ok()?), r.fields.get(at)?.ty.clone()))
    });
    known.unwrap_or_else(|| {
        // Of a union: whatever field of that name the value has.
        let fields = members.iter().filter_map(|ty| query::as_record(db, ty));
        let types: Vec<Type> =
            fields.filter_map(|r| r.fields.iter().find(|f| f.name == *name).map(|f| f.ty.clone())).collect();
        (Step::Name(name), if types.is_empty() { Type::Any } else { union(types) })
    })
}

impl<'h> Builder<'_, '_, 'h> {
    pub(super) fn step(&mut self, step: &Step<'h>, src: Reg, dst: Reg, span: Span) {
        match step {
            Step::Place(field) => self.emit(Instr::Field { dst, src, field: *field }, span),
            Step::Name(name) => {
                let name = self.name(name);
                self.emit(Instr::FieldNamed { dst, src, name }, span)
            }
            Step::As(ty) => {
                let ty = self.cx.ty(ty);
                self.emit(Instr::As { dst, src, ty }, span)
            }
        };
    }

    /// Code that says which arm of a `match` fits its first parameter, counted from `from`. `open` says that the last arm's
    /// guard is not looked at: that arm's number means that its pattern fits, and the next one that no arm does.
    pub fn decision(mut self, ty: &Type, arms: &'h [Arm], from: usize, open: bool, span: Span) -> Code {
        let dst = self.temp();
        let last = arms.len().saturating_sub(1);
        let mut ends = Vec::new();
        for (number, arm) in arms.iter().enumerate() {
            let has_guard = !(open && number == last);
            self.scoped(|b| {
                let mut fails = Vec::new();
                b.test(&arm.pattern, 0, ty, &mut fails, span);
                if let Some(guard) = arm.guard.as_ref().filter(|_| has_guard) {
                    let cond = b.value(guard);
                    fails.push(b.emit(Instr::JumpIfNot { cond, to: 0 }, guard.span));
                }
                b.number_to(from + number, dst, span);
                ends.push(b.jump(span));
                b.land(&fails);
            });
        }
        if open {
            self.number_to(from + arms.len(), dst, span);
        } else {
            self.fail("no arm of this `match` fits", span);
        }
        self.land(&ends);
        self.finish(dst, span)
    }

    /// `match` in code.
    pub(super) fn choose(&mut self, value: &'h Expr, arms: &'h [Arm], dst: Reg, span: Span) {
        let subject = self.value(value);
        let mut ends = Vec::new();
        let mut is_open = true;
        for arm in arms {
            self.scoped(|b| {
                let mut fails = Vec::new();
                b.test(&arm.pattern, subject, &value.ty, &mut fails, arm.body.span);
                if let Some(guard) = &arm.guard {
                    let cond = b.value(guard);
                    fails.push(b.emit(Instr::JumpIfNot { cond, to: 0 }, guard.span));
                }
                b.block_to(&arm.body, dst);
                is_open = !fails.is_empty();
                ends.push(b.jump(span));
                b.land(&fails);
            });
            if !is_open {
                break;
            }
        }
        if is_open {
            self.scoped(|b| b.fail("no arm of this `match` fits", span));
        }
        self.land(&ends);
    }

    /// Tests whether a value fits a pattern, jumps away if not, and binds what the pattern binds.
    fn test(&mut self, pattern: &'h Pattern, value: Reg, ty: &Type, fails: &mut Vec<Pc>, span: Span) {
        match pattern {
            Pattern::Wildcard => {}
            Pattern::Bind(local) => {
                let wanted = self.local_type(*local);
                let mut reg = value;
                if self.cx.must_fit(ty, wanted) {
                    reg = self.temp();
                    let ty = self.cx.ty(wanted);
                    self.emit(Instr::Fit { dst: reg, src: value, ty }, span);
                }
                self.slots.insert(*local, Slot::Reg(reg));
            }
            Pattern::Const(hir::Const::Null) => {
                let is_null = self.emit(Instr::JumpIfNull { src: value, to: 0 }, span);
                fails.push(self.jump(span));
                self.land(&[is_null]);
            }
            Pattern::Const(constant) => {
                let cond = self.temp();
                self.const_to(constant, cond, span);
                self.emit(Instr::Eq { dst: cond, a: value, b: cond }, span);
                fails.push(self.emit(Instr::JumpIfNot { cond, to: 0 }, span));
            }
            Pattern::Typed(ty, inner) => {
                self.matches(value, ty, fails, span);
                self.test(inner, value, ty, fails, span);
            }
            Pattern::As(ty, inner) => {
                self.known_type(ty, span);
                let (cond, wanted) = (self.temp(), self.cx.ty(ty));
                self.emit(Instr::Is { dst: cond, src: value, ty: wanted }, span);
                fails.push(self.emit(Instr::JumpIfNot { cond, to: 0 }, span));
                self.part_test(&Step::As(ty), inner, value, ty, fails, span);
            }
            Pattern::Tuple(items) => {
                let types = tuple(self.cx.db, ty, items.len());
                if !matches!(unfold(self.cx.db, ty), Type::Tuple(_)) {
                    let types = if types.is_empty() { vec![Type::Any; items.len()] } else { types.clone() };
                    self.matches(value, &Type::Tuple(types.into()), fails, span);
                }
                for (at, item) in items.iter().enumerate() {
                    let step = Step::Place(u16::try_from(at).unwrap_or(u16::MAX));
                    let ty = types.get(at).unwrap_or(&Type::Any);
                    self.part_test(&step, item, value, ty, fails, span);
                }
            }
            Pattern::Record(fields) => {
                if is_nullable(self.cx.db, ty) {
                    fails.push(self.emit(Instr::JumpIfNull { src: value, to: 0 }, span));
                }
                for (name, inner) in fields {
                    let (step, ty) = field(self.cx.db, ty, name);
                    if let Step::Name(name) = step {
                        self.scoped(|b| {
                            let (cond, name) = (b.temp(), b.name(name));
                            b.emit(Instr::HasField { dst: cond, src: value, name }, span);
                            fails.push(b.emit(Instr::JumpIfNot { cond, to: 0 }, span));
                        });
                    }
                    self.part_test(&step, inner, value, &ty, fails, span);
                }
            }
            Pattern::Or(alternatives) => {
                let mut fits = Vec::new();
                let mut open = Vec::new();
                for alternative in alternatives {
                    self.land(&open);
                    open.clear();
                    self.test(alternative, value, ty, &mut open, span);
                    fits.push(self.jump(span));
                }
                self.land(&open);
                fails.push(self.jump(span));
                self.land(&fits);
            }
        }
    }

    fn part_test(
        &mut self,
        step: &Step<'h>,
        pattern: &'h Pattern,
        value: Reg,
        ty: &Type,
        fails: &mut Vec<Pc>,
        span: Span,
    ) {
        if !matches!(pattern, Pattern::Wildcard) {
            let dst = self.temp();
            self.step(step, value, dst, span);
            self.test(pattern, dst, ty, fails, span);
        }
    }

    fn matches(&mut self, value: Reg, ty: &Type, fails: &mut Vec<Pc>, span: Span) {
        let (cond, ty) = (self.temp(), self.cx.ty(ty));
        self.emit(Instr::Matches { dst: cond, src: value, ty }, span);
        fails.push(self.emit(Instr::JumpIfNot { cond, to: 0 }, span));
    }
}
