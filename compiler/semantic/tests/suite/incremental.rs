//! What an edit makes run again, and what it does not.

use crate::fixture::Fixture;
use ntl_semantic::Space;
use ntl_semantic::query::{body, defs, effect, file_diagnostics, output_types, signature};

const ORDERS: &str = "\
/// A line of an order.
type Line(name: str, price: float, count: int = 1)

/// What it costs.
fn cost(line: Line) -> float = line.price * line.count

fn first(lines: list[Line]) -> float {
  costs = for l in lines { cost(l) }
  costs.first() ?? 0.0
}
";

const PRICING: &str = "\
use \"./terms\"

const RATE = 2
const FEE: int = 3

/// With tax.
fn gross(net: float, rate: float = 0.5) -> float = net * (rate + RATE)

fn fee(count: int) -> int = count * FEE

fn lowest() -> int = terms.LOWEST
";

const REPORT: &str = "\
use \"./orders\"
use \"./pricing\".(gross, lowest)

workflow summary(lines: list[orders.Line]) -> (total:, count:) {
  total = gross(orders.first(lines))
  count = len(lines)
}

workflow names(lines: list[orders.Line]) -> (all: list[str], least: int) {
  least = lowest()
  all   = for l in lines { l.name }
}

workflow shown(text: str) -> (done: null) {
  done = print(text)
}
";

const MAIN: &str = "\
use \"./report\"
use \"./pricing\"

workflow main() -> (text: str) {
  s    = report.summary([])
  text = \"{s.count} lines, {s.total}\"
}

workflow fees(count: int) -> int {
  pricing.fee(count) + pricing.fee(1)
}

