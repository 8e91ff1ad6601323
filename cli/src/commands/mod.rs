//! The commands, one file each.

mod check;
mod compile;
mod effects;
mod explain;
mod fmt;
mod new;
mod nodes;
mod pretty;
mod run;

use crate::exit::Exit;
use crate::finding::{Finding, Stop};
use crate::report::{self, Format};
use crate::sources::Sources;
use crate::{out, render};
use clap::{Subcommand, ValueEnum};
use serde_json::Value;
use std::ffi::OsString;

/// A command with its arguments.
#[derive(Subcommand)]
pub enum Command {
    Run(run::Args),
    Check(check::Args),
    Effects(effects::Args),
    Compile(compile::Args),
    Fmt(fmt::Args),
    Explain(explain::Args),
    Nodes(nodes::Args),
    New(new::Args),
}

impl Command {
    /// Does it.
    pub fn run(self) -> Exit {
        match self {
            Command::Run(args) => run::run(&args),
            Command::Check(args) => check::run(&args),
            Command::Effects(args) => effects::run(&args),
            Command::Compile(args) => compile::run(&args),
            Command::Fmt(args) => fmt::run(&args),
            Command::Explain(args) => explain::run(&args),
            Command::Nodes(args) => nodes::run(&args),
            Command::New(args) => new::run(&args),
        }
    }
}

/// How a command that cannot be done says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// The document of a run.
    Run,
    /// What a check tells; to people, on standard error.
    Check(Format),
}

impl Shape {
    /// What a command line asks for, understood or not.
    pub fn of(args: &[OsString]) -> Self {
        let is = |command: &str| args.get(1).is_some_and(|a| a == command);
        if args.iter().any(|a| a == "--json") {
            return if is("run") { Shape::Run } else { Shape::Check(Format::Json) };
        }
        let words = args.iter().map(|a| a.to_str().unwrap_or_default());
        let said = words.clone().zip(words.skip(1).chain([""])).find_map(|(word, next)| match word {
            "--format" => Some(next),
            _ => word.strip_prefix("--format="),
        });
        let format = said.filter(|_| is("check")).and_then(|format| Format::from_str(format, false).ok());
        Shape::Check(format.unwrap_or(Format::Terminal))
    }
}

/// Tells what keeps a command from being done.
pub fn fail(shape: Shape, finding: Finding) {
    let text = match shape {
        Shape::Check(Format::Terminal) => return out::warn(&finding.human()),
        Shape::Run => report::pretty(&run::refused(&finding)),
        Shape::Check(format) => report::findings(format, &[finding], &Sources::default(), false),
    };
    // There is nowhere to tell that this fails.
    let _ = out::print(&text);
}

/// Tells people why a command ended early.
fn stopped(stop: &Stop) -> Exit {
    out::warn(&render::findings(&stop.findings, &stop.sources, out::stderr_is_coloured()));
    stop.exit
}

/// Prints a document.
fn print_json(document: &Value) -> Exit {
    out::print(&report::pretty(document))
}

/// `1 file`, `2 files`.
fn counted(n: usize, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}
