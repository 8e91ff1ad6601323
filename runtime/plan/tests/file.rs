//! Plan files: written, read, refused.

mod sample;

use ntl_plan::*;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use sample::{code, op, region, sample, stream};

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
    let mut bytes = b"NTLP\x03\x00\x04main".to_vec();
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
    refused(|p| p.touches[0].span = SpanId(1), "touch 0");
    refused(|p| p.touches[0].calls[0].1 = SpanId(1), "touch 0");
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
    refused(|p| p.regions[0].ops[7].takes[0].source = Ref::Op(OpId(0)), "what is no source");
    refused(|p| p.regions[0].ops[7].takes[0].values = vec![Ref::Op(OpId(9))], "no operation 9");
    refused(|p| p.regions[0].ops[7].takes[0].values.clear(), "takes nothing");
    refused(|p| p.regions[0].ops[7].takes.clear(), "wrong number of streams");
    refused(|p| p.regions[0].ops[7].takes[0].kept = true, "is not so");
    refused(|p| p.regions[0].ops[8].takes = p.regions[0].ops[7].takes.clone(), "it takes a stream");
    refused(|p| p.regions[0].ops[13].takes.clear(), "the workflow's streams");
    refused(|p| p.regions[0].ops[14].kind = stream("", StreamFn::Call(OpId(13), 1), Some(12), &[]).kind, "no stream 1");
    refused(|p| p.regions[0].ops[14].kind = stream("", StreamFn::Call(OpId(1), 0), Some(12), &[]).kind, "of no call");
    refused(|p| p.regions[0].ops[14].kind = stream("", StreamFn::Param(0), Some(12), &[]).kind, "no stream parameter");
    refused(|p| p.regions[12].params = 3, "wrong number of parameters");
    refused(|p| p.regions[4].ops[1].kind = OpKind::Per(Ref::Outer { up: 1, op: OpId(7) }), "values per item");
    refused(|p| p.regions[10].gives[0].values = vec![Ref::Param(2)], "parameter 2");
    refused(|p| p.regions[1].streams = vec![1], "no workflow's");
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
        let first = plan.regions.len() as u32;
        plan.regions[9].ops = vec![op("b", OpKind::Block(RegionId(first)), vec![])];
        plan.regions.extend((0..n).map(|i| {
            let ops = if i + 1 < n {
                vec![op("b", OpKind::Block(RegionId(first + 1 + i)), vec![])]
            } else {
                vec![op("z", OpKind::Const(ConstId(0)), vec![])]
            };
            region(RegionKind::Block, Some(if i == 0 { 9 } else { first + i - 1 }), 0, ops, vec![Ref::Op(OpId(0))])
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
            prop_assert_eq!(write(&plan), mangled(&edits));
            plan.dump();
        }
    }

    #[test]
    fn any_bytes_are_refused(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        prop_assert!(read(&bytes).is_err());
        let mut file = b"NTLP\x03\x00".to_vec();
        file.extend(bytes);
        let hash = blake3::hash(&file);
        file.extend(hash.as_bytes());
        if let Ok(plan) = read(&file) {
            prop_assert_eq!(validate(&plan), Ok(()));
        }
    }
}
