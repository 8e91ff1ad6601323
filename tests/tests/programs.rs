//! Every program in `programs/` gives what its `case.json` says.

use libtest_mimic::{Arguments, Trial};
use ntl_tests::{case, entries, root, stem, verdict};

fn main() {
    let folders = entries(&root().join("tests/programs")).into_iter().filter(|f| f.join("case.json").is_file());
    let trials = folders
        .map(|f| Trial::test(format!("programs::{}", stem(&f)), move || verdict(case::program(&f, "case.json")?)));
    libtest_mimic::run(&Arguments::from_args(), trials.collect()).exit();
}
