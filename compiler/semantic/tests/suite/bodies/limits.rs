//! Large, deep and hostile bodies: an answer in time, and no overflow of the stack.

use super::conversions::audit;
use super::harness::{errors, program_of, read};
use ntl_semantic::query;
use std::fmt::Write;
use std::path::Path;
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
fn large_matches_and_calls() {
    let (n, arm) = (3_000, |i: usize| format!("  \"k{i}\" => {i},"));
    let arms = lines(n, arm);
    let kinds = (0..n).map(|i| format!("\"k{i}\"")).collect::<Vec<_>>().join(" | ");
    let open = format!("fn f(s: str) -> int = match s {{\n{arms}  _ => 0,\n}}");
    assert_eq!(in_time(&open), Vec::<String>::new());
    let closed = format!("type K = {kinds}\nfn f(s: K) -> int = match s {{\n{arms}}}");
    assert_eq!(in_time(&closed), Vec::<String>::new());
    let twice = closed.replace("\"k9\" =>", "\"k8\" =>");
    assert!(matches!(in_time(&twice).as_slice(), [one] if one.contains("\"k9\"")), "one is missing");
    let params = (0..20_000).map(|i| format!("a{i}: int")).collect::<Vec<_>>().join(", ");
    let args = (0..20_000).rev().map(|i| format!("a{i}: {i}")).collect::<Vec<_>>().join(", ");
    let call = format!("fn g({params}) -> int = a0\nworkflow f() -> int {{ g({args}) }}");
    assert_eq!(in_time(&call), Vec::<String>::new());
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

/// A small generator of numbers: the same for the same seed.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit.max(1)
    }
}

/// Words and signs of a program, as far as mixing them up goes.
fn pieces(text: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let end = match is_word(first) {
            true => rest.find(|c| !is_word(c)).unwrap_or(rest.len()),
            false => first.len_utf8(),
        };
        let (piece, more) = rest.split_at(end);
        pieces.push(piece);
        rest = more;
    }
    pieces
}

/// More of them have been looked at than a test has time for.
const ROUNDS: u32 = 150;

const TYPES: &[&str] = &["int", "float", "str", "bool", "any", "json", "int?", "str?", "float?", "never"];

#[test]
fn mixed_up_programs_get_an_answer() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs");
    let mut folders: Vec<_> = std::fs::read_dir(&folder).expect("the programs").flatten().map(|e| e.path()).collect();
    folders.sort();
    let texts: Vec<String> = folders.iter().map(|folder| read(&folder.join("main.ntl"))).collect();
    let helper = read(&folder.join("22-two-files/helper.ntl"));
    let mut numbers = Numbers(7);
    for _ in 0..ROUNDS {
        let text = &texts[numbers.below(texts.len())];
        let other = &texts[numbers.below(texts.len())];
        let (mut mixed, others) = (pieces(text), pieces(other));
        for _ in 0..=numbers.below(6) {
            let (a, b) = (numbers.below(mixed.len()), numbers.below(mixed.len()));
            match numbers.below(6) {
                4 | 5 => {
                    // A type for a type: much stays right, and needs other conversions.
                    let types: Vec<usize> = (0..mixed.len()).filter(|at| TYPES.contains(&mixed[*at])).collect();
                    if let Some(at) = types.get(numbers.below(types.len())) {
                        mixed[*at] = TYPES[numbers.below(TYPES.len())];
                    }
                }
                0 if !mixed.is_empty() => drop(mixed.remove(a)),
                1 if !others.is_empty() => mixed.insert(a, others[numbers.below(others.len())]),
                2 if !mixed.is_empty() => mixed.insert(a, mixed[b]),
                _ if !mixed.is_empty() => mixed.swap(a, b),
                _ => {}
            }
        }
        let mixed = mixed.concat();
        let (db, file) = program_of(&[("main.ntl", &mixed), ("helper.ntl", &helper)]);
        let told = query::file_diagnostics(&db, file);
        // A body that is wrong is told; one that is told to be right has no hole in it.
        let is_wrong = told.iter().any(|diagnostic| diagnostic.severity == ntl_semantic::Severity::Error)
            || !query::missing_files(&db, file).is_empty();
        for def in query::defs(&db, file) {
            let Some(checked) = query::body(&db, &def) else { continue };
            let found = if is_wrong { Vec::new() } else { audit(&db, &def, checked) };
            assert!(found.is_empty(), "{found:?} in\n{mixed}");
        }
    }
}
