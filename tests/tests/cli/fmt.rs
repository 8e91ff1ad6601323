//! `ntl fmt`.

use crate::{Folder, HELLO, assert_status};
use ntl_tests::ntl::ntl_given;

const UGLY: &str = "workflow  f( n:int )->int{\n      n+1   // one more\n}\n";
const NEAT: &str = "workflow f(n: int) -> int {\n  n + 1 // one more\n}\n";

#[test]
fn files_are_rewritten_in_place() {
    let folder = Folder::new(&[("a.ntl", UGLY), ("sub/b.ntl", UGLY), ("main.ntl", HELLO), (".hidden/c.ntl", UGLY)]);
    let output = folder.ntl(["fmt"]);
    assert_status(&output, 0);
    assert_eq!((folder.read("a.ntl").as_str(), folder.read("sub/b.ntl").as_str()), (NEAT, NEAT));
    assert_eq!((folder.read("main.ntl").as_str(), folder.read(".hidden/c.ntl").as_str()), (HELLO, UGLY));
    assert_eq!(folder.files().len(), 4, "nothing is left behind");
}

#[test]
fn check_lists_and_writes_nothing() {
    let folder = Folder::new(&[("a.ntl", UGLY), ("b.ntl", NEAT), ("c.ntl", UGLY)]);
    let output = folder.ntl(["fmt", "--check"]);
    assert_status(&output, 1);
    assert_eq!(output.stdout, "a.ntl\nc.ntl\n");
    assert_eq!(folder.read("a.ntl"), UGLY);
    assert_status(&folder.ntl(["fmt", "--check", "b.ntl"]), 0);
}

#[test]
fn standard_input_goes_to_standard_output() {
    let folder = Folder::new(&[]);
    let output = ntl_given(folder.path(), ["fmt", "-"], UGLY.as_bytes());
    assert_eq!((output.status, output.stdout.as_str()), (0, NEAT));
    assert_status(&ntl_given(folder.path(), ["fmt", "--check", "-"], UGLY.as_bytes()), 1);
    assert_status(&ntl_given(folder.path(), ["fmt", "--check", "-"], NEAT.as_bytes()), 0);
}

#[cfg(unix)]
#[test]
fn permissions_and_links_stay() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new(&[("real.ntl", UGLY)]);
    let real = folder.path().join("real.ntl");
    std::fs::set_permissions(&real, std::fs::Permissions::from_mode(0o640)).unwrap();
    std::os::unix::fs::symlink("real.ntl", folder.path().join("link.ntl")).unwrap();
    assert_status(&folder.ntl(["fmt", "link.ntl"]), 0);
    assert_eq!(folder.read("real.ntl"), NEAT);
    assert!(folder.path().join("link.ntl").is_symlink());
    assert_eq!(real.metadata().unwrap().permissions().mode() & 0o777, 0o640);
}

#[test]
fn what_cannot_be_read_stays_as_it_is_and_the_rest_is_done() {
    let folder = Folder::new(&[("a.ntl", UGLY), ("z.ntl", UGLY)]);
    folder.write("bytes.ntl", b"\xff\xfe");
    let output = folder.ntl(["fmt"]);
    assert_status(&output, 2);
    assert!(output.stderr.contains("bytes.ntl"), "{}", output.stderr);
    assert_eq!((folder.read("a.ntl").as_str(), folder.read("z.ntl").as_str()), (NEAT, NEAT));
    assert_status(&folder.ntl(["fmt", "nowhere.ntl"]), 2);
}
