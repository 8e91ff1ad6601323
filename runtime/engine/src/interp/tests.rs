use super::*;
use crate::build::Build;
use crate::failure::Failure;
use crate::native::{Calls, Native, NativeFn, Natives};
use crate::value::{Dict, Key, List};
use ntl_plan::{Const, Effect, Handler, HandlerKind, Instr, Loop};
use proptest::prelude::*;

struct At;
impl Place for At {
    fn step(&self) -> SmolStr {
        "main/x".into()
    }
    fn key(&self) -> Vec<u64> {
        vec![7]
    }
    fn within(&self) -> Within {
        Within::default()
    }
}

/// `map(xs, f)`.
fn map(calls: &mut dyn Calls, args: &[Value]) -> Result<Value, Stop> {
    let [Value::List(xs), Value::Func(f)] = args else { return Err(Fault::new("internal", "arguments").into()) };
    let items = xs.iter().map(|x| calls.call(f, &[x]));
    Ok(Value::list(items.collect::<Result<_, _>>()?))
}
fn refuse(_: &mut dyn Calls, args: &[Value]) -> Result<Value, Stop> {
    Err(Fault::new("failed", format!("refused {:?}", args[0])).into())
}
fn burst(_: &mut dyn Calls, _: &[Value]) -> Result<Value, Stop> {
    std::panic::resume_unwind(Box::new("burst"))
}
const NATIVES: [Native; 3] = [
    Native { stream: None, id: "map", run: NativeFn::Pure(map) },
    Native { stream: None, id: "refuse", run: NativeFn::Pure(refuse) },
    Native { stream: None, id: "burst", run: NativeFn::Pure(burst) },
];

fn run_with(build: Build, code: CodeId, args: &[Value], machine: &mut Machine) -> Result<Value, Vec<Arc<Failure>>> {
    let program = Program::new(Arc::new(build.plan()), &Natives::new(&NATIVES)).unwrap();
    let cx = Cx { program: &program, place: &At };
    machine.run_to_end(cx, code, args.iter().cloned()).map_err(|f| f.list(&program.plan))
}
fn run(build: Build, code: CodeId, args: &[Value]) -> Result<Value, Vec<Arc<Failure>>> {
    run_with(build, code, args, &mut Machine::default())
}
fn fails(result: Result<Value, Vec<Arc<Failure>>>) -> Arc<Failure> {
    let mut failures = result.unwrap_err();
    assert_eq!(failures.len(), 1);
    failures.remove(0)
}

/// Parameter 0 is a count; gives the sum of the squares below it, by jumps.
fn squares(b: &mut Build) -> CodeId {
    let (zero, one) = (b.int(0), b.int(1));
    b.code(
        "squares",
        1,
        6,
        vec![
            Instr::Const { dst: 1, value: zero },
            Instr::Const { dst: 2, value: zero },
            Instr::Const { dst: 3, value: one },
            Instr::LtInt { dst: 4, a: 2, b: 0 },
            Instr::JumpIfNot { cond: 4, to: 9 },
            Instr::MulInt { dst: 5, a: 2, b: 2 },
            Instr::AddInt { dst: 1, a: 1, b: 5 },
            Instr::AddInt { dst: 2, a: 2, b: 3 },
            Instr::Jump { to: 3 },
            Instr::Return { src: 1 },
        ],
    )
}

#[test]
fn loops_yield_and_go_on() {
    let mut b = Build::default();
    let code = squares(&mut b);
    let program = Program::new(Arc::new(b.plan()), &Natives::default()).unwrap();
    let cx = Cx { program: &program, place: &At };
    let mut machine = Machine::default();
    machine.start(cx, code, [Value::Int(10_000)].into_iter());
    let mut slices = 1;
    let result = loop {
        match machine.resume(cx) {
            Flow::Yield => slices += 1,
            Flow::Done(result) => break result,
        }
    };
    assert_eq!(result.unwrap(), Value::Int(333_283_335_000));
    assert_eq!(slices, 3);
}

