//! Where a path leads, links and `..` followed, whether or not something is there.

use crate::Refusal;
use std::path::{Component, Path, PathBuf};

/// Where a path leads.
#[derive(Debug)]
pub(crate) struct Place {
    /// Without links and `..`.
    pub path: PathBuf,
    /// Whether something is there. A link that leads nowhere is nothing.
    pub exists: bool,
}

impl Place {
    pub(crate) fn is_within(&self, granted: &[PathBuf]) -> bool {
        granted.iter().any(|g| self.path.starts_with(g))
    }
}

/// Where a path leads, taken from `root`.
pub(crate) fn of(root: &Path, path: &str) -> Result<Place, Refusal> {
    if path.is_empty() || path.contains('\0') {
        return Err(Refusal::new("invalid", format!("{path:?} is no path")));
    }
    locate(&root.join(path)).ok_or_else(|| Refusal::new("not_found", format!("{path:?}: no such file or folder")))
}

/// Where a grant leads; `None` for one that can lead nowhere.
pub(crate) fn of_grant(root: &Path, path: &Path) -> Option<PathBuf> {
    locate(&root.join(path)).map(|p| p.path)
}

/// Follows what is there; what is not is added as it stands, unless it would go up from nothing.
fn locate(path: &Path) -> Option<Place> {
    let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
    if let Ok(canonical) = path.canonicalize() {
        return Some(Place { path: canonical, exists: true });
    }
    let mut missing = Vec::new();
    let mut there = path;
    loop {
        match there.components().next_back() {
            Some(Component::Normal(name)) => missing.push(name),
            Some(Component::CurDir) => {}
            _ => return None,
        }
        there = there.parent()?;
        let there = if there.as_os_str().is_empty() { Path::new(".") } else { there };
        if let Ok(mut canonical) = there.canonicalize() {
            canonical.extend(missing.iter().rev());
            return Some(Place { path: canonical, exists: false });
        }
    }
}

/// The part of a pattern before what is not fixed; a path without patterns is itself.
pub fn fixed_part(pattern: &str) -> &str {
    let Some(special) = pattern.find(['*', '?', '[']) else { return pattern };
    match pattern.get(..special).and_then(|start| start.rfind(['/', std::path::MAIN_SEPARATOR])) {
        Some(0) => "/",
        Some(slash) => pattern.get(..slash).unwrap_or(pattern),
        None => ".",
    }
}
