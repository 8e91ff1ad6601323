//! Whether the arms of a `match` take every value, and whether every arm can be taken.
//!
//! The arms are the rows of a table of patterns, one column per part of the value that is still to be looked at. A
//! column is split by the members of its type; a tuple or record becomes columns of its own.

use crate::db::Db;
use crate::hir::{Const, Pattern};
use crate::ty::{Lit, Type};
use crate::types::{self, Conversion, Verdict, fit, may_be, unfold};
use rustc_hash::FxHashSet;
use smol_str::SmolStr;

/// How many patterns are looked at before a question counts as too hard.
const MOST_STEPS: u32 = 500_000;

/// An answer, or that it takes too long to find.
pub(super) struct TooHard;

static WILDCARD: Pattern = Pattern::Wildcard;

type Row<'p> = Vec<&'p Pattern>;

struct Table<'a> {
    db: &'a dyn Db,
    steps: u32,
}

/// Patterns, at most `most`, that take values which none of the arms takes; none if they take all.
pub(super) fn missing(db: &dyn Db, ty: &Type, arms: &[&Pattern], most: usize) -> Result<Vec<Pattern>, TooHard> {
    let mut table = Table { db, steps: MOST_STEPS };
    // Where there are very many literals, most members are done with by one of them.
    let members = types::members(db, ty);
    if arms.len() < MANY || members.len() < MANY {
        return table.all_missing(arms, ty, most);
    }
    let mut literals = Literals::default();
    let others: Vec<&Pattern> = arms.iter().copied().filter(|arm| !literals.add(arm)).collect();
    let left: Vec<Type> = members.into_iter().filter(|member| !literals.take(&unfold(db, member))).collect();
    match left.as_slice() {
        [] => Ok(Vec::new()),
        // The literals of the arms take no member that is left as a whole.
        [only] => {
            let found = table.all_missing(&others, only, most)?;
            Ok(match only_value(&unfold(db, only)) {
                Some(value) if !found.is_empty() => vec![value],
                _ => found,
            })
        }
        _ => table.all_missing(&others, &types::union(left), most),
    }
}

/// From so many arms on literals are looked up rather than gone through.
const MANY: usize = 64;

/// The literals of arms.
#[derive(Default)]
struct Literals(FxHashSet<Lit>);

impl Literals {
    fn literal(pattern: &Pattern) -> Option<Lit> {
        match pattern {
            Pattern::Const(Const::Int(value)) => Some(Lit::Int(*value)),
            Pattern::Const(Const::Bool(value)) => Some(Lit::Bool(*value)),
            Pattern::Const(Const::Str(text)) => Some(Lit::Str(text.clone())),
            _ => None,
        }
    }

    /// Adds the literals of an arm, if it consists of such.
    fn add(&mut self, arm: &Pattern) -> bool {
        let arms = if let Pattern::Or(all) = arm { all.as_slice() } else { std::slice::from_ref(arm) };
        let literals: Option<Vec<Lit>> = arms.iter().map(Self::literal).collect();
        literals.map(|literals| self.0.extend(literals)).is_some()
    }

    /// Whether one of them is an arm's only alternative.
    fn has(&self, arm: &Pattern) -> bool {
        Self::literal(arm).is_some_and(|literal| self.0.contains(&literal))
    }

    /// Whether they take all values of a type, no union.
    fn take(&self, ty: &Type) -> bool {
        match ty {
            Type::Literal(lit) => self.0.contains(lit),
            Type::Bool => [true, false].iter().all(|value| self.0.contains(&Lit::Bool(*value))),
            _ => false,
        }
    }
}

