//! The invariants of the code map (`compiler/README.md`), as far as the crate graph and the sources show them.
#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests read the sources of the project, and may fail"
)]

use ntl_tests::ntl::ntl;
use ntl_tests::{case, entries, root, tidy};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

/// A crate of the workspace: its folder and what it depends on, tests aside.
struct Package {
    folder: PathBuf,
    needs: BTreeSet<String>,
}

/// The crates of the workspace by name, with everything of the workspace that they need, directly or not, and the
/// crates from elsewhere that they name.
fn packages() -> BTreeMap<String, Package> {
    let mut command = Command::new(env!("CARGO"));
    command.args(["metadata", "--format-version", "1", "--no-deps", "--offline"]).current_dir(root());
    let metadata: Value = serde_json::from_slice(&command.output().unwrap().stdout).unwrap();
    let mut packages: BTreeMap<String, Package> = BTreeMap::new();
    for package in metadata["packages"].as_array().unwrap() {
        let needs = package["dependencies"].as_array().unwrap().iter().filter(|d| d["kind"] != "dev");
        let needs = needs.map(|d| d["name"].as_str().unwrap().to_owned()).collect();
        let manifest = Path::new(package["manifest_path"].as_str().unwrap());
        let folder = manifest.parent().unwrap().strip_prefix(root()).unwrap().to_owned();
        packages.insert(package["name"].as_str().unwrap().to_owned(), Package { folder, needs });
    }
    loop {
        let grown: Vec<(String, BTreeSet<String>)> = packages
            .iter()
            .map(|(name, p)| {
                let more = p.needs.iter().filter_map(|n| packages.get(n)).flat_map(|p| p.needs.clone());
                (name.clone(), more.filter(|n| !p.needs.contains(n)).collect())
            })
            .collect();
        if grown.iter().all(|(_, more)| more.is_empty()) {
            return packages;
        }
        for (name, more) in grown {
            packages.get_mut(&name).unwrap().needs.extend(more);
        }
    }
}

fn in_folder<'a>(packages: &'a BTreeMap<String, Package>, folder: &str) -> Vec<(&'a str, &'a Package)> {
    packages.iter().filter(|(_, p)| p.folder.starts_with(folder)).map(|(name, p)| (name.as_str(), p)).collect()
}

/// The sources below a folder: path and text, without `tests` folders and modules of unit tests (which stand last in a file).
fn sources(folder: &str) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    let mut folders = vec![root().join(folder)];
    while let Some(folder) = folders.pop() {
        for path in entries(&folder) {
            if path.is_dir() {
                if path.file_name().is_none_or(|name| name != "tests") {
                    folders.push(path);
                }
            } else if path.extension().is_some_and(|e| e == "rs") {
                let text = std::fs::read_to_string(&path).unwrap();
                let code = text.split("#[cfg(test)]").next().unwrap_or_default().to_owned();
                found.push((path, code));
            }
        }
    }
    assert!(!found.is_empty(), "nothing in {folder}");
    found
}

/// Fails if a source has one of some words in a line that is no comment.
fn nowhere(folder: &str, words: &[&str]) {
    for (path, text) in sources(folder) {
        for (i, line) in text.lines().enumerate().filter(|(_, l)| !l.trim_start().starts_with("//")) {
            let found = words.iter().find(|w| line.contains(**w));
            assert!(found.is_none(), "{}:{}: {found:?} has no place here", path.display(), i + 1);
        }
    }
}

/// Invariant 1. That a program without them runs a plan, `tests/embed` shows.
#[test]
fn the_runtime_does_not_know_the_compiler() {
    let packages = packages();
    let compiler: Vec<&str> = in_folder(&packages, "compiler").into_iter().map(|(name, _)| name).collect();
    assert!(compiler.len() >= 4, "{compiler:?}");
    let without =
        [in_folder(&packages, "runtime"), in_folder(&packages, "stdlib"), in_folder(&packages, "tests/embed")];
    for (name, package) in without.concat() {
        let found: Vec<&&str> = compiler.iter().filter(|c| package.needs.contains(**c)).collect();
        assert!(found.is_empty(), "{name} needs {found:?}");
    }
}

/// Invariant 3: what is derived is a query of the inputs.
#[test]
fn the_compiler_proper_knows_no_files_clock_or_globals() {
    let world = ["std::fs", "std::env", "std::net", "std::time", "std::process"];
    for folder in ["compiler/syntax/src", "compiler/semantic/src", "compiler/lower/src"] {
        nowhere(folder, &world);
    }
    // The parser itself is made once a thread; what it says depends on the text alone.
    for folder in ["compiler/semantic/src", "compiler/lower/src"] {
        nowhere(folder, &["thread_local!", "static mut", "OnceLock<", "LazyLock<"]);
    }
}

/// Invariant 6: the engine is handed natives and names none.
#[test]
fn the_engine_names_no_native() {
    nowhere("runtime/engine/src", &["\"std."]);
    nowhere("runtime/plan/src", &["\"std."]);
    assert!(!packages()["ntl-engine"].needs.contains("ntl-stdlib"));
}

