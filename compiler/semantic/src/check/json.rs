//! Whether a text is JSON (RFC 8259): for `` json ``` … ``` ``.

/// How deeply lists and objects may nest.
const DEEPEST: usize = 128;

/// What is wrong with a text that is no JSON, and the line of it, from 1.
pub(super) fn check(text: &str) -> Result<(), (String, usize)> {
    let mut reader = Reader { bytes: text.as_bytes(), at: 0 };
    let outcome = reader.value().and_then(|()| {
        reader.space();
        match reader.peek() {
            None => Ok(()),
            Some(_) => Err("there is more after the value"),
        }
    });
    outcome.map_err(|what| {
        let read = reader.bytes.get(..reader.at).unwrap_or_default();
        (what.to_owned(), 1 + read.iter().filter(|byte| **byte == b'\n').count())
    })
}

type Outcome = Result<(), &'static str>;

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn take(&mut self, byte: u8) -> bool {
        let is_next = self.peek() == Some(byte);
        self.at += usize::from(is_next);
        is_next
    }

    fn digits(&mut self) -> Outcome {
        let from = self.at;
        while self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            self.at += 1;
        }
        if self.at > from { Ok(()) } else { Err("a digit is missing in a number") }
    }

    /// One value, with a stack of its own for what nests.
    fn value(&mut self) -> Outcome {
        let mut open: Vec<u8> = Vec::new();
        loop {
            self.space();
            match self.peek() {
                Some(bracket @ (b'[' | b'{')) => {
                    self.at += 1;
                    if open.len() >= DEEPEST {
                        return Err("lists and objects nest too deeply");
                    }
                    self.space();
                    let close = if bracket == b'[' { b']' } else { b'}' };
                    if !self.take(close) {
                        open.push(close);
                        if close == b'}' {
                            self.key()?;
                        }
                        continue;
                    }
                }
                Some(b'"') => self.string()?,
                Some(b'-' | b'0'..=b'9') => self.number()?,
                _ => self.word()?,
            }
            // A value has ended; perhaps those around it end, too.
            loop {
                let Some(close) = open.last().copied() else { return Ok(()) };
                self.space();
                if self.take(close) {
                    open.pop();
                    continue;
                }
                if !self.take(b',') {
                    return Err(if close == b']' { "expected `,` or `]`" } else { "expected `,` or `}`" });
                }
                if close == b'}' {
                    self.space();
                    self.key()?;
                }
                break;
            }
        }
    }

    fn key(&mut self) -> Outcome {
        if self.peek() != Some(b'"') {
            return Err("expected a key in double quotes");
        }
        self.string()?;
        self.space();
        if self.take(b':') { Ok(()) } else { Err("expected `:` after a key") }
    }

    fn word(&mut self) -> Outcome {
        for word in ["true", "false", "null"] {
            if self.bytes.get(self.at..).is_some_and(|rest| rest.starts_with(word.as_bytes())) {
                self.at += word.len();
                return Ok(());
            }
        }
        Err("expected a value")
    }

    fn number(&mut self) -> Outcome {
        self.take(b'-');
        if !self.take(b'0') {
            self.digits()?;
        }
        if self.take(b'.') {
            self.digits()?;
        }
        if self.take(b'e') || self.take(b'E') {
            let _ = self.take(b'+') || self.take(b'-');
            self.digits()?;
        }
        Ok(())
    }

    fn string(&mut self) -> Outcome {
        self.at += 1;
        loop {
            match self.peek() {
                None => return Err("a str is never closed"),
                Some(b'"') => {
                    self.at += 1;
                    return Ok(());
                }
                Some(b'\\') => {
                    self.at += 1;
                    self.escape()?;
                }
                Some(0..0x20) => return Err("a control character or line break stands in a str"),
                Some(_) => self.at += 1,
            }
        }
    }

    fn escape(&mut self) -> Outcome {
        let Some(byte) = self.peek() else { return Err("a str is never closed") };
        self.at += 1;
        match byte {
            b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => Ok(()),
            b'u' => {
                let unit = self.unit()?;
                match unit {
                    0xD800..0xDC00 => {
                        let low = if self.take(b'\\') && self.take(b'u') { self.unit()? } else { 0 };
                        if (0xDC00..0xE000).contains(&low) { Ok(()) } else { Err("half a surrogate pair") }
                    }
                    0xDC00..0xE000 => Err("half a surrogate pair"),
                    _ => Ok(()),
                }
            }
            _ => Err("an unknown escape"),
        }
    }

    fn unit(&mut self) -> Result<u32, &'static str> {
        let digits = self.bytes.get(self.at..self.at + 4).and_then(|hex| std::str::from_utf8(hex).ok());
        let unit = digits.filter(|hex| hex.bytes().all(|b| b.is_ascii_hexdigit()));
        self.at += 4;
        unit.and_then(|hex| u32::from_str_radix(hex, 16).ok()).ok_or("an escape needs four hexadecimal digits")
    }
}

#[cfg(test)]
mod tests {
    use super::check;

    #[test]
    fn knows_json() {
        for good in [
            "1",
            " [1, -2.5e+3, {}] ",
            "{\"a\": [true, null, \"\\u00e9\\n\"], \"b\": {\"c\": []}}",
            "\"\\ud83d\\ude00\"",
        ] {
            assert_eq!(check(good), Ok(()), "{good}");
        }
        for bad in
            ["", "[1,]", "{a: 1}", "01", "1.", "[1 2]", "\"\\x\"", "\"\\ud83d\"", "nul", "{\"a\" 1}", "[", "\"", "1 1"]
        {
            assert!(check(bad).is_err(), "{bad}");
        }
        assert_eq!(check("{\n\"a\": 1,\n}").unwrap_err().1, 3);
        assert!(check(&"[".repeat(100_000)).is_err());
    }
}
