//! What values vary per, and how values that vary meet.
//!
//! Every body is a closed scope: what it opens lies inside the scope of what it uses from outside, whichever that turns
//! out to be. A scope within a body is therefore kept in layers, one per body around it, and meets layer by layer.

use crate::hir::{Scope, SourceId};

/// The layer of each source: how many bodies stand around the call that opens it.
pub(super) type Layers = Vec<u32>;

fn layer(layers: &Layers, source: SourceId) -> u32 {
    layers.get(source.0 as usize).copied().unwrap_or(0)
}

/// The scope of what is computed from two values; the two sources that do not meet where there is none.
pub(super) fn meet(layers: &Layers, a: &[SourceId], b: &[SourceId]) -> Result<Scope, (SourceId, SourceId)> {
    if a.is_empty() || a == b {
        return Ok(b.to_vec());
    }
    if b.is_empty() {
        return Ok(a.to_vec());
    }
    let mut met = Scope::new();
    let (mut a, mut b) = (a, b);
    while let (Some(x), Some(y)) = (a.first(), b.first()) {
        let at = layer(layers, *x).min(layer(layers, *y));
        let (in_a, rest_a) = split(layers, a, at);
        let (in_b, rest_b) = split(layers, b, at);
        if let Some((x, y)) = in_a.iter().zip(in_b).find(|(x, y)| x != y) {
            return Err((*x, *y));
        }
        met.extend(if in_a.len() > in_b.len() { in_a } else { in_b });
        (a, b) = (rest_a, rest_b);
    }
    met.extend(a);
    met.extend(b);
    Ok(met)
}

/// The part of a scope that lies in layers up to `at`, and the rest.
pub(super) fn split<'s>(layers: &Layers, scope: &'s [SourceId], at: u32) -> (&'s [SourceId], &'s [SourceId]) {
    scope.split_at(scope.partition_point(|source| layer(layers, *source) <= at))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scope(ids: &[u32]) -> Scope {
        ids.iter().map(|id| SourceId(*id)).collect()
    }

    #[test]
    fn scopes_meet_layer_by_layer() {
        // Sources 0 and 1 outside, 1 within 0; 2 outside; 3 and 4 in a body, 4 within 3.
        let layers = vec![0, 0, 0, 1, 1];
        let meet = |a: &[u32], b: &[u32]| meet(&layers, &scope(a), &scope(b));
        assert_eq!(meet(&[], &[2]), Ok(scope(&[2])));
        assert_eq!(meet(&[0], &[0, 1]), Ok(scope(&[0, 1])));
        assert_eq!(meet(&[0, 1], &[2]), Err((SourceId(0), SourceId(2))));
        // What a body opens nests in what it uses from outside, in whichever order the two are met.
        assert_eq!(meet(&[3], &[0, 1]), Ok(scope(&[0, 1, 3])));
        assert_eq!(meet(&[0, 3, 4], &[3]), Ok(scope(&[0, 3, 4])));
        assert_eq!(meet(&[2, 3], &[0]), Err((SourceId(2), SourceId(0))));
        assert_eq!(split(&layers, &scope(&[0, 1, 3]), 0).1, scope(&[3]));
    }
}
