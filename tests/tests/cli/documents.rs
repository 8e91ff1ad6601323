//! JSON documents: one on standard output, of the same form whatever happens.

use crate::{Folder, HELLO, READER, assert_status, hello};
use ntl_tests::ntl::Output;
use serde_json::{Value, json};

fn keys(object: &Value) -> Vec<&str> {
    object.as_object().unwrap().keys().map(String::as_str).collect()
}

#[test]
fn a_run_has_one_form_for_every_outcome() {
    let folder = Folder::new(&[
        ("main.ntl", HELLO),
        ("wrong.ntl", "workflow f() -> int {\n  nn\n}\n"),
        ("fails.ntl", "workflow f() -> int {\n  error(\"no\")\n}\n"),
        ("reads.ntl", READER),
    ]);
    let cases: [(&[&str], i32, &str); 8] = [
        (&["main.ntl"], 0, "completed"),
        (&["main.ntl", "--check"], 0, "ready"),
        (&["fails.ntl"], 1, "failed"),
        (&["wrong.ntl"], 2, "failed"),
        (&["reads.ntl"], 2, "failed"),
        (&["main.ntl", "nam=x"], 2, "failed"),
        (&["nowhere.ntl"], 2, "failed"),
        (&["main.ntl", "--no-such-option"], 2, "failed"),
    ];
    for (args, status, word) in cases {
        let output = folder.ntl(["run", "--json"].iter().chain(args));
        assert_status(&output, status);
        let document = output.json().unwrap();
        assert_eq!(keys(&document), ["status", "run", "outputs", "errors", "warnings", "ms"], "{args:?}");
        assert_eq!(document["status"], word, "{args:?}");
        assert_eq!(document["errors"].as_array().unwrap().is_empty(), status == 0, "{args:?}");
        assert_eq!(document["run"].is_null(), word == "ready" || status == 2, "{args:?}");
        for error in document["errors"].as_array().unwrap() {
            let all = keys(error).into_iter().filter(|key| *key != "label").collect::<Vec<_>>();
            assert_eq!(all, ERROR, "{args:?}");
            assert_eq!((error["step"].is_null(), error["attempt"] == 0), (status == 2, status == 2), "{error}");
        }
    }
}

/// What is said of every error, whenever it happened.
const ERROR: [&str; 16] = [
    "code",
    "severity",
    "message",
    "file",
    "line",
    "column",
    "end_line",
    "end_column",
    "labels",
    "notes",
    "fixes",
    "step",
    "key",
    "attempt",
    "inputs",
    "causes",
];

#[test]
fn the_readme_tells_all_of_an_error() {
    let readme = std::fs::read_to_string(ntl_tests::root().join("README.md")).unwrap();
    let (_, table) = readme.split_once("| of an error |").unwrap();
    let table = table.split("\n\n").next().unwrap();
    let told: Vec<&str> = table.split('`').skip(1).step_by(2).collect();
    for key in ERROR {
        assert!(told.contains(&key), "{key} is told nowhere");
    }
}

