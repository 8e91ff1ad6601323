//! Cutting a file into its items.

use crate::layout::lines::{cannot_begin, goes_on_after, goes_on_before};
use crate::layout::{MAX_DEPTH, Tok, closes, declarator, meant_declarator, opens};
use crate::lex::lex;
use crate::token::{Token, TokenKind};
use smol_str::SmolStr;
use std::ops::Range;
use unicode_ident::is_xid_continue;

/// What a piece of a file declares, as far as its first words tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub enum PieceKind {
    /// `use`.
    Use,
    /// `const`.
    Const,
    /// `type`.
    Type,
    /// `fn`, `node`, `workflow`, `prompt`, `agent`.
    Callable,
    /// `secret`.
    Secret,
    /// `on`.
    On,
    /// `test`.
    Test,
    /// Anything else, and comments after the last item.
    #[default]
    Other,
}

/// A piece of a file: one top-level item with the comments before it. Pieces follow one another without gaps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Its bytes.
    pub range: Range<u32>,
    /// What it declares.
    pub kind: PieceKind,
    /// The declared name; for `use` the path as written, for `test` its text; empty where there is none.
    pub name: SmolStr,
}

/// Cuts a file into its items.
///
/// An item begins with a line outside all brackets that does not go on with the line before and is indented no further than
/// the item before; the comments and annotations above it are its own. A line at the left edge that reads as the head of an
/// item begins one whatever is open before it, so that a missing bracket spoils one item only.
pub fn cut(text: &str) -> Vec<Piece> {
    let tokens = lex(text);
    let starts = starts(text, &tokens);
    let mut pieces = Vec::with_capacity(starts.len());
    for (i, start) in starts.iter().enumerate() {
        let end = starts.get(i + 1).copied().unwrap_or(tokens.len());
        let own = tokens.get(*start..end).unwrap_or_default();
        let (Some(first), Some(last)) = (own.first(), own.last()) else { continue };
        let (kind, name) = declared(text, own);
        pieces.push(Piece { range: first.range.start..last.range.end, kind, name });
    }
    pieces
}

/// Where pieces start, as indices into `tokens`.
fn starts(text: &str, tokens: &[Token]) -> Vec<usize> {
    let mut starts = vec![0];
    let mut open = Vec::new();
    // The line on which the piece's declaration itself begins: its indentation.
    let mut piece_indent = None;
    // The first token after the last line that holds more than comments and annotations.
    let mut after_code = None;
    let (mut indent, mut line_start) = (0, true);
    // The last token that is neither trivia nor of an annotation: whether its line goes on is asked where the next one begins.
    let mut last: Option<&Token> = None;
    let text_of = |token: &Token| &text[token.range.start as usize..token.range.end as usize];
    let goes_on = |last: Option<&Token>| last.is_some_and(|last| goes_on_after(last.kind, text_of(last)));
    let mut i = 0;
    while let Some(token) = tokens.get(i) {
        match token.kind {
            TokenKind::LineBreak => {
                after_code = after_code.or(Some(i + 1));
                (indent, line_start) = (0, true);
            }
            TokenKind::Space if line_start && at_line_start(tokens, i) => indent = text_of(token).len(),
            kind if kind.is_trivia() => {}
            TokenKind::At if line_start && open.is_empty() && !goes_on(last) => {
                i = annotation_end(text, tokens, i);
                // What follows on the line is the declaration.
                continue;
            }
            kind => {
                let is_head = || indent == 0 && starts_item(&text[token.range.start as usize..]);
                let joins = || {
                    let (text, next) = (text_of(token), tokens.get(i + 1).map(|next| next.kind));
                    goes_on(last) || goes_on_before(kind, text, next) || cannot_begin(kind, text, next) || closes(kind)
                };
                // The head of an item that is indented goes on with nothing, so it begins one all the same.
                let begins =
                    || piece_indent.is_none_or(|own| indent <= own) || starts_item(&text[token.range.start as usize..]);
                let is_line = || open.is_empty() && begins() && !joins();
                if line_start && (is_head() || is_line()) {
                    if let (Some(start), Some(_)) = (after_code, piece_indent) {
                        starts.push(start);
                    }
                    open.clear();
                    piece_indent = Some(indent);
                }
                if opens(kind) {
                    open.push(kind);
                } else if closes(kind) {
                    close(&mut open, kind);
                }
                (last, after_code, line_start) = (Some(token), None, false);
            }
        }
        i += 1;
    }
    let rest = after_code.filter(|_| piece_indent.is_some());
    starts.extend(rest.filter(|start| tokens[*start..].iter().any(|t| !t.kind.is_trivia() || t.kind.is_comment())));
    starts
}

/// Whether nothing of its line stands before the token `i`.
fn at_line_start(tokens: &[Token], i: usize) -> bool {
    i.checked_sub(1).is_none_or(|before| matches!(tokens[before].kind, TokenKind::LineBreak | TokenKind::Bom))
}

/// The index after the annotation that begins at `at`.
fn annotation_end(text: &str, tokens: &[Token], at: usize) -> usize {
    let kind = |i: usize| tokens.get(i).map(|token| token.kind);
    let name = at + 1;
    if !matches!(kind(name), Some(TokenKind::Word | TokenKind::Quoted)) {
        return name;
    }
    let open = name + 1 + usize::from(kind(name + 1) == Some(TokenKind::Space));
    if kind(open) != Some(TokenKind::LParen) {
        return name + 1;
    }
    let mut depth = 0_u32;
    for (i, token) in tokens.iter().enumerate().skip(open) {
        if token.kind == TokenKind::LineBreak && starts_item(&text[token.range.end as usize..]) {
            break;
        }
        if opens(token.kind) {
            depth += 1;
        } else if closes(token.kind) {
            depth = depth.saturating_sub(1);
            if depth == 0 {
                return i + 1;
            }
        }
    }
    name + 1
}

