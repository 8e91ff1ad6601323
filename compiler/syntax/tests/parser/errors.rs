//! What is said of broken texts: with each source all that is said of it.

use crate::{mistakes, snapshot};

/// Every source with its mistakes, of which there must be some.
fn reports(sources: &[&str]) -> String {
    let mut out = String::new();
    for source in sources {
        let said = mistakes(source);
        assert_ne!(said, "", "{source}");
        out += &format!("{}\n", source.trim_end());
        for line in said.lines() {
            out += &format!("    {line}\n");
        }
    }
    out
}

/// Statements, each in a body of its own.
fn statements(sources: &[&str]) -> String {
    let sources: Vec<_> = sources.iter().map(|source| format!("workflow w() {{\n{}\n}}", indented(source))).collect();
    let said = reports(&sources.iter().map(String::as_str).collect::<Vec<_>>());
    said.replace("workflow w() {\n", "").replace("\n}\n", "\n")
}

fn indented(source: &str) -> String {
    format!("  {}", source.replace('\n', "\n  "))
}

#[test]
fn tokens() {
    snapshot!(statements(&[
        "a = 9_223_372_036_854_775_808",
        "a = -9_223_372_036_854_775_809",
        "a = 1e999",
        "a = 200000000d",
        "a = 99999999999gb",
        "a = 0b101 + 1_ + 1.5s + 5KB + 3px",
        "a = \"back\\slash \\r \\{ \\' \\x41\"",
        "a = \"a lone } brace\"",
        "a = \"\\u{110000}\"",
        "a = \"never closed\nb = 1",
        "a = f(\"never {g(1} closed, x)\nb = 1",
        "a = f(\"x {y\")\nb = 1",
        "a = r\"never closed\nb = 1",
        "a = 'single'",
        "a = 'it\\'s \"so\" {x}'",
        "a = ok && n > 1 || !m",
        "a = b === c and d !== e",
        "a = b € c",
        "a = “smart”",
        "a =\u{a0}b",
        "# comment\n# more\na = 1",
        "/* comment */ a = 1",
        "a = `b",
        "i++\nb = 1",
        "s = f\"x{y}\"",
        "s = \"{x:.2f} {}\"",
    ]));
}

#[test]
fn brackets_and_lines() {
    snapshot!(statements(&[
        "a = (n + 1\nb = n * 2",
        "a = f(1, [2, 3\nb = 1",
        "a = f(\n  x,\n  y,\nb = 1",
        "if a {\n  b = 1\n\nc = 2",
        "  if a {\n    b = 1\n  c = 2\n  d = 3",
        "a = [1, 2)\nb = 1",
        "a = b)\nc = d]",
        "a = b\n  + c",
        "if a\n{ b }",
        "a\n  = b",
    ]));
}

#[test]
fn expressions() {
    snapshot!(statements(&[
        "a = n + * 3",
        "a =",
        "a = f(1 +, 2, * 3)",
        "a = [1, 2 3, 4]",
        "a = a < b < c",
        "a = 1..2..3",
        "a = b == not c",
        "a = xs |> list.sort",
        "a = xs |> 3",
        "a = x as T.foo(3)",
        "a = x as int (3)",
        "a = ()",
        "a = (1,)",
        "a = (a, b: 1)",
        "a = (a: 1, b)",
        "a = [\"k\": 1, 2]",
        "a = {b: 1}",
        "a = f(b = 1, c)",
        "a = xs[1:2]",
        "a = p.(x)",
        "a = x.\nb = 1",
        "a = .5",
        "a = for",
        "a = b ? c : d",
        "a = xs.map(x -> x + 1)",
        "a = xs.map(|x| x + 1)",
        "a = xs.map(fn(x) => x)",
        "a = xs.map(lambda x: x)",
        "a = xs.map(x => { y = x; y })",
        "a = b ** c",
        "a = b <> c",
        "a = @retry(2) f()",
        "a = ```\ncode\n```",
        "a = True",
    ]));
}

#[test]
fn control() {
    snapshot!(statements(&[
        "if n = 1 and m = 2 { a }",
        "if x: a",
        "if x then a",
        "if x { a } elif y { b } else { c }",
        "if try f() else g() { a }",
        "for x in xs a",
        "for (x in xs) { a }",
        "for a, b, c in xs { a }",
        "for x of xs { a }",
        "while a > 1 { b }",
        "while (a > 1) { b }",
        "loop { a }",
        "a = match x { 1 -> 2, 3 => 4 5, => 6, 7 => 8 }",
        "switch (x) { a }",
        "a = try f()",
        "try { f() } catch e { g() }",
    ]));
}

#[test]
fn bindings() {
    snapshot!(statements(&[
        "let a = 1\nvar b = 2\nconst c: int = 3",
        "a := 1",
        "a += 1",
        "a.b = 1",
        "a = b = c",
        "a: int",
        "return a",
        "throw Foo(a)",
        "a = await f()",
        "a = new Point(x: 1)",
        "@retry(2)",
        "type T = int",
        "a b c",
    ]));
}

#[test]
fn items() {
    snapshot!(reports(&[
        "fn f(x: int): int = x",
        "fn f(x: int) => int = x",
        "def f(x):\n    return x",
        "worklfow w() { }",
        "pub fn f() -> int = 1",
        "import std.text",
        "use std.text.(join, upper",
        "use",
        "type Point(x: float, y float)",
        "type Point(float x)",
        "type Point(x, y = 1)",
        "type Point { x: float }",
        "fn f(xs: List<int>) -> int[] = xs",
        "fn f(x: int -> int = x",
        "fn (x: int) -> int = x",
        "workflow w() -> int = 1",
        "workflow w() -> int",
        "node n() -> int { 1 }",
        "fn f() -> int js ```\n1\n```",
        "workflow w() -> (a: int, b) { }",
        "const A",
        "const A: = 1",
        "const A = 1 2",
        "test \"a {b}\" { }",
        "x = 1",
        "f(1)",
        "@pure",
        "workflow w()\n{\n  a = 1\n}",
        "}",
        "type T = \"a\" | | \"b\"",
        "type T = (a, b: int)",
        "fn f(x: (a: int, b)) -> int = 1",
        "on schedule { }\non schedule(\"x\") as { }",
    ]));
}

#[test]
fn five_mistakes_are_five_messages() {
    let text = "\
workflow one(n: int) -> (a: int, b: int, c: str, d: bool) {
  a = (n + 1
  b = n + * 3
  c = \"never closed
  (d, e) = f(1, , 2)
  g = match n { 1 => , 2 => 3 }
  last = h(n)
}
";
    snapshot!(reports(&[text]));
    // Everything that is not wrong is still there.
    let tree = crate::tree::item(&crate::parse(text)[0].2.item);
    snapshot!(tree);
}
