//! The one gate of a run to the world. Everything that a native touches is asked for here, and granted or refused here.

mod chance;

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

/// What is known of a file or folder.
#[derive(Clone, Debug, PartialEq)]
pub struct Stat {
    /// Bytes.
    pub size: u64,
    /// When it changed last: nanoseconds since 1970-01-01T00:00:00Z.
    pub modified: i64,
    /// Whether it is a folder.
    pub is_dir: bool,
}

/// The gate: what was granted, and the only code that touches files.
#[derive(Debug, Default)]
pub struct Host {
    grants: Grants,
    root: PathBuf,
    random: chance::Random,
}

impl Host {
    /// A gate that grants this; relative paths are taken from `root`.
    pub fn new(grants: Grants, root: PathBuf) -> Self {
        Host { grants, root, random: chance::Random::default() }
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

    /// Whether there is a file or folder.
    pub fn exists(&self, path: &str) -> Result<bool, Refusal> {
        self.read(path).map(|_| true)
    }

    /// What is known of a file or folder.
    pub fn stat(&self, path: &str) -> Result<Stat, Refusal> {
        self.read(path).map(|bytes| Stat { size: bytes.len() as u64, modified: 0, is_dir: false })
    }

    /// The paths that a pattern (`*`, `**`, `?`, `[ab]`) matches, sorted, `/`-separated, relative as the pattern is.
    pub fn list(&self, pattern: &str) -> Result<Vec<String>, Refusal> {
        self.read(pattern).map(|_| Vec::new())
    }

    /// Writes a file, in place of the one that is there.
    pub fn write(&self, path: &str, bytes: &[u8]) -> Result<(), Refusal> {
        let _ = bytes;
        self.read(path).map(drop)
    }

    /// Writes at the end of a file, which is made if it is not there.
    pub fn append(&self, path: &str, bytes: &[u8]) -> Result<(), Refusal> {
        let _ = bytes;
        self.read(path).map(drop)
    }

    /// Removes a file, or an empty folder.
    pub fn remove(&self, path: &str) -> Result<(), Refusal> {
        self.read(path).map(drop)
    }

    /// Copies a file, in place of the one that is there.
    pub fn copy(&self, from: &str, to: &str) -> Result<(), Refusal> {
        self.read(from)?;
        self.read(to).map(drop)
    }

    /// Moves a file or folder.
    pub fn rename(&self, from: &str, to: &str) -> Result<(), Refusal> {
        self.copy(from, to)
    }

    /// Makes a folder, and those that it stands in. Fine if it is there.
    pub fn mkdir(&self, path: &str) -> Result<(), Refusal> {
        self.read(path).map(drop)
    }
}
