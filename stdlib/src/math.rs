//! `std.math`. From `libm`, so that every machine gives the same bits.

use crate::bounds::to_vec;
use crate::convert::typed;
use crate::list;
use ntl_engine::native::Cx;
use ntl_engine::{Fault, List, Value};

pub(crate) fn sqrt(x: f64) -> Result<f64, Fault> {
    within("the square root", x, x >= 0.0)?;
    Ok(x.sqrt())
}

/// Refuses a number that a function is not defined for.
fn within(function: &str, x: f64, defined: bool) -> Result<(), Fault> {
    if defined { Ok(()) } else { Err(Fault::new("invalid", format!("{function} of {x:?} is not defined"))) }
}

pub(crate) fn pow(x: f64, y: f64) -> Result<f64, Fault> {
    if x == 0.0 && y < 0.0 {
        return Err(Fault::new("division_by_zero", format!("division by zero: 0.0 to the power of {y:?}")));
    }
    if x < 0.0 && y.fract() != 0.0 {
        return Err(Fault::new("invalid", format!("{x:?} to the power of {y:?} is not defined")));
    }
    Ok(libm::pow(x, y))
}

pub(crate) fn exp(x: f64) -> f64 {
    libm::exp(x)
}

pub(crate) fn ln(x: f64) -> Result<f64, Fault> {
    within("the logarithm", x, x > 0.0)?;
    Ok(libm::log(x))
}

pub(crate) fn log10(x: f64) -> Result<f64, Fault> {
    within("the logarithm", x, x > 0.0)?;
    Ok(libm::log10(x))
}

pub(crate) fn log2(x: f64) -> Result<f64, Fault> {
    within("the logarithm", x, x > 0.0)?;
    Ok(libm::log2(x))
}

pub(crate) fn sin(x: f64) -> f64 {
    libm::sin(x)
}

pub(crate) fn cos(x: f64) -> f64 {
    libm::cos(x)
}

pub(crate) fn tan(x: f64) -> f64 {
    libm::tan(x)
}

pub(crate) fn asin(x: f64) -> Result<f64, Fault> {
    within("the arcsine", x, (-1.0..=1.0).contains(&x))?;
    Ok(libm::asin(x))
}

pub(crate) fn acos(x: f64) -> Result<f64, Fault> {
    within("the arccosine", x, (-1.0..=1.0).contains(&x))?;
    Ok(libm::acos(x))
}

pub(crate) fn atan(x: f64) -> f64 {
    libm::atan(x)
}

pub(crate) fn atan2(y: f64, x: f64) -> f64 {
    libm::atan2(y, x)
}

pub(crate) fn hypot(x: f64, y: f64) -> f64 {
    libm::hypot(x, y)
}

pub(crate) fn sign(x: f64) -> i64 {
    if x == 0.0 { 0 } else { x.signum() as i64 }
}

pub(crate) fn median(xs: &List) -> Result<Option<f64>, Fault> {
    percentile(xs, 50.0)
}

pub(crate) fn stdev(xs: &List) -> Result<Option<f64>, Fault> {
    let Some(mean) = list::mean(xs)?.filter(|_| xs.len() > 1) else { return Ok(None) };
    let squares: f64 = list::add(typed::<f64>(xs).map(|x| x.map(|x| (x - mean) * (x - mean))))?;
    Ok(Some((squares / (xs.len() - 1) as f64).sqrt()))
}

pub(crate) fn percentile(xs: &List, p: f64) -> Result<Option<f64>, Fault> {
    if !(0.0..=100.0).contains(&p) {
        return Err(Fault::new("invalid", format!("`p` is {p:?}, but must be from 0 to 100")));
    }
    let mut sorted = typed::<f64>(xs).collect::<Result<Vec<_>, _>>()?;
    sorted.sort_by(f64::total_cmp);
    let Some(last) = sorted.len().checked_sub(1) else { return Ok(None) };
    let place = last as f64 * (p / 100.0);
    let below = place.floor();
    let at = |i: usize| sorted.get(i.min(last)).copied().unwrap_or_default();
    let (low, high) = (at(below as usize), at(below as usize + 1));
    let share = place - below;
    // Weighted, not `low + (high - low) * share`: the difference of two floats may be none.
    Ok(Some(if share == 0.0 { low } else { low * (1.0 - share) + high * share }))
}

pub(crate) async fn random(cx: &Cx) -> f64 {
    // The 53 bits that a float below 1 holds.
    (cx.host.random() >> 11) as f64 / (1_u64 << 53) as f64
}

pub(crate) async fn random_int(cx: &Cx, low: i64, high: i64) -> Result<i64, Fault> {
    if low > high {
        return Err(Fault::new("invalid", format!("`low` is {low}, above `high`, which is {high}")));
    }
    let span = high.abs_diff(low);
    Ok(low.wrapping_add_unsigned(span.checked_add(1).map_or_else(|| cx.host.random(), |n| below(cx, n))))
}

/// A random number below `n`, which is not 0; each is as likely.
fn below(cx: &Cx, n: u64) -> u64 {
    // What lies above the last whole multiple of `n` is drawn again.
    let fair = u64::MAX - (u64::MAX % n + 1) % n;
    loop {
        let drawn = cx.host.random();
        if drawn <= fair {
            return drawn % n;
        }
    }
}

pub(crate) async fn shuffle(cx: &Cx, xs: &List) -> Result<List, Fault> {
    let mut items = to_vec(xs)?;
    for at in (1..items.len()).rev() {
        items.swap(at, below(cx, at as u64 + 1) as usize);
    }
    Ok(List::new(items))
}

pub(crate) async fn choice(cx: &Cx, xs: &List) -> Option<Value> {
    if xs.is_empty() { None } else { xs.get(below(cx, xs.len() as u64) as usize) }
}
