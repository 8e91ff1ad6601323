use super::{check, same};

#[test]
fn bytes_as_text() {
    check(
        same,
        &[
            ("hash.unbase64/0", r#"["_-8"]"#, r#""/+8=""#),
            ("hash.unbase64/0", r#"["/+8="]"#, r#""/+8=""#),
            ("hash.unbase64/0", r#"[""]"#, r#""""#),
            ("hash.unbase64/0", r#"["a"]"#, "!parse"),
            ("hash.unbase64/0", r#"["é==="]"#, "!parse"),
            ("hash.unhex/0", r#"["fF00"]"#, r#""/wA=""#),
            ("hash.unhex/0", r#"["é"]"#, "!parse"),
            ("hash.unhex/0", r#"["0x"]"#, "!parse"),
            ("hash.hmac/0", r#"["", ""]"#, "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad"),
        ],
    );
}
