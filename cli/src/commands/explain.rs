//! `ntl explain`: a diagnostic, or a code of a failure, at length.

use super::stopped;
use crate::exit::Exit;
use crate::finding::Finding;
use crate::{out, program};
use ntl_semantic::diagnostics::{REGISTRY, explain};
use ntl_stdlib::{failure, failures};

/// Explains a message of the checker, or the code of a failure, at length, with an example
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  ntl explain E0301\n  ntl explain division_by_zero\n  ntl explain")]
pub struct Args {
    /// The code in a message; without one, all codes are listed
    code: Option<String>,
}

/// Runs it.
pub fn run(args: &Args) -> Exit {
    let Some(code) = &args.code else { return out::print(&list()) };
    let word = code.trim().to_ascii_lowercase();
    match explain(&full(code)).or_else(|| failure(&word)) {
        Some(page) => out::print(&format!("{}\n", page.trim_end())),
        None => {
            let problem = Finding::problem("not_found", format!("there is no code `{code}`"));
            let near = program::nearest(&full(code), REGISTRY.iter().map(|(code, _)| code.id));
            let near = near.or_else(|| program::nearest(&word, failures().map(|(code, _)| code)));
            let problem = near.into_iter().fold(problem, |p, n| p.help(format!("did you mean `{n}`?")));
            stopped(&problem.help("`ntl explain` lists all codes").into())
        }
    }
}

/// A code as it is written in full: `e301` is `E0301`.
fn full(code: &str) -> String {
    let code = code.trim().to_ascii_uppercase();
    let (letter, digits) = code.split_at(code.floor_char_boundary(1));
    match digits.parse::<u16>() {
        Ok(number) if letter == "E" || letter == "W" => format!("{letter}{number:04}"),
        _ => code,
    }
}

/// Every code with its title: those of messages, then those of failures.
fn list() -> String {
    let messages = REGISTRY.iter().map(|(code, _)| format!("{}  {}\n", code.id, code.title));
    let failures = failures().filter_map(|(code, page)| {
        let title = page.lines().next()?.split_once(": ")?.1;
        Some(format!("{code:<16}  {title}\n"))
    });
    messages.chain(["\n".to_owned()]).chain(failures).collect()
}
