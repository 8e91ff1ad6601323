//! Files. A path is followed to where it leads before it is asked whether that is granted, and what was opened is asked
//! about once more, so that neither `..` nor a link nor one that changes meanwhile leads out of what is granted.

use crate::place::{self, Place};
use crate::{Host, Refusal, flag};
use jiff::Timestamp;
use std::fs::{File, OpenOptions};
use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

/// What is known of a file or folder.
#[derive(Clone, Debug, PartialEq)]
pub struct Stat {
    /// Bytes; of a folder what the system says.
    pub size: u64,
    /// When it last changed: nanoseconds since 1970-01-01T00:00:00Z; 0 where the system does not know.
    pub modified: i64,
    /// Whether it is a folder.
    pub is_dir: bool,
}

/// The longest file that is read.
const LONGEST: u64 = 1 << 30;

/// A file that is written part by part, and is there only when all of it is: whoever reads it meanwhile, and whoever writes
/// it too, meets one whole text or another.
#[derive(Debug)]
pub struct Replacing {
    file: File,
    /// Where it is written, beside the place that it takes in the end; `None` where it is written in place.
    part: Option<PathBuf>,
    to: PathBuf,
    path: String,
}

/// How the name of a file ends that is not whole yet.
const PART: &str = ".ntl-part";

impl Replacing {
    /// Writes the next part.
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), Refusal> {
        told(&self.path, self.file.write_all(bytes))
    }

    /// Puts it in its place.
    pub fn finish(self) -> Result<(), Refusal> {
        told(&self.path, self.part.as_ref().map_or(Ok(()), |part| std::fs::rename(part, &self.to)))
    }

    /// Makes a file beside the one that is there, with its owner and permissions.
    fn beside(there: Option<&File>, to: &Path, path: &str) -> io::Result<Self> {
        let name = to.file_name().ok_or(io::ErrorKind::IsADirectory)?.to_string_lossy();
        // Not from the program's own sequence of random numbers: that would change what it does.
        let nobody_has = RandomState::new().build_hasher().finish();
        let part = to.with_file_name(format!(".{name}.{nobody_has:016x}{PART}"));
        let file = OpenOptions::new().write(true).create_new(true).open(&part)?;
        let replacing = Replacing { file, part: Some(part.clone()), to: to.to_owned(), path: path.to_owned() };
        if !still_there(&replacing.file, &part) {
            return Err(io::ErrorKind::NotFound.into());
        }
        if let Some(there) = there {
            like(there, &replacing.file)?;
        }
        Ok(replacing)
    }
}

/// What was not finished leaves nothing behind.
impl Drop for Replacing {
    fn drop(&mut self) {
        let _ = self.part.as_ref().map(|part| remove_file(part));
    }
}

/// Whether another file may take the place of this one: a device or a pipe is written itself, and so is what has another
/// name, which would go on to hold the old text.
fn is_replaceable(file: &File) -> io::Result<bool> {
    let data = file.metadata()?;
    #[cfg(unix)]
    let has_no_other_name = std::os::unix::fs::MetadataExt::nlink(&data) <= 1;
    #[cfg(not(unix))]
    let has_no_other_name = true;
    Ok(data.is_file() && has_no_other_name)
}

/// Gives a new file the owner and permissions of another.
fn like(old: &File, new: &File) -> io::Result<()> {
    let data = old.metadata()?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        let made = new.metadata()?;
        if (made.uid(), made.gid()) != (data.uid(), data.gid()) {
            std::os::unix::fs::fchown(new, Some(data.uid()), Some(data.gid()))?;
        }
    }
    new.set_permissions(data.permissions())
}

#[derive(Clone, Copy, PartialEq)]
enum Access {
    Read,
    Write,
}

impl Host {
    /// The bytes of a file.
    pub fn read(&self, path: &str) -> Result<Vec<u8>, Refusal> {
        let place = self.existing(path, Access::Read)?;
        let read = || {
            let mut file = OpenOptions::new().read(true).open(&place.path)?;
            if file.metadata()?.is_dir() {
                return Err(io::ErrorKind::IsADirectory.into());
            }
            if !still_there(&file, &place.path) {
                return Ok(None);
            }
            let mut bytes = Vec::new();
            // What is no file proper may never end.
            (&mut file).take(LONGEST + 1).read_to_end(&mut bytes)?;
            if bytes.len() as u64 > LONGEST { Err(io::ErrorKind::FileTooLarge.into()) } else { Ok(Some(bytes)) }
        };
        told(path, read())?.ok_or_else(|| self.not_granted(path, Access::Read))
    }

