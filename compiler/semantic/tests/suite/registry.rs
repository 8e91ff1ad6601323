//! Every code has its page, and every page its code.

use ntl_semantic::diagnostics::REGISTRY;
use ntl_semantic::{Severity, explain};
use std::collections::BTreeSet;

#[test]
fn codes_are_in_order_and_of_their_kind() {
    for pair in REGISTRY.windows(2) {
        assert!(pair[0].0.id < pair[1].0.id, "{} stands before {}", pair[0].0.id, pair[1].0.id);
    }
    for (code, _) in REGISTRY {
        let is_error = code.severity == Severity::Error;
        assert_eq!(code.id.starts_with('E'), is_error, "{}", code.id);
        assert_eq!(code.id.len(), 5, "{}", code.id);
        assert!(code.title.starts_with(|c: char| !c.is_uppercase()), "{}: titles are lower case", code.id);
    }
}

#[test]
fn the_codes_of_the_parser_have_pages() {
    for (code, title) in ntl_syntax::CODES {
        assert!(REGISTRY.iter().any(|(known, _)| known.id == *code && known.title == *title), "{code}");
    }
}

#[test]
fn every_page_is_found_and_shows_an_example() {
    for (code, page) in REGISTRY {
        assert!(page.starts_with(&format!("# {}: ", code.id)), "{}: the page begins with its code", code.id);
        // E0906 is a mistake of the compiler itself: there is no example of it.
        assert!(page.contains("\n```") || code.id == "E0906", "{}: an example helps", code.id);
        // What is wrong may be too long for a page; what it shows as wrong it shows right, too.
        let has = |heading: &str| page.contains(&format!("\n{heading}:\n\n```"));
        assert!(has("Right") || !has("Wrong"), "{}: how is it right?", code.id);
        assert_eq!(explain(&code.id.to_lowercase()), Some(*page));
    }
    assert_eq!(explain("E9999"), None);
}

#[test]
fn no_page_is_orphaned() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("explain");
    let pages: BTreeSet<String> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    let codes: BTreeSet<String> = REGISTRY.iter().map(|(code, _)| format!("{}.md", code.id)).collect();
    assert_eq!(pages, codes);
}
