//! Random plans, run by the scheduler and by a plain recursive evaluator that says what must come out: outputs, errors
//! with their keys, and which effects happened.

use super::tests::{NATIVES, Test};
use crate::native::Natives;
use crate::run::{Event, Options, Prepared, run};
use crate::value::{Value, brief};
use ntl_host::Host;
use ntl_plan::{
    CodeId, Const, Effect, Instr, NativeId, Op, OpId, OpKind, Opens, Plan, Ref, RegionId, RegionKind, Stream,
};
use ntl_plan::{StreamFn, Take};
use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;
use std::sync::Arc;

// ── random plans ──────────────────────────────────────────────────────────────────────────────────────────────────────

/// What the values of a plan are: ints, bools, lists of ints.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Kind {
    Int,
    Bool,
    List,
}

struct Gen {
    t: Test,
    state: u64,
    ops_left: u32,
    codes: HashMap<&'static str, CodeId>,
    odd: NativeId,
    /// Workflows that may be called: region, parameters.
    workflows: Vec<(RegionId, u32)>,
    /// The values of each region that is being built, outermost first.
    scopes: Vec<Scope>,
}

struct Scope {
    region: RegionId,
    values: Vec<(Ref, Kind)>,
    /// Operations that may run for their effects.
    effects: Vec<OpId>,
    /// Sources, and what their items have.
    sources: Vec<(OpId, Vec<Ref>)>,
}

impl Gen {
    fn new(seed: u64) -> Self {
        let mut t = Test::new();
        let two = |instr| vec![instr, Instr::Return { src: 2 }];
        let mut codes = HashMap::new();
        codes.insert("rem", t.code("rem", 2, 3, two(Instr::Rem { dst: 2, a: 0, b: 1 })));
        codes.insert("sub", t.code("sub", 2, 3, two(Instr::Sub { dst: 2, a: 0, b: 1 })));
        codes.insert("less", t.code("less", 2, 3, two(Instr::Lt { dst: 2, a: 0, b: 1 })));
        codes.insert("pair", t.code("pair", 2, 3, two(Instr::List { dst: 2, first: 0, count: 2 })));
        codes.insert("join", t.code("join", 2, 3, two(Instr::Append { dst: 2, a: 0, b: 1 })));
        codes.insert("len", t.code("len", 1, 3, two(Instr::Len { dst: 2, src: 0 })));
        let odd = t.native("odd", Effect::Write, 1);
        Gen { t, state: seed, ops_left: 40, codes, odd, workflows: vec![], scopes: vec![] }
    }

