//! What a program means, said plainly: a value under a key is there, dropped or failed; a source under a key has items and
//! an end.

use super::program::{Expr, From, Id, Program, SourceId};
use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

/// Failed steps with their keys.
type Failed = BTreeSet<String>;
type Key = Vec<u64>;

/// What a value is under a key; `None` is dropped.
type Is = Result<Option<i64>, Failed>;

/// Items, and what failed after them.
type Stream = (Vec<i64>, Option<Failed>);

/// What a source is under a key; one that is dropped or failed as a whole has no items there.
type Source<T> = Result<Option<T>, Failed>;

/// The numbers of the files that can be read.
pub fn is_readable(n: i64) -> bool {
    n.rem_euclid(5) != 3
}

type Known = Source<Rc<Stream>>;

pub struct Model<'p> {
    program: &'p Program,
    values: RefCell<HashMap<(Id, Key), Is>>,
    sources: RefCell<HashMap<(SourceId, Key), Known>>,
}

/// What is there of two values: dropped ones go before failed ones.
fn both(a: Is, b: Is) -> Result<Option<(i64, i64)>, Failed> {
    match (a, b) {
        (Ok(None), _) | (_, Ok(None)) => Ok(None),
        (Err(a), Err(b)) => Err(a.into_iter().chain(b).collect()),
        (Err(failed), _) | (_, Err(failed)) => Err(failed),
        (Ok(Some(a)), Ok(Some(b))) => Ok(Some((a, b))),
    }
}

impl<'p> Model<'p> {
    pub fn of(program: &'p Program) -> Self {
        Model { program, values: RefCell::default(), sources: RefCell::default() }
    }

    /// The outputs that are there as JSON, and all that failed.
    pub fn outputs(&self) -> (Vec<(String, String)>, Failed) {
        let (mut outputs, mut failed) = (Vec::new(), Failed::new());
        for id in &self.program.outputs {
            match self.collected(*id, &vec![]) {
                Ok(Some(text)) => outputs.push((format!("o{id}"), text)),
                Ok(None) => outputs.push((format!("o{id}"), "null".into())),
                Err(more) => failed.extend(more),
            }
        }
        for id in &self.program.prints {
            let scope = &self.program.values[*id].scope;
            let mut lost = Failed::new();
            self.each_key(
                scope,
                &mut |key| failed.extend(self.value(*id, key).err().into_iter().flatten()),
                &mut |more| {
                    lost.extend(more);
                },
            );
            failed.extend(lost);
        }
        (outputs, failed)
    }

    /// The lines that are printed.
    pub fn printed(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for id in &self.program.prints {
            self.each_key(
                &self.program.values[*id].scope,
                &mut |key| {
                    lines.extend(self.value(*id, key).ok().flatten().map(|n| n.to_string()));
                },
                &mut |_| {},
            );
        }
        lines
    }

    /// Calls `f` with every key of a scope, and `lost` with why there are no more.
    fn each_key(&self, scope: &[SourceId], f: &mut dyn FnMut(&Key), lost: &mut dyn FnMut(Failed)) {
        let mut keys: Vec<Key> = vec![vec![]];
        for source in scope {
            let mut inner = Vec::new();
            for key in keys {
                match self.items(*source, &key) {
                    Ok(None) => {}
                    Err(failed) => lost(failed),
                    Ok(Some(items)) => {
                        inner.extend((0..items.0.len() as u64).map(|i| key.iter().copied().chain([i]).collect()));
                        items.1.clone().into_iter().for_each(&mut *lost);
                    }
                }
            }
            keys = inner;
        }
        keys.iter().for_each(f);
    }

    /// A value collected as often as it varies, under a key of what is left of its scope.
    fn collected(&self, id: Id, key: &Key) -> Result<Option<String>, Failed> {
        let scope = &self.program.values[id].scope;
        if key.len() == scope.len() {
            return Ok(self.value(id, key)?.map(|n| n.to_string()));
        }
        let Some(items) = self.items(scope[key.len()], key)? else { return Ok(None) };
        let (mut texts, mut failed) = (Vec::new(), items.1.clone().unwrap_or_default());
        for i in 0..items.0.len() as u64 {
            match self.collected(id, &key.iter().copied().chain([i]).collect()) {
                Ok(text) => texts.extend(text),
                Err(more) => failed.extend(more),
            }
        }
        if failed.is_empty() { Ok(Some(format!("[{}]", texts.join(",")))) } else { Err(failed) }
    }

    /// A value for a key that may be longer than its own.
    fn value(&self, id: Id, key: &Key) -> Is {
        let scope = &self.program.values[id].scope;
        let key: Key = key[..scope.len()].to_vec();
        if let Some(known) = self.values.borrow().get(&(id, key.clone())) {
            return known.clone();
        }
        let is = self.compute(id, &key);
        self.values.borrow_mut().insert((id, key), is.clone());
        is
    }

