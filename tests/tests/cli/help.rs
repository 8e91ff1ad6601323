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
    assert!(codes.len() > 20 && codes.contains(&"E0301") && codes.contains(&"parse"), "{}", list.stdout);
    for code in codes.iter().take(3).chain(codes.last()) {
        let page = folder.ntl(["explain", code]);
        assert_status(&page, 0);
        assert!(page.stdout.contains(code) && page.stdout.lines().count() > 2, "{}", page.stdout);
    }
    assert!(folder.ntl(["explain", "e301"]).stdout.contains("# E0301"));
    for unknown in ["E9999", "x", "", "é1"] {
        let output = folder.ntl(["explain", unknown]);
        assert_status(&output, 2);
        assert!(output.stderr.contains("lists all codes"), "{}", output.stderr);
    }
    for (near, meant) in [("E0391", "`E0391`"), ("devision_by_zero", "`division_by_zero`")] {
        let stderr = folder.ntl(["explain", near]).stderr;
        assert!(stderr.contains("did you mean") && stderr.contains(&format!("no code `{near}`")), "{stderr}");
        assert!(near.starts_with('E') || stderr.contains(meant), "{stderr}");
    }
    assert!(folder.ntl(["explain", "http_503"]).stdout.contains("# http_404"));
}

/// The `ntl` blocks of a page.
fn programs(page: &str) -> Vec<String> {
    page.split("```ntl\n").skip(1).filter_map(|rest| Some(rest.split_once("```")?.0.to_owned())).collect()
}

#[test]
fn what_is_explained_of_failures_is_so() {
    let folder = Folder::new(&[]);
    for (code, page) in ntl_stdlib::failures() {
        let explained = folder.ntl(["explain", code]);
        assert_status(&explained, 0);
        assert_eq!(explained.stdout.trim_end(), page);
        let (fails, instead) = page.split_once("\nInstead").unwrap_or((page, ""));
        assert_eq!(programs(fails).is_empty(), instead.is_empty(), "{code}");
        for (programs, fails) in [(programs(fails), true), (programs(instead), false)] {
            for program in programs {
                let folder = Folder::new(&[("main.ntl", &program)]);
                let grants = ["--allow-fs-read", "--allow-fs-write"].iter().filter(|_| code != "permission");
                let output = folder.ntl(["run", "main.ntl", "--json"].iter().chain(grants));
                let run = output.json().unwrap();
                assert_eq!(run["errors"][0]["code"].as_str(), fails.then_some(code), "{program}\n{run:#}");
                assert_eq!(run["warnings"], serde_json::json!([]), "{program}");
            }
        }
    }
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
    for (query, meant) in [("text.jion", Some("`text.join`")), ("uniqe", Some("`list.unique`")), ("zzz", None)] {
        let near = folder.ntl(["nodes", query]);
        assert_status(&near, 2);
        assert!(near.stderr.contains("lists everything"), "{}", near.stderr);
        assert!(meant.is_none_or(|m| near.stderr.contains(m)), "{}", near.stderr);
    }
}

#[test]
fn the_library_is_searched_by_what_people_call_things() {
    let folder = Folder::new(&[]);
    let first = |query: &[&str]| {
        let found = folder.ntl([&["nodes", "--json"], query].concat()).json().unwrap();
        found["nodes"][0]["name"].as_str().map(str::to_owned)
    };
    for (query, name) in [
        (&["core.int"][..], "int"),
        (&["std.core.int"], "int"),
        (&["std.text.join"], "text.join"),
        (&["read file"], "fs.read"),
        (&["file", "read"], "fs.read"),
        (&["files", "write"], "fs.write"),
        (&["uppercase"], "text.upper"),
        (&["UPPER"], "text.upper"),
        (&["regular expression"], "regex.Match"),
        (&["length"], "len"),
        (&["group"], "list.group_by"),
        (&["sortBy"], "list.sort"),
    ] {
        assert_eq!(first(query).as_deref(), Some(name), "{query:?}");
    }
    let int = folder.ntl(["nodes", "core.int"]);
    assert!(int.stdout.starts_with("int\n") && int.stdout.contains("always there"), "{}", int.stdout);
    // The list has the first sentence of each description, whole.
    let list = folder.ntl(["nodes", "dict"]).stdout;
    for line in list.lines().filter(|l| l.starts_with("      ")) {
        assert!(line.ends_with('.') || line.ends_with('`'), "{line}");
    }
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
