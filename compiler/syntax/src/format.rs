//! The formatter: one style for all programs. `grammar/REFERENCE.md` describes it.
//!
//! A file's tokens are printed in their order, the comments between them where they stand; the tree only says which white
//! space goes between. So formatting an already formatted file changes nothing, and no file changes its meaning.

mod control;
mod doc;
mod expr;
mod item;
mod printer;
mod source;
mod stmt;

use crate::{
    PieceKind, SyntaxError,
    ast::{Item, ItemKind, Use, UsePath},
};
use printer::Printer;
use source::Source;
use std::{fmt, ops::Range};

/// The columns that a line may take.
const WIDTH: usize = 120;

/// Why a file is not formatted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FormatError {
    /// It has mistakes of form: each with its bytes in the file.
    Syntax(Vec<(Range<u32>, SyntaxError)>),
    /// The formatted text would not be the same program. That is a mistake of the formatter.
    Changed,
}

impl fmt::Display for FormatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FormatError::Syntax(errors) => match errors.as_slice() {
                [(_, error)] => f.write_str(&error.message),
                _ => write!(f, "the file has {} syntax errors", errors.len()),
            },
            FormatError::Changed => f.write_str("formatting would change the program; please report this"),
        }
    }
}

impl std::error::Error for FormatError {}

/// Gives a file in the one style.
///
/// Only white space, line ends, the commas at the ends of lists and the separators of statements and arms change; a byte
/// order mark goes. A file with mistakes of form is not formatted, since what is meant is not known.
pub fn format(text: &str) -> Result<String, FormatError> {
    let normal = text.strip_prefix('\u{feff}').unwrap_or(text).replace("\r\n", "\n").replace('\r', "\n");
    let source = Source::read(&normal);
    if !source.errors.is_empty() {
        return Err(FormatError::Syntax(Source::read(text).errors));
    }
    let out = print(&source);
    let again = Source::read(&out);
    if again.errors.is_empty() && again.essence() == source.essence() { Ok(out) } else { Err(FormatError::Changed) }
}

/// Prints the items of a file, and the comments around them.
fn print(source: &Source<'_>) -> String {
    let modules: Vec<_> = source.items.iter().filter_map(|item| module_name(&item.parsed.item)).collect();
    let mut out = String::new();
    let mut comment = 0;
    let mut last: Option<(PieceKind, bool)> = None;
    for item in &source.items {
        let mut printer = Printer::new(source, item, &modules);
        let doc = printer.item(&item.parsed.item);
        let text = printer.docs.print(doc, WIDTH);
        let this = (item.kind, text.contains('\n'));
        // An empty line stands between items, but for neighbours of one kind that have one line or are `use`s.
        let apart = last.is_some_and(|last| last.0 != this.0 || (last.1 || this.1) && this.0 != PieceKind::Use);
        gap(source, &mut out, &mut comment, item.first, apart);
        comment = printer.comment();
        out.push_str(&text);
        last = Some(this);
    }
    gap(source, &mut out, &mut comment, source.tokens.len() - 1, false);
    out
}

/// Prints the comments from `comment` on that stand before a token, and ends the line before the token.
fn gap(source: &Source<'_>, out: &mut String, comment: &mut usize, token: usize, apart: bool) {
    let Some(token) = source.tokens.get(token) else { return };
    let comments = source.comments.get(*comment..token.comments_end).unwrap_or_default();
    *comment = token.comments_end;
    let mut blank_is_missing = apart && !token.after_blank && !comments.iter().any(|c| c.after_blank);
    let mut end_line = |out: &mut String, blank: bool| {
        if !out.is_empty() {
            out.push_str(if std::mem::take(&mut blank_is_missing) || blank { "\n\n" } else { "\n" });
        }
    };
    for comment in comments {
        if comment.trailing {
            out.push(' ');
        } else {
            end_line(out, comment.after_blank);
        }
        out.push_str(source.comment_text(comment));
    }
    end_line(out, token.after_blank && !token.range.is_empty());
}

/// The name under which an item brings in a module.
fn module_name(item: &Item) -> Option<&str> {
    let ItemKind::Use(Use { path, alias, names: None }) = &item.kind else { return None };
    match (alias, path) {
        (Some(alias), _) => Some(&alias.text),
        (None, UsePath::Module(names) | UsePath::Pack(names)) => names.last().map(|name| name.text.as_str()),
        (None, UsePath::File(path)) => path.text.rsplit('/').next(),
    }
}
