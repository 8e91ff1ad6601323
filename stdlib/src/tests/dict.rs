use super::{check, same};
use ntl_engine::Value;

#[test]
fn order_and_keys() {
    check(
        same,
        &[
            ("dict.set/0", r#"[{"a": 1, "b": 2}, "a", 3]"#, r#"{"a":3,"b":2}"#),
            ("dict.set/0", r#"[{"a": 1}, 7, 3]"#, r#"{"a":1,"7":3}"#),
            ("dict.get/0", r#"[{"7": 1}, 7]"#, "null"),
            ("dict.remove/0", r#"[{"a": 1, "b": 2, "c": 3}, "a"]"#, r#"{"b":2,"c":3}"#),
            ("dict.merge/0", r#"[{"a": 1, "b": 2}, {"c": 3, "a": 4}]"#, r#"{"a":4,"b":2,"c":3}"#),
            ("dict.select/0", r#"[{"a": 1, "b": 2}, ["b", "x", "a", "b"]]"#, r#"{"b":2,"a":1}"#),
            ("dict.sort_keys/0", r#"[{"b": 1, "a": 2}]"#, r#"{"a":2,"b":1}"#),
            ("dict.map_values/0", r#"[{"b": 1, "a": 2}, "fn"]"#, r#"{"b":1,"a":2}"#),
        ],
    );
    let pair = |k: &str, v| Value::tuple(vec![Value::str(k), Value::Int(v)]);
    let twice = Value::list(vec![pair("a", 1), pair("b", 2), pair("a", 3)]);
    let made = super::call("dict.from/0", &[twice], same).map(|v| ntl_engine::value::text_of(&v).unwrap());
    assert_eq!(made.as_deref(), Ok(r#"{"a":3,"b":2}"#));
}

#[test]
fn filter_sees_key_and_value() {
    check(
        |args| Ok(Value::Bool(args[0] == Value::str("a") && args[1] == Value::Int(1))),
        &[("dict.filter/0", r#"[{"a": 1, "b": 1}, "fn"]"#, r#"{"a":1}"#)],
    );
}
