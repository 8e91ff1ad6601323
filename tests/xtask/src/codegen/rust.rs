//! The text of `generated.rs`.

use super::declaration::{Class, Module, Native, Record};
use std::fmt::Write;

/// The whole file.
pub fn file(modules: &[Module]) -> String {
    let mut out = String::from(
        "//! Written by `cargo xtask codegen` from `stdlib/ntl`: do not edit.\n\n\
         use crate::convert::*;\n",
    );
    let mut names: Vec<&str> = modules.iter().map(|m| m.name.as_str()).chain(["stream"]).collect();
    names.sort_unstable();
    let _ = writeln!(out, "use crate::{{{}}};", names.join(", "));
    out.push_str(
        "use ntl_engine::native::{Native, NativeFn::*};\n\
         use ntl_engine::{Dict, Fault, Func, List, Text, Value};\n\
         use std::convert::Infallible;\n\n\
         /// Every native, in the order of the declarations.\n\
         pub(crate) const NATIVES: &[Native] = &[\n",
    );
    for module in modules {
        module.natives.iter().for_each(|n| native(&mut out, &module.name, n));
    }
    out.push_str("];\n");
    out.push_str("\n/// The record types of the modules.\npub(crate) mod records {\n");
    for module in modules.iter().filter(|m| !m.records.is_empty()) {
        let _ = write!(out, "    pub(crate) mod {} {{\n        use super::super::*;\n", module.name);
        module.records.iter().for_each(|r| record(&mut out, r));
        out.push_str("    }\n");
    }
    out.push_str("}\n");
    out
}

fn native(out: &mut String, module: &str, n: &Native) {
    let names: Vec<String> = n.params.iter().map(|(name, _)| ident(name)).collect();
    let first = match n.class {
        Class::Pure => n.calls.then_some("cx"),
        Class::Blocking | Class::Io => Some("&cx"),
    };
    let args: Vec<String> = first
        .map(str::to_owned)
        .into_iter()
        .chain(n.params.iter().zip(&names).map(|((_, ty), name)| format!("arg::<{ty}>({name})?")))
        .collect();
    let rust_name = match n.overload {
        0 => ident(&n.name),
        nth => format!("{}_{}", n.name, nth + 1),
    };
    let (head, values, wait, tail) = match n.class {
        Class::Pure if n.calls => ("Pure(|cx, values| {", "values", "", "}"),
        Class::Pure => ("Pure(|_, values| {", "values", "", "}"),
        Class::Blocking => ("Blocking(|cx, values| {", "&values", "", "}"),
        Class::Io => ("Io(|cx, values| Box::pin(async move {", "&values", ".await", "})"),
    };
    let _ = write!(
        out,
        "    Native {{\n        id: \"std.{module}.{name}/{overload}@{version}\",\n        run: {head}\n            \
         let [{names}] = args({values})?;\n            \
         give::<{result}, _>({module}::{rust_name}({args}){wait})\n        {tail}),\n        \
         stream: {stream},\n    }},\n",
        stream = if n.is_stream { format!("Some(stream::{rust_name})") } else { "None".to_owned() },
        name = n.name,
        overload = n.overload,
        version = n.version,
        names = names.join(", "),
        result = n.result,
        args = args.join(", "),
    );
}

fn record(out: &mut String, r: &Record) {
    const TEXT: &str = "
        pub(crate) struct NAME {
            FIELDS
        }
        impl Give for NAME {
            fn give(self) -> Result<Value, Fault> {
                static SHAPE: Layout = Layout::new(|| shape(NTL_NAME, &[NAMES]));
                Ok(Value::record(SHAPE.clone(), vec![VALUES]))
            }
        }
        impl Listed for NAME {}
";
    let each = |f: &dyn Fn(&str, &str) -> String| r.fields.iter().map(|(name, ty)| f(name, ty)).collect::<Vec<_>>();
    let fields = each(&|name, ty| format!("pub(crate) {}: {ty},", ident(name))).join("\n            ");
    let text = TEXT
        .replace("NTL_NAME", &format!("{:?}", r.ntl_name))
        .replace("NAMES", &each(&|name, _| format!("{name:?}")).join(", "))
        .replace("NAME", &r.name)
        .replace("FIELDS", &fields)
        .replace("VALUES", &each(&|name, _| format!("self.{}.give()?", ident(name))).join(", "));
    out.push_str(&text);
}

/// A name of NTL as one of Rust.
fn ident(name: &str) -> String {
    const KEYWORDS: [&str; 38] = [
        "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "do", "dyn", "else", "enum",
        "extern", "final", "fn", "for", "gen", "if", "impl", "in", "let", "loop", "match", "mod", "move", "mut", "pub",
        "ref", "return", "static", "struct", "trait", "type", "unsafe", "use", "where", "while",
    ];
    if KEYWORDS.contains(&name) { format!("r#{name}") } else { name.to_owned() }
}
