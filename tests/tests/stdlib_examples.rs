//! Every entry of the standard library says what it does and shows it in an example, and the example gives what it shows.
//!
//! `https://example.org` is a server that is started here.
//!
//! A line of an example is `expression // value`, or `expression // error: code`; a line without either is a binding that
//! the next ones use. Value and text are compared, so that `3` is no `3.0` here. An example that begins with `ntl check`
//! is only checked.

#![expect(clippy::disallowed_methods, reason = "tests make their own files")]

use libtest_mimic::{Arguments, Failed, Trial};
use ntl_project::{Memory, load};
use ntl_semantic::query::{defs, file_diagnostics, native_id};
use ntl_semantic::{Project, RootDb};
use ntl_tests::server::{Received, answer, serve};
use ntl_tests::{ntl::ntl, verdict};
use std::fmt::Write;
use std::net::TcpStream;
use std::path::Path;

fn main() {
    let mut trials = vec![Trial::test("std::declarations", declarations)];
    for (module, source) in ntl_stdlib::SOURCES {
        trials.push(Trial::test(format!("std::{module}"), move || examples(module, source)));
    }
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}

/// The declarations are formatted, the compiler has nothing to say about them, and the runtime has every native that it
/// names.
fn declarations() -> Result<(), Failed> {
    let mut db = RootDb::default();
    let files = Memory::default().with("main.ntl", "");
    load(&mut db, &files, Path::new("main.ntl")).map_err(|e| e.message)?;
    let natives = ntl_stdlib::natives();
    let unformatted = |text: &str| ntl_syntax::format(text).is_ok_and(|formatted| formatted != text);
    let mut problems: Vec<String> = ntl_stdlib::SOURCES
        .iter()
        .filter(|(_, text)| unformatted(text))
        .map(|(module, _)| format!("{module}: `ntl fmt stdlib/ntl` changes it"))
        .collect();
    for (module, file) in Project::get(&db).std(&db) {
        problems.extend(file_diagnostics(&db, *file).iter().map(|d| format!("{module}: {} {}", d.code, d.message)));
        for def in defs(&db, *file) {
            // Sources and what drops items are operations of the engine.
            let is_native = !(module == "core" && ["each", "filter"].contains(&def.name.as_str()));
            match native_id(&db, &def) {
                Some(id) if is_native && natives.get(&id).is_none() => {
                    problems.push(format!("there is no native {id}"))
                }
                _ => {}
            }
        }
    }
    verdict(problems)
}

/// Every entry of a module has an example, and the examples give what they show. They run as one program, those that
/// write files as one each.
fn examples(module: &str, source: &str) -> Result<(), Failed> {
    let (mut together, mut problems) = (Vec::new(), Vec::new());
    for entry in entries(source) {
        let text = entry.docs.first().is_some_and(|line| !line.is_empty() && !line.starts_with("```"));
        // The fence is as long as it must be.
        let fence = if entry.docs.iter().any(|line| line.starts_with("````")) { "````" } else { "```" };
        let mut fenced = entry.docs.split(|line| line.starts_with(fence)).skip(1);
        let code: Vec<&str> = fenced.next().into_iter().flatten().map(String::as_str).collect();
        if !text || code.is_empty() {
            problems.push(format!("{module}.{} needs a doc comment with an example", entry.name));
        } else if entry.docs.iter().any(|line| line == "```ntl check") {
            problems.extend(check(module, &code)?);
        } else if module == "fs" || module == "http" {
            problems.extend(run(module, &code)?);
        } else {
            together.extend(code.into_iter().map(str::to_owned));
        }
    }
    let together: Vec<&str> = together.iter().map(String::as_str).collect();
    if !together.is_empty() {
        problems.extend(run(module, &together)?);
    }
    verdict(problems)
}

/// A declaration with its doc comment.
struct Entry {
    name: String,
    docs: Vec<String>,
}

/// The declarations of a module that can be called.
fn entries(source: &str) -> Vec<Entry> {
    let mut entries: Vec<Entry> = Vec::new();
    let mut docs = Vec::new();
    for line in source.lines() {
        if let Some(doc) = line.strip_prefix("///") {
            docs.push(doc.strip_prefix(' ').unwrap_or(doc).to_owned());
        } else if let Some(declared) = line.strip_prefix("fn ").or_else(|| line.strip_prefix("node ")) {
            let name = declared[..declared.find(['(', '[']).unwrap_or(declared.len())].to_owned();
            entries.push(Entry { name, docs: std::mem::take(&mut docs) });
        } else if !line.starts_with('@') {
            docs.clear();
        }
    }
    entries
}

