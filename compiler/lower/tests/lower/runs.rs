//! Programs and what they give: that what nobody needs is not run, and what is needed is.

use crate::support::ran;
use serde_json::{Value, json};

/// Runs without errors, and gives these outputs.
fn gives(text: &str, outputs: Value) {
    let ran = ran(text);
    assert_eq!((ran.errors, ran.outputs), (Vec::new(), outputs), "{text}");
}

#[test]
fn a_binding_is_computed_only_where_it_is_taken() {
    gives(
        "workflow main(n: int = 0) -> (a: int, b: bool, c: bool, d: int, e: int, f: list[int], g: int?) {
           bad = 1 ~/ n
           unused = bad + 1
           a = if n == 0 { 1 } else { bad }
           b = n != 0 and bad > 1
           c = n == 0 or bad > 1
           known: int? = 7
           d = known ?? bad
           e = match n { 0 => 4, k if k > bad => 5, _ => bad }
           f = for x in 0..n { x + bad }
           nothing: str? = null
           g = nothing?.slice(bad)?.len()
         }",
        json!({"a": 1, "b": false, "c": true, "d": 7, "e": 4, "f": [], "g": null}),
    );
}

#[test]
fn a_function_computes_a_binding_where_it_is_taken() {
    gives(
        "fn pick(n: int, zero: int) -> int {
           bad  = 1 ~/ zero
           more = bad + 1
           good = n * 2
           if n > 10 { bad + good } else if n > 5 { more } else if n > 1 { good } else { good + 1 }
         }
         fn each_of(xs: list[int], zero: int) -> list[int] {
           bad = 1 ~/ zero
           for x in xs {
             part = 12 ~/ x
             if x > 100 { bad + part } else if x > 2 { part } else { part + part }
           }
         }
         fn rounds(n: int) -> int = loop x = n, sum = 0, max: 5 {
           half = 60 ~/ x
           until x == 0
           next (x - 1, if x % 2 == 0 { sum + half } else if half > 1 { sum - half } else { half })
         }.sum
         workflow main() -> (a: int, b: int, c: list[int], d: int) {
           a = pick(3, 0)
           b = pick(7, 1)
           c = each_of([1, 2, 3, 4], 0)
           d = rounds(4)
         }",
        json!({"a": 6, "b": 2, "c": [24, 12, 4, 3], "d": 15 - 20 + 30 - 60}),
    );
}

#[test]
fn a_failure_is_caught_where_it_is_taken() {
    gives(
        "fn twice(s: str) -> int {
           n = int(s)
           a = try n else 1
           b = try n + 1 else err { err.message.len() * 0 + 2 }
           a + b
         }
         workflow part(n: int) -> (good: int, bad: int) { good = n\n bad = n ~/ 0 }
         workflow main(zero: int = 0) -> (a: int, b: str, c: int, d: list[int], e: int, f: int, g: list[int]) {
           bad = 1 ~/ zero
           a = try bad else -1
           b = try \"{part(1).bad}\" else err { err.code }
           c = twice(\"x\")
           d = for x in [1, 0, 2] { try 4 ~/ x + part(x).good else zero - 1 }
           e = part(5).good
           p = part(6)
           g = [1, 2].map(x => [x].map(y => y * p.good).first() ?? 0)
           f = try (for x in [1, 0] { 1 ~/ x }).len() else 9
         }",
        json!({"a": -1, "b": "division_by_zero", "c": 3, "d": [5, -1, 4], "e": 5, "f": 9, "g": [6, 12]}),
    );
}

#[test]
fn a_list_fails_with_all_its_items() {
    let ran = ran("fn halves(xs: list[int]) -> list[int] = for x in xs {
           4 ~/ x
         }
         workflow main(zero: int = 0) -> (a: list[int], b: list[int], c: list[int], d: int, e: list[list[int]]) {
           a = for x in [1, 0, 2, zero] {
             4 ~/ x
           }
           b = halves([0, 1, 0])
           @on_error(skip) c = for x in [1, 0, 2] { 4 ~/ x }
           d = c.len()
           e = for x in [1, 2] {
             for y in [x, zero] { x ~/ y }
           }
         }");
    assert_eq!(ran.outputs, json!({"c": [4, 2], "d": 2}));
    let by_zero = |line, key: &[u64]| ("division_by_zero".to_owned(), line, key.to_vec());
    assert_eq!(
        ran.errors,
        [
            by_zero(2, &[0]),
            by_zero(2, &[2]),
            by_zero(6, &[1]),
            by_zero(6, &[3]),
            by_zero(12, &[0, 1]),
            by_zero(12, &[1, 1])
        ]
    );
}

