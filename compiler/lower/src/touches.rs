//! What a plan may touch: what the compiler knows of the workflow, at the steps that the plan has.

use crate::tables::{Cx, index};
use ntl_plan::{OpKind, RegionId, SpanId, Touch, What};
use ntl_semantic::{Def, effects};
use rustc_hash::FxHashMap;
use smol_str::{SmolStr, format_smolstr};

/// Operations, by the workflow's region and their place.
type Steps = FxHashMap<(RegionId, SpanId), Step>;

struct Step {
    id: SmolStr,
    /// The region that it calls.
    calls: Option<RegionId>,
    /// Whether it is a call: what waits for one, or takes its value apart, may stand at the same place.
    is_call: bool,
}

impl Cx<'_> {
    /// What the plan may touch, once all is lowered. What nobody needs is not run and touches nothing.
    pub fn touches(&mut self, workflow: &Def, entry: RegionId) -> Vec<Touch> {
        let steps = self.steps();
        let mut touches = Vec::new();
        for touch in effects::touches(self.db, workflow) {
            let calls: Vec<(SmolStr, SpanId)> =
                touch.calls.iter().map(|via| (via.name.clone(), self.span(&via.place.def, via.place.span))).collect();
            let span = self.span(&touch.place.def, touch.place.span);
            let way = calls.iter().map(|(_, span)| *span).chain([span]);
            let Some(step) = step(&steps, &workflow.name, entry, way) else { continue };
            let what = match touch.what {
                effects::What::Known(text) => What::Known(text),
                effects::What::Computed(text) => What::Computed(text),
                effects::What::Nothing => What::Nothing,
            };
            touches.push(Touch { kind: touch.kind, what, by: touch.by, step, span, calls });
        }
        touches
    }

    fn steps(&self) -> Steps {
        let mut steps = Steps::default();
        // A region comes after the one that it stands in.
        let mut workflows: Vec<RegionId> = Vec::with_capacity(self.regions.len());
        for (at, region) in self.regions.iter().enumerate() {
            let own = RegionId(index(at));
            let of = region.parent.and_then(|parent| workflows.get(parent.at()).copied()).unwrap_or(own);
            workflows.push(of);
            for op in &region.ops {
                let step = match op.kind {
                    OpKind::Const(_) | OpKind::Code(_) => continue,
                    OpKind::Call(region) => Step { id: op.id.clone(), calls: Some(region), is_call: true },
                    _ => Step { id: op.id.clone(), calls: None, is_call: matches!(op.kind, OpKind::Native(_)) },
                };
                let known = steps.get(&(of, op.span));
                if known.is_none_or(|known| step.is_call && !known.is_call) {
                    steps.insert((of, op.span), step);
                }
            }
        }
        steps
    }
}

/// The full id of the step at the end of a way, or of the prompt or agent that it leads into; `None` where it is not run.
fn step(steps: &Steps, workflow: &str, entry: RegionId, way: impl Iterator<Item = SpanId>) -> Option<SmolStr> {
    let (mut id, mut region) = (SmolStr::new(workflow), Some(entry));
    for place in way {
        let Some(of) = region else { break };
        let step = steps.get(&(of, place))?;
        id = format_smolstr!("{id}/{}", step.id);
        region = step.calls;
    }
    Some(id)
}
