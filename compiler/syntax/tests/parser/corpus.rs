//! Every program of the repository that has no mistake of form.

use crate::mistakes;
use std::path::Path;

/// Files whose mistakes of form are what they are for.
const BROKEN: &[&str] = &["21-syntax-errors.ntl", "22-foreign-syntax.ntl", "28-bad-tokens.ntl"];

#[expect(clippy::disallowed_methods, reason = "a test reads the repository itself")]
fn check(folder: &Path, count: &mut usize) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let name = entry.file_name();
        if path.is_dir() {
            check(&path, count);
        } else if path.extension().is_some_and(|ext| ext == "ntl") && !BROKEN.iter().any(|broken| *broken == name) {
            let text = std::fs::read_to_string(&path).unwrap_or_default();
            assert_eq!(mistakes(&text), "", "{}", path.display());
            *count += 1;
        }
    }
}

#[test]
fn programs_parse() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut count = 0;
    for folder in ["examples", "stdlib/ntl", "tests/programs", "tests/checks"] {
        check(&root.join(folder), &mut count);
    }
    assert!(count > 60, "{count}");
}
