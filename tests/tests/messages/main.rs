//! What is told: the fixes that are offered, and the pages that explain it.
#![expect(clippy::disallowed_methods, reason = "tests read the repository")]

mod explain;
mod fixes;
mod program;
