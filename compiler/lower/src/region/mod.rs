//! Bodies of workflows to regions of operations.

mod control;
mod extract;
mod steps;
mod streams;

use crate::calls::Class;
use crate::code::{Builder, Slot};
use crate::needs::{self, Locals};
use crate::tables::{Cx, index};
use crate::{deep, types};
use extract::Inputs;
use ntl_plan::{Cache, Code, Op, OpId, OpKind, Policy, Ref, RegionId, RegionKind};
use ntl_semantic::Def;
use ntl_semantic::diagnostics::plan;
use ntl_semantic::hir::{self, Block, Body, Expr, ExprKind, LocalId, Scope, SourceId, Stmt, StmtKind};
use ntl_semantic::query::{self, Effect};
use ntl_semantic::ty::Type;
use ntl_syntax::ast::Span;
use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::{SmolStr, format_smolstr};

/// Where a value is, whichever region looks at it.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Loc {
    region: RegionId,
    at: At,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum At {
    Op(OpId),
    Param(u32),
}

/// A value.
#[derive(Clone, Copy)]
enum Val<'h> {
    Loc(Loc),
    /// An item of a tuple.
    Field(Loc, u32),
    Const(&'h hir::Const),
}

/// What a local is.
#[derive(Clone, Copy)]
struct Named<'h> {
    val: Val<'h>,
    /// Whether it is there without anything being computed for it: to take it costs nothing and cannot fail.
    is_free: bool,
}

/// A body that is being lowered.
#[derive(Clone)]
struct Place {
    region: RegionId,
    /// What the body as a whole varies per.
    base: Scope,
}

/// A source that has been opened.
#[derive(Clone, Copy)]
struct Source {
    each: Loc,
    region: RegionId,
    /// The region of the body that opened it.
    opened_in: RegionId,
}

/// A workflow that is being lowered.
struct Flow<'c, 'db: 'h, 'h> {
    cx: &'c mut Cx<'db>,
    def: &'h Def,
    body: &'h Body,
    locals: FxHashMap<LocalId, Named<'h>>,
    sources: FxHashMap<SourceId, Source>,
    /// The sources in the order in which they were opened.
    opened: Vec<SourceId>,
    /// Calls with more than one output, and how many there are.
    calls: FxHashMap<Loc, usize>,
    outputs: FxHashMap<(Loc, u32), Loc>,
    /// Regions in which something is changed outside.
    effectful: FxHashSet<RegionId>,
    /// How often each step id was asked for.
    ids: FxHashMap<SmolStr, u32>,
    /// The names of the bindings around.
    path: Vec<SmolStr>,
    /// How the value of a code operation differs from the binding's, for its id.
    hint: Option<SmolStr>,
    /// The policies that cover what is being lowered.
    policy: Policy,
    /// Whether the next `for` leaves out what fails.
    skip_errors: bool,
}

/// Lowers the body of a workflow into its region.
pub(crate) fn lower_workflow(cx: &mut Cx<'_>, def: &Def, region: RegionId) {
    let (Some(sig), Some(checked)) = (query::signature(cx.db, def), query::body(cx.db, def)) else {
        return cx.internal(def, Span::default(), "it has no body");
    };
    let body = &checked.body;
    let mut flow = Flow {
        cx,
        def,
        body,
        locals: FxHashMap::default(),
        sources: FxHashMap::default(),
        opened: Vec::new(),
        calls: FxHashMap::default(),
        outputs: FxHashMap::default(),
        effectful: FxHashSet::default(),
        ids: FxHashMap::default(),
        path: Vec::new(),
        hint: None,
        policy: Policy::default(),
        skip_errors: false,
    };
    flow.params(sig, region);
    let place = Place { region, base: Scope::new() };
    let values = flow.body_results(&body.block, &place, &body.outputs, sig.outputs.len());
    flow.give(sig, &values, &place);
    flow.close(&place);
}

