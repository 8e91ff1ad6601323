use super::*;
use crate::json;
use proptest::prelude::*;
use std::cmp::Ordering;
use std::hash::{DefaultHasher, Hash, Hasher};

fn hash(v: &Value) -> u64 {
    let mut state = DefaultHasher::new();
    ByValue(v.clone()).hash(&mut state);
    state.finish()
}

fn record(names: &[&str], fields: Vec<Value>) -> Value {
    let names: Vec<SmolStr> = names.iter().map(SmolStr::new).collect();
    Value::record(Arc::new(Shape { name: None, keys: names.clone(), names }), fields)
}

/// A million levels of every kind of container.
fn deep() -> Value {
    let shape = Arc::new(Shape { name: None, names: vec!["a".into()], keys: vec!["a".into()] });
    (0..1_000_000).fold(Value::Int(1), |v, i| match i % 5 {
        0 => Value::list(vec![v]),
        1 => Value::tuple(vec![v]),
        2 => Value::dict([(Key::Int(1), v)].into_iter().collect()),
        3 => Value::record(shape.clone(), vec![v]),
        _ => Value::list(vec![Value::Null, v, Value::list(vec![])]),
    })
}

#[test]
fn deep_values_are_dropped_compared_and_shown() {
    let (a, b) = (deep(), deep());
    assert!(a == b);
    assert!(a != Value::list(vec![a.clone()]));
    assert_eq!(hash(&a), hash(&b));
    assert!(brief(&a, 1_000_000).ends_with('…'));
    assert_eq!(json::text(&a, None).unwrap_err().code, "invalid");
    json::to_json(&a);
    let lists = |n| (0..n).fold(Value::Int(1), |v, _| Value::list(vec![v]));
    assert_eq!(compare(&lists(1000), &lists(1000)).unwrap_err().code, "invalid");
    assert_eq!(compare(&lists(100), &lists(100)), Ok(Ordering::Equal));
}

/// Sixty levels of `[x, x]`: small, but with more parts than could ever be looked at.
fn unfolding(last: i64) -> Value {
    (0..60).fold(Value::Int(last), |v, _| Value::list(vec![v.clone(), v]))
}

#[test]
fn shared_parts_are_compared_once() {
    let (a, b, c) = (unfolding(1), unfolding(1), unfolding(2));
    assert!(a == b && a != c);
    assert_eq!((compare(&a, &b), compare(&a, &c)), (Ok(Ordering::Equal), Ok(Ordering::Less)));
    assert_eq!(hash(&a), hash(&b));
    let deep = |v: Value| (0..200).fold(v, |v, _| Value::tuple(vec![v.clone(), v]));
    assert!(deep(a.clone()) == deep(b) && deep(a) != deep(c));
}

#[test]
fn equality_is_by_worth() {
    let two_53 = 9_007_199_254_740_992_i64;
    assert!(Value::Int(1) == Value::Float(1.0));
    assert!(Value::Int(two_53 + 1) != Value::Float(two_53 as f64));
    assert!(Value::Int(i64::MAX) != Value::Float(i64::MAX as f64));
    assert!(Value::Int(i64::MIN) == Value::Float(i64::MIN as f64));
    assert!(Value::Duration(1) != Value::Int(1));
    assert!(Value::List(List::range(1, 4)) == Value::list(vec![Value::Int(1), Value::Float(2.0), Value::Int(3)]));
    assert!(Value::List(List::range(1, 1)) == Value::list(vec![]));
    assert!(Value::List(List::range(5, 1)) == Value::List(List::range(9, 9)));
    assert!(
        record(&["a", "b"], vec![Value::Int(1), Value::Null]) == record(&["b", "a"], vec![Value::Null, Value::Int(1)])
    );
    let dict = |keys: [i64; 2]| Value::dict(keys.iter().map(|k| (Key::Int(*k), Value::Int(*k))).collect());
    assert!(dict([1, 2]) == dict([2, 1]));
    assert_eq!(hash(&dict([1, 2])), hash(&dict([2, 1])));
}

#[test]
fn texts() {
    let text = |v: Value| text_of(&v).unwrap();
    assert_eq!(text(Value::Float(4.0)), "4.0");
    assert_eq!(text(Value::Float(0.1 + 0.2)), "0.30000000000000004");
    assert_eq!(text(Value::Float(1e300)), "1e300");
    assert_eq!(text(Value::Duration(90 * 60_000_000_000)), "90m");
    assert_eq!(text(Value::Duration(-1_500_000_000)), "-1500ms");
    assert_eq!(text(Value::Duration(0)), "0s");
    assert_eq!(text(Value::Size(10752 << 10)), "10752kb");
    assert_eq!(text(Value::Datetime(1_717_236_000_250_000_000)), "2024-06-01T10:00:00.25Z");
    assert_eq!(text(Value::Datetime(i64::MIN)), "1677-09-21T00:12:43.145224192Z");
    assert_eq!(text(Value::Secret(Arc::new(SecretText::new("s3")))), "‹secret›");
    assert_eq!(
        text(record(&["a"], vec![Value::list(vec![Value::Null, Value::str("\"\n\u{1}é")])])),
        r#"{"a":[null,"\"\n\u0001é"]}"#
    );
    assert_eq!(
        json::text(&Value::list(vec![Value::Int(1), Value::dict(Dict::new())]), Some(2)).unwrap(),
        "[\n  1,\n  {}\n]"
    );
    assert_eq!(brief(&Value::list(vec![Value::str("abcdef"), Value::Int(1)]), 8), "[\"abcdef…");
}

