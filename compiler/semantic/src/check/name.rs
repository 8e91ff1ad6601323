//! Names of values.

use super::{Checker, narrow::Path};
use crate::db::{Def, Space};
use crate::hir::{self, ExprKind, LocalId, Scope};
use crate::names::{self, Found, Kind};
use crate::ty::Type;
use ntl_syntax::ast::Name;
use smol_str::SmolStr;

impl Checker<'_> {
    /// The local that a name means here.
    pub(super) fn sees(&self, name: &str) -> Option<LocalId> {
        self.symbols.get(name)?.last().copied()
    }

    /// The names of locals in sight, sorted.
    pub(super) fn names_in_sight(&self) -> Vec<SmolStr> {
        let mut names = self.sight.clone();
        names.sort_unstable();
        names.dedup();
        names
    }

    /// Reads a local: with the type that is known of it here.
    pub(super) fn read_local(&mut self, id: LocalId, name: &Name) -> hir::Expr {
        let info = self.info(id);
        info.used = true;
        let (drops, is_mixed) = (info.drops, info.parts.is_some());
        self.doing.drops |= drops;
        if is_mixed && !self.apart.contains(&name.span) {
            self.say_mixed_streams(&name.text, name.span);
            return self.broken(name.span);
        }
        let mut value = self.read(id, name.span);
        if let Some(known) = self.facts.of(&Path::local(id)) {
            value.ty = known.clone();
        }
        if matches!(value.ty, Type::Unknown) {
            self.doing.failed = true;
        }
        value
    }

    /// A name as a value.
    pub(super) fn name(&mut self, name: &Name) -> hir::Expr {
        if let Some(id) = self.sees(&name.text) {
            let value = self.read_local(id, name);
            if matches!(value.ty, Type::Fn(..)) {
                self.say_function_value(name);
                return self.broken(name.span);
            }
            return value;
        }
        let file = self.def.file;
        match names::lookup(self.db, file, Kind::Value, &name.text) {
            Found::Yes(defs) => match defs.into_iter().next() {
                Some(def) => self.const_item(def, name.span),
                None => self.broken_quietly(name.span),
            },
            Found::Silent | Found::Private => self.broken_quietly(name.span),
            Found::No if self.any_name => self.broken_quietly(name.span),
            Found::No => {
                self.say_unknown_name(name);
                self.broken(name.span)
            }
        }
    }

    /// The value of a `const` or `secret`.
    pub(super) fn const_item(&mut self, def: Def, span: ntl_syntax::ast::Span) -> hir::Expr {
        let ty = match def.space {
            Space::Secret => Type::Secret,
            _ => crate::query::const_type(self.db, &def),
        };
        self.doing.failed |= matches!(ty, Type::Unknown);
        Self::expr_of(ExprKind::ConstItem(def), ty, Scope::new(), span)
    }
}
