//! Types as messages write them.

use crate::program::Program;
use crate::value::brief;
use ntl_plan::{Type, TypeId};

/// A type as NTL writes it; user types by name, what is long cut.
pub(crate) fn type_text(program: &Program, ty: TypeId) -> String {
    text(program, ty, 0)
}

fn text(program: &Program, ty: TypeId, depth: usize) -> String {
    if depth > 4 {
        return "…".into();
    }
    let inner = |ty: &TypeId| text(program, *ty, depth + 1);
    match program.ty(ty) {
        Type::Any => "any".into(),
        Type::Json => "json".into(),
        Type::Null => "null".into(),
        Type::Bool => "bool".into(),
        Type::Int => "int".into(),
        Type::Float => "float".into(),
        Type::Str => "str".into(),
        Type::Bytes => "bytes".into(),
        Type::Duration => "duration".into(),
        Type::Size => "size".into(),
        Type::Datetime => "datetime".into(),
        Type::Secret => "secret".into(),
        Type::Never => "never".into(),
        Type::Fn => "fn".into(),
        Type::Opaque(name) => name.to_string(),
        Type::Literal(id) => brief(program.constant(*id), 40),
        Type::List(item) => format!("list[{}]", inner(item)),
        Type::Dict(key, item) => format!("dict[{}, {}]", inner(key), inner(item)),
        Type::Tuple(items) => format!("({})", joined(items.iter().map(inner), ", ")),
        Type::Record { name: Some(name), .. } => name.to_string(),
        Type::Record { name: None, fields } => {
            format!("({})", joined(fields.iter().map(|f| format!("{}: {}", f.name, inner(&f.ty))), ", "))
        }
        Type::Union(members) => {
            let (nulls, others): (Vec<_>, Vec<_>) = members.iter().partition(|m| matches!(program.ty(**m), Type::Null));
            match (nulls.is_empty(), others.as_slice()) {
                (false, [only]) => format!("{}?", inner(only)),
                _ => joined(members.iter().map(inner), " | "),
            }
        }
    }
}

/// The first few, and `…` for the rest.
fn joined(items: impl ExactSizeIterator<Item = String>, separator: &str) -> String {
    const SHOWN: usize = 8;
    let more = items.len() > SHOWN;
    let mut shown: Vec<String> = items.take(SHOWN).collect();
    if more {
        shown.push("…".into());
    }
    shown.join(separator)
}
