//! The parser from outside: texts in, trees and messages out.

mod corpus;
mod cut;
mod docs;
mod errors;
mod limits;
mod properties;
mod tree;
mod trees;

use ntl_syntax::{Parsed, Piece, cut, parse_item};

/// Compares with a file beside the tests; the sources stand in it, too.
macro_rules! snapshot {
    ($text:expr) => {
        insta::with_settings!({omit_expression => true}, { insta::assert_snapshot!($text) })
    };
}
pub(crate) use snapshot;

/// Every piece of a text with its own text and what it parses to.
pub fn parse(text: &str) -> Vec<(Piece, &str, Parsed)> {
    let pieces = cut(text).into_iter();
    pieces
        .map(|piece| {
            let own = &text[piece.range.start as usize..piece.range.end as usize];
            (piece, own, parse_item(own))
        })
        .collect()
}

/// A text's mistakes as lines: line and column, code, message, what is marked, label, help and fix.
pub fn mistakes(text: &str) -> String {
    let mut out = String::new();
    for (piece, own, parsed) in parse(text) {
        for error in &parsed.errors {
            let bytes = parsed.tokens.bytes(error.span);
            let at = piece.range.start as usize + bytes.start as usize;
            let line = text[..at].matches('\n').count() + 1;
            let column = text[..at].chars().rev().take_while(|c| *c != '\n').count() + 1;
            let marked = &own[bytes.start as usize..bytes.end as usize];
            out += &format!("{line}:{column} {} {}", error.code, error.message);
            out += &format!(" ‹{}›", marked.replace('\n', "⏎"));
            if let Some((span, label)) = &error.label {
                let place = parsed.tokens.bytes(*span);
                let line = text[..(piece.range.start + place.start) as usize].matches('\n').count() + 1;
                out += &format!("\n      at line {line}: {label}");
            }
            if let Some(help) = &error.help {
                out += &format!("\n      help: {help}");
            }
            if let Some(fix) = &error.fix {
                out += &format!("\n      fix: {fix:?}");
            }
            out.push('\n');
        }
    }
    out
}
