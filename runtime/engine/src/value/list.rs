//! Lists.

use super::{Fault, MAX_ITEMS, Value, nest};
use std::sync::Arc;

/// A shared list: of values, or a range that is made lazily.
#[derive(Clone, Debug)]
pub struct List(Arc<ListData>);

#[derive(Debug)]
enum ListData {
    Values(Vec<Value>),
    /// `start..end`, `start <= end`.
    Range(i64, i64),
}

impl Drop for ListData {
    fn drop(&mut self) {
        if let ListData::Values(items) = self {
            nest::drop_values(items);
        }
    }
}

impl List {
    /// A list of values.
    pub fn new(values: Vec<Value>) -> Self {
        List(Arc::new(ListData::Values(values)))
    }

    /// The ints from `start` to before `end`; empty if descending.
    pub fn range(start: i64, end: i64) -> Self {
        List(Arc::new(ListData::Range(start, end.max(start))))
    }

    /// How many items there are; saturates.
    pub fn len(&self) -> usize {
        match &*self.0 {
            ListData::Values(v) => v.len(),
            ListData::Range(a, b) => usize::try_from(i128::from(*b) - i128::from(*a)).unwrap_or(usize::MAX),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The item at a place.
    pub fn get(&self, index: usize) -> Option<Value> {
        match &*self.0 {
            ListData::Values(v) => v.get(index).cloned(),
            ListData::Range(a, b) => {
                i64::try_from(index).ok().and_then(|i| a.checked_add(i)).filter(|x| x < b).map(Value::Int)
            }
        }
    }

    /// The items in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Value> + DoubleEndedIterator + '_ {
        (0..self.len()).map(|i| self.get(i).unwrap_or(Value::Null))
    }

    /// Where it lies in memory: the same for all who share it.
    pub(super) fn address(&self) -> usize {
        Arc::as_ptr(&self.0).addr()
    }

    /// The values, if it is not a range.
    pub fn as_slice(&self) -> Option<&[Value]> {
        match &*self.0 {
            ListData::Values(v) => Some(v),
            ListData::Range(..) => None,
        }
    }

    /// Its bounds, if it is a range: from the first to before the second.
    pub fn as_range(&self) -> Option<(i64, i64)> {
        match *self.0 {
            ListData::Range(a, b) => Some((a, b)),
            ListData::Values(_) => None,
        }
    }

    /// The items as a vector: in place where nobody else holds the list. A range that is too long for the memory ends
    /// the native or instruction that asks with a fault `invalid`.
    pub fn into_vec(mut self) -> Vec<Value> {
        match Arc::get_mut(&mut self.0) {
            Some(ListData::Values(v)) => std::mem::take(v),
            _ => self.0.to_vec(),
        }
    }

    /// Adds an item at the end: in place where nobody else holds the list.
    pub fn push(&mut self, value: Value) {
        self.edit(|items| items.push(value));
    }

    /// Adds the items of another list at the end: in place where nobody else holds this one.
    pub fn append(&mut self, other: &List) {
        match other.as_slice() {
            Some(values) => self.edit(|items| items.extend_from_slice(values)),
            None => self.edit(|items| items.extend(other.0.to_vec())),
        }
    }

    fn edit(&mut self, change: impl FnOnce(&mut Vec<Value>)) {
        if let Some(ListData::Values(v)) = Arc::get_mut(&mut self.0) {
            return change(v);
        }
        let mut items = self.0.to_vec();
        change(&mut items);
        *self = List::new(items);
    }
}

impl ListData {
    fn to_vec(&self) -> Vec<Value> {
        match *self {
            ListData::Values(ref v) => v.clone(),
            ListData::Range(a, b) => {
                let mut items = Vec::new();
                let len = usize::try_from(i128::from(b) - i128::from(a)).unwrap_or(usize::MAX);
                if len > MAX_ITEMS || items.try_reserve_exact(len).is_err() {
                    Fault::list_too_long().unwind();
                }
                items.extend((a..b).map(Value::Int));
                items
            }
        }
    }
}

impl FromIterator<Value> for List {
    fn from_iter<I: IntoIterator<Item = Value>>(iter: I) -> Self {
        List::new(iter.into_iter().collect())
    }
}
