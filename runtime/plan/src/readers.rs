//! Who holds a source's window, and who is waited for.
//!
//! Per region, draw a graph: its operations are the nodes, each with all that it holds, so that a source is one with its
//! items; an edge stands wherever one feeds the other, as a stream or as a value, order included. Values that come from
//! no stream, or go to none, are left out. A reader that lies on no circle of this graph can always go on without more
//! items than are open, whoever else is slow: it may hold the window. A reader on a circle may not, nor may what waits in
//! an item for a value that lies on one (it is *late*), nor any reader of that: they would wait for one another.

use crate::{OpKind, Plan, Ref, Region, RegionId, Stream, StreamFn, Take};
use std::collections::VecDeque;

/// Writes into a plan what its stream operations need to know of one another: [`Take::kept`], [`crate::Opens::drives`] and
/// [`crate::Opens::late`].
pub fn set_readers(plan: &mut Plan) {
    let found = readers(plan);
    let (mut kept, mut sources) = (found.kept.into_iter(), found.sources.into_iter());
    for op in plan.regions.iter_mut().flat_map(|region| &mut region.ops) {
        op.takes.iter_mut().for_each(|take| take.kept = kept.next().unwrap_or(false));
        let source = sources.next().unwrap_or_default();
        if let OpKind::Stream(Stream { opens: Some(opens), .. }) = &mut op.kind {
            (opens.drives, opens.late) = source;
        }
    }
    plan.regions.iter_mut().flat_map(|region| &mut region.gives).for_each(|give| give.kept = false);
}

/// Whether a plan says of its stream operations what is so.
pub(crate) fn are_right(plan: &Plan) -> bool {
    let found = readers(plan);
    let mut ops = plan.regions.iter().flat_map(|region| &region.ops);
    let kept = plan.regions.iter().flat_map(|region| &region.ops).flat_map(|op| &op.takes).map(|take| take.kept);
    kept.eq(found.kept)
        && found.sources.iter().all(|right| match ops.next().map(|op| &op.kind) {
            Some(OpKind::Stream(Stream { opens: Some(opens), .. })) => (opens.drives, opens.late) == *right,
            _ => true,
        })
        && plan.regions.iter().flat_map(|region| &region.gives).all(|give| !give.kept)
}

struct Readers {
    /// Per take of all operations.
    kept: Vec<bool>,
    /// Per operation, whether its source drives, and whether it is late.
    sources: Vec<(bool, bool)>,
}

/// An operation: its region and its place there.
type At = (usize, usize);

struct Tree<'p> {
    plan: &'p Plan,
    /// The operation that holds each region.
    holders: Vec<Option<At>>,
    depths: Vec<u32>,
    /// The number of each region's first operation, and of its first take, when all are counted through.
    starts: Vec<usize>,
    takes: Vec<usize>,
}

/// One feeds another: in the graph of the region that the first is in.
struct Edge {
    from: usize,
    /// The operation of the region that the reader is, or that holds it.
    to: usize,
    reader: At,
    /// The number of the take that it is.
    take: Option<usize>,
}

