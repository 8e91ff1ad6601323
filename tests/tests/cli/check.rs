//! `ntl check`: what it looks at, and what `--fix` makes of it.

use crate::{Folder, HELLO, assert_status, hello};
use ntl_tests::ntl::{Output, ntl_given};
use serde_json::Value;

const TYPO: &str = "workflow f(total: int) -> str {\n  \"é{totl}\"\n}\n";
/// What a tool may mend: it cannot be meant otherwise.
const SLIP: &str = "workflow f(xs: list[int]) -> str {\n  \"é{xs.len}\"\n}\n";
const MENDED: &str = "workflow f(xs: list[int]) -> str {\n  \"é{xs.len()}\"\n}\n";

fn diagnostics(output: &Output) -> Vec<Value> {
    output.json().unwrap()["diagnostics"].as_array().unwrap().clone()
}

#[test]
fn what_cannot_be_read_does_not_keep_the_rest_from_being_checked() {
    let folder = Folder::new(&[("typo.ntl", TYPO), ("sub/main.ntl", HELLO)]);
    folder.write("bytes.ntl", b"\xff");
    let output = folder.ntl(["check", "nowhere.ntl", "bytes.ntl", "typo.ntl", "sub", "--json"]);
    assert_status(&output, 2);
    let codes: Vec<Value> = diagnostics(&output).iter().map(|d| d["code"].clone()).collect();
    assert_eq!(codes, ["not_found", "invalid", "E0201"]);
    let output = folder.ntl(["check", "nowhere.ntl", "typo.ntl"]);
    assert!(output.stdout.contains("`totl`") && output.stdout.contains("nowhere.ntl"), "{}", output.stdout);
    assert_eq!(output.stderr, "2 errors, 0 warnings in 1 file\n");
}

#[test]
fn standard_input_is_a_file_of_the_working_directory() {
    let folder = Folder::new(&[("lib.ntl", "fn two() -> int = 2\n"), ("-", TYPO)]);
    let check = |input: &str| ntl_given(folder.path(), ["check", "-", "--json"], input.as_bytes());
    let output = check("use \"./lib\".(two)\n\nworkflow f() -> int {\n  two()\n}\n");
    assert_status(&output, 0);
    assert!(diagnostics(&output).is_empty());
    let output = check(TYPO);
    assert_status(&output, 2);
    assert_eq!((&diagnostics(&output)[0]["file"], &diagnostics(&output)[0]["line"]), (&"-".into(), &2.into()));
    assert_status(&ntl_given(folder.path(), ["check", "-"], b"\xff"), 2);
    assert_status(&ntl_given(folder.path(), ["check", "-"], b""), 0);
}

