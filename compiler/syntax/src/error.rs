//! Mistakes of form and their codes.

use crate::ast::Span;
use std::ops::Range;

/// A mistake of form. The message is short and lower case; `help` says what to write instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    /// `E0001`… for tokens, `E0101`… for syntax: one of [`CODES`].
    pub code: &'static str,
    /// Where.
    pub span: Span,
    /// What is wrong.
    pub message: String,
    /// Another place that explains, such as the bracket that is never closed.
    pub label: Option<(Span, String)>,
    /// What to do.
    pub help: Option<String>,
    /// How to mend it, where that is mechanical.
    pub fix: Option<SyntaxFix>,
}

/// A mechanical repair: all edits together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxFix {
    /// What it does, in the imperative: "write `and`".
    pub title: String,
    /// What is written where.
    pub edits: Vec<(Span, Side, String)>,
}

/// Where an edit writes its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// Instead of the tokens of its place.
    Instead,
    /// Right before them.
    Before,
    /// Right after them.
    After,
    /// Before them and the comments on the lines above them.
    Above,
    /// After them as the next one of a row: on a line of its own where they begin one, else after this separator.
    Next(&'static str),
    /// Instead of the `//` of the comment behind them.
    Slashes,
    /// Instead of them with their documentation and what would be left of their lines: for what is taken out.
    Lines,
}

impl Side {
    /// Which bytes of a text give way to what, by the bytes of the place.
    pub fn write(self, text: &str, place: Range<u32>, written: &str) -> (Range<u32>, String) {
        let before = text.get(..place.start as usize).unwrap_or_default();
        let at = |byte: u32| (byte..byte, written.to_owned());
        match self {
            Side::Instead => (place, written.to_owned()),
            Side::Before => at(place.start),
            Side::After => at(place.end),
            Side::Above => at(above(before, |comment| !comment.starts_with("//!"))),
            Side::Next(separator) => {
                let line = before.rsplit('\n').next().unwrap_or_default();
                let between = if line.trim().is_empty() { format!("\n{line}") } else { format!("{separator} ") };
                (place.end..place.end, between + written)
            }
            Side::Slashes => {
                let after = text.get(place.end as usize..).unwrap_or_default();
                match after.find("//") {
                    Some(found) => (place.end + found as u32..place.end + found as u32 + 2, written.to_owned()),
                    None => (place.end..place.end, String::new()),
                }
            }
            Side::Lines => (lines(text, place), written.to_owned()),
        }
    }
}

/// Where the comments begin that stand on the lines right before the end of `before`.
fn above(before: &str, is_part: impl Fn(&str) -> bool) -> u32 {
    let mut start = before.len();
    let indent = before.rsplit('\n').next().unwrap_or_default();
    if !indent.trim().is_empty() {
        return start as u32;
    }
    start -= indent.len();
    for line in before.get(..start).unwrap_or_default().split_inclusive('\n').rev() {
        let comment = line.trim_start();
        if !comment.starts_with("//") || !is_part(comment) {
            break;
        }
        start -= line.len();
    }
    start as u32
}

/// A place with the `///` above it, the comma after it, and its lines where nothing else stands on them.
fn lines(text: &str, place: Range<u32>) -> Range<u32> {
    let (before, after) = text.split_at_checked(place.start as usize).unwrap_or_default();
    let after = after.get((place.end - place.start) as usize..).unwrap_or_default();
    let rest = after.strip_prefix(',').unwrap_or(after).trim_start_matches([' ', '\t']);
    let mut end = text.len() - rest.len();
    let is_alone = before.rsplit('\n').next().unwrap_or_default().trim().is_empty();
    if !is_alone || !(rest.is_empty() || rest.starts_with(['\n', '\r'])) {
        return place.start..end as u32;
    }
    end += rest.find('\n').map_or(rest.len(), |at| at + 1);
    above(before, |comment| comment.starts_with("///"))..end as u32
}

impl SyntaxError {
    pub(crate) fn new(code: &'static str, span: Span, message: impl Into<String>) -> Self {
        SyntaxError { code, span, message: message.into(), label: None, help: None, fix: None }
    }

    pub(crate) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Mends it by other words instead of its own.
    pub(crate) fn fix(self, text: impl Into<String>) -> Self {
        let (span, text) = (self.span, text.into());
        let title = if text.is_empty() { "remove it".to_owned() } else { format!("write `{text}`") };
        self.mend(title, vec![(span, Side::Instead, text)])
    }

    pub(crate) fn mend(mut self, title: impl Into<String>, edits: Vec<(Span, Side, String)>) -> Self {
        self.fix = Some(SyntaxFix { title: title.into(), edits });
        self
    }

    pub(crate) fn label(mut self, span: Span, label: impl Into<String>) -> Self {
        self.label = Some((span, label.into()));
        self
    }
}

/// A text as a message shows it: its beginning, if it is long.
pub(crate) fn shortened(text: &str) -> String {
    const LONGEST: usize = 24;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

macro_rules! codes {
    ($($name:ident $code:literal $title:literal)*) => {
        $(pub(crate) const $name: &str = $code;)*

        /// Every code of this crate with its title, in order.
        pub const CODES: &[(&str, &str)] = &[$(($code, $title)),*];
    };
}

codes! {
    UNKNOWN_CHARACTER "E0001" "a character that means nothing here"
    UNCLOSED_STR "E0002" "a str that is never closed"
    BAD_ESCAPE "E0003" "an escape that does not exist"
    LONE_BRACE "E0004" "a lone `}` in a str"
    NUMBER_RANGE "E0005" "a number that is too large"
    BAD_NUMBER "E0006" "a number that is not written right"
    FOREIGN_OPERATOR "E0007" "an operator of another language"
    SINGLE_QUOTES "E0008" "a str in single quotes"
    FOREIGN_COMMENT "E0009" "a comment of another language"
    BAD_NAME "E0010" "a name in backticks that is not closed"
    TOO_DEEP "E0011" "code that is nested too deeply"
    UNEXPECTED "E0101" "something else is expected here"
    UNCLOSED_BRACKET "E0102" "a bracket that is never closed"
    STRAY_BRACKET "E0103" "a closing bracket without an opening one"
    LINE_START "E0104" "a line that cannot begin like this"
    FOREIGN_WORD "E0105" "a word of another language"
    EQ_IN_CONDITION "E0106" "`=` where `==` is meant"
    MISSING_TYPE "E0107" "a parameter or field without a type"
    CHAINED_COMPARISON "E0108" "comparisons in a chain"
    PIPE_TARGET "E0109" "a pipe into something that is no call"
    TRY_IN_HEAD "E0110" "`try` in a head without parentheses"
    NAMED_ARGUMENT "E0111" "an argument named with `=`"
    NO_INTERPOLATION "E0112" "interpolation where it has no place"
    MISPLACED_POLICY "E0113" "a policy or fact in the wrong place"
    WRONG_BODY "E0114" "a body of the wrong kind"
    PARENTHESES_NEEDED "E0115" "an operator that needs parentheses"
}
