//! The lexer: logos, with a stack of modes, since a str holds expressions and these hold strs.

use crate::cut::starts_item;
use crate::number;
use crate::token::{Token, TokenKind};
use logos::{Lexer, Logos};
use std::collections::HashSet;
use unicode_ident::{is_xid_continue, is_xid_start};

/// Cuts a text into its tokens. Joined, their texts are the text. Of a text over 4 GB only the first 4 GB are seen.
pub fn lex(text: &str) -> Vec<Token> {
    let text = &text[..text.floor_char_boundary(u32::MAX as usize)];
    match Lex::new(text, false).run() {
        Ok(tokens) => tokens,
        // A long str is never closed: it ends where the next item seems to begin, so that only its own item suffers.
        Err(_) => match Lex::new(text, true).run() {
            Ok(tokens) | Err(tokens) => tokens,
        },
    }
}

/// What was looked for in vain from some place on: further on it need not be looked for again.
#[derive(Default)]
pub struct NotFound(HashSet<String>);

impl NotFound {
    /// Where in `rest` the end of `close` stands, as `find` finds it.
    fn find(&mut self, close: String, rest: &str, find: impl FnOnce(&str, &str) -> Option<usize>) -> Option<usize> {
        if self.0.contains(&close) {
            return None;
        }
        let end = find(rest, &close);
        if end.is_none() {
            self.0.insert(close);
        }
        end
    }
}

/// What stands inside a str.
#[derive(Logos, Clone, Copy, Debug, PartialEq)]
enum InStr {
    #[regex(r#"[^"\\{}\r\n]+"#)]
    #[regex(r#"\\[nt"\\]"#)]
    #[token("{{")]
    #[token("}}")]
    Text,
    #[regex(r"\\u\{[0-9a-fA-F]+\}")]
    Unicode,
    #[regex(r"\r\n|\n|\r")]
    LineBreak,
    #[token("\"")]
    Quote,
    #[token("\"\"\"")]
    Quotes,
    #[token("{")]
    Open,
    #[token("}")]
    LoneBrace,
    #[regex(r"\\[^\r\n]?")]
    #[regex(r#"\\u\{[^}"{\r\n]*\}?"#, allow_greedy = true)]
    BadEscape,
}

#[derive(Clone, Copy, PartialEq)]
enum Mode {
    Str,
    LongStr,
    /// An interpolation, with the braces that are open in it.
    Interpolation {
        braces: u32,
    },
}

struct Lex<'a> {
    text: &'a str,
    at: usize,
    modes: Vec<Mode>,
    tokens: Vec<Token>,
    /// A line that looks like an item ends a long str.
    cautious: bool,
    not_found: NotFound,
    /// A long str was ended by the text's end.
    unclosed_long_str: bool,
}

impl<'a> Lex<'a> {
    fn new(text: &'a str, cautious: bool) -> Self {
        let tokens = Vec::with_capacity(text.len() / 3);
        Lex {
            text,
            at: 0,
            modes: Vec::new(),
            tokens,
            cautious,
            not_found: NotFound::default(),
            unclosed_long_str: false,
        }
    }

    /// The tokens; as an error where a long str is never closed.
    fn run(mut self) -> Result<Vec<Token>, Vec<Token>> {
        if self.text.starts_with('\u{feff}') {
            self.push(TokenKind::Bom, '\u{feff}'.len_utf8());
        }
        while self.at < self.text.len() {
            match self.modes.last() {
                Some(Mode::Str | Mode::LongStr) => self.inside_str(),
                _ => self.code(),
            }
        }
        self.close_strs(0);
        if self.unclosed_long_str { Err(self.tokens) } else { Ok(self.tokens) }
    }

    /// Adds the token that ends at `end`.
    fn push(&mut self, kind: TokenKind, end: usize) {
        self.tokens.push(Token { kind, range: self.at as u32..end as u32 });
        self.at = end;
    }

