//! What the crate promises to those who ask it: one binary for all suites.

mod declarations;
mod definitions;
mod fixture;
mod incremental;
mod modules;
mod registry;
mod types;
