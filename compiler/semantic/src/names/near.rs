//! Names that are probably meant by others.

use smol_str::SmolStr;

/// The name among `candidates` that was probably meant by `name`.
pub fn nearest<S: AsRef<str>>(name: &str, candidates: impl IntoIterator<Item = S>) -> Option<SmolStr> {
    let length = name.chars().count();
    // A short name is near to everything.
    let limit = match length {
        0 => return None,
        1..=4 => 1,
        5 => 2,
        _ => length / 3 + 1,
    };
    let lower = name.to_lowercase();
    let mut best: Option<(usize, SmolStr)> = None;
    for candidate in candidates {
        let candidate = candidate.as_ref();
        if candidate == name || candidate.chars().count().abs_diff(length) > limit {
            continue;
        }
        let distance = strsim::damerau_levenshtein(&lower, &candidate.to_lowercase());
        let is_near = distance <= limit && (length > 2 || candidate.chars().count() <= 2) && distance < length;
        if is_near && best.as_ref().is_none_or(|(least, _)| distance < *least) {
            best = Some((distance, SmolStr::new(candidate)));
        }
    }
    best.map(|(_, name)| name)
}
