//! The syntax tree: what an item says, without white space and comments.
//!
//! A node's [`Span`] is a range of its *item's tokens*, not of bytes: neither moving an item nor adding a comment or a
//! line break inside it changes its tree, so nothing that was computed from the tree is computed again. Byte ranges come
//! from [`crate::Tokens`] when a diagnostic is shown. A part that could not be parsed is an `Error` node.

use smol_str::SmolStr;

/// A range of an item's tokens: `first..end`, indices into [`crate::Tokens`] (inserted separators count, trivia does not).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// Index of the first token.
    pub first: u32,
    /// Index after the last token; equal to `first` for an empty place.
    pub end: u32,
}

impl Span {
    /// The span of the tokens `first..end`.
    pub fn new(first: u32, end: u32) -> Self {
        Span { first, end }
    }

    /// The smallest span that holds both.
    pub fn to(self, other: Span) -> Span {
        Span { first: self.first.min(other.first), end: self.end.max(other.end) }
    }

    /// Whether `other` lies within.
    pub fn contains(self, other: Span) -> bool {
        self.first <= other.first && other.end <= self.end
    }
}

/// A name as it is meant: without backticks, in the file's spelling.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Name {
    /// The name's text.
    pub text: SmolStr,
    /// Where it stands.
    pub span: Span,
}

/// One top-level item with its annotations.
#[derive(Clone, Debug, PartialEq)]
pub struct Item {
    /// Its annotations, in written order.
    pub annotations: Vec<Annotation>,
    /// What it declares.
    pub kind: ItemKind,
    /// The whole item, annotations included.
    pub span: Span,
}

/// What an item declares.
#[derive(Clone, Debug, PartialEq)]
pub enum ItemKind {
    /// `use std.text`, `use "./prompts".(judge)`.
    Use(Use),
    /// `const MAX: int = 50`.
    Const(Const),
    /// `type Point(x: float)` or `type Tone = "a" | "b"`.
    Type(TypeDecl),
    /// `fn`, `node`, `workflow`, `prompt`, `agent`.
    Callable(Callable),
    /// `secret OPENAI_API_KEY`.
    Secret(Name),
    /// `on schedule("…") as event { … }`.
    On(On),
    /// `test "…" { … }`.
    Test(Test),
    /// What could not be parsed, or an empty file's end.
    Error,
}

/// `@name`, `@name(args)`: a fact about a declaration or a policy of a step.
#[derive(Clone, Debug, PartialEq)]
pub struct Annotation {
    /// The name after `@`.
    pub name: Name,
    /// Its arguments; `None` where there are no parentheses.
    pub args: Option<Vec<Arg>>,
    /// From `@` to the end.
    pub span: Span,
}

/// A `use` of a module, file or pack.
#[derive(Clone, Debug, PartialEq)]
pub struct Use {
    /// What is used.
    pub path: UsePath,
    /// `as img`.
    pub alias: Option<Name>,
    /// `.(generate, embed)`: names taken from it.
    pub names: Option<Vec<Name>>,
}

/// What a `use` names.
#[derive(Clone, Debug, PartialEq)]
pub enum UsePath {
    /// `std.text`: the names in order.
    Module(Vec<Name>),
    /// `"./prompts"`: the text between the quotes.
    File(Name),
    /// `pack acme.search`.
    Pack(Vec<Name>),
}

/// `const NAME: T = value`.
#[derive(Clone, Debug, PartialEq)]
pub struct Const {
    /// Its name.
    pub name: Name,
    /// The written type.
    pub ty: Option<TypeExpr>,
    /// Its value.
    pub value: Expr,
}

/// A user type.
#[derive(Clone, Debug, PartialEq)]
pub struct TypeDecl {
    /// Its name.
    pub name: Name,
    /// `type Point(…)`: a [`TypeKind::Record`] (also when it has no field) whose constructor is the name; `type Tone = …`: anything.
    pub ty: TypeExpr,
    /// Whether it was written `Name(…)` and so can be called.
    pub is_record: bool,
}

/// Which kind of callable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CallableKind {
    /// Pure function.
    Fn,
    /// Native node or code node.
    Node,
    /// Workflow.
    Workflow,
    /// A prompt to a language model.
    Prompt,
    /// A language model with tools.
    Agent,
}

/// `fn`, `node`, `workflow`, `prompt`, `agent`.
#[derive(Clone, Debug, PartialEq)]
pub struct Callable {
    /// Which kind.
    pub kind: CallableKind,
    /// Its name.
    pub name: Name,
    /// `[T: ordered, U]`.
    pub type_params: Vec<TypeParam>,
    /// Its parameters.
    pub params: Vec<Param>,
    /// What stands after `->`.
    pub outputs: Outputs,
    /// Its body.
    pub body: CallableBody,
    /// From the keyword to the end of the outputs.
    pub head: Span,
}

