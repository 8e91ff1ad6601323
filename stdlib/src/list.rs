//! `std.list`. Functions that `std.core` and `std.text` share stand here.

use crate::bounds::{self, to_vec};
use crate::convert::{self, Duration, Size, truth, typed};
use ntl_engine::native::{Calls, Stop};
use ntl_engine::value::{ByValue, Key, compare, compare_total};
use ntl_engine::{Dict, Fault, Func, List, Text, Value};
use std::cmp::Ordering;
use std::collections::HashSet;

pub(crate) fn first(xs: &List) -> Option<Value> {
    xs.get(0)
}

pub(crate) fn last(xs: &List) -> Option<Value> {
    xs.get(xs.len().checked_sub(1)?)
}

pub(crate) fn get(xs: &List, i: i64) -> Option<Value> {
    xs.get(usize::try_from(i).ok()?)
}

pub(crate) fn slice(xs: &List, from: i64, to: Option<i64>) -> Result<List, Fault> {
    let from = bounds::place("from", from)?;
    let to = to.map_or(Ok(usize::MAX), |to| bounds::place("to", to))?;
    Ok(between(xs, from, to))
}

pub(crate) fn take(xs: &List, n: i64) -> Result<List, Fault> {
    Ok(between(xs, 0, bounds::count("n", n, 0)?))
}

pub(crate) fn drop(xs: &List, n: i64) -> Result<List, Fault> {
    Ok(between(xs, bounds::count("n", n, 0)?, usize::MAX))
}

/// The items at the places `from..to`, as far as there are any; of a range still one.
fn between(xs: &List, from: usize, to: usize) -> List {
    let to = to.min(xs.len());
    let from = from.min(to);
    if from == 0 && to == xs.len() {
        return xs.clone();
    }
    match (xs.as_slice(), xs.as_range()) {
        (Some(items), _) => List::new(items.get(from..to).unwrap_or_default().to_vec()),
        // Both places are at most the range's length, which its bounds span.
        (_, Some((start, _))) => {
            List::range(start.saturating_add_unsigned(from as u64), start.saturating_add_unsigned(to as u64))
        }
        _ => xs.iter().skip(from).take(to - from).collect(),
    }
}

pub(crate) fn take_while(cx: &mut dyn Calls, xs: &List, f: &Func) -> Result<List, Stop> {
    Ok(between(xs, 0, run_of(cx, xs, f)?))
}

pub(crate) fn drop_while(cx: &mut dyn Calls, xs: &List, f: &Func) -> Result<List, Stop> {
    Ok(between(xs, run_of(cx, xs, f)?, usize::MAX))
}

/// How many items stand before the first for which `f` does not hold.
fn run_of(cx: &mut dyn Calls, xs: &List, f: &Func) -> Result<usize, Stop> {
    for (at, x) in xs.iter().enumerate() {
        if !holds(cx, f, x)? {
            return Ok(at);
        }
    }
    Ok(xs.len())
}

/// What `f` says of an item.
fn holds(cx: &mut dyn Calls, f: &Func, x: Value) -> Result<bool, Stop> {
    Ok(truth(&cx.call(f, &[x])?)?)
}

pub(crate) fn reverse(xs: &List) -> Result<List, Fault> {
    let mut items = to_vec(xs)?;
    items.reverse();
    Ok(List::new(items))
}

pub(crate) fn unique(xs: &List) -> Result<List, Fault> {
    let mut seen = HashSet::new();
    Ok(to_vec(xs)?.into_iter().filter(|x| seen.insert(ByValue(x.clone()))).collect())
}

pub(crate) fn unique_by(cx: &mut dyn Calls, xs: &List, key: &Func) -> Result<List, Stop> {
    let mut seen = HashSet::new();
    gather(cx, xs, |cx, x| Ok(seen.insert(ByValue(cx.call(key, std::slice::from_ref(&x))?)).then_some(x)))
}

