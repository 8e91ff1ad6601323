//! Programs and manifests from memory and from disk.
#![expect(clippy::expect_used, clippy::disallowed_methods, reason = "what goes wrong in a helper is a failed test")]

use ntl_project::{Disk, Files, LoadError, Loaded, Manifest, Memory, load};
use ntl_semantic::query::{file_diagnostics, files_in_use};
use ntl_semantic::{Project, RootDb};
use std::path::Path;

fn loaded(files: &dyn Files, path: &str) -> Result<(RootDb, Loaded), LoadError> {
    let mut db = RootDb::default();
    let loaded = load(&mut db, files, Path::new(path))?;
    Ok((db, loaded))
}

fn refused(files: &dyn Files, path: &str) -> LoadError {
    loaded(files, path).map(drop).expect_err("it cannot be loaded")
}

fn manifest(text: &str) -> Result<Manifest, LoadError> {
    let files = Memory::default().with("ntl.toml", text).with("src/main.ntl", "");
    loaded(&files, "src/main.ntl").map(|(_, loaded)| loaded.manifest.expect("a manifest"))
}

/// The problems of a manifest, as `line: code message`.
fn problems(text: &str) -> Vec<String> {
    let error = manifest(text).expect_err("a manifest with problems");
    assert_eq!(error.path, Path::new("ntl.toml"));
    let line = |at: usize| error.text[..at].matches('\n').count() + 1;
    let problems = error.problems.iter().map(|p| format!("{}: {} {}", line(p.range.start), p.code, p.message));
    let problems: Vec<String> = problems.collect();
    assert!(error.message.starts_with("line "), "{}", error.message);
    problems
}

#[test]
fn a_program_is_loaded_with_all_that_it_uses() {
    let files = Memory::default()
        .with("app/main.ntl", "use \"./lib/a\"\nuse \"../shared/b\"\nuse \"./nowhere\"\n")
        .with("app/lib/a.ntl", "use \"../main\"\nuse \"./c\"\n")
        .with("app/lib/c.ntl", "")
        .with("shared/b.ntl", "")
        .with("app/unused.ntl", "");
    let (db, loaded) = loaded(&files, "./app/main.ntl").unwrap();
    let paths: Vec<&str> = files_in_use(&db, loaded.root).iter().map(|file| file.path(&db)).collect();
    assert_eq!(paths, ["app/main.ntl", "app/lib/a.ntl", "shared/b.ntl", "app/lib/c.ntl"]);
    let known: Vec<(&str, bool)> =
        Project::get(&db).files(&db).iter().map(|(path, file)| (path.as_str(), file.text(&db).is_some())).collect();
    assert_eq!(
        known,
        [
            ("app/lib/a.ntl", true),
            ("app/lib/c.ntl", true),
            ("app/main.ntl", true),
            ("app/nowhere.ntl", false),
            ("shared/b.ntl", true),
        ]
    );
    let codes: Vec<&str> = file_diagnostics(&db, loaded.root).iter().map(|d| d.code).collect();
    assert!(codes.contains(&"E0205"), "{codes:?}");
    assert_eq!(loaded.manifest, None);
}

#[test]
fn loading_again_takes_over_what_changed() {
    let files = Memory::default().with("main.ntl", "fn a() -> int = 1\n");
    let (mut db, first) = loaded(&files, "main.ntl").unwrap();
    let files = files.with("main.ntl", "use \"./b\"\n").with("b.ntl", "");
    let second = load(&mut db, &files, Path::new("main.ntl")).unwrap();
    assert_eq!(first.root, second.root);
    assert_eq!(files_in_use(&db, second.root).len(), 2);
}

#[test]
fn the_library_is_there_and_has_no_mistakes() {
    let (db, _) = loaded(&Memory::default().with("main.ntl", ""), "main.ntl").unwrap();
    let std = Project::get(&db).std(&db);
    assert!(std.iter().any(|(name, _)| name == "core"), "the library has a core");
    assert!(std.is_sorted_by(|a, b| a.0 < b.0));
    for (name, file) in std {
        let said: Vec<String> = file_diagnostics(&db, *file)
            .iter()
            .map(|d| format!("{} {} {}", d.code, d.place.def.name, d.message))
            .collect();
        assert_eq!(said, Vec::<String>::new(), "std.{name}");
    }
}

