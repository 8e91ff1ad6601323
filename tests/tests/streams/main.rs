//! Random programs of streams, run by what runs programs, and what must come of them by a plain reading of the language:
//! the same with every window, in every order, however long natives take.
//!
//! `NTL_STREAM_PROGRAMS=2000` runs so many of them, `NTL_STREAM_FIRST=7` from that one on.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on has failed")]
#![expect(clippy::disallowed_methods, reason = "how much is tested is told from outside")]

mod model;
mod program;

use model::Model;
use ntl_engine::native::{Cx, Native, NativeFn, NativeFuture, Natives};
use ntl_engine::{Event, Fault, Options, Prepared, Value, json};
use ntl_host::{Grants, Host};
use ntl_plan::Plan;
use ntl_project::{Memory, load};
use ntl_semantic::query::{defs, file_diagnostics};
use ntl_semantic::{RootDb, Severity};
use program::Program;
use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Programs of a usual run.
const PROGRAMS: u64 = 150;

thread_local! {
    static PRINTED: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
    /// How many files were read, how many are being read, and how many were at once.
    static READS: Cell<(u32, u32, u32)> = const { Cell::new((0, 0, 0)) };
    static DELAYS: RefCell<u64> = const { RefCell::new(1) };
}

/// Waits for a while that is different each time, and none at all where there is no seed.
async fn delay() {
    let turns = DELAYS.with_borrow_mut(|state| {
        *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(u64::from(*state != 0));
        if *state == 0 { 0 } else { 1 + (*state >> 33) % 4 }
    });
    for _ in 0..turns {
        tokio::task::yield_now().await;
    }
}

/// In the place of `fs.read`: its argument, which some numbers are not.
fn read(_: Cx, mut args: Vec<Value>) -> NativeFuture {
    Box::pin(async move {
        let (all, now, most) = READS.get();
        READS.set((all + 1, now + 1, most.max(now + 1)));
        delay().await;
        let (all, now, most) = READS.get();
        READS.set((all, now - 1, most));
        let text = args.remove(0);
        match &text {
            Value::Str(number) if number.parse::<i64>().is_ok_and(model::is_readable) => Ok(text),
            _ => Err(Fault::new("not_found", "there is no such file")),
        }
    })
}

/// In the place of `print`.
fn print(_: Cx, mut args: Vec<Value>) -> NativeFuture {
    Box::pin(async move {
        delay().await;
        let text = json::to_json(&args.remove(0)).to_string();
        PRINTED.with_borrow_mut(|lines| lines.push(text));
        Ok(Value::Null)
    })
}

/// Those of the library, with what waits for the world replaced.
fn natives() -> Natives {
    let io = |id, run| Native { id, run: NativeFn::Io(run), stream: None };
    ntl_stdlib::natives().with(&[io("std.fs.read/0@1", read), io("std.core.print/0@1", print)])
}

/// The plan of a program without mistakes.
fn compile(source: &str) -> Plan {
    let mut db = RootDb::default();
    let files = Memory::default().with("main.ntl", source);
    let file = load(&mut db, &files, Path::new("main.ntl")).unwrap_or_else(|e| panic!("{}", e.message)).root;
    let diagnostics = file_diagnostics(&db, file);
    let errors: Vec<_> = diagnostics.iter().filter(|d| d.severity == Severity::Error).collect();
    assert!(errors.is_empty(), "{errors:?}\n{source}");
    let main = defs(&db, file).into_iter().find(|def| def.name == "main").unwrap();
    ntl_lower::lower(&db, &main).unwrap_or_else(|e| panic!("{e:?}\n{source}"))
}

/// What comes of a program: outputs, failed steps with their keys, printed lines.
#[derive(Debug, PartialEq)]
struct Came {
    outputs: Vec<(String, String)>,
    failed: BTreeSet<String>,
    printed: Vec<String>,
}

