//! Regions and operations: the tree, what each takes and holds, and that nothing waits for itself.

use super::types::default_code;
use super::{Check, MAX_CALL_DEPTH, MAX_REGION_DEPTH, const_at, depths, ensure, span_at, type_at};
use crate::{Op, OpId, OpKind, Plan, Ref, Region, RegionId, RegionKind};

/// Where regions stand.
struct Tree<'p> {
    plan: &'p Plan,
    /// Which operation of the parent holds the region: its position there.
    holders: Vec<Option<usize>>,
    /// The number of the first operation of each region when all are counted through.
    starts: Vec<usize>,
}

pub(super) fn check(plan: &Plan) -> Check {
    check_entry(plan)?;
    let mut tree = Tree { plan, holders: vec![None; plan.regions.len()], starts: Vec::new() };
    check_parents(&mut tree)?;
    for (r, region) in plan.regions.iter().enumerate() {
        for (o, op) in region.ops.iter().enumerate() {
            check_op(&tree, r, o, op).map_err(|e| format!("region {r}, operation {o} `{}`: {e}", op.id))?;
        }
        let of = |e| format!("region {r}: {e}");
        region.results.iter().try_for_each(|&x| node(&tree, r, region.ops.len(), x).map(drop)).map_err(of)?;
        region.effects.iter().try_for_each(|&e| op_at(region, e).map(drop)).map_err(of)?;
        let is_held = region.kind == RegionKind::Workflow || tree.holders.get(r).is_some_and(Option::is_some);
        ensure(is_held, || of("no operation holds it".into()))?;
    }
    check_waits(&tree)?;
    check_calls(plan)
}

fn check_entry(plan: &Plan) -> Check {
    let entry = plan.regions.get(plan.entry.at()).filter(|r| r.kind == RegionKind::Workflow);
    let Some(entry) = entry else { return Err("the entry is no workflow's region".into()) };
    let counts = len(&plan.inputs) == entry.params && plan.outputs.len() == entry.results.len();
    ensure(counts, || "the entry does not take the inputs and give the outputs".into())?;
    for input in &plan.inputs {
        let of = |e| format!("input `{}`: {e}", input.name);
        type_at(plan, input.ty).and_then(|()| span_at(plan, input.span)).map_err(of)?;
        input.default.map_or(Ok(()), |code| default_code(plan, code)).map_err(of)?;
        let is_finite = input.min.into_iter().chain(input.max).all(f64::is_finite);
        ensure(is_finite, || of("a bound is no finite number".into()))?;
    }
    plan.outputs.iter().try_for_each(|o| type_at(plan, o.ty).map_err(|e| format!("output `{}`: {e}", o.name)))
}

fn check_parents(tree: &mut Tree<'_>) -> Check {
    let plan = tree.plan;
    let mut depth: Vec<u32> = Vec::with_capacity(plan.regions.len());
    let mut ops = 0_usize;
    for (r, region) in plan.regions.iter().enumerate() {
        let above = match (region.kind, region.parent) {
            (RegionKind::Workflow, None) => Some(0),
            (RegionKind::Workflow, Some(_)) | (_, None) => None,
            // Parents come first, so there is no circle.
            (_, Some(parent)) => depth.get(parent.at()).map(|d| d.saturating_add(1)),
        };
        let Some(d) = above else { return Err(format!("region {r} has no right parent")) };
        ensure(d <= MAX_REGION_DEPTH, || format!("region {r} is nested more than {MAX_REGION_DEPTH} deep"))?;
        depth.push(d);
        tree.starts.push(ops);
        ops = ops.saturating_add(region.ops.len());
    }
    for (r, region) in plan.regions.iter().enumerate() {
        for (o, op) in region.ops.iter().enumerate() {
            for (held, kind) in held(&op.kind) {
                let of = |e: &str| format!("region {r}, operation {o}: region {} {e}", held.0);
                let inner = plan.regions.get(held.at()).ok_or_else(|| of("is not there"))?;
                ensure(inner.kind == kind, || of("is of another kind"))?;
                ensure(inner.parent.is_some_and(|p| p.at() == r), || of("has another parent"))?;
                if let Some(holder) = tree.holders.get_mut(held.at()) {
                    ensure(holder.is_none(), || of("is held twice"))?;
                    *holder = Some(o);
                }
            }
        }
    }
    Ok(())
}

/// The regions of an operation's own, and what they must be.
fn held(kind: &OpKind) -> Vec<(RegionId, RegionKind)> {
    match kind {
        OpKind::Select(branches) => branches.iter().map(|&b| (b, RegionKind::Branch)).collect(),
        OpKind::For { body, .. } => vec![(*body, RegionKind::For)],
        OpKind::Each(body) => vec![(*body, RegionKind::Source)],
        OpKind::Loop(body) => vec![(*body, RegionKind::Loop)],
        OpKind::Try(body, handler) => vec![(*body, RegionKind::Try), (*handler, RegionKind::Handler)],
        OpKind::Block(body) => vec![(*body, RegionKind::Block)],
        _ => Vec::new(),
    }
}

