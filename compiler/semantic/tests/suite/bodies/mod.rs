//! The checker of bodies: what it tells, and what it makes.

mod conversions;
mod harness;
mod limits;
mod scopes;
mod told;
