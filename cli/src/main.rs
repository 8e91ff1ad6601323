//! `ntl`: arguments in, results and an exit status out. Everything that is more than that lives in the other crates.

mod commands;
mod exit;
mod files;
mod finding;
mod out;
mod program;
mod render;
mod report;
mod sources;

use clap::Parser;
use commands::{Command, Shape};
use exit::Exit;
use report::Format;
use std::ffi::OsString;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, PoisonError};

/// What the compiler may use: nesting is capped at 256, and each level passes through several stages that recurse.
const STACK: usize = 64 << 20;

/// NTL: workflows as text.
#[derive(Parser)]
#[command(
    name = "ntl",
    version,
    about = "Checks, compiles and runs NTL workflows",
    max_term_width = 100,
    disable_help_subcommand = true,
    after_help = "Example:\n  ntl new hello && cd hello && ntl run main.ntl name=Ada"
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

fn main() {
    let worker = std::thread::Builder::new().name("ntl".into()).stack_size(STACK).spawn(|| {
        remember_panics();
        let args: Vec<OsString> = std::env::args_os().collect();
        let exit = guarded(&args, || dispatch(&args));
        // Nothing is torn down: the process ends here and the system takes its memory back at once.
        std::process::exit(exit.status());
    });
    drop(worker.map(std::thread::JoinHandle::join));
    std::process::exit(Exit::Internal.status());
}

/// What the last panic said.
static PANIC: Mutex<String> = Mutex::new(String::new());

/// Keeps what a panic says instead of printing it: some are caught and told in another way.
fn remember_panics() {
    std::panic::set_hook(Box::new(|info| {
        let place = info.location().map(|l| format!(" at {}:{}", l.file(), l.line())).unwrap_or_default();
        let what = info.payload_as_str().unwrap_or("no message");
        *PANIC.lock().unwrap_or_else(PoisonError::into_inner) = format!("{what}{place}");
    }));
}

/// Runs a command; a panic inside it becomes an error of its own kind, with a word on how to report it.
fn guarded(args: &[OsString], command: impl FnOnce() -> Exit) -> Exit {
    catch_unwind(AssertUnwindSafe(command)).unwrap_or_else(|_| {
        let what = PANIC.lock().unwrap_or_else(PoisonError::into_inner).clone();
        commands::fail(Shape::of(args), finding::internal(&what));
        Exit::Internal
    })
}

fn dispatch(args: &[OsString]) -> Exit {
    match Cli::try_parse_from(args) {
        Ok(cli) => cli.command.run(),
        Err(error) if error.use_stderr() => {
            match Shape::of(args) {
                Shape::Check(Format::Terminal) => {
                    out::warn_raw(&error.render().ansi().to_string(), &error.render().to_string());
                }
                shape => commands::fail(shape, finding::usage(&error)),
            }
            Exit::Wrong
        }
        Err(help) => out::print_raw(&help.render().ansi().to_string(), &help.render().to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bug_ends_with_a_status_of_its_own() {
        let exit = guarded(&["ntl".into(), "run".into()], || panic!("a bug"));
        assert_eq!((exit, exit.status()), (Exit::Internal, 4));
        let said = finding::internal("a bug").human();
        assert!(
            said.contains("a bug") && said.contains("report") && said.contains(env!("CARGO_PKG_VERSION")),
            "{said}"
        );
    }
}
