//! How a run is told to stop.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tokio::sync::Notify;

/// A handle that stops a run; clones stop the same one.
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<State>);

#[derive(Debug, Default)]
struct State {
    set: Arc<AtomicBool>,
    told: Notify,
}

impl Cancel {
    /// A handle that is not used yet.
    pub fn new() -> Self {
        Cancel::default()
    }

    /// Tells the run to stop: nothing new starts, what waits for the world is dropped, what blocks a thread has 5 s.
    pub fn cancel(&self) {
        self.0.set.store(true, Ordering::Relaxed);
        self.0.told.notify_waiters();
    }

    /// Whether it was told.
    pub fn is_cancelled(&self) -> bool {
        self.0.set.load(Ordering::Relaxed)
    }

    /// Waits until it is told.
    pub async fn cancelled(&self) {
        let told = self.0.told.notified();
        if !self.is_cancelled() {
            told.await;
        }
    }

    /// The flag, for code that cannot wait.
    pub(crate) fn flag(&self) -> Arc<AtomicBool> {
        self.0.set.clone()
    }
}
