//! What is told of bodies: one mistake, one message.

use super::harness::{check, errors};

#[test]
fn what_an_error_makes_unknown_is_not_blamed_again() {
    check(
        r#"
workflow f(xs: list[int]) -> (a: int, b: str, c: list[int]) {
  bad = nothing(xs) // E0202 nothing
  more = bad.field + 1
  a = more * 2
  b = "{bad}"
  c = for x in bad if x > 1 { x + a }
  list = [bad, 1]
  unused = bad + list.len()
}
"#,
    );
}

#[test]
fn names_and_what_they_are() {
    check(
        r#"
use std.text
type Point(x: float)
fn twice(n: int) -> int = n * 2
workflow f(n: int) -> (a: any, b: any, c: any, d: any, e: any, g: any) {
  a = twice // E0214 call
  b = Point // E0214 type
  c = text // E0214 module
  d = n(3) // E0317 not_a_function
  e = upper("x") // E0202 text.upper
  g = list.first([n]) // E0201 use_std.list
}
workflow g(p: Point) -> (a: any, b: any, c: any) {
  a = p.x() // E0317 leave
  b = p.y // E0212 it_has_`x`
  c = [p].x // E0212 map(x_=>_x.x)
}
"#,
    );
}

#[test]
fn null() {
    check(
        r#"
type Item(name: str, size: int?)
fn known(i: Item) -> int = if i.size != null { i.size } else { 0 }
fn early(i: Item) -> int = match i.size { null => 0, n => n + 1 }
fn both(a: int?, b: int?) -> int = if a != null and b != null { a + b } else { 0 }
fn either(a: int?, b: int?) -> int = if a == null or b == null { 0 } else { a + b }
fn inside(xs: list[Item]) -> list[int] = for x in xs if x.size != null { x.size }
fn chained(i: Item?) -> int = if i?.size != null { i.size } else { 0 }
fn negated(a: int?) -> int = if not (a == null) { a } else { 0 }
fn again(a: int?) -> int = if a != null { if a != null { a } else { 0 } } else { 0 }
fn columns(a: int?, b: int?) -> int = match (a, b) { (null, _) => 0, (_, null) => 1, (x, y) => x + y }
fn wrong(a: int?) -> int = if a == null { a + 1 } else { a } // E0308 ??
fn wrong2(i: Item?) -> str = i.name // E0308 ?.
fn wrong3(a: int?) -> str = "{a}" // E0316 str(a)
fn wrong4(a: int) -> bool = a == null // E0314 never_null
fn wrong5(a: int?) -> bool = a < 3 // E0308 ??
fn needless(a: int) -> int = a ?? 0 // W0301
fn needless2(i: Item) -> str = i?.name // W0301
"#,
    );
}

#[test]
fn unions_are_narrowed() {
    check(
        r#"
type Shape = (kind: "circle", radius: float) | (kind: "box", side: float)
fn text(x: int | str | null) -> str = if x is str { x.upper() } else if x is int { "{x + 1}" } else { "nothing" }
fn sort_of(x: int | str) -> str = match x { n: int => "{n + 1}", s => s.upper() }
fn area(s: Shape) -> float = match s { (kind: "circle", radius:) => radius, (kind: "box", side:) => side * side }
fn either(x: int | float | str) -> bool = x is int or x is str
fn wrong(x: int | str) -> int = if x is str { x.len() } else { x.len() } // E0212 int
fn wrong2(x: int) -> bool = x is str // E0325 never
fn wrong3(s: Shape) -> float = s.radius // E0212 (kind: "circle", radius: float)
fn whole(x: json) -> int = match x { p: list[int] => p.len(), _ => 0 }
fn scalars(x: json) -> str = match x { s: str => s, n: int => "{n}", null => "", _ => "more" }
"#,
    );
}

