//! What the generator takes of a module's declarations.

use ntl_syntax::ast::{
    Annotation, Callable, CallableBody, CallableKind, ExprKind, FieldDecl, ItemKind, Literal, OutputDecl, Outputs,
    TypeExpr, TypeKind,
};

/// A module of the standard library.
pub struct Module {
    /// `text`.
    pub name: String,
    /// Its record types, and those that its functions give without a name.
    pub records: Vec<Record>,
    /// Its natives, in the order of their declarations.
    pub natives: Vec<Native>,
}

/// A record type of Rust.
pub struct Record {
    /// Its name in Rust.
    pub name: String,
    /// Its name in NTL, if it has one.
    pub ntl_name: Option<String>,
    /// Names and types.
    pub fields: Vec<(String, String)>,
}

/// A declaration without a body.
pub struct Native {
    /// `join`.
    pub name: String,
    /// Which one of that name, from 0.
    pub overload: usize,
    /// `@version(n)`.
    pub version: i64,
    /// How it runs.
    pub class: Class,
    /// Whether it runs over what varies, too, by code of the library.
    pub is_stream: bool,
    /// Whether it calls functions, or reads values as types that its call names.
    pub calls: bool,
    /// Names and types in Rust.
    pub params: Vec<(String, String)>,
    /// The type in Rust.
    pub result: String,
}

/// How a native runs.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Class {
    /// Inline.
    Pure,
    /// On a thread of its own.
    Blocking,
    /// As a future.
    Io,
}

impl Module {
    /// Reads a module's declarations.
    pub fn read(name: &str, text: &str) -> Result<Module, String> {
        let problem = |what: &str| format!("{name}.ntl: {what}");
        let mut items = Vec::new();
        for piece in ntl_syntax::cut(text) {
            let parsed = ntl_syntax::parse_item(&text[piece.range.start as usize..piece.range.end as usize]);
            if let Some(error) = parsed.errors.first() {
                return Err(problem(&format!("{} (near `{}`)", error.message, piece.name)));
            }
            items.push(parsed.item);
        }
        let known = items
            .iter()
            .filter_map(|item| match &item.kind {
                ItemKind::Type(t) => Some(t.name.text.to_string()),
                _ => None,
            })
            .collect();
        let mut module = Module { name: name.to_owned(), records: Vec::new(), natives: Vec::new() };
        let types = Types { module: name, known };
        for item in &items {
            match &item.kind {
                ItemKind::Const(_) | ItemKind::Error | ItemKind::Use(_) => {}
                ItemKind::Type(t) => match &t.ty.kind {
                    TypeKind::Record(fields) if t.is_record => {
                        let record = types.record(&t.name.text, fields, &[]).map_err(|e| problem(&e))?;
                        module.records.push(Record { ntl_name: Some(record.name.clone()), ..record });
                    }
                    _ => return Err(problem(&format!("`{}` is not a record type", t.name.text))),
                },
                ItemKind::Callable(c) if matches!(c.kind, CallableKind::Fn | CallableKind::Node) => {
                    module
                        .callable(&types, &item.annotations, c)
                        .map_err(|e| problem(&format!("`{}`: {e}", c.name.text)))?;
                }
                ItemKind::Callable(c) => return Err(problem(&format!("`{}` is no `fn` or `node`", c.name.text))),
                ItemKind::Secret(_) | ItemKind::On(_) | ItemKind::Test(_) => {
                    return Err(problem("there are declarations only"));
                }
            }
        }
        Ok(module)
    }

