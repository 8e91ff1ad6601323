//! A plan as text, for people and snapshots.

use crate::code::{Code, HandlerKind, Instr, Reg};
use crate::{
    Cache, CodeId, Const, ConstId, Effect, NativeId, Op, OpKind, Plan, Policy, Ref, Region, SpanId, StreamFn, Take,
    Type, TypeId,
};
use std::fmt::Write as _;

impl Plan {
    /// The plan as text: one line per operation and instruction, with its place as `line:column`.
    pub fn dump(&self) -> String {
        let mut out = String::new();
        let w = &mut out;
        // Writing to a String does not fail.
        let _ = writeln!(w, "workflow {}", self.workflow);
        for input in &self.inputs {
            let _ = write!(w, "input {}: {}", input.name, self.show_type(input.ty));
            if let Some(code) = input.default {
                let _ = write!(w, " = {}", self.show_code(code));
            }
            if let Some(min) = input.min {
                let _ = write!(w, " min {min}");
            }
            if let Some(max) = input.max {
                let _ = write!(w, " max {max}");
            }
            w.push('\n');
        }
        for output in &self.outputs {
            let _ = writeln!(w, "output {}: {}", output.name, self.show_type(output.ty));
        }
        for native in self.natives.iter().filter(|n| n.effect != Effect::Pure || !n.type_args.is_empty()) {
            let _ = write!(w, "native {} {:?}", native.id, native.effect);
            for &ty in &native.type_args {
                let _ = write!(w, " [{}]", self.show_type(ty));
            }
            w.push('\n');
        }
        for touch in &self.touches {
            let _ = writeln!(w, "touch {} {:?} {} by {}", touch.kind, touch.what, touch.step, touch.by);
        }
        for (i, region) in self.regions.iter().enumerate() {
            self.dump_region(w, i, region);
        }
        for (i, code) in self.codes.iter().enumerate() {
            self.dump_code(w, i, code);
        }
        out
    }

    fn dump_region(&self, w: &mut String, i: usize, region: &Region) {
        let _ = write!(w, "\nregion {i} {:?}({})", region.kind, region.params);
        if let Some(parent) = region.parent {
            let _ = write!(w, " in {}", parent.0);
        }
        let _ = write!(w, " -> {}", refs(&region.results));
        if !region.effects.is_empty() {
            let effects: Vec<_> = region.effects.iter().map(|&op| Ref::Op(op)).collect();
            let _ = write!(w, " effects {}", refs(&effects));
        }
        if !region.streams.is_empty() {
            let _ = write!(w, " streams {:?}", region.streams);
        }
        region.gives.iter().for_each(|take| show_take(w, " gives", take));
        w.push('\n');
        for (o, op) in region.ops.iter().enumerate() {
            self.dump_op(w, o, op);
        }
    }

    fn dump_op(&self, w: &mut String, o: usize, op: &Op) {
        let _ = write!(w, "  %{o} {} = ", op.id);
        let _ = match &op.kind {
            OpKind::Const(value) => write!(w, "{}", self.show_const(*value)),
            OpKind::Code(code) => write!(w, "{}", self.show_code(*code)),
            OpKind::Native(native) => write!(w, "{}", self.show_native(*native)),
            OpKind::Call(region) => write!(w, "call region {}", region.0),
            OpKind::Output(call, n) => write!(w, "output {n} of %{}", call.0),
            OpKind::Select(branches) => {
                write!(w, "select {}", branches.iter().map(|b| b.0.to_string()).collect::<Vec<_>>().join(" "))
            }
            OpKind::For { body, keeps, flatten } => {
                let (keeps, flatten) = (if *keeps { " keeps" } else { "" }, if *flatten { " flatten" } else { "" });
                write!(w, "for {}{keeps}{flatten}", body.0)
            }
            OpKind::Stream(stream) => {
                let _ = match stream.from {
                    StreamFn::Each => write!(w, "each"),
                    StreamFn::Collect => write!(w, "collect"),
                    StreamFn::Native(native) => write!(w, "stream {}", self.show_native(native)),
                    StreamFn::Call(call, n) => write!(w, "stream {n} of %{}", call.0),
                    StreamFn::Param(n) => write!(w, "stream parameter {n}"),
                };
                if let Some(opens) = stream.opens {
                    let late = if opens.late { " late" } else { "" };
                    let _ = write!(w, " opens {}{}{late}", opens.region.0, if opens.drives { " drives" } else { "" });
                }
                stream.per.map_or(Ok(()), |per| write!(w, " per %{}", per.0))
            }
            OpKind::Per(stream) => write!(w, "per {}", refs(&[*stream])),
            OpKind::Filter => write!(w, "filter"),
            OpKind::Loop(body) => write!(w, "loop {}", body.0),
            OpKind::Try(body, handler) => write!(w, "try {} else {}", body.0, handler.0),
            OpKind::Block(body) => write!(w, "block {}", body.0),
            OpKind::Require => write!(w, "require"),
        };
        let _ = write!(w, " {}", refs(&op.inputs));
        op.takes.iter().for_each(|take| show_take(w, " takes", take));
        if !op.after.is_empty() {
            let _ = write!(w, " after {}", refs(&op.after));
        }
        if op.policy != Policy::default() {
            w.push_str(&show_policy(&op.policy));
        }
        let _ = writeln!(w, ": {} @{}", self.show_type(op.ty), self.show_span(op.span));
    }

