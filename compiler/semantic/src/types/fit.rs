//! Whether a value of one type may stand where another is expected, and if not, why not.

use super::{join::base, members, unfold};
use crate::db::Db;
use crate::names::nearest;
use crate::ty::{Field, Lit, Record, Type};
use indexmap::IndexMap;
use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;

/// Whether a value must be changed to stand where another type is expected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Conversion {
    /// It can stand as it is.
    None,
    /// It needs a [`crate::hir::ExprKind::Fit`]: int to float, fields cut or reordered, `any` checked, or parts of it so.
    Needed,
}

/// A step into a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// An item of a list.
    Item,
    /// A key of a dict.
    Key,
    /// A value of a dict.
    Value,
    /// An item of a tuple.
    Place(usize),
    /// A field of a record.
    Field(SmolStr),
    /// A parameter of a function.
    Param(usize),
    /// The result of a function.
    Result,
}

/// Why a type does not fit, as far as a message can help with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// They are unlike.
    Different,
    /// A record without a field that must be there; a field with a near name that is there.
    MissingField(SmolStr, Option<SmolStr>),
    /// One item where a list is expected: `[x]`.
    ItemForList,
    /// A list where one item is expected: `for`, `each`.
    ListForItem,
    /// It would fit if it were not null: `??`.
    MaybeNull,
    /// A float where an int is expected: `round`, `floor`, `ceil`, `int`.
    FloatForInt,
    /// Leaving `json`: `x as T`.
    JsonNeedsAs,
    /// A literal that is none of those allowed, and the one that is near.
    OtherLiteral(Option<SmolStr>),
    /// Any str (or int) where only some literals are allowed.
    BaseForLiteral,
    /// A number and the like where a str is expected: `"{x}"`.
    NotText,
    /// A str where a number is expected: `int(x)`, `float(x)`.
    TextForNumber,
    /// A tuple or function of another length.
    Length(usize, usize),
    /// What is compared nests too deeply to tell.
    TooDeep,
}

/// Why a type does not fit: the innermost place and what is wrong there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// The way into the value; empty if it is wrong as a whole.
    pub path: Vec<Step>,
    /// What stands there.
    pub found: Type,
    /// What is expected there.
    pub expected: Type,
    /// Why it does not fit.
    pub reason: Reason,
}

impl Mismatch {
    fn new(found: &Type, expected: &Type, reason: Reason) -> Box<Mismatch> {
        Box::new(Mismatch { path: Vec::new(), found: found.clone(), expected: expected.clone(), reason })
    }
}

pub(super) const DEEPEST: u32 = 100;

/// From so many members on a union is looked up in rather than walked over.
pub(super) const MANY: usize = 16;

type Outcome = Result<Conversion, Box<Mismatch>>;

/// Whether a value of type `from` fits where `to` is expected.
pub fn fit(db: &dyn Db, from: &Type, to: &Type) -> Outcome {
    if from == to {
        return Ok(Conversion::None);
    }
    // Most of what fails only tries one member of a union after the other: why it fails is asked only once it is sure.
    match Fitting::new(db, false).fit(from, to) {
        Ok(conversion) => Ok(conversion),
        Err(_) => Fitting::new(db, true).fit(from, to).map_err(|mut mismatch| {
            mismatch.path.reverse();
            mismatch
        }),
    }
}

/// Whether a value of type `from` fits where `to` is expected.
pub fn fits(db: &dyn Db, from: &Type, to: &Type) -> bool {
    from == to || Fitting::new(db, false).fit(from, to).is_ok()
}

/// Whether a value of type `from` can stand where `to` is expected as it is.
pub(super) fn is_part_of(db: &dyn Db, from: &Type, to: &Type) -> bool {
    from == to || Fitting::new(db, false).fit(from, to) == Ok(Conversion::None)
}

struct Fitting<'a> {
    db: &'a dyn Db,
    /// Pairs with a named type that fit, or are being compared: recursive types fit if nothing speaks against it.
    known: IndexMap<(Type, Type), Conversion>,
    /// Pairs with a named type that do not fit.
    refuted: FxHashMap<(Type, Type), Box<Mismatch>>,
    depth: u32,
    /// Whether it must be found out why something does not fit.
    explains: bool,
}

impl<'a> Fitting<'a> {
    fn new(db: &'a dyn Db, explains: bool) -> Self {
        Fitting { db, known: IndexMap::new(), refuted: FxHashMap::default(), depth: 0, explains }
    }

