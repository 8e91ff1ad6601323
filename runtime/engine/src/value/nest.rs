//! Dropping values without deep recursion. Every container drops its items through [`drop_values`]: the first levels
//! recurse, what is deeper is put aside and dropped from a loop.

use super::Value;
use std::cell::{Cell, RefCell};

/// How many levels recurse before the rest is put aside.
const RECURSE: u32 = 64;

thread_local! {
    static DEPTH: Cell<u32> = const { Cell::new(0) };
    static ASIDE: RefCell<Vec<Vec<Value>>> = const { RefCell::new(Vec::new()) };
}

/// Drops the items, leaving none.
pub(super) fn drop_values(items: &mut Vec<Value>) {
    // A list of numbers or texts drops flat: no bookkeeping.
    if !items.iter().any(Value::nests) {
        return;
    }
    let items = std::mem::take(items);
    // While the thread ends its locals may be gone; values that live until then are shallow.
    let Ok(depth) = DEPTH.try_with(|d| d.replace(d.get() + 1)) else { return };
    if depth < RECURSE {
        drop(items);
    } else {
        let _ = ASIDE.try_with(|aside| aside.borrow_mut().push(items));
    }
    let _ = DEPTH.try_with(|d| d.set(depth));
    if depth == 0 {
        while let Some(items) = ASIDE.try_with(|aside| aside.borrow_mut().pop()).ok().flatten() {
            // One level deeper, so that nested drops do not start a loop of their own.
            let _ = DEPTH.try_with(|d| d.set(1));
            drop(items);
            let _ = DEPTH.try_with(|d| d.set(0));
        }
    }
}
