//! The one gate of a run to the world. Everything that a native touches is asked for here, and granted or refused here:
//! files, the clock, randomness.

mod chance;
mod files;
mod place;

pub use files::Stat;
pub use place::fixed_part;

use std::path::PathBuf;
use std::time::{Duration, Instant};

/// What a run may touch.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Grants {
    /// Folders and files that may be read; relative to the host's root.
    pub fs_read: Vec<PathBuf>,
    /// Folders and files that may be written.
    pub fs_write: Vec<PathBuf>,
}

/// Why the host did not do it.
#[derive(Clone, Debug, PartialEq)]
pub struct Refusal {
    /// `permission`, `not_found`, `exists`, `invalid`, `failed`.
    pub code: &'static str,
    /// What happened, and what would grant it.
    pub message: String,
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}
impl std::error::Error for Refusal {}

/// The gate: what was granted, and the only code that touches files, the clock and randomness.
#[derive(Debug)]
pub struct Host {
    root: PathBuf,
    fs_read: Vec<PathBuf>,
    fs_write: Vec<PathBuf>,
    started: Instant,
    random: chance::Random,
}

impl Default for Host {
    fn default() -> Self {
        Host::new(Grants::default(), PathBuf::new())
    }
}

impl Host {
    /// A gate that grants this; relative paths are taken from `root`.
    pub fn new(grants: Grants, root: PathBuf) -> Self {
        let placed = |paths: Vec<PathBuf>| paths.iter().filter_map(|p| place::of_grant(&root, p)).collect();
        Host {
            fs_read: placed(grants.fs_read),
            fs_write: placed(grants.fs_write),
            started: Instant::now(),
            random: chance::Random::default(),
            root,
        }
    }

    /// How long this host has been there: it never goes back.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Whether a kind of permission (`fs_read`) is granted at all, and, where `what` is known, whether that is within it.
    /// Of a pattern, the folder that it starts from is looked at.
    pub fn allows(&self, kind: &str, what: Option<&str>) -> bool {
        let granted = match kind {
            "fs_read" => &self.fs_read,
            "fs_write" => &self.fs_write,
            _ => return false,
        };
        match what {
            None => !granted.is_empty(),
            Some(path) => place::of(&self.root, place::fixed_part(path)).is_ok_and(|p| p.is_within(granted)),
        }
    }
}

/// The flag of the command line that grants a kind of permission: `--allow-fs-read=out`.
pub fn flag(kind: &str, what: &str) -> String {
    format!("--allow-{}={what}", kind.replace('_', "-"))
}