    fn failed(&self, id: Id, key: &Key) -> Failed {
        Failed::from([format!("v{id} {key:?}")])
    }

    fn compute(&self, id: Id, key: &Key) -> Is {
        match &self.program.values[id].expr {
            Expr::Const(n) => Ok(Some(*n)),
            Expr::Item => {
                let (index, parent) = key.split_last().unwrap();
                let source = *self.program.values[id].scope.last().unwrap();
                let items = self.items(source, &parent.to_vec()).unwrap().unwrap();
                Ok(Some(items.0[*index as usize]))
            }
            Expr::Mix(a, b) => {
                Ok(both(self.value(*a, key), self.value(*b, key))?.map(|(a, b)| (a * 3 + b).rem_euclid(50)))
            }
            Expr::Divide(a) => match self.value(*a, key)? {
                Some(0) => Err(self.failed(id, key)),
                n => Ok(n.map(|n| 100 / n - i64::from(n < 0 && 100 % n != 0))),
            },
            Expr::Read(a) => match self.value(*a, key)? {
                Some(n) if !is_readable(n) => Err(self.failed(id, key)),
                n => Ok(n),
            },
            Expr::Filter(a, b) => match self.value(*b, key)? {
                Some(b) if b.rem_euclid(3) != 0 => self.value(*a, key),
                _ => Ok(None),
            },
            Expr::Sum(a) => Ok(self.whole(*a, key)?.map(|all| all.iter().sum::<i64>().rem_euclid(50))),
            Expr::Count(a) => Ok(self.whole(*a, key)?.map(|all| all.len() as i64)),
            Expr::Last(a) => Ok(self.whole(*a, key)?.map(|all| all.last().copied().unwrap_or(-1))),
            Expr::Running(a, start) => {
                let (index, parent) = key.split_last().unwrap();
                let parent = parent.to_vec();
                let Some(mut carried) = self.value(*start, &parent)? else { return Ok(None) };
                for i in 0..=*index {
                    match self.value(*a, &with(&parent, i))? {
                        Some(n) => carried = (carried * 2 + n).rem_euclid(50),
                        None if i == *index => return Ok(None),
                        None => {}
                    }
                }
                Ok(Some(carried))
            }
            Expr::Index(a) => {
                let (index, parent) = key.split_last().unwrap();
                let parent = parent.to_vec();
                let mut count = -1;
                for i in 0..=*index {
                    match self.value(*a, &with(&parent, i))? {
                        Some(_) => count += 1,
                        None if i == *index => return Ok(None),
                        None => {}
                    }
                }
                Ok(Some(count))
            }
            Expr::IfCount(c, a, b) => match self.value(*c, key)? {
                None => Ok(None),
                Some(n) if n % 2 == 0 => {
                    let count = self.whole(*a, key).map(|all| all.map(|all| all.len() as i64));
                    Ok(both(count, self.value(*b, key))?.map(|(a, b)| a + b))
                }
                Some(_) => self.value(*b, key),
            },
            Expr::ForCount(n, a) => match self.value(*n, key)? {
                None => Ok(None),
                Some(n) => {
                    let rounds = n.rem_euclid(3);
                    if rounds == 0 {
                        return Ok(Some(0));
                    }
                    // What a body gives that is dropped is left out.
                    Ok(Some(self.whole(*a, key)?.map_or(0, |all| (0..rounds).map(|k| k + all.len() as i64).sum())))
                }
            },
            Expr::Try(a) => Ok(self.value(*a, key).unwrap_or(Some(-1))),
            Expr::After(a, b) => self.after(*a, *b, key),
        }
    }

    fn after(&self, a: Id, b: Id, key: &Key) -> Is {
        let value = self.value(a, key);
        if let Ok(None) = value {
            return Ok(None);
        }
        let scope = &self.program.values[b].scope;
        let waits =
            if scope.len() <= key.len() { self.value(b, key).map(drop) } else { self.collected(b, key).map(drop) };
        match (value, waits) {
            (Err(a), Err(b)) => Err(a.into_iter().chain(b).collect()),
            (Err(failed), Ok(())) | (Ok(_), Err(failed)) => Err(failed),
            (Ok(value), Ok(())) => Ok(value),
        }
    }

