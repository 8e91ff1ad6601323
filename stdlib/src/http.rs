//! `std.http`: the host sends what is granted; here it becomes requests, answers and failures.

use crate::bounds::{self, quote};
use crate::convert::{Duration, Size, arg, wrong};
use crate::generated::records::http::Response;
use encoding_rs::{Encoding, UTF_8};
use jiff::Timestamp;
use jiff::fmt::rfc2822;
use ntl_engine::native::Cx;
use ntl_engine::value::{Key, SecretText};
use ntl_engine::{Dict, Fault, List, Text, Value, json as documents};
use ntl_host::net::{Answer, Request};
use std::sync::Arc;

/// What all requests take.
struct Common<'a> {
    url: &'a Value,
    headers: &'a Dict,
    query: &'a Dict,
    timeout: Duration,
    limit: i64,
}

/// The longest body that is read to be thrown away or shown.
const LITTLE: i64 = 64 << 10;

impl Common<'_> {
    fn request(&self, method: &str, body: Option<&Value>) -> Result<Request, Fault> {
        let mut request = Request {
            method: method.to_owned(),
            timeout: std::time::Duration::from_nanos(positive("timeout", self.timeout.0)?),
            limit: positive("limit", self.limit)?,
            ..Request::default()
        };
        let mut secrets = Vec::new();
        request.url = plain(self.url, &mut secrets)?;
        request.query = pairs(self.query, &mut secrets)?;
        request.headers = pairs(self.headers, &mut secrets)?;
        request.secrets = secrets;
        if let Some(body) = body {
            let (kind, bytes) = match body {
                Value::Str(text) => ("text/plain; charset=utf-8", text.as_bytes().to_vec()),
                Value::Bytes(bytes) => ("application/octet-stream", bytes.to_vec()),
                other => ("application/json", documents::text(other, None)?.into_bytes()),
            };
            request.body = bytes;
            // Nothing is said of nothing.
            if !request.body.is_empty()
                && !request.headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("content-type"))
            {
                request.headers.push(("content-type".into(), kind.into()));
            }
        }
        Ok(request)
    }
}

fn positive(name: &str, n: i64) -> Result<u64, Fault> {
    match u64::try_from(n) {
        Ok(n) if n > 0 => Ok(n),
        _ => Err(Fault::new("invalid", format!("`{name}` must be more than nothing"))),
    }
}

/// The text of a str or a secret, which is remembered as one.
fn plain(value: &Value, secrets: &mut Vec<String>) -> Result<String, Fault> {
    match value {
        Value::Str(text) => Ok(text.as_str().to_owned()),
        Value::Secret(secret) => {
            secrets.push(secret.reveal().to_owned());
            // Servers repeat a token without the word that stands before it.
            secrets.extend(secret.reveal().split_once(' ').map(|(_, token)| token.to_owned()).filter(|t| t.len() > 5));
            Ok(secret.reveal().to_owned())
        }
        other => Err(wrong("a str or secret", other)),
    }
}

fn pairs(dict: &Dict, secrets: &mut Vec<String>) -> Result<Vec<(String, String)>, Fault> {
    dict.iter().map(|(key, value)| Ok((key.to_string(), plain(value, secrets)?))).collect()
}

/// Sends it, and fails where the status says so.
async fn send(cx: &Cx, request: Request, allowed: &List) -> Result<Answer, Fault> {
    let mut answer = cx.host.fetch(request.clone()).await?;
    let status = answer.status;
    let is_allowed = || allowed.iter().any(|s| matches!(s, Value::Int(s) if s == i64::from(status)));
    if status < 400 || is_allowed() {
        return Ok(answer);
    }
    let retry_after = header(&answer, "retry-after").and_then(|text| retry_after(text, cx.host.now()));
    let shown = answer.shown().to_owned();
    // What it says about it helps, but is not waited for if it is much.
    let mut said = Vec::new();
    while (said.len() as i64) < LITTLE
        && let Ok(Some(chunk)) = answer.chunk().await
    {
        said.extend_from_slice(chunk.as_ref());
    }
    let kind = header(&answer, "content-type").unwrap_or_default();
    let said = request.masked(text_of(kind, &said).split_whitespace().collect::<Vec<_>>().join(" ").as_str());
    let said = if said.is_empty() || kind.contains("html") { String::new() } else { format!(": {}", quote(&said)) };
    let code = if status == 429 { "rate_limited".into() } else { format!("http_{status}") };
    Err(Fault {
        retryable: matches!(status, 408 | 425 | 429 | 500..),
        retry_after,
        ..Fault::new(code, format!("`{shown}` answers with status {status}{said}"))
    })
}

