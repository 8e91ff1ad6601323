//! The standard library: declarations in `ntl/*.ntl`, and one Rust file per module here that implements them.

/// The declarations: module name and text, sorted by name.
pub const SOURCES: &[(&str, &str)] = &[];

/// Every native, for the engine.
pub fn natives() -> ntl_engine::Natives {
    ntl_engine::Natives::new(&[])
}