    fn dump_code(&self, w: &mut String, i: usize, code: &Code) {
        let _ = writeln!(w, "\ncode {i} {}({}) regs {}", code.name, code.params, code.regs);
        for (pc, instr) in code.instrs.iter().enumerate() {
            let place = code.spans.get(pc).map_or(String::new(), |&s| self.show_span(s));
            let _ = writeln!(w, "  {pc:>3} {}  @{place}", self.show_instr(*instr));
        }
        for handler in &code.handlers {
            let kind = match handler.kind {
                HandlerKind::Try(reg, _) => format!("try r{reg}"),
                HandlerKind::Item(item_loop) => format!("item {item_loop}"),
            };
            let _ = writeln!(w, "  handler {}..{} -> {} {kind}", handler.start, handler.end, handler.target);
        }
        for (i, item_loop) in code.loops.iter().enumerate() {
            let _ = writeln!(w, "  loop {i} {}..{} r{}", item_loop.start, item_loop.end, item_loop.index);
        }
    }

    fn show_instr(&self, instr: Instr) -> String {
        let regs = |first: Reg, count: usize| {
            let regs = (usize::from(first)..usize::from(first).saturating_add(count)).map(|r| format!("r{r}"));
            format!("({})", regs.collect::<Vec<_>>().join(", "))
        };
        let fields = |ty: TypeId| match self.types.get(ty.at()) {
            Some(Type::Record { fields, .. }) => fields.len(),
            _ => 0,
        };
        let binary = |dst: Reg, name: &str, a: Reg, b: Reg| format!("r{dst} = {name} r{a} r{b}");
        let unary = |dst: Reg, name: &str, a: Reg| format!("r{dst} = {name} r{a}");
        let typed = |dst: Reg, name: &str, a: Reg, ty| format!("r{dst} = {name} r{a} {}", self.show_type(ty));
        match instr {
            Instr::Const { dst, value } => format!("r{dst} = {}", self.show_const(value)),
            Instr::Move { dst, src } => format!("r{dst} = r{src}"),
            Instr::Return { src } => format!("return r{src}"),
            Instr::Jump { to } => format!("jump {to}"),
            Instr::JumpIf { cond, to } => format!("if r{cond} jump {to}"),
            Instr::JumpIfNot { cond, to } => format!("if not r{cond} jump {to}"),
            Instr::JumpIfNull { src, to } => format!("if null r{src} jump {to}"),
            Instr::Lazy { lazy, block } => format!("lazy {lazy} at {block}"),
            Instr::LazyEnd { lazy } => format!("end lazy {lazy}"),
            Instr::Forget { lazy } => format!("forget {lazy}"),
            Instr::Add { dst, a, b } => binary(dst, "add", a, b),
            Instr::Sub { dst, a, b } => binary(dst, "sub", a, b),
            Instr::Mul { dst, a, b } => binary(dst, "mul", a, b),
            Instr::Div { dst, a, b } => binary(dst, "div", a, b),
            Instr::Rem { dst, a, b } => binary(dst, "rem", a, b),
            Instr::IntDiv { dst, a, b } => binary(dst, "int_div", a, b),
            Instr::Neg { dst, a } => unary(dst, "neg", a),
            Instr::AddInt { dst, a, b } => binary(dst, "add_int", a, b),
            Instr::SubInt { dst, a, b } => binary(dst, "sub_int", a, b),
            Instr::MulInt { dst, a, b } => binary(dst, "mul_int", a, b),
            Instr::AddFloat { dst, a, b } => binary(dst, "add_float", a, b),
            Instr::SubFloat { dst, a, b } => binary(dst, "sub_float", a, b),
            Instr::MulFloat { dst, a, b } => binary(dst, "mul_float", a, b),
            Instr::DivFloat { dst, a, b } => binary(dst, "div_float", a, b),
            Instr::Not { dst, a } => unary(dst, "not", a),
            Instr::Eq { dst, a, b } => binary(dst, "eq", a, b),
            Instr::Lt { dst, a, b } => binary(dst, "lt", a, b),
            Instr::Le { dst, a, b } => binary(dst, "le", a, b),
            Instr::LtInt { dst, a, b } => binary(dst, "lt_int", a, b),
            Instr::LeInt { dst, a, b } => binary(dst, "le_int", a, b),
            Instr::LtFloat { dst, a, b } => binary(dst, "lt_float", a, b),
            Instr::LeFloat { dst, a, b } => binary(dst, "le_float", a, b),
            Instr::In { dst, a, b } => binary(dst, "in", a, b),
            Instr::Append { dst, a, b } => binary(dst, "append", a, b),
            Instr::Range { dst, a, b, inclusive } => binary(dst, if inclusive { "range=" } else { "range" }, a, b),
            Instr::Concat { dst, first, count } => format!("r{dst} = concat {}", regs(first, count.into())),
            Instr::Text { dst, src } => unary(dst, "text", src),
            Instr::List { dst, first, count } => format!("r{dst} = list {}", regs(first, count.into())),
            Instr::Tuple { dst, first, count } => format!("r{dst} = tuple {}", regs(first, count.into())),
            Instr::Record { dst, ty, first } => {
                format!("r{dst} = record {} {}", self.show_type(ty), regs(first, fields(ty)))
            }
            Instr::Dict { dst, first, count } => {
                format!("r{dst} = dict {}", regs(first, usize::from(count).saturating_mul(2)))
            }
            Instr::Push { list, value } => format!("push r{list} r{value}"),
            Instr::Insert { dict, key, value } => format!("insert r{dict} r{key} r{value}"),
            Instr::SetField { dst, record, field, value } => format!("r{dst} = r{record} with .{field} r{value}"),
            Instr::Field { dst, src, field } => format!("r{dst} = r{src}.{field}"),
            Instr::FieldNamed { dst, src, name } => format!("r{dst} = r{src}.{}", self.show_const(name)),
            Instr::HasField { dst, src, name } => format!("r{dst} = r{src} has {}", self.show_const(name)),
            Instr::Index { dst, src, index } => format!("r{dst} = r{src}[r{index}]"),
            Instr::JsonIndex { dst, src, index } => format!("r{dst} = json r{src}[r{index}]"),
            Instr::Len { dst, src } => unary(dst, "len", src),
            Instr::Item { dst, src, index } => format!("r{dst} = item r{src}[r{index}]"),
            Instr::Fit { dst, src, ty } => typed(dst, "fit", src, ty),
            Instr::As { dst, src, ty } => typed(dst, "as", src, ty),
            Instr::Is { dst, src, ty } => typed(dst, "is", src, ty),
            Instr::Matches { dst, src, ty } => typed(dst, "matches", src, ty),
            Instr::Call { dst, code, first } => {
                let params = self.codes.get(code.at()).map_or(0, |c| c.params);
                format!("r{dst} = {}{}", self.show_code(code), regs(first, params.into()))
            }
            Instr::CallOnce { dst, code } => format!("r{dst} = once {}", self.show_code(code)),
            Instr::Native { dst, native, first, count } => {
                format!("r{dst} = {}{}", self.show_native(native), regs(first, count.into()))
            }
            Instr::CallValue { dst, function, first, count } => {
                format!("r{dst} = call r{function}{}", regs(first, count.into()))
            }
            Instr::Closure { dst, code, first, count } => {
                format!("r{dst} = closure {}{}", self.show_code(code), regs(first, count.into()))
            }
            Instr::Fail { message } => format!("fail r{message}"),
            Instr::Raise { item_loop } => format!("raise {item_loop}"),
            Instr::LoopExhausted => "loop exhausted".into(),
        }
    }

