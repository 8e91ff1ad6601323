//! Declarations: their annotations, shapes and circles.

use super::codes;
use crate::diagnostic::{Diagnostic, Place};
use smol_str::SmolStr;

/// An annotation that does not exist, before a declaration or a step.
pub fn unknown_annotation(place: Place, name: &str, near: Option<SmolStr>) -> Diagnostic {
    let near = near.map(|near| SmolStr::new(format!("@{near}")));
    let message = format!("unknown annotation `@{name}`");
    let diagnostic = Diagnostic::new(codes::UNKNOWN_ANNOTATION, place.clone(), message);
    match near {
        Some(near) => {
            let mut diagnostic =
                diagnostic.fix(format!("use `{near}`"), place, near.trim_start_matches('@').to_owned());
            diagnostic.message.push_str(&format!("; did you mean `{near}`?"));
            diagnostic
        }
        None => diagnostic,
    }
}

/// An annotation with arguments that it does not take; `help` says what it takes.
pub fn annotation_arguments(place: Place, name: &str, help: String) -> Diagnostic {
    Diagnostic::new(codes::ANNOTATION_ARGUMENTS, place, format!("wrong arguments of `@{name}`")).note(help)
}

/// An annotation before something that it says nothing of.
pub fn misplaced_annotation(place: Place, name: &str, what: &str) -> Diagnostic {
    Diagnostic::new(codes::MISPLACED_ANNOTATION, place, format!("`@{name}` says nothing about {what}"))
}

/// `@retry` before a declaration.
pub fn policy_on_declaration(place: Place, name: &str) -> Diagnostic {
    Diagnostic::new(
        codes::MISPLACED_ANNOTATION,
        place,
        format!("`@{name}` stands before a step, not before a declaration"),
    )
    .note("write it on the line before the binding whose calls it covers")
}

/// An annotation that stands there twice.
pub fn repeated_annotation(place: Place, name: &str, first: Place) -> Diagnostic {
    Diagnostic::new(codes::MISPLACED_ANNOTATION, place, format!("`@{name}` stands here twice"))
        .label(first, "the first one is here")
}

/// `@pure @external`.
pub fn two_effects(place: Place, name: &str, first: Place) -> Diagnostic {
    Diagnostic::new(codes::MISPLACED_ANNOTATION, place, format!("`@{name}`: how far it reaches has been said already"))
        .label(first, "said here")
}

/// `@net(url)` without a parameter `url`.
pub fn touches_unknown(place: Place, kind: &str, name: &str, near: Option<SmolStr>) -> Diagnostic {
    Diagnostic::new(codes::ANNOTATION_ARGUMENTS, place.clone(), format!("`@{kind}`: there is no parameter `{name}`"))
        .suggest(near, place)
}

/// `@min` of something that is no number.
pub fn bound_on_other(place: Place, name: &str, ty: &str) -> Diagnostic {
    let message = format!("`@min` and `@max` bound numbers; `{name}` is `{ty}`");
    Diagnostic::new(codes::ANNOTATION_ARGUMENTS, place, message)
}

/// `@min(3) @max(2)`.
pub fn crossed_bounds(place: Place, name: &str) -> Diagnostic {
    let message = format!("no value of `{name}` is possible: `@min` is greater than `@max`");
    Diagnostic::new(codes::ANNOTATION_ARGUMENTS, place, message)
}

/// A declaration without a body outside the library.
pub fn no_body(place: Place, name: &str, keyword: &str) -> Diagnostic {
    let help = match keyword {
        "node" => "write its code: ``js ``` … ``` ``. Only the standard library leaves it to the host",
        "fn" => "write `= …` or `{ … }` after its result",
        _ => "write `{ … }` after its outputs",
    };
    Diagnostic::new(codes::NO_BODY, place, format!("the {keyword} `{name}` has no body")).note(help)
}

/// A code node in an unknown language.
pub fn unknown_code_language(place: Place, language: &str) -> Diagnostic {
    Diagnostic::new(codes::WRONG_LANGUAGE, place, format!("a node cannot be written in `{language}`"))
        .note("it can be `js`")
}

/// A `fn` or node that does not say what it gives.
pub fn no_outputs(place: Place, name: &str, keyword: &str) -> Diagnostic {
    Diagnostic::new(codes::NO_OUTPUTS, place, format!("the {keyword} `{name}` does not say what it gives"))
        .note("write the result's type before the body: `-> str`")
}

/// An output without a type where there is no body of ours to infer it from.
pub fn output_needs_type(place: Place, name: &str, keyword: &str) -> Diagnostic {
    Diagnostic::new(codes::NO_OUTPUTS, place, format!("the output `{name}` of a {keyword} needs a type"))
}

/// `[T: numbr]`.
pub fn unknown_bound(place: Place, name: &str, near: Option<SmolStr>) -> Diagnostic {
    Diagnostic::new(codes::UNKNOWN_BOUND, place.clone(), format!("unknown bound `{name}`"))
        .suggest(near, place)
        .note("a type parameter can be bounded by `number`, `ordered` or `key`")
}

/// Definitions that need each other: the names in order, each with the place where it needs the next one.
pub fn circle(place: Place, path: &[(SmolStr, Place)]) -> Diagnostic {
    let first = path.first().map(|(name, _)| name.clone()).unwrap_or_default();
    let diagnostic = if let [(name, needed)] = path {
        let message = format!("`{name}` needs itself: recursion has no end here");
        Diagnostic::new(codes::CIRCLE, place, message).label(needed.clone(), "here")
    } else {
        let names: Vec<SmolStr> = path.iter().map(|(name, _)| name.clone()).collect();
        let message = format!("definitions need each other in a circle: {}", super::way_round(&names));
        let mut diagnostic = Diagnostic::new(codes::CIRCLE, place, message);
        for (i, (name, needed)) in path.iter().enumerate().take(super::SHOWN) {
            let next = names.get(i + 1).unwrap_or(&first);
            diagnostic = diagnostic.label(needed.clone(), format!("`{name}` needs `{next}` here"));
        }
        diagnostic
    };
    diagnostic.note("use `loop`, `for` or `fold`, which always end")
}
