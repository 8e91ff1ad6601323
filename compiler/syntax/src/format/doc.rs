//! A small algebra of layouts, after Wadler and Prettier: a document is text with places where lines may break, grouped
//! by what breaks together, and [`Docs::print`] chooses the breaks for a width.
//!
//! Documents live in one arena and are laid out with explicit stacks, so neither a deep tree nor a long one can overflow
//! the call stack. White space is written late: a space or line break waits until text follows, line breaks that meet
//! become one, and no line ends with a space.

use std::ops::Range;

/// A document in a [`Docs`] arena.
#[derive(Clone, Copy, Debug)]
pub(super) struct Doc(u32);

#[derive(Clone, Debug)]
enum Node<'a> {
    /// Text; it may hold line breaks, which are printed as they are.
    Text(&'a str),
    /// Spaces; dropped at the end of a line.
    Spaces(usize),
    /// A break of the group's lines, or a space or nothing where the group is flat.
    Line { flat: &'a str },
    /// A break of the line in any case.
    Hard,
    /// An empty line, where the line is broken here anyway.
    Blank,
    /// A comment to the end of the line; one that trails goes on the line of what was printed last.
    Comment { text: &'a str, trailing: bool },
    /// One after the other; a range of [`Docs::kids`].
    Concat(Range<u32>),
    /// Lines inside begin further right.
    Nest(usize, Doc),
    /// Lines directly inside break all or none.
    Group { doc: Doc, broken: bool },
    /// One of two, as the group around it is broken or flat.
    IfBroken { broken: Doc, flat: Doc },
    /// The first that fits, or the last; a range of [`Docs::kids`].
    Alternatives(Range<u32>),
}

/// The arena of documents.
#[derive(Debug, Default)]
pub(super) struct Docs<'a> {
    nodes: Vec<Node<'a>>,
    /// Whether the node at the same place breaks a line in any case.
    hard: Vec<bool>,
    kids: Vec<Doc>,
}

impl<'a> Docs<'a> {
    fn add(&mut self, node: Node<'a>, hard: bool) -> Doc {
        let doc = Doc(self.nodes.len() as u32);
        self.nodes.push(node);
        self.hard.push(hard);
        doc
    }

    fn add_kids(&mut self, kids: &[Doc]) -> Range<u32> {
        let start = self.kids.len() as u32;
        self.kids.extend_from_slice(kids);
        start..self.kids.len() as u32
    }

    fn node(&self, doc: Doc) -> &Node<'a> {
        // A `Doc` is made by `add` alone.
        &self.nodes[doc.0 as usize]
    }

    /// Whether `doc` breaks a line in any case.
    pub(super) fn is_hard(&self, doc: Doc) -> bool {
        self.hard[doc.0 as usize]
    }

    /// `text` as it is.
    pub(super) fn text(&mut self, text: &'a str) -> Doc {
        self.add(Node::Text(text), false)
    }

    /// Nothing.
    pub(super) fn nil(&mut self) -> Doc {
        self.spaces(0)
    }

    /// A space where no line is broken.
    pub(super) fn space(&mut self) -> Doc {
        self.spaces(1)
    }

    /// `count` spaces.
    pub(super) fn spaces(&mut self, count: usize) -> Doc {
        self.add(Node::Spaces(count), false)
    }

    /// A space, or a line break where the group is broken.
    pub(super) fn line(&mut self) -> Doc {
        self.line_or(" ")
    }

    /// Nothing, or a line break where the group is broken.
    pub(super) fn soft_line(&mut self) -> Doc {
        self.line_or("")
    }

    /// `flat`, or a line break where the group is broken.
    pub(super) fn line_or(&mut self, flat: &'a str) -> Doc {
        self.add(Node::Line { flat }, false)
    }

    /// A line break.
    pub(super) fn hard_line(&mut self) -> Doc {
        self.add(Node::Hard, true)
    }

    /// An empty line, where the line is broken here anyway.
    pub(super) fn blank(&mut self) -> Doc {
        self.add(Node::Blank, false)
    }

    /// A comment: behind what stands before it on the same line if `trailing`, else on a line of its own.
    pub(super) fn comment(&mut self, text: &'a str, trailing: bool) -> Doc {
        self.add(Node::Comment { text, trailing }, true)
    }

    /// One after the other.
    pub(super) fn concat(&mut self, docs: &[Doc]) -> Doc {
        let hard = docs.iter().any(|&d| self.is_hard(d));
        let kids = self.add_kids(docs);
        self.add(Node::Concat(kids), hard)
    }

    /// `doc` with its lines further right by `by` columns.
    pub(super) fn nest(&mut self, by: usize, doc: Doc) -> Doc {
        let hard = self.is_hard(doc);
        self.add(Node::Nest(by, doc), hard)
    }

    /// A group that breaks if it does not fit or if anything inside breaks.
    pub(super) fn group(&mut self, doc: Doc) -> Doc {
        let broken = self.is_hard(doc);
        self.loose_group(doc, broken)
    }

    /// A group that breaks if `broken` or if it does not fit up to the first line break inside.
    pub(super) fn loose_group(&mut self, doc: Doc, broken: bool) -> Doc {
        let hard = broken || self.is_hard(doc);
        self.add(Node::Group { doc, broken }, hard)
    }

    /// `broken` or `flat`, as the group around it is.
    pub(super) fn if_broken(&mut self, broken: Doc, flat: Doc) -> Doc {
        self.add(Node::IfBroken { broken, flat }, false)
    }

    /// The first of `docs` that fits up to its first line break, else the last.
    pub(super) fn alternatives(&mut self, docs: &[Doc]) -> Doc {
        let hard = docs.iter().all(|&d| self.is_hard(d));
        let kids = self.add_kids(docs);
        self.add(Node::Alternatives(kids), hard)
    }

    /// `doc` with the group that it ends with broken; `None` if it does not end with one.
    pub(super) fn break_last(&mut self, doc: Doc) -> Option<Doc> {
        match self.node(doc).clone() {
            Node::Group { doc, .. } => Some(self.loose_group(doc, true)),
            Node::Concat(kids) => {
                let mut kids = self.kids.get(kids.start as usize..kids.end as usize)?.to_vec();
                let last = kids.last_mut()?;
                *last = self.break_last(*last)?;
                Some(self.concat(&kids))
            }
            _ => None,
        }
    }

    /// The columns that `doc` takes on one line; `None` if it breaks a line in any case.
    pub(super) fn flat_width(&self, doc: Doc) -> Option<usize> {
        let mut todo = vec![doc];
        let mut width = 0;
        while let Some(doc) = todo.pop() {
            if self.is_hard(doc) {
                return None;
            }
            match self.node(doc) {
                Node::Text(text) if text.contains('\n') => return None,
                Node::Text(text) | Node::Line { flat: text } => width += columns(text),
                Node::Spaces(count) => width += count,
                Node::Hard | Node::Comment { .. } => return None,
                Node::Blank => {}
                Node::Concat(kids) => todo.extend(self.kids(kids)),
                Node::Nest(_, doc) | Node::Group { doc, .. } | Node::IfBroken { flat: doc, .. } => todo.push(*doc),
                Node::Alternatives(kids) => todo.extend(self.kids(kids).first()),
            }
        }
        Some(width)
    }

    fn kids(&self, range: &Range<u32>) -> &[Doc] {
        self.kids.get(range.start as usize..range.end as usize).unwrap_or_default()
    }

    /// Lays `doc` out for lines of at most `width` columns, as far as its breaks allow.
    pub(super) fn print(&self, doc: Doc, width: usize) -> String {
        let mut out = Writer::default();
        let mut todo = vec![Cmd { indent: 0, broken: true, what: What::Doc(doc) }];
        while let Some(mut cmd) = todo.pop() {
            let doc = match cmd.next(self, &mut todo) {
                Some(doc) => doc,
                None => continue,
            };
            let Cmd { indent, broken, .. } = cmd;
            let mut push = |indent, broken, doc| todo.push(Cmd { indent, broken, what: What::Doc(doc) });
            match self.node(doc) {
                Node::Text(text) => out.text(text),
                Node::Spaces(count) => out.spaces(*count),
                Node::Line { .. } if broken => out.line(indent),
                Node::Line { flat } if flat.trim_end().is_empty() => out.spaces(flat.len()),
                Node::Line { flat } => {
                    out.text(flat.trim_end());
                    out.spaces(flat.len() - flat.trim_end().len());
                }
                Node::Hard => out.line(indent),
                Node::Blank => out.blank(),
                Node::Comment { text, trailing } => out.comment(text, *trailing, indent),
                Node::Concat(kids) => todo.push(Cmd { indent, broken, what: What::Kids(kids.clone()) }),
                Node::Nest(by, doc) => push(indent + by, broken, *doc),
                Node::IfBroken { broken: yes, flat: no } => push(indent, broken, if broken { *yes } else { *no }),
                Node::Group { doc, broken: true } => push(indent, true, *doc),
                Node::Group { doc, .. } => {
                    let flat = !broken || self.fits(*doc, width.saturating_sub(out.column()), &todo);
                    todo.push(Cmd { indent, broken: !flat, what: What::Doc(*doc) });
                }
                Node::Alternatives(kids) => {
                    let kids = self.kids(kids);
                    let room = width.saturating_sub(out.column());
                    let fitting = kids.iter().find(|&&kid| !broken || self.fits(kid, room, &todo));
                    if let Some(&kid) = fitting.or(kids.last()) {
                        todo.push(Cmd { indent, broken, what: What::Doc(kid) });
                    }
                }
            }
        }
        out.out
    }

    /// Whether `doc`, flat, and what follows it up to the next possible line break takes at most `room` columns.
    fn fits(&self, doc: Doc, room: usize, rest: &[Cmd]) -> bool {
        let mut room = room;
        let mut rest = rest.iter().rev();
        let mut todo = vec![Cmd { indent: 0, broken: false, what: What::Doc(doc) }];
        loop {
            let Some(mut cmd) = todo.pop().or_else(|| rest.next().cloned()) else { return true };
            let Some(doc) = cmd.next(self, &mut todo) else { continue };
            let broken = cmd.broken;
            let mut push = |broken, doc| todo.push(Cmd { indent: 0, broken, what: What::Doc(doc) });
            let taken = match self.node(doc) {
                Node::Text(text) => match text.split_once('\n') {
                    Some((first, _)) => return columns(first) <= room,
                    None => columns(text),
                },
                Node::Spaces(count) => *count,
                Node::Line { .. } if broken => return true,
                Node::Line { flat } => columns(flat),
                Node::Hard | Node::Comment { .. } => return true,
                Node::Blank => 0,
                Node::Concat(kids) => {
                    todo.push(Cmd { indent: 0, broken, what: What::Kids(kids.clone()) });
                    0
                }
                Node::Nest(_, doc) => {
                    push(broken, *doc);
                    0
                }
                Node::IfBroken { broken: yes, flat: no } => {
                    push(broken, if broken { *yes } else { *no });
                    0
                }
                Node::Group { doc, broken: forced } => {
                    push(broken || *forced, *doc);
                    0
                }
                Node::Alternatives(kids) => {
                    let kids = self.kids(kids);
                    if let Some(&kid) = if broken { kids.last() } else { kids.first() } {
                        push(broken, kid);
                    }
                    0
                }
            };
            match room.checked_sub(taken) {
                Some(left) => room = left,
                None => return false,
            }
        }
    }
}

