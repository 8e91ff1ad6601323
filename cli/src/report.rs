//! Findings as whoever asked takes them: people, a program, a code-scanning service, a build log. One function each.

mod github;
mod sarif;
mod short;

use crate::finding::Finding;
use crate::render;
use crate::sources::Sources;
use clap::ValueEnum;
use serde_json::{Value, json};

/// In which form findings are told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people, with the source
    Terminal,
    /// One JSON document: {"diagnostics": [...]}
    Json,
    /// SARIF 2.1.0, for code scanning
    Sarif,
    /// Commands of GitHub Actions, which it shows at the lines
    Github,
    /// One line each: path:line:column: error[E0201]: message
    Short,
}

/// All findings in a format, as they are written to standard output.
pub fn findings(format: Format, findings: &[Finding], sources: &Sources, color: bool) -> String {
    match format {
        Format::Terminal => render::findings(findings, sources, color),
        Format::Json => pretty(&json(findings)),
        Format::Sarif => pretty(&sarif::log(findings)),
        Format::Github => findings.iter().map(github::command).collect(),
        Format::Short => findings.iter().map(short::line).collect(),
    }
}

/// The document of a check.
pub fn json(findings: &[Finding]) -> Value {
    json!({ "diagnostics": findings.iter().map(Finding::json).collect::<Vec<_>>() })
}

/// A document as it is printed.
pub fn pretty(document: &Value) -> String {
    format!("{document:#}\n")
}