#[test]
fn matches() {
    check(
        r#"
type Shape = (kind: "circle", radius: float) | (kind: "box", side: float)
fn f1(s: Shape) -> float = match s { (kind: "circle", radius:) => radius } // E0324 (kind: "box",
fn f2(s: Shape) -> float = match s { (kind: "circle", radius:) => radius, (kind: "bax", ..) => 0.0, _ => 1.0 } // E0323
fn f3(s: Shape) -> float = match s { (kind: "circle") => 1.0, _ => 0.0 } // E0323 radius ..
fn f4(a: bool, b: bool) -> int = match (a, b) { (true, _) => 1, (_, false) => 2 } // E0324 (false,_true)
fn f5(n: int) -> int = match n { 1 | 2 => 1, n if n > 2 => 2 } // E0324 condition
fn f6(n: int) -> int = match n { 1 | 2 => 1, 2 => 2, _ => 3 } // W0302
fn f7(n: int) -> int = match n { "a" => 1, _ => 2 } // E0323 never_matches
fn f8(x: (int, str?)) -> str = match x { (0, _) => "zero", (_, null) => "none", (_, s) => s }
fn f9(x: int?) -> int = match x { null => 0 } // E0324 other_values
fn f10(x: int | str) -> int = match x { n: int => n } // E0324 x: str
const MOST = 10
fn f13(n: int) -> int = match n { MOST => 1 } // W0205 MOST
fn f14() -> int { debug = false; match debug { true => 1, false => 0 } }
fn f11(n: int) -> int = match n { a | 1 => 1, _ => 0 } // E0323 alternatives
fn f12(x: (a: int, b: (c: str, d: bool))) -> str = match x { (b: (d: true, c:), ..) => c, (a: 0, ..) => "zero", _ => "" }
"#,
    );
}

#[test]
fn operators() {
    check(
        r#"
fn o1(a: str, b: int) -> str = a + b // E0313 {a}{b}
fn o2(a: list[int]) -> list[int] = a + [1] // E0313 ++
fn o3(a: datetime, b: datetime) -> duration = a - b // E0313 time.diff
fn o4(a: float) -> int = a ~/ 2 // E0313 floor
fn o5(a: int) -> int = a / 2 // E0301 round ~/
fn o6(a: str) -> bool = a == 1 // E0314
fn o7(t: "low" | "high") -> bool = t == "lwo" // E0314 low
fn o8(a: bool) -> bool = a < true // E0315
fn o9(a: str) -> str = a ++ "x" // E0313 interpolation
fn o10(a: int) -> bool = "x" in a // E0320
fn o11(xs: list[int]) -> bool = "x" in xs // E0314
fn o12(a: duration, n: int) -> (duration, duration, float, float) = (a * 2, n * a, a / 1h, a / a)
fn o13(a: int, b: float) -> (float, float, bool, bool) = (a + b, a / a, a == b, a < b)
fn o14[N: number](a: N, b: N) -> N = a * b - b
fn o15[T](a: T, b: T) -> T = a + b // E0313 number
fn o16(a: size) -> size = -a // E0313
fn o17(t: datetime) -> (datetime, datetime) = (t + 1h, 1h + t)
fn o18(debug: bool) -> bool { quiet = false; quiet == true or debug }
fn o19(a: int) -> bool = a and true // E0301 bool
fn o20(xs: list[float]) -> bool = 2 in xs and 3.5 in [1, 2]
"#,
    );
}

#[test]
fn calls() {
    check(
        r#"
fn frame(line: str, border: str = "*", width: int = 3) -> str = "{border}{line}".repeat(width)
fn c1() -> str = frame() // E0309 line
fn c2() -> str = frame("a", wdth: 2) // E0310 width
fn c3() -> str = frame("a", "b", 3, 4, 5) // E0312 5_given
fn c4() -> str = frame("a", line: "b") // E0311 line
fn c5(width: int) -> str = frame("a", width:)
fn c6() -> str = "a" |> frame("b")
fn c7() -> str = "a" |> frame // E0109 frame()
fn c8(xs: list[int]) -> list[int] = xs.map((a, b) => a) // E0318 1_parameter
fn c9(xs: list[(int, int)]) -> list[int] = xs.map((a, b) => a) // E0318 ((a,_b))
fn c10(xs: list[int]) -> list[int] = xs.map(3) // E0318 x_=>
fn c11(xs: list[int]) -> list[str] = xs.map(frame) // E0318 frame
fn c12(xs: list[int]) -> bool = xs.contains("a") // E0301 int
fn c13(xs: list[int]) -> int = xs.fold(0, (n, x) => n + x)
fn c14(xs: list[int]) -> float = xs.fold(0.5, (n, x) => n + x)
fn c15(xs: list[float]) -> float = xs.fold(0, (n, x) => n + x)
fn c16(xs: list[int]) -> list[int] = xs.fold([], (all, x) => all ++ [x])
fn c17() -> int = round(2.5, digits: 1) // E0301 float
fn c18(xs: list[float]) -> (float, int) = (sum(xs), sum([1, 2]))
fn c19(xs: list[str]) -> float = xs.sum_by(x => x.len() / 2)
fn c20(x: str) -> int = x.nothing().more() // E0212 nothing
fn c21() -> str = "a".frame() // E0212 |>
fn c22(s: str) -> list[int] = csv.parse_as(s) // E0201 use_std.csv
fn c23(f: fn(int) -> int) -> int = f(1, 2) // E0312 1_argument
fn c25(xs: list[int]) -> list[int] = xs.take(-1) // E0330 at_least_0
fn c26(n: int) -> int? = filter(n, n > 1) // E0407 drop
fn c24(f: fn(int) -> int, xs: list[int]) -> list[int] = xs.map(f)
"#,
    );
    check(
        r#"
use std.csv
type Row(a: int)
fn p1(s: str) -> list[Row] = csv.parse_as(s)
fn p2(s: str) -> int = csv.parse_as[Row](s).len()
fn p3(s: str) -> int = csv.parse_as(s).len() // E0319 T
"#,
    );
}

