//! Values against types of the plan: implicit conversion, `as`, `is`, and the match of a typed pattern.
