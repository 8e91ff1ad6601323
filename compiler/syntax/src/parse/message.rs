//! From a place at which the grammar cannot go on to words that help.

use super::state::{Fault, State};
use crate::error::{self, SyntaxError, shortened};
use crate::layout::Tok;

/// What is wrong at `fault`, in the words of who wrote it.
pub(super) fn explain(state: &State, fault: Fault) -> SyntaxError {
    foreign_word(state, fault).or_else(|| known_slip(state, fault)).unwrap_or_else(|| {
        let at = fault.at as usize;
        let (place, message) = match missing_after(state, fault) {
            Some(before) => (before, format!("expected {} after {}", expected(fault), found(state, before))),
            None => (at, format!("expected {}, found {}", expected(fault), found(state, at))),
        };
        let error = SyntaxError::new(error::UNEXPECTED, state.span(place, place + 1), message);
        match help(state, fault) {
            Some(help) => error.help(help),
            None => error,
        }
    })
}

/// The token after which something is missing: where a line, a bracket or an item of a list ends too early.
fn missing_after(state: &State, fault: Fault) -> Option<usize> {
    let at = fault.at as usize;
    let before = at.checked_sub(1)?;
    let ended = match state.tok(at) {
        None | Some(Tok::Separator) => true,
        Some(Tok::Comma) => fault.expects(Tok::AnExpression) || fault.expects(Tok::AType),
        Some(tok) => tok.closes(),
    };
    (ended && !state.tok(before)?.opens() && state.tok(before) != Some(Tok::Comma)).then_some(before)
}

/// "a type", "`,` or `)`".
fn expected(fault: Fault) -> String {
    let [one, other] = fault.expected.map(Tok::describe);
    if one == other { one.to_owned() } else { format!("{one} or {other}") }
}

/// What stands there: its text, or what it is.
fn found(state: &State, at: usize) -> String {
    match state.tok(at) {
        None => "the end".to_owned(),
        Some(Tok::StrOpen | Tok::RawStr | Tok::SingleQuoted) => "a str".to_owned(),
        Some(Tok::Fence) => "code".to_owned(),
        // The last one of a list has no place of its own.
        Some(Tok::Comma) => "`,`".to_owned(),
        Some(tok) => {
            let text = state.token_text(at);
            match (tok, text) {
                (Tok::Separator, "") => "a line end".to_owned(),
                (_, "") => "the end".to_owned(),
                _ => format!("`{}`", shortened(text.trim_matches('`'))),
            }
        }
    }
}

/// The words that begin declarations.
const DECLARATIONS: [&str; 9] = ["workflow", "prompt", "agent", "node", "use", "type", "const", "test", "secret"];

/// A declaration that does not begin its line.
fn declaration(state: &State, at: usize) -> Option<SyntaxError> {
    let text = state.token_text(at);
    if state.tok(at) != Some(Tok::Ident) || !DECLARATIONS.contains(&text) {
        return None;
    }
    let (mut opened, mut closed) = (0_u32, 0_u32);
    for tok in (0..at).filter_map(|at| state.tok(at)) {
        opened += u32::from(tok.opens());
        closed += u32::from(tok.closes());
    }
    let span = state.span(at, at + 1);
    let error = SyntaxError::new(error::UNEXPECTED, span, format!("expected a line end before `{text}`"));
    (opened <= closed).then(|| error.help("every declaration begins a line of its own"))
}

/// A word that only other languages know, just before the place or at it, and what is written here.
fn foreign_word(state: &State, fault: Fault) -> Option<SyntaxError> {
    let at = fault.at as usize;
    if let Some(error) = declaration(state, at) {
        return Some(error);
    }
    let word = |at: usize| {
        let name =
            matches!(state.tok(at), Some(Tok::Ident | Tok::Label | Tok::BindName | Tok::LambdaName | Tok::ErrorName));
        let text = state.token_text(at);
        let help = if name { instead(text)? } else { return None };
        let error = SyntaxError::new(error::FOREIGN_WORD, state.span(at, at + 1), format!("there is no `{text}`"));
        Some(error.help(help))
    };
    // Just before: `while x {`. Where a name ends an expression, it may be the user's own.
    let before = at.checked_sub(1).filter(|_| !fault.expects(Tok::AnExpression)).and_then(word);
    before.or_else(|| word(at)).or_else(|| word(called(state, at)?))
}

/// The word before the parentheses that end before `at`: `while (x) {` begins like a call.
fn called(state: &State, at: usize) -> Option<usize> {
    if state.tok(at) != Some(Tok::LBrace) || state.tok(at.checked_sub(1)?) != Some(Tok::RParen) {
        return None;
    }
    let mut depth = 0_u32;
    for place in (0..at).rev() {
        match state.tok(place)? {
            tok if tok.closes() => depth += 1,
            tok if tok.opens() => depth = depth.checked_sub(1)?,
            _ => {}
        }
        if depth == 0 {
            return place.checked_sub(1);
        }
    }
    None
}

