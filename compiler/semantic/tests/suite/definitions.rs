//! What follows from what bodies need: inferred outputs, effects, circles.

use crate::fixture::Fixture;
use insta::assert_snapshot;
use ntl_semantic::Space;
use ntl_semantic::query::{Effect, display, effect, output_types};

#[test]
fn outputs_are_inferred_and_effects_reach_through_calls() {
    let fixture = Fixture::of(
        "use std.fs
workflow load(path: str) -> (text:, size:) {
  text = fs.read(path)
  size = text.len()
}
workflow outer(path: str) -> (size:) { size = load(path).size }
workflow calm(n: int) -> int { n + 1 }
",
    );
    let db = &fixture.db;
    let of = |name: &str| {
        let def = fixture.def("main.ntl", Space::Callable, name);
        let types: Vec<String> = output_types(db, &def).iter().map(|ty| display(db, ty)).collect();
        (types.join(", "), effect(db, &def))
    };
    assert_eq!(of("load"), ("str, int".into(), Effect::Read));
    assert_eq!(of("outer"), ("int".into(), Effect::Read));
    assert_eq!(of("calm"), ("int".into(), Effect::Pure));
}

#[test]
fn circles_are_told_once() {
    let fixture = Fixture::new(&[
        (
            "main.ntl",
            "use \"./other\"
fn factorial(n: int) -> int = if n <= 1 { 1 } else { n * factorial(n - 1) }
fn is_even(n: int) -> bool = if n == 0 { true } else { is_odd(n - 1) }
fn is_odd(n: int) -> bool = if n == 0 { false } else { is_even(n - 1) }
fn twice(n: int) -> int = n * 2
fn four_times(n: int) -> int = twice(twice(n))
const A = B
const B = A
fn here(n: int) -> int = other.there(n)
fn default(n: int = default()) -> int = n
workflow first() -> (x:) { x = second() }
workflow second() -> (x:) { x = [first()] }
",
        ),
        ("other.ntl", "use \"./main\"\nfn there(n: int) -> int = main.here(n)\n"),
    ]);
    assert_snapshot!(format!("{}{}", fixture.report("main.ntl"), fixture.report("other.ntl")));
}

#[test]
fn a_long_chain_is_no_circle() {
    let mut text = String::from("const C0 = 1\nworkflow w0() -> (x:) { x = C0 }\n");
    for i in 1..1500 {
        text.push_str(&format!("const C{i} = C{}\nworkflow w{i}() -> (x:) {{ x = w{}() }}\n", i - 1, i - 1));
    }
    let mut fixture = Fixture::of(&text);
    let last = |fixture: &Fixture| {
        let def = fixture.def("main.ntl", Space::Callable, "w1499");
        (output_types(&fixture.db, &def).len(), effect(&fixture.db, &def))
    };
    assert_eq!(last(&fixture), (1, Effect::Pure));
    assert_eq!(fixture.report("main.ntl"), "");
    // What is asked again after an edit goes down the chain on the stack of the one who asks: a server has a large one.
    fixture.edit("main.ntl", "const C0 = 1", "const C0 = 2");
    let again =
        std::thread::Builder::new().stack_size(256 << 20).spawn(move || last(&fixture)).unwrap().join().unwrap();
    assert_eq!(again, (1, Effect::Pure));
}
