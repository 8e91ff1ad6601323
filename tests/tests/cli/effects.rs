//! `ntl effects`: what a workflow may touch, and that a run asks for just that.

use crate::{Folder, HELLO, assert_status};
use serde_json::{Value, json};
use std::collections::BTreeSet;

const WORLD: &str = r#"use std.fs

const OUT = "out"
const FAST = model("openai/gpt-5.4-mini", temperature: 0.2)
const PATHS: (first: str, second: str) = (first: "1.csv", second: "{OUT}/2.csv")
secret API_KEY

@external @net(url) @secret(API_KEY)
node fetch(url: str) -> str js ```
  output("output", "x")
```

prompt judge(body: str) -> str {
  model = FAST
  "Judge {body}"
}

agent researcher(question: str) -> str {
  model  = "anthropic/claude-sonnet-5"
  tools  = [fetch, save, fs.list]
  budget = (usd: 0.50, turns: 20)
  "Answer: {question}"
}

workflow save(path: str, body: str = "") -> null {
  fs.write("{OUT}/{path}", body)
}

workflow main(path: str = "data.txt", extra: str = "") -> (line: str, n: int) {
  body  = fs.read(path)
  first = fs.read(PATHS.first)
  next  = fs.read(PATHS.second)
  page  = fetch("https://example.org/{extra}")
  line  = judge(body)
  n     = researcher(page).len() + first.len() + next.len()
  save("a.md", body)
  for name in ["x", "y"] { save(name) }
  print("done")
}
"#;

/// `kind value step` of every effect and limit; what is computed in parentheses.
fn told(document: &Value) -> Vec<String> {
    let list = |key: &str| document[key].as_array().unwrap().clone();
    let one = |e: &Value| {
        let what = match (&e["value"], &e["expression"]) {
            (Value::String(value), _) => value.clone(),
            (_, Value::String(expression)) => format!("({expression})"),
            _ => format!("by {}", e["by"].as_str().unwrap()),
        };
        format!("{} {what} {}", e["kind"].as_str().unwrap(), e["step"].as_str().unwrap())
    };
    list("effects").iter().chain(&list("limits")).map(one).collect()
}

#[test]
fn everything_that_a_workflow_may_touch_is_told_with_its_step() {
    let folder = Folder::new(&[("main.ntl", WORLD)]);
    let output = folder.ntl(["effects", "main.ntl", "--json"]);
    assert_status(&output, 0);
    let document = output.json().unwrap();
    let wanted = [
        "fs_read (path) main/body/read",
        "fs_read 1.csv main/first/read",
        "fs_read out/2.csv main/next/read",
        "net (\"https://example.org/{extra}\") main/page/fetch",
        "secret API_KEY main/page/fetch",
        "model openai/gpt-5.4-mini main/line/judge",
        "model anthropic/claude-sonnet-5 main/n/researcher",
        "net (url) main/n/researcher",
        "secret API_KEY main/n/researcher",
        "fs_write (\"{OUT}/{path}\") main/n/researcher",
        "fs_read (pattern) main/n/researcher",
        "fs_write out/a.md main/save/write",
        "fs_write (\"{OUT}/{path}\") main/save#2/write",
        "write by print main/print",
        "usd 0.5 main/n/researcher",
        "turns 20 main/n/researcher",
    ];
    assert_eq!(told(&document), wanted);
    assert_eq!(
        document["permissions"],
        json!({ "fs_read": ["1.csv", "out/2.csv"], "fs_write": ["out/a.md"], "secret": ["API_KEY"] })
    );
    let saved = &document["effects"][9];
    let names: Vec<&Value> = saved["calls"].as_array().unwrap().iter().map(|c| &c["name"]).collect();
    assert_eq!(names, ["researcher", "save"]);
    assert_eq!((&saved["line"], &saved["column"], &saved["calls"][0]["line"]), (&json!(26), &json!(3), &json!(35)));

    let people = folder.ntl(["effects", "main.ntl"]);
    assert_status(&people, 0);
    for line in [
        "`main` may touch:",
        "reaches hosts",
        "  (computed) \"https://example.org/{extra}\"  fetch  main.ntl:33:11  main/page/fetch",
        "  main/n/researcher: 0.5 usd, 20 turns each time",
        "  main/line/judge: no ceiling: it has no budget",
        "fs_read = [\"1.csv\", \"out/2.csv\"]",
        "# fs_read: besides, what `path` is when it runs",
    ] {
        assert!(people.stdout.lines().any(|l| l == line), "no {line:?} in\n{}", people.stdout);
    }
    assert!(people.stdout.contains("through researcher → save\n"), "{}", people.stdout);
}

#[test]
fn a_workflow_that_touches_nothing_is_told_so() {
    let folder = Folder::new(&[("main.ntl", HELLO)]);
    let output = folder.ntl(["effects", "main.ntl"]);
    assert_status(&output, 0);
    assert_eq!(output.stdout, "`hello` touches nothing and needs no permission\n");
    let document = folder.ntl(["effects", "main.ntl", "--json"]).json().unwrap();
    assert_eq!(
        document,
        json!({ "workflow": "hello", "effects": [], "limits": [], "permissions": {}, "computed": {} })
    );
}

#[test]
fn what_nobody_needs_is_not_run_and_touches_nothing() {
    let source = "use std.fs\n\nworkflow f() -> int {\n  _a = fs.read(\"a.txt\")\n  1\n}\n";
    let folder = Folder::new(&[("main.ntl", source)]);
    assert_eq!(folder.ntl(["effects", "main.ntl"]).stdout, "`f` touches nothing and needs no permission\n");
    assert_status(&folder.ntl(["run", "main.ntl"]), 0);
}

