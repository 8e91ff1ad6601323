//! Mistakes inside tokens, and words of other languages: each is reported with what is written here instead, and the
//! grammar reads what was meant.

use super::frame::Inside;
use super::words::declarator;
use super::{Layouter, Tok};
use crate::ast::Span;
use crate::error::{self, SyntaxError, shortened};
use crate::token::TokenKind;

impl Layouter<'_> {
    /// Reports that the token `i` is not written like this here.
    fn foreign(&mut self, code: &'static str, message: String, help: &str, fix: Option<&str>) {
        let error = SyntaxError::new(code, self.next_span(), message).help(help);
        self.report(match fix {
            Some(fix) => error.fix(fix),
            None => error,
        });
    }

    /// Lays out a token that is a mistake.
    pub(super) fn mistake(&mut self, i: usize) {
        let text = self.text(i);
        let here = self.next_span();
        match self.raws[i].kind {
            TokenKind::AndAnd => self.operator(i, Tok::And, "and"),
            TokenKind::OrOr => self.operator(i, Tok::Or, "or"),
            TokenKind::Bang => self.operator(i, Tok::Not, "not"),
            TokenKind::EqEqEq => self.operator(i, Tok::EqEq, "=="),
            TokenKind::NotEqEq => self.operator(i, Tok::NotEq, "!="),
            TokenKind::SingleQuoted => self.single_quoted(i),
            TokenKind::RawUnclosed => self.raw_unclosed(i),
            TokenKind::BadEscape => {
                let (help, fix) = escape_help(text);
                let error =
                    SyntaxError::new(error::BAD_ESCAPE, here, format!("there is no escape `{}`", shortened(text)))
                        .help(help);
                self.report(match fix {
                    Some(fix) => error.fix(fix),
                    None => error,
                });
                self.skip(i);
            }
            TokenKind::LoneBrace => {
                let error = SyntaxError::new(error::LONE_BRACE, here, "a lone `}` in a str");
                self.report(error.help("write `}}` for a brace; `{` and `}` hold an expression").fix("}}"));
                self.skip(i);
            }
            TokenKind::BadNumber => {
                let error = SyntaxError::new(error::BAD_NUMBER, here, format!("`{}` is not a number", shortened(text)));
                self.report(error.help(number_help(text)));
                self.bad(i);
            }
            TokenKind::BadQuoted => {
                let error = SyntaxError::new(error::BAD_NAME, here, "this name in backticks is not closed");
                self.report(error.help("a name in backticks ends on its line and is not empty: `` `a b` ``"));
                self.bad(i);
            }
            TokenKind::HashComment | TokenKind::BlockComment => self.foreign_comment(i),
            _ => self.unknown(i),
        }
    }

    fn single_quoted(&mut self, i: usize) {
        let content = self.text(i).trim_matches('\'').replace("\\'", "'");
        let content = content.replace('"', "\\\"").replace('{', "{{").replace('}', "}}");
        self.foreign(
            error::SINGLE_QUOTES,
            "a str stands in double quotes".to_owned(),
            "write `\"…\"` instead of `'…'`",
            Some(&format!("\"{content}\"")),
        );
        self.feed(i, Tok::SingleQuoted);
    }

    fn raw_unclosed(&mut self, i: usize) {
        let text = self.text(i);
        let run = |text: &str, of: char| text.chars().take_while(|c| *c == of).count();
        let (tok, what, close) = match text.strip_prefix('r') {
            Some(rest) => (Tok::RawStr, "raw str", format!("\"{}", "#".repeat(run(rest, '#')))),
            None => (Tok::Fence, "code", "`".repeat(run(text, '`'))),
        };
        let error = SyntaxError::new(error::UNCLOSED_STR, self.next_span(), format!("this {what} is never closed"));
        self.report(error.help(format!("close it with `{close}`")));
        self.feed(i, tok);
        self.told();
    }

    fn operator(&mut self, i: usize, tok: Tok, ours: &str) {
        let (found, next) = (self.raws[i], self.raws.get(i + 1));
        // A word must not grow together with what stands beside the operator.
        let spaced = !ours.starts_with(char::is_alphabetic) || next.is_some_and(|next| next.start > found.end);
        let fix = if spaced { ours.to_owned() } else { format!("{ours} ") };
        let text = self.text(i);
        self.foreign(
            error::FOREIGN_OPERATOR,
            format!("`{text}` is written `{ours}`"),
            &format!("write `{ours}` instead of `{text}`"),
            Some(&fix),
        );
        self.feed(i, tok);
    }

    /// Hands on an operand that cannot be read.
    fn bad(&mut self, i: usize) {
        self.told();
        self.feed(i, Tok::Bad);
        self.told();
    }

    fn foreign_comment(&mut self, i: usize) {
        let again = i > 0 && self.raws[i - 1].kind == self.raws[i].kind;
        let text = self.text(i);
        if !again {
            let (sign, fix) = match text.strip_prefix('#') {
                Some(rest) => ("#", Some(format!("//{rest}"))),
                None => ("/*", None),
            };
            self.foreign(
                error::FOREIGN_COMMENT,
                "a comment begins with `//`".to_owned(),
                &format!("write `// …` instead of `{sign}`, on each line of it"),
                fix.as_deref(),
            );
        }
        self.skip(i);
    }

    fn unknown(&mut self, i: usize) {
        let raw = self.raws[i];
        self.told();
        if self.last_unknown_line != raw.line {
            self.last_unknown_line = raw.line;
            let text = self.text(i);
            let shown: String = text.chars().take(8).collect();
            let error =
                SyntaxError::new(error::UNKNOWN_CHARACTER, self.next_span(), format!("`{shown}` means nothing here"));
            self.report(match text.chars().next() {
                Some('“' | '”' | '„' | '‘' | '’') => {
                    error.help("a str stands in straight double quotes: `\"…\"`")
                }
                Some(c) if c.is_whitespace() => {
                    let error = SyntaxError { message: "this blank is no ordinary one".to_owned(), ..error };
                    error.help("write an ordinary blank").fix(" ".repeat(text.chars().count()))
                }
                Some('\'') => error.help("a str stands in double quotes: `\"…\"`"),
                Some('&') => error.help("`and` joins conditions"),
                Some(c) if c.is_control() => {
                    SyntaxError { message: format!("a control character (U+{:04X})", c as u32), ..error }
                }
                _ => error,
            });
        }
        self.skip(i);
    }

    /// Leaves out the format after the `:` at `i`, as in `{x:.2f}`; the index of what comes after it.
    pub(super) fn format(&mut self, i: usize) -> usize {
        let close = self.partners[self.frame().opener] as usize;
        let end = close.min(self.raws.len());
        let span = Span::new(self.out.tokens.len(), self.out.tokens.len() + (end - i) as u32);
        let error = SyntaxError::new(error::UNEXPECTED, span, "a str has no formats");
        self.report(error.help("format the value itself: `{round(x, 2)}`, `{name.pad_left(8)}`"));
        for skipped in i..end {
            self.skip(skipped);
        }
        end
    }

    /// Reports the str that the token `i` shows to be unclosed.
    pub(super) fn unclosed_str(&mut self, i: usize, opener_place: u32, in_interpolation: bool) {
        let end = self.out.tokens.len();
        let place = self.out.tokens.places.get(opener_place as usize).map_or(0, |place| place.start);
        let written = self.text.get(place as usize..self.raws[i].start as usize).unwrap_or_default();
        if written.starts_with("\"\"\"") {
            let span = Span::new(opener_place, opener_place + 1);
            let error = SyntaxError::new(error::UNCLOSED_STR, span, "this str is never closed");
            self.report(error.help("close it with `\"\"\"`"));
        } else {
            let error =
                SyntaxError::new(error::UNCLOSED_STR, Span::new(opener_place, end + 1), "this str is never closed");
            self.report(if in_interpolation {
                error.help("close the interpolation with `}` and the str with `\"`, on this line; a brace that is text is written `{{`")
            } else {
                let help = "close it with `\"`; a str of several lines stands between `\"\"\"` and `\"\"\"`";
                error.help(help).fix(format!("{written}\""))
            });
        }
        self.told();
    }

    /// Whether the `++` at `i` is that of another language: a step by one, with nothing to join.
    pub(super) fn is_increment(&self, i: usize) -> bool {
        let after = self.raws.get(i + 1);
        let touches = i > 0 && self.raws[i - 1].end == self.raws[i].start;
        touches && after.is_none_or(|after| after.first || after.kind == TokenKind::RBrace)
    }

    pub(super) fn increment(&mut self, i: usize) {
        self.foreign(
            error::FOREIGN_OPERATOR,
            "there is no step by one: `++` joins lists".to_owned(),
            "a name is bound once: `next = i + 1`",
            None,
        );
        self.skip(i);
        self.told();
    }

    /// The first word of an item that is no keyword: one of another language, a misspelt one, or anything.
    pub(super) fn foreign_item_word(&mut self, i: usize, text: &str) {
        let followed = matches!(self.kind(i + 1), Some(TokenKind::Word | TokenKind::Quoted | TokenKind::StrOpen));
        if followed && matches!(text, "pub" | "public" | "export" | "async" | "static" | "private") {
            let message = format!("`{text}` is not needed");
            let help = "what a file declares is visible to other files unless its name begins with `_`";
            let error = SyntaxError::new(error::FOREIGN_WORD, self.next_span(), message).help(help).fix("");
            self.report(error);
            return self.skip(i);
        }
        let meant = if followed { meant_declarator(text) } else { None };
        let Some(meant) = meant else {
            let tok = self.name(i);
            return self.feed(i, tok);
        };
        self.foreign(
            error::FOREIGN_WORD,
            format!("`{text}` begins no declaration"),
            &format!("write `{meant}`"),
            Some(meant),
        );
        let tok = declarator(meant).unwrap_or(Tok::Ident);
        self.feed(i, tok);
    }

    /// Leaves out a first word of a statement that only other languages need; whether it was one.
    pub(super) fn foreign_statement_word(&mut self, i: usize, text: &str) -> bool {
        let binds = matches!(self.kind(i + 1), Some(TokenKind::Word | TokenKind::Quoted))
            && matches!(self.kind(i + 2), Some(TokenKind::Eq | TokenKind::Colon));
        let help = match text {
            "let" | "var" | "val" | "const" | "mut" | "final" if binds => "write `name = value`: that binds it, once",
            "return" if self.operand_follows(i) => "the last expression of a body is its value",
            _ => return false,
        };
        let error = SyntaxError::new(error::FOREIGN_WORD, self.next_span(), format!("`{text}` is not needed"));
        self.report(error.help(help).fix(""));
        self.skip(i);
        true
    }

    /// Hands on what a word of another language means among operands; whether it was one.
    pub(super) fn foreign_operand_word(&mut self, i: usize, text: &str, infix: bool) -> bool {
        use TokenKind::*;
        let next = self.kind(i + 1);
        let (tok, ours) = match text {
            "True" => (Tok::True, "true"),
            "False" => (Tok::False, "false"),
            "None" => (Tok::Null, "null"),
            "elif" | "elseif" | "elsif" if self.previous == Tok::RBrace && self.operand_follows(i) => {
                (Tok::If, "else if")
            }
            "f" | "b" | "u" if self.prefixes_str(i) => {
                let error = SyntaxError::new(
                    error::FOREIGN_WORD,
                    self.next_span(),
                    format!("a str needs no `{text}` before it"),
                );
                self.report(error.help("every str interpolates: `\"Hello {name}\"`").fix(""));
                self.skip(i);
                return true;
            }
            _ => return false,
        };
        let used_as_name = matches!(next, Some(LParen | Dot | Colon | LBracket | Eq | FatArrow)) || infix;
        if tok != Tok::If && (used_as_name || self.frame().inside == Inside::Item) {
            return false;
        }
        if tok == Tok::If {
            self.insert(i, Tok::Else);
            self.frame().begin_head(false);
        }
        self.foreign(
            error::FOREIGN_WORD,
            format!("`{text}` is written `{ours}`"),
            &format!("write `{ours}`"),
            Some(ours),
        );
        self.feed(i, tok);
        true
    }

    /// Whether a str begins right after the token `i`, and is closed.
    fn prefixes_str(&self, i: usize) -> bool {
        let opens = matches!(self.kind(i + 1), Some(TokenKind::StrOpen | TokenKind::LongStrOpen));
        let touches = self.raws.get(i + 1).is_some_and(|next| next.start == self.raws[i].end);
        let close = self.partners.get(i + 1).and_then(|close| self.kind(*close as usize));
        opens && touches && close == Some(TokenKind::StrClose)
    }
}