#[test]
fn records() {
    check(
        r#"
type Point(x: float, y: float = 0.0, label: str?)
fn r1(p: Point) -> Point = (..p, x: 2)
fn r2(p: Point) -> Point = (..p, z: 2) // E0212 z
fn r3(p: Point) -> Point = (x: 1.0, ..p) // E0322 first
fn r4() -> Point = Point(x: 1.0, x: 2.0) // E0311 x
fn r5() -> Point = (y: 2.0) // E0322 x
fn r6() -> Point = (x: 1.0, lable: "a", y: 2.0) // E0212 label
fn r14() -> (x: float) = (x: 1.0, note: "welcome")
fn r7() -> (a: int, b: int) = (a: 1, a: 2, b: 3) // E0322 twice
fn r8(p: Point) -> float { (x:, y: height) = p; x + height }
fn r9(p: Point) -> float { (x:, zz:) = p; x + zz } // E0212 zz
fn r10(p: Point) -> float { (a, b) = p; a + b } // E0323 by_name
fn r11(p: (int, int)) -> int { (a, b, c) = p; a + b + c } // E0323 3
fn r12(p: Point?) -> Point = (..p, x: 1.0) // E0322 ??
fn r13(x: float) -> Point = (x:, y: 1.0)
"#,
    );
}

#[test]
fn lists_and_dicts() {
    check(
        r#"
fn l1() -> list[float] = [1, 2.5]
fn l2() -> list[int?] = [1, null]
fn l3() -> list[str] = ["a", 2, 3] // E0301 int
fn l4() -> dict[str, int] = [:]
fn l5() -> dict[int, str] = ["a": "b"] // E0301 int
fn l6(xs: list[int]) -> int = xs["a"] // E0301 index
fn l7(d: dict[str, int]) -> int = d[1] // E0301 key
fn l8(s: str) -> str = s[0] // E0320 slice
fn l9(p: (int, str)) -> int = p[0] // E0320 .0
fn l10(p: (int, str)) -> int = p.2 // E0212 .1
fn l11(j: json) -> json = j["a"][0]
fn l12() -> dict[str, int] = ["a": 1, "b": 2, "a": 3] // W0303
fn l13(xs: list[int]?) -> int = xs[0] // E0320 ??
fn l14(f: float) -> any = [f: 1] // E0303
fn l15(d: dict[str, int]) -> list[str] = for k in d { k } // E0321 key,_value
fn l16(j: json) -> list[json] = for x in j { x } // E0321 as
fn l17(n: int) -> list[int] = for i in n { i } // E0321 0..n
"#,
    );
}

#[test]
fn branches_and_loops() {
    check(
        r#"
fn b1(c: bool) -> float = if c { 1 } else { 0.5 }
fn b2(c: bool) -> int? = if c { 1 }
fn b3(c: bool) -> int = if c { 1 } // E0326 else
fn b4(c: bool) -> int = if c { 1 } else { "a" } // E0301 str
fn b5(n: int) -> int = loop x = n, max: 3 { until x > 9; next x * 2 }
fn b6(n: int) -> int = loop x = n { until x > 9 } // E0610 next
fn b7(n: int) -> (a: int, b: int) = loop a = n, b = 1 { until a > 9; next (b, a + b) }
fn b8(n: int) -> int = loop a = n, b = 1 { next b } // E0301, E0610 2_values
fn b9(n: int) -> list[int] = loop all = [] { until all.len() == n; next all ++ [n] }
fn b10(n: int) -> float = loop x = 1 { until x > n; next x / 2 }
fn b11(n: int) -> int { until n > 1; n } // E0609 loop
fn b12(n: int) -> int = try n / 0 else 0 // E0301 float
fn b13(n: int) -> str = try "{n}" else err { err.mesage } // E0212 message
fn b14(n: int) -> int { x = n; } // E0327 output
fn b15(n: int) -> int { output = n * 2 }
fn b16(c: bool) -> int = if c { } else { 1 } // E0327
"#,
    );
}

