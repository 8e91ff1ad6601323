//! Lowers a checked workflow to a plan.

use ntl_plan::Plan;
use ntl_semantic::{Db, Def, Diagnostic};

/// Lowers a workflow whose files have no errors. What this version cannot lower is told as diagnostics.
pub fn lower(db: &dyn Db, workflow: &Def) -> Result<Plan, Vec<Diagnostic>> {
    let _ = (db, workflow);
    Err(Vec::new())
}
