//! Inputs: from the command line, a document, files.

use crate::{Folder, HELLO, assert_status, first_error, hello};
use ntl_tests::ntl::ntl_given;
use serde_json::json;

const TYPED: &str = r#"workflow f(n: int, x: float = 0.5, text: str = "", xs: list[int] = [], wait: duration = 1s) -> (
  n2: int,
  x2: float,
  text2: str,
  xs2: list[int],
  wait2: duration,
) {
  n2    = n
  x2    = x
  text2 = text
  xs2   = xs
  wait2 = wait
}
"#;

#[test]
fn each_type_is_read_in_its_own_way() {
    let folder = Folder::new(&[("main.ntl", TYPED)]);
    let output =
        folder.ntl(["run", "main.ntl", "--json", "n=-3", "x=2", "text=[1, \"two\"] {x}", "xs=[1, 2]", "wait=90m"]);
    assert_status(&output, 0);
    let outputs = &output.json().unwrap()["outputs"];
    assert_eq!(*outputs, json!({ "n2": -3, "x2": 2.0, "text2": "[1, \"two\"] {x}", "xs2": [1, 2], "wait2": "90m" }));
}

#[test]
fn a_value_of_the_wrong_type_is_refused_by_name() {
    let folder = Folder::new(&[("main.ntl", TYPED)]);
    for (arg, words) in [
        ("n=two", "`n`"),
        ("n=2.5", "`n`"),
        ("n=9223372036854775808", "`n`"),
        ("xs=[1, \"a\"]", "`xs`"),
        ("wait=soon", "`wait`"),
    ] {
        let args = if arg.starts_with("n=") { vec![arg] } else { vec!["n=1", arg] };
        let output = folder.ntl(["run", "main.ntl", "--json"].into_iter().chain(args));
        assert_status(&output, 2);
        assert!(first_error(&output).contains(words), "{arg}: {}", first_error(&output));
    }
}

#[test]
fn an_input_that_cannot_be_read_is_shown_in_its_form() {
    let source = "type P(x: int)

workflow f(
  n: int = 0,
  wait: duration? = null,
  room: size = 1kb,
  at: datetime? = null,
  flag: bool = false,
  xs: list[str] = [],
  ns: list[int]? = null,
  p: P = P(x: 1),
  d: dict[str, int] = [:],
  j: json = 1,
) -> int {
  n
}
";
    let folder = Folder::new(&[("main.ntl", source)]);
    for (arg, words) in [
        ("n=1.5", "found \"1.5\"; an int has no digits behind its point"),
        ("n=9223372036854775808", "64 bits"),
        ("wait=90", "`wait=90s`"),
        ("wait=soon", "`wait=1h30m`"),
        ("room=10", "`room=10mb`"),
        ("at=2026-11-30", "`at=2026-11-30T00:00:00Z`"),
        ("at=tomorrow", "`at=2026-11-30T09:30:00Z`"),
        ("flag=yes", "`true` or `false`"),
        ("xs=a,b", r#"'xs=["a", "b"]'"#),
        ("ns=1, 2", "'ns=[1, 2]'"),
        ("ns=[1, 2.5]", "at `[1]`"),
        ("p=1;2", r#"'p={"x": …}'"#),
        ("d=a:1", r#"'d={"key": …}'"#),
        ("j=some text", r#"'j="some text"'"#),
    ] {
        let output = folder.ntl(["run", "main.ntl", "--json", arg]);
        assert_status(&output, 2);
        let message = first_error(&output);
        assert!(message.contains(words), "{arg}: {message}");
        assert!(!message.contains("str \""), "{arg}: {message}");
    }
}

#[test]
fn the_command_line_wins_over_the_document() {
    let folder = Folder::new(&[("main.ntl", TYPED), ("in.json", r#"{"n": 1, "x": 4, "text": "doc"}"#)]);
    let output = folder.ntl(["run", "main.ntl", "--json", "--inputs", "in.json", "n=2"]);
    assert_status(&output, 0);
    let outputs = &output.json().unwrap()["outputs"];
    assert_eq!((&outputs["n2"], &outputs["x2"], &outputs["text2"]), (&json!(2), &json!(4.0), &json!("doc")));
}

#[test]
fn a_document_comes_from_standard_input() {
    let folder = hello();
    let output = ntl_given(folder.path(), ["run", "main.ntl", "--inputs", "-"], br#"{"name": "Bo"}"#);
    assert_eq!((output.status, output.stdout.as_str()), (0, "greeting: Hello, Bo!\nletters: 2\n"));
}

#[test]
fn an_input_comes_from_a_file() {
    let folder = Folder::new(&[("main.ntl", HELLO), ("name.txt", "Zoë")]);
    for (arg, name) in [("name=@name.txt", "Zoë"), ("name=@@name.txt", "@name.txt"), ("name=a=b", "a=b"), ("name=", "")]
    {
        let output = folder.ntl(["run", "main.ntl", "--json", arg]);
        assert_status(&output, 0);
        assert_eq!(output.json().unwrap()["outputs"]["greeting"], format!("Hello, {name}!"));
    }
    let output = folder.ntl(["run", "main.ntl", "--json", "name=@nowhere.txt"]);
    assert_status(&output, 2);
    assert!(first_error(&output).contains("nowhere.txt"));
}

#[test]
fn what_is_no_input_is_refused() {
    let folder = Folder::new(&[("main.ntl", HELLO), ("list.json", "[1]"), ("broken.json", "{"), ("raw.json", "")]);
    folder.write("bytes.json", b"{\"name\": \"\xff\"}");
    let cases: [(&[&str], &str); 8] = [
        (&["nmae=x"], "nmae"),
        (&["name"], "`name` is no input"),
        (&["name=a", "name=b"], "twice"),
        (&["--inputs", "list.json"], "no JSON object"),
        (&["--inputs", "broken.json"], "not JSON"),
        (&["--inputs", "raw.json"], "not JSON"),
        (&["--inputs", "bytes.json"], "UTF-8"),
        (&["--inputs", "nowhere.json"], "nowhere.json"),
    ];
    for (args, words) in cases {
        let output = folder.ntl(["run", "main.ntl", "--json"].iter().chain(args));
        assert_status(&output, 2);
        assert!(first_error(&output).contains(words), "{args:?}: {}", first_error(&output));
    }
}
