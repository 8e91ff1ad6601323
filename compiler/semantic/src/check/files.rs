//! Files that a body touches in several places which nothing orders.

use super::{Checker, deep, effect::Doing, order::Order};
use crate::constant::Known;
use crate::db::Def;
use crate::hir::{self, Const, ExprKind};
use crate::query::{self, Signature};
use ntl_syntax::ast::Span;
use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::{SmolStr, format_smolstr};
use std::fmt::Write as _;
use std::rc::Rc;

/// A file or folder that is touched, and where.
#[derive(Clone, Debug)]
pub(super) struct Access {
    /// Its path; a value that is not known stands for itself, so that equal paths come from equal values.
    pub path: SmolStr,
    /// The path as messages show it.
    pub shown: SmolStr,
    pub does: Does,
    pub span: Span,
}

/// What is done to a file or folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Does {
    Reads,
    Changes,
    /// Twice is as good as once.
    MakesFolder,
}

impl Checker<'_> {
    /// Notes the files that a call touches.
    pub(super) fn note_files(&mut self, def: &Def, signature: &Signature, args: &[hir::Expr], span: Span) {
        for (kind, param) in &signature.facts.touches {
            let does = match kind.as_str() {
                "fs_read" => Does::Reads,
                "fs_write" if is_mkdir(self, def) => Does::MakesFolder,
                "fs_write" => Does::Changes,
                _ => continue,
            };
            let at = signature.params.iter().position(|p| p.name == *param);
            let Some(arg) = at.and_then(|at| args.get(at)) else { continue };
            let mut path = String::new();
            if self.spell(arg, &mut path).is_some() {
                let path = plain(&path);
                let shown = match path.contains('\0') {
                    true => format_smolstr!("`{}`", self.source(arg.span)),
                    false => format_smolstr!("{path:?}"),
                };
                self.doing.files.push(Access { path: path.into(), shown, does, span });
            }
        }
    }

    /// Spells a path out; `None` if it is made in a way that does not tell which.
    fn spell(&self, expr: &hir::Expr, path: &mut String) -> Option<()> {
        if let Known::Value(Const::Str(text)) = self.known_value(expr) {
            path.push_str(&text);
            return Some(());
        }
        match &expr.kind {
            // No path has a zero in it.
            ExprKind::Local(id) => write!(path, "\0{}\0", id.0).ok(),
            ExprKind::Field(base, at) => deep(|| self.spell(base, path)).and_then(|()| write!(path, ".{at}\0").ok()),
            ExprKind::Fit(inner) => deep(|| self.spell(inner, path)),
            ExprKind::Interpolate(parts) => parts.iter().try_for_each(|part| deep(|| self.spell(part, path))),
            _ => None,
        }
    }

    /// Warns of files that are touched in two statements of which neither waits for the other.
    pub(super) fn warn_unordered_files(&mut self, order: &Order, doings: &[Doing]) {
        /// How many accesses of one file are looked at.
        const MOST: usize = 32;
        /// How many statements are asked for what they need.
        const ASKED: usize = 1000;
        let mut by_path: FxHashMap<&str, Vec<(usize, &Access)>> = FxHashMap::default();
        let mut paths: Vec<&str> = Vec::new();
        for (at, doing) in doings.iter().enumerate() {
            for file in &doing.files {
                let entry = by_path.entry(&file.path).or_insert_with(|| {
                    paths.push(&file.path);
                    Vec::new()
                });
                if entry.len() < MOST {
                    entry.push((at, file));
                }
            }
        }
        let mut needs: FxHashMap<usize, Rc<FxHashSet<usize>>> = FxHashMap::default();
        let mut waits = |from: usize, to: usize| {
            let is_full = needs.len() >= ASKED;
            match needs.get(&from) {
                Some(needs) => needs.contains(&to),
                // Too much to look at: nothing is said.
                None if is_full => true,
                None => needs.entry(from).or_insert(Rc::new(order.needed(from))).contains(&to),
            }
        };
        let mut told: Vec<(Access, Access)> = Vec::new();
        for path in paths {
            let folders = path.match_indices('/').filter_map(|(at, _)| by_path.get(&path[..at]));
            let Some(all) = by_path.get(path) else { continue };
            let before = folders.flatten().map(|folder| (folder, true)).chain(all.iter().map(|file| (file, false)));
            let mut pairs =
                before.flat_map(|(before, is_folder)| all.iter().map(move |file| (before, file, is_folder)));
            let found = pairs.find(|((at, first), (other, second), is_folder)| {
                at != other
                    && collide(first.does, second.does, *is_folder)
                    && !waits(*at, *other)
                    && !waits(*other, *at)
            });
            if let Some(((_, first), (_, second), _)) = found {
                told.push(((*first).clone(), (*second).clone()));
            }
        }
        // A folder in which many files are written is one mistake.
        let mut seen: FxHashSet<Span> = FxHashSet::default();
        for (first, second) in told {
            if first.does != Does::MakesFolder || seen.insert(first.span) {
                self.warn_unordered(&first, &second);
            }
        }
    }
}

/// Whether it matters which of two comes first: of one file, or a file and a folder that it is in.
fn collide(first: Does, second: Does, is_folder: bool) -> bool {
    match (first, second) {
        (Does::MakesFolder, Does::MakesFolder) | (Does::Reads, Does::Reads) => false,
        (Does::Reads, _) | (_, Does::Reads) => !is_folder,
        _ => true,
    }
}

fn is_mkdir(checker: &Checker<'_>, def: &Def) -> bool {
    def.name == "mkdir" && query::native_id(checker.db, def).is_some_and(|id| id.starts_with("std.fs.mkdir/"))
}

/// A path without parts that say nothing.
fn plain(path: &str) -> String {
    let parts: Vec<&str> = path.split('/').filter(|part| !matches!(*part, "" | ".")).collect();
    format!("{}{}", if path.starts_with('/') { "/" } else { "" }, parts.join("/"))
}
