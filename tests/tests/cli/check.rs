//! `ntl check`: what it looks at, and what `--fix` makes of it.

use crate::{Folder, HELLO, assert_status, hello};
use ntl_tests::ntl::{Output, ntl_given};
use serde_json::Value;

const TYPO: &str = "workflow f(total: int) -> str {\n  \"é{totl}\"\n}\n";
const MENDED: &str = "workflow f(total: int) -> str {\n  \"é{total}\"\n}\n";

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
        ("typo.ntl", TYPO),
        // Two that touch nothing of each other, in lines that end in CR LF; and one without a repair.
        (
            "two.ntl",
            "workflow f(total: int) -> (a: int, b: int, c: int) {\r\n  a = totl\r\n  b = toal\r\n  c = \"x\"\r\n}\r\n",
        ),
        ("main.ntl", HELLO),
    ]);
    let output = folder.ntl(["check", "--fix"]);
    assert_status(&output, 2);
    assert_eq!(folder.read("typo.ntl"), MENDED);
    assert_eq!(
        folder.read("two.ntl"),
        "workflow f(total: int) -> (a: int, b: int, c: int) {\r\n  a = total\r\n  b = total\r\n  c = \"x\"\r\n}\r\n"
    );
    assert_eq!(folder.read("main.ntl"), HELLO);
    assert!(output.stderr.contains("fixed two.ntl:2:7: use `total` (E0201)\n"), "{}", output.stderr);
    assert!(output.stderr.ends_with("3 fixes in 2 files\n1 error, 0 warnings in 3 files\n"), "{}", output.stderr);
    assert!(output.stdout.contains("E0301") && !output.stdout.contains("E0201"), "{}", output.stdout);

    let again = folder.ntl(["check", "--fix", "typo.ntl"]);
    assert_status(&again, 0);
    assert_eq!(again.stderr, "0 fixes in 0 files\n0 errors, 0 warnings in 1 file\n");
    let left: Vec<_> = folder.files().into_iter().filter(|f| f.extension().is_none_or(|e| e != "ntl")).collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn fix_tells_a_program_what_it_did() {
    let folder = Folder::new(&[("typo.ntl", TYPO)]);
    let output = folder.ntl(["check", "--fix", "--json"]);
    assert_status(&output, 0);
    let document = output.json().unwrap();
    assert_eq!(document["diagnostics"].as_array().map(Vec::len), Some(0));
    let fixed = &document["fixed"];
    assert_eq!(fixed.as_array().map(Vec::len), Some(1));
    assert_eq!(
        (&fixed[0]["file"], &fixed[0]["line"], &fixed[0]["code"]),
        (&"typo.ntl".into(), &2.into(), &"E0201".into())
    );
}

#[test]
fn fix_reaches_the_files_in_use_and_never_the_library() {
    let folder = Folder::new(&[
        ("main.ntl", "use \"./lib\".(two)\n\nworkflow f() -> int {\n  two(1)\n}\n"),
        ("lib.ntl", "fn two(count: int) -> int = cout * 2\n"),
        ("std/text.ntl", HELLO),
    ]);
    assert_status(&folder.ntl(["check", "main.ntl", "--fix"]), 0);
    assert_eq!(folder.read("lib.ntl"), "fn two(count: int) -> int = count * 2\n");
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
    assert!(made > 20, "{made}");
}
