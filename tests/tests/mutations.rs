//! One slip of the hand in a sound program: a token too many, too few, in the wrong place or a wrong one. Whatever it is,
//! the checker ends, and says little: one mistake is told once.
//!
//! `cargo xtask mutate` makes more of them than a test run, and prints those about which most is said.

#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests read their own files, may fail, and this one is asked for numbers"
)]

use ntl_project::{Disk, Files, Memory, load};
use ntl_semantic::{RootDb, SourceFile, query};
use ntl_syntax::lex;
use ntl_tests::{entries, root, spec};
use std::io::Result;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};

/// How many edits a test run makes.
const EDITS: u32 = 2_000;

/// How many messages 95 of 100 edits may cause at most.
const MOST: usize = 5;

/// How long one edit may take: in an optimised build only, since others are slow and machines busy.
const LONGEST: Duration = if cfg!(debug_assertions) { Duration::MAX } else { Duration::from_secs(1) };

/// A sound program: its files, the one that it begins with and the one that is edited.
#[derive(Clone)]
struct Program {
    name: String,
    files: Arc<Memory>,
    root: PathBuf,
    edited: PathBuf,
    text: Arc<str>,
}

/// Files in memory over those of the disk.
struct Over<'a>(&'a Memory, &'a Path, &'a str);

impl Files for Over<'_> {
    fn read(&self, path: &Path) -> Result<Option<String>> {
        if path == self.1 {
            return Ok(Some(self.2.to_owned()));
        }
        match self.0.read(path)? {
            Some(text) => Ok(Some(text)),
            None => Disk.read(path),
        }
    }
}

/// What is said about a program with another text.
fn said(program: &Program, text: &str) -> Vec<String> {
    let mut db = RootDb::default();
    let root = load(&mut db, &Over(&program.files, &program.edited, text), &program.root).unwrap().root;
    let about = |file: SourceFile| query::file_diagnostics(&db, file);
    let all = query::files_in_use(&db, root).into_iter().flat_map(about);
    all.map(|diagnostic| format!("{}: {}", diagnostic.code, diagnostic.message)).collect()
}

/// The programs of the repository about which there is nothing to say, each with each file of its own that it uses.
fn programs() -> Vec<Program> {
    let mut candidates: Vec<(Arc<Memory>, PathBuf)> = Vec::new();
    let mut folders = entries(&root().join("examples"));
    folders.extend(entries(&root().join("tests/programs")));
    folders.extend(std::env::var_os("PROGRAMS").iter().flat_map(|more| entries(Path::new(more))));
    for folder in folders {
        candidates.push((Arc::default(), folder.join("main.ntl")));
    }
    for chapter in entries(&root().join("tests/spec")) {
        let text = std::fs::read_to_string(&chapter).unwrap();
        let parsed = spec::parse(&text).unwrap();
        let at = |name: &str| chapter.with_extension("").join(name);
        let files = Arc::new(parsed.sources().fold(Memory::default(), |all, (name, text)| all.with(at(name), text)));
        candidates.extend(parsed.sources().map(|(name, _)| (files.clone(), at(name))));
    }
    let mut programs = Vec::new();
    for (files, path) in candidates {
        let mut db = RootDb::default();
        let Ok(loaded) = load(&mut db, &Over(&files, Path::new(""), ""), &path) else { continue };
        for file in query::files_in_use(&db, loaded.root) {
            let (Some(text), edited) = (file.text(&db).clone(), PathBuf::from(file.path(&db))) else { continue };
            let shown = edited.strip_prefix(root()).unwrap_or(&edited).display();
            let program = Program { name: shown.to_string(), files: files.clone(), root: path.clone(), edited, text };
            if said(&program, &program.text).is_empty() {
                programs.push(program);
            }
        }
    }
    programs
}

/// SplitMix64.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((x ^ (x >> 31)) % n.max(1) as u64) as usize
    }
}

