//! The standard library: declarations in `ntl/*.ntl`, and one Rust file per module here that implements them.

/// The declarations: module name and text, sorted by name.
pub const SOURCES: &[(&str, &str)] = &[
    ("core", include_str!("../ntl/core.ntl")),
    ("csv", include_str!("../ntl/csv.ntl")),
    ("dict", include_str!("../ntl/dict.ntl")),
    ("fs", include_str!("../ntl/fs.ntl")),
    ("json", include_str!("../ntl/json.ntl")),
    ("list", include_str!("../ntl/list.ntl")),
    ("math", include_str!("../ntl/math.ntl")),
    ("regex", include_str!("../ntl/regex.ntl")),
    ("text", include_str!("../ntl/text.ntl")),
    ("time", include_str!("../ntl/time.ntl")),
];

/// Every native, for the engine.
pub fn natives() -> ntl_engine::Natives {
    ntl_engine::Natives::new(&[])
}
