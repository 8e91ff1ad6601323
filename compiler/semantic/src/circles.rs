//! Definitions that need each other in a circle: a program would have no end.

use crate::bodies::needs;
use crate::db::{Db, Def, SourceFile};
use crate::diagnostic::{Diagnostic, Place};
use crate::diagnostics::declarations as say;
use crate::items;
use crate::names::{imports, name_span};
use ntl_syntax::ast::Span;
use rustc_hash::{FxHashMap, FxHashSet};

/// One message for each circle whose first definition is in this file.
#[salsa::tracked]
pub(crate) fn circles(db: &dyn Db, file: SourceFile) -> Vec<Diagnostic> {
    let graph = Graph::of(db, &mutual_files(db, file));
    let left = graph.prune();
    let mut told: FxHashSet<usize> = FxHashSet::default();
    let mut found = Vec::new();
    for start in left.iter().enumerate().filter(|(_, left)| **left).map(|(node, _)| node) {
        if told.contains(&start) {
            continue;
        }
        let Some(path) = graph.shortest_circle(start, &left) else { continue };
        told.extend(&path);
        // Another file tells it if it is the first on the way.
        let first = path.iter().copied().min().unwrap_or(start);
        if graph.nodes.get(first).is_some_and(|def| def.file == file) {
            found.extend(graph.tell(db, &path));
        }
    }
    found
}

/// `file` and those files that it uses and that use it, directly or not: a circle stays among them. Sorted by path.
fn mutual_files(db: &dyn Db, file: SourceFile) -> Vec<SourceFile> {
    let used = crate::modules::files_in_use(db, file);
    let mut users: FxHashMap<SourceFile, Vec<SourceFile>> = FxHashMap::default();
    for user in &used {
        for target in &imports(db, *user).files {
            users.entry(*target).or_default().push(*user);
        }
    }
    let mut mutual = vec![file];
    let mut seen = FxHashSet::from_iter([file]);
    let mut next = 0;
    while let Some(file) = mutual.get(next).copied() {
        next += 1;
        let more = users.get(&file).into_iter().flatten().filter(|user| seen.insert(**user));
        let more: Vec<SourceFile> = more.copied().collect();
        mutual.extend(more);
    }
    mutual.sort_by(|a, b| a.path(db).cmp(b.path(db)));
    mutual
}

/// Definitions, and which needs which, where.
struct Graph {
    nodes: Vec<Def>,
    edges: Vec<Vec<(usize, Span)>>,
}

impl Graph {
    fn of(db: &dyn Db, files: &[SourceFile]) -> Graph {
        let items: Vec<_> = files.iter().flat_map(|file| items::items(db, *file)).copied().collect();
        let nodes: Vec<Def> = items.iter().map(|item| item.def(db).clone()).collect();
        let index: FxHashMap<&Def, usize> = nodes.iter().enumerate().map(|(at, def)| (def, at)).collect();
        let needed = items
            .iter()
            .map(|item| needs(db, *item).iter().filter_map(|need| Some((*index.get(&need.def)?, need.span))).collect());
        let edges = needed.collect();
        Graph { nodes, edges }
    }

    fn targets(&self, node: usize) -> impl Iterator<Item = usize> {
        self.edges.get(node).into_iter().flatten().map(|(target, _)| *target)
    }

    /// Which nodes are left when those that need nothing, or nothing that is left, are taken away again and again.
    fn prune(&self) -> Vec<bool> {
        let mut needing: Vec<usize> = self.edges.iter().map(Vec::len).collect();
        let mut needed_by: Vec<Vec<usize>> = vec![Vec::new(); self.nodes.len()];
        for (node, edges) in self.edges.iter().enumerate() {
            for (target, _) in edges {
                if let Some(users) = needed_by.get_mut(*target) {
                    users.push(node);
                }
            }
        }
        let mut left = vec![true; self.nodes.len()];
        let mut free: Vec<usize> = (0..self.nodes.len()).filter(|node| needing.get(*node) == Some(&0)).collect();
        while let Some(node) = free.pop() {
            if let Some(left) = left.get_mut(node) {
                *left = false;
            }
            for user in needed_by.get(node).into_iter().flatten() {
                if let Some(count) = needing.get_mut(*user) {
                    *count -= 1;
                    if *count == 0 {
                        free.push(*user);
                    }
                }
            }
        }
        left
    }

    /// The shortest way from a node back to itself, itself first.
    fn shortest_circle(&self, start: usize, left: &[bool]) -> Option<Vec<usize>> {
        let mut before: FxHashMap<usize, usize> = FxHashMap::default();
        let mut queue = vec![start];
        let mut next = 0;
        while let Some(node) = queue.get(next).copied() {
            next += 1;
            for target in self.targets(node).filter(|target| left.get(*target) == Some(&true)) {
                if target == start {
                    let mut path = vec![node];
                    let mut at = node;
                    while at != start {
                        at = *before.get(&at)?;
                        path.push(at);
                    }
                    path.reverse();
                    return Some(path);
                }
                if let std::collections::hash_map::Entry::Vacant(entry) = before.entry(target) {
                    entry.insert(node);
                    queue.push(target);
                }
            }
        }
        None
    }

    fn tell(&self, db: &dyn Db, path: &[usize]) -> Option<Diagnostic> {
        let step = |at: usize| {
            let node = *path.get(at)?;
            let next = *path.get((at + 1) % path.len())?;
            let def = self.nodes.get(node)?;
            let (_, span) = self.edges.get(node)?.iter().find(|(target, _)| *target == next)?;
            Some((def.name.clone(), Place { def: def.clone(), span: *span }))
        };
        let steps: Vec<_> = (0..path.len()).map_while(step).collect();
        let first = self.nodes.get(*path.first()?)?;
        let place = Place { def: first.clone(), span: name_span(db, first) };
        Some(say::circle(place, &steps))
    }
}
