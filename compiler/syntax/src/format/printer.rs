//! From tokens to documents: the part that knows no construct of the language but lists, blocks and chains.
//!
//! The tree says what a construct is; its tokens are taken one after the other, each with the comments before it. So
//! nothing is lost and nothing changes places, whatever the tree looks like.

use super::{
    doc::{Doc, Docs},
    source::{Item, Source},
};
use crate::ast::Span;

/// How much further right what belongs to a line stands below it.
pub(super) const INDENT: usize = 2;

/// Builds the document of one item.
pub(super) struct Printer<'a> {
    pub(super) docs: Docs<'a>,
    source: &'a Source<'a>,
    item: &'a Item,
    /// Names of the modules in use: a chain of calls is not broken behind one.
    modules: &'a [&'a str],
    /// The next token.
    at: usize,
    /// The next comment.
    comment: usize,
}

/// Where a list breaks that does not fit on one line.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Breaks {
    /// Behind every item.
    Each,
    /// Inside its last item, whose brackets share their lines with those of the list, or else behind every item.
    Last,
    /// Where a line is full, unless the author put one item a line.
    Lines,
}

/// What stands between two brackets.
pub(super) struct Inside<T> {
    open: Doc,
    pub(super) entries: Vec<Entry<T>>,
    /// Comments before the closing bracket.
    rest: Doc,
    close: Doc,
    /// Whether the closing bracket stands on a new line.
    closes_on_new_line: bool,
}

/// One of several things between brackets.
pub(super) struct Entry<T> {
    pub(super) item: T,
    /// Comments and an empty line before it.
    lead: Doc,
    pub(super) on_new_line: bool,
    /// Whether an empty line or a comment on a line of its own stands before it.
    pub(super) apart: bool,
    /// Whether a comma stands behind it.
    comma: bool,
    /// Whether it would go on with the line before if no `;` stood between.
    goes_on: bool,
}

impl<T> Inside<T> {
    /// The same with every item changed.
    pub(super) fn map<U>(self, mut change: impl FnMut(T) -> U) -> Inside<U> {
        let Inside { open, entries, rest, close, closes_on_new_line } = self;
        let entries = entries.into_iter().map(|Entry { item, lead, on_new_line, apart, comma, goes_on }| {
            let item = change(item);
            Entry { item, lead, on_new_line, apart, comma, goes_on }
        });
        Inside { open, entries: entries.collect(), rest, close, closes_on_new_line }
    }
}

impl<'a> Printer<'a> {
    pub(super) fn new(source: &'a Source<'a>, item: &'a Item, modules: &'a [&'a str]) -> Self {
        let comment = source.tokens.get(item.first).map_or(0, |t| t.comments_end);
        Printer { docs: Docs::default(), source, item, modules, at: item.first, comment }
    }

    pub(super) fn is_module(&self, name: &str) -> bool {
        self.modules.contains(&name)
    }

    /// The text of the next token.
    pub(super) fn peek(&self) -> &'a str {
        self.source.token_text(self.at)
    }

