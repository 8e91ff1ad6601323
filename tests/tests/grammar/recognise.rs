//! Whether a grammar derives a list of tokens, after Earley.

use crate::{
    ebnf::{Grammar, Term},
    tokens::Token,
};
use ntl_syntax::TokenKind;
use std::collections::{BTreeMap, BTreeSet};

/// A grammar as rules of a name and symbols.
pub struct Recogniser<'a> {
    grammar: &'a Grammar,
    /// The rules of each name.
    rules: Vec<Vec<Vec<Symbol>>>,
    nullable: Vec<bool>,
    start: usize,
}

#[derive(Clone, Debug)]
enum Symbol {
    Text(String),
    Class(String),
    Separator,
    Rule(usize),
}

/// A rule, how much of it was read, and where that began.
type State = (usize, usize, usize, usize);

impl<'a> Recogniser<'a> {
    pub fn new(grammar: &'a Grammar) -> Self {
        let mut rules = vec![Vec::new(); grammar.productions.len()];
        let names: BTreeMap<_, _> =
            grammar.productions.keys().enumerate().map(|(i, name)| (name.as_str(), i)).collect();
        for (name, term) in &grammar.productions {
            let symbols = flatten(grammar, &names, &mut rules, term);
            rules[names[name.as_str()]].push(symbols);
        }
        let mut nullable = vec![false; rules.len()];
        loop {
            let empty = |symbol: &Symbol| matches!(symbol, Symbol::Rule(rule) if nullable[*rule]);
            let next: Vec<bool> = rules.iter().map(|all| all.iter().any(|rule| rule.iter().all(empty))).collect();
            if next == nullable {
                break;
            }
            nullable = next;
        }
        Recogniser { grammar, start: names["file"], rules, nullable }
    }

    /// `None` if the tokens are derived, else the first token that cannot stand where it does.
    ///
    /// Tokens that a production leaves out are let through: that is for what derives, and for people.
    pub fn furthest(&self, tokens: &[Token]) -> Option<String> {
        let mut sets: Vec<Vec<State>> = vec![Vec::new(); tokens.len() + 2];
        let mut seen: Vec<BTreeSet<State>> = vec![BTreeSet::new(); tokens.len() + 2];
        let mut add = |sets: &mut Vec<Vec<State>>, at: usize, state: State| {
            if seen[at].insert(state) {
                sets[at].push(state);
            }
        };
        for rule in 0..self.rules[self.start].len() {
            add(&mut sets, 0, (self.start, rule, 0, 0));
        }
        for at in 0..=tokens.len() {
            let mut next = 0;
            while let Some(&(name, rule, dot, from)) = sets[at].get(next) {
                next += 1;
                match self.rules[name][rule].get(dot) {
                    Some(Symbol::Rule(wanted)) => {
                        for other in 0..self.rules[*wanted].len() {
                            add(&mut sets, at, (*wanted, other, 0, at));
                        }
                        if self.nullable[*wanted] {
                            add(&mut sets, at, (name, rule, dot + 1, from));
                        }
                    }
                    Some(symbol) => {
                        if tokens.get(at).is_some_and(|token| self.fits(symbol, token)) {
                            add(&mut sets, at + 1, (name, rule, dot + 1, from));
                        }
                    }
                    None => {
                        let waiting: Vec<State> = sets[from]
                            .iter()
                            .filter(|s| matches!(self.rules[s.0][s.1].get(s.2), Some(Symbol::Rule(w)) if *w == name))
                            .copied()
                            .collect();
                        for (name, rule, dot, from) in waiting {
                            add(&mut sets, at, (name, rule, dot + 1, from));
                        }
                    }
                }
            }
            if sets[at].is_empty() {
                let token = &tokens[at - 1];
                return Some(format!("line {}, `{}`", token.line, token.text));
            }
        }
        let whole = sets[tokens.len()]
            .iter()
            .any(|&(name, rule, dot, from)| name == self.start && from == 0 && dot == self.rules[name][rule].len());
        if whole { None } else { Some("the end".to_owned()) }
    }

    fn fits(&self, symbol: &Symbol, token: &Token) -> bool {
        match symbol {
            Symbol::Rule(_) => false,
            Symbol::Separator => token.is_separator(),
            Symbol::Text(text) => {
                token.text == *text && !matches!(token.kind, TokenKind::StrText | TokenKind::Quoted | TokenKind::Fence)
            }
            Symbol::Class(class) => {
                let is_text = matches!(class.as_str(), "TEXT" | "LONG");
                is_text == (token.kind == TokenKind::StrText) && self.grammar.fits(class, &token.text)
            }
        }
    }
}

/// The symbols of a term; what is not plain becomes a rule of its own.
fn flatten(
    grammar: &Grammar,
    names: &BTreeMap<&str, usize>,
    rules: &mut Vec<Vec<Vec<Symbol>>>,
    term: &Term,
) -> Vec<Symbol> {
    let own_rule = |alternatives: Vec<Vec<Symbol>>, rules: &mut Vec<Vec<Vec<Symbol>>>| {
        rules.push(alternatives);
        rules.len() - 1
    };
    match term {
        Term::Text(text) => vec![Symbol::Text(text.clone())],
        Term::Name(name) if name == "SEP" => vec![Symbol::Separator],
        Term::Name(name) if grammar.is_class(name) => vec![Symbol::Class(name.clone())],
        Term::Name(name) => vec![Symbol::Rule(names[name.as_str()])],
        Term::Seq(terms) => terms.iter().flat_map(|term| flatten(grammar, names, rules, term)).collect(),
        Term::Choice(terms) => {
            let alternatives = terms.iter().map(|term| flatten(grammar, names, rules, term)).collect();
            vec![Symbol::Rule(own_rule(alternatives, rules))]
        }
        Term::Option(term) => {
            let inner = flatten(grammar, names, rules, term);
            vec![Symbol::Rule(own_rule(vec![Vec::new(), inner], rules))]
        }
        Term::Many(term) => {
            let inner = flatten(grammar, names, rules, term);
            let this = own_rule(Vec::new(), rules);
            let more = [vec![Symbol::Rule(this)], inner].concat();
            rules[this] = vec![Vec::new(), more];
            vec![Symbol::Rule(this)]
        }
        Term::Without(term, _) => flatten(grammar, names, rules, term),
    }
}
