//! `ntl run`: which workflow, what is printed, how it ends.

use crate::{Folder, assert_status, hello};

#[test]
fn several_outputs_are_named() {
    let output = hello().ntl(["run", "main.ntl", "name=Ada"]);
    assert_status(&output, 0);
    assert_eq!((output.stdout.as_str(), output.stderr.as_str()), ("greeting: Hello, Ada!\nletters: 3\n", ""));
}

#[test]
fn the_only_output_stands_alone() {
    let folder = Folder::new(&[("main.ntl", "workflow f(n: int) -> list[int] {\n  for k in 0..n { k * k }\n}\n")]);
    let output = folder.ntl(["run", "main.ntl", "n=4"]);
    assert_eq!((output.status, output.stdout.as_str()), (0, "[0, 1, 4, 9]\n"));
}

#[test]
fn text_of_several_lines_is_indented_under_its_name() {
    let source = "workflow f() -> (a: str, b: str) {\n  a = \"one\\ntwo\"\n  b = \"three\"\n}\n";
    let output = Folder::new(&[("main.ntl", source)]).ntl(["run", "main.ntl"]);
    assert_eq!((output.status, output.stdout.as_str()), (0, "a:\n  one\n  two\nb: three\n"));
}

#[test]
fn what_is_sound_is_printed_though_the_run_failed() {
    let source = "workflow f(zero: int = 0) -> (a: float, b: int) {\n  a = 1 / zero\n  b = 2\n}\n";
    let output = Folder::new(&[("main.ntl", source)]).ntl(["run", "main.ntl"]);
    assert_status(&output, 1);
    assert_eq!(output.stdout, "b: 2\n");
    for words in ["division_by_zero", "main.ntl:2:", "1 / zero", "`f/a`"] {
        assert!(output.stderr.contains(words), "no {words} in\n{}", output.stderr);
    }
}

#[test]
fn a_failure_in_code_that_code_uses_tells_the_way_there() {
    let source = "const LIMIT = [1][3]\nfn half(n: int) -> int = n ~/ 0\n\n\
                  workflow f() -> (a: int, b: list[int], c: int) {\n  \
                  a = half(1)\n  b = [0].map(x => 1 ~/ x)\n  c = LIMIT\n}\n";
    let output = Folder::new(&[("main.ntl", source)]).ntl(["run", "main.ntl"]);
    assert_status(&output, 1);
    for words in ["in `half`, which is used here", "in the small function that is used here", "in `LIMIT`, which is"] {
        assert!(output.stderr.contains(words), "no {words} in\n{}", output.stderr);
    }
}

const TWO: &str = "workflow first() -> int {\n  1\n}\n\nworkflow second() -> int {\n  2\n}\n";

#[test]
fn the_workflow_is_named_or_the_only_one_or_main() {
    let folder = Folder::new(&[
        ("two.ntl", TWO),
        ("three.ntl", &format!("{TWO}\nworkflow main() -> int {{\n  3\n}}\n")),
        ("none.ntl", "const N: int = 1\n"),
        ("a:b.ntl", TWO),
    ]);
    for (target, stdout) in
        [("two.ntl:second", "2\n"), ("three.ntl", "3\n"), ("three.ntl:first", "1\n"), ("a:b.ntl:first", "1\n")]
    {
        let output = folder.ntl(["run", target]);
        assert_eq!((output.status, output.stdout.as_str()), (0, stdout), "{target}: {}", output.stderr);
    }
    for (target, words) in
        [("two.ntl", "`first`, `second`"), ("two.ntl:secnd", "did you mean `second`?"), ("none.ntl", "no workflow")]
    {
        let output = folder.ntl(["run", target]);
        assert_status(&output, 2);
        assert!(output.stderr.contains(words), "{target}: {}", output.stderr);
    }
}

#[test]
fn a_log_line_is_no_result() {
    let source = "workflow f() -> int {\n  print(\"seen\")\n  7\n}\n";
    let output = Folder::new(&[("main.ntl", source)]).ntl(["run", "main.ntl"]);
    assert_eq!((output.status, output.stdout.as_str()), (0, "7\n"));
    assert!(output.stderr.contains("seen"), "{}", output.stderr);
}

#[test]
fn check_stops_before_anything_runs() {
    let source = "use std.fs\n\nworkflow f(path: str) -> str {\n  fs.write(path, \"x\")\n  path\n}\n";
    let folder = Folder::new(&[("main.ntl", source)]);
    let output = folder.ntl(["run", "main.ntl", "path=out.txt", "--allow-fs-write", "--check"]);
    assert_status(&output, 0);
    assert_eq!(output.stdout, "");
    assert_eq!(folder.files(), [std::path::Path::new("main.ntl")]);
    assert_status(&folder.ntl(["run", "main.ntl", "path=out.txt", "--check"]), 2);
    assert_status(&folder.ntl(["run", "main.ntl", "--allow-fs-write", "--check"]), 2);
}

#[test]
fn what_this_version_cannot_run_is_missing() {
    let source = "prompt judge(title: str) -> str {\n  model = model(\"openai/gpt-5.4-mini\")\n  \"Judge {title}\"\n}\n\nworkflow f() -> str {\n  judge(\"x\")\n}\n";
    let folder = Folder::new(&[("main.ntl", source)]);
    assert_status(&folder.ntl(["check", "main.ntl"]), 0);
    let output = folder.ntl(["run", "main.ntl", "--json"]);
    assert_status(&output, 3);
    assert_eq!(output.json().unwrap()["errors"][0]["code"], "unsupported");
}

#[cfg(unix)]
#[test]
fn ctrl_c_cancels() {
    use std::io::Read;
    use std::process::{Command, Stdio};
    // Long enough for any machine, and without a pause: pure code can be stopped, too.
    let source = "\
fn spin(n: int) -> int = (0..n).fold(0, (a, b) => (a + b) % 7)

workflow f() -> int {
  seq {
    print(\"begun\")
    sum(for i in 0..1_000_000 { spin(1_000_000 + i) })
  }
}
";
    let folder = Folder::new(&[("main.ntl", source)]);
    let mut child = Command::new(ntl_tests::ntl::binary())
        .args(["run", "main.ntl", "--json"])
        .current_dir(folder.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = [0; 5];
    child.stderr.as_mut().unwrap().read_exact(&mut line).unwrap();
    assert_eq!(&line, b"begun");
    // Who listens for Ctrl-C starts beside the run, so as not to keep it waiting.
    std::thread::sleep(std::time::Duration::from_millis(500));
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    let document: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(document["status"], "cancelled");
}
