//! Definitions that need each other in a circle: a program would have no end.

use crate::bodies::{needed, needs};
use crate::db::{Db, Def, SourceFile};
use crate::declare::direct_names;
use crate::diagnostic::{Diagnostic, Place};
use crate::diagnostics::{declarations as say, types as say_types};
use crate::items::{self, Item};
use crate::names::{imports, name_span};
use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;

/// One message for each circle whose first definition is in this file.
#[salsa::tracked]
pub(crate) fn circles(db: &dyn Db, file: SourceFile) -> Vec<Diagnostic> {
    let files = mutual_files(db, file);
    let needs = Graph::of(db, &files, |item| needed(db, item).clone());
    let types = Graph::of(db, &files, |item| direct_names(db, item));
    let mut found: Vec<Diagnostic> = needs.circles(file).iter().filter_map(|path| needs.tell(db, path)).collect();
    for path in types.circles(file) {
        let defs: Vec<&Def> = path.iter().filter_map(|node| types.nodes.get(*node)).collect();
        let names: Vec<SmolStr> = defs.iter().map(|def| def.name.clone()).collect();
        found.extend(defs.first().map(|first| say_types::endless_type(name_place(db, first), &names)));
    }
    found
}

fn name_place(db: &dyn Db, def: &Def) -> Place {
    Place { def: def.clone(), span: name_span(db, def) }
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

/// Definitions, and which needs which.
struct Graph {
    nodes: Vec<Def>,
    edges: Vec<Vec<usize>>,
}

impl Graph {
    fn of<'db>(db: &'db dyn Db, files: &[SourceFile], edges: impl Fn(Item<'db>) -> Vec<Def>) -> Graph {
        let items: Vec<Item<'db>> = files.iter().flat_map(|file| items::items(db, *file)).copied().collect();
        let nodes: Vec<Def> = items.iter().map(|item| item.def(db).clone()).collect();
        let index: FxHashMap<&Def, usize> = nodes.iter().enumerate().map(|(at, def)| (def, at)).collect();
        let of_item = |item: &Item<'db>| edges(*item).iter().filter_map(|target| index.get(target).copied()).collect();
        let edges = items.iter().map(of_item).collect();
        Graph { nodes, edges }
    }

    /// The circles whose first definition is in `file`, each from its first definition on.
    fn circles(&self, file: SourceFile) -> Vec<Vec<usize>> {
        let left = self.prune();
        let mut told: FxHashSet<usize> = FxHashSet::default();
        let mut found = Vec::new();
        for start in (0..self.nodes.len()).filter(|node| left.get(*node) == Some(&true)) {
            if told.contains(&start) {
                continue;
            }
            let Some(path) = self.shortest_circle(start, &left) else { continue };
            let is_new = !path.iter().any(|node| told.contains(node));
            told.extend(&path);
            // Another file tells it if its first definition is there; one circle at a time is told of those that touch.
            if is_new && self.nodes.get(start).is_some_and(|def| def.file == file) {
                found.push(path);
            }
        }
        found
    }

    fn targets(&self, node: usize) -> impl Iterator<Item = usize> {
        self.edges.get(node).into_iter().flatten().copied()
    }

    /// Which nodes are left when those that need nothing, or nothing that is left, are taken away again and again.
    fn prune(&self) -> Vec<bool> {
        let mut needing: Vec<usize> = self.edges.iter().map(Vec::len).collect();
        let mut needed_by: Vec<Vec<usize>> = vec![Vec::new(); self.nodes.len()];
        for (node, edges) in self.edges.iter().enumerate() {
            for target in edges {
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
            let next = self.nodes.get(*path.get((at + 1) % path.len())?)?;
            let def = self.nodes.get(node)?;
            let need = needs(db, items::item(db, def)?).iter().find(|need| need.def == *next)?;
            Some((def.name.clone(), Place { def: def.clone(), span: need.span }))
        };
        let steps: Vec<_> = (0..path.len()).map_while(step).collect();
        let first = self.nodes.get(*path.first()?)?;
        Some(say::circle(name_place(db, first), &steps))
    }
}
