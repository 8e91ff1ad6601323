//! `ntl new`: a project that runs.

use super::stopped;
use crate::exit::Exit;
use crate::finding::{Finding, Stop};
use crate::{files, out};
use std::path::PathBuf;

/// Creates a project that runs
#[derive(clap::Args)]
#[command(after_help = "Example:\n  ntl new hello && cd hello && ntl run main.ntl name=Ada")]
pub struct Args {
    /// The folder to create; its last part is the project's name
    name: PathBuf,
}

/// Runs it.
pub fn run(args: &Args) -> Exit {
    create(args).unwrap_or_else(|stop| stopped(&stop))
}

const MAIN: &str = r#"//! The first workflow of this project.

/// Greets somebody by name.
workflow main(
  /// Who is greeted.
  name: str = "world",
) -> (greeting: str, letters: int) {
  greeting = "Hello, {name}!"
  letters  = name.len()
}
"#;

const IGNORED: &str = "# What runs leave behind.\n.ntl/\n*.ntlp\n";

fn create(args: &Args) -> Result<Exit, Stop> {
    let folder = &args.name;
    let name = folder.file_name().and_then(|n| n.to_str()).filter(|n| is_name(n)).ok_or_else(|| {
        Finding::problem("invalid", format!("`{}` is no name for a project", folder.display()))
            .help("letters, digits, `-` and `_`, beginning with a letter: ntl new daily-report")
    })?;
    let manifest = format!(
        "[project]\nname = \"{name}\"\nversion = \"0.1.0\"\nntl = \"0.1\"\n\n\
         # What the workflows of this project may touch, relative to this file. Without a grant: nothing.\n\
         [permissions]\nfs_read = []\nfs_write = []\n"
    );
    let contents = [("ntl.toml", manifest.as_str()), ("main.ntl", MAIN), (".gitignore", IGNORED)];

    if let Some((taken, _)) = contents.iter().find(|(file, _)| folder.join(file).symlink_metadata().is_ok()) {
        let taken = folder.join(taken);
        return Err(Finding::problem("exists", format!("`{}` is there already", taken.display()))
            .help("nothing was written; choose another name")
            .into());
    }
    std::fs::create_dir_all(folder)
        .map_err(|e| Finding::problem("failed", format!("cannot create `{}`: {e}", folder.display())))?;
    for (file, text) in contents {
        files::write_new(&folder.join(file), text)?;
    }
    out::warn(&format!("created {0}: now try `ntl run {0}/main.ntl name=Ada`\n", folder.display()));
    Ok(Exit::Done)
}

fn is_name(name: &str) -> bool {
    name.starts_with(char::is_alphabetic) && name.chars().all(|c| c.is_alphanumeric() || c == '-' || c == '_')
}
