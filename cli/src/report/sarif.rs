//! SARIF 2.1.0, the standard form of what static analysis finds. `tests/tests/cli/formats.rs` holds it against the
//! standard's schema.

use crate::finding::{Finding, Fix};
use crate::sources::At;
use ntl_semantic::diagnostics::REGISTRY;
use ntl_semantic::modules::normalise;
use ntl_semantic::{Code, Severity};
use serde_json::{Map, Value, json};

const SCHEMA: &str = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// What relative URIs are relative to.
const ROOT: &str = "SRCROOT";

/// The log of one run of the checker.
pub fn log(findings: &[Finding]) -> Value {
    let here = std::env::current_dir().unwrap_or_default();
    let here = here.to_string_lossy();
    let used = |code: &Code| findings.iter().any(|f| f.code == code.id);
    let rules: Vec<&(Code, &str)> = REGISTRY.iter().filter(|(code, _)| used(code)).collect();
    let rule_of = |finding: &Finding| rules.iter().position(|(code, _)| code.id == finding.code);
    let mut results = Vec::new();
    // What is in no source is about the run, not about the program.
    let mut notifications = Vec::new();
    for finding in findings {
        match (rule_of(finding), &finding.at) {
            (Some(rule), Some(at)) => results.push(result(finding, rule, at, &here)),
            _ => notifications.push(notification(finding, &here)),
        }
    }
    json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "ntl",
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "rules": rules.iter().map(|(code, page)| rule(code, page)).collect::<Vec<_>>(),
            } },
            "invocations": [{
                "executionSuccessful": notifications.is_empty(),
                "toolExecutionNotifications": notifications,
            }],
            "originalUriBaseIds": { ROOT: { "uri": format!("{}/", file_uri(&here)) } },
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    })
}

fn rule(code: &Code, page: &str) -> Value {
    json!({
        "id": code.id,
        "shortDescription": { "text": code.title },
        "help": { "text": format!("{}. `ntl explain {}` tells more.", code.title, code.id), "markdown": page },
        "defaultConfiguration": { "level": level(code.severity) },
    })
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    }
}

fn result(finding: &Finding, rule: usize, at: &At, here: &str) -> Value {
    let related =
        finding.labels.iter().enumerate().map(
            |(id, (at, text))| json!({ "id": id, "physicalLocation": place(at, here), "message": { "text": text } }),
        );
    let mut object = Map::new();
    object.insert("ruleId".into(), json!(finding.code));
    object.insert("ruleIndex".into(), json!(rule));
    object.insert("level".into(), json!(level(finding.severity)));
    object.insert("message".into(), message(finding));
    object.insert("locations".into(), json!([{ "physicalLocation": place(at, here) }]));
    object.insert("relatedLocations".into(), related.collect());
    object.insert("fixes".into(), finding.fixes.iter().map(|f| fix(f, here)).collect());
    Value::Object(object)
}

fn notification(finding: &Finding, here: &str) -> Value {
    let places: Vec<Value> = finding.at.iter().map(|at| json!({ "physicalLocation": place(at, here) })).collect();
    json!({
        "descriptor": { "id": finding.code },
        "level": level(finding.severity),
        "message": message(finding),
        "locations": places,
    })
}

/// The message, what stands at the place, and what else to know.
fn message(finding: &Finding) -> Value {
    let label = Some(&finding.label).filter(|label| !label.is_empty());
    let lines: Vec<&str> =
        [&finding.message].into_iter().chain(label).chain(&finding.notes).map(String::as_str).collect();
    json!({ "text": lines.join("\n") })
}

fn fix(fix: &Fix, here: &str) -> Value {
    let mut changes: Vec<(&str, Vec<Value>)> = Vec::new();
    for (at, text) in &fix.edits {
        let replacement = json!({ "deletedRegion": region(at), "insertedContent": { "text": text } });
        match changes.iter_mut().find(|(file, _)| *file == at.file) {
            Some((_, replacements)) => replacements.push(replacement),
            None => changes.push((&at.file, vec![replacement])),
        }
    }
    let changes = changes
        .into_iter()
        .map(|(file, replacements)| json!({ "artifactLocation": artifact(file, here), "replacements": replacements }));
    json!({ "description": { "text": fix.title }, "artifactChanges": changes.collect::<Vec<_>>() })
}

fn place(at: &At, here: &str) -> Value {
    json!({ "artifactLocation": artifact(&at.file, here), "region": region(at) })
}

fn region(at: &At) -> Value {
    json!({ "startLine": at.line, "startColumn": at.column, "endLine": at.end_line, "endColumn": at.end_column })
}

/// A file as a URI: relative where it lies below the working directory.
fn artifact(file: &str, here: &str) -> Value {
    let is_below = !file.starts_with("../") && !is_absolute(file);
    if is_below {
        return json!({ "uri": encoded(file), "uriBaseId": ROOT });
    }
    let full = if is_absolute(file) { file.to_owned() } else { normalise(&format!("{}/{file}", slashed(here))) };
    json!({ "uri": file_uri(&full) })
}

fn is_absolute(path: &str) -> bool {
    std::path::Path::new(path).is_absolute() || path.starts_with('/')
}

fn slashed(path: &str) -> String {
    if cfg!(windows) { path.replace('\\', "/") } else { path.to_owned() }
}

/// `file:///home/ada`, without a slash at its end.
fn file_uri(path: &str) -> String {
    format!("file:///{}", encoded(slashed(path).trim_matches('/')))
}

/// A path with everything encoded that is not at home in every part of a URI.
fn encoded(path: &str) -> String {
    let mut uri = String::with_capacity(path.len());
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => uri.push(char::from(byte)),
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_uris() {
        let here = "/home/ada/my project";
        for (path, uri, is_relative) in [
            ("a.ntl", "a.ntl", true),
            ("sub dir/é:#?%.ntl", "sub%20dir/%C3%A9%3A%23%3F%25.ntl", true),
            ("../b.ntl", "file:///home/ada/b.ntl", false),
            ("../../../../b.ntl", "file:///b.ntl", false),
            ("/tmp/c d.ntl", "file:///tmp/c%20d.ntl", false),
        ] {
            let told = artifact(path, here);
            assert_eq!(told["uri"], uri);
            assert_eq!(told.get("uriBaseId").is_some(), is_relative, "{path}");
        }
    }
}
