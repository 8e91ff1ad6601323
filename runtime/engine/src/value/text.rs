//! Shared text, and text that must not be shown.

use std::sync::Arc;

/// Shared text that knows whether it is ASCII, so that it is counted and cut quickly.
#[derive(Clone)]
pub struct Text(Arc<TextData>);

struct TextData {
    text: Box<str>,
    is_ascii: bool,
}

impl Text {
    /// Shares a text.
    pub fn new(text: impl Into<Box<str>>) -> Self {
        let text = text.into();
        Text(Arc::new(TextData { is_ascii: text.is_ascii(), text }))
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0.text
    }

    /// The number of Unicode scalar values.
    pub fn chars(&self) -> usize {
        if self.0.is_ascii { self.0.text.len() } else { self.0.text.chars().count() }
    }

    /// Whether it has ASCII characters only: a place in characters is then one in bytes.
    pub fn is_ascii(&self) -> bool {
        self.0.is_ascii
    }
}

impl std::ops::Deref for Text {
    type Target = str;
    fn deref(&self) -> &str {
        self.as_str()
    }
}
impl std::borrow::Borrow<str> for Text {
    fn borrow(&self) -> &str {
        self.as_str()
    }
}
impl std::fmt::Debug for Text {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.as_str().fmt(f)
    }
}
impl std::fmt::Display for Text {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}
impl From<&str> for Text {
    fn from(s: &str) -> Self {
        Text::new(s)
    }
}
impl From<String> for Text {
    fn from(s: String) -> Self {
        Text::new(s)
    }
}
impl PartialEq for Text {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.as_str() == other.as_str()
    }
}
impl Eq for Text {}
impl std::hash::Hash for Text {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.as_str().hash(state);
    }
}
impl PartialOrd for Text {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Text {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.as_str().cmp(other.as_str())
    }
}

/// Text that must not be shown.
#[derive(Clone)]
pub struct SecretText(Box<str>);

/// What stands for a secret wherever values are shown.
pub(crate) const MASK: &str = "‹secret›";

impl SecretText {
    /// Hides a text.
    pub fn new(text: impl Into<Box<str>>) -> Self {
        SecretText(text.into())
    }

    /// The text, for the one who is granted it.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}
impl std::fmt::Debug for SecretText {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(MASK)
    }
}
