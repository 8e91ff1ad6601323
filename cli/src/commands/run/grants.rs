//! What a run is granted, and what is said where that is not enough.

use super::Args;
use crate::finding::{Finding, Stop};
use crate::program::{self, Target};
use ntl_engine::Fault;
use ntl_host::{Asked, Grants, Host, NetGrant};
use ntl_project::Manifest;
use std::path::{Path, PathBuf};

/// What a list of a manifest grants: paths are relative to its folder.
fn listed(manifest: &Manifest, permissions: &[&(String, Vec<String>)]) -> Result<Grants, Stop> {
    let folder = manifest.path.parent().unwrap_or(Path::new(""));
    let names = |kind: &str| -> Vec<String> {
        permissions.iter().filter(|(k, _)| k == kind).flat_map(|(_, names)| names.iter().cloned()).collect()
    };
    let paths = |kind: &str| names(kind).iter().map(|p| folder.join(p)).collect();
    let hosts: Result<Vec<_>, _> = names("net").iter().map(|host| NetGrant::parse(host)).collect();
    let net = hosts.map_err(|why| Finding::problem("invalid", format!("the manifest grants no host: {why}")))?;
    Ok(Grants {
        fs_read: paths("fs_read"),
        fs_write: paths("fs_write"),
        net,
        command: names("command"),
        env: names("env"),
    })
}

/// What the command line, the project's manifest and the chosen profile of it grant.
pub(super) fn of(args: &Args, manifest: Option<&Manifest>) -> Result<Grants, Stop> {
    let mut granted = Vec::new();
    if let Some(name) = &args.profile {
        let profiles = manifest.map_or(&[][..], |m| &m.profiles);
        let profile = profiles.iter().find(|p| p.name == *name).ok_or_else(|| {
            let problem = Finding::problem("not_found", format!("the project has no profile `{name}`"));
            let near = program::nearest(name, profiles.iter().map(|p| p.name.as_str()));
            problem.help(match near {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("a profile is written in ntl.toml: [profiles.{name}.permissions]"),
            })
        })?;
        granted.extend(&profile.permissions);
    }
    granted.extend(manifest.iter().flat_map(|m| &m.permissions));
    let mut grants = manifest.map_or_else(|| Ok(Grants::default()), |manifest| listed(manifest, &granted))?;
    grants.fs_read.extend(args.allow_fs_read.iter().cloned());
    grants.fs_write.extend(args.allow_fs_write.iter().cloned());
    grants.net.extend(args.allow_net.iter().cloned());
    grants.command.extend(args.allow_command.iter().cloned());
    grants.env.extend(args.allow_env.iter().cloned());
    Ok(grants)
}

/// Adds to a failure what would grant what was asked for, or where the file is that was meant.
pub(super) fn advised(finding: Finding, fault: &Fault, target: &Target, manifest: Option<&Manifest>) -> Finding {
    let Some(asked) = &fault.asked else { return finding };
    let folder = manifest.map_or(target.path.as_path(), |m| m.path.as_path()).parent().unwrap_or(Path::new(""));
    match elsewhere(asked, folder) {
        Some(note) => finding.help(note),
        None if fault.code == "permission" => match manifest.and_then(|m| grant(asked, m, folder)) {
            Some(note) => finding.help(note),
            None => finding,
        },
        None => finding,
    }
}

/// Where a file is that was looked for in the folder in which `ntl` was started.
fn elsewhere(asked: &Asked, folder: &Path) -> Option<String> {
    let path = asked.what.as_ref().filter(|_| asked.kind.starts_with("fs_"))?;
    let is_meant = Path::new(path).is_relative() && !Path::new(path).exists() && folder.join(path).exists();
    is_meant.then(|| {
        let folder = folder.display();
        format!("paths are relative to the folder in which `ntl` is started: run it in `{folder}`, where {path:?} is")
    })
}

/// What of a project grants it: one of its profiles, or a line of its manifest that would.
fn grant(asked: &Asked, manifest: &Manifest, folder: &Path) -> Option<String> {
    let root = std::env::current_dir().ok()?;
    let allows = |permissions: &[(String, Vec<String>)]| {
        let granted = listed(manifest, &permissions.iter().collect::<Vec<_>>());
        granted.is_ok_and(|granted| Host::new(granted, root.clone()).allows(&asked.kind, asked.what.as_deref()))
    };
    if let Some(profile) = manifest.profiles.iter().find(|p| allows(&p.permissions)) {
        return Some(format!("`--profile {}` grants it", profile.name));
    }
    let is_path = asked.kind.starts_with("fs_");
    let what = match &asked.what {
        Some(path) if is_path => within(&root.join(path), &root.join(folder)).display().to_string(),
        Some(what) => what.clone(),
        None if is_path => ".".to_owned(),
        None => "…".to_owned(),
    };
    let granted = manifest.permissions.iter().filter(|(kind, _)| *kind == asked.kind).flat_map(|(_, all)| all);
    let all: Vec<String> = granted.chain([&what]).map(|one| format!("{one:?}")).collect();
    Some(format!("in ntl.toml, under [permissions]: `{} = [{}]`", asked.kind, all.join(", ")))
}

/// A path as it is written in a folder that it lies in.
fn within(path: &Path, folder: &Path) -> PathBuf {
    // Components leave `.` out.
    let path: PathBuf = path.components().collect();
    let folder: PathBuf = folder.components().collect();
    match path.strip_prefix(&folder) {
        Ok(rest) if rest.as_os_str().is_empty() => PathBuf::from("."),
        Ok(rest) => rest.to_owned(),
        Err(_) => path,
    }
}