/// `T` or `T: ordered`.
#[derive(Clone, Debug, PartialEq)]
pub struct TypeParam {
    /// Its name.
    pub name: Name,
    /// `number`, `ordered` or `key`.
    pub bound: Option<Name>,
}

/// A parameter of a callable.
#[derive(Clone, Debug, PartialEq)]
pub struct Param {
    /// `@min(0)` and the like.
    pub annotations: Vec<Annotation>,
    /// Its name.
    pub name: Name,
    /// Its type.
    pub ty: TypeExpr,
    /// Its default.
    pub default: Option<Expr>,
    /// The whole of it.
    pub span: Span,
}

/// What stands after `->`. For a `fn` it is always `One` (a parenthesised result is a record type).
#[derive(Clone, Debug, PartialEq)]
pub enum Outputs {
    /// No `->` at all.
    None,
    /// `-> T`.
    One(TypeExpr),
    /// `-> (a: A, b:)`.
    Named(Vec<OutputDecl>),
}

/// `a: A`, or `a:` whose type is inferred.
#[derive(Clone, Debug, PartialEq)]
pub struct OutputDecl {
    /// Its name.
    pub name: Name,
    /// Its type.
    pub ty: Option<TypeExpr>,
    /// The whole of it.
    pub span: Span,
}

/// The body of a callable.
#[derive(Clone, Debug, PartialEq)]
pub enum CallableBody {
    /// None: the host provides it.
    Host,
    /// `= expr`.
    Expr(Expr),
    /// `{ … }`.
    Block(Block),
    /// `` js ``` … ``` ``.
    Code(Code),
    /// Missing or unreadable.
    Error,
}

/// Verbatim text in another language.
#[derive(Clone, Debug, PartialEq)]
pub struct Code {
    /// The word before the fence: `js`, `json`.
    pub lang: Name,
    /// The text, first and last line break dropped.
    pub text: SmolStr,
    /// The whole of it.
    pub span: Span,
}

/// `on webhook("/x") as event { … }`.
#[derive(Clone, Debug, PartialEq)]
pub struct On {
    /// `webhook("/x")`.
    pub trigger: Expr,
    /// `as event`.
    pub binding: Option<Name>,
    /// What to do.
    pub body: Block,
}

/// `test "…" { … }`.
#[derive(Clone, Debug, PartialEq)]
pub struct Test {
    /// Its name: the text between the quotes.
    pub name: Name,
    /// Its body.
    pub body: Block,
}

/// A type as written.
#[derive(Clone, Debug, PartialEq)]
pub struct TypeExpr {
    /// What it says.
    pub kind: TypeKind,
    /// Where it stands.
    pub span: Span,
}

/// What a type says.
#[derive(Clone, Debug, PartialEq)]
pub enum TypeKind {
    /// `str`, `list[int]`, `rss.Item`, `stream[T]`.
    Path {
        /// The module before the dot.
        module: Option<Name>,
        /// The name.
        name: Name,
        /// What stands in brackets.
        args: Vec<TypeExpr>,
    },
    /// `T?`.
    Optional(Box<TypeExpr>),
    /// `A | B | C`, in written order.
    Union(Vec<TypeExpr>),
    /// `"low"`, `1`, `null`, `true`.
    Literal(Literal),
    /// `(A, B)`.
    Tuple(Vec<TypeExpr>),
    /// `(a: A, b: B = 1)`.
    Record(Vec<FieldDecl>),
    /// `fn(A, B) -> C`.
    Fn(Vec<TypeExpr>, Box<TypeExpr>),
    /// `T per x`.
    Per(Box<TypeExpr>, Name),
    /// What could not be parsed.
    Error,
}

/// A field of a record type.
#[derive(Clone, Debug, PartialEq)]
pub struct FieldDecl {
    /// `@key("Beak Length (mm)")` and the like.
    pub annotations: Vec<Annotation>,
    /// Its name.
    pub name: Name,
    /// Its type.
    pub ty: TypeExpr,
    /// Its default.
    pub default: Option<Expr>,
    /// The whole of it.
    pub span: Span,
}

/// A literal value.
#[derive(Clone, Debug, PartialEq)]
pub enum Literal {
    /// `null`.
    Null,
    /// `true`, `false`.
    Bool(bool),
    /// An int; a minus before it is folded in.
    Int(i64),
    /// A float; a minus before it is folded in.
    Float(f64),
    /// A str without interpolation (in types and patterns).
    Str(SmolStr),
    /// Nanoseconds.
    Duration(i64),
    /// Bytes.
    Size(i64),
}

/// `{ … }`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Block {
    /// Its statements, in written order.
    pub stmts: Vec<Stmt>,
    /// With its braces.
    pub span: Span,
}

