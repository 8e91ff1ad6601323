//! The formatter from outside: what it makes of messy programs, and what holds for all.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test may fail")]

use ntl_syntax::{FormatError, TokenKind, cut, format, lex, parse_item};
use proptest::{
    collection::vec,
    prelude::*,
    test_runner::{Config, RngAlgorithm, TestCaseError, TestRng, TestRunner},
};

/// A program that uses every construct, formatted.
const CORPUS: &str = include_str!("../../../tests/fuzz/src/corpus.ntl");

/// Asserts that `messy` becomes `neat`, and that `neat` stays.
#[track_caller]
fn becomes(messy: &str, neat: &str) {
    let formatted = format(messy).unwrap();
    assert_eq!(formatted, neat, "of the messy text");
    assert_eq!(format(neat).as_deref(), Ok(neat), "of the neat text");
}

/// [`becomes`] for the body of a workflow.
#[track_caller]
fn body_becomes(messy: &str, neat: &str) {
    let workflow = |body: &str| {
        let lines: String = body.lines().map(|l| if l.is_empty() { "\n".into() } else { format!("  {l}\n") }).collect();
        format!("workflow w() {{\n{lines}}}\n")
    };
    becomes(&workflow(messy), &workflow(neat));
}

/// [`body_becomes`] for what is formatted already.
#[track_caller]
fn body_stays(neat: &str) {
    body_becomes(neat, neat);
}

#[test]
fn the_corpus_is_formatted() {
    becomes(CORPUS, CORPUS);
}

#[test]
fn white_space_of_a_file() {
    becomes("", "");
    becomes(" \n\n", "");
    becomes("\u{feff}// a\r\n\r\n\r\n//   b  \r\nuse  std . fs\r\n\r\n\r\n", "// a\n\n//   b\nuse std.fs\n");
    becomes("\n\n//! doc\nuse std.fs // why\n// end", "//! doc\nuse std.fs // why\n// end\n");
}

#[test]
fn a_blank_line_stands_between_items() {
    becomes(
        "use std.fs\nuse std.json\nconst A=1\nconst B=2\n\n\n\nconst C=3\nfn f() -> int=1\nfn g() -> int=2\ntest \"x\" {\n}\n/// Doc.\nfn h() -> int=3\n",
        "use std.fs\nuse std.json\n\nconst A = 1\nconst B = 2\n\nconst C = 3\n\nfn f() -> int = 1\nfn g() -> int = 2\n\ntest \"x\" {}\n\n/// Doc.\nfn h() -> int = 3\n",
    );
    // A note belongs to what it stands at.
    becomes(
        "fn f() {\n  a()\n}\n// of f\n\nfn g() {\n  a()\n} // of g\n// of h\nfn h() {\n  a()\n}\n",
        "fn f() {\n  a()\n}\n// of f\n\nfn g() {\n  a()\n} // of g\n\n// of h\nfn h() {\n  a()\n}\n",
    );
}

#[test]
fn a_file_with_mistakes_is_refused() {
    let text = "\u{feff}fn f() -> int = 1\r\nworkflow w() {\r\n  a = (1\r\n}\r\n";
    let Err(FormatError::Syntax(errors)) = format(text) else { panic!("formatted") };
    let (bytes, error) = &errors[0];
    assert_eq!((errors.len(), &text[bytes.start as usize..bytes.end as usize]), (1, "("), "{error:?}");
}

#[test]
fn heads() {
    becomes(
        "@pure@retry_safe\nnode f [ T:ordered,U, ] ( a:T , @min( 1 )b:int=2 )->( x:T , y : )\n",
        "@pure @retry_safe\nnode f[T: ordered, U](a: T, @min(1) b: int = 2) -> (x: T, y:)\n",
    );
    let (policies, more) = (format!("@net({})", "a".repeat(60)), format!("@command({})", "b".repeat(60)));
    becomes(&format!("{policies} {more} node f()\n"), &format!("{policies}\n{more} node f()\n"));
    // Too long: the outputs break before the parameters do.
    becomes(
        "workflow w(path: str = \"https://example.org/feed.xml\", limit: int = 20) -> (report: str, kept: int, dropped: list[str]) { a() }\n",
        "workflow w(path: str = \"https://example.org/feed.xml\", limit: int = 20) -> (\n  report: str,\n  kept: int,\n  dropped: list[str],\n) { a() }\n",
    );
    // The last comma keeps a list broken; without it, it is joined.
    becomes("type P(\n  x: float, y: float,\n)\n", "type P(\n  x: float,\n  y: float,\n)\n");
    becomes(
        "type P(\n  x: float,\n  y: float\n)\ntype Q(x: float,)\n",
        "type P(x: float, y: float)\ntype Q(x: float)\n",
    );
    becomes("node n(a: str) -> str js   ```\n   a  \n```\n", "node n(a: str) -> str js ```\n   a  \n```\n");
    becomes("use \"./b\".(\nc,)\nuse std.fs\n", "use \"./b\".(\n  c,\n)\nuse std.fs\n");
    becomes("use \"./a\" . ( b ,c )\nuse pack a.b  as c\n", "use \"./a\".(b, c)\nuse pack a.b as c\n");
}

