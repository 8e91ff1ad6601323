//! `ntl fmt`: sources in the one form.

use crate::exit::Exit;
use std::path::PathBuf;

/// Formats sources in place
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  ntl fmt\n  ntl fmt --check src\n  ntl fmt - < main.ntl\n\nWith --check nothing is written; exits 1 if a file would change."
)]
pub struct Args {
    /// Files, or folders of them; `-` reads standard input and writes standard output; without any, every .ntl file
    /// of the project or working directory
    files: Vec<PathBuf>,
    /// Write nothing; list the files that would change
    #[arg(long)]
    check: bool,
}

/// Runs it.
pub fn run(args: &Args) -> Exit {
    let _ = (&args.files, args.check);
    Exit::Internal
}
