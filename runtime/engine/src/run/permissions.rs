//! What a plan may touch, and whether all that it calls is there: looked at before anything runs.

use super::{RunError, refusal};
use crate::program::Program;
use crate::value::Fault;
use ntl_host::{Asked, Host, flag};
use ntl_plan::{Instr, Native, NativeId, Op, OpKind, Plan, SpanId, Stream, StreamFn, What};

/// What has to be granted.
const PERMISSIONS: [&str; 5] = ["fs_read", "fs_write", "net", "command", "env"];

/// Whether every kind of permission that the plan uses is granted, and every place that it names itself.
pub(super) fn granted(plan: &Plan, host: &Host) -> Result<(), Vec<RunError>> {
    let mut errors = Vec::new();
    for touch in plan.touches.iter().filter(|touch| PERMISSIONS.contains(&touch.kind.as_str())) {
        let what = match &touch.what {
            What::Known(text) => Some(text.as_str()),
            What::Computed(_) | What::Nothing => None,
        };
        if host.allows(&touch.kind, what) {
            continue;
        }
        let grant = flag(&touch.kind, what.unwrap_or(if touch.kind.starts_with("fs_") { "." } else { "…" }));
        let doing = match touch.kind.as_str() {
            "fs_read" => "reads",
            "fs_write" => "writes",
            "net" => "reaches",
            "command" => "runs",
            _ => "reads the environment",
        };
        // A URL may say more than where it leads.
        let place = what.map(|what| match ntl_host::net::without_secrets(what) {
            Some(url) if touch.kind == "net" => format!(" {url:?}"),
            _ => format!(" {what:?}"),
        });
        let place = place.as_deref().unwrap_or(match touch.kind.as_str() {
            "net" => " the network",
            "command" => " commands",
            _ => "",
        });
        let message = format!("`{}` {doing}{place}, which nothing grants; `{grant}` would", touch.by);
        let span = plan.spans.get(touch.span.at()).copied();
        // Several steps may lead to one place.
        if !errors.iter().any(|e: &RunError| e.span == span && e.fault.message == message) {
            let what = what.map(|what| ntl_host::grant(&touch.kind, what));
            let asked = Some(Box::new(Asked { kind: touch.kind.to_string(), what }));
            errors.push(refusal(plan, Fault { asked, ..Fault::new("permission", message) }, span));
        }
    }
    if errors.is_empty() { Ok(()) } else { Err(sorted(errors)) }
}

/// Whether this runtime has every native of the plan.
pub(super) fn present(program: &Program) -> Result<(), Vec<RunError>> {
    let plan = &program.plan;
    let mut errors = Vec::new();
    let streams: Vec<NativeId> = ops(plan).filter_map(stream_of).collect();
    for ((native, run), id) in plan.natives.iter().zip(&program.natives).zip((0..).map(NativeId)) {
        let runs_stream = program.streams.get(id.at()).is_some_and(Option::is_some) || !streams.contains(&id);
        if run.is_some() && runs_stream {
            continue;
        }
        let span = used_at(plan, native).and_then(|id| plan.spans.get(id.at()).copied());
        let what = match native.id.split_once(':') {
            Some((kind @ ("prompt" | "agent" | "node"), name)) => {
                format!("{kind} `{name}` cannot be run by this version")
            }
            _ => format!("`{}` ({}) is not in this version", native.name, native.id),
        };
        errors.push(refusal(plan, Fault::new("unsupported", what), span));
    }
    if errors.is_empty() { Ok(()) } else { Err(sorted(errors)) }
}

/// The native that a stream operation is.
fn stream_of(op: &Op) -> Option<NativeId> {
    match &op.kind {
        OpKind::Stream(Stream { from: StreamFn::Native(id), .. }) => Some(*id),
        _ => None,
    }
}

/// Where a native is called first, in an operation or in code.
fn used_at(plan: &Plan, native: &Native) -> Option<SpanId> {
    let is_it = |id: NativeId| plan.natives.get(id.at()).is_some_and(|n| std::ptr::eq(n, native));
    let native_of = |op: &Op| if let OpKind::Native(id) = op.kind { Some(id) } else { stream_of(op) };
    let in_ops = ops(plan).filter(|op| native_of(op).is_some_and(is_it)).map(|op| op.span);
    let in_codes = plan.codes.iter().flat_map(|code| code.instrs.iter().zip(&code.spans));
    let in_codes = in_codes.filter(|(i, _)| matches!(i, Instr::Native { native, .. } if is_it(*native)));
    in_ops.chain(in_codes.map(|(_, span)| *span)).min_by_key(|id| plan.spans.get(id.at()).map(|s| (s.file, s.line)))
}

fn ops(plan: &Plan) -> impl Iterator<Item = &Op> {
    plan.regions.iter().flat_map(|region| &region.ops)
}

fn sorted(mut errors: Vec<RunError>) -> Vec<RunError> {
    errors.sort_by_key(|e| e.span.map(|s| (s.file, s.line, s.column)));
    errors
}