    fn fit(&mut self, from: &Type, to: &Type) -> Outcome {
        if from == to {
            return Ok(Conversion::None);
        }
        match (from, to) {
            (Type::Unknown | Type::Never, _) | (_, Type::Unknown | Type::Any) => return Ok(Conversion::None),
            (Type::Any, _) => return Ok(Conversion::Needed),
            // Inference solves variables; what is left of them has been told.
            (Type::Var(_), _) | (_, Type::Var(_)) => return Ok(Conversion::None),
            _ => {}
        }
        let is_many = |ty: &Type| matches!(ty, Type::Named(_) | Type::Union(_));
        if is_many(from) || is_many(to) { self.fit_members(from, to) } else { self.fit_pair(from, from, to) }
    }

    /// One type, no union, into another; `head` is `from` seen through its name.
    fn fit_pair(&mut self, from: &Type, head: &Type, to: &Type) -> Outcome {
        if self.depth > DEEPEST {
            return Err(Mismatch::new(from, to, Reason::TooDeep));
        }
        if !matches!(from, Type::Named(_)) && !matches!(to, Type::Named(_)) {
            return self.deeper(from, head, to);
        }
        let pair = (from.clone(), to.clone());
        if let Some(mismatch) = self.refuted.get(&pair) {
            return Err(mismatch.clone());
        }
        if let Some(conversion) = self.known.get(&pair) {
            return Ok(*conversion);
        }
        let before = self.known.len();
        self.known.insert(pair.clone(), Conversion::None);
        let outcome = self.deeper(from, head, to);
        match &outcome {
            Ok(conversion) => drop(self.known.insert(pair, *conversion)),
            Err(mismatch) => {
                // What was found on the assumption that they fit is not known any more.
                self.known.truncate(before);
                self.refuted.insert(pair, mismatch.clone());
            }
        }
        outcome
    }

    fn deeper(&mut self, from: &Type, head: &Type, to: &Type) -> Outcome {
        self.depth += 1;
        let outcome = self.fit_one(from, head, to);
        self.depth -= 1;
        outcome
    }

    fn fit_members(&mut self, from: &Type, to: &Type) -> Outcome {
        let (sources, targets) = (members(self.db, from), members(self.db, to));
        let index: FxHashSet<&Type> =
            if targets.len() > MANY { targets.iter().collect() } else { FxHashSet::default() };
        let mut all = Conversion::None;
        let mut failed = None;
        let mut failures = 0;
        for source in &sources {
            if index.contains(source) {
                continue;
            }
            match self.fit_into(source, &targets) {
                Ok(conversion) => all = all.max(conversion),
                Err(mismatch) => {
                    if !self.explains {
                        return Err(mismatch);
                    }
                    failures += 1;
                    failed.get_or_insert((source, mismatch));
                }
            }
        }
        let Some((source, mut mismatch)) = failed else { return Ok(all) };
        if sources.len() == 1 {
            if mismatch.path.is_empty() {
                (mismatch.found, mismatch.expected) = (from.clone(), to.clone());
            }
            return Err(mismatch);
        }
        let reason = match unfold(self.db, source) {
            Type::Null if failures == 1 => Reason::MaybeNull,
            _ if mismatch.path.is_empty() => match mismatch.reason {
                reason @ (Reason::FloatForInt | Reason::JsonNeedsAs | Reason::OtherLiteral(_)) => reason,
                Reason::ListForItem if failures == sources.len() => Reason::ListForItem,
                _ => Reason::Different,
            },
            _ => Reason::Different,
        };
        Err(Mismatch::new(from, to, reason))
    }

    /// One type, no union, into one of several.
    fn fit_into(&mut self, from: &Type, targets: &[Type]) -> Outcome {
        let mut found: Option<Conversion> = None;
        let mut mismatches = Vec::new();
        let mut last = None;
        let head = unfold(self.db, from);
        if head == Type::Bool && covers_bool(targets) {
            return Ok(Conversion::None);
        }
        for target in targets {
            match self.fit_pair(from, &head, target) {
                Ok(Conversion::None) => return Ok(Conversion::None),
                Ok(conversion) => found = Some(conversion),
                Err(mismatch) if self.explains => mismatches.push((target, mismatch)),
                Err(mismatch) => last = Some(mismatch),
            }
        }
        match (found, last) {
            (Some(conversion), _) => Ok(conversion),
            (None, Some(mismatch)) => Err(mismatch),
            (None, None) => Err(self.best(from, &head, targets, mismatches)),
        }
    }