impl<'db, 'h> Flow<'_, 'db, 'h> {
    fn name(&mut self, local: LocalId, val: Val<'h>, is_free: bool) {
        self.locals.insert(local, Named { val, is_free: is_free || matches!(val, Val::Const(_)) });
    }

    /// The results of a workflow's body.
    fn body_results(
        &mut self,
        block: &'h Block,
        place: &Place,
        outputs: &'h [(SmolStr, Expr)],
        count: usize,
    ) -> Vec<(Val<'h>, &'h Expr)> {
        let values: Vec<(Option<&SmolStr>, &'h Expr)> = match &block.value {
            _ if !outputs.is_empty() => outputs.iter().map(|(name, value)| (Some(name), value)).collect(),
            Some(value) if count > 0 => vec![(None, value)],
            _ => Vec::new(),
        };
        let mut roots: Vec<&Expr> = values.iter().map(|(_, value)| *value).collect();
        roots.extend(block.value.as_deref());
        let requires = self.stmts(&block.stmts, &roots, place);
        if values.is_empty()
            && let Some(effect) = &block.value
        {
            self.effect(effect, place);
        }
        let mut results = Vec::new();
        for (name, value) in values {
            let val = self.within(name, |flow| {
                flow.hint = name.map(|_| SmolStr::new_static("output"));
                let val = flow.value(value, place);
                flow.after_requires(val, &value.ty, value.span, &requires, place)
            });
            results.push((val, value));
        }
        results
    }

    /// The value of a block in its own region.
    fn block(&mut self, block: &'h Block, place: &Place) -> Val<'h> {
        deep(|| {
            let roots: Vec<&Expr> = block.value.iter().map(|value| &**value).collect();
            let requires = self.stmts(&block.stmts, &roots, place);
            match &block.value {
                Some(value) => {
                    let val = self.value(value, place);
                    self.after_requires(val, &value.ty, value.span, &requires, place)
                }
                None => {
                    let val = Val::Const(&hir::Const::Null);
                    self.after_requires(val, &Type::Null, block.span, &requires, place)
                }
            }
        })
    }

    /// Lowers the statements of a body and gives its `require`s. `roots` are the values to come.
    fn stmts(&mut self, stmts: &'h [Stmt], roots: &[&'h Expr], place: &Place) -> Vec<Loc> {
        let needed = self.needed(stmts, roots);
        self.bindings(stmts, needed, place);
        let mut requires = Vec::new();
        for stmt in stmts {
            match &stmt.kind {
                StmtKind::Require(cond, message) => {
                    requires.push(
                        self.with_policies(stmt, None, |flow| flow.require(cond, message, stmt.span, &[], place)),
                    );
                }
                StmtKind::Effect(effect) => self.with_policies(stmt, None, |flow| {
                    flow.hinted("effect", |flow| flow.effect(effect, place));
                }),
                StmtKind::Let(..) | StmtKind::Assert(_) | StmtKind::Mock(..) => {}
            }
        }
        requires
    }

    /// Lowers the bindings among `needed`, and what those need.
    fn bindings(&mut self, stmts: &'h [Stmt], mut needed: Locals, place: &Place) {
        let order = needs::order(stmts);
        for at in order.iter().rev() {
            if let Some(Stmt { kind: StmtKind::Let(local, value), .. }) = stmts.get(*at)
                && needed.contains(local)
            {
                needs::add_uses(value, &mut needed);
            }
        }
        for at in order {
            if let Some(stmt) = stmts.get(at)
                && let StmtKind::Let(local, value) = &stmt.kind
                && needed.contains(local)
            {
                self.binding(stmt, *local, value, place);
            }
        }
    }

    /// The locals that values, effects and `require`s name.
    fn needed(&mut self, stmts: &[Stmt], roots: &[&Expr]) -> Locals {
        let mut needed = Locals::default();
        roots.iter().for_each(|root| needs::add_uses(root, &mut needed));
        for stmt in stmts {
            match &stmt.kind {
                StmtKind::Let(_, value) if !self.has_effect(value) => {}
                StmtKind::Let(local, _) => drop(needed.insert(*local)),
                _ => {}
            }
            if !matches!(stmt.kind, StmtKind::Let(..)) {
                needs::stmt_exprs(stmt, &mut |e| needs::add_uses(e, &mut needed));
            }
        }
        needed
    }

    fn binding(&mut self, stmt: &'h Stmt, local: LocalId, value: &'h Expr, place: &Place) {
        // A part of what is there anyway: no operation of its own.
        if let ExprKind::Field(base, field) = &value.kind
            && let ExprKind::Local(of) = &base.kind
            && let Some(Named { val: Val::Loc(loc), is_free: true }) = self.locals.get(of).copied()
        {
            return self.name(local, Val::Field(loc, *field), true);
        }
        let name = self.body.locals.get(local.0 as usize).map(|local| &local.name);
        let val = self.with_policies(stmt, name, |flow| flow.value(value, place));
        let is_free = match value.kind {
            ExprKind::Local(of) => self.locals.get(&of).is_some_and(|named| named.is_free),
            _ => false,
        };
        self.name(local, val, is_free);
    }

    fn effect(&mut self, effect: &'h Expr, place: &Place) {
        let val = self.value(effect, place);
        if let Val::Loc(loc) = val {
            let has_effect = self.has_effect(effect);
            self.mark(loc, has_effect, place);
        }
    }

    /// Runs `walk` for what a binding of that name holds.
    fn within<T>(&mut self, name: Option<&SmolStr>, walk: impl FnOnce(&mut Self) -> T) -> T {
        // A binding that is taken apart has a hidden name, which is no part of an id.
        let name = name.filter(|name| name.chars().next().is_some_and(|c| c.is_alphanumeric() || c == '_'));
        self.path.extend(name.cloned());
        let hint = self.hint.take();
        let result = walk(self);
        self.hint = hint;
        if name.is_some() {
            self.path.pop();
        }
        result
    }

    /// Runs `walk` for what a statement holds, with its policies.
    fn with_policies<T>(&mut self, stmt: &Stmt, name: Option<&SmolStr>, walk: impl FnOnce(&mut Self) -> T) -> T {
        let outer = (self.policy.clone(), self.skip_errors);
        self.skip_errors = false;
        let mut id = None;
        for policy in &stmt.policies {
            match policy {
                hir::Policy::Retry(times, backoff) => {
                    (self.policy.retry, self.policy.backoff) = (Some(*times), *backoff)
                }
                hir::Policy::Timeout(ns) => self.policy.timeout = Some(*ns),
                hir::Policy::Cache(Some(ns)) => self.policy.cache = Some(Cache::For(*ns)),
                hir::Policy::Cache(None) => self.policy.cache = Some(Cache::Forever),
                hir::Policy::CacheOff => self.policy.cache = None,
                hir::Policy::Parallel(n) => self.policy.parallel = Some(*n),
                hir::Policy::SkipErrors => self.skip_errors = true,
                hir::Policy::Id(pinned) => id = Some(pinned),
            }
        }
        let result = self.within(id.or(name), walk);
        (self.policy, self.skip_errors) = outer;
        result
    }

    // Values.

    /// The value of an expression.
    fn value(&mut self, expr: &'h Expr, place: &Place) -> Val<'h> {
        deep(|| match &expr.kind {
            ExprKind::Const(value) => Val::Const(value),
            ExprKind::ConstItem(def) if let Some(value) = self.cx.plain_const(query::body(self.cx.db, def)) => {
                Val::Const(value)
            }
            ExprKind::Default(def, at)
                if let Some(value) = self.cx.plain_const(query::default_body(self.cx.db, def, *at)) =>
            {
                Val::Const(value)
            }
            ExprKind::Local(local) => match self.locals.get(local) {
                Some(named) => named.val,
                None => {
                    let name = self.body.locals.get(local.0 as usize).map_or("?", |local| local.name.as_str());
                    self.cx.internal(self.def, expr.span, &format!("`{name}` is not known here"));
                    Val::Const(&hir::Const::Null)
                }
            },
            _ => {
                let mut sure = Locals::default();
                needs::strict(expr, &mut sure);
                let mut inputs = Inputs::default();
                self.extract(expr, place, &sure, &mut inputs);
                match inputs.given(expr) {
                    Some(val) => val,
                    None => {
                        let region = self.region_of(&expr.scope, place);
                        Val::Loc(self.stretch(expr, inputs, region, Vec::new()))
                    }
                }
            }
        })
    }

    /// One operation for an expression without effects.
    fn stretch(&mut self, expr: &'h Expr, inputs: Inputs<'h>, region: RegionId, after: Vec<Ref>) -> Loc {
        let id = self.code_id();
        let code = self.code(inputs.locs.len(), &inputs, |builder| builder.expression(expr), id.clone());
        let refs = inputs.locs.iter().map(|&loc| self.reference_loc(region, loc, expr.span)).collect();
        self.code_op(id, code, refs, after, &expr.ty, expr.span, region)
    }

    /// Code whose parameters are given values.
    fn code(
        &mut self,
        params: usize,
        inputs: &Inputs<'h>,
        build: impl FnOnce(Builder<'_, 'db, 'h>) -> Code,
        name: SmolStr,
    ) -> Code {
        let mut builder = Builder::new(self.cx, self.def, self.body, name, params);
        for &local in &inputs.locals {
            if let Some(named) = self.locals.get(&local) {
                let slot = match named.val {
                    Val::Const(value) => Slot::Const(value),
                    Val::Loc(loc) => Slot::Reg(inputs.param(loc)),
                    Val::Field(loc, field) => builder.given_field(inputs.param(loc), field),
                };
                builder.slots.insert(local, slot);
            }
        }
        for &(expr, val) in &inputs.given {
            let slot = match val {
                Val::Const(value) => Slot::Const(value),
                Val::Loc(loc) => Slot::Reg(inputs.param(loc)),
                Val::Field(loc, field) => builder.given_field(inputs.param(loc), field),
            };
            builder.hoisted.insert(expr, slot);
        }
        build(builder)
    }

    #[expect(clippy::too_many_arguments, reason = "an operation has that many parts")]
    fn code_op(
        &mut self,
        id: SmolStr,
        code: Code,
        inputs: Vec<Ref>,
        after: Vec<Ref>,
        ty: &Type,
        span: Span,
        region: RegionId,
    ) -> Loc {
        let code = self.cx.add_code(code);
        let mut op = self.op(id, OpKind::Code(code), inputs, ty, span);
        op.after = after;
        self.add(op, region)
    }

    /// The value in another form: computed by code from one value.
    fn derived(
        &mut self,
        val: Val<'h>,
        build: impl FnOnce(Builder<'_, 'db, 'h>) -> Code,
        ty: &Type,
        span: Span,
        region: RegionId,
    ) -> Loc {
        let id = self.code_id();
        let input = self.reference(region, val, span);
        let code = build(Builder::new(self.cx, self.def, self.body, id.clone(), 1));
        self.code_op(id, code, vec![input], Vec::new(), ty, span, region)
    }

    /// The value, given after all of these.
    fn after_requires(&mut self, val: Val<'h>, ty: &Type, span: Span, requires: &[Loc], place: &Place) -> Val<'h> {
        if requires.is_empty() {
            return val;
        }
        let region = match val {
            Val::Loc(loc) | Val::Field(loc, _) if self.sees(loc.region, place.region) => loc.region,
            _ => place.region,
        };
        // What must be before it is made before it.
        let after = self.order(requires, region, span);
        let loc = self.derived(val, |builder| builder.part(&[], None, span), ty, span, region);
        if let Some(op) = self.op_mut(loc) {
            op.after = after;
        }
        Val::Loc(loc)
    }

    // Operations and references.

    fn op(&mut self, id: SmolStr, kind: OpKind, inputs: Vec<Ref>, ty: &Type, span: Span) -> Op {
        Op {
            id,
            kind,
            inputs,
            takes: Vec::new(),
            after: Vec::new(),
            policy: Policy::default(),
            span: self.cx.span(self.def, span),
            ty: self.cx.ty(ty),
        }
    }

    fn add(&mut self, op: Op, region: RegionId) -> Loc {
        let Some(known) = self.cx.regions.get_mut(region.at()) else { return Loc { region, at: At::Param(0) } };
        known.ops.push(op);
        Loc { region, at: At::Op(OpId(index(known.ops.len() - 1))) }
    }

    fn op_mut(&mut self, loc: Loc) -> Option<&mut Op> {
        match loc.at {
            At::Op(op) => self.cx.regions.get_mut(loc.region.at())?.ops.get_mut(op.at()),
            At::Param(_) => None,
        }
    }

    /// A region inside another one.
    fn inner(&mut self, kind: RegionKind, parent: RegionId, params: u32) -> RegionId {
        self.cx.add_region(kind, Some(parent), params)
    }

    fn set_results(&mut self, region: RegionId, results: Vec<Ref>) {
        if let Some(region) = self.cx.regions.get_mut(region.at()) {
            region.results = results;
        }
    }

    /// How many regions out `to` is from `from`.
    fn distance(&self, from: RegionId, to: RegionId) -> Option<u32> {
        let mut at = from;
        for up in 0.. {
            if at == to {
                return Some(up);
            }
            at = self.cx.regions.get(at.at())?.parent?;
        }
        None
    }

    /// Whether `from` is `to` or inside of it.
    fn sees(&self, from: RegionId, to: RegionId) -> bool {
        self.distance(from, to).is_some()
    }

    /// A reference to a value from a region.
    fn reference(&mut self, from: RegionId, val: Val<'h>, span: Span) -> Ref {
        let loc = self.loc(val, from, span);
        self.reference_loc(from, loc, span)
    }

    fn reference_loc(&mut self, from: RegionId, loc: Loc, span: Span) -> Ref {
        match (self.distance(from, loc.region), loc.at) {
            (Some(0), At::Op(op)) => Ref::Op(op),
            (Some(0), At::Param(param)) => Ref::Param(param),
            (Some(up), At::Op(op)) => Ref::Outer { up, op },
            (Some(up), At::Param(param)) => Ref::OuterParam { up, param },
            (None, _) => {
                self.cx.tell(self.def, span, plan::stream_in_body);
                Ref::Param(0)
            }
        }
    }

    /// The value as one that can be referred to from a region.
    fn loc(&mut self, val: Val<'h>, region: RegionId, span: Span) -> Loc {
        match val {
            Val::Loc(loc) => loc,
            Val::Field(loc, field) => {
                let step = crate::code::Step::Place(u16::try_from(field).unwrap_or(u16::MAX));
                self.derived(Val::Loc(loc), |builder| builder.part(&[step], None, span), &Type::Any, span, loc.region)
            }
            Val::Const(value) => {
                let (id, value) = (self.code_id(), self.cx.constant(types::constant(value)));
                let op = self.op(id, OpKind::Const(value), Vec::new(), &Type::Any, span);
                self.add(op, region)
            }
        }
    }

    /// The region for what varies per a scope.
    fn region_of(&self, scope: &[SourceId], place: &Place) -> RegionId {
        match scope.iter().rev().find(|source| !place.base.contains(source)).and_then(|s| self.sources.get(s)) {
            Some(source) => source.region,
            None => place.region,
        }
    }

    /// Lets an operation run although nobody takes its value, if it belongs to the body. One that changes something lets
    /// all that it stands in run, too; a `require` or a bare statement without effects runs only if that is taken.
    fn mark(&mut self, loc: Loc, has_effect: bool, place: &Place) {
        let is_own = loc.region == place.region
            || self
                .opened
                .iter()
                .filter_map(|s| self.sources.get(s))
                .any(|source| source.region == loc.region && source.opened_in == place.region);
        if let (true, At::Op(op), Some(region)) = (is_own, loc.at, self.cx.regions.get_mut(loc.region.at())) {
            if has_effect {
                self.effectful.insert(loc.region);
            }
            if !region.effects.contains(&op) {
                region.effects.push(op);
            }
        }
    }

    /// Marks an operation whose regions have effects.
    fn mark_regions(&mut self, loc: Loc, regions: &[RegionId], place: &Place) {
        if regions.iter().any(|region| self.effectful.contains(region)) {
            self.mark(loc, true, place);
        }
    }

    /// Ends a body: sources run for what runs in their regions.
    fn close(&mut self, place: &Place) {
        for source in self.opened.clone().into_iter().rev() {
            let Some(source) = self.sources.get(&source).copied() else { continue };
            let runs = self.cx.regions.get(source.region.at()).is_some_and(|region| !region.effects.is_empty());
            if runs && source.opened_in == place.region {
                self.mark(source.each, self.effectful.contains(&source.region), place);
            }
        }
    }

    // Ids.

    /// An id that no other step of the workflow has.
    fn unique(&mut self, id: SmolStr) -> SmolStr {
        let times = self.ids.entry(id.clone()).or_default();
        *times += 1;
        match *times {
            1 => id,
            n => self.unique(format_smolstr!("{id}#{n}")),
        }
    }

    /// The id of a call.
    fn call_id(&mut self, name: &str) -> SmolStr {
        self.unique(self.path.iter().map(SmolStr::as_str).chain([name]).collect::<Vec<_>>().join("/").into())
    }

    /// The id of anything else: the binding's, and which part it is.
    fn code_id(&mut self) -> SmolStr {
        let id = self.path.iter().chain(&self.hint).map(SmolStr::as_str).collect::<Vec<_>>().join("/");
        self.unique(if id.is_empty() { "output".into() } else { id.into() })
    }

    // What expressions are.

    /// Whether what a call does is a step of its own.
    fn is_step(&mut self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Call(call) => !matches!(self.cx.class(call), Class::Code(_) | Class::Value | Class::Pure(_)),
            ExprKind::ConstItem(def) => def.space == ntl_semantic::Space::Secret,
            ExprKind::For(_) | ExprKind::Seq(_) | ExprKind::After(..) => true,
            _ => false,
        }
    }

    /// Whether an expression has a step in it.
    fn has_step(&mut self, expr: &Expr) -> bool {
        self.any(expr, &mut |flow, e| flow.is_step(e))
    }

    /// Whether an expression changes something outside.
    fn has_effect(&mut self, expr: &Expr) -> bool {
        self.any(expr, &mut |flow, e| match &e.kind {
            ExprKind::Call(call) => match flow.cx.class(call) {
                Class::Step(known) | Class::Workflow(known) | Class::Stream(known) => known.effect >= Effect::Write,
                _ => false,
            },
            _ => false,
        })
    }

    fn any(&mut self, expr: &Expr, is: &mut dyn FnMut(&mut Self, &Expr) -> bool) -> bool {
        if is(self, expr) {
            return true;
        }
        let mut found = false;
        deep(|| {
            needs::parts(expr, &mut |_, part| {
                let mut look = |e: &Expr| found = found || self.any(e, is);
                match part {
                    needs::Part::Expr(e) => look(e),
                    needs::Part::Block(block) => needs::block_exprs(block, &mut look),
                    needs::Part::Stmts(stmts) => stmts.iter().for_each(|stmt| needs::stmt_exprs(stmt, &mut look)),
                    needs::Part::Lambda(_) | needs::Part::Local(_) => {}
                }
            });
        });
        found
    }
}
