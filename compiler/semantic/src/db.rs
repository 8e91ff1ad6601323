//! The database and its inputs.
#![expect(missing_docs, reason = "salsa generates undocumented accessors")]

use rustc_hash::FxHashMap;
use salsa::plumbing::AsId;
use smol_str::SmolStr;
use std::sync::{Arc, Mutex};

/// What every query takes first.
#[salsa::db]
pub trait Db: salsa::Database {}

/// The one database: the command line, the language server and the tests use it alike.
#[salsa::db]
#[derive(Clone)]
pub struct RootDb {
    storage: salsa::Storage<Self>,
    log: Option<Arc<Mutex<Vec<salsa::DatabaseKeyIndex>>>>,
}

#[salsa::db]
impl salsa::Database for RootDb {}
#[salsa::db]
impl Db for RootDb {}

impl Default for RootDb {
    fn default() -> Self {
        RootDb { storage: salsa::Storage::new(None), log: None }
    }
}

impl RootDb {
    /// A database that remembers which queries ran, for tests of incrementality.
    pub fn logging() -> Self {
        let log = Arc::<Mutex<Vec<_>>>::default();
        let sink = log.clone();
        let storage = salsa::Storage::new(Some(Box::new(move |event: salsa::Event| {
            if let salsa::EventKind::WillExecute { database_key } = event.kind
                && let Ok(mut log) = sink.lock()
            {
                log.push(database_key);
            }
        })));
        RootDb { storage, log: Some(log) }
    }

    /// The queries that ran since the last call, in order: `checked_body main.ntl half`, `imports main.ntl`; those of the
    /// library and those that are about neither a file nor an item by their names alone.
    pub fn take_log(&self) -> Vec<String> {
        let Some(log) = &self.log else { return Vec::new() };
        let taken = log.lock().map(|mut l| std::mem::take(&mut *l)).unwrap_or_default();
        let mut subjects: FxHashMap<salsa::Id, String> = FxHashMap::default();
        for (path, file) in Project::try_get(self).iter().flat_map(|project| project.files(self)) {
            subjects.insert(file.as_id(), format!(" {path}"));
            for item in crate::items::items(self, *file) {
                subjects.insert(item.as_id(), format!(" {path} {}", item.def(self).name));
            }
        }
        let name = |key: &salsa::DatabaseKeyIndex| {
            let shown = salsa::Database::attach(self, |_| format!("{key:?}"));
            let query = shown.split('(').next().unwrap_or_default();
            format!("{query}{}", subjects.get(&key.key_index()).map_or("", String::as_str))
        };
        let named = taken.iter().map(name).collect();
        // What was asked for the names is no part of it.
        log.lock().map(|mut log| log.clear()).unwrap_or_default();
        named
    }
}

/// A source file, or the knowledge that there is none at a path.
#[salsa::input(debug)]
pub struct SourceFile {
    /// Its path as shown to users, `/`-separated; `std/text.ntl` for a file of the standard library.
    #[returns(deref)]
    pub path: String,
    /// Its text; `None` where the file does not exist or cannot be read.
    #[returns(ref)]
    pub text: Option<Arc<str>>,
}

/// All that belongs together: set by `ntl-project`. One per database.
#[salsa::input(debug, singleton)]
pub struct Project {
    /// Every known file of the project by normalised path, sorted.
    #[returns(ref)]
    pub files: Vec<(String, SourceFile)>,
    /// The standard library: module name (`text`) and file, sorted by name.
    #[returns(ref)]
    pub std: Vec<(SmolStr, SourceFile)>,
}

/// Which kind of name an item declares: what can be called, what is a value and what is a type are found separately.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, salsa::SalsaValue)]
pub enum Space {
    /// `use`.
    Use,
    /// `const`.
    Value,
    /// `type`; its constructor is found here, too.
    Type,
    /// `fn`, `node`, `workflow`, `prompt`, `agent`.
    Callable,
    /// `secret`.
    Secret,
    /// `on`.
    On,
    /// `test`.
    Test,
    /// A piece without a meaning.
    Other,
}

/// An item of a file, by name: stable while other lines change.
#[derive(Clone, Debug, PartialEq, Eq, Hash, salsa::SalsaValue)]
pub struct Def {
    /// The file.
    pub file: SourceFile,
    /// The kind of name.
    pub space: Space,
    /// The name; empty for an item without one.
    pub name: SmolStr,
    /// Counts, from 0, the items of the file with the same kind and name: an overload of a native, or a duplicate.
    pub nth: u32,
}
