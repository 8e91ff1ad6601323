//! Programs in memory, taken out of files and of the pages of the reference.

use ntl_project::{Memory, load};
use ntl_semantic::query::{file_diagnostics, files_in_use};
use ntl_semantic::{Diagnostic, RootDb};
use std::path::Path;

/// Files in memory; the first one is checked.
#[derive(Clone)]
pub struct Program {
    pub origin: String,
    pub files: Vec<(String, String)>,
}

impl Program {
    pub fn one(origin: String, text: &str) -> Self {
        Program { origin, files: vec![("main.ntl".into(), text.to_owned())] }
    }

    /// Loads it into `db` and gives what there is to say about it.
    pub fn check(&self, db: &mut RootDb) -> Vec<Diagnostic> {
        let memory = self.files.iter().fold(Memory::default(), |all, (name, text)| all.with(name, text.clone()));
        let Ok(loaded) = load(db, &memory, Path::new(&self.files[0].0)) else { return Vec::new() };
        files_in_use(db, loaded.root).iter().flat_map(|file| file_diagnostics(db, *file)).collect()
    }
}

/// The blocks of a chapter or page with a language and perhaps a name: each `ntl` block is checked beside all others.
pub fn blocks(origin: &str, text: &str) -> Vec<Program> {
    let mut all: Vec<(String, String)> = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let ticks = line.len() - line.trim_start_matches('`').len();
        if ticks < 3 {
            continue;
        }
        let (fence, words) = line.split_at(ticks);
        let body: String = lines.by_ref().take_while(|l| l.trim_end() != fence).flat_map(|l| [l, "\n"]).collect();
        let mut words = words.split_whitespace();
        if words.next() == Some("ntl") {
            let name = words.next().map_or_else(|| format!("block_{}.ntl", all.len()), str::to_owned);
            all.push((name, body));
        }
    }
    (0..all.len())
        .map(|at| {
            // A line `// name.ntl` begins another file.
            let mut files = vec![(all[at].0.clone(), String::new())];
            for line in all[at].1.split_inclusive('\n') {
                match line.trim_end().strip_prefix("// ").filter(|name| name.ends_with(".ntl")) {
                    Some(name) => files.push((name.to_owned(), String::new())),
                    None => files.iter_mut().next_back().into_iter().for_each(|file| file.1.push_str(line)),
                }
            }
            files.extend(all.iter().enumerate().filter(|(other, _)| *other != at).map(|(_, file)| file.clone()));
            Program { origin: format!("{origin}, {}", all[at].0), files }
        })
        .collect()
}
