//! Exit statuses.

/// How a command ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// It is done.
    Done,
    /// The run failed, or files are not as they should be (`fmt --check`).
    Failed,
    /// The program, its inputs, its permissions or the command line are wrong.
    Wrong,
    /// Something that is needed is missing: a secret, a pack, a native.
    Missing,
    /// A bug in `ntl`.
    Internal,
    /// The user stopped it.
    Cancelled,
}

impl Exit {
    /// What the process gives back.
    pub fn status(self) -> i32 {
        match self {
            Exit::Done => 0,
            Exit::Failed => 1,
            Exit::Wrong => 2,
            Exit::Missing => 3,
            Exit::Internal => 4,
            Exit::Cancelled => 130,
        }
    }
}
