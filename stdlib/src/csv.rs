//! `std.csv`: RFC 4180, strictly. What only looks like a table fails and says where, as a list must never be silently short.

use crate::bounds::{self, quote};
use crate::convert;
use ntl_engine::native::{Calls, Stop};
use ntl_engine::value::{Key, text_of};
use ntl_engine::{Dict, Fault, List, Text, Value};
use std::borrow::Cow;

/// A line of a table.
struct Row<'a> {
    /// The line of the text that it begins in, from 1.
    line: usize,
    cells: Vec<Cow<'a, str>>,
}

/// The lines of a table, one by one.
struct Rows<'a> {
    rest: &'a str,
    sep: char,
    line: usize,
}

impl<'a> Rows<'a> {
    fn new(text: &'a str, sep: &str) -> Result<Self, Fault> {
        let mut chars = sep.chars();
        match (chars.next(), chars.next()) {
            (Some(sep), None) if !matches!(sep, '"' | '\n' | '\r') => {
                Ok(Rows { rest: text.strip_prefix('\u{feff}').unwrap_or(text), sep, line: 1 })
            }
            _ => Err(Fault::new("invalid", format!("{} cannot separate cells: write one character", quote(sep)))),
        }
    }

    /// The next line that is not empty.
    fn next(&mut self) -> Result<Option<Row<'a>>, Fault> {
        while self.line_end() {}
        if self.rest.is_empty() {
            return Ok(None);
        }
        let mut row = Row { line: self.line, cells: Vec::new() };
        loop {
            row.cells.push(self.cell()?);
            if let Some(rest) = self.rest.strip_prefix(self.sep) {
                self.rest = rest;
            } else if self.rest.is_empty() || self.line_end() {
                return Ok(Some(row));
            } else {
                return Err(fault(self.line, "something stands after the closing quote of a cell"));
            }
        }
    }

    /// Takes a line end, if one is next.
    fn line_end(&mut self) -> bool {
        match self.rest.strip_prefix("\r\n").or_else(|| self.rest.strip_prefix('\n')) {
            Some(rest) => {
                self.rest = rest;
                self.line += 1;
                true
            }
            None => false,
        }
    }

    /// Takes a cell; what stands after it is not looked at.
    fn cell(&mut self) -> Result<Cow<'a, str>, Fault> {
        if let Some(rest) = self.rest.strip_prefix('"') {
            self.rest = rest;
            return self.quoted();
        }
        let end = self.rest.find([self.sep, '\n']).unwrap_or(self.rest.len());
        let (cell, rest) = self.rest.split_at(end);
        // The `\r` of a line end; one elsewhere is a part of the cell.
        let (cell, rest) = match cell.strip_suffix('\r') {
            Some(cell) if rest.starts_with('\n') => (cell, self.rest.get(cell.len()..).unwrap_or_default()),
            _ => (cell, rest),
        };
        self.rest = rest;
        Ok(Cow::Borrowed(cell))
    }

    /// Takes a cell up to its closing quote.
    fn quoted(&mut self) -> Result<Cow<'a, str>, Fault> {
        let opened = self.line;
        let mut cell = Cow::Borrowed("");
        loop {
            let Some((part, rest)) = self.rest.split_once('"') else {
                return Err(fault(opened, "the quote of a cell is never closed"));
            };
            self.line += part.matches('\n').count();
            self.rest = rest;
            if cell.is_empty() {
                cell = Cow::Borrowed(part)
            } else {
                cell.to_mut().push_str(part)
            }
            match rest.strip_prefix('"') {
                Some(rest) => {
                    self.rest = rest;
                    cell.to_mut().push('"');
                }
                None => return Ok(cell),
            }
        }
    }
}

fn fault(line: usize, what: &str) -> Fault {
    Fault::new("parse", format!("line {line} of the table: {what}"))
}

/// The lines after the first as dicts, each with the line it stands in.
fn dicts<E: From<Fault>>(s: &str, sep: &str, mut each: impl FnMut(usize, Dict) -> Result<Value, E>) -> Result<List, E> {
    let mut rows = Rows::new(s, sep)?;
    let Some(header) = rows.next()? else { return Ok(List::new(Vec::new())) };
    let names: Vec<Key> = header.cells.iter().map(|name| Key::str(&**name)).collect();
    for (at, name) in names.iter().enumerate() {
        if names.iter().take(at).any(|n| n == name) {
            return Err(fault(header.line, &format!("the name {} stands in it twice", quote(&name.to_string()))).into());
        }
    }
    let mut all = Vec::new();
    while let Some(row) = rows.next()? {
        if row.cells.len() != names.len() {
            let what = format!("it has {} cells, but the first line names {}", row.cells.len(), names.len());
            return Err(fault(row.line, &what).into());
        }
        let cells = row.cells.into_iter().map(Value::str);
        all.push(each(row.line, names.iter().cloned().zip(cells).collect())?);
    }
    Ok(List::new(all))
}

pub(crate) fn parse(s: &Text, sep: &Text) -> Result<List, Fault> {
    dicts(s, sep, |_, row| Ok(Value::dict(row)))
}

pub(crate) fn parse_as(cx: &mut dyn Calls, s: &Text, sep: &Text) -> Result<List, Stop> {
    dicts(s, sep, |line, row| {
        Ok(cx
            .read_as(0, &Value::dict(row))
            .map_err(|f| Fault { message: format!("line {line} of the table: {}", f.message), ..f })?)
    })
}

pub(crate) fn parse_rows(s: &Text, sep: &Text) -> Result<List, Fault> {
    let mut rows = Rows::new(s, sep)?;
    let mut all = Vec::new();
    while let Some(row) = rows.next()? {
        all.push(Value::list(row.cells.into_iter().map(Value::str).collect()));
    }
    Ok(List::new(all))
}