fn close(open: &mut Vec<TokenKind>, closer: TokenKind) {
    let opener = |kind: &TokenKind| match closer {
        TokenKind::RParen => *kind == TokenKind::LParen,
        TokenKind::RBracket => *kind == TokenKind::LBracket,
        TokenKind::RBrace => *kind == TokenKind::LBrace,
        TokenKind::InterpolationClose => *kind == TokenKind::InterpolationOpen,
        _ => matches!(kind, TokenKind::StrOpen | TokenKind::LongStrOpen),
    };
    let reach = open.len().saturating_sub(MAX_DEPTH);
    if let Some(depth) = open[reach..].iter().rposition(opener) {
        open.truncate(reach + depth);
    }
}

/// What the tokens of a piece declare, and its name.
fn declared(text: &str, tokens: &[Token]) -> (PieceKind, SmolStr) {
    let text_of = |token: &Token| &text[token.range.start as usize..token.range.end as usize];
    let mut i = 0;
    while let Some(token) = tokens.get(i) {
        match token.kind {
            TokenKind::At => i = annotation_end(text, tokens, i),
            TokenKind::Word if matches!(text_of(token), "pub" | "public" | "export" | "async" | "private") => i += 1,
            kind if kind.is_trivia() => i += 1,
            _ => break,
        }
    }
    let Some(word) = tokens.get(i).filter(|token| token.kind == TokenKind::Word) else { return Default::default() };
    let rest = || tokens[i + 1..].iter().filter(|token| !token.kind.is_trivia()).take(32);
    let Some(first) = rest().next() else { return Default::default() };
    let named = matches!(first.kind, TokenKind::Word | TokenKind::Quoted | TokenKind::StrOpen);
    let meant = declarator(text_of(word)).or_else(|| declarator(meant_declarator(text_of(word)).filter(|_| named)?));
    let name = |token: &Token| SmolStr::from(text_of(token).trim_matches('`'));
    let kind = match meant {
        None => return Default::default(),
        Some(Tok::Use) => {
            let path = rest().take_while(|token| {
                matches!(token.kind, TokenKind::Word | TokenKind::Quoted | TokenKind::Dot) && text_of(token) != "as"
            });
            let path: String = match first.kind {
                TokenKind::StrOpen => rest().nth(1).map_or("", |token| text_of(token)).to_owned(),
                _ => path.map(text_of).collect(),
            };
            let path = path.trim_end_matches('.');
            // `pack acme.search`
            let pack =
                text_of(first) == "pack" && matches!(rest().nth(1), Some(token) if token.kind == TokenKind::Word);
            let path = if pack { format!("pack {}", &path["pack".len()..]) } else { path.to_owned() };
            return (PieceKind::Use, path.into());
        }
        Some(Tok::Test) => {
            let close = tokens.iter().find(|token| matches!(token.kind, TokenKind::StrClose | TokenKind::StrUnclosed));
            let end = close.map_or(first.range.end, |close| close.range.start);
            let name = text.get(first.range.end as usize..end as usize).unwrap_or_default();
            return (PieceKind::Test, name.into());
        }
        Some(Tok::On) => return (PieceKind::On, SmolStr::default()),
        Some(Tok::Const) => PieceKind::Const,
        Some(Tok::Type) => PieceKind::Type,
        Some(Tok::Secret) => PieceKind::Secret,
        Some(_) => PieceKind::Callable,
    };
    if matches!(first.kind, TokenKind::Word | TokenKind::Quoted) {
        return (kind, name(first));
    }
    (kind, SmolStr::default())
}

/// Whether a line reads as the head of an item: a keyword and what must follow it.
pub(crate) fn starts_item(line: &str) -> bool {
    let word = &line[..line.find(|c: char| !c.is_ascii_lowercase()).unwrap_or(line.len())];
    if word.is_empty() {
        return false;
    }
    let line = line.lines().next().unwrap_or_default();
    let rest = line[word.len()..].trim_start_matches([' ', '\t']);
    let after_name = |rest: &str| -> Option<char> {
        let end = match rest.strip_prefix('`') {
            Some(quoted) => quoted.find('`')? + 2,
            None => rest.find(|c: char| !is_xid_continue(c)).unwrap_or(rest.len()),
        };
        if end == 0 {
            return None;
        }
        rest[end..].trim_start().chars().next().or(Some('\n'))
    };
    let spaced = rest.len() + word.len() < line.len();
    match word {
        "test" => rest.starts_with('"'),
        "use" if rest.starts_with('"') => true,
        _ if !spaced => false,
        "use" => {
            let rest = rest.strip_prefix("pack ").unwrap_or(rest);
            let path = rest.find(|c: char| !is_xid_continue(c) && c != '.').unwrap_or(rest.len());
            let rest = &rest[path..];
            path > 0 && (rest.trim().is_empty() || rest.trim_start().starts_with("as ") || rest.starts_with('('))
        }
        "const" => matches!(after_name(rest), Some(':' | '=')),
        "type" => matches!(after_name(rest), Some('(' | '=')),
        "fn" | "node" | "workflow" | "prompt" | "agent" => matches!(after_name(rest), Some('(' | '[')),
        "secret" => matches!(after_name(rest), Some('\n')),
        "on" => matches!(after_name(rest), Some('(')),
        "pub" | "export" => starts_item(rest),
        _ => {
            let callable = || matches!(meant_declarator(word), Some("fn" | "node" | "workflow" | "prompt" | "agent"));
            matches!(after_name(rest), Some('(')) && callable()
        }
    }
}
