//! `std.text`.

mod template;

use crate::bounds;
use crate::decimal;
use ntl_engine::{Dict, Fault, Text};
use std::collections::HashMap;
use unicode_normalization::UnicodeNormalization;

pub(crate) use crate::list::join;

pub(crate) fn upper(s: &Text) -> Text {
    s.to_uppercase().into()
}

pub(crate) fn lower(s: &Text) -> Text {
    s.to_lowercase().into()
}

pub(crate) fn title(s: &Text) -> Text {
    let mut out = String::with_capacity(s.len());
    let mut rest = s.as_str();
    let in_word = |c: char| c.is_alphanumeric() || c == '\'' || c == '’';
    while let Some(start) = rest.find(char::is_alphanumeric) {
        let (before, from) = rest.split_at(start);
        let (word, after) = from.split_at(from.find(|c| !in_word(c)).unwrap_or(from.len()));
        out.push_str(before);
        push_capitalized(&mut out, word);
        rest = after;
    }
    out.push_str(rest);
    out.into()
}

pub(crate) fn capitalize(s: &Text) -> Text {
    let mut out = String::with_capacity(s.len());
    push_capitalized(&mut out, s);
    out.into()
}

/// `ß` begins a word as `Ss`: the letters after the first of a capital are small.
fn push_capitalized(out: &mut String, word: &str) {
    let mut chars = word.chars();
    if let Some(first) = chars.next() {
        let mut capital = first.to_uppercase();
        out.extend(capital.next());
        out.extend(capital.flat_map(char::to_lowercase));
    }
    out.push_str(&chars.as_str().to_lowercase());
}

pub(crate) fn trim(s: &Text) -> Text {
    s.trim().into()
}

pub(crate) fn trim_start(s: &Text) -> Text {
    s.trim_start().into()
}

pub(crate) fn trim_end(s: &Text) -> Text {
    s.trim_end().into()
}

pub(crate) fn collapse(s: &Text) -> Text {
    let mut out = String::with_capacity(s.len());
    for word in s.split_whitespace() {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
    }
    out.into()
}

pub(crate) fn reverse(s: &Text) -> Text {
    s.as_str().chars().rev().collect::<String>().into()
}

pub(crate) fn split(s: &Text, sep: &Text) -> Result<Vec<Text>, Fault> {
    if sep.is_empty() {
        return Err(Fault::new("invalid", "the separator is empty; `chars` gives the characters"));
    }
    Ok(s.split(sep.as_str()).map(Text::from).collect())
}

pub(crate) fn lines(s: &Text) -> Vec<Text> {
    s.lines().map(Text::from).collect()
}

pub(crate) fn words(s: &Text) -> Vec<Text> {
    s.split_whitespace().map(Text::from).collect()
}

pub(crate) fn chars(s: &Text) -> Vec<Text> {
    // The same character is the same text: most texts have few.
    let mut known = HashMap::new();
    let text = |c: char| Text::from(&*c.encode_utf8(&mut [0; 4]));
    s.as_str().chars().map(|c| known.entry(c).or_insert_with(|| text(c)).clone()).collect()
}

pub(crate) fn replace(s: &Text, old: &Text, new: &Text) -> Result<Text, Fault> {
    let found = occurrences(s, old, "old")?;
    let grows = new.len().saturating_sub(old.len());
    bounds::text(s.len().saturating_add(found.saturating_mul(grows)))?;
    Ok(s.as_str().replace(old.as_str(), new).into())
}

pub(crate) fn contains(s: &Text, part: &Text) -> bool {
    s.as_str().contains(part.as_str())
}

pub(crate) fn starts_with(s: &Text, prefix: &Text) -> bool {
    s.as_str().starts_with(prefix.as_str())
}

pub(crate) fn ends_with(s: &Text, suffix: &Text) -> bool {
    s.as_str().ends_with(suffix.as_str())
}

pub(crate) fn index_of(s: &Text, part: &Text) -> Option<i64> {
    s.find(part.as_str()).map(|byte| chars_before(s, byte))
}

pub(crate) fn last_index_of(s: &Text, part: &Text) -> Option<i64> {
    s.rfind(part.as_str()).map(|byte| chars_before(s, byte))
}

pub(crate) fn count(s: &Text, part: &Text) -> Result<i64, Fault> {
    Ok(occurrences(s, part, "part")? as i64)
}

