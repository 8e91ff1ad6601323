//! `ntl effects`: what a workflow may touch, without running it. The plan says it: the same that a run asks permission for.

use crate::exit::Exit;
use crate::finding::{Stop, place_of};
use crate::out;
use crate::program::{self, Target};
use crate::report::{self, Format};
use ntl_plan::{Plan, SpanId, Touch, What};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;

/// Shows what a workflow may touch
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  ntl effects main.ntl
  ntl effects main.ntl:report --json
  ntl effects main.ntlp

What is only known when it runs is shown as the expression that says it, after `(computed)`.")]
pub struct Args {
    /// The file and, after a colon, which of its workflows; or a compiled plan; `-` is standard input
    #[arg(value_name = "FILE[:WORKFLOW]")]
    target: OsString,
    /// Print one JSON document: {"workflow": …, "effects": [...], "limits": [...], "permissions": {...}}
    #[arg(long)]
    json: bool,
}

/// Runs it.
pub fn run(args: &Args) -> Exit {
    match program::compile(&Target::parse(&args.target)) {
        Ok(compiled) => {
            if args.json {
                return super::print_json(&document(&compiled.plan));
            }
            out::print(&human(&compiled.plan))
        }
        Err(Stop { findings, sources, exit }) if args.json => {
            out::print(&report::findings(Format::Json, &findings, &sources, false));
            exit
        }
        Err(stop) => super::stopped(&stop),
    }
}

/// The kinds in the order in which they are shown, each with its heading.
const KINDS: [(&str, &str); 10] = [
    ("net", "reaches hosts"),
    ("fs_read", "reads files"),
    ("fs_write", "writes files"),
    ("command", "runs commands"),
    ("env", "reads the environment"),
    ("secret", "takes secrets"),
    ("model", "asks models"),
    ("read", "reads something else"),
    ("write", "writes something else"),
    ("external", "reaches out in a way that is not said"),
];

/// The limits of what a model may cost.
const LIMITS: [&str; 4] = ["usd", "turns", "tokens", "time"];

fn is_limit(touch: &&Touch) -> bool {
    LIMITS.contains(&touch.kind.as_str())
}

fn human(plan: &Plan) -> String {
    let mut text = String::new();
    for (kind, heading) in KINDS {
        let lines: Vec<[String; 2]> = plan.touches.iter().filter(|t| t.kind == kind).map(|t| line(plan, t)).collect();
        let width = lines.iter().map(|[what, _]| what.chars().count()).max().unwrap_or_default().min(40);
        if !lines.is_empty() {
            text.push_str(&format!("{heading}\n"));
        }
        for [what, how] in lines {
            text.push_str(&format!("  {what:<width$}  {how}\n"));
        }
    }
    if text.is_empty() {
        return format!("`{}` touches nothing and needs no permission\n", plan.workflow);
    }
    text.push_str(&costs(plan));
    format!("`{}` may touch:\n\n{text}{}", plan.workflow, permissions_text(plan))
}

/// What is touched, and how it comes to it.
fn line(plan: &Plan, touch: &Touch) -> [String; 2] {
    let what = match &touch.what {
        What::Known(text) if text.is_empty() => "\"\"".to_owned(),
        What::Known(text) => flat(text),
        What::Computed(text) => format!("(computed) {}", flat(text)),
        What::Nothing if touch.kind == "model" => "(the one that is configured)".to_owned(),
        What::Nothing => flat(&touch.by),
    };
    let mut how = format!("{}  {}  {}", touch.by, place(plan, touch), touch.step);
    if !touch.calls.is_empty() {
        let names: Vec<&str> = touch.calls.iter().map(|(name, _)| name.as_str()).collect();
        how.push_str(&format!("  through {}", names.join(" → ")));
    }
    [what, flat(&how)]
}

/// A text that stays in its line, whatever a plan holds.
fn flat(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { char::REPLACEMENT_CHARACTER } else { c }).collect()
}

fn place(plan: &Plan, touch: &Touch) -> String {
    place_of(plan, touch.span).map_or_else(String::new, |at| format!("{}:{}:{}", at.file, at.line, at.column))
}

/// What models may cost: a limit holds each time the one with the budget is asked.
fn costs(plan: &Plan) -> String {
    let mut asked: Vec<(&Touch, String)> = Vec::new();
    for model in plan.touches.iter().filter(|t| t.kind == "model") {
        let own = plan.touches.iter().filter(is_limit).filter(|t| t.by == model.by && t.calls == model.calls);
        let limits: Vec<String> = own
            .map(|t| match &t.what {
                What::Known(value) => format!("{value} {}", t.kind),
                What::Computed(text) => format!("(computed) {text} {}", t.kind),
                What::Nothing => t.kind.to_string(),
            })
            .collect();
        asked.push((model, limits.join(", ")));
    }
    if asked.is_empty() {
        return String::new();
    }
    let mut text = "costs at most\n".to_owned();
    for (model, limits) in asked {
        let limits =
            if limits.is_empty() { "no ceiling: it has no budget".to_owned() } else { format!("{limits} each time") };
        text.push_str(&flat(&format!("  {}: {limits}", model.step)));
        text.push('\n');
    }
    text
}

