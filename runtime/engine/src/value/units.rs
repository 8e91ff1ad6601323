//! Durations, sizes and datetimes as text, both ways.

use super::Fault;
use jiff::Timestamp;
use jiff::tz::Offset;

/// Units of durations in nanoseconds, largest first.
const DURATIONS: [(&str, i64); 7] = [
    ("d", 86_400_000_000_000),
    ("h", 3_600_000_000_000),
    ("m", 60_000_000_000),
    ("s", 1_000_000_000),
    ("ms", 1_000_000),
    ("us", 1_000),
    ("ns", 1),
];
/// Units of sizes in bytes, largest first.
const SIZES: [(&str, i64); 5] = [("tb", 1 << 40), ("gb", 1 << 30), ("mb", 1 << 20), ("kb", 1 << 10), ("b", 1)];

/// A duration as its literal in the largest unit that is exact: `90m`, `1500ms`, `0s`.
pub fn duration_text(nanoseconds: i64) -> String {
    if nanoseconds == 0 { "0s".into() } else { in_largest(nanoseconds, &DURATIONS) }
}

/// A size as its literal in the largest unit that is exact: `10752kb`, `0b`.
pub fn size_text(bytes: i64) -> String {
    if bytes == 0 { "0b".into() } else { in_largest(bytes, &SIZES) }
}

fn in_largest(value: i64, units: &[(&str, i64)]) -> String {
    let (unit, factor) = units.iter().find(|(_, f)| value % f == 0).unwrap_or(&("", 1));
    format!("{}{unit}", value / factor)
}

/// The nanoseconds of a duration's literal: `90s`, `1h30m`, `-5m`. `None` if it is none or too long.
pub fn parse_duration(text: &str) -> Option<i64> {
    parse(text, &DURATIONS)
}

/// The bytes of a size's literal: `64kb`, `1gb512mb`. `None` if it is none or too large.
pub fn parse_size(text: &str) -> Option<i64> {
    parse(text, &SIZES)
}

/// Whole numbers, each followed by a unit; `_` between digits is let through.
fn parse(text: &str, units: &[(&str, i64)]) -> Option<i64> {
    let (negative, mut rest) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    if rest.is_empty() {
        return None;
    }
    let mut sum = 0_i128;
    while !rest.is_empty() {
        let digits = rest.find(|c: char| !c.is_ascii_digit() && c != '_').unwrap_or(rest.len());
        let (number, after) = rest.split_at(digits);
        let letters = after.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(after.len());
        let (unit, after) = after.split_at(letters);
        if !number.starts_with(|c: char| c.is_ascii_digit()) {
            return None;
        }
        let count: i128 = number.replace('_', "").parse().ok()?;
        let (_, factor) = units.iter().find(|(u, _)| *u == unit)?;
        let part = count.checked_mul(i128::from(*factor))?;
        sum = sum.checked_add(part)?;
        rest = after;
    }
    i64::try_from(if negative { -sum } else { sum }).ok()
}

/// A datetime in RFC 3339, UTC, without trailing zeros: `2024-06-01T10:00:00.25Z`.
pub fn datetime_text(nanoseconds: i64) -> String {
    match Timestamp::from_nanosecond(i128::from(nanoseconds)) {
        Ok(t) => t.to_string(),
        // Every i64 of nanoseconds is a year between 1677 and 2262.
        Err(_) => format!("{nanoseconds}ns"),
    }
}

/// The nanoseconds of a datetime in RFC 3339, with its offset.
pub fn parse_datetime(text: &str) -> Result<i64, Fault> {
    let fault = || Fault::new("parse", format!("{text:?} is no datetime: it is written like 2024-06-01T10:00:00Z"));
    let bytes = text.as_bytes();
    // jiff also takes spaces, missing parts and zone names, which RFC 3339 does not have.
    let is_date = bytes.len() >= 20 && matches!(bytes.get(10), Some(b'T' | b't')) && bytes.get(16) == Some(&b':');
    if !is_date || text.contains('[') {
        return Err(fault());
    }
    let time: Timestamp = text.parse().map_err(|_| fault())?;
    i64::try_from(time.as_nanosecond())
        .map_err(|_| Fault::new("overflow", format!("{text:?} is outside the datetimes that there are (1677 to 2262)")))
}

/// A datetime's [`Timestamp`].
pub fn timestamp(nanoseconds: i64) -> Timestamp {
    Timestamp::from_nanosecond(i128::from(nanoseconds)).unwrap_or(Timestamp::UNIX_EPOCH)
}

/// A datetime's civil time in UTC.
pub fn civil(nanoseconds: i64) -> jiff::civil::DateTime {
    Offset::UTC.to_datetime(timestamp(nanoseconds))
}
