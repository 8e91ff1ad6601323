//! Canonical JSON, as RFC 8785 has it: no white space, keys in order, one way to write every number. It goes beyond it in
//! one thing: an int is written with all its digits, and a float that is one like it, since equal values are to be equal
//! here, too.

use ntl_engine::value::{MAX_DEPTH, MAX_TEXT, Value};
use ntl_engine::{Fault, json};

/// Gives a value's canonical JSON to `sink`, piece by piece. A secret has none.
pub(crate) fn write(value: &Value, sink: &mut dyn FnMut(&[u8])) -> Result<(), Fault> {
    Writer { sink, left: MAX_TEXT, depth: 0 }.value(value)
}

struct Writer<'a> {
    sink: &'a mut dyn FnMut(&[u8]),
    left: usize,
    depth: usize,
}

impl Writer<'_> {
    fn put(&mut self, text: &str) -> Result<(), Fault> {
        self.left = self
            .left
            .checked_sub(text.len())
            .ok_or_else(|| Fault::new("invalid", format!("the value's JSON is longer than {} MB", MAX_TEXT >> 20)))?;
        (self.sink)(text.as_bytes());
        Ok(())
    }

    fn value(&mut self, value: &Value) -> Result<(), Fault> {
        match value {
            Value::Float(x) => self.put(&number(*x)),
            Value::List(xs) => self.items(xs.iter(), |w, x| w.value(&x)),
            Value::Tuple(xs) => self.items(xs.iter(), |w, x| w.value(x)),
            Value::Record(r) => self.object(r.shape.keys.iter().map(|k| k.to_string()).zip(&r.fields).collect()),
            Value::Dict(d) => self.object(d.iter().map(|(k, v)| (k.to_string(), v)).collect()),
            Value::Secret(_) | Value::Func(_) => {
                Err(Fault::new("invalid", format!("a {} has no JSON, so it cannot be hashed", value.kind())))
            }
            value => self.put(&json::to_json(value).to_string()),
        }
    }

    fn items<T>(
        &mut self,
        items: impl Iterator<Item = T>,
        mut one: impl FnMut(&mut Self, T) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        self.group(["[", "]"], items, &mut one)
    }

    fn object(&mut self, mut entries: Vec<(String, &Value)>) -> Result<(), Fault> {
        entries.sort_by(|(a, _), (b, _)| a.encode_utf16().cmp(b.encode_utf16()));
        self.group(["{", "}"], entries.into_iter(), &mut |w: &mut Self, (key, value): (String, &Value)| {
            w.put(&serde_json::Value::String(key).to_string())?;
            w.put(":")?;
            w.value(value)
        })
    }

    fn group<T>(
        &mut self,
        brackets: [&str; 2],
        items: impl Iterator<Item = T>,
        one: &mut impl FnMut(&mut Self, T) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        if self.depth == MAX_DEPTH {
            return Err(Fault::new("invalid", format!("the value nests more than {MAX_DEPTH} levels deep")));
        }
        self.depth += 1;
        self.put(brackets[0])?;
        for (at, item) in items.enumerate() {
            if at > 0 {
                self.put(",")?;
            }
            one(self, item)?;
        }
        self.depth -= 1;
        self.put(brackets[1])
    }
}

/// A float as ECMAScript writes it.
fn number(x: f64) -> String {
    const TWO_63: f64 = 9_223_372_036_854_775_808.0;
    if x.fract() == 0.0 && (-TWO_63..TWO_63).contains(&x) {
        return (x as i64).to_string();
    }
    if (1e-6..1e21).contains(&x.abs()) {
        return x.to_string();
    }
    let text = format!("{x:e}");
    if text.contains("e-") { text } else { text.replace('e', "e+") }
}

#[cfg(test)]
mod tests {
    use super::{Writer, write};
    use ntl_engine::value::Key;
    use ntl_engine::{Value, json};

    fn canonical(value: &Value) -> String {
        let mut out = Vec::new();
        write(value, &mut |bytes| out.extend_from_slice(bytes)).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn follows_rfc_8785() {
        // Its section 3.2.2 and 3.2.3.
        let text = r#"{"numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
            "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/", "literals": [null, true, false]}"#;
        let want = "{\"literals\":[null,true,false],\"numbers\":[333333333.3333333,1e+30,4.5,0.002,1e-27],\"string\":\"€$\\u000f\\nA'B\\\"\\\\\\\\\\\"/\"}";
        assert_eq!(canonical(&json::parse(text).unwrap()), want);
        let text = r#"{"\u20ac": 1, "\r": 2, "\ufb33": 3, "1": 4, "\ud83d\ude00": 5, "\u0080": 6, "\u00f6": 7}"#;
        let want = "{\"\\r\":2,\"1\":4,\"\u{80}\":6,\"ö\":7,\"€\":1,\"😀\":5,\"\u{fb33}\":3}";
        assert_eq!(canonical(&json::parse(text).unwrap()), want);
    }

    #[test]
    fn equal_numbers_are_written_alike() {
        for (x, want) in [
            (-0.0, "0"),
            (1.0, "1"),
            (1e18, "1000000000000000000"),
            (1e21, "1e+21"),
            (1e20, "100000000000000000000"),
            (1e-7, "1e-7"),
            (1e-6, "0.000001"),
        ] {
            assert_eq!(canonical(&Value::Float(x)), want);
        }
        assert_eq!(canonical(&Value::Int(i64::MAX)), "9223372036854775807");
        let keys = [(Key::Int(10), Value::Null), (Key::Int(9), Value::Null)];
        assert_eq!(canonical(&Value::dict(keys.into_iter().collect())), r#"{"10":null,"9":null}"#);
    }

    #[test]
    fn hostile_values_fail() {
        let mut deep = Value::Null;
        for _ in 0..10_000 {
            deep = Value::list(vec![deep]);
        }
        let mut wide = Value::str("x".repeat(1 << 20));
        for _ in 0..10 {
            wide = Value::list(vec![wide; 100]);
        }
        for value in [deep, wide] {
            let fault = Writer { sink: &mut |_| (), left: 10 << 20, depth: 0 }.value(&value).unwrap_err();
            assert_eq!(fault.code, "invalid");
        }
    }
}