/// What to write instead of an escape that does not exist, and how to mend it.
fn escape_help(escape: &str) -> (String, Option<String>) {
    let known = "the escapes are `\\n \\t \\\" \\\\ \\u{1F600}`";
    let mut chars = escape.chars().skip(1);
    let code = |c: u32| (format!("write `\\u{{{c:X}}}`"), Some(format!("\\u{{{c:X}}}")));
    match chars.next() {
        Some('r') => code(0xD),
        Some('0') => code(0),
        Some('e') => code(0x1B),
        Some('{') => ("write `{{` for a brace".to_owned(), Some("{{".to_owned())),
        Some('}') => ("write `}}` for a brace".to_owned(), Some("}}".to_owned())),
        Some(c @ ('\'' | '`' | '$' | '/')) => (format!("write `{c}`: it needs no escape"), Some(c.to_string())),
        Some('u') => (
            "`\\u{…}` takes the hexadecimal number of a character, at most 10FFFF, no half of a surrogate pair"
                .to_owned(),
            None,
        ),
        Some('x') => (format!("{known}; write `\\u{{…}}` for a character by its number"), None),
        Some(_) => (format!("{known}; write `\\\\` for a backslash"), Some(format!("\\{escape}"))),
        None => ("write `\\\\` for a backslash".to_owned(), Some("\\\\".to_owned())),
    }
}