fn readers(plan: &Plan) -> Readers {
    let tree = tree(plan);
    let ops = plan.regions.iter().map(|region| region.ops.len()).sum();
    let takes: usize = plan.regions.iter().flat_map(|region| &region.ops).map(|op| op.takes.len()).sum();
    let mut found = Readers { kept: vec![false; takes], sources: vec![(false, false); ops] };
    let feeds = feeds(&tree);
    let mut read = vec![false; ops];
    let mut levels: Vec<Vec<Edge>> = plan.regions.iter().map(|_| Vec::new()).collect();
    for feed in &feeds {
        set(&mut read, tree.number(feed.from));
        let (Some(to), (level, from)) = (tree.within(feed.to, feed.from.0), feed.from) else { continue };
        if let Some(edges) = levels.get_mut(level) {
            edges.push(Edge { from, to, reader: feed.to, take: feed.take });
        }
    }
    // Values that an operation gives per item are its source's.
    let mut late: Vec<Option<u32>> = vec![None; ops];
    let mut open = VecDeque::new();
    for (level, edges) in levels.iter_mut().enumerate() {
        if !edges.iter().any(|edge| edge.take.is_some()) {
            continue;
        }
        for edge in edges.iter_mut() {
            edge.from = tree.source_of_per((level, edge.from)).unwrap_or(edge.from);
            edge.to = tree.source_of_per((level, edge.to)).unwrap_or(edge.to);
        }
        for edge in on_circles(edges) {
            let gives_per_item = tree.source_of_per(edge.reader).is_some();
            match edge.take {
                // It keeps pace with the items.
                Some(_) if gives_per_item && edge.from == edge.to => {}
                Some(take) => set(&mut found.kept, take),
                // What only begins with the value is late as a whole, not in its items.
                None if edge.reader.0 == level && !gives_per_item => {}
                None if tree.opens((level, edge.to)).is_none() => {}
                None => make_late(&tree, &mut late, &mut open, edge.reader, tree.depth(level)),
            }
        }
    }
    spread(&tree, &feeds, &mut late, open, &mut found.kept);
    // Who reads what a workflow gives does not stand in it.
    for (r, region) in plan.regions.iter().enumerate() {
        region.gives.iter().flat_map(|give| taken(&tree, r, give)).for_each(|at| set(&mut read, tree.number(at)));
    }
    for (r, region) in plan.regions.iter().enumerate() {
        for effect in &region.effects {
            let Some(number) = tree.number((r, effect.at())) else { continue };
            let is_unread = read.get(number) == Some(&false);
            let late = late.get(number).copied().flatten();
            let (mut inner, mut is_own) = (r, true);
            while let Some(holder) = tree.holder(inner) {
                if tree.opens(holder).is_some()
                    && let Some((drives, is_late)) = tree.number(holder).and_then(|n| found.sources.get_mut(n))
                {
                    *drives |= is_own && is_unread;
                    *is_late |= late.is_some_and(|depth| tree.depth(holder.0) >= depth);
                }
                (inner, is_own) = (holder.0, false);
            }
        }
    }
    found
}

fn set(flags: &mut [bool], at: impl Into<Option<usize>>) {
    if let Some(flag) = at.into().and_then(|at| flags.get_mut(at)) {
        *flag = true;
    }
}

fn tree(plan: &Plan) -> Tree<'_> {
    let mut tree = Tree {
        plan,
        holders: vec![None; plan.regions.len()],
        depths: Vec::with_capacity(plan.regions.len()),
        starts: Vec::with_capacity(plan.regions.len()),
        takes: Vec::with_capacity(plan.regions.len()),
    };
    let (mut ops, mut takes) = (0_usize, 0_usize);
    for (r, region) in plan.regions.iter().enumerate() {
        let above = region.parent.and_then(|parent| tree.depths.get(parent.at()).copied());
        tree.depths.push(above.map_or(0, |depth| depth.saturating_add(1)));
        tree.starts.push(ops);
        tree.takes.push(takes);
        ops = ops.saturating_add(region.ops.len());
        takes = takes.saturating_add(region.ops.iter().map(|op| op.takes.len()).sum());
        for (o, op) in region.ops.iter().enumerate() {
            for inner in held(&op.kind) {
                if let Some(holder) = tree.holders.get_mut(inner.at()) {
                    *holder = Some((r, o));
                }
            }
        }
    }
    tree
}

/// The regions of an operation's own.
pub(crate) fn held(kind: &OpKind) -> Vec<RegionId> {
    match kind {
        OpKind::Select(branches) => branches.clone(),
        OpKind::For { body, .. } | OpKind::Loop(body) | OpKind::Block(body) => vec![*body],
        OpKind::Stream(stream) => stream.opens.iter().map(|opens| opens.region).collect(),
        OpKind::Try(body, handler) => vec![*body, *handler],
        _ => Vec::new(),
    }
}

