//! What a program means: modules, names, types, scopes, effects and diagnostics, each a salsa query of the sources.
//! Knows no file system, no clock and no globals.

pub mod db;
pub mod diagnostic;
pub mod hir;
pub mod query;
pub mod ty;

pub use db::{Db, Def, Project, RootDb, SourceFile, Space};
pub use diagnostic::{Diagnostic, Fix, Label, Place, Severity};
