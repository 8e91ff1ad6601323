//! `std.time`. The zones are those of the release, so that every machine knows the same.

use crate::bounds::{self, quote};
use crate::convert::{Datetime, Duration};
use crate::generated::records::time::Parts;
use jiff::fmt::strtime;
use jiff::tz::{Offset, TimeZone};
use jiff::{Timestamp, ToSpan, ZonedDateTime};
use ntl_engine::native::Cx;
use ntl_engine::value::units::{civil, parse_datetime, timestamp};
use ntl_engine::{Fault, Text};

const SECOND: i64 = 1_000_000_000;

pub(crate) async fn now(cx: &Cx) -> Datetime {
    Datetime(cx.host.now())
}

pub(crate) fn parse(s: &Text, format: Option<&Text>) -> Result<Datetime, Fault> {
    let Some(format) = format else {
        return match (s.len(), s.parse::<jiff::civil::Date>()) {
            (10, Ok(date)) => of_civil(date.at(0, 0, 0, 0)),
            _ => parse_datetime(s).map(Datetime).map_err(|fault| match fault.code.as_str() {
                "parse" => Fault {
                    message: format!(
                        "{} is no time: it is written like 2024-06-01T10:00:00Z or 2024-06-01, or as a `format` says",
                        quote(s)
                    ),
                    ..fault
                },
                _ => fault,
            }),
        };
    };
    let time = strtime::parse(format.as_str(), s.as_str()).and_then(|parsed| {
        let is_placed = parsed.offset().is_some() || parsed.iana_time_zone().is_some() || parsed.timestamp().is_some();
        if is_placed {
            Ok(parsed.to_zoned_datetime()?.timestamp())
        } else {
            Offset::UTC.to_timestamp(parsed.to_datetime()?)
        }
    });
    match time {
        Ok(time) => of_timestamp(time),
        Err(e) => {
            // What cannot be written by a format cannot be read by it: then the format is wrong, not the text.
            self::format(Datetime(0), format, &"UTC".into())?;
            Err(Fault::new("parse", format!("{} is no time as {} writes it: {e}", quote(s), quote(format))))
        }
    }
}

fn of_civil(time: jiff::civil::DateTime) -> Result<Datetime, Fault> {
    Offset::UTC.to_timestamp(time).map_err(|_| beyond()).and_then(of_timestamp)
}

fn of_timestamp(time: Timestamp) -> Result<Datetime, Fault> {
    i64::try_from(time.as_nanosecond()).map(Datetime).map_err(|_| beyond())
}

fn beyond() -> Fault {
    Fault::new("overflow", "there are datetimes from 1677 to 2262 only")
}

pub(crate) fn format(t: Datetime, pattern: &Text, zone: &Text) -> Result<Text, Fault> {
    // No letter of a pattern stands for more than 256 bytes.
    bounds::text(pattern.len().saturating_mul(256))?;
    let text = strtime::format(pattern.as_str(), &zoned(t, zone)?);
    text.map(Text::from).map_err(|e| Fault::new("invalid", format!("{} is no format: {e}", quote(pattern))))
}

fn zoned(t: Datetime, zone: &Text) -> Result<ZonedDateTime, Fault> {
    let zone = TimeZone::get(zone)
        .map_err(|_| Fault::new("invalid", format!("there is no time zone {}; one is `Europe/Berlin`", quote(zone))))?;
    Ok(timestamp(t.0).to_zoned_datetime(zone))
}

pub(crate) fn add(t: Datetime, d: Duration) -> Result<Datetime, Fault> {
    t.0.checked_add(d.0).map(Datetime).ok_or_else(beyond)
}

pub(crate) fn diff(a: Datetime, b: Datetime) -> Result<Duration, Fault> {
    a.0.checked_sub(b.0).map(Duration).ok_or_else(|| {
        Fault::new("overflow", "the span between the two is longer than the longest duration, 292 years")
    })
}

pub(crate) fn weekday(t: Datetime) -> i64 {
    i64::from(civil(t.0).weekday().to_monday_one_offset())
}

pub(crate) fn start_of(t: Datetime, unit: &Text) -> Result<Datetime, Fault> {
    let time = civil(t.0);
    let date = time.date();
    of_civil(match unit.as_str() {
        "hour" => date.at(time.hour(), 0, 0, 0),
        "day" => date.at(0, 0, 0, 0),
        "week" => {
            let days = i64::from(date.weekday().to_monday_zero_offset());
            date.checked_sub(days.days()).map_err(|_| beyond())?.at(0, 0, 0, 0)
        }
        "month" => date.first_of_month().at(0, 0, 0, 0),
        "year" => date.first_of_year().at(0, 0, 0, 0),
        unit => return Err(Fault::new("internal", format!("{unit:?} is no unit of `start_of`"))),
    })
}