#[test]
fn a_function_goes_below_its_head_where_it_fits_there() {
    let (head, value) = (
        "fn a_function_with_a_long_name(first: list[str], second: str) -> list[str]",
        "first.filter(x => x != second).map(x => x.upper()).sort()",
    );
    becomes(&format!("{head} = {value}\n"), &format!("{head} =\n  {value}\n"));
    // Where the author put it there, it stays.
    becomes("fn f() -> int =\n      1\n", "fn f() -> int =\n  1\n");
    becomes("fn f(x: int) -> int = match x {\n  _ => 1 }\n", "fn f(x: int) -> int = match x {\n  _ => 1,\n}\n");
}

#[test]
fn types() {
    becomes(
        "type A=( int|str ) ? |list [ dict[str,( a:int , b : str? )] ]|fn( int,str )->bool|((int,str))\n",
        "type A = (int | str)? | list[dict[str, (a: int, b: str?)]] | fn(int, str) -> bool | ((int, str))\n",
    );
    becomes("type A = \"x\" | - 1\n  | null\n", "type A = \"x\"\n  | -1\n  | null\n");
    becomes("type A = ((( \";\" )?per a )|(- 1)) | \"\"\n", "type A = (((\";\")? per a) | (-1)) | \"\"\n");
    becomes("type A = int ? ? | (int ?) ?\n", "type A = int? ? | (int?)?\n");
    becomes("type Empty( )\n", "type Empty()\n");
}

#[test]
fn operators() {
    body_becomes("x=a+b*- c-( d )", "x = a + b * -c - (d)");
    body_becomes("x = not   a and(b or c)or d  not   in e", "x = not a and (b or c) or d not in e");
    body_becomes(
        "x = 0 .. n+1\ny=1..=2\nz = a is   not T and b as list [ T ]",
        "x = 0..n + 1\ny = 1..=2\nz = a is not T and b as list[T]",
    );
    // Where a line was broken at an operator, each of its like breaks; a line goes on after some and before others.
    body_becomes(
        "x = a and b and\n  c\ny = a +\n b\nz = a |> f() |>\n g()",
        "x = a\n  and b\n  and c\ny = a +\n  b\nz = a\n  |> f()\n  |> g()",
    );
    body_becomes(
        "x = aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa + bbbbbbbbbbbbbbbbbbbbbbbbbbbb * ccccccccccccccccccccccccccc + dddddddddddddddddddddddddd",
        "x = aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa +\n  bbbbbbbbbbbbbbbbbbbbbbbbbbbb * ccccccccccccccccccccccccccc +\n  dddddddddddddddddddddddddd",
    );
}

#[test]
fn chains() {
    body_becomes("x = a . b ?. c [ 0 ] . 1 ( 2 )", "x = a.b?.c[0].1(2)");
    body_becomes("x = a as int ? .. b", "x = a as int? ..b");
    body_becomes("x = 1 .0 . a\ny = 1 . a", "x = 1 .0.a\ny = 1.a");
    body_becomes("x = f [ T ,] ( a , b : 1 , c : )", "x = f[T](a, b: 1, c:)");
    body_becomes("x = a.b()\n .c().d", "x = a.b()\n  .c().d");
    body_becomes(
        "x = entries.sort(by: e => (-e.power, e.name)).take(4).map(e => \"{e.name} ({e.power})\").join(sep: \", \").trim().upper().repeat(2)",
        "x = entries\n  .sort(by: e => (-e.power, e.name))\n  .take(4)\n  .map(e => \"{e.name} ({e.power})\")\n  .join(sep: \", \")\n  .trim()\n  .upper()\n  .repeat(2)",
    );
    // A module belongs to its function.
    becomes(
        "use std.rss\n\nfn f() -> int = 0\n\nworkflow w(feed: str) {\n  x = rss.fetch(feed, something: \"a long text that stands here, really\").filter(i => i.published != null).map(i => i.title)\n}\n",
        "use std.rss\n\nfn f() -> int = 0\n\nworkflow w(feed: str) {\n  x = rss.fetch(feed, something: \"a long text that stands here, really\")\n    .filter(i => i.published != null)\n    .map(i => i.title)\n}\n",
    );
    // After a body it goes on on the same line.
    body_stays("x = for a in b {\n  c\n}.join(\", \").trim()");
}

