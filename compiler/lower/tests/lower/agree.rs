//! The same body as a function, where it is one piece of code, and as a workflow, where it is operations and regions, gives
//! the same: on programs made at random, in which much fails unless it is left alone where nobody needs it.

use crate::support::ran;

/// Makes programs: the same ones for the same seed.
struct Maker {
    state: u64,
    names: u32,
    /// What a step in between calls: nothing in a function.
    step: &'static str,
}

impl Maker {
    fn below(&mut self, n: u64) -> u64 {
        // A linear congruential generator; its upper bits are good enough.
        self.state = self.state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.state >> 33) % n
    }

    fn name(&mut self) -> String {
        self.names += 1;
        format!("v{}", self.names)
    }

    /// An int over some names. `pure` where no step may be called.
    fn int(&mut self, depth: u32, names: &[String], pure: bool) -> String {
        let leaf = depth == 0;
        match self.below(if leaf { 4 } else { 18 }) {
            // No literal type: comparing those is an error where it can never hold.
            0 => format!("(zero + {})", self.below(4)),
            1..=3 => names[self.below(names.len() as u64) as usize].clone(),
            4 | 5 => {
                let op = ["+", "-", "*", "~/", "%"][self.below(5) as usize];
                format!("({} {op} {})", self.int(depth - 1, names, pure), self.int(depth - 1, names, pure))
            }
            6 | 7 => {
                let cond = self.bool(depth - 1, names, pure);
                format!("(if {cond} {} else {})", self.body(depth - 1, names, pure), self.body(depth - 1, names, pure))
            }
            8 => format!("(try {} else {})", self.int(depth - 1, names, pure), self.int(depth - 1, names, pure)),
            9 => {
                let subject = self.int(depth - 1, names, pure);
                let (zero, other) = (self.int(depth - 1, names, pure), self.int(depth - 1, names, pure));
                let k = self.name();
                let inner: Vec<String> = names.iter().cloned().chain([k.clone()]).collect();
                let guard = self.bool(depth - 1, &inner, pure);
                let guarded = self.int(depth - 1, &inner, pure);
                format!("(match {subject} {{ 0 => {zero}, {k} if {guard} => {guarded}, _ => {other} }})")
            }
            10 => {
                let (x, items) = (self.name(), self.int(depth - 1, names, pure));
                let inner: Vec<String> = names.iter().cloned().chain([x.clone()]).collect();
                let cond = self.bool(depth - 1, &inner, pure);
                format!("sum(for {x} in [1, {items}] if {cond} {})", self.body(depth - 1, &inner, pure))
            }
            11 => {
                let (x, first) = (self.name(), self.int(depth - 1, names, pure));
                let inner: Vec<String> = names.iter().cloned().chain([x.clone()]).collect();
                let y = self.name();
                let value = self.int(depth - 1, &inner, pure);
                let inner: Vec<String> = inner.into_iter().chain([y.clone()]).collect();
                let until = self.bool(depth - 1, &inner, pure);
                let next = self.int(depth - 1, &inner, pure);
                format!("(loop {x} = {first}, max: 3 {{\n{y} = {value}\nuntil {until}\nnext {next}\n}})")
            }
            12 => {
                let cond = self.bool(depth - 1, names, pure);
                let then = self.int(depth - 1, names, pure);
                format!("((if {cond} {{ {then} }}) ?? {})", self.int(depth - 1, names, pure))
            }
            13 => {
                let (n, x) = (self.name(), self.name());
                let inner: Vec<String> = names.iter().cloned().chain([n.clone(), x.clone()]).collect();
                let value = self.int(depth - 1, &inner, true);
                format!("[2, {}].fold(1, ({n}, {x}) => {value})", self.int(depth - 1, names, pure))
            }
            14 | 15 if !pure => {
                let value = self.int(depth - 1, names, pure);
                format!("{}({value})", self.step)
            }
            _ => format!("same({})", self.int(depth - 1, names, pure)),
        }
    }

    fn bool(&mut self, depth: u32, names: &[String], pure: bool) -> String {
        match self.below(if depth == 0 { 2 } else { 6 }) {
            0 => format!("{} < {}", self.int(0, names, pure), self.int(0, names, pure)),
            1 => format!("{} == {}", self.int(0, names, pure), self.int(depth / 2, names, pure)),
            2 => format!("({} and {})", self.bool(depth - 1, names, pure), self.bool(depth - 1, names, pure)),
            3 => format!("({} or {})", self.bool(depth - 1, names, pure), self.bool(depth - 1, names, pure)),
            4 => format!("not ({})", self.bool(depth - 1, names, pure)),
            _ => format!("{} > {}", self.int(depth - 1, names, pure), self.int(0, names, pure)),
        }
    }

    /// A body with bindings, of which some are taken, in any order.
    fn body(&mut self, depth: u32, names: &[String], pure: bool) -> String {
        let mut known = names.to_vec();
        let mut lines = Vec::new();
        for _ in 0..self.below(3) {
            let value = self.int(depth, &known, pure);
            let name = self.name();
            lines.push(format!("{name} = {value}"));
            known.push(name);
        }
        if self.below(8) == 0 {
            lines.push(format!("require {} else \"no\"", self.bool(depth, &known, pure)));
        }
        let value = self.int(depth, &known, pure);
        // The order of bindings does not matter.
        if self.below(2) == 0 {
            lines.reverse();
        }
        let mut body = String::from("{\n");
        lines.iter().for_each(|line| body.push_str(&format!("{line}\n")));
        body + &value + "\n}"
    }
}

/// What a program gives, or that it fails.
fn outcome(program: &str) -> Option<i64> {
    let ran = ran(program);
    let value = ran.outputs.get("output").and_then(serde_json::Value::as_i64);
    assert_eq!(value.is_none(), !ran.errors.is_empty(), "{program}\n{:?} {}", ran.errors, ran.outputs);
    value
}

#[test]
fn code_and_regions_agree() {
    let mut failed = 0;
    let count = 200;
    for seed in 0..count {
        let body = |step| {
            let names = ["a", "b", "zero"].map(String::from);
            Maker { state: seed * 7919 + 1, names: 0, step }.body(3, &names, false)
        };
        let same = "fn same(n: int) -> int = n\nworkflow step(n: int) -> int { m = n\n m }\n";
        let inputs = "a: int = 3, b: int = -2, zero: int = 0";
        let code = format!(
            "{same}fn all({inputs}) -> int {}\nworkflow main({inputs}) -> int {{ all(a, b, zero) }}",
            body("same")
        );
        let regions = format!("{same}workflow main({inputs}) -> int {}", body("same"));
        let steps = format!("{same}workflow main({inputs}) -> int {}", body("step"));
        let wanted = outcome(&code);
        failed += u64::from(wanted.is_none());
        assert_eq!(outcome(&regions), wanted, "{regions}");
        assert_eq!(outcome(&steps), wanted, "{steps}");
    }
    assert!(failed > count / 20 && failed < count / 2, "{failed} of {count} fail: they show little");
}
