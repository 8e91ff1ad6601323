//! Tokens: everything that a file is made of, white space and comments included. Joined, their texts are the file.

use logos::Logos;
use std::ops::Range;

/// A piece of text that belongs together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// Its bytes. Empty only for [`TokenKind::StrUnclosed`].
    pub range: Range<u32>,
}

/// What a token is. Keywords are words: only the grammar knows where a word is one.
#[derive(Logos, Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[logos(extras = crate::lex::NotFound)]
pub enum TokenKind {
    // Trivia.
    /// A byte order mark at the head of the file.
    Bom,
    /// Blanks and tabs.
    #[regex(r"[ \t\x0B\x0C]+")]
    Space,
    /// One line end: `\n`, `\r\n` or `\r`.
    #[regex(r"\r\n|\n|\r")]
    LineBreak,
    /// `// …`, and `//// …`.
    #[regex(r"//[^\r\n]*", allow_greedy = true)]
    Comment,
    /// `/// …`: about what follows.
    DocComment,
    /// `//! …`: about the file.
    FileDoc,

    // Names and literals.
    /// A name or keyword.
    #[regex(r"[A-Za-z_][A-Za-z0-9_]*", crate::lex::word)]
    Word,
    /// A name in backticks.
    #[regex(r"`[^`\r\n]+`")]
    Quoted,
    /// `42`, `1_000`, `0xff`.
    #[regex(r"[0-9][0-9A-Za-z_]*")]
    Int,
    /// `1.5`, `2e-3`.
    #[regex(r"[0-9][0-9_]*\.[0-9][0-9A-Za-z_]*")]
    #[regex(r"[0-9][0-9_]*(\.[0-9][0-9_]*)?[eE][+-][0-9][0-9A-Za-z_]*")]
    Float,
    /// `1h30m`.
    Duration,
    /// `64kb`.
    Size,
    /// `r"…"`, `r#"…"#`.
    #[regex(r##"r#*""##, crate::lex::raw_str)]
    RawStr,
    /// Three backticks or more, text, and as many again: what follows `js` or `json`.
    #[regex(r"```+", crate::lex::fence)]
    Fence,

    // Strs, in pieces.
    /// The `"` that opens a str.
    #[token("\"")]
    StrOpen,
    /// The `"""` that opens a long str.
    #[token("\"\"\"")]
    LongStrOpen,
    /// Text with its escapes; all line ends of a long str, too.
    StrText,
    /// The `{` of an interpolation.
    InterpolationOpen,
    /// The `}` of an interpolation.
    InterpolationClose,
    /// The `"` or `"""` that closes a str.
    StrClose,

    // Brackets.
    /// `(`.
    #[token("(")]
    LParen,
    /// `)`.
    #[token(")")]
    RParen,
    /// `[`.
    #[token("[")]
    LBracket,
    /// `]`.
    #[token("]")]
    RBracket,
    /// `{`.
    #[token("{")]
    LBrace,
    /// `}`.
    #[token("}")]
    RBrace,

    // Punctuation and operators.
    /// `,`.
    #[token(",")]
    Comma,
    /// `;`.
    #[token(";")]
    Semicolon,
    /// `:`.
    #[token(":")]
    Colon,
    /// `.`.
    #[token(".")]
    Dot,
    /// `?.`.
    #[token("?.")]
    QuestionDot,
    /// `?`.
    #[token("?")]
    Question,
    /// `@`.
    #[token("@")]
    At,
    /// `=`.
    #[token("=")]
    Eq,
    /// `=>`.
    #[token("=>")]
    FatArrow,
    /// `->`.
    #[token("->")]
    Arrow,
    /// `|`.
    #[token("|")]
    Bar,
    /// `|>`.
    #[token("|>")]
    Pipe,
    /// `??`.
    #[token("??")]
    Coalesce,
    /// `..`.
    #[token("..")]
    DotDot,
    /// `..=`.
    #[token("..=")]
    DotDotEq,
    /// `+`.
    #[token("+")]
    Plus,
    /// `++`.
    #[token("++")]
    PlusPlus,
    /// `-`.
    #[token("-")]
    Minus,
    /// `*`.
    #[token("*")]
    Star,
    /// `/`.
    #[token("/")]
    Slash,
    /// `%`.
    #[token("%")]
    Percent,
    /// `~/`.
    #[token("~/")]
    IntDiv,
    /// `==`.
    #[token("==")]
    EqEq,
    /// `!=`.
    #[token("!=")]
    NotEq,
    /// `<`.
    #[token("<")]
    Less,
    /// `<=`.
    #[token("<=")]
    LessEq,
    /// `>`.
    #[token(">")]
    Greater,
    /// `>=`.
    #[token(">=")]
    GreaterEq,

    // Mistakes.
    /// Where a str ends that is never closed; of no width.
    StrUnclosed,
    /// A raw str or fence that is never closed.
    RawUnclosed,
    /// `\s`, `\u{110000}`: an escape that does not exist, inside a str.
    BadEscape,
    /// A lone `}` inside a str.
    LoneBrace,
    /// `1_`, `0b1`, `3px`.
    BadNumber,
    /// `'text'`, or from a `'` to its line's end.
    #[regex(r"'([^'\\\r\n]|\\[^\r\n])*'?", allow_greedy = true)]
    SingleQuoted,
    /// A backtick that opens no name.
    #[token("``")]
    #[regex(r"`[^`\r\n]*", allow_greedy = true)]
    BadQuoted,
    /// `&&`.
    #[token("&&")]
    AndAnd,
    /// `||`.
    #[token("||")]
    OrOr,
    /// `!`.
    #[token("!")]
    Bang,
    /// `===`.
    #[token("===")]
    EqEqEq,
    /// `!==`.
    #[token("!==")]
    NotEqEq,
    /// `# …` up to the line end.
    #[regex(r"#[^\r\n]*", allow_greedy = true)]
    HashComment,
    /// `/* … */`.
    #[token("/*", crate::lex::block_comment)]
    BlockComment,
    /// Characters that mean nothing here.
    Unknown,
}

impl TokenKind {
    /// Whether it is white space or a comment, which the grammar does not see.
    pub fn is_trivia(self) -> bool {
        self <= TokenKind::FileDoc
    }

    /// Whether it is a comment of any kind.
    pub fn is_comment(self) -> bool {
        matches!(self, TokenKind::Comment | TokenKind::DocComment | TokenKind::FileDoc)
    }
}
