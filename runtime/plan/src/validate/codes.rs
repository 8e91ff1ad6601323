//! Register code: registers, targets, tables, and that calls end.

use super::types::{default_code, record_at};
use super::{Check, MAX_CALL_DEPTH, const_at, depths, ensure, span_at, type_at};
use crate::code::{Code, HandlerKind, Instr, Pc, Reg};
use crate::{CodeId, Const, ConstId, Effect, Plan};

pub(super) fn check(plan: &Plan) -> Check {
    for (i, code) in plan.codes.iter().enumerate() {
        check_code(plan, code).map_err(|e| format!("code {i} `{}`: {e}", code.name))?;
    }
    match call_depth(plan) {
        Ok(depth) => ensure(depth < MAX_CALL_DEPTH, || format!("functions call more than {MAX_CALL_DEPTH} deep")),
        Err(i) => Err(format!("code {} calls itself", i.0)),
    }
}

/// How deep code calls code, function values apart; or code that calls itself.
pub fn call_depth(plan: &Plan) -> Result<u32, CodeId> {
    let count = plan.codes.len();
    let calls = plan
        .codes
        .iter()
        .map(|code| code.instrs.iter().filter_map(callee).map(CodeId::at).filter(|&callee| callee < count).collect());
    let depths = depths(&calls.collect::<Vec<_>>());
    depths.map(|d| d.into_iter().max().unwrap_or(0)).map_err(|i| CodeId(u32::try_from(i).unwrap_or(u32::MAX)))
}

fn callee(instr: &Instr) -> Option<CodeId> {
    match *instr {
        Instr::Call { code, .. } | Instr::CallOnce { code, .. } | Instr::Closure { code, .. } => Some(code),
        _ => None,
    }
}

fn check_code(plan: &Plan, code: &Code) -> Check {
    ensure(code.params <= code.regs, || format!("{} parameters in {} registers", code.params, code.regs))?;
    ensure(code.spans.len() == code.instrs.len(), || "not one span per instruction".into())?;
    code.spans.iter().try_for_each(|&s| span_at(plan, s))?;
    let ends = matches!(
        code.instrs.last(),
        Some(Instr::Return { .. } | Instr::Jump { .. } | Instr::LazyEnd { .. } | Instr::Fail { .. })
    );
    ensure(ends, || "it runs past its end".into())?;
    for (at, instr) in code.instrs.iter().enumerate() {
        check_instr(plan, code, instr).map_err(|e| format!("instruction {at}: {e}"))?;
    }
    for (i, handler) in code.handlers.iter().enumerate() {
        let check = || {
            range(code, handler.start, handler.end)?;
            target(code, handler.target)?;
            match handler.kind {
                HandlerKind::Try(reg, ty) => {
                    regs(code, reg, 1)?;
                    record_at(plan, ty).map(drop)
                }
                HandlerKind::Item(item_loop) => loop_at(code, item_loop),
            }
        };
        check().map_err(|e| format!("handler {i}: {e}"))?;
    }
    for (i, item_loop) in code.loops.iter().enumerate() {
        let check = range(code, item_loop.start, item_loop.end).and_then(|()| regs(code, item_loop.index, 1));
        check.map_err(|e| format!("loop {i}: {e}"))?;
    }
    check_lazies(code)
}

/// Each lazy block is one run of instructions, and none needs itself: the interpreter goes as deep as they nest.
fn check_lazies(code: &Code) -> Check {
    let count = usize::from(code.lazies);
    let mut starts: Vec<Option<usize>> = vec![None; count];
    let mut ends: Vec<Option<usize>> = vec![None; count];
    for (pc, instr) in code.instrs.iter().enumerate() {
        let (known, place, lazy) = match *instr {
            Instr::Lazy { lazy, block } => (starts.get_mut(usize::from(lazy)), at(block), lazy),
            Instr::LazyEnd { lazy } => (ends.get_mut(usize::from(lazy)), pc, lazy),
            _ => continue,
        };
        if let Some(known) = known {
            ensure(known.is_none_or(|k| k == place), || format!("lazy {lazy} has two blocks"))?;
            *known = Some(place);
        }
    }
    let mut blocks = Vec::with_capacity(count);
    for (lazy, start) in starts.iter().enumerate() {
        let Some(start) = *start else { continue };
        let end = ends.get(lazy).copied().flatten().filter(|&end| end >= start);
        blocks.push((start, end.ok_or_else(|| format!("lazy {lazy} has no block"))?, lazy));
    }
    blocks.sort_unstable();
    // Which block an instruction belongs to: the innermost of those around it.
    let mut needs = vec![Vec::new(); count];
    let mut around: Vec<(usize, usize)> = Vec::new();
    let mut next = blocks.into_iter().peekable();
    for (pc, instr) in code.instrs.iter().enumerate() {
        while around.pop_if(|(end, _)| *end < pc).is_some() {}
        while let Some((_, end, lazy)) = next.next_if(|(start, ..)| *start == pc) {
            let fits = around.last().is_none_or(|(outer, _)| end < *outer);
            ensure(fits, || format!("the block of lazy {lazy} ends within another"))?;
            around.push((end, lazy));
        }
        if let (Instr::Lazy { lazy, .. }, Some(needs)) = (instr, around.last().and_then(|(_, l)| needs.get_mut(*l))) {
            needs.push(usize::from(*lazy));
        }
    }
    depths(&needs).map_err(|lazy| format!("lazy {lazy} needs itself"))?;
    Ok(())
}

