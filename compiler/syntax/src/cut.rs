//! Cutting a file into its items.

/// Whether a line reads as the head of an item: a keyword and what must follow it.
pub(crate) fn starts_item(line: &str) -> bool {
    let word = &line[..line.find(|c: char| !c.is_ascii_lowercase()).unwrap_or(line.len())];
    let rest = line[word.len()..].trim_start_matches([' ', '\t']);
    let after_name = |rest: &str| -> Option<char> {
        let end = match rest.strip_prefix('`') {
            Some(quoted) => quoted.find('`')? + 2,
            None => rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len()),
        };
        if end == 0 {
            return None;
        }
        rest[end..].trim_start_matches([' ', '\t']).chars().next().or(Some('\n'))
    };
    let spaced = rest.len() + word.len() < line.len();
    match word {
        "test" => rest.starts_with('"'),
        "use" if rest.starts_with('"') => true,
        _ if !spaced => false,
        "use" => {
            let rest = rest.strip_prefix("pack ").unwrap_or(rest);
            let path = rest.find(|c: char| !c.is_alphanumeric() && c != '_' && c != '.').unwrap_or(rest.len());
            let rest = &rest[path..];
            path > 0 && (rest.trim_start().starts_with("as ") || rest.is_empty() || rest.starts_with(['\r', '\n', '(']))
        }
        "const" => matches!(after_name(rest), Some(':' | '=')),
        "type" => matches!(after_name(rest), Some('(' | '=')),
        "fn" | "node" | "workflow" | "prompt" | "agent" => matches!(after_name(rest), Some('(' | '[')),
        "secret" => matches!(after_name(rest), Some('\r' | '\n')),
        "on" => matches!(after_name(rest), Some('(')),
        _ => false,
    }
}
