//! `std.fs`: the host does it, if it is granted.

use crate::convert::{Datetime, Size};
use crate::generated::records::fs::Stat;
use crate::text::utf8;
use ntl_engine::native::Cx;
use ntl_engine::{Fault, Text, Value};

pub(crate) fn read(cx: &Cx, path: &Text) -> Result<Text, Fault> {
    let bytes = cx.host.read(path)?;
    let text = utf8(&bytes).map_err(|f| Fault { message: format!("{path:?} is no text: {}", f.message), ..f })?;
    Ok(text.strip_prefix('\u{feff}').unwrap_or(text).into())
}

pub(crate) fn read_bytes(cx: &Cx, path: &Text) -> Result<Vec<u8>, Fault> {
    Ok(cx.host.read(path)?)
}

pub(crate) fn exists(cx: &Cx, path: &Text) -> Result<bool, Fault> {
    Ok(cx.host.exists(path)?)
}

pub(crate) fn stat(cx: &Cx, path: &Text) -> Result<Stat, Fault> {
    let stat = cx.host.stat(path)?;
    Ok(Stat {
        path: path.clone(),
        size: Size(i64::try_from(stat.size).unwrap_or(i64::MAX)),
        modified: Datetime(stat.modified),
        is_dir: stat.is_dir,
    })
}

pub(crate) fn list(cx: &Cx, pattern: &Text) -> Result<Vec<Text>, Fault> {
    Ok(cx.host.list(pattern)?.into_iter().map(Text::from).collect())
}

pub(crate) fn write(cx: &Cx, path: &Text, text: &Value) -> Result<(), Fault> {
    Ok(cx.host.write(path, bytes(text)?)?)
}

pub(crate) fn append(cx: &Cx, path: &Text, text: &Value) -> Result<(), Fault> {
    Ok(cx.host.append(path, bytes(text)?)?)
}

fn bytes(text: &Value) -> Result<&[u8], Fault> {
    match text {
        Value::Str(s) => Ok(s.as_bytes()),
        Value::Bytes(b) => Ok(b),
        other => Err(crate::convert::wrong("a str or bytes", other)),
    }
}

pub(crate) fn remove(cx: &Cx, path: &Text) -> Result<(), Fault> {
    Ok(cx.host.remove(path)?)
}

pub(crate) fn copy(cx: &Cx, from: &Text, to: &Text) -> Result<(), Fault> {
    Ok(cx.host.copy(from, to)?)
}

pub(crate) fn r#move(cx: &Cx, from: &Text, to: &Text) -> Result<(), Fault> {
    Ok(cx.host.rename(from, to)?)
}

pub(crate) fn mkdir(cx: &Cx, path: &Text) -> Result<(), Fault> {
    Ok(cx.host.mkdir(path)?)
}
