//! A checked body: every name resolved, every type known, every conversion written out. What `ntl-lower` reads and
//! the editor's queries look things up in.
//!
//! A value of a record type has exactly that type's fields in that type's order: wherever a wider or reordered record
//! meets a narrower type there is a [`ExprKind::Fit`]. Spans are tokens of the item that the body belongs to.

use crate::db::Def;
use crate::ty::Type;
use ntl_syntax::ast::Span;
use smol_str::SmolStr;

/// Index into [`Body::locals`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LocalId(pub u32);

/// Index into [`Body::sources`]: one call that makes a value vary.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SourceId(pub u32);

/// What a value varies per, outermost first; empty for a value that does not vary. In a body (branch, arm, `for`, …) it
/// tells what the value itself takes from outside and what is opened in the body; the expression that the body belongs to
/// tells what the body as a whole is run per.
pub type Scope = Vec<SourceId>;

/// A checked body of a callable, const, default, test or `on`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Body {
    /// Every parameter, binding, loop variable and pattern variable.
    pub locals: Vec<Local>,
    /// Every source, in written order.
    pub sources: Vec<Source>,
    /// The callable's parameters, in order.
    pub params: Vec<LocalId>,
    /// What it does.
    pub block: Block,
    /// For a workflow with named outputs: each output's value (a local or a conversion of one), in declared order.
    /// Else empty: the value is the block's.
    pub outputs: Vec<(SmolStr, Expr)>,
    /// What an agent's model may call, and where that is said.
    pub tools: Vec<(Def, Span)>,
}

/// A named value.
#[derive(Clone, Debug, PartialEq)]
pub struct Local {
    /// Its name.
    pub name: SmolStr,
    /// Its type.
    pub ty: Type,
    /// What it varies per.
    pub scope: Scope,
    /// Where it is bound.
    pub span: Span,
    /// What binds it.
    pub kind: LocalKind,
}

/// What binds a local.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LocalKind {
    /// A parameter of the callable.
    Param,
    /// `name = …`.
    Binding,
    /// A variable of a `for`, `loop`, lambda, pattern, or `else err`.
    Variable,
}

/// A call that makes a value vary: `each(xs)`.
#[derive(Clone, Debug, PartialEq)]
pub struct Source {
    /// How messages name it: the binding it is bound to, or the call's text.
    pub name: SmolStr,
    /// The scope that the call stands in, as far as its arguments tell.
    pub scope: Scope,
    /// The call.
    pub span: Span,
}

/// `{ … }`: statements whose order does not matter, and a value.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Block {
    /// The statements, in written order.
    pub stmts: Vec<Stmt>,
    /// The value; `None` for a block of effects only, whose value is null.
    pub value: Option<Box<Expr>>,
    /// Its tokens.
    pub span: Span,
}

/// A statement.
#[derive(Clone, Debug, PartialEq)]
pub struct Stmt {
    /// The policies that cover it.
    pub policies: Vec<Policy>,
    /// What it does.
    pub kind: StmtKind,
    /// Where it stands.
    pub span: Span,
}

/// What a statement does.
#[derive(Clone, Debug, PartialEq)]
pub enum StmtKind {
    /// `local = value`. A binding taken apart is bound to a hidden local first, its parts are [`StmtKind::Let`]s of
    /// fields of that.
    Let(LocalId, Expr),
    /// A bare effect.
    Effect(Expr),
    /// `require cond else message`; the message is a str.
    Require(Expr, Expr),
    /// `assert cond` of a test.
    Assert(Expr),
    /// `mock target => value` of a test.
    Mock(Def, Expr),
}

/// A policy of a statement or `for`.
#[derive(Clone, Debug, PartialEq)]
pub enum Policy {
    /// `@retry(n, backoff: d)`; nanoseconds.
    Retry(u32, Option<i64>),
    /// `@timeout(d)`; nanoseconds.
    Timeout(i64),
    /// `@cache(d)`; `None` for ever.
    Cache(Option<i64>),
    /// `@cache(off)`.
    CacheOff,
    /// `@parallel(n)`.
    Parallel(u32),
    /// `@on_error(skip)`.
    SkipErrors,
    /// `@id("…")`.
    Id(SmolStr),
}

