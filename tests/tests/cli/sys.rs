//! Commands and the environment, as users meet them.

use crate::{Folder, assert_status, first_code};

const SH: &str = "use std.sys\n\nworkflow f(script: str, command: str = \"sh\") -> (code: int, out: str) {\n  @timeout(20s) r = sys.run(command, args: [\"-c\", script])\n  code = r.code\n  out  = r.out\n}\n";

#[test]
fn a_command_runs_where_it_is_granted() {
    let folder = Folder::new(&[("main.ntl", SH)]);
    assert_status(&folder.ntl(["run", "main.ntl", "script=exit 3"]), 2);
    let run = |args: &[&str]| folder.ntl(["run", "main.ntl", "--json"].iter().chain(args));
    let output = run(&["script=echo $0; pwd; exit 3", "--allow-command=sh"]).json().unwrap();
    assert_eq!(output["outputs"]["code"], 3);
    let here = folder.path().canonicalize().unwrap();
    assert_eq!(output["outputs"]["out"], format!("sh\n{}\n", here.display()));
    // A name is granted, not whatever goes by it elsewhere.
    let refused = run(&["script=x", "command=/bin/sh", "--allow-command=sh"]);
    assert_eq!(first_code(&refused), "permission");
    assert!(refused.stdout.contains("--allow-command=/bin/sh"), "{}", refused.stdout);
    assert_eq!(run(&["script=kill -9 $$", "--allow-command"]).json().unwrap()["outputs"]["code"], 137);
}

#[test]
fn the_environment_is_what_is_granted() {
    let source = "use std.sys\n\nworkflow f() -> (name: str, there: bool, seen: str) {\n  name  = sys.env(\"CARGO_MANIFEST_DIR\") ?? \"none\"\n  there = sys.env(\"NTL_TEST_NOTHING\") != null\n  seen  = sys.run(\"sh\", args: [\"-c\", \"echo $CARGO_MANIFEST_DIR\"]).out\n}\n";
    let folder = Folder::new(&[("main.ntl", source)]);
    let refused = folder.ntl(["run", "main.ntl", "--allow-command=sh", "--allow-env=HOME", "--json"]);
    assert_status(&refused, 2);
    assert!(refused.stdout.contains("--allow-env=CARGO_MANIFEST_DIR"), "{}", refused.stdout);
    let grants = ["--allow-command=sh", "--allow-env=CARGO_*,NTL_TEST_NOTHING"];
    let output = folder.ntl(["run", "main.ntl", "--json"].iter().chain(&grants)).json().unwrap();
    let here = env!("CARGO_MANIFEST_DIR");
    assert_eq!(output["outputs"], serde_json::json!({ "name": here, "there": false, "seen": format!("{here}\n") }));
    // What is not granted is not handed on either.
    let source = source.replace("sys.env(\"CARGO_MANIFEST_DIR\") ?? \"none\"", "\"\"");
    folder.write("main.ntl", source.as_bytes());
    let output = folder.ntl(["run", "main.ntl", "--json", "--allow-command=sh", "--allow-env=NTL_TEST_NOTHING"]);
    assert_eq!(output.json().unwrap()["outputs"]["seen"], "\n");
}

#[test]
fn what_takes_too_long_is_ended_with_all_that_it_started() {
    let source = SH.replace("script])", "script], timeout: 300ms)");
    let folder = Folder::new(&[("main.ntl", &source)]);
    let script = "script=(while :; do echo x >> ticks; sleep 0.05; done) & echo $! > pid; wait";
    let output = folder.ntl(["run", "main.ntl", script, "--allow-command=sh", "--json"]);
    assert_eq!(first_code(&output), "timeout");
    let pid = folder.read("pid");
    let is_there = || std::path::Path::new("/proc").join(pid.trim()).join("cwd").read_link().is_ok();
    if std::path::Path::new("/proc/self").exists() {
        // Ended, if perhaps not yet taken away.
        let gone = (0..1000).any(|_| {
            !is_there() || {
                std::thread::yield_now();
                false
            }
        });
        assert!(gone || !is_there(), "the loop goes on");
    }
}
