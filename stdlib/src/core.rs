//! `std.core`. Its streams are the engine's; here they are for lists in, lists out.

use crate::bounds::{self, quote};
use crate::convert::{self, wrong};
use crate::{canonical, decimal};
use ntl_engine::native::{Calls, Cx, Stop};
use ntl_engine::value::{compare, text_of};
use ntl_engine::{Fault, Func, List, Text, Value};
use sha2::{Digest, Sha256};
use std::cmp::Ordering;
use std::convert::Infallible;
use std::num::IntErrorKind;

pub(crate) use crate::list::{chunk as batch, drop as skip, last, max, min, sum, sum_2, sum_3, sum_4, take, zip};

pub(crate) fn collect(values: &List) -> List {
    values.clone()
}

pub(crate) fn cross(a: &List, b: &List) -> Result<List, Fault> {
    bounds::items(a.len().saturating_mul(b.len()))?;
    Ok(a.iter().flat_map(|x| b.iter().map(move |y| Value::tuple(vec![x.clone(), y]))).collect())
}

pub(crate) fn merge(a: &List, b: &List) -> Result<List, Fault> {
    bounds::written_out(a)?;
    bounds::written_out(b)?;
    Ok(a.iter().chain(b.iter()).collect())
}

pub(crate) fn window(values: &List, size: i64, step: i64) -> Result<List, Fault> {
    let (size, step) = (bounds::count("size", size, 1)?, bounds::count("step", step, 1)?);
    crate::list::windows(values, size, step, false)
}

pub(crate) fn running(cx: &mut dyn Calls, values: &List, start: &Value, step: &Func) -> Result<List, Stop> {
    bounds::written_out(values)?;
    let mut carried = start.clone();
    let mut all = Vec::with_capacity(values.len());
    for x in values.iter() {
        carried = cx.call(step, &[carried, x])?;
        all.push(carried.clone());
    }
    Ok(List::new(all))
}

pub(crate) fn index(values: &List) -> List {
    List::range(0, count(values))
}

pub(crate) fn count(values: &List) -> i64 {
    i64::try_from(values.len()).unwrap_or(i64::MAX)
}

pub(crate) fn len(x: &Value) -> Result<i64, Fault> {
    let len = match x {
        Value::Str(s) => s.chars(),
        Value::List(xs) => xs.len(),
        Value::Dict(d) => d.len(),
        Value::Bytes(b) => b.len(),
        other => return Err(wrong("a str, list, dict or bytes", other)),
    };
    Ok(i64::try_from(len).unwrap_or(i64::MAX))
}

pub(crate) fn range(n: i64) -> List {
    List::range(0, n)
}

pub(crate) fn min_2(a: &Value, b: &Value) -> Result<Value, Fault> {
    Ok(if compare(b, a)? == Ordering::Less { b.clone() } else { a.clone() })
}

pub(crate) fn max_2(a: &Value, b: &Value) -> Result<Value, Fault> {
    Ok(if compare(b, a)? == Ordering::Greater { b.clone() } else { a.clone() })
}

pub(crate) fn int(x: &Value) -> Result<i64, Fault> {
    match x {
        Value::Str(s) => s.parse().map_err(|e: std::num::ParseIntError| match e.kind() {
            IntErrorKind::PosOverflow | IntErrorKind::NegOverflow => {
                Fault::new("overflow", format!("{} is beyond a 64-bit int", quote(s)))
            }
            _ => Fault::new("parse", format!("{} is no int", quote(s))),
        }),
        Value::Int(i) => Ok(*i),
        Value::Float(x) => whole(x.trunc()),
        Value::Bool(b) => Ok(i64::from(*b)),
        Value::Size(bytes) => Ok(*bytes),
        other => Err(wrong("a str, number, bool or size", other)),
    }
}

/// A float without decimals as an int.
fn whole(x: f64) -> Result<i64, Fault> {
    const TWO_63: f64 = 9_223_372_036_854_775_808.0;
    if (-TWO_63..TWO_63).contains(&x) {
        Ok(x as i64)
    } else {
        Err(Fault::new("overflow", format!("{x:?} is beyond a 64-bit int")))
    }
}

