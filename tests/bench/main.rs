//! The numbers that the project cares about: `cargo xtask bench [FILTER]` builds what is needed, measures with criterion, and
//! prints a table: medians, next to something for scale.
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

use criterion::{Criterion, Throughput};
use std::path::Path;
use std::time::{Duration, Instant};

/// Where criterion keeps what it has measured.
const RESULTS: &str = concat!(env!("CARGO_TARGET_TMPDIR"), "/criterion");

fn main() {
    // `cargo bench` says `--bench`; what is left is a filter.
    let filter = std::env::args().skip(1).find(|a| !a.starts_with('-')).unwrap_or_default();
    let criterion = Criterion::default()
        .output_directory(Path::new(RESULTS))
        .without_plots()
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(2))
        .configure_from_args();
    let mut table = Table { filter, criterion, rows: Vec::new() };
    parse::measure(&mut table);
    edit::measure(&mut table);
    check::measure(&mut table);
    startup::measure(&mut table);
    table.print();
}

/// Something to measure.
struct Row {
    name: &'static str,
    /// How often it is measured, at least 10 times.
    samples: usize,
    /// How many bytes are worked on each time, for a throughput.
    bytes: usize,
    /// An earlier row to be compared with.
    than: Option<&'static str>,
}

struct Table {
    filter: String,
    criterion: Criterion,
    /// What was measured.
    rows: Vec<Row>,
}

impl Table {
    /// Whether any row of a group may be asked for.
    fn wants(&self, group: &str) -> bool {
        self.filter.contains(group) || group.contains(&self.filter)
    }

    /// Measures something that tells how long it took.
    fn row(&mut self, row: Row, mut work: impl FnMut() -> Duration) {
        let mut group = self.criterion.benchmark_group("numbers");
        group.sample_size(row.samples);
        if row.bytes > 0 {
            group.throughput(Throughput::Bytes(row.bytes as u64));
        }
        group.bench_function(row.name, |bencher| bencher.iter_custom(|times| (0..times).map(|_| work()).sum()));
        group.finish();
        if row.name.contains(&self.filter) {
            self.rows.push(row);
        }
    }

    fn print(self) {
        self.criterion.final_summary();
        println!("\n{:<52} {:>11} {:>11} {:>11} {:>7}  ratio", "what", "median", "from", "to", "MB/s");
        for row in &self.rows {
            let [median, from, to] = estimate(row.name);
            let ms = |ns: f64| format!("{:.3} ms", ns / 1e6);
            let speed = if row.bytes > 0 { format!("{:.1}", row.bytes as f64 / median * 1e3) } else { String::new() };
            let than = row.than.filter(|than| self.rows.iter().any(|row| row.name == *than));
            let ratio = than.map(|than| format!("{:.2} × {than}", median / estimate(than)[0])).unwrap_or_default();
            println!("{:<52} {:>11} {:>11} {:>11} {speed:>7}  {ratio}", row.name, ms(median), ms(from), ms(to));
        }
    }
}

/// The median of what was measured, in nanoseconds, and between which it probably lies.
fn estimate(name: &str) -> [f64; 3] {
    let folder = name.replace(['/', '?', '"', '\\', ':', '*', '<', '>', '|'], "_");
    let text =
        std::fs::read_to_string(Path::new(RESULTS).join("numbers").join(folder).join("new/estimates.json")).unwrap();
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    let median = &json["median"];
    let interval = &median["confidence_interval"];
    [&median["point_estimate"], &interval["lower_bound"], &interval["upper_bound"]].map(|n| n.as_f64().unwrap())
}

/// How long something takes; what it gives is not optimised away.
fn timed<T>(work: impl FnOnce() -> T) -> Duration {
    let start = Instant::now();
    let result = work();
    let took = start.elapsed();
    std::hint::black_box(result);
    took
}
