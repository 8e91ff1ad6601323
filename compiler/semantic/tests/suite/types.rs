//! What types do with one another: tables of types as they are written.

use crate::fixture::Fixture;
use ntl_semantic::Space;
use ntl_semantic::names::nearest;
use ntl_semantic::query::{display, named_type, signature};
use ntl_semantic::ty::Type;
use ntl_semantic::types::{self, Conversion, Infer, Reason};

const PRELUDE: &str = "
type Point(x: float, y: float = 0.0)
type Place(x: float, y: float, name: str)
type Tone = \"formal\" | \"casual\"
type Tree(value: int, left: Tree?, right: Tree?)
type Twig(value: int, left: Twig?, right: Twig?)
type Shrub(value: str, left: Shrub?, right: Shrub?)
type Shape = (kind: \"dot\") | (kind: \"circle\", radius: float)
type Maybe = int | null
";

/// A file whose types are `P0`, `P1`, … as written.
struct Types {
    fixture: Fixture,
}

impl Types {
    fn of<'a>(written: impl IntoIterator<Item = &'a str>) -> Self {
        let mut text = PRELUDE.to_owned();
        for (i, ty) in written.into_iter().enumerate() {
            text.push_str(&format!("type P{i} = {ty}\n"));
        }
        let fixture = Fixture::of(&text);
        assert_eq!(fixture.report("main.ntl"), "");
        Types { fixture }
    }

    fn get(&self, at: usize) -> Type {
        named_type(&self.fixture.db, &self.fixture.def("main.ntl", Space::Type, &format!("P{at}")))
    }

    fn show(&self, ty: &Type) -> String {
        display(&self.fixture.db, ty)
    }
}

/// Runs `say` over rows `A, B -> what it says`.
fn table(rows: &str, say: impl Fn(&Types, Type, Type) -> String) {
    let rows: Vec<(&str, &str, &str)> = rows
        .lines()
        .map(str::trim)
        .filter(|row| !row.is_empty())
        .map(|row| {
            let (types, outcome) = row.rsplit_once(" => ").expect("a row has an outcome");
            let (a, b) = types.split_once(" ~ ").expect("a row has two types");
            (a.trim(), b.trim(), outcome.trim())
        })
        .collect();
    let types = Types::of(rows.iter().flat_map(|(a, b, _)| [*a, *b]));
    for (i, (a, b, outcome)) in rows.iter().enumerate() {
        assert_eq!(say(&types, types.get(2 * i), types.get(2 * i + 1)), *outcome, "{a} ~ {b}");
    }
}