fn occurrences(s: &Text, part: &Text, name: &str) -> Result<usize, Fault> {
    if part.is_empty() {
        return Err(Fault::new("invalid", format!("`{name}` is empty")));
    }
    Ok(s.matches(part.as_str()).count())
}

/// The place in characters of a place in bytes.
fn chars_before(s: &Text, byte: usize) -> i64 {
    let chars = if s.is_ascii() { byte } else { s.get(..byte).map_or(0, |before| before.chars().count()) };
    chars as i64
}

/// The bytes of the characters before a place; all bytes where it lies beyond the end.
fn byte_at(s: &str, is_ascii: bool, place: usize) -> usize {
    if is_ascii { place.min(s.len()) } else { s.char_indices().nth(place).map_or(s.len(), |(byte, _)| byte) }
}

/// The first characters of a text.
fn head(s: &Text, n: usize) -> &str {
    s.get(..byte_at(s, s.is_ascii(), n)).unwrap_or(s)
}

pub(crate) fn slice(s: &Text, from: i64, to: Option<i64>) -> Result<Text, Fault> {
    let from = bounds::place("from", from)?;
    let to = to.map_or(Ok(usize::MAX), |to| bounds::place("to", to))?;
    let rest = s.get(byte_at(s, s.is_ascii(), from)..).unwrap_or_default();
    let end = byte_at(rest, s.is_ascii(), to.saturating_sub(from));
    Ok(rest.get(..end).unwrap_or(rest).into())
}

pub(crate) fn pad_left(s: &Text, n: i64, fill: &Text) -> Result<Text, Fault> {
    Ok(format!("{}{s}", padding(s, n, fill)?, s = s.as_str()).into())
}

pub(crate) fn pad_right(s: &Text, n: i64, fill: &Text) -> Result<Text, Fault> {
    Ok(format!("{s}{}", padding(s, n, fill)?, s = s.as_str()).into())
}

/// What `s` lacks to `n` characters.
fn padding(s: &Text, n: i64, fill: &Text) -> Result<String, Fault> {
    let lacks = usize::try_from(n).unwrap_or(0).saturating_sub(s.chars());
    if lacks == 0 {
        return Ok(String::new());
    }
    if fill.is_empty() {
        return Err(Fault::new("invalid", "`fill` is empty"));
    }
    let (times, rest) = (lacks / fill.chars(), lacks % fill.chars());
    bounds::text(fill.len().saturating_mul(times.saturating_add(1)).saturating_add(s.len()))?;
    Ok(fill.repeat(times) + head(fill, rest))
}

pub(crate) fn repeat(s: &Text, n: i64) -> Result<Text, Fault> {
    let n = bounds::count("n", n, 0)?;
    if s.is_empty() {
        return Ok(s.clone());
    }
    bounds::text(s.len().saturating_mul(n))?;
    Ok(s.as_str().repeat(n).into())
}

pub(crate) fn truncate(s: &Text, n: i64, end: &Text) -> Result<Text, Fault> {
    let n = bounds::count("n", n, 0)?;
    if s.chars() <= n {
        return Ok(s.clone());
    }
    // Where not even `end` has room, the text counts for more.
    let Some(kept) = n.checked_sub(end.chars()) else { return Ok(head(s, n).into()) };
    Ok(format!("{}{}", head(s, kept), end.as_str()).into())
}

pub(crate) fn slug(s: &Text) -> Text {
    let mut out = String::with_capacity(s.len());
    let mut gap = false;
    for c in without_accents(s).flat_map(char::to_lowercase) {
        if !c.is_alphanumeric() {
            gap = !out.is_empty();
            continue;
        }
        if std::mem::take(&mut gap) {
            out.push('-');
        }
        match c {
            'ß' => out.push_str("ss"),
            'æ' => out.push_str("ae"),
            'œ' => out.push_str("oe"),
            'ø' => out.push('o'),
            'đ' | 'ð' => out.push('d'),
            'ł' => out.push('l'),
            'þ' => out.push_str("th"),
            'ı' => out.push('i'),
            c => out.push(c),
        }
    }
    out.into()
}

pub(crate) fn strip_accents(s: &Text) -> Text {
    without_accents(s).collect::<String>().into()
}

