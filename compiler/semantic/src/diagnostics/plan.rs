//! What a checked program has that this version cannot make into a plan.

use super::codes;
use crate::diagnostic::{Diagnostic, Place};

/// A call of a workflow that gives a value per item of a stream that it takes.
pub fn stream_call(place: Place, name: &str) -> Diagnostic {
    let message = format!("`{name}` has values per item of a stream that it takes, which is not supported yet");
    Diagnostic::new(codes::STREAM_SIGNATURE, place, message).note("let it give a stream of its own")
}

/// A parameter that goes with a stream, of the workflow that is run.
pub fn stream_parameter(place: Place) -> Diagnostic {
    let message = "a workflow that is run by itself cannot take a value per item of a stream yet";
    Diagnostic::new(codes::STREAM_SIGNATURE, place, message).note("take one stream of records")
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