/// A pattern as it is written.
pub(super) fn written(db: &dyn Db, pattern: &Pattern) -> String {
    match pattern {
        Pattern::Const(Const::Null) => "null".to_owned(),
        Pattern::Const(Const::Bool(value)) => value.to_string(),
        Pattern::Const(Const::Int(value)) => value.to_string(),
        Pattern::Const(Const::Str(text)) => types::display(db, &Type::Literal(Lit::Str(text.clone()))),
        Pattern::Typed(ty, _) | Pattern::As(ty, _) => format!("x: {}", types::display(db, ty)),
        Pattern::Tuple(items) => {
            let items: Vec<String> = items.iter().map(|item| written(db, item)).collect();
            format!("({})", items.join(", "))
        }
        Pattern::Record(fields) => {
            let field = |(name, pattern): &(SmolStr, Pattern)| {
                format!("{}: {}", crate::diagnostic::written_name(name), written(db, pattern))
            };
            let mut parts: Vec<String> =
                fields.iter().filter(|(_, pattern)| *pattern != Pattern::Wildcard).map(field).collect();
            parts.push("..".to_owned());
            format!("({})", parts.join(", "))
        }
        Pattern::Wildcard | Pattern::Bind(_) | Pattern::Const(_) | Pattern::Or(_) => "_".to_owned(),
    }
}

/// The pattern of the only value of a type, if it has one only.
fn only_value(ty: &Type) -> Option<Pattern> {
    Some(Pattern::Const(match ty {
        Type::Null => Const::Null,
        Type::Literal(Lit::Str(text)) => Const::Str(text.clone()),
        Type::Literal(Lit::Int(value)) => Const::Int(*value),
        Type::Literal(Lit::Bool(value)) => Const::Bool(*value),
        _ => return None,
    }))
}

/// The places of arms that are never taken, because arms before them take all that they would.
pub(super) fn unreachable(db: &dyn Db, ty: &Type, arms: &[(&Pattern, bool)]) -> Vec<usize> {
    let mut table = Table { db, steps: MOST_STEPS };
    let mut before: Vec<Row<'_>> = Vec::new();
    let mut found = Vec::new();
    // A literal is taken by the same one before, or by what is none.
    let (mut literals, mut others) = (Literals::default(), Vec::new());
    for (at, (arm, is_guarded)) in arms.iter().enumerate() {
        let is_literal = Literals::literal(arm).is_some();
        let rows: &Vec<Row<'_>> = if is_literal && arms.len() >= MANY { &others } else { &before };
        let useful = match literals.has(arm) {
            true => Ok(false),
            // That it matches something is asked elsewhere.
            false if rows.is_empty() => Ok(true),
            false => table.is_useful(rows.clone(), vec![arm], vec![ty.clone()]),
        };
        match useful {
            Ok(true) => {}
            Ok(false) => found.push(at),
            Err(TooHard) => return found,
        }
        if !is_guarded {
            before.push(vec![arm]);
            if !literals.add(arm) {
                others.push(vec![*arm]);
            }
        }
    }
    found
}

/// How the values of a type fall apart.
enum Split {
    /// Into those of several types.
    Members(Vec<Type>),
    /// Into parts: of a tuple.
    Tuple(Vec<Type>),
    /// Into parts: of a record.
    Record(Vec<(SmolStr, Type)>),
    /// Not at all: too many, or one.
    Whole,
}

fn split(db: &dyn Db, ty: &Type) -> Split {
    let members = types::members(db, ty);
    if members.len() > 1 {
        return Split::Members(members);
    }
    match unfold(db, ty) {
        Type::Bool => Split::Members(vec![Type::Literal(Lit::Bool(true)), Type::Literal(Lit::Bool(false))]),
        Type::Tuple(items) => Split::Tuple(items.to_vec()),
        Type::Record(record) => {
            Split::Record(record.fields.iter().map(|field| (field.name.clone(), field.ty.clone())).collect())
        }
        _ => Split::Whole,
    }
}

fn is_wild(pattern: &Pattern) -> bool {
    matches!(pattern, Pattern::Wildcard | Pattern::Bind(_))
}

