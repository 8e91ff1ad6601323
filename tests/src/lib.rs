//! What the suites share: the real `ntl` binary, cases with their expectations, and the chapters of the language
//! reference as tests.
#![expect(clippy::disallowed_methods, reason = "tests make and read their own files")]

pub mod case;
pub mod compare;
pub mod generate;
pub mod ntl;
pub mod server;
pub mod spec;
pub mod tidy;

use std::path::{Path, PathBuf};

/// The root of the workspace.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap_or(Path::new(".")).to_owned()
}

/// The entries of a folder, sorted; none if there is no folder.
pub fn entries(folder: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir(folder).into_iter().flatten().filter_map(|e| Some(e.ok()?.path())).collect();
    paths.sort();
    paths
}

/// The last part of a path without its extension, as a test's name.
pub fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// Whether expectations are to be rewritten to what comes (`cargo xtask bless`).
pub fn is_blessing() -> bool {
    std::env::var_os("BLESS").is_some_and(|v| v == "1")
}

/// Fails with all problems, one a line.
pub fn verdict(problems: Vec<String>) -> Result<(), libtest_mimic::Failed> {
    if problems.is_empty() { Ok(()) } else { Err(problems.join("\n").into()) }
}