fn check_op(tree: &Tree<'_>, r: usize, o: usize, op: &Op) -> Check {
    let plan = tree.plan;
    span_at(plan, op.span)?;
    type_at(plan, op.ty)?;
    op.inputs.iter().chain(&op.after).try_for_each(|&x| node(tree, r, o, x).map(drop))?;
    let takes = |n: usize| ensure(op.inputs.len() == n, || format!("it takes {} values, not {n}", op.inputs.len()));
    let region = |id: RegionId| plan.regions.get(id.at()).ok_or_else(|| format!("there is no region {}", id.0));
    let shape = |id: RegionId, params: usize, results: usize| {
        let region = region(id)?;
        let fits = at(region.params) == params && region.results.len() == results;
        ensure(fits, || format!("region {} must have {params} parameters and {results} results", id.0))
    };
    match &op.kind {
        OpKind::Const(value) => takes(0).and_then(|()| const_at(plan, *value)),
        OpKind::Code(id) => match plan.codes.get(id.at()) {
            Some(code) => takes(code.params.into()),
            None => Err(format!("there is no code {}", id.0)),
        },
        OpKind::Native(id) => match plan.natives.get(id.at()) {
            Some(native) => takes(native.params.len()),
            None => Err(format!("there is no native {}", id.0)),
        },
        OpKind::Call(id) => {
            let callee = region(*id)?;
            ensure(callee.kind == RegionKind::Workflow, || format!("region {} is no workflow", id.0))?;
            takes(at(callee.params))
        }
        OpKind::Output(call, n) => {
            let of = plan.regions.get(r).and_then(|r| r.ops.get(call.at())).filter(|_| call.at() < o);
            let Some(Op { kind: OpKind::Call(callee), .. }) = of else {
                return Err("it is the output of no call".into());
            };
            let outputs = region(*callee)?.results.len();
            ensure(at(*n) < outputs, || format!("output {n} of {outputs}"))?;
            takes(0)
        }
        OpKind::Select(branches) => {
            ensure(!branches.is_empty(), || "it has no branch".into())?;
            branches.iter().try_for_each(|&b| shape(b, 0, 1))?;
            takes(1)
        }
        OpKind::For { body, keeps, .. } => shape(*body, 2, if *keeps { 2 } else { 1 }).and_then(|()| takes(1)),
        OpKind::Each(body) => shape(*body, 2, 0).and_then(|()| takes(1)),
        OpKind::Collect(source, value) => {
            let source = each(tree, r, o, *source)?;
            match *value {
                Ref::Op(op) => op_at(region(source)?, op).map(drop)?,
                Ref::Param(p) => ensure(p < region(source)?.params, || format!("parameter {p} of the source"))?,
                Ref::Outer { .. } | Ref::OuterParam { .. } => return Err("it takes what is not the source's".into()),
            }
            takes(0)
        }
        OpKind::Loop(body) => {
            let carried = op.inputs.len().saturating_sub(1);
            ensure(carried > 0, || "it carries nothing".into())?;
            shape(*body, carried, op.inputs.len())
        }
        OpKind::Try(body, handler) => {
            shape(*body, 0, 1)?;
            shape(*handler, 1, 1)?;
            takes(0)
        }
        OpKind::Block(body) => shape(*body, 0, 1).and_then(|()| takes(0)),
        OpKind::Require => takes(2),
    }
}

/// The region `up` levels out of region `r`.
fn outer<'p>(tree: &Tree<'p>, r: usize, up: u32) -> Result<(usize, &'p Region), String> {
    let mut r = r;
    ensure(up <= MAX_REGION_DEPTH, || format!("{up} regions out"))?;
    for _ in 0..up {
        let parent = tree.plan.regions.get(r).and_then(|region| region.parent);
        r = parent.ok_or("it takes from outside of its workflow")?.at();
    }
    tree.plan.regions.get(r).map(|region| (r, region)).ok_or_else(|| format!("there is no region {r}"))
}

/// What a reference of operation `o` (or, after all of them, of the results) of region `r` points at: an operation, all
/// counted through, or `None` for a parameter.
fn node(tree: &Tree<'_>, r: usize, o: usize, reference: Ref) -> Result<Option<usize>, String> {
    let place = |r: usize, op: OpId| tree.starts.get(r).map(|s| s.saturating_add(op.at()));
    let param = |region: &Region, param: u32| {
        ensure(param < region.params, || format!("parameter {param} of {}", region.params))
    };
    match reference {
        Ref::Op(op) => {
            ensure(op.at() < o, || format!("it takes the value of operation {}, which is not before it", op.0))?;
            Ok(place(r, op))
        }
        Ref::Outer { up, op } => {
            ensure(up > 0, || "0 regions out".into())?;
            let (r, region) = outer(tree, r, up)?;
            op_at(region, op)?;
            Ok(place(r, op))
        }
        Ref::Param(p) => param(outer(tree, r, 0)?.1, p).map(|()| None),
        Ref::OuterParam { up, param: p } => {
            ensure(up > 0, || "0 regions out".into())?;
            param(outer(tree, r, up)?.1, p).map(|()| None)
        }
    }
}