#[test]
fn failures_know_where_they_were() {
    let mut b = Build::default();
    let two = b.int(2);
    // fn divide(x) = x ~/ (x - 2), on line 2
    let divide = b.code(
        "divide",
        1,
        3,
        vec![
            Instr::Const { dst: 1, value: two },
            Instr::SubInt { dst: 1, a: 0, b: 1 },
            Instr::IntDiv { dst: 2, a: 0, b: 1 },
            Instr::Return { src: 2 },
        ],
    );
    // fn each_item(xs) = for i in 0..len(xs) { divide(xs[i]) }, as code
    let (zero, one) = (b.int(0), b.int(1));
    let outer = b.code(
        "each_item",
        1,
        7,
        vec![
            Instr::Len { dst: 1, src: 0 },
            Instr::Const { dst: 2, value: zero },
            Instr::Const { dst: 3, value: one },
            Instr::LtInt { dst: 4, a: 2, b: 1 },
            Instr::JumpIfNot { cond: 4, to: 9 },
            Instr::Item { dst: 5, src: 0, index: 2 },
            Instr::Call { dst: 6, code: divide, first: 5 },
            Instr::AddInt { dst: 2, a: 2, b: 3 },
            Instr::Jump { to: 3 },
            Instr::Return { src: 6 },
        ],
    );
    b.last_code().loops.push(Loop { start: 5, end: 7, index: 2 });
    let failure = fails(run(b, outer, &[Value::list([5, 4, 2, 1].map(Value::Int).to_vec())]));
    assert_eq!(failure.fault.message, "division by zero: 2 ~/ 0");
    assert_eq!((failure.key.as_slice(), failure.step.as_str()), (&[7, 2][..], "main/x"));
    // The third instruction of the first code; called by the seventh of the second.
    assert_eq!(failure.span, Some(SpanId(2)));
    assert_eq!(failure.calls, [("divide".into(), SpanId(4 + 6))]);
}

#[test]
fn item_handlers_keep_all_and_raise_them() {
    let mut b = Build::default();
    let (zero, one) = (b.int(0), b.int(1));
    let hundred = b.int(100);
    let code = b.code(
        "shares",
        1,
        9,
        vec![
            Instr::Len { dst: 1, src: 0 },
            Instr::Const { dst: 2, value: zero },
            Instr::Const { dst: 3, value: one },
            Instr::Const { dst: 7, value: hundred },
            Instr::List { dst: 8, first: 0, count: 0 },
            Instr::LtInt { dst: 4, a: 2, b: 1 },
            Instr::JumpIfNot { cond: 4, to: 12 },
            Instr::Item { dst: 5, src: 0, index: 2 },
            Instr::Rem { dst: 6, a: 7, b: 5 },
            Instr::Push { list: 8, value: 6 },
            Instr::AddInt { dst: 2, a: 2, b: 3 },
            Instr::Jump { to: 5 },
            Instr::Raise { item_loop: 0 },
            Instr::Return { src: 8 },
        ],
    );
    let c = b.last_code();
    c.loops.push(Loop { start: 7, end: 10, index: 2 });
    c.handlers.push(Handler { start: 7, end: 10, target: 10, kind: HandlerKind::Item(0) });
    let ints = |xs: &[i64]| Value::list(xs.iter().copied().map(Value::Int).collect());
    let program = Program::new(Arc::new(b.plan()), &Natives::default()).unwrap();
    let cx = Cx { program: &program, place: &At };
    let mut machine = Machine::default();
    assert_eq!(machine.run_to_end(cx, code, [ints(&[7, 30])].into_iter()).unwrap(), ints(&[2, 10]));
    let failures = machine.run_to_end(cx, code, [ints(&[0, 7, 0])].into_iter()).unwrap_err().list(&program.plan);
    assert_eq!(failures.iter().map(|f| f.key.clone()).collect::<Vec<_>>(), [[7, 0], [7, 2]]);
    assert!(failures.iter().all(|f| f.fault.code == "division_by_zero"));
}

#[test]
fn natives_call_back_and_keys_go_through() {
    let mut b = Build::default();
    let native = b.native("map", Effect::Pure, 2);
    let (zero, one) = (b.int(0), b.int(1));
    // (d, x) => x % d
    let lambda = b.code("lambda", 2, 3, vec![Instr::Rem { dst: 2, a: 1, b: 0 }, Instr::Return { src: 2 }]);
    // for i in 0..2 { map(xs, x => x % (1 - i)) }
    let code = b.code(
        "outer",
        1,
        8,
        vec![
            Instr::Const { dst: 1, value: zero },
            Instr::Const { dst: 2, value: one },
            Instr::Move { dst: 4, src: 0 },
            Instr::SubInt { dst: 3, a: 2, b: 1 },
            Instr::Closure { dst: 5, code: lambda, first: 3, count: 1 },
            Instr::Native { dst: 6, native, first: 4, count: 2 },
            Instr::AddInt { dst: 1, a: 1, b: 2 },
            Instr::Jump { to: 3 },
        ],
    );
    b.last_code().loops.push(Loop { start: 3, end: 7, index: 1 });
    let failure = fails(run(b, code, &[Value::list(vec![Value::Int(1)])]));
    assert_eq!(failure.fault.code, "division_by_zero");
    assert_eq!(failure.key, [7, 1]);
    assert_eq!(failure.calls, [("lambda".into(), SpanId(2 + 5))]);
}

