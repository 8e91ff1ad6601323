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
    // Names and modules.
    UNKNOWN_TYPE = "E0203" Error "a type that does not exist";
    UNKNOWN_MODULE = "E0204" Error "a module that does not exist";
    UNKNOWN_FILE = "E0205" Error "a file that is not there";
    UNKNOWN_MEMBER = "E0206" Error "a name that a module does not have";
    PRIVATE_NAME = "E0207" Error "a name that stays within its file";
    DUPLICATE = "E0208" Error "a name that is declared twice";
    PACK = "E0210" Error "packs are not supported yet";
    BAD_USE = "E0211" Error "a `use` that names nothing";

    // Types.
    MISMATCH = "E0301" Error "a value of the wrong type";
    TYPE_ARGUMENTS = "E0302" Error "a wrong number of type arguments";
    DICT_KEY = "E0303" Error "a dict's key that is neither str nor int";
    ENDLESS_TYPE = "E0304" Error "a type that stands for itself";
    LITERAL_TYPE = "E0305" Error "a literal that cannot be a type";
    FN_TYPE = "E0306" Error "a function's type where no function can be";
    TOO_BIG_TYPE = "E0307" Error "a type that has grown too big";

    // Streams.
    MISPLACED_STREAM = "E0401" Error "a stream's type outside a signature";
    UNKNOWN_STREAM = "E0402" Error "`per` something that is no stream";

    // Annotations.
    UNKNOWN_ANNOTATION = "E0502" Error "an annotation that does not exist";
    ANNOTATION_ARGUMENTS = "E0503" Error "wrong arguments of an annotation";
    MISPLACED_ANNOTATION = "E0504" Error "an annotation where it means nothing";

    // Declarations.
    REPEATED = "E0601" Error "a parameter, field or output that is declared twice";
    CIRCLE = "E0602" Error "definitions that need each other";
    NO_BODY = "E0603" Error "a declaration without a body";
    WRONG_BODY = "E0604" Error "a body of the wrong kind";
    NO_OUTPUTS = "E0605" Error "a result or its type is missing";
    UNKNOWN_BOUND = "E0606" Error "a bound of a type parameter that does not exist";
    MISPLACED_DEFAULT = "E0607" Error "a default where nothing can take it";

    // The manifest.
    MANIFEST_SYNTAX = "E0701" Error "an ntl.toml that is not TOML";
    MANIFEST_KEY = "E0702" Error "a key that ntl.toml does not know";
    MANIFEST_VALUE = "E0703" Error "a value of the wrong kind in ntl.toml";
    MANIFEST_VERSION = "E0704" Error "a project for another version of the language";

    // The plan.
    STREAM_FUNCTION = "E0901" Error "a stream function that this version does not run";
    STREAM_SIGNATURE = "E0902" Error "a workflow that takes or gives a stream";
    GENERIC_CONVERSION = "E0903" Error "`as` or `is` with a type parameter";
    TOO_LARGE = "E0904" Error "a piece of code that is too large";
    STREAM_IN_BODY = "E0905" Error "a stream's values together with those of a body";
    NO_PLAN = "E0906" Error "a program that could not be made into a plan";

    // Warnings.
    UNUSED_USE = "W0201" Warning "a `use` that nobody uses";
    UNUSED_FN = "W0202" Warning "a private definition that nobody uses";
}

/// What there is to know of a code, in Markdown: what it means, why, an example that is wrong and one that is right.
pub fn explain(code: &str) -> Option<&'static str> {
    let code = code.to_ascii_uppercase();
    REGISTRY.iter().find(|(known, _)| known.id == code).map(|(_, page)| *page)
}
