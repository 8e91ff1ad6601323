//! What an edit makes run again, and what it does not.

use crate::fixture::Fixture;
use ntl_semantic::Space;
use ntl_semantic::query::{file_diagnostics, signature};

const MAIN: &str = "\
use \"./helper\"

/// Half of it.
fn half(n: float) -> float = n / 2.0

fn quarter(n: float) -> float = half(half(n))

type Point(x: float, y: float = 0.0)

workflow main(p: Point) -> (a: float, b: float) {
  a = quarter(p.x)
  b = helper.twice(p.y)
}
";

const HELPER: &str = "\
fn twice(n: float) -> float = n * 2.0

fn _left() -> int = 1
";

/// What ran, as `query` counts, after a change of the program.
fn ran_after(change: impl FnOnce(&mut Fixture)) -> Vec<(String, usize)> {
    let mut fixture = Fixture::new(&[("main.ntl", MAIN), ("helper.ntl", HELPER)]);
    let ask = |fixture: &Fixture| {
        file_diagnostics(&fixture.db, fixture.file("main.ntl"));
        file_diagnostics(&fixture.db, fixture.file("helper.ntl"));
    };
    ask(&fixture);
    fixture.db.take_log();
    change(&mut fixture);
    ask(&fixture);
    let mut counts: Vec<(String, usize)> = Vec::new();
    for query in fixture.db.take_log() {
        let name = query.split('(').next().unwrap_or_default().to_owned();
        match counts.iter_mut().find(|(known, _)| *known == name) {
            Some((_, count)) => *count += 1,
            None => counts.push((name, 1)),
        }
    }
    counts
}

fn count(ran: &[(String, usize)], query: &str) -> usize {
    ran.iter().find(|(name, _)| name == query).map_or(0, |(_, count)| *count)
}

/// The queries that check something: none of them may run for an edit that means nothing.
const CHECKS: &[&str] = &[
    "checked_body",
    "checked_default",
    "declared_signature",
    "declared_type",
    "item_diagnostics",
    "needs",
    "mentions",
];

#[test]
fn an_edit_in_a_body_checks_that_body_alone() {
    let ran = ran_after(|fixture| fixture.edit("main.ntl", "n / 2.0", "n / 2.0 + 1.0"));
    assert_eq!(count(&ran, "parse"), 1, "{ran:?}");
    assert_eq!(count(&ran, "tree_of"), 1, "{ran:?}");
    assert_eq!(count(&ran, "checked_body"), 1, "{ran:?}");
    assert_eq!(count(&ran, "declared_signature"), 1, "{ran:?}");
    assert_eq!(count(&ran, "imports"), 0, "{ran:?}");
    assert_eq!(count(&ran, "circles"), 0, "{ran:?}");
}

#[test]
fn a_comment_checks_nothing() {
    for (from, to) in [
        ("/// Half", "// Something.\n\n/// Half"),
        ("n / 2.0", "n  / // half\n 2.0"),
        ("\nworkflow main", "\n\n\nworkflow main"),
        ("{\n  a =", "{\n  // first\n\n  a ="),
    ] {
        let ran = ran_after(|fixture| fixture.edit("main.ntl", from, to));
        for query in CHECKS {
            assert_eq!(count(&ran, query), 0, "{from:?} → {to:?}: {query} in {ran:?}");
        }
    }
}

#[test]
fn moving_items_checks_nothing() {
    let ran = ran_after(|fixture| {
        let (quarter, point) =
            ("fn quarter(n: float) -> float = half(half(n))\n\n", "type Point(x: float, y: float = 0.0)\n\n");
        let text = MAIN.replace(quarter, "").replace(point, "");
        fixture.write("main.ntl", &text.replace("/// Half", &format!("{point}{quarter}/// Half")));
    });
    for query in CHECKS {
        assert_eq!(count(&ran, query), 0, "{query} in {ran:?}");
    }
    assert_eq!(count(&ran, "parse"), 0, "{ran:?}");
}

#[test]
fn a_new_item_checks_itself_alone() {
    let ran = ran_after(|fixture| fixture.edit("main.ntl", "type Point", "fn other() -> int = 1\n\ntype Point"));
    assert_eq!(count(&ran, "parse"), 1, "{ran:?}");
    assert_eq!(count(&ran, "checked_body"), 1, "{ran:?}");
    assert_eq!(count(&ran, "declared_signature"), 1, "{ran:?}");
}

#[test]
fn the_library_is_read_as_far_as_it_is_needed() {
    let fixture = Fixture::of("fn shout(s: str) -> str = s\n");
    fixture.db.take_log();
    file_diagnostics(&fixture.db, fixture.file("main.ntl"));
    let log = fixture.db.take_log();
    let parsed = log.iter().filter(|query| query.starts_with("parse(")).count();
    assert_eq!(parsed, 1, "{log:?}");
}

#[test]
fn names_that_are_gone_are_forgotten() {
    let mut fixture = Fixture::of("fn f0() -> int = 1\n");
    for round in 0..50 {
        fixture.write("main.ntl", &format!("fn f{round}() -> int = 1\n"));
        let def = fixture.def("main.ntl", Space::Callable, &format!("f{round}"));
        assert!(signature(&fixture.db, &def).is_some());
        let gone = fixture.def("main.ntl", Space::Callable, &format!("f{}", round + 1));
        assert!(signature(&fixture.db, &gone).is_none());
    }
}

#[test]
fn a_signature_checks_its_users() {
    let ran = ran_after(|fixture| fixture.edit("main.ntl", "fn half(n: float)", "fn half(m: float)"));
    // itself and `quarter`; not `main`, which calls `quarter` alone
    assert_eq!(count(&ran, "checked_body"), 2, "{ran:?}");
    let ran = ran_after(|fixture| fixture.edit("helper.ntl", "twice(n: float)", "twice(n: int)"));
    // itself and `main`
    assert_eq!(count(&ran, "checked_body"), 2, "{ran:?}");
}

#[test]
fn a_type_checks_its_users() {
    let ran = ran_after(|fixture| fixture.edit("main.ntl", "Point(x: float,", "Point(x: float, z: int,"));
    assert_eq!(count(&ran, "declared_type"), 1, "{ran:?}");
    // `main` has a Point, and Point itself has no body
    assert_eq!(count(&ran, "checked_body"), 2, "{ran:?}");
}