fn number_help(text: &str) -> &'static str {
    let lower = text.to_ascii_lowercase();
    if lower.starts_with("0b") || lower.starts_with("0o") || lower.starts_with("0x") {
        "an int is written with decimal digits, or as `0xff`"
    } else if text.ends_with('_') || text.contains("_.") || text.contains("._") {
        "`_` stands between digits only"
    } else if lower.trim_end_matches(['e', '+', '-']).ends_with(|c: char| c.is_ascii_digit()) {
        "digits follow the `e`: `1e3`, `2.5e-3`"
    } else if text.contains('.') && text.ends_with(|c: char| c.is_ascii_alphabetic()) {
        "durations and sizes take whole numbers: `1s500ms`, `1536kb`"
    } else if lower.ends_with("kb") || lower.ends_with("mb") || lower.ends_with("gb") || lower.ends_with("tb") {
        "sizes are written `10b`, `64kb`, `10mb`, `1gb`"
    } else {
        "durations are written `1d2h30m`, `30s`, `250ms`, the largest unit first; sizes `64kb`, `10mb`, `1gb`"
    }
}

/// The keyword that a first word of an item stands for: in another language, or misspelt.
pub(crate) fn meant_declarator(text: &str) -> Option<&'static str> {
    match text {
        "def" | "function" | "func" | "fun" | "proc" | "macro" => return Some("fn"),
        "import" | "include" | "require" => return Some("use"),
        "let" | "var" | "val" | "static" => return Some("const"),
        "struct" | "interface" | "class" | "enum" | "record" | "typedef" | "union" => return Some("type"),
        "flow" | "pipeline" | "job" | "task" => return Some("workflow"),
        _ => {}
    }
    let near = ["workflow", "prompt", "agent", "secret", "const", "node", "type", "test", "use", "fn"];
    near.into_iter().find(|word| text.len() + 1 >= word.len() && text.len() > 2 && one_slip(text, word))
}

/// Whether one letter is wrong, missing, too many or swapped with its neighbour.
fn one_slip(text: &str, word: &str) -> bool {
    let (text, word) = (text.as_bytes(), word.as_bytes());
    let same = text.iter().zip(word).take_while(|(a, b)| a == b).count();
    let (a, b) = (&text[same..], &word[same..]);
    match (a, b) {
        ([], []) => false,
        ([_, rest @ ..], _) if rest == b => true,
        (_, [_, rest @ ..]) if rest == a => true,
        ([_, a @ ..], [_, b @ ..]) if a == b => true,
        ([x, y, a @ ..], [u, v, b @ ..]) => x == v && y == u && a == b,
        _ => false,
    }
}