pub(crate) fn float(x: &Value) -> Result<f64, Fault> {
    match x {
        Value::Str(s) => parse_float(s),
        // Up to 2^53 every int is a float, beyond it some are.
        Value::Int(i) if (*i as f64) as i128 == i128::from(*i) => Ok(*i as f64),
        Value::Int(i) => Err(Fault::new("inexact", format!("{i} has more digits than a float can hold exactly"))),
        Value::Float(x) => Ok(*x),
        other => Err(wrong("a str or number", other)),
    }
}

/// The float that a text writes; Rust's reader also takes `inf` and `nan`.
fn parse_float(s: &str) -> Result<f64, Fault> {
    let x: Option<f64> =
        if s.contains(|c: char| c.is_ascii_alphabetic() && !matches!(c, 'e' | 'E')) { None } else { s.parse().ok() };
    match x {
        Some(x) if x.is_infinite() => Err(Fault::new("overflow", format!("{} is too great for a float", quote(s)))),
        Some(x) => Ok(x),
        None => Err(Fault::new("parse", format!("{} is no number", quote(s)))),
    }
}

pub(crate) fn str(x: &Value) -> Result<Text, Fault> {
    match x {
        Value::Str(s) => Ok(s.clone()),
        x => Ok(text_of(x)?.into()),
    }
}

pub(crate) fn round(x: f64) -> Result<i64, Fault> {
    whole(x.round())
}

pub(crate) fn round_2(x: f64, digits: i64) -> f64 {
    decimal::round(x, digits)
}

pub(crate) fn floor(x: f64) -> Result<i64, Fault> {
    whole(x.floor())
}

pub(crate) fn ceil(x: f64) -> Result<i64, Fault> {
    whole(x.ceil())
}

pub(crate) fn abs(x: &Value) -> Result<Value, Fault> {
    match x {
        Value::Int(i) => i
            .checked_abs()
            .map(Value::Int)
            .ok_or_else(|| Fault::new("overflow", format!("integer overflow: {i} without its sign is no 64-bit int"))),
        Value::Float(x) => Ok(Value::Float(x.abs())),
        other => Err(wrong("a number", other)),
    }
}

pub(crate) fn clamp(x: &Value, low: &Value, high: &Value) -> Result<Value, Fault> {
    if compare(low, high)? == Ordering::Greater {
        let (low, high) = (text_of(low)?, text_of(high)?);
        return Err(Fault::new("invalid", format!("`low` is {low}, above `high`, which is {high}")));
    }
    min_2(&max_2(x, low)?, high)
}

pub(crate) fn error(message: &Text, code: &Text) -> Result<Infallible, Fault> {
    Err(Fault::new(code.as_str(), message.as_str()))
}

pub(crate) fn hash(x: &Value) -> Result<Text, Fault> {
    let mut hasher = Sha256::new();
    canonical::write(x, &mut |bytes| hasher.update(bytes))?;
    Ok(crate::hash::to_hex(&hasher.finalize()))
}

pub(crate) async fn print(cx: &Cx, value: &Value) -> Result<(), Fault> {
    (cx.log)(&text_of(value)?);
    Ok(())
}

pub(crate) fn model(
    id: &Text,
    temperature: Option<f64>,
    max_tokens: Option<i64>,
    top_p: Option<f64>,
    seed: Option<i64>,
) -> Result<Value, Fault> {
    let Some((provider, name)) = id.split_once('/').filter(|(provider, name)| !provider.is_empty() && !name.is_empty())
    else {
        return Err(Fault::new("invalid", format!("{} is no model: write `provider/model`", quote(id))));
    };
    if temperature.is_some_and(|t| t < 0.0)
        || max_tokens.is_some_and(|n| n < 1)
        || top_p.is_some_and(|p| !(0.0..=1.0).contains(&p))
    {
        return Err(Fault::new("invalid", "a setting of the model is out of its range"));
    }
    let fields = ["type", "provider", "id", "temperature", "max_tokens", "top_p", "seed"];
    let number = |x: Option<f64>| x.map_or(Value::Null, Value::Float);
    let int = |x: Option<i64>| x.map_or(Value::Null, Value::Int);
    Ok(Value::record(
        convert::shape(Some("language_model"), &fields),
        vec![
            Value::str("language_model"),
            Value::str(provider),
            Value::str(name),
            number(temperature),
            int(max_tokens),
            number(top_p),
            int(seed),
        ],
    ))
}