impl<'p> Tree<'p> {
    fn region(&self, r: usize) -> Option<&'p Region> {
        self.plan.regions.get(r)
    }

    fn kind(&self, at: At) -> Option<&'p OpKind> {
        self.region(at.0)?.ops.get(at.1).map(|op| &op.kind)
    }

    fn number(&self, at: At) -> Option<usize> {
        Some(self.starts.get(at.0)?.saturating_add(at.1))
    }

    fn holder(&self, r: usize) -> Option<At> {
        self.holders.get(r).copied().flatten()
    }

    fn depth(&self, r: usize) -> u32 {
        self.depths.get(r).copied().unwrap_or(0)
    }

    /// The operation of a region that an operation is, or is within.
    fn within(&self, mut at: At, region: usize) -> Option<usize> {
        while at.0 != region {
            at = self.holder(at.0)?;
        }
        Some(at.1)
    }

    /// The operation that a reference of a region leads to.
    fn target(&self, mut r: usize, reference: Ref) -> Option<At> {
        match reference {
            Ref::Op(op) => Some((r, op.at())),
            Ref::Outer { up, op } => {
                for _ in 0..up {
                    r = self.region(r)?.parent?.at();
                }
                Some((r, op.at()))
            }
            Ref::Param(_) | Ref::OuterParam { .. } => None,
        }
    }

    fn opens(&self, at: At) -> Option<RegionId> {
        match self.kind(at)? {
            OpKind::Stream(stream) => stream.opens.map(|opens| opens.region),
            _ => None,
        }
    }

    /// Of an operation that gives a value per item: the operation whose items it takes, in the same region.
    fn source_of_per(&self, at: At) -> Option<usize> {
        let op = self.region(at.0)?.ops.get(at.1)?;
        let OpKind::Stream(Stream { per: Some(_), .. }) = op.kind else { return None };
        let source = self.target(at.0, op.takes.first()?.source)?;
        (source.0 == at.0).then_some(source.1)
    }
}

/// One operation takes another's value, comes after it, or takes it whole.
struct Feed {
    from: At,
    to: At,
    take: Option<usize>,
}

fn feeds(tree: &Tree<'_>) -> Vec<Feed> {
    let mut feeds = Vec::new();
    for (r, region) in tree.plan.regions.iter().enumerate() {
        let mut take_at = tree.takes.get(r).copied().unwrap_or(0);
        for (o, op) in region.ops.iter().enumerate() {
            let mut feed = |from: Option<At>, take| {
                feeds.extend(from.map(|from| Feed { from, to: (r, o), take }));
            };
            op.inputs.iter().chain(&op.after).for_each(|x| feed(tree.target(r, *x), None));
            match &op.kind {
                OpKind::Output(call, _) => feed(Some((r, call.at())), None),
                OpKind::Stream(Stream { from: StreamFn::Call(call, _), .. }) => feed(Some((r, call.at())), None),
                _ => {}
            }
            for take in &op.takes {
                for at in taken(tree, r, take) {
                    feed(Some(at), Some(take_at));
                }
                take_at = take_at.saturating_add(1);
            }
        }
        let holder = tree.holder(r);
        for x in &region.results {
            feeds.extend(tree.target(r, *x).zip(holder).map(|(from, to)| Feed { from, to, take: None }));
        }
    }
    feeds
}

/// The source that is taken, and what of its items.
fn taken(tree: &Tree<'_>, r: usize, take: &Take) -> Vec<At> {
    let Some(source) = tree.target(r, take.source) else { return Vec::new() };
    let items = tree.opens(source);
    let values = take.values.iter().filter_map(|value| tree.target(items?.at(), *value));
    std::iter::once(source).chain(values).collect()
}

/// An operation waits in its item for what waits for all items of a source in a region of this depth.
fn make_late(tree: &Tree<'_>, late: &mut [Option<u32>], open: &mut VecDeque<At>, at: At, depth: u32) {
    let Some(known) = tree.number(at).and_then(|number| late.get_mut(number)) else { return };
    if known.is_none_or(|known| depth < known) {
        *known = Some(depth);
        open.push_back(at);
    }
}

/// What takes something late is late, as long as it stands in an item of the source that makes it so.
fn spread(tree: &Tree<'_>, feeds: &[Feed], late: &mut [Option<u32>], mut open: VecDeque<At>, kept: &mut [bool]) {
    let mut users: Vec<Vec<&Feed>> = vec![Vec::new(); late.len()];
    for feed in feeds {
        if let Some(users) = tree.number(feed.from).and_then(|number| users.get_mut(number)) {
            users.push(feed);
        }
    }
    while let Some(at) = open.pop_front() {
        let Some(number) = tree.number(at) else { continue };
        let Some(depth) = late.get(number).copied().flatten() else { continue };
        if let Some(OpKind::Stream(Stream { per: Some(per), .. })) = tree.kind(at) {
            // It waits itself: so does each value that it gives, and it takes no item in time.
            set(kept, tree.takes.get(at.0).and_then(|first| Some(first.saturating_add(before(tree, at)?))));
            if let Some(items) = tree.source_of_per(at).and_then(|source| tree.opens((at.0, source))) {
                make_late(tree, late, &mut open, (items.at(), per.at()), depth);
            }
        }
        for feed in users.get(number).into_iter().flatten() {
            set(kept, feed.take);
            let gives_per_item = feed.take.is_some() && tree.source_of_per(feed.to).is_some();
            if tree.depth(feed.to.0) > depth || gives_per_item {
                make_late(tree, late, &mut open, feed.to, depth);
            }
        }
    }
}

