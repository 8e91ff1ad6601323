//! Runs a compiled plan with inputs from a JSON object and prints its outputs: `ntl-embed plan.ntlp '{"name": "Ada"}'`.
//! It may read the files of the working directory. It links plan, engine, host and standard library, no compiler.
#![expect(clippy::print_stdout, clippy::disallowed_methods, reason = "a program of its own, and a small one")]

use ntl_engine::{Input, Options, Prepared, Status};
use ntl_host::{Grants, Host};
use std::error::Error;
use std::process::ExitCode;
use std::sync::Arc;

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let path = args.next().ok_or("which plan?")?;
    let inputs: serde_json::Map<_, _> = serde_json::from_str(&args.next().unwrap_or_else(|| "{}".into()))?;
    let inputs: Vec<(String, Input)> = inputs.into_iter().map(|(name, value)| (name, Input::Json(value))).collect();

    let plan = Arc::new(ntl_plan::read(&std::fs::read(path)?).map_err(|e| e.message)?);
    let grants = Grants { fs_read: vec![".".into()], ..Grants::default() };
    let host = Arc::new(Host::new(grants, std::env::current_dir()?));
    let natives = ntl_stdlib::natives();
    let prepared = Prepared::new(plan, &inputs, &host, &natives)
        .map_err(|(errors, _)| errors.iter().map(|e| e.fault.message.as_str()).collect::<Vec<_>>().join("; "))?;

    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let outcome = runtime.block_on(ntl_engine::run(prepared, host, Options::default(), Box::new(drop)));
    for error in &outcome.errors {
        println!("{}: {}", error.fault.code, error.fault.message);
    }
    for (name, value) in &outcome.outputs {
        println!("{name}: {}", ntl_engine::json::to_json(value));
    }
    Ok(if outcome.status == Status::Completed { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
