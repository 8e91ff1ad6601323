//! `ntl compile`: a workflow to a plan.

use super::stopped;
use crate::exit::Exit;
use crate::finding::{Finding, Stop};
use crate::program::{self, Target};
use crate::{files, out, render};
use clap::ValueEnum;
use std::ffi::OsString;
use std::path::PathBuf;

/// Compiles a workflow to a plan, which runs without its sources
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  ntl compile main.ntl && ntl run main.ntlp\n  ntl compile main.ntl:report -o report.ntlp\n  ntl compile main.ntl --emit json"
)]
pub struct Args {
    /// The file and, after a colon, which of its workflows
    #[arg(value_name = "FILE[:WORKFLOW]")]
    target: OsString,
    /// Where the plan is written; `-` is standard output [default: beside the source, as .ntlp; JSON to standard output]
    #[arg(short, long, value_name = "PATH")]
    output: Option<PathBuf>,
    /// What is written
    #[arg(long, value_enum, default_value = "plan")]
    emit: Emit,
}

#[derive(Clone, Copy, ValueEnum)]
enum Emit {
    /// The file that `ntl run` takes
    Plan,
    /// The same plan as JSON, to be read
    Json,
}

/// Runs it.
pub fn run(args: &Args) -> Exit {
    compile(args).unwrap_or_else(|stop| stopped(&stop))
}

fn compile(args: &Args) -> Result<Exit, Stop> {
    let target = Target::parse(&args.target);
    let compiled = program::compile(&target)?;
    out::warn(&render::findings(&compiled.warnings, &compiled.sources, out::stderr_is_coloured()));
    let bytes = match args.emit {
        Emit::Plan => ntl_plan::write(&compiled.plan),
        Emit::Json => {
            let json = serde_json::to_string_pretty(&compiled.plan);
            let json =
                json.map_err(|e| Finding::problem("internal", format!("the plan cannot be written as JSON: {e}")))?;
            (json + "\n").into_bytes()
        }
    };
    let output = match (&args.output, args.emit) {
        (Some(path), _) => path.clone(),
        (None, Emit::Json) => "-".into(),
        (None, Emit::Plan) if target.path.as_os_str() == "-" => "-".into(),
        (None, Emit::Plan) => target.path.with_extension("ntlp"),
    };
    if output.as_os_str() == "-" {
        return Ok(out::print_bytes(&bytes));
    }
    files::write(&output, &bytes)?;
    out::warn(&format!("wrote {}: workflow `{}`, {} bytes\n", output.display(), compiled.plan.workflow, bytes.len()));
    Ok(Exit::Done)
}
