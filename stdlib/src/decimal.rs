//! Floats rounded as they are written: in decimal, by their shortest text, halves away from zero.

use std::cmp::Ordering;

/// The digits of a float's shortest text, without a point, and the place of the point: `0.d₁d₂d₃… × 10^point`.
fn digits(x: f64) -> (Vec<u8>, i64) {
    let text = format!("{:e}", x.abs());
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let digits = mantissa.bytes().filter(u8::is_ascii_digit).map(|b| b - b'0').collect();
    (digits, exponent.parse::<i64>().unwrap_or(0) + 1)
}

/// A finite float with `decimals` digits after the point; negative ones round before it. Without a sign where it rounds to 0.
pub(crate) fn fixed(x: f64, decimals: i64) -> String {
    let (mut digits, mut point) = digits(x);
    // A float has no more than 767 significant digits, and its shortest text no more than 17.
    let keep = point.saturating_add(decimals);
    match keep.cmp(&0) {
        Ordering::Less => digits.clear(),
        _ => {
            let keep = usize::try_from(keep).unwrap_or(usize::MAX);
            if let Some(&next) = digits.get(keep) {
                digits.truncate(keep);
                if next >= 5 {
                    match digits.iter().rposition(|d| *d != 9) {
                        Some(at) => {
                            digits.truncate(at + 1);
                            if let Some(d) = digits.last_mut() {
                                *d += 1;
                            }
                        }
                        None => {
                            digits = vec![1];
                            point += 1;
                        }
                    }
                }
            }
        }
    }
    let digit = |at: i64| usize::try_from(at).ok().and_then(|i| digits.get(i)).map_or('0', |d| char::from(b'0' + d));
    let mut text = String::new();
    if x < 0.0 && digits.iter().any(|d| *d != 0) {
        text.push('-');
    }
    if point <= 0 {
        text.push('0');
    }
    text.extend((0..point).map(digit));
    if decimals > 0 {
        text.push('.');
        text.extend((point..point + decimals).map(digit));
    }
    text
}

/// The float with `decimals` digits; infinite where rounding carries it beyond the greatest.
pub(crate) fn round(x: f64, decimals: i64) -> f64 {
    // The shortest text of the least float has 324 + 17 decimals, that of the greatest 309 digits before the point.
    if decimals > 350 {
        return x;
    }
    fixed(x, decimals.max(-350)).parse().unwrap_or(f64::NAN)
}

#[cfg(test)]
mod tests {
    use super::{fixed, round};

    #[test]
    fn rounds_what_is_written() {
        let cases = [
            (26.1145, 2, 26.11),
            (1.005, 2, 1.01),
            (2.345, 2, 2.35),
            (-2.345, 2, -2.35),
            (0.15, 1, 0.2),
            (9.99, 1, 10.0),
            (0.5, 0, 1.0),
            (0.05, 0, 0.0),
            (1250.0, -2, 1300.0),
            (5.0, -1, 10.0),
            (4.0, -1, 0.0),
            (40.0, -2, 0.0),
            (50.0, -2, 100.0),
            (1e300, 2, 1e300),
            (5e-324, 400, 5e-324),
            (5e-324, 323, 1e-323),
            (5e-324, i64::MAX, 5e-324),
            (1e308, i64::MIN, 0.0),
            (0.0, 3, 0.0),
        ];
        for (x, decimals, want) in cases {
            assert_eq!(round(x, decimals), want, "round({x:?}, {decimals})");
        }
        assert!(round(f64::MAX, -308).is_infinite());
        assert!(round(-0.001, 2).is_sign_positive());
    }

    #[test]
    fn writes_decimals() {
        assert_eq!(fixed(1_234_567.891, 2), "1234567.89");
        assert_eq!(fixed(-0.5, 0), "-1");
        assert_eq!(fixed(2.0, 3), "2.000");
        assert_eq!(fixed(0.05, 1), "0.1");
        assert_eq!(fixed(-0.004, 2), "0.00");
        assert_eq!(fixed(1e21, 0), "1000000000000000000000");
        assert_eq!(fixed(1.5, -3), "0");
    }
}
