//! Streams: sources, what takes them whole, and what workflows take and give of them.

use super::{At, Flow, Loc, Place, Source, Val};
use crate::calls::{Known, varies};
use crate::tables::index;
use ntl_plan::{Code, Instr, OpId, OpKind, Opens, Ref, RegionId, RegionKind, Stream, StreamFn, Take};
use ntl_semantic::diagnostics::plan;
use ntl_semantic::hir::{Call, Const, Expr, ExprKind, SourceId};
use ntl_semantic::query::{Effect, Flow as Flows, Signature};
use ntl_semantic::ty::Type;
use ntl_syntax::ast::Span;
use smol_str::{SmolStr, format_smolstr};

static NULL: Const = Const::Null;

/// A stream operation to be.
struct Made<'t> {
    id: SmolStr,
    from: StreamFn,
    inputs: Vec<Ref>,
    takes: Vec<Take>,
    ty: &'t Type,
    span: Span,
}

impl<'db, 'h> Flow<'_, 'db, 'h> {
    /// Names the parameters of the workflow; those that are streams are sources.
    pub(super) fn params(&mut self, sig: &Signature, region: RegionId) {
        let is_entry = region == RegionId(0);
        let (mut plain, mut stream) = (0, 0);
        let params = self.body.params.iter().zip(&sig.params);
        for (&local, param) in params.clone() {
            let at = Loc { region, at: At::Param(plain) };
            plain += u32::from(is_entry || param.flow == Flows::Plain);
            if param.flow == Flows::Plain {
                self.name(local, Val::Loc(at), true);
                continue;
            }
            let id = self.body.locals.get(local.0 as usize).and_then(|local| local.scope.last()).copied();
            let (Flows::Stream, Some(id)) = (&param.flow, id) else { continue };
            let span = ntl_semantic::query::param_span(self.cx.db, self.def, &param.name);
            let with = params.clone().filter(|(_, p)| p.flow == Flows::Per(param.name.clone()));
            if is_entry && with.clone().next().is_some() {
                self.cx.tell(self.def, span, plan::stream_parameter);
            }
            let values = 1 + index(with.clone().count());
            let (from, inputs) = if is_entry {
                (StreamFn::Each, vec![Ref::Param(plain - 1)])
            } else {
                (StreamFn::Param(stream), Vec::new())
            };
            stream += 1;
            let made =
                Made { id: self.unique(param.name.clone()), from, inputs, takes: Vec::new(), ty: &param.ty, span };
            let source = self.open(made, id, region, values, region);
            let locals = std::iter::once(local).chain(with.map(|(&local, _)| local));
            for (local, at) in locals.zip(0..) {
                self.name(local, Val::Loc(Loc { region: source.region, at: At::Param(at) }), true);
            }
        }
    }

    /// What a workflow gives: to whoever runs it, lists for its streams.
    pub(super) fn give(&mut self, sig: &Signature, values: &[(Val<'h>, &'h Expr)], place: &Place) {
        let is_entry = place.region == RegionId(0);
        let (mut results, mut gives) = (Vec::new(), Vec::new());
        for (output, (val, value)) in sig.outputs.iter().zip(values) {
            if output.flow == Flows::Plain {
                results.push(self.reference(place.region, *val, value.span));
                continue;
            }
            if is_entry {
                let Some(take) = self.taken(&[(*val, value)], place.region) else { continue };
                let list = Type::List(std::sync::Arc::new(value.ty.clone()));
                let name = if output.name.is_empty() { "output".into() } else { output.name.clone() };
                let id = self.unique(name);
                let (from, inputs) = (StreamFn::Collect, Vec::new());
                let made = Made { id, from, inputs, takes: vec![take], ty: &list, span: value.span };
                let loc = self.whole(made, place.region);
                results.push(self.reference_loc(place.region, loc, value.span));
            } else if output.flow == Flows::Stream {
                let with = sig.outputs.iter().zip(values).filter(|(o, _)| o.flow == Flows::Per(output.name.clone()));
                let all: Vec<_> = std::iter::once((*val, *value)).chain(with.map(|(_, value)| *value)).collect();
                gives.extend(self.taken(&all, place.region));
            }
        }
        if let Some(region) = self.cx.regions.get_mut(place.region.at()) {
            (region.results, region.gives) = (results, gives);
        }
    }

    /// A source: the operation and the region for its items, which have so many values.
    fn open(&mut self, made: Made<'_>, id: SourceId, region: RegionId, values: u32, opened_in: RegionId) -> Source {
        let source = self.unnamed(made, region, values, opened_in);
        self.sources.insert(id, source);
        self.opened.push(id);
        source
    }

    /// A source that no value of the program varies by.
    fn unnamed(&mut self, made: Made<'_>, region: RegionId, values: u32, opened_in: RegionId) -> Source {
        let items = self.inner(RegionKind::Source, region, values.saturating_add(1));
        let opens = Opens { region: items, drives: false, late: false };
        let stream = Stream { from: made.from, opens: Some(opens), per: None };
        let each = self.add_stream(made, stream, region);
        Source { each, region: items, opened_in }
    }

    fn whole(&mut self, made: Made<'_>, region: RegionId) -> Loc {
        let stream = Stream { from: made.from, opens: None, per: None };
        self.add_stream(made, stream, region)
    }

    fn add_stream(&mut self, made: Made<'_>, stream: Stream, region: RegionId) -> Loc {
        let mut op = self.op(made.id, OpKind::Stream(stream), made.inputs, made.ty, made.span);
        op.takes = made.takes;
        self.add(op, region)
    }

    /// How a region takes values whole: all of the innermost source of the first.
    fn taken(&mut self, values: &[(Val<'h>, &'h Expr)], region: RegionId) -> Option<Take> {
        let (_, first) = values.first()?;
        let Some(source) = first.scope.last().and_then(|id| self.sources.get(id)).copied() else {
            self.cx.internal(self.def, first.span, "what is taken whole does not vary");
            return None;
        };
        let mut refs = Vec::with_capacity(values.len());
        for (val, value) in values {
            let span = value.span;
            let mut loc = self.loc(*val, source.region, span);
            if loc.region != source.region {
                loc = self.derived(Val::Loc(loc), |b| b.part(&[], None, span), &value.ty, span, source.region);
            }
            refs.push(self.reference_loc(source.region, loc, span));
        }
        let source = self.reference_loc(region, source.each, first.span);
        Some(Take { source, values: refs, kept: false })
    }

    /// How a region takes an argument whole: what varies, or the items of a list.
    fn argument(&mut self, val: Val<'h>, arg: &'h Expr, region: RegionId, place: &Place) -> Option<Take> {
        if !arg.scope.is_empty() && !self.is_list_here(arg, region) {
            return self.taken(&[(val, arg)], region);
        }
        let id = self.call_id("each");
        let inputs = vec![self.reference(region, val, arg.span)];
        let made = Made { id, from: StreamFn::Each, inputs, takes: Vec::new(), ty: &arg.ty, span: arg.span };
        let source = self.unnamed(made, region, 1, place.region);
        let source = self.reference_loc(region, source.each, arg.span);
        Some(Take { source, values: vec![Ref::Param(0)], kept: false })
    }

    /// A list that stands for a stream varies less than what it stands for would: the checker has converted it.
    fn is_list_here(&self, arg: &Expr, region: RegionId) -> bool {
        let innermost = arg.scope.last().and_then(|id| self.sources.get(id));
        innermost.is_some_and(|source| self.sees(region, source.region))
    }

    /// `each(items)`.
    pub(super) fn each(&mut self, call: &'h Call, expr: &'h Expr, place: &Place, deps: &[Loc]) -> Val<'h> {
        let (Some(items), Some(&id)) = (call.args.first(), call.sources.first()) else {
            self.cx.internal(self.def, expr.span, "a source without items");
            return Val::Const(&NULL);
        };
        let step = self.call_id("each");
        let val = self.value(items, place);
        let region = self.parent_of(id, place);
        let inputs = vec![self.reference(region, val, items.span)];
        let made = Made { id: step, from: StreamFn::Each, inputs, takes: Vec::new(), ty: &expr.ty, span: expr.span };
        let source = self.open(made, id, region, 1, place.region);
        self.come_after(source.each, deps, expr.span);
        Val::Loc(Loc { region: source.region, at: At::Param(0) })
    }

    /// `collect(values)`.
    pub(super) fn collect(&mut self, call: &'h Call, expr: &'h Expr, place: &Place, deps: &[Loc]) -> Val<'h> {
        let Some(values) = call.args.first() else {
            self.cx.internal(self.def, expr.span, "nothing is collected");
            return Val::Const(&NULL);
        };
        let id = self.call_id("collect");
        let outer = self.hint.replace("collect.values".into());
        let val = self.value(values, place);
        self.hint = outer;
        let region = self.region_of(&expr.scope, place);
        let Some(take) = self.taken(&[(val, values)], region) else { return Val::Const(&NULL) };
        let (from, inputs) = (StreamFn::Collect, Vec::new());
        let loc = self.whole(Made { id, from, inputs, takes: vec![take], ty: &expr.ty, span: expr.span }, region);
        self.come_after(loc, deps, expr.span);
        Val::Loc(loc)
    }

    /// Waits for a value of all items of a source; a list of them.
    pub(super) fn collect_all(&mut self, source: Source, value: Loc, span: Span) -> Loc {
        let id = self.call_id("after");
        let region = source.each.region;
        let each = self.reference_loc(region, source.each, span);
        let values = vec![self.reference_loc(source.region, value, span)];
        let takes = vec![Take { source: each, values, kept: false }];
        let ty = Type::List(std::sync::Arc::new(Type::Any));
        self.whole(Made { id, from: StreamFn::Collect, inputs: Vec::new(), takes, ty: &ty, span }, region)
    }

    /// A stream function of the library over what varies.
    pub(super) fn stream(
        &mut self,
        known: &Known<'db>,
        call: &'h Call,
        expr: &'h Expr,
        place: &Place,
        deps: &[Loc],
    ) -> Val<'h> {
        let name = &known.def.name;
        let id = self.call_id(name);
        let args = self.arguments(known, call, place);
        let first =
            known.sig.params.iter().zip(&call.args).find(|(p, arg)| p.flow == Flows::Stream && !arg.scope.is_empty());
        let is_per = known.sig.outputs.iter().any(|output| matches!(output.flow, Flows::Per(_)));
        let source = first.and_then(|(_, arg)| arg.scope.last()).and_then(|id| self.sources.get(id)).copied();
        let region = match (call.sources.as_slice(), source) {
            ([id], _) => self.parent_of(*id, place),
            ([], Some(source)) if is_per => source.each.region,
            _ => self.region_of(&expr.scope, place),
        };
        let (mut inputs, mut takes) = (Vec::new(), Vec::new());
        for ((param, arg), val) in known.sig.params.iter().zip(&call.args).zip(args) {
            match param.flow {
                Flows::Stream => takes.extend(self.argument(val, arg, region, place)),
                _ => inputs.push(self.reference(region, val, arg.span)),
            }
        }
        let from = StreamFn::Native(self.cx.native(known, &call.type_args));
        let made = Made { id, from, inputs, takes, ty: &expr.ty, span: expr.span };
        match (call.sources.as_slice(), source) {
            ([opened], _) => {
                let source = self.open(made, *opened, region, 1, place.region);
                self.come_after(source.each, deps, expr.span);
                Val::Loc(Loc { region: source.region, at: At::Param(0) })
            }
            ([], Some(source)) if is_per => {
                let id = made.id.clone();
                let loc = self.whole(made, region);
                self.come_after(loc, deps, expr.span);
                let of = self.reference_loc(source.region, loc, expr.span);
                let id = self.unique(id);
                let per = self.op(id, OpKind::Per(of), Vec::new(), &expr.ty, expr.span);
                let value = self.add(per, source.region);
                if let (At::Op(per), Some(op)) = (value.at, self.op_mut(loc))
                    && let OpKind::Stream(stream) = &mut op.kind
                {
                    stream.per = Some(per);
                }
                Val::Loc(value)
            }
            _ => {
                let loc = self.whole(made, region);
                self.come_after(loc, deps, expr.span);
                Val::Loc(loc)
            }
        }
    }

    /// The values of a call's arguments.
    fn arguments(&mut self, known: &Known<'db>, call: &'h Call, place: &Place) -> Vec<Val<'h>> {
        let mut values = Vec::with_capacity(call.args.len());
        for (arg, param) in call.args.iter().zip(&known.sig.params) {
            let outer = self.hint.replace(format_smolstr!("{}.{}", known.def.name, param.name));
            values.push(self.value(arg, place));
            self.hint = outer;
        }
        values
    }

    /// The region in which a source is opened.
    fn parent_of(&self, source: SourceId, place: &Place) -> RegionId {
        let scope = self.body.sources.get(source.0 as usize).map(|source| source.scope.as_slice());
        self.region_of(scope.unwrap_or_default(), place)
    }

    /// Lets an operation start after all of these.
    fn come_after(&mut self, loc: Loc, deps: &[Loc], span: Span) {
        let after = self.order(deps, loc.region, span);
        if let Some(op) = self.op_mut(loc) {
            op.after.extend(after);
        }
    }

    /// `filter(value, keep)`: what the value alone needs is done only for what is kept.
    pub(super) fn filter(&mut self, call: &'h Call, expr: &'h Expr, place: &Place, deps: &[Loc]) -> Val<'h> {
        let [value, keep] = call.args.as_slice() else {
            self.cx.internal(self.def, expr.span, "nothing is filtered");
            return Val::Const(&NULL);
        };
        let id = self.call_id("filter");
        let region = self.region_of(&expr.scope, place);
        let holds = self.hinted("filter.keep", |flow| flow.value(keep, place));
        let holds = self.reference(region, holds, keep.span);
        let opens_source =
            self.any(value, &mut |_, e| matches!(&e.kind, ExprKind::Call(call) if !call.sources.is_empty()));
        let mut body = None;
        let val = if self.has_effect(value) && !opens_source {
            // What it does is done only where it is asked for.
            let id = self.hinted("filter.value", Flow::code_id);
            let around = self.around(expr, place);
            let inner = self
                .region("filter.value", RegionKind::Block, 0, region, &around, |flow, place| flow.value(value, place));
            body = Some(inner);
            let op = self.op(id, OpKind::Block(inner), Vec::new(), &value.ty, value.span);
            Val::Loc(self.add(op, region))
        } else {
            self.hinted("filter.value", |flow| flow.value(value, place))
        };
        let val = self.reference(region, val, value.span);
        let op = self.op(id, OpKind::Filter, vec![holds, val], &expr.ty, expr.span);
        let loc = self.add(op, region);
        self.come_after(loc, deps, expr.span);
        self.mark_regions(loc, body.as_slice(), place);
        Val::Loc(loc)
    }

    /// A call of a workflow that takes or gives streams. Given lists it gives lists.
    pub(super) fn call_streams(
        &mut self,
        callee: RegionId,
        known: &Known<'db>,
        call: &'h Call,
        expr: &'h Expr,
        place: &Place,
        deps: &[Loc],
    ) -> Val<'h> {
        let sig = known.sig;
        let id = self.call_id(&known.def.name);
        let takes_streams = sig.params.iter().any(|param| param.flow == Flows::Stream);
        let gives_lists = takes_streams && !varies(call, sig);
        let follows = |flow: &Flows| matches!(flow, Flows::Per(of) if sig.params.iter().any(|p| p.name == *of));
        let goes_with_a_list = sig.params.iter().any(|param| matches!(param.flow, Flows::Per(_))) && gives_lists;
        if goes_with_a_list || sig.outputs.iter().any(|output| follows(&output.flow)) {
            self.cx.tell(self.def, expr.span, |at| plan::stream_call(at, &known.def.name));
            return Val::Const(&NULL);
        }
        let region = match call.sources.first() {
            Some(source) => self.parent_of(*source, place),
            None => self.region_of(&expr.scope, place),
        };
        let args = self.arguments(known, call, place);
        let all: Vec<_> = sig.params.iter().zip(call.args.iter().zip(args)).collect();
        let (mut inputs, mut takes) = (Vec::new(), Vec::new());
        for (param, (arg, val)) in &all {
            match &param.flow {
                Flows::Plain => inputs.push(self.reference(region, *val, arg.span)),
                Flows::Stream if !arg.scope.is_empty() && !self.is_list_here(arg, region) => {
                    let with = all.iter().filter(|(p, _)| p.flow == Flows::Per(param.name.clone()));
                    let values: Vec<_> =
                        std::iter::once((*val, *arg)).chain(with.map(|(_, (arg, val))| (*val, *arg))).collect();
                    takes.extend(self.taken(&values, region));
                }
                Flows::Stream => takes.extend(self.argument(*val, arg, region, place)),
                Flows::Per(_) => {}
            }
        }
        let mut op = self.op(id.clone(), OpKind::Call(callee), inputs, &expr.ty, expr.span);
        op.takes = takes;
        op.policy = ntl_plan::Policy { parallel: None, skip_errors: false, ..self.policy.clone() };
        let loc = self.add(op, region);
        self.come_after(loc, deps, expr.span);
        if known.effect >= Effect::Write {
            self.mark(loc, true, place);
        }
        let At::Op(op) = loc.at else { return Val::Loc(loc) };
        let outputs = self.outputs_of(op, id, known, call, expr, gives_lists, place, region);
        match outputs.as_slice() {
            [only] => Val::Loc(*only),
            _ => {
                let whole = self.record_of(&outputs, loc, expr);
                self.calls.insert(whole, outputs.len());
                for (output, at) in outputs.into_iter().zip(0..) {
                    self.outputs.insert((whole, at), output);
                }
                Val::Loc(whole)
            }
        }
    }

    /// The outputs of such a call, in declared order.
    #[expect(clippy::too_many_arguments, reason = "a call with all that belongs to it")]
    fn outputs_of(
        &mut self,
        op: OpId,
        id: SmolStr,
        known: &Known<'db>,
        call: &'h Call,
        expr: &'h Expr,
        gives_lists: bool,
        place: &Place,
        region: RegionId,
    ) -> Vec<Loc> {
        let sig = known.sig;
        let types = ntl_semantic::query::output_types(self.cx.db, &known.def);
        let mut outputs = vec![None; sig.outputs.len()];
        let (mut plain, mut stream) = (0, 0);
        for (at, (output, ty)) in sig.outputs.iter().zip(&types).enumerate() {
            let with = sig.outputs.iter().enumerate().filter(|(_, o)| o.flow == Flows::Per(output.name.clone()));
            let span = expr.span;
            let step = self.unique(id.clone());
            match output.flow {
                Flows::Plain => {
                    let op = self.op(step, OpKind::Output(op, plain), Vec::new(), ty, span);
                    plain += 1;
                    set(&mut outputs, at, self.add(op, region));
                }
                Flows::Stream => {
                    let from = StreamFn::Call(op, stream);
                    let made = Made { id: step, from, inputs: Vec::new(), takes: Vec::new(), ty, span };
                    let values = 1 + index(with.clone().count());
                    let source = match call.sources.get(stream as usize) {
                        Some(&source) => self.open(made, source, region, values, place.region),
                        None => self.unnamed(made, region, values, place.region),
                    };
                    stream += 1;
                    for (at, param) in std::iter::once(at).chain(with.map(|(at, _)| at)).zip(0..) {
                        let value = Loc { region: source.region, at: At::Param(param) };
                        let value = if gives_lists { self.collect_all(source, value, span) } else { value };
                        set(&mut outputs, at, value);
                    }
                }
                Flows::Per(_) => {}
            }
        }
        outputs.into_iter().flatten().collect()
    }

    /// The outputs of a call as one record, where they vary alike; else the call, of which nobody takes the whole.
    fn record_of(&mut self, outputs: &[Loc], call: Loc, expr: &Expr) -> Loc {
        let Some(first) = outputs.first().filter(|first| outputs.iter().all(|o| o.region == first.region)) else {
            return call;
        };
        let (region, id) = (first.region, self.code_id());
        let count = u16::try_from(outputs.len()).unwrap_or(u16::MAX);
        let span = self.cx.span(self.def, expr.span);
        let instrs =
            vec![Instr::Record { dst: count, ty: self.cx.ty(&expr.ty), first: 0 }, Instr::Return { src: count }];
        let code = Code {
            name: id.clone(),
            params: count,
            regs: count.saturating_add(1),
            lazies: 0,
            spans: vec![span; instrs.len()],
            instrs,
            handlers: Vec::new(),
            loops: Vec::new(),
        };
        let refs = outputs.iter().map(|output| self.reference_loc(region, *output, expr.span)).collect();
        self.code_op(id, code, refs, Vec::new(), &expr.ty, expr.span, region)
    }
}

fn set(outputs: &mut [Option<Loc>], at: usize, loc: Loc) {
    if let Some(output) = outputs.get_mut(at) {
        *output = Some(loc);
    }
}
