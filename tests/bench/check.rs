//! `ntl check` of large projects: the release binary, from start to end.

use crate::{Row, Table, timed};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The release binary, which `cargo xtask bench` has built.
pub fn ntl() -> PathBuf {
    let exe = std::env::current_exe().unwrap();
    exe.parent().and_then(Path::parent).unwrap().join(format!("ntl{}", std::env::consts::EXE_SUFFIX))
}

pub fn measure(table: &mut Table) {
    if !table.wants("check") {
        return;
    }
    for (name, files) in [("check: 50,000 lines in a file", 1), ("check: 50,000 lines in 200 files", 200)] {
        let folder = tempfile::tempdir().unwrap();
        let project = ntl_tests::generate::project(files, 50_000, 1);
        for (name, text) in &project {
            std::fs::write(folder.path().join(name), text).unwrap();
        }
        let bytes = project.iter().map(|(_, text)| text.len()).sum();
        table.row(Row { name, samples: 10, bytes, than: None }, || {
            let mut command = Command::new(ntl());
            command.args(["check"]).current_dir(folder.path()).stdout(Stdio::null()).stderr(Stdio::null());
            timed(|| assert!(command.status().unwrap().success()))
        });
    }
}
