//! What is said at length about the codes of failures.

/// Every code of a failure: its page, after `# code: title`, one after the other.
const PAGES: &str = include_str!("../failures.md");

/// The codes of failures, each with its page, in order of their meaning. A page begins with `# code: title`.
pub fn failures() -> impl Iterator<Item = (&'static str, &'static str)> {
    let starts = || PAGES.match_indices("# ").map(|(at, _)| at).filter(|at| *at == 0 || PAGES[..*at].ends_with("\n\n"));
    let ends = starts().skip(1).chain([PAGES.len()]);
    starts().zip(ends).filter_map(|(start, end)| {
        let page = PAGES.get(start..end)?;
        Some((page.strip_prefix("# ")?.split(':').next()?, page.trim_end()))
    })
}

/// The page of a code. All statuses of HTTP share one.
pub fn failure(code: &str) -> Option<&'static str> {
    let is_status = |code: &str| code.strip_prefix("http_").is_some_and(|n| n.len() == 3 && n.parse::<u16>().is_ok());
    failures().find(|(known, _)| *known == code || is_status(known) && is_status(code)).map(|(_, page)| page)
}
