//! What of the library a query means.

use super::Declaration;
use ntl_semantic::names;
use std::collections::BTreeMap;

/// The entry of that name, else the module, else whatever has all the words of the query: best first, module by module.
pub(super) fn find<'a>(all: &'a [Declaration], query: &[String]) -> Vec<&'a Declaration> {
    let by = |test: &dyn Fn(&Declaration) -> bool| all.iter().filter(|d| test(d)).collect::<Vec<_>>();
    if let [one] = query {
        let one = one.strip_prefix("std.").unwrap_or(one);
        for found in [by(&|d| d.is_called(one)), by(&|d| d.module == one)] {
            if !found.is_empty() {
                return found;
            }
        }
    }
    let words: Vec<Word> = query.iter().flat_map(|part| part.split_whitespace()).map(Word::new).collect();
    let mut found: Vec<(Rank, &Declaration)> = all.iter().filter_map(|d| Some((rank(&words, d)?, d))).collect();
    // What belongs together stays together, behind its best.
    let mut best: BTreeMap<&str, Rank> = BTreeMap::new();
    for (rank, d) in &found {
        best.entry(d.module).and_modify(|best| *best = (*best).min(*rank)).or_insert(*rank);
    }
    let place = |module: &str| all.iter().position(|d| d.module == module);
    found.sort_by_key(|(rank, d)| (best.get(d.module).copied(), place(d.module), *rank));
    found.into_iter().map(|(_, d)| d).collect()
}

/// The entry whose name is near to a query that means nothing.
pub(super) fn near<'a>(all: &'a [Declaration], query: &[String]) -> Option<&'a str> {
    let query = query.join("_");
    let bare = |d: &'a Declaration| d.name.rsplit('.').next().unwrap_or(&d.name);
    let is_full = query.contains('.');
    let near = names::nearest(&query, all.iter().map(|d| if is_full { &d.name } else { bare(d) }))?;
    all.iter().find(|d| near == if is_full { &d.name } else { bare(d) }).map(|d| d.name.as_str())
}

/// How far from the name words were found: that of each added up.
type Rank = u32;

/// It is the name, here or in another language.
const NAME: Rank = 0;
/// A part of the name.
const PART: Rank = 1;
/// It is in the description.
const DOC: Rank = 2;
/// It is in the description of the module.
const MODULE: Rank = 3;

/// A word that is looked for.
struct Word {
    /// In lower case.
    text: String,
    /// The entries that other languages call so.
    meant: Vec<String>,
}

impl Word {
    fn new(word: &str) -> Self {
        Word { text: word.to_lowercase(), meant: names::called_elsewhere(word) }
    }

    fn rank(&self, d: &Declaration) -> Option<Rank> {
        let name = d.name.to_lowercase();
        if name == self.text || name.rsplit('.').next() == Some(&self.text) || self.meant.contains(&d.name) {
            return Some(NAME);
        }
        // `files` is looked for where `file` stands.
        let one = self.text.strip_suffix('s').filter(|one| one.len() > 2).unwrap_or(&self.text);
        let begins = |text: &str| {
            let words = text.split(|c: char| !c.is_alphanumeric());
            words.into_iter().any(|word| word.starts_with(one))
        };
        match () {
            () if begins(&name) || name.contains(&self.text) => Some(PART),
            () if begins(&d.doc.to_lowercase()) => Some(DOC),
            () if begins(&d.about_module.to_lowercase()) => Some(MODULE),
            () => None,
        }
    }
}

/// How far the words were found, if all were.
fn rank(words: &[Word], d: &Declaration) -> Option<Rank> {
    words.iter().map(|word| word.rank(d)).sum()
}
