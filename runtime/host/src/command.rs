//! Commands of the system. No shell reads them: a command is a program and its arguments.

use crate::{Host, Refusal, flag, names};
use std::io;
use std::process::Stdio;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWriteExt as _};

/// What of the environment a command is given, beside the variables that are granted: what programs need to work at all.
const BASIC: &[&str] =
    &["PATH", "HOME", "USER", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR", "TMP", "TEMP", "SystemRoot"];

/// A command.
#[derive(Clone, Debug, Default)]
pub struct Command {
    /// The program: a name that is looked up in `PATH`, or a path.
    pub name: String,
    /// Its arguments.
    pub args: Vec<String>,
    /// What it reads from its standard input.
    pub input: Vec<u8>,
    /// How long it may take.
    pub timeout: Duration,
    /// How many bytes it may print, on each of its two outputs.
    pub limit: usize,
}

/// How a command ended.
#[derive(Clone, Debug, PartialEq)]
pub struct Ended {
    /// Its exit status; 128 and the signal where one ended it.
    pub code: i32,
    /// What it printed on its standard output.
    pub out: Vec<u8>,
    /// What it printed on its standard error.
    pub err: Vec<u8>,
}

impl Host {
    /// Runs a command to its end, in the host's folder. Dropping the future ends it, and what it started.
    pub async fn run(&self, command: Command) -> Result<Ended, Refusal> {
        let name = &command.name;
        if !names(&self.command, Some(name)) {
            let message =
                format!("the command {name:?} may not be run: nothing grants it; `{}` would", flag("command", name));
            return Err(Refusal::new("permission", message).asking("command", name));
        }
        if command.args.iter().chain([name]).any(|text| text.contains('\0')) || name.is_empty() {
            return Err(Refusal::new("invalid", format!("{name:?} is no command")));
        }
        let mut process = tokio::process::Command::new(name);
        process.args(&command.args).env_clear().envs(std::env::vars_os().filter(|(variable, _)| {
            variable.to_str().is_some_and(|v| BASIC.contains(&v) || names(&self.env, Some(v)))
        }));
        process.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
        if !self.root.as_os_str().is_empty() {
            process.current_dir(&self.root);
        }
        // A group of its own, so that what it starts can be ended with it.
        #[cfg(unix)]
        process.process_group(0);
        let mut child = process.spawn().map_err(|e| match e.kind() {
            io::ErrorKind::NotFound => Refusal::new("not_found", format!("there is no command {name:?}")),
            io::ErrorKind::PermissionDenied => {
                Refusal::new("permission", format!("the system does not permit {name:?}"))
            }
            _ => Refusal::new("failed", format!("the command {name:?} cannot be run: {e}")),
        })?;
        let mut group = Group::of(&child);
        let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let feed = async {
            if let Some(mut stdin) = stdin {
                // Many read but the beginning.
                let _ = stdin.write_all(&command.input).await;
            }
            Ok(())
        };
        let work = async {
            let (out, err, ()) = tokio::try_join!(all_of(stdout, command.limit), all_of(stderr, command.limit), feed)?;
            Ok::<_, io::Error>((child.wait().await?, out, err))
        };
        match tokio::time::timeout(command.timeout, work).await {
            Ok(Ok((status, out, err))) => {
                group.release();
                Ok(Ended { code: code(status), out, err })
            }
            Ok(Err(e)) if e.kind() == io::ErrorKind::FileTooLarge => {
                let message = format!("the command {name:?} prints more than {} bytes", command.limit);
                Err(Refusal::new("invalid", message))
            }
            Ok(Err(e)) => Err(Refusal::new("failed", format!("the command {name:?} is lost: {e}"))),
            Err(_) => {
                let message = format!("the command {name:?} has not ended after {:?}", command.timeout);
                Err(Refusal { retryable: true, ..Refusal::new("timeout", message) })
            }
        }
    }
}

/// All that comes, up to a limit.
async fn all_of(from: Option<impl AsyncRead + Unpin>, limit: usize) -> io::Result<Vec<u8>> {
    let mut all = Vec::new();
    if let Some(from) = from {
        let most = u64::try_from(limit).unwrap_or(u64::MAX).saturating_add(1);
        from.take(most).read_to_end(&mut all).await?;
    }
    if all.len() > limit { Err(io::ErrorKind::FileTooLarge.into()) } else { Ok(all) }
}

fn code(status: std::process::ExitStatus) -> i32 {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return 128 + signal;
    }
    status.code().unwrap_or(-1)
}

/// A command's group of processes, by the number of its first one: they end when it is dropped.
struct Group(Option<u32>);

impl Group {
    fn of(child: &tokio::process::Child) -> Self {
        Group(child.id())
    }

    /// The command has ended by itself: its number may soon be another's.
    fn release(&mut self) {
        self.0 = None;
    }
}

#[cfg(unix)]
impl Drop for Group {
    fn drop(&mut self) {
        use rustix::process::{Pid, Signal, kill_process_group};
        if let Some(pid) = self.0.and_then(|id| Pid::from_raw(i32::try_from(id).ok()?)) {
            let _ = kill_process_group(pid, Signal::KILL);
        }
    }
}
