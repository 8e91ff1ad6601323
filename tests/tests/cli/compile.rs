//! `ntl compile`, and plans that are run.

use crate::{Folder, HELLO, assert_status, hello};

#[test]
fn a_plan_runs_without_its_source() {
    let folder = hello();
    assert_status(&folder.ntl(["compile", "main.ntl"]), 0);
    std::fs::remove_file(folder.path().join("main.ntl")).unwrap();
    let output = folder.ntl(["run", "main.ntlp", "name=Ada"]);
    assert_eq!((output.status, output.stdout.as_str()), (0, "greeting: Hello, Ada!\nletters: 3\n"));
    assert_status(&folder.ntl(["run", "main.ntlp:hello"]), 0);
    assert_status(&folder.ntl(["run", "main.ntlp:other"]), 2);
}

#[test]
fn a_failure_in_a_plan_names_the_line() {
    let source = "workflow f(zero: int = 0) -> float {\n  1 / zero\n}\n";
    let folder = Folder::new(&[("main.ntl", source)]);
    assert_status(&folder.ntl(["compile", "main.ntl", "-o", "p.ntlp"]), 0);
    let output = folder.ntl(["run", "p.ntlp"]);
    assert_status(&output, 1);
    assert!(output.stderr.contains("main.ntl:2:3"), "{}", output.stderr);
}

#[test]
fn the_plan_goes_where_it_is_told() {
    let folder = Folder::new(&[("sub/main.ntl", HELLO), ("out.ntlp", "old")]);
    assert_status(&folder.ntl(["compile", "sub/main.ntl"]), 0);
    assert!(folder.path().join("sub/main.ntlp").is_file());
    assert_status(&folder.ntl(["compile", "sub/main.ntl:hello", "-o", "out.ntlp"]), 0);
    assert_eq!(
        std::fs::read(folder.path().join("out.ntlp")).unwrap(),
        std::fs::read(folder.path().join("sub/main.ntlp")).unwrap()
    );
    assert_status(&folder.ntl(["compile", "sub/main.ntl", "-o", "nowhere/out.ntlp"]), 2);
    assert_status(&folder.ntl(["compile", "sub/main.ntl", "-o", "sub"]), 2);
}

#[test]
fn a_plan_can_be_read_as_json() {
    let output = hello().ntl(["compile", "main.ntl", "--emit", "json"]);
    assert_status(&output, 0);
    let plan = output.json().unwrap();
    assert_eq!(plan["workflow"], "hello");
    assert_eq!(plan["inputs"][0]["name"], "name");
}

#[test]
fn a_program_with_errors_gives_no_plan() {
    let folder = Folder::new(&[("main.ntl", "workflow f() -> int {\n  nn\n}\n")]);
    let output = folder.ntl(["compile", "main.ntl"]);
    assert_status(&output, 2);
    assert!(output.stderr.contains("`nn`"), "{}", output.stderr);
    assert!(!folder.path().join("main.ntlp").exists());
}