/// Whether a value of a type, no union, may match a pattern.
pub(super) fn accepts(db: &dyn Db, pattern: &Pattern, ty: &Type) -> bool {
    let head = unfold(db, ty);
    if matches!(head, Type::Any | Type::Json | Type::Unknown | Type::Param(..)) {
        return true;
    }
    match (pattern, &head) {
        (Pattern::Wildcard | Pattern::Bind(_), _) => true,
        (Pattern::Or(all), _) => all.iter().any(|one| accepts(db, one, ty)),
        (Pattern::Const(value), head) => may_equal(value, head),
        (Pattern::Typed(wanted, inner), _) => {
            let overlaps = fit(db, ty, wanted) == Ok(Conversion::None)
                || types::members(db, wanted).iter().any(|wanted| fit(db, wanted, ty) == Ok(Conversion::None));
            overlaps && accepts(db, inner, ty)
        }
        // What it binds is of the other type.
        (Pattern::As(wanted, _), _) => may_be(db, ty, wanted) != Verdict::Never,
        (Pattern::Tuple(items), Type::Tuple(types)) => {
            items.len() == types.len() && items.iter().zip(types.iter()).all(|(item, ty)| accepts_any(db, item, ty))
        }
        (Pattern::Record(fields), Type::Record(record)) => fields.iter().all(|(name, pattern)| {
            let field = record.fields.iter().find(|field| field.name == *name);
            field.is_some_and(|field| accepts_any(db, pattern, &field.ty))
        }),
        (Pattern::Tuple(_) | Pattern::Record(_), _) => false,
    }
}

fn accepts_any(db: &dyn Db, pattern: &Pattern, ty: &Type) -> bool {
    is_wild(pattern) || types::members(db, ty).iter().any(|member| accepts(db, pattern, member))
}

/// Whether every value of a type, no union, matches a pattern.
pub(super) fn covers(db: &dyn Db, pattern: &Pattern, ty: &Type) -> bool {
    let head = unfold(db, ty);
    let covers_all = |pattern: &Pattern, ty: &Type| {
        is_wild(pattern) || types::members(db, ty).iter().all(|ty| covers(db, pattern, ty))
    };
    match (pattern, &head) {
        (Pattern::Wildcard | Pattern::Bind(_), _) => true,
        (Pattern::Or(all), _) => all.iter().any(|one| covers(db, one, ty)),
        (Pattern::Const(value), Type::Null | Type::Literal(_)) => may_equal(value, &head),
        (Pattern::Typed(wanted, inner), _) => fit(db, ty, wanted) == Ok(Conversion::None) && covers(db, inner, ty),
        (Pattern::As(wanted, inner), _) => is_wild(inner) && may_be(db, ty, wanted) == Verdict::Always,
        (Pattern::Tuple(items), Type::Tuple(types)) => {
            items.len() == types.len() && items.iter().zip(types.iter()).all(|(item, ty)| covers_all(item, ty))
        }
        (Pattern::Record(fields), Type::Record(record)) => fields.iter().all(|(name, pattern)| {
            let field = record.fields.iter().find(|field| field.name == *name);
            field.is_some_and(|field| covers_all(pattern, &field.ty))
        }),
        _ => false,
    }
}

fn may_equal(value: &Const, ty: &Type) -> bool {
    match (value, ty) {
        (Const::Null, Type::Null)
        | (Const::Bool(_), Type::Bool)
        | (Const::Int(_), Type::Int | Type::Float)
        | (Const::Float(_), Type::Float | Type::Int)
        | (Const::Str(_), Type::Str)
        | (Const::Duration(_), Type::Duration)
        | (Const::Size(_), Type::Size) => true,
        (Const::Bool(value), Type::Literal(Lit::Bool(lit))) => value == lit,
        (Const::Int(value), Type::Literal(Lit::Int(lit))) => value == lit,
        (Const::Str(text), Type::Literal(Lit::Str(lit))) => text == lit,
        _ => false,
    }
}