#[test]
fn a_native_that_fails_shows_what_it_was_given() {
    let mut b = Build::default();
    let (refuse, burst) = (b.native("refuse", Effect::Pure, 1), b.native("burst", Effect::Pure, 1));
    let error = b.error_type();
    let code = b.code(
        "f",
        1,
        3,
        vec![
            Instr::Native { dst: 1, native: burst, first: 0, count: 1 },
            Instr::Return { src: 1 },
            Instr::Native { dst: 2, native: refuse, first: 0, count: 1 },
            Instr::Return { src: 1 },
        ],
    );
    // try burst(x) else err { refuse(x) }
    b.last_code().handlers.push(Handler { start: 0, end: 1, target: 2, kind: HandlerKind::Try(1, error) });
    let failure = fails(run(b, code, &[Value::str("12 apples")]));
    assert_eq!(failure.fault.message, "refused \"12 apples\"");
    assert_eq!(failure.inputs, Some((refuse, vec![Value::str("12 apples")])));
    assert_eq!(failure.span, Some(SpanId(2)));
}

#[test]
fn a_lazy_block_runs_once_and_fails_once() {
    let mut b = Build::default();
    let (one, zero) = (b.int(1), b.int(0));
    let error = b.error_type();
    // x = 1 % 0 lazily; (try x else err { err }, x)
    let code = b.code(
        "lazy",
        0,
        4,
        vec![
            Instr::Lazy { lazy: 0, block: 4 },
            Instr::Lazy { lazy: 0, block: 4 },
            Instr::Return { src: 2 },
            Instr::Return { src: 3 },
            Instr::Const { dst: 0, value: one },
            Instr::Const { dst: 1, value: zero },
            Instr::Rem { dst: 2, a: 0, b: 1 },
            Instr::LazyEnd { lazy: 0 },
        ],
    );
    b.last_code().handlers.push(Handler { start: 0, end: 1, target: 1, kind: HandlerKind::Try(3, error) });
    b.last_code().handlers.push(Handler { start: 1, end: 2, target: 3, kind: HandlerKind::Try(3, error) });
    let caught = run(b, code, &[]).unwrap();
    let expected =
        r#"(code: "division_by_zero", message: "division by zero: 1 % 0", node: "main/x", retryable: false)"#;
    assert_eq!(format!("{caught:?}"), expected);

    // A handler within the block goes on within it; the block runs once.
    let mut b = Build::default();
    let (one, zero) = (b.int(1), b.int(0));
    let error = b.error_type();
    let code = b.code(
        "lazy",
        0,
        5,
        vec![
            Instr::Const { dst: 3, value: zero },
            Instr::Lazy { lazy: 1, block: 5 },
            Instr::Lazy { lazy: 1, block: 5 },
            Instr::Tuple { dst: 4, first: 2, count: 2 },
            Instr::Return { src: 4 },
            Instr::Const { dst: 0, value: one },
            Instr::Rem { dst: 1, a: 0, b: 3 },
            Instr::Const { dst: 2, value: zero },
            Instr::AddInt { dst: 3, a: 3, b: 0 },
            Instr::LazyEnd { lazy: 1 },
        ],
    );
    b.last_code().handlers.push(Handler { start: 6, end: 7, target: 8, kind: HandlerKind::Try(2, error) });
    let value = run(b, code, &[]).unwrap();
    assert_eq!(format!("{value:?}").split(", retryable").nth(1).unwrap(), ": false), 1)");
}

