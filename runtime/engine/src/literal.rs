//! NTL literals as text from outside (inputs of a run, cells of a table): all of JSON, and `1_000`, `0xff`, `1h30m`,
//! `["key": 1]`, `(a: 1)`, `(1, 2)`, `r"raw"`.

use crate::value::{Dict, Fault, Key, Value, units};

/// How deep a literal may nest: as JSON.
const MAX_NESTING: usize = 128;

/// An int: digits with a sign, `_` between them, or hexadecimal.
pub(crate) fn int(text: &str) -> Option<i64> {
    let (sign, digits) = sign(text);
    let (digits, radix) = match digits.strip_prefix("0x") {
        Some(hex) => (hex, 16),
        None => (digits, 10),
    };
    let digits = without_underscores(digits, radix)?;
    // With its sign, so that the least int can be written.
    i64::from_str_radix(&format!("{sign}{digits}"), radix).ok()
}

/// A finite float: as in JSON, with `_`, or begun or ended by its point. Whole numbers are floats here.
pub(crate) fn float(text: &str) -> Option<f64> {
    let (_, digits) = sign(text);
    let mantissa_end = digits.find(['e', 'E']).unwrap_or(digits.len());
    let (mantissa, _) = digits.split_at(mantissa_end);
    // Rust would read `inf`, `nan`, `infinity` too.
    let is_number = mantissa.contains(|c: char| c.is_ascii_digit())
        && mantissa.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | '_'))
        && !mantissa.starts_with('_')
        && !mantissa.ends_with('_');
    if !is_number {
        return None;
    }
    let f: f64 = text.replace('_', "").parse().ok()?;
    f.is_finite().then_some(f)
}

fn sign(text: &str) -> (&str, &str) {
    match text.strip_prefix('-') {
        Some(rest) => ("-", rest),
        None => ("", text.strip_prefix('+').unwrap_or(text)),
    }
}

/// The digits without the `_` between them; `None` where it is no such number.
fn without_underscores(digits: &str, radix: u32) -> Option<String> {
    let fine = digits.starts_with(|c: char| c.is_digit(radix))
        && digits.ends_with(|c: char| c.is_digit(radix))
        && digits.chars().all(|c| c == '_' || c.is_digit(radix));
    fine.then(|| digits.replace('_', ""))
}

