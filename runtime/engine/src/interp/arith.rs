//! Arithmetic: checked, by the operands' kinds.

use crate::conform::exact_float;
use crate::value::{Fault, Value, brief};
use Value::{Datetime, Duration, Float, Int, Size};

type Made = Result<Value, Fault>;

pub(crate) fn add(a: &Value, b: &Value) -> Made {
    match (a, b) {
        (Int(x), Int(y)) => whole(x.checked_add(*y), Int, a, "+", b),
        (Float(x), Float(y)) => finite(x + y, a, "+", b),
        (Duration(x), Duration(y)) => whole(x.checked_add(*y), Duration, a, "+", b),
        (Size(x), Size(y)) => whole(x.checked_add(*y), Size, a, "+", b),
        (Datetime(x), Duration(y)) | (Duration(x), Datetime(y)) => whole(x.checked_add(*y), Datetime, a, "+", b),
        _ => mixed(a, "+", b, add),
    }
}

pub(crate) fn sub(a: &Value, b: &Value) -> Made {
    match (a, b) {
        (Int(x), Int(y)) => whole(x.checked_sub(*y), Int, a, "-", b),
        (Float(x), Float(y)) => finite(x - y, a, "-", b),
        (Duration(x), Duration(y)) => whole(x.checked_sub(*y), Duration, a, "-", b),
        (Size(x), Size(y)) => whole(x.checked_sub(*y), Size, a, "-", b),
        (Datetime(x), Duration(y)) => whole(x.checked_sub(*y), Datetime, a, "-", b),
        (Datetime(x), Datetime(y)) => whole(x.checked_sub(*y), Duration, a, "-", b),
        _ => mixed(a, "-", b, sub),
    }
}

pub(crate) fn mul(a: &Value, b: &Value) -> Made {
    match (a, b) {
        (Int(x), Int(y)) => whole(x.checked_mul(*y), Int, a, "*", b),
        (Float(x), Float(y)) => finite(x * y, a, "*", b),
        (Duration(x), Int(y)) | (Int(y), Duration(x)) => whole(x.checked_mul(*y), Duration, a, "*", b),
        (Size(x), Int(y)) | (Int(y), Size(x)) => whole(x.checked_mul(*y), Size, a, "*", b),
        (Duration(x), Float(y)) | (Float(y), Duration(x)) => whole(rounded(*x as f64 * y), Duration, a, "*", b),
        (Size(x), Float(y)) | (Float(y), Size(x)) => whole(rounded(*x as f64 * y), Size, a, "*", b),
        _ => mixed(a, "*", b, mul),
    }
}

pub(crate) fn div(a: &Value, b: &Value) -> Made {
    match (a, b) {
        (_, Int(0) | Duration(0) | Size(0)) => by_zero(a, "/", b),
        (_, Float(y)) if *y == 0.0 => by_zero(a, "/", b),
        (Int(x), Int(y)) | (Duration(x), Duration(y)) | (Size(x), Size(y)) => Ok(Float(quotient(*x, *y))),
        (Float(x), Float(y)) => finite(x / y, a, "/", b),
        (Duration(x), Int(y)) => whole(nearest(*x, *y), Duration, a, "/", b),
        (Size(x), Int(y)) => whole(nearest(*x, *y), Size, a, "/", b),
        (Duration(x), Float(y)) => whole(rounded(*x as f64 / y), Duration, a, "/", b),
        (Size(x), Float(y)) => whole(rounded(*x as f64 / y), Size, a, "/", b),
        _ => mixed(a, "/", b, div),
    }
}

/// `%`: the sign is that of the divisor.
pub(crate) fn rem(a: &Value, b: &Value) -> Made {
    match (a, b) {
        (_, Int(0) | Duration(0) | Size(0)) => by_zero(a, "%", b),
        (_, Float(y)) if *y == 0.0 => by_zero(a, "%", b),
        (Int(x), Int(y)) => Ok(Int(floored_rem(*x, *y))),
        (Duration(x), Duration(y)) => Ok(Duration(floored_rem(*x, *y))),
        (Size(x), Size(y)) => Ok(Size(floored_rem(*x, *y))),
        (Float(x), Float(y)) => {
            let r = x % y;
            Ok(Float(if r != 0.0 && (r < 0.0) != (*y < 0.0) { r + y } else { r }))
        }
        _ => mixed(a, "%", b, rem),
    }
}

