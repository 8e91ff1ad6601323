//! The fuzz targets with fixed seeds: a search of bounded length that finds the same every time.

#![expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test may fail")]

use proptest::{
    collection::vec,
    prelude::any,
    test_runner::{Config, RngAlgorithm, TestRng, TestRunner},
};

#[path = "../fuzz/src/lib.rs"]
mod targets;

/// Calls `target` with `cases` random inputs.
fn search(cases: u32, target: fn(&[u8])) {
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[7; 32]);
    let config = Config { cases, failure_persistence: None, ..Config::default() };
    TestRunner::new_with_rng(config, rng)
        .run(&vec(any::<u8>(), 0..200), |data| {
            target(&data);
            Ok(())
        })
        .unwrap();
}

#[test]
fn the_corpus_is_sound_and_formatted() {
    assert_eq!(ntl_syntax::format(targets::CORPUS).as_deref(), Ok(targets::CORPUS));
}

#[test]
fn parser() {
    search(8_000, targets::parser);
}

#[test]
fn formatter() {
    search(8_000, targets::formatter);
}

#[test]
fn plan_loader() {
    search(30_000, targets::plan_loader);
}
