use super::{call, check, same};
use ntl_engine::{List, Value};

#[test]
fn conversions() {
    check(
        same,
        &[
            ("core.int/0", r#"["+007"]"#, "7"),
            ("core.int/0", r#"["-9223372036854775808"]"#, "-9223372036854775808"),
            ("core.int/0", r#"["9223372036854775808"]"#, "!overflow"),
            ("core.int/0", r#"["1.0"]"#, "!parse"),
            ("core.int/0", r#"[" 1"]"#, "!parse"),
            ("core.int/0", r#"["1_000"]"#, "!parse"),
            ("core.int/0", r#"["٣"]"#, "!parse"),
            ("core.int/0", r#"["-"]"#, "!parse"),
            ("core.int/0", r#"[""]"#, "!parse"),
            ("core.int/0", "[-0.9]", "0"),
            ("core.int/0", "[9.3e18]", "!overflow"),
            ("core.int/0", "[-9223372036854775808.0]", "-9223372036854775808"),
            ("core.int/0", "[true]", "1"),
            ("core.float/0", r#"["-5."]"#, "-5.0"),
            ("core.float/0", r#"["1e3"]"#, "1000.0"),
            ("core.float/0", r#"["1e-999"]"#, "0.0"),
            ("core.float/0", r#"["-1E999"]"#, "!overflow"),
            ("core.float/0", r#"["inf"]"#, "!parse"),
            ("core.float/0", r#"["NaN"]"#, "!parse"),
            ("core.float/0", r#"["."]"#, "!parse"),
            ("core.float/0", r#"["1 "]"#, "!parse"),
            ("core.float/0", "[9007199254740992]", "9007199254740992.0"),
            ("core.float/0", "[9007199254740993]", "!inexact"),
            ("core.float/0", "[9223372036854775807]", "!inexact"),
            ("core.str/0", r#"["a"]"#, "a"),
            ("core.str/0", r#"[["a"]]"#, r#"["a"]"#),
        ],
    );
}

#[test]
fn rounding() {
    check(
        same,
        &[
            ("core.round/0", "[0.49999999999999994]", "0"),
            ("core.round/0", "[-0.5]", "-1"),
            ("core.round/0", "[1e19]", "!overflow"),
            ("core.round/1", "[1.7976931348623157e308, -308]", "!overflow"),
            ("core.round/1", "[2.5, 9223372036854775807]", "2.5"),
            ("core.floor/0", "[-0.1]", "-1"),
            ("core.floor/0", "[-1e300]", "!overflow"),
            ("core.ceil/0", "[-0.1]", "0"),
            ("core.abs/0", "[-9223372036854775808]", "!overflow"),
            ("core.abs/0", "[-0.0]", "0.0"),
            ("core.clamp/0", "[1, 3, 2]", "!invalid"),
            ("core.clamp/0", "[2.5, 0.0, 2.5]", "2.5"),
        ],
    );
}

#[test]
fn least_and_greatest() {
    check(
        same,
        &[
            ("core.min/0", "[[]]", "null"),
            ("core.max/0", "[[-0.0, 0.0]]", "-0.0"),
            ("core.min/1", "[1, 1.0]", "1"),
            ("core.max/1", "[1.0, 1]", "1.0"),
            ("core.max/0", r#"[["Z", "é", "a"]]"#, "é"),
            ("core.min/0", "[[[1, 2], [1]]]", "[1]"),
            ("core.min/0", r#"[[1, "a"]]"#, "!type"),
            ("core.sum/0", "[[]]", "0"),
            ("core.sum/3", "[[]]", "0.0"),
            ("core.sum/0", "[[9223372036854775807, 1, -1]]", "9223372036854775807"),
            ("core.sum/0", "[[9223372036854775807, 1]]", "!overflow"),
            ("core.sum/3", "[[1e308, 1e308]]", "!overflow"),
            ("core.sum/3", "[[1e100, 1.0, -1e100]]", "1.0"),
            ("core.sum/3", "[[0.1, 0.2, 0.3]]", "0.6"),
        ],
    );
}

#[test]
fn streams_of_lists() {
    check(
        |args| Ok(args[1].clone()),
        &[
            ("core.take/0", "[[1, 2], 5]", "[1,2]"),
            ("core.take/0", "[[1, 2], -1]", "!invalid"),
            ("core.skip/0", "[[1, 2], 5]", "[]"),
            ("core.batch/0", "[[1, 2], 0]", "!invalid"),
            ("core.batch/0", "[[], 2]", "[]"),
            ("core.window/0", "[[1, 2], 3, 1]", "[]"),
            ("core.window/0", "[[1, 2, 3], 3, 1]", "[[1,2,3]]"),
            ("core.window/0", "[[1, 2, 3, 4, 5], 2, 3]", "[[1,2],[4,5]]"),
            ("core.window/0", "[[1, 2, 3], 9223372036854775807, 9223372036854775807]", "[]"),
            ("core.window/0", "[[1, 2, 3], 1, 9223372036854775807]", "[[1]]"),
            ("core.window/0", "[[1], 1, 0]", "!invalid"),
            ("core.running/0", r#"[[1, 2], 0, "fn"]"#, "[1,2]"),
            ("core.cross/0", "[[1], []]", "[]"),
            ("core.index/0", "[[]]", "[]"),
        ],
    );
}

#[test]
fn ranges_are_never_written_out() {
    let all = Value::List(List::range(i64::MIN, i64::MAX));
    let n = i64::MAX;
    let of = |id: &str, args: &[Value]| call(id, args, same).map(|v| ntl_engine::value::brief(&v, 60));
    let long = || Value::List(List::range(0, n));
    assert!(of("core.range/0", &[Value::Int(n)]).unwrap().starts_with("[0, 1, 2, "));
    assert_eq!(of("core.len/0", std::slice::from_ref(&all)), Ok(n.to_string()));
    assert_eq!(of("core.sum/0", &[Value::List(List::range(-5, 6))]), Ok("0".into()));
    assert_eq!(of("core.sum/0", std::slice::from_ref(&all)), Err("overflow".into()));
    assert_eq!(of("list.last/0", &[long()]), Ok((n - 1).to_string()));
    assert_eq!(of("list.slice/0", &[all.clone(), Value::Int(2), Value::Int(3)]), Ok(format!("[{}]", i64::MIN + 2)));
    assert_eq!(of("list.index_of/0", &[long(), Value::Int(n - 1)]), Ok((n - 1).to_string()));
    assert_eq!(of("list.contains/0", &[long(), Value::Int(-1)]), Ok("false".into()));
    for id in [
        "list.reverse/0",
        "list.unique/0",
        "list.sort/0",
        "list.enumerate/0",
        "list.compact/0",
        "list.chunk/0",
        "list.map/0",
        "list.group_by/0",
    ] {
        let args: &[Value] = match id {
            "list.sort/0" => &[long(), Value::Bool(false)],
            "list.chunk/0" => &[long(), Value::Int(1)],
            "list.map/0" | "list.group_by/0" => &[long(), super::function()],
            _ => &[long()],
        };
        assert_eq!(of(id, args), Err("invalid".into()), "{id}");
    }
    for id in [
        "core.cross/0",
        "core.merge/0",
        "core.zip/0",
        "list.zip/0",
        "list.union/0",
        "list.intersect/0",
        "list.difference/0",
    ] {
        assert_eq!(of(id, &[long(), all.clone()]), Err("invalid".into()), "{id}");
    }
}

#[test]
fn failures_and_models() {
    check(
        same,
        &[
            ("core.error/0", r#"["no", "mine"]"#, "!mine"),
            ("core.model/0", r#"["openai/", null, null, null, null]"#, "!invalid"),
            (
                "core.model/0",
                r#"["a/b/c", null, 5, 0.5, -1]"#,
                r#"{"type":"language_model","provider":"a","id":"b/c","temperature":null,"max_tokens":5,"top_p":0.5,"seed":-1}"#,
            ),
            ("core.model/0", r#"["a/b", -1.0, null, null, null]"#, "!invalid"),
            ("core.model/0", r#"["a/b", null, null, 1.5, null]"#, "!invalid"),
        ],
    );
}
