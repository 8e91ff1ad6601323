//! The one gate of a run to the world. Everything that a native touches is asked for here, and granted or refused here.

use std::path::{Path, PathBuf};

/// What a run may touch.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Grants {
    /// Folders and files that may be read; relative to [`Host::root`].
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

/// The gate: what was granted, and the only code that touches files.
#[derive(Debug, Default)]
pub struct Host {
    grants: Grants,
    root: PathBuf,
}

impl Host {
    /// A gate that grants this; relative paths are taken from `root`.
    pub fn new(grants: Grants, root: PathBuf) -> Self {
        Host { grants, root }
    }

    /// Whether a kind of permission (`fs_read`) is granted at all, and, where `what` is known, whether that is within it.
    pub fn allows(&self, kind: &str, what: Option<&str>) -> bool {
        let _ = (kind, what);
        false
    }

    /// The bytes of a file.
    pub fn read(&self, path: &str) -> Result<Vec<u8>, Refusal> {
        let _ = (path, &self.grants, Path::new(&self.root));
        Err(Refusal { code: "permission", message: String::new() })
    }
}