/// Invariant 10: lints deny what would crash, everywhere, and the release build unwinds.
#[test]
fn every_crate_keeps_the_lints_and_release_unwinds() {
    let manifest = std::fs::read_to_string(root().join("Cargo.toml")).unwrap();
    for line in [
        "unsafe_code = \"deny\"",
        "unwrap_used = \"warn\"",
        "expect_used = \"warn\"",
        "panic = \"warn\"",
        "panic = \"unwind\"",
    ] {
        assert!(manifest.lines().any(|l| l == line), "the workspace says `{line}`");
    }
    for (name, package) in packages() {
        let manifest = std::fs::read_to_string(root().join(&package.folder).join("Cargo.toml")).unwrap();
        assert!(manifest.contains("[lints]\nworkspace = true"), "{name} keeps the lints of the workspace");
        if name.starts_with("ntl") && name != "ntl-tests" && name != "ntl-embed" {
            let folder = package.folder.join("src");
            for how in ["allow(", "expect("] {
                for lint in ["unsafe_code", "clippy::unwrap_used", "clippy::expect_used", "clippy::panic"] {
                    nowhere(folder.to_str().unwrap(), &[&format!("{how}{lint}")]);
                }
            }
        }
    }
}

/// Invariant 11. That a run shows no secret, the engine's own tests show.
#[test]
fn a_secret_prints_as_a_secret() {
    use ntl_engine::value::{SecretText, Value};
    let secret = Value::Secret(std::sync::Arc::new(SecretText::new("hunter2")));
    assert_eq!(ntl_engine::json::to_json(&secret), "‹secret›");
    let list = Value::list(vec![secret]);
    assert!(!format!("{list:?} {}", ntl_engine::json::to_json(&list)).contains("hunter2"));
}

/// Invariant 12: nothing that knows salsa knows tokio, except the binary, which ends with one before it begins the other.
#[test]
fn salsa_and_tokio_do_not_meet() {
    let packages = packages();
    for (name, package) in packages.iter().filter(|(name, _)| name.starts_with("ntl-") && *name != "ntl-tests") {
        let both = package.needs.contains("salsa") && package.needs.contains("tokio");
        // The standard library's sources are data for the compiler; its natives are not.
        assert!(!both || name == "ntl-project", "{name} needs both");
    }
    nowhere("compiler", &["tokio", "async fn"]);
    nowhere("runtime", &["salsa"]);
}

/// Invariant 8: hash seeds and addresses differ between processes; plans do not.
#[test]
fn the_same_source_gives_the_same_plan_in_every_process() {
    let temp = tempfile::tempdir().unwrap();
    let programs: Vec<PathBuf> = [entries(&root().join("examples")), entries(&root().join("tests/programs"))].concat();
    let mut compiled = 0;
    for program in programs.iter().filter(|p| p.join("main.ntl").is_file()) {
        let folder = temp.path().join(program.file_name().unwrap());
        case::copy(program, &folder).unwrap();
        let plan = |name: &str| {
            let output = ntl(&folder, ["compile", "main.ntl", "-o", name]);
            (output.status == 0).then(|| std::fs::read(folder.join(name)).unwrap())
        };
        let (first, second) = (plan("first.ntlp"), plan("second.ntlp"));
        assert!(first == second, "{}", program.display());
        compiled += usize::from(first.is_some());
    }
    assert!(compiled >= 10, "only {compiled} programs compile");
}

#[test]
fn every_code_of_a_failure_has_a_page() {
    let reference = std::fs::read_to_string(root().join("grammar/REFERENCE.md")).unwrap();
    let (_, listed) = reference.split_once("Codes of the library:").unwrap();
    let listed = listed.split("\n\n").next().unwrap_or_default().split('`').skip(1).step_by(2);
    let mut codes: BTreeSet<String> = listed.map(str::to_owned).collect();
    for (_, text) in ["runtime", "stdlib", "cli"].into_iter().flat_map(sources) {
        for made in ["Fault::new(\"", "Refusal::new(\"", "Finding::problem(\"", "Refusal { code: \""] {
            codes.extend(text.split(made).skip(1).filter_map(|rest| Some(rest.split_once('"')?.0.to_owned())));
        }
    }
    assert!(codes.len() > 15, "{codes:?}");
    codes.retain(|code| ntl_stdlib::failure(code).is_none());
    assert!(codes.is_empty(), "`ntl explain` says nothing of {codes:?}");
}

#[test]
fn the_reference_lists_every_module() {
    let reference = std::fs::read_to_string(root().join("grammar/REFERENCE.md")).unwrap();
    let (_, listed) = reference.split_once("The library:\n").unwrap();
    let listed = listed.split("`ntl nodes`").next().unwrap_or_default();
    let missing: Vec<&str> = ntl_stdlib::SOURCES
        .iter()
        .map(|(name, _)| *name)
        .filter(|name| !listed.contains(&format!("`{name}`")))
        .collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn the_code_base_is_tidy() {
    let problems = tidy::problems();
    assert!(problems.is_empty(), "\n{}", problems.join("\n"));
}
