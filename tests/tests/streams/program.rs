//! Random programs: bindings of ints that vary per sources, sources, what takes them whole, and statements.

use std::fmt::Write;

/// An index into [`Program::values`].
pub type Id = usize;
/// An index into [`Program::sources`].
pub type SourceId = usize;

/// A named int.
pub struct Value {
    /// What it varies per, outermost first.
    pub scope: Vec<SourceId>,
    /// How it comes about.
    pub expr: Expr,
    /// Whether it may be dropped.
    pub drops: bool,
}

pub enum Expr {
    Const(i64),
    /// The item of its innermost source.
    Item,
    /// `(a * 3 + b) % 50`
    Mix(Id, Id),
    /// `100 ~/ a`, which fails for 0.
    Divide(Id),
    /// Reads a file of that name: fails for some.
    Read(Id),
    /// `filter(a, b % 3 != 0)`
    Filter(Id, Id),
    /// `sum(collect(a)) % 50`, `count(a)`, `last(a) ?? -1`
    Sum(Id),
    Count(Id),
    Last(Id),
    /// `running(a, b, (n, x) => (n * 2 + x) % 50)`
    Running(Id, Id),
    Index(Id),
    /// `if c % 2 == 0 { count(a) + b } else { b }`
    IfCount(Id, Id, Id),
    /// `sum(for k in range(n % 3) { k + count(a) })`
    ForCount(Id, Id),
    /// `try a else -1`
    Try(Id),
    /// `a after b`
    After(Id, Id),
}

/// What gives items.
pub struct Source {
    /// What it stands in.
    pub scope: Vec<SourceId>,
    pub from: From,
}

pub enum From {
    /// `each(range(a % 4 + 1))`
    Range(Id),
    /// `each(collect(a))`: again, after all of it is known.
    Again(Id),
    Take(Id, i64),
    Skip(Id, i64),
    /// Sums of so many.
    Batch(Id, i64),
    Window(Id, i64, i64),
    /// `a * 7 + b` of pairs.
    Zip(Id, Id),
    Cross(Id, Id),
    /// Through a workflow that takes a stream and gives one beside a single value: odd ones only, doubled.
    Through(Id),
    /// A workflow's stream: so many squares.
    Squares(Id),
}

pub struct Program {
    pub values: Vec<Value>,
    pub sources: Vec<Source>,
    pub outputs: Vec<Id>,
    /// Values that are printed, each time they are there.
    pub prints: Vec<Id>,
    state: u64,
}

impl Program {
    pub fn random(seed: u64) -> Program {
        let state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0xd1b5_4a32_d192_ed03;
        let mut p = Program { values: vec![], sources: vec![], outputs: vec![], prints: vec![], state };
        for n in [0, 2, 5] {
            p.add(vec![], Expr::Const(n), false);
        }
        let first = p.any_of(&[]);
        p.open(vec![], From::Range(first));
        let steps = 5 + p.below(14);
        for _ in 0..steps {
            p.step();
        }
        let outputs = 1 + p.below(4);
        for _ in 0..outputs {
            // Later ones are more than their parts.
            let late = p.values.len() - 1 - p.below(p.values.len().min(6));
            let is_plain = p.values[late].scope.is_empty();
            if !p.outputs.contains(&late) && (!is_plain || !p.values[late].drops) {
                p.outputs.push(late);
            }
        }
        if p.outputs.is_empty() {
            p.outputs.push(0);
        }
        if p.below(2) == 0 {
            let printed = p.any();
            p.prints.push(printed);
        }
        p
    }

