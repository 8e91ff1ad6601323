//! A page as text, plain or as Markdown. The tree is walked from its opening to its closing ends.

use ego_tree::iter::Edge;
use scraper::node::Element;
use scraper::{Html, Node};

/// What a page shows.
pub(super) fn plain(page: &Html) -> String {
    write(page, false)
}

/// A page as Markdown.
pub(super) fn markdown(page: &Html) -> String {
    write(page, true)
}

/// Elements that show nothing of what is in them.
const UNSEEN: &[&str] = &["head", "noscript", "script", "style", "svg", "template", "title"];
/// Elements that stand apart from what is before and after them.
const BLOCKS: &[&str] = &[
    "address",
    "article",
    "aside",
    "blockquote",
    "body",
    "dd",
    "details",
    "div",
    "dl",
    "dt",
    "fieldset",
    "figcaption",
    "figure",
    "footer",
    "form",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "header",
    "html",
    "main",
    "nav",
    "ol",
    "p",
    "pre",
    "section",
    "summary",
    "table",
    "ul",
];

fn write(page: &Html, is_markdown: bool) -> String {
    let mut writer = Writer { is_markdown, ..Writer::default() };
    let mut unseen = 0_usize;
    for edge in page.tree.root().traverse() {
        match edge {
            Edge::Open(node) => match node.value() {
                Node::Element(e) if UNSEEN.contains(&e.name()) => unseen += 1,
                Node::Element(e) if unseen == 0 => writer.open(e),
                Node::Text(text) if unseen == 0 => writer.text(text),
                _ => {}
            },
            Edge::Close(node) => match node.value() {
                Node::Element(e) if UNSEEN.contains(&e.name()) => unseen -= 1,
                Node::Element(e) if unseen == 0 => writer.close(e),
                _ => {}
            },
        }
    }
    writer.out.truncate(writer.out.trim_end().len());
    writer.out
}

#[derive(Default)]
struct Writer {
    is_markdown: bool,
    out: String,
    /// What each line begins with: of quotes and of what belongs to a list's items.
    prefix: String,
    /// Line ends that come before what is next.
    pending: usize,
    /// A space comes before what is next, if it is on the same line.
    space: bool,
    /// The lists that are open: the number of the next item, of those that count.
    lists: Vec<Option<u64>>,
    /// How far the text of each item that is open stands in.
    items: Vec<usize>,
    /// Where the links lead that are open.
    links: Vec<Option<String>>,
    /// Marks of emphases and links that come close before what is next.
    opening: Vec<&'static str>,
    /// No space comes next: a list's marker brings its own.
    close: bool,
    /// What is taken as it is: code, and whether it is a block of its own.
    code: Option<(String, bool)>,
    /// The number of cells in the row that is open.
    row: Option<usize>,
    /// How many rows of the table came before.
    rows: usize,
}

impl Writer {
    /// What follows begins on a new line, after an empty one if there is Markdown between them.
    fn apart(&mut self, lines: usize) {
        if self.row.is_some() {
            self.space = true;
        } else if !self.close {
            self.pending = self.pending.max(if self.is_markdown { lines } else { 1 });
        }
    }

    /// Writes what must not be broken, after the line ends and the space that are due.
    fn put(&mut self, text: &str) {
        if self.out.is_empty() {
            self.out.push_str(&self.prefix);
        } else if self.pending > 0 {
            for at in 0..self.pending {
                let end = if at + 1 < self.pending { self.prefix.trim_end() } else { self.prefix.as_str() };
                self.out.push('\n');
                self.out.push_str(end);
            }
        } else if self.space && !self.close {
            self.out.push(' ');
        }
        (self.pending, self.space, self.close) = (0, false, false);
        self.opening.drain(..).for_each(|mark| self.out.push_str(mark));
        self.out.push_str(text);
    }

    fn text(&mut self, text: &str) {
        if let Some((code, _)) = &mut self.code {
            return code.push_str(text);
        }
        let is_apart = |c: Option<char>| c.is_some_and(char::is_whitespace);
        self.space |= is_apart(text.chars().next());
        for word in text.split_whitespace() {
            let word = if self.is_markdown { self.escaped(word) } else { word.to_owned() };
            self.put(&word);
            self.space = true;
        }
        self.space = is_apart(text.chars().next_back()) || text.is_empty() && self.space;
    }