fn kinds() -> list[str] = [\"small\", \"large\"]

workflow told(n: int = 1) -> null {
  report.shown(\"{n}\")
}
";

const FILES: [(&str, &str); 4] =
    [("orders.ntl", ORDERS), ("pricing.ntl", PRICING), ("report.ntl", REPORT), ("main.ntl", MAIN)];

fn text_of(path: &str) -> &'static str {
    FILES.iter().find(|(known, _)| *known == path).map_or("", |(_, text)| text)
}

/// Asks everything that the command line and an editor ask of a program.
fn ask(fixture: &Fixture) {
    for (path, _) in FILES {
        let file = fixture.file(path);
        file_diagnostics(&fixture.db, file);
        for def in defs(&fixture.db, file) {
            body(&fixture.db, &def);
            output_types(&fixture.db, &def);
            effect(&fixture.db, &def);
        }
    }
}

/// A program of which everything is known.
fn known() -> Fixture {
    let fixture = Fixture::new(&FILES);
    ask(&fixture);
    fixture.db.take_log();
    fixture
}

/// What an edit made run: queries with what they are about.
struct Ran(Vec<String>);

fn ran(fixture: &mut Fixture, edit: impl FnOnce(&mut Fixture)) -> Ran {
    edit(fixture);
    ask(fixture);
    Ran(fixture.db.take_log())
}

/// What an edit of a known program made run.
fn ran_after(edit: impl FnOnce(&mut Fixture)) -> Ran {
    ran(&mut known(), edit)
}

impl Ran {
    /// What a query ran for, sorted: `main.ntl fees`.
    fn of(&self, query: &str) -> Vec<&str> {
        let mut about: Vec<&str> = self
            .0
            .iter()
            .filter_map(|ran| ran.split_once(' '))
            .filter(|(name, _)| *name == query)
            .map(|(_, about)| about)
            .collect();
        about.sort_unstable();
        about
    }

    fn checked(&self) -> Vec<&str> {
        self.of("checked_body")
    }

    /// Asserts that no query ran but these after an edit called `what`.
    fn only(&self, what: &str, queries: &[&str]) {
        let other = |ran: &&String| !queries.contains(&ran.split(' ').next().unwrap_or_default());
        let others: Vec<&String> = self.0.iter().filter(other).collect();
        assert!(others.is_empty(), "{what}: {others:?}");
    }
}

/// What looks at the text itself: all that may run for an edit that means nothing.
const TEXT: &[&str] = &["items", "parse", "tree_of", "file_diagnostics", "is_there"];

/// What else looks at the order of items.
const ORDER: &[&str] = &["by_name", "own_names", "imports", "unused", "duplicates", "circles"];

#[test]
fn an_edit_in_a_body_checks_that_body_alone() {
    let ran = ran_after(|f| f.edit("orders.ntl", "cost(l) }", "cost(l) * 2.0 }"));
    assert_eq!(ran.checked(), ["orders.ntl first"]);
    for query in ["parse", "tree_of", "item_diagnostics", "declared_signature", "needs", "mentions"] {
        assert_eq!(ran.of(query), ["orders.ntl first"], "{query}");
    }
    assert_eq!(ran.of("file_diagnostics"), ["orders.ntl"]);
    for query in ["output_types", "effect", "needed", "circles", "imports", "unused", "duplicates", "own_names"] {
        assert_eq!(ran.of(query).len(), usize::from(matches!(query, "needed")), "{query}: {:?}", ran.0);
    }
}

#[test]
fn what_means_nothing_checks_nothing() {
    for (what, path, from, to) in [
        ("a comment above", "orders.ntl", "/// What", "// Something.\n\n/// What"),
        ("a comment within", "orders.ntl", "line.price *", "line.price * // each\n  "),
        ("a comment in a block", "report.ntl", "{\n  total", "{\n  // first\n\n  total"),
        ("a doc comment", "orders.ntl", "/// What it costs.", "/// What it costs,\n/// all in all."),
        ("a new doc comment", "main.ntl", "fn kinds", "/// The kinds.\nfn kinds"),
        ("no doc comment", "pricing.ntl", "/// With tax.\n", ""),
        ("a doc comment of the file", "main.ntl", "use \"./report\"", "//! It all.\nuse \"./report\""),
        ("empty lines", "main.ntl", "\nworkflow fees", "\n\n\n\nworkflow fees"),
        ("indentation", "report.ntl", "  count = len", "      count = len"),
        ("blanks", "report.ntl", "list[orders.Line]) -> (total:, ", "list[ orders.Line ] ) -> ( total: ,"),
        ("broken brackets", "main.ntl", "[\"small\", \"large\"]", "[\n  \"small\",\n  \"large\"\n]"),
        ("a last comma", "main.ntl", "[\"small\", \"large\"]", "[\n  \"small\",\n  \"large\",\n]"),
        ("a last comma of parameters", "pricing.ntl", "rate: float = 0.5)", "rate: float = 0.5,\n)"),
        ("a last comma of outputs", "report.ntl", "(total:, count:)", "(total:, count:,)"),
        ("one line", "orders.ntl", "{ cost(l) }\n  costs", "{ cost(l) }; costs"),
        ("a last semicolon", "orders.ntl", "?? 0.0\n}", "?? 0.0;\n}"),
        ("a broken line", "orders.ntl", "costs.first() ??", "costs\n    .first() ??"),
    ] {
        let ran = ran_after(|f| f.edit(path, from, to));
        ran.only(what, TEXT);
        assert!(ran.of("tree_of").len() <= 1, "{what}");
    }
}

#[test]
fn formatting_checks_nothing() {
    let ugly = "\
workflow  fees( count :int )->int{ pricing.fee(count,)+
  pricing.fee( 1 ); }
fn kinds()->list[str]=[ \"small\",
  \"large\" ]
";
    let mut fixture = known();
    let text = MAIN.split("workflow fees").next().unwrap_or_default().to_owned() + ugly;
    fixture.write("main.ntl", &text);
    ask(&fixture);
    fixture.db.take_log();
    let formatted = ntl_syntax::format(&text).expect("a sound program");
    assert_ne!(formatted, text);
    ran(&mut fixture, |f| f.write("main.ntl", &formatted)).only("formatted", TEXT);
}

#[test]
fn moving_items_checks_nothing() {
    let item = "fn kinds() -> list[str] = [\"small\", \"large\"]\n\n";
    let ran = ran_after(|f| {
        let moved = MAIN.replace(item, "").replace("workflow main", &format!("{item}workflow main"));
        f.write("main.ntl", &moved);
    });
    ran.only("moved", &[TEXT, ORDER].concat());
    assert!(ran.of("parse").is_empty());
}

#[test]
fn a_signature_checks_its_users() {
    // `main` takes what `summary` infers, which stays the same.
    let ran =
        ran_after(|f| f.edit("orders.ntl", "first(lines: list[Line]) -> float", "first(lines: list[Line]) -> int"));
    assert_eq!(ran.checked(), ["orders.ntl first", "report.ntl summary"]);
    let ran = ran_after(|f| f.edit("pricing.ntl", "fee(count: int)", "fee(amount: int)"));
    assert_eq!(ran.checked(), ["main.ntl fees", "pricing.ntl fee"]);
    let ran = ran_after(|f| f.edit("report.ntl", "shown(text: str)", "shown(text: str, n: int = 1)"));
    assert_eq!(ran.checked(), ["main.ntl told", "report.ntl shown"]);
}

#[test]
fn what_callers_cannot_see_checks_the_declaration_alone() {
    // What stands behind it moves, by more tokens than before; so do the outputs.
    let ran = ran_after(|f| f.edit("pricing.ntl", "rate: float = 0.5", "rate: float = 0.25 + 0.25"));
    assert_eq!(ran.checked(), ["pricing.ntl gross"]);
    let ran = ran_after(|f| f.edit("main.ntl", "told(n: int = 1)", "told(n: int = 1 + 1)"));
    assert_eq!(ran.checked(), ["main.ntl told"]);
    let ran = ran_after(|f| f.edit("pricing.ntl", "net: float", "net: (float)"));
    assert_eq!(ran.checked(), ["pricing.ntl gross"]);
    // A mistake in a declaration is its own.
    let ran = ran_after(|f| f.edit("pricing.ntl", "fn fee(", "@nonsense fn fee("));
    assert_eq!(ran.checked(), ["pricing.ntl fee"]);
}

#[test]
fn an_output_that_is_inferred_cuts_off_early() {
    let ran = ran_after(|f| f.edit("report.ntl", "gross(orders.first(lines))", "gross(orders.first(lines)) * 2.0"));
    assert_eq!(ran.checked(), ["report.ntl summary"]);
    assert_eq!(ran.of("output_types"), ["report.ntl summary"]);
    let ran = ran_after(|f| f.edit("report.ntl", "total = gross(orders.first(lines))", "total = names(lines).all"));
    assert_eq!(ran.checked(), ["main.ntl main", "report.ntl summary"]);
}

#[test]
fn a_constant_checks_its_users() {
    // What a constant is written to be stays, whatever its value; one without a type is the literal.
    let ran = ran_after(|f| f.edit("pricing.ntl", "FEE: int = 3", "FEE: int = 4"));
    assert_eq!(ran.checked(), ["pricing.ntl FEE"]);
    let ran = ran_after(|f| f.edit("pricing.ntl", "RATE = 2", "RATE = 3"));
    assert_eq!(ran.checked(), ["pricing.ntl RATE", "pricing.ntl gross"]);
    let ran = ran_after(|f| f.edit("pricing.ntl", "FEE: int", "FEE: float"));
    assert_eq!(ran.checked(), ["pricing.ntl FEE", "pricing.ntl fee"]);
}

#[test]
fn a_type_checks_its_users() {
    let ran = ran_after(|f| f.edit("orders.ntl", "price: float,", "price: float, tag: str?,"));
    // Not those that hand it on by its name.
    assert_eq!(ran.checked(), ["orders.ntl Line", "orders.ntl cost", "report.ntl names"]);
    assert_eq!(ran.of("declared_type"), ["orders.ntl Line"]);
    assert!(ran.of("signature").is_empty());
    // The value of a default is nobody else's business.
    let ran = ran_after(|f| f.edit("orders.ntl", "count: int = 1", "count: int = 1 + 1"));
    assert_eq!(ran.checked(), ["orders.ntl Line"]);
}

#[test]
fn a_new_item_checks_itself_and_whom_its_name_concerns() {
    let ran = ran_after(|f| f.edit("orders.ntl", "fn first", "fn other() -> int = 1\n\nfn first"));
    assert_eq!(ran.checked(), ["orders.ntl other"]);
    // `len` was that of core up to now.
    let ran =
        ran_after(|f| f.edit("report.ntl", "workflow names", "fn len(x: list[any]) -> int = 1\n\nworkflow names"));
    assert_eq!(ran.checked(), ["report.ntl len", "report.ntl summary"]);
    let ran = ran_after(|f| f.edit("pricing.ntl", "const FEE: int = 3\n", ""));
    assert_eq!(ran.checked(), ["pricing.ntl fee"]);
}

#[test]
fn a_name_that_was_missing_checks_who_asked_for_it() {
    let mut fixture = known();
    fixture.edit("main.ntl", "pricing.fee(1)", "pricing.tax(1)");
    ask(&fixture);
    fixture.db.take_log();
    let ran = ran(&mut fixture, |f| f.edit("pricing.ntl", "fn fee", "fn tax(n: int) -> int = n\n\nfn fee"));
    assert_eq!(ran.checked(), ["main.ntl fees", "pricing.ntl tax"]);
}

#[test]
fn a_new_name_checks_those_who_use_the_old() {
    let ran = ran_after(|f| f.edit("pricing.ntl", "fn gross", "fn taxed"));
    // `main` takes what `summary` gives, which is not known now.
    assert_eq!(ran.checked(), ["main.ntl main", "pricing.ntl taxed", "report.ntl summary"]);
    let ran = ran_after(|f| {
        f.edit("pricing.ntl", "fn fee", "fn charge");
        f.edit("main.ntl", "pricing.fee(count) + pricing.fee(1)", "pricing.charge(count) + pricing.charge(1)");
    });
    assert_eq!(ran.checked(), ["main.ntl fees", "pricing.ntl charge"]);
}

#[test]
fn a_file_that_goes_and_comes_checks_its_users() {
    let mut fixture = known();
    let gone = ran(&mut fixture, |f| f.remove("report.ntl"));
    assert_eq!(gone.checked(), ["main.ntl main", "main.ntl told"]);
    let back = ran(&mut fixture, |f| f.write("report.ntl", REPORT));
    let users = ["main.ntl main", "main.ntl told"];
    let own =
        ["report.ntl ./orders", "report.ntl ./pricing", "report.ntl names", "report.ntl shown", "report.ntl summary"];
    assert_eq!(back.checked(), [&users[..], &own].concat());
    // One that was never there.
    let new = ran(&mut fixture, |f| f.write("terms.ntl", "const LOWEST: int = 1\n"));
    assert_eq!(new.checked(), ["pricing.ntl lowest"]);
}

#[test]
fn a_file_that_nobody_uses_checks_nothing() {
    let ran = ran_after(|f| f.add("notes.ntl", Some("fn note() -> int = 1\n")));
    ran.only("a new file", &["imports", "is_there"]);
}

#[test]
fn a_mistake_of_form_checks_its_item_alone_and_so_does_its_undoing() {
    for (path, from, to, item) in [
        ("report.ntl", "gross(orders.first(lines))", "gross(orders.first(lines)", "report.ntl summary"),
        ("report.ntl", "all   = for", "all   = for {", "report.ntl names"),
        ("main.ntl", "\"{s.count} lines", "\"{s.count lines", "main.ntl main"),
        ("main.ntl", "\"small\"", "\"small", "main.ntl kinds"),
        ("orders.ntl", "costs.first()", "costs.", "orders.ntl first"),
        ("orders.ntl", "{ cost(l) }", "", "orders.ntl first"),
    ] {
        let mut fixture = known();
        let broken = ran(&mut fixture, |f| f.edit(path, from, to));
        let sound = ran(&mut fixture, |f| f.write(path, text_of(path)));
        // None at all where it was read as it was meant.
        for checked in [broken.checked(), sound.checked()] {
            assert!(checked.is_empty() || checked == [item], "{from:?} → {to:?}: {checked:?}");
        }
    }
}

#[test]
fn an_effect_is_passed_on_to_those_that_reach_it() {
    let ran = ran_after(|f| f.edit("report.ntl", "print(text)", "null"));
    assert_eq!(ran.checked(), ["report.ntl shown"]);
    assert_eq!(ran.of("effect"), ["main.ntl told", "report.ntl shown"]);
}

#[test]
fn the_library_is_read_as_far_as_it_is_needed() {
    let fixture = Fixture::of("fn shout(s: str) -> str = s\n");
    fixture.db.take_log();
    file_diagnostics(&fixture.db, fixture.file("main.ntl"));
    let log = fixture.db.take_log();
    let parsed: Vec<_> = log.iter().filter(|query| query.starts_with("parse")).collect();
    assert_eq!(parsed, ["parse main.ntl shout"], "{log:?}");
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