#[test]
fn what_cannot_be_read_is_told() {
    let files = Memory::default().with("main.ntl", b"// one\n// \xff\n".to_vec()).with("user.ntl", "use \"./main\"\n");
    let error = refused(&files, "main.ntl");
    assert_eq!(error.message, "it is not UTF-8 text: line 2 has a byte that is none");
    let error = refused(&files, "user.ntl");
    assert_eq!(error.path, Path::new("main.ntl"));
    let error = refused(&files, "nowhere.ntl");
    assert!(error.is_missing);
}

#[test]
fn the_disk_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let write = |path: &str, text: &str| {
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    write("ntl.toml", "[project]\nname = \"p\"\n");
    write("src/main.ntl", "use \"./other\"\n");
    write("src/other.ntl", "");
    let path = folder.path().join("src/main.ntl");
    let (db, loaded) = loaded(&Disk, path.to_str().unwrap()).unwrap();
    assert_eq!(files_in_use(&db, loaded.root).len(), 2);
    let manifest = loaded.manifest.expect("a manifest above");
    assert_eq!((manifest.name.as_deref(), manifest.path.exists()), (Some("p"), true));

    let as_folder = refused(&Disk, folder.path().to_str().unwrap());
    assert_eq!(as_folder.message, "it is a folder");
    let below_file = refused(&Disk, path.join("x.ntl").to_str().unwrap());
    assert!(below_file.is_missing);
}

#[test]
fn a_manifest_says_what_is_granted() {
    let manifest = manifest(
        r#"
[project]
name = "digest"
version = "1.0.0"
ntl = "0.1"
[permissions]
fs_read = [".", "/data"]
net = ["example.org:443"]
[profiles.dev.permissions]
fs_write = ["out"]
[packs]
search = { path = "../search" }
"#,
    )
    .unwrap();
    let list =
        |kind: &str, values: &[&str]| (kind.to_owned(), values.iter().map(|v| (*v).to_owned()).collect::<Vec<_>>());
    assert_eq!(manifest.path, Path::new("ntl.toml"));
    assert_eq!((manifest.name.as_deref(), manifest.version.as_deref()), (Some("digest"), Some("1.0.0")));
    assert_eq!(manifest.permissions, [list("fs_read", &[".", "/data"]), list("net", &["example.org:443"])]);
    assert_eq!(manifest.profiles[0].name, "dev");
    assert_eq!(manifest.profiles[0].permissions, [list("fs_write", &["out"])]);
    assert_eq!(manifest.packs, [("search".to_owned(), "../search".to_owned())]);
}

#[test]
fn mistakes_in_a_manifest_are_told_with_their_lines() {
    assert_eq!(
        problems("[projct]\nname = 1\n"),
        ["1: E0702 unknown key `projct` in the manifest; did you mean `project`?"]
    );
    assert_eq!(
        problems(
            "[project]\nname = 1\nntl = \"9.0\"\n[permissions]\nfs_reed = []\nfs_read = \".\"\nnet = [1]\n\
             [profiles.dev]\nallow = 1\n[packs]\nx = { git = \"y\" }\n"
        ),
        [
            "2: E0703 `name` must be a string; this is of type integer",
            "3: E0704 this project is written in NTL 9.0; this is NTL 0.1",
            "5: E0702 unknown key `fs_reed` in `[permissions]`; did you mean `fs_read`?",
            "6: E0703 `fs_read` must be a list of strings; this is of type string",
            "7: E0703 `net` must be a string; this is of type integer",
            "9: E0702 unknown key `allow` in `[profiles.dev]`",
            "11: E0702 unknown key `git` in `[packs.x]`",
        ]
    );
    assert!(problems("[project\n")[0].starts_with("1: E0701 this is not TOML: "));
    assert!(problems(&format!("x = {}1{}\n", "[".repeat(5000), "]".repeat(5000)))[0].contains("E0701"));
}