    fn show_code(&self, code: CodeId) -> String {
        format!("code {} {}", code.0, self.codes.get(code.at()).map_or("?", |c| c.name.as_str()))
    }

    fn show_native(&self, native: NativeId) -> &str {
        self.natives.get(native.at()).map_or("?", |n| n.id.as_str())
    }

    fn show_const(&self, value: ConstId) -> String {
        match self.consts.get(value.at()) {
            None => "?".into(),
            Some(Const::Null) => "null".into(),
            Some(Const::Bool(b)) => b.to_string(),
            Some(Const::Int(i)) => i.to_string(),
            Some(Const::Float(f)) => format!("{f:?}"),
            Some(Const::Str(s)) => format!("{s:?}"),
            Some(Const::Duration(ns)) => format!("{ns}ns"),
            Some(Const::Size(bytes)) => format!("{bytes}b"),
            Some(Const::Json(text)) => format!("json {text}"),
        }
    }

    fn show_span(&self, span: SpanId) -> String {
        self.spans.get(span.at()).map_or("?".into(), |s| {
            let file = if s.file == 0 { String::new() } else { format!("{}:", s.file) };
            format!("{file}{}:{}", s.line, s.column)
        })
    }

    /// A type as text: a user type by its name, any other written out.
    pub fn show_type(&self, ty: TypeId) -> String {
        let mut out = String::new();
        self.write_type(&mut out, ty, 0);
        out
    }

