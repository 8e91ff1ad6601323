//! Natives that wait for the world: started within bounds, tried again, timed.

use super::Scheduler;
use super::slot::At;
use crate::native::{Cx, NativeFn, NativeResult};
use crate::value::{Fault, Value, units};
use ntl_plan::NativeId;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};
use std::time::Duration;
use tokio::task::AbortHandle;

/// How many external calls of a run are running at once.
pub(super) const EXTERNAL: u32 = 32;
/// The first pause before another try, and the longest one.
const BACKOFF: i64 = 500_000_000;
const LONGEST_BACKOFF: i64 = 30_000_000_000;
/// How long a cancelled run waits for what cannot be dropped.
const GRACE: Duration = Duration::from_secs(5);

/// Permits for external calls.
pub(super) struct Pool {
    limit: u32,
    running: u32,
    queue: VecDeque<At>,
}

impl Pool {
    pub fn new(limit: u32) -> Self {
        Pool { limit, running: 0, queue: VecDeque::new() }
    }
}

/// A native that was started, waits for a permit, or for its next try.
pub(super) struct Running {
    native: NativeId,
    run: NativeFn,
    args: Vec<Value>,
    /// From 1.
    attempt: u32,
    /// What drops it, where it can be dropped.
    task: Option<AbortHandle>,
    /// It blocks a thread until it ends.
    blocks: bool,
}

/// What arrives from outside.
pub(super) enum Message {
    /// A native has ended.
    Ended(At, NativeResult),
    /// The pause before another try is over.
    Again(At),
    /// A line of the log.
    Log(At, String),
}

type Work = Pin<Box<dyn Future<Output = NativeResult> + Send>>;

