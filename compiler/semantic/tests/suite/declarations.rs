//! What declarations say, and what is wrong with them.

use crate::fixture::Fixture;
use insta::{assert_debug_snapshot, assert_snapshot};
use ntl_semantic::Space;
use ntl_semantic::query::{Effect, display, doc, effect, locate, native_id, param_doc, signature};

#[test]
fn a_signature_says_what_it_takes_and_gives() {
    let fixture = Fixture::of(
        "type Tone = \"formal\" | \"casual\"
workflow digest(
  @min(1) @max(10) limit: int = 5,
  tone: Tone?,
  names: stream[str],
) -> (line: stream[str], n: int per line, left:) {
  line = names
  n = line.len()
  left = limit
}
",
    );
    let signature = signature(&fixture.db, &fixture.def("main.ntl", Space::Callable, "digest")).unwrap();
    let params: Vec<String> = signature
        .params
        .iter()
        .map(|p| {
            let ty = display(&fixture.db, &p.ty);
            format!("{}: {ty} {:?} optional={} {:?}..{:?}", p.name, p.flow, p.optional, p.min, p.max)
        })
        .collect();
    let outputs: Vec<String> = signature
        .outputs
        .iter()
        .map(|o| format!("{}: {:?} {:?}", o.name, o.ty.as_ref().map(|ty| display(&fixture.db, ty)), o.flow))
        .collect();
    assert_debug_snapshot!((params, outputs));
    assert_eq!(fixture.report("main.ntl"), "");
}

#[test]
fn the_library_says_what_is_known_of_its_nodes() {
    let fixture = Fixture::of("");
    let write = fixture.def("std/fs.ntl", Space::Callable, "write");
    let facts = &signature(&fixture.db, &write).unwrap().facts;
    assert_eq!(facts.effect, Effect::Write);
    assert_eq!(facts.touches, [("fs_write".into(), "path".into())]);
    assert_eq!(native_id(&fixture.db, &write).as_deref(), Some("std.fs.write/0@2"));
    let round = ntl_semantic::Def { nth: 1, ..fixture.def("std/core.ntl", Space::Callable, "round") };
    assert_eq!(native_id(&fixture.db, &round).as_deref(), Some("std.core.round/1@1"));
    assert_eq!(effect(&fixture.db, &round), Effect::Pure);
    for file in ["std/core.ntl", "std/fs.ntl", "std/list.ntl", "std/text.ntl"] {
        assert_eq!(fixture.report(file), "", "{file}");
    }
}

#[test]
fn documentation_is_found() {
    let fixture = Fixture::of(
        "/// Reads it.\n/// Twice.\n@deprecated(\"use x\")\nfn f(\n  /// How often.\n  @min(1) n: int,\n  m: int,\n) -> int = n\n\n@deprecated(\"use x\")\n/// Between.\nfn g() -> int = 1\n",
    );
    let db = &fixture.db;
    let f = fixture.def("main.ntl", Space::Callable, "f");
    assert_eq!(doc(db, &f).as_deref(), Some("Reads it.\nTwice."));
    assert_eq!(param_doc(db, &f, 0).as_deref(), Some("How often."));
    assert_eq!(param_doc(db, &f, 1), None);
    assert_eq!(param_doc(db, &f, 2), None);
    assert_eq!(doc(db, &fixture.def("main.ntl", Space::Callable, "g")).as_deref(), Some("Between."));
    let (_, bytes) = locate(db, &ntl_semantic::Place { def: f.clone(), span: ntl_semantic::names::name_span(db, &f) });
    assert_eq!(&fixture.file("main.ntl").text(db).as_deref().unwrap()[bytes.start as usize..bytes.end as usize], "f");
}

#[test]
fn types_that_are_written_wrongly() {
    let fixture = Fixture::of(
        "type A = B | int
type B = A | str
type Loop = Loop?
type Fine(next: Fine?, all: list[Fine], by_name: dict[str, Fine])
type Step = 0.5 | 1.0
type Wait = 30s
type Grid(cells: dict[(int, int), str], rows: dict[bool, str], ok: dict[Name, int], no: dict[Fine, int])
type Name = \"a\" | \"b\"
type Twice(x: int, x: str)
type Callback(f: fn(int) -> int)
type Flow(values: stream[int])
type Wrong(a: list, b: list[int, str], c: dict[int], d: int[str], e: Fine[int])
type Foreign(a: string, b: boolean, c: Array, d: Artcle, e: number)
type Article(@key(Beak) beak: str, @kye(\"x\") other: str, @min(1) third: int)
fn inner(size: (w: float, h: float = 1.0)) -> (float) = size.w
fn far(x: text.Line, y: nowhere.Line) -> int = 1
fn stream_in(x: stream[int]) -> stream[int] = x
const C: stream[int] = 1
",
    );
    assert_snapshot!(fixture.report("main.ntl"));
}

#[test]
fn signatures_that_are_written_wrongly() {
    let fixture = Fixture::of(
        "fn twice(a: int, a: str) -> int = a
fn params[T, T, U: numbr](x: T, u: U) -> T = x
workflow outs() -> (a: int, a: str) { a = 1 }
workflow lines(names: stream[str]) -> (line: stream[str], n: int per lines, m: int per names) { line = names }
fn nothing(a: int) = a
node bare(a: int) -> int
node python(a: int) -> int py ```
1
```
node untyped(a: int) -> (a:, b: int) js ```
1
```
workflow empty(a: int) -> int
workflow takes(f: fn(int) -> int) -> int { 1 }
fn bounds(@min(3) @max(2) a: int, @min(1) b: str, @max(\"x\") c: int, @min(1) d: float?) -> int = 1
",
    );
    assert_snapshot!(fixture.report("main.ntl"));
}

#[test]
fn annotations_that_are_written_wrongly() {
    let fixture = Fixture::of(
        "@pure @external node a(url: str) -> str js ```
1
```
@net(ulr) @fs_read(\"x\") @retyr_safe node b(url: str) -> str js ```
1
```
@retry(2) workflow c() -> int { 1 }
@pure workflow d() -> int { 1 }
@deprecated fn e() -> int = 1
@deprecated(\"x\") @deprecated(\"y\") fn f() -> int = 1
@cache(1h) @cache(forever) node g() -> str js ```
1
```
@cache(off) node h() -> str js ```
1
```
@nodetool(\"nodetool.text.Concat\", a: \"a\") fn i(a: str) -> str = a
@nodetool(a: \"a\") fn j(a: str) -> str = a
@version(0) @pure fn k() -> int = 1
",
    );
    assert_snapshot!(fixture.report("main.ntl"));
}
