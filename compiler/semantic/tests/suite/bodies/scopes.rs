//! What values vary per.

use super::harness::{body_of, check, program};
use ntl_semantic::query;

/// For each binding the names of the sources that it varies per.
fn scopes(text: &str) -> Vec<String> {
    let (db, file) = program(text);
    assert_eq!(query::file_diagnostics(&db, file), []);
    let body = &body_of(&db, file, "f").body;
    body.locals
        .iter()
        .filter(|local| !local.name.is_empty())
        .map(|local| {
            let names: Vec<&str> = local.scope.iter().map(|id| body.sources[id.0 as usize].name.as_str()).collect();
            format!("{} per {}", local.name, if names.is_empty() { "nothing".to_owned() } else { names.join(", ") })
        })
        .collect()
}

#[test]
fn values_vary_with_what_they_are_computed_from() {
    let found = scopes(
        "workflow f(groups: list[list[int]]) -> (all: list[list[str]]) {
  group = each(groups)
  n = group.len()
  item = each(group)
  line = \"{item} of {n}\"
  all = collect(collect(line))
}",
    );
    let wanted = [
        "groups per nothing",
        "group per group",
        "n per group",
        "item per group, item",
        "line per group, item",
        "all per nothing",
    ];
    assert_eq!(found, wanted);
}

#[test]
fn results_go_with_their_streams() {
    let found = scopes(
        "workflow f(prices: list[float]) -> (a: list[float], b: list[int], c: list[float], d: list[list[float]]) {
  price = each(prices)
  peak = running(price, 0.0, (best, p) => if p > best { p } else { best })
  a = collect(peak - price)
  b = collect(index(price))
  few = take(price, 3)
  c = collect(few)
  d = batch(prices, 2)
}",
    );
    let of = |name: &str| found.iter().find(|line| line.starts_with(&format!("{name} "))).cloned().unwrap_or_default();
    assert_eq!(of("peak"), "peak per price");
    assert_eq!(of("few"), "few per few");
    assert_eq!(of("d"), "d per nothing");
}

#[test]
fn bodies_are_closed() {
    check(
        r#"
workflow f(xs: list[int], ys: list[int], wanted: bool) -> (a: list[int], b: list[list[int]], c: int, d: list[int]) {
  x = each(xs)
  a = collect(if x > 2 { sum(collect(each(ys) * x)) } else { 0 })
  b = for y in ys { collect(each(xs) + y) }
  c = if wanted { each(xs) } else { 0 } // E0405 collect
  d = for x in each(xs) { x } // E0321 drop_the_`for`
}
"#,
    );
}

#[test]
fn outputs_vary_as_they_are_declared() {
    check(
        r#"
workflow lines(xs: list[int]) -> (line: stream[str], n: int per line, all: int) {
  x = each(xs)
  line = "{x}"
  n = x * 2
  all = xs.len()
}
workflow wrong(xs: list[int]) -> (line: stream[str], n: int per line, m: int) {
  x = each(xs)
  line = "{xs.len()}" // E0408 does_not_vary
  n = x // E0408 per_line
  m = x // E0404 collect stream[int]
}
workflow twice(xs: list[list[int]]) -> stream[int] {
  each(each(xs)) // E0408 one_source
}
workflow dropped(n: int) -> (a: int, b: int?) {
  a = filter(n, n > 2) // E0409 filter
  b = filter(n, n > 2)
}
workflow whole(values: stream[int]) -> int { count(values) }
workflow use_it(xs: list[int]) -> (n: int, m: int) {
  n = whole(each(xs))
  m = whole(xs)
}
"#,
    );
}

#[test]
fn pure_functions_have_no_sources() {
    check(
        r#"
fn f(xs: list[int]) -> list[int] {
  x = each(xs) // E0407 for
  collect(x)
}
fn g(xs: list[int]) -> list[list[int]] = batch(xs, 2)
workflow h(xs: list[int]) -> list[int] {
  xs.map(x => sum(collect(each([x])))) // E0407 small_function
}
"#,
    );
}
