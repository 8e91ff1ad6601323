//! Where sources come from.

use std::collections::BTreeMap;
use std::io::{Error, ErrorKind, Read, Result};
use std::path::{Path, PathBuf};

/// Where files come from: the disk, an editor's memory over it, or a test's.
pub trait Files {
    /// The text at a path; `Ok(None)` where there is no file. Other failures (permission, not UTF-8) are errors.
    fn read(&self, path: &Path) -> Result<Option<String>>;

    /// The path seen from the root of all files, to look for a manifest in the folders above.
    fn absolute(&self, path: &Path) -> PathBuf {
        path.to_owned()
    }
}

/// The file system.
#[derive(Debug, Default)]
pub struct Disk;

/// The largest source that is read, in bytes.
const LARGEST: u64 = 64 << 20;

impl Files for Disk {
    fn read(&self, path: &Path) -> Result<Option<String>> {
        #[expect(clippy::disallowed_methods, reason = "sources are read here and nowhere else")]
        let file = match std::fs::File::open(path) {
            Ok(file) => file,
            // A folder that is a file (`a.ntl/b.ntl`) has no files in it.
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => return Ok(None),
            Err(error) => return Err(error),
        };
        let about = file.metadata()?;
        if about.is_dir() {
            return Err(ErrorKind::IsADirectory.into());
        }
        // A byte more than there are, so that the end is seen at once; what a pipe holds is not known.
        let mut bytes = Vec::with_capacity(about.len().min(LARGEST) as usize + 1);
        file.take(LARGEST + 1).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > LARGEST {
            return Err(Error::new(ErrorKind::FileTooLarge, format!("it is larger than {} MB", LARGEST >> 20)));
        }
        text(bytes).map(Some)
    }

    fn absolute(&self, path: &Path) -> PathBuf {
        std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
    }
}

/// Bytes as text, or where they stop being text.
fn text(bytes: Vec<u8>) -> Result<String> {
    String::from_utf8(bytes).map_err(|error| {
        let valid = error.utf8_error().valid_up_to();
        let line = error.as_bytes().iter().take(valid).filter(|byte| **byte == b'\n').count() + 1;
        Error::new(ErrorKind::InvalidData, format!("it is not UTF-8 text: line {line} has a byte that is none"))
    })
}

/// Files in memory, by path.
#[derive(Clone, Debug, Default)]
pub struct Memory(BTreeMap<PathBuf, Vec<u8>>);

impl Memory {
    /// Adds or replaces a file.
    pub fn with(mut self, path: impl Into<PathBuf>, text: impl Into<Vec<u8>>) -> Self {
        self.0.insert(path.into(), text.into());
        self
    }
}

impl Files for Memory {
    fn read(&self, path: &Path) -> Result<Option<String>> {
        self.0.get(path).map(|bytes| text(bytes.clone())).transpose()
    }
}
