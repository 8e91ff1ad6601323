//! The one gate of a run to the world. Everything that a native touches is asked for here, and granted or refused here:
//! files, the network, commands, the environment, the clock, randomness.

mod chance;
mod command;
mod environment;
mod files;
pub mod net;
mod place;

pub use command::{Command, Ended};
pub use files::{Replacing, Stat};
pub use net::NetGrant;
pub use place::fixed_part;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// What a run may touch.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Grants {
    /// Folders and files that may be read; relative to the host's root.
    pub fs_read: Vec<PathBuf>,
    /// Folders and files that may be written.
    pub fs_write: Vec<PathBuf>,
    /// Hosts that may be reached.
    pub net: Vec<NetGrant>,
    /// Commands that may be run: their names or paths as programs call them; `*` for all.
    pub command: Vec<String>,
    /// Variables of the environment that may be read: `NAME`, `PREFIX_*`.
    pub env: Vec<String>,
}

/// Why the host did not do it.
#[derive(Clone, Debug, PartialEq)]
pub struct Refusal {
    /// `permission`, `not_found`, `exists`, `invalid`, `network`, `timeout`, `failed`.
    pub code: &'static str,
    /// What happened, and what would grant it.
    pub message: String,
    /// Whether trying again may help.
    pub retryable: bool,
    /// What was asked for, where that was not granted or is not there.
    pub asked: Option<Box<Asked>>,
}

/// What a run asks for.
#[derive(Clone, Debug, PartialEq)]
pub struct Asked {
    /// The kind of permission that covers it: `fs_read`.
    pub kind: String,
    /// Which one, as a grant names it: a path, a host; `None` where that is not known.
    pub what: Option<String>,
}

impl Refusal {
    /// One that trying again will not mend.
    pub fn new(code: &'static str, message: impl Into<String>) -> Self {
        Refusal { code, message: message.into(), retryable: false, asked: None }
    }

    /// Says what was asked for.
    pub(crate) fn asking(self, kind: &str, what: impl Into<String>) -> Self {
        Refusal { asked: Some(Box::new(Asked { kind: kind.to_owned(), what: Some(what.into()) })), ..self }
    }

    /// Somebody could not be reached: perhaps later.
    pub(crate) fn network(message: impl Into<String>) -> Self {
        Refusal { retryable: true, ..Refusal::new("network", message) }
    }
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}
impl std::error::Error for Refusal {}

/// The gate: what was granted, and the only code that touches files, the clock and randomness.
#[derive(Debug)]
pub struct Host {
    root: PathBuf,
    fs_read: Vec<PathBuf>,
    fs_write: Vec<PathBuf>,
    net: Arc<net::Net>,
    command: Vec<String>,
    env: Vec<String>,
    started: Instant,
    random: chance::Random,
}

impl Default for Host {
    fn default() -> Self {
        Host::new(Grants::default(), PathBuf::new())
    }
}

impl Host {
    /// A gate that grants this; relative paths are taken from `root`.
    pub fn new(grants: Grants, root: PathBuf) -> Self {
        let placed = |paths: Vec<PathBuf>| paths.iter().filter_map(|p| place::of_grant(&root, p)).collect();
        Host {
            fs_read: placed(grants.fs_read),
            fs_write: placed(grants.fs_write),
            net: Arc::new(net::Net::new(grants.net)),
            command: grants.command,
            env: grants.env,
            started: Instant::now(),
            random: chance::Random::default(),
            root,
        }
    }

    /// How long this host has been there: it never goes back.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Whether a kind of permission (`fs_read`) is granted at all, and, where `what` is known, whether that is within it.
    /// Of a pattern, the folder that it starts from is looked at.
    pub fn allows(&self, kind: &str, what: Option<&str>) -> bool {
        let granted = match kind {
            "fs_read" => &self.fs_read,
            "fs_write" => &self.fs_write,
            "net" => return self.net.allows(what),
            "command" => return names(&self.command, what),
            "env" => return names(&self.env, what),
            _ => return false,
        };
        match what {
            None => !granted.is_empty(),
            Some(path) => place::of(&self.root, place::fixed_part(path)).is_ok_and(|p| p.is_within(granted)),
        }
    }
}

/// Whether a list of names, and of beginnings that end with `*`, has this one, or any at all.
fn names(granted: &[String], what: Option<&str>) -> bool {
    match what {
        None => !granted.is_empty(),
        Some(name) => granted.iter().any(|g| match g.strip_suffix('*') {
            Some(start) => name.starts_with(start),
            None => g == name,
        }),
    }
}

/// The flag of the command line that grants a kind of permission: `--allow-fs-read=out`, `--allow-net=example.org:443`
/// for a URL.
pub fn flag(kind: &str, what: &str) -> String {
    format!("--allow-{}={}", kind.replace('_', "-"), grant(kind, what))
}

/// What grants something of a kind: of a URL its host, else itself.
pub fn grant(kind: &str, what: &str) -> String {
    let host = if kind == "net" { net::grant_of(what) } else { None };
    host.unwrap_or_else(|| what.to_owned())
}
