//! Checks every index, depth and type of a plan that came from outside.