#[test]
fn bindings() {
    check(
        r#"
use std.fs
workflow w1(n: int) -> (a: int) { b = n; a = 1 } // W0203 b
workflow w2(n: int) -> (a: int) { (b, a) = (n, 1) } // W0203 b
workflow w3(n: int) -> (total: int) { totl = n } // E0608 total totl
workflow w4(n: int) -> (a: int, b: int) { a = n } // E0608 b
workflow w5(n: int) -> (a: int) { a = n; a = 2 } // E0209 bound_already
workflow w6(n: int) -> (a: int) { n = 2; a = n } // E0209 parameter
workflow w7(n: int) -> (a: int) { a = b; b = a } // E0213 cycle
workflow w8(xs: list[int]) -> (a: any) { a = for (x, x) in xs.zip(xs) { x } } // E0209 bound
workflow w9() -> (a: str) { a = fs.read("x.txt"); fs.write("x.txt", "y") } // W0503 x.txt
workflow w10() { fs.write("x.txt", "y"); "text" } // W0501 comment
workflow w11() -> str { seq { fs.write("x.txt", b); b = "c"; b } } // E0215
workflow w12(n: int) -> int { if n > 1 { fs.write("x", "y") }; n }
workflow w13(n: int) -> (a: int) { require n > 0 else 3; a = n } // E0301 message
workflow w14(n: int) -> (a:, b:) { a = n; b = "x" }
workflow w15() -> (a: int, b: str) { (a:, b:) = w14(1) }
workflow w16(n: int) -> (a: int) { a = for x in [n] { n = x * 2; n }[0] }
"#,
    );
}

#[test]
fn effects_and_policies() {
    check(
        r#"
use std.fs
use std.time
workflow load(path: str) -> str { fs.read(path) }
fn e1(path: str) -> str = load(path) // E0501 workflow
fn e2(path: str = fs.read("a")) -> str = path // E0501 default
const E3 = time.now() // E0501 constant
workflow e4(xs: list[str]) -> list[str] { xs.map(fs.read) } // E0501 argument
workflow e5(xs: list[str]) -> list[str] { xs.map(x => load(x)) } // E0501 for
workflow e6(p: str) -> (a: str) { @retry(2, backoff: 1s) @timeout(3s) @cache(off) a = fs.read(p) }
workflow e7(p: str) -> (a: str) { @retry("x") a = fs.read(p) } // E0507 retry
workflow e8(p: str) -> (a: str) { @retry(1) @retry(2) a = fs.read(p) } // E0506 twice
workflow e9(p: str) -> (a: str) { @parallel(2) a = fs.read(p) } // E0506 for
workflow e10(ps: list[str]) -> (a: list[str]) { @parallel(2) @on_error(skip) a = for p in ps { fs.read(p) } }
workflow e11(p: str) { @retry(2) fs.append(p, "x") } // W0502 append
const TRIES = 3
workflow e12(p: str) -> str { @retry(TRIES) fs.read(p) }
"#,
    );
}

#[test]
fn prompts_agents_tests_and_triggers() {
    check(
        r#"
use std.fs
const FAST = model("openai/gpt-5.4-mini", temperature: 0.2)
type Report(text: str)
secret KEY
prompt judge(title: str) -> Report {
  model = FAST
  temperature = "hot" // E0301 temperature
  "Judge {titel}." // E0201 title
}
workflow greet(name: str) -> str { "Hi {name}" }
agent researcher(question: str) -> Report {
  model = FAST
  tools = [fs.read, greet, nothing] // E0202 nothing
  budget = (usd: 0.5, turns: 20)
  "Answer: {question}"
}
on schedule("0 7 * * 1-5") { greet("x") }
on webhook("/issues") as event { greet(event.body as str) }
on timer("x") { greet("x") } // E0611 schedule
test "greets" {
  mock judge => Report(text: "good")
  r = greet("x")
  assert r == "Hi x"
  assert r // E0301 bool
}
workflow w(n: int) -> int { assert n > 1; n } // E0609 require
workflow shown() -> str { "{KEY}" } // E0316 secret
"#,
    );
}

#[test]
fn embedded_data() {
    check("const A = json ```\n{\"a\": [1, 2.5, null]}\n```\nfn f() -> json = A[\"a\"]\n");
    let bad = errors("const A = json ```\n{\n\"a\": 1,\n}\n```\n");
    assert_eq!(bad, ["1: E0329 this is no JSON: expected a key in double quotes, in line 3 of it"]);
    let bad = errors("const A = js ```\n1\n```\n");
    assert_eq!(bad, ["1: E0329 `js` is no data: only `json` can be embedded as a value"]);
}
