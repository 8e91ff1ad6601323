//! Reads the dialect that `grammar/ntl.ebnf` describes at its head.

use regex::Regex;
use std::collections::BTreeMap;

/// What may stand on the right of a production.
#[derive(Clone, Debug)]
pub enum Term {
    /// `'text'`.
    Text(String),
    /// A production, a class of tokens, or `SEP`.
    Name(String),
    Seq(Vec<Term>),
    Choice(Vec<Term>),
    Option(Box<Term>),
    Many(Box<Term>),
    /// Without these tokens outside brackets.
    Without(Box<Term>, Vec<String>),
}

/// A grammar.
pub struct Grammar {
    pub productions: BTreeMap<String, Term>,
    /// The pattern of each class of tokens, and the texts that it leaves out.
    classes: BTreeMap<String, (Regex, Vec<String>)>,
}

impl Grammar {
    pub fn is_class(&self, name: &str) -> bool {
        self.classes.contains_key(name)
    }

    /// Whether `text` is a token of the class.
    pub fn fits(&self, class: &str, text: &str) -> bool {
        let (pattern, except) = &self.classes[class];
        pattern.is_match(text) && !except.iter().any(|e| e == text)
    }
}

/// Reads a grammar; panics where it is not written as it should.
pub fn parse(text: &str) -> Grammar {
    let symbols = symbols(text);
    let mut reader = Reader { symbols: &symbols };
    let mut grammar = Grammar { productions: BTreeMap::new(), classes: BTreeMap::new() };
    while let [name, ..] = reader.symbols {
        reader.expect(name);
        reader.expect("=");
        let known = if let Some(pattern) = reader.symbols[0].strip_prefix('/') {
            reader.symbols = &reader.symbols[1..];
            let except = if reader.eat("-") { reader.texts() } else { Vec::new() };
            let pattern = Regex::new(&format!("^(?:{})$", pattern.strip_suffix('/').unwrap())).unwrap();
            grammar.classes.insert(name.clone(), (pattern, except)).is_some()
        } else {
            let term = reader.choice();
            grammar.productions.insert(name.clone(), term).is_some()
        };
        assert!(!known, "{name} is defined twice");
        reader.expect(";");
    }
    let mut names = Vec::new();
    grammar.productions.values().for_each(|term| term.names(&mut names));
    for name in &names {
        let known = grammar.productions.contains_key(name) || grammar.is_class(name) || name == "SEP";
        assert!(known, "{name} is not defined");
    }
    for name in grammar.productions.keys().filter(|name| *name != "file") {
        assert!(names.contains(name), "{name} is not used");
    }
    grammar
}

impl Term {
    fn names(&self, names: &mut Vec<String>) {
        match self {
            Term::Text(_) => {}
            Term::Name(name) => names.push(name.clone()),
            Term::Seq(terms) | Term::Choice(terms) => terms.iter().for_each(|term| term.names(names)),
            Term::Option(term) | Term::Many(term) | Term::Without(term, _) => term.names(names),
        }
    }
}

/// Words, `'texts'`, `/patterns/` and signs, without comments.
fn symbols(text: &str) -> Vec<String> {
    let pattern = r"(?s)\(\*.*?\*\)|'[^']*'|/[^\n]*/|[A-Za-z_]+|\S";
    let found = Regex::new(pattern).unwrap();
    found.find_iter(text).map(|m| m.as_str().to_owned()).filter(|s| !s.starts_with("(*")).collect()
}

struct Reader<'a> {
    symbols: &'a [String],
}

impl Reader<'_> {
    fn eat(&mut self, symbol: &str) -> bool {
        let found = self.symbols.first().is_some_and(|s| s == symbol);
        if found {
            self.symbols = &self.symbols[1..];
        }
        found
    }

    fn expect(&mut self, symbol: &str) {
        assert!(self.eat(symbol), "expected {symbol} before {:?}", self.symbols.get(..9));
    }

    fn texts(&mut self) -> Vec<String> {
        let mut texts = Vec::new();
        while let Some(text) = self.symbols.first().and_then(|s| s.strip_prefix('\'')?.strip_suffix('\'')) {
            texts.push(text.to_owned());
            self.symbols = &self.symbols[1..];
        }
        texts
    }

    fn choice(&mut self) -> Term {
        let mut terms = vec![self.sequence()];
        while self.eat("|") {
            terms.push(self.sequence());
        }
        if terms.len() == 1 { terms.remove(0) } else { Term::Choice(terms) }
    }

    fn sequence(&mut self) -> Term {
        let mut terms = Vec::new();
        while self.symbols.first().is_some_and(|s| !["|", ")", "]", "}", ";"].contains(&s.as_str())) {
            let term = self.one();
            terms.push(if self.eat("\\") { Term::Without(Box::new(term), self.texts()) } else { term });
        }
        if terms.len() == 1 { terms.remove(0) } else { Term::Seq(terms) }
    }

    fn one(&mut self) -> Term {
        for (open, close, wrap) in [
            ("(", ")", (|term| term) as fn(Term) -> Term),
            ("[", "]", |term| Term::Option(Box::new(term))),
            ("{", "}", |term| Term::Many(Box::new(term))),
        ] {
            if self.eat(open) {
                let term = self.choice();
                self.expect(close);
                return wrap(term);
            }
        }
        let symbol = self.symbols[0].clone();
        self.symbols = &self.symbols[1..];
        match symbol.strip_prefix('\'') {
            Some(text) => Term::Text(text.strip_suffix('\'').unwrap().to_owned()),
            None => Term::Name(symbol),
        }
    }
}
