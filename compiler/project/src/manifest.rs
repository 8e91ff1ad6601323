//! `ntl.toml`: what a project is called and what its programs may touch.

use crate::{Files, LoadError, read};
use ntl_semantic::Code;
use ntl_semantic::diagnostics::codes;
use ntl_semantic::names::nearest;
use std::ops::Range;
use std::path::{Path, PathBuf};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// The kinds of permissions.
pub const PERMISSIONS: &[&str] = &["fs_read", "fs_write", "net", "command", "env", "secret"];

/// The version of the language that this compiler knows.
const LANGUAGE: &str = "0.1";

/// What `ntl.toml` says.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Manifest {
    /// Where it lies.
    pub path: PathBuf,
    /// `[project] name`.
    pub name: Option<String>,
    /// `[project] version`.
    pub version: Option<String>,
    /// `[permissions]`: kind (`fs_read`) and what is granted, paths relative to the manifest's folder.
    pub permissions: Vec<(String, Vec<String>)>,
    /// `[profiles.NAME.permissions]`.
    pub profiles: Vec<Profile>,
    /// `[packs]`: name and path.
    pub packs: Vec<(String, String)>,
}

/// `[profiles.NAME]`: what is granted beside the rest by `--profile NAME`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Profile {
    /// Its name.
    pub name: String,
    /// Its `permissions`, as in [`Manifest::permissions`].
    pub permissions: Vec<(String, Vec<String>)>,
}

/// Something wrong in a manifest.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    /// `E0702`.
    pub code: &'static str,
    /// Where, in bytes.
    pub range: Range<usize>,
    /// What, in one line.
    pub message: String,
    /// What to do.
    pub help: Option<String>,
}

/// The manifest in the folder of `path` or the nearest one above it.
pub fn find(files: &dyn Files, path: &Path) -> Result<Option<Manifest>, LoadError> {
    // Shown relative to where the command runs, as the program is, where it lies below.
    let here = files.absolute(Path::new("."));
    let absolute = PathBuf::from(ntl_semantic::modules::normalise(&files.absolute(path).to_string_lossy()));
    for folder in absolute.ancestors().skip(1) {
        let full = folder.join("ntl.toml");
        let shown = full.strip_prefix(&here).map_or_else(|_| full.clone(), Path::to_owned);
        if let Some(text) = read(files, &shown)? {
            return parse(shown, &text).map(Some);
        }
    }
    Ok(None)
}

fn parse(path: PathBuf, text: &str) -> Result<Manifest, LoadError> {
    let mut reader = Reader { problems: Vec::new() };
    let manifest = match DeTable::parse(text) {
        Ok(table) => reader.manifest(table.get_ref(), path.clone()),
        Err(error) => {
            reader.tell(
                codes::MANIFEST_SYNTAX,
                error.span().unwrap_or(0..0),
                format!("this is not TOML: {}", error.message()),
            );
            Manifest::default()
        }
    };
    reader.problems.sort_by_key(|problem| problem.range.start);
    let Some(first) = reader.problems.first() else { return Ok(manifest) };
    let line = text.bytes().take(first.range.start).filter(|byte| *byte == b'\n').count() + 1;
    let message = format!("line {line}: {}", first.message);
    Err(LoadError { problems: reader.problems, text: text.to_owned(), ..LoadError::new(&path, message) })
}

struct Reader {
    problems: Vec<Problem>,
}

type Value<'i> = Spanned<DeValue<'i>>;

impl Reader {
    fn tell(&mut self, code: Code, range: Range<usize>, message: String) {
        self.problems.push(Problem { code: code.id, range, message, help: None });
    }

    fn help(&mut self, help: String) {
        if let Some(last) = self.problems.last_mut() {
            last.help = Some(help);
        }
    }

    fn unknown(&mut self, key: &str, range: Range<usize>, place: &str, known: &[&str]) {
        let near = nearest(key, known);
        let hint = near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
        self.tell(codes::MANIFEST_KEY, range, format!("unknown key `{key}` in {place}{hint}"));
        self.help(format!("known are {}", known.iter().map(|k| format!("`{k}`")).collect::<Vec<_>>().join(", ")));
    }

    fn wrong(&mut self, key: &str, value: &Value<'_>, wanted: &str) {
        let message = format!("`{key}` must be {wanted}; this is of type {}", value.get_ref().type_str());
        self.tell(codes::MANIFEST_VALUE, value.span(), message);
    }

