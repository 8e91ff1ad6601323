//! Whatever is thrown at it: a clear error or a result, never a crash, never a hang.

use crate::{Folder, HELLO, assert_status, hello};
use ntl_tests::ntl::Output;

/// Told in words, and not as a bug of ours.
#[track_caller]
fn assert_refused(output: &Output) {
    assert!(output.status == 2 || output.status == 1, "{} {}", output.status, output.stderr);
    assert!(!output.stderr.contains("internal error"), "{}", output.stderr);
}

#[test]
fn deep_nesting_is_an_error() {
    let deep = |open: &str, close: &str| open.repeat(1_000) + "1" + &close.repeat(1_000);
    let many = [
        ("paren", format!("workflow f() -> int {{\n  {}\n}}\n", deep("(", ")"))),
        ("list", format!("workflow f() -> any {{\n  {}\n}}\n", deep("[", "]"))),
        ("if", format!("workflow f(c: bool) -> int {{\n  {}\n}}\n", deep("if c { ", " } else { 2 }"))),
        ("not", format!("workflow f(c: bool) -> bool {{\n  {}c\n}}\n", "not ".repeat(1_000))),
        ("type", format!("workflow f(x: {}) -> int {{\n  1\n}}\n", "list[".repeat(1_000) + "int" + &"]".repeat(1_000))),
        ("str", format!("workflow f() -> str {{\n  {}x{}\n}}\n", "\"{".repeat(1_000), "}\"".repeat(1_000))),
        ("open", "(".repeat(100_000)),
        ("minus", format!("workflow f() -> int {{\n  {}1\n}}\n", "- ".repeat(1_000))),
    ];
    for (name, source) in many {
        let folder = Folder::new(&[("main.ntl", &source)]);
        let output = folder.ntl(["check", "main.ntl", "--json"]);
        assert_status(&output, 2);
        assert!(!output.json().unwrap()["diagnostics"].as_array().unwrap().is_empty(), "{name}");
        assert_refused(&folder.ntl(["check", "main.ntl"]));
    }
}

#[test]
fn long_chains_are_an_error_or_a_result() {
    for (name, source) in [
        ("sum", format!("workflow f() -> int {{\n  1{}\n}}\n", " + 1".repeat(5_000))),
        ("method", format!("workflow f(s: str) -> str {{\n  s{}\n}}\n", ".trim()".repeat(5_000))),
        ("else", format!("workflow f(n: int) -> int {{\n  {}{{ 0 }}\n}}\n", "if n == 1 { 1 } else ".repeat(5_000))),
        ("union", format!("type T = {}\"z\"\n", (0..5_000).map(|i| format!("\"{i}\" | ")).collect::<String>())),
        ("after", format!("workflow f(n: int) -> int {{\n  n{}\n}}\n", " after n".repeat(5_000))),
    ] {
        let folder = Folder::new(&[("main.ntl", &source)]);
        let output = folder.ntl(["check", "main.ntl", "--json"]);
        assert!(output.status == 0 || output.status == 2, "{name}: {} {}", output.status, output.stderr);
        assert!(output.json().is_ok(), "{name}");
    }
}

#[test]
fn a_line_of_ten_megabytes_is_checked_and_shown_cut() {
    let long = "é".repeat(5_000_000);
    let source = format!("workflow f() -> int {{\n  \"{long}\".len() + nn\n}}\n");
    let folder = Folder::new(&[("main.ntl", &source)]);
    let output = folder.ntl(["check", "main.ntl"]);
    assert_status(&output, 2);
    assert!(output.stdout.contains("`nn`") && output.stdout.len() < 20_000, "{} bytes", output.stdout.len());
}

#[test]
fn many_mistakes_in_one_line_are_told_in_good_time() {
    let source = format!("workflow f() -> list[int] {{ [{}] }} // é\n", "é, ".repeat(30_000));
    let folder = Folder::new(&[("main.ntl", &source)]);
    let output = folder.ntl(["check", "main.ntl", "--json"]);
    assert_status(&output, 2);
    let people = folder.ntl(["check", "main.ntl"]);
    assert_status(&people, 2);
    assert!(people.stdout.len() < 500_000, "{} bytes", people.stdout.len());
}

