//! Lowers a checked workflow to a plan. README.md has the rules.

mod calls;
mod code;
mod needs;
mod region;
mod spans;
mod tables;
mod touches;
mod types;

use ntl_plan::{Input, Output, Plan};
use ntl_semantic::ty::Type;
use ntl_semantic::{Db, Def, Diagnostic, query};
use smol_str::SmolStr;
use tables::Cx;

/// Lowers a workflow whose files have no errors. What this version cannot lower is told as diagnostics.
pub fn lower(db: &dyn Db, workflow: &Def) -> Result<Plan, Vec<Diagnostic>> {
    let mut cx = Cx::new(db);
    let Some(sig) = query::signature(db, workflow) else {
        cx.internal(workflow, Default::default(), "it is no workflow");
        return Err(cx.diagnostics);
    };
    let entry = cx.workflow(workflow);
    let inputs = sig.params.iter().zip(0..).map(|(param, at)| Input {
        name: param.name.clone(),
        ty: cx.ty(&flowing(&param.flow, &param.ty)),
        default: cx.param_default(workflow, at, param),
        min: param.min,
        max: param.max,
        doc: query::param_doc(db, workflow, at).map(SmolStr::from),
        span: cx.span(workflow, query::param_span(db, workflow, &param.name)),
    });
    let inputs = inputs.collect();
    let types = query::output_types(db, workflow);
    let outputs = sig.outputs.iter().zip(&types).map(|(output, ty)| Output {
        name: if output.name.is_empty() { "output".into() } else { output.name.clone() },
        ty: cx.ty(&flowing(&output.flow, ty)),
    });
    let outputs = outputs.collect();
    cx.finish(workflow, entry, inputs, outputs)
}

/// The type of a stream for whoever runs a workflow: a list.
fn flowing(flow: &query::Flow, ty: &Type) -> Type {
    match flow {
        query::Flow::Plain => ty.clone(),
        query::Flow::Stream | query::Flow::Per(_) => Type::List(std::sync::Arc::new(ty.clone())),
    }
}

/// Runs `walk` with enough stack: a tree is as deep as its source is long.
pub(crate) fn deep<T>(walk: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(256 * 1024, 1024 * 1024, walk)
}