    fn below(&mut self, n: usize) -> usize {
        self.state = self.state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.state >> 33) as usize % n
    }

    fn any(&mut self) -> Id {
        // What varies is more interesting than what does not.
        let at = self.below(self.values.len());
        let again = self.below(self.values.len());
        if self.values[at].scope.is_empty() { again } else { at }
    }

    fn pick(&mut self, fits: impl Fn(&Value) -> bool) -> Option<Id> {
        let found: Vec<Id> = (0..self.values.len()).filter(|id| fits(&self.values[*id])).collect();
        if found.is_empty() { None } else { Some(found[self.below(found.len())]) }
    }

    /// A value that may stand where something varies per this scope.
    fn any_of(&mut self, scope: &[SourceId]) -> Id {
        self.pick(|v| scope.starts_with(&v.scope)).unwrap_or(0)
    }

    /// One that meets another.
    fn meets(&mut self, a: Id) -> Id {
        let scope = self.values[a].scope.clone();
        self.pick(|v| scope.starts_with(&v.scope) || v.scope.starts_with(&scope)).unwrap_or(0)
    }

    fn varying(&mut self) -> Option<Id> {
        self.pick(|v| !v.scope.is_empty())
    }

    fn add(&mut self, scope: Vec<SourceId>, expr: Expr, drops: bool) {
        self.values.push(Value { scope, expr, drops });
    }

    fn open(&mut self, scope: Vec<SourceId>, from: From) {
        let mut inner = scope.clone();
        inner.push(self.sources.len());
        self.sources.push(Source { scope, from });
        self.add(inner, Expr::Item, false);
    }

    /// Adds what is made of values: it varies per the longest of their scopes.
    fn item_wise(&mut self, of: &[Id], expr: Expr) {
        let longest = of.iter().map(|id| self.values[*id].scope.clone()).max_by_key(Vec::len).unwrap_or_default();
        let drops = of.iter().any(|id| self.values[*id].drops);
        self.add(longest, expr, drops);
    }

    /// The scope of what takes a value whole.
    fn parent(&self, id: Id) -> Vec<SourceId> {
        let scope = &self.values[id].scope;
        scope[..scope.len() - 1].to_vec()
    }

    fn step(&mut self) {
        let a = self.any();
        match self.below(24) {
            0 | 1 => {
                let b = self.meets(a);
                self.item_wise(&[a, b], Expr::Mix(a, b));
            }
            2 => self.item_wise(&[a], Expr::Divide(a)),
            3 | 4 => self.item_wise(&[a], Expr::Read(a)),
            5 | 6 => {
                let b = self.meets(a);
                if self.values[a].scope.len() + self.values[b].scope.len() > 0 {
                    self.item_wise(&[a, b], Expr::Filter(a, b));
                    self.values.last_mut().unwrap().drops = true;
                }
            }
            7 => self.item_wise(&[a], Expr::Try(a)),
            8 => {
                let b = self.meets(a);
                let scope = self.values[a].scope.clone();
                let drops = self.values[a].drops || self.values[b].drops;
                self.add(scope, Expr::After(a, b), drops);
            }
            9..=12 => {
                let Some(a) = self.varying() else { return };
                let parent = self.parent(a);
                // What is dropped around is dropped with it only if its source is.
                let drops = false;
                let expr = match self.below(3) {
                    0 => Expr::Sum(a),
                    1 => Expr::Count(a),
                    _ => Expr::Last(a),
                };
                self.add(parent, expr, drops);
            }
            13 => {
                let Some(a) = self.varying() else { return };
                let parent = self.parent(a);
                let start = self.any_of(&parent);
                let (scope, drops) = (self.values[a].scope.clone(), self.values[a].drops || self.values[start].drops);
                self.add(scope, Expr::Running(a, start), drops);
            }
            14 => {
                let Some(a) = self.varying() else { return };
                let (scope, drops) = (self.values[a].scope.clone(), self.values[a].drops);
                self.add(scope, Expr::Index(a), drops);
            }
            15 => {
                let Some(a) = self.varying() else { return };
                let parent = self.parent(a);
                let (c, b) = (self.any_of(&parent), self.any_of(&parent));
                // The branches take what stands in the scope of the condition.
                let drops = self.values[c].drops || self.values[b].drops;
                self.add(parent, Expr::IfCount(c, a, b), drops);
            }
            16 => {
                let Some(a) = self.varying() else { return };
                let parent = self.parent(a);
                let n = self.any_of(&parent);
                let drops = self.values[n].drops;
                self.add(parent, Expr::ForCount(n, a), drops);
            }
            17 => {
                let scope = self.values[a].scope.clone();
                if scope.len() < 3 {
                    let from = if self.below(3) == 0 { From::Squares(a) } else { From::Range(a) };
                    self.open(scope, from);
                }
            }
            18 => {
                let Some(a) = self.varying() else { return };
                let parent = self.parent(a);
                self.open(parent, From::Again(a));
            }
            19 | 20 => {
                let Some(a) = self.varying() else { return };
                let (parent, n) = (self.parent(a), self.below(4) as i64);
                let from = match self.below(4) {
                    0 => From::Skip(a, n),
                    1 => From::Batch(a, n + 1),
                    2 => From::Window(a, n + 1, n % 2 + 1),
                    _ => From::Through(a),
                };
                self.open(parent, from);
            }
            21 => {
                let Some(a) = self.varying() else { return };
                let (parent, n) = (self.parent(a), self.below(4) as i64);
                self.open(parent, From::Take(a, n));
            }
            _ => {
                let Some(a) = self.varying() else { return };
                let parent = self.parent(a);
                let other = self.pick(|v| !v.scope.is_empty() && v.scope[..v.scope.len() - 1] == parent[..]);
                let Some(b) = other else { return };
                let from = if self.below(2) == 0 { From::Zip(a, b) } else { From::Cross(a, b) };
                self.open(parent, from);
            }
        }
    }

    /// The program as text.
    pub fn source(&self) -> String {
        let mut out = String::from(
            "use std.fs\n\nworkflow odd(x: stream[int]) -> (y: stream[int], n: int) {\n  y = filter(x * 2, x % 2 != 0)\n  n = count(x)\n}\n\nworkflow squares(n: int) -> (s: stream[int], i: int per s) {\n  i = each(range(n))\n  s = i * i\n}\n\n",
        );
        let outputs: Vec<String> = self.outputs.iter().map(|id| format!("o{id}: {}", self.output_type(*id))).collect();
        let _ = writeln!(out, "workflow main() -> ({}) {{", outputs.join(", "));
        for (id, value) in self.values.iter().enumerate() {
            self.binding(&mut out, id, value);
        }
        for id in &self.outputs {
            let depth = self.values[*id].scope.len();
            let _ = writeln!(out, "  o{id} = {}v{id}{}", "collect(".repeat(depth), ")".repeat(depth));
        }
        for id in &self.prints {
            let _ = writeln!(out, "  print(v{id})");
        }
        out.push_str("}\n");
        out
    }

    fn output_type(&self, id: Id) -> String {
        let depth = self.values[id].scope.len();
        format!("{}int{}", "list[".repeat(depth), "]".repeat(depth))
    }

    fn binding(&self, out: &mut String, id: Id, value: &Value) {
        let text = match &value.expr {
            Expr::Const(n) => n.to_string(),
            Expr::Item => return self.item(out, id, value),
            Expr::Mix(a, b) => format!("(v{a} * 3 + v{b}) % 50"),
            Expr::Divide(a) => format!("100 ~/ v{a}"),
            Expr::Read(a) => format!("int(fs.read(\"{{v{a}}}\"))"),
            Expr::Filter(a, b) => format!("filter(v{a}, v{b} % 3 != 0)"),
            Expr::Sum(a) => format!("sum(collect(v{a})) % 50"),
            Expr::Count(a) => format!("count(v{a})"),
            Expr::Last(a) => format!("last(v{a}) ?? -1"),
            Expr::Running(a, b) => format!("running(v{a}, v{b}, (n, x) => (n * 2 + x) % 50)"),
            Expr::Index(a) => format!("index(v{a})"),
            Expr::IfCount(c, a, b) => format!("if v{c} % 2 == 0 {{ count(v{a}) + v{b} }} else {{ v{b} }}"),
            Expr::ForCount(n, a) => format!("sum(for k in range(v{n} % 3) {{ k + count(v{a}) }})"),
            Expr::Try(a) => format!("try v{a} else -1"),
            Expr::After(a, b) => format!("v{a} after v{b}"),
        };
        let _ = writeln!(out, "  v{id} = {text}");
    }

    fn item(&self, out: &mut String, id: Id, value: &Value) {
        let Some(source) = value.scope.last().map(|source| &self.sources[*source]) else { return };
        let (call, item) = match &source.from {
            From::Range(a) => (format!("each(range(v{a} % 4 + 1))"), "s"),
            From::Again(a) => (format!("each(collect(v{a}))"), "s"),
            From::Take(a, n) => (format!("take(v{a}, {n})"), "s"),
            From::Skip(a, n) => (format!("skip(v{a}, {n})"), "s"),
            From::Batch(a, n) => (format!("batch(v{a}, {n})"), "sum"),
            From::Window(a, n, step) => (format!("window(v{a}, {n}, step: {step})"), "sum"),
            From::Zip(a, b) => (format!("zip(v{a}, v{b})"), "pair"),
            From::Cross(a, b) => (format!("cross(v{a}, v{b})"), "pair"),
            From::Through(a) => (format!("odd(v{a}).y"), "s"),
            From::Squares(a) => (format!("squares(v{a} % 4 + 1).s"), "s"),
        };
        let _ = match item {
            "sum" => writeln!(out, "  s{id} = {call}\n  v{id} = sum(s{id}) % 50"),
            "pair" => writeln!(out, "  s{id} = {call}\n  v{id} = (s{id}.0 * 7 + s{id}.1) % 50"),
            _ => writeln!(out, "  v{id} = {call}"),
        };
    }
}
