//! What is shared by all that one plan is made of: its tables, what is still to be lowered, and what there is to say.

use crate::calls::Known;
use crate::spans::Spans;
use crate::types::constant;
use crate::{code, region};
use ntl_plan::{
    Code, CodeId, Const, ConstId, Input, MAX_CALL_DEPTH, Native, NativeId, Output, Plan, Region, RegionId, RegionKind,
    SpanId, Type, TypeId, call_depth, set_readers, validate, workflow_depth,
};
use ntl_semantic::diagnostics::plan;
use ntl_semantic::hir::ExprKind;
use ntl_semantic::query::Flow;
use ntl_semantic::{Db, Def, Diagnostic, Place, hir, query, ty};
use ntl_syntax::ast::Span;
use rustc_hash::FxHashMap;
use smol_str::SmolStr;
use std::collections::VecDeque;

/// Code that a plan has once.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) enum Item {
    /// A `fn`.
    Fn(Def),
    /// A `const`.
    Const(Def),
    /// The default of a parameter or field.
    Default(Def, u32),
    /// A named function as a value of a type: it may take fewer parameters than the function has.
    FnValue(Def, ty::Type),
    /// Gives null.
    Null,
}

/// What is still to be lowered. A queue, so that a chain of definitions needs no stack.
enum Job {
    Code(Item, Def, CodeId),
    Workflow(Def, RegionId),
}

pub(crate) struct Cx<'db> {
    pub db: &'db dyn Db,
    pub diagnostics: Vec<Diagnostic>,
    pub callables: FxHashMap<Def, Option<Known<'db>>>,
    pub type_ids: FxHashMap<ty::Type, TypeId>,
    pub regions: Vec<Region>,
    types: Vec<Type>,
    consts: Vec<Const>,
    const_ids: FxHashMap<(u8, u64, SmolStr), ConstId>,
    natives: Vec<Native>,
    codes: Vec<Code>,
    items: FxHashMap<Item, CodeId>,
    workflows: FxHashMap<Def, RegionId>,
    jobs: VecDeque<Job>,
    spans: Spans,
}