    /// A word in which nothing is a mark of Markdown.
    fn escaped(&self, word: &str) -> String {
        let mut out = String::with_capacity(word.len());
        let mut before = None;
        let mut chars = word.chars().peekable();
        while let Some(c) = chars.next() {
            let is_inner = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
            let is_mark = matches!(c, '\\' | '`' | '*' | '[' | ']' | '<')
                || c == '_' && !(is_inner(before) && is_inner(chars.peek().copied()))
                || c == '|' && self.row.is_some();
            if is_mark {
                out.push('\\');
            }
            out.push(c);
            before = Some(c);
        }
        if self.out.is_empty() || self.pending > 0 {
            let all = |marks: &[char]| word.chars().all(|c| marks.contains(&c));
            let number =
                word.strip_suffix(['.', ')']).is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()));
            if number {
                out.insert(out.len() - 1, '\\');
            } else if word.starts_with('>') || all(&['#']) || all(&['-']) || all(&['=']) || word == "+" {
                out.insert(0, '\\');
            }
        }
        out
    }

    fn open(&mut self, e: &Element) {
        let name = e.name();
        if BLOCKS.contains(&name) {
            self.apart(2);
        }
        match name {
            "br" => self.apart(1),
            "li" => self.item(),
            "tr" => {
                self.apart(1);
                if self.is_markdown {
                    self.put("|");
                }
                self.row = Some(0);
            }
            "td" | "th" => self.space = true,
            "table" => self.rows = 0,
            "pre" => self.code = Some((String::new(), true)),
            _ if !self.is_markdown => {}
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" if self.row.is_none() => {
                let level = usize::from(name.as_bytes()[1] - b'0');
                self.put(&"#".repeat(level));
                self.space = true;
            }
            "hr" => {
                self.apart(2);
                self.put("---");
                self.apart(2);
            }
            "ul" | "ol" => {
                // A list in a list belongs to its item.
                if !self.lists.is_empty() {
                    self.pending = self.pending.min(1);
                }
                let start = e.attr("start").and_then(|n| n.trim().parse().ok()).unwrap_or(1);
                self.lists.push((name == "ol").then_some(start));
            }
            "blockquote" => self.quote(),
            "strong" | "b" => self.opening.push("**"),
            "em" | "i" => self.opening.push("*"),
            "a" => {
                let href = e.attr("href").map(str::to_owned);
                if href.is_some() {
                    self.opening.push("[");
                }
                self.links.push(href);
            }
            "img" => {
                let image = format!(
                    "![{}]({})",
                    e.attr("alt").unwrap_or_default().trim(),
                    target(e.attr("src").unwrap_or_default())
                );
                self.put(&image);
            }
            "code" if self.code.is_none() => self.code = Some((String::new(), false)),
            _ => {}
        }
    }

    fn close(&mut self, e: &Element) {
        let name = e.name();
        match name {
            "tr" => self.end_of_row(),
            "td" | "th" => {
                self.row = self.row.map(|cells| cells + 1);
                self.space = true;
                if self.is_markdown {
                    self.put("|");
                }
            }
            "li" => self.end_of_item(),
            "pre" => self.end_of_code(),
            _ if !self.is_markdown => {}
            "ul" | "ol" => drop(self.lists.pop()),
            "blockquote" => {
                let kept = self.prefix.strip_suffix("> ").map_or(0, str::len);
                self.prefix.truncate(kept);
            }
            "strong" | "b" => self.unmark("**"),
            "em" | "i" => self.unmark("*"),
            "a" => {
                if let Some(Some(href)) = self.links.pop() {
                    self.unmark(&format!("]({})", target(&href)));
                }
            }
            "code" if self.code.as_ref().is_some_and(|(_, is_block)| !is_block) => self.end_of_code(),
            _ => {}
        }
        if BLOCKS.contains(&name) {
            self.apart(2);
        }
    }

    /// Ends an emphasis or a link; one around nothing is nothing.
    fn unmark(&mut self, mark: &str) {
        if self.opening.pop().is_none() {
            self.out.push_str(mark);
        }
    }

    /// Begins an item of a list.
    fn item(&mut self) {
        self.apart(1);
        if !self.is_markdown {
            return;
        }
        let marker = match self.lists.last_mut() {
            Some(Some(number)) => {
                let marker = format!("{number}. ");
                *number = number.saturating_add(1);
                marker
            }
            _ => "- ".to_owned(),
        };
        self.put(&marker);
        self.close = true;
        self.prefix.push_str(&" ".repeat(marker.len()));
        self.items.push(marker.len());
    }

    fn end_of_item(&mut self) {
        if let Some(width) = self.items.pop() {
            self.prefix.truncate(self.prefix.len().saturating_sub(width));
            self.pending = 1;
        }
    }

    /// Begins a quote.
    fn quote(&mut self) {
        self.prefix.push_str("> ");
        // The line that it begins on is one of its own.
        if !self.out.is_empty() {
            let lines = std::mem::take(&mut self.pending);
            let outer = self.prefix.strip_suffix("> ").unwrap_or_default().to_owned();
            for _ in 1..lines {
                self.out.push('\n');
                self.out.push_str(outer.trim_end());
            }
            self.pending = lines.min(1);
        }
    }

    /// Writes the code that was taken.
    fn end_of_code(&mut self) {
        let Some((code, is_block)) = self.code.take() else { return };
        let ticks = |least: usize| {
            let runs = code.split(|c| c != '`').map(str::len).max().unwrap_or(0);
            "`".repeat(least.max(runs + 1))
        };
        if !is_block {
            let code = code.split_whitespace().collect::<Vec<_>>().join(" ");
            if !code.is_empty() {
                let (fence, space) = (ticks(1), if code.starts_with('`') || code.ends_with('`') { " " } else { "" });
                self.put(&format!("{fence}{space}{code}{space}{fence}"));
            }
            return;
        }
        let fence = self.is_markdown.then(|| ticks(3));
        for line in fence.as_deref().into_iter().chain(code.trim_matches('\n').split('\n')).chain(fence.as_deref()) {
            self.put(line.trim_end());
            self.pending = 1;
        }
    }

    fn end_of_row(&mut self) {
        let Some(cells) = self.row.take() else { return };
        self.space = false;
        if self.is_markdown && self.rows == 0 && cells > 0 {
            self.pending = 1;
            self.put(&format!("|{}", " --- |".repeat(cells)));
        }
        self.rows += 1;
        self.pending = 1;
    }
}

/// Where a link leads, as Markdown takes it.
fn target(url: &str) -> String {
    let url = url.trim();
    let is_plain = !url.contains(|c: char| c.is_whitespace() || matches!(c, '(' | ')' | '<' | '>'));
    if is_plain { url.to_owned() } else { format!("<{}>", url.replace(['<', '>', '\n'], "")) }
}
