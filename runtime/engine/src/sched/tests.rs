use crate::build::Build;
use crate::native::{Cx, Native, NativeFn, NativeFuture, Natives};
use crate::run::{Event, Input, Options, Outcome, Prepared, Status, run};
use crate::value::{Fault, Value, text_of};
use crate::{Cancel, json};
use ntl_host::Host;
use ntl_plan::OpKind::{Call, Code, Loop, Output, Require, Select, Try};
use ntl_plan::Ref::{self, Outer, OuterParam, Param};
use ntl_plan::{CodeId, Const, Effect, Instr, OpId, OpKind, RegionId, RegionKind, SpanId};
use std::cell::{Cell, RefCell};
use std::sync::Arc;
use std::time::{Duration, Instant};

thread_local! {
    static JOURNAL: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
    static RUNNING: Cell<u32> = const { Cell::new(0) };
    static MOST: Cell<u32> = const { Cell::new(0) };
}

fn note(cx: Cx, mut args: Vec<Value>) -> NativeFuture {
    Box::pin(async move {
        let value = args.remove(0);
        let text = text_of(&value)?;
        (cx.log)(&text);
        JOURNAL.with_borrow_mut(|j| j.push(text));
        Ok(value)
    })
}
/// Sleeps for so many milliseconds, then notes that.
fn slow(_: Cx, mut args: Vec<Value>) -> NativeFuture {
    Box::pin(async move {
        RUNNING.set(RUNNING.get() + 1);
        MOST.set(MOST.get().max(RUNNING.get()));
        let value = args.remove(0);
        if let Value::Int(ms) = value {
            tokio::time::sleep(Duration::from_millis(ms as u64)).await;
        }
        RUNNING.set(RUNNING.get() - 1);
        JOURNAL.with_borrow_mut(|j| j.push(format!("slow {}", text_of(&value).unwrap())));
        Ok(value)
    })
}
fn fail(_: Cx, mut args: Vec<Value>) -> NativeFuture {
    Box::pin(async move {
        tokio::task::yield_now().await;
        Err(Fault::new("failed", format!("no {}", text_of(&args.remove(0))?)))
    })
}
/// Fails so many times, then gives how often it was tried.
fn flaky(_: Cx, mut args: Vec<Value>) -> NativeFuture {
    Box::pin(async move {
        let tries = JOURNAL.with_borrow_mut(|j| {
            j.push("try".into());
            j.iter().filter(|l| *l == "try").count() as i64
        });
        match args.remove(0) {
            Value::Int(n) if tries <= n => Err(Fault { retryable: true, ..Fault::new("network", "it is down") }),
            _ => Ok(Value::Int(tries)),
        }
    })
}
fn burst(_: Cx, _: Vec<Value>) -> NativeFuture {
    Box::pin(async { std::panic::resume_unwind(Box::new("burst")) })
}
fn block(_: Cx, args: Vec<Value>) -> Result<Value, Fault> {
    std::thread::sleep(Duration::from_millis(20));
    Ok(args[0].clone())
}
/// Gives an even int back and fails for an odd one, after a while.
fn odd(_: Cx, mut args: Vec<Value>) -> NativeFuture {
    Box::pin(async move {
        let Value::Int(n) = args.remove(0) else { panic!() };
        JOURNAL.with_borrow_mut(|j| j.push(n.to_string()));
        for _ in 0..n.rem_euclid(3) {
            tokio::task::yield_now().await;
        }
        if n % 2 == 0 { Ok(Value::Int(n)) } else { Err(Fault::new("failed", format!("{n} is odd"))) }
    })
}
pub(super) const NATIVES: [Native; 7] = [
    Native { stream: None, id: "odd", run: NativeFn::Io(odd) },
    Native { stream: None, id: "note", run: NativeFn::Io(note) },
    Native { stream: None, id: "slow", run: NativeFn::Io(slow) },
    Native { stream: None, id: "fail", run: NativeFn::Io(fail) },
    Native { stream: None, id: "flaky", run: NativeFn::Io(flaky) },
    Native { stream: None, id: "burst", run: NativeFn::Io(burst) },
    Native { stream: None, id: "block", run: NativeFn::Blocking(block) },
];

/// What the natives noted on this thread since it was last taken.
pub(super) fn take_journal() -> Vec<String> {
    JOURNAL.take()
}

/// A plan with an entry region, and shorthands.
pub(super) struct Test {
    b: Build,
    cancel: Cancel,
}

