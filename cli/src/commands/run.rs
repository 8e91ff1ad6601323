//! `ntl run`: a workflow to its result.

mod grants;

use super::{pretty, print_json};
use crate::exit::Exit;
use crate::finding::{Finding, Stop};
use crate::program::{self, Compiled, Target};
use crate::sources::Sources;
use crate::{files, out, render};
use ntl_engine::{Cancel, Event, Input, Options, Outcome, Prepared, RunError, Status};
use ntl_host::{Host, NetGrant};
use ntl_plan::Plan;
use ntl_project::Manifest;
use serde_json::{Map, Value, json};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::task::Poll;
use std::time::{Duration, Instant};

/// Runs a workflow and prints its outputs
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  ntl run main.ntl name=Ada
  ntl run main.ntl:report path=sales.csv --allow-fs-read=.
  ntl run main.ntl --inputs inputs.json --json

Exits 0 if it completed, 1 if it failed, 2 if the program, its inputs or its permissions are wrong, 3 if something
that it needs is missing, 130 if it was cancelled.")]
pub struct Args {
    /// A source or a compiled plan and, after a colon, which workflow [default: the only one, or `main`]
    #[arg(value_name = "FILE[:WORKFLOW]")]
    target: OsString,
    /// Inputs: text as it is, everything else as JSON or as in NTL; `name=@file` reads a file, `name=@@x` is the text `@x`
    #[arg(value_name = "NAME=VALUE")]
    inputs: Vec<String>,
    /// A JSON object of inputs, from a file or standard input (`-`); NAME=VALUE wins
    #[arg(long = "inputs", value_name = "FILE")]
    document: Option<PathBuf>,
    /// Print one JSON document: {"status", "run", "outputs", "errors", "warnings", "ms"}; the README tells what is in it
    #[arg(long)]
    json: bool,
    /// Stop before anything runs: check the program, its inputs and its permissions
    #[arg(long)]
    check: bool,
    /// Files and folders that may be read; without a value, the working directory
    #[arg(long, value_name = "PATHS", num_args = 0..=1, require_equals = true, value_delimiter = ',', default_missing_value = ".")]
    allow_fs_read: Vec<PathBuf>,
    /// Files and folders that may be written; without a value, the working directory
    #[arg(long, value_name = "PATHS", num_args = 0..=1, require_equals = true, value_delimiter = ',', default_missing_value = ".")]
    allow_fs_write: Vec<PathBuf>,
    /// Hosts that may be reached (`example.org`, `*.example.org:443`, `127.0.0.1:8080`); without a value, every public one
    #[arg(long, value_name = "HOSTS", num_args = 0..=1, require_equals = true, value_delimiter = ',', default_missing_value = "*", value_parser = NetGrant::parse)]
    allow_net: Vec<NetGrant>,
    /// Commands that may be run; without a value, all
    #[arg(long, value_name = "NAMES", num_args = 0..=1, require_equals = true, value_delimiter = ',', default_missing_value = "*")]
    allow_command: Vec<String>,
    /// Variables of the environment that may be read (`NAME`, `PREFIX_*`); without a value, all
    #[arg(long, value_name = "NAMES", num_args = 0..=1, require_equals = true, value_delimiter = ',', default_missing_value = "*")]
    allow_env: Vec<String>,
    /// Grant besides what the project's manifest says under [profiles.NAME.permissions]
    #[arg(long, value_name = "NAME")]
    profile: Option<String>,
}