    /// The mismatch that says most about a value that fits none of several types.
    fn best(&self, from: &Type, head: &Type, targets: &[Type], mut all: Vec<(&Type, Box<Mismatch>)>) -> Box<Mismatch> {
        let whole = super::union(targets.iter().cloned());
        if let Type::Literal(lit) = head
            && let Some(near) = other_literal(lit, all.iter().map(|(target, _)| *target))
        {
            return Mismatch::new(from, &whole, near);
        }
        all.retain(|(target, _)| !matches!(unfold(self.db, target), Type::Null));
        if all.len() > 1 {
            // Where a literal field tells records apart, the one that it names.
            let tagged = all.iter().position(|(target, _)| same_tag(self.db, head, target));
            if let Some(at) = tagged {
                return all.swap_remove(at).1;
            }
        }
        if all.iter().all(|(target, _)| matches!(unfold(self.db, target), Type::Literal(_))) && !all.is_empty() {
            let is_base = all.iter().any(|(t, _)| matches!(unfold(self.db, t), Type::Literal(l) if base(&l) == *head));
            return Mismatch::new(from, &whole, if is_base { Reason::BaseForLiteral } else { Reason::Different });
        }
        match all.pop() {
            Some((_, mismatch)) if all.is_empty() => mismatch,
            _ => Mismatch::new(from, &whole, if *head == Type::Json { Reason::JsonNeedsAs } else { Reason::Different }),
        }
    }

    /// The same, looked at for the first time.
    fn fit_one(&mut self, from: &Type, head: &Type, to: &Type) -> Outcome {
        if from == to {
            return Ok(Conversion::None);
        }
        let target = unfold(self.db, to);
        let fail = |reason| Err(Mismatch::new(from, to, reason));
        match (head, &target) {
            (a, b) if a == b => Ok(Conversion::None),
            (Type::Unknown | Type::Never, _) | (_, Type::Unknown | Type::Any) => Ok(Conversion::None),
            (Type::Any, _) => Ok(Conversion::Needed),
            (Type::Var(_), _) | (_, Type::Var(_)) => Ok(Conversion::None),
            (Type::Literal(lit), Type::Opaque(kind)) if is_model_choice(kind, lit) => Ok(Conversion::Needed),
            (Type::Literal(lit), to) if base(lit) == *to => Ok(Conversion::None),
            (Type::Int | Type::Literal(Lit::Int(_)), Type::Float) => Ok(Conversion::Needed),
            (_, Type::Json) => self.fit_json(from, head),
            (Type::List(a), Type::List(b)) => self.part(Step::Item, a, b),
            (Type::Dict(ka, va), Type::Dict(kb, vb)) => {
                Ok(self.part(Step::Key, ka, kb)?.max(self.part(Step::Value, va, vb)?))
            }
            (Type::Tuple(a), Type::Tuple(b)) => {
                if a.len() != b.len() {
                    return fail(Reason::Length(a.len(), b.len()));
                }
                let mut all = Conversion::None;
                for (i, (a, b)) in a.iter().zip(b.iter()).enumerate() {
                    all = all.max(self.part(Step::Place(i), a, b)?);
                }
                Ok(all)
            }
            (Type::Record(a), Type::Record(b)) => self.fit_record(from, to, a, b),
            (Type::Fn(pa, ra), Type::Fn(pb, rb)) => {
                if pa.len() != pb.len() {
                    return fail(Reason::Length(pa.len(), pb.len()));
                }
                let mut all = Conversion::None;
                for (i, (a, b)) in pa.iter().zip(pb.iter()).enumerate() {
                    all = all.max(self.part(Step::Param(i), b, a)?);
                }
                Ok(all.max(self.part(Step::Result, ra, rb)?))
            }
            _ => fail(self.reason(head, &target)),
        }
    }

    fn part(&mut self, step: Step, from: &Type, to: &Type) -> Outcome {
        self.fit(from, to).map_err(|mut mismatch| {
            mismatch.path.push(step);
            mismatch
        })
    }

