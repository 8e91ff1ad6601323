//! What a plan may touch: what the compiler knows of the workflow, at the steps that the plan has.

use crate::tables::{Cx, index};
use ntl_plan::{OpKind, RegionId, SpanId, Touch, What};
use ntl_semantic::{Def, effects};
use rustc_hash::FxHashMap;
use smol_str::{SmolStr, format_smolstr};

/// An operation, by the workflow's region and its place: its id, and the region that it calls.
type Steps = FxHashMap<(RegionId, SpanId), (SmolStr, Option<RegionId>)>;

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
                let called = match op.kind {
                    OpKind::Const(_) | OpKind::Code(_) => continue,
                    OpKind::Call(region) => Some(region),
                    _ => None,
                };
                steps.entry((of, op.span)).or_insert_with(|| (op.id.clone(), called));
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
        let (step, called) = steps.get(&(of, place))?;
        id = format_smolstr!("{id}/{step}");
        region = *called;
    }
    Some(id)
}