/// What `f` makes of every item, as far as it makes something.
fn gather(
    cx: &mut dyn Calls,
    xs: &List,
    mut f: impl FnMut(&mut dyn Calls, Value) -> Result<Option<Value>, Stop>,
) -> Result<List, Stop> {
    let is_range = xs.as_range().is_some();
    let mut items = Vec::new();
    for x in xs.iter() {
        if let Some(made) = f(cx, x)? {
            items.push(made);
            if is_range {
                bounds::items(items.len())?;
            }
        }
    }
    Ok(List::new(items))
}

pub(crate) fn sort(xs: &List, descending: bool) -> Result<List, Fault> {
    let keyed = to_vec(xs)?.into_iter().map(|x| (x, ())).collect();
    sorted(keyed, |(x, ())| x, descending)
}

pub(crate) fn sort_2(cx: &mut dyn Calls, xs: &List, by: &Func, descending: bool) -> Result<List, Stop> {
    let mut keyed = Vec::new();
    for x in to_vec(xs)? {
        let key = cx.call(by, std::slice::from_ref(&x))?;
        keyed.push((x, key));
    }
    Ok(sorted(keyed, |(_, key)| key, descending)?)
}

/// The items by their keys. The first two keys that have no order fail.
fn sorted<K>(mut keyed: Vec<(Value, K)>, key: impl Fn(&(Value, K)) -> &Value, descending: bool) -> Result<List, Fault> {
    let mut fault = None;
    keyed.sort_by(|a, b| {
        let (a, b) = if descending { (b, a) } else { (a, b) };
        compare_total(key(a), key(b)).unwrap_or_else(|f| {
            fault.get_or_insert(f);
            Ordering::Equal
        })
    });
    match fault {
        Some(fault) => Err(fault),
        None => Ok(keyed.into_iter().map(|(x, _)| x).collect()),
    }
}

pub(crate) fn map(cx: &mut dyn Calls, xs: &List, f: &Func) -> Result<List, Stop> {
    bounds::written_out(xs)?;
    let mut items = Vec::with_capacity(xs.len());
    for x in xs.iter() {
        items.push(cx.call(f, &[x])?);
    }
    Ok(List::new(items))
}

pub(crate) fn flat_map(cx: &mut dyn Calls, xs: &List, f: &Func) -> Result<List, Stop> {
    let mut items = Vec::new();
    for x in xs.iter() {
        extend(&mut items, &cx.call(f, &[x])?)?;
    }
    Ok(List::new(items))
}

/// Adds the items of a list.
fn extend(items: &mut Vec<Value>, list: &Value) -> Result<(), Fault> {
    let list: &List = convert::arg(list)?;
    bounds::items(items.len().saturating_add(list.len()))?;
    items.extend(list.iter());
    Ok(())
}

pub(crate) fn filter(cx: &mut dyn Calls, xs: &List, f: &Func) -> Result<List, Stop> {
    gather(cx, xs, |cx, x| Ok(holds(cx, f, x.clone())?.then_some(x)))
}

pub(crate) fn filter_map(cx: &mut dyn Calls, xs: &List, f: &Func) -> Result<List, Stop> {
    gather(cx, xs, |cx, x| Ok(Some(cx.call(f, &[x])?).filter(|made| !matches!(made, Value::Null))))
}

pub(crate) fn compact(xs: &List) -> Result<List, Fault> {
    Ok(to_vec(xs)?.into_iter().filter(|x| !matches!(x, Value::Null)).collect())
}

pub(crate) fn fold(cx: &mut dyn Calls, xs: &List, start: &Value, step: &Func) -> Result<Value, Stop> {
    let mut value = start.clone();
    for x in xs.iter() {
        value = cx.call(step, &[value, x])?;
    }
    Ok(value)
}

pub(crate) fn any(cx: &mut dyn Calls, xs: &List, f: &Func) -> Result<bool, Stop> {
    Ok(find(cx, xs, f)?.is_some())
}

