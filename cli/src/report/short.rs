//! One line each, as compilers tell it: what editors and `grep` take apart.

use crate::finding::Finding;

/// `path:line:column: error[E0201]: message`; without a place where it is in no source.
pub fn line(finding: &Finding) -> String {
    let place = finding.at.as_ref().map(|at| format!("{}:{}:{}: ", at.file, at.line, at.column));
    let text =
        format!("{}{}[{}]: {}", place.unwrap_or_default(), finding.severity_word(), finding.code, finding.message);
    // A line is a line, whatever a path or a message holds.
    let mut line: String = text.chars().map(|c| if c.is_control() { char::REPLACEMENT_CHARACTER } else { c }).collect();
    line.push('\n');
    line
}
