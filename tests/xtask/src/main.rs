//! `cargo xtask`: what the project does to itself.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::disallowed_methods,
    reason = "a tool for those who work on the project"
)]

mod codegen;

use clap::Parser;
use std::path::PathBuf;
use std::process::{Command, ExitCode};

#[derive(Parser)]
#[command(about = "Tasks of the NTL project")]
enum Task {
    /// Everything that must hold before a change lands: format, lints, tests
    Ci,
    /// Rewrites what is generated from the declarations of the standard library
    Codegen(codegen::Args),
    /// Writes a large valid project, the same for the same arguments
    Gen(GenArgs),
    /// Checks the rules of the code base that no other tool knows
    Tidy,
    /// Rewrites snapshots and the outputs of cases to what comes now: look at the diff
    Bless,
    /// Builds the release binary and measures; prints a table
    Bench {
        /// Only what has this in its name
        filter: Option<String>,
    },
    /// Edits programs by chance, a token at a time, and tells how much the checker says about it
    Mutate {
        /// How many edits
        #[arg(long, default_value_t = 2000)]
        edits: u32,
        /// Other edits of the same programs
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// How many of those are shown about which most is said
        #[arg(long, default_value_t = 10)]
        worst: u32,
    },
    /// Builds the release binary and compares its size with the one that is written down
    Size(SizeArgs),
}

#[derive(clap::Args)]
struct GenArgs {
    /// How many files
    #[arg(long, default_value_t = 1)]
    files: usize,
    /// How many lines they have together
    #[arg(long, default_value_t = 1000)]
    lines: usize,
    /// Another seed, another project
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The folder that they are written to
    #[arg(long, default_value = "target/generated")]
    out: PathBuf,
}

#[derive(clap::Args)]
struct SizeArgs {
    /// Write the size down
    #[arg(long)]
    accept: bool,
}

fn main() -> ExitCode {
    let done = match Task::parse() {
        Task::Ci => ci(),
        Task::Codegen(args) => codegen::run(&args),
        Task::Gen(args) => write_project(&args),
        Task::Tidy => tidy(),
        Task::Bless => test(&[("BLESS", "1"), ("INSTA_UPDATE", "always"), ("INSTA_FORCE_PASS", "1")]),
        Task::Bench { filter } => bench(filter.as_deref()),
        Task::Mutate { edits, seed, worst } => mutate([edits.to_string(), seed.to_string(), worst.to_string()]),
        Task::Size(args) => size(&args),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("xtask: {problem}");
            ExitCode::FAILURE
        }
    }
}

fn ci() -> Result<(), String> {
    cargo(&["fmt", "--all", "--check"], &[])?;
    cargo(&["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"], &[])?;
    test(&[])
}

/// All tests: with nextest, which runs them side by side, where it is installed.
fn test(env: &[(&str, &str)]) -> Result<(), String> {
    let has_nextest =
        Command::new(env!("CARGO")).args(["nextest", "--version"]).output().is_ok_and(|o| o.status.success());
    if has_nextest { cargo(&["nextest", "run", "--workspace"], env) } else { cargo(&["test", "--workspace"], env) }
}

fn bench(filter: Option<&str>) -> Result<(), String> {
    cargo(&["build", "--release", "--package", "ntl"], &[])?;
    let args = ["bench", "--package", "ntl-tests", "--bench", "numbers"];
    cargo(&args.into_iter().chain(filter.map(|_| "--")).chain(filter).collect::<Vec<_>>(), &[])
}

fn mutate([edits, seed, worst]: [String; 3]) -> Result<(), String> {
    let args = ["test", "--release", "--package", "ntl-tests", "--test", "mutations", "--", "--nocapture"];
    cargo(&args, &[("MUTATIONS", &edits), ("SEED", &seed), ("WORST", &worst)])
}

fn tidy() -> Result<(), String> {
    let problems = ntl_tests::tidy::problems();
    problems.iter().for_each(|p| println!("{p}"));
    if problems.is_empty() { Ok(()) } else { Err(format!("{} places are not tidy", problems.len())) }
}

fn write_project(args: &GenArgs) -> Result<(), String> {
    let project = ntl_tests::generate::project(args.files, args.lines, args.seed);
    std::fs::create_dir_all(&args.out).map_err(|e| format!("{}: {e}", args.out.display()))?;
    for (name, text) in &project {
        let path = args.out.join(name);
        std::fs::write(&path, text).map_err(|e| format!("{}: {e}", path.display()))?;
    }
    let lines: usize = project.iter().map(|(_, text)| text.lines().count()).sum();
    println!("{} files, {lines} lines in {}; begin with main.ntl", project.len(), args.out.display());
    Ok(())
}

/// How much larger the binary may become before somebody has to say that it is fine.
const TOLERANCE: f64 = 1.03;

fn size(args: &SizeArgs) -> Result<(), String> {
    cargo(&["build", "--release", "--package", "ntl"], &[])?;
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| ntl_tests::root().join("target"), PathBuf::from);
    let binary = target.join("release").join(format!("ntl{}", std::env::consts::EXE_SUFFIX));
    let size = binary.metadata().map_err(|e| format!("{}: {e}", binary.display()))?.len();
    let file = ntl_tests::root().join("tests/bench/size.txt");
    let known: Option<u64> = std::fs::read_to_string(&file).ok().and_then(|t| t.trim().parse().ok());
    println!("{size} bytes; written down: {}", known.map_or("nothing".into(), |k| k.to_string()));
    if args.accept {
        return std::fs::write(&file, format!("{size}\n")).map_err(|e| format!("{}: {e}", file.display()));
    }
    match known {
        Some(known) if size as f64 > known as f64 * TOLERANCE => {
            Err("the binary has grown; if that is fine, `cargo xtask size --accept`".into())
        }
        _ => Ok(()),
    }
}

/// Runs cargo in the workspace, its output shown.
fn cargo(args: &[&str], env: &[(&str, &str)]) -> Result<(), String> {
    eprintln!("+ cargo {}", args.join(" "));
    let status =
        Command::new(env!("CARGO")).args(args).envs(env.iter().copied()).current_dir(ntl_tests::root()).status();
    match status {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("cargo {} failed ({status})", args.join(" "))),
        Err(e) => Err(format!("cargo: {e}")),
    }
}