    fn text(&mut self, key: &str, value: &Value<'_>) -> Option<String> {
        match value.get_ref() {
            DeValue::String(text) => Some(text.to_string()),
            _ => {
                self.wrong(key, value, "a string");
                None
            }
        }
    }

    fn table<'t, 'i>(&mut self, key: &str, value: &'t Value<'i>) -> Option<&'t DeTable<'i>> {
        match value.get_ref() {
            DeValue::Table(table) => Some(table),
            _ => {
                self.wrong(key, value, "a table");
                None
            }
        }
    }

    fn manifest(&mut self, table: &DeTable<'_>, path: PathBuf) -> Manifest {
        let mut manifest = Manifest { path, ..Manifest::default() };
        for (key, value) in table {
            let name: &str = key.get_ref();
            match name {
                "project" => self.project(value, &mut manifest),
                "permissions" => manifest.permissions = self.permissions(name, value),
                "profiles" => {
                    for (profile, value) in self.table(name, value).into_iter().flatten() {
                        manifest.profiles.push(self.profile(profile.get_ref(), value));
                    }
                }
                "packs" => {
                    for (pack, value) in self.table(name, value).into_iter().flatten() {
                        manifest.packs.extend(self.pack(pack.get_ref(), value));
                    }
                }
                _ => self.unknown(name, key.span(), "the manifest", &["project", "permissions", "profiles", "packs"]),
            }
        }
        manifest
    }

    fn project(&mut self, value: &Value<'_>, manifest: &mut Manifest) {
        for (key, value) in self.table("project", value).into_iter().flatten() {
            let name: &str = key.get_ref();
            match name {
                "name" => manifest.name = self.text(name, value),
                "version" => manifest.version = self.text(name, value),
                "ntl" => {
                    if let Some(version) = self.text(name, value)
                        && version != LANGUAGE
                    {
                        let message = format!("this project is written in NTL {version}; this is NTL {LANGUAGE}");
                        self.tell(codes::MANIFEST_VERSION, value.span(), message);
                        self.help(format!("write `ntl = \"{LANGUAGE}\"`, or use the NTL that it asks for"));
                    }
                }
                _ => self.unknown(name, key.span(), "`[project]`", &["name", "version", "ntl"]),
            }
        }
    }

    fn permissions(&mut self, place: &str, value: &Value<'_>) -> Vec<(String, Vec<String>)> {
        let mut granted = Vec::new();
        for (key, value) in self.table(place, value).into_iter().flatten() {
            let name: &str = key.get_ref();
            if !PERMISSIONS.contains(&name) {
                self.unknown(name, key.span(), &format!("`[{place}]`"), PERMISSIONS);
                continue;
            }
            let DeValue::Array(items) = value.get_ref() else {
                self.wrong(name, value, "a list of strings");
                self.help(format!("write `{name} = [\"…\"]`"));
                continue;
            };
            let texts = items.iter().filter_map(|item| self.text(name, item)).collect();
            granted.push((name.to_owned(), texts));
        }
        granted
    }

    fn profile(&mut self, name: &str, value: &Value<'_>) -> Profile {
        let mut profile = Profile { name: name.to_owned(), permissions: Vec::new() };
        let place = format!("profiles.{name}");
        for (key, value) in self.table(&place, value).into_iter().flatten() {
            match key.get_ref().as_ref() {
                "permissions" => profile.permissions = self.permissions(&format!("{place}.permissions"), value),
                other => self.unknown(other, key.span(), &format!("`[{place}]`"), &["permissions"]),
            }
        }
        profile
    }

    fn pack(&mut self, name: &str, value: &Value<'_>) -> Option<(String, String)> {
        let mut path = None;
        let place = format!("packs.{name}");
        for (key, value) in self.table(&place, value)? {
            match key.get_ref().as_ref() {
                "path" => path = self.text("path", value),
                other => self.unknown(other, key.span(), &format!("`[{place}]`"), &["path"]),
            }
        }
        if path.is_none() && self.problems.is_empty() {
            self.tell(codes::MANIFEST_VALUE, value.span(), format!("the pack `{name}` has no `path`"));
        }
        path.map(|path| (name.to_owned(), path))
    }
}
