//! `std.sys`: the host does it, if it is granted.

use crate::convert::{Duration, Size, wrong};
use crate::generated::records::sys::Run;
use ntl_engine::native::Cx;
use ntl_engine::{Fault, List, Text, Value};
use ntl_host::Command;

pub(crate) async fn env(cx: &Cx, name: &Text) -> Result<Option<Text>, Fault> {
    Ok(cx.host.env(name)?.map(Text::from))
}

pub(crate) async fn run(
    cx: &Cx,
    command: &Text,
    args: &List,
    input: &Value,
    timeout: Duration,
    limit: Size,
) -> Result<Run, Fault> {
    let input = match input {
        Value::Str(text) => text.as_bytes().to_vec(),
        Value::Bytes(bytes) => bytes.to_vec(),
        other => return Err(wrong("a str or bytes", other)),
    };
    let args = args.iter().map(|arg| match &arg {
        Value::Str(text) => Ok(text.as_str().to_owned()),
        other => Err(wrong("a str", other)),
    });
    let ended = cx.host.run(Command {
        name: command.as_str().to_owned(),
        args: args.collect::<Result<_, _>>()?,
        input,
        timeout: time(timeout)?,
        limit: usize::try_from(limit.0).map_err(|_| Fault::new("invalid", "`limit` is less than nothing"))?,
    });
    let ended = ended.await?;
    let text = |bytes: &[u8]| Text::from(String::from_utf8_lossy(bytes).into_owned());
    Ok(Run { code: i64::from(ended.code), out: text(&ended.out), err: text(&ended.err) })
}

pub(crate) async fn sleep(cx: &Cx, d: Duration) -> Result<(), Fault> {
    cx.host.sleep(time(d)?).await;
    Ok(())
}

fn time(d: Duration) -> Result<std::time::Duration, Fault> {
    let nanoseconds = u64::try_from(d.0).map_err(|_| Fault::new("invalid", "a duration is less than nothing"))?;
    Ok(std::time::Duration::from_nanos(nanoseconds))
}