    /// The text of the token after the next.
    pub(super) fn peek_second(&self) -> &'a str {
        self.source.token_text(self.at + 1)
    }

    /// The text of the last token.
    pub(super) fn last(&self) -> &'a str {
        self.at.checked_sub(1).map_or("", |at| self.source.token_text(at))
    }

    /// How many of the next tokens are `text`.
    pub(super) fn count(&self, text: &str) -> u32 {
        (self.at..).take_while(|&at| self.source.token_text(at) == text).count() as u32
    }

    /// Whether a line ends before the next token.
    pub(super) fn on_new_line(&self) -> bool {
        self.source.tokens.get(self.at).is_some_and(|t| t.on_new_line)
    }

    /// Whether a statement or annotation ends before the next token, by a line end or `;`.
    pub(super) fn is_separated(&self) -> bool {
        self.source.tokens.get(self.at).is_some_and(|t| t.on_new_line || t.after_semicolon)
    }

    fn bytes(&self, span: Span) -> std::ops::Range<usize> {
        let bytes = self.item.parsed.tokens.bytes(span);
        self.item.start + bytes.start as usize..self.item.start + bytes.end as usize
    }

    /// The comments before the next token; empty lines between them stay.
    ///
    /// `before_first`: whether an empty line before all of this stays too; `before_token`: whether one behind the comments does.
    fn comments(&mut self, before_first: bool, before_token: bool) -> Doc {
        let Some(token) = self.source.tokens.get(self.at) else { return self.docs.nil() };
        let comments = self.source.comments.get(self.comment..token.comments_end).unwrap_or_default();
        self.comment = self.comment.max(token.comments_end);
        let mut docs = Vec::new();
        let mut blank_stays = before_first;
        for comment in comments {
            if comment.after_blank && blank_stays {
                docs.push(self.docs.blank());
            }
            blank_stays = true;
            docs.push(self.docs.comment(self.source.comment_text(comment), comment.trailing));
        }
        if token.after_blank && if comments.is_empty() { before_first } else { before_token } {
            docs.push(self.docs.blank());
        }
        self.docs.concat(&docs)
    }

    /// The next token, the comments before it first.
    pub(super) fn token(&mut self) -> Doc {
        let comments = self.comments(false, false);
        let text = self.docs.text(self.peek());
        self.at += 1;
        self.docs.concat(&[comments, text])
    }

    /// The next token if it is `text`; its comments go before the token behind it.
    pub(super) fn skip(&mut self, text: &str) -> bool {
        let found = self.peek() == text;
        self.at += usize::from(found);
        found
    }

    /// The next token with a space before it.
    pub(super) fn spaced(&mut self) -> Doc {
        let (space, token) = (self.docs.space(), self.token());
        self.docs.concat(&[space, token])
    }

    /// A literal without holes: its sign and token, or the pieces of a str.
    pub(super) fn literal(&mut self) -> Doc {
        let mut docs = Vec::new();
        if self.peek() == "-" {
            docs.push(self.token());
        }
        let open = self.peek();
        docs.push(self.token());
        if open.starts_with('"') {
            if self.peek() != open {
                docs.push(self.token());
            }
            docs.push(self.token());
        }
        self.docs.concat(&docs)
    }

    /// The text of `span` as it is.
    pub(super) fn verbatim(&mut self, span: Span) -> Doc {
        let comments = self.comments(false, false);
        let bytes = self.bytes(span);
        while let Some(token) = self.source.tokens.get(self.at).filter(|t| t.range.start < bytes.end) {
            self.comment = token.comments_end;
            self.at += 1;
        }
        let text = self.docs.text(self.source.text.get(bytes).unwrap_or_default());
        self.docs.concat(&[comments, text])
    }

    /// What stands between the bracket that is the next token and its partner, as far as `item` prints it.
    pub(super) fn inside<T>(&mut self, mut item: impl FnMut(&mut Self) -> Option<T>) -> Inside<T> {
        let partner = match self.peek() {
            "(" => ")",
            "[" => "]",
            _ => "}",
        };
        let open = self.token();
        let mut entries: Vec<Entry<T>> = Vec::new();
        loop {
            // A line may end on either side of a comma. Arms may have none between them.
            let mut on_new_line = self.on_new_line();
            if self.skip(",") {
                on_new_line |= self.on_new_line();
                if let Some(last) = entries.last_mut() {
                    last.comma = true;
                }
            }
            if self.is_at_end() || self.peek() == partner {
                break;
            }
            let apart = self.is_apart();
            let goes_on = self.peek() == "after" && !matches!(self.peek_second(), "=" | ":");
            let lead = self.comments(!entries.is_empty(), true);
            let Some(item) = item(self) else { break };
            entries.push(Entry { item, lead, on_new_line, apart, comma: false, goes_on });
        }
        let rest = self.comments(!entries.is_empty(), false);
        let closes_on_new_line = self.on_new_line();
        Inside { open, entries, rest, close: self.token(), closes_on_new_line }
    }

    /// [`Self::inside`] for the items of the tree.
    pub(super) fn inside_of<T, U>(
        &mut self,
        items: &'a [T],
        mut print: impl FnMut(&mut Self, &'a T) -> U,
    ) -> Inside<U> {
        let mut items = items.iter();
        self.inside(|p| items.next().map(|item| print(p, item)))
    }

    /// [`Self::list`] for the items of the tree.
    pub(super) fn list_of<T>(
        &mut self,
        breaks: Breaks,
        items: &'a [T],
        print: impl FnMut(&mut Self, &'a T) -> Doc,
    ) -> Doc {
        let inside = self.inside_of(items, print);
        self.list(breaks, &inside)
    }

    /// A list in brackets: on one line, or broken with a comma behind the last item.
    ///
    /// One that was broken behind its opening bracket and ends with a comma stays broken.
    pub(super) fn list(&mut self, breaks: Breaks, list: &Inside<Doc>) -> Doc {
        let stays_broken =
            list.entries.first().is_some_and(|e| e.on_new_line) && list.entries.last().is_some_and(|e| e.comma);
        let items: Vec<_> = list.entries.iter().map(|e| self.docs.concat(&[e.lead, e.item])).collect();
        let fill = breaks == Breaks::Lines && list.entries.iter().skip(1).any(|e| !e.on_new_line);
        let all = self.broken_list(list, &items, fill);
        let docs = &mut self.docs;
        let broken = stays_broken || docs.is_hard(all);
        let plain = docs.loose_group(all, broken);
        let Some((&last, others)) = items.split_last().filter(|_| breaks == Breaks::Last && !stays_broken) else {
            return plain;
        };
        let commented = list.entries.last().is_some_and(|e| docs.is_hard(e.lead)) || docs.is_hard(list.rest);
        if commented || others.iter().any(|&item| docs.is_hard(item)) {
            return plain;
        }
        let (comma, space) = (docs.text(","), docs.space());
        let mut hugged = vec![list.open];
        hugged.extend(others.iter().flat_map(|&item| [item, comma, space]));
        if others.is_empty() {
            hugged.extend([last, list.close]);
            return docs.concat(&hugged);
        }
        let Some(last) = docs.break_last(last) else { return plain };
        hugged.extend([last, list.close]);
        let hugged = docs.concat(&hugged);
        let each = docs.loose_group(all, true);
        if broken { docs.alternatives(&[hugged, each]) } else { docs.alternatives(&[plain, hugged, each]) }
    }

    /// The parts of a list with the places where it breaks: behind each item, or where a line is full.
    fn broken_list(&mut self, list: &Inside<Doc>, items: &[Doc], fill: bool) -> Doc {
        let docs = &mut self.docs;
        let (comma, line, soft, nil) = (docs.text(","), docs.line(), docs.soft_line(), docs.nil());
        let last_comma = docs.if_broken(comma, nil);
        let mut inner = vec![soft];
        for (i, &item) in items.iter().enumerate() {
            let comma = if i + 1 < items.len() { comma } else { last_comma };
            let item = docs.concat(&[if i > 0 { line } else { nil }, item]);
            inner.extend([if fill { docs.group(item) } else { item }, comma]);
        }
        inner.push(list.rest);
        let inner = docs.concat(&inner);
        let inner = docs.nest(INDENT, inner);
        docs.concat(&[list.open, inner, soft, list.close])
    }

    /// A list that is never broken at its brackets.
    pub(super) fn solid_list_of<T>(&mut self, items: &'a [T], print: impl FnMut(&mut Self, &'a T) -> Doc) -> Doc {
        let list = self.inside_of(items, print);
        let (comma, space) = (self.docs.text(","), self.docs.space());
        let mut docs = vec![list.open];
        for (i, entry) in list.entries.iter().enumerate() {
            if i > 0 {
                docs.extend([comma, space]);
            }
            docs.extend([entry.lead, entry.item]);
        }
        docs.extend([list.rest, list.close]);
        self.docs.concat(&docs)
    }

    /// What stands in braces, without a group: one line, or one item a line if the author broke it between items.
    ///
    /// `flat` stands between items on one line, `broken` at the end of each line.
    pub(super) fn braced(&mut self, inside: &Inside<Doc>, flat: &'a str, broken: &'a str) -> Doc {
        let was_broken = inside.closes_on_new_line || inside.entries.iter().any(|e| e.on_new_line);
        let docs = &mut self.docs;
        let edge = match inside.entries.as_slice() {
            [] => docs.soft_line(),
            _ if was_broken => docs.hard_line(),
            _ => docs.line(),
        };
        let nil = docs.nil();
        let mut end_of = |end| {
            let end = docs.text(end);
            docs.if_broken(end, nil)
        };
        let (end, semicolon) = (end_of(broken), end_of(";"));
        let line = docs.line_or(flat);
        let mut inner = Vec::new();
        for (i, entry) in inside.entries.iter().enumerate() {
            let goes_on = broken.is_empty() && inside.entries.get(i + 1).is_some_and(|next| next.goes_on);
            let end = if goes_on { semicolon } else { end };
            inner.extend([if i == 0 { edge } else { line }, entry.lead, entry.item, end]);
        }
        if inside.entries.is_empty() {
            inner.push(edge);
        }
        inner.push(inside.rest);
        let inner = docs.concat(&inner);
        let inner = docs.nest(INDENT, inner);
        docs.concat(&[inside.open, inner, edge, inside.close])
    }

    /// Something between two brackets; broken, it stands on lines of its own.
    pub(super) fn enclosed(&mut self, [open, inner, close]: [Doc; 3]) -> Doc {
        let soft = self.docs.soft_line();
        let inner = self.docs.concat(&[soft, inner]);
        let inner = self.docs.nest(INDENT, inner);
        let all = self.docs.concat(&[open, inner, soft, close]);
        self.docs.group(all)
    }

    /// `head`, and behind it links that begin with a line where they may break, further right by `indent`.
    pub(super) fn chain(&mut self, head: Doc, links: &[Doc], broken: bool, indent: usize) -> Doc {
        let links = self.docs.concat(links);
        let links = self.docs.nest(indent, links);
        let all = self.docs.concat(&[head, links]);
        self.docs.loose_group(all, broken)
    }

    fn is_at_end(&self) -> bool {
        self.at >= self.source.tokens.len()
    }

    /// Whether an empty line or a comment on a line of its own stands before the next token.
    fn is_apart(&self) -> bool {
        let Some(token) = self.source.tokens.get(self.at) else { return false };
        let comments = self.source.comments.get(self.comment..token.comments_end).unwrap_or_default();
        token.after_blank || comments.iter().any(|c| !c.trailing || c.after_blank)
    }

    /// The columns between the beginning of the next token's line and that token, if the line begins at `first` or behind it.
    pub(super) fn column_since(&self, first: usize) -> Option<usize> {
        let start = (first..=self.at)
            .rev()
            .find(|&i| i == first || self.source.tokens.get(i).is_some_and(|t| t.on_new_line))?;
        let (start, end) = (self.source.tokens.get(start)?.range.start, self.source.tokens.get(self.at)?.range.start);
        Some(self.source.text.get(start..end)?.chars().count())
    }

    /// The next comment.
    pub(super) fn comment(&self) -> usize {
        self.comment
    }

    /// The place of the next token.
    pub(super) fn position(&self) -> usize {
        self.at
    }
}