pub(crate) fn parts(t: Datetime, zone: &Text) -> Result<Parts, Fault> {
    let time = zoned(t, zone)?;
    Ok(Parts {
        year: time.year().into(),
        month: time.month().into(),
        day: time.day().into(),
        hour: time.hour().into(),
        minute: time.minute().into(),
        second: time.second().into(),
    })
}

pub(crate) fn unix(t: Datetime) -> i64 {
    t.0.div_euclid(SECOND)
}

pub(crate) fn from_unix(s: i64) -> Result<Datetime, Fault> {
    s.checked_mul(SECOND).map(Datetime).ok_or_else(beyond)
}

pub(crate) fn seconds(d: Duration) -> f64 {
    d.0 as f64 / SECOND as f64
}

pub(crate) fn hours(d: Duration) -> f64 {
    d.0 as f64 / (3600 * SECOND) as f64
}

#[cfg(test)]
mod tests {
    use super::{format, from_unix, parse, parts, start_of, unix};
    use crate::convert::Datetime;

    fn at(s: &str) -> Result<i64, String> {
        parse(&s.into(), None).map(unix).map_err(|f| f.code.to_string())
    }

    fn read(s: &str, format: &str) -> Result<i64, String> {
        parse(&s.into(), Some(&format.into())).map(unix).map_err(|f| f.code.to_string())
    }

    #[test]
    fn reads_times() {
        assert_eq!(at("1970-01-01"), Ok(0));
        assert_eq!(at("1970-01-01T01:00:00+01:00"), Ok(0));
        for wrong in
            ["", "1970-1-1", "1970-02-30", "now", "1970-01-01T00:00:00", "1970-01-01T00:00:00Z[UTC]", "19700101  "]
        {
            assert_eq!(at(wrong), Err("parse".into()), "{wrong}");
        }
        assert_eq!(at("1066-10-14"), Err("overflow".into()));
        assert_eq!(at("3000-01-01T00:00:00Z"), Err("overflow".into()));
    }

    #[test]
    fn reads_by_format() {
        assert_eq!(read("Jan 2 1970", "%b %d %Y"), Ok(86_400));
        assert_eq!(read("02.01.1970 01:30", "%d.%m.%Y %H:%M"), Ok(91_800));
        assert_eq!(read("1970-01-01 01:00 +0100", "%Y-%m-%d %H:%M %z"), Ok(0));
        assert_eq!(read("86400", "%s"), Ok(86_400));
        assert_eq!(read("1970-07-01 02:00 Europe/Berlin", "%F %H:%M %Q"), Ok(15_642_000));
        for (text, format) in [("1", "%Y-%m"), ("x", "%Y"), ("1970", "%Y"), ("1970-13-01", "%F"), ("1970-01-01x", "%F")]
        {
            assert_eq!(read(text, format), Err("parse".into()), "{text} by {format}");
        }
        assert_eq!(read("1", "%!"), Err("invalid".into()));
    }

    #[test]
    fn zones_and_units() {
        let t = parse(&"2024-03-31T00:59:59Z".into(), None).unwrap();
        let berlin = |t| format(t, &"%F %T %z".into(), &"Europe/Berlin".into()).unwrap();
        assert_eq!(berlin(t).as_str(), "2024-03-31 01:59:59 +0100");
        assert_eq!(berlin(Datetime(t.0 + 1_000_000_000)).as_str(), "2024-03-31 03:00:00 +0200");
        assert_eq!(parts(t, &"Mars".into()).err().unwrap().code, "invalid");
        assert_eq!(format(t, &"%!".into(), &"UTC".into()).unwrap_err().code, "invalid");
        let week = start_of(t, &"week".into()).unwrap();
        assert_eq!(format(week, &"%FT%T".into(), &"UTC".into()).unwrap().as_str(), "2024-03-25T00:00:00");
        assert_eq!(start_of(Datetime(i64::MIN), &"year".into()).unwrap_err().code, "overflow");
        assert_eq!(from_unix(i64::MAX).unwrap_err().code, "overflow");
        assert_eq!(unix(Datetime(-1)), -1);
    }
}
