//! The command line as a user meets it: exit statuses, documents, inputs, permissions, and what is thrown at it.
#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::panic,
    reason = "tests make their own files, and may fail"
)]

mod cli {
    mod check;
    mod compile;
    mod documents;
    mod effects;
    mod fmt;
    mod formats;
    mod generated;
    mod help;
    mod hostile;
    mod inputs;
    mod net;
    mod permissions;
    mod run;
    #[cfg(unix)]
    mod sys;
}

use ntl_tests::ntl::{Output, ntl};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A folder of its own with files.
struct Folder(TempDir);

impl Folder {
    fn new(files: &[(&str, &str)]) -> Self {
        let folder = Folder(tempfile::tempdir().unwrap());
        for (name, text) in files {
            folder.write(name, text.as_bytes());
        }
        folder
    }

    fn write(&self, name: &str, bytes: &[u8]) {
        let path = self.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path().join(name)).unwrap()
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn ntl<S: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = S>) -> Output {
        ntl(self.path(), args)
    }

    fn files(&self) -> Vec<PathBuf> {
        ntl_tests::entries(self.path()).iter().map(|p| p.strip_prefix(self.path()).unwrap().to_owned()).collect()
    }
}

/// A workflow without effects.
const HELLO: &str = r#"/// Greets somebody by name.
workflow hello(
  /// Who is greeted.
  name: str = "world",
) -> (greeting: str, letters: int) {
  greeting = "Hello, {name}!"
  letters  = name.len()
}
"#;

/// A workflow that reads a file.
const READER: &str = r#"use std.fs

workflow reader(path: str = "data.txt") -> str {
  fs.read(path).trim()
}
"#;

fn hello() -> Folder {
    Folder::new(&[("main.ntl", HELLO)])
}

/// The words of the first error of a document.
fn first_error(output: &Output) -> String {
    output.json().unwrap()["errors"][0]["message"].as_str().unwrap_or_default().to_owned()
}

/// Its code.
fn first_code(output: &Output) -> String {
    output.json().unwrap()["errors"][0]["code"].as_str().unwrap_or_default().to_owned()
}

#[track_caller]
fn assert_status(output: &Output, status: i32) {
    assert_eq!(output.status, status, "\nstdout: {}\nstderr: {}", output.stdout, output.stderr);
}
