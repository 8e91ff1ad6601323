//! Trees of everything that the language has.

use crate::{mistakes, parse, snapshot, tree};

/// Every source, which has no mistake, with its trees.
fn trees(sources: &[&str]) -> String {
    let mut out = String::new();
    for source in sources {
        assert_eq!(mistakes(source), "", "{source}");
        out += source.trim_end();
        out.push('\n');
        for (_, _, parsed) in parse(source) {
            out += &format!("    {}\n", tree::item(&parsed.item));
        }
    }
    out
}

/// Expressions, each as the value of a constant.
fn expressions(sources: &[&str]) -> String {
    let mut out = String::new();
    for source in sources {
        let text = format!("const X = {source}");
        assert_eq!(mistakes(&text), "", "{source}");
        let trees: Vec<_> = parse(&text).iter().map(|(_, _, parsed)| tree::item(&parsed.item)).collect();
        let tree = trees.join(" ");
        out += &format!(
            "{source}\n    {}\n",
            tree.trim_start_matches("(const X = ").strip_suffix(')').unwrap_or_default()
        );
    }
    out
}

#[test]
fn items() {
    snapshot!(trees(&[
        "use std.text",
        "use std.llm.(generate, embed)",
        "use std.image as img",
        "use \"./prompts\"",
        "use \"./prompts\".(judge)",
        "use pack acme.search as search",
        "use std.type.(`match`, loop)",
        "const MAX: int = 50",
        "const SMALL = -9223372036854775808",
        "type Article(title: str, url: str, score: float = 0.0)",
        "type Empty()",
        "type Tone = \"formal\" | \"casual\"",
        "type Shape = (kind: \"circle\", radius: float)\n  | (kind: \"dot\")",
        "type Penguin(@key(\"Beak Length (mm)\") beak: float?, `a b`: str, for: int, `type`: str? = null)",
        "fn slug(title: str) -> str = title.lower().replace(\" \", \"-\")",
        "fn largest[T: ordered, U](xs: list[T]) -> T? = xs.max()",
        "fn pair(x: int) -> (a: int, b: int) { (a: x, b: x) }",
        "node words(text: str) -> (words: int, longest: str) js ```\n  output(\"words\", 1)\n```",
        "@external @retry_safe @net(url)\nnode fetch(url: str, timeout: duration = 30s) -> Response",
        "workflow greet(name: str, @min(1) @max(9) n: int = 3) -> str {\n  \"Hi {name}!\"\n}",
        "workflow w() -> (a: int, b:, line: stream[str], n: int per line) { a = 1 }",
        "workflow w(a: int) -> (int, str) { (1, \"a\") }",
        "workflow nothing() { }",
        "prompt judge(title: str) -> Verdict {\n  model = FAST\n  \"\"\"\n  Is it?\n  # {title}\n  \"\"\"\n}",
        "agent researcher(q: str) -> Report {\n  tools = [web.search, greet]\n  budget = (usd: 0.50, turns: 20)\n  \"{q}\"\n}",
        "secret OPENAI_API_KEY",
        "on schedule(\"0 7 * * 1-5\") { digest() }",
        "on webhook(\"/issues\") as event { triage(issue: event.body as Issue) }",
        "test \"an empty feed\" {\n  mock rss.fetch => []\n  r = digest()\n  assert r.kept == 0\n}",
        "@nodetool(\"nodetool.text.Concat\", a: \"a\", b: \"b\")\n@pure node concat(a: str, b: str) -> str",
        "fn match(in: int, `loop`: int) -> int = in: 3".strip_suffix(" = in: 3").unwrap_or_default(),
    ]));
}

#[test]
fn types() {
    let sources = [
        "rss.Item",
        "list[dict[str, int?]]",
        "(int, str)",
        "(int)",
        "(a: A, b: B? = null, @key(\"C\") c: C)",
        "int | str | null",
        "\"low\" | -1 | 2.5 | true | null",
        "(int | str)?",
        "fn(A, B) -> C | D",
        "fn() -> fn(int) -> str",
        "stream[T]",
        "S per values",
    ];
    let sources: Vec<_> = sources.iter().map(|ty| format!("fn f(x: {ty}) -> {ty}")).collect();
    snapshot!(trees(&sources.iter().map(String::as_str).collect::<Vec<_>>()));
}

#[test]
fn literals() {
    snapshot!(expressions(&[
        "[1_000, 0xff, -5, 1.5, 2e-3, -0.5, true, false, null]",
        "[250ms, 30s, 1h30m, 7d, 1us, 1ns, 64kb, 10mb, 1gb, 5b]",
        "\"tab\\tquote\\\"back\\\\ \\u{1F600}{{}}\"",
        "\"{name} {\"{1 + 1}\"} {f(\"a\", b: [1])}\"",
        "\"\"",
        "r\"C:\\new\\{name}\"",
        "r#\"say \"{name}\" twice\"#",
        "\"\"\"one line\"\"\"",
        "\"\"\"\n    Dear {name},\n\n      {2 * 21} times \"thanks\".\n    \\tYours\n    \"\"\"",
        "\"\"\"\n  less\n    more\n    \"\"\"",
        "\"\"\"\n    closing line counts\n  \"\"\"",
        "\"\"\"\n    {a}\n    b{c}\n  \n    d\"\"\"",
        "\"\"\"\n{a}\n  b\n\"\"\"",
        "\"\"\"\r\n  a\r\n  b\r\n  \"\"\"",
        "\"\"\"\n\"\"\"",
        "js ```\n  const a = `b`\n```",
        "json ``` {\"a\": [1]} ```",
        "json ````\n{\"a\": \"```\"}\n````",
        "[1, 2, 3,]",
        "[]",
        "[:]",
        "[\"key\": v, other: w]",
        "(title: \"x\", url:)",
        "(..r, title: \"y\")",
        "(a, b)",
        "(a)",
        "[1..10, 1..=n + 1]",
    ]));
}

