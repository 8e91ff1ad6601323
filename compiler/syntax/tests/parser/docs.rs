//! Doc comments: whose they are, and their text.

use crate::parse;
use ntl_syntax::ast::ItemKind;
use ntl_syntax::{doc_before, file_doc};

#[test]
fn of_items_and_their_parts() {
    let text = "//! The file.\n\n// no doc\n/// First line.\n///\n///   indented\n//// no doc\n@pure\nfn f(\n  /// Of x.\n  @min(1) x: int, // of nothing\n  y: int,\n) -> int = x\n";
    let (_, own, parsed) = &parse(text)[0];
    let doc = |first| doc_before(own, &parsed.tokens, first);
    assert_eq!(doc(parsed.item.span.first).as_deref(), Some("First line.\n\n  indented"));
    let ItemKind::Callable(f) = &parsed.item.kind else { panic!("{:?}", parsed.item) };
    assert_eq!(doc(f.params[0].span.first).as_deref(), Some("Of x."));
    assert_eq!(doc(f.params[1].span.first), None);
    assert_eq!(doc(1000), None);
}

#[test]
fn of_files() {
    assert_eq!(
        file_doc("\u{feff}// licence\n\n//! One\n//!\n//! two.  \nuse a\n//! not this").as_deref(),
        Some("One\n\ntwo.")
    );
    assert_eq!(file_doc("/// of f\n//! late\nfn f()"), None);
    assert_eq!(file_doc(""), None);
}