    fn fit_record(&mut self, from: &Type, to: &Type, a: &Record, b: &Record) -> Outcome {
        let same_layout = a.fields.len() == b.fields.len()
            && a.fields.iter().zip(&b.fields).all(|(a, b)| a.name == b.name && a.key == b.key);
        let mut all = if same_layout { Conversion::None } else { Conversion::Needed };
        for (i, field) in b.fields.iter().enumerate() {
            // Mostly they stand in the same order.
            let here = a.fields.get(i).filter(|given| given.name == field.name);
            match here.or_else(|| a.fields.iter().find(|given| given.name == field.name)) {
                Some(given) => all = all.max(self.part(Step::Field(field.name.clone()), &given.ty, &field.ty)?),
                None if super::is_nullable(self.db, &field.ty) => {}
                None if !self.explains => return Err(Mismatch::new(from, to, Reason::Different)),
                None => {
                    let unused = a.fields.iter().filter(|given| !b.fields.iter().any(|f| f.name == given.name));
                    let near = nearest(&field.name, unused.map(|given| &given.name));
                    return Err(Mismatch::new(from, to, Reason::MissingField(field.name.clone(), near)));
                }
            }
        }
        Ok(all)
    }

    /// What JSON can hold: its own scalars, and lists, dicts and records of what it can hold.
    fn fit_json(&mut self, from: &Type, head: &Type) -> Outcome {
        match head {
            Type::Null | Type::Bool | Type::Int | Type::Float | Type::Str | Type::Literal(_) => Ok(Conversion::None),
            Type::List(item) => self.part(Step::Item, item, &Type::Json),
            Type::Dict(key, value) => {
                let is_text = |key: &Type| matches!(unfold(self.db, key), Type::Str | Type::Literal(Lit::Str(_)));
                let keys = if is_text(key) { Conversion::None } else { Conversion::Needed };
                Ok(keys.max(self.part(Step::Value, value, &Type::Json)?))
            }
            Type::Record(record) => {
                for field in &record.fields {
                    self.part(Step::Field(field.name.clone()), &field.ty, &Type::Json)?;
                }
                Ok(Conversion::Needed)
            }
            _ => Err(Mismatch::new(from, &Type::Json, Reason::Different)),
        }
    }

    /// What a message can say about two types, neither of them a union.
    fn reason(&self, head: &Type, target: &Type) -> Reason {
        match (head, target) {
            _ if !self.explains => Reason::Different,
            (Type::Json, _) => Reason::JsonNeedsAs,
            (Type::Float, Type::Int) => Reason::FloatForInt,
            (Type::List(item), _) if fits(self.db, item, target) => Reason::ListForItem,
            (_, Type::List(item)) if fits(self.db, head, item) => Reason::ItemForList,
            (Type::Literal(lit), target @ Type::Literal(_)) => {
                other_literal(lit, [target]).unwrap_or(Reason::Different)
            }
            (_, Type::Literal(lit)) if base(lit) == *head => Reason::BaseForLiteral,
            (Type::Str | Type::Literal(Lit::Str(_)), Type::Int | Type::Float) => Reason::TextForNumber,
            (
                Type::Int | Type::Float | Type::Bool | Type::Duration | Type::Size | Type::Datetime | Type::Literal(_),
                Type::Str,
            ) => Reason::NotText,
            _ => Reason::Different,
        }
    }
}

/// The reason why a literal is not among those allowed, if some are.
fn other_literal<'t>(lit: &Lit, targets: impl IntoIterator<Item = &'t Type>) -> Option<Reason> {
    let is_literal = |ty: &&Type| matches!(ty, Type::Literal(_));
    let allowed: Vec<&Type> = targets.into_iter().filter(is_literal).collect();
    let texts = allowed.iter().filter_map(|ty| if let Type::Literal(Lit::Str(text)) = ty { Some(text) } else { None });
    let near = if let Lit::Str(text) = lit { nearest(text, texts) } else { None };
    (!allowed.is_empty()).then_some(Reason::OtherLiteral(near))
}

fn covers_bool(targets: &[Type]) -> bool {
    [true, false].iter().all(|value| targets.contains(&Type::Literal(Lit::Bool(*value))))
}

/// Whether two records have a field of one literal type.
fn same_tag(db: &dyn Db, head: &Type, target: &Type) -> bool {
    let (Type::Record(a), Type::Record(b)) = (head, unfold(db, target)) else { return false };
    let is_tag = |field: &Field| {
        matches!(field.ty, Type::Literal(_)) && b.fields.iter().any(|f| f.name == field.name && f.ty == field.ty)
    };
    a.fields.iter().any(is_tag)
}

/// Whether a literal names a model where a choice of one is expected: `"openai/gpt-5.4-mini"`.
fn is_model_choice(kind: &str, lit: &Lit) -> bool {
    let Lit::Str(text) = lit else { return false };
    let named = text.split_once('/').is_some_and(|(provider, model)| !provider.is_empty() && !model.is_empty());
    kind.ends_with("_model") && named
}
