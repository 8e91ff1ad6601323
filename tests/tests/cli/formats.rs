//! `ntl check --format`: the same findings in every form.

use crate::{Folder, HELLO, assert_status};
use boon::{Compiler, SchemaIndex, Schemas};
use ntl_tests::{entries, root};
use serde_json::{Value, json};
use std::sync::OnceLock;

const FORMATS: [&str; 5] = ["terminal", "json", "sarif", "github", "short"];

const WRONG: &str = "workflow f(total: int) -> str {\n  \"é{totl}\"\n}\n";

/// Holds a document against the schema of the standard, and gives its one run.
#[track_caller]
fn valid_run(text: &str) -> Value {
    static SCHEMA: OnceLock<(Schemas, SchemaIndex)> = OnceLock::new();
    let (schemas, index) = SCHEMA.get_or_init(|| {
        let text = std::fs::read_to_string(root().join("tests/schemas/sarif-2.1.0.json")).unwrap();
        let (mut schemas, mut compiler) = (Schemas::new(), Compiler::new());
        compiler.enable_format_assertions();
        compiler.add_resource("sarif.json", serde_json::from_str(&text).unwrap()).unwrap();
        let index = compiler.compile("sarif.json", &mut schemas).unwrap();
        (schemas, index)
    });
    let document: Value = serde_json::from_str(text).unwrap();
    if let Err(error) = schemas.validate(&document, *index) {
        panic!("{error:#}\n{text}");
    }
    document["runs"][0].clone()
}

#[test]
fn sarif_is_valid_for_every_check() {
    let folder = root().join("tests/checks");
    let files: Vec<_> = entries(&folder).into_iter().filter(|f| f.extension().is_some_and(|e| e == "ntl")).collect();
    assert!(files.len() > 20);
    let (mut results, mut labels, mut fixes) = (0, 0, 0);
    for file in &files {
        let name = file.file_name().unwrap();
        let sarif = ntl_tests::ntl::ntl(&folder, ["check".as_ref(), "--format=sarif".as_ref(), name]);
        let json = ntl_tests::ntl::ntl(&folder, ["check".as_ref(), "--json".as_ref(), name]);
        let run = valid_run(&sarif.stdout);
        assert_eq!(sarif.status, json.status);
        let found = run["results"].as_array().unwrap();
        let document = json.json().unwrap();
        let told = document["diagnostics"].as_array().unwrap();
        assert_eq!(found.len(), told.len(), "{name:?}");
        for (result, d) in found.iter().zip(told) {
            assert_eq!(result["ruleId"], d["code"]);
            let rule = &run["tool"]["driver"]["rules"][result["ruleIndex"].as_u64().unwrap() as usize];
            assert_eq!(rule["id"], d["code"]);
            assert!(rule["help"]["markdown"].as_str().unwrap().contains(d["code"].as_str().unwrap()));
            assert_eq!(result["level"], d["severity"]);
            let place = &result["locations"][0]["physicalLocation"];
            assert_eq!(place["artifactLocation"], json!({ "uri": d["file"], "uriBaseId": "SRCROOT" }));
            let region = json!({
                "startLine": d["line"], "startColumn": d["column"], "endLine": d["end_line"], "endColumn": d["end_column"],
            });
            assert_eq!(place["region"], region);
            assert_eq!(result["relatedLocations"].as_array().unwrap().len(), d["labels"].as_array().unwrap().len());
            assert_eq!(result["fixes"].as_array().unwrap().len(), d["fixes"].as_array().unwrap().len());
            labels += d["labels"].as_array().unwrap().len();
            fixes += d["fixes"].as_array().unwrap().len();
        }
        results += found.len();
    }
    assert!(results > 50 && labels > 10 && fixes > 10, "{results} {labels} {fixes}");
}

#[test]
fn sarif_is_valid_whatever_a_path_or_text_holds() {
    let folder = Folder::new(&[
        ("a b/é,:#?%[0]{1}.ntl", WRONG),
        ("tab\there/line\nend.ntl", "workflow f() -> str {\n  x\u{2028}\u{7f}😀\n}\n"),
        ("quote\"'\\.ntl", "workflow f() -> str { \"{{}\" }\n\0\u{1b}[31m"),
        ("use.ntl", "use \"../gone/é x\"\nuse \"/abs olute\"\n"),
        ("bytes.ntl", ""),
        ("sub/ntl.toml", "[project]\nnam = 1\n"),
        ("sub/x.ntl", HELLO),
        ("sub/y.ntl", HELLO),
    ]);
    folder.write("bytes.ntl", b"\xff");
    let output = folder.ntl(["check", "--format", "sarif"]);
    assert_status(&output, 2);
    let run = valid_run(&output.stdout);
    let uris: Vec<&str> = run["results"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|r| r["locations"][0]["physicalLocation"]["artifactLocation"]["uri"].as_str())
        .collect();
    for uri in ["a%20b/%C3%A9%2C%3A%23%3F%25%5B0%5D%7B1%7D.ntl", "tab%09here/line%0Aend.ntl", "sub/ntl.toml"] {
        assert!(uris.contains(&uri), "{uri} in {uris:?}");
    }
    // A manifest is told of once, however many files it is the manifest of.
    assert_eq!(uris.iter().filter(|uri| uri.ends_with("ntl.toml")).count(), 1);
    let invocation = &run["invocations"][0];
    assert_eq!(invocation["executionSuccessful"], false);
    let said = invocation["toolExecutionNotifications"][0]["message"]["text"].as_str().unwrap();
    assert!(said.contains("bytes.ntl") && said.contains("UTF-8"), "{said}");

    // Out of the working directory.
    let inner = Folder::new(&[("in/x.ntl", ""), ("o t/w.ntl", WRONG)]);
    let output = ntl_tests::ntl::ntl(&inner.path().join("in"), ["check", "../o t/w.ntl", "--format=sarif"]);
    let run = valid_run(&output.stdout);
    let artifact = &run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"];
    let uri = artifact["uri"].as_str().unwrap();
    assert!(uri.starts_with("file:///") && uri.ends_with("/o%20t/w.ntl") && !uri.contains(".."), "{uri}");
    assert!(artifact.get("uriBaseId").is_none());
}