#[test]
fn hostile_code_ends() {
    // Calls itself for ever.
    let mut b = Build::default();
    let code = b.code("f", 0, 1, vec![Instr::Call { dst: 0, code: CodeId(0), first: 0 }, Instr::Return { src: 0 }]);
    let failure = fails(run(b, code, &[]));
    assert_eq!((failure.fault.code.as_str(), failure.calls.len()), ("overflow", MAX_FRAMES - 1));
    // Through a native.
    let mut b = Build::default();
    let native = b.native("map", Effect::Pure, 2);
    let one = b.int(1);
    let code = b.code(
        "g",
        1,
        4,
        vec![
            Instr::Const { dst: 3, value: one },
            Instr::List { dst: 1, first: 3, count: 1 },
            Instr::Closure { dst: 2, code: CodeId(0), first: 0, count: 0 },
            Instr::Native { dst: 1, native, first: 1, count: 2 },
            Instr::Return { src: 1 },
        ],
    );
    assert_eq!(fails(run(b, code, &[Value::Null])).fault.code, "overflow");
    // A range that no memory holds.
    let mut b = Build::default();
    let (zero, max) = (b.int(0), b.int(i64::MAX));
    let code = b.code(
        "h",
        0,
        3,
        vec![
            Instr::Const { dst: 0, value: zero },
            Instr::Const { dst: 1, value: max },
            Instr::Range { dst: 2, a: 0, b: 1, inclusive: false },
            Instr::Append { dst: 2, a: 2, b: 2 },
            Instr::Return { src: 2 },
        ],
    );
    let failure = fails(run(b, code, &[]));
    assert_eq!((failure.fault.code.as_str(), failure.span), ("invalid", Some(SpanId(3))));
    // What is nonsense fails, and nothing worse.
    let mut b = Build::default();
    let code = b.code("i", 1, 2, vec![Instr::Field { dst: 0, src: 0, field: 3 }, Instr::Return { src: 0 }]);
    assert_eq!(fails(run(b, code, &[Value::Int(1)])).fault.code, "internal");
}

#[test]
fn a_constant_is_computed_once() {
    let mut b = Build::default();
    let native = b.native("refuse", Effect::Pure, 1);
    let constant =
        b.code("C", 0, 1, vec![Instr::Native { dst: 0, native, first: 0, count: 1 }, Instr::Return { src: 0 }]);
    let code = b.code("f", 0, 1, vec![Instr::CallOnce { dst: 0, code: constant }, Instr::Return { src: 0 }]);
    let program = Program::new(Arc::new(b.plan()), &Natives::new(&NATIVES)).unwrap();
    let cx = Cx { program: &program, place: &At };
    let mut machine = Machine::default();
    let mut both: Vec<Failures> =
        (0..2).map(|_| machine.run_to_end(cx, code, std::iter::empty()).unwrap_err()).collect();
    both.extend(both.clone());
    assert_eq!(Failures::all(both).unwrap().list(&program.plan).len(), 1);
}

