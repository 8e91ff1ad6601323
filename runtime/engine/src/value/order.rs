//! The language's order.

use super::equal::Known;
use super::{Fault, MAX_DEPTH, Value, brief};
use ntl_plan::arith::int_with_float;
use std::cmp::Ordering;

/// `<` and its like: numbers by what they are worth, str by code points, durations, sizes, datetimes, tuples and lists
/// by item. Anything else, and two of different kinds, is a fault `type`.
pub fn compare(a: &Value, b: &Value) -> Result<Ordering, Fault> {
    at(a, b, false, 0, &mut Known::default())
}

/// The order that sorts: as [`compare`], but `-0.0` comes before `0.0`.
pub fn compare_total(a: &Value, b: &Value) -> Result<Ordering, Fault> {
    at(a, b, true, 0, &mut Known::default())
}

fn at(a: &Value, b: &Value, total: bool, depth: usize, known: &mut Known) -> Result<Ordering, Fault> {
    use Value::*;
    Ok(match (a, b) {
        (Int(a), Int(b)) | (Duration(a), Duration(b)) | (Size(a), Size(b)) | (Datetime(a), Datetime(b)) => a.cmp(b),
        (Float(a), Float(b)) if total => a.total_cmp(b),
        (Float(a), Float(b)) => a.partial_cmp(b).unwrap_or(Ordering::Equal),
        (Int(i), Float(f)) => int_with_float(*i, *f),
        (Float(f), Int(i)) => int_with_float(*i, *f).reverse(),
        (Str(a), Str(b)) => a.cmp(b),
        (Null, Null) => Ordering::Equal,
        (Tuple(_), Tuple(_)) | (List(_), List(_)) if depth == MAX_DEPTH => return Err(Fault::too_deep()),
        // Had they differed, that would have been the end.
        (Tuple(_), Tuple(_)) | (List(_), List(_)) if known.has(a, b) => Ordering::Equal,
        (Tuple(a), Tuple(b)) => items(a, b, total, depth, known)?,
        (List(a), List(b)) => match (a.as_slice(), b.as_slice()) {
            (Some(a), Some(b)) => items(a, b, total, depth, known)?,
            _ => {
                for (a, b) in a.iter().zip(b.iter()) {
                    let order = at(&a, &b, total, depth + 1, known)?;
                    if order.is_ne() {
                        return Ok(order);
                    }
                }
                a.len().cmp(&b.len())
            }
        },
        _ => {
            let message = match (a.kind(), b.kind()) {
                (x, y) if x == y => {
                    format!("{x} has no order: {} and {} cannot be compared", brief(a, 40), brief(b, 40))
                }
                (x, y) => format!("{x} {} and {y} {} cannot be compared", brief(a, 40), brief(b, 40)),
            };
            return Err(Fault::new("type", message));
        }
    })
}

fn items(a: &[Value], b: &[Value], total: bool, depth: usize, known: &mut Known) -> Result<Ordering, Fault> {
    for (a, b) in a.iter().zip(b) {
        let order = at(a, b, total, depth + 1, known)?;
        if order.is_ne() {
            return Ok(order);
        }
    }
    Ok(a.len().cmp(&b.len()))
}
