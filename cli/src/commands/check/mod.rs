//! `ntl check`: what there is to say about programs, without running them.

mod fix;
mod scopes;

use super::counted;
use crate::exit::Exit;
use crate::finding::{Finding, Stop};
use crate::program::{self, Given};
use crate::report::{self, Format};
use crate::sources::Sources;
use crate::{files, out};
use ntl_semantic::{RootDb, SourceFile, query};
use serde_json::json;
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// Checks programs without running them
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  ntl check
  ntl check main.ntl lib --format short
  ntl check --fix
  ntl check --scopes main.ntl
  ntl check - < main.ntl
  ntl check --format sarif > ntl.sarif

Exits 2 if there are errors, 0 if there are only warnings; with --deny-warnings, 2 then, too.")]
pub struct Args {
    /// Files, or folders of them; `-` is standard input; without any, every .ntl file of the project or working directory
    files: Vec<PathBuf>,
    /// In which form it is told
    #[arg(long, value_enum, default_value = "terminal")]
    format: Format,
    /// Print one JSON document: {"diagnostics": [...]}; short for --format json
    #[arg(long, conflicts_with = "format")]
    json: bool,
    /// Leave out how many errors and warnings there are
    #[arg(short, long)]
    quiet: bool,
    /// Exit 2 if there are warnings
    #[arg(long)]
    deny_warnings: bool,
    /// Make the repairs that are known, then tell what is left
    #[arg(long)]
    fix: bool,
    /// List each name that the files bind, with its type and what it varies per
    #[arg(long, conflicts_with = "fix")]
    scopes: bool,
}

impl Args {
    fn format(&self) -> Format {
        if self.json { Format::Json } else { self.format }
    }
}

/// Runs it.
pub fn run(args: &Args) -> Exit {
    let format = args.format();
    let done = match check(args) {
        Ok(done) => done,
        Err(stop) if format == Format::Terminal => return super::stopped(&stop),
        Err(stop) => {
            out::print(&report::findings(format, &stop.findings, &stop.sources, false));
            return stop.exit;
        }
    };
    let Checked { findings, sources, files, .. } = &done.checked;
    let text = match format {
        Format::Json => {
            let mut document = report::json(findings);
            if let Some(fixed) = &done.fixed {
                document["fixed"] = json!(fixed.made.iter().map(fix::Made::json).collect::<Vec<_>>());
            }
            if let Some(shown) = &done.scopes {
                document["bindings"] = scopes::json(shown);
            }
            report::pretty(&document)
        }
        _ => match &done.scopes {
            // The list is the result; what is wrong is told beside it.
            Some(shown) => {
                out::warn(&report::findings(format, findings, sources, out::stderr_is_coloured()));
                scopes::human(shown)
            }
            None => report::findings(format, findings, sources, out::stdout_is_coloured()),
        },
    };
    let printed = out::print(&text);
    let errors = findings.iter().filter(|f| f.is_error()).count();
    let warnings = findings.len() - errors;
    if !args.quiet && matches!(format, Format::Terminal | Format::Short) {
        if let Some(fixed) = &done.fixed {
            out::warn(&fixed.human());
        }
        out::warn(&format!(
            "{}, {} in {}\n",
            counted(errors, "error"),
            counted(warnings, "warning"),
            counted(*files, "file")
        ));
    }
    if errors > 0 || args.deny_warnings && warnings > 0 { Exit::Wrong } else { printed }
}

/// What a check gives.
struct Done {
    checked: Checked,
    fixed: Option<fix::Fixed>,
    scopes: Option<Vec<scopes::Shown>>,
}

fn check(args: &Args) -> Result<Done, Stop> {
    if args.scopes && !matches!(args.format(), Format::Terminal | Format::Json) {
        return Err(Finding::problem(
            "usage",
            "`--scopes` is shown to people, or as JSON: leave out `--format`, or say `json`",
        )
        .into());
    }
    let paths = files::asked(&args.files)?;
    let mut given = Given::read(&paths)?;
    let mut db = RootDb::default();
    let (mut checked, fixed) = if args.fix {
        if paths.iter().any(|path| path == Path::new("-")) {
            return Err(Finding::problem("invalid", "`--fix` mends files: standard input is none")
                .help("write the text to a file first")
                .into());
        }
        let (checked, fixed) = fix::fix(&mut db, &mut given, &paths)?;
        (checked, Some(fixed))
    } else {
        (checked(&mut db, &given, &paths), None)
    };
    if checked.files == 0 {
        return Err(Stop { findings: checked.findings, sources: checked.sources, exit: Exit::Wrong });
    }
    let scopes = args.scopes.then(|| scopes::list(&db, &mut checked.sources, &checked.roots));
    // Taking the database down costs more than a small check does.
    std::mem::forget(db);
    Ok(Done { checked, fixed, scopes })
}

/// What was found.
struct Checked {
    findings: Vec<Finding>,
    sources: Sources,
    /// How many files were looked at.
    files: usize,
    /// Those that were asked for.
    roots: Vec<SourceFile>,
}

/// Everything about the files, and the files that they use. What cannot be read is told beside the rest.
fn checked(db: &mut RootDb, given: &Given, paths: &[PathBuf]) -> Checked {
    let (mut files, mut roots): (Vec<SourceFile>, Vec<SourceFile>) = Default::default();
    let (mut seen, mut asked) = (HashSet::new(), HashSet::new());
    let mut findings: Vec<Finding> = Vec::new();
    let mut sources = Sources::default();
    for path in paths {
        match program::load(db, given, path) {
            Ok(loaded) => {
                if asked.insert(loaded.root) {
                    roots.push(loaded.root);
                }
                let used = query::files_in_use(db, loaded.root);
                files.extend(used.into_iter().filter(|file| seen.insert(*file)));
            }
            Err(stop) => {
                // A manifest is that of many files.
                let told = |new: &Finding| findings.iter().any(|old| old.at == new.at && old.message == new.message);
                let new: Vec<Finding> = stop.findings.into_iter().filter(|new| !told(new)).collect();
                findings.extend(new);
                sources.merge(stop.sources);
            }
        }
    }
    findings.extend(program::check(db, &mut sources, &files));
    Checked { findings, sources, files: files.len(), roots }
}