    fn callable(&mut self, types: &Types<'_>, facts: &[Annotation], c: &Callable) -> Result<(), String> {
        check_handles(facts, c)?;
        let overload = self.natives.iter().filter(|n| n.name == c.name.text).count();
        let has = |name: &str| facts.iter().any(|f| f.name.text == name);
        let is_stream = |t: &TypeExpr| matches!(&t.kind, TypeKind::Path { name, .. } if name.text == "stream");
        let is_source =
            matches!(&c.outputs, Outputs::One(t) if is_stream(t)) && !c.params.iter().any(|p| is_stream(&p.ty));
        if c.body != CallableBody::Host || has("drops") || is_source {
            return Ok(());
        }
        let class = if c.kind == CallableKind::Fn || has("pure") {
            Class::Pure
        } else if !has("net") && (has("fs_read") || has("fs_write")) {
            Class::Blocking
        } else {
            Class::Io
        };
        let takes_function = c.params.iter().any(|p| matches!(p.ty.kind, TypeKind::Fn(..)));
        let names_type = c.type_params.iter().any(|t| !c.params.iter().any(|p| mentions(&p.ty, &t.name.text)));
        let params = c.params.iter().map(|p| (p.name.text.to_string(), types.param(&p.ty))).collect();
        let variables: Vec<&str> = c.type_params.iter().map(|t| t.name.text.as_str()).collect();
        let result = match &c.outputs {
            Outputs::None => "()".into(),
            Outputs::One(TypeExpr { kind: TypeKind::Record(fields), .. }) => {
                self.nameless(types.record(&camel(&c.name.text), fields, &variables)?)
            }
            Outputs::One(t) => types.result(t, &variables)?,
            Outputs::Named(outputs) => self.nameless(types.outputs(&camel(&c.name.text), outputs, &variables)?),
        };
        self.natives.push(Native {
            name: c.name.text.to_string(),
            overload,
            version: version(facts).unwrap_or(1),
            class,
            // What collects is the engine's own.
            is_stream: c.params.iter().any(|p| is_stream(&p.ty)) && c.name.text != "collect",
            calls: takes_function || names_type,
            params,
            result,
        });
        Ok(())
    }

    /// Keeps a record without a name in NTL, and gives its path in Rust.
    fn nameless(&mut self, record: Record) -> String {
        let path = format!("records::{}::{}", self.name, record.name);
        self.records.push(record);
        path
    }
}

/// Names after `@nodetool(…)` are parameters, or `output`.
fn check_handles(facts: &[Annotation], c: &Callable) -> Result<(), String> {
    let nodes = facts.iter().filter(|f| f.name.text == "nodetool");
    for handle in nodes.flat_map(|f| f.args.iter().flatten()).filter_map(|a| a.name.as_ref()) {
        if handle.text != "output" && !c.params.iter().any(|p| p.name.text == handle.text) {
            return Err(format!("`@nodetool` maps `{}`, which is no parameter", handle.text));
        }
    }
    Ok(())
}

fn version(facts: &[Annotation]) -> Option<i64> {
    let args = facts.iter().find(|f| f.name.text == "version")?.args.as_ref()?;
    match args.first()?.value.as_ref()?.kind {
        ExprKind::Literal(Literal::Int(n)) => Some(n),
        _ => None,
    }
}

/// Whether a type names a type parameter.
fn mentions(ty: &TypeExpr, variable: &str) -> bool {
    let any = |types: &[TypeExpr]| types.iter().any(|t| mentions(t, variable));
    match &ty.kind {
        TypeKind::Path { name, args, .. } => name.text == variable || any(args),
        TypeKind::Optional(t) | TypeKind::Per(t, _) => mentions(t, variable),
        TypeKind::Union(types) | TypeKind::Tuple(types) => any(types),
        TypeKind::Record(fields) => fields.iter().any(|f| mentions(&f.ty, variable)),
        TypeKind::Fn(params, result) => any(params) || mentions(result, variable),
        TypeKind::Literal(_) | TypeKind::Error => false,
    }
}

/// `by_year` as a type of Rust: `ByYear`.
fn camel(name: &str) -> String {
    name.split('_').map(|w| w.split_at_checked(1).map_or(w.to_owned(), |(a, b)| a.to_uppercase() + b)).collect()
}