impl Scheduler<'_> {
    /// Starts a native, now or when there is a permit.
    pub(super) fn start_native(&mut self, at: At, native: NativeId, run: NativeFn) {
        let args = self.op(at).inputs.iter().map(|input| self.value_of(at.inst, *input)).collect();
        self.running.insert(at, Running { native, run, args, attempt: 1, task: None, blocks: false });
        self.ran += 1;
        self.permit(at);
    }

    fn permit(&mut self, at: At) {
        let pool = &mut self.pools[self.instances[at.inst as usize].pool as usize];
        if pool.running < pool.limit {
            pool.running += 1;
            self.launch(at);
        } else {
            pool.queue.push_back(at);
        }
    }

    /// Gives a permit back, to the next who waits for one.
    fn give_back(&mut self, at: At) {
        let pool = &mut self.pools[self.instances[at.inst as usize].pool as usize];
        match pool.queue.pop_front() {
            Some(next) => self.launch(next),
            None => pool.running -= 1,
        }
    }

    fn launch(&mut self, at: At) {
        let Some(running) = self.running.get(&at) else { return };
        let (run, args, attempt) = (running.run, running.args.clone(), running.attempt);
        self.trace_started(at, attempt);
        let sender = self.sender.clone();
        let log: Arc<dyn Fn(&str) + Send + Sync> = {
            let sender = sender.clone();
            Arc::new(move |line| drop(sender.send(Message::Log(at, line.to_owned()))))
        };
        let cx = Cx { host: self.host.clone(), log };
        let timeout = self.op(at).policy.timeout.map(|n| u64::try_from(n).unwrap_or(0));
        let (task, blocks) = match run {
            NativeFn::Io(start) => {
                let mut work = guarded(cx, args, start);
                // Much ends at once: a line of the log, the time. That needs no task.
                if let Poll::Ready(result) = work.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
                    let _ = sender.send(Message::Ended(at, result));
                    return;
                }
                let task = async move {
                    let result = match timeout {
                        Some(nanoseconds) => {
                            let bounded = tokio::time::timeout(Duration::from_nanos(nanoseconds), work).await;
                            bounded.unwrap_or_else(|_| Err(too_long(nanoseconds)))
                        }
                        None => work.await,
                    };
                    let _ = sender.send(Message::Ended(at, result));
                };
                (Some(tokio::spawn(task).abort_handle()), false)
            }
            NativeFn::Blocking(run) => {
                let work =
                    move || catch_unwind(AssertUnwindSafe(|| run(cx, args))).unwrap_or_else(|e| Err(Fault::caught(e)));
                match timeout {
                    None => {
                        let work = move || drop(sender.send(Message::Ended(at, work())));
                        drop(tokio::task::spawn_blocking(work));
                        (None, true)
                    }
                    Some(nanoseconds) => {
                        let work = tokio::task::spawn_blocking(work);
                        let task = async move {
                            let result = match tokio::time::timeout(Duration::from_nanos(nanoseconds), work).await {
                                Ok(Ok(result)) => result,
                                Ok(Err(e)) => Err(Fault::new("internal", e.to_string())),
                                Err(_) => Err(too_long(nanoseconds)),
                            };
                            let _ = sender.send(Message::Ended(at, result));
                        };
                        (Some(tokio::spawn(task).abort_handle()), false)
                    }
                }
            }
            NativeFn::Pure(_) => {
                let _ = sender.send(Message::Ended(at, Err(Fault::new("internal", "a pure native out of place"))));
                (None, false)
            }
        };
        if let Some(running) = self.running.get_mut(&at) {
            (running.task, running.blocks) = (task, blocks);
        }
    }

    /// Takes what has arrived.
    pub(super) fn receive(&mut self, message: Option<Message>) {
        match message {
            Some(Message::Log(at, line)) => self.log("info", Some(at), line),
            Some(Message::Again(at)) => self.permit(at),
            Some(Message::Ended(at, result)) => self.native_ended(at, result),
            None => {}
        }
    }

    fn native_ended(&mut self, at: At, result: NativeResult) {
        let Some(running) = self.running.get_mut(&at) else { return };
        let policy =
            &self.program.plan.regions[self.instances[at.inst as usize].region.at()].ops[at.op as usize].policy;
        if let Err(fault) = &result
            && fault.retryable
            && running.attempt <= policy.retry.unwrap_or(0)
        {
            let asked = fault.retry_after.and_then(|n| u64::try_from(n).ok()).map(Duration::from_nanos);
            let pause = pause(policy.backoff, running.attempt, self.host.random()).max(asked.unwrap_or_default());
            running.attempt += 1;
            let sender = self.sender.clone();
            let wait = async move {
                tokio::time::sleep(pause).await;
                let _ = sender.send(Message::Again(at));
            };
            running.task = Some(tokio::spawn(wait).abort_handle());
            running.blocks = false;
            return self.give_back(at);
        }
        let Some(Running { native, args, attempt, .. }) = self.running.remove(&at) else { return };
        self.give_back(at);
        let result = result.map_err(|fault| self.failure(at, fault, Some((native, args)), attempt));
        self.complete(at, result);
    }

    /// Stops what runs outside: what can be dropped is; the rest has some seconds.
    pub(super) async fn stop(&mut self) {
        self.running.retain(|_, running| {
            if let Some(task) = &running.task {
                task.abort();
            }
            running.blocks
        });
        let deadline = tokio::time::Instant::now() + GRACE;
        while !self.running.is_empty() {
            match tokio::time::timeout_at(deadline, self.receiver.recv()).await {
                Ok(Some(Message::Ended(at, _))) => drop(self.running.remove(&at)),
                Ok(Some(Message::Log(at, line))) => self.log("info", Some(at), line),
                Ok(Some(Message::Again(_))) => {}
                Ok(None) | Err(_) => return,
            }
        }
    }
}

/// The future of a native: one that panics fails.
fn guarded(cx: Cx, args: Vec<Value>, start: fn(Cx, Vec<Value>) -> crate::native::NativeFuture) -> Work {
    let mut future = match catch_unwind(AssertUnwindSafe(|| start(cx, args))) {
        Ok(future) => future,
        Err(payload) => return Box::pin(std::future::ready(Err(Fault::caught(payload)))),
    };
    Box::pin(std::future::poll_fn(move |context| {
        catch_unwind(AssertUnwindSafe(|| future.as_mut().poll(context)))
            .unwrap_or_else(|payload| Poll::Ready(Err(Fault::caught(payload))))
    }))
}

fn too_long(nanoseconds: u64) -> Fault {
    let limit = units::duration_text(i64::try_from(nanoseconds).unwrap_or(i64::MAX));
    Fault { retryable: true, ..Fault::new("timeout", format!("it took longer than {limit}")) }
}

/// How long to wait before the next try: at random up to a bound that doubles each time.
fn pause(first: Option<i64>, attempt: u32, random: u64) -> Duration {
    let first = u64::try_from(first.unwrap_or(BACKOFF)).unwrap_or(0);
    let bound = first.saturating_mul(1_u64.checked_shl(attempt - 1).unwrap_or(u64::MAX));
    let bound = bound.min(LONGEST_BACKOFF.unsigned_abs());
    Duration::from_nanos(((u128::from(bound) * u128::from(random)) >> 64) as u64)
}