#[test]
fn lists() {
    body_becomes(
        "x = [ 1,2 , 3, ]\ny = [:]\nz = [ \"a\":1 ]\nr = ( a : 1 , .. b,c: )",
        "x = [1, 2, 3]\ny = [:]\nz = [\"a\": 1]\nr = (a: 1, ..b, c:)",
    );
    body_becomes("x = [\na, b,\n\n\n// three\n3,]", "x = [\n  a,\n  b,\n\n  // three\n  3,\n]");
    // The last argument shares its lines with the call.
    body_becomes(
        "x = each([\n  (a: 1),\n  (a: 2),\n])\ny = f(1, (\n  a: 1,\n))",
        "x = each([\n  (a: 1),\n  (a: 2),\n])\ny = f(1, (\n  a: 1,\n))",
    );
    body_becomes(
        "x = some_function(\"an argument\", [\"aaaaaaaaaaaaaaaaaaaaaa\", \"bbbbbbbbbbbbbbbbbbbbbbb\", \"cccccccccccccccccc\", \"ddddddddddd\"])",
        "x = some_function(\"an argument\", [\n  \"aaaaaaaaaaaaaaaaaaaaaa\",\n  \"bbbbbbbbbbbbbbbbbbbbbbb\",\n  \"cccccccccccccccccc\",\n  \"ddddddddddd\",\n])",
    );
    body_becomes(
        "x = some_function(\"an argument that is long\", another: \"argument that is long\", by: x => x.something, and: \"one more of them\")",
        "x = some_function(\n  \"an argument that is long\",\n  another: \"argument that is long\",\n  by: x => x.something,\n  and: \"one more of them\",\n)",
    );
    // Short literals fill lines, unless each was given one.
    let numbers: Vec<_> = (1_000_000_001..1_000_000_020).map(|n| n.to_string()).collect();
    body_becomes(
        &format!("x = [{}]\ny = [\n1,\n2,\n]\nz = [\n1, 2, ]", numbers.join(",")),
        &format!(
            "x = [\n  {},\n  {},\n  {},\n]\ny = [\n  1,\n  2,\n]\nz = [\n  1, 2,\n]",
            numbers[..9].join(", "),
            numbers[9..18].join(", "),
            numbers[18]
        ),
    );
    // Where the line ends on the other side of a comma, or behind a comment, they do so again.
    body_becomes("x = [1 // one\n, 2, 3]", "x = [\n  1, // one\n  2, 3,\n]");
    body_stays("x = [\n  1, // one\n  2, 3,\n]");
    body_becomes("x = [1\n, 2\n, 3 // three\n]", "x = [\n  1,\n  2,\n  3, // three\n]");
    body_stays("x = xs.map(x => match x {\n  1 => 2,\n  _ => 3,\n})");
}

#[test]
fn blocks() {
    body_becomes("x = if a{b}else if c {d} else{e}", "x = if a { b } else if c { d } else { e }");
    body_becomes("x = if a { b } else {\nc }", "x = if a {\n  b\n} else {\n  c\n}");
    // What is broken in a head stands apart from the body.
    body_stays(
        "x = if a\n    and b {\n  c\n}\ny = for a in b\n    .c()\n    .d() {\n  e\n}\nz = match f(\n  a,\n) {\n  _ => b,\n}",
    );
    body_becomes("for x,i in xs if a{b;c}", "for x, i in xs if a { b; c }");
    body_becomes("x = seq{ a()\nb() ; c() }", "x = seq {\n  a()\n  b()\n  c()\n}");
    body_becomes("x = seq {   }", "x = seq {}");
    body_becomes("x = seq { // why\n}", "x = seq { // why\n}");
    body_becomes(
        "x = loop a=1,b:int=2,max:9{until a>50;next(b,a+b)}",
        "x = loop a = 1, b: int = 2, max: 9 { until a > 50; next (b, a + b) }",
    );
    body_becomes("x = try a   else err{b}\ny = try a\n else b", "x = try a else err { b }\ny = try a\n  else b");
    body_becomes("require a   else \"b\"", "require a else \"b\"");
    body_becomes(
        "x = match y { 1|2=>3 , _ if a=>{b} }\nz = match y {\n 1 => 2\n\n (a:1,..)=>3\n}",
        "x = match y { 1 | 2 => 3, _ if a => { b } }\nz = match y {\n  1 => 2,\n\n  (a: 1, ..) => 3,\n}",
    );
}

