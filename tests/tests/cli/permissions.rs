//! Permissions: nothing is touched that was not granted.

use crate::{Folder, READER, assert_status, first_error};

fn reader() -> Folder {
    Folder::new(&[("main.ntl", READER), ("data.txt", "inside\n"), ("sub/more.txt", "below\n")])
}

#[test]
fn without_a_grant_the_run_is_refused_with_the_line_that_would_grant_it() {
    let output = reader().ntl(["run", "main.ntl", "--json"]);
    assert_status(&output, 2);
    let document = output.json().unwrap();
    let error = &document["errors"][0];
    assert_eq!(error["line"], 4, "{document}");
    assert!(error.to_string().contains("--allow-fs-read"), "{document}");
}

#[test]
fn grants_are_paths_and_folders() {
    let folder = reader();
    let cases: [(&[&str], i32); 9] = [
        (&["--allow-fs-read"], 0),
        (&["--allow-fs-read=."], 0),
        (&["--allow-fs-read=data.txt"], 0),
        (&["--allow-fs-read=sub,data.txt"], 0),
        (&["--allow-fs-read=sub", "--allow-fs-read=data.txt"], 0),
        (&["--allow-fs-read=sub", "path=sub/more.txt"], 0),
        // What is read is an input, so it is known only when the run has begun.
        (&["--allow-fs-read=sub"], 1),
        (&["--allow-fs-read=sub", "path=sub/../data.txt"], 1),
        (&["--allow-fs-write"], 2),
    ];
    for (args, status) in cases {
        let output = folder.ntl(["run", "main.ntl"].iter().chain(args));
        assert_eq!(output.status, status, "{args:?}: {}{}", output.stdout, output.stderr);
    }
}

#[test]
fn a_literal_outside_the_grant_is_refused_before_the_start() {
    let source = "use std.fs\n\nworkflow f() -> (a: int, b: str) {\n  a = fs.write(\"begun.txt\", \"x\") |> one()\n  b = fs.read(\"/etc/hostname\")\n}\n\nfn one(x: any) -> int = if x == null { 1 } else { 1 }\n";
    let folder = Folder::new(&[("main.ntl", source)]);
    let output = folder.ntl(["run", "main.ntl", "--allow-fs-read", "--allow-fs-write"]);
    assert_status(&output, 2);
    assert!(output.stderr.contains("/etc/hostname"), "{}", output.stderr);
    assert!(!folder.path().join("begun.txt").exists());
}

#[cfg(unix)]
#[test]
fn a_link_does_not_lead_out_of_the_grant() {
    let outside = Folder::new(&[("secret.txt", "s3cret")]);
    let folder = reader();
    std::os::unix::fs::symlink(outside.path().join("secret.txt"), folder.path().join("link.txt")).unwrap();
    let output = folder.ntl(["run", "main.ntl", "--allow-fs-read=.", "path=link.txt", "--json"]);
    assert_status(&output, 1);
    assert_eq!(output.json().unwrap()["errors"][0]["code"], "permission");
    assert!(!output.stdout.contains("s3cret") && !first_error(&output).is_empty());
}

#[test]
fn the_manifest_grants_relative_to_itself() {
    let folder = reader();
    folder.write("ntl.toml", b"[project]\nname = \"p\"\nversion = \"0.1.0\"\nntl = \"0.1\"\n\n[permissions]\nfs_read = [\"data.txt\"]\n\n[profiles.wide.permissions]\nfs_read = [\"sub\"]\n");
    assert_status(&folder.ntl(["run", "main.ntl"]), 0);
    assert_status(&folder.ntl(["run", "main.ntl", "path=sub/more.txt"]), 1);
    assert_status(&folder.ntl(["run", "main.ntl", "path=sub/more.txt", "--profile", "wide"]), 0);
    assert_status(&folder.ntl(["run", "main.ntl", "--profile", "wild"]), 2);
    // From another working directory the same file is meant.
    let below = ntl_tests::ntl::ntl(&folder.path().join("sub"), ["run", "../main.ntl", "path=../data.txt"]);
    assert_status(&below, 0);
    // A plan lies in the project, too.
    assert_status(&folder.ntl(["compile", "main.ntl"]), 0);
    assert_status(&folder.ntl(["run", "main.ntlp"]), 0);
}

#[test]
fn what_is_denied_says_what_of_the_project_would_grant_it() {
    let writer = "use std.fs\n\nworkflow f(path: str = \"out/a.txt\") -> (a: null) {\n  a = fs.write(path, \"x\")\n}\n";
    let folder = Folder::new(&[("main.ntl", READER), ("write.ntl", writer), ("data.txt", "x"), ("sub/more.txt", "x")]);
    folder.write("ntl.toml", b"[project]\nname = \"p\"\nversion = \"0.1.0\"\nntl = \"0.1\"\n\n[permissions]\nfs_read = [\"sub\"]\n\n[profiles.publish.permissions]\nfs_write = [\"out\"]\n");
    let said = |file: &str, args: &[&str]| {
        let output = folder.ntl(["run", file, "--json"].iter().chain(args));
        output.json().unwrap()["errors"][0]["notes"].to_string()
    };
    // Known before the run, and only during it.
    assert!(said("write.ntl", &[]).contains("`--profile publish` grants it"));
    assert!(said("main.ntl", &[]).contains(r#"under [permissions]: `fs_read = [\"sub\", \"data.txt\"]`"#));
    let denied = said("write.ntl", &["--profile", "publish", "path=other/a.txt"]);
    assert!(denied.contains(r#"`fs_write = [\"other/a.txt\"]`"#), "{denied}");
}

#[test]
fn a_path_of_the_project_that_is_taken_from_elsewhere_says_where_to_run_it() {
    let folder = Folder::new(&[("app/main.ntl", READER), ("app/data.txt", "x\n")]);
    folder.write(
        "app/ntl.toml",
        b"[project]\nname = \"p\"\nversion = \"0.1.0\"\nntl = \"0.1\"\n\n[permissions]\nfs_read = [\"data.txt\"]\n",
    );
    for (args, code) in [(&[][..], "permission"), (&["--allow-fs-read"], "not_found")] {
        let output = folder.ntl(["run", "app/main.ntl"].iter().chain(args));
        assert_status(&output, 1);
        assert!(output.stderr.contains(code) && output.stderr.contains("run it in `app`"), "{}", output.stderr);
    }
    assert_status(&ntl_tests::ntl::ntl(&folder.path().join("app"), ["run", "main.ntl"]), 0);
}
