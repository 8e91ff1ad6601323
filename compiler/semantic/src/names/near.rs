//! Names that are probably meant by others.

use smol_str::SmolStr;

/// How far a candidate is from a name; the least is the nearest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Distance {
    /// The same letters in the same order, written in another way: `userName` for `user_name`.
    Spelling,
    /// The same words in another order: `lines_count` for `count_lines`.
    Order,
    /// So many letters are wrong, missing, too many or swapped.
    Letters(usize),
    /// The beginning of a longer name: `desc` for `description`.
    Beginning(usize),
}

/// The name among `candidates` that was probably meant by `name`.
pub fn nearest<S: AsRef<str>>(name: &str, candidates: impl IntoIterator<Item = S>) -> Option<SmolStr> {
    let meant = Meant::new(name);
    let mut best: Option<(Distance, SmolStr)> = None;
    for candidate in candidates {
        let candidate = candidate.as_ref();
        let Some(distance) = meant.distance(candidate) else { continue };
        if best.as_ref().is_none_or(|(least, _)| distance < *least) {
            best = Some((distance, SmolStr::new(candidate)));
        }
    }
    best.map(|(_, name)| name)
}

/// A name that was written, prepared for many comparisons.
struct Meant<'a> {
    name: &'a str,
    lower: String,
    length: usize,
    /// How many letters may be wrong.
    limit: usize,
    words: Vec<String>,
}

impl<'a> Meant<'a> {
    fn new(name: &'a str) -> Self {
        let length = name.chars().count();
        // A short name is near to everything.
        let limit = match length {
            0..=4 => 1,
            5 => 2,
            _ => length / 3 + 1,
        };
        Meant { name, lower: name.to_lowercase(), length, limit, words: words(name) }
    }

    fn distance(&self, candidate: &str) -> Option<Distance> {
        if candidate == self.name || self.length == 0 {
            return None;
        }
        let length = candidate.chars().count();
        let others = words(candidate);
        if self.words.iter().flat_map(|word| word.chars()).eq(others.iter().flat_map(|word| word.chars())) {
            return Some(Distance::Spelling);
        }
        if self.words.len() > 1 && self.words.len() == others.len() && sorted(&self.words) == sorted(&others) {
            return Some(Distance::Order);
        }
        if length.abs_diff(self.length) <= self.limit {
            let letters = strsim::damerau_levenshtein(&self.lower, &candidate.to_lowercase());
            if letters <= self.limit && (self.length > 2 || length <= 2) && letters < self.length {
                return Some(Distance::Letters(letters));
            }
        }
        let is_beginning = self.length >= 3 && candidate.to_lowercase().starts_with(&self.lower);
        is_beginning.then_some(Distance::Beginning(length))
    }
}

/// The words of a name, in lower case: `user_name` and `userName` have the same.
fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut begins = true;
    for c in name.chars() {
        if c == '_' {
            begins = true;
            continue;
        }
        let lower = c.to_lowercase();
        match words.last_mut() {
            Some(word) if !begins && !c.is_uppercase() => word.extend(lower),
            _ => words.push(lower.collect()),
        }
        begins = false;
    }
    words
}

fn sorted(words: &[String]) -> Vec<&String> {
    let mut sorted: Vec<&String> = words.iter().collect();
    sorted.sort_unstable();
    sorted
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn what_is_meant_is_found() {
        for (written, meant, others) in [
            ("totl", "total", "count title"),
            ("toatl", "total", "count title"),
            ("userName", "user_name", "username2 users"),
            ("Title", "title", "titles"),
            ("URL", "url", "curl"),
            ("lines_count", "count_lines", "lines_counted lines"),
            ("item", "items", "index"),
            ("entrie", "entry", "count"),
            ("desc", "description", "name title"),
            ("sep", "separator", "items"),
        ] {
            let candidates = others.split(' ').chain([meant]);
            assert_eq!(nearest(written, candidates).as_deref(), Some(meant), "{written}");
        }
    }

    #[test]
    fn what_is_far_is_not_offered() {
        for (written, others) in [("x", "y yz"), ("a", "ab"), ("on", "one off"), ("name", "size mean"), ("", "a")] {
            assert_eq!(nearest(written, others.split(' ')), None, "{written}");
        }
    }
}
