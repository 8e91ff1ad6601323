//! The items that a flow gives: how they begin, who reads them, when they have been open long enough and when they go.

use super::{Flow, State};
use crate::sched::instance::Outcome;
use crate::sched::settle::Losses;
use crate::sched::slot::{At, NONE, Slot, Waiter};
use crate::sched::{Scheduler, Step};
use crate::value::Value;
use ntl_plan::{Opens, RegionId};
use std::collections::VecDeque;

/// How many items a reader asks for before others have their turn.
const ASKED_AT_ONCE: u64 = 256;

/// The items of a source under one key.
pub(super) struct Out {
    body: RegionId,
    /// The index of the first item that is there.
    base: u64,
    items: VecDeque<Item>,
    pub issued: u64,
    /// Items that are open, and how many may be.
    pub open: u32,
    pub window: u32,
    /// Flows that take them, and as which of their streams.
    pub readers: Vec<(u32, usize)>,
    /// How many more readers there may be; and whether some stand in other regions, whose number nobody knows.
    pub pending: u32,
    pub is_read_elsewhere: bool,
    /// Whether anybody has read them.
    pub was_read: bool,
    /// Whether all items are given for their effects' sake.
    pub drives: bool,
    /// Whether effects never hold the window.
    late: bool,
}

struct Item {
    /// [`NONE`] when it is gone.
    inst: u32,
    /// Readers that have not taken it, and values of it that are on the way to flows that have left.
    users: u32,
    /// Why it is open.
    holds: u32,
    /// Its effects have not ended.
    is_busy: bool,
}

impl Out {
    pub fn new(opens: Opens, window: u32) -> Self {
        Out {
            body: opens.region,
            base: 0,
            items: VecDeque::new(),
            issued: 0,
            open: 0,
            window,
            readers: Vec::new(),
            pending: 0,
            is_read_elsewhere: false,
            was_read: false,
            drives: opens.drives,
            late: opens.late,
        }
    }

    fn item(&mut self, index: u64) -> Option<&mut Item> {
        self.items.get_mut(usize::try_from(index.checked_sub(self.base)?).ok()?)
    }

    /// The instance of an item.
    pub fn instance(&self, index: u64) -> Option<u32> {
        let item = self.items.get(usize::try_from(index.checked_sub(self.base)?).ok()?)?;
        Some(item.inst).filter(|inst| *inst != NONE)
    }

    pub fn instances(self) -> impl Iterator<Item = u32> {
        self.items.into_iter().map(|item| item.inst).filter(|inst| *inst != NONE)
    }

    /// Counts one reason more or less for which an item is open.
    fn hold(&mut self, index: u64, more: bool) {
        let Some(item) = self.item(index) else { return };
        let before = item.holds;
        item.holds = if more { before + 1 } else { before.saturating_sub(1) };
        match (before, item.holds) {
            (0, 1..) => self.open += 1,
            (1.., 0) => self.open -= 1,
            _ => {}
        }
    }
}

