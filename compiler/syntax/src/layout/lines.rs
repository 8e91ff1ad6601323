//! Where a line goes on.

use super::Tok;
use crate::token::TokenKind;

/// Whether a line that ends with this token goes on with the next line.
pub(crate) fn goes_on_after(kind: TokenKind, text: &str) -> bool {
    match kind {
        TokenKind::Word => matches!(text, "and" | "or" | "not" | "in" | "is" | "as" | "after" | "else"),
        TokenKind::AndAnd | TokenKind::OrOr | TokenKind::Bang | TokenKind::EqEqEq | TokenKind::NotEqEq => true,
        TokenKind::Semicolon => false,
        kind => Tok::plain(kind).is_some_and(Tok::goes_on),
    }
}

/// Whether a line that begins with this token goes on with the line before; `next` comes after it.
pub(crate) fn goes_on_before(kind: TokenKind, text: &str, next: Option<TokenKind>) -> bool {
    use TokenKind::*;
    match kind {
        Dot | QuestionDot | Pipe | Bar | Coalesce | AndAnd | OrOr => true,
        Word => {
            let joins = matches!(text, "else" | "and" | "or" | "after" | "elif" | "elseif" | "elsif");
            joins && !matches!(next, Some(Eq | Colon))
        }
        _ => false,
    }
}

/// Whether nothing begins with this token, so that the line before was surely meant to go on.
pub(crate) fn cannot_begin(kind: TokenKind, text: &str, next: Option<TokenKind>) -> bool {
    use TokenKind::*;
    match kind {
        Word => matches!(text, "in" | "is" | "as") && !matches!(next, Some(Eq | Colon)),
        LBrace | Eq | FatArrow | Arrow | Comma | Plus | PlusPlus | Star | Slash | Percent | IntDiv | DotDot
        | DotDotEq => true,
        EqEq | NotEq | EqEqEq | NotEqEq | Less | LessEq | Greater | GreaterEq => true,
        _ => false,
    }
}
