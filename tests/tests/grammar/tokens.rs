//! The tokens that the grammar speaks of, with the separators that its part "Layout" describes.

use ntl_syntax::{TokenKind, lex};

/// A token, or a separator, whose text is empty.
#[derive(Clone, Debug)]
pub struct Token {
    pub text: String,
    pub kind: TokenKind,
    /// Its line, from 1.
    pub line: usize,
}

impl Token {
    pub fn is_separator(&self) -> bool {
        self.text.is_empty()
    }
}

/// The tokens of a text.
pub fn of(text: &str) -> Vec<Token> {
    let mut tokens: Vec<Token> = Vec::new();
    let mut open = Vec::new();
    let (mut line, mut line_ends) = (1, false);
    let all = lex(text);
    for (i, token) in all.iter().enumerate() {
        let own = &text[token.range.start as usize..token.range.end as usize];
        let separator = Token { text: String::new(), kind: TokenKind::Semicolon, line };
        match token.kind {
            TokenKind::LineBreak => line_ends = true,
            TokenKind::Semicolon => {
                if tokens.last().is_some_and(|last| !last.is_separator()) {
                    tokens.push(separator);
                }
            }
            kind if kind.is_trivia() => {}
            kind => {
                let counts = matches!(open.last(), None | Some(TokenKind::LBrace));
                let next = all[i + 1..].iter().find(|t| !t.kind.is_trivia()).map(|t| t.kind);
                if line_ends && counts && !goes_on(&tokens) && !continues(own, kind, next) {
                    tokens.push(separator);
                }
                line_ends = false;
                use TokenKind::*;
                match kind {
                    LParen | LBracket | LBrace | InterpolationOpen | StrOpen | LongStrOpen => open.push(kind),
                    RParen | RBracket | RBrace | InterpolationClose | StrClose | StrUnclosed => drop(open.pop()),
                    _ => {}
                }
                tokens.push(Token { text: own.to_owned(), kind, line });
            }
        }
        line += own.matches('\n').count();
    }
    tokens
}

/// Whether a line goes on after its last token.
fn goes_on(tokens: &[Token]) -> bool {
    let Some((last, before)) = tokens.split_last() else { return true };
    let is_name = before.last().is_some_and(|t| {
        let declares = ["use", "pack", "const", "type", "fn", "node", "workflow", "prompt", "agent", "secret"];
        matches!(t.kind, TokenKind::Dot | TokenKind::QuestionDot) || declares.contains(&t.text.as_str())
    });
    // `after` is an operator behind an operand only.
    let is_operand = || goes_on(before) || before.last().is_some_and(|t| ["(", "["].contains(&t.text.as_str()));
    let is_name = is_name || last.text == "after" && is_operand();
    match last.kind {
        TokenKind::StrClose | TokenKind::Quoted => false,
        TokenKind::Word if is_name => false,
        TokenKind::Word => ["in", "is", "as", "not", "and", "or", "after", "else"].contains(&last.text.as_str()),
        _ => {
            let signs = "{ . ?. |> .. ..= + - ++ * / % ~/ == != < <= > >= ?? = => -> , |";
            last.is_separator() || signs.split(' ').any(|sign| sign == last.text)
        }
    }
}

/// Whether a line that begins with this token goes on with the line before.
fn continues(text: &str, kind: TokenKind, next: Option<TokenKind>) -> bool {
    match kind {
        TokenKind::Quoted => false,
        TokenKind::Word => {
            let is_name = matches!(next, Some(TokenKind::Eq | TokenKind::Colon));
            !is_name && ["else", "and", "or", "after"].contains(&text)
        }
        _ => [".", "?.", "|>", "|", "??", ")", "]", "}"].contains(&text),
    }
}