/// How many takes the operations before one in its region have.
fn before(tree: &Tree<'_>, at: At) -> Option<usize> {
    Some(tree.region(at.0)?.ops.iter().take(at.1).map(|op| op.takes.len()).sum())
}

/// The edges of a region's graph that lie on a circle.
fn on_circles(edges: &[Edge]) -> Vec<&Edge> {
    let size = edges.iter().map(|edge| edge.from.max(edge.to).saturating_add(1)).max().unwrap_or(0);
    let reach = |from_takes: bool| {
        let mut reached = vec![false; size];
        let mut next = vec![Vec::new(); size];
        let mut open = Vec::new();
        for edge in edges {
            let (from, to) = if from_takes { (edge.from, edge.to) } else { (edge.to, edge.from) };
            next.get_mut(from).into_iter().for_each(|next: &mut Vec<usize>| next.push(to));
            if edge.take.is_some() {
                open.extend([from, to]);
            }
        }
        while let Some(node) = open.pop() {
            if let Some(flag) = reached.get_mut(node)
                && !std::mem::replace(flag, true)
            {
                open.extend(next.get(node).into_iter().flatten());
            }
        }
        reached
    };
    let (behind, before) = (reach(true), reach(false));
    let counts = |edge: &&Edge| {
        edge.take.is_some() || (behind.get(edge.from) == Some(&true) && before.get(edge.to) == Some(&true))
    };
    let edges: Vec<&Edge> = edges.iter().filter(counts).collect();
    let is_bridge = bridges(&edges, size);
    edges.into_iter().zip(is_bridge).filter(|(_, is_bridge)| !is_bridge).map(|(edge, _)| edge).collect()
}

/// Which edges lie on no circle. One that leads back to where it begins does.
fn bridges(edges: &[&Edge], size: usize) -> Vec<bool> {
    let mut near: Vec<Vec<(usize, usize)>> = vec![Vec::new(); size];
    for (number, edge) in edges.iter().enumerate() {
        for (a, b) in [(edge.from, edge.to), (edge.to, edge.from)] {
            near.get_mut(a).into_iter().for_each(|near| near.push((b, number)));
        }
    }
    const UNSEEN: usize = usize::MAX;
    let (mut seen, mut low) = (vec![UNSEEN; size], vec![UNSEEN; size]);
    let mut is_bridge = vec![false; edges.len()];
    let mut time = 0_usize;
    for root in 0..size {
        if seen.get(root) != Some(&UNSEEN) {
            continue;
        }
        // Node, the edge that led to it, the next neighbour to look at.
        let mut stack = vec![(root, UNSEEN, 0_usize)];
        mark(&mut seen, &mut low, root, &mut time);
        while let Some((node, by, next)) = stack.last_mut() {
            let (node, by) = (*node, *by);
            let neighbour = near.get(node).and_then(|near| near.get(*next)).copied();
            *next = next.saturating_add(1);
            match neighbour {
                Some((_, number)) if number == by => {}
                Some((to, number)) => match seen.get(to).copied().unwrap_or(0) {
                    UNSEEN => {
                        mark(&mut seen, &mut low, to, &mut time);
                        stack.push((to, number, 0));
                    }
                    at => lower(&mut low, node, at),
                },
                None => {
                    stack.pop();
                    if let Some((above, ..)) = stack.last() {
                        let reached = low.get(node).copied().unwrap_or(UNSEEN);
                        if seen.get(*above).is_some_and(|above| reached > *above) {
                            set(&mut is_bridge, by);
                        }
                        lower(&mut low, *above, reached);
                    }
                }
            }
        }
    }
    is_bridge
}

fn mark(seen: &mut [usize], low: &mut [usize], node: usize, time: &mut usize) {
    if let (Some(seen), Some(low)) = (seen.get_mut(node), low.get_mut(node)) {
        (*seen, *low) = (*time, *time);
    }
    *time = time.saturating_add(1);
}

fn lower(low: &mut [usize], node: usize, to: usize) {
    if let Some(low) = low.get_mut(node) {
        *low = (*low).min(to);
    }
}
