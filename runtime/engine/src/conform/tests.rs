use super::*;
use crate::native::Natives;
use ntl_plan::{Const, ConstId, Plan, RegionId};
use smol_str::SmolStr;

struct Defaults42;
impl Defaults for Defaults42 {
    fn default_of(&mut self, _: CodeId) -> Result<Value, Failed> {
        Ok(Value::Int(42))
    }
}

/// Types by number, in the order in which they are pushed.
#[derive(Default)]
struct Types(Vec<Type>, Vec<Const>);

impl Types {
    fn add(&mut self, ty: Type) -> TypeId {
        self.0.push(ty);
        TypeId(self.0.len() as u32 - 1)
    }
    fn literal(&mut self, value: Const) -> TypeId {
        self.1.push(value);
        self.add(Type::Literal(ConstId(self.1.len() as u32 - 1)))
    }
    fn record(&mut self, name: &str, fields: Vec<Field>) -> TypeId {
        self.add(Type::Record { name: Some(name.into()), fields })
    }
    fn optional(&mut self, ty: TypeId) -> TypeId {
        let null = self.add(Type::Null);
        self.add(Type::Union(vec![ty, null]))
    }
    fn program(&self) -> Program {
        let plan = Plan {
            workflow: "test".into(),
            files: vec![],
            types: self.0.clone(),
            consts: self.1.clone(),
            natives: vec![],
            touches: vec![],
            codes: vec![],
            spans: vec![],
            regions: vec![],
            entry: RegionId(0),
            inputs: vec![],
            outputs: vec![],
        };
        Program::new(Arc::new(plan), &Natives::default()).unwrap()
    }
}

fn field(name: &str, ty: TypeId) -> Field {
    Field { name: name.into(), key: None, ty, default: None }
}

fn shown(value: &Value, converted: Converted) -> String {
    match converted {
        Ok(new) => format!("{:?}", new.as_ref().unwrap_or(value)),
        Err(Stop::Fault(f)) => format!("{}: {}", f.code, f.message),
        Err(Stop::Failed(_)) => "failed".into(),
    }
}

fn json_as(program: &Program, text: &str, ty: TypeId) -> String {
    let value = json::parse(text).unwrap();
    shown(&value, cast(program, &mut Defaults42, &value, ty))
}