/// What is still to be printed: how far lines are indented, whether the group around is broken, and what.
#[derive(Clone, Debug)]
struct Cmd {
    indent: usize,
    broken: bool,
    what: What,
}

#[derive(Clone, Debug)]
enum What {
    Doc(Doc),
    /// The rest of a [`Node::Concat`].
    Kids(Range<u32>),
}

impl Cmd {
    /// The document to print now; what is left of a sequence goes back on `todo`.
    fn next(&mut self, docs: &Docs<'_>, todo: &mut Vec<Cmd>) -> Option<Doc> {
        match &mut self.what {
            What::Doc(doc) => Some(*doc),
            What::Kids(range) => {
                let kid = docs.kids.get(range.next()? as usize).copied();
                if range.start < range.end {
                    todo.push(self.clone());
                }
                kid
            }
        }
    }
}

/// The printed text, and the white space that waits for the next text.
#[derive(Default)]
struct Writer {
    out: String,
    /// Columns of the last line, without what waits.
    column: usize,
    waits: Waits,
    /// The last line ends with a comment.
    commented: bool,
}

#[derive(Clone, Copy, Default)]
enum Waits {
    #[default]
    Nothing,
    Spaces(usize),
    Line {
        indent: usize,
        blank: bool,
    },
}

impl Writer {
    /// Where the next text begins.
    fn column(&self) -> usize {
        match self.waits {
            Waits::Nothing => self.column,
            Waits::Spaces(count) => self.column + count,
            Waits::Line { indent, .. } => indent,
        }
    }

