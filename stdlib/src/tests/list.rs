use super::{check, same};
use ntl_engine::Value;

#[test]
fn places() {
    check(
        same,
        &[
            ("list.get/0", "[[1], -1]", "null"),
            ("list.slice/0", "[[1, 2, 3], 2, 1]", "[]"),
            ("list.slice/0", "[[1, 2, 3], 5, null]", "[]"),
            ("list.slice/0", "[[1, 2, 3], -1, null]", "!index"),
            ("list.slice/0", "[[1, 2, 3], 0, -1]", "!index"),
            ("list.drop/0", "[[1], 9223372036854775807]", "[]"),
            ("list.repeat/0", r#"["x", 0]"#, "[]"),
            ("list.repeat/0", r#"["x", -1]"#, "!invalid"),
            ("list.repeat/0", r#"["x", 16777217]"#, "!invalid"),
            ("list.chunk/0", "[[1, 2, 3], 9223372036854775807]", "[[1,2,3]]"),
            ("list.chunk/0", "[[1], 0]", "!invalid"),
        ],
    );
}

#[test]
fn order() {
    check(
        same,
        &[
            ("list.sort/0", "[[0.0, -0.0, -1.0], false]", "[-1.0,-0.0,0.0]"),
            ("list.sort/0", "[[2, 1.5, 1], true]", "[2,1.5,1]"),
            ("list.sort/0", r#"[["b", "é", "a", "Z", "aa", "日"], false]"#, r#"["Z","a","aa","b","é","日"]"#),
            ("list.sort/0", "[[[1, 2], [1], [0, 9]], false]", "[[0,9],[1],[1,2]]"),
            ("list.sort/0", r#"[[1, "a"], false]"#, "!type"),
            ("list.min/0", "[[2, 1, 1.0]]", "1"),
            ("list.max/0", "[[1, 1.0]]", "1"),
            ("list.mean/0", "[[1.0]]", "1.0"),
        ],
    );
}

#[test]
fn equal_keys_keep_their_order() {
    fn tens(args: &[Value]) -> Result<Value, &'static str> {
        let Value::Int(n) = args[0] else { return Err("no int") };
        Ok(Value::Int(n / 10))
    }
    check(
        tens,
        &[
            ("list.sort/1", r#"[[21, 12, 11, 20], "fn", false]"#, "[12,11,21,20]"),
            ("list.sort/1", r#"[[12, 21, 11, 20], "fn", true]"#, "[21,20,12,11]"),
            ("list.sort/1", r#"[[1, "a"], "fn", true]"#, "!no int"),
            ("list.min_by/0", r#"[[21, 12, 11, 20], "fn"]"#, "12"),
            ("list.max_by/0", r#"[[21, 12, 11, 20], "fn"]"#, "21"),
            ("list.max_by/0", r#"[[], "fn"]"#, "null"),
            ("list.unique_by/0", r#"[[21, 12, 11, 20], "fn"]"#, "[21,12]"),
            ("list.group_by/0", r#"[[21, 12, 11, 20], "fn"]"#, r#"{"2":[21,20],"1":[12,11]}"#),
            ("list.count_by/0", r#"[[21, 12, 11, 20], "fn"]"#, r#"{"2":2,"1":2}"#),
            ("list.key_by/0", r#"[[21, 12, 11, 20], "fn"]"#, r#"{"2":20,"1":11}"#),
            ("list.sum_by/0", r#"[[21, 12], "fn"]"#, "3"),
            ("list.sum_by/0", r#"[[], "fn"]"#, "0"),
            ("list.sum_by/3", r#"[[], "fn"]"#, "0.0"),
        ],
    );
}

#[test]
fn equal_values() {
    check(
        same,
        &[
            (
                "list.unique/0",
                r#"[[1, 1.0, "1", true, [1], [1.0], {"a": 1, "b": 2}, {"b": 2, "a": 1}, null, null]]"#,
                r#"[1,"1",true,[1],{"a":1,"b":2},null]"#,
            ),
            ("list.index_of/0", "[[3, 1.0], 1]", "1"),
            ("list.contains/0", "[[null], null]", "true"),
            ("list.intersect/0", "[[1, 2, 1], [1.0]]", "[1]"),
            ("list.difference/0", "[[1, 1, 2, 2], [1]]", "[2]"),
            ("list.union/0", "[[2, 2], [1, 2]]", "[2,1]"),
        ],
    );
}

#[test]
fn unique_is_quick() {
    let many: Vec<Value> = (0..200_000).map(|n| Value::list(vec![Value::Int(n % 100_000)])).collect();
    let unique = super::call("list.unique/0", &[Value::list(many)], same);
    assert!(matches!(unique, Ok(Value::List(xs)) if xs.len() == 100_000));
}

#[test]
fn functions() {
    check(
        |args| Ok(Value::Bool(args[0] == Value::Int(1))),
        &[
            ("list.filter/0", r#"[[1, 2, 1], "fn"]"#, "[1,1]"),
            ("list.partition/0", r#"[[1, 2, 1], "fn"]"#, "[[1,1],[2]]"),
            ("list.any/0", r#"[[], "fn"]"#, "false"),
            ("list.all/0", r#"[[], "fn"]"#, "true"),
            ("list.find/0", r#"[[2], "fn"]"#, "null"),
            ("list.take_while/0", r#"[[1, 1, 2, 1], "fn"]"#, "[1,1]"),
            ("list.drop_while/0", r#"[[1, 1, 2, 1], "fn"]"#, "[2,1]"),
            ("list.map/0", r#"[[2], "fn"]"#, "[false]"),
        ],
    );
    // A failure inside comes out as it is; what is not looked at does not run.
    check(
        |args| if args[0] == Value::Int(1) { Ok(Value::Bool(true)) } else { Err("inner") },
        &[
            ("list.any/0", r#"[[1, 2], "fn"]"#, "true"),
            ("list.all/0", r#"[[1, 2], "fn"]"#, "!inner"),
            ("list.find/0", r#"[[1, 2], "fn"]"#, "1"),
            ("list.map/0", r#"[[1, 2], "fn"]"#, "!inner"),
            ("list.fold/0", r#"[[1, 2], 5, "fn"]"#, "!inner"),
        ],
    );
    check(
        same,
        &[
            ("list.flat_map/0", r#"[[[1], [], [2, 3]], "fn"]"#, "[1,2,3]"),
            ("list.filter_map/0", r#"[[1, null, 2], "fn"]"#, "[1,2]"),
            ("list.fold/0", r#"[[1, 2], 5, "fn"]"#, "5"),
        ],
    );
}

#[test]
fn nested_lists_cannot_fill_the_memory() {
    let wide = vec![Value::list(vec![Value::Null; 1 << 13]); 1 << 12];
    assert_eq!(super::call("list.flatten/0", &[Value::list(wide)], same).err().as_deref(), Some("invalid"));
    let long = vec![Value::str("x".repeat(1 << 20)); 300];
    assert_eq!(
        super::call("list.join/0", &[Value::list(long), Value::str("")], same).err().as_deref(),
        Some("invalid")
    );
}
