//! Streams: one flow for each stream operation and parent key.
//!
//! A flow takes the items of other flows, gives items of its own, or both; whichever stream function it is, it is a small
//! state machine (`turn.rs`) that says what it does next: take a value, give one, end. What is dropped is left out before
//! it sees it; what has failed ends it.
//!
//! *Items.* Each item that a flow gives is an instance of its source's region (`items.rs`). Readers ask for the value that
//! they take of it, in order, and the operations of the item run for that, once, however many readers there are. An item
//! is disposed of when all that may still read it have taken it and its effects have ended.
//!
//! *Demand.* A flow gives its next item only if somebody wants one: a reader that has asked for all there are, as far as
//! its credit goes, or effects that must run for all items. A flow that nobody reads any more is idle, and so may be those
//! that it reads; one that nobody can come to read has ended.
//!
//! *Windows.* An item is open until each reader that is not kept has taken it and its effects have ended (unless those are
//! late). A flow has a bounded number of open items. Kept readers never hold anybody up: their items wait for them. See
//! `ntl_plan::set_readers` for which those are. Should nothing be able to go on but flows with a full window, one window
//! grows.
//!
//! *Ends.* A flow holds the instance that it stands in for as long as it is active or something that it has asked for is
//! on the way.

mod items;
mod turn;

use super::drive::Job;
use super::instance::{Found, Outcome};
use super::settle::Losses;
use super::slot::{At, NONE, Slot, Waiter};
use super::{Scheduler, Step};
use crate::failure::Failures;
use crate::interp::len;
use crate::native::Stream as Function;
use crate::run::Event;
use crate::value::{Fault, MAX_ITEMS, Value};
use items::Out;
use ntl_plan::{Op, OpKind, Ref, RegionKind, Stream, StreamFn, Take};
use rustc_hash::FxHashMap;

/// How many items of a source may be open per parent key.
pub(super) const WINDOW: u32 = 1024;

/// A stream operation at work.
pub(super) struct Flow {
    at: At,
    does: Does,
    state: State,
    takes: Vec<Reader>,
    /// The items that it gives.
    out: Option<Out>,
    /// The operation of the items of the first stream that it takes that has a value of it for each.
    per: Option<u32>,
    /// What that has for items for which it was asked and has not looked yet.
    given: FxHashMap<u64, Outcome>,
    /// How what it gives has ended.
    end: Option<Result<(), Failures>>,
    failed: Vec<Failures>,
    /// Values that it has asked for and that are on the way.
    waits: u32,
    /// Whether what it does is wanted.
    is_active: bool,
    /// Whether it runs for effects that may be all that is wanted of it.
    is_effect: bool,
    /// Whether it holds the instance that it stands in.
    holds: bool,
    is_queued: bool,
}

/// What a flow does.
enum Does {
    Each {
        items: Value,
        len: usize,
        next: usize,
    },
    Collect(Vec<Value>),
    Forward,
    Native(Box<dyn Function>),
    /// It is doing it.
    Busy,
}

enum State {
    /// Nothing has happened yet, or what it gave has been taken.
    Ready,
    Takes(usize),
    TakesAny,
    /// It has an item for whoever wants it.
    Gives(Vec<Slot>),
    /// It has failed; what else of the stream at this place, and later ones, has failed is told, too.
    Drains(usize),
    Ended,
}

/// How a flow takes the items of another.
struct Reader {
    source: u32,
    values: Vec<Ref>,
    /// The next item to take, and the next to ask for.
    next: u64,
    asked: u64,
    /// How many it may have asked for and not taken.
    cap: u64,
    kept: bool,
    /// It takes what there is and wants no more: it gives values per item.
    follows: bool,
    /// Whether items are open until it has taken them.
    holds: bool,
}

impl Flow {
    fn has_ended(&self) -> bool {
        matches!(self.state, State::Ended)
    }

    fn takes_now(&self) -> bool {
        matches!(self.state, State::Takes(_) | State::TakesAny | State::Drains(_))
    }
}

