//! Types as written, resolved.

use crate::db::{Db, Def};
use crate::diagnostic::{Diagnostic, Place};
use crate::diagnostics::{names as say_names, types as say};
use crate::modules::std_file;
use crate::names::{self, Found, Kind};
use crate::query::Flow;
use crate::ty::{Bound, Field, Lit, Record, Type};
use crate::types::{members, unfold, union};
use ntl_syntax::ast::{FieldDecl, Literal, Name, Span, TypeExpr, TypeKind};
use rustc_hash::FxHashMap;
use smol_str::SmolStr;
use std::sync::Arc;

/// What a written type may name.
#[derive(Clone, Copy, Debug)]
pub struct TypeScope<'a> {
    /// The item that the type stands in.
    pub def: &'a Def,
    /// Type parameters in sight.
    pub params: &'a [(SmolStr, Bound)],
}

/// Types with structure here or none at all: `image`, `language_model`.
const OPAQUE: &[&str] = &[
    "image",
    "audio",
    "video",
    "model_3d",
    "document",
    "text",
    "dataframe",
    "folder",
    "file",
    "asset",
    "font",
    "language_model",
    "image_model",
    "video_model",
    "tts_model",
    "asr_model",
    "embedding_model",
    "message",
    "thread",
    "chunk",
    "sketch",
    "script",
    "timeline",
    "storyboard",
    "entity",
];

/// What other languages call our types.
const FOREIGN: &[(&str, &str)] = &[
    ("string", "str"),
    ("String", "str"),
    ("char", "str"),
    ("integer", "int"),
    ("Integer", "int"),
    ("long", "int"),
    ("i64", "int"),
    ("u64", "int"),
    ("i32", "int"),
    ("double", "float"),
    ("f64", "float"),
    ("number", "float"),
    ("decimal", "float"),
    ("boolean", "bool"),
    ("Boolean", "bool"),
    ("None", "null"),
    ("nil", "null"),
    ("undefined", "null"),
    ("array", "list"),
    ("Array", "list"),
    ("vec", "list"),
    ("Vec", "list"),
    ("List", "list"),
    ("map", "dict"),
    ("Map", "dict"),
    ("object", "dict"),
    ("Dict", "dict"),
    ("record", "dict"),
    ("date", "datetime"),
    ("timestamp", "datetime"),
    ("timedelta", "duration"),
    ("Any", "any"),
    ("unknown", "any"),
    ("void", "null"),
];

fn builtin(name: &str) -> Option<Type> {
    Some(match name {
        "str" => Type::Str,
        "int" => Type::Int,
        "float" => Type::Float,
        "bool" => Type::Bool,
        "null" => Type::Null,
        "bytes" => Type::Bytes,
        "json" => Type::Json,
        "any" => Type::Any,
        "duration" => Type::Duration,
        "size" => Type::Size,
        "datetime" => Type::Datetime,
        "secret" => Type::Secret,
        "never" => Type::Never,
        _ if OPAQUE.contains(&name) => Type::Opaque(SmolStr::new(name)),
        _ => return None,
    })
}

/// The names of the types that need no declaration.
pub(crate) fn builtin_names() -> impl Iterator<Item = &'static str> {
    let plain = ["str", "int", "float", "bool", "null", "bytes", "json", "any", "duration", "size", "datetime"];
    plain.into_iter().chain(["secret", "never", "list", "dict", "stream"]).chain(OPAQUE.iter().copied())
}

/// Whether the language itself gives this type name.
pub(crate) fn is_builtin(name: &str) -> bool {
    builtin_names().any(|builtin| builtin == name)
}

/// Resolves a type written in a body: of a binding, pattern, `as`, `is` or type argument. `stream[T]` and `T per x` are
/// refused there. What is unknown is told once and gives [`Type::Unknown`].
pub fn lower_type(db: &dyn Db, scope: TypeScope<'_>, ty: &TypeExpr, diagnostics: &mut Vec<Diagnostic>) -> Type {
    let mut keys = Vec::new();
    let ty = Lowering { db, scope, diagnostics, keys: &mut keys, allow_fn: false, allow_defaults: false }.lower(ty);
    check_keys(db, scope.def, &keys, diagnostics);
    ty
}

/// Checks types that were written as keys of dicts. Not while a declaration is lowered: a key may name what is declared.
pub(crate) fn check_keys(db: &dyn Db, def: &Def, keys: &[(Type, Span)], diagnostics: &mut Vec<Diagnostic>) {
    for (key, span) in keys {
        let is_key = members(db, key).iter().all(|member| {
            matches!(
                unfold(db, member),
                Type::Str
                    | Type::Int
                    | Type::Any
                    | Type::Unknown
                    | Type::Param(_, Bound::Key)
                    | Type::Literal(Lit::Str(_) | Lit::Int(_))
            )
        });
        if !is_key {
            let place = Place { def: def.clone(), span: *span };
            diagnostics.push(say::dict_key(place, &super::display(db, key), matches!(key, Type::Param(..))));
        }
    }
}

