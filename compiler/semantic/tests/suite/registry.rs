//! Every code has its page, and every page its code.

use ntl_semantic::Severity;
use ntl_semantic::diagnostics::REGISTRY;
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
fn no_page_is_orphaned() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("explain");
    let pages: BTreeSet<String> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    let codes: BTreeSet<String> = REGISTRY.iter().map(|(code, _)| format!("{}.md", code.id)).collect();
    assert_eq!(pages, codes);
}