impl std::ops::Deref for Test {
    type Target = Build;
    fn deref(&self) -> &Build {
        &self.b
    }
}
impl std::ops::DerefMut for Test {
    fn deref_mut(&mut self) -> &mut Build {
        &mut self.b
    }
}

const MAIN: RegionId = RegionId(0);

fn op(id: OpId) -> Ref {
    Ref::Op(id)
}
fn outer(id: OpId) -> Ref {
    Outer { up: 1, op: id }
}

impl Test {
    pub(super) fn new() -> Self {
        let mut b = Build::default();
        b.region(RegionKind::Workflow, None, 0);
        Test { b, cancel: Cancel::new() }
    }
    pub(super) fn into_plan(self) -> ntl_plan::Plan {
        self.b.plan()
    }
    /// A constant as an operation.
    fn value(&mut self, region: RegionId, value: Const) -> Ref {
        let id = self.constant(value);
        op(self.op(region, "const", OpKind::Const(id), vec![]))
    }
    fn number(&mut self, region: RegionId, n: i64) -> Ref {
        self.value(region, Const::Int(n))
    }
    fn json(&mut self, region: RegionId, text: &str) -> Ref {
        self.value(region, Const::Json(text.into()))
    }
    fn call_native(&mut self, region: RegionId, id: &str, native: &str, arg: Ref) -> OpId {
        let native = self.native(native, Effect::External, 1);
        self.op(region, id, OpKind::Native(native), vec![arg])
    }
    /// Code of one instruction over registers 0 and 1, into 2.
    fn binary(&mut self, instr: Instr) -> CodeId {
        self.code("code", 2, 3, vec![instr, Instr::Return { src: 2 }])
    }
    /// `100 % x`.
    fn hundred_rem(&mut self) -> CodeId {
        let hundred = self.int(100);
        let instrs =
            vec![Instr::Const { dst: 1, value: hundred }, Instr::Rem { dst: 2, a: 1, b: 0 }, Instr::Return { src: 2 }];
        self.code("code", 1, 3, instrs)
    }
    /// The ints below `n`.
    fn range(&mut self, region: RegionId, n: i64) -> Ref {
        let (zero, end) = (self.int(0), self.int(n));
        let instrs = vec![
            Instr::Const { dst: 0, value: zero },
            Instr::Const { dst: 1, value: end },
            Instr::Range { dst: 2, a: 0, b: 1, inclusive: false },
            Instr::Return { src: 2 },
        ];
        let code = self.code("range", 0, 3, instrs);
        op(self.op(region, "range", Code(code), vec![]))
    }
    /// `for` over a value: the body comes last, so it is filled in afterwards.
    fn for_over(&mut self, region: RegionId, id: &str, items: Ref, keeps: bool, flatten: bool) -> (OpId, RegionId) {
        let body = self.region(RegionKind::For, Some(region), 2);
        (self.op(region, id, OpKind::For { body, keeps, flatten }, vec![items]), body)
    }
    fn run(self) -> Ran {
        self.run_with(&[], |_| {})
    }
    fn run_with(self, inputs: &[(String, Input)], mut listen: impl FnMut(&Event) + Send + 'static) -> Ran {
        JOURNAL.take();
        MOST.set(0);
        let host = Arc::new(Host::default().seeded(1));
        let plan = Arc::new(self.b.plan());
        let prepared = Prepared::new(plan, inputs, &host, &Natives::new(&NATIVES)).unwrap();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let options = Options { trace: true, cancel: self.cancel, ..Options::default() };
        let began = Instant::now();
        let events = Box::new(move |event: Event| listen(&event));
        let outcome = runtime.block_on(run(prepared, host, options, events));
        runtime.shutdown_background();
        Ran { outcome, took: began.elapsed(), journal: JOURNAL.take() }
    }
}

struct Ran {
    outcome: Outcome,
    took: Duration,
    journal: Vec<String>,
}

impl Ran {
    /// The outputs as text.
    fn outputs(&self) -> String {
        let all = self.outcome.outputs.iter().map(|(n, v)| format!("{n}={}", json::to_json(v)));
        all.collect::<Vec<_>>().join(" ")
    }
    /// Step, key and message of each error.
    fn errors(&self) -> Vec<String> {
        let all = self.outcome.errors.iter();
        all.map(|e| format!("{} {:?} {}", e.step, e.key, e.fault.message)).collect()
    }
    fn completed(&self) -> String {
        assert_eq!((self.outcome.status, self.errors()), (Status::Completed, vec![]));
        self.outputs()
    }
}