    /// Whether there is a file or folder.
    pub fn exists(&self, path: &str) -> Result<bool, Refusal> {
        match self.granted(path, Access::Read) {
            Ok(place) => Ok(place.exists),
            Err(r) if r.code == "not_found" => Ok(false),
            Err(r) => Err(r),
        }
    }

    /// What is known of a file or folder.
    pub fn stat(&self, path: &str) -> Result<Stat, Refusal> {
        let place = self.existing(path, Access::Read)?;
        let data = told(path, place.path.metadata())?;
        let modified = data.modified().ok().and_then(|t| Timestamp::try_from(t).ok());
        let modified = modified.and_then(|t| i64::try_from(t.as_nanosecond()).ok());
        Ok(Stat { size: data.len(), modified: modified.unwrap_or(0), is_dir: data.is_dir() })
    }

    /// The paths that a pattern matches, sorted; those that are not granted, or have no text for a name, are left out. They
    /// are relative if the pattern is.
    pub fn list(&self, pattern: &str) -> Result<Vec<String>, Refusal> {
        self.granted(place::fixed_part(pattern), Access::Read)?;
        let base = PathBuf::from(glob::Pattern::escape(&self.root.to_string_lossy()));
        let full = base.join(pattern);
        let found = glob::glob(&full.to_string_lossy())
            .map_err(|e| Refusal::new("invalid", format!("{pattern:?} is no pattern: {}", e.msg)))?;
        let mut paths: Vec<String> = found
            .filter_map(Result::ok)
            .filter(|p| !p.as_os_str().to_string_lossy().ends_with(PART))
            .filter(|p| p.canonicalize().is_ok_and(|path| Place { path, exists: true }.is_within(&self.fs_read)))
            .filter_map(|p| {
                let shown =
                    if Path::new(pattern).is_absolute() { &p } else { p.strip_prefix(&self.root).unwrap_or(&p) };
                shown.to_str().map(str::to_owned)
            })
            .collect();
        paths.sort_unstable();
        paths.dedup();
        Ok(paths)
    }

    /// Writes a file, in place of the one that is there; its owner and permissions stay.
    pub fn write(&self, path: &str, bytes: &[u8]) -> Result<(), Refusal> {
        let mut file = self.replace(path)?;
        file.write(bytes)?;
        file.finish()
    }

    /// Begins to write a file that takes the place of the one that is there when all of it has come.
    pub fn replace(&self, path: &str) -> Result<Replacing, Refusal> {
        let place = self.writable(path)?;
        let begin = || {
            if place.exists && place.path.metadata()?.is_dir() {
                return Err(io::ErrorKind::IsADirectory.into());
            }
            // What may not be written may not be replaced either.
            let open = || OpenOptions::new().write(true).create(true).truncate(false).open(&place.path);
            let there = place.exists.then(open).transpose()?;
            if there.as_ref().is_some_and(|file| !still_there(file, &place.path)) {
                return Ok(None);
            }
            if there.as_ref().is_none_or(|file| is_replaceable(file).unwrap_or(false))
                && let Ok(beside) = Replacing::beside(there.as_ref(), &place.path, path)
            {
                return Ok(Some(beside));
            }
            let file = there.map_or_else(open, Ok)?;
            // Cut only after it is known to be the granted one.
            if !still_there(&file, &place.path) {
                return Ok(None);
            }
            if file.metadata()?.is_file() {
                file.set_len(0)?;
            }
            Ok(Some(Replacing { file, part: None, to: place.path.clone(), path: path.to_owned() }))
        };
        told(path, begin())?.ok_or_else(|| self.not_granted(path, Access::Write))
    }

    /// Writes at the end of a file, which is made if it is not there.
    pub fn append(&self, path: &str, bytes: &[u8]) -> Result<(), Refusal> {
        let place = self.writable(path)?;
        let append = || {
            let mut file = OpenOptions::new().append(true).create(true).open(&place.path)?;
            let inside = still_there(&file, &place.path);
            if inside {
                file.write_all(bytes)?;
            }
            Ok(inside)
        };
        self.done(path, append())
    }

