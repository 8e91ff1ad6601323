//! Arithmetic and order of single values: what the engine computes with, and a compiler where it knows the operands.

#![expect(
    clippy::arithmetic_side_effects,
    reason = "what could overflow is checked or wider here; the rest has no zero divisor"
)]

use std::cmp::Ordering;

/// A value that is computed with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    /// An int.
    Int(i64),
    /// A float; finite.
    Float(f64),
    /// Nanoseconds.
    Duration(i64),
    /// Bytes.
    Size(i64),
    /// Nanoseconds since 1970.
    Datetime(i64),
}

/// Why there is no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wrong {
    /// It is beyond what an int, float, … holds; the kind of the result, as it would have been.
    Overflow(&'static str),
    /// A division by zero.
    ByZero,
    /// An int that would have to be a float, and is none exactly.
    Inexact(i64),
    /// There is no such operation.
    Unknown,
}

type Made = Result<Number, Wrong>;
use Number::{Datetime, Duration, Float, Int, Size};

/// `a + b`.
pub fn add(a: Number, b: Number) -> Made {
    match (a, b) {
        (Int(x), Int(y)) => whole(x.checked_add(y), Int),
        (Float(x), Float(y)) => finite(x + y),
        (Duration(x), Duration(y)) => whole(x.checked_add(y), Duration),
        (Size(x), Size(y)) => whole(x.checked_add(y), Size),
        (Datetime(x), Duration(y)) | (Duration(x), Datetime(y)) => whole(x.checked_add(y), Datetime),
        _ => mixed(a, b, add),
    }
}

/// `a - b`.
pub fn sub(a: Number, b: Number) -> Made {
    match (a, b) {
        (Int(x), Int(y)) => whole(x.checked_sub(y), Int),
        (Float(x), Float(y)) => finite(x - y),
        (Duration(x), Duration(y)) => whole(x.checked_sub(y), Duration),
        (Size(x), Size(y)) => whole(x.checked_sub(y), Size),
        (Datetime(x), Duration(y)) => whole(x.checked_sub(y), Datetime),
        (Datetime(x), Datetime(y)) => whole(x.checked_sub(y), Duration),
        _ => mixed(a, b, sub),
    }
}

/// `a * b`.
pub fn mul(a: Number, b: Number) -> Made {
    match (a, b) {
        (Int(x), Int(y)) => whole(x.checked_mul(y), Int),
        (Float(x), Float(y)) => finite(x * y),
        (Duration(x), Int(y)) | (Int(y), Duration(x)) => whole(x.checked_mul(y), Duration),
        (Size(x), Int(y)) | (Int(y), Size(x)) => whole(x.checked_mul(y), Size),
        (Duration(x), Float(y)) | (Float(y), Duration(x)) => whole(rounded(x as f64 * y), Duration),
        (Size(x), Float(y)) | (Float(y), Size(x)) => whole(rounded(x as f64 * y), Size),
        _ => mixed(a, b, mul),
    }
}

/// `a / b`: of two alike a float.
pub fn div(a: Number, b: Number) -> Made {
    match (a, b) {
        (_, b) if is_zero(b) => Err(Wrong::ByZero),
        (Int(x), Int(y)) | (Duration(x), Duration(y)) | (Size(x), Size(y)) => Ok(Float(quotient(x, y))),
        (Float(x), Float(y)) => finite(x / y),
        (Duration(x), Int(y)) => whole(nearest(x, y), Duration),
        (Size(x), Int(y)) => whole(nearest(x, y), Size),
        (Duration(x), Float(y)) => whole(rounded(x as f64 / y), Duration),
        (Size(x), Float(y)) => whole(rounded(x as f64 / y), Size),
        _ => mixed(a, b, div),
    }
}

/// `a % b`: the sign is that of the divisor.
pub fn rem(a: Number, b: Number) -> Made {
    match (a, b) {
        (_, b) if is_zero(b) => Err(Wrong::ByZero),
        (Int(x), Int(y)) => Ok(Int(floored_rem(x, y))),
        (Duration(x), Duration(y)) => Ok(Duration(floored_rem(x, y))),
        (Size(x), Size(y)) => Ok(Size(floored_rem(x, y))),
        (Float(x), Float(y)) => {
            let r = x % y;
            Ok(Float(if r != 0.0 && (r < 0.0) != (y < 0.0) { r + y } else { r }))
        }
        _ => mixed(a, b, rem),
    }
}

/// `a ~/ b`: floored.
pub fn int_div(a: Number, b: Number) -> Made {
    match (a, b) {
        (_, b) if is_zero(b) => Err(Wrong::ByZero),
        (Int(x), Int(y)) | (Duration(x), Duration(y)) | (Size(x), Size(y)) => {
            let floored = |x: i64, y: i64| Some(x.checked_div(y)? - i64::from(x % y != 0 && (x < 0) != (y < 0)));
            whole(floored(x, y), Int)
        }
        (Float(x), Float(y)) => finite((x / y).floor()),
        _ => mixed(a, b, int_div),
    }
}