/// `~/`: floored.
pub(crate) fn int_div(a: &Value, b: &Value) -> Made {
    match (a, b) {
        (_, Int(0) | Duration(0) | Size(0)) => by_zero(a, "~/", b),
        (_, Float(y)) if *y == 0.0 => by_zero(a, "~/", b),
        (Int(x), Int(y)) | (Duration(x), Duration(y)) | (Size(x), Size(y)) => {
            let floored = |x: i64, y: i64| Some(x.checked_div(y)? - i64::from(x % y != 0 && (x < 0) != (y < 0)));
            whole(floored(*x, *y), Int, a, "~/", b)
        }
        (Float(x), Float(y)) => finite((x / y).floor(), a, "~/", b),
        _ => mixed(a, "~/", b, int_div),
    }
}

pub(crate) fn neg(a: &Value) -> Made {
    let (negated, kind): (_, fn(i64) -> Value) = match a {
        Float(x) => return Ok(Float(-x)),
        Int(x) => (x.checked_neg(), Int),
        Duration(x) => (x.checked_neg(), Duration),
        Size(x) => (x.checked_neg(), Size),
        _ => return Err(Fault::new("type", format!("{} {} has no negative", a.kind(), brief(a, 40)))),
    };
    negated.map(kind).ok_or_else(|| Fault::new("overflow", format!("overflow: -({}) is too large", brief(a, 40))))
}

fn whole(n: Option<i64>, kind: fn(i64) -> Value, a: &Value, operator: &str, b: &Value) -> Made {
    n.map(kind).ok_or_else(|| {
        let kind = kind(0).kind();
        let message =
            format!("overflow: {} {operator} {} is beyond what {} holds", show(a), show(b), with_article(kind));
        Fault::new("overflow", message)
    })
}

pub(crate) fn finite(f: f64, a: &Value, operator: &str, b: &Value) -> Made {
    if f.is_finite() {
        return Ok(Float(f));
    }
    let message = format!("overflow: {} {operator} {} is beyond what a float holds", show(a), show(b));
    Err(Fault::new("overflow", message))
}

pub(crate) fn by_zero(a: &Value, operator: &str, b: &Value) -> Made {
    Err(Fault::new("division_by_zero", format!("division by zero: {} {operator} {}", show(a), show(b))))
}

/// An int with a float: as a float, if it is exact. Anything else has no such operation.
fn mixed(a: &Value, operator: &str, b: &Value, operation: fn(&Value, &Value) -> Made) -> Made {
    let as_float = |i: i64| exact_float(i).ok_or_else(|| inexact(i));
    match (a, b) {
        (Int(i), Float(_)) => operation(&as_float(*i)?, b),
        (Float(_), Int(i)) => operation(a, &as_float(*i)?),
        _ => {
            let message = format!("{} {operator} {}: there is no such operation", describe(a), describe(b));
            Err(Fault::new("type", message))
        }
    }
}

/// An int that no float is.
pub(crate) fn inexact(i: i64) -> Fault {
    Fault::new("inexact", format!("int {i} is no float exactly: above 2^53 floats have gaps"))
}

fn describe(v: &Value) -> String {
    format!("{} {}", v.kind(), show(v))
}

fn show(v: &Value) -> String {
    brief(v, 40)
}

fn with_article(kind: &str) -> String {
    let article = if kind.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
    format!("{article} {kind}")
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
    match crate::conform::exact_int(f.round()) {
        Some(Int(i)) => Some(i),
        _ => None,
    }
}

