//! What differs from run to run: the clock and random numbers.

use crate::Host;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

/// A sequence of random numbers (splitmix64): the same for the same seed. Not for secrets.
#[derive(Debug)]
pub(crate) struct Random(AtomicU64);

impl Random {
    /// The sequence of a seed.
    pub(crate) fn new(seed: u64) -> Self {
        Random(AtomicU64::new(seed))
    }

    fn next(&self) -> u64 {
        const STEP: u64 = 0x9e37_79b9_7f4a_7c15;
        let mut z = self.0.fetch_add(STEP, Ordering::Relaxed).wrapping_add(STEP);
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}

/// A seed that is another one each time.
impl Default for Random {
    fn default() -> Self {
        Random::new(RandomState::new().build_hasher().finish())
    }
}

impl Host {
    /// The same host, whose random numbers are those of a seed.
    pub fn seeded(mut self, seed: u64) -> Self {
        self.random = Random::new(seed);
        self
    }

    /// A random number: each `u64` is as likely.
    pub fn random(&self) -> u64 {
        self.random.next()
    }

    /// Waits.
    pub async fn sleep(&self, time: std::time::Duration) {
        tokio::time::sleep(time).await;
    }

    /// Nanoseconds since 1970-01-01T00:00:00Z.
    #[expect(clippy::disallowed_methods, reason = "the one place that looks at the clock")]
    pub fn now(&self) -> i64 {
        match SystemTime::now().duration_since(UNIX_EPOCH) {
            Ok(since) => i64::try_from(since.as_nanos()).unwrap_or(i64::MAX),
            Err(before) => i64::try_from(before.duration().as_nanos()).map_or(i64::MIN, |n| -n),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::Host;

    #[test]
    fn a_seed_gives_a_sequence() {
        // The reference sequence of splitmix64 for this seed.
        let host = Host::default().seeded(1_234_567);
        let drawn = [host.random(), host.random(), host.random()];
        assert_eq!(drawn, [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]);
        assert_ne!(Host::default().random(), Host::default().random());
    }
}