/// The alternatives of a pattern that may match a value of `ty`, as patterns of that type.
fn specialise<'p>(db: &dyn Db, pattern: &'p Pattern, ty: &Type, found: &mut Vec<&'p Pattern>) {
    match pattern {
        Pattern::Or(all) => all.iter().for_each(|one| specialise(db, one, ty, found)),
        Pattern::Typed(wanted, inner) if fit(db, ty, wanted) == Ok(Conversion::None) => {
            specialise(db, inner, ty, found);
        }
        Pattern::As(wanted, inner) if is_wild(inner) && may_be(db, ty, wanted) == Verdict::Always => found.push(inner),
        _ if accepts(db, pattern, ty) => found.push(pattern),
        _ => {}
    }
}

impl Table<'_> {
    /// Patterns, at most `most`, that take what no arm takes.
    fn all_missing(&mut self, arms: &[&Pattern], ty: &Type, most: usize) -> Result<Vec<Pattern>, TooHard> {
        let mut found: Vec<Pattern> = Vec::new();
        while found.len() < most {
            let rows = arms.iter().copied().chain(&found).map(|arm| vec![arm]).collect();
            match self.missing(rows, vec![ty.clone()]) {
                Ok(None) => break,
                Ok(Some(witness)) => found.extend(witness.into_iter().next()),
                // Those that are known will do.
                Err(TooHard) if !found.is_empty() => break,
                Err(TooHard) => return Err(TooHard),
            }
        }
        Ok(found)
    }

    fn step(&mut self, rows: usize) -> Result<(), TooHard> {
        let cost = u32::try_from(rows).unwrap_or(u32::MAX).saturating_add(1);
        self.steps = self.steps.checked_sub(cost).ok_or(TooHard)?;
        Ok(())
    }

    /// The rows whose first pattern may match a value of `ty`, with that pattern specialised.
    fn rows_of<'p>(&self, rows: &[Row<'p>], ty: &Type) -> Vec<Row<'p>> {
        let mut kept = Vec::new();
        for row in rows {
            let Some((first, rest)) = row.split_first() else { continue };
            let mut found = Vec::new();
            specialise(self.db, first, ty, &mut found);
            for pattern in found {
                let mut row = Vec::with_capacity(rest.len() + 1);
                row.push(pattern);
                row.extend(rest);
                kept.push(row);
            }
        }
        kept
    }

    fn missing(&mut self, rows: Vec<Row<'_>>, types: Vec<Type>) -> Result<Option<Vec<Pattern>>, TooHard> {
        super::deep(|| self.missing_in(rows, types))
    }

    fn missing_in(&mut self, rows: Vec<Row<'_>>, mut types: Vec<Type>) -> Result<Option<Vec<Pattern>>, TooHard> {
        self.step(rows.len())?;
        if types.is_empty() {
            return Ok(rows.is_empty().then(Vec::new));
        }
        if rows.iter().any(|row| row.iter().all(|pattern| is_wild(pattern))) {
            return Ok(None);
        }
        let first = types.remove(0);
        let rest = types;
        if rows.iter().all(|row| row.first().is_none_or(|pattern| is_wild(pattern))) {
            let rows = rows.into_iter().map(|row| row.into_iter().skip(1).collect()).collect();
            return Ok(self.missing(rows, rest)?.map(|found| with(Pattern::Wildcard, found)));
        }
        match split(self.db, &first) {
            Split::Members(members) => {
                let is_mixed = members.iter().filter(|member| unfold(self.db, member) != Type::Null).count() > 1;
                for member in members {
                    let mut types = vec![member.clone()];
                    types.extend(rest.iter().cloned());
                    if let Some(mut found) = self.missing(self.rows_of(&rows, &member), types)? {
                        if let Some(first) = found.first_mut() {
                            self.narrow(&member, is_mixed, first);
                        }
                        return Ok(Some(found));
                    }
                }
                Ok(None)
            }
            Split::Tuple(parts) => {
                let rows = rows_of_parts(&self.rows_of(&rows, &first), parts.len(), item_at);
                let count = parts.len();
                let types = parts.into_iter().chain(rest).collect();
                Ok(self.missing(rows, types)?.map(|mut found| {
                    let rest = found.split_off(count.min(found.len()));
                    with(Pattern::Tuple(found), rest)
                }))
            }
            Split::Record(fields) => {
                let rows = self.rows_of(&rows, &first);
                let looked: Vec<(SmolStr, Type)> = fields.into_iter().filter(|(name, _)| names(&rows, name)).collect();
                let rows = rows_of_parts(&rows, looked.len(), |pattern, at| field_of(pattern, &looked, at));
                let types = looked.iter().map(|(_, ty)| ty.clone()).chain(rest).collect();
                let count = looked.len();
                Ok(self.missing(rows, types)?.map(|mut found| {
                    let rest = found.split_off(count.min(found.len()));
                    let fields = looked.iter().map(|(name, _)| name.clone()).zip(found).collect();
                    with(Pattern::Record(fields), rest)
                }))
            }
            Split::Whole => {
                // A value that no literal names: of a type with one value only, that value.
                let is_single = matches!(unfold(self.db, &first), Type::Null | Type::Literal(_));
                let open = rows.into_iter().filter(|row| {
                    row.first()
                        .is_some_and(|pattern| is_wild(pattern) || is_single || any_wild(self.db, pattern, &first))
                });
                let rows = open.map(|row| row.into_iter().skip(1).collect()).collect();
                let value = only_value(&unfold(self.db, &first)).unwrap_or(Pattern::Wildcard);
                Ok(self.missing(rows, rest)?.map(|found| with(value, found)))
            }
        }
    }

    /// Narrows the pattern of a value that no arm takes to the member that it is of.
    fn narrow(&self, member: &Type, is_mixed: bool, found: &mut Pattern) {
        let head = unfold(self.db, member);
        let is_any = match found {
            Pattern::Wildcard => true,
            Pattern::Record(fields) => fields.iter().all(|(_, pattern)| *pattern == Pattern::Wildcard),
            _ => false,
        };
        if let Some(value) = only_value(&head) {
            *found = value;
            return;
        }
        if let (Type::Record(record), true) = (&head, is_any) {
            // What tells it apart from the others.
            let tags: Vec<(SmolStr, Pattern)> = record
                .fields
                .iter()
                .filter_map(|field| {
                    Some((field.name.clone(), only_value(&field.ty).filter(|_| field.ty != Type::Null)?))
                })
                .collect();
            if !tags.is_empty() {
                *found = Pattern::Record(tags);
                return;
            }
        }
        if *found == Pattern::Wildcard && is_mixed {
            *found = Pattern::Typed(member.clone(), Box::new(Pattern::Wildcard));
        }
    }

    /// Whether `row` takes a value that none of `rows` takes.
    fn is_useful(&mut self, rows: Vec<Row<'_>>, row: Row<'_>, types: Vec<Type>) -> Result<bool, TooHard> {
        super::deep(|| self.is_useful_in(rows, row, types))
    }

    fn is_useful_in(&mut self, rows: Vec<Row<'_>>, row: Row<'_>, mut types: Vec<Type>) -> Result<bool, TooHard> {
        self.step(rows.len())?;
        let Some((head, tail)) = row.split_first() else { return Ok(rows.is_empty()) };
        if types.is_empty() {
            return Ok(rows.is_empty());
        }
        let first = types.remove(0);
        let rest = types;
        if let Pattern::Or(all) = head {
            for one in all {
                let row = std::iter::once(one).chain(tail.iter().copied()).collect();
                let types = std::iter::once(first.clone()).chain(rest.iter().cloned()).collect();
                if self.is_useful(rows.clone(), row, types)? {
                    return Ok(true);
                }
            }
            return Ok(false);
        }
        match split(self.db, &first) {
            Split::Members(members) => {
                for member in members {
                    for row in self.rows_of(std::slice::from_ref(&row), &member) {
                        let types = std::iter::once(member.clone()).chain(rest.iter().cloned()).collect();
                        if self.is_useful(self.rows_of(&rows, &member), row, types)? {
                            return Ok(true);
                        }
                    }
                }
                Ok(false)
            }
            Split::Tuple(parts) => {
                let rows = rows_of_parts(&self.rows_of(&rows, &first), parts.len(), item_at);
                let own = rows_of_parts(&self.rows_of(&[row], &first), parts.len(), item_at);
                let types: Vec<Type> = parts.into_iter().chain(rest).collect();
                self.any_useful(rows, own, &types)
            }
            Split::Record(fields) => {
                let rows = self.rows_of(&rows, &first);
                let own = self.rows_of(&[row], &first);
                let looked: Vec<(SmolStr, Type)> =
                    fields.into_iter().filter(|(name, _)| names(&rows, name) || names(&own, name)).collect();
                let rows = rows_of_parts(&rows, looked.len(), |pattern, at| field_of(pattern, &looked, at));
                let own = rows_of_parts(&own, looked.len(), |pattern, at| field_of(pattern, &looked, at));
                let types: Vec<Type> = looked.into_iter().map(|(_, ty)| ty).chain(rest).collect();
                self.any_useful(rows, own, &types)
            }
            Split::Whole => {
                let takes_all = |pattern: &Pattern| {
                    is_wild(pattern)
                        || covers(self.db, pattern, &first)
                        || *pattern == **head && matches!(head, Pattern::Const(_))
                };
                let rows = rows
                    .into_iter()
                    .filter(|row| row.first().is_some_and(|pattern| takes_any(pattern, &takes_all)))
                    .map(|row| row.into_iter().skip(1).collect())
                    .collect();
                self.is_useful(rows, tail.to_vec(), rest)
            }
        }
    }

    fn any_useful(&mut self, rows: Vec<Row<'_>>, own: Vec<Row<'_>>, types: &[Type]) -> Result<bool, TooHard> {
        for row in own {
            if self.is_useful(rows.clone(), row, types.to_vec())? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

fn with(first: Pattern, rest: Vec<Pattern>) -> Vec<Pattern> {
    std::iter::once(first).chain(rest).collect()
}

fn names(rows: &[Row<'_>], name: &str) -> bool {
    rows.iter().any(|row| match row.first() {
        Some(Pattern::Record(fields)) => fields.iter().any(|(field, _)| field == name),
        _ => false,
    })
}

fn item_at(pattern: &Pattern, at: usize) -> Option<&Pattern> {
    match pattern {
        Pattern::Tuple(items) => items.get(at),
        _ => None,
    }
}

fn field_of<'p>(pattern: &'p Pattern, looked: &[(SmolStr, Type)], at: usize) -> Option<&'p Pattern> {
    match pattern {
        Pattern::Record(fields) => {
            let (name, _) = looked.get(at)?;
            fields.iter().find(|(field, _)| field == name).map(|(_, pattern)| pattern)
        }
        _ => None,
    }
}

/// Whether a pattern, or one of its alternatives, is such.
fn takes_any(pattern: &Pattern, is: &impl Fn(&Pattern) -> bool) -> bool {
    match pattern {
        Pattern::Or(all) => all.iter().any(|one| takes_any(one, is)),
        other => is(other),
    }
}

/// Whether a pattern takes a value of `ty` that no literal names.
fn any_wild(db: &dyn Db, pattern: &Pattern, ty: &Type) -> bool {
    takes_any(pattern, &|one| is_wild(one) || covers(db, one, ty))
}

/// The rows with their first pattern replaced by those of its parts.
fn rows_of_parts<'p>(
    rows: &[Row<'p>],
    count: usize,
    part: impl Fn(&'p Pattern, usize) -> Option<&'p Pattern>,
) -> Vec<Row<'p>> {
    rows.iter()
        .filter_map(|row| {
            let (first, rest) = row.split_first()?;
            let parts = (0..count).map(|at| part(first, at).unwrap_or(&WILDCARD));
            Some(parts.chain(rest.iter().copied()).collect())
        })
        .collect()
}
