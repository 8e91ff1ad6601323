//! Help, `explain`, `nodes` and `new`: what a newcomer asks first.

use crate::{Folder, assert_status};

#[test]
fn every_command_helps_with_an_example() {
    let folder = Folder::new(&[]);
    for command in ["run", "check", "effects", "compile", "fmt", "explain", "nodes", "new"] {
        let output = folder.ntl([command, "--help"]);
        assert_status(&output, 0);
        assert!(
            output.stdout.contains("Example") && output.stdout.contains(&format!("  ntl {command}")),
            "{}",
            output.stdout
        );
    }
    assert!(folder.ntl(["--help"]).stdout.contains("Example"));
    assert_eq!(folder.ntl(["--version"]).stdout, format!("ntl {}\n", env!("CARGO_PKG_VERSION")));
    assert_status(&folder.ntl([] as [&str; 0]), 2);
    assert_status(&folder.ntl(["frobnicate"]), 2);
}

#[test]
fn every_code_is_explained() {
    let folder = Folder::new(&[]);
    let list = folder.ntl(["explain"]);
    assert_status(&list, 0);
    let codes: Vec<&str> = list.stdout.lines().filter_map(|l| l.split_whitespace().next()).collect();
    assert!(codes.len() > 20, "{}", list.stdout);
    for code in codes.iter().take(3).chain(codes.last()) {
        let page = folder.ntl(["explain", code]);
        assert_status(&page, 0);
        assert!(page.stdout.contains(code) && page.stdout.lines().count() > 5, "{}", page.stdout);
    }
    assert!(folder.ntl(["explain", "e301"]).stdout.contains("# E0301"));
    for unknown in ["E9999", "x", "", "é1"] {
        let output = folder.ntl(["explain", unknown]);
        assert_status(&output, 2);
        assert!(output.stderr.contains("lists all codes"), "{}", output.stderr);
    }
    assert!(folder.ntl(["explain", "E0391"]).stderr.contains("did you mean"));
}

#[test]
fn the_library_can_be_read() {
    let folder = Folder::new(&[]);
    let all = folder.ntl(["nodes"]);
    assert_status(&all, 0);
    assert!(all.stdout.contains("std.text") && all.stdout.contains("join("), "{}", all.stdout);
    let one = folder.ntl(["nodes", "text.join"]);
    assert_status(&one, 0);
    assert!(one.stdout.contains("sep: str = \"\"") && one.stdout.contains("use std.text"), "{}", one.stdout);
    let json = folder.ntl(["nodes", "text.join", "--json"]).json().unwrap();
    assert_eq!(json["nodes"][0]["name"], "text.join");
    let near = folder.ntl(["nodes", "text.jion"]);
    assert_status(&near, 2);
    assert!(near.stderr.contains("`text.join`"), "{}", near.stderr);
}

#[test]
fn a_new_project_runs_and_is_in_order() {
    let folder = Folder::new(&[]);
    assert_status(&folder.ntl(["new", "first"]), 0);
    let output = folder.ntl(["run", "first/main.ntl", "name=Ada"]);
    assert_eq!(
        (output.status, output.stdout.as_str()),
        (0, "greeting: Hello, Ada!\nletters: 3\n"),
        "{}",
        output.stderr
    );
    assert_status(&folder.ntl(["check", "first"]), 0);
    assert_status(&folder.ntl(["fmt", "--check", "first"]), 0);

    let before = folder.read("first/main.ntl");
    let again = folder.ntl(["new", "first"]);
    assert_status(&again, 2);
    assert!(again.stderr.contains("there already"), "{}", again.stderr);
    assert_eq!(folder.read("first/main.ntl"), before);
    for name in ["", "..", "a b", "1st"] {
        assert_status(&folder.ntl(["new", name]), 2);
    }
}
