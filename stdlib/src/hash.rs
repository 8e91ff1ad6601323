//! `std.hash`.

use crate::bounds::{self, quote};
use crate::convert::wrong;
use base64::Engine as _;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use base64::prelude::BASE64_STANDARD;
use hmac::{Hmac, KeyInit, Mac};
use md5::Md5;
use ntl_engine::{Fault, Text, Value};
use sha1::Sha1;
use sha2::{Digest, Sha256};

/// Takes padding and does without.
const LENIENT: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

fn bytes(x: &Value) -> Result<&[u8], Fault> {
    match x {
        Value::Str(s) => Ok(s.as_bytes()),
        Value::Bytes(b) => Ok(b),
        Value::Secret(s) => Ok(s.reveal().as_bytes()),
        other => Err(wrong("a str or bytes", other)),
    }
}

/// Two digits for every byte.
pub(crate) fn to_hex(bytes: &[u8]) -> Text {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digit = |n: u8| char::from(DIGITS[usize::from(n & 15)]);
    bytes.iter().flat_map(|b| [digit(b >> 4), digit(*b)]).collect::<String>().into()
}

pub(crate) fn sha256(x: &Value) -> Result<Text, Fault> {
    Ok(to_hex(&Sha256::digest(bytes(x)?)))
}

pub(crate) fn sha1(x: &Value) -> Result<Text, Fault> {
    Ok(to_hex(&Sha1::digest(bytes(x)?)))
}

pub(crate) fn md5(x: &Value) -> Result<Text, Fault> {
    Ok(to_hex(&Md5::digest(bytes(x)?)))
}

pub(crate) fn hmac(key: &Value, x: &Value) -> Result<Text, Fault> {
    let mut mac = Hmac::<Sha256>::new_from_slice(bytes(key)?)
        .map_err(|e| Fault::new("invalid", format!("the key cannot be used: {e}")))?;
    mac.update(bytes(x)?);
    Ok(to_hex(&mac.finalize().into_bytes()))
}

pub(crate) fn base64(x: &Value) -> Result<Text, Fault> {
    let bytes = bytes(x)?;
    bounds::text(bytes.len() / 3 * 4)?;
    Ok(BASE64_STANDARD.encode(bytes).into())
}

pub(crate) fn unbase64(s: &Text) -> Result<Vec<u8>, Fault> {
    LENIENT
        .decode(s.replace('-', "+").replace('_', "/"))
        .map_err(|e| Fault::new("parse", format!("{} is no base64: {e}", quote(s))))
}

pub(crate) fn hex(x: &Value) -> Result<Text, Fault> {
    let bytes = bytes(x)?;
    bounds::text(bytes.len() * 2)?;
    Ok(to_hex(bytes))
}

pub(crate) fn unhex(s: &Text) -> Result<Vec<u8>, Fault> {
    let digit = |c: &u8| char::from(*c).to_digit(16).and_then(|d| u8::try_from(d).ok());
    let pairs = s.as_bytes().chunks(2).map(|pair| match pair {
        [high, low] => Some(digit(high)? << 4 | digit(low)?),
        _ => None,
    });
    pairs.collect::<Option<_>>().ok_or_else(|| Fault::new("parse", format!("{} is no hex", quote(s))))
}