    fn random(&mut self, below: u64) -> u64 {
        self.state = self.state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.state >> 33) % below
    }

    fn chance(&mut self, percent: u64) -> bool {
        self.random(100) < percent
    }

    /// A value of a kind that the innermost region may take: one that is there, or a constant.
    fn pick(&mut self, kind: Kind) -> Ref {
        let innermost = self.scopes.len() - 1;
        let mut found = Vec::new();
        for (depth, scope) in self.scopes.iter().enumerate() {
            let up = (innermost - depth) as u32;
            found.extend(scope.values.iter().filter(|(_, k)| *k == kind).map(|(r, _)| match (*r, up) {
                (r, 0) => r,
                (Ref::Op(op), up) => Ref::Outer { up, op },
                (Ref::Param(param), up) => Ref::OuterParam { up, param },
                (r, _) => r,
            }));
        }
        if !found.is_empty() && self.chance(85) {
            let at = self.random(found.len() as u64);
            return found[at as usize];
        }
        let n = self.random(5) as i64 - 1;
        let value = match kind {
            Kind::Int => Const::Int(n),
            Kind::Bool => Const::Bool(n > 1),
            Kind::List => Const::Json(format!("{:?}", (0..n.max(0)).collect::<Vec<_>>()).into()),
        };
        let id = self.t.constant(value);
        Ref::Op(self.add(OpKind::Const(id), vec![], kind, false))
    }

    fn add(&mut self, kind: OpKind, inputs: Vec<Ref>, value: Kind, after: bool) -> OpId {
        let scope = self.scopes.last().unwrap();
        let region = scope.region;
        let before: Vec<Ref> = if after { scope.values.iter().map(|(r, _)| *r).collect() } else { vec![] };
        let name = format!("o{}", self.t.spans.len());
        let id = self.t.op(region, &name, kind, inputs);
        if !before.is_empty() && self.chance(25) {
            let at = self.random(before.len() as u64);
            self.t.last_op(region).after.push(before[at as usize]);
        }
        self.scopes.last_mut().unwrap().values.push((Ref::Op(id), value));
        id
    }

    /// A region of the innermost one, with what it is given and so many results.
    fn inner(&mut self, kind: RegionKind, given: &[Kind], results: &[Kind]) -> RegionId {
        let parent = self.scopes.last().unwrap().region;
        let region = self.t.region(kind, Some(parent), given.len() as u32);
        self.fill(region, given, results);
        region
    }

    fn fill(&mut self, region: RegionId, given: &[Kind], results: &[Kind]) -> Scope {
        let values = given.iter().enumerate().map(|(i, k)| (Ref::Param(i as u32), *k)).collect();
        self.scopes.push(Scope { region, values, effects: vec![], sources: vec![] });
        let count = self.random(4) + 1;
        for _ in 0..count {
            self.step();
        }
        let results: Vec<Ref> = results.iter().map(|kind| self.pick(*kind)).collect();
        let scope = self.scopes.pop().unwrap();
        for result in results {
            self.t.result(region, result);
        }
        for effect in &scope.effects {
            self.t.effect(region, *effect);
        }
        scope
    }

    /// One more operation in the innermost region.
    fn step(&mut self) {
        use Kind::{Bool, Int, List};
        let nested = self.scopes.len() < 5 && self.ops_left > 0;
        self.ops_left = self.ops_left.saturating_sub(1);
        let code = |g: &Self, name| OpKind::Code(g.codes[name]);
        let choice = self.random(if nested { 19 } else { 9 });
        match choice {
            0..=3 => {
                let (name, kind) = [("rem", Int), ("sub", Int), ("less", Bool), ("pair", List)][choice as usize];
                let inputs = vec![self.pick(Int), self.pick(Int)];
                let kind_of = code(self, name);
                self.add(kind_of, inputs, kind, true);
            }
            4 => {
                let inputs = vec![self.pick(List), self.pick(List)];
                let kind_of = code(self, "join");
                self.add(kind_of, inputs, List, true);
            }
            5 => {
                let inputs = vec![self.pick(List)];
                let kind_of = code(self, "len");
                self.add(kind_of, inputs, Int, true);
            }
            6 | 7 => {
                let input = self.pick(Int);
                let id = self.add(OpKind::Native(self.odd), vec![input], Int, true);
                if self.chance(60) {
                    self.effect(id);
                }
            }
            8 => {
                let inputs = vec![self.pick(Bool), self.pick(Int)];
                let id = self.add(OpKind::Require, inputs, Bool, true);
                // Its value is null: nobody takes it but what comes after.
                self.scopes.last_mut().unwrap().values.pop();
                self.effect(id);
            }
            9 | 10 => {
                let cond = self.pick(Bool);
                let branches =
                    vec![self.inner(RegionKind::Branch, &[], &[Int]), self.inner(RegionKind::Branch, &[], &[Int])];
                self.holder(OpKind::Select(branches), vec![cond], Int);
            }
            11 | 12 => {
                let (items, keeps, skips) = (self.pick(List), self.chance(40), self.chance(30));
                let body = self.inner(RegionKind::For, &[Int, Int], if keeps { &[Bool, Int] } else { &[Int] });
                self.holder(OpKind::For { body, keeps, flatten: false }, vec![items], List);
                let region = self.scopes.last().unwrap().region;
                self.t.last_op(region).policy.skip_errors = skips;
                self.t.last_op(region).policy.parallel = if self.chance(30) { Some(1) } else { None };
            }
            13 | 14 => {
                let body = self.inner(RegionKind::Try, &[], &[Int]);
                let handler = self.inner(RegionKind::Handler, &[], &[Int]);
                // The handler is given a record; nobody here looks into it.
                self.t.regions[handler.at()].params = 1;
                self.holder(OpKind::Try(body, handler), vec![], Int);
            }
            15 => {
                let body = self.inner(RegionKind::Block, &[], &[List]);
                self.holder(OpKind::Block(body), vec![], List);
            }
            16 => {
                let inputs = vec![self.pick(Int), self.pick(Int)];
                let body = self.inner(RegionKind::Loop, &[Int], &[Bool, Int]);
                self.holder(OpKind::Loop(body), inputs, Int);
            }
            17 => {
                let parent = self.scopes.last().unwrap().region;
                let items = self.pick(List);
                let body = self.t.region(RegionKind::Source, Some(parent), 2);
                let scope = self.fill(body, &[Int, Int], &[]);
                let ints = scope.values.iter().filter(|(_, k)| *k == Int).map(|(r, _)| *r).collect();
                let opens = Some(Opens { region: body, drives: false, late: false });
                let each = Stream { from: StreamFn::Each, opens, per: None };
                let each = self.add(OpKind::Stream(each), vec![items], Int, true);
                let scope = self.scopes.last_mut().unwrap();
                scope.values.pop();
                scope.sources.push((each, ints));
                if self.chance(40) {
                    self.effect(each);
                }
                self.collect();
            }
            _ => {
                if self.chance(50) {
                    return self.collect();
                }
                let Some(&(workflow, params)) = self.workflows.last() else { return };
                let inputs = (0..params).map(|_| self.pick(Int)).collect();
                let call = self.add(OpKind::Call(workflow), inputs, Int, true);
                // A record: its outputs are taken one by one.
                self.scopes.last_mut().unwrap().values.pop();
                if self.chance(50) {
                    self.effect(call);
                }
                for n in 0..2 {
                    if self.chance(60) {
                        self.add(OpKind::Output(call, n), vec![], Int, false);
                    }
                }
            }
        }
    }

    fn holder(&mut self, kind: OpKind, inputs: Vec<Ref>, value: Kind) {
        let id = self.add(kind, inputs, value, true);
        if self.chance(40) {
            self.effect(id);
        }
    }

    fn effect(&mut self, id: OpId) {
        self.scopes.last_mut().unwrap().effects.push(id);
    }

    /// Collects a value of a source of this region or an outer one.
    fn collect(&mut self) {
        let innermost = self.scopes.len() - 1;
        let found = self.scopes.iter().enumerate().flat_map(|(depth, scope)| {
            let up = (innermost - depth) as u32;
            let place = move |op: OpId| if up == 0 { Ref::Op(op) } else { Ref::Outer { up, op } };
            scope.sources.iter().flat_map(move |(each, ints)| ints.iter().map(move |int| (place(*each), *int)))
        });
        let found: Vec<_> = found.collect();
        if !found.is_empty() {
            let (each, value) = found[self.random(found.len() as u64) as usize];
            let collect = Stream { from: StreamFn::Collect, opens: None, per: None };
            self.add(OpKind::Stream(collect), vec![], Kind::List, true);
            let region = self.scopes.last().unwrap().region;
            self.t.last_op(region).takes = vec![Take { source: each, values: vec![value], kept: false }];
        }
    }

    fn plan(mut self) -> Plan {
        for _ in 0..2 {
            let workflow = self.t.region(RegionKind::Workflow, None, 2);
            self.ops_left = 8;
            self.fill(workflow, &[Kind::Int, Kind::Int], &[Kind::Int, Kind::Int]);
            self.workflows.push((workflow, 2));
        }
        self.ops_left = 30;
        let kinds = [Kind::Int, Kind::Int, Kind::List, Kind::List];
        self.fill(RegionId(0), &[], &kinds);
        let any = self.t.ty(ntl_plan::Type::Any);
        self.t.outputs = ["a", "b", "c", "d"].map(|n| ntl_plan::Output { name: n.into(), ty: any }).to_vec();
        self.t.into_plan()
    }
}

