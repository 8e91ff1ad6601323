//! Regions and operations: the tree, what each takes and holds, and that nothing waits for itself.

use super::types::default_code;
use super::{Check, MAX_CALL_DEPTH, MAX_REGION_DEPTH, const_at, depths, ensure, span_at, type_at};
use crate::readers::are_right;
use crate::{Op, OpId, OpKind, Plan, Ref, Region, RegionId, RegionKind, Stream, StreamFn, Take};

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
        let is_plain = region.streams.is_empty() && region.gives.is_empty();
        ensure(region.kind == RegionKind::Workflow || is_plain, || of("it has streams and is no workflow's".into()))?;
        ensure(region.streams.iter().all(|&values| values > 0), || of("it takes a stream of nothing".into()))?;
        region.gives.iter().try_for_each(|give| check_take(&tree, r, region.ops.len(), give)).map_err(of)?;
        let is_held = region.kind == RegionKind::Workflow || tree.holders.get(r).is_some_and(Option::is_some);
        ensure(is_held, || of("no operation holds it".into()))?;
    }
    check_waits(&tree)?;
    ensure(are_right(plan), || "what it says of who waits for whom among streams is not so".into())?;
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
        OpKind::Stream(stream) => stream.opens.iter().map(|opens| (opens.region, RegionKind::Source)).collect(),
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
    op.takes.iter().try_for_each(|take| check_take(tree, r, o, take))?;
    let may_take = matches!(op.kind, OpKind::Call(_) | OpKind::Stream(_));
    ensure(may_take || op.takes.is_empty(), || "it takes a stream".into())?;
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
            let values = op.takes.iter().map(|take| len(&take.values));
            ensure(values.eq(callee.streams.iter().copied()), || "it does not take the workflow's streams".into())?;
            takes(at(callee.params))
        }
        OpKind::Output(call, n) => {
            let outputs = callee(tree, r, o, *call)?.results.len();
            ensure(at(*n) < outputs, || format!("output {n} of {outputs}"))?;
            takes(0)
        }
        OpKind::Select(branches) => {
            ensure(!branches.is_empty(), || "it has no branch".into())?;
            branches.iter().try_for_each(|&b| shape(b, 0, 1))?;
            takes(1)
        }
        OpKind::For { body, keeps, .. } => shape(*body, 2, if *keeps { 2 } else { 1 }).and_then(|()| takes(1)),
        OpKind::Stream(stream) => check_stream(tree, r, o, op, stream),
        OpKind::Per(stream) => {
            node(tree, r, o, *stream)?;
            let (at, place) = target(tree, r, *stream)?;
            let of = plan.regions.get(at).and_then(|region| region.ops.get(place));
            let is_of = match of.map(|op| (&op.kind, op.takes.first())) {
                Some((OpKind::Stream(Stream { per: Some(per), .. }), Some(take))) => {
                    per.at() == o && source(tree, at, take.source)?.at() == r
                }
                _ => false,
            };
            ensure(is_of, || "it is no value per item of that operation".into())?;
            takes(0)
        }
        OpKind::Filter => takes(2),
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

/// The operation that a reference of region `r` points at: its region and place.
fn target(tree: &Tree<'_>, r: usize, reference: Ref) -> Result<(usize, usize), String> {
    let (up, op) = match reference {
        Ref::Op(op) => (0, op),
        Ref::Outer { up, op } => (up, op),
        Ref::Param(_) | Ref::OuterParam { .. } => return Err("a parameter is no source".into()),
    };
    Ok((outer(tree, r, up)?.0, op.at()))
}

/// The region of the source that a reference of region `r` points at.
fn source(tree: &Tree<'_>, r: usize, source: Ref) -> Result<RegionId, String> {
    let (r, op) = target(tree, r, source)?;
    match tree.plan.regions.get(r).and_then(|region| region.ops.get(op)).map(|op| &op.kind) {
        Some(OpKind::Stream(Stream { opens: Some(opens), .. })) => Ok(opens.region),
        _ => Err("it takes items from what is no source".into()),
    }
}

fn check_take(tree: &Tree<'_>, r: usize, o: usize, take: &Take) -> Check {
    node(tree, r, o, take.source)?;
    let region = source(tree, r, take.source)?;
    let region = tree.plan.regions.get(region.at()).ok_or("there is no such source")?;
    ensure(!take.values.is_empty(), || "it takes nothing of a source's items".into())?;
    take.values.iter().try_for_each(|value| match *value {
        Ref::Op(op) => op_at(region, op).map(drop),
        Ref::Param(p) => ensure(p < region.params, || format!("parameter {p} of the source")),
        Ref::Outer { .. } | Ref::OuterParam { .. } => Err("it takes what is not the source's".into()),
    })
}