/// What is written instead of a word of another language.
fn instead(word: &str) -> Option<&'static str> {
    Some(match word {
        "while" | "repeat" => {
            "`loop x = first, max: 10 { until …` and `next …` `}` goes round by round; `for x in xs { … }` goes over a list"
        }
        "foreach" => "write `for x in xs { … }`",
        "switch" | "case" | "when" | "select" => "write `match x { \"a\" => 1, _ => 2 }`",
        "unless" => "write `if not … { … }`",
        "then" | "do" | "begin" => "what is done stands in `{ }`: `if x > 1 { a } else { b }`",
        "lambda" | "func" | "function" | "def" | "fun" => {
            "a small function is written `x => x + 1`; a `fn` is declared at the top level: `fn f(x: int) -> int = x + 1`"
        }
        "class" | "struct" | "enum" | "interface" => {
            "a type is declared at the top level: `type Point(x: float, y: float)`"
        }
        "import" | "from" | "include" => "write `use std.text` or `use \"./file\"` at the top of the file",
        "export" | "pub" | "public" => "what a file declares is visible to others unless its name begins with `_`",
        "throw" | "raise" => "write `error(\"what is wrong\")`",
        "catch" | "except" | "finally" | "rescue" => "write `try f() else fallback`, or `try f() else err { … }`",
        "await" | "async" => "leave it out: what needs a value waits for it by itself",
        "yield" => "leave it out: the last expression of a body is its value",
        "return" => "leave it out: the last expression of a body is its value",
        "break" | "continue" => "a `loop` ends at `until …`; a `for` leaves items out by `for x in xs if … { … }`",
        "new" => "leave it out: a type is called like a function, `Point(x: 1.0, y: 2.0)`",
        "typeof" | "instanceof" => "write `x is T`",
        word if DECLARATIONS.contains(&word) => {
            "this begins a declaration, which stands at the top level, not in a body"
        }
        _ => return None,
    })
}

/// Slips that many make: with a message of their own.
fn known_slip(state: &State, fault: Fault) -> Option<SyntaxError> {
    let at = fault.at as usize;
    let span = state.span(at, at + 1);
    let error = |code, message: &str, help: &str| Some(SyntaxError::new(code, span, message).help(help));
    let previous = at.checked_sub(1).and_then(|at| state.tok(at));
    match state.tok(at)? {
        Tok::Eq if fault.expects(Tok::AnExpression) && touches(state, at) => {
            let (name, operator) = (state.token_text(at.saturating_sub(2)), state.token_text(at - 1));
            let is_name = at.checked_sub(2).and_then(|at| state.tok(at)).is_some_and(|tok| !tok.closes());
            let name = if is_name { name } else { "x" };
            let help = format!("bind another one: `new_{} = {name} {operator} …`", name.trim_matches('`'));
            error(error::UNEXPECTED, "a name is bound once, and never changes", &help)
        }
        Tok::Eq if fault.expects(Tok::AType) => {
            let error =
                SyntaxError::new(error::UNEXPECTED, state.span(at - 1, at + 1), "a binding is written `name = value`");
            Some(error.help("write `=`, or a type between `:` and `=`").fix("="))
        }
        Tok::Eq if fault.expects(Tok::Separator) => error(
            error::UNEXPECTED,
            "only names can be bound",
            "write `name = …`, `(a, b) = …` or `(title:, url: link) = …`; `==` compares",
        ),
        Tok::Question if !fault.expects(Tok::AnExpression) => {
            error(error::UNEXPECTED, "a choice is written with `if`", "write `if c { a } else { b }`")
        }
        Tok::Star if previous == Some(Tok::Star) => {
            error(error::FOREIGN_OPERATOR, "there is no operator `**`", "write `pow(x, y)` of `std.math`")
        }
        Tok::Greater if previous == Some(Tok::Less) => {
            let span = state.span(at - 1, at + 1);
            Some(SyntaxError::new(error::FOREIGN_OPERATOR, span, "`<>` is written `!=`").help("write `!=`").fix("!="))
        }
        Tok::Less if fault.expects(Tok::Separator) || fault.expects(Tok::Eq) || fault.expects(Tok::RParen) => {
            error(error::UNEXPECTED, "type arguments stand in `[ ]`", "write `list[int]`")
        }
        Tok::Bar if fault.expects(Tok::AnExpression) => {
            error(error::UNEXPECTED, "expected an expression, found `|`", "a small function is written `x => x + 1`")
        }
        Tok::Arrow if !fault.expects(Tok::AnExpression) => {
            let arrow = SyntaxError::new(error::UNEXPECTED, span, "a small function is written with `=>`");
            Some(arrow.help("write `x => x + 1`").fix("=>"))
        }
        Tok::At => error(
            error::MISPLACED_POLICY,
            "a policy has no place inside an expression",
            "it stands before a binding or statement, and covers the calls in it",
        ),
        Tok::Fence => {
            error(error::UNEXPECTED, "the language of this code is missing", "write `js` or `json` before it")
        }
        _ => None,
    }
}

