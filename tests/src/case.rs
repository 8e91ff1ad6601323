//! Programs with what is expected of them (`programs/README.md` tells the form).

use crate::compare::{Wanted, differences, unpaired};
use crate::ntl::ntl;
use serde_json::Value;
use std::path::Path;

/// Runs the program of a folder in a copy of it, and gives a line for each thing that is not as the case file says.
pub fn program(folder: &Path, case_file: &str) -> Result<Vec<String>, String> {
    let file = folder.join(case_file);
    let case = read_json(&file)?;
    let temp = tempfile::tempdir().map_err(|e| e.to_string())?;
    copy(folder, temp.path()).map_err(|e| format!("{}: {e}", folder.display()))?;

    let target = match case["workflow"].as_str() {
        Some(name) => format!("main.ntl:{name}"),
        None => "main.ntl".to_owned(),
    };
    let args = case["args"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let output = ntl(temp.path(), ["run", &target, "--json"].into_iter().chain(args));
    let got = output.json()?;
    if crate::is_blessing() {
        bless(&file, case.clone(), &got, output.status)?;
        return Ok(Vec::new());
    }

    let mut problems = Vec::new();
    let exit = case["exit"].as_i64().unwrap_or(0);
    let status = case["status"].as_str().unwrap_or("completed");
    if i64::from(output.status) != exit {
        problems.push(format!("exit status {}, expected {exit}", output.status));
    }
    if got["status"] != status {
        problems.push(format!("status is {}, expected \"{status}\"", got["status"]));
    }
    if !case["outputs"].is_null() {
        problems.extend(differences(&case["outputs"], &got["outputs"], "outputs"));
    }
    problems.extend(findings(&case["errors"], &got["errors"], "main.ntl"));
    Ok(problems)
}

/// Checks a source, and gives a line for each diagnostic that is not in the JSON file beside it, or only there.
pub fn check(source: &Path) -> Result<Vec<String>, String> {
    let expected = read_json(&source.with_extension("json"))?;
    let name = source.file_name().unwrap_or_default().to_string_lossy();
    let folder = source.parent().unwrap_or(Path::new("."));
    let output = ntl(folder, ["check", &name, "--json"]);
    let got = output.json()?;

    let wants = &expected["diagnostics"];
    let mut problems = findings(wants, &got["diagnostics"], &name);
    let exit = if wants.as_array().into_iter().flatten().any(|d| d["severity"] == "error") { 2 } else { 0 };
    if output.status != exit {
        problems.push(format!("exit status {}, expected {exit}", output.status));
    }
    Ok(problems)
}

/// A line for each finding that is wanted and did not come, or came and is not wanted.
fn findings(wants: &Value, gots: &Value, own: &str) -> Vec<String> {
    let wants: Vec<Wanted> = wants.as_array().into_iter().flatten().map(|w| Wanted::of_json(w, own)).collect();
    match gots.as_array() {
        Some(gots) => unpaired(&wants, gots),
        None => vec![format!("no list of findings: {gots}")],
    }
}

/// Writes what came into the case: outputs, status and exit; what is said of errors stays.
fn bless(file: &Path, mut case: Value, got: &Value, status: i32) -> Result<(), String> {
    if let Some(object) = case.as_object_mut() {
        object.insert("status".into(), got["status"].clone());
        object.insert("outputs".into(), got["outputs"].clone());
        object.insert("exit".into(), status.into());
    }
    std::fs::write(file, format!("{case:#}\n")).map_err(|e| e.to_string())
}

/// A JSON file.
pub fn read_json(path: &Path) -> Result<Value, String> {
    let text = std::fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))?;
    serde_json::from_str(&text).map_err(|e| format!("{}: {e}", path.display()))
}

/// Copies a folder with all that is in it.
pub fn copy(from: &Path, to: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(to)?;
    for path in crate::entries(from) {
        let target = to.join(path.file_name().unwrap_or_default());
        if path.is_dir() { copy(&path, &target)? } else { std::fs::copy(&path, &target).map(drop)? }
    }
    Ok(())
}
