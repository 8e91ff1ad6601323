//! Parts that were converted before. A small value may hold one part very often, `[x, x]` of what holds one twice, too: each
//! is converted to a type once.

use super::{Conv, Conversion, Fail, Mode};
use crate::value::{Value, address};
use ntl_plan::TypeId;
use rustc_hash::FxHashMap;

/// From so many steps on parts are kept in mind: most values are smaller.
const MANY: u64 = 4096;

/// What containers, by where they lie in memory, became as a type. They all live as long as the whole value does: no
/// container is made on the way and then looked at.
#[derive(Default)]
pub(super) struct Known {
    made: FxHashMap<(usize, TypeId), Option<Value>>,
    matches: FxHashMap<(usize, TypeId), bool>,
}

impl Conversion<'_> {
    fn place(&self, value: &Value, ty: TypeId) -> Option<(usize, TypeId)> {
        // What is read from a text is a value of its own, and soon gone.
        let is_kept = self.steps > MANY && matches!(self.mode, Mode::Fit | Mode::Cast) && value.nests();
        is_kept.then(|| (address(value), ty))
    }

    /// What `convert` makes of a value, or made of it before.
    pub(super) fn once(&mut self, value: &Value, ty: TypeId, convert: impl FnOnce(&mut Self) -> Conv) -> Conv {
        let Some(place) = self.place(value, ty) else { return convert(self) };
        if let Some(made) = self.known.made.get(&place) {
            return Ok(made.clone());
        }
        let made = convert(self)?;
        self.known.made.insert(place, made.clone());
        Ok(made)
    }

    /// What `matches` says of a value, or said before.
    pub(super) fn matched_once(
        &mut self,
        value: &Value,
        ty: TypeId,
        matches: impl FnOnce(&mut Self) -> Result<bool, Fail>,
    ) -> Result<bool, Fail> {
        let Some(place) = self.place(value, ty) else { return matches(self) };
        if let Some(known) = self.known.matches.get(&place) {
            return Ok(*known);
        }
        let found = matches(self)?;
        self.known.matches.insert(place, found);
        Ok(found)
    }
}