pub(crate) fn all(cx: &mut dyn Calls, xs: &List, f: &Func) -> Result<bool, Stop> {
    Ok(run_of(cx, xs, f)? == xs.len())
}

pub(crate) fn find(cx: &mut dyn Calls, xs: &List, f: &Func) -> Result<Option<Value>, Stop> {
    for x in xs.iter() {
        if holds(cx, f, x.clone())? {
            return Ok(Some(x));
        }
    }
    Ok(None)
}

pub(crate) fn contains(xs: &List, x: &Value) -> bool {
    index_of(xs, x).is_some()
}

pub(crate) fn index_of(xs: &List, x: &Value) -> Option<i64> {
    if let (Some((start, end)), Value::Int(x)) = (xs.as_range(), x) {
        return (start..end).contains(x).then(|| x.wrapping_sub(start));
    }
    xs.iter().position(|item| item == *x).map(|at| at as i64)
}

/// The key that `f` makes of every item, with the item.
fn keyed<'a>(
    cx: &'a mut dyn Calls,
    xs: &'a List,
    f: &'a Func,
) -> impl Iterator<Item = Result<(Key, Value), Stop>> + 'a {
    xs.iter().map(move |x| Ok((convert::key(&cx.call(f, std::slice::from_ref(&x))?)?, x)))
}

pub(crate) fn group_by(cx: &mut dyn Calls, xs: &List, key: &Func) -> Result<Dict, Stop> {
    bounds::written_out(xs)?;
    let mut groups = indexmap::IndexMap::<Key, Vec<Value>>::new();
    for entry in keyed(cx, xs, key) {
        let (key, x) = entry?;
        groups.entry(key).or_default().push(x);
    }
    Ok(groups.into_iter().map(|(key, xs)| (key, Value::list(xs))).collect())
}

pub(crate) fn count_by(cx: &mut dyn Calls, xs: &List, key: &Func) -> Result<Dict, Stop> {
    let mut counts = indexmap::IndexMap::<Key, i64>::new();
    for entry in keyed(cx, xs, key) {
        *counts.entry(entry?.0).or_default() += 1;
        bounds::items(counts.len())?;
    }
    Ok(counts.into_iter().map(|(key, n)| (key, Value::Int(n))).collect())
}

pub(crate) fn key_by(cx: &mut dyn Calls, xs: &List, key: &Func) -> Result<Dict, Stop> {
    bounds::written_out(xs)?;
    keyed(cx, xs, key).collect()
}

pub(crate) fn min(xs: &List) -> Result<Option<Value>, Fault> {
    extreme(xs.iter().map(|x| Ok((x, ()))), |(x, ())| x, Ordering::Less)
}

pub(crate) fn max(xs: &List) -> Result<Option<Value>, Fault> {
    extreme(xs.iter().map(|x| Ok((x, ()))), |(x, ())| x, Ordering::Greater)
}

pub(crate) fn min_by(cx: &mut dyn Calls, xs: &List, f: &Func) -> Result<Option<Value>, Stop> {
    extreme_by(cx, xs, f, Ordering::Less)
}

pub(crate) fn max_by(cx: &mut dyn Calls, xs: &List, f: &Func) -> Result<Option<Value>, Stop> {
    extreme_by(cx, xs, f, Ordering::Greater)
}

fn extreme_by(cx: &mut dyn Calls, xs: &List, f: &Func, wanted: Ordering) -> Result<Option<Value>, Stop> {
    let keyed = xs.iter().map(|x| {
        let key = cx.call(f, std::slice::from_ref(&x))?;
        Ok((x, key))
    });
    extreme(keyed, |(_, key)| key, wanted)
}

