//! `ntl check`: what there is to say about programs, without running them.

use super::{counted, print_json};
use crate::exit::Exit;
use crate::finding::{Finding, Stop};
use crate::sources::Sources;
use crate::{files, out, program, render};
use ntl_semantic::{RootDb, SourceFile, query};
use serde_json::{Value, json};
use std::collections::HashSet;
use std::path::PathBuf;

/// Checks programs without running them
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  ntl check\n  ntl check main.ntl --json\n\nExits 2 if there are errors, 0 if there are only warnings."
)]
pub struct Args {
    /// Files, or folders of them; without any, every .ntl file of the project or working directory
    files: Vec<PathBuf>,
    /// Print one JSON document: {"diagnostics": [...]}
    #[arg(long)]
    json: bool,
}

/// Runs it.
pub fn run(args: &Args) -> Exit {
    match check(&args.files) {
        Ok(checked) => report(args, &checked),
        Err(stop) if args.json => {
            print_json(&document(&stop.findings));
            stop.exit
        }
        Err(stop) => super::stopped(&stop),
    }
}

struct Checked {
    findings: Vec<Finding>,
    sources: Sources,
    files: usize,
}

/// Everything about the files, and the files that they use.
fn check(given: &[PathBuf]) -> Result<Checked, Stop> {
    let mut db = RootDb::default();
    let mut files: Vec<SourceFile> = Vec::new();
    let mut seen = HashSet::new();
    for path in files::asked(given)? {
        let root = program::load(&mut db, &path)?.root;
        files.extend(query::files_in_use(&db, root).into_iter().filter(|file| seen.insert(*file)));
    }
    let mut sources = Sources::default();
    let findings = program::check(&db, &mut sources, &files);
    std::mem::forget(db);
    Ok(Checked { findings, sources, files: files.len() })
}

fn report(args: &Args, checked: &Checked) -> Exit {
    let Checked { findings, sources, files } = checked;
    let errors = findings.iter().filter(|f| f.is_error()).count();
    let printed = if args.json {
        print_json(&document(findings))
    } else {
        let text = render::findings(findings, sources, out::stdout_is_coloured());
        let printed = out::print(&text);
        out::warn(&format!(
            "{}, {} in {}\n",
            counted(errors, "error"),
            counted(findings.len() - errors, "warning"),
            counted(*files, "file")
        ));
        printed
    };
    if errors > 0 { Exit::Wrong } else { printed }
}

fn document(findings: &[Finding]) -> Value {
    json!({ "diagnostics": findings.iter().map(Finding::json).collect::<Vec<_>>() })
}
