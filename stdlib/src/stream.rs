//! The stream functions over what varies: each a state machine that takes and gives one value at a time. Given lists they
//! are those of `core`.

use crate::bounds;
use crate::convert::{arg, args};
use ntl_engine::native::{Calls, Got, Stop, Stream, Turn};
use ntl_engine::{Fault, Func, Value};
use std::collections::VecDeque;

type Begun = Result<Box<dyn Stream>, Fault>;

/// One that takes a single stream and needs no more than to be told of each value: what it does then, and what it ends with.
struct Simple<V, E> {
    value: V,
    end: E,
}

impl<V, E> Stream for Simple<V, E>
where
    V: FnMut(&mut dyn Calls, Value) -> Result<Turn, Stop> + Send,
    E: FnMut() -> Value + Send,
{
    fn turn(&mut self, calls: &mut dyn Calls, got: Got) -> Result<Turn, Stop> {
        match got {
            Got::Nothing => Ok(Turn::Take(0)),
            Got::Value(_, value) => (self.value)(calls, value),
            Got::End(_) => Ok(Turn::End((self.end)())),
        }
    }
}

fn simple<V, E>(value: V, end: E) -> Begun
where
    V: FnMut(&mut dyn Calls, Value) -> Result<Turn, Stop> + Send + 'static,
    E: FnMut() -> Value + Send + 'static,
{
    Ok(Box::new(Simple { value, end }))
}

struct Take(u64);

impl Stream for Take {
    fn turn(&mut self, _: &mut dyn Calls, got: Got) -> Result<Turn, Stop> {
        Ok(match got {
            Got::Nothing if self.0 > 0 => Turn::Take(0),
            Got::Value(_, value) => {
                self.0 = self.0.saturating_sub(1);
                Turn::Give(value)
            }
            Got::Nothing | Got::End(_) => Turn::End(Value::Null),
        })
    }

    fn credit(&self) -> u64 {
        self.0
    }
}

pub(crate) fn take(values: &[Value]) -> Begun {
    let [n] = args(values)?;
    Ok(Box::new(Take(bounds::count("n", arg::<i64>(n)?, 0)? as u64)))
}

pub(crate) fn skip(values: &[Value]) -> Begun {
    let [n] = args(values)?;
    let mut left = bounds::count("n", arg::<i64>(n)?, 0)?;
    let value = move |_: &mut dyn Calls, value| {
        Ok(if left > 0 {
            left -= 1;
            Turn::Take(0)
        } else {
            Turn::Give(value)
        })
    };
    simple(value, || Value::Null)
}

struct Zip(Option<Value>);

impl Stream for Zip {
    fn turn(&mut self, _: &mut dyn Calls, got: Got) -> Result<Turn, Stop> {
        Ok(match (got, self.0.take()) {
            (Got::Nothing, _) => Turn::Take(0),
            (Got::Value(0, value), _) => {
                self.0 = Some(value);
                Turn::Take(1)
            }
            (Got::Value(_, b), Some(a)) => Turn::Give(Value::tuple(vec![a, b])),
            (Got::Value(..) | Got::End(_), _) => Turn::End(Value::Null),
        })
    }
}

pub(crate) fn zip(values: &[Value]) -> Begun {
    let [] = args(values)?;
    Ok(Box::new(Zip(None)))
}

/// All of `b`, then each of `a` with those.
#[derive(Default)]
struct Cross {
    fast: Vec<Value>,
    is_known: bool,
    slow: Option<Value>,
    next: usize,
}

impl Stream for Cross {
    fn turn(&mut self, _: &mut dyn Calls, got: Got) -> Result<Turn, Stop> {
        match got {
            Got::Value(1, value) => {
                bounds::items(self.fast.len().saturating_add(1))?;
                self.fast.push(value);
            }
            Got::Value(_, value) => (self.slow, self.next) = (Some(value), 0),
            Got::End(1) if !self.fast.is_empty() => self.is_known = true,
            Got::End(_) => return Ok(Turn::End(Value::Null)),
            Got::Nothing => {}
        }
        Ok(match (&self.slow, self.fast.get(self.next)) {
            (Some(slow), Some(fast)) => {
                self.next += 1;
                Turn::Give(Value::tuple(vec![slow.clone(), fast.clone()]))
            }
            _ if self.is_known => Turn::Take(0),
            _ => Turn::Take(1),
        })
    }
}