#[test]
fn bindings() {
    body_becomes(
        "x=1\nlong   =  2\n(a,b)=c\n(d:,e:f)=g\nn:int?=7",
        "x = 1\nlong = 2\n(a, b) = c\n(d:, e: f) = g\nn: int? = 7",
    );
    body_becomes(
        "(n:int,true)=a\n(x:list[int],y : Point|null)=b",
        "(n: int, true) = a\n(x: list[int], y: Point | null) = b",
    );
    // What stands in one column stays in one, as far as neighbours reach.
    body_stays("a   = 1\nbb  = 2\nccc = match x {\n  _ => 1,\n}\ndd  = 3");
    body_becomes("a   = 1\n\nbb  = 2\n// three\ncc  = 3", "a = 1\n\nbb = 2\n// three\ncc = 3");
    body_stays("sum   = 1\nyes   = 2\ntag_count = 3\ny     = 4\nlimit = 5");
    body_becomes("(a,b)  = 1\nccc    = 2", "(a, b) = 1\nccc    = 2");
    body_becomes("x =\n\n   1", "x =\n  1");
}

#[test]
fn policies() {
    body_becomes(
        "@ retry( 2 ,backoff:1s )@id( \"x\" ) f()\n@retry(2)\n@timeout(30s) x = f()",
        "@retry(2, backoff: 1s) @id(\"x\") f()\n@retry(2)\n@timeout(30s) x = f()",
    );
}

#[test]
fn a_name_that_could_be_a_keyword_stays_a_name() {
    body_becomes("mock; f => 1\nnext;\n\n\nx", "mock\nf => 1\nnext\n\nx");
    body_becomes("x = 1; after\nafter = 2\ny;after.f()", "x = 1;\nafter\nafter = 2\ny;\nafter.f()");
    body_stays("x = seq { a; after }");
}

#[test]
fn a_policy_that_ends_with_a_semicolon_ends_its_line() {
    body_becomes("@a(); f()", "@a()\nf()");
}

#[test]
fn strs_and_code_are_left_alone() {
    body_stays("x = \"{a+b}  {f( \"{ c }\" )}\"");
    becomes(
        "workflow w() {\n      x = \"\"\"\n        a,\n      b \n    \"\"\"\n      y = json ```\n  { \"a\":1 }\n   ```\n}\n",
        "workflow w() {\n  x = \"\"\"\n        a,\n      b \n    \"\"\"\n  y = json ```\n  { \"a\":1 }\n   ```\n}\n",
    );
    body_stays("f(\"\"\"\n  a\n\"\"\", b)");
    becomes(
        "fn f(x: \";\") -> int = match x { \";\" => 1, _ => 2 }\n",
        "fn f(x: \";\") -> int = match x { \";\" => 1, _ => 2 }\n",
    );
}

#[test]
fn comments_stay_where_they_are() {
    body_becomes("// a\n\n\n// b\nx = 1   // c  \n// d", "// a\n\n// b\nx = 1 // c\n// d");
    body_becomes("x = [ // a\n1, // b\n2 // c\n// d\n]", "x = [ // a\n  1, // b\n  2, // c\n  // d\n]");
    body_becomes("x = f(a // b\n, c)", "x = f(\n  a, // b\n  c,\n)");
    body_becomes("x = f(// a\n[b,\n c])", "x = f( // a\n  [b, c],\n)");
    body_becomes("x = // a\n1", "x = // a\n  1");
    body_becomes("x = a // b\n// c\n.d()", "x = a // b\n  // c\n  .d()");
    body_becomes("x = a + // b\nc", "x = a + // b\n  c");
    body_becomes("x = if a { b } // c\nelse { d }", "x = if a {\n  b\n} // c\nelse {\n  d\n}");
    body_becomes("x = match y { // a\n1 => 2 // b\n// c\n}", "x = match y { // a\n  1 => 2, // b\n  // c\n}");
    body_becomes("x = a // b\n  and c", "x = a // b\n  and c");
}

