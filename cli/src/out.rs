//! Standard output and error. A reader that has gone away is no error: what it did not want is not written.

use crate::exit::Exit;
use crate::finding::Finding;
use std::io::{ErrorKind, IsTerminal, Write};

/// Whether a stream is coloured: it is a terminal, and nobody said NO_COLOR.
fn is_coloured(stream: &impl IsTerminal) -> bool {
    stream.is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty())
}

/// Whether what goes to standard output is coloured.
pub fn stdout_is_coloured() -> bool {
    is_coloured(&std::io::stdout())
}

/// Whether what goes to standard error is coloured.
pub fn stderr_is_coloured() -> bool {
    is_coloured(&std::io::stderr())
}

/// Writes a result to standard output.
pub fn print(text: &str) -> Exit {
    print_bytes(text.as_bytes())
}

/// Writes a result that is no text.
pub fn print_bytes(bytes: &[u8]) -> Exit {
    let mut stdout = std::io::stdout().lock();
    match stdout.write_all(bytes).and_then(|()| stdout.flush()) {
        Ok(()) => Exit::Done,
        Err(e) if e.kind() == ErrorKind::BrokenPipe => Exit::Done,
        Err(e) => {
            warn(&Finding::problem("failed", format!("cannot write to standard output: {e}")).human());
            Exit::Failed
        }
    }
}

/// Writes `ansi` where standard output shows colours, else `plain`.
pub fn print_raw(ansi: &str, plain: &str) -> Exit {
    print(if stdout_is_coloured() { ansi } else { plain })
}

/// Writes anything that is no result to standard error. There is nowhere to tell that this fails.
pub fn warn(text: &str) {
    let _ = std::io::stderr().lock().write_all(text.as_bytes());
}

/// Writes `ansi` where standard error shows colours, else `plain`.
pub fn warn_raw(ansi: &str, plain: &str) {
    warn(if stderr_is_coloured() { ansi } else { plain });
}

/// A text as it may go to a terminal inside a message: control characters, which could drive the terminal, are shown
/// as what they are.
pub fn plain(text: &str) -> String {
    text.chars()
        .map(|c| if c.is_control() && c != '\n' && c != '\t' { char::REPLACEMENT_CHARACTER } else { c })
        .collect()
}
