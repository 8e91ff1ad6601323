//! What holds of any text.

use crate::{parse, tree};
use ntl_syntax::{CODES, Token, TokenKind, doc_before, lex};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

const PROGRAMS: &[&str] = &[
    include_str!("../../../../tests/programs/11-match/main.ntl"),
    include_str!("../../../../tests/programs/16-collections/main.ntl"),
    include_str!("../../../../tests/programs/17-strings/main.ntl"),
    include_str!("../../../../tests/programs/09-loops/main.ntl"),
    include_str!("../../../../tests/programs/12-try/main.ntl"),
    include_str!("../../../../tests/checks/30-clean.ntl"),
    "use pack a.b as c\n@x(1) node n[T: key](a: fn(T) -> T?, @key(\"k\") b: stream[T]) -> (a: T per b, c:) js ```\n`x`\n```\n\
     on w(\"/\") as e { @retry(2) f(e) after g }\nsecret S\ntest \"t\" { mock a.b => (c) => d\n assert not e }\n",
];

/// Pieces of text that mean something, to be put together without sense.
const WORDS: &[&str] = &[
    "fn f(",
    "workflow w() {",
    "const X =",
    "type T(",
    "use ",
    "test \"t\" {",
    "on a() {",
    "@a",
    "@b(1)",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "\"",
    "\"\"\"",
    "{x}",
    "r#\"",
    "js ```",
    "```",
    "`",
    "'",
    "\\u{",
    "\\n",
    "if ",
    "else ",
    "match ",
    "for ",
    "in ",
    "loop ",
    "try ",
    "seq ",
    "not ",
    "is ",
    "as ",
    "and ",
    "after ",
    "per ",
    "=> ",
    "-> ",
    "= ",
    "== ",
    "|> ",
    "| ",
    ".. ",
    "..= ",
    "?? ",
    "?. ",
    "? ",
    ". ",
    ", ",
    ": ",
    "; ",
    "\n",
    "\n  ",
    "\r\n",
    "// c\n",
    "/// d\n",
    "#",
    "/*",
    "*/",
    "a ",
    "b: ",
    "_ ",
    "1 ",
    "2.5 ",
    "3s ",
    "4kb ",
    "-",
    "+ ",
    "++",
    "* ",
    "&& ",
    "! ",
    "let ",
    "return ",
    "elif ",
    "True ",
    "é",
    "日",
    "\u{feff}",
];

fn runner(cases: u32) -> TestRunner {
    let config = Config { cases, failure_persistence: None, ..Config::default() };
    TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &[7; 32]))
}

/// The text of a token.
fn text_of<'a>(text: &'a str, token: &Token) -> &'a str {
    &text[token.range.start as usize..token.range.end as usize]
}

/// Whether a token may have no place: it is no significant one, or separates nothing.
fn is_passed_over(token: &Token) -> bool {
    token.kind.is_trivia()
        || token.range.is_empty()
        || matches!(token.kind, ntl_syntax::TokenKind::Comma | ntl_syntax::TokenKind::Semicolon)
}

/// Nothing is lost, every place is one, every tree is well formed, and every code is known.
fn holds(text: &str) {
    let tokens = lex(text);
    assert_eq!(tokens.iter().map(|token| text_of(text, token)).collect::<String>(), text);
    let empty = |token: &&Token| token.range.is_empty() && token.kind != TokenKind::StrUnclosed;
    assert_eq!(tokens.iter().find(empty), None);
    let mut end = 0;
    for (piece, own, parsed) in parse(text) {
        assert_eq!(piece.range.start, end);
        end = piece.range.end;
        tree::item(&parsed.item);
        let of_piece = lex(own);
        let mut seen = 0;
        for i in 0..parsed.tokens.len() {
            let bytes = parsed.tokens.bytes(ntl_syntax::ast::Span::new(i, i + 1));
            assert!(own.get(bytes.start as usize..bytes.end as usize).is_some());
            doc_before(own, &parsed.tokens, i);
            if let Some(lossless) = parsed.tokens.lossless(i) {
                assert_eq!(of_piece[lossless].range, bytes);
                assert!(of_piece[seen..lossless].iter().all(is_passed_over));
                seen = lossless + 1;
            }
        }
        assert!(of_piece[seen..].iter().all(is_passed_over));
        for error in &parsed.errors {
            assert!(CODES.iter().any(|(code, _)| *code == error.code));
            assert!(error.span.first <= error.span.end && error.span.end <= parsed.tokens.len(), "{error:?}");
        }
        if matches!(parsed.item.kind, ntl_syntax::ast::ItemKind::Error) && !parsed.tokens.is_empty() {
            assert!(!parsed.errors.is_empty(), "nothing is said of {own:?}");
        }
    }
    assert_eq!(end as usize, text.len());
}

#[test]
fn any_text() {
    let bytes = proptest::collection::vec(any::<u8>(), 0..80);
    runner(2000)
        .run(&bytes, |bytes| {
            holds(&String::from_utf8_lossy(&bytes));
            Ok(())
        })
        .unwrap();
    runner(1000)
        .run(&any::<String>(), |text| {
            holds(&text);
            Ok(())
        })
        .unwrap();
}

#[test]
fn words_without_sense() {
    let words = proptest::collection::vec(proptest::sample::select(WORDS), 0..40);
    runner(3000)
        .run(&words, |words| {
            holds(&words.concat());
            Ok(())
        })
        .unwrap();
}

#[test]
fn programs_with_a_change() {
    let change = (
        proptest::sample::select(PROGRAMS),
        any::<prop::sample::Index>(),
        0..12_usize,
        proptest::sample::select(WORDS),
    );
    runner(600)
        .run(&change, |(program, at, length, word)| {
            let at = program.floor_char_boundary(at.index(program.len()));
            let end = program.ceil_char_boundary((at + length).min(program.len()));
            holds(&format!("{}{word}{}", &program[..at], &program[end..]));
            Ok(())
        })
        .unwrap();
}

/// White space and comments between tokens, line ends where there were some: the tree is the same to the last span.
#[test]
fn trivia_does_not_change_trees() {
    let trivia = proptest::sample::select(vec![" ", "   ", "\t"]);
    let line = proptest::sample::select(vec!["\n", "\n\n", " // c\n", "\r\n", "\n  // d\n\t"]);
    runner(60)
        .run(&(proptest::sample::select(PROGRAMS), trivia, line), |(program, blank, line)| {
            for (_, own, parsed) in parse(program) {
                let mut changed = String::new();
                for token in lex(own) {
                    match token.kind {
                        TokenKind::Space => changed.push_str(blank),
                        // Inside a long str a line end is text, and no token of its own.
                        TokenKind::LineBreak => changed.push_str(line),
                        kind if kind.is_comment() => changed.push_str("// other"),
                        _ => changed.push_str(text_of(own, &token)),
                    }
                }
                let again = ntl_syntax::parse_item(&changed);
                assert_eq!(again.item, parsed.item, "{changed}");
                assert_eq!(again.errors, []);
            }
            Ok(())
        })
        .unwrap();
}
