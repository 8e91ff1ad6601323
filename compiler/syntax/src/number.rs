//! Numbers: what a text that begins with a digit is, and its value.

use crate::token::TokenKind;

/// Units of durations, longest first, with their nanoseconds.
const DURATION_UNITS: [(&str, i64); 7] = [
    ("d", 86_400_000_000_000),
    ("h", 3_600_000_000_000),
    ("m", 60_000_000_000),
    ("s", 1_000_000_000),
    ("ms", 1_000_000),
    ("us", 1_000),
    ("ns", 1),
];

/// Units of sizes with their bytes.
const SIZE_UNITS: [(&str, i64); 4] = [("b", 1), ("kb", 1 << 10), ("mb", 1 << 20), ("gb", 1 << 30)];

/// Splits `30m…` into its digits, its unit and the rest.
fn unit(text: &str) -> Option<(&str, &str, &str)> {
    let digits = text.find(|c: char| !c.is_ascii_digit() && c != '_')?;
    let (number, rest) = text.split_at(digits);
    let letters = rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(rest.len());
    let (unit, rest) = rest.split_at(letters);
    Some((number, unit, rest))
}

/// What kind of number a text is that begins with a digit.
pub(crate) fn kind(text: &str) -> TokenKind {
    let digits = |s: &str| {
        s.starts_with(|c: char| c.is_ascii_digit()) && !s.ends_with('_') && {
            s.bytes().all(|b| b.is_ascii_digit() || b == b'_')
        }
    };
    if digits(text) {
        return TokenKind::Int;
    }
    if let Some(hex) = text.strip_prefix("0x") {
        let good = hex.starts_with(|c: char| c.is_ascii_hexdigit()) && !hex.ends_with('_');
        let good = good && hex.bytes().all(|b| b.is_ascii_hexdigit() || b == b'_');
        return if good { TokenKind::Int } else { TokenKind::BadNumber };
    }
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (text, None),
    };
    let good_mantissa = match mantissa.split_once('.') {
        Some((whole, fraction)) => digits(whole) && digits(fraction),
        None => digits(mantissa),
    };
    if good_mantissa && exponent.is_none_or(|e| digits(e.strip_prefix(['+', '-']).unwrap_or(e))) {
        return TokenKind::Float;
    }
    match unit(text) {
        Some((number, name, "")) if digits(number) && SIZE_UNITS.iter().any(|(u, _)| *u == name) => TokenKind::Size,
        _ if is_duration(text) => TokenKind::Duration,
        _ => TokenKind::BadNumber,
    }
}

/// Whether the units of `1h30m` exist and become smaller.
fn is_duration(text: &str) -> bool {
    let mut units = DURATION_UNITS.as_slice();
    let mut rest = text;
    while !rest.is_empty() {
        let Some((number, name, after)) = unit(rest) else { return false };
        let Some(place) = units.iter().position(|(u, _)| *u == name) else { return false };
        if number.is_empty() || number.ends_with('_') || number.starts_with('_') {
            return false;
        }
        units = &units[place + 1..];
        rest = after;
    }
    true
}

/// The value of an int, with the minus before it; `None` if it does not fit.
pub(crate) fn int(text: &str, negative: bool) -> Option<i64> {
    let digits = text.replace('_', "");
    let value = match digits.strip_prefix("0x") {
        Some(hex) => i128::from_str_radix(hex, 16),
        None => digits.parse::<i128>(),
    };
    let value = value.ok()?;
    i64::try_from(if negative { -value } else { value }).ok()
}

/// The value of a float; `None` if it is too large.
pub(crate) fn float(text: &str) -> Option<f64> {
    text.replace('_', "").parse::<f64>().ok().filter(|value| value.is_finite())
}

/// The nanoseconds of a duration; `None` if they do not fit.
pub(crate) fn duration(text: &str) -> Option<i64> {
    with_units(text, &DURATION_UNITS)
}

/// The bytes of a size; `None` if they do not fit.
pub(crate) fn size(text: &str) -> Option<i64> {
    with_units(text, &SIZE_UNITS)
}

fn with_units(text: &str, units: &[(&str, i64)]) -> Option<i64> {
    let (mut sum, mut rest) = (0_i64, text);
    while !rest.is_empty() {
        let (number, name, after) = unit(rest)?;
        let (_, factor) = units.iter().find(|(unit, _)| *unit == name)?;
        sum = sum.checked_add(int(number, false)?.checked_mul(*factor)?)?;
        rest = after;
    }
    Some(sum)
}
