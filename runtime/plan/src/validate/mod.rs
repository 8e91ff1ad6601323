//! Checks every index, depth and count of a plan that came from outside, so that what runs it may rely on them.
//!
//! What is not checked is what depends on values: that a register holds a list, that JSON text is JSON, how long
//! something runs and how deep function values call one another. The engine looks at those when it runs.

mod codes;
mod regions;
mod types;

pub use codes::call_depth;
pub use regions::workflow_depth;

use crate::{ConstId, Plan, ReadError, SpanId, TypeId};

/// The deepest nesting of regions.
const MAX_REGION_DEPTH: u32 = 512;
/// The longest chain of calls of code, or of workflows, that a plan may have.
pub const MAX_CALL_DEPTH: u32 = 1_000;

/// Whether a plan keeps all that its types promise; else what is wrong with it.
pub fn validate(plan: &Plan) -> Result<(), ReadError> {
    check(plan).map_err(|message| ReadError { message })
}

type Check = Result<(), String>;

fn check(plan: &Plan) -> Check {
    for (i, span) in plan.spans.iter().enumerate() {
        let is_known = usize::try_from(span.file).is_ok_and(|f| f < plan.files.len());
        let is_ordered = (span.line, span.column) <= (span.end_line, span.end_column);
        ensure(is_known && is_ordered && span.line > 0 && span.column > 0, || {
            format!("span {i} is no place of a file")
        })?;
    }
    types::check(plan)?;
    for (i, native) in plan.natives.iter().enumerate() {
        let of = |e| format!("native {i} `{}`: {e}", native.id);
        native.type_args.iter().try_for_each(|&t| type_at(plan, t)).map_err(of)?;
    }
    for (i, touch) in plan.touches.iter().enumerate() {
        let mut spans = touch.calls.iter().map(|(_, span)| span).chain([&touch.span]);
        ensure(spans.all(|span| span.at() < plan.spans.len()), || format!("touch {i} has a span that is not there"))?;
    }
    codes::check(plan)?;
    regions::check(plan)
}

fn ensure(holds: bool, message: impl FnOnce() -> String) -> Check {
    if holds { Ok(()) } else { Err(message()) }
}

fn type_at(plan: &Plan, id: TypeId) -> Check {
    ensure(id.at() < plan.types.len(), || format!("there is no type {}", id.0))
}

fn const_at(plan: &Plan, id: ConstId) -> Check {
    ensure(id.at() < plan.consts.len(), || format!("there is no constant {}", id.0))
}

fn span_at(plan: &Plan, id: SpanId) -> Check {
    ensure(id.at() < plan.spans.len(), || format!("there is no span {}", id.0))
}

/// The length of the longest path from each node, in edges, or a node on a circle. Edges point at known nodes.
fn depths(edges: &[Vec<usize>]) -> Result<Vec<u32>, usize> {
    // Nodes are finished when all that they point at are: no recursion, however deep a hostile graph is.
    let mut waiting: Vec<usize> = edges.iter().map(Vec::len).collect();
    let mut users = vec![Vec::new(); edges.len()];
    for (from, tos) in edges.iter().enumerate() {
        for &to in tos {
            if let Some(users) = users.get_mut(to) {
                users.push(from);
            }
        }
    }
    let mut depth = vec![0_u32; edges.len()];
    let mut ready: Vec<usize> = (0..edges.len()).filter(|&n| waiting.get(n) == Some(&0)).collect();
    while let Some(node) = ready.pop() {
        let below = depth.get(node).map_or(0, |d| d.saturating_add(1));
        for &user in users.get(node).into_iter().flatten() {
            if let (Some(depth), Some(waiting)) = (depth.get_mut(user), waiting.get_mut(user)) {
                *depth = below.max(*depth);
                *waiting = waiting.saturating_sub(1);
                if *waiting == 0 {
                    ready.push(user);
                }
            }
        }
    }
    match waiting.iter().position(|&w| w > 0) {
        Some(node) => Err(node),
        None => Ok(depth),
    }
}