impl<'p> Scheduler<'p> {
    /// A stream operation whose inputs are there begins when what it takes has begun.
    pub(super) fn begin_flow(&mut self, at: At, op: &'p Op, stream: &'p Stream) {
        let mut taken: Vec<(u32, &'p Take)> = op.takes.iter().map(|take| (at.inst, take)).collect();
        match stream.from {
            StreamFn::Call(call, n) => match self.start_call(At { inst: at.inst, op: call.0 }, Waiter::Op(at)) {
                None => return self.wait(at, 1),
                Some(Err(failures)) => return self.complete(at, Err(failures)),
                Some(Ok(callee)) => taken.extend(self.region(callee).gives.get(n as usize).map(|give| (callee, give))),
            },
            StreamFn::Param(n) => {
                let caller = self.instances[at.inst as usize].creator;
                taken.extend(self.op(caller).takes.get(n as usize).map(|take| (caller.inst, take)));
            }
            StreamFn::Each | StreamFn::Collect | StreamFn::Native(_) => {}
        }
        let mut missing = 0;
        for (inst, take) in &taken {
            missing += u32::from(self.ask(*inst, take.source, Waiter::Op(at)));
        }
        if missing > 0 {
            return self.wait(at, missing);
        }
        let mut failed = Vec::new();
        for (inst, take) in &taken {
            match self.outcome_of(*inst, take.source) {
                Ok(Some(_)) => {}
                Ok(None) => return self.end_op(at, Ok(None)),
                Err(failures) => failed.push(failures),
            }
        }
        if let Some(failures) = Failures::all(failed) {
            return self.complete(at, Err(failures));
        }
        match self.does(at, op, stream) {
            Ok(does) => self.add_flow(at, stream, does, &taken),
            Err(fault) => {
                let failure = self.failure(at, fault, None, 1);
                self.complete(at, Err(failure));
            }
        }
    }

    fn does(&self, at: At, op: &Op, stream: &Stream) -> Result<Does, Fault> {
        let mut args = op.inputs.iter().map(|input| self.value_of(at.inst, *input));
        Ok(match stream.from {
            StreamFn::Each => {
                let items = args.next().unwrap_or(Value::Null);
                let len =
                    len(&items).ok_or_else(|| Fault::new("internal", format!("a source over {}", items.kind())))?;
                Does::Each { items, len, next: 0 }
            }
            StreamFn::Collect => Does::Collect(Vec::new()),
            StreamFn::Native(native) => match self.program.streams.get(native.at()) {
                Some(Some(begin)) => Does::Native(begin(&args.collect::<Vec<_>>())?),
                _ => return Err(Fault::new("unsupported", "this version cannot run it over a stream")),
            },
            StreamFn::Call(..) | StreamFn::Param(_) => Does::Forward,
        })
    }

    fn add_flow(&mut self, at: At, stream: &Stream, does: Does, taken: &[(u32, &Take)]) {
        let mut takes = Vec::with_capacity(taken.len());
        let mut local = Vec::with_capacity(taken.len());
        for (inst, take) in taken {
            let Some(source) = self.flow_of(*inst, take.source) else {
                let failure = self.lost(at, "it takes items from what is no source");
                return self.complete(at, Err(failure));
            };
            local.push(matches!(take.source, Ref::Op(_)));
            takes.push(Reader {
                source,
                values: take.values.clone(),
                next: 0,
                asked: 0,
                cap: 0,
                kept: take.kept,
                follows: stream.per.is_some(),
                holds: false,
            });
        }
        let region = self.region(at.inst);
        let stirs = stream.opens.is_some_and(|opens| self.traits[opens.region.at()].stirs);
        let is_effect = stirs && region.effects.iter().any(|effect| effect.0 == at.op);
        let mut out = stream.opens.map(|opens| {
            let takers = self.takers.of_source(self.instances[at.inst as usize].region, at.op);
            let mut out = Out::new(opens, self.window);
            out.is_read_elsewhere = takers.elsewhere;
            out.pending = self.readers_to_come(at, &takers);
            out
        });
        // Nobody takes the values of a call for its effects alone: those run all the same.
        let creator = self.instances[at.inst as usize].creator;
        if let Some(out) = &mut out
            && is_effect
            && region.kind == RegionKind::Workflow
            && creator.inst != NONE
        {
            out.drives |= self.takers.is_bare(self.instances[creator.inst as usize].region, creator);
        }
        let body = stream.opens.map(|opens| opens.region);
        let whole = stream.opens.is_none() && stream.per.is_none();
        let flow = Flow {
            at,
            does,
            state: State::Ready,
            takes,
            is_active: false,
            is_effect,
            out,
            per: stream.per.map(|per| per.0),
            given: FxHashMap::default(),
            end: None,
            failed: Vec::new(),
            waits: 0,
            holds: false,
            is_queued: false,
        };
        let id = self.jobs.add(Job::Flow(Box::new(flow)), body.is_some_and(|body| self.traits[body.at()].waits));
        self.flows.insert(at, id);
        for (take, is_local) in local.into_iter().enumerate() {
            self.attach(id, take, is_local);
        }
        if !whole {
            self.complete(at, Ok(Value::Null));
        }
        self.refresh(id);
        self.balance(id);
    }

    /// The flow of the source that a reference leads to.
    fn flow_of(&self, inst: u32, source: Ref) -> Option<u32> {
        let Found::Slot(inst, slot) = self.locate(inst, source) else { return None };
        let op = slot.checked_sub(self.instances[inst as usize].given)?;
        self.flows.get(&At { inst, op }).copied()
    }

    /// How many readers a source may still get, those aside that stand in other regions.
    fn readers_to_come(&self, at: At, takers: &super::map::TakenBy) -> u32 {
        let is_to_come = |at: At| {
            let slot = self.instances[at.inst as usize].given + at.op;
            !self.slot(at.inst, slot).has_ended() && !self.flows.contains_key(&at)
        };
        let here = takers.here.iter().filter(|(op, take)| {
            let reader = At { inst: at.inst, op: *op };
            match self.op(reader).kind {
                OpKind::Call(callee) => self.takers.opens_param(callee, *take),
                _ => is_to_come(reader),
            }
        });
        let creator = self.instances[at.inst as usize].creator;
        let caller = self.instances.get(creator.inst as usize).map(|caller| caller.region);
        let above = takers.gives.iter().filter(|n| {
            let op = caller.and_then(|region| self.takers.of_call(region, creator, **n));
            op.is_some_and(|op| is_to_come(At { inst: creator.inst, op }))
        });
        (here.count() + above.count()) as u32
    }

    /// A stream operation has ended: if it has not begun, those that it would have taken wait for it no longer.
    pub(super) fn forgo(&mut self, at: At) {
        if self.flows.contains_key(&at) {
            return;
        }
        let op = self.op(at);
        let OpKind::Stream(stream) = &op.kind else { return };
        let mut sources: Vec<Option<u32>> = Vec::new();
        for take in op.takes.iter().filter(|take| matches!(take.source, Ref::Op(_))) {
            sources.push(self.flow_of(at.inst, take.source));
        }
        match stream.from {
            StreamFn::Call(call, n) => {
                if let Some(super::instance::Start::Started(callee)) = self.calls.get(&At { inst: at.inst, op: call.0 })
                {
                    let give = self.region(*callee).gives.get(n as usize);
                    sources.push(give.and_then(|give| self.flow_of(*callee, give.source)));
                }
            }
            StreamFn::Param(n) => {
                let caller = self.instances[at.inst as usize].creator;
                let take = self.op(caller).takes.get(n as usize);
                let take = take.filter(|take| matches!(take.source, Ref::Op(_)));
                sources.push(take.and_then(|take| self.flow_of(caller.inst, take.source)));
            }
            StreamFn::Each | StreamFn::Collect | StreamFn::Native(_) => {}
        }
        for source in sources.into_iter().flatten() {
            if let Some(out) = self.jobs.flow(source).and_then(|flow| flow.out.as_mut()) {
                out.pending = out.pending.saturating_sub(1);
            }
            self.free_all(source);
            self.steps.push(Step::Refresh(source));
        }
    }

    /// What a source's item has of an operation that gives values per item.
    pub(super) fn step_per(&mut self, at: At, stream: Ref) {
        if self.ask(at.inst, stream, Waiter::Op(at)) {
            return self.wait(at, 1);
        }
        match self.outcome_of(at.inst, stream) {
            Ok(Some(_)) => {}
            Ok(None) => return self.end_op(at, Ok(None)),
            Err(failures) => return self.complete(at, Err(failures)),
        }
        let index = self.instances[at.inst as usize].index;
        let flow = self.flow_of(at.inst, stream).and_then(|id| self.jobs.flow(id));
        let Some(flow) = flow else {
            let failure = self.lost(at, "nothing gives it a value per item");
            return self.complete(at, Err(failure));
        };
        let end = || flow.end.clone().map(|end| end.map(|()| None));
        match flow.given.remove(&index).or_else(end) {
            Some(outcome) => self.end_op(at, outcome),
            // Its turn comes.
            None => self.wait(at, 1),
        }
    }

    /// Something that a flow has asked for is there.
    pub(super) fn arrived(&mut self, id: u32, item: u32) {
        let Some(flow) = self.jobs.flow(id) else { return };
        flow.waits -= 1;
        if !flow.has_ended() {
            return self.wake_flow(id);
        }
        // It had left: the item was kept for what was on the way.
        let is_last = flow.waits == 0;
        self.leave_item(item);
        if is_last {
            self.balance(id);
        }
    }

    /// Lets a flow go on soon.
    fn wake_flow(&mut self, id: u32) {
        if let Some(flow) = self.jobs.flow(id)
            && !std::mem::replace(&mut flow.is_queued, true)
        {
            self.steps.push(Step::Flow(id));
        }
    }

    /// Lets a flow go on when nothing else does.
    fn queue_flow(&mut self, id: u32) {
        if let Some(flow) = self.jobs.flow(id)
            && !std::mem::replace(&mut flow.is_queued, true)
        {
            self.jobs.queue(id);
        }
    }

    /// Looks whether what a flow does is wanted, and lets those that it takes from know.
    pub(super) fn refresh(&mut self, id: u32) {
        let Some(flow) = self.jobs.flow(id) else { return };
        if flow.has_ended() {
            return;
        }
        let (was, takes) = (flow.is_active, flow.takes.len());
        let Some(out) = &flow.out else {
            flow.is_active = true;
            (0..takes).for_each(|take| self.set_holding(id, take, true));
            return self.wake_flow(id);
        };
        let (drives, can_be_read) = (out.drives, out.pending > 0 || out.is_read_elsewhere);
        let readers = out.readers.clone();
        let is_wanted = |(reader, take): &(u32, usize)| {
            let flow = self.jobs.flow_ref(*reader);
            flow.is_some_and(|flow| flow.is_active && !flow.takes[*take].follows)
        };
        let is_active = drives || readers.iter().any(is_wanted);
        let Some(flow) = self.jobs.flow(id) else { return };
        flow.is_active = is_active;
        let sources: Vec<u32> = flow.takes.iter().map(|take| take.source).collect();
        if !is_active && readers.is_empty() && !can_be_read && !flow.is_effect_to_come() {
            return self.end_flow(id);
        }
        if is_active != was {
            (0..takes).for_each(|take| self.set_holding(id, take, is_active));
            self.steps.extend(sources.into_iter().map(Step::Refresh));
        }
        if is_active {
            self.queue_flow(id);
        }
        if is_active != was {
            self.balance(id);
        }
    }

    /// Holds the instance that a flow stands in, or lets go of it.
    fn balance(&mut self, id: u32) {
        let Some(flow) = self.jobs.flow(id) else { return };
        let has_ended = flow.has_ended();
        let is_at_work = !has_ended && flow.out.is_some() && (flow.is_active || flow.is_effect_to_come());
        let on_the_way = flow.waits > 0 && (has_ended || flow.out.is_some() || flow.per.is_some());
        let holds = is_at_work || on_the_way;
        let at = flow.at;
        let is_over = has_ended && flow.waits == 0 && flow.out.is_none() && flow.per.is_none();
        if holds != flow.holds {
            flow.holds = holds;
            if holds {
                self.hold(at.inst);
            } else {
                let drives = flow.out.as_ref().is_some_and(|out| out.drives);
                let lost = match &flow.end {
                    Some(Err(failures)) if drives => {
                        let failures = failures.clone();
                        self.losses(at, &failures)
                    }
                    _ => Losses::default(),
                };
                self.steps.push(Step::Release(at.inst, lost));
            }
        }
        if is_over {
            self.flows.remove(&at);
            self.jobs.remove(id);
        }
    }

    /// A flow has nothing more to do.
    fn end_flow(&mut self, id: u32) {
        let Some(flow) = self.jobs.flow(id) else { return };
        if flow.has_ended() {
            return;
        }
        (flow.state, flow.is_active, flow.does) = (State::Ended, false, Does::Busy);
        let takes = flow.takes.len();
        (0..takes).for_each(|take| self.detach(id, take));
        let readers = self.jobs.flow(id).and_then(|flow| flow.out.as_ref()).map(|out| out.readers.clone());
        for (reader, _) in readers.into_iter().flatten() {
            self.wake_flow(reader);
        }
        self.balance(id);
    }

    /// The flow of an operation ends with its instance: the instances of its items.
    pub(super) fn forget_flow(&mut self, at: At) -> Vec<u32> {
        let Some(id) = self.flows.remove(&at) else { return Vec::new() };
        match self.jobs.remove(id) {
            Some(Job::Flow(flow)) => flow.out.map(|out| out.instances().collect()).unwrap_or_default(),
            _ => Vec::new(),
        }
    }

    /// Nothing can go on any more. Whether something can after this: sources begin whose effects somebody might have taken
    /// the values of, but nobody did; else the first source that waits for its window gets a larger one.
    pub(super) fn loosen(&mut self) -> bool {
        let unread: Vec<u32> =
            self.jobs.flows().filter(|(_, flow)| flow.is_effect_to_come()).map(|(id, _)| id).collect();
        for id in &unread {
            if let Some(out) = self.jobs.flow(*id).and_then(|flow| flow.out.as_mut()) {
                out.drives = true;
            }
            self.steps.push(Step::Refresh(*id));
        }
        if !unread.is_empty() {
            return true;
        }
        let held = self.jobs.flows().filter(|(id, flow)| flow.is_held() && self.wants(*id, true));
        let place = |flow: &Flow| (self.instances[flow.at.inst as usize].serial, flow.at.op);
        let Some(id) = held.min_by_key(|(_, flow)| place(flow)).map(|(id, _)| id) else { return false };
        let more = self.window;
        let Some(flow) = self.jobs.flow(id) else { return false };
        let at = flow.at;
        let window = flow.out.as_mut().map_or(0, |out| {
            out.window = out.window.saturating_add(more);
            out.window
        });
        let (step, key) = (self.step_id(at), self.key(at.inst));
        self.emit(Event::WindowGrown { step, key, window });
        self.queue_flow(id);
        true
    }
}

impl Flow {
    /// Its effects are to run, by whoever takes its items; nobody has come yet.
    fn is_effect_to_come(&self) -> bool {
        let out = self.out.as_ref();
        !self.has_ended() && self.is_effect && out.is_some_and(|out| !out.drives && !out.was_read)
    }

    /// It would give an item if its window was larger.
    fn is_held(&self) -> bool {
        let is_full = self.out.as_ref().is_some_and(|out| out.open >= out.window);
        self.is_active && is_full && matches!(self.state, State::Ready | State::Gives(_))
    }
}

/// The longest list that is made of a stream.
fn checked_len(len: usize) -> Result<(), Fault> {
    if len > MAX_ITEMS { Err(Fault::list_too_long()) } else { Ok(()) }
}
