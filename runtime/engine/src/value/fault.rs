//! Why something failed.

use smol_str::SmolStr;

/// Why a native or instruction failed: what it knows itself. The engine adds where and with which inputs.
#[derive(Clone, Debug, PartialEq)]
pub struct Fault {
    /// One of STDLIB's codes (`parse`, `index`, `overflow`, …), or the program's own.
    pub code: SmolStr,
    /// What happened: lower case, values quoted.
    pub message: String,
    /// Whether trying again may help.
    pub retryable: bool,
    /// How long to wait before that, in nanoseconds, where somebody said so.
    pub retry_after: Option<i64>,
    /// What was asked of the host, where that was not granted or is not there.
    pub asked: Option<Box<ntl_host::Asked>>,
    /// The fault behind it.
    pub cause: Option<Box<Fault>>,
}

impl Fault {
    /// A fault that trying again will not mend.
    pub fn new(code: impl Into<SmolStr>, message: impl Into<String>) -> Self {
        Fault {
            code: code.into(),
            message: message.into(),
            retryable: false,
            retry_after: None,
            asked: None,
            cause: None,
        }
    }

    /// Ends the running native or instruction with this fault from where no result can carry it. The engine catches it;
    /// nothing is printed.
    pub(crate) fn unwind(self) -> ! {
        std::panic::resume_unwind(Box::new(self))
    }

    /// The fault of a caught unwind: this one, or `internal` for a panic.
    pub(crate) fn caught(payload: Box<dyn std::any::Any + Send>) -> Fault {
        match payload.downcast::<Fault>() {
            Ok(fault) => *fault,
            Err(payload) => {
                let text = payload.downcast_ref::<&str>().map(|s| (*s).to_owned());
                let text = text.or_else(|| payload.downcast_ref::<String>().cloned());
                Fault::new("internal", format!("a bug in NTL: {}", text.as_deref().unwrap_or("a panic")))
            }
        }
    }

    /// A text gets longer than [`super::MAX_TEXT`].
    pub fn text_too_long() -> Self {
        Fault::new("invalid", format!("the text would be longer than {} MB", super::MAX_TEXT >> 20))
    }

    /// A list gets longer than [`super::MAX_ITEMS`].
    pub fn list_too_long() -> Self {
        Fault::new("invalid", format!("the list would be longer than {} items", super::MAX_ITEMS))
    }

    /// A value is larger than what is written of one.
    pub(crate) fn too_large() -> Self {
        Fault::new("invalid", format!("the value would take more than {} MB", super::MAX_TEXT >> 20))
    }

    /// A value nests deeper than [`super::MAX_DEPTH`].
    pub(crate) fn too_deep() -> Self {
        Fault::new("invalid", format!("the value nests more than {} levels deep", super::MAX_DEPTH))
    }
}

impl From<ntl_host::Refusal> for Fault {
    fn from(r: ntl_host::Refusal) -> Self {
        Fault { retryable: r.retryable, asked: r.asked, ..Fault::new(r.code, r.message) }
    }
}