// ── what must come out ────────────────────────────────────────────────────────────────────────────────────────────────

/// Failures: step, key and message, which are different for each.
type Set = BTreeSet<String>;

/// Which operation an instance was made by, and which it stands in, by the address of the instance.
type Spot = (*const Inst, u32);

struct Inst {
    region: RegionId,
    creator: Option<(Rc<Inst>, u32)>,
    index: u64,
    given: Vec<Value>,
    memo: RefCell<HashMap<u32, Result<Value, Set>>>,
    calls: RefCell<HashMap<u32, Result<Rc<Inst>, Set>>>,
    sources: RefCell<HashMap<u32, Vec<Rc<Inst>>>>,
    own: RefCell<Set>,
    inherited: RefCell<Set>,
    /// Of each operation: effects of its regions that failed.
    lost: RefCell<HashMap<u32, (Set, Set)>>,
}

struct Oracle<'p> {
    plan: &'p Plan,
    journal: RefCell<Vec<String>>,
    /// Within which operations each failure happened, and within which it was caught.
    within: RefCell<HashMap<String, Vec<Spot>>>,
    caught: RefCell<HashMap<String, Vec<Spot>>>,
    /// Instances stay where they are: their addresses are their names.
    kept: RefCell<Vec<Rc<Inst>>>,
}

