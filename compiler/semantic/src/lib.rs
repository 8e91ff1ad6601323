//! What a program means: modules, names, types, scopes, effects and diagnostics, each a salsa query of the sources.
//! Knows no file system, no clock and no globals.

mod annotations;
mod bodies;
mod check;
mod circles;
mod constant;
pub mod db;
mod declare;
pub mod diagnostic;
pub mod diagnostics;
pub mod effects;
pub mod hir;
mod hir_walk;
pub mod items;
mod mentions;
pub mod modules;
pub mod names;
pub mod query;
mod report;
pub mod scopes;
mod slashes;
pub mod ty;
pub mod types;

pub use annotations::POLICIES;
pub use db::{Db, Def, Project, RootDb, SourceFile, Space};
pub use diagnostic::{Applicability, Code, Diagnostic, Edit, Fix, Label, Place, Severity};
pub use diagnostics::explain;
pub use hir_walk::each_expr;

/// Goes on with a stack that is large enough: definitions may need one another in long chains.
pub(crate) fn deep<T>(ask: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(256 * 1024, 2 * 1024 * 1024, ask)
}
