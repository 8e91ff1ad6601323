//! Compiles and runs texts.

use ntl_engine::{Event, Options, Prepared, run};
use ntl_host::{Grants, Host};
use ntl_lower::lower;
use ntl_plan::Plan;
use ntl_project::{Memory, load};
use ntl_semantic::query::{defs, file_diagnostics, signature};
use ntl_semantic::{Diagnostic, RootDb, Severity};
use ntl_syntax::ast::CallableKind;
use serde_json::{Map, Value};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

/// The plan of a text's last workflow, or why there is none.
pub fn lowered(text: &str) -> Result<Plan, Vec<Diagnostic>> {
    let mut db = RootDb::default();
    let files = Memory::default().with("main.ntl", text);
    let root = load(&mut db, &files, Path::new("main.ntl")).expect("loads").root;
    let errors: Vec<_> =
        file_diagnostics(&db, root).into_iter().filter(|d| d.severity == Severity::Error).map(|d| d.message).collect();
    assert!(errors.is_empty(), "{errors:#?}\n{text}");
    let is_workflow = |def: &_| signature(&db, def).is_some_and(|sig| sig.kind == CallableKind::Workflow);
    let workflow = defs(&db, root).into_iter().rfind(is_workflow).expect("a workflow");
    lower(&db, &workflow)
}

/// What a run of the last workflow gave.
pub struct Ran {
    /// By name.
    pub outputs: Value,
    /// Code, line and key of each error, in order of line and key.
    pub errors: Vec<(String, u32, Vec<u64>)>,
    /// What it logged.
    pub log: Vec<String>,
}

/// Runs the last workflow.
pub fn ran(text: &str) -> Ran {
    // An item begins where its line does.
    let plan = lowered(&text.replace("\n         ", "\n")).unwrap_or_else(|errors| panic!("{errors:#?}"));
    let plan = Arc::new(plan);
    let host = Arc::new(Host::new(Grants::default(), PathBuf::new()));
    let natives = ntl_stdlib::natives();
    let prepared = Prepared::new(plan, &[], &host, &natives).unwrap_or_else(|(errors, _)| panic!("{errors:#?}"));
    let log = Arc::new(Mutex::new(Vec::new()));
    let sink = log.clone();
    let events = Box::new(move |event| {
        if let Event::Log { message, level: "info", .. } = event {
            sink.lock().expect("one thread").push(message);
        }
    });
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let outcome = runtime.block_on(run(prepared, host, Options::default(), events));
    let outputs: Map<String, Value> =
        outcome.outputs.iter().map(|(name, value)| (name.to_string(), ntl_engine::json::to_json(value))).collect();
    let mut errors: Vec<_> = outcome
        .errors
        .iter()
        .map(|e| (e.fault.code.to_string(), e.span.map_or(0, |span| span.line), e.key.clone()))
        .collect();
    errors.sort_by(|a, b| (a.1, &a.2).cmp(&(b.1, &b.2)));
    let log = log.lock().expect("one thread").clone();
    Ran { outputs: Value::Object(outputs), errors, log }
}
