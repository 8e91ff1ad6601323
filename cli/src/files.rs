//! The files that the command line itself reads and writes; what a run touches goes through `ntl-host`.
#![expect(clippy::disallowed_methods, reason = "this is the command line's own door to the file system")]

use crate::finding::{Finding, Stop};
use std::io::{ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

/// The bytes of a file, or of standard input for `-`; of a file that is longer, an error.
pub fn read_bytes(path: &Path, most: usize) -> Result<Vec<u8>, Stop> {
    let mut bytes = Vec::new();
    let limit = (most as u64).saturating_add(1);
    let read = if path == Path::new("-") {
        std::io::stdin().lock().take(limit).read_to_end(&mut bytes)
    } else {
        std::fs::File::open(path).and_then(|file| file.take(limit).read_to_end(&mut bytes))
    };
    read.map_err(|e| unreadable(path, &e))?;
    if bytes.len() > most {
        return Err(Finding::problem(
            "invalid",
            format!("cannot read `{}`: it is larger than {} MB", path.display(), most >> 20),
        )
        .into());
    }
    Ok(bytes)
}

/// The text of a file, or of standard input for `-`.
pub fn read_text(path: &Path) -> Result<String, Stop> {
    const MOST: usize = 1 << 30;
    String::from_utf8(read_bytes(path, MOST)?).map_err(|e| {
        let at = e.utf8_error().valid_up_to();
        Finding::problem("invalid", format!("cannot read `{}`: it is not UTF-8 text (byte {at})", path.display()))
            .into()
    })
}

/// Why a file cannot be read.
fn unreadable(path: &Path, error: &std::io::Error) -> Stop {
    let (code, why) = reason(error, "there is no such file");
    Finding::problem(code, format!("cannot read `{}`: {why}", path.display())).into()
}

/// Why a file cannot be written.
fn unwritable(path: &Path, error: &std::io::Error) -> Stop {
    let (code, why) = reason(error, "there is no such folder");
    Finding::problem(code, format!("cannot write `{}`: {why}", path.display())).into()
}

/// An error of the system as a code and in words.
fn reason(error: &std::io::Error, missing: &str) -> (&'static str, String) {
    match error.kind() {
        ErrorKind::NotFound => ("not_found", missing.to_owned()),
        ErrorKind::IsADirectory => ("invalid", "it is a folder".to_owned()),
        ErrorKind::PermissionDenied => ("permission", "it is not permitted".to_owned()),
        ErrorKind::AlreadyExists => ("exists", "it is there already".to_owned()),
        _ => ("failed", error.to_string()),
    }
}

/// Writes a file whole or not at all: beside it, then over it. A link is followed, permissions stay.
pub fn write(path: &Path, bytes: &[u8]) -> Result<(), Stop> {
    let target = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let failed = |e: std::io::Error| unwritable(path, &e);
    if target.is_dir() {
        return Err(failed(ErrorKind::IsADirectory.into()));
    }
    let old = std::fs::metadata(&target).ok();
    // What is no ordinary file (a device, a pipe) cannot be replaced.
    if old.as_ref().is_some_and(|m| !m.is_file()) {
        return std::fs::write(&target, bytes).map_err(failed);
    }
    let name = target.file_name().unwrap_or_default().to_string_lossy();
    let beside = target.with_file_name(format!(".{name}.{}.tmp", std::process::id()));
    let written = std::fs::OpenOptions::new().write(true).create_new(true).open(&beside).and_then(|mut file| {
        file.write_all(bytes)?;
        if let Some(old) = old {
            file.set_permissions(old.permissions())?;
        }
        file.sync_all()?;
        std::fs::rename(&beside, &target)
    });
    written.map_err(|e| {
        let _ = std::fs::remove_file(&beside);
        failed(e)
    })
}

/// Writes a new file; one that is there already is an error.
pub fn write_new(path: &Path, text: &str) -> Result<(), Stop> {
    let file = std::fs::OpenOptions::new().write(true).create_new(true).open(path);
    file.and_then(|mut f| f.write_all(text.as_bytes())).map_err(|e| unwritable(path, &e))
}

/// The NTL files of a folder and its subfolders, sorted; hidden folders, `target` and `node_modules` are left alone.
pub fn ntl_files(folder: &Path) -> Result<Vec<PathBuf>, Stop> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).map_err(|e| unreadable(&folder, &e))? {
            let entry = entry.map_err(|e| unreadable(&folder, &e))?;
            let name = entry.file_name();
            let name = name.to_string_lossy();
            let kind = entry.file_type().map_err(|e| unreadable(&entry.path(), &e))?;
            if kind.is_dir() {
                if !name.starts_with('.') && name != "target" && name != "node_modules" {
                    folders.push(entry.path());
                }
            } else if name.ends_with(".ntl") && entry.path().is_file() {
                files.push(entry.path());
            }
        }
    }
    for file in &mut files {
        if let Ok(plain) = file.strip_prefix(".") {
            *file = plain.to_owned();
        }
    }
    files.sort();
    Ok(files)
}

/// The files that a command is about: those given, those within given folders, or, if none is given, those of the
/// project (the folder of the nearest `ntl.toml` upwards, else the working directory).
pub fn asked(given: &[PathBuf]) -> Result<Vec<PathBuf>, Stop> {
    if given.is_empty() {
        let folder = project_folder();
        let files = ntl_files(&folder)?;
        if files.is_empty() {
            return Err(
                Finding::problem("not_found", format!("there is no .ntl file in `{}`", folder.display())).into()
            );
        }
        return Ok(files);
    }
    let mut files = Vec::new();
    for path in given {
        if path.is_dir() { files.extend(ntl_files(path)?) } else { files.push(path.clone()) }
    }
    Ok(files)
}

fn project_folder() -> PathBuf {
    let here = std::env::current_dir().unwrap_or_default();
    let upwards = here.ancestors().enumerate().find(|(_, folder)| folder.join("ntl.toml").is_file());
    match upwards {
        None | Some((0, _)) => PathBuf::from("."),
        Some((up, _)) => std::iter::repeat_n("..", up).collect(),
    }
}
