//! From a path to a checked program and its plan.

use crate::exit::Exit;
use crate::files;
use crate::finding::{Finding, Stop};
use crate::sources::{At, Sources};
use ntl_plan::Plan;
use ntl_project::{Disk, Files, LoadError, Loaded, Manifest};
use ntl_semantic::diagnostic::Code;
use ntl_semantic::diagnostics::codes;
use ntl_semantic::{Def, Diagnostic, RootDb, SourceFile, query};
use ntl_syntax::ast::CallableKind;
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// What `run` and `compile` are told: a file and, perhaps, which of its workflows.
#[derive(Debug, PartialEq, Eq)]
pub struct Target {
    /// The file.
    pub path: PathBuf,
    /// The name after `:`.
    pub workflow: Option<String>,
}

impl Target {
    /// Splits `file.ntl:workflow`. A path may contain `:` itself: what exists as it stands is a path.
    pub fn parse(text: &OsStr) -> Self {
        let whole = Target { path: text.into(), workflow: None };
        match text.to_str().and_then(|t| t.rsplit_once(':')) {
            Some((path, name)) if !path.is_empty() && !name.contains(['/', '\\', '.']) && !Path::new(text).exists() => {
                Target { path: path.into(), workflow: Some(name.trim_matches('`').to_owned()) }
            }
            _ => whole,
        }
    }

    /// Whether it is a compiled plan.
    pub fn is_plan(&self) -> bool {
        self.path.extension().is_some_and(|e| e == "ntlp")
    }
}

/// A compiled workflow and what is known besides.
pub struct Compiled {
    /// The plan.
    pub plan: Plan,
    /// Warnings about the sources.
    pub warnings: Vec<Finding>,
    /// The sources, where they are at hand.
    pub sources: Sources,
    /// The project's manifest.
    pub manifest: Option<Manifest>,
}

/// Loads a file and all that it uses.
pub fn load(db: &mut RootDb, given: &Given, path: &Path) -> Result<Loaded, Stop> {
    ntl_project::load(db, given, path).map_err(|e| unloaded(&e))
}

/// Where sources come from: the disk, standard input for `-`, and before both what a text has become.
#[derive(Default)]
pub struct Given(BTreeMap<PathBuf, String>);

impl Given {
    /// Reads standard input if it is among the paths.
    pub fn read(paths: &[PathBuf]) -> Result<Given, Stop> {
        let mut given = Given::default();
        if let Some(path) = paths.iter().find(|path| path.as_os_str() == "-") {
            given.replace(path, Some(files::read_text(path)?));
        }
        Ok(given)
    }

    /// Puts a text in the place of a file's, or takes it away; gives the one that was there.
    pub fn replace(&mut self, path: &Path, text: Option<String>) -> Option<String> {
        match text {
            Some(text) => self.0.insert(path.to_owned(), text),
            None => self.0.remove(path),
        }
    }

    /// The texts that stand in the place of files.
    pub fn replaced(&self) -> impl Iterator<Item = (&Path, &str)> {
        self.0.iter().map(|(path, text)| (path.as_path(), text.as_str()))
    }
}

impl Files for Given {
    fn read(&self, path: &Path) -> std::io::Result<Option<String>> {
        match self.0.get(path) {
            Some(text) => Ok(Some(text.clone())),
            None => Disk.read(path),
        }
    }

    fn absolute(&self, path: &Path) -> PathBuf {
        Disk.absolute(path)
    }
}

/// Why a file cannot be loaded: the system does not let us have it, or the manifest is wrong.
fn unloaded(error: &LoadError) -> Stop {
    let shown = error.path.display().to_string();
    let mut sources = Sources::default();
    let source = sources.insert(&shown, error.text.as_str().into());
    let mut findings: Vec<Finding> = error
        .problems
        .iter()
        .map(|p| Finding {
            at: Some(At::of(&shown, source, p.range.clone())),
            notes: p.help.iter().cloned().collect(),
            ..Finding::problem(p.code, &p.message)
        })
        .collect();
    if findings.is_empty() {
        let code = if error.is_missing { "not_found" } else { "invalid" };
        findings.push(Finding::problem(code, format!("cannot read `{shown}`: {}", error.message)));
    }
    Stop { findings, sources, exit: Exit::Wrong }
}

/// What there is to say about `files`, in their order.
pub fn check(db: &RootDb, sources: &mut Sources, files: &[SourceFile]) -> Vec<Finding> {
    let diagnostics = files.iter().flat_map(|file| query::file_diagnostics(db, *file));
    diagnostics.map(|d| Finding::of_diagnostic(db, sources, &d)).collect()
}