/// The region of the source that a reference points at.
fn each(tree: &Tree<'_>, r: usize, o: usize, source: Ref) -> Result<RegionId, String> {
    let (up, op) = match source {
        Ref::Op(op) => (0, op),
        Ref::Outer { up, op } => (up, op),
        Ref::Param(_) | Ref::OuterParam { .. } => return Err("it collects from a parameter".into()),
    };
    node(tree, r, o, source)?;
    match outer(tree, r, up)?.1.ops.get(op.at()).map(|op| &op.kind) {
        Some(OpKind::Each(body)) => Ok(*body),
        _ => Err("it collects from what is no source".into()),
    }
}

fn op_at(region: &Region, op: OpId) -> Result<&Op, String> {
    region.ops.get(op.at()).ok_or_else(|| format!("there is no operation {}", op.0))
}

/// No operation may wait for itself, through values, order, or the regions that it holds.
fn check_waits(tree: &Tree<'_>) -> Check {
    let plan = tree.plan;
    // Nodes: every operation, then the start of every region.
    let ops: usize = plan.regions.iter().map(|r| r.ops.len()).sum();
    let start = |region: usize| ops.saturating_add(region);
    let taken = |r: usize, o: usize, op: &Op| {
        let refs = op.inputs.iter().chain(&op.after);
        refs.filter_map(|&x| node(tree, r, o, x).transpose()).collect::<Result<Vec<_>, _>>()
    };
    let mut waits = Vec::with_capacity(ops);
    for (r, region) in plan.regions.iter().enumerate() {
        for (o, op) in region.ops.iter().enumerate() {
            let mut on = taken(r, o, op)?;
            on.push(start(r));
            if let OpKind::Output(call, _) = op.kind {
                on.extend(node(tree, r, o, Ref::Op(call))?);
            }
            if let OpKind::Collect(source, value) = op.kind {
                on.extend(node(tree, r, o, source)?);
                on.extend(node(tree, each(tree, r, o, source)?.at(), usize::MAX, value)?);
            }
            for (inner, kind) in held(&op.kind) {
                // A source has no value that anyone could wait for.
                let Some(region) = plan.regions.get(inner.at()).filter(|_| kind != RegionKind::Source) else {
                    continue;
                };
                for x in region.results.iter().copied().chain(region.effects.iter().map(|&e| Ref::Op(e))) {
                    on.extend(node(tree, inner.at(), usize::MAX, x)?);
                }
            }
            waits.push(on);
        }
    }
    for (r, region) in plan.regions.iter().enumerate() {
        let holder = region.parent.zip(tree.holders.get(r).copied().flatten());
        let op = holder.and_then(|(p, o)| Some((p.at(), o, plan.regions.get(p.at())?.ops.get(o)?)));
        let mut on = Vec::new();
        if let Some((parent, o, op)) = op {
            on = taken(parent, o, op)?;
            on.push(start(parent));
        }
        waits.push(on);
    }
    depths(&waits).map(drop).map_err(|n| {
        let r = tree.starts.partition_point(|&s| s <= n).saturating_sub(1);
        let o = n.saturating_sub(tree.starts.get(r).copied().unwrap_or(0));
        let id = plan.regions.get(r).and_then(|r| r.ops.get(o)).map_or("", |o| o.id.as_str());
        format!("region {r}, operation {o} `{id}`: it waits for itself")
    })
}

/// Workflows call one another without circles, and in no long chains.
fn check_calls(plan: &Plan) -> Check {
    match workflow_depth(plan) {
        Ok(depth) => ensure(depth < MAX_CALL_DEPTH, || format!("workflows call more than {MAX_CALL_DEPTH} deep")),
        Err(r) => Err(format!("the workflow of region {} calls itself", r.0)),
    }
}

/// How deep workflows call workflows; or the region of one that calls itself.
pub fn workflow_depth(plan: &Plan) -> Result<u32, RegionId> {
    let mut calls = vec![Vec::new(); plan.regions.len()];
    let mut workflow = Vec::with_capacity(plan.regions.len());
    for (r, region) in plan.regions.iter().enumerate() {
        let own = region.parent.and_then(|p| workflow.get(p.at()).copied()).unwrap_or(r);
        workflow.push(own);
        for op in &region.ops {
            if let OpKind::Call(callee) = op.kind
                && let Some(calls) = calls.get_mut(own)
            {
                calls.push(callee.at());
            }
        }
    }
    let depths = depths(&calls);
    depths.map(|d| d.into_iter().max().unwrap_or(0)).map_err(|r| RegionId(u32::try_from(r).unwrap_or(u32::MAX)))
}

fn len<T>(items: &[T]) -> u32 {
    u32::try_from(items.len()).unwrap_or(u32::MAX)
}

fn at(n: u32) -> usize {
    usize::try_from(n).unwrap_or(usize::MAX)
}