/// An expression.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    /// Its type.
    pub ty: Type,
    /// What it varies per.
    pub scope: Scope,
    /// Where it stands.
    pub span: Span,
    /// What it does.
    pub kind: ExprKind,
}

/// What an expression does.
#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// A constant.
    Const(Const),
    /// The value of a local.
    Local(LocalId),
    /// The value of a top-level `const`, perhaps of another file.
    ConstItem(Def),
    /// An interpolated str: each part of type str, int, float, bool, duration, size, datetime or a literal or type parameter of those.
    Interpolate(Vec<Expr>),
    /// A list of its items.
    List(Vec<Expr>),
    /// A dict; a later key wins.
    Dict(Vec<(Expr, Expr)>),
    /// A tuple.
    Tuple(Vec<Expr>),
    /// A record: one value per field of the type, in its order. An omitted field with a default has [`ExprKind::Default`].
    Record(Vec<Expr>),
    /// `(..base, …)`: a copy of `base` with the fields at these places replaced.
    Update(Box<Expr>, Vec<(u32, Expr)>),
    /// The default of field `.1` of the user type `.0`, or of parameter `.1` of the callable `.0`.
    Default(Def, u32),
    /// The field at a place of a record, or the item at a place of a tuple.
    Field(Box<Expr>, u32),
    /// A field by name, of a union of records that all have it.
    FieldNamed(Box<Expr>, SmolStr),
    /// `base[index]`: of a list (int), dict (key), tuple-free; a missing one is an error.
    Index(Box<Expr>, Box<Expr>),
    /// `base[index]` of a `json`: null where absent.
    JsonIndex(Box<Expr>, Box<Expr>),
    /// `-a`.
    Neg(Box<Expr>),
    /// `not a`.
    Not(Box<Expr>),
    /// `a and b`.
    And(Box<Expr>, Box<Expr>),
    /// `a or b`.
    Or(Box<Expr>, Box<Expr>),
    /// `a ?? b`.
    Coalesce(Box<Expr>, Box<Expr>),
    /// Arithmetic and comparison; operands are converted already.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `a..b` (`false`), `a..=b` (`true`).
    Range(Box<Expr>, Box<Expr>, bool),
    /// `value is T` (negation is a [`ExprKind::Not`] around it).
    Is(Box<Expr>, Type),
    /// `value as T`, the node's own type.
    As(Box<Expr>),
    /// An implicit conversion to the node's own type: int to float, cut of fields, check of `any`, members of those.
    Fit(Box<Expr>),
    /// `base?.…`: if `base` is null, null; else `then`, in which `.1` is bound to the base.
    Chain(Box<Expr>, LocalId, Box<Expr>),
    /// `if`. Without `else` the value is null.
    If(Box<Expr>, Block, Option<Block>),
    /// `match`: arms in order; exhaustive.
    Match(Box<Expr>, Vec<Arm>),
    /// `for`.
    For(Box<For>),
    /// `loop`.
    Loop(Box<Loop>),
    /// `try body else handler`; the local is the failure record `(code, message, node, retryable)`.
    Try(Box<Expr>, Option<LocalId>, Block),
    /// `seq { … }`: in written order.
    Seq(Block),
    /// A block as a value.
    Block(Block),
    /// `first after second`.
    After(Box<Expr>, Box<Expr>),
    /// A call.
    Call(Box<Call>),
    /// A small function.
    Lambda(Box<Lambda>),
    /// A named function as a value.
    FnItem(Def),
    /// What has an error; its body cannot be lowered.
    Error,
}

/// A constant value.
#[derive(Clone, Debug, PartialEq)]
pub enum Const {
    /// `null`.
    Null,
    /// A bool.
    Bool(bool),
    /// An int.
    Int(i64),
    /// A float.
    Float(f64),
    /// A str.
    Str(SmolStr),
    /// Nanoseconds.
    Duration(i64),
    /// Bytes.
    Size(i64),
    /// The text of a `` json ``` … ``` ``, known to be valid.
    Json(SmolStr),
}

