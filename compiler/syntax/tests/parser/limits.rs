//! Texts that are made to break a parser.

use crate::mistakes;
use ntl_syntax::{MAX_DEPTH, parse_item};

/// Opening text, what stands in the middle, closing text: repeated 1,000 times they nest or chain.
const NESTS: &[(&str, &str, &str)] = &[
    ("(", "1", ")"),
    ("[", "1", "]"),
    ("[1: ", "1", "]"),
    ("(a: ", "1", ")"),
    ("f(", "1", ")"),
    ("a[", "1", "]"),
    ("a[", "b", "](x)"),
    ("\"{", "1", "}\""),
    ("if a { ", "1", " } else { 2 }"),
    ("if a { 1 } else ", "if b { 2 }", ""),
    ("match 1 { _ => ", "1", " }"),
    ("for x in xs { ", "1", " }"),
    ("for x in for y in ", "xs", " { 1 } { 1 }"),
    ("loop x = 1 { ", "1", " }"),
    ("seq { ", "1", " }"),
    ("try ", "1", " else 2"),
    ("try 1 else ", "1", ""),
    ("a => ", "1", ""),
    ("(a, b) => ", "1", ""),
    ("not ", "a", ""),
    ("- ", "a", ""),
    ("a + ", "a", ""),
    ("a ?? ", "a", ""),
    ("a after ", "a", ""),
    ("", "a", ".b"),
    ("", "a", "(1)"),
    ("", "a", "[1]"),
    ("", "a", " |> f()"),
    ("", "a", " as int"),
    ("", "a as ", "fn() -> int"),
    ("x as (", "int", ")"),
];

#[test]
fn deep_nesting_is_one_mistake() {
    for (open, middle, close) in NESTS {
        let text = format!("const X = {}{middle}{}\n", open.repeat(1000), close.repeat(1000));
        let codes: Vec<_> = parse_item(&text).errors.iter().map(|error| error.code).collect();
        if (*open, *close) == ("", "fn() -> int") || *open == "x as (" {
            continue;
        }
        assert!(codes.contains(&"E0011"), "{open} {codes:?}");
        assert!(codes.len() == 1, "{open} {codes:?}");
    }
}

#[test]
fn nesting_within_the_limit_is_fine() {
    for (open, middle, close) in NESTS {
        // The highest tree per repetition is that of `for` in `for`.
        let times = MAX_DEPTH / 8;
        let text = format!("const X = {}{middle}{}\n", open.repeat(times), close.repeat(times));
        if *open == "x as (" || *close == "fn() -> int" || *open == "for x in for y in " {
            continue;
        }
        assert_eq!(mistakes(&text), "", "{open}");
    }
}

#[test]
fn types_and_patterns_nest_no_deeper() {
    let deep = |open: &str, close: &str| format!("{}a{}", open.repeat(1000), close.repeat(1000));
    for (open, close) in [("(", ", b)"), ("list[", "]"), ("(x: ", ")"), ("fn() -> ", ""), ("", " per x")] {
        let codes = parse_item(&format!("fn f(x: {}) -> int = 1", deep(open, close))).errors.len();
        assert_eq!(codes, 1, "{open}");
    }
    for (open, close) in [("(", ", b)"), ("(x: ", ")")] {
        let text = format!("fn f(x: int) -> int = match x {{ {} => 1 }}", deep(open, close));
        assert_eq!(parse_item(&text).errors.len(), 1, "{open}");
    }
}

#[test]
fn long_and_flat_is_fine() {
    let n = 20_000;
    let flat = |body: &str, each: &str, end: &str| format!("{body}{}{end}", each.repeat(n));
    for text in [
        flat("const X = [", "1, ", "]"),
        flat("const X = f(", "a: 1, ", ")"),
        flat("const X = \"", "{a} and {{", "\""),
        flat("const X = \"\"\"\n", "  {a}\n", "  \"\"\""),
        flat("type T = 1", " | 2", ""),
        flat("fn f(x: int) -> int = match x { ", "1 => 2, ", "}"),
        flat("workflow w() {\n", "  a = 1\n", "}"),
        flat("", "// comment\n", "fn f() -> int = 1"),
        flat("", "@pure\n", "fn f() -> int = 1"),
    ] {
        assert_eq!(mistakes(&text), "");
    }
}

/// What would take quadratic time if ends were looked for again and again.
#[test]
fn unclosed_things_are_looked_for_once() {
    for text in [
        "r#\"a\n",
        "\n```",
        "/*\n",
        "'\\'",
        "\\'",
        "@a(\nfn f()\n",
        "\"\"\"\n",
        "\"{",
        "([{",
        "])}",
        "`",
        "x = 1\n",
        "fn f(x: int -> int = 1\n",
    ] {
        let text = text.repeat(20_000);
        for (_, _, parsed) in crate::parse(&text) {
            assert!(parsed.errors.len() <= 200);
        }
    }
}