fn ran(plan: &Arc<Plan>, runtime: &tokio::runtime::Runtime, options: Options, delays: u64) -> (Came, Vec<String>) {
    PRINTED.take();
    DELAYS.set(delays);
    let mut grants = Grants::default();
    grants.fs_read.push(PathBuf::from("."));
    let host = Arc::new(Host::new(grants, PathBuf::from(".")));
    let prepared = Prepared::new(plan.clone(), &[], &host, &natives()).unwrap_or_else(|e| panic!("{e:?}"));
    let (sender, grown) = std::sync::mpsc::channel();
    let events = Box::new(move |event: Event| {
        if let Event::WindowGrown { step, .. } = event {
            drop(sender.send(step.to_string()));
        }
    });
    let outcome = runtime.block_on(ntl_engine::run(prepared, host, options, events));
    let failed = outcome.errors.iter().map(|e| {
        let binding = e.step.split('/').nth(1).unwrap_or_default();
        if e.fault.code == "internal" {
            return e.fault.message.clone();
        }
        format!("{binding} {:?}", e.key)
    });
    let failed: BTreeSet<_> = failed.collect();
    assert_eq!(failed.len(), outcome.errors.len(), "each is told once");
    let outputs = outcome.outputs.iter().map(|(name, value)| (name.to_string(), json::to_json(value).to_string()));
    let mut printed = PRINTED.take();
    printed.sort();
    (Came { outputs: outputs.collect(), failed, printed }, grown.iter().collect())
}

fn check(seed: u64, runtime: &tokio::runtime::Runtime) -> Came {
    let program = Program::random(seed);
    let source = program.source();
    let plan = Arc::new(compile(&source));
    let model = Model::of(&program);
    let mut printed = model.printed();
    printed.sort();
    let (outputs, failed) = model.outputs();
    let right = Came { outputs, failed, printed };
    for (window, shuffle, delays) in [
        (0, None, 0),
        (1, None, 0),
        (1, Some(seed), seed + 1),
        (2, Some(seed + 7), seed),
        (1024, Some(seed + 9), seed + 3),
    ] {
        let options = Options { window, shuffle, ..Options::default() };
        let (came, grown) = ran(&plan, runtime, options, delays);
        let how = format!("seed {seed}, window {window}, shuffled {shuffle:?}\n{source}\n{}", plan.dump());
        assert_eq!(came, right, "{how}");
        assert_eq!(grown, Vec::<String>::new(), "{how}");
    }
    right
}

#[test]
fn programs_of_streams_mean_what_they_say() {
    let number = |name: &str| std::env::var(name).ok().and_then(|n| n.parse().ok());
    let (count, first) = (number("NTL_STREAM_PROGRAMS").unwrap_or(PROGRAMS), number("NTL_STREAM_FIRST").unwrap_or(0));
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let (mut with_failures, mut with_prints) = (0, 0);
    for seed in first..first + count {
        let right = check(seed, &runtime);
        with_failures += u64::from(!right.failed.is_empty());
        with_prints += u64::from(!right.printed.is_empty());
    }
    // They must be worth running.
    assert!(with_failures * 8 > count && with_failures * 10 < count * 9, "{with_failures} of {count} fail");
    assert!(with_prints * 5 > count, "{with_prints} of {count} print");
}

/// How often a program reads, and how often at once.
fn reads(body: &str) -> (u32, u32) {
    let source = format!("use std.fs\n\nworkflow main() -> list[int] {{\n  x = each(range(500))\n{body}\n}}\n");
    let plan = Arc::new(compile(&source));
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    READS.set((0, 0, 0));
    let (came, grown) = ran(&plan, &runtime, Options::default(), 5);
    assert!(came.failed.is_empty() && grown.is_empty(), "{came:?}");
    let (all, _, most) = READS.get();
    (all, most)
}

#[test]
fn take_stops_what_lies_upstream_of_it() {
    assert_eq!(reads("  y = int(fs.read(\"{x * 5}\"))\n  collect(take(y, 3))"), (3, 3));
    // In two steps, of items that are dropped, too: those are made up for.
    let (all, most) =
        reads("  y = int(fs.read(\"{x * 5}\"))\n  b = batch(filter(y, y % 2 == 0), 2)\n  collect(sum(take(b, 2)))");
    assert!((7..=9).contains(&all) && most <= 2, "{all} {most}");
    // Another needs all.
    let (all, _) = reads("  y = int(fs.read(\"{x * 5}\"))\n  collect(take(y, 3)) ++ [count(y)]");
    assert_eq!(all, 500);
}
