//! The grammar, with chumsky over what layout made of one item's tokens.

mod block;
mod combinators;
mod control;
mod expr;
mod item;
mod literal;
mod message;
mod operators;
mod pattern;
mod state;
mod types;

use crate::ast::{Expr, ExprKind, Item, ItemKind, Span};
use crate::error::SyntaxError;
use crate::layout::{Layout, lay_out};
use crate::{Tokens, lex};
use chumsky::Parser;
use chumsky::input::Stream;
use state::{Rule, State};

/// The tree of one item.
#[derive(Clone, Debug, PartialEq)]
pub struct Parsed {
    /// The tree; of kind `Error` where nothing could be made of the text.
    pub item: Item,
    /// Its tokens.
    pub tokens: Tokens,
    /// What is wrong with its form, in the order of the text.
    pub errors: Vec<SyntaxError>,
}

thread_local! {
    /// Building the grammar takes longer than parsing an item with it.
    static ITEM: Rule<Item> = item::item();
}

/// Parses one piece of a file; `text` is the piece's text.
pub fn parse_item(text: &str) -> Parsed {
    let layout = lay_out(text, &lex(text));
    let feed = Stream::from_iter(std::iter::repeat_n((), layout.feed.len()));
    let mut state = State::new(text, layout);
    let item = ITEM.with(|item| item.parse_with_state(feed, &mut state)).into_output();
    let Layout { tokens, mut errors, .. } = state.layout;
    // The grammar reads every text; were it not so, there would still be an item.
    let item =
        item.unwrap_or(Item { annotations: Vec::new(), kind: ItemKind::Error, span: Span::new(0, tokens.len()) });
    errors.sort_by_key(|error| error.span);
    Parsed { item, tokens, errors }
}

/// What stands for an expression that cannot be read.
fn error_expr(span: Span) -> Expr {
    Expr { kind: ExprKind::Error, span }
}