/// Bytes without a pattern, the same each time.
fn noise(seed: u64, length: usize) -> Vec<u8> {
    let mut state = seed;
    let step = |_| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 56) as u8
    };
    (0..length).map(step).collect()
}

#[test]
fn noise_is_refused() {
    for seed in 0..4 {
        let folder = hello();
        let bytes = noise(seed, 20_000);
        folder.write("noise.ntl", &bytes);
        folder.write("ascii.ntl", &bytes.iter().map(|b| b % 96 + 32).collect::<Vec<u8>>());
        folder.write("noise.ntlp", &bytes);
        folder.write("noise.json", &bytes);
        for args in [
            &["run", "noise.ntl"][..],
            &["check", "noise.ntl"],
            &["check", "ascii.ntl"],
            &["run", "ascii.ntl"],
            &["compile", "ascii.ntl"],
            &["fmt", "noise.ntl"],
            &["run", "noise.ntlp"],
            &["run", "main.ntl", "--inputs", "noise.json"],
        ] {
            let output = folder.ntl(args);
            assert_status(&output, 2);
            assert_refused(&output);
        }
        assert_eq!(std::fs::read(folder.path().join("noise.ntl")).unwrap(), bytes);
    }
}

#[test]
fn a_damaged_plan_is_refused() {
    let folder = hello();
    assert_status(&folder.ntl(["compile", "main.ntl"]), 0);
    let plan = std::fs::read(folder.path().join("main.ntlp")).unwrap();
    for at in (0..plan.len()).step_by(plan.len() / 24 + 1) {
        let mut damaged = plan.clone();
        damaged[at] ^= 0x55;
        folder.write("damaged.ntlp", &damaged);
        assert_status(&folder.ntl(["run", "damaged.ntlp"]), 2);
        folder.write("short.ntlp", &plan[..at]);
        assert_status(&folder.ntl(["run", "short.ntlp"]), 2);
    }
}

#[test]
fn what_is_no_file_is_refused_in_the_same_words() {
    let folder = Folder::new(&[("main.ntl", HELLO), ("sub/x.ntl", HELLO)]);
    folder.write("bytes.ntl", b"workflow f() -> str {\n  \"\xff\"\n}\n");
    for command in ["run", "compile"] {
        for (target, words) in [("nowhere.ntl", "no such file"), ("sub", "a folder"), ("bytes.ntl", "UTF-8"), ("", "")]
        {
            let output = folder.ntl([command, target]);
            assert_status(&output, 2);
            assert!(output.stderr.contains(words), "{command} {target}: {}", output.stderr);
        }
    }
    for (target, words) in [("nowhere.ntl", "no such file"), ("bytes.ntl", "UTF-8")] {
        let output = folder.ntl(["check", target, "--json"]);
        assert_status(&output, 2);
        assert!(
            output.json().unwrap()["diagnostics"][0]["message"].as_str().unwrap().contains(words),
            "{}",
            output.stdout
        );
    }
}

#[cfg(unix)]
#[test]
fn arguments_that_are_no_text_are_refused() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let folder = hello();
    let odd = OsStr::from_bytes(b"\xff\xfe.ntl");
    assert_status(&folder.ntl([OsStr::new("run"), odd]), 2);
    assert_status(&folder.ntl([OsStr::new("run"), OsStr::new("main.ntl"), OsStr::from_bytes(b"name=\xff")]), 2);
    assert_status(&folder.ntl([odd]), 2);
}

#[test]
fn what_drives_a_terminal_is_not_passed_on() {
    let folder = Folder::new(&[("main.ntl", "workflow f() -> str {\n  \"\u{1b}[2J\" + nn\u{2028}\n}\n")]);
    let output = folder.ntl(["check", "main.ntl"]);
    assert_status(&output, 2);
    assert!(!output.stdout.contains('\x1b'), "{}", output.stdout);
}

#[cfg(unix)]
#[test]
fn a_reader_that_goes_away_is_no_crash() {
    use std::process::{Command, Stdio};
    let folder = Folder::new(&[("main.ntl", "workflow f() -> list[int] {\n  for k in 0..200_000 { k }\n}\n")]);
    let mut child = Command::new(ntl_tests::ntl::binary())
        .args(["run", "main.ntl"])
        .current_dir(folder.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), String::from_utf8_lossy(&output.stderr).as_ref()), (Some(0), ""));
}