/// Whether the token before `at` is an operator that stands right before it, as in `+=`.
fn touches(state: &State, at: usize) -> bool {
    use Tok::*;
    let place = |at: usize| state.layout.tokens.bytes(state.span(at, at + 1));
    let operator = at.checked_sub(1).and_then(|before| state.tok(before));
    matches!(operator, Some(Plus | Minus | Star | Slash | Percent | PlusPlus | Coalesce | Bar)) && {
        place(at - 1).end == place(at).start
    }
}

/// What to do about something that is merely unexpected.
fn help(state: &State, fault: Fault) -> Option<String> {
    let at = fault.at as usize;
    let found = state.tok(at);
    let text = state.token_text(at);
    let previous = at.checked_sub(1).and_then(|at| state.tok(at));
    let next = state.tok(at + 1);
    Some(match found {
        Some(tok) if is_keyword(tok) && [Tok::AName, Tok::APattern, Tok::AnExpression].iter().any(|name| fault.expects(*name)) => {
            format!("in backticks it is a name: `` `{text}` ``")
        }
        Some(Tok::Ident) if fault.expects(Tok::ADeclaration) && next == Some(Tok::Eq) => {
            format!("a binding stands in a body; what holds for the whole file is `const {text} = …`")
        }
        _ if fault.expects(Tok::ADeclaration) => {
            "a file holds `use`, `const`, `type`, `fn`, `node`, `workflow`, `prompt`, `agent`, `secret`, `on` and `test`".to_owned()
        }
        Some(Tok::LBrace) if fault.expects(Tok::AnExpression) && previous == Some(Tok::Try) => {
            "`try` takes an expression: `try f() else fallback`".to_owned()
        }
        Some(Tok::LBrace) if fault.expects(Tok::AnExpression) => {
            "a record is written `(name: value)`, a dict `[\"key\": value]`; `{ }` holds a body".to_owned()
        }
        Some(Tok::InterpolationClose) if fault.expects(Tok::AnExpression) => {
            "`{ }` in a str holds an expression; write `{{` and `}}` for braces".to_owned()
        }
        Some(Tok::Colon | Tok::Label) if fault.expects(Tok::LBrace) => "a body stands in `{ }`".to_owned(),
        Some(Tok::Colon) if fault.expects(Tok::RBracket) => "a part of a list is `xs.slice(from, to)`".to_owned(),
        Some(Tok::Dot) if fault.expects(Tok::AnExpression) && next == Some(Tok::Int) => {
            format!("a float has a digit before its point: `0.{}`", state.token_text(at + 1))
        }
        Some(Tok::LBrace) if fault.expects(Tok::Separator) && names_type(state, at) => {
            format!("a value of a type is built in parentheses: `{}(name: value)`", state.token_text(at - 1))
        }
        Some(Tok::LParen) if fault.expects(Tok::FatArrow) && names_type(state, at) => {
            let name = state.token_text(at - 1);
            format!("a pattern names a type behind a value, `x: {name}`, or the fields alone, `(name:, ..)`")
        }
        Some(Tok::LBrace) if fault.expects(Tok::LParen) => "fields stand in parentheses: `type Point(x: float)`".to_owned(),
        Some(Tok::Dot | Tok::QuestionDot | Tok::LBracket | Tok::LParen) if fault.expects(Tok::Separator) => {
            "put what stands before it in parentheses".to_owned()
        }
        Some(Tok::Ident) if fault.expects(Tok::Label) => {
            format!("a field is written `{text}: value`, or `{text}:` for the value of that name")
        }
        Some(Tok::Fn) if fault.expects(Tok::AnExpression) => "a small function is written `x => x + 1`".to_owned(),
        Some(Tok::Label) if fault.expects(Tok::AnExpression) && previous == Some(Tok::Comma) => {
            "a record has a name for every field, a tuple has none".to_owned()
        }
        Some(Tok::DotDot) if fault.expects(Tok::AnExpression) => "only a record takes `..`: `(..r, name: value)`".to_owned(),
        _ if fault.expects(Tok::Else) => "write `try f() else fallback`".to_owned(),
        _ => return None,
    })
}

/// Whether the name before `at` is written as types are.
fn names_type(state: &State, at: usize) -> bool {
    at.checked_sub(1).is_some_and(|before| state.token_text(before).starts_with(char::is_uppercase))
}

fn is_keyword(tok: Tok) -> bool {
    use Tok::*;
    matches!(tok, If | Else | Match | For | Try | True | False | Null | And | Or | Not | In | Is | As)
}