    /// All of a value under a key of what its innermost source stands in.
    fn whole(&self, id: Id, key: &Key) -> Result<Option<Vec<i64>>, Failed> {
        let source = *self.program.values[id].scope.last().unwrap();
        let parent = key[..self.program.sources[source].scope.len()].to_vec();
        let Some(items) = self.items(source, &parent)? else { return Ok(None) };
        let (mut all, mut failed) = (Vec::new(), items.1.clone().unwrap_or_default());
        for i in 0..items.0.len() as u64 {
            match self.value(id, &with(&parent, i)) {
                Ok(n) => all.extend(n),
                Err(more) => failed.extend(more),
            }
        }
        if failed.is_empty() { Ok(Some(all)) } else { Err(failed) }
    }

    /// The values of a stream up to what failed first.
    fn stream(&self, id: Id, key: &Key) -> Source<Stream> {
        let source = *self.program.values[id].scope.last().unwrap();
        let Some(items) = self.items(source, key)? else { return Ok(None) };
        let mut all = Vec::new();
        for i in 0..items.0.len() as u64 {
            match self.value(id, &with(key, i)) {
                Ok(n) => all.extend(n),
                Err(failed) => return Ok(Some((all, Some(failed)))),
            }
        }
        Ok(Some((all, items.1.clone())))
    }

    fn items(&self, source: SourceId, key: &Key) -> Source<Rc<Stream>> {
        if let Some(known) = self.sources.borrow().get(&(source, key.clone())) {
            return known.clone();
        }
        let items = self.make(source, key).map(|items| items.map(Rc::new));
        self.sources.borrow_mut().insert((source, key.clone()), items.clone());
        items
    }

    fn make(&self, source: SourceId, key: &Key) -> Source<Stream> {
        let of = |id: Id| self.stream(id, key);
        Ok(match &self.program.sources[source].from {
            From::Range(a) => self.value(*a, key)?.map(|n| ((0..n.rem_euclid(4) + 1).collect(), None)),
            From::Squares(a) => self.value(*a, key)?.map(|n| ((0..n.rem_euclid(4) + 1).map(|i| i * i).collect(), None)),
            From::Again(a) => self.whole(*a, key)?.map(|all| (all, None)),
            From::Take(a, n) => of(*a)?.map(|(all, end)| {
                let is_cut = all.len() as i64 >= *n;
                (all.into_iter().take(*n as usize).collect(), end.filter(|_| !is_cut))
            }),
            From::Skip(a, n) => of(*a)?.map(|(all, end)| (all.into_iter().skip(*n as usize).collect(), end)),
            From::Batch(a, n) => of(*a)?.map(|(all, end)| {
                let size = *n as usize;
                let whole = if end.is_some() { all.len() / size * size } else { all.len() };
                (all[..whole].chunks(size).map(|c| c.iter().sum::<i64>().rem_euclid(50)).collect(), end)
            }),
            From::Window(a, n, step) => of(*a)?.map(|(all, end)| {
                let windows = all.windows(*n as usize).step_by(*step as usize);
                (windows.map(|c| c.iter().sum::<i64>().rem_euclid(50)).collect(), end)
            }),
            From::Through(a) => {
                of(*a)?.map(|(all, end)| (all.into_iter().filter(|n| n % 2 != 0).map(|n| n * 2).collect(), end))
            }
            From::Zip(a, b) => {
                // Both begin before either is looked at.
                let Some((a, b)) = pair(of(*a), of(*b))? else { return Ok(None) };
                let mut items = Vec::new();
                let end = loop {
                    let i = items.len();
                    match (a.0.get(i), b.0.get(i)) {
                        (Some(a), Some(b)) => items.push((a * 7 + b).rem_euclid(50)),
                        (None, _) => break a.1,
                        (Some(_), None) => break b.1,
                    }
                };
                Some((items, end))
            }
            From::Cross(a, b) => {
                let Some((a, b)) = pair(of(*a), of(*b))? else { return Ok(None) };
                if let Some(failed) = b.1 {
                    return Ok(Some((vec![], Some(failed))));
                }
                if b.0.is_empty() {
                    return Ok(Some((vec![], None)));
                }
                let items = a.0.iter().flat_map(|a| b.0.iter().map(move |b| (a * 7 + b).rem_euclid(50)));
                Some((items.collect(), a.1))
            }
        })
    }
}

/// Two streams that have begun.
fn pair<T>(a: Source<T>, b: Source<T>) -> Source<(T, T)> {
    match (a, b) {
        (Err(a), Err(b)) => Err(a.into_iter().chain(b).collect()),
        (Ok(None), _) | (_, Ok(None)) => Ok(None),
        (Err(failed), _) | (_, Err(failed)) => Err(failed),
        (Ok(Some(a)), Ok(Some(b))) => Ok(Some((a, b))),
    }
}

fn with(parent: &Key, index: u64) -> Key {
    parent.iter().copied().chain([index]).collect()
}