/// The region of the workflow that the operation `call` of region `r` calls.
fn callee<'p>(tree: &Tree<'p>, r: usize, o: usize, call: OpId) -> Result<&'p Region, String> {
    let of = tree.plan.regions.get(r).and_then(|r| r.ops.get(call.at())).filter(|_| call.at() < o);
    let Some(Op { kind: OpKind::Call(callee), .. }) = of else { return Err("it is the output of no call".into()) };
    tree.plan.regions.get(callee.at()).ok_or_else(|| format!("there is no region {}", callee.0))
}

fn check_stream(tree: &Tree<'_>, r: usize, o: usize, op: &Op, stream: &Stream) -> Check {
    let plan = tree.plan;
    // How many plain inputs and streams it takes, and values per item that it gives, where that is known.
    let (inputs, takes, values) = match stream.from {
        StreamFn::Each => (1, Some(0), Some(1)),
        StreamFn::Collect => (0, Some(1), None),
        StreamFn::Native(id) => {
            let native = plan.natives.get(id.at()).ok_or_else(|| format!("there is no native {}", id.0))?;
            let plain = native.params.len().checked_sub(op.takes.len()).ok_or("it takes too many streams")?;
            (plain, None, Some(1))
        }
        StreamFn::Call(call, n) => {
            let given = callee(tree, r, o, call)?.gives.get(at(n)).ok_or_else(|| format!("there is no stream {n}"))?;
            (0, Some(0), Some(len(&given.values)))
        }
        StreamFn::Param(n) => {
            let region = plan.regions.get(r).filter(|region| region.kind == RegionKind::Workflow);
            let values = region.and_then(|region| region.streams.get(at(n)));
            (0, Some(0), Some(*values.ok_or_else(|| format!("there is no stream parameter {n}"))?))
        }
    };
    ensure(op.inputs.len() == inputs, || format!("it takes {} values, not {inputs}", op.inputs.len()))?;
    ensure(takes.is_none_or(|n| n == op.takes.len()), || "it takes the wrong number of streams".into())?;
    let is_one = op.takes.iter().all(|take| take.values.len() == 1);
    ensure(is_one, || "it takes several values of an item".into())?;
    let must_open = !matches!(stream.from, StreamFn::Collect | StreamFn::Native(_));
    ensure(!must_open || stream.opens.is_some(), || "it gives items to nobody".into())?;
    ensure(stream.opens.is_none() || values.is_some(), || "it gives no items".into())?;
    if let Some(opens) = stream.opens {
        let params = plan.regions.get(opens.region.at()).map(|region| region.params);
        let right = values.and_then(|values| values.checked_add(1));
        ensure(params == right, || format!("region {} has the wrong number of parameters", opens.region.0))?;
    }
    let Some(per) = stream.per else { return Ok(()) };
    let is_native = matches!(stream.from, StreamFn::Native(_)) && stream.opens.is_none();
    ensure(is_native, || "it gives no values per item".into())?;
    let first = op.takes.first().ok_or("it gives values for the items of nothing")?;
    // In the items of a source of its own region: there is one of each for an item of that.
    ensure(matches!(first.source, Ref::Op(_)), || "it gives values for the items of an outer source".into())?;
    let items = source(tree, r, first.source)?;
    let op = plan.regions.get(items.at()).and_then(|region| region.ops.get(per.at()));
    let leads_back = match op.map(|op| &op.kind) {
        Some(OpKind::Per(reference)) => target(tree, items.at(), *reference)? == (r, o),
        _ => false,
    };
    ensure(leads_back, || "nothing has its values per item".into())
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
        let refs = op.inputs.iter().chain(&op.after).chain(op.takes.iter().map(|take| &take.source));
        let mut taken = refs.filter_map(|&x| node(tree, r, o, x).transpose()).collect::<Result<Vec<_>, _>>()?;
        match op.kind {
            OpKind::Output(call, _) | OpKind::Stream(Stream { from: StreamFn::Call(call, _), .. }) => {
                taken.extend(node(tree, r, o, Ref::Op(call))?);
            }
            OpKind::Per(stream) => taken.extend(node(tree, r, o, stream)?),
            _ => {}
        }
        for take in &op.takes {
            let items = source(tree, r, take.source)?;
            for &value in &take.values {
                taken.extend(node(tree, items.at(), usize::MAX, value)?);
            }
        }
        Ok::<_, String>(taken)
    };
    let mut waits = Vec::with_capacity(ops);
    for (r, region) in plan.regions.iter().enumerate() {
        for (o, op) in region.ops.iter().enumerate() {
            let mut on = taken(r, o, op)?;
            on.push(start(r));
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