/// What a type written in a declaration gives.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Lowered {
    pub ty: Type,
    pub flow: Flow,
    /// Types that were written as keys of dicts, to be checked by [`check_keys`].
    pub keys: Vec<(Type, Span)>,
}

/// Where a declaration writes a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Site {
    /// `values: stream[T]` of a node or workflow; a pure function may take a function.
    Param { allow_stream: bool, allow_fn: bool },
    /// An output of a node or workflow.
    Output { allow_stream: bool },
    /// What a `type` stands for.
    Alias,
    /// The type of a `const`.
    Plain,
}

/// Resolves a type written in a declaration.
pub(crate) fn lower_declared(
    db: &dyn Db,
    scope: TypeScope<'_>,
    site: Site,
    ty: &TypeExpr,
    diagnostics: &mut Vec<Diagnostic>,
) -> Lowered {
    let allow_fn = matches!(site, Site::Param { allow_fn: true, .. });
    let allow_defaults = site == Site::Alias;
    let mut keys = Vec::new();
    let mut lowering = Lowering { db, scope, diagnostics, keys: &mut keys, allow_fn, allow_defaults };
    let allow_stream = matches!(site, Site::Param { allow_stream: true, .. } | Site::Output { allow_stream: true });
    let (ty, flow) = match &ty.kind {
        TypeKind::Path { module: None, name, args } if name.text == "stream" && allow_stream => {
            lowering.allow_fn = false;
            let item = lowering.args::<1>(name, args, ty.span).map(|[item]| item);
            (item.unwrap_or(Type::Unknown), Flow::Stream)
        }
        TypeKind::Per(item, source) if matches!(site, Site::Output { allow_stream: true }) => {
            (lowering.lower(item), Flow::Per(source.text.clone()))
        }
        _ => (lowering.lower(ty), Flow::Plain),
    };
    Lowered { ty, flow, keys }
}

struct Lowering<'a, 'd> {
    db: &'a dyn Db,
    scope: TypeScope<'a>,
    diagnostics: &'d mut Vec<Diagnostic>,
    keys: &'d mut Vec<(Type, Span)>,
    /// Whether the outermost type may be a function's.
    allow_fn: bool,
    /// Whether the fields of the outermost type may have defaults.
    allow_defaults: bool,
}

impl Lowering<'_, '_> {
    fn place(&self, span: Span) -> Place {
        Place { def: self.scope.def.clone(), span }
    }

    fn lower(&mut self, ty: &TypeExpr) -> Type {
        let allow_fn = std::mem::take(&mut self.allow_fn);
        let allow_defaults = std::mem::take(&mut self.allow_defaults);
        match &ty.kind {
            TypeKind::Path { module, name, args } => self.path(module.as_ref(), name, args, ty.span),
            TypeKind::Optional(inner) => {
                let inner = self.lower(inner);
                union([inner, Type::Null])
            }
            TypeKind::Union(members) => {
                let members: Vec<Type> = members.iter().map(|member| self.lower(member)).collect();
                union(members)
            }
            TypeKind::Literal(literal) => match literal {
                Literal::Null => Type::Null,
                Literal::Bool(value) => Type::Literal(Lit::Bool(*value)),
                Literal::Int(value) => Type::Literal(Lit::Int(*value)),
                Literal::Str(text) => Type::Literal(Lit::Str(text.clone())),
                Literal::Float(_) | Literal::Duration(_) | Literal::Size(_) => {
                    self.diagnostics.push(say::no_literal_type(self.place(ty.span)));
                    Type::Unknown
                }
            },
            TypeKind::Tuple(items) => Type::Tuple(items.iter().map(|item| self.lower(item)).collect()),
            TypeKind::Record(fields) => self.record(fields, allow_defaults),
            TypeKind::Fn(params, result) => {
                let params: Arc<[Type]> = params.iter().map(|param| self.lower(param)).collect();
                let result = self.lower(result);
                if !allow_fn {
                    self.diagnostics.push(say::misplaced_fn_type(self.place(ty.span)));
                    return Type::Unknown;
                }
                Type::Fn(params, Arc::new(result))
            }
            TypeKind::Per(inner, _) => {
                self.lower(inner);
                self.diagnostics.push(say::misplaced_stream(self.place(ty.span), "per"));
                Type::Unknown
            }
            TypeKind::Error => Type::Unknown,
        }
    }

    fn record(&mut self, fields: &[FieldDecl], allow_defaults: bool) -> Type {
        let mut known: FxHashMap<SmolStr, Span> = FxHashMap::default();
        let mut lowered = Vec::with_capacity(fields.len());
        for field in fields {
            let ty = self.lower(&field.ty);
            if let Some(first) = known.get(&field.name.text) {
                let (place, first) = (self.place(field.name.span), self.place(*first));
                self.diagnostics.push(say_names::repeated(place, "field", &field.name.text, first));
                continue;
            }
            known.insert(field.name.text.clone(), field.name.span);
            if let (false, Some(default)) = (allow_defaults, &field.default) {
                self.diagnostics.push(say::misplaced_default(self.place(default.span), &field.name.text));
            }
            let key = self.key(field);
            let has_default = field.default.is_some() && allow_defaults;
            lowered.push(Field { name: field.name.text.clone(), key, ty, has_default });
        }
        Type::Record(Arc::new(Record { fields: lowered }))
    }

