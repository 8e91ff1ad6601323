//! Random programs of a grammar.

use crate::ebnf::{Grammar, Term};
use proptest::prelude::RngExt;
use proptest::test_runner::TestRng;
use std::collections::BTreeMap;

/// A program with a few items.
pub fn file(grammar: &Grammar, rng: &mut TestRng) -> String {
    let least = least(grammar);
    let mut deriver = Deriver { grammar, least, rng };
    let mut tokens = Vec::new();
    let budget = deriver.rng.random_range(8..40);
    deriver.derive(&Term::Name("file".to_owned()), budget, &mut tokens);
    render(&tokens, false, deriver.rng)
}

struct Deriver<'a> {
    grammar: &'a Grammar,
    /// How many productions each production needs within each other at least.
    least: BTreeMap<String, usize>,
    rng: &'a mut TestRng,
}

impl Deriver<'_> {
    /// Adds the tokens of a derivation of `term` that is about `budget` productions deep at most.
    fn derive(&mut self, term: &Term, budget: usize, out: &mut Vec<String>) {
        match term {
            Term::Text(text) => out.push(text.clone()),
            Term::Name(name) => self.named(name, budget, out),
            Term::Seq(terms) => terms.iter().for_each(|term| self.derive(term, budget, out)),
            Term::Choice(terms) => {
                let cheap: Vec<_> = terms.iter().filter(|term| self.cost(term) <= budget).collect();
                let cheapest = terms.iter().min_by_key(|term| self.cost(term));
                let chosen = match cheap.len() {
                    0 => cheapest,
                    count => cheap.get(self.rng.random_range(0..count)).copied(),
                };
                self.derive(chosen.unwrap(), budget, out);
            }
            Term::Option(inner) => {
                // `else` would be taken for that of another `if`.
                let is_else = matches!(&**inner, Term::Seq(terms) if matches!(&terms[0], Term::Text(t) if t == "else"));
                if is_else || self.cost(inner) <= budget && self.rng.random_bool(0.5) {
                    self.derive(inner, budget, out);
                }
            }
            Term::Many(inner) => {
                while self.cost(inner) <= budget && self.rng.random_bool(0.4) {
                    self.derive(inner, budget / 2, out);
                }
            }
            Term::Without(inner, banned) => {
                let start = out.len();
                for budget in (0..=budget).rev() {
                    self.derive(inner, budget, out);
                    if !outside_brackets(&out[start..]).any(|t| banned.contains(t)) {
                        return;
                    }
                    out.truncate(start);
                }
                panic!("{inner:?} has {banned:?} in it always");
            }
        }
    }

    fn named(&mut self, name: &str, budget: usize, out: &mut Vec<String>) {
        if let Some(term) = self.grammar.productions.get(name) {
            let term = term.clone();
            // It takes the operators behind it, so it has none of its own that they could not join.
            let budget = if name == "handler" { 0 } else { budget };
            if !matches!(name, "str" | "plain_str") {
                self.derive(&term, budget.saturating_sub(1), out);
                if name == "annotation" && out.last().is_some_and(|last| last != ")") {
                    // A `(` that follows would be taken for that of its arguments.
                    out.extend(["(".to_owned(), ")".to_owned()]);
                }
                return;
            }
            let mut parts = Vec::new();
            self.derive(&term, budget.saturating_sub(1), &mut parts);
            return out.push(render_str(&parts, self.rng));
        }
        let samples: &[&str] = match name {
            "SEP" => &["\n"],
            "NAME" => &["a", "b", "xs", "größe", "`a b`", "_", "node", "err"],
            "WORD" => &["a", "name", "`b c`", "for", "match", "type"],
            "INT" => &["0", "42", "1_000", "0xff"],
            "FLOAT" => &["1.5", "2e-3"],
            "DURATION" => &["30s", "1h30m"],
            "SIZE" => &["64kb", "12b"],
            "PLACE" => &["0", "12"],
            "TEXT" => &["text ", "\\n\\\"", "{{b}}", "ä // no comment"],
            "LONG" => &["\n  a\n   ", "it is \"said\" ", "\\u{1F600}"],
            "RAW" => &["r\"\\d{2}\"", "r#\"a \"b\"\"#"],
            "FENCE" => &["```\n {}\n```", "```` ``` ````"],
            _ => panic!("no samples of {name}"),
        };
        let sample = samples[self.rng.random_range(0..samples.len())];
        assert!(name == "SEP" || self.grammar.fits(name, sample), "{sample} is no {name}");
        out.push(sample.to_owned());
    }

    fn cost(&self, term: &Term) -> usize {
        cost(&self.least, term)
    }
}

fn cost(least: &BTreeMap<String, usize>, term: &Term) -> usize {
    match term {
        Term::Text(_) | Term::Option(_) | Term::Many(_) => 0,
        // What is not known yet costs more than anything.
        Term::Name(name) if name.chars().all(char::is_uppercase) => 0,
        Term::Name(name) => least.get(name).copied().unwrap_or(1_000),
        Term::Seq(terms) => terms.iter().map(|term| cost(least, term)).max().unwrap_or(0),
        Term::Choice(terms) => terms.iter().map(|term| cost(least, term)).min().unwrap_or(0),
        Term::Without(term, _) => cost(least, term),
    }
}

fn least(grammar: &Grammar) -> BTreeMap<String, usize> {
    let mut least = BTreeMap::new();
    loop {
        let costs = grammar.productions.iter().map(|(name, term)| (name.clone(), cost(&least, term) + 1));
        let next: BTreeMap<_, _> = costs.filter(|(_, cost)| *cost < 1_000).collect();
        if next == least {
            return least;
        }
        least = next;
    }
}

fn outside_brackets(tokens: &[String]) -> impl Iterator<Item = &String> {
    let mut depth = 0_usize;
    tokens.iter().filter(move |token| {
        match token.as_str() {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth = depth.saturating_sub(1),
            _ => return depth == 0,
        }
        false
    })
}

/// The text of tokens. `one_line`: separators are `;`.
fn render(tokens: &[String], one_line: bool, rng: &mut TestRng) -> String {
    let mut text = String::new();
    let mut depth = 0_usize;
    let mut before = "";
    for token in tokens {
        match token.as_str() {
            "{" => depth += 1,
            "}" => depth = depth.saturating_sub(1),
            _ => {}
        }
        let is_number = before.starts_with(|c: char| c.is_ascii_digit());
        let tight = matches!(before, "." | "?." | "@" | "")
            || token == "." && !is_number
            || matches!(token.as_str(), "(" | "[");
        if token == "\n" {
            // Items begin on lines of their own.
            let semicolon = one_line || depth > 0 && rng.random_bool(0.3);
            text.push_str(if semicolon { ";" } else { "\n" });
        } else {
            text.push_str(if tight || before == "\n" { "" } else { " " });
            text.push_str(token);
        }
        before = token;
    }
    text
}

/// The text of a str: its texts as they are, and what stands in its holes.
fn render_str(parts: &[String], rng: &mut TestRng) -> String {
    let mut text = String::new();
    let mut hole = Vec::new();
    let mut depth = 0_usize;
    for part in parts {
        match part.as_str() {
            "}" if depth == 1 => {
                text.push_str(&render(&hole, true, rng));
                hole.clear();
                depth = 0;
                text.push('}');
                continue;
            }
            "}" => depth -= 1,
            "{" => {
                depth += 1;
                if depth == 1 {
                    text.push('{');
                    continue;
                }
            }
            _ => {}
        }
        if depth > 0 { hole.push(part.clone()) } else { text.push_str(part) }
    }
    text
}
