//! The `.ntlp` file: `NTLP`, u16 format (little endian), postcard body, BLAKE3 of all before it.

use crate::{Plan, validate};
use std::fmt;

/// The largest file that is read.
pub const MAX_SIZE: usize = 256 << 20;

const MAGIC: [u8; 4] = *b"NTLP";
const FORMAT: u16 = 3;

/// Why a plan file was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadError {
    /// What is wrong with it.
    pub message: String,
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}
impl std::error::Error for ReadError {}

/// The file of a plan.
pub fn write(plan: &Plan) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    bytes.extend(FORMAT.to_le_bytes());
    // Writing to memory cannot fail; were it to, the file would be refused as damaged.
    let mut bytes = postcard::to_extend(plan, bytes).unwrap_or_default();
    let hash = blake3::hash(&bytes);
    bytes.extend(hash.as_bytes());
    bytes
}

/// Reads and validates a plan file from an unknown source.
pub fn read(bytes: &[u8]) -> Result<Plan, ReadError> {
    let refuse = |message: String| Err(ReadError { message });
    if bytes.len() > MAX_SIZE {
        return refuse(format!("the plan file has {} bytes; at most {MAX_SIZE} are read", bytes.len()));
    }
    let Some(rest) = bytes.strip_prefix(&MAGIC) else {
        return refuse("not a plan file: it does not begin with `NTLP`".into());
    };
    let Some((format, rest)) = rest.split_first_chunk() else {
        return refuse("damaged plan file: it is cut off".into());
    };
    let format = u16::from_le_bytes(*format);
    if format != FORMAT {
        return refuse(format!(
            "the plan file has format {format}, and this version reads format {FORMAT}: compile the program again"
        ));
    }
    let (Some((body, hash)), Some((hashed, _))) = (rest.split_last_chunk(), bytes.split_last_chunk::<32>()) else {
        return refuse("damaged plan file: it is cut off".into());
    };
    if blake3::hash(hashed) != blake3::Hash::from_bytes(*hash) {
        return refuse("damaged plan file: its checksum does not match".into());
    }
    match postcard::take_from_bytes::<Plan>(body) {
        Ok((plan, [])) => match validate(&plan) {
            // The same plan has one file: no number may be written longer than it is.
            Ok(()) if write(&plan) != bytes => refuse("invalid plan file: it is not as a compiler writes it".into()),
            Ok(()) => Ok(plan),
            Err(e) => refuse(format!("invalid plan file: {}", e.message)),
        },
        Ok((_, rest)) => refuse(format!("invalid plan file: {} bytes too many", rest.len())),
        Err(e) => refuse(format!("invalid plan file: {e}")),
    }
}

/// Serde of a table whose items may be as short as one byte in a file and are much larger in memory.
pub(crate) mod capped {
    use serde::de::{Error, SeqAccess, Visitor};
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use std::{fmt, marker::PhantomData};

    const MAX: usize = 1 << 20;

    pub fn serialize<T: Serialize, S: Serializer>(items: &[T], to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(items)
    }

    pub fn deserialize<'de, T: Deserialize<'de>, D: Deserializer<'de>>(from: D) -> Result<Vec<T>, D::Error> {
        struct Items<T>(PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for Items<T> {
            type Value = Vec<T>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "at most {MAX} items")
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Vec<T>, A::Error> {
                let mut items = Vec::new();
                while let Some(item) = seq.next_element()? {
                    if items.len() == MAX {
                        return Err(A::Error::invalid_length(MAX, &self));
                    }
                    items.push(item);
                }
                Ok(items)
            }
        }
        from.deserialize_seq(Items(PhantomData))
    }
}

/// Serde of a hash: hex where people read it.
pub(crate) mod hex {
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub fn serialize<S: Serializer>(hash: &[u8; 32], to: S) -> Result<S::Ok, S::Error> {
        if to.is_human_readable() {
            blake3::Hash::from_bytes(*hash).to_hex().as_str().serialize(to)
        } else {
            hash.serialize(to)
        }
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<[u8; 32], D::Error> {
        if from.is_human_readable() {
            let text = String::deserialize(from)?;
            blake3::Hash::from_hex(&text).map(|h| *h.as_bytes()).map_err(D::Error::custom)
        } else {
            Deserialize::deserialize(from)
        }
    }
}