/// A text with one token changed, and what was changed.
fn mutant(text: &str, random: &mut Random) -> (String, String) {
    let tokens: Vec<Range<usize>> = lex(text)
        .into_iter()
        .filter(|token| !token.kind.is_trivia())
        .map(|token| token.range.start as usize..token.range.end as usize)
        .collect();
    let at = random.below(tokens.len().saturating_sub(1));
    let (this, next) = (tokens[at].clone(), tokens[at + 1].clone());
    let other = &text[tokens[random.below(tokens.len())].clone()];
    let (old, second) = (&text[this.clone()], &text[next.clone()]);
    let (range, new, what) = match random.below(5) {
        0 => (this, String::new(), format!("without `{old}`")),
        1 => (this, format!("{old} {old}"), format!("`{old}` twice")),
        2 => {
            let between = &text[this.end..next.start];
            (this.start..next.end, format!("{second}{between}{old}"), format!("`{second}` before `{old}`"))
        }
        3 => (this, other.to_owned(), format!("`{other}` for `{old}`")),
        _ => (this.start..this.start, format!("{other} "), format!("`{other}` before `{old}`")),
    };
    let line = text[..range.start].matches('\n').count() + 1;
    (format!("{}{new}{}", &text[..range.start], &text[range.end..]), format!("line {line}, {what}"))
}

/// An edit with what was said about it, and how long that took.
struct Told {
    edit: String,
    said: Vec<String>,
    took: Duration,
}

fn number(variable: &str) -> Option<u64> {
    std::env::var(variable).ok()?.parse().ok()
}

#[test]
fn one_slip_is_told_in_few_words() {
    let programs = programs();
    assert!(programs.len() > 60, "{} programs", programs.len());
    let count = number("MUTATIONS").map_or(EDITS, |n| n as u32);
    let mut random = Random(number("SEED").unwrap_or(1));
    let edits: Vec<(Program, String, String)> = (0..count)
        .map(|_| {
            let program = &programs[random.below(programs.len())];
            let (text, what) = mutant(&program.text, &mut random);
            (program.clone(), text, format!("{}, {what}", program.name))
        })
        .collect();

    // In a thread of its own, so that one that never ends is told; with the stack that the command line gives it.
    let (sender, results) = mpsc::channel();
    let work = edits.clone();
    std::thread::Builder::new()
        .stack_size(64 << 20)
        .spawn(move || {
            for (program, text, edit) in work {
                let start = Instant::now();
                let said = said(&program, &text);
                if sender.send(Told { edit, said, took: start.elapsed() }).is_err() {
                    return;
                }
            }
        })
        .unwrap();
    let mut told: Vec<Told> = Vec::new();
    for (_, text, edit) in &edits {
        match results.recv_timeout(LONGEST) {
            Ok(one) => told.push(one),
            Err(mpsc::RecvTimeoutError::Timeout) => panic!("{edit}: takes longer than {LONGEST:?}:\n{text}"),
            Err(mpsc::RecvTimeoutError::Disconnected) => panic!("{edit}: panics:\n{text}"),
        }
    }

    let slowest = told.iter().max_by_key(|one| one.took).unwrap();
    println!("{count} edits of {} programs; the slowest took {:?}: {}", programs.len(), slowest.took, slowest.edit);
    told.sort_by_key(|one| one.said.len());
    let at = |percent: usize| told[(told.len() - 1) * percent / 100].said.len();
    let shares: Vec<String> = [25, 50, 75, 90, 95, 99, 100].map(|p| format!("{p} %: {}", at(p))).into();
    println!("messages for an edit: {}", shares.join(", "));
    for one in told.iter().rev().take(number("WORST").unwrap_or(10) as usize) {
        println!("\n{} messages for {}", one.said.len(), one.edit);
        one.said.iter().take(12).for_each(|said| println!("  {said}"));
    }
    assert!(at(95) <= MOST, "{} messages at the 95th percentile", at(95));
}
