//! Programs that are wrong in ways that nobody thought of: the checker ends, its places lie in the text, and after an
//! edit it says what it would say of the text afresh, circles of definitions included.

#![expect(clippy::expect_used, reason = "what goes wrong in a helper is a failed test")]

use ntl_project::{Memory, load};
use ntl_semantic::RootDb;
use ntl_semantic::diagnostics::REGISTRY;
use ntl_semantic::query::{defs, effect, file_diagnostics, files_in_use, locate, locate_edit, output_types};
use std::path::Path;

/// Definitions that need each other in every way there is.
const CIRCLES: &str = "\
use \"./other\"
const A = other.B
const C = [D]
const D = C
workflow a() -> (x:, y:) {
  x = other.b().x
  y = a().x
}
workflow b() -> (x:) { x = [c().y] }
workflow c() -> (x:, y:) {
  x = b().x
  y = [c().x]
}
fn f(n: int = g()) -> int = n
fn g() -> int = f() + other.h(1)
type T = U | other.V
type U = T
type W(a: W?, b: int = g(), c: T)
";

const OTHER: &str = "\
use \"./main\"
const B = main.A
workflow b() -> (x:) { x = [main.a().y] }
fn h(n: int) -> int = main.g()
type V = main.T | str
";

/// A small generator of random numbers: the same ones each time.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % end.max(1) as u64) as usize
    }
}

/// A program with a few of its words taken out, doubled, moved, or taken from somewhere else.
fn mutant(seed: &str, words: &[&str], random: &mut Random) -> String {
    let is_end = |c: char| c.is_whitespace() || "()[]{},.:=".contains(c);
    let mut parts: Vec<&str> = seed.split_inclusive(is_end).collect();
    for _ in 0..=random.below(4) {
        let (at, other) = (random.below(parts.len()), random.below(parts.len()));
        match random.below(4) {
            0 => drop(parts.splice(at..(at + 1).min(parts.len()), [])),
            1 => parts.swap(at, other),
            2 => parts.insert(at, words[random.below(words.len())]),
            _ => {
                let part = parts[at.min(other)..(at.min(other) + 8).min(parts.len())].to_vec();
                parts.splice(other..other, part);
            }
        }
    }
    parts.concat()
}

/// What there is to say about a program, with places.
fn said(db: &mut RootDb, files: &Memory) -> Vec<String> {
    let root = load(db, files, Path::new("main.ntl")).expect("files in memory").root;
    let mut said = Vec::new();
    for file in files_in_use(db, root) {
        for diagnostic in file_diagnostics(db, file) {
            let labels = diagnostic.labels.iter().map(|label| &label.place);
            let edits = diagnostic.fixes.iter().flat_map(|fix| &fix.edits).map(|edit| {
                let (file, bytes, _) = locate_edit(db, edit);
                (file, bytes)
            });
            let places = [&diagnostic.place].into_iter().chain(labels).map(|place| locate(db, place));
            for (file, bytes) in places.chain(edits) {
                let text = file.text(db).as_deref().expect("a text");
                assert!(text.get(bytes.start as usize..bytes.end as usize).is_some(), "{diagnostic:?}");
            }
            said.push(format!("{} {} {:?}", diagnostic.code, diagnostic.message, locate(db, &diagnostic.place).1));
        }
        for def in defs(db, file) {
            said.push(format!("{} {:?} {:?}", def.name, effect(db, &def), output_types(db, &def).len()));
        }
    }
    said
}

#[test]
fn an_edit_says_what_a_fresh_look_says() {
    let pages: Vec<&str> = REGISTRY.iter().flat_map(|(_, page)| page.split("```ntl\n").skip(1)).collect();
    let programs: Vec<&str> = pages.iter().filter_map(|page| page.split("\n```").next()).chain([CIRCLES; 30]).collect();
    let words: Vec<&str> = programs.iter().flat_map(|text| text.split_inclusive(char::is_whitespace)).collect();
    let mut random = Random(88_172_645_463_325_252);
    let mut edited = RootDb::default();
    for _ in 0..80 {
        let text = mutant(programs[random.below(programs.len())], &words, &mut random);
        let files = Memory::default().with("main.ntl", text.clone()).with("other.ntl", OTHER);
        assert_eq!(said(&mut edited, &files), said(&mut RootDb::default(), &files), "{text}");
    }
}
