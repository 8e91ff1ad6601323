//! Types: what does not fit, and what is written wrongly.

use super::codes;
use crate::db::Db;
use crate::diagnostic::{Diagnostic, Edit, Fix, Place};
use crate::ty::Type;
use crate::types::{Mismatch, Reason, Step, display, unfold};
use smol_str::SmolStr;

/// A value that does not fit where it stands. `what` says what it is, such as "argument `n`" or "`size`"; empty for a
/// plain expression. `text` is the value as it is written, for help that shows it in use, if it is short.
pub fn mismatch(
    db: &dyn Db,
    place: Place,
    what: &str,
    found: &Type,
    expected: &Type,
    why: &Mismatch,
    text: Option<&str>,
) -> Diagnostic {
    let empty = match found {
        Type::List(item) if **item == Type::Never => Some("[]"),
        Type::Dict(key, value) if (&**key, &**value) == (&Type::Never, &Type::Never) => Some("[:]"),
        _ => None,
    };
    let (found_shown, expected_shown) =
        (empty.map_or_else(|| display(db, found), str::to_owned), display(db, expected));
    let subject = if what.is_empty() { String::new() } else { format!("{what}: ") };
    let message = match &why.reason {
        Reason::MissingField(field, _) if why.path.is_empty() => {
            format!("{subject}expected `{expected_shown}`, but `{field}` is missing")
        }
        Reason::OtherLiteral(Some(near)) if why.path.is_empty() => {
            format!("{subject}expected `{expected_shown}`, found `{found_shown}`; did you mean {near:?}?")
        }
        Reason::MaybeNull if why.path.is_empty() && *found != Type::Null => {
            format!("{subject}expected `{expected_shown}`, found `{found_shown}`, which may be null")
        }
        _ => format!("{subject}expected `{expected_shown}`, found `{found_shown}`"),
    };
    let mut diagnostic = Diagnostic::new(codes::MISMATCH, place.clone(), message);
    if !why.path.is_empty() {
        let (found, expected) = (display(db, &why.found), display(db, &why.expected));
        let at = path(&why.path);
        diagnostic = diagnostic.note(match &why.reason {
            Reason::MissingField(field, _) => format!("{at} has no `{field}`"),
            _ => format!("{at} is `{found}` where `{expected}` is expected"),
        });
    }
    match (empty, unfold(db, expected)) {
        (Some("[:]"), Type::List(_)) => diagnostic.note("an empty list is written `[]`"),
        (Some("[]"), Type::Dict(..)) => diagnostic.note("an empty dict is written `[:]`"),
        _ => help(db, diagnostic, place, why, text),
    }
}

/// What would help, by the reason.
fn help(db: &dyn Db, diagnostic: Diagnostic, place: Place, why: &Mismatch, text: Option<&str>) -> Diagnostic {
    let x = text.unwrap_or("x");
    match &why.reason {
        Reason::ItemForList => diagnostic.note(format!("a list of one is written `[{x}]`")),
        Reason::ListForItem => diagnostic
            .note(format!("do it for each item with `for item in {x} {{ … }}`, or let it vary with `each({x})`")),
        Reason::MaybeNull => diagnostic.note(format!("say what stands for null: `{x} ?? …`")),
        Reason::FloatForInt => {
            diagnostic.note(format!("make it an int with `round({x})`, `floor({x})` or `ceil({x})`; `~/` divides ints"))
        }
        Reason::JsonNeedsAs => {
            let wanted = display(db, &why.expected);
            diagnostic.note(format!("`json` is checked and left by `as`: `{x} as {wanted}`"))
        }
        Reason::OtherLiteral(Some(near)) if why.path.is_empty() => {
            let edit = Edit::instead(place, format!("{near:?}"));
            diagnostic.mend(Fix::new(format!("write {near:?}"), vec![edit]).guessed())
        }
        Reason::BaseForLiteral => match unfold(db, &why.expected) {
            expected @ (Type::Union(_) | Type::Literal(_)) if matches!(why.expected, Type::Named(_)) => {
                diagnostic.note(format!("`{}` is {}", display(db, &why.expected), display(db, &expected)))
            }
            _ => diagnostic,
        }
        .note(format!("any value may come: check it with `{x} as {}`, or `match` it", display(db, &why.expected))),
        Reason::NotText => diagnostic.note(format!("as text it is written `\"{{{x}}}\"`")),
        Reason::TextForNumber => {
            let wanted = display(db, &why.expected);
            diagnostic.note(format!("a number in a text is read with `{wanted}({x})`"))
        }
        Reason::Length(found, expected) => diagnostic.note(format!("it has {found} parts instead of {expected}")),
        Reason::MissingField(field, Some(near)) => {
            diagnostic.note(format!("there is `{near}`; was it meant as `{field}`?"))
        }
        Reason::TooDeep => diagnostic.note("these types nest too deeply to be compared"),
        Reason::Different | Reason::OtherLiteral(_) | Reason::MissingField(_, None) => diagnostic,
    }
}

