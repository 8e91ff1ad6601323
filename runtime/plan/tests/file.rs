//! Plan files: written, read, refused.

use ntl_plan::*;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

fn code(name: &str, params: u16, regs: u16, instrs: Vec<Instr>) -> Code {
    let spans = vec![SpanId(0); instrs.len()];
    Code { name: name.into(), params, regs, lazies: 0, instrs, spans, handlers: vec![], loops: vec![] }
}

fn op(id: &str, kind: OpKind, inputs: Vec<Ref>) -> Op {
    Op { id: id.into(), kind, inputs, after: vec![], policy: Policy::default(), span: SpanId(0), ty: TypeId(0) }
}

fn region(kind: RegionKind, parent: Option<u32>, params: u32, ops: Vec<Op>, results: Vec<Ref>) -> Region {
    Region { kind, parent: parent.map(RegionId), params, ops, results, effects: vec![] }
}

/// A plan with every kind of operation and the shapes of code that have tables.
fn sample() -> Plan {
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
        op("x", OpKind::Each(RegionId(4)), vec![a]),
        op("xs", OpKind::Collect(Ref::Op(OpId(6)), a), vec![]),
        op("rounds", OpKind::Loop(RegionId(5)), vec![b, c]),
        op("safe", OpKind::Try(RegionId(6), RegionId(7)), vec![]),
        op("ordered", OpKind::Block(RegionId(9)), vec![]),
        op("require", OpKind::Require, vec![b, a]),
    ];
    entry[4].after = vec![c];
    entry[5].policy = Policy {
        retry: Some(2),
        backoff: Some(1),
        timeout: Some(5),
        parallel: Some(4),
        cache: Some(Cache::Forever),
        skip_errors: true,
    };
    let mut source =
        region(RegionKind::Source, Some(0), 2, vec![op("y", OpKind::Code(CodeId(1)), vec![Ref::Param(0)])], vec![]);
    source.ops[0].after = vec![Ref::Outer { up: 1, op: OpId(2) }];
    let mut workflow = region(RegionKind::Workflow, None, 1, entry, vec![Ref::Op(OpId(7))]);
    workflow.effects = vec![OpId(0), OpId(11)];
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
        natives: vec![Native {
            id: "std.fs.read/0@1".into(),
            name: "fs.read".into(),
            effect: Effect::Read,
            retry_safe: true,
            touches: vec![Touch { kind: "fs_read".into(), arg: 0 }],
            params: vec!["path".into()],
            type_args: vec![TypeId(3)],
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

fn refusal(bytes: &[u8]) -> String {
    read(bytes).map_or_else(|e| e.message, |_| "nothing: it was read".into())
}

/// The file of a plan that need not be valid.
fn invalid(change: impl FnOnce(&mut Plan)) -> String {
    let mut plan = sample();
    change(&mut plan);
    refusal(&write(&plan))
}

#[test]
fn a_plan_survives_its_file_and_its_json() {
    let plan = sample();
    assert_eq!(validate(&plan), Ok(()));
    let bytes = write(&plan);
    assert_eq!(bytes, write(&plan));
    assert_eq!(read(&bytes), Ok(plan.clone()));
    let json = serde_json::to_string(&plan).unwrap();
    assert_eq!(serde_json::from_str::<Plan>(&json).unwrap(), plan);
    assert!(json.contains(&format!("\"{}\"", "07".repeat(32))), "hashes are hex: {json}");
}

#[test]
fn a_refusal_says_what_kind_of_file_it_is() {
    let bytes = write(&sample());
    for cut in 0..4 {
        assert!(refusal(&bytes[..cut]).starts_with("not a plan file"));
    }
    assert!(refusal(b"#!/bin/sh").starts_with("not a plan file"));
    for cut in 4..bytes.len() {
        assert!(refusal(&bytes[..cut]).starts_with("damaged plan file"), "cut at {cut}");
    }
    let mut newer = bytes.clone();
    newer[4] = 9;
    assert!(refusal(&newer).contains("format 9"));
    let mut flipped = bytes.clone();
    flipped[40] ^= 1;
    assert!(refusal(&flipped).contains("checksum"));
}

#[test]
fn a_claimed_length_allocates_nothing() {
    let mut bytes = b"NTLP\x01\x00\x04main".to_vec();
    bytes.extend([0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f]);
    bytes.extend(blake3::hash(&bytes).as_bytes().to_vec());
    assert!(refusal(&bytes).starts_with("invalid plan file"));
}

#[test]
fn what_a_plan_breaks_is_named() {
    let refused = |change: fn(&mut Plan), part: &str| {
        let message = invalid(change);
        assert!(message.contains(part), "{message:?} does not say {part:?}");
    };
    refused(|p| p.spans[0].file = 1, "span 0");
    refused(|p| p.consts[1] = Const::Float(f64::NAN), "constant 1 is no finite number");
    refused(|p| p.types[2] = Type::Union(vec![TypeId(2)]), "a union that holds itself");
    refused(|p| p.types[4] = Type::Literal(ConstId(0)), "no literal type");
    refused(|p| p.types[1] = Type::List(TypeId(9)), "no type 9");
    refused(|p| p.natives[0].touches[0].arg = 1, "no argument 1");
    refused(|p| p.codes[0].instrs[0] = Instr::Move { dst: 0, src: 1 }, "register 1 of 1");
    refused(|p| p.codes[0].instrs[0] = Instr::Jump { to: 2 }, "no instruction 2");
    refused(|p| p.codes[0].instrs[1] = Instr::Neg { dst: 0, a: 0 }, "past its end");
    refused(|p| p.codes[0].instrs[0] = Instr::Call { dst: 0, code: CodeId(1), first: 0 }, "calls itself");
    refused(|p| p.codes[1].instrs[0] = Instr::Call { dst: 1, code: CodeId(2), first: 3 }, "register 3 of 3");
    refused(|p| p.codes[1].instrs[0] = Instr::CallOnce { dst: 1, code: CodeId(2) }, "without parameters");
    refused(|p| p.codes[1].instrs[0] = Instr::Native { dst: 1, native: NativeId(0), first: 0, count: 1 }, "not pure");
    refused(|p| p.codes[2].instrs[4] = Instr::Record { dst: 2, ty: TypeId(3), first: 5 }, "register 6 of 6");
    refused(|p| p.codes[2].instrs[6] = Instr::Lazy { lazy: 0, block: 6 }, "lazy 0 needs itself");
    refused(|p| p.codes[2].instrs[7] = Instr::Jump { to: 0 }, "lazy 0 has no block");
    refused(|p| p.codes[2].handlers[0].target = 99, "no instruction 99");
    refused(|p| p.codes[2].loops[0].end = 99, "no range");
    refused(|p| p.entry = RegionId(1), "entry");
    refused(|p| p.outputs.clear(), "entry");
    refused(|p| p.regions[1].parent = Some(RegionId(2)), "has no right parent");
    refused(|p| p.regions[1].kind = RegionKind::Block, "another kind");
    refused(|p| p.regions[0].ops[4].kind = OpKind::Select(vec![RegionId(1)]), "no operation holds it");
    refused(|p| p.regions[0].ops[4].kind = OpKind::Select(vec![RegionId(1), RegionId(1)]), "held twice");
    refused(|p| p.regions[0].ops[1].inputs = vec![Ref::Op(OpId(1))], "not before it");
    refused(|p| p.regions[0].ops[1].inputs = vec![], "it takes 0 values, not 1");
    refused(|p| p.regions[0].ops[3].kind = OpKind::Output(OpId(1), 0), "output of no call");
    refused(|p| p.regions[0].ops[3].kind = OpKind::Output(OpId(2), 1), "output 1 of 1");
    refused(|p| p.regions[0].ops[7].kind = OpKind::Collect(Ref::Op(OpId(0)), Ref::Op(OpId(0))), "no source");
    refused(|p| p.regions[0].ops[7].kind = OpKind::Collect(Ref::Op(OpId(6)), Ref::Op(OpId(1))), "no operation 1");
    refused(|p| p.regions[2].results = vec![Ref::Outer { up: 2, op: OpId(0) }], "outside of its workflow");
    refused(|p| p.regions[2].results = vec![Ref::Outer { up: 1, op: OpId(4) }], "waits for itself");
    refused(|p| p.regions[4].ops[0].after = vec![Ref::Outer { up: 1, op: OpId(7) }], "waits for itself");
    refused(|p| p.regions[6].ops[0].after = vec![Ref::Outer { up: 1, op: OpId(9) }], "waits for itself");
    refused(|p| p.regions[0].effects = vec![OpId(99)], "no operation 99");
    refused(|p| p.regions[8].ops = vec![op("again", OpKind::Call(RegionId(0)), vec![Ref::Param(0)])], "calls itself");
}

#[test]
fn depth_is_bounded_and_costs_no_stack() {
    let chain = |n: u32| {
        let mut plan = sample();
        let first = plan.codes.len() as u32;
        plan.codes.extend((0..n).map(|i| {
            let call = Instr::CallOnce { dst: 0, code: CodeId(if i == 0 { 0 } else { first + i - 1 }) };
            code("c", 0, 1, vec![call, Instr::Return { src: 0 }])
        }));
        plan
    };
    assert_eq!(validate(&chain(999)), Ok(()));
    assert!(validate(&chain(100_000)).unwrap_err().message.contains("more than 1000 deep"));

    let nest = |n: u32| {
        let mut plan = sample();
        plan.regions[9].ops = vec![op("b", OpKind::Block(RegionId(10)), vec![])];
        plan.regions.extend((0..n).map(|i| {
            let ops = if i + 1 < n {
                vec![op("b", OpKind::Block(RegionId(11 + i)), vec![])]
            } else {
                vec![op("z", OpKind::Const(ConstId(0)), vec![])]
            };
            region(RegionKind::Block, Some(9 + i), 0, ops, vec![Ref::Op(OpId(0))])
        }));
        plan
    };
    assert_eq!(validate(&nest(500)), Ok(()));
    assert!(validate(&nest(50_000)).unwrap_err().message.contains("nested more than 512 deep"));
}

#[test]
fn a_dump_shows_it() {
    let text = sample().dump();
    assert!(text.contains("  %0 page = std.fs.read/0@1 ($0): any @1:1\n"), "{text}");
    assert!(text.contains("    4 r2 = record R (r2, r3)  @1:1\n"), "{text}");
}

/// Bytes changed, cut out and doubled, with the checksum made right again.
fn mangled(edits: &[(u32, u8, u8)]) -> Vec<u8> {
    let mut bytes = write(&sample());
    bytes.truncate(bytes.len() - 32);
    for &(place, kind, value) in edits {
        let at = 6 + place as usize % (bytes.len() - 6);
        match kind % 5 {
            0 => bytes[at] = value,
            1 => bytes[at] = bytes[at].wrapping_add(1),
            2 => bytes[at] ^= 1 << (value % 8),
            3 => drop(bytes.drain(at..(at + usize::from(value % 4)).min(bytes.len()))),
            _ => bytes.insert(at, value),
        }
    }
    let hash = blake3::hash(&bytes);
    bytes.extend(hash.as_bytes());
    bytes
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4_000, rng_seed: RngSeed::Fixed(7), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn whatever_is_read_is_valid(edits in prop::collection::vec(any::<(u32, u8, u8)>(), 1..6)) {
        if let Ok(plan) = read(&mangled(&edits)) {
            prop_assert_eq!(validate(&plan), Ok(()));
            prop_assert_eq!(read(&write(&plan)), Ok(plan.clone()));
            plan.dump();
        }
    }

    #[test]
    fn any_bytes_are_refused(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        prop_assert!(read(&bytes).is_err());
        let mut file = b"NTLP\x01\x00".to_vec();
        file.extend(bytes);
        let hash = blake3::hash(&file);
        file.extend(hash.as_bytes());
        if let Ok(plan) = read(&file) {
            prop_assert_eq!(validate(&plan), Ok(()));
        }
    }
}
