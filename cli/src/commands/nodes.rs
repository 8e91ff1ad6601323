//! `ntl nodes`: the standard library, read.

use super::{print_json, stopped};
use crate::exit::Exit;
use crate::finding::Finding;
use crate::{out, program};
use ntl_syntax::ast::{Item, ItemKind, Span};
use serde_json::{Value, json};

/// Lists what the standard library offers, or tells about one entry
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  ntl nodes\n  ntl nodes split\n  ntl nodes text.join")]
pub struct Args {
    /// The full name of one (`text.join`), a module (`text`), or words to look for
    query: Vec<String>,
    /// Print one JSON document: {"nodes": [...]}
    #[arg(long)]
    json: bool,
}

/// Runs it.
pub fn run(args: &Args) -> Exit {
    let all = declarations();
    let found = find(&all, &args.query);
    if args.json {
        let printed = print_json(&json!({ "nodes": found.iter().map(|d| d.json()).collect::<Vec<_>>() }));
        return if found.is_empty() { Exit::Wrong } else { printed };
    }
    if found.is_empty() {
        let query = args.query.join(" ");
        let problem = Finding::problem("not_found", format!("the standard library has nothing like `{query}`"));
        let near = program::nearest(&query, all.iter().map(|d| d.name.as_str()));
        return stopped(&near.into_iter().fold(problem, |p, n| p.help(format!("did you mean `{n}`?"))).into());
    }
    let is_one = args.query.len() == 1 && found.iter().all(|d| d.name == args.query[0]);
    out::print(&if is_one { page(&found) } else { table(&found) })
}

/// A declaration of the standard library.
struct Declaration {
    /// As it is called: `text.join`; of the core, `each`.
    name: String,
    module: &'static str,
    kind: &'static str,
    /// As it is declared, in one line.
    signature: String,
    effect: &'static str,
    doc: String,
}

impl Declaration {
    fn json(&self) -> Value {
        json!({
            "name": self.name,
            "module": format!("std.{}", self.module),
            "kind": self.kind,
            "signature": self.signature,
            "effect": self.effect,
            "doc": self.doc,
        })
    }

    fn summary(&self) -> &str {
        self.doc.lines().next().unwrap_or_default()
    }
}

/// Every public declaration, module by module, in written order.
fn declarations() -> Vec<Declaration> {
    let mut all = Vec::new();
    for (module, text) in ntl_stdlib::SOURCES {
        for piece in ntl_syntax::cut(text) {
            let text = &text[piece.range.start as usize..piece.range.end as usize];
            all.extend(declaration(module, text));
        }
    }
    all
}

fn declaration(module: &'static str, text: &str) -> Option<Declaration> {
    let parsed = ntl_syntax::parse_item(text);
    let Item { kind, span, annotations } = &parsed.item;
    let source = |span: Span| {
        let bytes = parsed.tokens.bytes(span);
        text.get(bytes.start as usize..bytes.end as usize).unwrap_or_default()
    };
    let after_facts =
        |name: Span| Span::new(annotations.last().map_or(span.first, |a| a.span.end), name.end.max(span.end));
    let (word, name, signature) = match kind {
        ItemKind::Callable(c) => ("callable", &c.name, source(c.head)),
        ItemKind::Const(c) => ("const", &c.name, source(after_facts(c.name.span))),
        ItemKind::Type(t) => ("type", &t.name, source(after_facts(t.name.span))),
        _ => return None,
    };
    if name.text.starts_with('_') {
        return None;
    }
    let is_pure = !matches!(kind, ItemKind::Callable(c) if c.kind != ntl_syntax::ast::CallableKind::Fn);
    let said =
        annotations.iter().find_map(|a| ["pure", "read", "write", "external"].into_iter().find(|e| a.name.text == *e));
    Some(Declaration {
        name: if module == "core" { name.text.to_string() } else { format!("{module}.{}", name.text) },
        module,
        kind: match word {
            "callable" if is_pure => "fn",
            "callable" => "node",
            other => other,
        },
        signature: one_line(signature),
        effect: said.unwrap_or(if is_pure { "pure" } else { "external" }),
        doc: ntl_syntax::doc_before(text, &parsed.tokens, span.first).unwrap_or_default().trim().to_owned(),
    })
}

/// A declaration without its comments, line breaks and the spaces that only they needed.
fn one_line(signature: &str) -> String {
    let code = signature.lines().map(|l| l.split("//").next().unwrap_or_default());
    let words: Vec<&str> = code.flat_map(str::split_whitespace).collect();
    words.join(" ").replace("( ", "(").replace(", )", ")").replace(" )", ")")
}

/// What a query means: the entry of that name, else the module, else whatever has all its words.
fn find<'a>(all: &'a [Declaration], query: &[String]) -> Vec<&'a Declaration> {
    let by = |test: &dyn Fn(&Declaration) -> bool| all.iter().filter(|d| test(d)).collect::<Vec<_>>();
    if let [one] = query {
        let one = one.strip_prefix("std.").unwrap_or(one);
        for found in [by(&|d| d.name == *one), by(&|d| d.module == one)] {
            if !found.is_empty() {
                return found;
            }
        }
    }
    let words: Vec<String> = query.iter().map(|w| w.to_lowercase()).collect();
    by(&|d| {
        let text = format!("{} {}", d.name, d.doc).to_lowercase();
        words.iter().all(|w| text.contains(w))
    })
}

/// One line each.
fn table(found: &[&Declaration]) -> String {
    let mut text = String::new();
    let mut module = "";
    for d in found {
        if d.module != module {
            module = d.module;
            text.push_str(&format!("{}std.{module}\n", if text.is_empty() { "" } else { "\n" }));
        }
        text.push_str(&format!("  {}\n      {}\n", d.signature, d.summary()));
    }
    text
}

/// Everything about an entry; one that is declared several times has a page of all.
fn page(found: &[&Declaration]) -> String {
    let mut text = String::new();
    for d in found {
        let effect = if d.kind == "node" { format!(" · {}", d.effect) } else { String::new() };
        let used = if d.module == "core" { "always there".to_owned() } else { format!("use std.{}", d.module) };
        text.push_str(&format!("{}\n  {}\n  {used}{effect}\n", d.name, d.signature));
        text.push_str(&d.doc.lines().map(|l| format!("\n  {l}").trim_end().to_owned()).collect::<String>());
        text.push_str("\n\n");
    }
    text.trim_end().to_owned() + "\n"
}
