//! Modules and names over several files.

use crate::fixture::Fixture;
use insta::assert_snapshot;
use ntl_semantic::names::{
    Found, Kind, Module, home_module, lookup, member, method_names, module, names_in_scope, resolve_method,
};
use ntl_semantic::query::{files_in_use, missing_files, native_id};
use ntl_semantic::ty::{Lit, Type};
use ntl_semantic::{Def, Space};

fn ids(fixture: &Fixture, defs: &[Def]) -> Vec<String> {
    let id = |def: &Def| native_id(&fixture.db, def).map_or_else(|| def.name.to_string(), |id| id.to_string());
    defs.iter().map(id).collect()
}

fn found(fixture: &Fixture, found: Found<Vec<Def>>) -> String {
    match found {
        Found::Yes(defs) => ids(fixture, &defs).join(" "),
        Found::Private => "private".into(),
        Found::Silent => "silent".into(),
        Found::No => "nothing".into(),
    }
}

#[test]
fn names_are_found_in_their_order() {
    let fixture = Fixture::new(&[
        (
            "main.ntl",
            "use std.text\nuse std.text.(trim, Line)\nuse \"./lib/helper\" as h\nuse \"./lib/helper\".(twice)\nuse std.nothing.(gone)\n\
             type Point(x: float)\nconst LIMIT = 3\nfn len(x: int) -> int = x\nfn own() -> int = 1\n",
        ),
        ("lib/helper.ntl", "fn twice(n: float) -> float = n\nfn _own() -> int = 1\ntype Item(title: str)\n"),
    ]);
    let main = fixture.file("main.ntl");
    let look = |kind, name: &str| found(&fixture, lookup(&fixture.db, main, kind, name));
    assert_eq!(look(Kind::Callable, "own"), "own");
    assert_eq!(look(Kind::Callable, "len"), "len", "the file's own hides core's");
    assert_eq!(look(Kind::Callable, "round"), "std.core.round/0@1 std.core.round/1@1");
    assert_eq!(look(Kind::Callable, "trim"), "std.text.trim/0@1");
    assert_eq!(look(Kind::Callable, "upper"), "nothing", "only what is named is taken out of a module");
    assert_eq!(look(Kind::Callable, "twice"), "twice");
    assert_eq!(look(Kind::Callable, "gone"), "silent");
    assert_eq!(look(Kind::Callable, "_hidden"), "nothing");
    assert_eq!(look(Kind::Callable, "Point"), "Point", "a record type is called to build it");
    assert_eq!(look(Kind::Value, "LIMIT"), "LIMIT");
    assert_eq!(look(Kind::Value, "own"), "nothing", "what is called and what is a value are found separately");
    assert_eq!(look(Kind::Type, "Line"), "Line");

    let of = |name: &str, kind, member_name: &str| {
        let module = module(&fixture.db, main, name).expect("a module");
        found(&fixture, member(&fixture.db, module, kind, member_name))
    };
    assert_eq!(of("text", Kind::Callable, "upper"), "std.text.upper/0@1");
    assert_eq!(of("text", Kind::Type, "Line"), "Line");
    assert_eq!(of("h", Kind::Callable, "twice"), "twice");
    assert_eq!(of("h", Kind::Callable, "_own"), "private");
    assert_eq!(of("h", Kind::Callable, "own"), "nothing");
    assert_eq!(module(&fixture.db, main, "helper"), None, "it has another name here");
    assert!(matches!(module(&fixture.db, main, "text"), Some(Module::File(_))));

    let names = names_in_scope(&fixture.db, main, Kind::Callable);
    for name in ["Line", "Point", "len", "own", "round", "trim", "twice"] {
        assert!(names.iter().any(|known| known == name), "{name} in {names:?}");
    }
    assert!(!names.iter().any(|name| name == "upper" || name == "_hidden"), "{names:?}");
}

#[test]
fn methods_are_found_by_type() {
    let fixture = Fixture::of("type Tone = \"a\" | \"b\"\ntype Name = str\n");
    let db = &fixture.db;
    let method = |ty: &Type, name: &str| ids(&fixture, &resolve_method(db, ty, name)).join(" ");
    let named = |name: &str| Type::Named(fixture.def("main.ntl", Space::Type, name));
    let list = Type::List(Type::Int.into());
    assert_eq!(method(&Type::Str, "upper"), "std.text.upper/0@1");
    assert_eq!(method(&Type::Literal(Lit::Str("x".into())), "upper"), "std.text.upper/0@1");
    assert_eq!(method(&named("Tone"), "upper"), "std.text.upper/0@1");
    assert_eq!(method(&named("Name"), "upper"), "std.text.upper/0@1");
    assert_eq!(method(&Type::Str, "len"), "std.core.len/0@1", "then those of core");
    assert_eq!(method(&Type::Str, "Line"), "", "a type is no method");
    assert_eq!(method(&list, "take"), "std.list.take/0@1");
    assert_eq!(method(&list, "upper"), "");
    assert_eq!(method(&Type::Float, "round"), "std.core.round/0@1 std.core.round/1@1");
    assert_eq!(home_module(db, &Type::Union([Type::Str, Type::Null].into())), None);
    assert_eq!(home_module(db, &Type::Union([Type::Int, Type::Float].into())), Some("math"));
    let names = method_names(db, &list);
    assert!(names.iter().any(|name| name == "first") && names.iter().any(|name| name == "collect"), "{names:?}");
}

