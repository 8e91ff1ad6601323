//! Every source in `checks/` gives exactly the diagnostics in the JSON file beside it.

use libtest_mimic::{Arguments, Trial};
use ntl_tests::{case, entries, root, stem, verdict};

fn main() {
    let sources = entries(&root().join("tests/checks")).into_iter().filter(|f| f.with_extension("json").is_file());
    let sources = sources.filter(|f| f.extension().is_some_and(|e| e == "ntl"));
    let trials = sources.map(|f| Trial::test(format!("checks::{}", stem(&f)), move || verdict(case::check(&f)?)));
    libtest_mimic::run(&Arguments::from_args(), trials.collect()).exit();
}