#[test]
fn what_fits_what() {
    table(
        r#"
        int ~ int => fits
        int ~ float => converts
        float ~ int => FloatForInt
        int ~ any => fits
        any ~ int => converts
        list[any] ~ list[int] => converts
        never ~ str => fits
        null ~ str? => fits
        null ~ json => fits
        null ~ str => Different
        str ~ str? => fits
        str? ~ str => MaybeNull
        Maybe ~ int => MaybeNull
        int? ~ str => Different
        int | str ~ int | str | bool => fits
        int | str | bool ~ int | str => Different
        int ~ float | str => converts
        int ~ float | int => fits
        "formal" ~ Tone => fits
        "formal" ~ str => fits
        "formel" ~ Tone => OtherLiteral(Some("formal"))
        "xyz" ~ Tone => OtherLiteral(None)
        str ~ Tone => BaseForLiteral
        Tone ~ str => fits
        Tone ~ "formal" | "casual" | "rude" => fits
        bool ~ true | false => fits
        true ~ bool => fits
        str ~ list[str] => ItemForList
        list[str] ~ str => ListForItem
        list[int] ~ list[float] => converts
        list[str] ~ list[int] => at [Item]: TextForNumber
        dict[str, int] ~ dict[str, float] => converts
        dict[str, int] ~ dict[int, int] => at [Key]: TextForNumber
        (int, str) ~ (float, str) => converts
        (int, str) ~ (int, str, str) => Length(2, 3)
        Point ~ (x: float, y: float) => fits
        (x: float, y: float) ~ Point => fits
        (y: float, x: float) ~ Point => converts
        Place ~ Point => converts
        Point ~ Place => MissingField("name", None)
        (x: float) ~ Point => MissingField("y", None)
        (x: float, y: float, nmae: str) ~ Place => MissingField("name", Some("nmae"))
        (x: float) ~ (x: float, note: str?) => converts
        (x: float) ~ (x: float, note: any) => MissingField("note", None)
        list[(a: (b: str))] ~ list[(a: (b: int))] => at [Item, Field("a"), Field("b")]: TextForNumber
        Tree ~ Twig => fits
        Tree ~ Shrub => at [Field("value")]: NotText
        Tree ~ (value: int) => converts
        (kind: "circle", radius: float) ~ Shape => fits
        (kind: "circle", radius: str) ~ Shape => at [Field("radius")]: TextForNumber
        (kind: "circle") ~ Shape => MissingField("radius", None)
        int ~ json => fits
        list[str?] ~ json => fits
        dict[str, list[float]] ~ json => fits
        dict[int, str] ~ json => converts
        Point ~ json => converts
        Tree ~ json => converts
        bytes ~ json => Different
        list[(int, int)] ~ json => at [Item]: Different
        json ~ str => JsonNeedsAs
        json ~ Point => JsonNeedsAs
        json ~ any => fits
        int ~ str => NotText
        "openai/gpt-5.4-mini" ~ language_model => converts
        "gpt" ~ language_model => Different
        image ~ image => fits
        image ~ audio => Different
        duration ~ size => Different
        "#,
        |types, from, to| match types::fit(&types.fixture.db, &from, &to) {
            Ok(Conversion::None) => "fits".to_owned(),
            Ok(Conversion::Needed) => "converts".to_owned(),
            Err(why) if why.path.is_empty() => format!("{:?}", why.reason),
            Err(why) => format!("at {:?}: {:?}", why.path, why.reason),
        },
    );
}

#[test]
fn a_mismatch_shows_what_was_written() {
    let types = Types::of(["Maybe", "int"]);
    let named = Type::Named(types.fixture.def("main.ntl", Space::Type, "Maybe"));
    let why = types::fit(&types.fixture.db, &named, &Type::Int).unwrap_err();
    assert_eq!((types.show(&why.found), types.show(&why.expected)), ("Maybe".into(), "int".into()));
    assert_eq!(why.reason, Reason::MaybeNull);
}

#[test]
fn what_joins_to_what() {
    table(
        r#"
        int ~ int => int
        1 ~ 2 => 1 | 2
        1 ~ float => float
        int ~ float => float
        "a" ~ str => str
        str ~ "a" => str
        "a" ~ "b" => "a" | "b"
        true ~ false => bool
        null ~ str => str?
        str? ~ int => str | int | null
        int? ~ float => float?
        null ~ null => null
        never ~ int => int
        any ~ int => any
        json ~ str => json
        str ~ bytes => str | bytes
        list[int] ~ list[float] => list[float]
        list[never] ~ list[str] => list[str]
        dict[str, int] ~ dict[str, str] => dict[str, int | str]
        (int, "a") ~ (float, "b") => (float, "a" | "b")
        (a: int, b: null) ~ (a: int, b: str) => (a: int, b: str?)
        (a: int, b: null) ~ (b: str, a: float) => (a: float, b: str?)
        (a: int) ~ (b: int) => (a: int) | (b: int)
        (kind: "a", v: int) ~ (kind: "b", v: int) => (kind: "a", v: int) | (kind: "b", v: int)
        Point ~ (x: float, y: float) => (x: float, y: float)
        "#,
        |types, a, b| {
            let joined = types::join(&types.fixture.db, &a, &b);
            let shown = types.show(&joined);
            // The order of members is that of the branches; null is shown last wherever it stands.
            let mut members: Vec<&str> = shown.split(" | ").collect();
            members.sort_by_key(|member| *member == "null");
            members.join(" | ")
        },
    );
}

