//! One turn of a flow after the other: what has happened goes into the stream function, what it does next comes out.

use super::{Does, Flow, State, checked_len};
use crate::failure::Failures;
use crate::interp::item;
use crate::native::{Got, Stop, Turn};
use crate::sched::instance::Found;
use crate::sched::slot::Slot;
use crate::sched::{Cx, Scheduler, Stands};
use crate::value::{Fault, Value};
use ntl_plan::Ref;

/// How many turns a flow has before others have theirs.
const TURNS: u32 = 64;

/// What a flow finds where it takes its next item.
enum Head {
    /// Not there yet.
    Missing,
    Value(Value),
    Dropped,
    Failed(Failures),
    /// No more items.
    End,
    /// No more items, because something failed.
    EndFailed(Failures),
}

impl Flow {
    /// How many more items it takes at most.
    pub(super) fn credit(&self) -> u64 {
        match &self.does {
            Does::Native(stream) => stream.credit(),
            _ => u64::MAX,
        }
    }
}

impl Scheduler<'_> {
    /// Lets a flow go on as far as it can.
    pub(in crate::sched) fn advance(&mut self, id: u32) {
        let Some(flow) = self.jobs.flow(id) else { return };
        flow.is_queued = false;
        for _ in 0..TURNS {
            if !self.turn(id) {
                return self.balance(id);
            }
        }
        self.queue_flow(id);
    }

    /// One turn: whether there may be another.
    fn turn(&mut self, id: u32) -> bool {
        let Some(flow) = self.jobs.flow_ref(id) else { return false };
        if !flow.is_active {
            return false;
        }
        match &flow.state {
            State::Ended => false,
            State::Ready => self.wants(id, false) && self.feed(id, Got::Nothing),
            State::Gives(_) => {
                let wants = self.wants(id, false);
                if wants {
                    self.issue(id);
                }
                wants
            }
            State::Takes(take) => {
                let take = *take;
                self.ask_all(id);
                let head = self.head(id, take);
                self.take(id, take, head)
            }
            State::TakesAny => {
                let takes = flow.takes.len();
                self.ask_all(id);
                let mut ended = 0;
                for take in 0..takes {
                    match self.head(id, take) {
                        Head::Missing => {}
                        Head::End => ended += 1,
                        head => return self.take(id, take, head),
                    }
                }
                ended == takes && self.feed(id, Got::End(0))
            }
            State::Drains(take) => {
                let take = *take;
                self.ask_all(id);
                self.drain_one(id, take)
            }
        }
    }

    /// Asks for what a flow can take, and for more to be there.
    fn ask_all(&mut self, id: u32) {
        let takes = self.jobs.flow_ref(id).map_or(0, |flow| flow.takes.len());
        let mut again = false;
        for take in 0..takes {
            again |= self.ask_more(id, take);
            let source = self.jobs.flow_ref(id).and_then(|flow| flow.takes.get(take)).map(|reader| reader.source);
            source.into_iter().for_each(|source| self.poke(source));
        }
        if again {
            self.queue_flow(id);
        }
    }

    fn take(&mut self, id: u32, take: usize, head: Head) -> bool {
        match head {
            Head::Missing => false,
            Head::Value(value) => {
                let goes_on = self.feed(id, Got::Value(take, value));
                if self.jobs.flow_ref(id).is_some_and(|flow| !flow.has_ended()) {
                    self.took(id, take);
                }
                goes_on
            }
            Head::Dropped => {
                self.give_per(id, self.next_of_first(id).0, Ok(None));
                self.took(id, take);
                true
            }
            Head::End => self.feed(id, Got::End(take)),
            Head::Failed(failures) | Head::EndFailed(failures) => {
                self.fail_flow(id, failures);
                true
            }
        }
    }

    /// What there is of the next item that a flow takes.
    fn head(&mut self, id: u32, take: usize) -> Head {
        let Some(reader) = self.jobs.flow_ref(id).and_then(|flow| flow.takes.get(take)) else { return Head::End };
        let Some(source) = self.jobs.flow_ref(reader.source) else { return Head::End };
        let Some(out) = &source.out else { return Head::End };
        if reader.next == out.issued {
            return match &source.end {
                Some(Ok(())) => Head::End,
                Some(Err(failures)) => Head::EndFailed(failures.clone()),
                // It was stopped: nobody should be reading it.
                None if source.has_ended() => Head::End,
                None => Head::Missing,
            };
        }
        if reader.asked == reader.next {
            return Head::Missing;
        }
        let Some(inst) = out.instance(reader.next) else { return Head::Missing };
        if !reader.values.iter().all(|value| self.is_there(inst, *value)) {
            return Head::Missing;
        }
        match reader.values.first().map(|value| self.outcome_of(inst, *value)) {
            Some(Ok(Some(value))) => Head::Value(value),
            Some(Ok(None)) => Head::Dropped,
            Some(Err(failures)) => Head::Failed(failures),
            None => Head::End,
        }
    }

    /// Whether a value of an item has ended.
    pub(super) fn is_there(&self, inst: u32, value: Ref) -> bool {
        match self.locate(inst, value) {
            Found::Slot(inst, slot) => self.slot(inst, slot).has_ended(),
            Found::Const(_) => true,
        }
    }

    /// All values of the item that a flow takes next.
    fn slots(&self, id: u32) -> Vec<Slot> {
        let Some(reader) = self.jobs.flow_ref(id).and_then(|flow| flow.takes.first()) else { return Vec::new() };
        let out = self.jobs.flow_ref(reader.source).and_then(|source| source.out.as_ref());
        let Some(inst) = out.and_then(|out| out.instance(reader.next)) else { return Vec::new() };
        let slot = |value: &Ref| match self.outcome_of(inst, *value) {
            Ok(Some(value)) => Slot::Done(value),
            Ok(None) => Slot::Dropped,
            Err(failures) => Slot::Failed(Box::new(failures)),
        };
        reader.values.iter().map(slot).collect()
    }

    /// Tells a stream function what has happened, and does what it says.
    fn feed(&mut self, id: u32, got: Got) -> bool {
        let Some(flow) = self.jobs.flow(id) else { return false };
        let at = flow.at;
        let mut does = std::mem::replace(&mut flow.does, Does::Busy);
        let turn = match &mut does {
            Does::Each { items, len, next } => {
                *next += 1;
                Ok(if *next > *len {
                    Turn::End(Value::Null)
                } else {
                    item(items, *next - 1).map_or(Turn::End(Value::Null), Turn::Give)
                })
            }
            Does::Collect(values) => match got {
                Got::Nothing => Ok(Turn::Take(0)),
                Got::Value(_, value) => {
                    values.push(value);
                    checked_len(values.len()).map(|()| Turn::Take(0)).map_err(Stop::Fault)
                }
                Got::End(_) => Ok(Turn::End(Value::list(std::mem::take(values)))),
            },
            Does::Forward => Ok(match got {
                Got::Nothing => Turn::Take(0),
                Got::Value(_, value) => Turn::Give(value),
                Got::End(_) => Turn::End(Value::Null),
            }),
            Does::Native(stream) => {
                let mut machine = std::mem::take(&mut self.machine);
                let place = Stands { scheduler: self, at };
                let cx = Cx { program: self.program, place: &place };
                let turn = machine.convert(cx, |outside| stream.turn(outside, got));
                for span in std::mem::take(&mut machine.exhausted) {
                    self.loop_exhausted(at, span);
                }
                self.machine = machine;
                turn
            }
            Does::Busy => Err(Stop::Fault(Fault::new("internal", "a stream function that has ended"))),
        };
        let slots = match (&turn, &does) {
            (Ok(Turn::Give(_)), Does::Forward) => self.slots(id),
            (Ok(Turn::Give(value)), _) => vec![Slot::Done(value.clone())],
            _ => Vec::new(),
        };
        let Some(flow) = self.jobs.flow(id) else { return false };
        flow.does = does;
        let lost = || Err(Stop::Fault(Fault::new("internal", "a stream function does what it does not declare")));
        let turn = match turn {
            Ok(Turn::Take(take)) if take >= flow.takes.len() => lost(),
            Ok(Turn::TakeAny) if flow.takes.is_empty() => lost(),
            Ok(Turn::Give(_)) if flow.out.is_none() && flow.per.is_none() => lost(),
            turn => turn,
        };
        match turn {
            Ok(Turn::Take(take)) => flow.state = State::Takes(take),
            Ok(Turn::TakeAny) => flow.state = State::TakesAny,
            Ok(Turn::Give(value)) if flow.per.is_some() => {
                flow.state = State::Ready;
                self.give_per(id, self.next_of_first(id).0, Ok(Some(value)));
            }
            Ok(Turn::Give(_)) => flow.state = State::Gives(slots),
            Ok(Turn::End(value)) => {
                flow.end = Some(Ok(()));
                if flow.out.is_none() && flow.per.is_none() {
                    self.complete(at, Ok(value));
                }
                self.end_flow(id);
                return false;
            }
            Err(stop) => {
                let failures = match stop {
                    Stop::Fault(fault) => self.failure(at, fault, None, 1),
                    Stop::Failed(failed) => {
                        crate::interp::passed_on(failed).unwrap_or_else(|fault| self.failure(at, fault, None, 1))
                    }
                };
                self.fail_flow(id, failures);
            }
        }
        true
    }

    /// A flow has failed: what it gave stands. One that has a single value looks for what else has failed.
    fn fail_flow(&mut self, id: u32, failures: Failures) {
        let Some(flow) = self.jobs.flow(id) else { return };
        if flow.out.is_none() && flow.per.is_none() {
            flow.failed.push(failures);
            flow.state = State::Drains(0);
            return;
        }
        flow.end = Some(Err(failures.clone()));
        // What it gives per item has failed from here on.
        let (next, issued) = self.next_of_first(id);
        (next..issued).for_each(|index| self.give_per(id, index, Err(failures.clone())));
        self.end_flow(id);
    }

    /// Looks at one more item for what has failed.
    fn drain_one(&mut self, id: u32, take: usize) -> bool {
        let Some(flow) = self.jobs.flow(id) else { return false };
        if take >= flow.takes.len() {
            let (at, failed) = (flow.at, std::mem::take(&mut flow.failed));
            let failures = Failures::all(failed).unwrap_or_else(|| self.lost(at, "no failure"));
            self.complete(at, Err(failures));
            self.end_flow(id);
            return false;
        }
        let (failures, ended) = match self.head(id, take) {
            Head::Missing => return false,
            Head::Value(_) | Head::Dropped => (None, false),
            Head::Failed(failures) => (Some(failures), false),
            Head::End => (None, true),
            Head::EndFailed(failures) => (Some(failures), true),
        };
        if !ended {
            self.took(id, take);
        }
        if let Some(flow) = self.jobs.flow(id) {
            flow.failed.extend(failures);
            if ended {
                flow.state = State::Drains(take + 1);
            }
        }
        true
    }
}
