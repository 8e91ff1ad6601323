//! What holds hostile places, counts and sizes: a native fails before it fills the memory.

pub(crate) use ntl_engine::value::{MAX_ITEMS, MAX_TEXT};
use ntl_engine::{Fault, List, Value};

/// Argument `name`, a place: not negative. One beyond memory is beyond every end.
pub(crate) fn place(name: &str, at: i64) -> Result<usize, Fault> {
    if at < 0 {
        return Err(Fault::new("index", format!("`{name}` is {at}, but places count from 0")));
    }
    Ok(usize::try_from(at).unwrap_or(usize::MAX))
}

/// Argument `name`, a count that is at least `least`.
pub(crate) fn count(name: &str, n: i64, least: i64) -> Result<usize, Fault> {
    if n < least {
        return Err(Fault::new("invalid", format!("`{name}` is {n}, but must be at least {least}")));
    }
    Ok(usize::try_from(n).unwrap_or(usize::MAX))
}

/// Refuses a text of that many bytes if it is too long.
pub(crate) fn text(bytes: usize) -> Result<(), Fault> {
    if bytes > MAX_TEXT {
        return Err(Fault::text_too_long());
    }
    Ok(())
}

/// Refuses a list of that many items if it is too long.
pub(crate) fn items(count: usize) -> Result<(), Fault> {
    if count > MAX_ITEMS {
        return Err(Fault::list_too_long());
    }
    Ok(())
}

/// Refuses to write out a range that is too long. Any other list is in memory already.
pub(crate) fn written_out(xs: &List) -> Result<(), Fault> {
    if xs.as_range().is_some() { items(xs.len()) } else { Ok(()) }
}

/// The items of a list, written out.
pub(crate) fn to_vec(xs: &List) -> Result<Vec<Value>, Fault> {
    written_out(xs)?;
    Ok(xs.iter().collect())
}

/// A text for a message: quoted, cut where it is long.
pub(crate) fn quote(s: &str) -> String {
    const SHOWN: usize = 60;
    match s.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{:?}…", s.get(..end).unwrap_or(s)),
        None => format!("{s:?}"),
    }
}