    /// Adds text of a str, joined to that before it.
    fn push_text(&mut self, end: usize) {
        match self.tokens.last_mut() {
            Some(last) if last.kind == TokenKind::StrText && last.range.end as usize == self.at => {
                last.range.end = end as u32;
                self.at = end;
            }
            _ => self.push(TokenKind::StrText, end),
        }
    }

    /// Ends all strs from the mode `depth` on, which are not closed.
    fn close_strs(&mut self, depth: usize) {
        while self.modes.len() > depth {
            match self.modes.pop() {
                Some(Mode::Interpolation { .. }) | None => continue,
                Some(Mode::LongStr) => self.unclosed_long_str = true,
                Some(Mode::Str) => {}
            }
            self.push(TokenKind::StrUnclosed, self.at);
        }
    }

    /// Lexes code up to a change of mode.
    fn code(&mut self) {
        let mut lexer = TokenKind::lexer_with_extras(self.text, std::mem::take(&mut self.not_found));
        lexer.bump(self.at);
        self.code_tokens(&mut lexer);
        self.not_found = lexer.extras;
    }

    fn code_tokens(&mut self, lexer: &mut Lexer<'a, TokenKind>) {
        while let Some(kind) = lexer.next() {
            let end = lexer.span().end;
            match kind {
                Ok(TokenKind::Comment) => self.push(comment_kind(lexer.slice()), end),
                Ok(TokenKind::Int) => self.push(number::kind(lexer.slice()), end),
                Ok(TokenKind::Float) => self.push_float(lexer.slice(), end),
                Ok(TokenKind::RawStr | TokenKind::Fence) if !is_closed(lexer.slice()) => {
                    self.push(TokenKind::RawUnclosed, end);
                }
                Ok(kind @ (TokenKind::StrOpen | TokenKind::LongStrOpen)) => {
                    self.modes.push(if kind == TokenKind::StrOpen { Mode::Str } else { Mode::LongStr });
                    return self.push(kind, end);
                }
                Ok(TokenKind::LBrace) => {
                    if let Some(Mode::Interpolation { braces }) = self.modes.last_mut() {
                        *braces += 1;
                    }
                    self.push(TokenKind::LBrace, end);
                }
                Ok(TokenKind::RBrace) => match self.modes.last_mut() {
                    Some(Mode::Interpolation { braces: 0 }) => {
                        self.modes.pop();
                        return self.push(TokenKind::InterpolationClose, end);
                    }
                    Some(Mode::Interpolation { braces }) => {
                        *braces -= 1;
                        self.push(TokenKind::RBrace, end);
                    }
                    _ => self.push(TokenKind::RBrace, end),
                },
                Ok(TokenKind::LineBreak) => {
                    // A str of one line is not closed by then.
                    if let Some(depth) = self.modes.iter().position(|m| *m == Mode::Str) {
                        self.close_strs(depth);
                        self.push(TokenKind::LineBreak, end);
                        return;
                    }
                    self.push(TokenKind::LineBreak, end);
                }
                Ok(kind) => self.push(kind, end),
                Err(()) => return self.other(),
            }
        }
    }

    /// What logos does not know: a name that begins beyond ASCII, or characters that mean nothing.
    fn other(&mut self) {
        let rest = &self.text[self.at..];
        let Some(first) = rest.chars().next() else { return };
        if is_xid_start(first) {
            let length = rest.find(|c| !is_xid_continue(c)).unwrap_or(rest.len());
            return self.push(TokenKind::Word, self.at + length);
        }
        let end = self.at + first.len_utf8();
        match self.tokens.last_mut() {
            Some(last) if last.kind == TokenKind::Unknown && last.range.end as usize == self.at => {
                last.range.end = end as u32;
                self.at = end;
            }
            _ => self.push(TokenKind::Unknown, end),
        }
    }

    /// Adds a float. In `p.0.1` it is two places of tuples.
    fn push_float(&mut self, text: &str, end: usize) {
        let after_dot = self.tokens.last().is_some_and(|t| matches!(t.kind, TokenKind::Dot | TokenKind::QuestionDot));
        match text.split_once('.') {
            Some((first, _)) if after_dot => {
                let dot = self.at + first.len();
                self.push(number::kind(first), dot);
                self.push(TokenKind::Dot, dot + 1);
                self.push(number::kind(&self.text[dot + 1..end]), end);
            }
            _ => self.push(number::kind(text), end),
        }
    }

