//! Every program of the repository is as `ntl fmt` writes it.

#![expect(clippy::disallowed_methods, clippy::unwrap_used, reason = "tests read their own files, and may fail")]

use ntl_syntax::{FormatError, TokenKind, format, lex};
use ntl_tests::{entries, generate, root};
use std::path::{Path, PathBuf};

/// The programs in a folder and its folders.
fn programs(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for path in entries(folder) {
        if path.is_dir() {
            found.extend(programs(&path));
        } else if path.extension().is_some_and(|e| e == "ntl") {
            found.push(path);
        }
    }
    found
}

/// All programs with what they are called.
fn all() -> Vec<(String, String)> {
    let folders = ["examples", "stdlib/ntl", "tests/fuzz/src", "tests/programs"];
    let files = folders.iter().flat_map(|folder| programs(&root().join(folder)));
    let mut all: Vec<_> =
        files.map(|path| (path.display().to_string(), std::fs::read_to_string(path).unwrap())).collect();
    assert!(all.len() > 40, "{} programs", all.len());
    all.extend(generate::project(2, 500, 1));
    let reference = std::fs::read_to_string(root().join("grammar/REFERENCE.md")).unwrap();
    for (i, block) in reference.split("```ntl\n").enumerate().skip(1) {
        // A block with a fence in it stands between four backticks.
        let end = if reference.contains(&format!("````ntl\n{block}")) { "````" } else { "```" };
        all.push((format!("block {i} of the reference"), block.split(end).next().unwrap().to_owned()));
    }
    all
}

/// A text without its indentation.
fn flush_left(text: &str) -> String {
    let (mut flush, mut depth, mut line_start) = (String::new(), 0, true);
    for token in lex(text) {
        match token.kind {
            TokenKind::StrOpen | TokenKind::LongStrOpen => depth += 1,
            TokenKind::StrClose => depth -= 1,
            _ => {}
        }
        if token.kind != TokenKind::Space || !line_start || depth > 0 {
            flush.push_str(&text[token.range.start as usize..token.range.end as usize]);
        }
        line_start = token.kind == TokenKind::LineBreak;
    }
    flush
}

#[test]
fn programs_are_formatted() {
    for (name, text) in all() {
        match format(&text) {
            Ok(formatted) => assert_eq!(formatted, text, "{name}"),
            Err(FormatError::Syntax(errors)) => panic!("{name}: {}", errors[0].1.message),
            Err(error) => panic!("{name}: {error}"),
        }
    }
}

#[test]
fn indentation_is_made_anew() {
    for (name, text) in all() {
        assert_eq!(format(&flush_left(&text)).as_ref(), Ok(&text), "{name}");
    }
}
