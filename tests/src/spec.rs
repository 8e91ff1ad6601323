//! Chapters of the language reference as tests (`spec/README.md` tells the form).

use crate::compare::{Wanted, differences, unpaired};
use crate::ntl::ntl;
use serde_json::{Value, json};
use std::path::Path;

/// A chapter.
#[derive(Debug, Default)]
pub struct Chapter {
    /// Its files.
    files: Vec<File>,
    /// What is expected of checking them. Lines count in the chapter.
    wanted: Vec<(String, Wanted)>,
    runs: Vec<Run>,
    /// What is typed after `$ ntl` and what then appears: the line of the block, the words and the lines.
    consoles: Vec<(usize, Vec<String>, Vec<String>)>,
}

impl Chapter {
    /// Names and texts of its programs.
    pub fn sources(&self) -> impl Iterator<Item = (&str, &str)> {
        self.files.iter().filter(|file| file.is_source).map(|file| (file.name.as_str(), file.text.as_str()))
    }

    /// The line before each program, and its text.
    pub fn programs(&self) -> impl Iterator<Item = (usize, &str)> {
        self.files.iter().filter(|f| f.is_source).map(|f| (f.before, f.text.as_str()))
    }
}

/// A block that is a file.
#[derive(Debug, PartialEq)]
struct File {
    name: String,
    /// The line of the chapter before its first.
    before: usize,
    text: String,
    /// Whether it is checked.
    is_source: bool,
}

/// A `run` block.
#[derive(Debug)]
struct Run {
    line: usize,
    file: String,
    args: Vec<String>,
    expected: String,
}

/// Reads a chapter.
pub fn parse(text: &str) -> Result<Chapter, String> {
    let mut chapter = Chapter::default();
    let mut lines = text.lines().enumerate();
    while let Some((at, line)) = lines.next() {
        let fence = &line[..line.len() - line.trim_start_matches('`').len()];
        if fence.len() < 3 {
            continue;
        }
        let mut body = String::new();
        loop {
            match lines.next() {
                Some((_, line)) if line.trim_end() == fence => break,
                Some((_, line)) => body.extend([line, "\n"]),
                None => return Err(format!("line {}: the block is never closed", at + 1)),
            }
        }
        let mut words = split(&line[fence.len()..]);
        let kind = if words.is_empty() { String::new() } else { words.remove(0) };
        let named = words.first().filter(|w| kind != "run" && w.contains('.')).cloned();
        match (kind.as_str(), named) {
            ("run", _) => {
                let file = chapter.files.iter().rfind(|f| f.is_source).map(|f| f.name.clone());
                let file = file.ok_or_else(|| format!("line {}: nothing to run", at + 1))?;
                chapter.runs.push(Run { line: at + 1, file, args: words, expected: body });
            }
            ("console", _) => chapter.consoles.extend(commands(at + 1, &body)),
            ("ntl", named) => {
                let name = named.unwrap_or_else(|| format!("line_{}.ntl", at + 1));
                chapter.wanted.extend(assertions(&body, at + 1).into_iter().map(|w| (name.clone(), w)));
                chapter.files.push(File { name, before: at + 1, text: body, is_source: true });
            }
            (_, Some(name)) => chapter.files.push(File { name, before: at + 1, text: body, is_source: false }),
            _ => {}
        }
    }
    Ok(chapter)
}

/// The commands of a `console` block.
fn commands(line: usize, body: &str) -> Vec<(usize, Vec<String>, Vec<String>)> {
    let mut commands: Vec<(usize, Vec<String>, Vec<String>)> = Vec::new();
    for text in body.lines() {
        match (text.strip_prefix("$ ntl "), commands.last_mut()) {
            (Some(args), _) => commands.push((line, split(args), Vec::new())),
            (None, Some((.., output))) => output.push(text.trim_end().to_owned()),
            (None, None) => {}
        }
    }
    commands
}

/// What the comments of a block want: `// error[E0301]: words`, of which the code or the words may be left out, is about
/// its line or, alone on one, about the next line that is no such comment.
fn assertions(text: &str, before: usize) -> Vec<Wanted> {
    let mut wanted = Vec::new();
    let mut waiting = Vec::new();
    for (i, line) in text.lines().enumerate() {
        let said = ["error", "warning"].iter().find_map(|severity| {
            let said = line.split_once(&format!("// {severity}"))?.1;
            let (code, said) = match said.strip_prefix('[') {
                Some(said) => said.split_once(']').map(|(code, words)| (Some(code.to_owned()), words))?,
                None => (None, said),
            };
            let words = said.strip_prefix(':').map(|w| vec![w.trim().to_lowercase()]);
            let is_said = code.is_some() || words.is_some();
            let severity = Some((*severity).to_owned());
            is_said.then(|| Wanted { code, severity, mentions: words.into_iter().collect(), ..Wanted::default() })
        });
        let is_alone = line.trim_start().starts_with("//");
        match said {
            Some(said) if is_alone => waiting.push(said),
            said => wanted
                .extend(waiting.drain(..).chain(said).map(|w| Wanted { lines: vec![(before + i + 1) as u64], ..w })),
        }
    }
    wanted
}