#[test]
fn outputs_keep_their_order_and_kinds() {
    let source = "workflow f() -> (z: float, a: int, t: (int, str), d: dict[str, int], n: int?, s: duration, b: size) {\n  z = 2.0\n  a = 2\n  t = (1, \"x\")\n  d = [\"q\": 1, \"b\": 2]\n  n = null\n  s = 90m\n  b = 10752kb\n}\n";
    let output = Folder::new(&[("main.ntl", source)]).ntl(["run", "main.ntl", "--json"]);
    assert_status(&output, 0);
    let text = output.json().unwrap()["outputs"].to_string();
    assert_eq!(text, r#"{"z":2.0,"a":2,"t":[1,"x"],"d":{"q":1,"b":2},"n":null,"s":"90m","b":"10752kb"}"#);
}

#[test]
fn an_error_says_where_and_with_what() {
    let source = "fn share(n: int, of: int) -> float = n / of\n\nworkflow f(xs: list[int] = [1, 0]) -> list[float] {\n  for x in xs { share(10, of: x) }\n}\n";
    let output = Folder::new(&[("main.ntl", source)]).ntl(["run", "main.ntl", "--json"]);
    assert_status(&output, 1);
    let error = &output.json().unwrap()["errors"][0];
    for key in ERROR {
        assert!(error.get(key).is_some(), "no {key} in {error}");
    }
    assert_eq!(error["code"], "division_by_zero");
    assert_eq!((&error["file"], &error["line"], &error["column"]), (&json!("main.ntl"), &json!(1), &json!(38)));
    assert_eq!((&error["end_line"], &error["end_column"]), (&json!(1), &json!(44)));
    assert_eq!((&error["key"], &error["attempt"]), (&json!([1]), &json!(1)));
}

#[test]
fn a_diagnostic_says_where_and_what_to_do() {
    // A letter of two bytes before the place: columns count characters.
    let source = "workflow f(total: int) -> str {\n  \"é{totl}\"\n}\n";
    let folder = Folder::new(&[("main.ntl", source)]);
    let output = folder.ntl(["check", "main.ntl", "--json"]);
    assert_status(&output, 2);
    let document = output.json().unwrap();
    assert_eq!(keys(&document), ["diagnostics"]);
    let d = &document["diagnostics"][0];
    let place: Vec<&Value> = ["file", "line", "column", "end_line", "end_column"].map(|k| &d[k]).into();
    assert_eq!(place, [&json!("main.ntl"), &json!(2), &json!(6), &json!(2), &json!(10)]);
    assert_eq!(d["severity"], "error");
    assert_eq!(d["fixes"][0]["edits"][0]["text"], "total");
}

#[test]
fn check_tells_of_every_file_in_use_once() {
    let folder = Folder::new(&[
        ("main.ntl", "use \"./lib/help\"\n\nworkflow f() -> int {\n  help.two()\n}\n"),
        ("other.ntl", "use \"./lib/help\"\n\nworkflow g() -> int {\n  help.two()\n}\n"),
        ("lib/help.ntl", "fn two() -> int = \"2\"\n"),
    ]);
    for args in [&["main.ntl"][..], &["main.ntl", "other.ntl"], &["other.ntl", "main.ntl", "lib/help.ntl"], &[], &["."]]
    {
        let output = folder.ntl(["check", "--json"].iter().chain(args));
        assert_status(&output, 2);
        let document = output.json().unwrap();
        let files: Vec<&Value> = document["diagnostics"].as_array().unwrap().iter().map(|d| &d["file"]).collect();
        assert_eq!(files, ["lib/help.ntl"], "{args:?}");
    }
}

#[test]
fn warnings_alone_are_no_failure() {
    let source = "workflow f(n: int) -> (a: int) {\n  a = n\n  unused = n + 1\n}\n";
    let folder = Folder::new(&[("main.ntl", source)]);
    let output = folder.ntl(["check", "main.ntl", "--json"]);
    assert_status(&output, 0);
    assert_eq!(output.json().unwrap()["diagnostics"][0]["severity"], "warning");
    let output = folder.ntl(["run", "main.ntl", "n=1", "--json"]);
    assert_status(&output, 0);
    assert_eq!(output.json().unwrap()["warnings"].as_array().unwrap().len(), 1);
}

#[test]
fn people_see_the_source() {
    let source = "workflow f(total: int) -> (a: str, b: int) {\n  a = \"é{totl}\"\n  b = true\n}\n";
    let shown = |output: Output| {
        assert_status(&output, 2);
        output.stdout + "--- stderr\n" + &output.stderr
    };
    let folder = Folder::new(&[("main.ntl", source)]);
    insta::assert_snapshot!("check", shown(folder.ntl(["check", "main.ntl"])));
    insta::assert_snapshot!("no_such_file", shown(folder.ntl(["check", "mian.ntl"])));
    insta::assert_snapshot!("no_such_input", shown(hello().ntl(["run", "main.ntl", "nmae=x"])));
}

#[test]
fn colours_are_for_terminals() {
    let folder = Folder::new(&[("main.ntl", "workflow f() -> int {\n  x\n}\n")]);
    let mut command = std::process::Command::new(ntl_tests::ntl::binary());
    command.args(["check", "main.ntl"]).current_dir(folder.path()).env_remove("NO_COLOR");
    let output = ntl_tests::ntl::finish(command, b"");
    assert!(!output.stdout.contains('\x1b') && !output.stderr.contains('\x1b'));
}