/// The tokens and comments of a text but for those that formatting may add and take.
fn essence(text: &str) -> Vec<String> {
    let skipped = |kind| {
        use TokenKind::*;
        matches!(kind, Bom | Space | LineBreak | Comma | Semicolon)
    };
    let tokens = lex(text).into_iter().filter(|t| !skipped(t.kind));
    tokens.map(|t| text[t.range.start as usize..t.range.end as usize].trim_end().replace("\r\n", "\n")).collect()
}

/// The trees of a text without the places in them; `None` if it has mistakes.
fn trees(text: &str) -> Option<Vec<String>> {
    let items = cut(text).into_iter().map(|p| parse_item(&text[p.range.start as usize..p.range.end as usize]));
    let trees = items.map(|parsed| {
        let tree = format!("{:?}", parsed.item);
        let mut parts = tree.split("Span { ");
        let mut bare = parts.next().unwrap().to_owned();
        bare.extend(parts.map(|part| part.split_once('}').unwrap().1));
        parsed.errors.is_empty().then_some(bare)
    });
    trees.collect()
}

/// Calls `property` with texts of the corpus that have more white space and comments between their tokens, as far as
/// these do not change what they say.
fn for_spaced_texts(spaces: &'static [&'static str], property: fn(&str, &str) -> Result<(), TestCaseError>) {
    let pieces: Vec<_> =
        cut(CORPUS).into_iter().map(|p| &CORPUS[p.range.start as usize..p.range.end as usize]).collect();
    let config = Config { cases: 400, failure_persistence: None, ..Config::default() };
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[1; 32]);
    let strategy = (0..pieces.len(), vec((any::<prop::sample::Index>(), 0..spaces.len()), 1..8));
    let result = TestRunner::new_with_rng(config, rng).run(&strategy, |(piece, edits)| {
        let original = pieces[piece];
        let mut chunks = chunks(original);
        for (place, space) in edits {
            chunks.insert(place.index(chunks.len()), spaces[space]);
        }
        let text = chunks.concat();
        // Some line ends separate statements.
        prop_assume!(trees(&text).is_some_and(|found| Some(found) == trees(original)));
        property(&text, original)
    });
    if let Err(error) = result {
        panic!("{error}");
    }
}

/// The tokens of a text, strs whole.
fn chunks(text: &str) -> Vec<&str> {
    let (mut chunks, mut start, mut depth) = (Vec::new(), 0, 0);
    for token in lex(text) {
        match token.kind {
            TokenKind::StrOpen | TokenKind::LongStrOpen => depth += 1,
            TokenKind::StrClose => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            chunks.push(&text[start..token.range.end as usize]);
            start = token.range.end as usize;
        }
    }
    chunks
}

#[test]
fn more_white_space_and_comments_lose_nothing() {
    for_spaced_texts(
        &[" ", "\t", "\n", "\r\n", "\n\n\n", " // note\n", "\n// line  \n", "\n\n/// doc\n"],
        |text, _| {
            let formatted = format(text);
            prop_assert!(formatted.is_ok(), "{formatted:?}: {text}");
            let formatted = formatted.unwrap();
            prop_assert_eq!(essence(&formatted), essence(text), "{}", formatted);
            prop_assert_eq!(trees(&formatted), trees(text), "{}", formatted);
            prop_assert_eq!(format(&formatted), Ok(formatted.clone()), "not the same again");
            for line in formatted.lines() {
                let in_str = text.lines().any(|l| l == line);
                prop_assert!(in_str || line.trim_end() == line, "{:?} ends with a blank", line);
            }
            Ok(())
        },
    );
}

#[test]
fn blanks_change_nothing() {
    for_spaced_texts(&[" ", "\t", "   "], |text, original| {
        // But for the columns of `=`.
        let bare = |text: &str| {
            let text = format(text).unwrap();
            text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect::<Vec<_>>()
        };
        prop_assert_eq!(bare(text), bare(original), "{}", text);
        Ok(())
    });
}

#[test]
fn what_nests_deeply_is_formatted() {
    for (open, close) in
        [("[", "]"), ("(", ")"), ("f(", ")"), ("if a { ", " }"), ("-", ""), ("not ", ""), ("x => ", "")]
    {
        let text = |depth: usize| format!("const X = {}1{}\n", open.repeat(depth), close.repeat(depth));
        let deepest = (1..300).rev().map(text).find(|text| trees(text).is_some()).unwrap();
        let formatted = format(&deepest).unwrap();
        assert_eq!(format(&formatted).as_ref(), Ok(&formatted));
    }
}
