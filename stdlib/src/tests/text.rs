use super::{call, check, same};
use ntl_engine::Value;

#[test]
fn cases() {
    check(
        same,
        &[
            ("text.title/0", r#"["ßeta ὈΔΟΣ o'NEIL's x2y 日本"]"#, "Sseta Ὀδος O'neil's X2y 日本"),
            ("text.title/0", r#"["'quoted' --a"]"#, "'Quoted' --A"),
            ("text.title/0", r#"[""]"#, ""),
            ("text.capitalize/0", r#"["éCOLE"]"#, "École"),
            ("text.upper/0", r#"["straße"]"#, "STRASSE"),
            ("text.slug/0", r#"["  --Ångström & Søn: 日本語!  "]"#, "angstrom-son-日本語"),
            ("text.slug/0", r#"["!!"]"#, ""),
            ("text.strip_accents/0", r#"["e\u0301 が हिन्दी 한"]"#, "e が हिन्दी 한"),
        ],
    );
}

#[test]
fn places_are_characters() {
    check(
        same,
        &[
            ("text.slice/0", r#"["añb", 1, 2]"#, "ñ"),
            ("text.slice/0", r#"["añb", 2, 1]"#, ""),
            ("text.slice/0", r#"["añb", 3, null]"#, ""),
            ("text.slice/0", r#"["abc", 9223372036854775807, 9223372036854775807]"#, ""),
            ("text.slice/0", r#"["abc", 0, -1]"#, "!index"),
            ("text.index_of/0", r#"["日本日本", "本日"]"#, "1"),
            ("text.index_of/0", r#"["a", ""]"#, "0"),
            ("text.last_index_of/0", r#"["日本日本", "本"]"#, "3"),
            ("text.reverse/0", r#"["añb"]"#, "bña"),
            ("text.chars/0", r#"["añ"]"#, r#"["a","ñ"]"#),
            ("text.pad_left/0", r#"["ñ", 4, "ab"]"#, "abañ"),
            ("text.pad_right/0", r#"["ñ", 4, "é"]"#, "ñééé"),
            ("text.pad_left/0", r#"["abc", -5, ""]"#, "abc"),
            ("text.pad_left/0", r#"["abc", 4, ""]"#, "!invalid"),
            ("text.truncate/0", r#"["ñandú!", 5, "…"]"#, "ñand…"),
            ("text.truncate/0", r#"["abc", 2, "..."]"#, "ab"),
            ("text.truncate/0", r#"["abc", 0, "…"]"#, ""),
            ("text.truncate/0", r#"["abc", -1, "…"]"#, "!invalid"),
        ],
    );
}

#[test]
fn parts() {
    check(
        same,
        &[
            ("text.split/0", r#"["", ","]"#, r#"[""]"#),
            ("text.split/0", r#"["ab", ""]"#, "!invalid"),
            ("text.lines/0", r#"["a\r\n\r\nb\rc"]"#, r#"["a","","b\rc"]"#),
            ("text.lines/0", r#"[""]"#, "[]"),
            ("text.lines/0", r#"["\n"]"#, r#"[""]"#),
            ("text.words/0", r#"["\u00a0a\t b\n"]"#, r#"["a","b"]"#),
            ("text.replace/0", r#"["aaa", "aa", "b"]"#, "ba"),
            ("text.replace/0", r#"["aaa", "", "b"]"#, "!invalid"),
            ("text.count/0", r#"["aaa", "aa"]"#, "1"),
            ("text.count/0", r#"["aaa", ""]"#, "!invalid"),
            ("text.remove_prefix/0", r#"["aab", "a"]"#, "ab"),
            ("text.remove_suffix/0", r#"["b", "bb"]"#, "b"),
            ("text.dedent/0", r#"["\n\t a\n\t  b\n   \n"]"#, "\na\n b\n\n"),
            ("text.dedent/0", r#"["  a\r\n  b"]"#, "a\r\nb"),
            ("text.dedent/0", r#"[" a\n\tb"]"#, " a\n\tb"),
            ("text.indent/0", r#"["a\n\nb\n", "> "]"#, "> a\n\n> b\n"),
            ("text.collapse/0", r#"["  "]"#, ""),
        ],
    );
}

#[test]
fn numbers() {
    check(
        same,
        &[
            ("text.format_number/0", r#"[-999.995, 2, ","]"#, "-1,000.00"),
            ("text.format_number/0", r#"[0.0, 0, ","]"#, "0"),
            ("text.format_number/0", r#"[123456.0, 0, "'"]"#, "123'456"),
            ("text.format_number/0", r#"[1e21, 1, ","]"#, "1,000,000,000,000,000,000,000.0"),
            ("text.format_number/0", r#"[1.0, 101, ""]"#, "!invalid"),
            ("text.format_number/0", r#"[1.0, -1, ""]"#, "!invalid"),
        ],
    );
}

#[test]
fn hostile_sizes_fail() {
    check(
        same,
        &[
            ("text.repeat/0", r#"["x", 9223372036854775807]"#, "!invalid"),
            ("text.repeat/0", r#"["", 9223372036854775807]"#, ""),
            ("text.repeat/0", r#"["x", -1]"#, "!invalid"),
            ("text.pad_left/0", r#"["x", 9223372036854775807, "ab"]"#, "!invalid"),
            ("text.pad_right/0", r#"["x", 300000000, " "]"#, "!invalid"),
        ],
    );
    let long = Value::str("x".repeat(1 << 20));
    for (id, args) in [
        ("text.replace/0", vec![long.clone(), Value::str("x"), Value::str("y".repeat(300))]),
        ("text.indent/0", vec![Value::str("x\n".repeat(1 << 10)), long.clone()]),
        ("text.format_number/0", vec![Value::Float(1e307), Value::Int(0), Value::str("x".repeat(3 << 20))]),
        ("text.join/0", vec![Value::list(vec![Value::str(""); 300]), long]),
    ] {
        assert_eq!(call(id, &args, same).err().as_deref(), Some("invalid"), "{id}");
    }
}

#[test]
fn bytes() {
    assert_eq!(call("text.from_bytes/0", &[Value::Bytes(vec![0xff].into())], same).err().as_deref(), Some("parse"));
}