fn header<'a>(answer: &'a Answer, name: &str) -> Option<&'a str> {
    answer.headers.iter().find(|(n, _)| n == name).map(|(_, value)| value.as_str())
}

/// How long an answer asks to wait, in nanoseconds: it names seconds or a time. An hour at most is believed.
fn retry_after(text: &str, now: i64) -> Option<i64> {
    const HOUR: i64 = 3_600_000_000_000;
    let wait = match text.trim().parse::<u32>() {
        Ok(seconds) => i64::from(seconds) * 1_000_000_000,
        Err(_) => {
            let at = rfc2822::DateTimeParser::new().parse_timestamp(text.trim()).ok()?;
            let wait = at.duration_since(Timestamp::from_nanosecond(now.into()).ok()?);
            i64::try_from(wait.as_nanos()).ok()?
        }
    };
    Some(wait.clamp(0, HOUR))
}

/// A body as text, by the encoding that its kind names: lenient where it is said to be text, else empty if it is none.
fn text_of(kind: &str, bytes: &[u8]) -> String {
    let kind = kind.to_ascii_lowercase();
    let named = kind.split(';').filter_map(|part| part.trim().strip_prefix("charset=")).next();
    let encoding = named.and_then(|name| Encoding::for_label(name.trim_matches('"').as_bytes()));
    let is_text = encoding.is_some() || kind.starts_with("text/");
    let (text, _, had_errors) = encoding.unwrap_or(UTF_8).decode(bytes);
    if had_errors && !is_text { String::new() } else { text.into_owned() }
}

async fn response(cx: &Cx, request: Request, allowed: &List) -> Result<Response, Fault> {
    let mut answer = send(cx, request, allowed).await?;
    let bytes = answer.body().await?;
    bounds::text(bytes.len())?;
    let mut headers = Dict::default();
    for (name, value) in &answer.headers {
        let joined = match headers.get(&Key::str(name.as_str())) {
            Some(Value::Str(first)) => format!("{first}, {value}"),
            _ => value.clone(),
        };
        headers.insert(Key::str(name.as_str()), Value::str(joined));
    }
    Ok(Response {
        status: i64::from(answer.status),
        body: text_of(header(&answer, "content-type").unwrap_or_default(), &bytes).into(),
        headers,
        bytes,
        url: answer.url.as_str().into(),
    })
}

pub(crate) async fn get(
    cx: &Cx,
    url: &Value,
    headers: &Dict,
    query: &Dict,
    timeout: Duration,
    allowed: &List,
    limit: Size,
) -> Result<Response, Fault> {
    let common = Common { url, headers, query, timeout, limit: limit.0 };
    response(cx, common.request("GET", None)?, allowed).await
}

pub(crate) async fn head(
    cx: &Cx,
    url: &Value,
    headers: &Dict,
    query: &Dict,
    timeout: Duration,
    allowed: &List,
) -> Result<Response, Fault> {
    let common = Common { url, headers, query, timeout, limit: LITTLE };
    response(cx, common.request("HEAD", None)?, allowed).await
}

pub(crate) async fn delete(
    cx: &Cx,
    url: &Value,
    headers: &Dict,
    query: &Dict,
    timeout: Duration,
    allowed: &List,
    limit: Size,
) -> Result<Response, Fault> {
    let common = Common { url, headers, query, timeout, limit: limit.0 };
    response(cx, common.request("DELETE", None)?, allowed).await
}