impl<'p> Oracle<'p> {
    fn inst(&self, region: RegionId, creator: Option<(Rc<Inst>, u32)>, index: u64, given: Vec<Value>) -> Rc<Inst> {
        let inst = Rc::new(Inst {
            region,
            creator,
            index,
            given,
            memo: RefCell::default(),
            calls: RefCell::default(),
            sources: RefCell::default(),
            own: RefCell::default(),
            inherited: RefCell::default(),
            lost: RefCell::default(),
        });
        self.kept.borrow_mut().push(inst.clone());
        inst
    }

    fn op(&self, inst: &Inst, o: u32) -> &'p Op {
        &self.plan.regions[inst.region.at()].ops[o as usize]
    }

    /// Where a reference leads: an operation of an instance, or a value.
    fn locate(&self, inst: &Rc<Inst>, reference: Ref) -> Result<(Rc<Inst>, u32), Value> {
        let (up, param, n) = match reference {
            Ref::Op(op) => (0, false, op.0),
            Ref::Outer { up, op } => (up, false, op.0),
            Ref::Param(n) => (0, true, n),
            Ref::OuterParam { up, param } => (up, true, param),
        };
        let mut at = inst.clone();
        for _ in 0..up {
            let creator = at.creator.clone().unwrap();
            at = creator.0;
        }
        if !param {
            return Ok((at, n));
        }
        match at.given.get(n as usize) {
            Some(value) => Err(value.clone()),
            None => {
                let (caller, call) = at.creator.clone().unwrap();
                let reference = self.op(&caller, call).inputs[n as usize];
                self.locate(&caller, reference)
            }
        }
    }

    fn value(&self, inst: &Rc<Inst>, reference: Ref) -> Result<Value, Set> {
        match self.locate(inst, reference) {
            Ok((inst, o)) => self.end(&inst, o),
            Err(value) => Ok(value),
        }
    }

    fn end(&self, inst: &Rc<Inst>, o: u32) -> Result<Value, Set> {
        if let Some(end) = inst.memo.borrow().get(&o) {
            return end.clone();
        }
        let end = self.compute(inst, o);
        inst.memo.borrow_mut().insert(o, end.clone());
        end
    }

    fn failure(&self, inst: &Rc<Inst>, o: u32, message: &str) -> Set {
        let mut key = Vec::new();
        let mut step = vec![self.op(inst, o).id.to_string()];
        let mut at = inst.clone();
        loop {
            let kind = self.plan.regions[at.region.at()].kind;
            if matches!(kind, RegionKind::For | RegionKind::Source | RegionKind::Loop) {
                key.push(at.index);
            }
            let Some((creator, call)) = at.creator.clone() else { break };
            if kind == RegionKind::Workflow {
                step.push(self.op(&creator, call).id.to_string());
            }
            at = creator;
        }
        step.push("main".into());
        step.reverse();
        key.reverse();
        let failure = format!("{} {key:?} {message}", step.join("/"));
        self.within.borrow_mut().insert(failure.clone(), spots(inst, o));
        Set::from([failure])
    }

    /// What an operation comes after: what failed of that.
    fn after(&self, inst: &Rc<Inst>, op: &Op) -> Set {
        let mut failed = Set::new();
        for after in &op.after {
            failed.extend(self.value(inst, *after).err().into_iter().flatten());
        }
        for after in &op.after {
            let Ok((at, o)) = self.locate(inst, *after) else { continue };
            if let Some((own, inherited)) = at.lost.borrow().get(&o) {
                let is_source = matches!(&self.op(&at, o).kind, OpKind::Stream(stream) if stream.opens.is_some());
                let spot = Some((Rc::as_ptr(&at), o));
                failed.extend(own.iter().filter(|f| is_source || !self.is_caught(f, spot)).cloned());
                failed.extend(inherited.iter().cloned());
            }
        }
        failed
    }

    fn is_caught(&self, failure: &str, within: Option<Spot>) -> bool {
        let caught = self.caught.borrow();
        caught.get(failure).is_some_and(|spots| within.is_none_or(|w| spots.contains(&w)))
    }

    fn catch(&self, inst: &Rc<Inst>, o: u32, failures: &Set) {
        for failure in failures {
            self.caught.borrow_mut().entry(failure.clone()).or_default().extend(spots(inst, o));
        }
    }

    /// Effects that failed, as far as nobody within the operation caught them.
    fn judged(&self, own: &Set, inherited: &Set, within: Option<Spot>) -> Set {
        let own = own.iter().filter(|f| !self.is_caught(f, within));
        own.chain(inherited).cloned().collect()
    }

    /// Effects failed: that goes up to the nearest instance that is judged.
    fn lose(&self, inst: &Rc<Inst>, own: &Set, inherited: &Set) {
        let kind = self.plan.regions[inst.region.at()].kind;
        match &inst.creator {
            Some((creator, o)) if matches!(kind, RegionKind::Workflow | RegionKind::Source) => {
                self.note_lost(creator, *o, own, inherited);
                self.lose(creator, own, inherited);
            }
            _ => {
                inst.own.borrow_mut().extend(own.iter().cloned());
                inst.inherited.borrow_mut().extend(inherited.iter().cloned());
            }
        }
    }

    fn note_lost(&self, inst: &Inst, o: u32, own: &Set, inherited: &Set) {
        let mut lost = inst.lost.borrow_mut();
        let (there_own, there_inherited) = lost.entry(o).or_default();
        there_own.extend(own.iter().cloned());
        there_inherited.extend(inherited.iter().cloned());
    }

    fn effects(&self, inst: &Rc<Inst>) {
        for effect in &self.plan.regions[inst.region.at()].effects {
            if let OpKind::Call(_) = self.op(inst, effect.0).kind {
                if let Err(failed) = self.call(inst, effect.0) {
                    self.lose(inst, &Set::new(), &failed);
                }
                continue;
            }
            if let Err(failed) = self.end(inst, effect.0) {
                let spot = (Rc::as_ptr(inst), effect.0);
                let within = self.within.borrow();
                let (own, inherited) = failed.into_iter().partition(|f| within[f].contains(&spot));
                drop(within);
                self.lose(inst, &own, &inherited);
            }
        }
    }

    fn call(&self, inst: &Rc<Inst>, o: u32) -> Result<Rc<Inst>, Set> {
        if let Some(known) = inst.calls.borrow().get(&o) {
            return known.clone();
        }
        let op = self.op(inst, o);
        let failed = self.after(inst, op);
        let OpKind::Call(region) = op.kind else { unreachable!() };
        if !failed.is_empty() {
            inst.calls.borrow_mut().insert(o, Err(failed.clone()));
            return Err(failed);
        }
        let callee = self.inst(region, Some((inst.clone(), o)), 0, vec![]);
        inst.calls.borrow_mut().insert(o, Ok(callee.clone()));
        self.effects(&callee);
        Ok(callee)
    }

    /// An instance of a region that an operation holds, from its beginning to its results; `first` are looked at before
    /// its effects start, and say whether it goes on.
    fn child(&self, at: &Rc<Inst>, o: u32, region: RegionId, index: u64, given: Vec<Value>) -> Rc<Inst> {
        self.inst(region, Some((at.clone(), o)), index, given)
    }

    fn results(&self, child: &Rc<Inst>, skip: usize) -> Vec<Result<Value, Set>> {
        let results = &self.plan.regions[child.region.at()].results;
        results.iter().skip(skip).map(|r| self.value(child, *r)).collect()
    }

    /// An instance has ended: its failures go up.
    fn settle(&self, child: &Rc<Inst>) {
        let (creator, o) = child.creator.clone().unwrap();
        let (own, inherited) = (child.own.borrow().clone(), child.inherited.borrow().clone());
        self.note_lost(&creator, o, &own, &inherited);
        self.lose(&creator, &own, &inherited);
    }

    fn compute(&self, inst: &Rc<Inst>, o: u32) -> Result<Value, Set> {
        let op = self.op(inst, o);
        match op.kind {
            OpKind::Call(_) => {
                let callee = self.call(inst, o)?;
                return all(self.results(&callee, 0)).map(|_| Value::Null);
            }
            OpKind::Output(call, n) => {
                let callee = self.call(inst, call.0)?;
                let result = self.plan.regions[callee.region.at()].results[n as usize];
                return self.value(&callee, result);
            }
            _ => {}
        }
        let inputs = if let OpKind::Require = op.kind { &op.inputs[..1] } else { &op.inputs };
        let taken: Vec<_> = inputs.iter().map(|r| self.value(inst, *r)).collect();
        let mut failed: Set = taken.iter().filter_map(|r| r.as_ref().err()).flatten().cloned().collect();
        failed.extend(self.after(inst, op));
        if !failed.is_empty() {
            return Err(failed);
        }
        let taken: Vec<Value> = taken.into_iter().filter_map(Result::ok).collect();
        if let Some(take) = op.takes.first() {
            let (at, each) = self.locate(inst, take.source).unwrap();
            self.end(&at, each)?;
            let items = at.sources.borrow()[&each].clone();
            return all(items.iter().map(|item| self.value(item, take.values[0])).collect()).map(Value::list);
        }
        self.act(inst, o, op, taken)
    }

    fn act(&self, inst: &Rc<Inst>, o: u32, op: &Op, taken: Vec<Value>) -> Result<Value, Set> {
        match &op.kind {
            OpKind::Const(id) => Ok(match &self.plan.consts[id.at()] {
                Const::Int(n) => Value::Int(*n),
                Const::Bool(b) => Value::Bool(*b),
                Const::Json(text) => crate::json::parse(text).unwrap(),
                other => panic!("{other:?}"),
            }),
            OpKind::Code(code) => self.code(inst, o, *code, &taken),
            OpKind::Native(_) => {
                self.journal.borrow_mut().push(brief(&taken[0], 100));
                let Value::Int(n) = taken[0] else { panic!() };
                if n % 2 == 0 { Ok(Value::Int(n)) } else { Err(self.failure(inst, o, &format!("{n} is odd"))) }
            }
            OpKind::Require => match taken[0] {
                Value::Bool(true) => Ok(Value::Null),
                _ => Err(match self.value(inst, op.inputs[1]) {
                    Ok(message) => self.failure(inst, o, &brief(&message, 100)),
                    Err(failed) => failed,
                }),
            },
            OpKind::Select(branches) => {
                let branch = branches[usize::from(taken[0] == Value::Bool(true))];
                self.plain(inst, o, branch, vec![])
            }
            OpKind::Block(body) => self.plain(inst, o, *body, vec![]),
            OpKind::Try(body, handler) => {
                let child = self.child(inst, o, *body, 0, vec![]);
                self.effects(&child);
                let result = self.results(&child, 0).remove(0);
                let lost = self.judged(&child.own.borrow(), &child.inherited.borrow(), Some((Rc::as_ptr(inst), o)));
                let failed: Set = result.as_ref().err().into_iter().flatten().cloned().chain(lost).collect();
                if failed.is_empty() {
                    return result;
                }
                self.catch(inst, o, &failed);
                self.plain(inst, o, *handler, vec![Value::Null])
            }
            OpKind::For { body, keeps, .. } => self.each_item(inst, o, op, *body, *keeps, &taken[0]),
            OpKind::Loop(body) => {
                let (Value::Int(max), mut carried) = (taken[0].clone(), taken[1].clone()) else { panic!() };
                for round in 0..max.max(0) {
                    let child = self.child(inst, o, *body, round as u64, vec![carried.clone()]);
                    let until = self.value(&child, self.plan.regions[body.at()].results[0]);
                    if matches!(until, Ok(Value::Bool(true))) {
                        self.settle(&child);
                        return Ok(carried);
                    }
                    let next = match until {
                        Err(failed) => Err(failed),
                        Ok(_) => {
                            self.effects(&child);
                            self.results(&child, 1).remove(0)
                        }
                    };
                    self.settle(&child);
                    carried = next?;
                }
                Ok(carried)
            }
            OpKind::Stream(Stream { opens: Some(opens), .. }) => {
                let (Value::List(list), body) = (&taken[0], opens.region) else { panic!() };
                let given = list.iter().zip(0..).map(|(item, i)| vec![item, Value::Int(i)]);
                let items: Vec<_> = given.zip(0..).map(|(given, i)| self.child(inst, o, body, i, given)).collect();
                inst.sources.borrow_mut().insert(o, items.clone());
                items.iter().for_each(|item| self.effects(item));
                Ok(Value::Null)
            }
            other => panic!("{other:?}"),
        }
    }

    fn plain(&self, inst: &Rc<Inst>, o: u32, region: RegionId, given: Vec<Value>) -> Result<Value, Set> {
        let child = self.child(inst, o, region, 0, given);
        self.effects(&child);
        let result = self.results(&child, 0).remove(0);
        self.settle(&child);
        result
    }

    fn each_item(
        &self,
        inst: &Rc<Inst>,
        o: u32,
        op: &Op,
        body: RegionId,
        keeps: bool,
        items: &Value,
    ) -> Result<Value, Set> {
        let Value::List(list) = items else { panic!() };
        let (mut values, skips) = (Vec::new(), op.policy.skip_errors);
        for (item, i) in list.iter().zip(0..) {
            let child = self.child(inst, o, body, i, vec![item, Value::Int(i as i64)]);
            let keep = match keeps {
                true => self.value(&child, self.plan.regions[body.at()].results[0]),
                false => Ok(Value::Bool(true)),
            };
            let result = match keep {
                Err(failed) => Err(failed),
                Ok(Value::Bool(true)) => {
                    self.effects(&child);
                    self.results(&child, usize::from(keeps)).remove(0).map(Some)
                }
                Ok(_) => Ok(None),
            };
            if !skips {
                self.settle(&child);
                values.push(result);
                continue;
            }
            let lost = self.judged(&child.own.borrow(), &child.inherited.borrow(), Some((Rc::as_ptr(inst), o)));
            let failed: Set = if lost.is_empty() { result.clone().err().unwrap_or_default() } else { lost };
            if failed.is_empty() {
                values.push(result);
            } else {
                self.catch(inst, o, &failed);
            }
        }
        Ok(Value::list(all(values)?.into_iter().flatten().collect()))
    }

    fn code(&self, inst: &Rc<Inst>, o: u32, code: CodeId, taken: &[Value]) -> Result<Value, Set> {
        let fail = |message: String| Err(self.failure(inst, o, &message));
        let ints = || match taken {
            [Value::Int(a), Value::Int(b)] => (*a, *b),
            other => panic!("{other:?}"),
        };
        let lists = |v: &Value| if let Value::List(list) = v { list.clone() } else { panic!("{v:?}") };
        match self.plan.codes[code.at()].name.as_str() {
            "rem" => match ints() {
                (a, 0) => fail(format!("division by zero: {a} % 0")),
                (a, b) => Ok(Value::Int(a.rem_euclid(b) + if b < 0 && a.rem_euclid(b) != 0 { b } else { 0 })),
            },
            "sub" => Ok(Value::Int(ints().0 - ints().1)),
            "less" => Ok(Value::Bool(ints().0 < ints().1)),
            "pair" => Ok(Value::list(taken.to_vec())),
            "join" => Ok(Value::list(lists(&taken[0]).iter().chain(lists(&taken[1]).iter()).collect())),
            "len" => Ok(Value::Int(lists(&taken[0]).len() as i64)),
            other => panic!("{other}"),
        }
    }

    fn run(&self) -> (Vec<Option<Value>>, Set) {
        let root = self.inst(self.plan.entry, None, 0, vec![]);
        let results = self.results(&root, 0);
        self.effects(&root);
        let mut errors: Set = results.iter().filter_map(|r| r.as_ref().err()).flatten().cloned().collect();
        errors.extend(self.judged(&root.own.borrow(), &root.inherited.borrow(), None));
        (results.into_iter().map(Result::ok).collect(), errors)
    }
}

