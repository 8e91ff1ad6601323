//! Plans of programs, and what they give.
#![expect(clippy::expect_used, clippy::panic, reason = "a test may panic")]

mod agree;
mod plans;
mod runs;
mod support;