#[test]
fn fix_mends_what_can_be_mended() {
    let folder = Folder::new(&[
        ("slip.ntl", SLIP),
        // Two that touch nothing of each other, in lines that end in CR LF; and one that may be meant in several ways.
        (
            "two.ntl",
            "workflow f(xs: list[int]) -> (a: int, b: int, c: int) {\r\n  a = xs.len\r\n  b = xs.len\r\n  c = a + bb\r\n}\r\n",
        ),
        ("main.ntl", HELLO),
    ]);
    let output = folder.ntl(["check", "--fix"]);
    assert_status(&output, 2);
    assert_eq!(folder.read("slip.ntl"), MENDED);
    assert_eq!(
        folder.read("two.ntl"),
        "workflow f(xs: list[int]) -> (a: int, b: int, c: int) {\r\n  a = xs.len()\r\n  b = xs.len()\r\n  c = a + bb\r\n}\r\n"
    );
    assert_eq!(folder.read("main.ntl"), HELLO);
    assert!(output.stderr.contains("fixed two.ntl:2:10: write `.len()` (E0212)\n"), "{}", output.stderr);
    assert!(output.stderr.ends_with("3 fixes in 2 files\n1 error, 0 warnings in 3 files\n"), "{}", output.stderr);
    assert!(output.stdout.contains("E0201") && !output.stdout.contains("E0212"), "{}", output.stdout);

    let again = folder.ntl(["check", "--fix", "slip.ntl"]);
    assert_status(&again, 0);
    assert_eq!(again.stderr, "0 fixes in 0 files\n0 errors, 0 warnings in 1 file\n");
    let left: Vec<_> = folder.files().into_iter().filter(|f| f.extension().is_none_or(|e| e != "ntl")).collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn fix_tells_a_program_what_it_did() {
    let folder = Folder::new(&[("slip.ntl", SLIP)]);
    let output = folder.ntl(["check", "--fix", "--json"]);
    assert_status(&output, 0);
    let document = output.json().unwrap();
    assert_eq!(document["diagnostics"].as_array().map(Vec::len), Some(0));
    let fixed = &document["fixed"];
    assert_eq!(fixed.as_array().map(Vec::len), Some(1));
    assert_eq!(
        (&fixed[0]["file"], &fixed[0]["line"], &fixed[0]["code"]),
        (&"slip.ntl".into(), &2.into(), &"E0212".into())
    );
}

#[test]
fn fix_reaches_the_files_in_use_and_never_the_library() {
    let folder = Folder::new(&[
        ("main.ntl", "use \"./lib\".(two)\n\nworkflow f() -> int {\n  two([1])\n}\n"),
        ("lib.ntl", "fn two(xs: list[int]) -> int = xs.len * 2\n"),
        ("std/text.ntl", HELLO),
    ]);
    assert_status(&folder.ntl(["check", "main.ntl", "--fix"]), 0);
    assert_eq!(folder.read("lib.ntl"), "fn two(xs: list[int]) -> int = xs.len() * 2\n");
    assert_eq!(folder.read("std/text.ntl"), HELLO);
}

#[test]
fn fix_of_what_is_no_file_is_refused() {
    let output = ntl_given(hello().path(), ["check", "--fix", "-"], TYPO.as_bytes());
    assert_status(&output, 2);
    assert!(output.stderr.contains("standard input"), "{}", output.stderr);
}

/// Every program with mistakes that there is: mended, it has no more mistakes of form than before, and the second time
/// nothing is left to mend.
#[test]
fn fix_comes_to_an_end_and_breaks_nothing() {
    let sources = ntl_tests::entries(&ntl_tests::root().join("tests/checks"));
    let sources = sources.iter().filter(|f| f.extension().is_some_and(|e| e == "ntl"));
    let mut made = 0;
    let is_form = |d: &&Value| d["code"].as_str().is_some_and(|c| c.starts_with("E00") || c.starts_with("E01"));
    for source in sources {
        let folder = Folder::new(&[("main.ntl", &std::fs::read_to_string(source).unwrap())]);
        let before = diagnostics(&folder.ntl(["check", "main.ntl", "--json"]));
        let output = folder.ntl(["check", "main.ntl", "--fix", "--json"]);
        let after = diagnostics(&output);
        assert!(after.iter().filter(is_form).count() <= before.iter().filter(is_form).count(), "{source:?}");
        made += output.json().unwrap()["fixed"].as_array().unwrap().len();
        let text = folder.read("main.ntl");
        let again = folder.ntl(["check", "main.ntl", "--fix", "--json"]);
        assert_eq!(again.json().unwrap()["fixed"], serde_json::json!([]), "{source:?}\n{text}");
        assert_eq!(folder.read("main.ntl"), text);
    }
    // Those that may be meant otherwise are left to people.
    assert!(made > 10, "{made}");
}

const VARYING: &str = "\
use \"./lib\".(two)

const NAMES: list[str] = [\"a\", \"b\"]

workflow f(groups: list[list[str]] = [NAMES], n: int = two()) -> (all: list[list[str]]) {
  group = each(groups)
  item  = each(group)
  line  = \"{item}: {n}\"
  all   = collect(collect(line))
  _long = for x, i in NAMES if i > 0 { (x, i) }
}
";

#[test]
fn scopes_show_what_each_name_stands_for() {
    let lib = "fn two() -> int {\n  x = 1\n  x + 1\n}\n";
    let folder = Folder::new(&[("main.ntl", VARYING), ("lib.ntl", lib)]);
    let output = folder.ntl(["check", "--scopes", "main.ntl"]);
    assert_status(&output, 0);
    let wanted = "\
main.ntl
  3:7    NAMES: list[str]
  5:12   groups: list[list[str]]
  5:47   n: int
  6:3    group: list[str] per group
  7:3    item: str per group, item
  8:3    line: str per group, item
  9:3    all: list[list[str]]
  10:3   _long: list[(str, int)]
  10:15  x: str
  10:18  i: int
";
    assert_eq!(output.stdout, wanted);
    let document = folder.ntl(["check", "--scopes", "main.ntl", "--json"]).json().unwrap();
    let line = &document["bindings"][5];
    assert_eq!(
        (&line["name"], &line["type"], &line["shown"]),
        (&"line".into(), &"str".into(), &"str per group, item".into())
    );
    assert_eq!(line["scope"], serde_json::json!(["group", "item"]));
    // Of both files, and what a program with errors lets one know.
    let all = folder.ntl(["check", "--scopes"]);
    assert!(all.stdout.starts_with("lib.ntl\n  2:3    x: 1\n\nmain.ntl\n"), "{}", all.stdout);
    folder.write("wrong.ntl", b"workflow f() -> int {\n  a = 1\n  b = nn\n  a + b\n}\n");
    let wrong = folder.ntl(["check", "--scopes", "wrong.ntl"]);
    assert_status(&wrong, 2);
    assert_eq!(wrong.stdout, "wrong.ntl\n  2:3  a: 1\n  3:3  b: ?\n");
    assert!(wrong.stderr.contains("`nn`"), "{}", wrong.stderr);
    assert_status(&folder.ntl(["check", "--scopes", "main.ntl", "--format", "short"]), 2);
}

/// In every program that there is, the text at the place of a binding is its name.
#[test]
fn scopes_name_what_stands_there() {
    let programs = ntl_tests::root().join("tests/programs");
    let output = ntl_tests::ntl::ntl(&programs, ["check", "--scopes", "--json", "."]);
    let document = output.json().unwrap();
    let bindings = document["bindings"].as_array().unwrap();
    assert!(bindings.len() > 500, "{}", bindings.len());
    let mut texts = std::collections::BTreeMap::new();
    for binding in bindings {
        let file = binding["file"].as_str().unwrap();
        let text = texts.entry(file).or_insert_with(|| std::fs::read_to_string(programs.join(file)).unwrap());
        let number = |key: &str| binding[key].as_u64().unwrap() as usize;
        let line: Vec<char> = text.lines().nth(number("line") - 1).unwrap().chars().collect();
        let written: String = line[number("column") - 1..number("end_column") - 1].iter().collect();
        assert_eq!(written.trim_matches('`'), binding["name"], "{binding}");
    }
}
