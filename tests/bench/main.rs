//! The numbers that the project cares about: `cargo xtask bench [FILTER]` builds what is needed and prints them.
//!
//! Each row is the median of several runs, with the least and the most, next to something for scale.
#![expect(
    clippy::print_stdout,
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "a measurement that fails is to stop"
)]

mod check;
mod edit;
mod parse;
mod startup;

use std::time::{Duration, Instant};

/// A row of the table.
struct Row {
    name: String,
    /// Sorted.
    times: Vec<Duration>,
}

fn main() {
    // `cargo bench` says `--bench`; what is left is a filter.
    let filter = std::env::args().skip(1).find(|a| !a.starts_with('-')).unwrap_or_default();
    let mut table = Table { filter, rows: Vec::new() };
    println!("{:<44} {:>11} {:>11} {:>11} {:>7}  ratio", "what", "median", "least", "most", "MB/s");
    parse::measure(&mut table);
    edit::measure(&mut table);
    check::measure(&mut table);
    startup::measure(&mut table);
}

struct Table {
    filter: String,
    rows: Vec<Row>,
}

impl Table {
    fn wants(&self, group: &str) -> bool {
        group.contains(&self.filter)
    }

    /// Does something `runs` times, once more to warm up, and prints how long it took. `bytes` are worked on each time, for
    /// a throughput; `than` is an earlier row to be compared with.
    fn row(&mut self, name: &str, runs: usize, bytes: usize, than: Option<&str>, mut work: impl FnMut() -> Duration) {
        work();
        self.cold_row(name, runs, bytes, than, work);
    }

    /// The same without the warming up.
    fn cold_row(
        &mut self,
        name: &str,
        runs: usize,
        bytes: usize,
        than: Option<&str>,
        mut work: impl FnMut() -> Duration,
    ) {
        let mut times: Vec<Duration> = (0..runs).map(|_| work()).collect();
        times.sort();
        let row = Row { name: name.to_owned(), times };
        let ms = |d: Duration| format!("{:.3} ms", d.as_secs_f64() * 1e3);
        let median = row.median();
        let speed = if bytes > 0 { format!("{:.1}", bytes as f64 / 1e6 / median.as_secs_f64()) } else { String::new() };
        let base = than.and_then(|than| self.rows.iter().find(|r| r.name == than));
        let ratio = base.map(|b| format!("{:.2} × {}", median.as_secs_f64() / b.median().as_secs_f64(), b.name));
        let (least, most) = (row.times[0], row.times[row.times.len() - 1]);
        println!(
            "{name:<44} {:>11} {:>11} {:>11} {speed:>7}  {}",
            ms(median),
            ms(least),
            ms(most),
            ratio.unwrap_or_default()
        );
        self.rows.push(row);
    }
}

impl Row {
    fn median(&self) -> Duration {
        self.times[self.times.len() / 2]
    }
}

/// How long something takes; what it gives is not optimised away.
fn timed<T>(work: impl FnOnce() -> T) -> Duration {
    let start = Instant::now();
    let result = work();
    let took = start.elapsed();
    std::hint::black_box(result);
    took
}