/// Runs it.
pub fn run(args: &Args) -> Exit {
    let started = Instant::now();
    let target = Target::parse(&args.target);
    let compiled = match program::compile(&target) {
        Ok(compiled) => compiled,
        Err(stop) => return stopped(args, &stop, started.elapsed()),
    };
    let Compiled { plan, warnings, sources, manifest } = compiled;
    if !args.json {
        out::warn(&render::findings(&warnings, &sources, out::stderr_is_coloured()));
    }
    let plan = Arc::new(plan);
    let prepared = prepare(args, &target, &plan, manifest.as_ref());
    let (prepared, host) = match prepared {
        Ok(ready) => ready,
        Err(mut stop) => {
            stop.sources = sources;
            return stopped(args, &stop, started.elapsed());
        }
    };
    let run = run_id();
    let outcome = if args.check { Ok(outcome(Status::Completed)) } else { execute(prepared, host, &run) };
    let outcome = match outcome {
        Ok(outcome) => outcome,
        Err(stop) => return stopped(args, &stop, started.elapsed()),
    };
    let advised = |e: &RunError| grants::advised(Finding::of_run(&plan, e), &e.fault, &target, manifest.as_ref());
    let errors: Vec<Finding> = outcome.errors.iter().map(advised).collect();
    let exit = match outcome.status {
        Status::Completed => Exit::Done,
        Status::Failed => Exit::Failed,
        Status::Cancelled => Exit::Cancelled,
    };
    let printed = if args.json {
        let outputs: Map<String, Value> =
            outcome.outputs.iter().map(|(name, value)| (name.to_string(), ntl_engine::json::to_json(value))).collect();
        let log = outcome.warnings.iter().map(|w| json!({ "message": w }));
        print_json(&document(&Document {
            status: match outcome.status {
                _ if args.check => "ready",
                Status::Completed => "completed",
                Status::Failed => "failed",
                Status::Cancelled => "cancelled",
            },
            run: (!args.check).then_some(&run),
            outputs,
            errors: errors.iter().map(Finding::run_json).collect(),
            warnings: warnings.iter().map(Finding::run_json).chain(log).collect(),
            took: started.elapsed(),
        }))
    } else {
        let printed = out::print(&human(&plan, &outcome));
        out::warn(&render::findings(&errors, &sources, out::stderr_is_coloured()));
        out::warn(match (exit, args.check) {
            (Exit::Done, true) => "ready to run\n",
            (Exit::Cancelled, _) => "cancelled\n",
            _ => "",
        });
        printed
    };
    if exit == Exit::Done { printed } else { exit }
}

/// Tells why nothing ran.
fn stopped(args: &Args, stop: &Stop, took: Duration) -> Exit {
    if !args.json {
        return super::stopped(stop);
    }
    let (errors, warnings): (Vec<_>, Vec<_>) = stop.findings.iter().partition(|f| f.is_error());
    print_json(&document(&Document {
        status: "failed",
        run: None,
        outputs: Map::new(),
        errors: errors.into_iter().map(Finding::run_json).collect(),
        warnings: warnings.into_iter().map(Finding::run_json).collect(),
        took,
    }));
    stop.exit
}

/// What `--json` prints: the same for every outcome.
struct Document<'a> {
    status: &'a str,
    run: Option<&'a str>,
    outputs: Map<String, Value>,
    errors: Vec<Value>,
    warnings: Vec<Value>,
    took: Duration,
}

fn document(d: &Document) -> Value {
    // To the microsecond.
    let ms = (d.took.as_secs_f64() * 1e6).round() / 1e3;
    json!({ "status": d.status, "run": d.run, "outputs": d.outputs, "errors": d.errors, "warnings": d.warnings, "ms": ms })
}

/// The document of a run that was refused for a reason outside the program.
pub fn refused(finding: &Finding) -> Value {
    document(&Document {
        status: "failed",
        run: None,
        outputs: Map::new(),
        errors: vec![finding.run_json()],
        warnings: Vec::new(),
        took: Duration::ZERO,
    })
}

/// Inputs and permissions: everything that is checked before anything is touched.
fn prepare(
    args: &Args,
    target: &Target,
    plan: &Arc<Plan>,
    manifest: Option<&Manifest>,
) -> Result<(Prepared, Arc<Host>), Stop> {
    let inputs = inputs(args)?;
    let root = std::env::current_dir()
        .map_err(|e| Finding::problem("failed", format!("there is no working directory: {e}")))?;
    let host = Host::new(grants::of(args, manifest)?, root);
    let told = |e: &RunError| grants::advised(Finding::of_refusal(plan, e), &e.fault, target, manifest);
    let prepared =
        Prepared::new(plan.clone(), &inputs, &host, &ntl_stdlib::natives()).map_err(|(errors, status)| Stop {
            findings: errors.iter().map(told).collect(),
            sources: Sources::default(),
            exit: if status == 3 { Exit::Missing } else { Exit::Wrong },
        })?;
    Ok((prepared, Arc::new(host)))
}

/// `--inputs`, and over it what the command line says.
fn inputs(args: &Args) -> Result<Vec<(String, Input)>, Stop> {
    let mut inputs = match &args.document {
        Some(path) => document_inputs(path)?,
        None => Vec::new(),
    };
    let mut said = Vec::new();
    for text in &args.inputs {
        let (name, value) = text.split_once('=').ok_or_else(|| {
            Finding::problem("invalid", format!("`{text}` is no input")).help("an input is given as NAME=VALUE")
        })?;
        if said.contains(&name) {
            return Err(Finding::problem("invalid", format!("the input `{name}` is given twice")).into());
        }
        said.push(name);
        let value = match value.strip_prefix('@') {
            Some(text) if text.starts_with('@') => text.to_owned(),
            Some(file) => files::read_text(Path::new(file))
                .map_err(|f| f.help(format!("to give the text `@{file}` itself, write `{name}=@@{file}`")))?,
            None => value.to_owned(),
        };
        inputs.retain(|(n, _)| n != name);
        inputs.push((name.to_owned(), Input::Text(value)));
    }
    Ok(inputs)
}

