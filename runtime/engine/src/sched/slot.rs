//! What is known of each operation of an instance, and who waits for it.

use crate::failure::Failures;
use crate::value::Value;

/// No index.
pub(super) const NONE: u32 = u32::MAX;

/// An operation of an instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct At {
    pub inst: u32,
    pub op: u32,
}

/// The state of an operation.
pub(super) enum Slot {
    /// Nobody has asked for it.
    Idle,
    /// Asked for; so many things are missing before it goes on, and so many wait for it.
    Wait(Wait),
    Done(Value),
    /// There will be no value: something it depends on was left out on purpose.
    Dropped,
    Failed(Box<Failures>),
}

impl Slot {
    /// Whether nothing more will become of it.
    pub fn has_ended(&self) -> bool {
        matches!(self, Slot::Done(_) | Slot::Dropped | Slot::Failed(_))
    }

    /// What failed.
    pub fn failures(&self) -> Option<&Failures> {
        match self {
            Slot::Failed(failures) => Some(failures),
            _ => None,
        }
    }
}

const _: () = assert!(size_of::<Slot>() == 16);

pub(super) struct Wait {
    pub missing: u32,
    /// The first of a chain of [`Waiters`].
    pub waiters: u32,
}

/// Who is told when a slot is done or has failed.
#[derive(Clone, Copy)]
pub(super) enum Waiter {
    /// An operation for which something is missing.
    Op(At),
    /// An instance of which it is an effect.
    Effect(u32),
    /// An instance of which it is a result.
    Child(u32),
    /// A call that is to start after it.
    Start(At),
    /// A flow that takes it of the item with this instance.
    Take(u32, u32),
    /// An output of the run.
    Output(u32),
}

/// Chains of waiters, in one piece of memory that is used again.
pub(super) struct Waiters {
    nodes: Vec<(Waiter, u32)>,
    free: u32,
}

impl Waiters {
    pub fn new() -> Self {
        Waiters { nodes: Vec::new(), free: NONE }
    }

    /// Puts a waiter before a chain.
    pub fn push(&mut self, head: &mut u32, waiter: Waiter) {
        let node = (waiter, *head);
        if let Some(slot) = self.nodes.get_mut(self.free as usize) {
            *head = std::mem::replace(&mut self.free, slot.1);
            *slot = node;
        } else {
            *head = u32::try_from(self.nodes.len()).unwrap_or(NONE);
            self.nodes.push(node);
        }
    }

    /// Takes the first waiter off a chain.
    pub fn pop(&mut self, head: &mut u32) -> Option<Waiter> {
        let node = self.nodes.get_mut(*head as usize)?;
        let waiter = node.0;
        let next = std::mem::replace(&mut node.1, self.free);
        self.free = std::mem::replace(head, next);
        Some(waiter)
    }
}