/// A strict infix operator. `>`/`>=` keep their operand order; `!=`, `not in` are a [`ExprKind::Not`] around these.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOp {
    /// `==`.
    Eq,
    /// `<`.
    Lt,
    /// `<=`.
    Le,
    /// `>`.
    Gt,
    /// `>=`.
    Ge,
    /// `in`: of list, range, dict keys, or parts of a str.
    In,
    /// `+` of numbers of one type, durations, sizes, datetime and duration.
    Add,
    /// `-` alike; datetime less datetime is not among them.
    Sub,
    /// `++` of lists.
    Concat,
    /// `*` of numbers of one type, or duration or size by a number.
    Mul,
    /// `/`: ints and floats give float; duration or size by a number, like by like gives float.
    Div,
    /// `%`.
    Rem,
    /// `~/`.
    IntDiv,
}

/// An arm of a `match`.
#[derive(Clone, Debug, PartialEq)]
pub struct Arm {
    /// What it matches.
    pub pattern: Pattern,
    /// `if c`.
    pub guard: Option<Expr>,
    /// Its value.
    pub body: Block,
}

/// A resolved pattern.
#[derive(Clone, Debug, PartialEq)]
pub enum Pattern {
    /// Always.
    Wildcard,
    /// Always; binds the value, converted to the local's type.
    Bind(LocalId),
    /// Equal to a constant.
    Const(Const),
    /// A value that is of this type as it stands, then the inner pattern.
    Typed(Type, Box<Pattern>),
    /// A value of which `as` can make one of this type, then the inner pattern on what it makes.
    As(Type, Box<Pattern>),
    /// A tuple's items.
    Tuple(Vec<Pattern>),
    /// A record (never null) with these fields, by name.
    Record(Vec<(SmolStr, Pattern)>),
    /// Any of them; they bind nothing.
    Or(Vec<Pattern>),
}

/// `for`: one clause; further clauses are `For`s in its body with `flatten` set here.
#[derive(Clone, Debug, PartialEq)]
pub struct For {
    /// What is looped over: a list, or a dict.
    pub iter: Expr,
    /// Whether it is a dict, looped over by key and value.
    pub is_dict: bool,
    /// The item (list), or the key (dict).
    pub item: LocalId,
    /// The value (dict).
    pub value: Option<LocalId>,
    /// The index, from 0.
    pub index: Option<LocalId>,
    /// Locals that take the item apart, in order, as in a block.
    pub lets: Vec<Stmt>,
    /// `if c`: items where it does not hold are left out.
    pub cond: Option<Expr>,
    /// The body.
    pub body: Block,
    /// Whether the body's value is a list (of an inner clause) to be spliced in.
    pub flatten: bool,
}

/// `loop`.
#[derive(Clone, Debug, PartialEq)]
pub struct Loop {
    /// Carried locals with their first values.
    pub vars: Vec<(LocalId, Expr)>,
    /// The most rounds; 10 where it is not written.
    pub max: Option<Expr>,
    /// Bindings and effects of a round.
    pub stmts: Vec<Stmt>,
    /// `until`: looked at first.
    pub until: Option<Expr>,
    /// `next`: one value per carried local.
    pub next: Vec<Expr>,
}

/// A call.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// What is called.
    pub callee: Callee,
    /// One per parameter, in the callee's order.
    pub args: Vec<Expr>,
    /// The type arguments, in the callee's order.
    pub type_args: Vec<Type>,
    /// The sources that this call is, where its results vary by them: one for each output that is a stream, in order.
    pub sources: Vec<SourceId>,
}

/// What a call calls.
#[derive(Clone, Debug, PartialEq)]
pub enum Callee {
    /// A `fn`, or a node, workflow, prompt or agent: by its declaration. The result of one with several named outputs
    /// is a record of them.
    Item(Def),
    /// A function value: a parameter.
    Value(LocalId),
}

/// A small function.
#[derive(Clone, Debug, PartialEq)]
pub struct Lambda {
    /// Its parameters.
    pub params: Vec<LocalId>,
    /// Locals that take the parameters apart.
    pub lets: Vec<Stmt>,
    /// Its value.
    pub body: Expr,
}
