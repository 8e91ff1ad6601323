//! `std.regex`.

pub(crate) use crate::generated::records::regex::Match;

use crate::bounds::{self, quote};
use ntl_engine::value::Key;
use ntl_engine::{Dict, Fault, Text, Value};
use regex::{Captures, Regex, RegexBuilder};
use std::cell::RefCell;

/// How big a compiled pattern may get, in bytes; `\w{1000}` is refused, `\w{50}` is not.
const MAX_PATTERN: usize = 4 << 20;
/// How many compiled patterns a thread keeps.
const KEPT: usize = 32;

thread_local! {
    /// The patterns that were used last, the latest at the end.
    static CACHE: RefCell<Vec<(Text, Regex)>> = const { RefCell::new(Vec::new()) };
}

fn compiled(pattern: &Text) -> Result<Regex, Fault> {
    CACHE.with_borrow_mut(|cache| {
        let entry = match cache.iter().rposition(|(p, _)| p == pattern) {
            Some(at) => cache.remove(at),
            None => {
                let regex = RegexBuilder::new(pattern).size_limit(MAX_PATTERN).build().map_err(|e| {
                    let why = match &e {
                        regex::Error::CompiledTooBig(_) => "it gets too big".to_owned(),
                        // The last line says what is wrong; those before it point into the pattern.
                        e => e.to_string().lines().last().unwrap_or_default().trim_start_matches("error: ").to_owned(),
                    };
                    Fault::new("invalid", format!("{} is no pattern: {why}", quote(pattern)))
                })?;
                if cache.len() >= KEPT {
                    cache.remove(0);
                }
                (pattern.clone(), regex)
            }
        };
        let regex = entry.1.clone();
        cache.push(entry);
        Ok(regex)
    })
}

pub(crate) fn is_match(s: &Text, pattern: &Text) -> Result<bool, Fault> {
    Ok(compiled(pattern)?.is_match(s))
}

pub(crate) fn find(s: &Text, pattern: &Text) -> Result<Option<Match>, Fault> {
    let regex = compiled(pattern)?;
    Ok(regex.captures(s).map(|c| found(&regex, &c, &mut Places::new(s))))
}

pub(crate) fn find_all(s: &Text, pattern: &Text) -> Result<Vec<Match>, Fault> {
    let regex = compiled(pattern)?;
    let mut places = Places::new(s);
    let mut all = Vec::new();
    for c in regex.captures_iter(s) {
        bounds::items(all.len() * regex.captures_len())?;
        all.push(found(&regex, &c, &mut places));
    }
    Ok(all)
}

pub(crate) fn replace(s: &Text, pattern: &Text, with: &Text) -> Result<Text, Fault> {
    let regex = compiled(pattern)?;
    // A group is a part of its match, so this is what an occurrence of one in `with` gives at most.
    let groups = with.matches('$').count();
    let mut out = String::new();
    let mut end = 0;
    for c in regex.captures_iter(s) {
        let Some(whole) = c.get(0) else { continue };
        out.push_str(s.get(end..whole.start()).unwrap_or_default());
        bounds::text(out.len().saturating_add(with.len()).saturating_add(whole.len().saturating_mul(groups)))?;
        c.expand(with, &mut out);
        end = whole.end();
    }
    out.push_str(s.get(end..).unwrap_or_default());
    Ok(out.into())
}

pub(crate) fn split(s: &Text, pattern: &Text) -> Result<Vec<Text>, Fault> {
    Ok(compiled(pattern)?.split(s).map(Text::from).collect())
}

pub(crate) fn escape(s: &Text) -> Text {
    regex::escape(s).into()
}

fn found(regex: &Regex, captures: &Captures<'_>, places: &mut Places<'_>) -> Match {
    let text = |m: regex::Match<'_>| Text::from(m.as_str());
    let whole = captures.get(0);
    let start = places.of(whole.map_or(0, |m| m.start()));
    let end = places.of(whole.map_or(0, |m| m.end()));
    let groups = captures.iter().skip(1).map(|g| g.map_or(Value::Null, |m| Value::Str(text(m)))).collect();
    let named: Dict = regex
        .capture_names()
        .flatten()
        .filter_map(|name| Some((Key::Str(name.into()), Value::Str(text(captures.name(name)?)))))
        .collect();
    Match { text: whole.map_or_else(|| Text::from(""), text), start, end, groups, named }
}

/// Places in characters of places in bytes that are asked for in ascending order: each character is counted once.
struct Places<'a> {
    text: &'a Text,
    byte: usize,
    chars: usize,
}

impl<'a> Places<'a> {
    fn new(text: &'a Text) -> Self {
        Places { text, byte: 0, chars: 0 }
    }

    fn of(&mut self, byte: usize) -> i64 {
        if self.text.is_ascii() {
            return byte as i64;
        }
        self.chars += self.text.get(self.byte..byte).map_or(0, |s| s.chars().count());
        self.byte = byte;
        self.chars as i64
    }
}

#[cfg(test)]
mod tests {
    use super::{KEPT, compiled, find_all, replace};

    #[test]
    fn places_count_characters() {
        let found = find_all(&"né ñ né".into(), &"n?é".into()).unwrap();
        assert_eq!(found.iter().map(|m| (m.start, m.end)).collect::<Vec<_>>(), [(0, 2), (5, 7)]);
        let found = find_all(&"日本".into(), &"".into()).unwrap();
        assert_eq!(found.iter().map(|m| m.start).collect::<Vec<_>>(), [0, 1, 2]);
    }

    #[test]
    fn refuses_what_is_no_pattern() {
        for pattern in ["(", "a{2,1}", r"\w{1000}{1000}", "(?=x)", r"(a)\1"] {
            let fault = compiled(&pattern.into()).unwrap_err();
            assert_eq!(fault.code, "invalid", "{pattern}");
            assert!(!fault.message.contains('\n'), "{}", fault.message);
        }
    }

    #[test]
    fn keeps_a_few_patterns() {
        for n in 0..KEPT * 3 {
            assert!(compiled(&format!("a{{{n}}}").into()).is_ok());
        }
        super::CACHE.with_borrow(|cache| assert_eq!(cache.len(), KEPT));
    }

    #[test]
    fn a_replacement_cannot_fill_the_memory() {
        let long = "x".repeat(1 << 20).into();
        assert_eq!(replace(&"a".repeat(1 << 10).into(), &"a".into(), &long).unwrap_err().code, "invalid");
        assert_eq!(replace(&"né".into(), &"é".into(), &"$0$$".into()).unwrap().as_str(), "né$");
    }
}