/// An operation and those that it stands in.
fn spots(inst: &Rc<Inst>, o: u32) -> Vec<Spot> {
    let mut spots = vec![(Rc::as_ptr(inst), o)];
    let mut at = inst.clone();
    while let Some((creator, o)) = at.creator.clone() {
        spots.push((Rc::as_ptr(&creator), o));
        at = creator;
    }
    spots
}

fn all<T>(results: Vec<Result<T, Set>>) -> Result<Vec<T>, Set> {
    let (mut values, mut failed) = (Vec::new(), Set::new());
    for result in results {
        match result {
            Ok(value) => values.push(value),
            Err(more) => failed.extend(more),
        }
    }
    if failed.is_empty() { Ok(values) } else { Err(failed) }
}

#[test]
fn the_scheduler_agrees_with_plain_recursion() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let host = Arc::new(Host::default());
    let (mut with_errors, mut with_effects) = (0, 0);
    for seed in 0..1500 {
        let plan = Arc::new(Gen::new(seed).plan());
        if let Err(e) = ntl_plan::validate(&plan) {
            panic!("seed {seed}: {}", e.message);
        }
        let oracle = Oracle {
            plan: &plan,
            journal: RefCell::default(),
            within: RefCell::default(),
            caught: RefCell::default(),
            kept: RefCell::default(),
        };
        let (outputs, errors) = oracle.run();
        let mut effects = oracle.journal.take();

        super::tests::take_journal();
        let prepared = Prepared::new(plan.clone(), &[], &host, &Natives::new(&NATIVES)).unwrap();
        // What comes out depends neither on how much may be open nor on the order in which things are looked at.
        let (window, shuffle) = ([0, 1, 2][seed as usize % 3], (seed % 2 == 1).then_some(seed));
        let options = Options { window, shuffle, ..Options::default() };
        let dump = plan.clone();
        let events = move |event| {
            if let Event::WindowGrown { step, key, .. } = event {
                panic!("the window of {step} {key:?} grows, seed {seed}:\n{}", dump.dump());
            }
        };
        let outcome = runtime.block_on(run(prepared, host.clone(), options, Box::new(events)));
        let mut happened = super::tests::take_journal();
        let told: Set = outcome.errors.iter().map(|e| format!("{} {:?} {}", e.step, e.key, e.fault.message)).collect();
        assert_eq!(told, errors, "errors of seed {seed}");
        assert_eq!(outcome.errors.len(), told.len(), "each error once, seed {seed}");
        let names =
            ["a", "b", "c", "d"].iter().zip(&outputs).filter_map(|(n, v)| Some(format!("{n}={:?}", v.as_ref()?)));
        let given: Vec<_> = outcome.outputs.iter().map(|(n, v)| format!("{n}={v:?}")).collect();
        assert_eq!(given, names.collect::<Vec<_>>(), "outputs of seed {seed}");
        effects.sort();
        happened.sort();
        assert_eq!(happened, effects, "effects of seed {seed}");
        with_errors += u32::from(!errors.is_empty());
        with_effects += u32::from(!effects.is_empty());
    }
    // The plans must be worth running.
    assert!(with_errors > 250 && with_effects > 500, "{with_errors} {with_effects}");
}
