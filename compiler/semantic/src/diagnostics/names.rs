//! Names, modules and `use`.

use super::codes;
use crate::diagnostic::{Diagnostic, Place};
use smol_str::SmolStr;

/// A type that does not exist.
pub fn unknown_type(place: Place, name: &str, near: Option<SmolStr>) -> Diagnostic {
    Diagnostic::new(codes::UNKNOWN_TYPE, place.clone(), format!("unknown type `{name}`")).suggest(near, place)
}

/// A type that a module does not have.
pub fn unknown_type_member(place: Place, name: &str, module: &str, near: Option<SmolStr>) -> Diagnostic {
    let message = format!("`{module}` has no type `{name}`");
    Diagnostic::new(codes::UNKNOWN_MEMBER, place.clone(), message).suggest(near, place)
}

/// A name that a module does not have.
pub fn unknown_member(place: Place, name: &str, module: &str, near: Option<SmolStr>) -> Diagnostic {
    let message = format!("`{module}` has no `{name}`");
    Diagnostic::new(codes::UNKNOWN_MEMBER, place.clone(), message).suggest(near, place)
}

/// A name before a dot that is no module here; `is_library` if the library has a module of that name.
pub fn unknown_module_name(place: Place, name: &str, is_library: bool, near: Option<SmolStr>) -> Diagnostic {
    let diagnostic = Diagnostic::new(codes::UNKNOWN_MODULE, place.clone(), format!("unknown module `{name}`"));
    if is_library {
        return diagnostic.note(format!("write `use std.{name}` at the top of the file"));
    }
    diagnostic.suggest(near, place)
}

/// `use std.txt`; `parent` if the path goes on after a module: the module and what was wanted of it.
/// `modules` are those that there are.
pub fn no_such_module<'a>(
    place: Place,
    path: &str,
    near: Option<SmolStr>,
    parent: Option<(&str, &str)>,
    modules: impl Iterator<Item = &'a SmolStr>,
) -> Diagnostic {
    let diagnostic = Diagnostic::new(codes::UNKNOWN_MODULE, place.clone(), format!("unknown module `{path}`"));
    match parent {
        Some((module, name)) => {
            let written = format!("std.{module}.({name})");
            diagnostic.note(format!("names are taken out of a module like this: `use {written}`")).fix(
                format!("write `{written}`"),
                place,
                written,
            )
        }
        None if near.is_none() => {
            let modules: Vec<&str> = modules.map(SmolStr::as_str).collect();
            diagnostic.note(format!("the library has {}", modules.join(", ")))
        }
        None => diagnostic.suggest(near, place),
    }
}

/// `use text`, `use foo.bar`; `near` if the library has a module of that name.
pub fn not_a_library_path(place: Place, path: &str, near: Option<SmolStr>) -> Diagnostic {
    let diagnostic = Diagnostic::new(codes::UNKNOWN_MODULE, place.clone(), format!("unknown module `{path}`"));
    match near {
        Some(name) => diagnostic
            .fix(format!("use `std.{name}`"), place, format!("std.{name}"))
            .note(format!("the library's modules begin with `std`: `use std.{name}`")),
        None => {
            diagnostic.note(format!("the library's modules are used as `use std.text`, files as `use \"./{path}\"`"))
        }
    }
}

/// `use "./nowhere"`; `path` is where the file would lie.
pub fn no_such_file(place: Place, written: &str, path: &str, near: Option<SmolStr>) -> Diagnostic {
    let diagnostic = Diagnostic::new(codes::UNKNOWN_FILE, place.clone(), format!("there is no file \"{written}\""));
    let diagnostic =
        if path.is_empty() { diagnostic } else { diagnostic.note(format!("it was looked for at `{path}`")) };
    match near {
        Some(near) => diagnostic.note(format!("did you mean \"{near}\"?")).fix(
            format!("use \"{near}\""),
            place,
            format!("\"{near}\""),
        ),
        None => diagnostic,
    }
}

/// `use "./x.ntl"`.
pub fn needless_extension(place: Place, stem: &str) -> Diagnostic {
    Diagnostic::new(codes::BAD_USE, place.clone(), format!("a file is used without `.ntl`: \"{stem}\"")).fix(
        "leave `.ntl` out",
        place,
        format!("\"{stem}\""),
    )
}

/// `use "./my-file"`: the file's name is no name.
pub fn use_needs_name(place: Place, written: &str) -> Diagnostic {
    Diagnostic::new(codes::BAD_USE, place, format!("\"{written}\" gives no name that can be written before a dot"))
        .note(format!("give it one: `use \"{written}\" as name`"))
}

/// `use pack …`.
pub fn pack_unsupported(place: Place, path: &str) -> Diagnostic {
    Diagnostic::new(codes::PACK, place, format!("packs are not supported yet: `{path}` cannot be used"))
        .note("this version knows the standard library and the files of the project")
}

/// A name with `_` before it, from another file.
pub fn private(place: Place, name: &str, file: &str) -> Diagnostic {
    Diagnostic::new(codes::PRIVATE_NAME, place, format!("`{name}` is private to `{file}`"))
        .note("a name that begins with `_` stays within its file")
}

/// A second definition of a name.
pub fn duplicate(place: Place, name: &str, first: Place) -> Diagnostic {
    Diagnostic::new(codes::DUPLICATE, place, format!("`{name}` is declared twice"))
        .label(first, "the first one is here")
}

/// A definition of a name that a `use` brings in.
pub fn defined_and_used(place: Place, name: &str, used: Place) -> Diagnostic {
    Diagnostic::new(codes::DUPLICATE, place, format!("`{name}` is declared here and brought in by a `use` as well"))
        .label(used, "it is brought in here")
}

/// A second `use` of a module, or of another one under the same name.
pub fn used_twice(place: Place, name: &str, first: Place, is_same: bool) -> Diagnostic {
    let message = match is_same {
        true => format!("`{name}` is used twice"),
        false => format!("two modules are called `{name}` here"),
    };
    let diagnostic = Diagnostic::new(codes::DUPLICATE, place, message).label(first, "the first one is here");
    if is_same { diagnostic } else { diagnostic.note("give one of them another name with `as`") }
}

/// A parameter, field, output or type parameter that is declared twice.
pub fn repeated(place: Place, what: &str, name: &str, first: Place) -> Diagnostic {
    Diagnostic::new(codes::REPEATED, place, format!("the {what} `{name}` is declared twice"))
        .label(first, "the first one is here")
}

/// A type or type parameter that takes the name of a type of the language.
pub fn builtin_type(place: Place, name: &str) -> Diagnostic {
    Diagnostic::new(codes::DUPLICATE, place, format!("`{name}` is a type of the language itself"))
        .note("types are written in `UpperCamel`: choose another name")
}

/// A `use` that nobody uses.
pub fn unused_use(place: Place, name: &str) -> Diagnostic {
    Diagnostic::new(codes::UNUSED_USE, place, format!("`{name}` is not used"))
}

/// A private definition that nobody uses.
pub fn unused_private(place: Place, name: &str) -> Diagnostic {
    Diagnostic::new(codes::UNUSED_FN, place, format!("`{name}` is not used"))
        .note("its name begins with `_`, so no other file can use it")
}