#[test]
fn many_literals_become_their_base() {
    let fixture = Fixture::of("");
    let literal = |i| Type::Literal(ntl_semantic::ty::Lit::Int(i));
    let few = (0..10).map(literal).reduce(|a, b| types::join(&fixture.db, &a, &b)).unwrap();
    assert_eq!(types::members(&fixture.db, &few).len(), 10);
    let many = (0..1000).map(literal).reduce(|a, b| types::join(&fixture.db, &a, &b)).unwrap();
    assert_eq!(many, Type::Int);
}

#[test]
fn what_can_be_equal() {
    table(
        r#"
        int ~ float => yes
        1 ~ 1 => yes
        1 ~ 2 => no
        "formal" ~ Tone => yes
        "rude" ~ Tone => no
        str ~ int => no
        str? ~ null => yes
        str ~ null => no
        any ~ bytes => yes
        json ~ str => yes
        json ~ bytes => no
        list[int] ~ list[float] => yes
        list[int] ~ list[str] => no
        (int, str) ~ (float, str) => yes
        (int, str) ~ (int, int) => no
        Point ~ (y: float, x: int) => yes
        Point ~ Place => no
        Tree ~ Twig => yes
        duration ~ size => no
        "#,
        |types, a, b| if types::comparable(&types.fixture.db, &a, &b) { "yes".into() } else { "no".into() },
    );
}

#[test]
fn what_has_an_order() {
    table(
        r#"
        int ~ float => yes
        str ~ "a" => yes
        str ~ int => no
        bool ~ bool => no
        duration ~ duration => yes
        duration ~ size => no
        (int, str) ~ (float, str) => yes
        (int, bool) ~ (int, bool) => no
        list[int] ~ list[int] => yes
        Point ~ Point => no
        int? ~ int => no
        any ~ int => yes
        Tone ~ str => yes
        "#,
        |types, a, b| if types::ordered_together(&types.fixture.db, &a, &b) { "yes".into() } else { "no".into() },
    );
}

#[test]
fn what_a_test_leaves() {
    let kept = |types: &Types, a: Type, b: Type| {
        let db = &types.fixture.db;
        let (then, otherwise) = (types::keep_is(db, &a, &b, true), types::keep_is(db, &a, &b, false));
        format!("{} / {}", types.show(&then), types.show(&otherwise))
    };
    table(
        r#"
        int | str ~ int => int / str
        int | str | null ~ str => str / int?
        str? ~ null => null / str
        float | str ~ int => float / float | str
        int | str ~ float => int / int | str
        json ~ Point => json / json
        Tone | int ~ Tone => "formal" | "casual" / int
        "#,
        kept,
    );
}