    /// Removes a file, a link, or an empty folder.
    pub fn remove(&self, path: &str) -> Result<(), Refusal> {
        let place = self.entry(path)?;
        let remove = || match place.symlink_metadata()?.is_dir() {
            true => std::fs::remove_dir(&place),
            false => remove_file(&place),
        };
        told(path, remove())
    }

    /// Copies a file, in place of the one that is there.
    pub fn copy(&self, from: &str, to: &str) -> Result<(), Refusal> {
        let bytes = self.read(from)?;
        self.write(to, &bytes)
    }

    /// Moves a file or folder, or a link as it is. A file that is there is replaced.
    pub fn rename(&self, from: &str, to: &str) -> Result<(), Refusal> {
        let source = self.entry(from)?;
        self.existing(from, Access::Read)?;
        let target = self.writable(to)?;
        told(&format!("{from} to {to}"), std::fs::rename(source, target.path))
    }

    /// Makes a folder, and those that it stands in. Fine if it is there.
    pub fn mkdir(&self, path: &str) -> Result<(), Refusal> {
        let place = self.writable(path)?;
        told(path, std::fs::create_dir_all(&place.path))
    }

    /// Where a path leads, if that is granted. What is not granted is not told apart from what is not there.
    fn granted(&self, path: &str, access: Access) -> Result<Place, Refusal> {
        let granted = if access == Access::Read { &self.fs_read } else { &self.fs_write };
        let place = place::of(&self.root, path);
        match place {
            Ok(place) if place.is_within(granted) => Ok(place),
            Err(refusal) if refusal.code == "invalid" => Err(refusal),
            // A path that leads nowhere: it says so only where everything is granted anyway.
            Err(refusal) if granted.iter().any(|g| g.parent().is_none()) => Err(refusal),
            _ => Err(self.not_granted(path, access)),
        }
    }

    fn existing(&self, path: &str, access: Access) -> Result<Place, Refusal> {
        let place = self.granted(path, access)?;
        if place.exists {
            return Ok(place);
        }
        Err(not_there(path))
    }

    /// Where something is or may be written. A link that leads nowhere is refused: what it leads to is unknown.
    fn writable(&self, path: &str) -> Result<Place, Refusal> {
        let place = self.granted(path, Access::Write)?;
        if !place.exists && place.path.ancestors().any(Path::is_symlink) {
            return Err(Refusal::new("invalid", format!("{path:?} is a link that leads nowhere")));
        }
        Ok(place)
    }

    /// The entry of a folder that a path names, itself not followed if it is a link: what is removed or moved.
    fn entry(&self, path: &str) -> Result<PathBuf, Refusal> {
        let place = self.granted(path, Access::Write);
        let full = self.root.join(path);
        if !full.is_symlink() {
            let place = place?;
            return match place.exists {
                true => Ok(place.path),
                false => Err(not_there(path)),
            };
        }
        let folder = full.parent().and_then(|p| p.canonicalize().ok());
        match (folder, full.file_name()) {
            (Some(folder), Some(name)) if self.fs_write.iter().any(|g| folder.starts_with(g)) => Ok(folder.join(name)),
            _ => Err(self.not_granted(path, Access::Write)),
        }
    }

    fn not_granted(&self, path: &str, access: Access) -> Refusal {
        let (kind, what) = match access {
            Access::Read => ("fs_read", "read"),
            Access::Write => ("fs_write", "written"),
        };
        let message = format!("{path:?} may not be {what}: nothing grants it; `{}` would", flag(kind, path));
        Refusal::new("permission", message).asking(kind, path)
    }

    fn done(&self, path: &str, result: io::Result<bool>) -> Result<(), Refusal> {
        match told(path, result)? {
            true => Ok(()),
            false => Err(self.not_granted(path, Access::Write)),
        }
    }
}