/// The first item whose key compares so to those of all others, or equals them.
fn extreme<K, E: From<Fault>>(
    keyed: impl Iterator<Item = Result<(Value, K), E>>,
    key: impl Fn(&(Value, K)) -> &Value,
    wanted: Ordering,
) -> Result<Option<Value>, E> {
    let mut best: Option<(Value, K)> = None;
    for entry in keyed {
        let entry = entry?;
        let better = match &best {
            Some(best) => compare(key(&entry), key(best))? == wanted,
            None => true,
        };
        if better {
            best = Some(entry);
        }
    }
    Ok(best.map(|(x, _)| x))
}

pub(crate) fn sum(xs: &List) -> Result<i64, Fault> {
    if let Some((start, end)) = xs.as_range() {
        let (start, end) = (i128::from(start), i128::from(end));
        // A range has fewer than 2^64 items of less than 2^64: their sum may leave i128, but never by this much.
        return whole((end - start).checked_mul(start + end - 1).map(|twice| twice / 2));
    }
    total(typed::<i64>(xs))
}

pub(crate) fn sum_2(xs: &List) -> Result<Duration, Fault> {
    total(typed::<Duration>(xs).map(|x| x.map(|Duration(ns)| ns))).map(Duration)
}

pub(crate) fn sum_3(xs: &List) -> Result<Size, Fault> {
    total(typed::<Size>(xs).map(|x| x.map(|Size(bytes)| bytes))).map(Size)
}

/// Only the sum must be an int: what comes before may lie beyond, and the order of the items does not matter.
fn total<E: From<Fault>>(xs: impl Iterator<Item = Result<i64, E>>) -> Result<i64, E> {
    let mut sum = 0_i128;
    for x in xs {
        sum += i128::from(x?);
    }
    Ok(whole(Some(sum))?)
}

fn whole(sum: Option<i128>) -> Result<i64, Fault> {
    sum.and_then(|sum| i64::try_from(sum).ok())
        .ok_or_else(|| Fault::new("overflow", "integer overflow: the sum does not fit in 64 bits"))
}

pub(crate) fn sum_4(xs: &List) -> Result<f64, Fault> {
    add(typed(xs))
}

/// Adds up without losing the digits of small numbers to great ones (Neumaier's compensated sum).
pub(crate) fn add<E>(xs: impl Iterator<Item = Result<f64, E>>) -> Result<f64, E> {
    let (mut sum, mut lost) = (0.0_f64, 0.0_f64);
    for x in xs {
        let x = x?;
        let next = sum + x;
        lost += if sum.abs() >= x.abs() { (sum - next) + x } else { (x - next) + sum };
        sum = next;
    }
    // Where the sum is infinite, `lost` is no number.
    Ok(if sum.is_finite() { sum + lost } else { f64::INFINITY })
}

pub(crate) fn mean(xs: &List) -> Result<Option<f64>, Fault> {
    if xs.is_empty() {
        return Ok(None);
    }
    Ok(Some(sum_4(xs)? / xs.len() as f64))
}

pub(crate) fn sum_by(cx: &mut dyn Calls, xs: &List, f: &Func) -> Result<i64, Stop> {
    total(xs.iter().map(|x| Ok(convert::arg::<i64>(&cx.call(f, &[x])?)?)))
}

pub(crate) fn sum_by_2(cx: &mut dyn Calls, xs: &List, f: &Func) -> Result<Duration, Stop> {
    total(xs.iter().map(|x| Ok(convert::arg::<Duration>(&cx.call(f, &[x])?)?.0))).map(Duration)
}

pub(crate) fn sum_by_3(cx: &mut dyn Calls, xs: &List, f: &Func) -> Result<Size, Stop> {
    total(xs.iter().map(|x| Ok(convert::arg::<Size>(&cx.call(f, &[x])?)?.0))).map(Size)
}

pub(crate) fn sum_by_4(cx: &mut dyn Calls, xs: &List, f: &Func) -> Result<f64, Stop> {
    add(xs.iter().map(|x| Ok(convert::arg(&cx.call(f, &[x])?)?)))
}

