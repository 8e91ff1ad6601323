//! Builds plans by hand, for tests.

use ntl_plan::*;
use smol_str::SmolStr;

/// A plan under construction. Each line that is noted (code, operation) gets a span of its own line, from 1.
#[derive(Default)]
pub(crate) struct Build {
    pub types: Vec<Type>,
    pub consts: Vec<Const>,
    pub natives: Vec<Native>,
    pub touches: Vec<Touch>,
    pub codes: Vec<Code>,
    pub spans: Vec<Span>,
    pub regions: Vec<Region>,
    pub inputs: Vec<Input>,
    pub outputs: Vec<Output>,
}

impl Build {
    pub fn ty(&mut self, ty: Type) -> TypeId {
        let at = self.types.iter().position(|t| *t == ty).unwrap_or_else(|| {
            self.types.push(ty);
            self.types.len() - 1
        });
        TypeId(at as u32)
    }
    pub fn error_type(&mut self) -> TypeId {
        let (string, boolean) = (self.ty(Type::Str), self.ty(Type::Bool));
        let field = |name: &str, ty| Field { name: name.into(), key: None, ty, default: None };
        let fields = ["code", "message", "node"].map(|n| field(n, string)).into_iter();
        self.ty(Type::Record { name: None, fields: fields.chain([field("retryable", boolean)]).collect() })
    }
    pub fn constant(&mut self, value: Const) -> ConstId {
        self.consts.push(value);
        ConstId(self.consts.len() as u32 - 1)
    }
    pub fn int(&mut self, i: i64) -> ConstId {
        self.constant(Const::Int(i))
    }
    pub fn native(&mut self, id: &str, effect: Effect, params: usize) -> NativeId {
        let name = SmolStr::new(id);
        let params = ["a", "b", "c"].iter().take(params).map(SmolStr::new).collect();
        let native = Native { id: name.clone(), name, effect, retry_safe: false, params, type_args: vec![] };
        self.natives.push(native);
        NativeId(self.natives.len() as u32 - 1)
    }
    pub fn span(&mut self) -> SpanId {
        let line = self.spans.len() as u32 + 1;
        self.spans.push(Span { file: 0, line, column: 1, end_line: line, end_column: 2 });
        SpanId(line - 1)
    }
    pub fn code(&mut self, name: &str, params: u16, regs: u16, instrs: Vec<Instr>) -> CodeId {
        let spans = instrs.iter().map(|_| self.span()).collect();
        let (handlers, loops) = (vec![], vec![]);
        self.codes.push(Code { name: name.into(), params, regs, lazies: 4, instrs, spans, handlers, loops });
        CodeId(self.codes.len() as u32 - 1)
    }
    pub fn last_code(&mut self) -> &mut Code {
        self.codes.last_mut().unwrap()
    }
    /// An empty region.
    pub fn region(&mut self, kind: RegionKind, parent: Option<RegionId>, params: u32) -> RegionId {
        let (ops, results, effects, streams, gives) = (vec![], vec![], vec![], vec![], vec![]);
        self.regions.push(Region { kind, parent, params, ops, results, effects, streams, gives });
        RegionId(self.regions.len() as u32 - 1)
    }
    pub fn op(&mut self, region: RegionId, id: &str, kind: OpKind, inputs: Vec<Ref>) -> OpId {
        let (span, ty) = (self.span(), self.ty(Type::Any));
        let (takes, after, policy) = (vec![], vec![], Policy::default());
        let op = Op { id: id.into(), kind, inputs, takes, after, policy, span, ty };
        let ops = &mut self.regions[region.at()].ops;
        ops.push(op);
        OpId(ops.len() as u32 - 1)
    }
    /// A source over a list.
    pub fn each(&mut self, region: RegionId, id: &str, items: RegionId, list: Ref) -> OpId {
        let opens = Some(Opens { region: items, drives: false, late: false });
        let stream = Stream { from: StreamFn::Each, opens, per: None };
        self.op(region, id, OpKind::Stream(stream), vec![list])
    }
    /// The list of a value of a source's items.
    pub fn collect(&mut self, region: RegionId, id: &str, source: Ref, value: Ref) -> OpId {
        let stream = Stream { from: StreamFn::Collect, opens: None, per: None };
        let op = self.op(region, id, OpKind::Stream(stream), vec![]);
        self.last_op(region).takes = vec![Take { source, values: vec![value], kept: false }];
        op
    }
    pub fn last_op(&mut self, region: RegionId) -> &mut Op {
        self.regions[region.at()].ops.last_mut().unwrap()
    }
    pub fn result(&mut self, region: RegionId, value: Ref) {
        self.regions[region.at()].results.push(value);
    }
    pub fn effect(&mut self, region: RegionId, op: OpId) {
        self.regions[region.at()].effects.push(op);
    }
    /// An output of the entry region, region 0.
    pub fn output(&mut self, name: &str, value: Ref) {
        let ty = self.ty(Type::Any);
        self.outputs.push(Output { name: name.into(), ty });
        self.result(RegionId(0), value);
    }
    pub fn plan(self) -> Plan {
        let mut plan = Plan {
            workflow: "main".into(),
            files: vec![File { path: "main.ntl".into(), hash: [0; 32] }],
            types: self.types,
            consts: self.consts,
            natives: self.natives,
            touches: self.touches,
            codes: self.codes,
            spans: self.spans,
            regions: self.regions,
            entry: RegionId(0),
            inputs: self.inputs,
            outputs: self.outputs,
        };
        set_readers(&mut plan);
        plan
    }
}