/// A statement with the policies before it.
#[derive(Clone, Debug, PartialEq)]
pub struct Stmt {
    /// `@retry(2)` and the like.
    pub policies: Vec<Annotation>,
    /// What it says.
    pub kind: StmtKind,
    /// The whole of it.
    pub span: Span,
}

/// What a statement says.
#[derive(Clone, Debug, PartialEq)]
pub enum StmtKind {
    /// `name = e`, `name: T = e`, `(a, b) = e`, `(title:, url: u) = e`.
    Bind {
        /// What is bound: a name, tuple or record pattern. A record pattern may leave fields out.
        pattern: Pattern,
        /// The written type.
        ty: Option<Box<TypeExpr>>,
        /// The value.
        value: Expr,
    },
    /// An expression: an effect, or the block's value if it is last.
    Expr(Expr),
    /// `require cond else message`.
    Require {
        /// What must hold.
        cond: Expr,
        /// What to say otherwise.
        message: Option<Expr>,
    },
    /// `until cond` (in a `loop`).
    Until(Expr),
    /// `next value` (in a `loop`).
    Next(Expr),
    /// `assert cond` (in a `test`).
    Assert(Expr),
    /// `mock target => value` (in a `test`).
    Mock {
        /// What is replaced.
        target: Expr,
        /// By what.
        value: Expr,
    },
    /// What could not be parsed.
    Error,
}

/// A pattern of a `match` arm, binding, `for` or lambda.
#[derive(Clone, Debug, PartialEq)]
pub struct Pattern {
    /// What it says.
    pub kind: PatternKind,
    /// Where it stands.
    pub span: Span,
}

/// What a pattern says.
#[derive(Clone, Debug, PartialEq)]
pub enum PatternKind {
    /// `_`.
    Wildcard,
    /// `n`.
    Bind(Name),
    /// `"a"`, `1`, `null`.
    Literal(Literal),
    /// `t: str`.
    Typed(Name, Box<TypeExpr>),
    /// `(a, _)`.
    Tuple(Vec<Pattern>),
    /// `(kind: "x", radius: r, title:, ..)`.
    Record {
        /// Its fields.
        fields: Vec<FieldPattern>,
        /// Whether it ends with `..`.
        rest: bool,
    },
    /// `"a" | "b"`.
    Or(Vec<Pattern>),
    /// What could not be parsed.
    Error,
}

/// `radius: r`, or `title:` which binds the field's name.
#[derive(Clone, Debug, PartialEq)]
pub struct FieldPattern {
    /// The field.
    pub name: Name,
    /// What it must match; `None` binds it under its own name. In `n: int` that is a typed pattern of the field's name: with
    /// nothing but these it may be a tuple that is taken apart, too.
    pub pattern: Option<Pattern>,
}

/// An expression.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    /// What it says.
    pub kind: ExprKind,
    /// Where it stands.
    pub span: Span,
}

