//! The real binary, as a user starts it.

use serde_json::Value;
use std::ffi::OsStr;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant, SystemTime};

/// No command of the suites may take longer; debug builds on a busy machine are slow.
const LIMIT: Duration = Duration::from_secs(120);

/// What a command did.
#[derive(Debug)]
pub struct Output {
    /// Its exit status; -1 if a signal ended it.
    pub status: i32,
    /// Its standard output.
    pub stdout: String,
    /// Its standard error.
    pub stderr: String,
}

impl Output {
    /// The one JSON document on standard output.
    pub fn json(&self) -> Result<Value, String> {
        serde_json::from_str(&self.stdout).map_err(|e| {
            format!(
                "stdout is not one JSON document ({e}), exit status {}:\n{}{}",
                self.status, self.stdout, self.stderr
            )
        })
    }
}

/// Runs `ntl` in a folder without input.
pub fn ntl<S: AsRef<OsStr>>(folder: &Path, args: impl IntoIterator<Item = S>) -> Output {
    ntl_given(folder, args, b"")
}

/// Runs `ntl` in a folder, given something on standard input.
pub fn ntl_given<S: AsRef<OsStr>>(folder: &Path, args: impl IntoIterator<Item = S>, input: &[u8]) -> Output {
    let mut command = Command::new(binary());
    command.args(args).current_dir(folder).env("NO_COLOR", "1");
    finish(command, input)
}

/// Runs a command to its end, or to the time limit.
pub fn finish(mut command: Command, input: &[u8]) -> Output {
    let start = Instant::now();
    let child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let mut child = match child {
        Ok(child) => child,
        Err(e) => {
            return Output { status: -1, stdout: String::new(), stderr: format!("{command:?}: {e}") };
        }
    };
    if let Some(mut stdin) = child.stdin.take() {
        // A command that does not read its input closes it.
        let _ = stdin.write_all(input);
    }
    let (stdout, stderr) = (drain(child.stdout.take()), drain(child.stderr.take()));
    let status = loop {
        match child.try_wait() {
            Ok(Some(status)) => break status.code().unwrap_or(-1),
            Ok(None) if start.elapsed() < LIMIT => std::thread::sleep(Duration::from_millis(2)),
            _ => {
                let _ = child.kill();
                let _ = child.wait();
                break -1;
            }
        }
    };
    let text = |reader: std::thread::JoinHandle<Vec<u8>>| {
        String::from_utf8_lossy(&reader.join().unwrap_or_default()).into_owned()
    };
    let mut output = Output { status, stdout: text(stdout), stderr: text(stderr) };
    if start.elapsed() >= LIMIT {
        output.stderr.push_str(&format!("\nran longer than {} s\n", LIMIT.as_secs()));
    }
    output
}

fn drain(stream: Option<impl Read + Send + 'static>) -> std::thread::JoinHandle<Vec<u8>> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut stream) = stream {
            let _ = stream.read_to_end(&mut bytes);
        }
        bytes
    })
}

/// The binary of this build: beside the test's own, built first where the sources are newer. (`cargo test --workspace`
/// builds it before any test; this is for those who test one crate.)
pub fn binary() -> &'static Path {
    static BINARY: OnceLock<PathBuf> = OnceLock::new();
    BINARY.get_or_init(|| {
        let profile =
            std::env::current_exe().ok().and_then(|exe| Some(exe.parent()?.parent()?.to_owned())).unwrap_or_default();
        let binary = profile.join(format!("ntl{}", std::env::consts::EXE_SUFFIX));
        let built = binary.metadata().and_then(|m| m.modified()).unwrap_or(SystemTime::UNIX_EPOCH);
        let crates = ["cli", "compiler", "runtime", "stdlib"].map(|folder| crate::root().join(folder));
        if crates.iter().any(|folder| newest(folder) > built) {
            let mut build = Command::new(env!("CARGO"));
            build.args(["build", "--quiet", "--package", "ntl"]).current_dir(crate::root());
            if profile.ends_with("release") {
                build.arg("--release");
            }
            // If it fails, the tests find no binary or an old one, and its messages are on the terminal.
            let _ = build.status();
        }
        binary
    })
}

/// When a source in a folder changed last.
fn newest(folder: &Path) -> SystemTime {
    let of = |path: &PathBuf| {
        if path.is_dir() {
            return newest(path);
        }
        let is_source = path.extension().is_some_and(|e| e == "rs" || e == "ntl" || e == "md" || e == "toml");
        path.metadata().and_then(|m| m.modified()).ok().filter(|_| is_source).unwrap_or(SystemTime::UNIX_EPOCH)
    };
    crate::entries(folder).iter().map(of).max().unwrap_or(SystemTime::UNIX_EPOCH)
}
