//! `ntl nodes`: the standard library, read.

mod search;

use super::{print_json, stopped};
use crate::exit::Exit;
use crate::finding::Finding;
use crate::out;
use ntl_syntax::ast::{Item, ItemKind, Span};
use serde_json::{Value, json};

/// Lists what the standard library offers, or tells about one entry
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  ntl nodes\n  ntl nodes read file\n  ntl nodes text.join")]
pub struct Args {
    /// The full name of one (`text.join`), a module (`text`), or words to look for in names and descriptions
    query: Vec<String>,
    /// Print one JSON document: {"nodes": [...]}
    #[arg(long)]
    json: bool,
}

/// Runs it.
pub fn run(args: &Args) -> Exit {
    let all = declarations();
    let found = search::find(&all, &args.query);
    if args.json {
        let printed = print_json(&json!({ "nodes": found.iter().map(|d| d.json()).collect::<Vec<_>>() }));
        return if found.is_empty() { Exit::Wrong } else { printed };
    }
    if found.is_empty() {
        let query = args.query.join(" ");
        let problem = Finding::problem("not_found", format!("the standard library has nothing like `{query}`"));
        let near = search::near(&all, &args.query);
        let problem = near.into_iter().fold(problem, |p, n| p.help(format!("did you mean `{n}`?")));
        return stopped(&problem.help("`ntl nodes` lists everything").into());
    }
    let is_one = matches!(&args.query[..], [one] if found.iter().all(|d| d.is_called(one)));
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
    /// What is said about its module.
    about_module: String,
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

    /// Whether it is what a name stands for: `text.join`; of the core `core.int`, too.
    fn is_called(&self, name: &str) -> bool {
        let name = name.strip_prefix("std.").unwrap_or(name);
        self.name == name || self.module == "core" && name.strip_prefix("core.") == Some(&self.name)
    }

    /// The first sentence of the description.
    fn summary(&self) -> String {
        let words: Vec<&str> = self.doc.split("\n\n").next().unwrap_or_default().split_whitespace().collect();
        let begins = |word: Option<&&str>| word.is_none_or(|w| w.starts_with(|c: char| c.is_uppercase() || c == '`'));
        let end = (0..words.len()).find(|at| words[*at].ends_with('.') && begins(words.get(at + 1)));
        words.get(..=end.unwrap_or(words.len())).unwrap_or(&words).join(" ")
    }
}

/// Every public declaration, module by module, in written order.
fn declarations() -> Vec<Declaration> {
    let mut all = Vec::new();
    for (module, text) in ntl_stdlib::SOURCES {
        let about = text.lines().map_while(|l| l.strip_prefix("//!")).collect::<Vec<_>>().join("\n");
        for piece in ntl_syntax::cut(text) {
            let text = &text[piece.range.start as usize..piece.range.end as usize];
            all.extend(declaration(module, text).map(|d| Declaration { about_module: about.clone(), ..d }));
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
        about_module: String::new(),
    })
}

/// A declaration without its comments, line breaks and the spaces that only they needed.
fn one_line(signature: &str) -> String {
    let code = signature.lines().map(|l| l.split("//").next().unwrap_or_default());
    let words: Vec<&str> = code.flat_map(str::split_whitespace).collect();
    words.join(" ").replace("( ", "(").replace(", )", ")").replace(" )", ")")
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
