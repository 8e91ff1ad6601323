//! `std.url`.

use crate::bounds::{self, quote};
use crate::convert::{arg, wrong};
use crate::generated::records::url::Url as Parts;
use ntl_engine::{Fault, List, Text, Value};
use url::Url;

fn read(s: &str) -> Result<Url, Fault> {
    Url::parse(s).map_err(|e| Fault::new("parse", format!("{} is no URL: {e}", quote(s))))
}

pub(crate) fn parse(s: &Text) -> Result<Parts, Fault> {
    let url = read(s)?;
    let pair = |(name, value): (std::borrow::Cow<'_, str>, std::borrow::Cow<'_, str>)| {
        Value::tuple(vec![Value::str(name.into_owned()), Value::str(value.into_owned())])
    };
    Ok(Parts {
        scheme: url.scheme().into(),
        user: unescaped(url.username())?.into(),
        password: unescaped(url.password().unwrap_or_default())?.into(),
        host: url.host_str().unwrap_or_default().into(),
        port: url.port().map(i64::from),
        path: url.path().into(),
        query: List::new(url.query_pairs().map(pair).collect()),
        fragment: url.fragment().unwrap_or_default().into(),
    })
}

pub(crate) fn build(u: &Value) -> Result<Text, Fault> {
    let Value::Record(record) = u else { return Err(wrong("a record", u)) };
    let field = |name: &str| {
        let fields = record.shape.names.iter().zip(record.fields.iter());
        fields.filter(|(n, _)| *n == name).map(|(_, value)| value).next().unwrap_or(&Value::Null)
    };
    let text = |name: &str| arg::<&Text>(field(name));
    let wrong = |what: &str| Fault::new("invalid", format!("there is no URL with {what}"));
    let (scheme, host) = (text("scheme")?, text("host")?);
    let begin = if host.is_empty() { format!("{scheme}:") } else { format!("{scheme}://{host}") };
    let mut url = Url::parse(&begin)
        .map_err(|e| wrong(&format!("the scheme {} and the host {}: {e}", quote(scheme), quote(host))))?;
    // What is more than a scheme and a host has crept in.
    if url.scheme() != scheme.to_lowercase()
        || !url.username().is_empty()
        || url.port().is_some()
        || url.query().is_some()
        || url.fragment().is_some()
        || !matches!(url.path(), "" | "/")
    {
        return Err(wrong(&format!("the scheme {} and the host {}", quote(scheme), quote(host))));
    }
    let (user, password) = (text("user")?, text("password")?);
    if !user.is_empty() || !password.is_empty() {
        let set = url.set_username(user).and_then(|()| url.set_password((!password.is_empty()).then_some(password)));
        set.map_err(|()| wrong("a user here"))?;
    }
    if let Some(port) = arg::<Option<i64>>(field("port"))? {
        let number = u16::try_from(port).map_err(|_| wrong(&format!("the port {port}")))?;
        url.set_port(Some(number)).map_err(|()| wrong("a port here"))?;
    }
    url.set_path(text("path")?);
    let query = arg::<&List>(field("query"))?;
    if !query.is_empty() {
        let mut pairs = url.query_pairs_mut();
        for pair in query.iter() {
            let Value::Tuple(pair) = &pair else { return Err(crate::convert::wrong("a tuple", &pair)) };
            if let [name, value] = &pair[..] {
                pairs.append_pair(arg::<&Text>(name)?, arg::<&Text>(value)?);
            }
        }
    }
    let fragment = text("fragment")?;
    url.set_fragment((!fragment.is_empty()).then_some(fragment));
    Ok(url.as_str().into())
}

pub(crate) fn encode(s: &Text) -> Result<Text, Fault> {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    bounds::text(s.len())?;
    let mut out = String::with_capacity(s.len());
    for byte in s.as_bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(byte) {
            out.push(char::from(*byte));
        } else {
            out.extend(['%', char::from(DIGITS[usize::from(byte >> 4)]), char::from(DIGITS[usize::from(byte & 15)])]);
        }
    }
    bounds::text(out.len())?;
    Ok(out.into())
}

pub(crate) fn decode(s: &Text) -> Result<Text, Fault> {
    unescaped(s).map(Text::from)
}

/// A text with its `%XX` read; a `%` that begins none stays.
fn unescaped(s: &str) -> Result<String, Fault> {
    let digit = |at: usize| s.as_bytes().get(at).and_then(|b| char::from(*b).to_digit(16));
    let (mut bytes, mut at) = (Vec::with_capacity(s.len()), 0);
    while let Some(byte) = s.as_bytes().get(at) {
        match (byte, digit(at + 1), digit(at + 2)) {
            (b'%', Some(high), Some(low)) => {
                bytes.push((high << 4 | low) as u8);
                at += 3;
            }
            _ => {
                bytes.push(*byte);
                at += 1;
            }
        }
    }
    String::from_utf8(bytes).map_err(|_| Fault::new("parse", format!("{} says no text", quote(s))))
}

pub(crate) fn join(base: &Text, s: &Text) -> Result<Text, Fault> {
    let joined = read(base)?.join(s);
    let joined = joined.map_err(|e| Fault::new("parse", format!("{} leads nowhere: {e}", quote(s))))?;
    Ok(joined.as_str().into())
}
