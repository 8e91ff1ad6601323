//! Findings for people, with the source they are about: the one place that knows ariadne.
//!
//! Places are handed to it in characters: given bytes, it mistakes one for the other where a second file is shown, and
//! panics inside a letter.

use crate::finding::Finding;
use crate::out::plain;
use crate::sources::{At, Sources};
use ariadne::{Color, Config, IndexType, Label, Report, ReportKind};
use ntl_syntax::LineIndex;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

/// Who has more than this to mend begins with these; `--json` gives all.
const MOST: usize = 100;

/// The longest line that is shown whole, in bytes.
const LONGEST: usize = 300;

/// All findings, each with its source; of very many the first, and a word on the rest.
pub fn findings(findings: &[Finding], sources: &Sources, color: bool) -> String {
    let mut shown = Shown { sources, texts: BTreeMap::new(), color };
    let mut text: String = findings.iter().take(MOST).map(|f| shown.finding(f)).collect();
    if let Some(rest) = findings.len().checked_sub(MOST).filter(|n| *n > 0) {
        text.push_str(&format!("… and {rest} more; `--json` lists them all\n"));
    }
    text
}

/// Sources as they are shown, made once each.
struct Shown<'a> {
    sources: &'a Sources,
    texts: BTreeMap<&'a str, ariadne::Source<String>>,
    color: bool,
}

type Place<'a> = (&'a str, Range<usize>);