/// What an expression says.
#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// A literal other than a str.
    Literal(Literal),
    /// A str: its texts (escapes resolved) and interpolated expressions, in order.
    Str(Vec<StrPart>),
    /// `` json ``` … ``` ``.
    Code(Code),
    /// A name.
    Name(Name),
    /// `[a, b]`.
    List(Vec<Expr>),
    /// `["k": v]`, `[:]`.
    Dict(Vec<(Expr, Expr)>),
    /// `(a, b)`; two items or more.
    Tuple(Vec<Expr>),
    /// `(title: "x", url:, ..r)`.
    Record(Vec<RecordField>),
    /// `(a)`.
    Paren(Box<Expr>),
    /// `a.name`, `a?.name`.
    Field {
        /// What it is taken of.
        base: Box<Expr>,
        /// The member.
        name: Name,
        /// `?.`.
        optional: bool,
    },
    /// `p.0`, `p?.0`.
    TupleField {
        /// What it is taken of.
        base: Box<Expr>,
        /// The place, from 0.
        index: u32,
        /// `?.`.
        optional: bool,
    },
    /// `a[i]`.
    Index {
        /// What is looked in.
        base: Box<Expr>,
        /// The index or key.
        index: Box<Expr>,
    },
    /// `f[T](x, y: 1)`.
    Call {
        /// What is called.
        callee: Box<Expr>,
        /// `[T, U]`.
        type_args: Vec<TypeExpr>,
        /// The arguments.
        args: Vec<Arg>,
    },
    /// `x |> f(y)`; `call` is a `Call`, or an `Error`.
    Pipe {
        /// The first argument.
        value: Box<Expr>,
        /// The call that takes it.
        call: Box<Expr>,
    },
    /// `not a`, `-a`.
    Unary {
        /// The operator.
        op: UnaryOp,
        /// Its operand.
        operand: Box<Expr>,
    },
    /// `a + b`, `x after y`, …
    Binary {
        /// The operator.
        op: BinaryOp,
        /// Where the operator stands.
        op_span: Span,
        /// Its left operand.
        left: Box<Expr>,
        /// Its right operand.
        right: Box<Expr>,
    },
    /// `a..b`, `a..=b`.
    Range {
        /// The first.
        from: Box<Expr>,
        /// The end.
        to: Box<Expr>,
        /// `..=`.
        inclusive: bool,
    },
    /// `x is T`, `x is not T`.
    Is {
        /// The value.
        value: Box<Expr>,
        /// The type.
        ty: Box<TypeExpr>,
        /// `is not`.
        negated: bool,
    },
    /// `x as T`.
    As {
        /// The value.
        value: Box<Expr>,
        /// The type.
        ty: Box<TypeExpr>,
    },
    /// `if c { } else …`; `otherwise` is a `Block` or another `If`.
    If {
        /// The condition.
        cond: Box<Expr>,
        /// What runs if it holds.
        then: Block,
        /// What runs if not.
        otherwise: Option<Box<Expr>>,
    },
    /// `match x { … }`.
    Match {
        /// What is matched.
        value: Box<Expr>,
        /// The arms, in written order.
        arms: Vec<Arm>,
    },
    /// `for x in xs if c for y in ys { … }`.
    For {
        /// The loops, outermost first; at least one.
        clauses: Vec<ForClause>,
        /// The body.
        body: Block,
    },
    /// `loop a = 1, b = 2, max: 9 { … }`.
    Loop {
        /// The carried values.
        vars: Vec<LoopVar>,
        /// `max:`.
        max: Option<Box<Expr>>,
        /// The body.
        body: Block,
    },
    /// `try e else f`, `try e else err { … }`.
    Try {
        /// What may fail.
        body: Box<Expr>,
        /// The name of the failure.
        binding: Option<Name>,
        /// What is taken instead; a `Block` where braces were written.
        handler: Box<Expr>,
    },
    /// `seq { … }`.
    Seq(Block),
    /// `{ … }` as an arm's body or an `else`.
    Block(Block),
    /// `a => e`, `(a, b) => e`, `((a, b)) => e`.
    Lambda {
        /// Its parameters.
        params: Vec<Pattern>,
        /// Its body.
        body: Box<Expr>,
    },
    /// What could not be parsed.
    Error,
}

/// A part of a str.
#[derive(Clone, Debug, PartialEq)]
pub enum StrPart {
    /// Text, escapes resolved, indentation removed.
    Text(SmolStr),
    /// `{ expr }`.
    Expr(Expr),
}

/// A field of a record expression.
#[derive(Clone, Debug, PartialEq)]
pub enum RecordField {
    /// `..r`.
    Spread(Expr),
    /// `name: value`, or `name:` for the value of that name.
    Field(Name, Option<Expr>),
}

/// An argument of a call.
#[derive(Clone, Debug, PartialEq)]
pub struct Arg {
    /// `name:`.
    pub name: Option<Name>,
    /// The value; `None` for `name:` alone.
    pub value: Option<Expr>,
    /// The whole of it.
    pub span: Span,
}

/// One `for x, i in xs if c`.
#[derive(Clone, Debug, PartialEq)]
pub struct ForClause {
    /// One or two patterns before `in`.
    pub patterns: Vec<Pattern>,
    /// What is looped over.
    pub iter: Expr,
    /// `if c`.
    pub cond: Option<Expr>,
}

/// `draft = first` of a `loop`.
#[derive(Clone, Debug, PartialEq)]
pub struct LoopVar {
    /// Its name.
    pub name: Name,
    /// The written type.
    pub ty: Option<TypeExpr>,
    /// Its first value.
    pub init: Expr,
}

/// An arm of a `match`.
#[derive(Clone, Debug, PartialEq)]
pub struct Arm {
    /// What it matches.
    pub pattern: Pattern,
    /// `if c`.
    pub guard: Option<Expr>,
    /// Its value; a `Block` where braces were written.
    pub body: Expr,
    /// The whole of it.
    pub span: Span,
}

/// A prefix operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    /// `-`.
    Neg,
    /// `not`.
    Not,
}

/// An infix operator between two values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOp {
    /// `after`.
    After,
    /// `or`.
    Or,
    /// `and`.
    And,
    /// `==`.
    Eq,
    /// `!=`.
    Ne,
    /// `<`.
    Lt,
    /// `<=`.
    Le,
    /// `>`.
    Gt,
    /// `>=`.
    Ge,
    /// `in`.
    In,
    /// `not in`.
    NotIn,
    /// `??`.
    Coalesce,
    /// `+`.
    Add,
    /// `-`.
    Sub,
    /// `++`.
    Concat,
    /// `*`.
    Mul,
    /// `/`.
    Div,
    /// `%`.
    Rem,
    /// `~/`.
    IntDiv,
}