#[test]
fn missing_parts_are_named() {
    let list = Value::list([1, 2, 3].map(Value::Int).to_vec());
    let message = |base: &Value, index: Value| access::index(base, &index).unwrap_err().message;
    assert_eq!(message(&list, Value::Int(5)), "index 5 is out of range: the list has 3 items");
    assert_eq!(message(&list, Value::Int(-1)), "index -1 is out of range: the list has 3 items");
    let dict =
        Value::dict([(Key::str("apple"), Value::Int(3)), (Key::str("pear"), Value::Int(5))].into_iter().collect());
    assert_eq!(message(&dict, Value::str("plum")), r#"no key "plum": the dict has "apple", "pear""#);
    assert_eq!(message(&Value::dict(Dict::new()), Value::Int(1)), "no key 1: the dict is empty");
    assert!(access::json_index(&dict, &Value::str("plum")) == Value::Null);
    assert!(access::json_index(&Value::Null, &Value::str("plum")) == Value::Null);
    assert_eq!(access::contains(&Value::List(List::range(0, i64::MAX)), &Value::Float(3.0)), Ok(true));
}

/// Makes an instruction of a destination and two operands.
type Make = fn(Reg, Reg, Reg) -> Instr;

proptest! {
    /// Quick instructions mean the same as the general ones.
    #[test]
    fn quick_is_general(x in any::<i64>(), y in any::<i64>(), f in prop::num::f64::NORMAL, g in prop::num::f64::NORMAL) {
        let ints: [(Make, Make); 5] = [
            (|dst, a, b| Instr::AddInt { dst, a, b }, |dst, a, b| Instr::Add { dst, a, b }),
            (|dst, a, b| Instr::SubInt { dst, a, b }, |dst, a, b| Instr::Sub { dst, a, b }),
            (|dst, a, b| Instr::MulInt { dst, a, b }, |dst, a, b| Instr::Mul { dst, a, b }),
            (|dst, a, b| Instr::LtInt { dst, a, b }, |dst, a, b| Instr::Lt { dst, a, b }),
            (|dst, a, b| Instr::LeInt { dst, a, b }, |dst, a, b| Instr::Le { dst, a, b }),
        ];
        let floats: [(Make, Make); 6] = [
            (|dst, a, b| Instr::AddFloat { dst, a, b }, |dst, a, b| Instr::Add { dst, a, b }),
            (|dst, a, b| Instr::SubFloat { dst, a, b }, |dst, a, b| Instr::Sub { dst, a, b }),
            (|dst, a, b| Instr::MulFloat { dst, a, b }, |dst, a, b| Instr::Mul { dst, a, b }),
            (|dst, a, b| Instr::DivFloat { dst, a, b }, |dst, a, b| Instr::Div { dst, a, b }),
            (|dst, a, b| Instr::LtFloat { dst, a, b }, |dst, a, b| Instr::Lt { dst, a, b }),
            (|dst, a, b| Instr::LeFloat { dst, a, b }, |dst, a, b| Instr::Le { dst, a, b }),
        ];
        let outcome = |instr: Instr, args: &[Value]| {
            let mut b = Build::default();
            let code = b.code("f", 2, 3, vec![instr, Instr::Return { src: 2 }]);
            run(b, code, args).map_err(|f| f[0].fault.clone())
        };
        for (quick, general) in ints {
            let args = [Value::Int(x), Value::Int(y)];
            prop_assert_eq!(outcome(quick(2, 0, 1), &args), outcome(general(2, 0, 1), &args));
        }
        for (quick, general) in floats {
            let args = [Value::Float(f), Value::Float(g)];
            prop_assert_eq!(outcome(quick(2, 0, 1), &args), outcome(general(2, 0, 1), &args));
        }
    }
}

#[test]
fn json_constants_must_be_json() {
    let mut b = Build::default();
    b.constant(Const::Json("{\"a\": 1".into()));
    assert_eq!(Program::new(Arc::new(b.plan()), &Natives::default()).err().map(|f| f.code), Some("parse".into()));
}

/// Any instruction, over a few registers, places, constants, types.
fn any_instr() -> impl Strategy<Value = Instr> {
    use ntl_plan::{ConstId, NativeId, TypeId};
    let (reg, pc, count) = (0_u16..6, 0_u32..12, 0_u16..3);
    (0_u8..58, reg.clone(), reg.clone(), reg, pc, count).prop_map(|(kind, dst, a, b, to, count)| {
        let (first, src, index, ty) = (a, a, b, TypeId(to % 9));
        let (value, code, lazy) = (ConstId(to % 8), CodeId(to % 2), count);
        match kind {
            0 | 1 => Instr::Const { dst, value },
            2 => Instr::Move { dst, src },
            3 => Instr::Return { src },
            4 => Instr::Jump { to },
            5 => Instr::JumpIf { cond: a, to },
            6 => Instr::JumpIfNot { cond: a, to },
            7 => Instr::JumpIfNull { src, to },
            8 => Instr::Lazy { lazy, block: to },
            9 => Instr::LazyEnd { lazy },
            10 => Instr::Forget { lazy },
            11 => Instr::Add { dst, a, b },
            12 => Instr::Sub { dst, a, b },
            13 => Instr::Mul { dst, a, b },
            14 => Instr::Div { dst, a, b },
            15 => Instr::Rem { dst, a, b },
            16 => Instr::IntDiv { dst, a, b },
            17 => Instr::Neg { dst, a },
            18 => Instr::AddInt { dst, a, b },
            19 => Instr::SubInt { dst, a, b },
            20 => Instr::MulInt { dst, a, b },
            21 => Instr::AddFloat { dst, a, b },
            22 => Instr::SubFloat { dst, a, b },
            23 => Instr::MulFloat { dst, a, b },
            24 => Instr::DivFloat { dst, a, b },
            25 => Instr::Not { dst, a },
            26 => Instr::Eq { dst, a, b },
            27 => Instr::Lt { dst, a, b },
            28 => Instr::Le { dst, a, b },
            29 => Instr::LtInt { dst, a, b },
            30 => Instr::LeInt { dst, a, b },
            31 => Instr::LtFloat { dst, a, b },
            32 => Instr::LeFloat { dst, a, b },
            33 => Instr::In { dst, a, b },
            34 => Instr::Append { dst, a, b },
            35 => Instr::Range { dst, a, b, inclusive: count > 0 },
            36 => Instr::Concat { dst, first, count },
            37 => Instr::Text { dst, src },
            38 => Instr::List { dst, first, count },
            39 => Instr::Tuple { dst, first, count },
            40 => Instr::Record { dst, ty: TypeId(7), first: a % 4 },
            41 => Instr::Dict { dst, first, count: count % 2 },
            42 => Instr::Push { list: dst, value: a },
            43 => Instr::Insert { dict: dst, key: a, value: b },
            44 => Instr::SetField { dst, record: a, field: count, value: b },
            45 => Instr::Field { dst, src, field: count },
            46 => Instr::FieldNamed { dst, src, name: ConstId(4) },
            47 => Instr::HasField { dst, src, name: ConstId(4) },
            48 => Instr::Index { dst, src, index },
            49 => Instr::JsonIndex { dst, src, index },
            50 => Instr::Len { dst, src },
            51 => Instr::Item { dst, src, index },
            52 => Instr::Fit { dst, src, ty },
            53 => Instr::As { dst, src, ty },
            54 => Instr::Is { dst, src, ty },
            55 => Instr::Matches { dst, src, ty },
            56 => Instr::Closure { dst, code, first, count },
            _ => match to % 6 {
                0 => Instr::Call { dst, code, first },
                1 => Instr::CallOnce { dst, code: CodeId(1) },
                2 => Instr::Native { dst, native: NativeId(0), first: a % 4, count: 2 },
                3 => Instr::CallValue { dst, function: a, first: b, count },
                4 => Instr::Fail { message: a },
                _ => Instr::Raise { item_loop: 0 },
            },
        }
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, max_global_rejects: 100_000, ..ProptestConfig::default() })]

    /// Whatever valid code does with whatever values: it ends, fails or goes on, and nothing worse.
    #[test]
    fn any_valid_code_is_harmless(
        instrs in prop::collection::vec(any_instr(), 12),
        other in prop::collection::vec(any_instr(), 12),
        handler in (0_u32..12, 0_u32..12, 0_u32..12, any::<bool>()),
    ) {
        let mut b = Build::default();
        for ty in [Type::Int, Type::Float, Type::Str, Type::Json, Type::Any, Type::Null] {
            b.ty(ty);
        }
        b.ty(Type::List(TypeId(0)));
        b.ty(Type::Record {
            name: None,
            fields: vec![ntl_plan::Field { name: "a".into(), key: None, ty: TypeId(1), default: Some(CodeId(1)) }],
        });
        b.ty(Type::Union(vec![TypeId(0), TypeId(2), TypeId(7)]));
        let consts = [
            Const::Null,
            Const::Bool(true),
            Const::Int(i64::MAX),
            Const::Float(-0.5),
            Const::Str("a".into()),
            Const::Duration(1),
            Const::Size(-1),
            Const::Json(r#"{"a": [1, "x", null]}"#.into()),
        ];
        for c in consts {
            b.constant(c);
        }
        b.native("map", Effect::Pure, 2);
        let error = b.error_type();
        let (start, end, target, is_try) = handler;
        let kind = if is_try { HandlerKind::Try(0, error) } else { HandlerKind::Item(0) };
        for (params, mut instrs) in [(2, instrs), (0, other)] {
            instrs[11] = Instr::Return { src: 0 };
            b.code("f", params, 8, instrs);
            b.last_code().handlers.push(Handler { start: start.min(end), end: start.max(end), target, kind: kind.clone() });
            b.last_code().loops.push(Loop { start: 0, end: 12, index: 2 });
        }
        let region = b.region(ntl_plan::RegionKind::Workflow, None, 0);
        prop_assert_eq!(region.0, 0);
        let plan = b.plan();
        prop_assume!(ntl_plan::validate(&plan).is_ok());
        let program = Program::new(Arc::new(plan), &Natives::new(&NATIVES)).unwrap();
        let cx = Cx { program: &program, place: &At };
        // Cancelled: a native that calls what never ends ends.
        let mut machine = Machine::stopped_by(Arc::new(true.into()));
        let list = Value::list(vec![Value::Int(0), Value::str("b")]);
        machine.start(cx, CodeId(0), [Value::Int(1), list].into_iter());
        // A few rounds are enough: what doubles each round would only take long.
        for _ in 0..3 {
            if let Flow::Done(result) = machine.resume_for(cx, 4) {
                if let Err(failures) = result {
                    for failure in failures.list(&program.plan) {
                        prop_assert!(!failure.fault.message.contains("a bug in NTL"), "{:?}", failure);
                    }
                }
                break;
            }
        }
    }
}