    fn text(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        let column = self.column();
        match std::mem::take(&mut self.waits) {
            Waits::Line { blank, .. } => {
                self.out.push_str(if blank { "\n\n" } else { "\n" });
                self.out.extend(std::iter::repeat_n(' ', column));
            }
            _ => self.out.extend(std::iter::repeat_n(' ', column - self.column)),
        }
        self.out.push_str(text);
        self.commented = false;
        self.column = match text.rsplit_once('\n') {
            Some((_, last)) => columns(last),
            None => column + columns(text),
        };
    }

    fn spaces(&mut self, count: usize) {
        self.waits = match self.waits {
            Waits::Nothing => Waits::Spaces(count),
            Waits::Spaces(before) => Waits::Spaces(before + count),
            line @ Waits::Line { .. } => line,
        };
    }

    fn line(&mut self, indent: usize) {
        let blank = matches!(self.waits, Waits::Line { blank: true, .. });
        // Nothing is broken before the first text.
        if !self.out.is_empty() {
            self.waits = Waits::Line { indent, blank };
        }
    }

    fn blank(&mut self) {
        if let Waits::Line { blank, .. } = &mut self.waits {
            *blank = true;
        }
    }

    fn comment(&mut self, text: &str, trailing: bool, indent: usize) {
        if trailing && !self.commented && !self.out.is_empty() {
            let waits = std::mem::replace(&mut self.waits, Waits::Spaces(1));
            self.text(text);
            self.waits = match waits {
                line @ Waits::Line { .. } => line,
                _ => Waits::Line { indent, blank: false },
            };
        } else {
            self.line(indent);
            self.text(text);
            self.line(indent);
        }
        self.commented = true;
    }
}