#[test]
fn type_arguments_are_inferred() {
    let infer = |signature_text: &str, args: &[&str], expected: Option<&str>| {
        let written = args.iter().copied().chain(expected);
        let types = Types::of(written);
        let mut fixture = Fixture::of("");
        let decls: String = (0..args.len() + usize::from(expected.is_some()))
            .map(|i| format!("type P{i} = {}\n", args.get(i).copied().or(expected).unwrap()))
            .collect();
        fixture.write("main.ntl", &format!("{PRELUDE}{decls}{signature_text} = error(\"\")"));
        drop(types);
        let db = &fixture.db;
        let signature = signature(db, &fixture.def("main.ntl", Space::Callable, "f")).expect("a signature");
        let ty = |i: usize| named_type(db, &fixture.def("main.ntl", Space::Type, &format!("P{i}")));
        let mut infer = Infer::new(&signature.type_params);
        for (i, param) in signature.params.iter().enumerate().take(args.len()) {
            infer.learn(db, &infer.instantiate(&param.ty), &ty(i));
        }
        let result = infer.instantiate(signature.outputs[0].ty.as_ref().unwrap());
        if expected.is_some() {
            infer.expect(db, &result, &ty(args.len()));
        }
        let (_, unmet) = infer.finish(db);
        let unmet: Vec<String> = unmet.iter().map(|u| format!(" {} unmet", u.name)).collect();
        format!("{}{}", display(db, &infer.close(&result)), unmet.join(""))
    };
    assert_eq!(infer("fn f[T](xs: list[T]) -> T?", &["list[int]"], None), "int?");
    assert_eq!(infer("fn f[T](xs: list[T]) -> T", &["list[int?]"], None), "int?");
    assert_eq!(infer("fn f[T](a: T, b: T) -> T", &["1", "float"], None), "float");
    assert_eq!(infer("fn f[T](a: T, b: T) -> T", &["1", "\"a\""], None), "int | str");
    assert_eq!(infer("fn f[T](a: T) -> list[T]", &["\"a\""], None), "list[str]");
    assert_eq!(infer("fn f[T](xs: list[T?]) -> list[T]", &["list[str?]"], None), "list[str]");
    assert_eq!(
        infer("fn f[K: key, V](d: dict[K, V]) -> list[(K, V)]", &["dict[str, Point]"], None),
        "list[(str, Point)]"
    );
    assert_eq!(infer("fn f[T](p: (x: T)) -> T", &["Point"], None), "float");
    assert_eq!(infer("fn f[T](xs: list[T]) -> T", &["any"], None), "any");
    assert_eq!(infer("fn f[T](xs: list[T]) -> list[T]", &[], Some("list[Tone]")), "list[Tone]");
    assert_eq!(infer("fn f[T](xs: list[T]) -> T", &["list[never]"], None), "never");
    assert_eq!(infer("fn f[T](xs: list[T]) -> T", &[], None), "? T unmet");
    assert_eq!(infer("fn f[T: ordered](xs: list[T]) -> T", &["list[bool]"], None), "bool T unmet");
    assert_eq!(infer("fn f[T: number](x: T) -> T", &["str"], None), "str T unmet");
}

#[test]
fn what_would_take_for_ever_ends() {
    // Doubled thirty times over, and nested a thousand deep.
    let mut doubled = Type::Int;
    for _ in 0..30 {
        doubled = Type::Tuple([doubled.clone(), doubled].into());
    }
    assert!(types::is_too_big(&doubled));
    let mut nested = Type::Int;
    for _ in 0..1000 {
        nested = Type::List(nested.into());
    }
    assert!(types::is_too_big(&nested));
    assert!(!types::is_too_big(&Type::List(Type::Int.into())));

    // Types that differ only at the end of a long way, with two ways at each step.
    let mut text = String::from("type A0(v: int)\ntype B0(v: str)\n");
    for i in 1..=60 {
        let before = i - 1;
        text.push_str(&format!("type A{i} = (x: A{before})\n"));
        text.push_str(&format!("type B{i} = (x: B{before}) | (x: B{before}, y: int?)\n"));
    }
    let fixture = Fixture::of(&text);
    let ty = |name: &str| Type::Named(fixture.def("main.ntl", Space::Type, name));
    assert!(!types::fits(&fixture.db, &ty("A60"), &ty("B60")));
    assert!(types::fits(&fixture.db, &ty("A60"), &ty("A60")));
}

#[test]
fn near_names_are_found() {
    let near = |name: &str, known: &[&str]| nearest(name, known).map(|name| name.to_string());
    assert_eq!(near("totl", &["total", "tool"]), Some("total".into()));
    assert_eq!(near("uper", &["lower", "upper"]), Some("upper".into()));
    assert_eq!(near("Artcle", &["Article"]), Some("Article".into()));
    assert_eq!(near("retyr", &["retry", "read"]), Some("retry".into()));
    assert_eq!(near("seperator", &["separator"]), Some("separator".into()));
    assert_eq!(near("txt", &["text", "test"]), Some("text".into()));
    assert_eq!(near("x", &["total", "url"]), None);
    assert_eq!(near("polish", &["upper", "trim"]), None);
    assert_eq!((near("trim", &["true"]), near("foo", &["cos"]), near("nope", &["core"])), (None, None, None));
}