/// A literal: the whole text. Records are dicts, tuples are lists here; `as` makes of them what is wanted.
pub(crate) fn parse(text: &str) -> Result<Value, Fault> {
    let mut reader = Reader { text, at: 0 };
    let value = reader.value(0)?;
    reader.space();
    if reader.at < text.len() { Err(reader.fault("the end")) } else { Ok(value) }
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Reader<'a> {
    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn space(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start().len();
    }

    fn fault(&self, wanted: &str) -> Fault {
        let found: String = self.rest().chars().take(20).collect();
        let found = if found.is_empty() { "the end".to_owned() } else { format!("{found:?}") };
        Fault::new("parse", format!("expected {wanted}, found {found}"))
    }

    /// Steps over a token, and white space before it, if it is next.
    fn eat(&mut self, token: &str) -> bool {
        self.space();
        let is_next = self.rest().starts_with(token);
        if is_next {
            self.at += token.len();
        }
        is_next
    }

    fn expect(&mut self, token: &str) -> Result<(), Fault> {
        if self.eat(token) { Ok(()) } else { Err(self.fault(&format!("`{token}`"))) }
    }

    fn value(&mut self, depth: usize) -> Result<Value, Fault> {
        if depth > MAX_NESTING {
            return Err(Fault::new("parse", format!("it nests more than {MAX_NESTING} levels deep")));
        }
        self.space();
        match self.rest().chars().next() {
            Some('"') => self.string().map(Value::str),
            Some('r') if self.rest().starts_with("r\"") => self.raw().map(Value::str),
            Some('[') => self.brackets(depth),
            Some('{') => self.object(depth),
            Some('(') => self.parentheses(depth),
            Some(c) if c.is_ascii_digit() || matches!(c, '-' | '+' | '.') => self.number(),
            Some(c) if c.is_ascii_alphabetic() => self.word(),
            _ => Err(self.fault("a value")),
        }
    }

    fn word(&mut self) -> Result<Value, Fault> {
        let rest = self.rest();
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        let value = match rest.split_at(end).0 {
            "null" => Value::Null,
            "true" => Value::Bool(true),
            "false" => Value::Bool(false),
            _ => return Err(self.fault("a value")),
        };
        self.at += end;
        Ok(value)
    }

    fn number(&mut self) -> Result<Value, Fault> {
        let rest = self.rest();
        let mut previous = ' ';
        let end = rest.find(|c: char| {
            let exponent_sign = matches!(c, '-' | '+') && matches!(previous, 'e' | 'E' | ' ');
            previous = c;
            !(c.is_ascii_alphanumeric() || matches!(c, '.' | '_') || exponent_sign)
        });
        let text = rest.split_at(end.unwrap_or(rest.len())).0;
        let value = int(text).map(Value::Int).or_else(|| float(text).map(Value::Float));
        let value = value.or_else(|| units::parse_duration(text).map(Value::Duration));
        let value = value.or_else(|| units::parse_size(text).map(Value::Size));
        let value = value.ok_or_else(|| self.fault("a number"))?;
        self.at += text.len();
        Ok(value)
    }

    fn raw(&mut self) -> Result<&'a str, Fault> {
        self.at += 2;
        let rest = self.rest();
        let end = rest.find('"').ok_or_else(|| self.fault("`\"`"))?;
        self.at += end + 1;
        Ok(rest.split_at(end).0)
    }

    fn string(&mut self) -> Result<String, Fault> {
        self.at += 1;
        let mut text = String::new();
        loop {
            let rest = self.rest();
            let end = rest.find(['"', '\\']).ok_or_else(|| self.fault("`\"`"))?;
            text.push_str(rest.split_at(end).0);
            self.at += end + 1;
            if rest.get(end..=end) == Some("\"") {
                return Ok(text);
            }
            text.push(self.escape()?);
        }
    }

    fn escape(&mut self) -> Result<char, Fault> {
        let wrong = |reader: &Self| reader.fault("an escape");
        let c = self.rest().chars().next().ok_or_else(|| wrong(self))?;
        let plain = match c {
            'n' => '\n',
            't' => '\t',
            'r' => '\r',
            'b' => '\u{8}',
            'f' => '\u{c}',
            '"' | '\\' | '/' => c,
            'u' => return self.unicode(),
            _ => return Err(wrong(self)),
        };
        self.at += c.len_utf8();
        Ok(plain)
    }

    /// `u{1F600}`, or JSON's `u00e9` with pairs of surrogates.
    fn unicode(&mut self) -> Result<char, Fault> {
        let rest = self.rest();
        let found = match rest.strip_prefix("u{") {
            Some(braced) => braced.split_once('}').and_then(|(hex, _)| {
                let code = u32::from_str_radix(hex, 16).ok().filter(|_| hex.len() <= 6)?;
                Some((char::from_u32(code)?, hex.len() + 3))
            }),
            None => hex4(rest.get(1..5)).and_then(|high| match high {
                0xd800..0xdc00 => {
                    let low =
                        hex4(rest.get(5..11)?.strip_prefix("\\u")).filter(|low| (0xdc00..0xe000).contains(low))?;
                    Some((char::from_u32(0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00))?, 11))
                }
                _ => Some((char::from_u32(high)?, 5)),
            }),
        };
        let (c, len) = found.ok_or_else(|| self.fault("an escape"))?;
        self.at += len;
        Ok(c)
    }

    /// `[1, 2]`, `["key": 1]`, `[:]`.
    fn brackets(&mut self, depth: usize) -> Result<Value, Fault> {
        self.at += 1;
        if self.eat(":") {
            self.expect("]")?;
            return Ok(Value::dict(Dict::new()));
        }
        let (mut items, mut dict) = (Vec::new(), Dict::new());
        while !self.eat("]") {
            let first = self.value(depth + 1)?;
            if (dict.is_empty() && items.is_empty() || !dict.is_empty()) && self.eat(":") {
                let key = Key::of(&first).ok_or_else(|| Fault::new("parse", "a key of a dict is a str or an int"))?;
                let value = self.value(depth + 1)?;
                dict.insert(key, value);
            } else if dict.is_empty() {
                items.push(first);
            } else {
                return Err(self.fault("`:`"));
            }
            if !self.eat(",") {
                self.expect("]")?;
                break;
            }
        }
        Ok(if dict.is_empty() { Value::list(items) } else { Value::dict(dict) })
    }

    /// JSON's `{"key": 1}`.
    fn object(&mut self, depth: usize) -> Result<Value, Fault> {
        self.at += 1;
        let mut dict = Dict::new();
        while !self.eat("}") {
            self.space();
            if !self.rest().starts_with('"') {
                return Err(self.fault("a key in quotes"));
            }
            let key = Key::str(self.string()?);
            self.expect(":")?;
            let value = self.value(depth + 1)?;
            dict.insert(key, value);
            if !self.eat(",") {
                self.expect("}")?;
                break;
            }
        }
        Ok(Value::dict(dict))
    }

    /// `(a: 1, b: 2)` or `(1, 2)`; one value in parentheses is that value.
    fn parentheses(&mut self, depth: usize) -> Result<Value, Fault> {
        self.at += 1;
        let (mut items, mut fields, mut is_tuple) = (Vec::new(), Dict::new(), false);
        while !self.eat(")") {
            match self.field_name() {
                Some(name) if items.is_empty() => {
                    let value = self.value(depth + 1)?;
                    fields.insert(Key::str(name), value);
                }
                None if fields.is_empty() => items.push(self.value(depth + 1)?),
                _ => return Err(self.fault("a record's fields or a tuple's items, not both")),
            }
            if !self.eat(",") {
                self.expect(")")?;
                break;
            }
            is_tuple = true;
        }
        if !fields.is_empty() {
            return Ok(Value::dict(fields));
        }
        match items.pop() {
            Some(only) if items.is_empty() && !is_tuple => Ok(only),
            last => {
                items.extend(last);
                Ok(Value::list(items))
            }
        }
    }

    /// `name:`, or `` `any name`: ``, if that is next.
    fn field_name(&mut self) -> Option<&'a str> {
        self.space();
        let (rest, start) = (self.rest(), self.at);
        let (name, len) = match rest.strip_prefix('`') {
            Some(quoted) => {
                let (name, _) = quoted.split_once('`')?;
                (name, name.len() + 2)
            }
            None => {
                let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
                (rest.split_at(end).0, end)
            }
        };
        self.at += len;
        if name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) || !self.eat(":") {
            self.at = start;
            return None;
        }
        Some(name)
    }
}

