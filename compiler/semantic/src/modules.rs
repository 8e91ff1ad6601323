//! Modules: which file a `use` means, which files belong to a program, and how paths are joined.

use crate::db::{Db, Project, SourceFile};
use crate::names::imports;
use rustc_hash::FxHashSet;
use smol_str::SmolStr;

/// The file of a module of the standard library: `text`.
pub fn std_file(db: &dyn Db, name: &str) -> Option<SourceFile> {
    let std = Project::try_get(db)?.std(db);
    let at = std.binary_search_by(|(module, _)| module.as_str().cmp(name)).ok()?;
    std.get(at).map(|(_, file)| *file)
}

/// The name of the library module that a file is: `text`. `None` for a file of the user's.
pub fn std_module(db: &dyn Db, file: SourceFile) -> Option<&SmolStr> {
    let std = Project::try_get(db)?.std(db);
    std.iter().find(|(_, module)| *module == file).map(|(name, _)| name)
}

/// The names of the library's modules.
pub fn std_modules(db: &dyn Db) -> impl Iterator<Item = &SmolStr> {
    Project::try_get(db).map(|project| project.std(db).as_slice()).unwrap_or_default().iter().map(|(name, _)| name)
}

/// The file that the project knows at a normalised path; it may be known as absent.
pub fn project_file(db: &dyn Db, path: &str) -> Option<SourceFile> {
    let files = Project::try_get(db)?.files(db);
    let at = files.binary_search_by(|(known, _)| known.as_str().cmp(path)).ok()?;
    files.get(at).map(|(_, file)| *file)
}

/// Whether a known file is there: equal while only its text changes.
#[salsa::tracked(returns(copy))]
pub(crate) fn is_there(db: &dyn Db, file: SourceFile) -> bool {
    file.text(db).is_some()
}

/// Removes `.` and inner `..` from a `/`-separated path.
pub fn normalise(path: &str) -> String {
    let is_absolute = path.starts_with('/');
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => drop(parts.pop()),
            ".." if is_absolute => {}
            _ => parts.push(part),
        }
    }
    let joined = parts.join("/");
    if is_absolute { format!("/{joined}") } else { joined }
}

/// The normalised path of the file that `use "./x"` means in the file at `from`.
pub fn used_path(from: &str, written: &str) -> String {
    let written = written.strip_suffix(".ntl").unwrap_or(written);
    let folder = from.rfind('/').map_or("", |at| from.get(..=at).unwrap_or_default());
    let joined = if written.starts_with('/') { format!("{written}.ntl") } else { format!("{folder}{written}.ntl") };
    normalise(&joined)
}

/// `file` and every project file that it uses, directly or not, in order of first use. Without the standard library.
pub fn files_in_use(db: &dyn Db, file: SourceFile) -> Vec<SourceFile> {
    let mut found = vec![file];
    let mut seen = FxHashSet::from_iter([file]);
    let mut next = 0;
    while let Some(&file) = found.get(next) {
        next += 1;
        for used in &imports(db, file).files {
            if seen.insert(*used) {
                found.push(*used);
            }
        }
    }
    found
}

/// Normalised paths that `file` and what it uses name by `use "./x"` and that the project has no [`SourceFile`] for
/// yet: the loader adds them (present or absent) and asks again.
pub fn missing_files(db: &dyn Db, file: SourceFile) -> Vec<String> {
    let mut missing: Vec<String> = Vec::new();
    for file in files_in_use(db, file) {
        for path in &imports(db, file).unknown_paths {
            if !missing.contains(path) {
                missing.push(path.clone());
            }
        }
    }
    missing
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_joined_as_text() {
        for (from, written, path) in [
            ("main.ntl", "./a", "a.ntl"),
            ("src/main.ntl", "./a", "src/a.ntl"),
            ("src/main.ntl", "../a", "a.ntl"),
            ("main.ntl", "../lib/a", "../lib/a.ntl"),
            ("../x/main.ntl", "../../a.ntl", "../../a.ntl"),
            ("/p/main.ntl", "../../a", "/a.ntl"),
            ("src/main.ntl", "sub//./a", "src/sub/a.ntl"),
            ("src/main.ntl", "/etc/a", "/etc/a.ntl"),
        ] {
            assert_eq!(used_path(from, written), path, "{from} uses {written}");
        }
    }
}