pub(crate) fn write(rows: &List, sep: &Text) -> Result<Text, Fault> {
    // Refuses what separates nothing.
    let sep = Rows::new("", sep)?.sep;
    let mut out = String::new();
    if rows.iter().all(|row| matches!(row, Value::List(_) | Value::Tuple(_))) {
        for row in rows.iter() {
            match &row {
                Value::Tuple(cells) => write_row(&mut out, sep, cells.iter().cloned())?,
                row => write_row(&mut out, sep, convert::arg::<&List>(row)?.iter())?,
            }
        }
        return Ok(out.into());
    }
    let rows = rows.iter().map(|row| named(&row)).collect::<Result<Vec<_>, _>>()?;
    let mut names = indexmap::IndexSet::<Key>::new();
    for row in &rows {
        names.extend(row.keys().cloned());
    }
    write_row(&mut out, sep, names.iter().map(|name| Value::str(name.to_string())))?;
    for row in &rows {
        write_row(&mut out, sep, names.iter().map(|name| row.get(name).cloned().unwrap_or(Value::Null)))?;
    }
    Ok(out.into())
}

/// A row's cells by name; a record's by the names that CSV uses.
fn named(row: &Value) -> Result<Dict, Fault> {
    match row {
        Value::Record(r) => {
            Ok(r.shape.keys.iter().map(|k| Key::str(k.as_str())).zip(r.fields.iter().cloned()).collect())
        }
        Value::Dict(d) => Ok(Dict::clone(d)),
        other => Err(Fault::new(
            "invalid",
            format!("a row is a record, a dict or a list, not {}, and all rows are alike", other.kind()),
        )),
    }
}

fn write_row(out: &mut String, sep: char, cells: impl Iterator<Item = Value>) -> Result<(), Fault> {
    let start = out.len();
    for (at, cell) in cells.enumerate() {
        if at > 0 {
            out.push(sep);
        }
        let text = match cell {
            Value::Null => String::new(),
            cell => text_of(&cell)?,
        };
        // A cell that begins with a byte order mark would lose it at the start of the table.
        if text.contains([sep, '"', '\n', '\r', '\u{feff}']) {
            out.push('"');
            out.push_str(&text.replace('"', "\"\""));
            out.push('"');
        } else {
            out.push_str(&text);
        }
        bounds::text(out.len())?;
    }
    // A line with nothing on it would be passed over.
    if out.len() == start {
        out.push_str("\"\"");
    }
    out.push('\n');
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{parse, parse_rows, write};
    use ntl_engine::value::text_of;
    use ntl_engine::{List, Text, Value};

    fn rows(s: &str) -> String {
        match parse_rows(&s.into(), &",".into()) {
            Ok(rows) => text_of(&Value::List(rows)).unwrap(),
            Err(f) => f.message,
        }
    }

    #[test]
    fn reads_cells() {
        let cases = [
            ("", r#"[]"#),
            ("\n\r\n", r#"[]"#),
            ("a", r#"[["a"]]"#),
            (",", r#"[["",""]]"#),
            ("a,\r\nb,c", r#"[["a",""],["b","c"]]"#),
            ("\u{feff}a\n\n\nb\n", r#"[["a"],["b"]]"#),
            ("\"\"", r#"[[""]]"#),
            ("\"a\"\"b\",\"c\nd\"\r\n", r#"[["a\"b","c\nd"]]"#),
            ("\"\"\"\"", r#"[["\""]]"#),
            ("5\" disk,a\rb\n", r#"[["5\" disk","a\rb"]]"#),
            (" a , b", r#"[[" a "," b"]]"#),
            ("a\r", r#"[["a\r"]]"#),
        ];
        for (text, want) in cases {
            assert_eq!(rows(text), want, "{text:?}");
        }
    }

    #[test]
    fn tells_the_line() {
        assert_eq!(rows("a\n\n\"b"), "line 3 of the table: the quote of a cell is never closed");
        assert_eq!(
            rows("\"a\nb\",c\n\"d\"e"),
            "line 3 of the table: something stands after the closing quote of a cell"
        );
        let fault = |s: &str| parse(&s.into(), &",".into()).unwrap_err().message;
        assert_eq!(fault("a,b\n\"1\n\",2\n3"), "line 4 of the table: it has 1 cells, but the first line names 2");
        assert_eq!(fault("a,b,a\n"), "line 1 of the table: the name \"a\" stands in it twice");
    }

    #[test]
    fn separators_are_one_character() {
        for sep in ["", ",,", "\"", "\n", "\r"] {
            assert_eq!(parse_rows(&"a".into(), &sep.into()).unwrap_err().code, "invalid", "{sep:?}");
        }
        let rows = parse_rows(&"a·b".into(), &"·".into()).unwrap();
        assert_eq!(text_of(&Value::List(rows)).unwrap(), r#"[["a","b"]]"#);
    }

    #[test]
    fn what_is_written_is_read_again() {
        let cells = ["", "a", "a,b", "\"", "\r", "x\r\ny", "\u{feff}b", " "];
        for first in cells {
            for second in cells {
                for row in [vec![Value::str(first)], vec![Value::str(first), Value::str(second)]] {
                    let table = List::new(vec![Value::list(row)]);
                    let text: Text = write(&table, &",".into()).unwrap();
                    let again = parse_rows(&text, &",".into()).unwrap();
                    assert_eq!(text_of(&Value::List(again)).unwrap(), text_of(&Value::List(table)).unwrap());
                }
            }
        }
    }
}
