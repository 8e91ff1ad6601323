//! Programs and the plans that they become.

use ntl_lower::lower;
use ntl_plan::Plan;
use ntl_project::{Memory, load};
use ntl_semantic::query::{defs, file_diagnostics, signature};
use ntl_semantic::{Diagnostic, RootDb, Severity};
use ntl_syntax::ast::CallableKind;
use std::path::Path;

/// The plan of a text's last workflow.
fn plan_of(text: &str) -> Result<Plan, Vec<Diagnostic>> {
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

fn snapshot(name: &str, text: &str) {
    let plan = plan_of(text).unwrap_or_else(|errors| panic!("{errors:#?}"));
    assert_eq!(ntl_plan::read(&ntl_plan::write(&plan)).as_ref(), Ok(&plan));
    assert_eq!(plan_of(text).map(|again| ntl_plan::write(&again)), Ok(ntl_plan::write(&plan)), "the same bytes");
    insta::with_settings!({ omit_expression => true, prepend_module_to_snapshot => false }, {
        insta::assert_snapshot!(name, format!("{text}\n{}", plan.dump()));
    });
}

macro_rules! snapshots {
    ($($name:ident)*) => {$(
        #[test]
        fn $name() {
            snapshot(stringify!($name), include_str!(concat!("plans/", stringify!($name), ".ntl")));
        }
    )*};
}

snapshots! { hello lazy failures workflows streams order code functions ids }

#[test]
fn loops() {
    snapshot("for", include_str!("plans/for.ntl"));
}

#[test]
fn arms() {
    snapshot("match", include_str!("plans/match.ntl"));
}
