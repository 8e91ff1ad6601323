//! What the crate promises to those who ask it: one binary for all suites.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "what goes wrong in a helper is a failed test"
)]

mod bodies;
mod declarations;
mod definitions;
mod fixture;
mod incremental;
mod modules;
mod registry;
mod types;