/// What would have to be granted.
#[derive(Default)]
struct Needed<'p> {
    /// By kind, what is known.
    known: BTreeMap<&'p str, BTreeSet<String>>,
    /// By kind, expressions that say the rest when it runs.
    computed: BTreeMap<&'p str, BTreeSet<&'p str>>,
}

fn needed(plan: &Plan) -> Needed<'_> {
    let mut needed = Needed::default();
    let grantable = ntl_project::PERMISSIONS;
    for touch in plan.touches.iter().filter(|t| grantable.contains(&t.kind.as_str())) {
        match &touch.what {
            What::Known(text) => drop(needed.known.entry(&touch.kind).or_default().insert(grant(&touch.kind, text))),
            What::Computed(text) => drop(needed.computed.entry(&touch.kind).or_default().insert(text)),
            What::Nothing => drop(needed.computed.entry(&touch.kind).or_default().insert("")),
        }
    }
    needed
}

/// What a manifest grants, for what is touched.
fn grant(kind: &str, what: &str) -> String {
    match kind {
        "fs_read" | "fs_write" => match ntl_host::fixed_part(what) {
            "" => ".".to_owned(),
            part => part.to_owned(),
        },
        "net" => host(what).unwrap_or_else(|| what.to_owned()),
        _ => what.to_owned(),
    }
}

/// `example.org:443` of `https://example.org/feed.xml`.
fn host(url: &str) -> Option<String> {
    let (scheme, rest) = url.split_once("://")?;
    let authority = rest.split(['/', '?', '#']).next()?;
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    let has_port = host.rsplit_once(':').is_some_and(|(_, port)| port.bytes().all(|b| b.is_ascii_digit()));
    let port = if scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("ws") { 80 } else { 443 };
    (!host.is_empty()).then(|| if has_port { host.to_owned() } else { format!("{host}:{port}") })
}

/// The lines of `ntl.toml` that grant it.
fn permissions_text(plan: &Plan) -> String {
    let needed = needed(plan);
    if needed.known.is_empty() && needed.computed.is_empty() {
        return String::new();
    }
    let mut text = "\n# ntl.toml\n[permissions]\n".to_owned();
    for kind in ntl_project::PERMISSIONS {
        if let Some(known) = needed.known.get(kind) {
            let listed: Vec<String> = known.iter().map(|what| quoted(what)).collect();
            text.push_str(&format!("{kind} = [{}]\n", listed.join(", ")));
        }
        for expression in needed.computed.get(kind).into_iter().flatten() {
            let what =
                if expression.is_empty() { "what is not said".to_owned() } else { format!("`{}`", flat(expression)) };
            text.push_str(&format!("# {kind}: besides, what {what} is when it runs\n"));
        }
    }
    text
}

/// A text as TOML writes it.
fn quoted(text: &str) -> String {
    Value::from(text).to_string().replace('\u{7f}', "\\u007f")
}

fn document(plan: &Plan) -> Value {
    let (limits, effects): (Vec<&Touch>, Vec<&Touch>) = plan.touches.iter().partition(is_limit);
    let object = |touches: Vec<&Touch>| touches.into_iter().map(|t| touch_json(plan, t)).collect::<Vec<_>>();
    let needed = needed(plan);
    json!({
        "workflow": plan.workflow,
        "effects": object(effects),
        "limits": object(limits),
        "permissions": needed.known,
        "computed": needed.computed,
    })
}

fn touch_json(plan: &Plan, touch: &Touch) -> Value {
    let (value, expression) = match &touch.what {
        What::Known(text) => (Some(text), None),
        What::Computed(text) => (None, Some(text)),
        What::Nothing => (None, None),
    };
    let mut object = Map::new();
    object.insert("kind".into(), json!(touch.kind));
    object.insert("value".into(), json!(value));
    object.insert("expression".into(), json!(expression));
    object.insert("by".into(), json!(touch.by));
    object.insert("step".into(), json!(touch.step));
    let placed = |mut object: Map<String, Value>, span: SpanId| {
        if let Some(at) = place_of(plan, span) {
            at.write(&mut object);
        }
        object
    };
    object = placed(object, touch.span);
    let calls = touch.calls.iter().map(|(name, span)| {
        let call = Map::from_iter([("name".to_owned(), json!(name))]);
        placed(call, *span)
    });
    object.insert("calls".into(), json!(calls.collect::<Vec<_>>()));
    Value::Object(object)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_leads_to_a_host() {
        for (url, wanted) in [
            ("https://example.org/feed.xml", "example.org:443"),
            ("HTTP://a:b@example.org?x=/y", "example.org:80"),
            ("http://127.0.0.1:8080", "127.0.0.1:8080"),
            ("https://[::1]/x", "[::1]:443"),
        ] {
            assert_eq!(host(url).as_deref(), Some(wanted), "{url}");
        }
        assert_eq!((host("example.org"), host("https:///x")), (None, None));
    }
}
