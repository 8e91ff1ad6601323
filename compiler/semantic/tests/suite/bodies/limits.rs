//! Large, deep and hostile bodies: an answer in time, and no overflow of the stack.

use super::harness::errors;
use std::fmt::Write;
use std::time::{Duration, Instant};

/// Far more than a debug build needs; what grows out of hand needs more than this.
const LIMIT: Duration = Duration::from_secs(20);

fn in_time(text: &str) -> Vec<String> {
    let start = Instant::now();
    let found = errors(text);
    assert!(start.elapsed() < LIMIT, "{:?} for {}", start.elapsed(), &text[..80.min(text.len())]);
    found
}

fn lines(count: usize, line: impl Fn(usize) -> String) -> String {
    (0..count).fold(String::new(), |mut text, at| {
        let _ = writeln!(text, "{}", line(at));
        text
    })
}

#[test]
fn deep_nesting() {
    let nested = |open: &str, close: &str| {
        let n = 80;
        format!("workflow f(xs: list[int], c: bool) -> (z: any) {{ z = {}1{} }}", open.repeat(n), close.repeat(n))
    };
    for (open, close) in [
        ("(", ")"),
        ("[", "]"),
        ("if c { ", " } else { 2 }"),
        ("for a in xs { ", " }"),
        ("match c { true => ", ", _ => 2 }"),
        ("try ", " else 2"),
        ("xs.map(x => ", ")"),
    ] {
        assert_eq!(in_time(&nested(open, close)), Vec::<String>::new(), "{open}");
    }
    // Functions that are checked twice do not double the work again and again.
    for (open, close) in [("xs.sum_by(x => ", ")"), ("xs.fold([], (a, x) => a ++ [", "])")] {
        in_time(&nested(open, close));
    }
}

#[test]
fn long_bodies() {
    let chain = lines(20_000, |i| format!("  a{} = a{} + 1", 20_000 - i, 19_999 - i));
    assert_eq!(in_time(&format!("workflow f(a0: int) -> (z: int) {{\n{chain}  z = a20000\n}}")), Vec::<String>::new());
    let circle = lines(5_000, |i| format!("  a{i} = a{} + 1", (i + 1) % 5_000));
    assert_eq!(in_time(&format!("workflow f() -> (z: int) {{\n{circle}  z = a0\n}}")).len(), 1);
    let unknown = lines(2_000, |i| format!("  a{i} = b{i}"));
    assert_eq!(in_time(&format!("workflow f() {{\n{unknown}}}")).len(), 2_000);
}

#[test]
fn large_matches() {
    let arms = lines(3_000, |i| format!("  \"{i}\" => {i},"));
    assert_eq!(in_time(&format!("fn f(s: str) -> int = match s {{\n{arms}  _ => 0 }}")), Vec::<String>::new());
    let union: Vec<String> = (0..400).map(|i| format!("\"{i}\"")).collect();
    let arms = lines(399, |i| format!("  \"{i}\" => {i},"));
    let found = in_time(&format!("type T = {}\nfn f(t: T) -> int = match t {{\n{arms}}}", union.join(" | ")));
    assert_eq!(found, ["2: E0324 `match` has no arm for `\"399\"`"]);
    // One `true` in each row: the rows take more and more apart.
    let row = |at: usize| (0..24).map(|i| if i == at { "true" } else { "_" }).collect::<Vec<_>>().join(", ");
    let rows = lines(24, |i| format!("  ({}) => 1,", row(i)));
    let found = in_time(&format!("fn f(a: bool) -> int = match ({}) {{\n{rows}}}", ["a"; 24].join(", ")));
    assert_eq!(found.len(), 1, "{found:?}");
}

#[test]
fn types_that_double_are_refused() {
    let doubling = lines(40, |i| format!("  a{} = (a{i}, a{i})", i + 1));
    let found = in_time(&format!("workflow f() -> (z: any) {{\n  a0 = 1\n{doubling}  z = a40\n}}"));
    assert!(found.iter().any(|error| error.contains("E0307")), "{found:?}");
}
