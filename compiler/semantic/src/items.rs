//! Items: a file cut into the texts of its items, each parsed by a query of its own, and the way from a [`Def`] to them.
//!
//! A [`Def`] is a plain name. [`Item`] is what salsa tracks under that name: its text may change and it may move without
//! waking who asks for its tree, as long as the tree compares equal.

use crate::db::{Db, Def, SourceFile, Space};
use ntl_syntax::{PieceKind, SyntaxError, Tokens, ast};
use rustc_hash::FxHashMap;
use smol_str::SmolStr;
use std::sync::Arc;

/// A definition as the key of queries: interned, so that names no longer in use are reclaimed.
#[salsa::interned(debug)]
pub(crate) struct DefKey<'db> {
    #[returns(ref)]
    pub def: Def,
}

/// An item of a file.
#[salsa::tracked(debug)]
pub(crate) struct Item<'db> {
    /// Its name: its identity.
    #[returns(ref)]
    pub def: Def,
    /// Where it starts, in bytes: read only to show places, never by a check.
    #[tracked]
    #[returns(copy)]
    pub start: u32,
    /// Its text, comments before it included.
    #[tracked]
    #[returns(ref)]
    pub text: Arc<str>,
}

/// An item as parsed.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ParsedItem {
    pub tree: Arc<ast::Item>,
    pub tokens: Tokens,
    pub errors: Vec<SyntaxError>,
}

fn space_of(kind: PieceKind) -> Space {
    match kind {
        PieceKind::Use => Space::Use,
        PieceKind::Const => Space::Value,
        PieceKind::Type => Space::Type,
        PieceKind::Callable => Space::Callable,
        PieceKind::Secret => Space::Secret,
        PieceKind::On => Space::On,
        PieceKind::Test => Space::Test,
        PieceKind::Other => Space::Other,
    }
}

/// The items of a file, in written order. Equal while none appears, goes or moves past another.
#[salsa::tracked]
pub(crate) fn items<'db>(db: &'db dyn Db, file: SourceFile) -> Vec<Item<'db>> {
    let Some(text) = file.text(db) else { return Vec::new() };
    let mut seen: FxHashMap<(Space, SmolStr), u32> = FxHashMap::default();
    ntl_syntax::cut(text)
        .into_iter()
        .map(|piece| {
            let space = space_of(piece.kind);
            let count = seen.entry((space, piece.name.clone())).or_default();
            let def = Def { file, space, name: piece.name, nth: *count };
            *count += 1;
            let start = piece.range.start;
            let piece = text.get(start as usize..piece.range.end as usize).unwrap_or_default();
            Item::new(db, def, start, Arc::from(piece))
        })
        .collect()
}

/// The items of a file by name. Equal while none appears or goes.
#[salsa::tracked]
fn by_name<'db>(db: &'db dyn Db, file: SourceFile) -> FxHashMap<Def, Item<'db>> {
    items(db, file).iter().map(|item| (item.def(db).clone(), *item)).collect()
}

#[salsa::tracked(returns(copy))]
fn item_of_key<'db>(db: &'db dyn Db, key: DefKey<'db>) -> Option<Item<'db>> {
    let def = key.def(db);
    by_name(db, def.file).get(def).copied()
}

/// The item of a definition; `None` if it is gone.
pub(crate) fn item<'db>(db: &'db dyn Db, def: &Def) -> Option<Item<'db>> {
    item_of_key(db, DefKey::new(db, def))
}

/// An item with its tokens: changes with every edit of its text.
#[salsa::tracked]
pub(crate) fn parse<'db>(db: &'db dyn Db, item: Item<'db>) -> ParsedItem {
    let parsed = ntl_syntax::parse_item(item.text(db));
    ParsedItem { tree: Arc::new(parsed.item), tokens: parsed.tokens, errors: parsed.errors }
}

/// An item's tree alone: equal while only comments and white space change.
#[salsa::tracked]
pub(crate) fn tree_of<'db>(db: &'db dyn Db, item: Item<'db>) -> Arc<ast::Item> {
    parse(db, item).tree.clone()
}

/// What is written at a span of an item. Changes with every edit of it: only for what a fix writes anew.
pub(crate) fn source<'db>(db: &'db dyn Db, item: Item<'db>, span: ast::Span) -> &'db str {
    let bytes = parse(db, item).tokens.bytes(span);
    item.text(db).get(bytes.start as usize..bytes.end as usize).unwrap_or_default()
}

/// The tree of a definition; `None` if it is gone.
pub fn tree<'db>(db: &'db dyn Db, def: &Def) -> Option<&'db ast::Item> {
    item(db, def).map(|item| &**tree_of(db, item))
}

/// The callable that a definition is, if it is one and could be read.
pub fn callable<'db>(db: &'db dyn Db, def: &Def) -> Option<&'db ast::Callable> {
    match tree(db, def).map(|item| &item.kind) {
        Some(ast::ItemKind::Callable(callable)) => Some(callable),
        _ => None,
    }
}

/// The user type that a definition is, if it is one and could be read.
pub fn type_decl<'db>(db: &'db dyn Db, def: &Def) -> Option<&'db ast::TypeDecl> {
    match tree(db, def).map(|item| &item.kind) {
        Some(ast::ItemKind::Type(decl)) => Some(decl),
        _ => None,
    }
}