#[test]
fn a_plan_tells_the_same_as_its_source() {
    let folder = Folder::new(&[("main.ntl", WORLD)]);
    assert_status(&folder.ntl(["compile", "main.ntl:main"]), 0);
    let source = folder.ntl(["effects", "main.ntl:main"]);
    std::fs::remove_file(folder.path().join("main.ntl")).unwrap();
    let plan = folder.ntl(["effects", "main.ntlp"]);
    assert_status(&plan, 0);
    assert_eq!(plan.stdout, source.stdout);
}

/// A run is refused for just what is told, and with the lines that are told it is not.
#[test]
fn a_run_asks_for_what_is_told() {
    let reads = |body: &str| format!("use std.fs\n\nconst DIR = \"in\"\n\n{body}");
    let sources = [
        reads("workflow f() -> str {\n  fs.read(\"a.txt\")\n}\n"),
        reads("workflow f() -> list[str] {\n  fs.list(\"{DIR}/*.txt\")\n}\n"),
        reads("workflow f() -> list[str] {\n  fs.list(\"*.txt\")\n}\n"),
        reads("workflow f() -> null {\n  fs.move(\"{DIR}/a\", to: \"out/\\\"é\\\".txt\")\n}\n"),
        reads(
            "workflow copy(from: str, to: str = \"out/{DIR}\") -> null {\n  fs.copy(from, to:)\n}\n\nworkflow main() -> null {\n  copy(\"1\")\n  copy(\"2\", to: \"3\")\n}\n",
        ),
        reads(
            "workflow f(b: bool = true) -> str {\n  x = if b { fs.read(\"a\") } else { try fs.read(\"b\") else \"c\" }\n  seq { fs.write(\"d\", x); for i in 1..3 { fs.append(\"e\", x) } }\n  x\n}\n",
        ),
    ];
    for source in sources {
        let folder = Folder::new(&[("main.ntl", &source)]);
        let document = folder.ntl(["effects", "main.ntl", "--json"]).json().unwrap();
        let effects = document["effects"].as_array().unwrap();
        let place = |e: &Value| (e["line"].as_u64(), e["column"].as_u64());
        let told: BTreeSet<_> = effects.iter().map(place).collect();
        let refused = folder.ntl(["run", "main.ntl", "--check", "--json"]);
        assert_status(&refused, 2);
        let refused = refused.json().unwrap();
        let errors = refused["errors"].as_array().unwrap();
        assert_eq!(errors.iter().map(place).collect::<BTreeSet<_>>(), told, "{source}");
        assert!(errors.iter().all(|e| e["code"] == "permission"), "{refused}");
        for effect in effects {
            let value = format!("{:?}", effect["value"].as_str().unwrap());
            assert!(errors.iter().any(|e| e["message"].as_str().unwrap().contains(&value)), "{value} in {refused}");
        }
        let people = folder.ntl(["effects", "main.ntl"]).stdout;
        let (_, lines) = people.split_once("# ntl.toml\n").unwrap();
        folder.write("ntl.toml", lines.as_bytes());
        assert_status(&folder.ntl(["run", "main.ntl", "--check"]), 0);
        // Not more than this: each of them is needed.
        for (kind, _) in document["permissions"].as_object().unwrap() {
            let less: String = lines.lines().filter(|l| !l.starts_with(kind)).map(|l| format!("{l}\n")).collect();
            folder.write("ntl.toml", less.as_bytes());
            assert_status(&folder.ntl(["run", "main.ntl", "--check"]), 2);
        }
    }
}

#[test]
fn what_cannot_be_told_is_refused() {
    let folder =
        Folder::new(&[("main.ntl", WORLD), ("wrong.ntl", "workflow f() -> int {\n  nn\n}\n"), ("lib.ntl", "")]);
    for args in [&["wrong.ntl"][..], &["nowhere.ntl"], &["main.ntl:nobody"], &["lib.ntl"], &["."], &[]] {
        let output = folder.ntl(["effects"].iter().chain(args));
        assert_status(&output, 2);
        assert!(output.stdout.is_empty() && !output.stderr.is_empty(), "{args:?}");
        let document = folder.ntl(["effects", "--json"].iter().chain(args));
        assert_status(&document, 2);
        assert!(!document.json().unwrap()["diagnostics"].as_array().unwrap().is_empty(), "{args:?}");
    }
    let output = ntl_tests::ntl::ntl_given(folder.path(), ["effects", "-"], HELLO.as_bytes());
    assert_status(&output, 0);
}

/// Workflows that call one another twice, and names that name others twice, level upon level.
#[test]
fn what_doubles_at_every_level_comes_to_an_end() {
    let mut source = "use std.fs\n\nconst E0 = \"\"\n".to_owned();
    for i in 1..40 {
        source += &format!("const E{i} = \"{{E{}}}{{E{}}}\"\n", i - 1, i - 1);
    }
    source += "\nworkflow w0(p: str) -> str {\n  \"{fs.read(p)}{fs.read(E39)}\"\n}\n";
    for i in 1..40 {
        let before = i - 1;
        source += &format!(
            "\nworkflow w{i}(p: str) -> str {{\n  \"{{w{before}(\"{{p}}a\")}}{{w{before}(\"{{p}}b\")}}\"\n}}\n"
        );
    }
    let folder = Folder::new(&[("main.ntl", &source)]);
    let output = folder.ntl(["effects", "main.ntl:w39", "--json"]);
    assert_status(&output, 0);
    let document = output.json().unwrap();
    assert!(document["computed"]["fs_read"].as_array().is_some_and(|e| !e.is_empty()), "{}", output.stdout.len());
}
