//! Mistakes of form and their codes.

use crate::ast::Span;

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
    /// What to write instead of `span`, where a mechanical fix exists.
    pub fix: Option<String>,
}

impl SyntaxError {
    pub(crate) fn new(code: &'static str, span: Span, message: impl Into<String>) -> Self {
        SyntaxError { code, span, message: message.into(), label: None, help: None, fix: None }
    }

    pub(crate) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    pub(crate) fn fix(mut self, fix: impl Into<String>) -> Self {
        self.fix = Some(fix.into());
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
