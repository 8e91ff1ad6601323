//! The tokens that the grammar reads: what layout made of those of the text.

use crate::token::TokenKind;

/// A token of the grammar. A word is a name or a keyword by then, and tokens that look alike but begin different things
/// (the `(` of a tuple and that of a lambda's parameters) differ, so that one token tells what to parse.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub(crate) enum Tok {
    // Names.
    Ident,
    /// A name before `:`.
    Label,
    /// The name that a statement binds, before `=`.
    BindName,
    /// The one parameter of a lambda, before `=>`.
    LambdaName,
    /// The failure's name between `else` and `{`.
    ErrorName,
    /// The language before a fence.
    Language,

    // Keywords of items.
    Use,
    Pack,
    Const,
    Type,
    Fn,
    Node,
    Workflow,
    Prompt,
    Agent,
    Secret,
    On,
    Test,

    // Keywords of statements.
    Require,
    Until,
    Next,
    Assert,
    Mock,

    // Keywords of expressions and types.
    If,
    Else,
    Match,
    For,
    Loop,
    Try,
    Seq,
    True,
    False,
    Null,
    And,
    Or,
    Not,
    In,
    Is,
    As,
    After,
    Per,

    // Literals.
    Int,
    Float,
    Duration,
    Size,
    RawStr,
    SingleQuoted,
    Fence,
    StrOpen,
    StrText,
    InterpolationOpen,
    InterpolationClose,
    StrClose,

    // Brackets.
    LParen,
    /// The `(` of a lambda's parameters.
    LambdaParen,
    /// The `(` of the tuple or record pattern that a statement binds.
    BindParen,
    RParen,
    LBracket,
    /// The `[` of what may be type arguments.
    CallBracket,
    RBracket,
    LBrace,
    RBrace,

    // Punctuation.
    Comma,
    /// `;`, or a line end that separates.
    Separator,
    Colon,
    Dot,
    QuestionDot,
    Question,
    At,
    // What a line goes on after: from here to `GreaterEq`.
    Eq,
    FatArrow,
    Arrow,
    Bar,
    Pipe,
    Coalesce,
    DotDot,
    DotDotEq,
    Plus,
    PlusPlus,
    Minus,
    Star,
    Slash,
    Percent,
    IntDiv,
    EqEq,
    NotEq,
    Less,
    LessEq,
    Greater,
    GreaterEq,

    /// What is wrong, told already, and stands for an operand.
    Bad,

    // What a message expects besides single tokens; never read.
    AnExpression,
    AType,
    APattern,
    AName,
    ADeclaration,
    AStr,
    TheEnd,
}

impl Tok {
    /// What a token is to the grammar that is neither word, bracket nor mistake.
    pub fn plain(kind: TokenKind) -> Option<Tok> {
        use TokenKind as K;
        Some(match kind {
            K::Int => Tok::Int,
            K::Float => Tok::Float,
            K::Duration => Tok::Duration,
            K::Size => Tok::Size,
            K::RawStr => Tok::RawStr,
            K::Fence => Tok::Fence,
            K::StrText => Tok::StrText,
            K::Comma => Tok::Comma,
            K::Semicolon => Tok::Separator,
            K::Colon => Tok::Colon,
            K::Dot => Tok::Dot,
            K::QuestionDot => Tok::QuestionDot,
            K::Question => Tok::Question,
            K::At => Tok::At,
            K::Eq => Tok::Eq,
            K::FatArrow => Tok::FatArrow,
            K::Arrow => Tok::Arrow,
            K::Bar => Tok::Bar,
            K::Pipe => Tok::Pipe,
            K::Coalesce => Tok::Coalesce,
            K::DotDot => Tok::DotDot,
            K::DotDotEq => Tok::DotDotEq,
            K::Plus => Tok::Plus,
            K::PlusPlus => Tok::PlusPlus,
            K::Minus => Tok::Minus,
            K::Star => Tok::Star,
            K::Slash => Tok::Slash,
            K::Percent => Tok::Percent,
            K::IntDiv => Tok::IntDiv,
            K::EqEq => Tok::EqEq,
            K::NotEq => Tok::NotEq,
            K::Less => Tok::Less,
            K::LessEq => Tok::LessEq,
            K::Greater => Tok::Greater,
            K::GreaterEq => Tok::GreaterEq,
            _ => return None,
        })
    }

    /// Whether an operand may end with it.
    pub fn ends_operand(self) -> bool {
        use Tok::*;
        matches!(
            self,
            Ident
                | True
                | False
                | Null
                | Int
                | Float
                | Duration
                | Size
                | RawStr
                | SingleQuoted
                | Fence
                | StrClose
                | Bad
        ) || matches!(self, RParen | RBracket | RBrace | Question)
    }

    /// Whether a line goes on after it.
    pub fn goes_on(self) -> bool {
        use Tok::*;
        (Eq..=GreaterEq).contains(&self)
            || matches!(self, Comma | Dot | QuestionDot | Separator)
            || matches!(self, And | Or | Not | In | Is | As | After | Else)
    }

    /// Whether it opens what a closing token ends.
    pub fn opens(self) -> bool {
        use Tok::*;
        matches!(self, StrOpen | InterpolationOpen | LParen | LambdaParen | BindParen | LBracket | CallBracket | LBrace)
    }

    /// Whether it ends what an opening token began.
    pub fn closes(self) -> bool {
        matches!(self, Tok::StrClose | Tok::InterpolationClose | Tok::RParen | Tok::RBracket | Tok::RBrace)
    }

    /// How a message calls what it expects.
    pub fn describe(self) -> &'static str {
        use Tok::*;
        match self {
            AnExpression => "an expression",
            AType => "a type",
            APattern => "a pattern",
            AName => "a name",
            ADeclaration => "a declaration",
            AStr => "a str",
            TheEnd => "the end",
            Label => "a name with `:`",
            Language => "`js`",
            Int => "an int",
            Separator => "a line end",
            Comma => "`,`",
            Colon => "`:`",
            Dot => "`.`",
            Eq => "`=`",
            FatArrow => "`=>`",
            Arrow => "`->`",
            In => "`in`",
            Else => "`else`",
            For => "`for`",
            If => "`if`",
            LParen => "`(`",
            RParen => "`)`",
            RBracket => "`]`",
            LBrace => "`{`",
            RBrace | InterpolationClose => "`}`",
            StrClose => "`\"`",
            _ => "something else",
        }
    }
}
