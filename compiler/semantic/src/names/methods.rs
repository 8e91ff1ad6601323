//! Methods: functions that are found by the type of what stands before the dot.

use super::{Found, Kind, Module, member, member_names};
use crate::db::{Db, Def, Space};
use crate::modules::std_file;
use crate::ty::{Bound, Lit, Type};
use smol_str::SmolStr;

/// The library module whose functions are the methods of a type; all members of a union must agree on it.
pub fn home_module(db: &dyn Db, ty: &Type) -> Option<&'static str> {
    let members = crate::types::members(db, ty);
    let mut homes = members.iter().map(|member| match crate::types::unfold(db, member) {
        Type::Str | Type::Literal(Lit::Str(_)) => Some("text"),
        Type::Int | Type::Float | Type::Literal(Lit::Int(_)) | Type::Param(_, Bound::Number) => Some("math"),
        Type::List(_) => Some("list"),
        Type::Dict(..) => Some("dict"),
        Type::Datetime | Type::Duration => Some("time"),
        Type::Bytes => Some("hash"),
        Type::Json => Some("json"),
        _ => None,
    });
    let first = homes.next()??;
    homes.all(|home| home == Some(first)).then_some(first)
}

#[salsa::tracked]
fn method_query(db: &dyn Db, home: Option<&'static str>, name: SmolStr) -> Vec<Def> {
    for module in home.into_iter().chain(["core"]) {
        let Some(file) = std_file(db, module) else { continue };
        if let Found::Yes(found) = member(db, Module::File(file), Kind::Callable, &name) {
            let found: Vec<Def> = found.into_iter().filter(|def| def.space == Space::Callable).collect();
            if !found.is_empty() {
                return found;
            }
        }
    }
    Vec::new()
}

/// The functions that `x.name(…)` may mean for an `x` of this type: those of the type's home module, else those of core.
/// No `use` is needed. Empty where there is none.
pub fn resolve_method(db: &dyn Db, receiver: &Type, name: &str) -> Vec<Def> {
    method_query(db, home_module(db, receiver), SmolStr::new(name)).clone()
}

/// The names of all methods of a type, sorted: for suggestions and completion.
pub fn method_names(db: &dyn Db, receiver: &Type) -> Vec<SmolStr> {
    let mut names: Vec<SmolStr> = home_module(db, receiver)
        .into_iter()
        .chain(["core"])
        .filter_map(|module| std_file(db, module))
        .flat_map(|file| member_names(db, file, Kind::Callable))
        .filter(|name| !name.starts_with(char::is_uppercase))
        .collect();
    names.sort_unstable();
    names.dedup();
    names
}
