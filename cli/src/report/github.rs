//! Workflow commands of GitHub Actions: a line of a build's log that is shown at the line of the source.

use crate::finding::Finding;
use crate::out::plain;

/// `::error file=…,line=…,col=…,endLine=…,endColumn=…,title=…::message`, and in the message what else to know.
pub fn command(finding: &Finding) -> String {
    let place = finding.at.as_ref().map_or_else(String::new, |at| {
        let file = property(&at.file);
        format!("file={file},line={},col={},endLine={},endColumn={},", at.line, at.column, at.end_line, at.end_column)
    });
    let message = std::iter::once(finding.message.clone()).chain(finding.remarks()).collect::<Vec<_>>().join("\n");
    format!("::{} {place}title={}::{}\n", finding.severity_word(), property(&finding.code), data(&message))
}

/// The text after `::`, where a line end would end the command.
fn data(text: &str) -> String {
    plain(&text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A"))
}

/// The value of a property, which `,` and `:` would end, too.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::At;

    #[test]
    fn whatever_ends_a_property_or_a_line_is_escaped() {
        let at = At { file: "a,b:c%\n.ntl".into(), line: 1, column: 2, end_line: 3, end_column: 4 };
        let finding = Finding { at: Some(at), ..Finding::problem("E0001", "100%\r\n::error::no, \u{1b}[1m") };
        assert_eq!(
            command(&finding),
            "::error file=a%2Cb%3Ac%25%0A.ntl,line=1,col=2,endLine=3,endColumn=4,title=E0001::100%25%0D%0A::error::no, \u{fffd}[1m\n"
        );
        assert_eq!(command(&Finding::problem("not_found", "no")), "::error title=not_found::no\n");
    }
}