    /// Lexes the inside of a str up to a change of mode.
    fn inside_str(&mut self) {
        let long = self.modes.last() == Some(&Mode::LongStr);
        let mut lexer = InStr::lexer(self.text);
        lexer.bump(self.at);
        while let Some(part) = lexer.next() {
            let end = lexer.span().end;
            match part {
                Ok(InStr::Text) => self.push_text(end),
                Ok(InStr::Unicode) if unicode_escape(lexer.slice()).is_some() => self.push_text(end),
                Ok(InStr::LineBreak) if long && self.cautious && begins_item(&self.text[end..]) => {
                    return self.close_strs(0);
                }
                Ok(InStr::Quote | InStr::LineBreak) if long => self.push_text(end),
                Ok(InStr::LineBreak) => {
                    let depth = self.modes.iter().position(|m| *m == Mode::Str).unwrap_or(0);
                    return self.close_strs(depth);
                }
                Ok(InStr::Quotes) if long => {
                    self.modes.pop();
                    return self.push(TokenKind::StrClose, end);
                }
                Ok(InStr::Quote | InStr::Quotes) => {
                    self.modes.pop();
                    return self.push(TokenKind::StrClose, self.at + 1);
                }
                Ok(InStr::Open) => {
                    self.modes.push(Mode::Interpolation { braces: 0 });
                    return self.push(TokenKind::InterpolationOpen, end);
                }
                Ok(InStr::LoneBrace) => self.push(TokenKind::LoneBrace, end),
                Ok(InStr::BadEscape | InStr::Unicode) | Err(()) => self.push(TokenKind::BadEscape, end),
            }
        }
    }
}

/// Takes in the letters beyond ASCII of a name that begins with one of ASCII.
pub(crate) fn word(lexer: &mut Lexer<'_, TokenKind>) {
    let rest = lexer.remainder();
    if rest.bytes().next().is_some_and(|b| b >= 0x80) {
        let length = rest.find(|c| !is_xid_continue(c)).unwrap_or(rest.len());
        lexer.bump(length);
    }
}

/// Takes in a raw str up to its end; `r"` ends with its line at the latest.
pub(crate) fn raw_str(lexer: &mut Lexer<'_, TokenKind>) {
    let hashes = lexer.slice().len() - 2;
    let rest = lexer.remainder();
    let line_end = || rest.find(['\r', '\n']).unwrap_or(rest.len());
    let length = if hashes == 0 {
        let end = line_end();
        rest[..end].find('"').map_or(end, |quote| quote + 1)
    } else {
        let close = format!("\"{}", "#".repeat(hashes));
        let end = lexer.extras.find(close, rest, |rest, close| rest.find(close).map(|at| at + close.len()));
        end.unwrap_or_else(|| unclosed_length(rest))
    };
    lexer.bump(length);
}

/// Takes in code up to a run of as many backticks as opened it.
pub(crate) fn fence(lexer: &mut Lexer<'_, TokenKind>) {
    let ticks = lexer.slice().len();
    let rest = lexer.remainder();
    let end = lexer.extras.find("`".repeat(ticks), rest, |rest, close| {
        let mut from = 0;
        loop {
            let at = from + rest[from..].find('`')?;
            let run = rest[at..].bytes().take_while(|b| *b == b'`').count();
            if run == close.len() {
                return Some(at + run);
            }
            from = at + run;
        }
    });
    lexer.bump(end.unwrap_or_else(|| unclosed_length(rest)));
}

/// Takes in a comment of another language.
pub(crate) fn block_comment(lexer: &mut Lexer<'_, TokenKind>) {
    let rest = lexer.remainder();
    let end = lexer.extras.find("*/".to_owned(), rest, |rest, close| rest.find(close).map(|at| at + close.len()));
    let length = end.unwrap_or_else(|| rest.find(['\r', '\n']).unwrap_or(rest.len()));
    lexer.bump(length);
}

