//! Doc comments.

use crate::token::TokenKind;
use crate::{Tokens, lex};

/// The `///` text before the token `first` of an item, without the slashes; `None` where there is none.
///
/// `text` is the item's text, `tokens` its tokens. Lines are joined with `\n`; one blank after the slashes is left out.
pub fn doc_before(text: &str, tokens: &Tokens, first: u32) -> Option<String> {
    let start = tokens.bytes(crate::ast::Span::new(first, first)).start as usize;
    // The comments before a token stand between it and the token before, so only these lines are looked at.
    let before = text.get(..start)?;
    let after = match first.checked_sub(1) {
        Some(last) => tokens.bytes(crate::ast::Span::new(last, first)).end as usize,
        None => 0,
    };
    let gap = before.get(after..)?;
    let docs = gap.lines().filter_map(|line| line.trim_start().strip_prefix("///").filter(|doc| !doc.starts_with('/')));
    let lines: Vec<_> = docs.collect();
    joined(&lines)
}

/// The `//!` text at the head of a file.
pub fn file_doc(text: &str) -> Option<String> {
    let mut lines = Vec::new();
    for token in lex(text) {
        let text = &text[token.range.start as usize..token.range.end as usize];
        match token.kind {
            TokenKind::FileDoc => lines.push(text.strip_prefix("//!").unwrap_or(text)),
            TokenKind::DocComment => break,
            kind if kind.is_trivia() => {}
            _ => break,
        }
    }
    joined(&lines)
}

/// The lines without the blank that all may begin with, and without those at either end that say nothing.
fn joined(lines: &[&str]) -> Option<String> {
    let lines: Vec<_> = lines.iter().map(|line| line.strip_prefix(' ').unwrap_or(line).trim_end()).collect();
    let text = lines.join("\n");
    let text = text.trim_matches('\n');
    (!text.is_empty()).then(|| text.to_owned())
}