#[test]
fn operators() {
    snapshot!(expressions(&[
        "a after b or c and not d == e ?? f |> g()",
        "a ?? b .. c + d * -e as k",
        "a + b - c ++ d",
        "a * b / c % d ~/ e",
        "a or b or c and d and e",
        "a ?? b ?? c",
        "x after y after z",
        "not a == b",
        "not not a",
        "a in xs and b not in ys",
        "x is int and y is not str | null",
        "a - 1",
        "a -1",
        "-1 + -x",
        "-1.abs()",
        "-9223372036854775808",
        "-x as int",
        "x as T? ?? y",
        "x as list[int] ++ ys",
        "1..n - 1",
        "xs |> list.map(f) |> list.take(5)",
        "a.b?.c.0?.1[2](3).d",
        "p.0.1.2",
        "f(1, x, tone:, n: 2,)",
        "f()()",
        "extract[Article](t)",
        "m.f[A, B?](t)",
        "xs[i](y)",
        "xs[i + 1](y)",
        "xs[0]",
        "`for`.`a b`.match.in",
        "after after after",
    ]));
}

#[test]
fn control() {
    snapshot!(expressions(&[
        "if c { a } else if d { b } else { c }",
        "if a == b and f(x) { 1 }.abs()",
        "match x { \"a\" | \"b\" => p, n if n > 3 => q, (urgent: true, ..) => r, (x, null) => s, t: str => u, _ => { v } }",
        "match x {\n  1 => a\n  -2 => b\n  (kind: \"box\", side:) => c\n  ok if ready => d\n}",
        "match x { a if f(b) => c, d if (e) => xs.map(g => h) }",
        "match (a, b) { (0, _) => \"x\", ((c, d), e) => \"y\" }",
        "for x in xs { x }",
        "for x, i in xs if x > 1 for (a, b) in pairs { (a, i) }",
        "for k, v in [\"a\": 1] { v }.len()",
        "loop draft = first, max: 5 { until good(draft)\n next improve(draft) }",
        "loop a: int = 1, b = 1, max: 9 { until a > 50\n next (b, a + b) }",
        "try age(t) else -1",
        "try f(x) else err { err.code }",
        "try f() else { 3 }",
        "try a else try b else c",
        "if (try f() else g()) > 1 { 1 }",
        "seq { a(); b()\n c() }",
        "xs.sort(by: a => -a.score)",
        "xs.fold(0, (n, x) => n + x)",
        "xs.map(((a, b)) => a)",
        "xs.map(x => if x { y => z } else { y })",
        "f(match x { 1 => a => b, c => c.map(d => e) })",
    ]));
}

#[test]
fn statements() {
    snapshot!(trees(&[
        "workflow w() {\n  name = expr\n  name: list[int] = []\n  (a, b) = pair\n  (title:, url: link) = record\n  _ = f()\n}",
        "workflow w() {\n  @retry(3, backoff: 1s) @timeout(30s)\n  x = f()\n  @on_error(skip) for a in b { c }\n  @id(\"stable\")\n  (a, b) = c\n  @cache\n  (d, e)\n}",
        "workflow w() {\n  require n > 0 else \"n must be positive\"\n  require ok\n  until a > 1\n  next (a, b)\n  next -1\n}",
        "workflow w() { a(); b(); \"last\" }",
        // Words of statements and items as names.
        "workflow w(count: int, type: str, test: int, on: int, node: int, agent: str, prompt: str, secret: str, use: int) {\n\
         \x20 next = until\n  require = next + 1\n  loop = seq\n  mock = assert.mock\n  after = 1\n  per = after\n  fn = 2\n  const = pack\n  f(next, until: loop, mock)\n  next.a\n  for = 3\n}",
        "workflow w() {\n  for x in seq { x }\n  if loop { 1 }\n  y = seq { f() }\n}",
    ]));
}

#[test]
fn lines() {
    snapshot!(trees(&[
        "workflow w() {\n  a = b\n    .c()\n    ?.d\n    |> e()\n    ?? f\n    or g\n    and h\n    after i\n  j\n}",
        "workflow w() {\n  a =\n    b +\n    c\n  d = f(\n    x\n    + y,\n    (z)\n    [0]\n  )\n}",
        "workflow w() {\n  a\n  -b\n  (c, d)\n  [e]\n}",
        "workflow w() {\n  x = if a { b }\n  else { c }\n  y = match z {\n    \"a\"\n      | \"b\" => c\n\n    // comment\n    d => e\n  }\n}",
        "workflow w() {\n  f(for x in xs {\n    a = x\n    a\n  })\n}",
        "fn f() -> int =\n  // a comment\n  1",
    ]));
}
