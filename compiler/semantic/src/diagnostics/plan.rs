//! What a checked program has that this version cannot make into a plan.

use super::codes;
use crate::diagnostic::{Diagnostic, Place};

/// A stream function over a value that varies.
pub fn stream_function(place: Place, name: &str) -> Diagnostic {
    let message = format!("`{name}` over a value that varies is not supported yet");
    let note = "`each`, `collect` and `for` are; given lists, the stream functions make lists";
    Diagnostic::new(codes::STREAM_FUNCTION, place, message).note(note)
}

/// A call of a workflow that takes or gives a stream.
pub fn stream_call(place: Place, name: &str) -> Diagnostic {
    let message = format!("`{name}` takes or gives a stream, which is not supported yet");
    Diagnostic::new(codes::STREAM_SIGNATURE, place, message).note("let it take and give lists")
}

/// A workflow's output that varies.
pub fn stream_output(place: Place) -> Diagnostic {
    Diagnostic::new(codes::STREAM_SIGNATURE, place, "an output that varies is not supported yet")
        .note("`collect` it, and give a list")
}

/// A workflow's parameter that takes a stream.
pub fn stream_parameter(place: Place) -> Diagnostic {
    Diagnostic::new(codes::STREAM_SIGNATURE, place, "a parameter that takes a stream is not supported yet")
        .note("take a list")
}

/// `as` or `is` with a type that a generic function is given.
pub fn generic_conversion(place: Place) -> Diagnostic {
    Diagnostic::new(codes::GENERIC_CONVERSION, place, "`as` and `is` cannot look at a type parameter yet")
        .note("a generic function is compiled once for all types: convert where the type is known")
}

/// An expression with more values in it than one piece of code can hold.
pub fn too_large(place: Place) -> Diagnostic {
    Diagnostic::new(codes::TOO_LARGE, place, "this is too large to be compiled in one piece")
        .note("take it apart into several functions or bindings")
}

/// Functions, or workflows, that call one another in too long a chain.
pub fn too_deep(place: Place, what: &str, most: u32) -> Diagnostic {
    Diagnostic::new(codes::TOO_LARGE, place, format!("{what} here call one another more than {most} deep"))
        .note(format!("let fewer {what} stand between the first and the last one"))
}

/// What varies per a source outside of a body, taken whole in it together with what is the body's own.
pub fn stream_in_body(place: Place) -> Diagnostic {
    let message = "values of a body cannot be put together with those of a stream around it yet";
    Diagnostic::new(codes::STREAM_IN_BODY, place, message).note("name the varying part outside of the body")
}

/// A mistake of the compiler: what it made is no plan.
pub fn no_plan(place: Place, what: &str) -> Diagnostic {
    Diagnostic::new(codes::NO_PLAN, place, format!("this could not be made into a plan: {what}"))
        .note("this is a mistake of the compiler, not of the program: please report it")
}