/// Types of NTL as types of Rust.
struct Types<'a> {
    module: &'a str,
    /// The types that the module declares.
    known: Vec<String>,
}

impl Types<'_> {
    /// What a native takes.
    fn param(&self, ty: &TypeExpr) -> String {
        match &ty.kind {
            TypeKind::Path { module: None, name, .. } => match name.text.as_str() {
                "str" => "&Text",
                "int" => "i64",
                "float" => "f64",
                "bool" => "bool",
                "bytes" => "&[u8]",
                "duration" => "Duration",
                "size" => "Size",
                "datetime" => "Datetime",
                "list" | "stream" => "&List",
                "dict" => "&Dict",
                _ => "&Value",
            }
            .into(),
            TypeKind::Optional(inner) => format!("Option<{}>", self.param(inner)),
            TypeKind::Literal(Literal::Str(_)) => "&Text".into(),
            TypeKind::Union(members)
                if members.iter().all(|m| matches!(m.kind, TypeKind::Literal(Literal::Str(_)))) =>
            {
                "&Text".into()
            }
            TypeKind::Fn(..) => "&Func".into(),
            _ => "&Value".into(),
        }
    }

    /// What a native gives. `variables` are its type parameters.
    fn result(&self, ty: &TypeExpr, variables: &[&str]) -> Result<String, String> {
        Ok(match &ty.kind {
            TypeKind::Path { module: None, name, args } => match (name.text.as_str(), args.as_slice()) {
                ("str", _) => "Text".into(),
                ("int", _) => "i64".into(),
                ("float", _) => "f64".into(),
                ("bool", _) => "bool".into(),
                ("bytes", _) => "Vec<u8>".into(),
                ("duration", _) => "Duration".into(),
                ("size", _) => "Size".into(),
                ("datetime", _) => "Datetime".into(),
                ("never", _) => "Infallible".into(),
                ("dict", _) => "Dict".into(),
                ("list", [item]) => match self.result(item, variables)? {
                    item if item == "Text" || item.starts_with("records::") => format!("Vec<{item}>"),
                    _ => "List".into(),
                },
                ("stream", _) => "List".into(),
                ("any" | "json" | "language_model" | "secret", _) => "Value".into(),
                (variable, _) if variables.contains(&variable) => "Value".into(),
                (known, _) if self.known.iter().any(|k| k == known) => format!("records::{}::{known}", self.module),
                (unknown, _) => return Err(format!("the generator knows no type `{unknown}`")),
            },
            TypeKind::Optional(inner) => format!("Option<{}>", self.result(inner, variables)?),
            TypeKind::Literal(Literal::Null) => "()".into(),
            TypeKind::Tuple(items) => {
                let items = items.iter().map(|t| self.result(t, variables)).collect::<Result<Vec<_>, _>>()?;
                format!("({})", items.join(", "))
            }
            TypeKind::Per(..) => "List".into(),
            _ => "Value".into(),
        })
    }

    fn record(&self, name: &str, fields: &[FieldDecl], variables: &[&str]) -> Result<Record, String> {
        if fields.iter().any(|f| !f.annotations.is_empty()) {
            return Err(format!("the generator gives the fields of `{name}` no other names"));
        }
        let fields = fields.iter().map(|f| Ok((f.name.text.to_string(), self.result(&f.ty, variables)?)));
        Ok(Record { name: name.to_owned(), ntl_name: None, fields: fields.collect::<Result<_, String>>()? })
    }

    fn outputs(&self, name: &str, outputs: &[OutputDecl], variables: &[&str]) -> Result<Record, String> {
        let fields = outputs.iter().map(|o| match &o.ty {
            Some(ty) => Ok((o.name.text.to_string(), self.result(ty, variables)?)),
            None => Err(format!("the output `{}` has no type", o.name.text)),
        });
        Ok(Record { name: name.to_owned(), ntl_name: None, fields: fields.collect::<Result<_, String>>()? })
    }
}
