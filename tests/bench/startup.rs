//! From the start of the process to its end, for the smallest program, next to a Rust program that prints a line.

use crate::{Row, Table, check::ntl, timed};
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
    let row = |name, than| Row { name, samples: 60, bytes: 0, than };
    table.row(row(FLOOR, None), || run(Path::new(env!("CARGO_BIN_EXE_ntl-floor")), &[]));
    for (name, args) in [
        ("startup: ntl run hello.ntl", &["run", "hello.ntl"][..]),
        ("startup: ntl run hello.ntlp", &["run", "hello.ntlp"]),
        ("startup: ntl --version", &["--version"]),
    ] {
        table.row(row(name, Some(FLOOR)), || run(&ntl(), args));
    }
}
