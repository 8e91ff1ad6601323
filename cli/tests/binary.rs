//! The binary starts. That this test stands here makes cargo build the binary before it runs any test of the workspace,
//! those in `tests/` included.

use std::process::Command;

#[test]
fn it_tells_its_version() {
    let output = Command::new(env!("CARGO_BIN_EXE_ntl")).arg("--version").output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout), format!("ntl {}\n", env!("CARGO_PKG_VERSION")));
}
