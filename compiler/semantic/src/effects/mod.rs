//! What a workflow may touch, found without running it: through the workflows, nodes, prompts and agents that it calls,
//! and the tools of those. The one source of what `ntl effects` lists and of what a run asks permission for.

mod value;

pub use value::What;

use crate::db::{Db, Def, Space};
use crate::diagnostic::Place;
use crate::hir::{Body, Call, Callee, Expr, ExprKind, LocalId, StmtKind};
use crate::hir_walk::{each_expr, each_stmt};
use crate::query::{self, Effect, Signature};
use ntl_syntax::ast::{CallableKind, Span};
use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;
use value::Frame;

/// Something that a workflow may touch.
#[derive(Clone, Debug, PartialEq)]
pub struct Touch {
    /// The kind of permission (`fs_read`, `fs_write`, `net`, `command`, `env`), `secret` or `model`; a limit of a model's
    /// costs (`usd`, `turns`, `tokens`, `time`); of what says nothing more, how far it reaches (`read`, `write`,
    /// `external`).
    pub kind: SmolStr,
    /// Which one.
    pub what: What,
    /// What touches it, as users name it: `fs.read`.
    pub by: SmolStr,
    /// Where.
    pub place: Place,
    /// The calls that lead there from the workflow, outermost first.
    pub calls: Vec<Via>,
}

/// A call on the way.
#[derive(Clone, Debug, PartialEq)]
pub struct Via {
    /// What is called.
    pub name: SmolStr,
    /// Where.
    pub place: Place,
}

/// A callable with what it is given is gone into so often for its own sake; after that each callable once, whatever it is
/// given. What workflows that call each other twice, and those again, would come to has no end.
const MOST: usize = 10_000;

/// The limits of an agent's `budget`.
pub const LIMITS: [&str; 4] = ["usd", "turns", "tokens", "time"];

/// Everything that a workflow may touch, in the order in which it is written. What is touched in several ways is told for
/// each step of the workflow, by the first way there.
pub fn touches(db: &dyn Db, workflow: &Def) -> Vec<Touch> {
    let mut walk = Walk { db, found: Vec::new(), calls: Vec::new(), seen: FxHashSet::default(), left: MOST };
    if let Some(checked) = query::body(db, workflow) {
        let given = checked.body.params.iter().filter_map(|id| {
            let local = checked.body.locals.get(id.0 as usize)?;
            Some((*id, What::Computed(local.name.clone())))
        });
        walk.body(&Frame::new(workflow, &checked.body, given.collect()));
    }
    walk.found
}

struct Walk<'db> {
    db: &'db dyn Db,
    found: Vec<Touch>,
    calls: Vec<Via>,
    /// What has been gone into below the step of the workflow that is being looked at.
    seen: FxHashSet<(Def, Vec<What>)>,
    left: usize,
}

impl<'db> Walk<'db> {
    fn add(&mut self, kind: &str, what: What, by: &SmolStr, place: Place) {
        self.found.push(Touch { kind: kind.into(), what, by: by.clone(), place, calls: self.calls.clone() });
    }

    fn body(&mut self, frame: &Frame<'db>) {
        let body = frame.body;
        each_expr(body, &mut |expr| match &expr.kind {
            ExprKind::Call(call) => self.call(frame, call, expr),
            ExprKind::ConstItem(def) if def.space == Space::Secret => {
                self.add("secret", What::Known(def.name.clone()), &"secret".into(), frame.place(expr.span));
            }
            _ => {}
        });
    }

    fn call(&mut self, frame: &Frame<'db>, call: &'db Call, expr: &Expr) {
        let Callee::Item(def) = &call.callee else { return };
        let Some(signature) = query::signature(self.db, def) else { return };
        match signature.kind {
            CallableKind::Fn => {}
            CallableKind::Node => {
                let args: Vec<What> = call.args.iter().map(|arg| frame.value(self.db, arg)).collect();
                self.node(def, signature, &args, frame.place(expr.span));
            }
            CallableKind::Workflow | CallableKind::Prompt | CallableKind::Agent => {
                let args = call.args.iter().map(|arg| frame.value(self.db, arg)).collect();
                self.enter(def, args, frame.place(expr.span));
            }
        }
    }