/// Whether an open file is the one that this path leads to: a link put there meanwhile would lead elsewhere.
#[cfg(target_os = "linux")]
fn still_there(file: &File, path: &Path) -> bool {
    use std::os::fd::AsRawFd;
    let opened = PathBuf::from(format!("/proc/self/fd/{}", file.as_raw_fd()));
    match std::fs::read_link(opened) {
        Ok(opened) if opened == path => true,
        // Another has taken its place since: what was opened is what was there.
        Ok(opened) => {
            let is_gone = file.metadata().is_ok_and(|data| std::os::unix::fs::MetadataExt::nlink(&data) == 0);
            is_gone
                && opened.as_os_str().as_encoded_bytes().strip_suffix(b" (deleted)")
                    == Some(path.as_os_str().as_encoded_bytes())
        }
        // Without /proc: asked by name.
        Err(_) => path.canonicalize().is_ok_and(|p| p == path),
    }
}
#[cfg(not(target_os = "linux"))]
fn still_there(_: &File, path: &Path) -> bool {
    path.canonicalize().is_ok_and(|p| p == path)
}

#[expect(clippy::disallowed_methods, reason = "this crate is the gate that all others go through")]
fn remove_file(path: &Path) -> io::Result<()> {
    std::fs::remove_file(path)
}

fn not_there(path: &str) -> Refusal {
    Refusal::new("not_found", format!("{path:?}: no such file or folder")).asking("fs_read", path)
}