#[test]
fn sarif_is_valid_without_findings_and_without_a_check() {
    let folder = Folder::new(&[("main.ntl", HELLO)]);
    let output = folder.ntl(["check", "--format", "sarif"]);
    assert_status(&output, 0);
    let run = valid_run(&output.stdout);
    assert_eq!((&run["results"], &run["invocations"][0]["executionSuccessful"]), (&json!([]), &json!(true)));
    for args in [&["nowhere.ntl"][..], &["--no-such-option"], &["main.ntl", "nowhere.ntl"]] {
        let output = folder.ntl(["check", "--format", "sarif"].iter().chain(args));
        assert_status(&output, 2);
        assert_eq!(valid_run(&output.stdout)["invocations"][0]["executionSuccessful"], false, "{args:?}");
    }
}

#[test]
fn github_shows_it_at_the_line() {
    let folder = Folder::new(&[("a, b.ntl", WRONG), ("warns.ntl", "use std.text\n")]);
    let output = folder.ntl(["check", "--format", "github"]);
    assert_status(&output, 2);
    let lines: Vec<&str> = output.stdout.lines().collect();
    assert_eq!(
        lines[0],
        "::error file=a%2C b.ntl,line=2,col=6,endLine=2,endColumn=10,title=E0201::unknown name `totl`; did you mean `total`?"
    );
    assert!(lines[1].starts_with("::warning file=warns.ntl,line=1,col=9,"), "{}", lines[1]);
    assert_eq!((lines.len(), output.stderr.as_str()), (2, ""));
    let output = folder.ntl(["check", "nowhere.ntl", "--format", "github"]);
    assert_status(&output, 2);
    assert_eq!(output.stdout, "::error title=not_found::cannot read `nowhere.ntl`: there is no such file\n");
}

#[test]
fn short_is_one_line_each() {
    let folder = Folder::new(&[("line\nend.ntl", WRONG), ("main.ntl", WRONG), ("warns.ntl", "use std.text\n")]);
    let output = folder.ntl(["check", "--format", "short"]);
    assert_status(&output, 2);
    let lines: Vec<&str> = output.stdout.lines().collect();
    assert_eq!(lines[0], "line\u{fffd}end.ntl:2:6: error[E0201]: unknown name `totl`; did you mean `total`?");
    assert_eq!(lines[1], "main.ntl:2:6: error[E0201]: unknown name `totl`; did you mean `total`?");
    assert!(lines[2].starts_with("warns.ntl:1:9: warning[W0201]: "), "{}", lines[2]);
    assert_eq!((lines.len(), output.stderr.as_str()), (3, "2 errors, 1 warning in 3 files\n"));
}

#[test]
fn every_format_ends_alike() {
    let folder = Folder::new(&[("main.ntl", HELLO), ("wrong.ntl", WRONG), ("warns.ntl", "use std.text\n")]);
    for format in FORMATS {
        for (args, status) in [
            (&["main.ntl"][..], 0),
            (&["wrong.ntl"], 2),
            (&["warns.ntl"], 0),
            (&["warns.ntl", "--deny-warnings"], 2),
            (&["main.ntl", "--deny-warnings"], 0),
            (&["nowhere.ntl"], 2),
            (&["--no-such-option"], 2),
        ] {
            let output = folder.ntl(["check", "--format", format].iter().chain(args));
            assert_status(&output, status);
            let shown = if format == "terminal" { [output.stdout, output.stderr].concat() } else { output.stdout };
            let has_text = !(args[0] == "main.ntl" && (format == "github" || format == "short"));
            assert_eq!(!shown.is_empty(), has_text, "{format} {args:?}");
        }
    }
    assert_status(&folder.ntl(["check", "--format", "xml"]), 2);
    assert_status(&folder.ntl(["check", "--format", "short", "--json"]), 2);
    let one = folder.ntl(["check", "wrong.ntl", "--json"]);
    assert_eq!(one.stdout, folder.ntl(["check", "wrong.ntl", "--format", "json"]).stdout);
}

#[test]
fn quiet_leaves_out_the_sum() {
    let folder = Folder::new(&[("wrong.ntl", WRONG)]);
    let loud = folder.ntl(["check"]);
    let quiet = folder.ntl(["check", "-q"]);
    assert_eq!((&loud.stdout, loud.stderr.as_str()), (&quiet.stdout, "1 error, 0 warnings in 1 file\n"));
    assert_eq!((quiet.stderr.as_str(), quiet.status), ("", 2));
}
