//! Cutting files into items.

use crate::parse;
use ntl_syntax::{PieceKind, cut};

/// Kind and name of every piece, and its text.
fn pieces(text: &str) -> Vec<(PieceKind, String, &str)> {
    let cut = cut(text);
    let joined: String = cut.iter().map(|piece| &text[piece.range.start as usize..piece.range.end as usize]).collect();
    assert_eq!(joined, text);
    cut.into_iter()
        .map(|piece| (piece.kind, piece.name.to_string(), &text[piece.range.start as usize..piece.range.end as usize]))
        .collect()
}

fn named(text: &str) -> Vec<(PieceKind, String)> {
    pieces(text).into_iter().map(|(kind, name, _)| (kind, name)).collect()
}

#[test]
fn kinds_and_names() {
    use PieceKind::*;
    let text = "use std.text\nuse std.llm.(a, b)\nuse std.image as img\nuse \"./x\".(y)\nuse pack acme.search\nconst A = 1\n\
                type T(x: int)\nfn f(x: int) -> int = x\nnode n() -> int\nworkflow `a b`() { }\nprompt p() { }\nagent a() { }\n\
                secret KEY\non schedule(\"x\") { }\ntest \"it \\n {{works\" { }\n";
    let expected = [
        (Use, "std.text"),
        (Use, "std.llm"),
        (Use, "std.image"),
        (Use, "./x"),
        (Use, "pack acme.search"),
        (Const, "A"),
        (Type, "T"),
        (Callable, "f"),
        (Callable, "n"),
        (Callable, "a b"),
        (Callable, "p"),
        (Callable, "a"),
        (Secret, "KEY"),
        (On, ""),
        (Test, "it \\n {{works"),
    ];
    assert_eq!(named(text), expected.map(|(kind, name)| (kind, name.to_owned())));
}

#[test]
fn comments_and_annotations_belong_to_the_next_item() {
    let text = "//! file\nuse a.b // same line\n\n// about f\n\n/// doc\n@pure @net(\n  url,\n)\n@cache(1h) // why\nfn f() -> int = 1\n// last\n";
    let texts: Vec<_> = pieces(text).into_iter().map(|piece| piece.2).collect();
    assert_eq!(
        texts,
        [
            "//! file\nuse a.b // same line\n",
            "\n// about f\n\n/// doc\n@pure @net(\n  url,\n)\n@cache(1h) // why\nfn f() -> int = 1\n",
            "// last\n"
        ]
    );
    assert_eq!(named("fn f() -> int = 1\n\n  \n").len(), 1);
    assert_eq!(named(""), []);
    assert_eq!(named("// only\n"), [(PieceKind::Other, String::new())]);
}

#[test]
fn lines_that_go_on() {
    let text = "type Tone = \"a\"\n  | \"b\"\nfn f() -> int =\n1\n+ 2\nconst L = [\n1,\n2,\n]\nconst S = \"\"\"\nfn no() -> int = 1\n\"\"\"\nconst M = a\n.b()\n";
    assert_eq!(named(text).len(), 5);
    // An Allman brace is a mistake, but one item.
    assert_eq!(named("workflow w()\n{\n}\nfn f() -> int = 1\n").len(), 2);
}

#[test]
fn a_missing_bracket_spoils_one_item() {
    for broken in ["(", "{", "[", "\"{", "\"\"\"", "r#\"", "js ```", "f(a, [", "}", ")", "@min(1"] {
        let text = format!(
            "fn a() -> int = 1\nworkflow w() {{\n  x = {broken}\n}}\n\n/// doc\n@pure\nfn b() -> int = 1\ntype T = int\n"
        );
        let parsed = parse(&text);
        let names: Vec<_> = parsed.iter().map(|(piece, ..)| piece.name.as_str()).collect();
        assert_eq!(names, ["a", "w", "b", "T"], "{broken}");
        for (piece, own, parsed) in &parsed {
            assert_eq!(parsed.errors.is_empty(), piece.name != "w", "{broken}: {own} {:?}", parsed.errors);
        }
    }
}

#[test]
fn misspelt_and_foreign_declarations_keep_their_names() {
    use PieceKind::*;
    let text =
        "worklfow a() {}\ndef b(x: int) = 1\npub fn c() -> int = 1\nlet D = 1\nstruct E(x: int)\nimport std.f\nx = 1\n";
    let expected =
        [(Callable, "a"), (Callable, "b"), (Callable, "c"), (Const, "D"), (Type, "E"), (Use, "std.f"), (Other, "")];
    assert_eq!(named(text), expected.map(|(kind, name)| (kind, name.to_owned())));
}