/// Words as a shell splits them: quotes, single or double, keep spaces and go.
fn split(text: &str) -> Vec<String> {
    let (mut words, mut quote) = (Vec::new(), None);
    let mut word: Option<String> = None;
    for c in text.chars() {
        match c {
            _ if quote == Some(c) => quote = None,
            '"' | '\'' if quote.is_none() => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            c if c.is_whitespace() && quote.is_none() => words.extend(word.take()),
            c => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

/// Checks and runs everything in a chapter, and gives a line for each thing that is not as it says.
pub fn test(path: &Path) -> Result<Vec<String>, String> {
    let text = std::fs::read_to_string(path).map_err(|e| e.to_string())?;
    let chapter = parse(&text)?;
    let temp = tempfile::tempdir().map_err(|e| e.to_string())?;
    for file in &chapter.files {
        std::fs::write(temp.path().join(&file.name), &file.text).map_err(|e| e.to_string())?;
    }
    let sources: Vec<&File> = chapter.files.iter().filter(|f| f.is_source).collect();
    let args = ["check", "--json"].into_iter().chain(sources.iter().map(|f| f.name.as_str()));
    let document = if sources.is_empty() { Value::Null } else { ntl(temp.path(), args).json()? };
    let mut diagnostics = document["diagnostics"].as_array().cloned().unwrap_or_default();
    for d in &mut diagnostics {
        let before = chapter.files.iter().find(|f| d["file"] == f.name.as_str()).map_or(0, |f| f.before);
        if let Some(line) = d["line"].as_u64() {
            d["line"] = (line + before as u64).into();
        }
    }

    let mut problems = Vec::new();
    let mut unsound = Vec::new();
    for File { name, .. } in &sources {
        let of_file = |d: &&Value| d["file"] == name.as_str();
        let gots: Vec<Value> = diagnostics.iter().filter(of_file).cloned().collect();
        if gots.iter().any(|d| d["severity"] == "error") {
            unsound.push(name);
        }
        let wants: Vec<Wanted> =
            chapter.wanted.iter().filter(|(file, _)| file == name).map(|(_, w)| w.clone()).collect();
        problems.extend(unpaired(&wants, &gots));
    }
    problems.extend(diagnostics.iter().filter(|d| d["file"].is_null()).map(|d| d["message"].to_string()));
    for run in &chapter.runs {
        if !unsound.iter().any(|name| **name == run.file) {
            let found = run.test(temp.path())?;
            problems.extend(found.into_iter().map(|p| format!("run of line {}: {p}", run.line)));
        }
    }
    if !chapter.consoles.is_empty() {
        crate::case::copy(&crate::root().join("examples"), &temp.path().join("examples")).map_err(|e| e.to_string())?;
    }
    for (line, args, expected) in &chapter.consoles {
        let output = ntl(temp.path(), args);
        let shown = output.stdout + &output.stderr;
        let got: Vec<&str> = shown.trim_end().lines().map(str::trim_end).collect();
        let expected: Vec<&str> = expected.iter().map(String::as_str).collect();
        if got.join("\n") != expected.join("\n").trim_end() {
            problems.push(format!("console of line {line}: ntl {} shows\n{}", args.join(" "), got.join("\n")));
        }
    }
    Ok(problems)
}

impl Run {
    /// The block holds the outputs as a JSON object, or the only output's value, then a line `error[code]: words` for
    /// each error.
    fn test(&self, folder: &Path) -> Result<Vec<String>, String> {
        let is_option = |w: &String| w.starts_with('-') || w.contains('=');
        let (workflow, args) = match self.args.split_first() {
            Some((first, rest)) if !is_option(first) => (format!("{}:{first}", self.file), rest),
            _ => (self.file.clone(), self.args.as_slice()),
        };
        let args = ["run", &workflow, "--json"].into_iter().chain(args.iter().map(String::as_str));
        let output = ntl(folder, args);
        let got = output.json()?;

        let (errors, outputs): (Vec<&str>, Vec<&str>) = self.expected.lines().partition(|l| l.starts_with("error"));
        let outputs = outputs.join("\n");
        let want = if outputs.trim().is_empty() {
            json!({})
        } else {
            serde_json::from_str(&outputs).map_err(|e| e.to_string())?
        };
        let want = if want.is_object() { want } else { json!({ "output": want }) };
        let wants: Vec<Wanted> = errors.iter().flat_map(|line| assertions(&format!("1 // {line}"), 0)).collect();
        let wants: Vec<Wanted> = wants.into_iter().map(|w| Wanted { lines: Vec::new(), ..w }).collect();

        let mut problems = differences(&want, &got["outputs"], "outputs");
        problems.extend(unpaired(&wants, got["errors"].as_array().map_or(&[], |e| e)));
        if (output.status == 0) != errors.is_empty() {
            problems.push(format!("exit status {}", output.status));
        }
        Ok(problems)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chapter_is_read() {
        let text = "# T\n```ntl\na = 1 // error[E0001]: Words\n// warning[W0101]\n// more\nb\n```\n```run main x='a b'\n1\n```\n```csv d.csv\nx\n```\n```console\n$ ntl check a.ntl\nout\n```\n";
        let chapter = parse(text).unwrap();
        assert_eq!(chapter.files.len(), 2);
        assert_eq!(chapter.files[1], File { name: "d.csv".into(), before: 11, text: "x\n".into(), is_source: false });
        let lines: Vec<u64> = chapter.wanted.iter().flat_map(|(_, w)| w.lines.clone()).collect();
        assert_eq!(lines, [3, 5]);
        assert_eq!(chapter.wanted[0].1.mentions, [["words"]]);
        assert_eq!(chapter.runs[0].args, ["main", "x=a b"]);
        assert_eq!(chapter.consoles, [(14, vec!["check".into(), "a.ntl".into()], vec!["out".into()])]);
        assert!(parse("```ntl\n").is_err());
    }
}