#[test]
fn effects_run_once_where_they_stand_and_in_order_where_it_is_said() {
    let ran = ran("workflow tell(n: int) -> (told: int, bad: int) {
           print(\"tell {n}\")
           told = n
           bad  = n ~/ 0
         }
         workflow main(zero: int = 0) -> (a: list[int], b: int, c: int, d: int) {
           a = for x in [1, 2, 3] if x != 2 {
             print(\"item {x}\")
             x
           }
           if zero > 0 { print(\"never\") }
           done = seq {
             print(\"one\")
             if zero == 0 { print(\"two\") }
             for x in [1] { print(\"three\") }
             print(\"four\")
           }
           last = print(\"five\") after done
           b = loop x = 1, max: 5 {
             print(\"round {x}\")
             until x == 3
             next x + 1
           }
           c = tell(7).told
           d = 1 after last
         }");
    assert_eq!(ran.outputs, json!({"a": [1, 3], "b": 3, "c": 7, "d": 1}));
    assert_eq!(ran.errors, []);
    let sorted = |wanted: &str| {
        let mut found: Vec<_> = ran.log.iter().filter(|line| line.starts_with(wanted)).cloned().collect();
        found.sort();
        found
    };
    assert_eq!(sorted("item"), ["item 1", "item 3"]);
    assert_eq!(sorted("round"), ["round 1", "round 2"]);
    assert_eq!(sorted("tell"), ["tell 7"]);
    let ordered: Vec<_> =
        ran.log.iter().filter(|l| ["one", "two", "three", "four", "five"].contains(&l.as_str())).collect();
    assert_eq!(ordered, ["one", "two", "three", "four", "five"]);
    assert_eq!(ran.log.len(), 2 + 5 + 2 + 1, "{:?}", ran.log);
}

#[test]
fn what_a_body_gives_waits_for_its_requires() {
    let ran = ran("fn half(n: int) -> int {
           require n % 2 == 0 else \"{n} is odd\"
           n ~/ 2
         }
         workflow main(n: int = 3) -> (a: int, b: list[int], c: int) {
           a = half(n)
           b = for x in [2, n] {
             require x < 3 else \"{x} is too large\"
             x
           }
           c = if n > 5 { half(n) } else { 0 }
         }");
    assert_eq!(ran.outputs, json!({"c": 0}));
    assert_eq!(ran.errors, [("failed".to_owned(), 2, vec![]), ("failed".to_owned(), 8, vec![1])]);
}

#[test]
fn values_vary_per_their_source() {
    gives(
        "workflow main(rows: list[list[int]] = [[1, 2], [], [3]]) -> (a: list[list[str]], b: list[int], c: list[float], d: int) {
           row   = each(rows)
           cell  = each(row)
           a     = collect(collect(\"{cell} of {row.len()}\"))
           b     = collect(if row.len() > 1 { sum(collect(cell * 2)) } else { row.len() })
           x     = each([5, 0, 2])
           total = sum(collect(x))
           c     = collect(if x == 0 { 0.0 } else { x / total })
           require x < 9 else \"{x} is too large\"
           d     = rows.len() after print(x)
         }",
        json!({"a": [["1 of 2", "2 of 2"], [], ["3 of 1"]], "b": [6, 0, 1], "c": [5.0 / 7.0, 0.0, 2.0 / 7.0], "d": 3}),
    );
}

#[test]
fn a_match_takes_the_first_arm_that_fits() {
    gives(
        "type Shape = (kind: \"circle\", radius: float) | (kind: \"box\", width: int, height: float)
         fn area(s: Shape) -> float = match s {
           (kind: \"circle\", radius: r) => 3.0 * r,
           (kind: \"box\", width: w, height: h) if h == 1.0 => w,
           (kind: \"box\", width: w, ..) => w + 0.5,
         }
         fn sort_of(x: int | str | (int, str) | null) -> str = match x {
           n: int if n > 9 => \"large\",
           0 | 1 => \"few\",
           (1, s) => s,
           (n, \"x\") => \"x{n}\",
           null => \"null\",
           s: str => s,
           _ => \"else\",
         }
         workflow main(n: int = 5) -> (a: list[float], b: list[str], c: list[int]) {
           limit = n * 2
           other = n - 1
           shapes: list[Shape] = [(kind: \"circle\", radius: 1.0), (kind: \"box\", width: 2, height: 1.0), (kind: \"box\", width: 2, height: 2.0)]
           a = for s in shapes { area(s) }
           things: list[int | str | (int, str) | null] = [10, 1, (1, \"one\"), (2, \"x\"), null, \"s\", (2, \"y\"), 5]
           b = for t in things { sort_of(t) }
           c = for x in [0, 4, 11, 5] { match x { 0 => 0, k if k > limit => k, k if k == other => -k, k => k + limit } }
         }",
        json!({
            "a": [3.0, 2.0, 2.5],
            "b": ["large", "few", "one", "x2", "null", "s", "else", "else"],
            "c": [0, -4, 11, 15],
        }),
    );
}

#[test]
fn functions_take_what_they_name() {
    gives(
        "const BASE = 10
         const TABLE = [1: \"one\", 2: \"two\"]
         fn four_times(n: int) -> int = n * 4
         fn widen(x: float) -> float = x / 2.0
         fn both[A, B](xs: list[A], f: fn(A) -> B) -> list[(A, B)] = for x in xs { (x, f(x)) }
         fn nest(xs: list[int], by: int) -> list[list[int]] = xs.map(x => xs.map(y => x * y + by + BASE))
         workflow main(n: int = 3) -> (a: list[int], b: list[float], c: list[(int, int)], d: list[list[int]], e: list[str], f: list[int]) {
           a = [1, 2].map(four_times)
           b = [1, 2].map(widen)
           c = both([1, n], x => x + n)
           d = nest([1, 2], n)
           e = [2, 1].map(k => TABLE[k])
           f = [1.25, 2.5].map(round)
         }",
        json!({
            "a": [4, 8], "b": [0.5, 1.0], "c": [[1, 4], [3, 6]], "d": [[14, 15], [15, 17]],
            "e": ["two", "one"], "f": [1, 3],
        }),
    );
}
