//! How an input is written: what is said of one that cannot be read as what is wanted.

use crate::conform::type_text;
use crate::literal;
use crate::program::Program;
use crate::value::{Fault, brief, units};
use ntl_plan::{Type, TypeId};

/// The fault of an input that could not be read from a text, with the form that it should have where that helps.
pub(super) fn told(program: &Program, name: &str, text: &str, ty: TypeId, fault: Fault) -> Fault {
    if fault.code != "type" {
        return fault;
    }
    let Some(form) = form(program, name, text.trim(), plain(program, ty)) else { return fault };
    let message = format!("expected {}, found {}; {form}", type_text(program, ty), brief_text(text));
    Fault { message, ..fault }
}

fn brief_text(text: &str) -> String {
    brief(&crate::value::Value::str(text), 60)
}

/// The type itself, where it is that or null.
fn plain(program: &Program, ty: TypeId) -> &Type {
    let is_null = |ty: &TypeId| matches!(program.ty(*ty), Type::Null);
    match program.ty(ty) {
        Type::Union(members) => match members.iter().filter(|m| !is_null(m)).collect::<Vec<_>>().as_slice() {
            [only] => program.ty(**only),
            _ => program.ty(ty),
        },
        ty => ty,
    }
}

fn form(program: &Program, name: &str, text: &str, ty: &Type) -> Option<String> {
    let number = literal::float(text);
    let quoted = |shown: &str| format!("'{name}={shown}'");
    Some(match ty {
        Type::Int if number.is_some_and(|x| x.fract() == 0.0) => "an int has 64 bits".into(),
        Type::Int if number.is_some() => "an int has no digits behind its point".into(),
        Type::Bool => "write `true` or `false`".into(),
        Type::Duration if number.is_some() => format!("with its unit: `{name}={text}s`, `{name}={text}m`"),
        Type::Duration => format!("write it as `{name}=90s` or `{name}=1h30m`"),
        Type::Size if number.is_some() => format!("with its unit: `{name}={text}kb`, `{name}={text}mb`"),
        Type::Size => format!("write it as `{name}=512kb` or `{name}=10mb`"),
        Type::Datetime => {
            let midnight = format!("{text}T00:00:00Z");
            let shown = if units::parse_datetime(&midnight).is_ok() { &midnight } else { "2026-11-30T09:30:00Z" };
            format!("write it as `{name}={shown}`")
        }
        // Those that can be read say themselves what is wrong within them.
        Type::List(_) | Type::Tuple(_) | Type::Dict(..) | Type::Record { .. } if literal::parse(text).is_ok() => {
            return None;
        }
        Type::List(item) => {
            let is_str = matches!(plain(program, *item), Type::Str);
            let shown = |part: &str| if is_str { brief_text(part) } else { part.to_owned() };
            let parts: Vec<String> = text.split(',').map(|part| shown(part.trim())).collect();
            let list = format!("[{}]", parts.join(", "));
            match literal::parse(&list) {
                Ok(_) if !text.is_empty() && text.len() <= 60 => format!("a list is written {}", quoted(&list)),
                _ => format!("a list is written {}", quoted(if is_str { r#"["a", "b"]"# } else { "[…, …]" })),
            }
        }
        Type::Tuple(_) => format!("a tuple is written {}", quoted("[…, …]")),
        Type::Dict(..) => format!("a dict is written {}", quoted(r#"{"key": …}"#)),
        Type::Record { fields, .. } => {
            let first = fields.first().map_or("field", |f| f.key.as_ref().unwrap_or(&f.name));
            format!("a record is written {}", quoted(&format!(r#"{{"{first}": …}}"#)))
        }
        Type::Json => format!("a text is written {}", quoted(&brief_text(text))),
        _ => return None,
    })
}