/// How far a text reaches that is never closed: up to the end of the line before the next item.
fn unclosed_length(rest: &str) -> usize {
    let mut end = 0;
    for line in rest.split_inclusive('\n') {
        if end > 0 && begins_item(line) {
            return rest[..end].trim_end_matches(['\r', '\n']).len();
        }
        end += line.len();
    }
    end
}

/// Whether a line seems to begin an item with all that belongs to it: docs and annotations, too.
fn begins_item(line: &str) -> bool {
    line.starts_with("///") || line.starts_with('@') || starts_item(line)
}

/// Whether a raw str or fence, taken in as above, has its end.
fn is_closed(token: &str) -> bool {
    let run = |text: &str, of: u8| text.bytes().take_while(|b| *b == of).count();
    if let Some(raw) = token.strip_prefix('r') {
        let (hashes, body) = raw.split_at(run(raw, b'#'));
        return body.strip_suffix(hashes).is_some_and(|body| body.len() > 1 && body.ends_with('"'));
    }
    let (ticks, body) = token.split_at(run(token, b'`'));
    body.len() >= ticks.len() && body.bytes().rev().take_while(|b| *b == b'`').count() == ticks.len()
}

fn comment_kind(text: &str) -> TokenKind {
    if text.starts_with("///") && !text.starts_with("////") {
        TokenKind::DocComment
    } else if text.starts_with("//!") {
        TokenKind::FileDoc
    } else {
        TokenKind::Comment
    }
}