/// Only marks that stand for accents go: those of other scripts are letters to their readers.
fn without_accents(s: &str) -> impl Iterator<Item = char> + '_ {
    let accent = |c: char| matches!(c, '\u{300}'..='\u{36f}' | '\u{1ab0}'..='\u{1aff}' | '\u{1dc0}'..='\u{1dff}' | '\u{fe20}'..='\u{fe2f}');
    s.nfd().filter(move |c| !accent(*c)).nfc()
}

pub(crate) fn dedent(s: &Text) -> Text {
    let blank = |line: &str| line.trim().is_empty();
    let indentation = |line: &'_ str| line.len() - line.trim_start_matches([' ', '\t']).len();
    let mut shared: Option<&str> = None;
    for line in s.lines().filter(|l| !blank(l)) {
        let own = line.get(..indentation(line)).unwrap_or_default();
        shared = Some(match shared {
            None => own,
            Some(shared) => {
                let same = shared.bytes().zip(own.bytes()).take_while(|(a, b)| a == b).count();
                own.get(..same).unwrap_or_default()
            }
        });
    }
    let cut = shared.map_or(0, str::len);
    each_line(s, |out, line| {
        if !blank(line) {
            out.push_str(line.get(cut..).unwrap_or_default());
        }
    })
}

pub(crate) fn indent(s: &Text, by: &Text) -> Result<Text, Fault> {
    let lines = s.lines().filter(|l| !l.is_empty()).count();
    bounds::text(s.len().saturating_add(by.len().saturating_mul(lines)))?;
    Ok(each_line(s, |out, line| {
        if !line.is_empty() {
            out.push_str(by);
            out.push_str(line);
        }
    }))
}

/// The text with every line rewritten; line ends stay.
fn each_line(s: &str, mut write: impl FnMut(&mut String, &str)) -> Text {
    let mut out = String::with_capacity(s.len());
    for whole in s.split_inclusive('\n') {
        let line = whole.strip_suffix('\n').map_or(whole, |l| l.strip_suffix('\r').unwrap_or(l));
        write(&mut out, line);
        out.push_str(whole.get(line.len()..).unwrap_or_default());
    }
    out.into()
}

pub(crate) fn concat(a: &Text, b: &Text) -> Result<Text, Fault> {
    bounds::text(a.len() + b.len())?;
    Ok(format!("{}{}", a.as_str(), b.as_str()).into())
}

pub(crate) fn remove_prefix(s: &Text, prefix: &Text) -> Text {
    s.strip_prefix(prefix.as_str()).map_or_else(|| s.clone(), Text::from)
}

pub(crate) fn remove_suffix(s: &Text, suffix: &Text) -> Text {
    s.strip_suffix(suffix.as_str()).map_or_else(|| s.clone(), Text::from)
}

pub(crate) fn template(s: &Text, values: &Dict) -> Result<Text, Fault> {
    template::fill(s, values)
}

pub(crate) fn format_number(x: f64, digits: i64, thousands: &Text) -> Result<Text, Fault> {
    if !(0..=100).contains(&digits) {
        return Err(Fault::new("invalid", format!("`digits` is {digits}, but must be from 0 to 100")));
    }
    let text = decimal::fixed(x, digits);
    let (sign, text) = text.strip_prefix('-').map_or(("", text.as_str()), |rest| ("-", rest));
    let (whole, decimals) = text.split_at(text.find('.').unwrap_or(text.len()));
    bounds::text(text.len() + thousands.len().saturating_mul(whole.len()))?;
    let mut out = String::from(sign);
    for (at, digit) in whole.char_indices() {
        if at > 0 && (whole.len() - at).is_multiple_of(3) {
            out.push_str(thousands);
        }
        out.push(digit);
    }
    out.push_str(decimals);
    Ok(out.into())
}

pub(crate) fn is_empty(s: &Text) -> bool {
    s.as_str().is_empty()
}

pub(crate) fn to_bytes(s: &Text) -> Vec<u8> {
    s.as_bytes().to_vec()
}

pub(crate) fn from_bytes(b: &[u8]) -> Result<Text, Fault> {
    utf8(b).map(Text::from)
}

/// The text of bytes from outside.
pub(crate) fn utf8(bytes: &[u8]) -> Result<&str, Fault> {
    std::str::from_utf8(bytes).map_err(|e| {
        Fault::new("parse", format!("these bytes are no UTF-8: byte {} begins no character", e.valid_up_to()))
    })
}
