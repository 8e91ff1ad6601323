//! A program without the compiler runs what the compiler made.
#![expect(clippy::disallowed_methods, reason = "tests make their own files")]

use ntl_tests::ntl::{finish, ntl};
use std::process::Command;

#[test]
fn a_compiled_plan_runs_without_the_compiler_and_the_sources() {
    let folder = tempfile::tempdir().unwrap();
    let source = "use std.text\nworkflow main(names: list[str]) -> (line: str, n: int) {\n  line = text.join(names.map(n => n.upper()), sep: \"+\")\n  n = names.len()\n}\n";
    std::fs::write(folder.path().join("main.ntl"), source).unwrap();
    let compiled = ntl(folder.path(), ["compile", "main.ntl"]);
    assert_eq!(compiled.status, 0, "{}", compiled.stderr);
    std::fs::remove_file(folder.path().join("main.ntl")).unwrap();

    let mut command = Command::new(env!("CARGO_BIN_EXE_ntl-embed"));
    command.args(["main.ntlp", r#"{"names": ["a", "b"]}"#]).current_dir(folder.path());
    let output = finish(command, b"");
    assert_eq!((output.status, output.stdout.as_str()), (0, "line: \"A+B\"\nn: 2\n"), "{}", output.stderr);
}
