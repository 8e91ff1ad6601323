//! Words: which is a keyword, and what a name is about to do.
//!
//! Only what begins or joins operands (`if`, `match`, `and`, `in`, …) is a keyword everywhere. The others are keywords where
//! what surrounds them leaves no doubt; after `.` or `@` and before `:` every word is a name.

use super::frame::Inside;
use super::{Layouter, Tok};
use crate::token::TokenKind;

impl Layouter<'_> {
    pub(super) fn word(&mut self, i: usize) {
        let frame = self.frame();
        let (inside, fresh) = (frame.inside, frame.fresh);
        let text = self.text(i);
        if matches!(self.previous, Tok::Dot | Tok::QuestionDot | Tok::Pack | Tok::At) {
            return self.feed(i, Tok::Ident);
        }
        if self.previous == Tok::Use {
            let pack = text == "pack" && self.is_name(i + 1);
            return self.feed(i, if pack { Tok::Pack } else { Tok::Ident });
        }
        if self.follows_declarator() || self.is_label(i) {
            let tok = self.name(i);
            return self.feed(i, tok);
        }
        match inside {
            Inside::Item if fresh => self.item_word(i, text),
            Inside::Body if fresh => self.statement_word(i, text),
            _ => self.operand_word(i, text),
        }
    }

    /// What a name is at the token `i`, by what follows it.
    pub(super) fn name(&mut self, i: usize) -> Tok {
        if matches!(self.previous, Tok::Dot | Tok::QuestionDot) {
            return Tok::Ident;
        }
        if self.is_label(i) {
            return Tok::Label;
        }
        let frame = self.frame();
        let binds = frame.fresh && frame.inside == Inside::Body;
        let awaits_arrow = frame.awaits_arrow;
        match self.kind(i + 1) {
            Some(TokenKind::Eq) if binds => Tok::BindName,
            Some(TokenKind::FatArrow) if !awaits_arrow => Tok::LambdaName,
            Some(TokenKind::Fence) => Tok::Language,
            Some(TokenKind::LBrace) if self.previous == Tok::Else => Tok::ErrorName,
            _ => Tok::Ident,
        }
    }

    /// Whether the word before is the keyword of a declaration, so that a name follows, whatever it says.
    fn follows_declarator(&mut self) -> bool {
        use Tok::*;
        let declares = matches!(self.previous, Const | Type | Fn | Node | Workflow | Prompt | Agent | Secret);
        declares && self.frame().inside == Inside::Item
    }

    fn is_name(&self, i: usize) -> bool {
        matches!(self.kind(i), Some(TokenKind::Word | TokenKind::Quoted))
    }

    /// Whether the token `i` is a name before `:`.
    fn is_label(&mut self, i: usize) -> bool {
        if self.kind(i + 1) != Some(TokenKind::Colon) {
            return false;
        }
        // Of the heads only that of a `loop` has names before `:`. Elsewhere, as in Python's `if x:`, the `:` is the mistake.
        let of_loop = matches!(self.previous, Tok::Loop | Tok::Comma);
        let frame = self.frame();
        if frame.in_head() { of_loop } else { !matches!(frame.inside, Inside::Brackets | Inside::Interpolation) }
    }

    fn item_word(&mut self, i: usize, text: &str) {
        match declarator(text) {
            Some(tok) => self.feed(i, tok),
            None => self.foreign_item_word(i, text),
        }
    }

    fn statement_word(&mut self, i: usize, text: &str) {
        let tok = match text {
            "require" => Tok::Require,
            "until" => Tok::Until,
            "next" => Tok::Next,
            "assert" => Tok::Assert,
            "mock" if self.is_name(i + 1) && !self.raws[i + 1].first => {
                self.feed(i, Tok::Mock);
                self.frame().awaits_arrow = true;
                return;
            }
            _ if self.kind(i + 1) == Some(TokenKind::Eq) => Tok::BindName,
            _ if self.foreign_statement_word(i, text) => return,
            _ => return self.operand_word(i, text),
        };
        if tok != Tok::BindName && !self.operand_follows(i) {
            return self.operand_word(i, text);
        }
        self.feed(i, tok);
    }

    fn operand_word(&mut self, i: usize, text: &str) {
        // After an operand `if` is a guard and `for` one more clause: no head of their own.
        let infix = self.previous.ends_operand() && !self.frame().fresh;
        let next = self.kind(i + 1);
        let tok = match text {
            "if" | "for" => {
                if !infix {
                    self.frame().begin_head(false);
                }
                if text == "if" { Tok::If } else { Tok::For }
            }
            "match" => {
                self.frame().begin_head(true);
                Tok::Match
            }
            "loop" if self.begins_loop(i) => {
                self.frame().begin_head(false);
                Tok::Loop
            }
            "seq" if next == Some(TokenKind::LBrace) && !self.frame().in_head() => Tok::Seq,
            "else" => Tok::Else,
            "try" => Tok::Try,
            "true" => Tok::True,
            "false" => Tok::False,
            "null" => Tok::Null,
            "and" => Tok::And,
            "or" => Tok::Or,
            "not" => Tok::Not,
            "in" => Tok::In,
            "is" => Tok::Is,
            "as" => Tok::As,
            "after" if infix => Tok::After,
            "per" if infix && self.is_name(i + 1) && !self.raws[i].first => Tok::Per,
            "fn" if next == Some(TokenKind::LParen) => Tok::Fn,
            _ if self.foreign_operand_word(i, text, infix) => return,
            _ => self.name(i),
        };
        self.feed(i, tok);
    }

    /// Whether `loop` at `i` begins one: a name that it carries follows, or at least its body.
    fn begins_loop(&mut self, i: usize) -> bool {
        if self.kind(i + 1) == Some(TokenKind::LBrace) {
            return !self.frame().in_head();
        }
        self.is_name(i + 1) && matches!(self.kind(i + 2), Some(TokenKind::Eq | TokenKind::Colon))
    }

    /// Whether an operand follows the token `i` on its line.
    pub(super) fn operand_follows(&self, i: usize) -> bool {
        use TokenKind::*;
        let Some(next) = self.raws.get(i + 1).filter(|next| !next.first) else { return false };
        match next.kind {
            Word => match self.text(i + 1) {
                "and" | "or" | "in" | "is" | "as" | "after" | "else" | "per" => false,
                "not" => self.text(i + 2) != "in",
                _ => true,
            },
            Quoted | Int | Float | Duration | Size | RawStr | StrOpen | LongStrOpen => true,
            LParen | LBracket | Minus | Bang | SingleQuoted | BadNumber => true,
            _ => false,
        }
    }
}

/// The keyword that begins an item.
pub(crate) fn declarator(text: &str) -> Option<Tok> {
    Some(match text {
        "use" => Tok::Use,
        "const" => Tok::Const,
        "type" => Tok::Type,
        "fn" => Tok::Fn,
        "node" => Tok::Node,
        "workflow" => Tok::Workflow,
        "prompt" => Tok::Prompt,
        "agent" => Tok::Agent,
        "secret" => Tok::Secret,
        "on" => Tok::On,
        "test" => Tok::Test,
        _ => return None,
    })
}