#[test]
fn records_from_json() {
    let mut t = Types::default();
    let (int, float, string) = (t.add(Type::Int), t.add(Type::Float), t.add(Type::Str));
    let maybe = t.optional(float);
    let score = t.record(
        "Score",
        vec![
            field("name", string),
            Field { name: "points".into(), key: Some("Points (n)".into()), ty: int, default: None },
            field("weight", maybe),
            Field { name: "rank".into(), key: None, ty: int, default: Some(CodeId(0)) },
        ],
    );
    let scores = t.add(Type::List(score));
    let p = t.program();
    assert_eq!(
        json_as(&p, r#"[{"extra": 1, "Points (n)": 3.0, "name": "Ada", "weight": 2}]"#, scores),
        r#"[(name: "Ada", points: 3, weight: 2.0, rank: 42)]"#
    );
    assert_eq!(
        json_as(&p, r#"[{"Points (n)": 3, "name": "Ada"}, {"Points (n)": "three", "name": "Bo"}]"#, scores),
        r#"type: expected int at `[1]["Points (n)"]`, found str "three""#
    );
    assert_eq!(json_as(&p, r#"[{"Points (n)": 3}]"#, scores), "type: expected str at `[0].name`, but it is missing");
    assert_eq!(
        json_as(&p, r#"[{"Points (n)": 3, "name": "Ada", "rank": null}]"#, scores),
        "type: expected int at `[0].rank`, found null"
    );
    assert_eq!(json_as(&p, "[3]", scores), "type: expected Score at `[0]`, found int 3");
    assert_eq!(json_as(&p, "3.5", int), "type: expected int, found float 3.5");
    assert_eq!(json_as(&p, "18446744073709551615", int), "type: expected int, found float 1.8446744073709552e19");
    assert_eq!(
        json_as(&p, "9007199254740993", float),
        "inexact: int 9007199254740993 is no float exactly: above 2^53 floats have gaps"
    );
}

#[test]
fn fit_cuts_and_fills_nothing() {
    let mut t = Types::default();
    let (int, float) = (t.add(Type::Int), t.add(Type::Float));
    let maybe = t.optional(int);
    let narrow = t.record("Narrow", vec![field("x", float), field("gone", maybe)]);
    let list = t.add(Type::List(narrow));
    let defaulted = t.record("D", vec![Field { name: "x".into(), key: None, ty: int, default: Some(CodeId(0)) }]);
    let ints = t.add(Type::List(int));
    let p = t.program();
    let wide = |x: Value| {
        let names: Vec<SmolStr> = vec!["y".into(), "x".into()];
        Value::record(Arc::new(crate::Shape { name: None, keys: names.clone(), names }), vec![Value::Null, x])
    };
    let fits = |v: Value, ty| shown(&v, fit(&p, &mut Defaults42, &v, ty));
    assert_eq!(fits(Value::list(vec![wide(Value::Int(1))]), list), "[(x: 1.0, gone: null)]");
    assert_eq!(fits(wide(Value::str("a")), narrow), r#"type: expected float at `x`, found str "a""#);
    assert_eq!(fits(Value::tuple(vec![]), defaulted), "type: expected D, found tuple ()");
    assert_eq!(fits(Value::dict(Dict::new()), defaulted), "type: expected D, found dict [:]");
    assert_eq!(fits(Value::Float(3.0), int), "type: expected int, found float 3.0");
    // What stands as it is is not copied.
    let same = Value::list(vec![Value::Int(1)]);
    assert!(matches!(fit(&p, &mut Defaults42, &same, ints), Ok(None)));
    assert!(matches!(fit(&p, &mut Defaults42, &Value::List(List::range(0, i64::MAX)), ints), Ok(None)));
}

#[test]
fn unions_take_what_stands_first() {
    let mut t = Types::default();
    let (int, float, string, null) = (t.add(Type::Int), t.add(Type::Float), t.add(Type::Str), t.add(Type::Null));
    let mixed = t.add(Type::Union(vec![float, string, null]));
    let (circle, square) = (t.literal(Const::Str("circle".into())), t.literal(Const::Str("box".into())));
    let (a, b) = (
        t.record("Circle", vec![field("kind", circle), field("r", float)]),
        t.record("Box", vec![field("kind", square), field("w", float)]),
    );
    let shape = t.add(Type::Union(vec![a, b]));
    let tone = t.add(Type::Union(vec![circle, square]));
    let p = t.program();
    assert_eq!(json_as(&p, "1", mixed), "1.0");
    assert_eq!(json_as(&p, "\"1\"", mixed), "\"1\"");
    assert_eq!(json_as(&p, "true", mixed), "type: expected float | str | null, found bool true");
    assert_eq!(json_as(&p, r#"{"kind": "box", "w": 1}"#, shape), r#"(kind: "box", w: 1.0)"#);
    assert_eq!(json_as(&p, r#"{"kind": "box", "w": []}"#, shape), "type: expected float at `w`, found list []");
    assert_eq!(
        json_as(&p, r#"{"kind": "cone"}"#, shape),
        r#"type: expected Circle | Box, found dict ["kind": "cone"]"#
    );
    assert_eq!(json_as(&p, "\".\"", tone), r#"type: expected "circle" | "box", found str ".""#);
    let is = |text: &str, ty| is(&p, &mut Defaults42, &json::parse(text).unwrap(), ty);
    assert!(is("1", float) && is("1.0", int) && !is("1.5", int) && is("null", mixed));
    let matched = |v: &Value, ty| matches(&p, v, ty).unwrap();
    assert!(matched(&Value::Int(1), int) && !matched(&Value::Int(1), float) && !matched(&Value::Int(1), mixed));
    let boxed = cast(&p, &mut Defaults42, &json::parse(r#"{"kind": "box", "w": 1}"#).unwrap(), shape).unwrap().unwrap();
    assert!(matched(&boxed, b) && !matched(&boxed, a) && matched(&boxed, shape));
}

#[test]
fn json_and_keys() {
    let mut t = Types::default();
    let (json, int, string) = (t.add(Type::Json), t.add(Type::Int), t.add(Type::Str));
    let by_int = t.add(Type::Dict(int, string));
    let duration = t.add(Type::Duration);
    let pair = t.add(Type::Tuple(vec![int, string]));
    let p = t.program();
    assert_eq!(json_as(&p, r#"{"2": "two", "-1": "x"}"#, by_int), r#"[2: "two", -1: "x"]"#);
    assert_eq!(json_as(&p, r#"{"a": "two"}"#, by_int), r#"type: expected int at `a`, found str "a""#);
    assert_eq!(json_as(&p, r#"[1, "a"]"#, pair), r#"(1, "a")"#);
    assert_eq!(json_as(&p, "[1]", pair), "type: expected (int, str), found list [1]");
    assert_eq!(json_as(&p, "\"90s\"", duration), "90s");
    let value =
        Value::tuple(vec![Value::Duration(1_000), Value::dict([(Key::Int(1), Value::Null)].into_iter().collect())]);
    assert_eq!(shown(&value, cast(&p, &mut Defaults42, &value, json)), r#"["1us", ["1": null]]"#);
    assert_eq!(
        shown(&value, fit(&p, &mut Defaults42, &value, json)),
        "type: expected json at `[0]`, found duration 1us"
    );
}

#[test]
fn texts_from_outside() {
    let mut t = Types::default();
    let (int, float, string, boolean) = (t.add(Type::Int), t.add(Type::Float), t.add(Type::Str), t.add(Type::Bool));
    let (maybe_int, maybe_str) = (t.optional(int), t.optional(string));
    let (one, low) = (t.literal(Const::Int(1)), t.literal(Const::Str("low".into())));
    let level = t.add(Type::Union(vec![one, low]));
    let int_or_str = t.add(Type::Union(vec![string, int]));
    let ints = t.add(Type::List(int));
    let strings = t.add(Type::List(string));
    let json = t.add(Type::Json);
    let p = t.program();
    let given = |text: &str, ty| match input(&p, &mut Defaults42, text, ty) {
        Ok(v) => format!("{v:?}"),
        Err(Stop::Fault(f)) => format!("{}: {}", f.code, f.message),
        Err(Stop::Failed(_)) => "failed".into(),
    };
    assert_eq!(given("7 {dwarfs}", string), "\"7 {dwarfs}\"");
    assert_eq!(given("1_000", int), "1000");
    assert_eq!(given("2", float), "2.0");
    assert_eq!(given("true", boolean), "true");
    assert_eq!(given("null", maybe_int), "null");
    assert_eq!(given("null", maybe_str), "\"null\"");
    assert_eq!(given("1", level), "1");
    assert_eq!(given("low", level), "\"low\"");
    assert_eq!(given("high", level), r#"type: expected 1 | "low", found str "high""#);
    assert_eq!(given("3", int_or_str), "3");
    assert_eq!(given("x", int_or_str), "\"x\"");
    assert_eq!(given("[1, 2.0]", ints), "[1, 2]");
    assert_eq!(given("[1, 2.5]", ints), "type: expected int at `[1]`, found float 2.5");
    assert_eq!(given("[1", ints), r#"type: expected list[int], found "[1": expected `]`, found the end"#);
    assert_eq!(given("[\"1\"]", ints), r#"type: expected int at `[0]`, found str "1""#);
    assert_eq!(given("[1]", strings), r#"type: expected str at `[0]`, found int 1"#);
    assert_eq!(given("{\"a\": [1]}", json), r#"["a": [1]]"#);
    let cell = |text: &str, ty| {
        let value = Value::str(text);
        shown(&value, read(&p, &mut Defaults42, &value, ty))
    };
    assert_eq!(
        (cell(" 12 ", int), cell("", maybe_int), cell("", maybe_str)),
        ("12".into(), "null".into(), "\"\"".into())
    );
    assert_eq!(cell("", int), "type: expected int, found an empty cell: what may be empty is of type `int?`");
    assert_eq!(cell("[1]", ints), r#"type: expected list[int], found str "[1]""#);
}

/// Nesting as deep as it may be ends with an answer on a small stack, and so do unions that fit in many ways.
#[test]
fn hostile_values_end() {
    let mut t = Types::default();
    let int = t.add(Type::Int);
    // A = list[A] | list[A] | int, at 1; its lists at 2.
    let union = t.add(Type::Union(vec![TypeId(2), TypeId(2), int]));
    t.add(Type::List(union));
    let endless = t.add(Type::Union(vec![TypeId(3), TypeId(3)]));
    let json = t.add(Type::Json);
    let p = t.program();
    let nested = |n, last: Value| (0..n).fold(last, |v, _| Value::list(vec![v]));
    assert_eq!(
        shown(&nested(60, Value::str("x")), cast(&p, &mut Defaults42, &nested(60, Value::str("x")), union)),
        "invalid: the value may fit the union in too many ways"
    );
    assert!(cast(&p, &mut Defaults42, &nested(120, Value::Int(1)), union).is_ok());
    assert!(cast(&p, &mut Defaults42, &nested(100_000, Value::Int(1)), union).is_err());
    assert!(cast(&p, &mut Defaults42, &nested(100_000, Value::Int(1)), json).is_err());
    assert!(cast(&p, &mut Defaults42, &Value::Int(1), endless).is_err());
    assert!(type_text(&p, endless).contains('…'));
}
