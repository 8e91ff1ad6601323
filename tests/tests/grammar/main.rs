//! `grammar/ntl.ebnf` is exact: it derives every program of the repository, and what it derives is parsed without a mistake.

#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::panic,
    reason = "tests read their own files, and may fail"
)]

mod derive;
mod ebnf;
mod recognise;
mod tokens;

use ebnf::Grammar;
use ntl_syntax::{cut, format, parse_item};
use ntl_tests::{entries, root};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use std::path::{Path, PathBuf};

fn grammar() -> Grammar {
    ebnf::parse(&std::fs::read_to_string(root().join("grammar/ntl.ebnf")).unwrap())
}

/// The programs in a folder and its folders.
fn programs(folder: &Path) -> Vec<PathBuf> {
    let inside = |path: PathBuf| if path.is_dir() { programs(&path) } else { vec![path] };
    entries(folder).into_iter().flat_map(inside).filter(|p| p.extension().is_some_and(|e| e == "ntl")).collect()
}

/// The mistakes of form in a text.
fn mistakes(text: &str) -> Vec<String> {
    let items = cut(text).into_iter().map(|p| parse_item(&text[p.range.start as usize..p.range.end as usize]));
    let mistakes = items.flat_map(|parsed| {
        let bytes: Vec<_> = parsed.errors.iter().map(|error| parsed.tokens.bytes(error.span)).collect();
        parsed.errors.into_iter().zip(bytes)
    });
    mistakes.map(|(error, bytes)| format!("{} at {bytes:?} of its item", error.message)).collect()
}

#[test]
fn every_program_is_derived() {
    let grammar = grammar();
    let recogniser = recognise::Recogniser::new(&grammar);
    let folders = ["examples", "stdlib/ntl", "tests/checks", "tests/fuzz/src", "tests/programs"];
    let mut count = 0;
    for path in folders.iter().flat_map(|folder| programs(&root().join(folder))) {
        let text = std::fs::read_to_string(&path).unwrap();
        let sound = mistakes(&text).is_empty();
        match recogniser.furthest(&tokens::of(&text)) {
            None => assert!(sound, "{} has mistakes and yet is derived", path.display()),
            Some(place) => assert!(!sound, "{}: not derived at {place}", path.display()),
        }
        count += usize::from(sound);
    }
    assert!(count > 60, "{count} programs");
}

#[test]
fn every_derivation_is_parsed() {
    let grammar = grammar();
    let recogniser = recognise::Recogniser::new(&grammar);
    let mut runner = TestRunner::new_with_rng(Config::default(), TestRng::from_seed(RngAlgorithm::ChaCha, &[3; 32]));
    for _ in 0..600 {
        let text = derive::file(&grammar, runner.rng());
        assert_eq!(mistakes(&text), [""; 0], "in:\n{text}");
        // Formatting is a second derivation of the same.
        let formatted = format(&text).unwrap_or_else(|error| panic!("{error}:\n{text}"));
        assert_eq!(recogniser.furthest(&tokens::of(&formatted)), None, "{formatted}");
        assert_eq!(format(&formatted).as_ref(), Ok(&formatted), "from:\n{text}");
    }
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