/// `-a`.
pub fn neg(a: Number) -> Made {
    match a {
        Float(x) => Ok(Float(-x)),
        Int(x) => whole(x.checked_neg(), Int),
        Duration(x) => whole(x.checked_neg(), Duration),
        Size(x) => whole(x.checked_neg(), Size),
        Datetime(_) => Err(Wrong::Unknown),
    }
}

/// The order of two that have one: an int and a float as what they are worth, exactly.
pub fn order(a: Number, b: Number) -> Option<Ordering> {
    match (a, b) {
        (Int(x), Int(y)) | (Duration(x), Duration(y)) | (Size(x), Size(y)) | (Datetime(x), Datetime(y)) => {
            Some(x.cmp(&y))
        }
        (Float(x), Float(y)) => x.partial_cmp(&y),
        (Int(i), Float(f)) => Some(int_with_float(i, f)),
        (Float(f), Int(i)) => Some(int_with_float(i, f).reverse()),
        _ => None,
    }
}

/// The float that an int is, if that is exact.
pub fn exact_float(i: i64) -> Option<f64> {
    let f = i as f64;
    // i64::MAX rounds up to 2^63, which the conversion back would saturate.
    (i != i64::MAX && f as i64 == i).then_some(f)
}

/// The int that a float is, if that is exact.
pub fn exact_int(f: f64) -> Option<i64> {
    let in_range = (-9_223_372_036_854_775_808.0..9_223_372_036_854_775_808.0).contains(&f);
    (in_range && f.trunc() == f).then_some(f as i64)
}

/// An int and a finite float, exactly: no rounding of the int to the nearest float.
pub fn int_with_float(i: i64, f: f64) -> Ordering {
    const TWO_63: f64 = 9_223_372_036_854_775_808.0;
    if f >= TWO_63 {
        return Ordering::Less;
    }
    if f < -TWO_63 {
        return Ordering::Greater;
    }
    let whole = f.trunc();
    // `whole` is within i64 here, so the conversion is exact.
    i.cmp(&(whole as i64)).then_with(|| 0.0_f64.partial_cmp(&(f - whole)).unwrap_or(Ordering::Equal))
}

fn is_zero(b: Number) -> bool {
    matches!(b, Int(0) | Duration(0) | Size(0)) || matches!(b, Float(y) if y == 0.0)
}

fn whole(n: Option<i64>, kind: fn(i64) -> Number) -> Made {
    n.map(kind).ok_or_else(|| {
        Wrong::Overflow(match kind(0) {
            Int(_) | Float(_) => "an int",
            Duration(_) => "a duration",
            Size(_) => "a size",
            Datetime(_) => "a datetime",
        })
    })
}

fn finite(f: f64) -> Made {
    if f.is_finite() { Ok(Float(f)) } else { Err(Wrong::Overflow("a float")) }
}

/// An int with a float: as a float, if it is exact. Anything else has no such operation.
fn mixed(a: Number, b: Number, operation: fn(Number, Number) -> Made) -> Made {
    let float = |i: i64| exact_float(i).map(Float).ok_or(Wrong::Inexact(i));
    match (a, b) {
        (Int(i), Float(_)) => operation(float(i)?, b),
        (Float(_), Int(i)) => operation(a, float(i)?),
        _ => Err(Wrong::Unknown),
    }
}

fn floored_rem(x: i64, y: i64) -> i64 {
    let r = x.wrapping_rem(y);
    if r != 0 && (r < 0) != (y < 0) { r + y } else { r }
}

/// Half away from zero.
fn nearest(x: i64, y: i64) -> Option<i64> {
    let (x, y) = (i128::from(x), i128::from(y));
    let (q, r) = (x / y, x % y);
    let away = if (x < 0) == (y < 0) { 1 } else { -1 };
    i64::try_from(if r.abs() * 2 >= y.abs() { q + away } else { q }).ok()
}

fn rounded(f: f64) -> Option<i64> {
    exact_int(f.round())
}

/// The float nearest to the quotient of two ints; `y` is not 0.
pub fn quotient(x: i64, y: i64) -> f64 {
    const EXACT: u64 = 1 << 53;
    let (top, bottom) = (x.unsigned_abs(), y.unsigned_abs());
    if top <= EXACT && bottom <= EXACT {
        return x as f64 / y as f64;
    }
    // At least 63 bits of the quotient; the last one says whether anything follows, so that one rounding is left.
    let shift = u128::from(top).leading_zeros() - 1;
    let shifted = u128::from(top) << shift;
    let bottom = u128::from(bottom);
    let bits = (shifted / bottom) | u128::from(shifted % bottom != 0);
    let scaled = bits as f64 / (1_u128 << shift) as f64;
    if (x < 0) == (y < 0) { scaled } else { -scaled }
}
