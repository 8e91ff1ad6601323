//! Generated projects, which everything large is measured with, are real programs.

use crate::{Folder, assert_status};
use ntl_tests::generate;

#[test]
fn a_generated_project_is_sound_and_formatted_and_runs() {
    for files in [1, 4] {
        let project = generate::project(files, 1_000, 3);
        let folder =
            Folder::new(&project.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect::<Vec<_>>());
        let output = folder.ntl(["check", "--json"]);
        assert_status(&output, 0);
        assert_eq!(output.json().unwrap()["diagnostics"], serde_json::json!([]));
        assert_status(&folder.ntl(["fmt", "--check"]), 0);
        let run = folder.ntl(["run", "main.ntl:main", "n=3", "--json"]);
        assert_status(&run, 0);
        assert!(run.json().unwrap()["outputs"]["total"].is_i64(), "{}", run.stdout);
    }
}