/// How many columns `text` takes: one a character.
fn columns(text: &str) -> usize {
    text.chars().count()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `[a, b, c]` with everything that a list has.
    fn list<'a>(docs: &mut Docs<'a>, items: &[&'a str]) -> Doc {
        let (open, close, comma) = (docs.text("["), docs.text("]"), docs.text(","));
        let (soft, line, nil) = (docs.soft_line(), docs.line(), docs.nil());
        let mut inner = vec![soft];
        for (i, item) in items.iter().enumerate() {
            if i > 0 {
                inner.extend([comma, line]);
            }
            inner.push(docs.text(item));
        }
        inner.push(docs.if_broken(comma, nil));
        let inner = docs.concat(&inner);
        let inner = docs.nest(2, inner);
        let all = docs.concat(&[open, inner, soft, close]);
        docs.group(all)
    }

    #[test]
    fn a_group_breaks_whole_where_it_does_not_fit() {
        let mut docs = Docs::default();
        let doc = list(&mut docs, &["aaa", "bbb", "ccc"]);
        assert_eq!(docs.print(doc, 15), "[aaa, bbb, ccc]");
        assert_eq!(docs.print(doc, 14), "[\n  aaa,\n  bbb,\n  ccc,\n]");
        assert_eq!(docs.flat_width(doc), Some(15));
        // What follows up to the next line break has to fit, too.
        let (tail, hard) = (docs.text("+"), docs.hard_line());
        let longer = docs.concat(&[doc, hard, tail]);
        assert_eq!(docs.print(longer, 15), "[aaa, bbb, ccc]\n+");
        let longer = docs.concat(&[doc, tail]);
        assert_eq!(docs.print(longer, 15), "[\n  aaa,\n  bbb,\n  ccc,\n]+");
    }

    #[test]
    fn what_must_break_breaks_the_groups_around_but_not_a_loose_one() {
        let mut docs = Docs::default();
        let (a, b, line, hard) = (docs.text("a"), docs.text("b"), docs.line(), docs.hard_line());
        let inner = docs.concat(&[a, hard, b]);
        let both = docs.concat(&[inner, line, b]);
        let group = docs.group(both);
        assert_eq!(docs.print(group, 80), "a\nb\nb");
        let loose = docs.loose_group(both, false);
        assert_eq!(docs.print(loose, 80), "a\nb b");
    }

    #[test]
    fn white_space_is_written_late() {
        let mut docs = Docs::default();
        let (a, space, hard, blank) = (docs.text("a"), docs.space(), docs.hard_line(), docs.blank());
        let (note, line) = (docs.comment("// note", true), docs.comment("// line", false));
        let doc = docs.concat(&[hard, a, space, hard, blank, hard, a, space, blank, a, hard]);
        assert_eq!(docs.print(doc, 80), "a\n\na a");
        // A trailing comment goes on the line of what was printed last, even behind a line break.
        let doc = docs.concat(&[a, hard, note, hard, line, a]);
        assert_eq!(docs.print(doc, 80), "a // note\n// line\na");
    }

    #[test]
    fn the_first_alternative_that_fits_is_taken() {
        let mut docs = Docs::default();
        let (short, long) = (list(&mut docs, &["a", "b"]), list(&mut docs, &["ccccc", "ddddd"]));
        let open = docs.text("(");
        let flat = docs.concat(&[open, short, long]);
        let hugged = docs.break_last(flat).unwrap();
        let doc = docs.alternatives(&[flat, hugged]);
        assert_eq!(docs.print(doc, 21), "([a, b][ccccc, ddddd]");
        assert_eq!(docs.print(doc, 20), "([a, b][\n  ccccc,\n  ddddd,\n]");
    }

    #[test]
    fn deep_documents_need_no_call_stack() {
        let mut docs = Docs::default();
        let mut doc = docs.text("x");
        for _ in 0..100_000 {
            let line = docs.line();
            let both = docs.concat(&[doc, line]);
            let nested = docs.nest(1, both);
            doc = docs.group(nested);
        }
        assert_eq!(docs.print(doc, usize::MAX), "x");
    }
}
