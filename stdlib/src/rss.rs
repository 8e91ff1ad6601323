//! `std.rss`.

use crate::convert::{Datetime, Duration, Size};
use crate::generated::records::rss::{Feed, Item};
use crate::http;
use feed_rs::model::{Entry, Link, Person};
use ntl_engine::native::Cx;
use ntl_engine::{Dict, Fault, List, Text, Value};

pub(crate) async fn fetch(
    cx: &Cx,
    url: &Value,
    headers: &Dict,
    timeout: Duration,
    limit: Size,
) -> Result<Vec<Item>, Fault> {
    let answer = http::get(cx, url, headers, &Dict::default(), timeout, &List::new(Vec::new()), limit).await?;
    // As they came: the feed says itself how it is written.
    Ok(read(&answer.bytes, Some(&answer.url))?.items)
}

pub(crate) fn parse(s: &Text) -> Result<Vec<Item>, Fault> {
    Ok(feed(s)?.items)
}

pub(crate) fn feed(s: &Text) -> Result<Feed, Fault> {
    read(s.as_bytes(), None)
}

fn read(bytes: &[u8], base: Option<&str>) -> Result<Feed, Fault> {
    // The parser makes up what a feed does not say; we do not.
    let parser = feed_rs::parser::Builder::new().base_uri(base).id_generator(|_, _, _| String::new()).build();
    let feed = parser.parse(bytes).map_err(|e| Fault::new("parse", format!("this is no feed: {e}")))?;
    let items = feed.entries.into_iter().map(item).collect();
    let text = |text: Option<feed_rs::model::Text>| text.map_or(String::new(), |t| t.content).trim().into();
    Ok(Feed { title: text(feed.title), link: link(&feed.links), summary: text(feed.description), items })
}

fn item(entry: Entry) -> Item {
    let content = || entry.content.and_then(|c| c.body).unwrap_or_default();
    let summary = entry.summary.map(|t| t.content).filter(|t| !t.trim().is_empty()).unwrap_or_else(content);
    let published = entry.published.or(entry.updated).and_then(|t| t.timestamp_nanos_opt());
    Item {
        title: entry.title.map_or(String::new(), |t| t.content).trim().into(),
        link: link(&entry.links),
        summary: summary.trim().into(),
        published: published.map(Datetime),
        id: entry.id.trim().into(),
        author: author(&entry.authors),
    }
}

/// Where something is to be read: what is linked as such, else what is linked at all.
fn link(links: &[Link]) -> Text {
    let is_page = |l: &&Link| l.rel.as_deref().is_none_or(|rel| rel == "alternate");
    links.iter().find(is_page).map_or("", |l| l.href.as_str()).into()
}

fn author(authors: &[Person]) -> Text {
    let names: Vec<&str> =
        authors.iter().filter_map(|a| a.name.as_deref()).map(str::trim).filter(|n| !n.is_empty()).collect();
    names.join(", ").into()
}