/// An index into a table of a plan; a table that is too long makes a plan that is not valid.
pub(crate) fn index(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

impl<'db> Cx<'db> {
    pub fn new(db: &'db dyn Db) -> Self {
        Cx {
            db,
            diagnostics: Vec::new(),
            callables: FxHashMap::default(),
            type_ids: FxHashMap::default(),
            regions: Vec::new(),
            types: Vec::new(),
            consts: Vec::new(),
            const_ids: FxHashMap::default(),
            natives: Vec::new(),
            codes: Vec::new(),
            items: FxHashMap::default(),
            workflows: FxHashMap::default(),
            jobs: VecDeque::new(),
            spans: Spans::default(),
        }
    }

    /// The place of some tokens of an item.
    pub fn span(&mut self, def: &Def, span: Span) -> SpanId {
        self.spans.span(self.db, def, span)
    }

    pub fn constant(&mut self, value: Const) -> ConstId {
        let key = match &value {
            Const::Null => (0, 0, SmolStr::default()),
            Const::Bool(b) => (1, u64::from(*b), SmolStr::default()),
            Const::Int(i) => (2, i.cast_unsigned(), SmolStr::default()),
            Const::Float(f) => (3, f.to_bits(), SmolStr::default()),
            Const::Str(s) => (4, 0, s.clone()),
            Const::Duration(ns) => (5, ns.cast_unsigned(), SmolStr::default()),
            Const::Size(bytes) => (6, bytes.cast_unsigned(), SmolStr::default()),
            Const::Json(text) => (7, 0, text.clone()),
        };
        let consts = &mut self.consts;
        *self.const_ids.entry(key).or_insert_with(|| {
            consts.push(value);
            ConstId(index(consts.len() - 1))
        })
    }

    pub fn new_type(&mut self, ty: Type) -> TypeId {
        self.types.push(ty);
        TypeId(index(self.types.len() - 1))
    }

    pub fn set_type(&mut self, id: TypeId, ty: Type) {
        if let Some(known) = self.types.get_mut(id.at()) {
            *known = ty;
        }
    }

    pub fn native_entry(&mut self, native: Native) -> NativeId {
        let known = self.natives.iter().position(|n| n.id == native.id && n.type_args == native.type_args);
        let at = known.unwrap_or_else(|| {
            self.natives.push(native);
            self.natives.len() - 1
        });
        NativeId(index(at))
    }

    pub fn add_code(&mut self, code: Code) -> CodeId {
        self.codes.push(code);
        CodeId(index(self.codes.len() - 1))
    }

    pub fn add_region(&mut self, kind: RegionKind, parent: Option<RegionId>, params: u32) -> RegionId {
        let (ops, results, effects, streams, gives) = Default::default();
        self.regions.push(Region { kind, parent, params, ops, results, effects, streams, gives });
        RegionId(index(self.regions.len() - 1))
    }

    /// The code of an item; it is lowered later. `def` is whose tokens its spans count.
    fn item(&mut self, item: Item, def: &Def, params: usize) -> CodeId {
        if let Some(&id) = self.items.get(&item) {
            return id;
        }
        // Callers look at the number of parameters.
        let params = u16::try_from(params).unwrap_or(u16::MAX);
        let id = self.add_code(Code {
            name: def.name.clone(),
            params,
            regs: params,
            lazies: 0,
            instrs: Vec::new(),
            spans: Vec::new(),
            handlers: Vec::new(),
            loops: Vec::new(),
        });
        self.items.insert(item.clone(), id);
        self.jobs.push_back(Job::Code(item, def.clone(), id));
        id
    }

    /// The code of a `fn`.
    pub fn fn_code(&mut self, def: &Def) -> CodeId {
        let params = query::signature(self.db, def).map_or(0, |sig| sig.params.len());
        self.item(Item::Fn(def.clone()), def, params)
    }

    /// The code of a function as a value.
    pub fn fn_value_code(&mut self, def: &Def, ty: &ty::Type, params: usize) -> CodeId {
        self.item(Item::FnValue(def.clone(), ty.clone()), def, params)
    }

    /// The code of a `const`.
    pub fn const_code(&mut self, def: &Def) -> CodeId {
        self.item(Item::Const(def.clone()), def, 0)
    }

    /// The code of a default; `None` where there is none.
    pub fn default_code(&mut self, def: &Def, at: u32) -> Option<CodeId> {
        query::default_body(self.db, def, at)?.body.block.value.as_ref()?;
        Some(self.item(Item::Default(def.clone(), at), def, 0))
    }

    /// Code that gives null.
    pub fn null_code(&mut self, def: &Def) -> CodeId {
        self.item(Item::Null, def, 0)
    }

    /// The value of a `const` or default that is nothing but a constant.
    pub fn plain_const(&self, body: Option<&'db query::Checked>) -> Option<&'db hir::Const> {
        let block = &body?.body.block;
        match block.value.as_deref() {
            Some(hir::Expr { kind: ExprKind::Const(value), .. }) if block.stmts.is_empty() => Some(value),
            _ => None,
        }
    }

    /// The region of a workflow; it is lowered later.
    pub fn workflow(&mut self, def: &Def) -> RegionId {
        if let Some(&id) = self.workflows.get(def) {
            return id;
        }
        let flows: Vec<&Flow> =
            query::signature(self.db, def).map(|sig| sig.params.iter().map(|p| &p.flow).collect()).unwrap_or_default();
        // The workflow that is run is given lists for its streams.
        let is_entry = self.workflows.is_empty();
        let params = flows.iter().filter(|flow| is_entry || ***flow == Flow::Plain).count();
        let id = self.add_region(RegionKind::Workflow, None, index(params));
        if let Some(region) = self.regions.get_mut(id.at()).filter(|_| !is_entry) {
            region.streams = crate::calls::streams_of(query::signature(self.db, def)).map(index).collect();
        }
        self.workflows.insert(def.clone(), id);
        self.jobs.push_back(Job::Workflow(def.clone(), id));
        id
    }

    /// Lowers all that is still to be lowered and puts the plan together.
    pub fn finish(
        mut self,
        workflow: &Def,
        entry: RegionId,
        inputs: Vec<Input>,
        outputs: Vec<Output>,
    ) -> Result<Plan, Vec<Diagnostic>> {
        while let Some(job) = self.jobs.pop_front() {
            match job {
                Job::Workflow(def, region) => region::lower_workflow(&mut self, &def, region),
                Job::Code(item, def, id) => {
                    let code = match &item {
                        Item::Null => code::null(&mut self, &def),
                        Item::FnValue(_, ty) => code::fn_value(&mut self, &def, ty),
                        Item::Fn(_) | Item::Const(_) => code::of_body(&mut self, &def, query::body),
                        Item::Default(_, at) => {
                            code::of_body(&mut self, &def, |db, def| query::default_body(db, def, *at))
                        }
                    };
                    if let Some(known) = self.codes.get_mut(id.at()) {
                        *known = code;
                    }
                }
            }
        }
        if !self.diagnostics.is_empty() {
            return Err(self.diagnostics);
        }
        let touches = self.touches(workflow, entry);
        let mut plan = Plan {
            workflow: workflow.name.clone(),
            files: std::mem::take(&mut self.spans.files),
            types: std::mem::take(&mut self.types),
            consts: std::mem::take(&mut self.consts),
            natives: std::mem::take(&mut self.natives),
            touches,
            codes: std::mem::take(&mut self.codes),
            spans: std::mem::take(&mut self.spans.spans),
            regions: std::mem::take(&mut self.regions),
            entry,
            inputs,
            outputs,
        };
        set_readers(&mut plan);
        let is_deep = |depth: u32| depth >= MAX_CALL_DEPTH;
        let too_deep = [
            call_depth(&plan).is_ok_and(is_deep).then_some("functions"),
            workflow_depth(&plan).is_ok_and(is_deep).then_some("workflows"),
        ];
        if let Some(what) = too_deep.into_iter().flatten().next() {
            self.tell(workflow, Span::default(), |place| plan::too_deep(place, what, MAX_CALL_DEPTH));
            return Err(self.diagnostics);
        }
        match validate(&plan) {
            Ok(()) => Ok(plan),
            Err(e) => {
                self.internal(workflow, Span::default(), &e.message);
                Err(self.diagnostics)
            }
        }
    }

    /// Tells what cannot be lowered; once per place.
    pub fn tell(&mut self, def: &Def, span: Span, diagnostic: impl FnOnce(Place) -> Diagnostic) {
        let place = Place { def: def.clone(), span };
        if !self.diagnostics.iter().any(|known| known.place == place) {
            self.diagnostics.push(diagnostic(place));
        }
    }

    /// Tells of a mistake of the compiler itself.
    pub fn internal(&mut self, def: &Def, span: Span, what: &str) {
        self.tell(def, span, |place| plan::no_plan(place, what));
    }

    /// `Const` of the constant in a body.
    pub fn body_const(&mut self, value: &hir::Const) -> ConstId {
        self.constant(constant(value))
    }
}
