//! Every chapter in `spec/`, the reference and the README say what is so.

use libtest_mimic::{Arguments, Trial};
use ntl_tests::{entries, root, spec, stem, verdict};

fn main() {
    let chapters = entries(&root().join("tests/spec"))
        .into_iter()
        .chain(["README.md", "grammar/REFERENCE.md"].map(|f| root().join(f)));
    let chapters = chapters.filter(|f| f.extension().is_some_and(|e| e == "md") && f.is_file());
    let trials = chapters.map(|f| Trial::test(format!("spec::{}", stem(&f)), move || verdict(spec::test(&f)?)));
    libtest_mimic::run(&Arguments::from_args(), trials.collect()).exit();
}
