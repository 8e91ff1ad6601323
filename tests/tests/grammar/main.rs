//! `grammar/ntl.ebnf` is exact: it derives every program of the repository, and what it derives is parsed without a mistake.

#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::panic,
    reason = "tests read their own files, and may fail"
)]

mod derive;
mod ebnf;
mod mutate;
mod recognise;
mod tokens;

use ebnf::Grammar;
use ntl_syntax::{cut, format, parse_item};
use ntl_tests::{entries, root, spec};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use std::path::{Path, PathBuf};

fn grammar() -> Grammar {
    ebnf::parse(&std::fs::read_to_string(root().join("grammar/ntl.ebnf")).unwrap())
}

/// The programs of the repository: its files, and the blocks of its chapters, each with where it stands.
fn corpus() -> Vec<(String, String)> {
    let folders = ["examples", "stdlib/ntl", "tests/checks", "tests/fuzz/src", "tests/programs"];
    let paths = folders.iter().flat_map(|folder| files(&root().join(folder), "ntl"));
    let mut programs: Vec<_> =
        paths.map(|path| (path.display().to_string(), std::fs::read_to_string(path).unwrap())).collect();
    let pages = ["README.md", "grammar/REFERENCE.md"].map(|page| root().join(page));
    for path in files(&root().join("tests/spec"), "md").into_iter().chain(pages) {
        let chapter = spec::parse(&std::fs::read_to_string(&path).unwrap()).unwrap();
        let block = |(line, text): (usize, &str)| (format!("{}:{line}", path.display()), text.to_owned());
        programs.extend(chapter.programs().map(block));
    }
    programs
}

/// The files in a folder and its folders that end so.
fn files(folder: &Path, end: &str) -> Vec<PathBuf> {
    let inside = |path: PathBuf| if path.is_dir() { files(&path, end) } else { vec![path] };
    entries(folder).into_iter().flat_map(inside).filter(|p| p.extension().is_some_and(|e| e == end)).collect()
}

/// The mistakes of form in a text. That a number is too large is none.
fn mistakes(text: &str) -> Vec<String> {
    mistakes_but(text, &["E0005"])
}

/// The mistakes in a text but for those of some codes.
fn mistakes_but(text: &str, codes: &[&str]) -> Vec<String> {
    let items = cut(text).into_iter().map(|p| parse_item(&text[p.range.start as usize..p.range.end as usize]));
    let mistakes = items.flat_map(|parsed| {
        let of_form = parsed.errors.into_iter().filter(|error| !codes.contains(&error.code));
        of_form.map(|error| (parsed.tokens.bytes(error.span), error)).collect::<Vec<_>>()
    });
    mistakes.map(|(bytes, error)| format!("{} at {bytes:?} of its item", error.message)).collect()
}

#[test]
fn every_program_is_derived() {
    let grammar = grammar();
    let recogniser = recognise::Recogniser::new(&grammar);
    let mut count = 0;
    for (place, text) in corpus() {
        // The recogniser lets a `try` in a head through.
        let sound = mistakes_but(&text, &["E0005", "E0110"]).is_empty();
        match recogniser.furthest(&tokens::of(&text)) {
            None => assert!(sound, "{place} has mistakes and yet is derived"),
            Some(token) => assert!(!sound, "{place}: not derived at {token}"),
        }
        count += usize::from(sound);
    }
    assert!(count > 200, "{count} programs");
}

#[test]
fn every_derivation_is_parsed() {
    let grammar = grammar();
    let recogniser = recognise::Recogniser::new(&grammar);
    let mut runner = TestRunner::new_with_rng(Config::default(), TestRng::from_seed(RngAlgorithm::ChaCha, &[3; 32]));
    for _ in 0..2_000 {
        let text = derive::file(&grammar, runner.rng());
        assert_eq!(mistakes(&text), [""; 0], "in:\n{text}");
        // Formatting is a second derivation of the same.
        let formatted = format(&text).unwrap_or_else(|error| panic!("{error}:\n{text}"));
        assert_eq!(recogniser.furthest(&tokens::of(&formatted)), None, "{formatted}");
        assert_eq!(format(&formatted).as_ref(), Ok(&formatted), "from:\n{text}");
    }
}

/// How many mutants of each item of the corpus are looked at.
const MUTANTS: usize = 4;

#[test]
fn mutants_are_parsed_where_they_are_derived() {
    let grammar = grammar();
    let recogniser = recognise::Recogniser::new(&grammar);
    let sound = corpus().into_iter().map(|(_, text)| text).filter(|text| mistakes(text).is_empty());
    let items: Vec<String> = sound.flat_map(|text| mutate::items(&text)).collect();
    let (mut count, mut derived, mut read, mut unread) = (0, 0, Vec::new(), Vec::new());
    for text in items.iter().flat_map(|item| mutate::mutants(item, MUTANTS)) {
        let mistakes = mistakes(&text);
        count += 1;
        match (recogniser.furthest(&tokens::of(&text)), mistakes.first()) {
            (Some(token), None) => read.push(format!("not derived at {token}:\n{text}")),
            (None, Some(mistake)) => unread.push(format!("{mistake}:\n{text}")),
            (Some(_), Some(_)) => {}
            (None, None) => derived += 1,
        }
    }
    assert!(derived * 10 > count && derived * 2 < count, "{derived} of {count} are derived");
    assert!(read.is_empty(), "{} are read, but not derived:\n{}", read.len(), read.join("\n----\n"));
    // Of two readings the grammar says in words only which one is taken.
    assert!(unread.len() * 1_000 < count, "{} are derived, but not read:\n{}", unread.len(), unread.join("\n----\n"));
}

#[test]
fn patterns_of_tokens_are_those_of_the_lexer() {
    let grammar = grammar();
    for (class, yes, no) in [
        ("NAME", "a größe _x1 `a b` loop", "if 1a true `` a-b"),
        ("WORD", "if true a", "1 `"),
        ("INT", "0 42 1_000 0xfF", "1_ _1 0x 1.0 0b1 1__"),
        ("FLOAT", "1.5 2e-3 1E9 1_0.0_1", "1. .5 1e 1.5s"),
        ("DURATION", "30s 1h30m 250ms 7d 1us", "30 1m1h 1x"),
        ("SIZE", "64kb 1gb 12b", "5KB 1tb"),
    ] {
        let fits = |text: &str| grammar.fits(class, text);
        assert!(yes.split(' ').filter(|t| *t != "b`" && *t != "`a").all(fits), "{class}: {yes}");
        assert!(!no.split(' ').any(fits), "{class}: {no}");
    }
}
