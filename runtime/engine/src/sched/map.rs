//! What is known of the plan's regions before anything runs.

use super::slot::At;
use ntl_plan::{Effect, OpKind, Plan, Ref, RegionId, StreamFn};
use rustc_hash::{FxHashMap, FxHashSet};

/// What is known of a region and all that it holds or calls.
#[derive(Clone, Copy, Default)]
pub(super) struct Traits {
    /// It has effects: it has not ended when its results are there.
    pub stirs: bool,
    /// It talks to the world: its bodies start before others.
    pub waits: bool,
    /// It has calls or sources of its own, of which more is known than their slots say.
    pub calls: bool,
}

/// The traits of every region.
pub(super) fn traits(plan: &Plan) -> Vec<Traits> {
    let mut traits: Vec<Traits> = plan
        .regions
        .iter()
        .map(|region| {
            let is_outside = |kind: &OpKind| match kind {
                OpKind::Native(n) => plan.natives.get(n.at()).is_some_and(|n| n.effect != Effect::Pure),
                _ => false,
            };
            Traits {
                // What a flow has asked for may outlast it.
                stirs: !region.effects.is_empty() || region.ops.iter().any(|op| matches!(op.kind, OpKind::Stream(_))),
                waits: region.ops.iter().any(|op| is_outside(&op.kind)),
                calls: region.ops.iter().any(|op| matches!(op.kind, OpKind::Call(_) | OpKind::Stream(_))),
            }
        })
        .collect();
    // Callers of each region: what is true of a region is true of those.
    let mut users: Vec<Vec<usize>> = vec![Vec::new(); plan.regions.len()];
    for (at, region) in plan.regions.iter().enumerate() {
        for op in &region.ops {
            for inner in inner(&op.kind) {
                if let Some(users) = users.get_mut(inner.at()) {
                    users.push(at);
                }
            }
        }
    }
    let flags: [fn(&mut Traits) -> &mut bool; 2] = [|t| &mut t.stirs, |t| &mut t.waits];
    for flag in flags {
        let mut open: Vec<usize> = (0..traits.len()).filter(|at| *flag(&mut traits[*at])).collect();
        while let Some(at) = open.pop() {
            for user in &users[at] {
                if !std::mem::replace(flag(&mut traits[*user]), true) {
                    open.push(*user);
                }
            }
        }
    }
    traits
}

/// The regions that an operation holds or calls.
fn inner(kind: &OpKind) -> Vec<RegionId> {
    match kind {
        OpKind::Call(r) | OpKind::Loop(r) | OpKind::Block(r) | OpKind::For { body: r, .. } => vec![*r],
        OpKind::Stream(stream) => stream.opens.iter().map(|opens| opens.region).collect(),
        OpKind::Select(branches) => branches.clone(),
        OpKind::Try(body, handler) => vec![*body, *handler],
        _ => Vec::new(),
    }
}

/// Who takes a source, as far as the plan says.
#[derive(Clone, Default)]
pub(super) struct TakenBy {
    /// Operations of the same region, with which of their streams it is.
    pub here: Vec<(u32, u32)>,
    /// Somebody in a region that may be run many times, or not at all.
    pub elsewhere: bool,
    /// The streams of a workflow that it is.
    pub gives: Vec<u32>,
}

/// Who takes each source, by its region and place.
#[derive(Default)]
pub(super) struct Takers {
    by: FxHashMap<(u32, u32), TakenBy>,
    /// The operations that open what a call gives: by the call's region and place, and the number of the stream.
    calls: FxHashMap<(u32, u32, u32), u32>,
    /// The stream parameters that a workflow's region opens.
    params: FxHashSet<(u32, u32)>,
    /// Calls that nobody takes a value of.
    bare: FxHashSet<(u32, u32)>,
}

impl Takers {
    pub fn of(plan: &Plan) -> Takers {
        let mut takers = Takers::default();
        let up = |mut r: u32, reference: Ref| match reference {
            Ref::Op(op) => Some((r, op.0)),
            Ref::Outer { up, op } => {
                for _ in 0..up {
                    r = plan.regions.get(r as usize)?.parent?.0;
                }
                Some((r, op.0))
            }
            _ => None,
        };
        let mut taken = FxHashSet::default();
        for (region, r) in plan.regions.iter().zip(0..) {
            for (op, o) in region.ops.iter().zip(0..) {
                for (take, t) in op.takes.iter().zip(0..) {
                    let Some(source) = up(r, take.source) else { continue };
                    let by = takers.by.entry(source).or_default();
                    if source.0 == r { by.here.push((o, t)) } else { by.elsewhere = true }
                }
                taken.extend(op.inputs.iter().filter_map(|input| up(r, *input)));
                match &op.kind {
                    OpKind::Output(call, _) => drop(taken.insert((r, call.0))),
                    OpKind::Stream(stream) => match stream.from {
                        StreamFn::Call(call, n) => {
                            taken.insert((r, call.0));
                            takers.calls.insert((r, call.0, n), o);
                        }
                        StreamFn::Param(n) => drop(takers.params.insert((r, n))),
                        _ => {}
                    },
                    _ => {}
                }
            }
            taken.extend(region.results.iter().filter_map(|result| up(r, *result)));
            for (give, n) in region.gives.iter().zip(0..) {
                if let Some(source) = up(r, give.source) {
                    takers.by.entry(source).or_default().gives.push(n);
                }
            }
        }
        for (region, r) in plan.regions.iter().zip(0..) {
            let calls = region.ops.iter().zip(0..).filter(|(op, _)| matches!(op.kind, OpKind::Call(_)));
            takers.bare.extend(calls.map(|(_, o)| (r, o)).filter(|at| !taken.contains(at)));
        }
        takers
    }

    pub fn of_source(&self, region: RegionId, op: u32) -> TakenBy {
        self.by.get(&(region.0, op)).cloned().unwrap_or_default()
    }

    /// The operation that opens a stream of a call.
    pub fn of_call(&self, region: RegionId, call: At, n: u32) -> Option<u32> {
        self.calls.get(&(region.0, call.op, n)).copied()
    }

    pub fn opens_param(&self, region: RegionId, n: u32) -> bool {
        self.params.contains(&(region.0, n))
    }

    pub fn is_bare(&self, region: RegionId, call: At) -> bool {
        self.bare.contains(&(region.0, call.op))
    }
}
