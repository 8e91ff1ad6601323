//! Every example gives what its `expected.json` says, has no warning and is formatted.

use libtest_mimic::{Arguments, Trial};
use ntl_tests::{case, entries, ntl::ntl, root, stem, verdict};
use std::path::Path;

fn main() {
    let folders = entries(&root().join("examples")).into_iter().filter(|f| f.join("main.ntl").is_file());
    let trials = folders.map(|f| Trial::test(format!("examples::{}", stem(&f)), move || verdict(example(&f)?)));
    libtest_mimic::run(&Arguments::from_args(), trials.collect()).exit();
}

fn example(folder: &Path) -> Result<Vec<String>, String> {
    let mut problems = case::program(folder, "expected.json")?;
    for command in [&["check"][..], &["fmt", "--check"][..]] {
        let output = ntl(folder, command.iter().chain(&["."]));
        if output.status != 0 || !output.stdout.is_empty() {
            problems.push(format!("ntl {}:\n{}{}", command.join(" "), output.stdout, output.stderr));
        }
    }
    Ok(problems)
}
