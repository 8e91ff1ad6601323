//! `ntl check --fix`: makes the repairs that are surely meant, round by round, until there are none left.

use super::{Checked, checked};
use crate::commands::counted;
use crate::files;
use crate::finding::{Finding, Fix, Stop};
use crate::out::plain;
use crate::program::{self, Given};
use crate::sources::{At, Sources};
use ntl_semantic::{Applicability, RootDb};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::{Path, PathBuf};

/// A repair may make another one possible: so often it is looked for more.
const ROUNDS: usize = 10;

/// What was mended.
#[derive(Default)]
pub struct Fixed {
    /// In the order in which it was done.
    pub made: Vec<Made>,
    /// Files that were left alone, since the repairs offered would not leave a program that can be read.
    spared: BTreeSet<String>,
    /// Whether there was still something to mend after the last round.
    more: bool,
}

/// A repair that was made.
pub struct Made {
    code: String,
    title: String,
    at: At,
}

impl Made {
    /// The object of a JSON document; the place is that of the text as it was just before.
    pub fn json(&self) -> Value {
        json!({
            "code": self.code,
            "title": self.title,
            "file": self.at.file,
            "line": self.at.line,
            "column": self.at.column,
        })
    }
}

impl Fixed {
    /// One line for each, and for all together.
    pub fn human(&self) -> String {
        let made = self
            .made
            .iter()
            .map(|m| plain(&format!("fixed {}:{}:{}: {} ({})\n", m.at.file, m.at.line, m.at.column, m.title, m.code)));
        let mut text: String = made.collect();
        let files: BTreeSet<&str> = self.made.iter().map(|m| m.at.file.as_str()).collect();
        let made = self.made.len();
        text.push_str(&format!(
            "{made} fix{} in {}\n",
            if made == 1 { "" } else { "es" },
            counted(files.len(), "file")
        ));
        for file in &self.spared {
            text.push_str(&plain(&format!("left {file} alone: with its fixes it could not be read any more\n")));
        }
        if self.more {
            text.push_str("there is more to fix: run it again\n");
        }
        text
    }
}

/// Checks, mends what can be mended, writes the files, and tells what is left.
pub fn fix(db: &mut RootDb, given: &mut Given, paths: &[PathBuf]) -> Result<(Checked, Fixed), Stop> {
    let mut fixed = Fixed::default();
    let mut now = checked(db, given, paths);
    for _ in 0..ROUNDS {
        let round = Round::of(&now.findings, &now.sources, &fixed.spared);
        if round.made.is_empty() {
            break;
        }
        let before: Vec<(&Path, Option<String>)> =
            round.texts(&now.sources).map(|(file, text)| (file, given.replace(file, Some(text)))).collect();
        reread(db, given, &round)?;
        let next = checked(db, given, paths);
        let broken: Vec<&str> = round.files().filter(|file| unreadable(&next, file) > unreadable(&now, file)).collect();
        if broken.is_empty() {
            fixed.made.extend(round.made);
            now = next;
            continue;
        }
        fixed.spared.extend(broken.into_iter().map(str::to_owned));
        for (file, text) in before {
            given.replace(file, text);
        }
        reread(db, given, &round)?;
        now = checked(db, given, paths);
    }
    fixed.more = !Round::of(&now.findings, &now.sources, &fixed.spared).made.is_empty();
    for (path, text) in given.replaced() {
        files::write(path, text.as_bytes())?;
    }
    Ok((now, fixed))
}

/// Lets the database know what files have become: one that it knows is read again only where it is asked for itself.
fn reread(db: &mut RootDb, given: &Given, round: &Round) -> Result<(), Stop> {
    round.files().try_for_each(|file| program::load(db, given, Path::new(file)).map(drop))
}

/// How many mistakes of form a file has.
fn unreadable(checked: &Checked, file: &str) -> usize {
    let is_form = |f: &&Finding| f.code.starts_with("E00") || f.code.starts_with("E01");
    checked.findings.iter().filter(is_form).filter(|f| f.at.as_ref().is_some_and(|at| at.file == file)).count()
}

/// Repairs that can be made together.
#[derive(Default)]
struct Round {
    /// What is written instead of which bytes, by file and first byte; no two touch.
    edits: BTreeMap<String, BTreeMap<usize, (Range<usize>, String)>>,
    made: Vec<Made>,
}