fn hex4(text: Option<&str>) -> Option<u32> {
    let text = text.filter(|t| t.len() == 4 && t.bytes().all(|b| b.is_ascii_hexdigit()))?;
    u32::from_str_radix(text, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_every_notation() {
        assert_eq!(int("-9223372036854775808"), Some(i64::MIN));
        assert_eq!(
            (int("1_000"), int("0xff"), int("_1"), int("1_"), int("")),
            (Some(1000), Some(255), None, None, None)
        );
        assert_eq!(
            (float(".5"), float("-2e-3"), float("1_0.5"), float("2")),
            (Some(0.5), Some(-0.002), Some(10.5), Some(2.0))
        );
        assert_eq!(
            (float("inf"), float("1e999"), float("."), float("-"), float("nan")),
            (None, None, None, None, None)
        );
    }

    #[test]
    fn json_and_literals() {
        for (text, shown) in [
            (
                r#"{"a": [1, 2.5, null, true], "b": "x\u00e9\ud83d\ude00\n"}"#,
                r#"["a": [1, 2.5, null, true], "b": "xé😀\n"]"#,
            ),
            (r#"["k": 1, "l": (a: 2, `b c`: (3, 4))]"#, r#"["k": 1, "l": ["a": 2, "b c": [3, 4]]]"#),
            ("[:]", "[:]"),
            ("[]", "[]"),
            ("[90s, 1h30m, 10mb, 1_000, -0xf, -1e3]", "[90s, 90m, 10mb, 1000, -15, -1000.0]"),
            (r#"(r"C:\x")"#, r#""C:\\x""#),
            ("(1,)", "[1]"),
            (" [1,2 ,] ", "[1, 2]"),
        ] {
            assert_eq!(format!("{:?}", parse(text).unwrap()), shown, "{text}");
        }
        for text in [
            "",
            "[",
            "[1",
            "[1 2]",
            "{a: 1}",
            "nul",
            "1x",
            "\"a",
            "\"\\q\"",
            "[1: 2, 3]",
            "[1, 2: 3]",
            "1 2",
            "(a: 1, 2)",
            "\"\\ud800\"",
        ] {
            assert_eq!(parse(text).unwrap_err().code, "parse", "{text}");
        }
        assert!(parse(&"[".repeat(100_000)).is_err());
        assert!(parse(&"(".repeat(100_000)).is_err());
    }
}