/// Compiles a workflow, or reads one that was compiled.
pub fn compile(target: &Target) -> Result<Compiled, Stop> {
    if target.is_plan() {
        return read_plan(target);
    }
    let mut db = RootDb::default();
    let loaded = load(&mut db, &Given::read(std::slice::from_ref(&target.path))?, &target.path)?;
    let mut sources = Sources::default();
    let files = query::files_in_use(&db, loaded.root);
    let mut findings = check(&db, &mut sources, &files);
    if findings.iter().any(Finding::is_error) {
        return Err(Stop { findings, sources, exit: Exit::Wrong });
    }
    let workflow = choose(&db, loaded.root, target)?;
    let plan = match ntl_lower::lower(&db, &workflow) {
        Ok(plan) => plan,
        Err(diagnostics) => {
            findings.extend(diagnostics.iter().map(|d| Finding::of_diagnostic(&db, &mut sources, d)));
            return Err(Stop { findings, sources, exit: unlowered(&diagnostics) });
        }
    };
    for file in files {
        sources.add(&db, file);
    }
    // Taking the database down costs more than a small run does.
    std::mem::forget(db);
    Ok(Compiled { plan, warnings: findings, sources, manifest: loaded.manifest })
}

/// How it ends when a sound program gives no plan: mostly, because this version lacks what would run it.
fn unlowered(diagnostics: &[Diagnostic]) -> Exit {
    let any = |code: Code| diagnostics.iter().any(|d| d.code == code.id);
    if any(codes::NO_PLAN) {
        Exit::Internal
    } else if any(codes::TOO_LARGE) {
        Exit::Wrong
    } else {
        Exit::Missing
    }
}

fn read_plan(target: &Target) -> Result<Compiled, Stop> {
    let bytes = files::read_bytes(&target.path, ntl_plan::MAX_SIZE)?;
    let plan = ntl_plan::read(&bytes).map_err(|e| {
        Finding::problem("invalid", format!("`{}` is no plan that can be run: {}", target.path.display(), e.message))
            .help("compile it again: ntl compile FILE.ntl")
    })?;
    if let Some(name) = &target.workflow
        && *name != plan.workflow
    {
        let message = format!("`{}` holds the workflow `{}`, not `{name}`", target.path.display(), plan.workflow);
        return Err(Finding::problem("not_found", message).into());
    }
    let manifest = ntl_project::find_manifest(&Disk, &target.path).map_err(|e| unloaded(&e))?;
    Ok(Compiled { plan, warnings: Vec::new(), sources: Sources::default(), manifest })
}

/// The workflow that is meant: the one named, else the only one, else `main`.
fn choose(db: &RootDb, file: SourceFile, target: &Target) -> Result<Def, Stop> {
    let is_workflow = |d: &Def| query::signature(db, d).is_some_and(|s| s.kind == CallableKind::Workflow);
    let workflows: Vec<Def> = query::defs(db, file).into_iter().filter(is_workflow).collect();
    let named = |name: &str| workflows.iter().find(|d| d.name == name);
    let list = || workflows.iter().map(|d| format!("`{}`", d.name)).collect::<Vec<_>>().join(", ");
    let shown = target.path.display();
    let chosen = match &target.workflow {
        Some(name) => named(name),
        None if workflows.len() == 1 => workflows.first(),
        None => named("main"),
    };
    let problem = || match &target.workflow {
        _ if workflows.is_empty() => Finding::problem("not_found", format!("`{shown}` has no workflow"))
            .help("only a workflow is run: workflow main() -> str { \"…\" }"),
        Some(name) => {
            let nearest = nearest(name, workflows.iter().map(|d| d.name.as_str()));
            let help = nearest
                .map_or_else(|| format!("it has {}", list()), |n| format!("did you mean `{n}`? It has {}", list()));
            Finding::problem("not_found", format!("`{shown}` has no workflow `{name}`")).help(help)
        }
        None => Finding::problem(
            "not_found",
            format!("`{shown}` has several workflows and none is called `main`: {}", list()),
        )
        .help(format!("name one: ntl run {shown}:{}", workflows.first().map_or("main", |d| d.name.as_str()))),
    };
    chosen.cloned().ok_or_else(|| problem().into())
}

/// The most similar of some names, if one is similar at all.
pub fn nearest<'a>(name: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let scored = names.into_iter().map(|n| (strsim::jaro_winkler(name, n), n)).filter(|(score, _)| *score > 0.75);
    scored.max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, n)| n)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_target_is_a_path_and_perhaps_a_workflow() {
        let parse = |t: &str| {
            let Target { path, workflow } = Target::parse(OsStr::new(t));
            (path.display().to_string(), workflow)
        };
        assert_eq!(parse("a.ntl"), ("a.ntl".into(), None));
        assert_eq!(parse("a.ntl:main"), ("a.ntl".into(), Some("main".into())));
        assert_eq!(parse("a.ntl:`my flow`"), ("a.ntl".into(), Some("my flow".into())));
        assert_eq!(parse("c:/b/a.ntl"), ("c:/b/a.ntl".into(), None));
        assert_eq!(parse("odd:name.ntl"), ("odd:name.ntl".into(), None));
        assert_eq!(parse(":x"), (":x".into(), None));
    }

    #[test]
    fn a_path_that_exists_is_a_path() {
        let folder = tempfile::tempdir().unwrap();
        let odd = folder.path().join("a:b");
        files::write_new(&odd, "").unwrap();
        assert_eq!(Target::parse(odd.as_os_str()), Target { path: odd, workflow: None });
    }
}
