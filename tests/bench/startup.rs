//! From the start of the process to its end, for the smallest program, next to a Rust program that prints a line.

use crate::{Table, check::ntl, timed};
use std::path::Path;
use std::process::{Command, Stdio};

pub fn measure(table: &mut Table) {
    if !table.wants("startup") {
        return;
    }
    const FLOOR: &str = "startup: a Rust program that prints a line";
    let folder = tempfile::tempdir().unwrap();
    let source = "workflow hello(name: str = \"world\") -> str {\n  \"Hello, {name}!\"\n}\n";
    std::fs::write(folder.path().join("hello.ntl"), source).unwrap();
    let run = |program: &Path, args: &[&str]| {
        let mut command = Command::new(program);
        command.args(args).current_dir(folder.path()).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        timed(|| assert!(command.status().unwrap().success()))
    };
    run(&ntl(), &["compile", "hello.ntl"]);
    table.row(FLOOR, 60, 0, None, || run(Path::new(env!("CARGO_BIN_EXE_ntl-floor")), &[]));
    for args in [&["run", "hello.ntl"][..], &["run", "hello.ntlp"], &["--version"]] {
        table.row(&format!("startup: ntl {}", args.join(" ")), 60, 0, Some(FLOOR), || run(&ntl(), args));
    }
}