impl<'a> Shown<'a> {
    fn finding(&mut self, finding: &'a Finding) -> String {
        let Some(at) = &finding.at else { return finding.human() };
        let Some(source) = self.sources.get(&at.file) else { return finding.human() };

        let known = finding.labels.iter().filter(|(at, _)| self.sources.get(&at.file).is_some());
        let mut places: Vec<Place> =
            std::iter::once(at).chain(known.clone().map(|(at, _)| at)).map(|at| self.place(at)).collect();
        let texts: Vec<&str> =
            std::iter::once(finding.label.as_str()).chain(known.map(|(_, text)| text.as_str())).collect();
        let cut = self.cut(&mut places);
        for (file, range) in &mut places {
            let text = cut.get(file).or_else(|| Some(self.sources.get(file)?.text())).map_or("", |t| t);
            let start = text[..range.start].chars().count();
            *range = start..start + text[range.clone()].chars().count();
        }

        let kind = if finding.is_error() { ReportKind::Error } else { ReportKind::Warning };
        let config = Config::default().with_index_type(IndexType::Char).with_color(self.color);
        let mut report = Report::build(kind, places[0].clone())
            .with_config(config)
            .with_code(plain(&finding.code))
            .with_message(plain(&finding.message));
        for (i, (place, text)) in places.iter().zip(texts).enumerate() {
            let color = if i > 0 {
                Color::Cyan
            } else if finding.is_error() {
                Color::Red
            } else {
                Color::Yellow
            };
            // What stands in one file is shown together where it comes in order.
            let order = if place.0 == places[0].0 { place.1.end as i32 } else { i32::MAX };
            let priority = if i == 0 { 1 } else { 0 };
            let mut label = Label::new(place.clone()).with_color(color).with_priority(priority).with_order(order);
            if !text.is_empty() {
                label = label.with_message(plain(text));
            } else if i == 0 {
                // Without words ariadne draws nothing.
                label = label.with_message("here");
            }
            report.add_label(label);
        }
        let helps: Vec<String> = finding.fixes.iter().map(|fix| plain(&help(fix, source))).collect();
        for remark in finding.remarks().into_iter().filter(|remark| !helps.iter().any(|help| says(help, remark))) {
            report.add_note(remark);
        }
        for help in helps {
            report.add_help(help);
        }

        let mut bytes = Vec::new();
        let cut = cut.iter().map(|(file, text)| (*file, printable(text).into())).collect();
        let cache = Cache { shown: self, cut };
        // Writing to a Vec does not fail.
        let _ = report.finish().write(cache, &mut bytes);
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// A place as ariadne takes it.
    fn place(&self, at: &'a At) -> Place<'a> {
        let bytes = self.sources.get(&at.file).map_or(0..0, |source| {
            let bytes = at.bytes(source);
            // A place that ends with a line's end would be drawn on the next line.
            let end = source.text()[..bytes.end].trim_end_matches(['\n', '\r']).len();
            bytes.start.min(end)..end
        });
        (&at.file, bytes)
    }

    /// Texts of which a shown line is too long, with those lines cut around the places; the places move along.
    fn cut(&self, places: &mut [Place<'a>]) -> BTreeMap<&'a str, Arc<str>> {
        let mut cut = BTreeMap::new();
        let files: Vec<&str> = places.iter().map(|(file, _)| *file).collect();
        for file in files {
            let Some(source) = self.sources.get(file) else { continue };
            let mut of_file: Vec<&mut Range<usize>> =
                places.iter_mut().filter(|(f, _)| *f == file).map(|(_, r)| r).collect();
            if cut.contains_key(file) || !of_file.iter().any(|r| is_long(source, r.start) || is_long(source, r.end)) {
                continue;
            }
            cut.insert(file, cut_lines(source, &mut of_file).into());
        }
        cut
    }
}

struct Cache<'c, 'a> {
    shown: &'c mut Shown<'a>,
    cut: BTreeMap<&'a str, ariadne::Source<String>>,
}

impl<'a> ariadne::Cache<&'a str> for Cache<'_, 'a> {
    type Storage = String;
    fn fetch(&mut self, file: &&'a str) -> Result<&ariadne::Source<String>, impl std::fmt::Debug> {
        if let Some(source) = self.cut.get(file) {
            return Ok(source);
        }
        let sources = self.shown.sources;
        match sources.get(file) {
            Some(source) => Ok(self.shown.texts.entry(file).or_insert_with(|| printable(source.text()).into())),
            None => Err("no such source"),
        }
    }
    fn display<'b>(&self, file: &'b &'a str) -> Option<impl std::fmt::Display + 'b> {
        Some(plain(file))
    }
}

/// Whether what a fix does says all that a remark says: it shows the same code.
fn says(help: &str, remark: &str) -> bool {
    let code = |text: &str| -> Vec<String> { text.split('`').skip(1).step_by(2).map(str::to_owned).collect() };
    let (shown, told) = (code(help), code(remark));
    help == remark || !told.is_empty() && told.iter().all(|code| shown.contains(code))
}

/// A fix in one line: what it does and, where that is one short edit, what is written.
fn help(fix: &crate::finding::Fix, source: &LineIndex) -> String {
    match fix.edits.as_slice() {
        [(at, new)]
            if !new.contains('\n') && !new.is_empty() && new.len() <= 60 && !fix.title.contains(new.as_str()) =>
        {
            let old = &source.text()[at.bytes(source)];
            if old.is_empty() || old.len() > 60 || old.contains('\n') {
                format!("{}: `{new}`", fix.title)
            } else {
                format!("{}: `{new}` for `{old}`", fix.title)
            }
        }
        _ => fix.title.clone(),
    }
}

/// A source as it may go to a terminal. Control characters could drive it, and ariadne counts some characters as line
/// ends that NTL does not: each gives way to one of the same length.
fn printable(text: &str) -> String {
    let mut chars = text.chars().peekable();
    let mut shown = String::with_capacity(text.len());
    while let Some(c) = chars.next() {
        shown.push(match c {
            '\n' | '\t' => c,
            '\r' if chars.peek() == Some(&'\n') => c,
            '\u{2028}' | '\u{2029}' => '\u{2003}',
            c if c.is_control() && c.len_utf8() == 1 => '?',
            c if c.is_control() => '¿',
            c => c,
        });
    }
    shown
}

fn is_long(source: &LineIndex, byte: usize) -> bool {
    source.line(source.line_at(byte)).len() > LONGEST
}

/// The text with every long line cut to a window around the first place in it.
fn cut_lines(source: &LineIndex, places: &mut [&mut Range<usize>]) -> String {
    let mut text = String::new();
    let moved: Vec<Range<usize>> = places.iter().map(|p| (**p).clone()).collect();
    for index in 0..source.lines() {
        if index > 0 {
            text.push('\n');
        }
        let line = source.line(index);
        let window = if line.len() <= LONGEST {
            line.clone()
        } else {
            let first =
                moved.iter().flat_map(|p| [p.start, p.end]).filter(|b| line.start <= *b && *b <= line.end).min();
            let from = first.unwrap_or(line.start).saturating_sub(LONGEST / 4).max(line.start);
            let from = source.text().floor_char_boundary(from);
            from..source.text().floor_char_boundary((from + LONGEST).min(line.end))
        };
        if window.start > line.start {
            text.push('…');
        }
        let start = text.len();
        text.push_str(&source.text()[window.clone()]);
        let end = text.len();
        if window.end < line.end {
            text.push('…');
        }
        let to = |byte: usize| if byte < window.start { start } else { (start + byte - window.start).min(end) };
        for (place, old) in places.iter_mut().zip(&moved) {
            if line.start <= old.start && old.start <= line.end {
                place.start = to(old.start);
            }
            if line.start <= old.end && old.end <= line.end {
                place.end = to(old.end);
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers without a pattern, the same each time.
    struct Random(u64);

    impl Random {
        fn below(&mut self, n: usize) -> usize {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 33) as usize % n
        }

        fn text(&mut self) -> String {
            const PIECES: [&str; 12] =
                ["a", "é", "日", "😀", "\n", "\r\n", "\r", "\t", "\u{1b}", "\u{2028}", "\u{85}", "  x = 1\n"];
            let mut text = String::new();
            for _ in 0..self.below(40) {
                let piece = PIECES[self.below(PIECES.len())];
                let times = if self.below(12) == 0 { 400 } else { 1 };
                text.push_str(&piece.repeat(times));
            }
            text
        }

        fn at(&mut self, file: &str) -> At {
            let mut n = |most| self.below(most) as u32;
            At { file: file.into(), line: n(9), column: n(500), end_line: n(9), end_column: n(500) }
        }
    }

    #[test]
    fn any_place_in_any_text_can_be_shown() {
        let mut random = Random(7);
        for _ in 0..2_000 {
            let mut sources = Sources::default();
            for file in ["a.ntl", "b.ntl"] {
                sources.insert(file, random.text().into());
            }
            let labels = (0..random.below(4))
                .map(|i| (random.at(["a.ntl", "b.ntl", "c.ntl"][i % 3]), "why".to_owned()))
                .collect();
            let finding = Finding { at: Some(random.at("a.ntl")), labels, ..Finding::problem("E0301", "mess\u{7}age") };
            let shown = findings(&[finding], &sources, false);
            assert!(shown.contains("E0301") && !shown.contains(|c: char| c.is_control() && c != '\n'), "{shown:?}");
        }
    }

    #[test]
    fn a_long_line_is_cut_around_the_place() {
        let text = format!("x = [{}target{}]\n", "é, ".repeat(4_000), ", ü".repeat(4_000));
        let column = text.chars().take_while(|c| *c != 't').count() as u32 + 1;
        let mut sources = Sources::default();
        sources.insert("a.ntl", text.into());
        let at = At { file: "a.ntl".into(), line: 1, column, end_line: 1, end_column: column + 6 };
        let shown = findings(&[Finding { at: Some(at), ..Finding::problem("E0301", "no") }], &sources, false);
        assert!(shown.contains("…é") || shown.contains("… é") || shown.contains("…,"), "{shown}");
        assert!(shown.contains("target, ü") && shown.len() < 3_000, "{shown}");
    }
}
