//! ntl
fn main() {}
