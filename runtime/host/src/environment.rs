//! The environment.

use crate::{Host, Refusal, flag, names};

impl Host {
    /// A variable of the environment.
    pub fn env(&self, name: &str) -> Result<Option<String>, Refusal> {
        if !names(&self.env, Some(name)) {
            let message =
                format!("the variable {name:?} may not be read: nothing grants it; `{}` would", flag("env", name));
            return Err(Refusal::new("permission", message).asking("env", name));
        }
        variable(name)
    }
}

#[expect(clippy::disallowed_methods, reason = "this crate is the gate that all others go through")]
fn variable(name: &str) -> Result<Option<String>, Refusal> {
    // The system refuses such names by a panic.
    if name.is_empty() || name.contains(['=', '\0']) {
        return Err(Refusal::new("invalid", format!("{name:?} is no name of a variable")));
    }
    match std::env::var(name) {
        Ok(value) => Ok(Some(value)),
        Err(std::env::VarError::NotPresent) => Ok(None),
        Err(std::env::VarError::NotUnicode(_)) => {
            Err(Refusal::new("invalid", format!("the variable {name:?} is no text")))
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{Grants, Host};
    use std::path::PathBuf;

    #[test]
    fn what_is_granted_is_read() {
        let env = vec!["PATH".into(), "NTL_TEST_*".into()];
        let host = Host::new(Grants { env, ..Grants::default() }, PathBuf::new());
        assert!(host.env("PATH").unwrap().is_some());
        assert_eq!(host.env("NTL_TEST_NONE"), Ok(None));
        let refused = host.env("HOME").unwrap_err();
        assert_eq!((refused.code, refused.message.contains("--allow-env=HOME")), ("permission", true));
        assert_eq!(host.env("NTL_TEST_=").unwrap_err().code, "invalid");
    }
}