/// The float nearest to the quotient of two ints; `y` is not 0.
fn quotient(x: i64, y: i64) -> f64 {
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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn code(made: Made) -> String {
        made.unwrap_err().code.to_string()
    }

    #[test]
    fn edges() {
        assert_eq!(rem(&Int(i64::MIN), &Int(-1)), Ok(Int(0)));
        assert_eq!((rem(&Int(-7), &Int(3)), rem(&Int(7), &Int(-3))), (Ok(Int(2)), Ok(Int(-2))));
        assert_eq!(rem(&Float(-0.5), &Float(1.0)), Ok(Float(0.5)));
        assert_eq!(
            (int_div(&Int(-7), &Int(2)), code(int_div(&Int(i64::MIN), &Int(-1)))),
            (Ok(Int(-4)), "overflow".into())
        );
        assert_eq!(div(&Int(i64::MIN), &Int(-1)), Ok(Float(9_223_372_036_854_775_808.0)));
        assert_eq!(div(&Int(i64::MAX), &Int(i64::MAX)), Ok(Float(1.0)));
        assert_eq!(div(&Int(1), &Int(i64::MAX)), Ok(Float(1.0842021724855044e-19)));
        assert_eq!(code(neg(&Int(i64::MIN))), "overflow");
        assert_eq!(code(add(&Float(f64::MAX), &Float(f64::MAX))), "overflow");
        assert_eq!(code(div(&Float(1.0), &Float(-0.0))), "division_by_zero");
        assert_eq!(code(add(&Int(9_007_199_254_740_993), &Float(1.0))), "inexact");
        assert_eq!(div(&Duration(5_400), &Duration(3_600)), Ok(Float(1.5)));
        assert_eq!((div(&Duration(5), &Int(2)), div(&Duration(-5), &Int(2))), (Ok(Duration(3)), Ok(Duration(-3))));
        assert_eq!((mul(&Duration(3), &Float(0.5)), mul(&Float(2.0), &Size(3))), (Ok(Duration(2)), Ok(Size(6))));
        assert_eq!(code(mul(&Duration(i64::MAX), &Float(1.5))), "overflow");
        assert_eq!(
            add(&Int(1), &Value::str("a")).unwrap_err().message,
            r#"int 1 + str "a": there is no such operation"#
        );
        assert_eq!(
            mul(&Int(i64::MAX), &Int(2)).unwrap_err().message,
            "overflow: 9223372036854775807 * 2 is beyond what an int holds"
        );
    }

    proptest! {
        #[test]
        fn ints_are_exact_or_overflow(x in any::<i64>(), y in any::<i64>()) {
            let (wide_x, wide_y) = (i128::from(x), i128::from(y));
            let (a, b) = (Int(x), Int(y));
            let same = |made: Made, wide: i128| match (made, i64::try_from(wide)) {
                (Ok(Int(n)), Ok(w)) => n == w,
                (Err(fault), Err(_)) => fault.code == "overflow",
                _ => false,
            };
            prop_assert!(same(add(&a, &b), wide_x + wide_y));
            prop_assert!(same(sub(&a, &b), wide_x - wide_y));
            prop_assert!(same(mul(&a, &b), wide_x * wide_y));
            if y != 0 {
                let floor = wide_x.div_euclid(wide_y) - i128::from(wide_y < 0 && wide_x.rem_euclid(wide_y) != 0);
                prop_assert!(same(int_div(&a, &b), floor));
                prop_assert!(same(rem(&a, &b), wide_x - floor * wide_y));
            }
        }

        #[test]
        fn quotients_are_the_nearest(x in -(1_i64 << 60)..1 << 60, y in any::<i64>(), shift in 0..62_u32) {
            let y = (y >> shift) | 1;
            let q = quotient(x, y);
            // x / y lies between the neighbours' midpoints: |x - q·y| ≤ |x - n·y| for both neighbours n, in exact terms.
            let distance = |f: f64| {
                let exact = exact_parts(f);
                // f = m · 2^e; x·2^-e - m·y compared as integers where e <= 0.
                let (m, e) = exact;
                if e >= 0 { (i128::from(x) - (m << e) * i128::from(y)).unsigned_abs() } else {
                    ((i128::from(x) << u32::try_from(-e).unwrap().min(60)) - m * i128::from(y)).unsigned_abs()
                }
            };
            let (_, e) = exact_parts(q);
            prop_assume!((-60..=0).contains(&e) && exact_parts(q.next_up()).1 == e && exact_parts(q.next_down()).1 == e);
            prop_assert!(distance(q) <= distance(q.next_up()) && distance(q) <= distance(q.next_down()));
        }
    }

    fn exact_parts(f: f64) -> (i128, i32) {
        let bits = f.to_bits();
        let exponent = i32::try_from((bits >> 52) & 0x7ff).unwrap();
        let mantissa = i128::from(bits & ((1 << 52) - 1) | 1 << 52);
        (if f < 0.0 { -mantissa } else { mantissa }, exponent - 1075)
    }
}
