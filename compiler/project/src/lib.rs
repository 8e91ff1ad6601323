//! The one loader: finds and reads the files of a program and sets the inputs of the database.

mod files;
mod manifest;

pub use files::{Disk, Files, Memory};
pub use manifest::{Manifest, PERMISSIONS, Problem, Profile, find as find_manifest};

use ntl_semantic::modules::normalise;
use ntl_semantic::query::missing_files;
use ntl_semantic::{Project, RootDb, SourceFile};
use salsa::{Durability, Setter};
use smol_str::SmolStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A loaded program.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The file that was asked for.
    pub root: SourceFile,
    /// The project's manifest, found upwards from it.
    pub manifest: Option<Manifest>,
}

/// Why a program could not be loaded.
#[derive(Clone, Debug, PartialEq)]
pub struct LoadError {
    /// The path.
    pub path: PathBuf,
    /// What is wrong, in one line: good without anything else.
    pub message: String,
    /// Whether the path is that of the file which was asked for, and nothing is there.
    pub is_missing: bool,
    /// What is wrong inside, where it is the manifest that is wrong.
    pub problems: Vec<Problem>,
    /// The text that the problems are about.
    pub text: String,
}

impl LoadError {
    fn new(path: &Path, message: impl Into<String>) -> Self {
        let (problems, text) = (Vec::new(), String::new());
        LoadError { path: path.to_owned(), message: message.into(), is_missing: false, problems, text }
    }
}

/// Loads `path` and all that it uses into `db`, the standard library included. Paths are shown as they were given. A
/// database that holds a project already gets what is new and what has changed.
pub fn load(db: &mut RootDb, files: &dyn Files, path: &Path) -> Result<Loaded, LoadError> {
    let Some(given) = path.to_str() else { return Err(LoadError::new(path, "its name is not UTF-8 text")) };
    let shown = normalise(&if cfg!(windows) { given.replace('\\', "/") } else { given.to_owned() });
    let project = project(db);
    let text = read(files, Path::new(&shown))?;
    if text.is_none() {
        return Err(LoadError { is_missing: true, ..LoadError::new(path, "there is no such file") });
    }
    let root = add(db, project, &shown, text);
    loop {
        let missing = missing_files(db, root);
        if missing.is_empty() {
            break;
        }
        for path in missing {
            let text = read(files, Path::new(&path))?;
            add(db, project, &path, text);
        }
    }
    Ok(Loaded { root, manifest: manifest::find(files, Path::new(&shown))? })
}

/// Gives a file another text. What is edited once is likely to be edited again: from then on, an edit makes the database look
/// through what depends on that file only, not through the whole program.
pub fn edit(db: &mut RootDb, file: SourceFile, text: Option<Arc<str>>) {
    file.set_text(db).with_durability(Durability::LOW).to(text);
}

/// The database's project; a new one knows the standard library.
fn project(db: &mut RootDb) -> Project {
    if let Some(project) = Project::try_get(db) {
        return project;
    }
    let mut std: Vec<(SmolStr, SourceFile)> = ntl_stdlib::SOURCES
        .iter()
        .map(|(name, text)| {
            let file = SourceFile::builder(format!("std/{name}.ntl"), Some(Arc::from(*text)));
            (SmolStr::new_static(name), file.durability(Durability::HIGH).new(db))
        })
        .collect();
    std.sort_by(|a, b| a.0.cmp(&b.0));
    Project::builder(Vec::new(), std).files_durability(Durability::MEDIUM).std_durability(Durability::HIGH).new(db)
}

/// Makes a file known to the project, or its new text.
fn add(db: &mut RootDb, project: Project, path: &str, text: Option<String>) -> SourceFile {
    let text: Option<Arc<str>> = text.map(Arc::from);
    let files = project.files(db);
    match files.binary_search_by(|(known, _)| known.as_str().cmp(path)) {
        Ok(at) => {
            let file = files[at].1;
            if *file.text(db) != text {
                edit(db, file, text);
            }
            file
        }
        Err(at) => {
            let mut files = files.clone();
            let file = SourceFile::builder(path.to_owned(), text).durability(Durability::MEDIUM).new(db);
            files.insert(at, (path.to_owned(), file));
            project.set_files(db).with_durability(Durability::MEDIUM).to(files);
            file
        }
    }
}

fn read(files: &dyn Files, path: &Path) -> Result<Option<String>, LoadError> {
    files.read(path).map_err(|error| LoadError::new(path, reason(&error)))
}

/// An error of the system in few words.
fn reason(error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::IsADirectory => "it is a folder".to_owned(),
        std::io::ErrorKind::PermissionDenied => "reading it is not permitted".to_owned(),
        _ => error.to_string(),
    }
}