impl Scheduler<'_> {
    fn out(&mut self, id: u32) -> Option<&mut Out> {
        self.jobs.flow(id)?.out.as_mut()
    }

    /// Begins the item that a flow has ready.
    pub(super) fn issue(&mut self, id: u32) {
        let Some(flow) = self.jobs.flow(id) else { return };
        let (at, State::Gives(slots)) = (flow.at, std::mem::replace(&mut flow.state, State::Ready)) else { return };
        let Some(out) = &mut flow.out else { return };
        let (body, index, late) = (out.body, out.issued, out.late);
        let readers = out.readers.clone();
        out.issued += 1;
        let given = slots.iter().map(|slot| if let Slot::Done(value) = slot { value.clone() } else { Value::Null });
        let given: Vec<Value> = given.chain([Value::Int(index as i64)]).collect();
        let inst = self.instantiate(body, at, index, given, NONE);
        for (param, slot) in slots.into_iter().enumerate() {
            if !matches!(slot, Slot::Done(_)) {
                self.instances[inst as usize].slots[param] = slot;
            }
        }
        let holding = readers
            .iter()
            .filter(|(reader, take)| self.jobs.flow_ref(*reader).is_some_and(|flow| flow.takes[*take].holds));
        let holds = holding.count() as u32;
        let stirs = self.traits[body.at()].stirs;
        let Some(out) = self.out(id) else { return };
        out.items.push_back(Item { inst, users: readers.len() as u32, holds, is_busy: stirs });
        out.open += u32::from(holds > 0);
        if stirs {
            if !late && let Some(out) = self.out(id) {
                out.hold(index, true);
            }
            self.hold(inst);
            self.start_effects(inst);
            self.release(inst, Losses::default());
        } else {
            self.free(id, index);
        }
        for (reader, _) in readers {
            self.wake_flow(reader);
        }
    }

    /// Where an item's instance belongs.
    fn place_of(&self, inst: u32) -> Option<(u32, u64)> {
        let instance = self.instances.get(inst as usize)?;
        Some((self.flows.get(&instance.creator).copied()?, instance.index))
    }

    /// Nothing of an item runs for its own sake.
    pub(in crate::sched) fn item_quiet(&mut self, inst: u32) {
        let Some((id, index)) = self.place_of(inst) else { return };
        let Some(out) = self.out(id) else { return };
        let late = out.late;
        let was_busy = out.item(index).is_some_and(|item| std::mem::replace(&mut item.is_busy, false));
        if was_busy && !late {
            out.hold(index, false);
        }
        self.free(id, index);
        self.poke(id);
    }

    /// A flow that has left needs an item no longer.
    pub(super) fn leave_item(&mut self, inst: u32) {
        let Some((id, index)) = self.place_of(inst) else { return };
        if let Some(item) = self.out(id).and_then(|out| out.item(index)) {
            item.users = item.users.saturating_sub(1);
        }
        self.free(id, index);
    }

    /// Gives an item's memory back if nobody needs it any more.
    fn free(&mut self, id: u32, index: u64) {
        let Some(out) = self.out(id) else { return };
        if out.pending > 0 || out.is_read_elsewhere {
            return;
        }
        let Some(item) = out.item(index) else { return };
        let (inst, is_needed) = (item.inst, item.users > 0 || item.is_busy);
        if is_needed || inst == NONE || self.instances[inst as usize].unsettled > 0 {
            return;
        }
        if let Some(out) = self.out(id) {
            if let Some(item) = out.item(index) {
                item.inst = NONE;
            }
            while out.items.front().is_some_and(|item| item.inst == NONE) {
                out.items.pop_front();
                out.base += 1;
            }
        }
        self.dispose(inst);
    }

    /// Gives back all items that nobody needs.
    pub(super) fn free_all(&mut self, id: u32) {
        let Some(out) = self.out(id) else { return };
        if out.pending > 0 || out.is_read_elsewhere {
            return;
        }
        let (from, to) = (out.base, out.issued);
        (from..to).for_each(|index| self.free(id, index));
    }

    /// A flow begins to read another.
    pub(super) fn attach(&mut self, id: u32, take: usize, is_local: bool) {
        let Some(source) = self.jobs.flow_ref(id).and_then(|flow| flow.takes.get(take)).map(|r| r.source) else {
            return;
        };
        let cap = self.cap(id);
        let Some(out) = self.out(source) else { return };
        out.readers.push((id, take));
        out.was_read = true;
        if is_local {
            out.pending = out.pending.saturating_sub(1);
        }
        out.items.iter_mut().for_each(|item| item.users += 1);
        if let Some(flow) = self.jobs.flow(id) {
            flow.takes[take].cap = cap;
        }
        self.steps.push(Step::Refresh(source));
        self.balance_later(source);
    }

    /// What it is to hold the instance around may have changed.
    fn balance_later(&mut self, id: u32) {
        if self.jobs.flow(id).is_some_and(|flow| flow.is_effect) {
            self.balance(id);
        }
    }

    /// A flow reads another no longer. What it has asked for and is on the way keeps its items.
    pub(super) fn detach(&mut self, id: u32, take: usize) {
        self.set_holding(id, take, false);
        let Some(reader) = self.jobs.flow(id).and_then(|flow| flow.takes.get_mut(take)) else { return };
        let (source, next, asked) = (reader.source, reader.next, reader.asked);
        let values = std::mem::take(&mut reader.values);
        let Some(out) = self.out(source) else { return };
        out.readers.retain(|reader| *reader != (id, take));
        for index in next..out.issued {
            let Some(inst) = self.out(source).and_then(|out| out.instance(index)) else { continue };
            let on_the_way = if index < asked {
                values.iter().filter(|value| !self.is_there(inst, **value)).count() as u32
            } else {
                0
            };
            if let Some(item) = self.out(source).and_then(|out| out.item(index)) {
                item.users = (item.users + on_the_way).saturating_sub(1);
            }
            self.free(source, index);
        }
        self.steps.push(Step::Refresh(source));
        self.poke(source);
    }

    /// Lets items be open until a flow has taken them, or not.
    pub(super) fn set_holding(&mut self, id: u32, take: usize, on: bool) {
        let Some(reader) = self.jobs.flow(id).and_then(|flow| flow.takes.get_mut(take)) else { return };
        let on = on && !reader.kept;
        if std::mem::replace(&mut reader.holds, on) == on {
            return;
        }
        let (source, next) = (reader.source, reader.next);
        if let Some(out) = self.out(source) {
            (next..out.issued).for_each(|index| out.hold(index, on));
        }
        if !on {
            self.poke(source);
        }
    }

    /// How many items a flow may have asked for and not taken: what it can take itself, and what is wanted of it.
    fn cap(&self, id: u32) -> u64 {
        let Some(flow) = self.jobs.flow_ref(id) else { return 0 };
        let own = flow.credit();
        let Some(out) = flow.out.as_ref().filter(|out| !out.drives) else { return own };
        let caps = out.readers.iter().filter_map(|(reader, take)| {
            let reader = self.jobs.flow_ref(*reader).filter(|flow| flow.is_active)?.takes.get(*take)?;
            Some(reader.cap).filter(|_| !reader.follows)
        });
        own.min(caps.max().unwrap_or(0))
    }

    /// Asks for the values of items that are there, as far as a flow may.
    pub(super) fn ask_more(&mut self, id: u32, take: usize) -> bool {
        let cap = self.cap(id);
        let Some(flow) = self.jobs.flow(id) else { return false };
        let cap = if matches!(flow.state, State::Drains(_)) { u64::MAX } else { cap };
        let Some(reader) = flow.takes.get_mut(take) else { return false };
        let has_grown = std::mem::replace(&mut reader.cap, cap) < cap;
        let (source, values) = (reader.source, reader.values.clone());
        if has_grown {
            // So has what is wanted of it.
            self.wake_flow(source);
        }
        for _ in 0..ASKED_AT_ONCE {
            let Some(reader) = self.jobs.flow_ref(id).and_then(|flow| flow.takes.get(take)) else { return false };
            let (index, is_free) = (reader.asked, reader.asked - reader.next < cap);
            let Some(inst) = self.out(source).filter(|_| is_free).and_then(|out| out.instance(index)) else {
                return false;
            };
            let mut waits = 0;
            for value in &values {
                waits += u32::from(self.ask(inst, *value, Waiter::Take(id, inst)));
            }
            if let Some(flow) = self.jobs.flow(id) {
                flow.waits += waits;
                flow.takes[take].asked += 1;
            }
        }
        true
    }

    /// A flow has taken its next item.
    pub(super) fn took(&mut self, id: u32, take: usize) {
        let cap = self.cap(id);
        let Some(reader) = self.jobs.flow(id).and_then(|flow| flow.takes.get_mut(take)) else { return };
        let (source, index, holds) = (reader.source, reader.next, reader.holds);
        reader.next += 1;
        reader.cap = cap;
        let Some(out) = self.out(source) else { return };
        if let Some(item) = out.item(index) {
            item.users = item.users.saturating_sub(1);
        }
        if holds {
            out.hold(index, false);
        }
        self.free(source, index);
        self.poke(source);
    }

    /// Whether an item more of a flow is wanted, and there is room for it.
    pub(super) fn wants(&self, id: u32, whatever_the_window: bool) -> bool {
        let Some(flow) = self.jobs.flow_ref(id) else { return false };
        let Some(out) = &flow.out else { return true };
        if flow.end.is_some() || !(out.open < out.window || whatever_the_window) {
            return false;
        }
        out.drives
            || out.readers.iter().any(|(reader, take)| {
                let Some(flow) = self.jobs.flow_ref(*reader).filter(|f| f.is_active && f.takes_now()) else {
                    return false;
                };
                let reader = &flow.takes[*take];
                !reader.follows && reader.asked == out.issued && reader.asked - reader.next < reader.cap
            })
    }

    /// Lets a flow go on if an item more of it is wanted.
    pub(super) fn poke(&mut self, id: u32) {
        let may_give = |flow: &Flow| flow.is_active && matches!(flow.state, State::Ready | State::Gives(_));
        if self.jobs.flow_ref(id).is_some_and(may_give) && self.wants(id, false) {
            self.queue_flow(id);
        }
    }

    /// Sets what an item has of a flow that gives values per item.
    pub(super) fn give_per(&mut self, id: u32, index: u64, outcome: Outcome) {
        let Some(flow) = self.jobs.flow_ref(id) else { return };
        let (Some(per), Some(reader)) = (flow.per, flow.takes.first()) else { return };
        let source = reader.source;
        let Some(inst) = self.out(source).and_then(|out| out.instance(index)) else { return };
        let at = At { inst, op: per };
        match self.slot_mut(at) {
            slot @ Slot::Idle => {
                *slot = match outcome {
                    Ok(Some(value)) => Slot::Done(value),
                    Ok(None) => Slot::Dropped,
                    Err(failures) => Slot::Failed(Box::new(failures)),
                };
            }
            // It has been asked and looks soon.
            Slot::Wait(wait) if wait.missing == 0 => {
                if let Some(flow) = self.jobs.flow(id) {
                    flow.given.insert(index, outcome);
                }
            }
            _ => self.end_op(at, outcome),
        }
    }

    /// The item of its first stream that a flow takes next, and how many there are.
    pub(super) fn next_of_first(&self, id: u32) -> (u64, u64) {
        let reader = self.jobs.flow_ref(id).and_then(|flow| flow.takes.first());
        let Some(reader) = reader else { return (0, 0) };
        let out = self.jobs.flow_ref(reader.source).and_then(|source| source.out.as_ref());
        (reader.next, out.map_or(0, |out| out.issued))
    }
}