pub(crate) fn cross(values: &[Value]) -> Begun {
    let [] = args(values)?;
    Ok(Box::new(Cross::default()))
}

struct Merge;

impl Stream for Merge {
    fn turn(&mut self, _: &mut dyn Calls, got: Got) -> Result<Turn, Stop> {
        Ok(match got {
            Got::Nothing => Turn::TakeAny,
            Got::Value(_, value) => Turn::Give(value),
            Got::End(_) => Turn::End(Value::Null),
        })
    }
}

pub(crate) fn merge(values: &[Value]) -> Begun {
    let [] = args(values)?;
    Ok(Box::new(Merge))
}

struct Batch {
    size: usize,
    items: Vec<Value>,
}

impl Stream for Batch {
    fn turn(&mut self, _: &mut dyn Calls, got: Got) -> Result<Turn, Stop> {
        let is_end = matches!(got, Got::End(_));
        if let Got::Value(_, value) = got {
            bounds::items(self.items.len().saturating_add(1))?;
            self.items.push(value);
        }
        Ok(if self.items.len() == self.size || is_end && !self.items.is_empty() {
            Turn::Give(Value::list(std::mem::take(&mut self.items)))
        } else if is_end {
            Turn::End(Value::Null)
        } else {
            Turn::Take(0)
        })
    }
}

pub(crate) fn batch(values: &[Value]) -> Begun {
    let [size] = args(values)?;
    Ok(Box::new(Batch { size: bounds::count("size", arg::<i64>(size)?, 1)?, items: Vec::new() }))
}

pub(crate) fn window(values: &[Value]) -> Begun {
    let [size, step] = args(values)?;
    let size = bounds::count("size", arg::<i64>(size)?, 1)?;
    let step = bounds::count("step", arg::<i64>(step)?, 1)?;
    let (mut items, mut skip) = (VecDeque::new(), 0);
    let value = move |_: &mut dyn Calls, value| {
        if skip > 0 {
            skip -= 1;
            return Ok(Turn::Take(0));
        }
        bounds::items(items.len().saturating_add(1))?;
        items.push_back(value);
        if items.len() < size {
            return Ok(Turn::Take(0));
        }
        let window = items.iter().cloned().collect();
        items.drain(..step.min(size));
        skip = step.saturating_sub(size);
        Ok(Turn::Give(Value::list(window)))
    };
    simple(value, || Value::Null)
}

pub(crate) fn running(values: &[Value]) -> Begun {
    let [start, step] = args(values)?;
    let (mut carried, step) = (start.clone(), arg::<&Func>(step)?.clone());
    let value = move |calls: &mut dyn Calls, value| {
        carried = calls.call(&step, &[carried.clone(), value])?;
        Ok(Turn::Give(carried.clone()))
    };
    simple(value, || Value::Null)
}

pub(crate) fn index(values: &[Value]) -> Begun {
    let [] = args(values)?;
    let mut number = -1;
    let value = move |_: &mut dyn Calls, _| {
        number += 1;
        Ok(Turn::Give(Value::Int(number)))
    };
    simple(value, || Value::Null)
}

/// One that remembers something of each value, and ends with that.
struct Fold<S> {
    state: S,
    step: fn(&mut S, Value),
    end: fn(&mut S) -> Value,
}

impl<S: Send> Stream for Fold<S> {
    fn turn(&mut self, _: &mut dyn Calls, got: Got) -> Result<Turn, Stop> {
        Ok(match got {
            Got::Nothing => Turn::Take(0),
            Got::Value(_, value) => {
                (self.step)(&mut self.state, value);
                Turn::Take(0)
            }
            Got::End(_) => Turn::End((self.end)(&mut self.state)),
        })
    }
}

pub(crate) fn last(values: &[Value]) -> Begun {
    let [] = args(values)?;
    Ok(Box::new(Fold { state: Value::Null, step: |last, value| *last = value, end: |last| last.clone() }))
}

pub(crate) fn count(values: &[Value]) -> Begun {
    let [] = args(values)?;
    Ok(Box::new(Fold { state: 0, step: |count, _| *count += 1, end: |count| Value::Int(*count) }))
}