impl Round {
    /// The first repair of each finding that is surely meant, those left out that touch what another one does.
    fn of(findings: &[Finding], sources: &Sources, spared: &BTreeSet<String>) -> Round {
        let mut round = Round::default();
        for finding in findings {
            let sure = finding.fixes.iter().find(|fix| fix.applicability == Applicability::MachineApplicable);
            let (Some(fix), Some(at)) = (sure, &finding.at) else { continue };
            if fix.edits.iter().all(|(at, _)| !spared.contains(&at.file)) && round.add(fix, sources) {
                round.made.push(Made { code: finding.code.clone(), title: fix.title.clone(), at: at.clone() });
            }
        }
        round
    }

    /// Takes a repair in, whole or not at all.
    fn add(&mut self, fix: &Fix, sources: &Sources) -> bool {
        let mut new: Vec<(&str, Range<usize>, &str)> = Vec::new();
        let mut changes = false;
        for (at, text) in &fix.edits {
            let Some(source) = sources.get(&at.file) else { return false };
            let bytes = at.bytes(source);
            changes |= source.text().get(bytes.clone()) != Some(text.as_str());
            let touches = |range: &Range<usize>| range.start <= bytes.end && bytes.start <= range.end;
            let before = self.edits.get(&at.file).and_then(|taken| taken.range(..=bytes.end).next_back());
            if before.is_some_and(|(_, (range, _))| touches(range))
                || new.iter().any(|(file, range, _)| *file == at.file && touches(range))
            {
                return false;
            }
            new.push((&at.file, bytes, text));
        }
        for (file, bytes, text) in new {
            self.edits.entry(file.to_owned()).or_default().insert(bytes.start, (bytes, text.to_owned()));
        }
        changes
    }

    fn files(&self) -> impl Iterator<Item = &str> {
        self.edits.keys().map(String::as_str)
    }

    /// The texts with the repairs made.
    fn texts(&self, sources: &Sources) -> impl Iterator<Item = (&Path, String)> {
        self.edits.iter().filter_map(|(file, edits)| {
            let source = sources.get(file)?.text();
            let (mut text, mut from) = (String::with_capacity(source.len()), 0);
            for (bytes, new) in edits.values() {
                text.push_str(source.get(from..bytes.start)?);
                text.push_str(new);
                from = bytes.end;
            }
            text.push_str(source.get(from..)?);
            Some((Path::new(file.as_str()), text))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finding(file: &str, edits: &[(u32, u32, &str)]) -> Finding {
        let at = |from, to| At { file: file.into(), line: 1, column: from, end_line: 1, end_column: to };
        let edits = edits.iter().map(|(from, to, text)| (at(*from, *to), (*text).to_owned())).collect();
        let fixes = vec![Fix { title: "mend it".into(), edits, applicability: Applicability::MachineApplicable }];
        Finding { at: Some(at(1, 1)), fixes, ..Finding::problem("E0001", "") }
    }

    fn mended(text: &str, findings: &[Finding]) -> (String, usize) {
        let mut sources = Sources::default();
        sources.insert("a.ntl", text.into());
        let round = Round::of(findings, &sources, &BTreeSet::new());
        let text = round.texts(&sources).next().map_or_else(|| text.to_owned(), |(_, text)| text);
        (text, round.made.len())
    }

    #[test]
    fn repairs_that_touch_wait_for_the_next_round() {
        let of = |edits: &[(u32, u32, &str)]| finding("a.ntl", edits);
        assert_eq!(mended("é_abc_", &[of(&[(1, 2, "e")]), of(&[(3, 6, "xy")])]), ("e_xy_".into(), 2));
        // The second overlaps the first, the third meets its end, the fourth inserts where it begins.
        let first = of(&[(2, 4, "X")]);
        for other in [of(&[(3, 5, "Y")]), of(&[(4, 5, "Y")]), of(&[(2, 2, "Y")]), of(&[(1, 1, "Y"), (3, 3, "Z")])] {
            assert_eq!(mended("abcdef", &[first.clone(), other]), ("aXdef".into(), 1));
        }
        // One that overlaps itself, changes nothing, or is of a file that nobody read is not made.
        for alone in [of(&[(1, 3, "x"), (2, 4, "y")]), of(&[(1, 2, "a")]), finding("b.ntl", &[(1, 2, "x")])] {
            assert_eq!(mended("abc", &[alone]), ("abc".into(), 0));
        }
    }
}
