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
mod failures;
mod fs;
mod hash;
mod html;
mod http;
mod json;
mod list;
mod markdown;
mod math;
mod regex;
mod rss;
mod stream;
mod sys;
mod text;
mod time;
mod toml;
mod url;
mod uuid;
mod xml;
mod yaml;

#[cfg(test)]
mod tests;

pub use failures::{failure, failures};

/// The declarations: module name and text, sorted by name.
pub const SOURCES: &[(&str, &str)] = &[
    ("core", include_str!("../ntl/core.ntl")),
    ("csv", include_str!("../ntl/csv.ntl")),
    ("dict", include_str!("../ntl/dict.ntl")),
    ("fs", include_str!("../ntl/fs.ntl")),
    ("hash", include_str!("../ntl/hash.ntl")),
    ("html", include_str!("../ntl/html.ntl")),
    ("http", include_str!("../ntl/http.ntl")),
    ("json", include_str!("../ntl/json.ntl")),
    ("list", include_str!("../ntl/list.ntl")),
    ("markdown", include_str!("../ntl/markdown.ntl")),
    ("math", include_str!("../ntl/math.ntl")),
    ("regex", include_str!("../ntl/regex.ntl")),
    ("rss", include_str!("../ntl/rss.ntl")),
    ("sys", include_str!("../ntl/sys.ntl")),
    ("text", include_str!("../ntl/text.ntl")),
    ("time", include_str!("../ntl/time.ntl")),
    ("toml", include_str!("../ntl/toml.ntl")),
    ("url", include_str!("../ntl/url.ntl")),
    ("uuid", include_str!("../ntl/uuid.ntl")),
    ("xml", include_str!("../ntl/xml.ntl")),
    ("yaml", include_str!("../ntl/yaml.ntl")),
];

/// Every native, for the engine.
pub fn natives() -> ntl_engine::Natives {
    ntl_engine::Natives::new(generated::NATIVES)
}