    fn write_type(&self, w: &mut String, ty: TypeId, depth: u32) {
        // Types without a name may still be circular, or huge when written out, in a plan from outside.
        if depth > 16 || w.len() > 400 {
            w.push('…');
            return;
        }
        let depth = depth.saturating_add(1);
        let list = |w: &mut String, types: &[TypeId], between: &str| {
            for (i, &ty) in types.iter().enumerate() {
                if i > 0 {
                    w.push_str(between);
                }
                self.write_type(w, ty, depth);
            }
        };
        match self.types.get(ty.at()) {
            None => w.push('?'),
            Some(Type::Any) => w.push_str("any"),
            Some(Type::Json) => w.push_str("json"),
            Some(Type::Null) => w.push_str("null"),
            Some(Type::Bool) => w.push_str("bool"),
            Some(Type::Int) => w.push_str("int"),
            Some(Type::Float) => w.push_str("float"),
            Some(Type::Str) => w.push_str("str"),
            Some(Type::Bytes) => w.push_str("bytes"),
            Some(Type::Duration) => w.push_str("duration"),
            Some(Type::Size) => w.push_str("size"),
            Some(Type::Datetime) => w.push_str("datetime"),
            Some(Type::Secret) => w.push_str("secret"),
            Some(Type::Never) => w.push_str("never"),
            Some(Type::Fn) => w.push_str("fn"),
            Some(Type::Opaque(name)) => w.push_str(name),
            Some(Type::Literal(value)) => w.push_str(&self.show_const(*value)),
            Some(Type::List(item)) => {
                w.push_str("list[");
                self.write_type(w, *item, depth);
                w.push(']');
            }
            Some(Type::Dict(key, value)) => {
                w.push_str("dict[");
                list(w, &[*key, *value], ", ");
                w.push(']');
            }
            Some(Type::Tuple(items)) => {
                w.push('(');
                list(w, items, ", ");
                w.push(')');
            }
            Some(Type::Record { name: Some(name), .. }) => w.push_str(name),
            Some(Type::Record { name: None, fields }) => {
                w.push('(');
                for (i, field) in fields.iter().enumerate() {
                    let between = if i > 0 { ", " } else { "" };
                    let _ = write!(w, "{between}{}: ", field.name);
                    self.write_type(w, field.ty, depth);
                }
                w.push(')');
            }
            Some(Type::Union(members)) => match members.as_slice() {
                [inner, null] if matches!(self.types.get(null.at()), Some(Type::Null)) => {
                    self.write_type(w, *inner, depth);
                    w.push('?');
                }
                _ => list(w, members, " | "),
            },
        }
    }
}

fn refs(refs: &[Ref]) -> String {
    let each = refs.iter().map(|r| match r {
        Ref::Op(op) => format!("%{}", op.0),
        Ref::Outer { up, op } => format!("^{up}%{}", op.0),
        Ref::Param(p) => format!("${p}"),
        Ref::OuterParam { up, param } => format!("^{up}${param}"),
    });
    format!("({})", each.collect::<Vec<_>>().join(", "))
}

fn show_policy(policy: &Policy) -> String {
    let Policy { retry, backoff, timeout, parallel, cache, skip_errors } = policy;
    let mut out = String::new();
    let _ = retry.map(|n| write!(out, " retry {n}"));
    let _ = backoff.map(|ns| write!(out, " backoff {ns}ns"));
    let _ = timeout.map(|ns| write!(out, " timeout {ns}ns"));
    let _ = parallel.map(|n| write!(out, " parallel {n}"));
    match cache {
        Some(Cache::For(ns)) => drop(write!(out, " cache {ns}ns")),
        Some(Cache::Forever) => out.push_str(" cache"),
        None => {}
    }
    if *skip_errors {
        out.push_str(" skip_errors");
    }
    out
}

fn show_take(w: &mut String, how: &str, take: &Take) {
    let kept = if take.kept { " kept" } else { "" };
    let _ = write!(w, "{how} {} of {}{kept}", refs(&take.values), refs(&[take.source]));
}
