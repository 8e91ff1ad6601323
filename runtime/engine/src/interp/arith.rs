//! Arithmetic: what [`ntl_plan::arith`] computes, of values, and what is said where it has no result.

use crate::value::{Fault, Value, brief};
use ntl_plan::arith::{self, Number, Wrong};

type Made = Result<Value, Fault>;

macro_rules! operations {
    ($($name:ident $sign:literal)*) => {
        $(pub(crate) fn $name(a: &Value, b: &Value) -> Made {
            binary(a, $sign, b, arith::$name)
        })*
    };
}
operations! { add "+" sub "-" mul "*" div "/" rem "%" int_div "~/" }

pub(crate) fn neg(a: &Value) -> Made {
    let negated = number(a).map_or(Err(Wrong::Unknown), arith::neg);
    negated.map(value).map_err(|wrong| match wrong {
        Wrong::Unknown => Fault::new("type", format!("{} {} has no negative", a.kind(), brief(a, 40))),
        _ => Fault::new("overflow", format!("overflow: -({}) is too large", brief(a, 40))),
    })
}

fn number(value: &Value) -> Option<Number> {
    Some(match value {
        Value::Int(n) => Number::Int(*n),
        Value::Float(f) => Number::Float(*f),
        Value::Duration(n) => Number::Duration(*n),
        Value::Size(n) => Number::Size(*n),
        Value::Datetime(n) => Number::Datetime(*n),
        _ => return None,
    })
}

fn value(number: Number) -> Value {
    match number {
        Number::Int(n) => Value::Int(n),
        Number::Float(f) => Value::Float(f),
        Number::Duration(n) => Value::Duration(n),
        Number::Size(n) => Value::Size(n),
        Number::Datetime(n) => Value::Datetime(n),
    }
}

fn binary(a: &Value, sign: &str, b: &Value, operation: fn(Number, Number) -> Result<Number, Wrong>) -> Made {
    let made = match (number(a), number(b)) {
        (Some(a), Some(b)) => operation(a, b),
        _ => Err(Wrong::Unknown),
    };
    made.map(value).map_err(|wrong| match wrong {
        Wrong::Overflow(kind) => {
            Fault::new("overflow", format!("overflow: {} {sign} {} is beyond what {kind} holds", show(a), show(b)))
        }
        Wrong::ByZero => Fault::new("division_by_zero", format!("division by zero: {} {sign} {}", show(a), show(b))),
        Wrong::Inexact(i) => Fault::new("inexact", format!("int {i} is no float exactly: above 2^53 floats have gaps")),
        Wrong::Unknown => {
            let describe = |v: &Value| format!("{} {}", v.kind(), show(v));
            Fault::new("type", format!("{} {sign} {}: there is no such operation", describe(a), describe(b)))
        }
    })
}

fn show(v: &Value) -> String {
    brief(v, 40)
}

#[cfg(test)]
mod tests {
    use super::*;
    use Value::{Duration, Float, Int, Size};
    use arith::quotient;
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
