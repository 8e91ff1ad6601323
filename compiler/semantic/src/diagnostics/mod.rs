//! The registry of diagnostics, and their texts by theme. A code is given once and never used for something else; each has
//! a page in `explain/`.

pub mod declarations;
pub mod names;
pub mod plan;
pub mod types;

use crate::diagnostic::{Code, Severity};

macro_rules! codes {
    ($($name:ident = $id:literal $severity:ident $title:literal;)*) => {
        /// The codes by name.
        pub mod codes {
            use super::{Code, Severity};
            $(
                #[doc = $title]
                pub const $name: Code = Code { id: $id, severity: Severity::$severity, title: $title };
            )*
        }
        /// Every code with its page, in order of code.
        pub const REGISTRY: &[(Code, &str)] =
            &[$((codes::$name, include_str!(concat!("../../explain/", $id, ".md"))),)*];
    };
}

codes! {
    // Tokens.
    UNKNOWN_CHARACTER = "E0001" Error "a character that means nothing here";
    UNCLOSED_STR = "E0002" Error "a str that is never closed";
    BAD_ESCAPE = "E0003" Error "an escape that does not exist";
    LONE_BRACE = "E0004" Error "a lone `}` in a str";
    NUMBER_RANGE = "E0005" Error "a number that is too large";
    BAD_NUMBER = "E0006" Error "a number that is not written right";
    FOREIGN_OPERATOR = "E0007" Error "an operator of another language";
    SINGLE_QUOTES = "E0008" Error "a str in single quotes";
    FOREIGN_COMMENT = "E0009" Error "a comment of another language";
    BAD_NAME = "E0010" Error "a name in backticks that is not closed";
    TOO_DEEP = "E0011" Error "code that is nested too deeply";

    // Form.
    UNEXPECTED = "E0101" Error "something else is expected here";
    UNCLOSED_BRACKET = "E0102" Error "a bracket that is never closed";
    STRAY_BRACKET = "E0103" Error "a closing bracket without an opening one";
    LINE_START = "E0104" Error "a line that cannot begin like this";
    FOREIGN_WORD = "E0105" Error "a word of another language";
    EQ_IN_CONDITION = "E0106" Error "`=` where `==` is meant";
    MISSING_TYPE = "E0107" Error "a parameter or field without a type";
    CHAINED_COMPARISON = "E0108" Error "comparisons in a chain";
    PIPE_TARGET = "E0109" Error "a pipe into something that is no call";
    TRY_IN_HEAD = "E0110" Error "`try` in a head without parentheses";
    NAMED_ARGUMENT = "E0111" Error "an argument named with `=`";
    NO_INTERPOLATION = "E0112" Error "interpolation where it has no place";
    MISPLACED_POLICY = "E0113" Error "a policy or fact in the wrong place";
    WRONG_BODY = "E0114" Error "a body of the wrong kind";
    PARENTHESES_NEEDED = "E0115" Error "an operator that needs parentheses";

    // Names and modules.
    UNKNOWN_NAME = "E0201" Error "a name that does not exist";
    UNKNOWN_FUNCTION = "E0202" Error "a function that does not exist";
    UNKNOWN_TYPE = "E0203" Error "a type that does not exist";
    UNKNOWN_MODULE = "E0204" Error "a module that does not exist";
    UNKNOWN_FILE = "E0205" Error "a file that is not there";
    UNKNOWN_MEMBER = "E0206" Error "a name that a module does not have";
    PRIVATE_NAME = "E0207" Error "a name that stays within its file";
    DUPLICATE = "E0208" Error "a name that is declared twice";
    BOUND_TWICE = "E0209" Error "a name that is bound twice";
    PACK = "E0210" Error "packs are not supported yet";
    BAD_USE = "E0211" Error "a `use` that names nothing";

    UNKNOWN_FIELD = "E0212" Error "a field or method that does not exist";
    BINDING_CYCLE = "E0213" Error "bindings that need each other";
    NOT_A_VALUE = "E0214" Error "a function, type or module where a value is wanted";
    LATER_IN_SEQ = "E0215" Error "a name that is bound later in a `seq`";

    // Types.
    MISMATCH = "E0301" Error "a value of the wrong type";
    TYPE_ARGUMENTS = "E0302" Error "a wrong number of type arguments";
    DICT_KEY = "E0303" Error "a dict's key that is neither str nor int";
    ENDLESS_TYPE = "E0304" Error "a type that stands for itself";
    LITERAL_TYPE = "E0305" Error "a literal that cannot be a type";
    FN_TYPE = "E0306" Error "a function's type where no function can be";
    TOO_BIG_TYPE = "E0307" Error "a type that has grown too big";

    MAYBE_NULL = "E0308" Error "a value that may be null";
    MISSING_ARGUMENT = "E0309" Error "an argument that is missing";
    UNKNOWN_ARGUMENT = "E0310" Error "an argument that does not exist";
    ARGUMENT_TWICE = "E0311" Error "an argument that is given twice";
    TOO_MANY_ARGUMENTS = "E0312" Error "too many arguments";
    NO_ARITHMETIC = "E0313" Error "an operator that does not take such values";
    NEVER_EQUAL = "E0314" Error "a comparison of what is never equal";
    NO_ORDER = "E0315" Error "a comparison of what has no order";
    NOT_SHOWN = "E0316" Error "a value that cannot stand in a str";
    NOT_CALLED = "E0317" Error "a call of what is no function";
    FUNCTION = "E0318" Error "an argument that must be a function";
    TYPE_PARAMETER = "E0319" Error "a type parameter that is not known or not allowed";
    NOT_INDEXED = "E0320" Error "a look into what has no items";
    NOT_LOOPED = "E0321" Error "a `for` over what is no list";
    FIELDS = "E0322" Error "wrong fields of a record";
    PATTERN = "E0323" Error "a pattern that cannot match";
    NOT_EXHAUSTIVE = "E0324" Error "a `match` that does not take every value";
    NEVER_CONVERTS = "E0325" Error "an `as` or `is` that never holds";
    NO_ELSE = "E0326" Error "an `if` that needs an `else`";
    NO_VALUE = "E0327" Error "a body without a value";
    MISPLACED_LAMBDA = "E0328" Error "a small function that is no argument";
    EMBEDDED = "E0329" Error "embedded data that cannot be read";
    OUT_OF_BOUNDS = "E0330" Error "a number out of bounds";
    FAILING_CONSTANT = "E0331" Error "a constant that has no value";

    // Streams.
    MISPLACED_STREAM = "E0401" Error "a stream's type outside a signature";
    UNKNOWN_STREAM = "E0402" Error "`per` something that is no stream";

    UNRELATED = "E0403" Error "values that vary per unrelated sources";
    VARYING_OUTPUT = "E0404" Error "an output that varies and is not declared so";
    VARIES_OUT = "E0405" Error "a body whose value varies per what it opens";
    NO_STREAM = "E0406" Error "a single value where a varying one is wanted";
    SOURCE_IN_PURE = "E0407" Error "a source where one value is computed";
    STREAM_OUTPUT = "E0408" Error "an output that does not vary as declared";
    DROPPED_OUTPUT = "E0409" Error "an output that may be dropped";
    MIXED_STREAMS = "E0410" Error "outputs that vary in different ways";

    // Effects, annotations and policies.
    EFFECT = "E0501" Error "an effect in what is pure";
    UNKNOWN_ANNOTATION = "E0502" Error "an annotation that does not exist";
    ANNOTATION_ARGUMENTS = "E0503" Error "wrong arguments of an annotation";
    MISPLACED_ANNOTATION = "E0504" Error "an annotation where it means nothing";

    UNKNOWN_POLICY = "E0505" Error "a policy that does not exist";
    POLICY_PLACE = "E0506" Error "a policy where it means nothing";
    POLICY_ARGUMENTS = "E0507" Error "wrong arguments of a policy";
    ID_TWICE = "E0508" Error "an id that another step has";

    // Declarations.
    REPEATED = "E0601" Error "a parameter, field or output that is declared twice";
    CIRCLE = "E0602" Error "definitions that need each other";
    NO_BODY = "E0603" Error "a declaration without a body";
    WRONG_LANGUAGE = "E0604" Error "a node in a language that is not known";
    NO_OUTPUTS = "E0605" Error "a result or its type is missing";
    UNKNOWN_BOUND = "E0606" Error "a bound of a type parameter that does not exist";
    MISPLACED_DEFAULT = "E0607" Error "a default where nothing can take it";

    MISSING_OUTPUT = "E0608" Error "an output that is never bound";
    MISPLACED = "E0609" Error "a statement where it means nothing";
    LOOP = "E0610" Error "a `loop` that carries nothing on";
    SETTING = "E0611" Error "a wrong setting of a prompt, agent, test or `on`";

    // The manifest.
    MANIFEST_SYNTAX = "E0701" Error "an ntl.toml that is not TOML";
    MANIFEST_KEY = "E0702" Error "a key that ntl.toml does not know";
    MANIFEST_VALUE = "E0703" Error "a value of the wrong kind in ntl.toml";
    MANIFEST_VERSION = "E0704" Error "a project for another version of the language";

    // The plan.
    STREAM_SIGNATURE = "E0902" Error "a workflow that gives a value per item of a stream that it takes";
    GENERIC_CONVERSION = "E0903" Error "`as` or `is` with a type parameter";
    TOO_LARGE = "E0904" Error "a piece of code that is too large";
    STREAM_IN_BODY = "E0905" Error "a stream's values together with those of a body";
    NO_PLAN = "E0906" Error "a program that could not be made into a plan";

    // Warnings.
    UNUSED_USE = "W0201" Warning "a `use` that nobody uses";
    UNUSED_FN = "W0202" Warning "a private definition that nobody uses";
    UNUSED_BINDING = "W0203" Warning "a binding that nobody uses";
    HIDDEN_MODULE = "W0204" Warning "a value that hides a module";
    HIDDEN_CONST = "W0205" Warning "a pattern that hides a constant";
    NEEDLESS_NULL = "W0301" Warning "a `??` or `?.` of what is never null";
    UNREACHABLE = "W0302" Warning "an arm that is never reached";
    REPEATED_KEY = "W0303" Warning "a key that is given twice";
    COMMENTED_DIVISION = "W0304" Warning "a comment that looks like a division";
    NO_EFFECT = "W0501" Warning "a statement without an effect";
    RISKY_RETRY = "W0502" Warning "a retry of what is not safe to retry";
    UNORDERED_FILES = "W0503" Warning "a file that is touched twice, one of them a change, without an order";
    DEPRECATED = "W0504" Warning "something that is deprecated";
}

/// What there is to know of a code, in Markdown: what it means, why, an example that is wrong and one that is right.
pub fn explain(code: &str) -> Option<&'static str> {
    let code = code.to_ascii_uppercase();
    REGISTRY.iter().find(|(known, _)| known.id == code).map(|(_, page)| *page)
}

/// How many names of a circle a message shows.
pub(crate) const SHOWN: usize = 8;

/// The names of a circle, back to the first: `a` → `b` → `a`. A long one is cut in the middle.
fn way_round(names: &[smol_str::SmolStr]) -> String {
    let mut shown: Vec<String> = names.iter().take(SHOWN).map(|name| format!("`{name}`")).collect();
    if names.len() > SHOWN {
        shown.push(format!("{} more", names.len() - SHOWN));
    }
    shown.extend(names.first().map(|name| format!("`{name}`")));
    shown.join(" → ")
}
