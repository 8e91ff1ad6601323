//! The one loader: finds and reads the files of a program and sets the inputs of the database.

use ntl_semantic::{RootDb, SourceFile};
use std::path::{Path, PathBuf};

/// Where files come from: the disk, an editor's memory over it, or a test's.
pub trait Files {
    /// The text at a path; `Ok(None)` where there is no file. Other failures (permission, not UTF-8) are errors.
    fn read(&self, path: &Path) -> std::io::Result<Option<String>>;
}

/// The file system.
#[derive(Debug, Default)]
pub struct Disk;

impl Files for Disk {
    fn read(&self, _path: &Path) -> std::io::Result<Option<String>> {
        Ok(None)
    }
}

/// What `ntl.toml` says.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Manifest {
    /// Where it lies.
    pub path: PathBuf,
    /// `[permissions]`: kind (`fs_read`) and what is granted, paths relative to the manifest's folder.
    pub permissions: Vec<(String, Vec<String>)>,
}

/// A loaded program.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The file that was asked for.
    pub root: SourceFile,
    /// The project's manifest, found upwards from it.
    pub manifest: Option<Manifest>,
}

/// Why a program could not be loaded.
#[derive(Debug)]
pub struct LoadError {
    /// The path.
    pub path: PathBuf,
    /// What is wrong.
    pub message: String,
}

/// Loads `path` and all that it uses into `db`, the standard library included. Paths are shown as they were given.
pub fn load(db: &mut RootDb, files: &dyn Files, path: &Path) -> Result<Loaded, LoadError> {
    let _ = (db, files);
    Err(LoadError { path: path.to_owned(), message: String::new() })
}
