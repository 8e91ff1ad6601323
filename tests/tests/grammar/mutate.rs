//! Items of programs with a token changed.

use ntl_syntax::{cut, lex};
use proptest::prelude::RngExt;
use proptest::test_runner::{RngAlgorithm, TestRng};
use std::ops::Range;

/// What comes in besides an item's own tokens.
const NEW: [&str; 48] = [
    "(", ")", "[", "]", "{", "}", ",", ":", ";", ".", "?.", "..", "=", "==", "=>", "->", "|", "|>", "?", "??", "+",
    "-", "*", "@", "\n", "if", "else", "match", "for", "in", "loop", "try", "seq", "not", "and", "as", "is", "after",
    "null", "fn", "type", "use", "x", "_", "`a b`", "1", "2.5", "\"s\"",
];

/// The items of a program, but for long ones.
pub fn items(text: &str) -> Vec<String> {
    let pieces = cut(text).into_iter().map(|p| text[p.range.start as usize..p.range.end as usize].to_owned());
    pieces.filter(|text| (1..250).contains(&tokens(text).len())).collect()
}

/// Versions of an item in which a token is missing, stands twice, has changed places with its neighbour, is another one
/// or is new. They depend on the item alone.
pub fn mutants(item: &str, count: usize) -> Vec<String> {
    let mut rng = TestRng::from_seed(RngAlgorithm::ChaCha, blake3::hash(item.as_bytes()).as_bytes());
    let tokens = tokens(item);
    (0..count).map(|_| mutant(item, &tokens, &mut rng)).collect()
}

fn tokens(text: &str) -> Vec<Range<usize>> {
    let tokens = lex(text).into_iter().filter(|token| !token.kind.is_trivia());
    tokens.map(|token| token.range.start as usize..token.range.end as usize).collect()
}

fn mutant(item: &str, tokens: &[Range<usize>], rng: &mut TestRng) -> String {
    let at = rng.random_range(0..tokens.len());
    let token = tokens[at].clone();
    let own = &item[token.clone()];
    let (place, new) = match rng.random_range(0..5) {
        0 => (token, String::new()),
        1 => (token, format!("{own} {own}")),
        2 => match tokens.get(at + 1) {
            Some(next) => {
                let swapped = format!("{}{}{own}", &item[next.clone()], &item[token.end..next.start]);
                (token.start..next.end, swapped)
            }
            None => (token, String::new()),
        },
        kind => {
            let new = match rng.random_range(0..NEW.len() + tokens.len()) {
                i if i < NEW.len() => NEW[i],
                i => &item[tokens[i - NEW.len()].clone()],
            };
            if kind == 3 { (token, new.to_owned()) } else { (token.start..token.start, format!("{new} ")) }
        }
    };
    let mut text = item.to_owned();
    text.replace_range(place, &new);
    text
}