    fn key(&mut self, field: &FieldDecl) -> Option<SmolStr> {
        let facts = crate::annotations::read(self.scope.def, &field.annotations, crate::annotations::On::Field);
        self.diagnostics.extend(facts.diagnostics);
        facts.key
    }

    /// Exactly `N` type arguments.
    fn args<const N: usize>(&mut self, name: &Name, args: &[TypeExpr], span: Span) -> Option<[Type; N]> {
        let lowered: Vec<Type> = args.iter().map(|arg| self.lower(arg)).collect();
        let given = lowered.len();
        <[Type; N]>::try_from(lowered).ok().or_else(|| {
            self.diagnostics.push(say::type_arguments(self.place(span), &name.text, N, given));
            None
        })
    }

    fn path(&mut self, module: Option<&Name>, name: &Name, args: &[TypeExpr], span: Span) -> Type {
        let found = match module {
            None => match self.unqualified(name, args, span) {
                Ok(ty) => return ty,
                Err(found) => found,
            },
            Some(module) => self.qualified(module, name),
        };
        let found = match found {
            Found::Yes(def) => {
                if !args.is_empty() {
                    self.diagnostics.push(say::type_arguments(self.place(span), &name.text, 0, args.len()));
                }
                return Type::Named(def);
            }
            other => other,
        };
        args.iter().for_each(|arg| drop(self.lower(arg)));
        if found == Found::No && module.is_none() {
            let near = FOREIGN.iter().find(|(foreign, _)| *foreign == name.text).map(|(_, ours)| SmolStr::new(ours));
            let near = near.or_else(|| {
                let mut known = names::names_in_scope(self.db, self.scope.def.file, Kind::Type);
                known.extend(self.scope.params.iter().map(|(param, _)| param.clone()));
                known.extend(builtin_names().map(SmolStr::new_static));
                names::nearest(&name.text, known)
            });
            let place = self.place(name.span);
            self.diagnostics.push(say_names::unknown_type(place, &name.text, near));
        }
        Type::Unknown
    }

    /// A type without a module before it: built in, a parameter, or one to be looked up.
    fn unqualified(&mut self, name: &Name, args: &[TypeExpr], span: Span) -> Result<Type, Found<Def>> {
        if let Some((param, bound)) = self.scope.params.iter().find(|(param, _)| *param == name.text) {
            return Ok(Type::Param(param.clone(), *bound));
        }
        match name.text.as_str() {
            "list" => {
                let item = self.args::<1>(name, args, span);
                return Ok(item.map_or(Type::Unknown, |[item]| Type::List(Arc::new(item))));
            }
            "dict" => {
                let Some([key, value]) = self.args::<2>(name, args, span) else { return Ok(Type::Unknown) };
                self.keys.push((key.clone(), args.first().map_or(span, |arg| arg.span)));
                return Ok(Type::Dict(Arc::new(key), Arc::new(value)));
            }
            "stream" => {
                args.iter().for_each(|arg| drop(self.lower(arg)));
                self.diagnostics.push(say::misplaced_stream(self.place(span), "stream"));
                return Ok(Type::Unknown);
            }
            _ => {}
        }
        if let Some(ty) = builtin(&name.text) {
            if !args.is_empty() {
                self.diagnostics.push(say::type_arguments(self.place(span), &name.text, 0, args.len()));
            }
            return Ok(ty);
        }
        let found = names::lookup(self.db, self.scope.def.file, Kind::Type, &name.text);
        Err(match found {
            Found::Yes(defs) => defs.into_iter().next().map_or(Found::No, Found::Yes),
            other => other.map(|_| self.scope.def.clone()),
        })
    }

    fn qualified(&mut self, module: &Name, name: &Name) -> Found<Def> {
        let file = self.scope.def.file;
        let Some(target) = names::module(self.db, file, &module.text) else {
            let is_library = std_file(self.db, &module.text).is_some();
            let near = names::nearest(&module.text, names::modules_in_scope(self.db, file));
            let place = self.place(module.span);
            self.diagnostics.push(say_names::unknown_module_name(place, &module.text, is_library, near));
            return Found::Silent;
        };
        let found = names::member(self.db, target, Kind::Type, &name.text);
        let names::Module::File(target) = target else { return Found::Silent };
        match found {
            Found::Yes(defs) => defs.into_iter().next().map_or(Found::No, Found::Yes),
            Found::Private => {
                let place = self.place(name.span);
                self.diagnostics.push(say_names::private(place, &name.text, target.path(self.db)));
                Found::Silent
            }
            Found::Silent => Found::Silent,
            Found::No => {
                let near = names::nearest(&name.text, names::member_names(self.db, target, Kind::Type));
                let title = names::module_name(self.db, names::Module::File(target));
                let place = self.place(name.span);
                self.diagnostics.push(say_names::unknown_type_member(place, &name.text, &title, near));
                Found::Silent
            }
        }
    }
}