/// A way into a value, in words: "each item's `title`".
fn path(steps: &[Step]) -> String {
    let mut said = String::new();
    for (i, step) in steps.iter().enumerate() {
        let first = i == 0;
        let word = match step {
            Step::Item if first => "each item".to_owned(),
            Step::Item => "'s items".to_owned(),
            Step::Key if first => "each key".to_owned(),
            Step::Key => "'s keys".to_owned(),
            Step::Value if first => "each value".to_owned(),
            Step::Value => "'s values".to_owned(),
            Step::Place(at) if first => format!("item {at}"),
            Step::Place(at) => format!("'s item {at}"),
            Step::Field(name) if first => format!("field `{name}`"),
            Step::Field(name) => format!("'s `{name}`"),
            Step::Param(at) if first => format!("parameter {}", at + 1),
            Step::Param(at) => format!("'s parameter {}", at + 1),
            Step::Result if first => "the result".to_owned(),
            Step::Result => "'s result".to_owned(),
        };
        said.push_str(&word);
    }
    said
}

/// `list[int, str]`, `dict[str]`, `int[str]`.
pub fn type_arguments(place: Place, name: &str, expected: usize, given: usize) -> Diagnostic {
    let message = match expected {
        0 => format!("`{name}` takes no type arguments"),
        1 => format!("`{name}` takes one type argument, {given} given"),
        _ => format!("`{name}` takes {expected} type arguments, {given} given"),
    };
    let diagnostic = Diagnostic::new(codes::TYPE_ARGUMENTS, place, message);
    match name {
        "list" | "stream" => diagnostic.note(format!("write the type of its items: `{name}[str]`")),
        "dict" => diagnostic.note("write the types of its keys and of its values: `dict[str, int]`"),
        _ => diagnostic,
    }
}

/// A dict's key that is neither str nor int.
pub fn dict_key(place: Place, found: &str, is_param: bool) -> Diagnostic {
    let diagnostic =
        Diagnostic::new(codes::DICT_KEY, place, format!("a dict's key is a `str` or an `int`, not `{found}`"));
    if is_param { diagnostic.note(format!("say so of the type parameter: `[{found}: key]`")) } else { diagnostic }
}

/// A type that stands for itself, through these names.
pub fn endless_type(place: Place, names: &[SmolStr]) -> Diagnostic {
    let name = names.first().cloned().unwrap_or_default();
    let message = format!("the type `{name}` stands for itself: {}", super::way_round(names));
    Diagnostic::new(codes::ENDLESS_TYPE, place, message)
        .note("a type may contain itself in a field, list or dict, but not be itself")
}

/// `1.5` or `30s` as a type.
pub fn no_literal_type(place: Place) -> Diagnostic {
    Diagnostic::new(codes::LITERAL_TYPE, place, "only a `str`, `int` or `bool` literal, or `null`, can be a type")
}

/// `fn(A) -> B` where no function can be.
pub fn misplaced_fn_type(place: Place) -> Diagnostic {
    Diagnostic::new(codes::FN_TYPE, place, "only a parameter of a `fn` can have a function's type")
        .note("functions are no values: they are passed to pure functions and called there")
}

/// A type that inference has let grow beyond use.
pub fn too_big(place: Place, what: &str) -> Diagnostic {
    Diagnostic::new(codes::TOO_BIG_TYPE, place, format!("the type of `{what}` is too big"))
        .note("give the parts names with `type`, or write the type down")
}

/// `stream[T]` or `T per x` outside a signature.
pub fn misplaced_stream(place: Place, word: &str) -> Diagnostic {
    let message = format!("`{word}` belongs into the signature of a workflow or node: a parameter or output");
    let diagnostic = Diagnostic::new(codes::MISPLACED_STREAM, place, message);
    match word {
        "stream" => diagnostic.note("a value that varies has the type of one item: leave `stream[…]` out"),
        _ => diagnostic.note("what a value varies per is known without saying: leave `per` out"),
    }
}

/// `T per x` where `x` is no stream of the signature.
pub fn per_what(place: Place, name: &str, near: Option<SmolStr>) -> Diagnostic {
    let diagnostic = Diagnostic::new(
        codes::UNKNOWN_STREAM,
        place,
        format!("`per {name}`: there is no stream `{name}` in this signature"),
    );
    match near {
        Some(near) => diagnostic.note(format!("there is `{near}`: write `per {near}`")),
        None => diagnostic.note("a value goes `per` a parameter or output of type `stream[…]`"),
    }
}

/// A default of a field that is not one of a user type.
pub fn misplaced_default(place: Place, field: &str) -> Diagnostic {
    Diagnostic::new(codes::MISPLACED_DEFAULT, place, format!("the field `{field}` cannot have a default here"))
        .note("only the fields of a declared type have defaults: `type Point(x: float, y: float = 0.0)`")
}