fn document_inputs(path: &Path) -> Result<Vec<(String, Input)>, Stop> {
    let shown = if path == Path::new("-") { "standard input".into() } else { format!("`{}`", path.display()) };
    let text = files::read_text(path)?;
    match serde_json::from_str::<Value>(&text) {
        Ok(Value::Object(object)) => Ok(object.into_iter().map(|(name, value)| (name, Input::Json(value))).collect()),
        Ok(_) => Err(Finding::problem("invalid", format!("{shown} is no JSON object of inputs"))
            .help("write it as {\"name\": value, …}")
            .into()),
        Err(e) => Err(Finding::problem("invalid", format!("{shown} is not JSON: {e}")).into()),
    }
}

/// Runs it to its end, or until Ctrl-C.
fn execute(prepared: Prepared, host: Arc<Host>, run: &str) -> Result<Outcome, Stop> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|e| Finding::problem("failed", format!("the run cannot start: {e}")))?;
    let options = Options { run: run.into(), ..Options::default() };
    cancel_on_ctrl_c(options.cancel.clone());
    let ended = runtime.block_on(ntl_engine::run(prepared, host, options, Box::new(log)));
    runtime.shutdown_background();
    Ok(ended)
}

/// Ctrl-C asks the run to stop; a second one does not wait until it has. On a thread of its own, since pure code may keep
/// the run's thread to itself. Where there is none to be had, Ctrl-C ends the process as it always does.
fn cancel_on_ctrl_c(cancel: Cancel) {
    let (hand_over, handed) = std::sync::mpsc::channel::<(tokio::runtime::Runtime, _)>();
    let wait = move || handed.recv().map(|(runtime, watch)| runtime.block_on(watch));
    if std::thread::Builder::new().spawn(wait).is_err() {
        return;
    }
    let mut watch = Box::pin(async move {
        tokio::signal::ctrl_c().await?;
        cancel.cancel();
        tokio::signal::ctrl_c().await?;
        std::process::exit(Exit::Cancelled.status());
        #[expect(unreachable_code, reason = "it tells the type of what fails")]
        std::io::Result::Ok(())
    });
    let Ok(runtime) = tokio::runtime::Builder::new_current_thread().enable_io().build() else { return };
    // It listens once it was polled: here, so that nothing runs before and the start does not wait for the thread.
    let once = std::future::poll_fn(|cx| Poll::Ready(watch.as_mut().poll(cx)));
    if runtime.block_on(once).is_pending() {
        let _ = hand_over.send((runtime, watch));
    }
}

/// What of a run is told while it lasts.
fn log(event: Event) {
    if let Event::Log { level, message, .. } = event {
        let level = if level == "info" { String::new() } else { format!("{level}: ") };
        out::warn(&out::plain(&format!("{level}{message}\n")));
    }
}

fn outcome(status: Status) -> Outcome {
    Outcome { status, outputs: Vec::new(), errors: Vec::new(), warnings: Vec::new() }
}

/// Outputs as people read them.
fn human(plan: &Plan, outcome: &Outcome) -> String {
    let is_bare = matches!(plan.outputs.as_slice(), [only] if only.name == "output");
    let mut text = String::new();
    for (name, value) in &outcome.outputs {
        let value = pretty::value(&ntl_engine::json::to_json(value));
        if is_bare {
            text.push_str(&value);
        } else if value.contains('\n') && !value.starts_with(['[', '{']) {
            text.push_str(&format!("{name}:"));
            text.extend(value.lines().map(|l| format!("\n  {l}").trim_end_matches(' ').to_owned()));
        } else {
            text.push_str(&format!("{name}: {value}"));
        }
        if !text.ends_with('\n') {
            text.push('\n');
        }
    }
    text
}

/// A name for a run: no two are alike.
fn run_id() -> String {
    use std::hash::{BuildHasher, Hasher};
    // The standard library's own seed: random per process and table.
    format!("{:016x}", std::hash::RandomState::new().build_hasher().finish())
}
