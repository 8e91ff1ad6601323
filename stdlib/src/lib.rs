//! The standard library: declarations in `ntl/*.ntl`, and one Rust file per module here that implements them.
//!
//! `generated.rs` binds the two: `cargo xtask codegen` writes it from the declarations. The first function of a name is
//! implemented by the Rust function of that name, the second by `name_2`, and so on.

#![deny(dead_code, reason = "an implementation without a declaration is a mistake")]

mod bounds;
mod canonical;
mod convert;
mod decimal;
#[rustfmt::skip]
mod generated;

mod core;
mod csv;
mod dict;
mod fs;
mod hash;
mod json;
mod list;
mod math;
mod regex;
mod stream;
mod text;
mod time;
mod uuid;

#[cfg(test)]
mod tests;

/// The declarations: module name and text, sorted by name.
pub const SOURCES: &[(&str, &str)] = &[
    ("core", include_str!("../ntl/core.ntl")),
    ("csv", include_str!("../ntl/csv.ntl")),
    ("dict", include_str!("../ntl/dict.ntl")),
    ("fs", include_str!("../ntl/fs.ntl")),
    ("hash", include_str!("../ntl/hash.ntl")),
    ("json", include_str!("../ntl/json.ntl")),
    ("list", include_str!("../ntl/list.ntl")),
    ("math", include_str!("../ntl/math.ntl")),
    ("regex", include_str!("../ntl/regex.ntl")),
    ("text", include_str!("../ntl/text.ntl")),
    ("time", include_str!("../ntl/time.ntl")),
    ("uuid", include_str!("../ntl/uuid.ntl")),
];

/// Every native, for the engine.
pub fn natives() -> ntl_engine::Natives {
    ntl_engine::Natives::new(generated::NATIVES)
}