/// The character of `\u{1F600}`; `None` if there is none.
pub(crate) fn unicode_escape(escape: &str) -> Option<char> {
    let digits = escape.strip_prefix("\\u{")?.strip_suffix('}')?;
    u32::from_str_radix(digits, 16).ok().and_then(char::from_u32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use TokenKind::*;

    /// Kind and text of every token that is no white space.
    fn tokens(text: &str) -> Vec<(TokenKind, &str)> {
        let tokens = lex(text);
        assert_eq!(
            tokens.iter().map(|t| &text[t.range.start as usize..t.range.end as usize]).collect::<String>(),
            text
        );
        tokens
            .into_iter()
            .filter(|t| t.kind != Space)
            .map(|t| (t.kind, &text[t.range.start as usize..t.range.end as usize]))
            .collect()
    }

    fn kinds(text: &str) -> Vec<TokenKind> {
        tokens(text).into_iter().map(|t| t.0).collect()
    }

    #[test]
    fn numbers() {
        assert_eq!(
            kinds("42 1_000 0xff 1.5 2e-3 1E9 1h30m 250ms 64kb 7d 12b"),
            [Int, Int, Int, Float, Float, Float, Duration, Duration, Size, Duration, Size]
        );
        assert_eq!(kinds("1_ 0x 0b1 3px 1.5s 30m1h 1m_ 1.0_ 1e 5KB"), [BadNumber; 10]);
    }

    #[test]
    fn dots() {
        assert_eq!(tokens("1..10"), [(Int, "1"), (DotDot, ".."), (Int, "10")]);
        assert_eq!(tokens("1..=2"), [(Int, "1"), (DotDotEq, "..="), (Int, "2")]);
        let place = [(Word, "p"), (Dot, "."), (Int, "0"), (Dot, "."), (Int, "1"), (Dot, "."), (Int, "2")];
        assert_eq!(tokens("p.0.1.2"), place);
        assert_eq!(tokens("1.5.round"), [(Float, "1.5"), (Dot, "."), (Word, "round")]);
    }

    #[test]
    fn strs_hold_expressions_that_hold_strs() {
        assert_eq!(
            tokens(r#""a{f("{x}}}", {1})}b""#),
            [
                (StrOpen, "\""),
                (StrText, "a"),
                (InterpolationOpen, "{"),
                (Word, "f"),
                (LParen, "("),
                (StrOpen, "\""),
                (InterpolationOpen, "{"),
                (Word, "x"),
                (InterpolationClose, "}"),
                (StrText, "}}"),
                (StrClose, "\""),
                (Comma, ","),
                (LBrace, "{"),
                (Int, "1"),
                (RBrace, "}"),
                (RParen, ")"),
                (InterpolationClose, "}"),
                (StrText, "b"),
                (StrClose, "\""),
            ]
        );
        assert_eq!(
            kinds(r#""" """""" """a"b""c""""#),
            [StrOpen, StrClose, LongStrOpen, StrClose, LongStrOpen, StrText, StrClose]
        );
    }

    #[test]
    fn escapes() {
        assert_eq!(kinds(r#""\n\t\"\\\u{1F600}{{}}""#), [StrOpen, StrText, StrClose]);
        for bad in [r"\s", r"\u{110000}", r"\u{D800}", r"\u{}", r"\u{12", r"\u", "}"] {
            let text = format!("\"a{bad} \"");
            let (kind, found) = tokens(&text)[2];
            assert_eq!((kind, found), (if bad == "}" { LoneBrace } else { BadEscape }, found), "{bad}");
            assert!(found.starts_with(bad.get(..2).unwrap_or(bad)), "{bad}: {found}");
            assert_eq!(kinds(&text).last(), Some(&StrClose), "{bad}");
        }
    }

    #[test]
    fn a_str_ends_with_its_line() {
        assert_eq!(kinds("\"a\nb"), [StrOpen, StrText, StrUnclosed, LineBreak, Word]);
        assert_eq!(
            kinds("\"a{f(\"b\nc"),
            [
                StrOpen,
                StrText,
                InterpolationOpen,
                Word,
                LParen,
                StrOpen,
                StrText,
                StrUnclosed,
                StrUnclosed,
                LineBreak,
                Word
            ]
        );
        assert_eq!(kinds("\"a{x\r\n}"), [StrOpen, StrText, InterpolationOpen, Word, StrUnclosed, LineBreak, RBrace]);
    }

    #[test]
    fn what_is_never_closed_ends_before_the_next_item() {
        let next = [Word, Word, LParen, RParen];
        for open in ["\"\"\"", "r#\"", "js ```"] {
            let text = format!("{open} text\nconst\nfn f()");
            assert_eq!(kinds(&text)[kinds(&text).len() - 4..], next, "{open}");
        }
        assert_eq!(kinds("r\"a\nb"), [RawUnclosed, LineBreak, Word]);
        // Inside a long str that is closed nothing is an item.
        assert_eq!(kinds("\"\"\"\nfn f()\n\"\"\""), [LongStrOpen, StrText, StrClose]);
    }

    #[test]
    fn raw_strs_and_fences() {
        assert_eq!(kinds(r##"r"\d{2}" r#"a"b"# r"##), [RawStr, RawStr, Word]);
        assert_eq!(tokens("js ```a`b``c```"), [(Word, "js"), (Fence, "```a`b``c```")]);
        assert_eq!(tokens("````a```b````"), [(Fence, "````a```b````")]);
        assert_eq!(kinds("``````"), [RawUnclosed]);
    }

    #[test]
    fn names_and_foreign_things() {
        assert_eq!(
            tokens("größe éa a\u{301} `a b` x€$y"),
            [
                (Word, "größe"),
                (Word, "éa"),
                (Word, "a\u{301}"),
                (Quoted, "`a b`"),
                (Word, "x"),
                (Unknown, "€$"),
                (Word, "y"),
            ]
        );
        assert_eq!(
            kinds("'a\\'b' && || ! !== === /* x */ # x"),
            [SingleQuoted, AndAnd, OrOr, Bang, NotEqEq, EqEqEq, BlockComment, HashComment]
        );
        assert_eq!(
            kinds("\u{feff}//! a\n/// b\n//// c\n// d"),
            [Bom, FileDoc, LineBreak, DocComment, LineBreak, Comment, LineBreak, Comment]
        );
    }
}
