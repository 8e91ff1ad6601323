//! What is known of the plan's regions before anything runs.

use ntl_plan::{Effect, OpKind, Plan, RegionId};

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
                stirs: !region.effects.is_empty(),
                waits: region.ops.iter().any(|op| is_outside(&op.kind)),
                calls: region.ops.iter().any(|op| matches!(op.kind, OpKind::Call(_) | OpKind::Each(_))),
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
        OpKind::Call(r) | OpKind::Each(r) | OpKind::Loop(r) | OpKind::Block(r) | OpKind::For { body: r, .. } => {
            vec![*r]
        }
        OpKind::Select(branches) => branches.clone(),
        OpKind::Try(body, handler) => vec![*body, *handler],
        _ => Vec::new(),
    }
}