#[test]
fn a_for_gives_its_values_in_order_and_every_failure() {
    let mut t = Test::new();
    let code = t.hundred_rem();
    let items = t.json(MAIN, "[7, 0, 30, 0]");
    let (all, body) = t.for_over(MAIN, "all", items, false, false);
    let rest = t.op(body, "rest", Code(code), vec![Param(0)]);
    t.result(body, op(rest));
    let good = t.json(MAIN, "[7, 30]");
    let (fine, body) = t.for_over(MAIN, "fine", good, false, false);
    let rest = t.op(body, "rest", Code(code), vec![Param(0)]);
    t.result(body, op(rest));
    t.output("all", op(all));
    t.output("fine", op(fine));
    t.output("again", op(all));
    let ran = t.run();
    assert_eq!(ran.outputs(), "fine=[2,10]");
    assert_eq!(ran.outcome.status, Status::Failed);
    let zero = "division by zero: 100 % 0";
    assert_eq!(ran.errors(), [format!("main/rest [1] {zero}"), format!("main/rest [3] {zero}")]);
}

#[test]
fn a_for_keeps_flattens_and_goes_over_dicts() {
    let mut t = Test::new();
    let less = t.binary(Instr::LtInt { dst: 2, a: 0, b: 1 });
    let field = |at| vec![Instr::Field { dst: 0, src: 0, field: at }, Instr::Return { src: 0 }];
    let (key, value) = (t.code("key", 1, 1, field(0)), t.code("value", 1, 1, field(1)));
    let ten = t.number(MAIN, 10);
    let items = t.json(MAIN, r#"{"a": [1, 2], "b": [], "c": [30]}"#);
    let (flat, body) = t.for_over(MAIN, "flat", items, false, true);
    let v = t.op(body, "v", Code(value), vec![Param(0)]);
    t.result(body, op(v));
    let (keys, body) = t.for_over(MAIN, "keys", items, false, false);
    let k = t.op(body, "k", Code(key), vec![Param(0)]);
    t.result(body, op(k));
    let (small, body) = t.for_over(MAIN, "small", op(flat), true, false);
    let Ref::Op(ten) = ten else { panic!() };
    let keep = t.op(body, "keep", Code(less), vec![Param(0), outer(ten)]);
    t.result(body, op(keep));
    t.result(body, Param(1));
    let empty = t.json(MAIN, "[]");
    let (none, body) = t.for_over(MAIN, "none", empty, false, false);
    t.result(body, Param(0));
    for (name, value) in [("flat", flat), ("keys", keys), ("small", small), ("none", none)] {
        t.output(name, op(value));
    }
    assert_eq!(t.run().completed(), r#"flat=[1,2,30] keys=["a","b","c"] small=[0,1] none=[]"#);
}

#[test]
fn only_the_taken_branch_runs() {
    let mut t = Test::new();
    let yes = t.value(MAIN, Const::Bool(true));
    let (no, taken) = (t.region(RegionKind::Branch, Some(MAIN), 0), t.region(RegionKind::Branch, Some(MAIN), 0));
    let chosen = t.op(MAIN, "chosen", Select(vec![no, taken]), vec![yes]);
    for (branch, text) in [(no, "no"), (taken, "yes")] {
        let text = t.value(branch, Const::Str(text.into()));
        let note = t.call_native(branch, "note", "note", text);
        let also = t.call_native(branch, "also", "note", text);
        t.effect(branch, also);
        t.result(branch, op(note));
    }
    let unused = t.number(MAIN, 1);
    t.call_native(MAIN, "unused", "note", unused);
    t.output("chosen", op(chosen));
    let ran = t.run();
    assert_eq!(ran.completed(), r#"chosen="yes""#);
    assert_eq!(ran.journal, ["yes", "yes"]);
}

/// A workflow with two outputs, its parameter and a failing one, and an effect.
fn callee(t: &mut Test) -> RegionId {
    let callee = t.region(RegionKind::Workflow, None, 1);
    let code = t.hundred_rem();
    let rest = t.op(callee, "rest", Code(code), vec![Param(0)]);
    let effect = t.call_native(callee, "effect", "note", Param(0));
    t.effect(callee, effect);
    t.result(callee, Param(0));
    t.result(callee, op(rest));
    callee
}

#[test]
fn a_call_runs_its_effects_and_what_is_taken_of_it() {
    let mut t = Test::new();
    let callee = callee(&mut t);
    let items = t.json(MAIN, "[0, 7]");
    let (each, body) = t.for_over(MAIN, "each", items, false, false);
    let call = t.op(body, "call", Call(callee), vec![Param(0)]);
    let first = t.op(body, "first", Output(call, 0), vec![]);
    t.result(body, op(first));
    t.output("each", op(each));
    let ran = t.run();
    assert_eq!(ran.completed(), "each=[0,7]");
    assert_eq!(ran.journal, ["0", "7"]);

    // Taken whole, the other output fails; nobody else depends on that.
    let mut t = Test::new();
    let callee = self::callee(&mut t);
    let zero = t.number(MAIN, 0);
    let call = t.op(MAIN, "call", Call(callee), vec![zero]);
    let first = t.op(MAIN, "first", Output(call, 0), vec![]);
    t.output("first", op(first));
    t.output("whole", op(call));
    let ran = t.run();
    assert_eq!(ran.outputs(), "first=0");
    assert_eq!(ran.errors(), ["main/call/rest [] division by zero: 100 % 0"]);
    assert_eq!(ran.journal, ["0"]);

    // For its effects only.
    let mut t = Test::new();
    let callee = self::callee(&mut t);
    let zero = t.number(MAIN, 0);
    let call = t.op(MAIN, "call", Call(callee), vec![zero]);
    t.effect(MAIN, call);
    let ran = t.run();
    assert_eq!((ran.completed(), ran.journal), (String::new(), vec!["0".to_owned()]));
}

#[test]
fn failures_know_the_way_they_were_called() {
    let mut t = Test::new();
    let callee = callee(&mut t);
    let middle = t.region(RegionKind::Workflow, None, 1);
    let items = t.json(middle, "[5, 0]");
    let (inner, body) = t.for_over(middle, "inner", items, false, false);
    let call = t.op(body, "call", Call(callee), vec![Param(0)]);
    let rest = t.op(body, "out", Output(call, 1), vec![]);
    t.result(body, op(rest));
    t.result(middle, op(inner));
    let items = t.json(MAIN, "[1, 2]");
    let (outer, body) = t.for_over(MAIN, "outer", items, false, false);
    let call = t.op(body, "middle", Call(middle), vec![Param(0)]);
    t.result(body, op(call));
    t.output("outer", op(outer));
    let ran = t.run();
    let zero = "division by zero: 100 % 0";
    let expected = [0, 1].map(|i| format!("main/middle/call/rest [{i}, 1] {zero}"));
    assert_eq!(ran.errors(), expected);
}

/// `try` over a body that is filled in by `body`; the handler gives the code.
fn try_in(t: &mut Test, region: RegionId, id: &str) -> (OpId, RegionId) {
    let body = t.region(RegionKind::Try, Some(region), 0);
    let handler = t.region(RegionKind::Handler, Some(region), 1);
    let code = t.code("code_of", 1, 1, vec![Instr::Field { dst: 0, src: 0, field: 1 }, Instr::Return { src: 0 }]);
    let told = t.op(handler, "told", Code(code), vec![Param(0)]);
    t.result(handler, op(told));
    (t.op(region, id, Try(body, handler), vec![]), body)
}

#[test]
fn a_try_catches_values_and_effects() {
    let mut t = Test::new();
    let zero = t.number(MAIN, 0);
    let code = t.hundred_rem();
    // A binding outside that only the `try` needs.
    let outside = t.op(MAIN, "outside", Code(code), vec![zero]);
    let (through, body) = try_in(&mut t, MAIN, "through");
    t.result(body, outer(outside));
    // An effect inside whose value nobody takes.
    let (effect, body) = try_in(&mut t, MAIN, "effect");
    let text = t.value(body, Const::Str("way".into()));
    let failing = t.call_native(body, "failing", "fail", text);
    t.effect(body, failing);
    t.result(body, text);
    // An effect outside whose failure is caught.
    let text = t.value(MAIN, Const::Str("luck".into()));
    let failing = t.call_native(MAIN, "failing", "fail", text);
    t.effect(MAIN, failing);
    let (caught, body) = try_in(&mut t, MAIN, "caught");
    t.result(body, outer(failing));
    // Nothing fails.
    let (fine, body) = try_in(&mut t, MAIN, "fine");
    let text = t.value(body, Const::Str("fine".into()));
    t.result(body, text);
    for (name, value) in [("through", through), ("effect", effect), ("caught", caught), ("fine", fine)] {
        t.output(name, op(value));
    }
    let expected = r#"through="division by zero: 100 % 0" effect="no way" caught="no luck" fine="fine""#;
    assert_eq!(t.run().completed(), expected);
}

#[test]
fn an_effect_that_fails_is_told_and_stops_nothing_else() {
    let mut t = Test::new();
    let items = t.json(MAIN, "[1, 2]");
    let (all, body) = t.for_over(MAIN, "all", items, false, false);
    let failing = t.call_native(body, "failing", "fail", Param(0));
    t.effect(body, failing);
    t.result(body, Param(0));
    t.output("all", op(all));
    let ran = t.run();
    assert_eq!((ran.outputs(), ran.outcome.status), ("all=[1,2]".into(), Status::Failed));
    assert_eq!(ran.errors(), ["main/failing [0] no 1", "main/failing [1] no 2"]);
    let inputs: Vec<_> = ran.outcome.errors.iter().map(|e| format!("{:?}", e.inputs)).collect();
    assert_eq!(inputs, [r#"[("a", Number(1))]"#, r#"[("a", Number(2))]"#]);
}

#[test]
fn items_that_fail_are_skipped_on_purpose() {
    let mut t = Test::new();
    let code = t.hundred_rem();
    let items = t.json(MAIN, "[7, 0, 30]");
    let (pure, body) = t.for_over(MAIN, "pure", items, false, false);
    t.last_op(MAIN).policy.skip_errors = true;
    let rest = t.op(body, "rest", Code(code), vec![Param(0)]);
    t.result(body, op(rest));
    // The effect of each item fails, but for the one whose branch has none.
    let (stirred, body) = t.for_over(MAIN, "stirred", items, false, false);
    t.last_op(MAIN).policy.skip_errors = true;
    let is_zero = {
        let zero = t.int(0);
        let instrs =
            vec![Instr::Const { dst: 1, value: zero }, Instr::Eq { dst: 2, a: 0, b: 1 }, Instr::Return { src: 2 }];
        t.code("is_zero", 1, 3, instrs)
    };
    let is_zero = t.op(body, "is_zero", Code(is_zero), vec![Param(0)]);
    let (failing, calm) = (t.region(RegionKind::Branch, Some(body), 0), t.region(RegionKind::Branch, Some(body), 0));
    let chosen = t.op(body, "chosen", Select(vec![failing, calm]), vec![op(is_zero)]);
    t.result(calm, OuterParam { up: 1, param: 0 });
    let effect = t.call_native(failing, "effect", "fail", OuterParam { up: 1, param: 0 });
    t.effect(failing, effect);
    t.result(failing, OuterParam { up: 1, param: 0 });
    t.result(body, op(chosen));
    t.output("pure", op(pure));
    t.output("stirred", op(stirred));
    assert_eq!(t.run().completed(), "pure=[2,10] stirred=[0]");
}

/// `loop x = 1, max { until x > 50; note(x); next x * 2 }`.
fn doubling(t: &mut Test, max: i64) -> OpId {
    let (max, one) = (t.number(MAIN, max), t.number(MAIN, 1));
    let body = t.region(RegionKind::Loop, Some(MAIN), 1);
    let constants = (t.int(50), t.int(2));
    let until = vec![
        Instr::Const { dst: 1, value: constants.0 },
        Instr::LtInt { dst: 2, a: 1, b: 0 },
        Instr::Return { src: 2 },
    ];
    let next = vec![
        Instr::Const { dst: 1, value: constants.1 },
        Instr::MulInt { dst: 2, a: 1, b: 0 },
        Instr::Return { src: 2 },
    ];
    let (until, next) = (t.code("until", 1, 3, until), t.code("next", 1, 3, next));
    let until = t.op(body, "until", Code(until), vec![Param(0)]);
    let next = t.op(body, "next", Code(next), vec![Param(0)]);
    let note = t.call_native(body, "note", "note", Param(0));
    t.effect(body, note);
    t.result(body, op(until));
    t.result(body, op(next));
    t.op(MAIN, "doubled", Loop(body), vec![max, one])
}

#[test]
fn loops_end_at_until_or_with_their_rounds() {
    let mut t = Test::new();
    let doubled = doubling(&mut t, 100);
    t.output("doubled", op(doubled));
    let ran = t.run();
    assert_eq!(ran.completed(), "doubled=64");
    assert_eq!((ran.journal.join(" "), ran.outcome.warnings.len()), ("1 2 4 8 16 32".into(), 0));
    for (max, result) in [(3, "doubled=8"), (0, "doubled=1"), (-1, "doubled=1")] {
        let mut t = Test::new();
        let doubled = doubling(&mut t, max);
        t.output("doubled", op(doubled));
        let ran = t.run();
        assert_eq!(ran.completed(), result);
        assert!(ran.outcome.warnings[0].ends_with("used up its rounds"), "{:?}", ran.outcome.warnings);
    }
}

#[test]
fn sources_nest_and_collect_per_parent() {
    let mut t = Test::new();
    let code = t.hundred_rem();
    let lists = t.json(MAIN, "[[7, 30], [], [40]]");
    let one = t.region(RegionKind::Source, Some(MAIN), 2);
    let each = t.each(MAIN, "each", one, lists);
    let two = t.region(RegionKind::Source, Some(one), 2);
    let inner = t.each(one, "inner", two, Param(0));
    let rest = t.op(two, "rest", Code(code), vec![Param(0)]);
    let index = t.call_native(two, "note", "note", OuterParam { up: 1, param: 1 });
    t.effect(two, index);
    let per_list = t.collect(one, "per_list", op(inner), op(rest));
    let items = t.collect(one, "items", op(inner), Param(0));
    let rests = t.collect(MAIN, "rests", op(each), op(per_list));
    let same = t.collect(MAIN, "same", op(each), op(items));
    t.output("rests", op(rests));
    t.output("same", op(same));
    let ran = t.run();
    assert_eq!(ran.completed(), "rests=[[2,10],[],[20]] same=[[7,30],[],[40]]");
    assert_eq!(ran.journal, ["0", "0", "2"]);
}

#[test]
fn after_waits_for_effects_within() {
    let mut t = Test::new();
    // A workflow whose value is there at once and whose effect takes its time.
    let callee = t.region(RegionKind::Workflow, None, 0);
    let ms = t.number(callee, 30);
    let effect = t.call_native(callee, "effect", "slow", ms);
    t.effect(callee, effect);
    t.result(callee, ms);
    let call = t.op(MAIN, "call", Call(callee), vec![]);
    let text = t.value(MAIN, Const::Str("later".into()));
    let later = t.call_native(MAIN, "later", "note", text);
    t.last_op(MAIN).after.push(op(call));
    let second = t.op(MAIN, "second", Call(callee), vec![]);
    t.last_op(MAIN).after.push(op(later));
    t.effect(MAIN, later);
    t.effect(MAIN, second);
    t.output("call", op(call));
    let ran = t.run();
    assert_eq!(ran.completed(), "call=30");
    assert_eq!(ran.journal, ["slow 30", "later", "slow 30"]);

    // A failure there fails what comes after, told once.
    let mut t = Test::new();
    let callee = t.region(RegionKind::Workflow, None, 0);
    let text = t.value(callee, Const::Str("way".into()));
    let effect = t.call_native(callee, "effect", "fail", text);
    t.effect(callee, effect);
    t.result(callee, text);
    let call = t.op(MAIN, "call", Call(callee), vec![]);
    let text = t.value(MAIN, Const::Str("later".into()));
    let later = t.call_native(MAIN, "later", "note", text);
    t.last_op(MAIN).after.push(op(call));
    t.output("call", op(call));
    t.output("later", op(later));
    let ran = t.run();
    assert_eq!((ran.outputs(), ran.errors()), (r#"call="way""#.into(), vec!["main/call/effect [] no way".into()]));
    assert!(ran.journal.is_empty());
}

#[test]
fn a_requirement_tells_its_message_only_if_it_fails() {
    for (holds, errors) in [(true, vec![]), (false, vec!["main/require [] must be even"])] {
        let mut t = Test::new();
        let cond = t.value(MAIN, Const::Bool(holds));
        let message = if holds {
            let (code, zero) = (t.hundred_rem(), t.number(MAIN, 0));
            op(t.op(MAIN, "message", Code(code), vec![zero]))
        } else {
            t.value(MAIN, Const::Str("must be even".into()))
        };
        let require = t.op(MAIN, "require", Require, vec![cond, message]);
        t.effect(MAIN, require);
        let value = t.number(MAIN, 1);
        let (code, ..) = (t.code("same", 1, 1, vec![Instr::Return { src: 0 }]), ());
        let given = t.op(MAIN, "given", Code(code), vec![value]);
        t.last_op(MAIN).after.push(op(require));
        t.output("given", op(given));
        let ran = t.run();
        assert_eq!(ran.errors(), errors);
        assert_eq!(ran.outputs(), if holds { "given=1" } else { "" });
    }
}

#[test]
fn external_calls_run_side_by_side_within_bounds() {
    for (parallel, most) in [(None, 32), (Some(4), 4), (Some(50), 50)] {
        let mut t = Test::new();
        let items = t.range(MAIN, 100);
        let ms = t.number(MAIN, 10);
        let Ref::Op(ms) = ms else { panic!() };
        let (all, body) = t.for_over(MAIN, "all", items, false, false);
        t.last_op(MAIN).policy.parallel = parallel;
        let slow = t.call_native(body, "slow", "slow", outer(ms));
        t.result(body, op(slow));
        t.output("all", op(all));
        let ran = t.run();
        ran.completed();
        assert_eq!(MOST.get(), most);
    }
}

#[test]
fn blocking_natives_run_on_the_pool() {
    let mut t = Test::new();
    let items = t.range(MAIN, 20);
    let (all, body) = t.for_over(MAIN, "all", items, false, false);
    let slow = t.call_native(body, "block", "block", Param(1));
    t.result(body, op(slow));
    t.output("all", op(all));
    let ran = t.run();
    assert_eq!(ran.completed(), format!("all={:?}", (0..20).collect::<Vec<_>>()).replace(' ', ""));
    assert!(ran.took < Duration::from_millis(350), "{:?}", ran.took);
}

#[test]
fn tries_again_within_its_policy() {
    let with = |retry: Option<u32>, fails: i64| {
        let mut t = Test::new();
        let n = t.number(MAIN, fails);
        let flaky = t.call_native(MAIN, "flaky", "flaky", n);
        t.last_op(MAIN).policy.retry = retry;
        t.last_op(MAIN).policy.backoff = Some(1_000_000);
        t.output("flaky", op(flaky));
        t.run()
    };
    assert_eq!(with(Some(3), 2).completed(), "flaky=3");
    assert_eq!(with(Some(2), 2).completed(), "flaky=3");
    let failed = with(Some(1), 2);
    assert_eq!((failed.errors().len(), failed.outcome.errors[0].attempt), (1, 2));
    assert_eq!(with(None, 1).outcome.errors[0].attempt, 1);
}

#[test]
fn what_takes_too_long_or_panics_fails() {
    let mut t = Test::new();
    let ms = t.number(MAIN, 60_000);
    let slow = t.call_native(MAIN, "slow", "slow", ms);
    t.last_op(MAIN).policy.timeout = Some(20_000_000);
    let burst = t.call_native(MAIN, "burst", "burst", ms);
    t.output("slow", op(slow));
    t.output("burst", op(burst));
    let ran = t.run();
    assert_eq!(ran.errors(), ["main/slow [] it took longer than 20ms", "main/burst [] a bug in NTL: burst"]);
    assert_eq!(ran.outcome.errors[0].fault.code, "timeout");
    assert!(ran.took < Duration::from_secs(5));
}

/// Code that never ends.
fn endless(t: &mut Test) -> OpId {
    let code = t.code("endless", 0, 1, vec![Instr::Jump { to: 0 }]);
    t.op(MAIN, "endless", Code(code), vec![])
}

#[test]
fn a_run_is_cancelled() {
    let mut t = Test::new();
    let endless = endless(&mut t);
    let ms = t.number(MAIN, 60_000);
    let slow = t.call_native(MAIN, "slow", "slow", ms);
    // Pure code that never ends does not keep what waits for the world from starting and ending.
    let ten = t.number(MAIN, 10);
    let quick = t.call_native(MAIN, "quick", "slow", ten);
    t.output("endless", op(endless));
    t.output("slow", op(slow));
    t.output("quick", op(quick));
    let cancel = t.cancel.clone();
    let ran = t.run_with(&[], move |event| {
        if let Event::Output { .. } = event {
            cancel.cancel();
        }
    });
    assert_eq!(ran.outcome.status, Status::Cancelled);
    assert_eq!((ran.outputs(), ran.errors()), ("quick=10".into(), vec![]));
    assert!(ran.took < Duration::from_secs(4), "{:?}", ran.took);
}

#[test]
fn many_that_each_take_a_slice_leave_others_their_turn() {
    let mut t = Test::new();
    let [rounds, one, zero] = [4_000, 1, 0].map(|n| t.b.int(n));
    let busy = t.code(
        "busy",
        1,
        5,
        vec![
            Instr::Const { dst: 1, value: rounds },
            Instr::Const { dst: 2, value: one },
            Instr::Const { dst: 3, value: zero },
            Instr::SubInt { dst: 1, a: 1, b: 2 },
            Instr::LtInt { dst: 4, a: 3, b: 1 },
            Instr::JumpIf { cond: 4, to: 3 },
            Instr::Return { src: 0 },
        ],
    );
    let items = t.range(MAIN, 300);
    let (all, body) = t.for_over(MAIN, "all", items, false, false);
    let item = t.op(body, "busy", Code(busy), vec![Param(0)]);
    t.result(body, op(item));
    let one = t.number(MAIN, 1);
    let quick = t.call_native(MAIN, "quick", "slow", one);
    t.output("all", op(all));
    t.output("quick", op(quick));
    let ended = Arc::new(std::sync::Mutex::new(Vec::new()));
    let seen = ended.clone();
    t.run_with(&[], move |event| {
        if let Event::Output { name, .. } = event {
            seen.lock().unwrap().push(name.to_string());
        }
    });
    assert_eq!(*ended.lock().unwrap(), ["quick", "all"]);
}

#[test]
fn many_items_are_quick_and_leave_nothing() {
    let mut t = Test::new();
    let code = t.binary(Instr::AddInt { dst: 2, a: 0, b: 1 });
    let items = t.range(MAIN, 100_000);
    let (all, body) = t.for_over(MAIN, "all", items, false, false);
    let sum = t.op(body, "sum", Code(code), vec![Param(0), Param(1)]);
    let more = t.op(body, "more", Code(code), vec![op(sum), Param(1)]);
    t.result(body, op(more));
    let last = t.code(
        "last",
        1,
        3,
        vec![Instr::Len { dst: 1, src: 0 }, Instr::Item { dst: 2, src: 0, index: 1 }, Instr::Return { src: 1 }],
    );
    t.last_code().instrs.remove(1);
    t.last_code().spans.remove(1);
    let count = t.op(MAIN, "count", Code(last), vec![op(all)]);
    t.output("count", op(count));
    let plan = Arc::new(t.b.plan());
    let host = Arc::new(Host::default());
    let prepared = Prepared::new(plan, &[], &host, &Natives::default()).unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let began = Instant::now();
    let outcome = runtime.block_on(run(prepared, host, Options::default(), Box::new(drop)));
    assert_eq!(outcome.outputs[0].1, Value::Int(100_000));
    // A debug build, on a machine that may be busy: a bound that only a quadratic mistake breaks.
    assert!(began.elapsed() < Duration::from_secs(20), "{:?}", began.elapsed());
}

#[test]
fn events_come_in_order() {
    let mut t = Test::new();
    let text = t.value(MAIN, Const::Str("hello".into()));
    let note = t.call_native(MAIN, "note", "note", text);
    t.output("note", op(note));
    let (sender, receiver) = std::sync::mpsc::channel();
    t.run_with(&[], move |event| drop(sender.send(event.clone()))).completed();
    let shown = receiver.iter().map(|event| match event {
        Event::RunStarted { workflow, .. } => format!("run {workflow}"),
        Event::StepStarted { step, attempt, .. } => format!("start {step} {attempt}"),
        Event::StepFinished { step, status, .. } => format!("end {step} {status:?}"),
        Event::Output { name, value } => format!("{name}={value:?}"),
        Event::Log { level, step, message } => format!("{level} {} {message}", step.unwrap_or_default()),
        Event::WindowGrown { step, .. } => format!("window of {step}"),
        Event::RunFinished { status, errors, steps, .. } => format!("{status:?} {errors} {steps}"),
    });
    let expected = [
        "run main",
        "start main/note 1",
        "info main/note hello",
        "end main/note Ok",
        "note=\"hello\"",
        "Completed 0 1",
    ];
    assert_eq!(shown.collect::<Vec<_>>(), expected);
}

#[test]
fn plans_from_elsewhere_are_checked() {
    let mut t = Test::new();
    let value = t.number(MAIN, 1);
    t.output("value", value);
    t.last_op(MAIN).span = SpanId(99);
    let host = Host::default();
    let (errors, exit) = Prepared::new(Arc::new(t.b.plan()), &[], &host, &Natives::default()).unwrap_err();
    assert_eq!((errors[0].fault.code.as_str(), exit), ("invalid", 2));
}