#[test]
fn units_read_what_they_write() {
    assert_eq!(units::parse_duration("1h30m"), Some(5400 * 1_000_000_000));
    assert_eq!(units::parse_duration("-9223372036854775808ns"), Some(i64::MIN));
    for text in ["", "-", "1", "h", "1h 2m", "1x", "99999999999d", "_1s", "1.5s"] {
        assert_eq!(units::parse_duration(text), None, "{text}");
    }
    assert_eq!(units::parse_datetime("2024-06-01T12:00:00.250+02:00"), Ok(1_717_236_000_250_000_000));
    for text in [
        "",
        "2024-06-01",
        "2024-06-01 12:00:00Z",
        "2024-06-01T12:00Z",
        "2024-06-01T12:00:00",
        "2024-13-01T12:00:00Z",
        "2024-06-01T12:00:00Z[UTC]",
        "9999-01-01T00:00:00Z",
        "ééééééééééééééééééé",
    ] {
        assert!(units::parse_datetime(text).is_err(), "{text}");
    }
}

#[test]
fn json_reads_and_refuses() {
    assert_eq!(
        format!("{:?}", json::parse(r#"{"a": [1, 1.0, 18446744073709551615, -3], "a": null}"#).unwrap()),
        r#"["a": null]"#
    );
    assert_eq!(
        format!("{:?}", json::parse("[1e2, 9223372036854775808, -0]").unwrap()),
        "[100.0, 9.223372036854776e18, -0.0]"
    );
    for text in ["", "nope", "[1,]", "1 2", "1e999", "{\"a\": }", "\"\u{1}\""] {
        assert_eq!(json::parse(text).unwrap_err().code, "parse", "{text}");
    }
    assert_eq!(json::parse(&"[".repeat(1_000_000)).unwrap_err().code, "parse");
    assert!(json::parse(&format!("{}{}", "[".repeat(127), "]".repeat(127))).is_ok());
}

fn number() -> impl Strategy<Value = Value> {
    prop_oneof![
        any::<i64>().prop_map(Value::Int),
        (-5_i64..5).prop_map(Value::Int),
        prop::num::f64::NORMAL.prop_map(Value::Float),
        (-5_i64..5).prop_map(|i| Value::Float(i as f64)),
        any::<i64>().prop_map(|i| Value::Float(i as f64)),
    ]
}

fn any_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::Bool),
        number(),
        ".{0,6}".prop_map(Value::str),
        (0_i64..4, 0_i64..4).prop_map(|(a, b)| Value::List(List::range(a, b))),
    ];
    leaf.prop_recursive(4, 32, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::list),
            prop::collection::vec((".{0,3}", inner), 0..4)
                .prop_map(|entries| Value::dict(entries.into_iter().map(|(k, v)| (Key::str(k), v)).collect())),
        ]
    })
}

proptest! {
    #[test]
    fn order_agrees_with_equality_and_hash(a in number(), b in number(), c in number()) {
        let (ab, ba) = (compare(&a, &b).unwrap(), compare(&b, &a).unwrap());
        prop_assert_eq!(ab, ba.reverse());
        prop_assert_eq!(ab.is_eq(), a == b);
        if a == b {
            prop_assert_eq!(hash(&a), hash(&b));
        }
        if ab.is_le() && compare(&b, &c).unwrap().is_le() {
            prop_assert!(compare(&a, &c).unwrap().is_le());
        }
    }

    #[test]
    fn json_round_trips(v in any_value()) {
        let text = json::text(&v, None).unwrap();
        prop_assert_eq!(&json::parse(&text).unwrap(), &v);
        prop_assert_eq!(&json::parse(&json::text(&v, Some(3)).unwrap()).unwrap(), &v);
        let as_json = json::to_json(&v);
        prop_assert_eq!(&json::from_json(&as_json), &v);
        prop_assert_eq!(serde_json::from_str::<serde_json::Value>(&text).unwrap(), as_json);
        prop_assert_eq!(hash(&json::parse(&text).unwrap()), hash(&v));
        let _ = brief(&v, 5);
    }

    #[test]
    fn units_round_trip(n in any::<i64>()) {
        prop_assert_eq!(units::parse_duration(&units::duration_text(n)), Some(n));
        prop_assert_eq!(units::parse_size(&units::size_text(n)), Some(n));
        prop_assert_eq!(units::parse_datetime(&units::datetime_text(n)), Ok(n));
    }
}