/// What sends a body.
macro_rules! sends {
    ($($name:ident $method:literal)*) => {$(
        #[expect(clippy::too_many_arguments, reason = "those of the declaration")]
        pub(crate) async fn $name(
            cx: &Cx,
            url: &Value,
            body: &Value,
            headers: &Dict,
            query: &Dict,
            timeout: Duration,
            allowed: &List,
            limit: Size,
        ) -> Result<Response, Fault> {
            let common = Common { url, headers, query, timeout, limit: limit.0 };
            response(cx, common.request($method, Some(body))?, allowed).await
        }
    )*};
}
sends! { post "POST" put "PUT" patch "PATCH" }

#[expect(clippy::too_many_arguments, reason = "those of the declaration")]
pub(crate) async fn request(
    cx: &Cx,
    method: &Text,
    url: &Value,
    body: &Value,
    headers: &Dict,
    query: &Dict,
    timeout: Duration,
    allowed: &List,
    limit: Size,
) -> Result<Response, Fault> {
    let common = Common { url, headers, query, timeout, limit: limit.0 };
    response(cx, common.request(method, Some(body))?, allowed).await
}

pub(crate) async fn download(
    cx: &Cx,
    url: &Value,
    path: &Text,
    headers: &Dict,
    query: &Dict,
    timeout: Duration,
    limit: Size,
) -> Result<Size, Fault> {
    let common = Common { url, headers, query, timeout, limit: limit.0 };
    let request = common.request("GET", None)?;
    // Refused before anybody is asked.
    let mut file = cx.host.replace(path)?;
    let mut answer = send(cx, request, &List::new(Vec::new())).await?;
    let mut size = 0;
    while let Some(chunk) = answer.chunk().await? {
        file.write(chunk.as_ref())?;
        size += chunk.as_ref().len() as i64;
    }
    file.finish()?;
    Ok(Size(size))
}

pub(crate) fn json(r: &Value) -> Result<Value, Fault> {
    let Value::Record(record) = r else { return Err(wrong("a record", r)) };
    let body = record.shape.names.iter().zip(record.fields.iter()).find(|(name, _)| *name == "body");
    documents::parse(arg::<&Text>(body.map_or(&Value::Null, |(_, body)| body))?)
}

pub(crate) fn bearer(token: &Value) -> Result<Value, Fault> {
    Ok(secret(format!("Bearer {}", plain(token, &mut Vec::new())?)))
}

pub(crate) fn basic(user: &Text, password: &Value) -> Result<Value, Fault> {
    let both = format!("{user}:{}", plain(password, &mut Vec::new())?);
    Ok(secret(format!("Basic {}", crate::hash::base64(&Value::str(both))?)))
}

fn secret(text: String) -> Value {
    Value::Secret(Arc::new(SecretText::new(text)))
}

#[cfg(test)]
mod tests {
    use super::{retry_after, text_of};

    #[test]
    fn how_long_to_wait() {
        let now = 1_445_412_480_000_000_000; // 2015-10-21T07:28:00Z
        assert_eq!(retry_after("120", now), Some(120_000_000_000));
        assert_eq!(retry_after("Wed, 21 Oct 2015 07:29:00 GMT", now), Some(60_000_000_000));
        assert_eq!(retry_after("Wed, 21 Oct 2015 07:27:00 GMT", now), Some(0));
        assert_eq!(retry_after("4000000000", now), Some(3_600_000_000_000));
        for text in ["", "-1", "soon", "99999999999999999999"] {
            assert_eq!(retry_after(text, now), None, "{text}");
        }
    }

    #[test]
    fn bodies_as_text() {
        assert_eq!(text_of("text/html; Charset=\"ISO-8859-1\"", b"\xfc"), "ü");
        assert_eq!(text_of("application/json", "ü".as_bytes()), "ü");
        assert_eq!(text_of("text/plain", b"a\xff"), "a\u{fffd}");
        assert_eq!(text_of("image/png", b"\x89PNG\xff"), "");
        assert_eq!(text_of("text/plain; charset=klingon", b"a"), "a");
    }
}