#[test]
fn files_may_use_each_other_in_circles() {
    let fixture = Fixture::new(&[
        ("a.ntl", "use \"./b\"\nfn one() -> int = b.two()\n"),
        ("b.ntl", "use \"./a\"\nuse \"./sub/c\"\nfn two() -> int = c.three()\nfn four() -> int = a.one()\n"),
        ("sub/c.ntl", "use \"../a\"\nfn three() -> int = 3\nfn five() -> int = a.one()\n"),
    ]);
    let paths = |file: &str| -> Vec<String> {
        files_in_use(&fixture.db, fixture.file(file)).iter().map(|file| file.path(&fixture.db).to_owned()).collect()
    };
    assert_eq!(paths("a.ntl"), ["a.ntl", "b.ntl", "sub/c.ntl"]);
    assert_eq!(paths("sub/c.ntl"), ["sub/c.ntl", "a.ntl", "b.ntl"]);
    assert_eq!(fixture.report("a.ntl"), "");
    assert_eq!(fixture.report("sub/c.ntl"), "");
}

#[test]
fn what_is_not_loaded_yet_is_asked_for() {
    let mut fixture = Fixture::of("");
    fixture.write("main.ntl", "use \"./new/one\"\nuse \"../two\"\n");
    let main = fixture.file("main.ntl");
    assert_eq!(missing_files(&fixture.db, main), ["new/one.ntl", "../two.ntl"]);
    assert_eq!(fixture.report("main.ntl"), "", "it may still come");
}

#[test]
fn uses_that_lead_nowhere() {
    let fixture = Fixture::new(&[
        (
            "main.ntl",
            "use std.txt
use text
use std
use std.text.upper
use foo.bar
use \"./helpr\"
use \"./helper.ntl\"
use \"./my-file\"
use pack acme.search
use std.text.(uper, _secret, trim, trim)
use \"./helper\".(_own)
use std.fs
use std.fs
use std.list as fs

fn f(s: str) -> str = txt.upper(search.go(upper(s)))
fn g(x: txt.Thing, y: list[helpr.Other]) -> int = fs.read(trim(helper.x()))
",
        ),
        ("helper.ntl", "fn _own() -> int = 1\nfn x() -> str = \"\"\n"),
        ("my-file.ntl", ""),
    ]);
    assert_snapshot!(fixture.report("main.ntl"));
}

#[test]
fn names_declared_twice() {
    let fixture = Fixture::of(
        "use std.text.(trim)

fn area(w: float) -> float = w
fn area(w: float, h: float) -> float = w * h
fn Point() -> int = 1
type Point(x: float)
type Area(x: float)
const area = 3
secret area
fn trim(s: str) -> str = s
type list(x: int)

test \"a\" { assert true }
test \"a\" { assert true }

fn use_all(p: Point, a: Area, l: list[int]) -> float = area(trim(\"\").len())
",
    );
    assert_snapshot!(fixture.report("main.ntl"));
}

#[test]
fn what_nobody_uses() {
    let fixture = Fixture::new(&[
        (
            "main.ntl",
            "use std.text
use std.fs
use std.list.(first, take)
use \"./helper\" as h

fn _unused(xs: list[int]) -> list[int] = xs.take(3)
fn _used(xs: list[int]) -> int? = first(xs)
const _LEFT = 1
type _Never(x: int)
fn _itself(n: int) -> int = _itself(n)

workflow main(xs: list[int], s: str) -> (a: int?, b: text.Line, c: str) {
  a = _used(xs)
  b = text.Line(text: s, number: 1)
  c = h.x()
}
",
        ),
        ("helper.ntl", "fn x() -> str = \"\"\n"),
    ]);
    let report = fixture.report("main.ntl");
    let warnings: Vec<&str> = report.lines().filter(|line| line.starts_with("warning")).collect();
    assert_eq!(
        warnings,
        [
            "warning[W0201]: `fs` is not used",
            "warning[W0201]: `take` is not used",
            "warning[W0202]: `_unused` is not used",
            "warning[W0202]: `_LEFT` is not used",
            "warning[W0202]: `_Never` is not used",
            "warning[W0202]: `_itself` is not used",
        ]
    );
}