/// A failure of the system as users read it.
fn told<T>(path: &str, result: io::Result<T>) -> Result<T, Refusal> {
    result.map_err(|e| {
        let (code, what) = match e.kind() {
            io::ErrorKind::NotFound => ("not_found", "no such file or folder".to_owned()),
            io::ErrorKind::AlreadyExists => ("exists", "there is one already".to_owned()),
            io::ErrorKind::PermissionDenied => ("permission", "the system does not permit it".to_owned()),
            io::ErrorKind::IsADirectory => ("invalid", "it is a folder".to_owned()),
            io::ErrorKind::NotADirectory => ("invalid", "a part of it is no folder".to_owned()),
            io::ErrorKind::DirectoryNotEmpty => ("invalid", "the folder is not empty".to_owned()),
            io::ErrorKind::FileTooLarge => ("invalid", format!("it is longer than {} MB", LONGEST >> 20)),
            _ => ("failed", e.to_string()),
        };
        Refusal::new(code, format!("{path:?}: {what}"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Grants;
    use tempfile::TempDir;

    /// `root/in` is granted, `root/out/secret.txt` is not.
    fn host(read: &[&str], write: &[&str]) -> (TempDir, Host) {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().join("root");
        for folder in ["in/deep", "out"] {
            std::fs::create_dir_all(root.join(folder)).unwrap();
        }
        for file in ["in/a.txt", "in/deep/b.txt", "out/secret.txt"] {
            put(&root.join(file), file);
        }
        let paths = |list: &[&str]| list.iter().map(PathBuf::from).collect();
        let host = Host::new(Grants { fs_read: paths(read), fs_write: paths(write), ..Grants::default() }, root);
        (dir, host)
    }

    #[expect(clippy::disallowed_methods, reason = "the test looks at what the host did")]
    fn put(path: &Path, text: &str) {
        std::fs::write(path, text).unwrap();
    }
    #[expect(clippy::disallowed_methods, reason = "the test looks at what the host did")]
    fn got(path: &Path) -> String {
        std::fs::read_to_string(path).unwrap()
    }
    fn code<T: std::fmt::Debug>(result: Result<T, Refusal>) -> &'static str {
        result.unwrap_err().code
    }

    #[test]
    fn reads_what_is_granted_only() {
        let (_dir, host) = host(&["in"], &[]);
        assert_eq!(host.read("in/a.txt").unwrap(), b"in/a.txt");
        assert_eq!(host.read("./in/deep/../a.txt").unwrap(), b"in/a.txt");
        assert_eq!(code(host.read("in/none.txt")), "not_found");
        assert_eq!(code(host.read("in")), "invalid");
        for path in [
            "out/secret.txt",
            "in/../out/secret.txt",
            "out/none.txt",
            "in/../../x",
            "/etc/passwd",
            "in/none/../../out/secret.txt",
            "nowhere/x",
        ] {
            assert_eq!(code(host.read(path)), "permission", "{path}");
            assert_eq!(code(host.exists(path)), "permission", "{path}");
        }
        let refused = host.read("out/secret.txt").unwrap_err();
        assert_eq!(
            refused.message,
            r#""out/secret.txt" may not be read: nothing grants it; `--allow-fs-read=out/secret.txt` would"#
        );
        assert_eq!(code(host.read("")), "invalid");
        assert_eq!(code(host.read("in/a\0.txt")), "invalid");
        assert_eq!(code(host.write("in/a.txt", b"")), "permission");
        assert!(host.exists("in/deep").unwrap() && !host.exists("in/none").unwrap());
        assert_eq!(host.stat("in/a.txt").map(|s| (s.size, s.is_dir)), Ok((8, false)));
        assert!(host.stat("in/a.txt").unwrap().modified > 1_500_000_000_000_000_000);
    }

    #[test]
    fn a_grant_may_be_a_file_or_not_be_there_yet() {
        let (_dir, host) = host(&["in/a.txt"], &["new"]);
        assert!(host.read("in/a.txt").is_ok());
        assert_eq!(code(host.read("in/deep/b.txt")), "permission");
        host.mkdir("new/x").unwrap();
        host.write("new/x/y.txt", b"1").unwrap();
        assert_eq!(code(host.write("newer.txt", b"1")), "permission");
    }

    #[test]
    fn allows_says_what_would_be_refused() {
        let (_dir, host) = host(&["in"], &[]);
        assert!(host.allows("fs_read", None) && !host.allows("fs_write", None) && !host.allows("net", None));
        assert!(host.allows("fs_read", Some("in/*.txt")) && host.allows("fs_read", Some("in/none")));
        assert!(!host.allows("fs_read", Some("*.txt")) && !host.allows("fs_read", Some("in/../out/x")));
        assert!(!host.allows("fs_write", Some("in/a.txt")));
    }

    #[test]
    fn lists_sorted_and_granted() {
        let (_dir, host) = host(&["in"], &[]);
        assert_eq!(host.list("in/**/*.txt").unwrap(), ["in/a.txt", "in/deep/b.txt"]);
        assert_eq!(host.list("in/[").map_err(|r| r.code), Err("invalid"));
        assert_eq!(code(host.list("**/*.txt")), "permission");
        assert_eq!(code(host.list("out/*")), "permission");
        assert!(host.list("in/*/../../out/*").unwrap().is_empty());
        let absolute = host.root.join("in/*.txt").to_string_lossy().into_owned();
        assert_eq!(host.list(&absolute).unwrap().len(), 1);
    }

    #[test]
    fn writes_appends_moves_removes() {
        let (_dir, host) = host(&["in"], &["in"]);
        let root = host.root.clone();
        host.write("in/n.txt", b"long text").unwrap();
        host.write("in/n.txt", b"x").unwrap();
        host.append("in/n.txt", b"y").unwrap();
        host.append("in/m.txt", b"z").unwrap();
        assert_eq!((got(&root.join("in/n.txt")), got(&root.join("in/m.txt"))), ("xy".into(), "z".into()));
        host.copy("in/n.txt", "in/c.txt").unwrap();
        host.rename("in/n.txt", "in/m.txt").unwrap();
        assert_eq!((host.exists("in/n.txt"), got(&root.join("in/m.txt"))), (Ok(false), "xy".into()));
        host.mkdir("in/p/q").unwrap();
        host.mkdir("in/p/q").unwrap();
        assert_eq!(code(host.remove("in/p")), "invalid");
        host.remove("in/p/q").unwrap();
        assert_eq!(code(host.remove("in/p/q")), "not_found");
        assert_eq!(code(host.write("in/none/x.txt", b"")), "not_found");
        assert_eq!(code(host.write("in/deep", b"")), "invalid");
        for result in [
            host.copy("in/c.txt", "out/c.txt"),
            host.copy("out/secret.txt", "in/s.txt"),
            host.rename("in/c.txt", "out/c.txt"),
            host.rename("out/secret.txt", "in/s.txt"),
            host.remove("out/secret.txt"),
            host.mkdir("out/d"),
        ] {
            assert_eq!(code(result), "permission");
        }
    }

    #[test]
    fn whoever_reads_meets_a_whole_text() {
        let (_dir, host) = host(&["in"], &["in"]);
        let texts = [vec![b'x'; 100_000], vec![b'y'; 30_000]];
        host.write("in/a.txt", &texts[0]).unwrap();
        std::thread::scope(|scope| {
            for text in &texts {
                scope.spawn(|| (0..50).for_each(|_| host.write("in/a.txt", text).unwrap()));
            }
            scope.spawn(|| (0..100).for_each(|_| assert!(texts.contains(&host.read("in/a.txt").unwrap()))));
        });
        assert_eq!(host.list("in/*").unwrap(), ["in/a.txt", "in/deep"]);
        // What is given up leaves what was there.
        let mut given_up = host.replace("in/a.txt").unwrap();
        given_up.write(b"half").unwrap();
        assert_eq!(host.list("in/*").unwrap(), ["in/a.txt", "in/deep"]);
        drop(given_up);
        assert!(texts.contains(&host.read("in/a.txt").unwrap()));
        assert_eq!(host.root.join("in").read_dir().unwrap().count(), 2);
    }

    #[cfg(unix)]
    #[test]
    fn what_is_replaced_keeps_what_it_is() {
        use std::os::unix::fs::{MetadataExt as _, PermissionsExt, symlink};
        let (_dir, host) = host(&["in"], &["in"]);
        let folder = host.root.join("in");
        std::fs::set_permissions(folder.join("a.txt"), PermissionsExt::from_mode(0o640)).unwrap();
        symlink("a.txt", folder.join("link.txt")).unwrap();
        host.write("in/link.txt", b"through").unwrap();
        let written = folder.join("a.txt").symlink_metadata().unwrap();
        assert_eq!((got(&folder.join("a.txt")).as_str(), written.mode() & 0o777), ("through", 0o640));
        assert!(folder.join("link.txt").is_symlink());
        // Another name of the file goes on to be one.
        std::fs::hard_link(folder.join("a.txt"), folder.join("b.txt")).unwrap();
        host.write("in/b.txt", b"both").unwrap();
        assert_eq!(got(&folder.join("a.txt")), "both");
        // A name for which there is none beside.
        let long = format!("in/{}", "n".repeat(250));
        host.write(&long, b"1").unwrap();
        host.write(&long, b"2").unwrap();
        assert_eq!(host.read(&long).unwrap(), b"2");
    }

    #[cfg(unix)]
    #[test]
    fn links_never_lead_out() {
        use std::os::unix::fs::symlink;
        let (dir, host) = host(&["in"], &["in"]);
        let root = host.root.clone();
        symlink(root.join("out/secret.txt"), root.join("in/leak.txt")).unwrap();
        symlink(root.join("out"), root.join("in/folder")).unwrap();
        symlink(dir.path().join("nothing"), root.join("in/dangling")).unwrap();
        symlink("a.txt", root.join("in/fine.txt")).unwrap();
        symlink("loop", root.join("in/loop")).unwrap();
        for path in ["in/leak.txt", "in/folder/secret.txt", "in/folder/new.txt", "in/folder"] {
            assert_eq!(code(host.read(path)), "permission", "{path}");
            assert_eq!(code(host.stat(path)), "permission", "{path}");
            assert_eq!(code(host.write(path, b"no")), "permission", "{path}");
            assert_eq!(code(host.append(path, b"no")), "permission", "{path}");
        }
        assert_eq!(code(host.write("in/dangling", b"no")), "invalid");
        assert_eq!(code(host.append("in/dangling", b"no")), "invalid");
        assert_eq!(code(host.write("in/loop", b"no")), "invalid");
        assert_eq!(code(host.mkdir("in/dangling/x")), "invalid");
        assert_eq!(code(host.remove("in/folder/secret.txt")), "permission");
        assert_eq!(host.list("in/*.txt").unwrap(), ["in/a.txt", "in/fine.txt"]);
        assert!(host.list("in/folder/../*").map_or(true, |found| found.iter().all(|p| p.starts_with("in/folder/../"))));
        // A link is removed and moved as a link; what it leads to stays.
        host.write("in/fine.txt", b"through").unwrap();
        assert_eq!(got(&root.join("in/a.txt")), "through");
        host.remove("in/leak.txt").unwrap();
        host.remove("in/folder").unwrap();
        assert_eq!(got(&root.join("out/secret.txt")), "out/secret.txt");
        assert!(!dir.path().join("nothing").exists());
    }
}
