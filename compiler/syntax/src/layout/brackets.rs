//! Which bracket closes which.

use super::{MAX_DEPTH, Raw};
use crate::token::TokenKind;

/// What stands for a partner where there is none: an opening bracket that is never closed, a closing one that opens nothing.
pub(super) const NONE: u32 = u32::MAX;

/// For every bracket the index of its partner, or [`NONE`]; strs and interpolations are brackets, too.
///
/// Where the plain pairing does not come out, the indentation of lines that begin with `}` decides as well: it tells
/// which of several blocks was forgotten.
pub(super) fn partners(raws: &[Raw]) -> Vec<u32> {
    let (plain, clean) = pair(raws, false);
    if clean { plain } else { pair(raws, true).0 }
}

fn pair(raws: &[Raw], by_indentation: bool) -> (Vec<u32>, bool) {
    let mut partners = vec![NONE; raws.len()];
    let mut open: Vec<usize> = Vec::new();
    let mut clean = true;
    for (i, raw) in raws.iter().enumerate() {
        if opens(raw.kind) {
            open.push(i);
            continue;
        }
        if !closes(raw.kind) {
            continue;
        }
        let Some(depth) = partner(raws, &open, i, by_indentation) else {
            clean = false;
            continue;
        };
        // What is open in a str that ends with its line is no mistake of its own.
        clean &=
            depth + 1 == open.len() && fits(raws[open[depth]].kind, raw.kind) || raw.kind == TokenKind::StrUnclosed;
        partners[i] = open[depth] as u32;
        partners[open[depth]] = i as u32;
        open.truncate(depth);
    }
    (partners, clean && open.is_empty())
}

/// The place in `open` of what the token `i` closes.
fn partner(raws: &[Raw], open: &[usize], i: usize, by_indentation: bool) -> Option<usize> {
    let closer = &raws[i];
    let of_strs = matches!(closer.kind, TokenKind::StrClose | TokenKind::StrUnclosed | TokenKind::InterpolationClose);
    let mut nearest = None;
    // What nests deeper is a mistake anyway; without a limit a long row of stray brackets would take for ever.
    let reach = if of_strs { open.len() } else { MAX_DEPTH };
    for (depth, opener) in open.iter().enumerate().rev().take(reach) {
        let opener = &raws[*opener];
        if fits(opener.kind, closer.kind) {
            let indented_alike = opener.indent == closer.indent;
            if !by_indentation || closer.kind != TokenKind::RBrace || !closer.first || indented_alike {
                return Some(depth);
            }
            nearest = nearest.or(Some(depth));
        }
        // A bracket does not close what stands around the str, or the block of several lines, that it stands in.
        let wall = match opener.kind {
            TokenKind::StrOpen | TokenKind::LongStrOpen | TokenKind::InterpolationOpen => true,
            TokenKind::LBrace => closer.kind != TokenKind::RBrace && opener.line != closer.line,
            _ => false,
        };
        if wall && !of_strs {
            break;
        }
    }
    // `[1, 2)`: the wrong one of two.
    let last = open.last().map(|last| &raws[*last]);
    let mistaken =
        |last: &Raw| last.line == closer.line && matches!(last.kind, TokenKind::LParen | TokenKind::LBracket);
    nearest.or_else(|| open.len().checked_sub(1).filter(|_| !of_strs && last.is_some_and(mistaken)))
}

pub(crate) fn opens(kind: TokenKind) -> bool {
    use TokenKind::*;
    matches!(kind, LParen | LBracket | LBrace | StrOpen | LongStrOpen | InterpolationOpen)
}

pub(crate) fn closes(kind: TokenKind) -> bool {
    use TokenKind::*;
    matches!(kind, RParen | RBracket | RBrace | StrClose | StrUnclosed | InterpolationClose)
}

pub(super) fn fits(opener: TokenKind, closer: TokenKind) -> bool {
    use TokenKind::*;
    match closer {
        RParen => opener == LParen,
        RBracket => opener == LBracket,
        RBrace => opener == LBrace,
        InterpolationClose => opener == InterpolationOpen,
        _ => matches!(opener, StrOpen | LongStrOpen),
    }
}
