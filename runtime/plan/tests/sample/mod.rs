//! A plan that has everything, for tests of several crates.

use ntl_plan::*;

pub fn code(name: &str, params: u16, regs: u16, instrs: Vec<Instr>) -> Code {
    let spans = vec![SpanId(0); instrs.len()];
    Code { name: name.into(), params, regs, lazies: 0, instrs, spans, handlers: vec![], loops: vec![] }
}

pub fn op(id: &str, kind: OpKind, inputs: Vec<Ref>) -> Op {
    Op {
        id: id.into(),
        kind,
        inputs,
        takes: vec![],
        after: vec![],
        policy: Policy::default(),
        span: SpanId(0),
        ty: TypeId(0),
    }
}

pub fn region(kind: RegionKind, parent: Option<u32>, params: u32, ops: Vec<Op>, results: Vec<Ref>) -> Region {
    let parent = parent.map(RegionId);
    Region { kind, parent, params, ops, results, effects: vec![], streams: vec![], gives: vec![] }
}

pub fn stream(id: &str, from: StreamFn, opens: Option<u32>, takes: &[(u32, Ref)]) -> Op {
    let opens = opens.map(|region| Opens { region: RegionId(region), drives: false, late: false });
    let take = |&(source, value)| Take { source: Ref::Op(OpId(source)), values: vec![value], kept: false };
    let inputs = if from == StreamFn::Each { vec![Ref::Op(OpId(0))] } else { vec![] };
    let mut op = op(id, OpKind::Stream(Stream { from, opens, per: None }), inputs);
    op.takes = takes.iter().map(take).collect();
    op
}

