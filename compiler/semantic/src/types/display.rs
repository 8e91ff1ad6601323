//! Types as they are written.

use crate::db::Db;
use crate::ty::{Lit, Type};
use std::fmt::Write;

/// How many fields or members a message shows before it cuts.
const SHOWN: usize = 8;

/// How deep it looks.
const DEEP: usize = 12;

/// A type as it is written, for messages: `list[str]`, `Point`, `str?`. Long ones are cut with `…`.
pub fn display(db: &dyn Db, ty: &Type) -> String {
    let _ = db;
    let mut out = String::new();
    write_type(ty, DEEP, &mut out);
    out
}

fn write_type(ty: &Type, deep: usize, out: &mut String) {
    let Some(deep) = deep.checked_sub(1) else { return out.push('…') };
    let name = match ty {
        Type::Unknown => "?",
        Type::Never => "never",
        Type::Null => "null",
        Type::Bool => "bool",
        Type::Int => "int",
        Type::Float => "float",
        Type::Str => "str",
        Type::Bytes => "bytes",
        Type::Json => "json",
        Type::Any => "any",
        Type::Duration => "duration",
        Type::Size => "size",
        Type::Datetime => "datetime",
        Type::Secret => "secret",
        Type::Opaque(name) | Type::Param(name, _) => name,
        Type::Named(def) => &def.name,
        Type::Var(_) => "_",
        Type::Literal(lit) => return write_literal(lit, out),
        Type::List(item) => return write_list("list[", &[item], "]", deep, out),
        Type::Dict(key, value) => return write_list("dict[", &[key, value], "]", deep, out),
        Type::Tuple(items) => return write_list("(", &items.iter().collect::<Vec<_>>(), ")", deep, out),
        Type::Record(record) => {
            out.push('(');
            for (i, field) in record.fields.iter().enumerate() {
                if i == SHOWN {
                    out.push_str(", …");
                    break;
                }
                out.push_str(if i > 0 { ", " } else { "" });
                write_name(&field.name, out);
                out.push_str(": ");
                write_type(&field.ty, deep, out);
            }
            out.push(')');
            return;
        }
        Type::Union(members) => return write_union(members, deep, out),
        Type::Fn(params, result) => {
            write_list("fn(", &params.iter().collect::<Vec<_>>(), ") -> ", deep, out);
            return write_type(result, deep, out);
        }
    };
    out.push_str(name);
}

fn write_union(members: &[Type], deep: usize, out: &mut String) {
    let values: Vec<&Type> = members.iter().filter(|member| **member != Type::Null).collect();
    if let [value] = values.as_slice()
        && members.len() == 2
        && !matches!(value, Type::Fn(..))
    {
        write_type(value, deep, out);
        out.push('?');
        return;
    }
    for (i, member) in members.iter().enumerate() {
        out.push_str(if i > 0 { " | " } else { "" });
        if i == SHOWN {
            out.push('…');
            break;
        }
        write_type(member, deep, out);
    }
}

fn write_list(open: &str, items: &[&Type], close: &str, deep: usize, out: &mut String) {
    out.push_str(open);
    for (i, item) in items.iter().enumerate() {
        out.push_str(if i > 0 { ", " } else { "" });
        write_type(item, deep, out);
    }
    out.push_str(close);
}

fn write_literal(lit: &Lit, out: &mut String) {
    // Writing to a String does not fail.
    let _ = match lit {
        Lit::Str(text) => write!(out, "{text:?}"),
        Lit::Int(value) => write!(out, "{value}"),
        Lit::Bool(value) => write!(out, "{value}"),
    };
}

fn write_name(name: &str, out: &mut String) {
    if name.chars().all(|c| c == '_' || unicode_ident::is_xid_continue(c)) {
        out.push_str(name);
    } else {
        out.push('`');
        out.push_str(name);
        out.push('`');
    }
}
