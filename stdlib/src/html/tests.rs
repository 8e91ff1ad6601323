use super::{escape, links, markdown, select, text, unescape};
use ntl_engine::Text;

fn shown(f: fn(&Text) -> Result<Text, ntl_engine::Fault>, s: &str) -> String {
    f(&s.into()).unwrap().as_str().to_owned()
}

#[test]
fn pages_as_markdown() {
    let cases = [
        ("", ""),
        ("a  b\n c", "a b c"),
        ("<p>a<p>b", "a\n\nb"),
        ("x<b> y </b>z<b></b>", "x **y** z"),
        ("<em>a</em><strong>b</strong>", "*a***b**"),
        ("a<br>b", "a\nb"),
        ("<a href='/x y'>t <i>u</i></a>.", "[t *u*](</x y>)."),
        ("<ul><li>a<ul><li>b</ul><li>c</ul>d", "- a\n  - b\n- c\n\nd"),
        ("<ol start=9><li>a<li><p>b<p>c</ol>", "9. a\n10. b\n\n    c"),
        ("<blockquote>a<p>b</blockquote>c", "> a\n>\n> b\n\nc"),
        ("x<blockquote>a</blockquote>", "x\n\n> a"),
        ("<p>x<pre><code>a\n  b ``` c\n</code></pre>", "x\n\n````\na\n  b ``` c\n````"),
        ("use <code>a  b</code>, <code>`</code>", "use `a b`, `` ` ``"),
        ("<table><tr><th>A<th>B<tr><td>1|<td><p>2</table>", "| A | B |\n| --- | --- |\n| 1\\| | 2 |"),
        ("<h1>T</h1><hr>1. a * [b] snake_case _x", "# T\n\n---\n\n1\\. a \\* \\[b\\] snake_case \\_x"),
        ("<p># a<p>- b<p>> c<p>---", "\\# a\n\n\\- b\n\n\\> c\n\n\\---"),
        ("<script>x</script><style>y</style><title>t</title>z<img alt=A src=b.png>", "z![A](b.png)"),
    ];
    for (page, want) in cases {
        assert_eq!(shown(markdown, page), want, "{page}");
    }
}

#[test]
fn pages_as_text() {
    let cases = [
        ("<p>a<p>b<br>c", "a\nb\nc"),
        ("<ul><li>a<ul><li>b</ul></ul>", "a\nb"),
        ("<table><tr><td>1<td>2<tr><td>3</table>", "1 2\n3"),
        ("<pre>a\n  b</pre><a href=x>l</a> *", "a\n  b\nl *"),
        ("<div>&lt;b&gt; &amp;amp;</div>", "<b> &amp;"),
    ];
    for (page, want) in cases {
        assert_eq!(shown(text, page), want, "{page}");
    }
}

#[test]
fn hostile_pages_end() {
    for page in ["<div>".repeat(100_000), "<b>".repeat(100_000), "<p>".repeat(20_000), "<".repeat(20_000)] {
        let page: Text = page.into();
        for result in [text(&page), markdown(&page)] {
            assert!(result.is_ok_and(|t| t.len() < 50_000) || text(&page).is_err_and(|f| f.code == "invalid"));
        }
    }
    let deep: Text = "<div>".repeat(1_000).into();
    assert_eq!(select(&deep, &"div".into()).err().unwrap().code, "invalid");
    assert_eq!(select(&deep, &"section".into()).ok().map(|found| found.len()), Some(0));
    assert_eq!(select(&"<p>".into(), &":has(".into()).err().unwrap().code, "invalid");
}

#[test]
fn links_and_references() {
    let page: Text = "<a href=' ../b '>x  y</a><area href='mailto:a@b'><a name=z>".into();
    let found = links(&page, &"http://h/d/e/".into()).unwrap();
    let urls: Vec<&str> = found.iter().map(|l| l.url.as_str()).collect();
    assert_eq!(urls, ["http://h/d/b", "mailto:a@b"]);
    assert_eq!(links(&page, &"b".into()).err().unwrap().code, "invalid");
    for s in ["", "\na <i> &amp; \"b\"'", "</i>x", "&copy &#0; \r\n"] {
        assert_eq!(shown(unescape, &shown(escape, s)), s.replace("\r\n", "\n"), "{s:?}");
    }
}
