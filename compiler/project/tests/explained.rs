//! The pages of `ntl explain` tell the truth: what they call wrong gives the code, what they call right gives nothing.
#![expect(clippy::expect_used, clippy::panic, reason = "what goes wrong in a helper is a failed test")]

use ntl_project::{Memory, load};
use ntl_semantic::RootDb;
use ntl_semantic::diagnostics::REGISTRY;
use ntl_semantic::query::{file_diagnostics, files_in_use};
use std::path::Path;

/// The text of the block after a heading, and its language.
fn block<'p>(page: &'p str, heading: &str) -> (&'p str, &'p str) {
    let after = page.split_once(heading).map_or("", |(_, after)| after);
    let fence = &after[after.find("```").expect("a block")..];
    let ticks = fence.len() - fence.trim_start_matches('`').len();
    let (lang, text) = fence[ticks..].split_once('\n').expect("a block of lines");
    let end = text.find(&format!("\n{}\n", &fence[..ticks])).expect("the end of a block");
    (lang, &text[..=end])
}

/// The codes that an example gives: of its manifest, or of its program. A line `// name.ntl` begins another file.
fn codes(lang: &str, text: &str) -> Vec<String> {
    let mut files = Memory::default();
    let mut db = RootDb::default();
    match lang {
        "toml" => files = files.with("ntl.toml", text).with("main.ntl", ""),
        "ntl" => {
            let mut name = "main.ntl".to_owned();
            let mut part = String::new();
            for line in text.lines() {
                match line.strip_prefix("// ").filter(|name| name.ends_with(".ntl")) {
                    Some(next) => {
                        files = files.with(std::mem::replace(&mut name, next.to_owned()), std::mem::take(&mut part));
                    }
                    None => part.push_str(&format!("{line}\n")),
                }
            }
            files = files.with(name, part);
        }
        other => panic!("a block in `{other}`"),
    }
    match load(&mut db, &files, Path::new("main.ntl")) {
        Err(error) => error.problems.iter().map(|problem| problem.code.to_owned()).collect(),
        Ok(loaded) => {
            let all = files_in_use(&db, loaded.root);
            all.iter().flat_map(|file| file_diagnostics(&db, *file)).map(|d| d.code.to_owned()).collect()
        }
    }
}

#[test]
fn examples_are_as_wrong_and_right_as_they_say() {
    let mut wrong = Vec::new();
    // What only lowering finds out is not said of a file.
    let pages = REGISTRY.iter().filter(|(code, page)| !code.id.starts_with("E09") && page.contains("\nWrong:\n\n```"));
    let mut checked = 0;
    for (code, page) in pages {
        let (lang, text) = block(page, "\nWrong:\n");
        let given = codes(lang, text);
        if given.is_empty() || given.iter().any(|given| given != code.id) {
            wrong.push(format!("{}: the wrong example gives {given:?}", code.id));
        }
        let (lang, text) = block(page, "\nRight:\n");
        let given = codes(lang, text);
        // Where it is about a `use`, what is used may stay unused.
        if given.iter().any(|given| given == code.id || given != "W0201") {
            wrong.push(format!("{}: the right example gives {given:?}", code.id));
        }
        checked += 1;
    }
    assert!(checked > 100, "only {checked} pages have examples");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
