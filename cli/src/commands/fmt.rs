//! `ntl fmt`: sources in the one form.

use super::{counted, stopped};
use crate::exit::Exit;
use crate::finding::{Finding, Stop};
use crate::sources::{At, Sources};
use crate::{files, out};
use ntl_syntax::{FormatError, SyntaxError};
use std::ops::Range;
use std::path::{Path, PathBuf};

/// Formats sources in place
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  ntl fmt
  ntl fmt --check src
  ntl fmt - < main.ntl

With --check nothing is written; exits 1 if a file would change.")]
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
    let paths = match files::asked(&args.files) {
        Ok(paths) => paths,
        Err(problem) => return stopped(&problem),
    };
    let mut exit = Exit::Done;
    let mut changed = 0;
    for path in &paths {
        match format(path, args.check) {
            Ok(is_changed) => {
                changed += usize::from(is_changed);
                if is_changed && args.check {
                    out::print(&format!("{}\n", path.display()));
                }
            }
            // One that cannot be formatted does not keep the others from it.
            Err(stop) => exit = stopped(&stop),
        }
    }
    if !args.check && *paths != [Path::new("-")] {
        out::warn(&format!("{} formatted, {} left as they were\n", counted(changed, "file"), paths.len() - changed));
    }
    if exit == Exit::Done && args.check && changed > 0 { Exit::Failed } else { exit }
}

/// Formats a file unless it is only to be checked; tells whether that changes it.
fn format(path: &Path, check: bool) -> Result<bool, Stop> {
    let text = files::read_text(path)?;
    let formatted = ntl_syntax::format(&text).map_err(|e| unformatted(path, &text, e))?;
    let is_changed = formatted != text;
    if !check && path == Path::new("-") {
        out::print(&formatted);
    } else if !check && is_changed {
        files::write(path, formatted.as_bytes())?;
    }
    Ok(is_changed)
}

fn unformatted(path: &Path, text: &str, error: FormatError) -> Stop {
    let shown = path.display().to_string();
    let mut sources = Sources::default();
    let source = sources.insert(&shown, text.into());
    let finding = |(bytes, error): (Range<u32>, SyntaxError)| Finding {
        at: Some(At::of(&shown, source, bytes.start as usize..bytes.end as usize)),
        notes: error.help.into_iter().collect(),
        ..Finding::problem(error.code, error.message)
    };
    let findings = match error {
        FormatError::Syntax(errors) => errors.into_iter().map(finding).collect(),
        FormatError::Changed => {
            vec![crate::finding::internal(&format!("`{shown}` would not be the same program formatted"))]
        }
    };
    Stop { findings, sources, exit: Exit::Wrong }
}