    fn node(&mut self, def: &Def, signature: &Signature, args: &[What], place: Place) {
        let by =
            query::native_id(self.db, def).map_or_else(|| def.name.clone(), |id| query::native_name(&id, &def.name));
        let facts = &signature.facts;
        for (kind, param) in &facts.touches {
            let at = signature.params.iter().position(|p| p.name == *param);
            let what = at.and_then(|at| args.get(at)).cloned().unwrap_or(What::Nothing);
            self.add(kind, what, &by, place.clone());
        }
        for name in &facts.secrets {
            self.add("secret", What::Known(name.clone()), &by, place.clone());
        }
        let reach = match facts.effect {
            _ if !facts.touches.is_empty() => return,
            Effect::Pure => return,
            Effect::Read => "read",
            Effect::Write => "write",
            Effect::External => "external",
        };
        self.add(reach, What::Nothing, &by, place);
    }

    /// Goes into what has a body.
    fn enter(&mut self, def: &'db Def, mut args: Vec<What>, place: Place) {
        let is_first = self.calls.is_empty();
        if self.left == 0 {
            args.iter_mut().for_each(|arg| *arg = What::Nothing);
        } else if is_first {
            self.seen.clear();
        }
        if !self.seen.insert((def.clone(), args.clone())) {
            return;
        }
        self.left = self.left.saturating_sub(1);
        let (Some(checked), Some(signature)) = (query::body(self.db, def), query::signature(self.db, def)) else {
            return;
        };
        self.calls.push(Via { name: def.name.clone(), place });
        let frame = Frame::new(def, &checked.body, checked.body.params.iter().copied().zip(args).collect());
        crate::deep(|| {
            if signature.kind != CallableKind::Workflow {
                self.settings(&frame);
            }
            self.body(&frame);
            for (tool, span) in &checked.body.tools {
                self.tool(tool, frame.place(*span));
            }
        });
        self.calls.pop();
    }

    /// The model of a prompt or agent, and what it may cost.
    fn settings(&mut self, frame: &Frame<'db>) {
        let by = frame.def.name.clone();
        let whole = Place { def: frame.def.clone(), span: crate::names::name_span(self.db, frame.def) };
        match frame.setting("model") {
            Some(model) => self.add("model", frame.value(self.db, model), &by, frame.place(model.span)),
            None => self.add("model", What::Nothing, &by, whole),
        }
        let Some(budget) = frame.setting("budget") else { return };
        for limit in LIMITS {
            match frame.field(self.db, budget, limit) {
                Some(What::Known(value)) if value == "null" => {}
                Some(what) => self.add(limit, what, &by, frame.place(budget.span)),
                None => {}
            }
        }
    }

    /// What a model may call, with whatever it likes.
    fn tool(&mut self, def: &'db Def, place: Place) {
        let Some(signature) = query::signature(self.db, def) else { return };
        let args: Vec<What> = signature.params.iter().map(|param| What::Computed(param.name.clone())).collect();
        match signature.kind {
            CallableKind::Fn => {}
            CallableKind::Node => self.node(def, signature, &args, place),
            _ => self.enter(def, args, place),
        }
    }
}

/// The bindings of a body, in whichever of its blocks.
fn lets(body: &Body) -> FxHashMap<LocalId, &Expr> {
    let mut found = FxHashMap::default();
    each_stmt(body, &mut |stmt| {
        if let StmtKind::Let(local, value) = &stmt.kind {
            found.insert(*local, value);
        }
    });
    found
}

impl Frame<'_> {
    fn place(&self, span: Span) -> Place {
        Place { def: self.def.clone(), span }
    }
}