/// A plan with every kind of operation and the shapes of code that have tables.
pub fn sample() -> Plan {
    let (a, b, c) = (Ref::Op(OpId(0)), Ref::Op(OpId(1)), Ref::Op(OpId(2)));
    let mut catches = code(
        "catches",
        1,
        6,
        vec![
            Instr::Lazy { lazy: 0, block: 6 },
            Instr::Len { dst: 1, src: 0 },
            Instr::Item { dst: 2, src: 0, index: 1 },
            Instr::Raise { item_loop: 0 },
            Instr::Record { dst: 2, ty: TypeId(3), first: 2 },
            Instr::Return { src: 2 },
            Instr::CallOnce { dst: 3, code: CodeId(0) },
            Instr::LazyEnd { lazy: 0 },
        ],
    );
    catches.lazies = 1;
    catches.loops = vec![Loop { start: 1, end: 3, index: 1 }];
    catches.handlers = vec![
        Handler { start: 1, end: 3, target: 3, kind: HandlerKind::Item(0) },
        Handler { start: 2, end: 3, target: 5, kind: HandlerKind::Try(2, TypeId(3)) },
    ];
    let null = |id: &str| op(id, OpKind::Const(ConstId(0)), vec![]);
    let mut entry = vec![
        op("page", OpKind::Native(NativeId(0)), vec![Ref::Param(0)]),
        op("n", OpKind::Code(CodeId(1)), vec![a]),
        op("call", OpKind::Call(RegionId(8)), vec![b]),
        op("call", OpKind::Output(OpId(2), 0), vec![]),
        op("pick", OpKind::Select(vec![RegionId(1), RegionId(2)]), vec![b]),
        op("all", OpKind::For { body: RegionId(3), keeps: true, flatten: false }, vec![a]),
        stream("x", StreamFn::Each, Some(4), &[]),
        stream("xs", StreamFn::Collect, None, &[(6, Ref::Op(OpId(1)))]),
        op("rounds", OpKind::Loop(RegionId(5)), vec![b, c]),
        op("safe", OpKind::Try(RegionId(6), RegionId(7)), vec![]),
        op("ordered", OpKind::Block(RegionId(9)), vec![]),
        op("require", OpKind::Require, vec![b, a]),
        stream("running", StreamFn::Native(NativeId(1)), None, &[(6, a)]),
        op("call", OpKind::Call(RegionId(10)), vec![]),
        stream("line", StreamFn::Call(OpId(13), 0), Some(12), &[]),
        op("kept", OpKind::Filter, vec![a, b]),
    ];
    if let OpKind::Stream(running) = &mut entry[12].kind {
        running.per = Some(OpId(1));
    }
    entry[13].takes = entry[7].takes.clone();
    entry[4].after = vec![c];
    entry[5].policy = Policy {
        retry: Some(2),
        backoff: Some(1),
        timeout: Some(5),
        parallel: Some(4),
        cache: Some(Cache::Forever),
        skip_errors: true,
    };
    let item = vec![
        op("y", OpKind::Code(CodeId(1)), vec![Ref::Param(0)]),
        op("per", OpKind::Per(Ref::Outer { up: 1, op: OpId(12) }), vec![]),
    ];
    let mut source = region(RegionKind::Source, Some(0), 2, item, vec![]);
    source.ops[0].after = vec![Ref::Outer { up: 1, op: OpId(2) }];
    let mut workflow = region(RegionKind::Workflow, None, 1, entry, vec![Ref::Op(OpId(7))]);
    workflow.effects = vec![OpId(0), OpId(11)];
    let mut lines =
        region(RegionKind::Workflow, None, 0, vec![stream("in", StreamFn::Param(0), Some(11), &[])], vec![]);
    lines.streams = vec![1];
    lines.gives = vec![Take { source: a, values: vec![Ref::Param(0)], kept: false }];
    let field = |name: &str, default| Field { name: name.into(), key: Some("K".into()), ty: TypeId(0), default };
    Plan {
        workflow: "main".into(),
        files: vec![File { path: "main.ntl".into(), hash: [7; 32] }],
        types: vec![
            Type::Any,
            Type::List(TypeId(3)),
            Type::Union(vec![TypeId(1), TypeId(4)]),
            Type::Record { name: Some("R".into()), fields: vec![field("a", Some(CodeId(0))), field("b", None)] },
            Type::Literal(ConstId(2)),
        ],
        consts: vec![Const::Null, Const::Float(1.5), Const::Str("s".into()), Const::Int(-1), Const::Json("[1]".into())],
        natives: vec![
            Native {
                id: "std.fs.read/0@1".into(),
                name: "fs.read".into(),
                effect: Effect::Read,
                retry_safe: true,
                params: vec!["path".into()],
                type_args: vec![TypeId(3)],
            },
            Native {
                id: "std.core.index/0@1".into(),
                name: "index".into(),
                effect: Effect::Pure,
                retry_safe: false,
                params: vec!["values".into()],
                type_args: vec![],
            },
        ],
        touches: vec![Touch {
            kind: "fs_read".into(),
            what: What::Computed("path".into()),
            by: "fs.read".into(),
            step: "main/a".into(),
            span: SpanId(0),
            calls: vec![("a".into(), SpanId(0))],
        }],
        codes: vec![
            code("zero", 0, 1, vec![Instr::Const { dst: 0, value: ConstId(3) }, Instr::Return { src: 0 }]),
            code(
                "twice",
                1,
                3,
                vec![
                    Instr::Call { dst: 1, code: CodeId(2), first: 0 },
                    Instr::Add { dst: 0, a: 1, b: 1 },
                    Instr::Return { src: 0 },
                ],
            ),
            catches,
        ],
        spans: vec![Span { file: 0, line: 1, column: 1, end_line: 1, end_column: 9 }],
        regions: vec![
            workflow,
            region(RegionKind::Branch, Some(0), 0, vec![null("no")], vec![a]),
            region(RegionKind::Branch, Some(0), 0, vec![], vec![Ref::Outer { up: 1, op: OpId(0) }]),
            region(RegionKind::For, Some(0), 2, vec![], vec![Ref::Param(1), Ref::OuterParam { up: 1, param: 0 }]),
            source,
            region(RegionKind::Loop, Some(0), 1, vec![null("until")], vec![a, Ref::Param(0)]),
            region(RegionKind::Try, Some(0), 0, vec![null("risk")], vec![a]),
            region(RegionKind::Handler, Some(0), 1, vec![], vec![Ref::Param(0)]),
            region(RegionKind::Workflow, None, 1, vec![], vec![Ref::Param(0)]),
            region(RegionKind::Block, Some(0), 0, vec![null("in")], vec![a]),
            lines,
            region(RegionKind::Source, Some(10), 2, vec![], vec![]),
            region(RegionKind::Source, Some(0), 2, vec![], vec![]),
        ],
        entry: RegionId(0),
        inputs: vec![Input {
            name: "path".into(),
            ty: TypeId(2),
            default: Some(CodeId(0)),
            min: Some(0.0),
            max: None,
            doc: Some("Where.".into()),
            span: SpanId(0),
        }],
        outputs: vec![Output { name: "xs".into(), ty: TypeId(1) }],
    }
}
