//! The commands, one file each.

mod check;
mod compile;
mod explain;
mod fmt;
mod new;
mod nodes;
mod pretty;
mod run;

use crate::exit::Exit;
use crate::finding::{Finding, Stop};
use crate::{out, render};
use clap::Subcommand;
use serde_json::{Value, json};
use std::ffi::OsString;

/// A command with its arguments.
#[derive(Subcommand)]
pub enum Command {
    Run(run::Args),
    Check(check::Args),
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
    /// To people, on standard error.
    Text,
    /// The document of a run.
    Run,
    /// The document of a check.
    Check,
}

impl Shape {
    /// What a command line asks for, understood or not.
    pub fn of(args: &[OsString]) -> Self {
        if !args.iter().any(|a| a == "--json") {
            return Shape::Text;
        }
        if args.get(1).is_some_and(|a| a == "run") { Shape::Run } else { Shape::Check }
    }
}

/// Tells what keeps a command from being done.
pub fn fail(shape: Shape, finding: &Finding) {
    match shape {
        Shape::Text => out::warn(&finding.human()),
        Shape::Run => drop(print_json(&run::refused(finding))),
        Shape::Check => drop(print_json(&json!({ "diagnostics": [finding.json()] }))),
    }
}

/// Tells people why a command ended early.
fn stopped(stop: &Stop) -> Exit {
    out::warn(&render::findings(&stop.findings, &stop.sources, out::stderr_is_coloured()));
    stop.exit
}

/// Prints a document.
fn print_json(document: &Value) -> Exit {
    out::print(&format!("{document:#}\n"))
}

/// `1 file`, `2 files`.
fn counted(n: usize, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}