fn check_instr(plan: &Plan, code: &Code, instr: &Instr) -> Check {
    instr.registers().into_iter().try_for_each(|(first, count)| regs(code, first, count.into()))?;
    match *instr {
        Instr::Const { value, .. } => const_at(plan, value),
        Instr::Jump { to } | Instr::JumpIf { to, .. } | Instr::JumpIfNot { to, .. } | Instr::JumpIfNull { to, .. } => {
            target(code, to)
        }
        Instr::Lazy { lazy, block } => lazy_at(code, lazy).and_then(|()| target(code, block)),
        Instr::LazyEnd { lazy } | Instr::Forget { lazy } => lazy_at(code, lazy),
        Instr::Dict { first, count, .. } => regs(code, first, u32::from(count).saturating_mul(2)),
        Instr::Record { ty, first, .. } => regs(code, first, u32::try_from(record_at(plan, ty)?).unwrap_or(u32::MAX)),
        Instr::FieldNamed { name, .. } | Instr::HasField { name, .. } => str_at(plan, name),
        Instr::Fit { ty, .. } | Instr::As { ty, .. } | Instr::Is { ty, .. } | Instr::Matches { ty, .. } => {
            type_at(plan, ty)
        }
        Instr::Call { code: callee, first, .. } => regs(code, first, params(plan, callee)?.into()),
        Instr::CallOnce { code: callee, .. } => default_code(plan, callee),
        Instr::Closure { code: callee, count, .. } => {
            ensure(count <= params(plan, callee)?, || format!("{count} captures are too many for code {}", callee.0))
        }
        Instr::Native { native, count, .. } => match plan.natives.get(native.at()) {
            None => Err(format!("there is no native {}", native.0)),
            Some(n) if n.effect != Effect::Pure => Err(format!("`{}` is not pure", n.id)),
            Some(n) => ensure(usize::from(count) == n.params.len(), || format!("`{}` takes {}", n.id, n.params.len())),
        },
        Instr::Raise { item_loop } => loop_at(code, item_loop),
        _ => Ok(()),
    }
}

fn params(plan: &Plan, id: CodeId) -> Result<u16, String> {
    plan.codes.get(id.at()).map(|c| c.params).ok_or_else(|| format!("there is no code {}", id.0))
}

fn str_at(plan: &Plan, id: ConstId) -> Check {
    let is_str = matches!(plan.consts.get(id.at()), Some(Const::Str(_)));
    ensure(is_str, || format!("constant {} is no str", id.0))
}

fn regs(code: &Code, first: Reg, count: u32) -> Check {
    let end = u32::from(first).saturating_add(count);
    ensure(end <= code.regs.into(), || format!("register {} of {}", end.saturating_sub(1), code.regs))
}

fn lazy_at(code: &Code, lazy: u16) -> Check {
    ensure(lazy < code.lazies, || format!("lazy {lazy} of {}", code.lazies))
}

fn loop_at(code: &Code, item_loop: u16) -> Check {
    ensure(usize::from(item_loop) < code.loops.len(), || format!("loop {item_loop} of {}", code.loops.len()))
}

fn target(code: &Code, pc: Pc) -> Check {
    ensure(at(pc) < code.instrs.len(), || format!("there is no instruction {pc}"))
}

fn range(code: &Code, start: Pc, end: Pc) -> Check {
    ensure(start <= end && at(end) <= code.instrs.len(), || format!("no range {start}..{end}"))
}

fn at(pc: Pc) -> usize {
    usize::try_from(pc).unwrap_or(usize::MAX)
}