fn check(module: &str, code: &[&str]) -> Result<Vec<String>, Failed> {
    let (program, _) = program(module, code);
    let folder = tempfile::tempdir()?;
    std::fs::write(folder.path().join("main.ntl"), &program)?;
    let check = ntl(folder.path(), ["check", "main.ntl"]);
    Ok(if check.status == 0 { Vec::new() } else { vec![format!("{program}\n{}", check.stderr)] })
}

fn run(module: &str, code: &[&str]) -> Result<Vec<String>, Failed> {
    let (program, checks) = program(module, code);
    let folder = tempfile::tempdir()?;
    let here = format!("127.0.0.1:{}", serve(example_org)?);
    let served = ["echo", "missing", "json", "feed"].iter().fold(program.clone(), |text, page| {
        text.replace(&format!("https://example.org/{page}"), &format!("http://{here}/{page}"))
    });
    std::fs::write(folder.path().join("main.ntl"), served)?;
    let net = format!("--allow-net={here}");
    let grants = ["--allow-fs-read=.", "--allow-fs-write=.", &net, "--allow-command", "--allow-env"];
    let run = ntl(folder.path(), ["run", "main.ntl", "--json"].into_iter().chain(grants));
    let document = run.json()?;
    let errors = document["errors"].as_array().into_iter().flatten();
    let wrong = |error: &serde_json::Value| {
        let line = error["line"].as_u64().and_then(|n| program.lines().nth(n as usize - 1)).unwrap_or_default();
        format!("{}\n  fails: {}", line.trim(), error["message"])
    };
    Ok(errors.map(wrong).chain(checks.iter().filter_map(|check| check.problem(&document["outputs"]))).collect())
}

/// The server of the examples.
fn example_org(received: &Received, stream: &mut TcpStream) -> std::io::Result<()> {
    let plain = "content-type: text/plain\r\n";
    match received.path.split('?').next() {
        Some("/echo") => {
            let mut text = format!("{} {}", received.method, received.path);
            for line in [received.header("content-type"), &String::from_utf8_lossy(&received.body)] {
                if !line.is_empty() {
                    text.push_str(&format!("\n{line}"));
                }
            }
            answer(stream, 200, plain, if received.method == "HEAD" { b"" } else { text.as_bytes() })
        }
        Some("/json") => answer(stream, 200, "content-type: application/json\r\n", br#"{"ok": true}"#),
        Some("/feed") => {
            let feed = r#"<rss version="2.0"><channel><item><link>https://example.org/1</link></item></channel></rss>"#;
            answer(stream, 200, "", feed.as_bytes())
        }
        _ => answer(stream, 404, plain, b"no such page"),
    }
}

/// What is looked at after the run.
struct Check {
    line: String,
    nth: usize,
    /// The code of the failure that is expected.
    code: Option<String>,
}

impl Check {
    fn problem(&self, outputs: &serde_json::Value) -> Option<String> {
        let output = |name: &str| &outputs[format!("{name}{}", self.nth)];
        match &self.code {
            Some(code) if output("got") == code.as_str() => None,
            None if output("same") == true && output("got") == output("want") => None,
            _ => Some(format!("{}\n  gives {}", self.line, output("got"))),
        }
    }
}

/// A program that runs examples.
fn program(module: &str, code: &[&str]) -> (String, Vec<Check>) {
    let (mut outputs, mut body, mut checks) = (String::new(), String::new(), Vec::new());
    for (nth, line) in code.iter().enumerate() {
        // What follows writing to a String cannot fail.
        let Some((expression, expected)) = line.rsplit_once(" // ") else {
            let _ = writeln!(body, "  {line}");
            continue;
        };
        let code = expected.strip_prefix("error: ").map(str::to_owned);
        let _ = writeln!(outputs, "  got{nth}: str,");
        let _ = match &code {
            Some(_) => writeln!(body, "  got{nth} = try str({expression}) else err {{ err.code }}"),
            None => {
                let _ = write!(outputs, "  same{nth}: bool,\n  want{nth}: str,\n");
                write!(
                    body,
                    "  value{nth} = {expression}\n  same{nth} = value{nth} == {expected}\n  \
                     got{nth} = str(value{nth})\n  want{nth} = str({expected})\n"
                )
            }
        };
        checks.push(Check { line: (*line).to_owned(), nth, code });
    }
    let module = if module == "core" { String::new() } else { format!("use std.{module}\n") };
    (format!("{module}workflow main() -> (\n{outputs}) {{\n{body}}}\n"), checks)
}
