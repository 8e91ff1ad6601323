//! Every chapter of the language reference in `spec/`, and the README, says what is so.

use libtest_mimic::{Arguments, Trial};
use ntl_tests::{entries, root, spec, stem, verdict};

fn main() {
    let chapters = entries(&root().join("tests/spec")).into_iter().chain([root().join("README.md")]);
    let chapters = chapters.filter(|f| f.extension().is_some_and(|e| e == "md") && f.is_file());
    let trials = chapters.map(|f| Trial::test(format!("spec::{}", stem(&f)), move || verdict(spec::test(&f)?)));
    libtest_mimic::run(&Arguments::from_args(), trials.collect()).exit();
}
