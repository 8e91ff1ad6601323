//! The least that a Rust program costs which prints a line.
#![expect(clippy::print_stdout, reason = "it is all that it does")]

fn main() {
    println!("Hello, world!");
}
