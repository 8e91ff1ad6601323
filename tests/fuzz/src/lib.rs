//! What holds for every input. The fuzz targets call these functions, and so does a seeded test of the workspace.

use ntl_syntax::{FormatError, TokenKind, cut, format, lex, parse_item};

#[path = "../../../runtime/plan/tests/sample/mod.rs"]
mod sample;

/// A program that uses every construct.
pub const CORPUS: &str = include_str!("corpus.ntl");

/// Nothing panics; tokens and pieces, joined, are the text; every error points into it.
pub fn parser(data: &[u8]) {
    let text = &program(data);
    let mut at = 0;
    for token in lex(text) {
        assert_eq!(token.range.start, at, "tokens follow one another");
        at = token.range.end;
    }
    assert_eq!(at as usize, text.len(), "tokens cover the text");

    let mut at = 0;
    for piece in cut(text) {
        assert_eq!(piece.range.start, at, "pieces follow one another");
        at = piece.range.end;
        let item =
            text.get(piece.range.start as usize..piece.range.end as usize).expect("pieces are cut between characters");
        let parsed = parse_item(item);
        for error in &parsed.errors {
            for span in [Some(error.span), error.label.as_ref().map(|label| label.0)].into_iter().flatten() {
                let bytes = parsed.tokens.bytes(span);
                assert!(item.get(bytes.start as usize..bytes.end as usize).is_some(), "{error:?} points into the text");
            }
        }
    }
    assert_eq!(at as usize, text.len(), "pieces cover the text");
}

/// What can be formatted keeps its tokens and comments, and is formatted then.
pub fn formatter(data: &[u8]) {
    let text = &program(data);
    match format(text) {
        Ok(formatted) => {
            assert_eq!(essence(&formatted), essence(text), "formatted: {formatted}");
            assert_eq!(format(&formatted).as_ref(), Ok(&formatted), "from: {text}");
        }
        Err(FormatError::Syntax(errors)) => assert!(!errors.is_empty()),
        Err(error) => panic!("{error}: {text}"),
    }
}

/// Nothing panics; what is read and written again is the same plan.
pub fn plan_loader(data: &[u8]) {
    let (mode, rest) = data.split_first().unwrap_or((&0, &[]));
    // Hardly any bytes have the right checksum, so most are given one.
    let bytes = match mode % 8 {
        0 => rest.to_vec(),
        1 => sealed(rest),
        _ => sealed(&mangled(rest)),
    };
    if let Ok(plan) = ntl_plan::read(&bytes) {
        // Not always the same bytes: those of numbers may be longer than they need to be.
        let written = ntl_plan::write(&plan);
        assert!(written.len() <= bytes.len());
        assert!(ntl_plan::read(&written).as_ref() == Ok(&plan), "{plan:?}");
    }
}

/// The body of a sound plan file with changes chosen by `data`.
fn mangled(data: &[u8]) -> Vec<u8> {
    let file = ntl_plan::write(&sample::sample());
    let mut body = file[HEAD.len()..file.len() - 32].to_vec();
    for edit in data.chunks_exact(4).take(6) {
        let (place, value) = (usize::from(u16::from_le_bytes([edit[0], edit[1]])), edit[3]);
        let at = place % body.len().max(1);
        match edit[2] % 5 {
            0 if at < body.len() => body[at] = value,
            1 if at < body.len() => body[at] ^= 1 << (value % 8),
            2 => drop(body.drain(at..(at + usize::from(value % 4)).min(body.len()))),
            3 => body.extend_from_within(at..(at + usize::from(value % 16)).min(body.len())),
            _ => body.insert(at, value),
        }
    }
    body
}

/// What a plan file begins with.
const HEAD: &[u8] = b"NTLP\x01\x00";

/// A plan file with the body `body`.
fn sealed(body: &[u8]) -> Vec<u8> {
    let mut bytes = [HEAD, body].concat();
    bytes.extend(blake3::hash(&bytes).as_bytes());
    bytes
}

/// The text that `data` stands for: its bytes, or a program that they change.
fn program(data: &[u8]) -> String {
    match data.split_first() {
        Some((mode, edits)) if mode % 4 != 0 => mutated(edits),
        _ => String::from_utf8_lossy(data.get(1..).unwrap_or_default()).into_owned(),
    }
}

/// Some items of the corpus with edits chosen by `data`.
fn mutated(data: &[u8]) -> String {
    let mut data = data.iter().copied();
    // A fuzzer that finds nothing more to choose chooses the first.
    let mut choose = |below: usize| {
        let (high, low) = (data.next().unwrap_or_default(), data.next().unwrap_or_default());
        usize::from(u16::from_le_bytes([low, high])) % below.max(1)
    };
    let pieces = cut(CORPUS);
    let first = choose(pieces.len());
    let last = (first + choose(3)).min(pieces.len().saturating_sub(1));
    let text = match (pieces.get(first), pieces.get(last)) {
        (Some(first), Some(last)) => &CORPUS[first.range.start as usize..last.range.end as usize],
        _ => CORPUS,
    };
    let all = texts(CORPUS);
    let mut tokens = texts(text);
    for _ in 0..choose(6) {
        let at = choose(tokens.len());
        match choose(8) {
            0 if !tokens.is_empty() => drop(tokens.remove(at)),
            1 if !tokens.is_empty() => tokens.insert(at, tokens[at]),
            2 if !tokens.is_empty() => {
                let other = choose(tokens.len());
                tokens.swap(at, other);
            }
            3 if !tokens.is_empty() => tokens[at] = all[choose(all.len())],
            4 => tokens.insert(at, all[choose(all.len())]),
            5 => tokens.insert(at, "\n"),
            6 => tokens.insert(at, " // here\n"),
            _ => tokens.insert(at, ["  ", "\r\n", "\n\n\n", "\t", ",", ";", "(", "}"][choose(8)]),
        }
    }
    tokens.concat()
}

fn texts(text: &str) -> Vec<&str> {
    lex(text).into_iter().map(|t| &text[t.range.start as usize..t.range.end as usize]).collect()
}

/// The tokens and comments of a text but for those that formatting may add and take.
fn essence(text: &str) -> Vec<String> {
    let skipped = |kind| {
        use TokenKind::*;
        matches!(kind, Bom | Space | LineBreak | Comma | Semicolon)
    };
    let tokens = lex(text).into_iter().filter(|t| !skipped(t.kind));
    let texts = tokens.map(|t| &text[t.range.start as usize..t.range.end as usize]);
    texts.map(|t| t.trim_end().replace("\r\n", "\n")).collect()
}