pub(crate) fn join(xs: &List, sep: &Text) -> Result<Text, Fault> {
    let mut bytes = sep.len().saturating_mul(xs.len().saturating_sub(1));
    for x in xs.iter() {
        bytes = bytes.saturating_add(convert::arg::<&Text>(&x)?.len());
        bounds::text(bytes)?;
    }
    let mut out = String::with_capacity(bytes);
    for (at, x) in xs.iter().enumerate() {
        if at > 0 {
            out.push_str(sep);
        }
        out.push_str(convert::arg::<&Text>(&x)?);
    }
    Ok(out.into())
}

pub(crate) fn chunk(xs: &List, size: i64) -> Result<List, Fault> {
    let size = bounds::count("size", size, 1)?;
    windows(xs, size, size, true)
}

/// Lists of `size` neighbours, each `step` places after the one before it; shorter ones at the end only if `rest`.
pub(crate) fn windows(xs: &List, size: usize, step: usize, rest: bool) -> Result<List, Fault> {
    let starts = if rest { xs.len() } else { xs.len().saturating_add(1).saturating_sub(size) };
    let count = starts.div_ceil(step);
    // Windows of a range are ranges; of another list they are copies, which may overlap.
    if xs.as_range().is_some() {
        bounds::items(count)?;
    } else if step < size {
        bounds::items(count.saturating_mul(size))?;
    }
    Ok((0..count).map(|at| Value::List(between(xs, at * step, (at * step).saturating_add(size)))).collect())
}

pub(crate) fn flatten(xss: &List) -> Result<List, Fault> {
    let mut items = Vec::new();
    for xs in xss.iter() {
        extend(&mut items, &xs)?;
    }
    Ok(List::new(items))
}

pub(crate) fn zip(xs: &List, ys: &List) -> Result<List, Fault> {
    // A pair of lists is as long as the shorter one, which is in memory unless both are ranges.
    bounds::written_out(if xs.len() < ys.len() { xs } else { ys })?;
    Ok(xs.iter().zip(ys.iter()).map(|(x, y)| Value::tuple(vec![x, y])).collect())
}

pub(crate) fn enumerate(xs: &List) -> Result<List, Fault> {
    bounds::written_out(xs)?;
    Ok(xs.iter().enumerate().map(|(at, x)| Value::tuple(vec![Value::Int(at as i64), x])).collect())
}

pub(crate) fn partition(cx: &mut dyn Calls, xs: &List, f: &Func) -> Result<(List, List), Stop> {
    let (mut yes, mut no) = (Vec::new(), Vec::new());
    for x in to_vec(xs)? {
        if holds(cx, f, x.clone())? { yes.push(x) } else { no.push(x) }
    }
    Ok((List::new(yes), List::new(no)))
}

pub(crate) fn intersect(a: &List, b: &List) -> Result<List, Fault> {
    let mut left = set(b)?;
    Ok(to_vec(a)?.into_iter().filter(|x| left.remove(&ByValue(x.clone()))).collect())
}

pub(crate) fn union(a: &List, b: &List) -> Result<List, Fault> {
    bounds::written_out(a)?;
    bounds::written_out(b)?;
    unique(&a.iter().chain(b.iter()).collect())
}

pub(crate) fn difference(a: &List, b: &List) -> Result<List, Fault> {
    let mut seen = set(b)?;
    Ok(to_vec(a)?.into_iter().filter(|x| seen.insert(ByValue(x.clone()))).collect())
}

fn set(xs: &List) -> Result<HashSet<ByValue>, Fault> {
    Ok(to_vec(xs)?.into_iter().map(ByValue).collect())
}

pub(crate) fn repeat(x: &Value, n: i64) -> Result<List, Fault> {
    let n = bounds::count("n", n, 0)?;
    bounds::items(n)?;
    Ok(std::iter::repeat_n(x.clone(), n).collect())
}

pub(crate) fn is_empty(xs: &List) -> bool {
    xs.is_empty()
}
