//! `std.markdown`.

use crate::bounds;
use crate::generated::records::markdown::{Code, Heading, Link};
use ntl_engine::{Fault, Text};
use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

fn events(s: &str) -> Parser<'_> {
    Parser::new_ext(s, Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS)
}

pub(crate) fn html(s: &Text) -> Result<Text, Fault> {
    let mut html = String::with_capacity(s.len() * 3 / 2);
    pulldown_cmark::html::push_html(&mut html, events(s));
    bounds::text(html.len())?;
    Ok(html.into())
}

pub(crate) fn headings(s: &Text) -> Vec<Heading> {
    let (mut found, mut open) = (Vec::new(), None);
    for event in events(s) {
        match event {
            Event::Start(Tag::Heading { level, .. }) => open = Some((level as i64, String::new())),
            Event::End(TagEnd::Heading(_)) => {
                found.extend(open.take().map(|(level, text)| Heading { level, text: text.trim().into() }));
            }
            event => open.iter_mut().for_each(|(_, text)| take(&event, text)),
        }
    }
    found
}

pub(crate) fn links(s: &Text) -> Vec<Link> {
    let (mut found, mut open) = (Vec::new(), None);
    for event in events(s) {
        match event {
            Event::Start(Tag::Link { dest_url, .. }) => open = Some((dest_url, String::new())),
            Event::End(TagEnd::Link) => {
                found.extend(open.take().map(|(url, text)| Link { text: text.trim().into(), url: (*url).into() }));
            }
            event => open.iter_mut().for_each(|(_, text)| take(&event, text)),
        }
    }
    found
}

pub(crate) fn code_blocks(s: &Text) -> Vec<Code> {
    let (mut found, mut open) = (Vec::new(), None);
    for event in events(s) {
        match event {
            Event::Start(Tag::CodeBlock(kind)) => {
                let lang = match &kind {
                    // What follows the language is for whoever shows it.
                    CodeBlockKind::Fenced(info) => info.split_whitespace().next().unwrap_or_default().to_owned(),
                    CodeBlockKind::Indented => String::new(),
                };
                open = Some((lang, String::new()));
            }
            Event::End(TagEnd::CodeBlock) => {
                found.extend(open.take().map(|(lang, code)| Code { lang: lang.into(), code: code.into() }));
            }
            event => open.iter_mut().for_each(|(_, text)| take(&event, text)),
        }
    }
    found
}

/// Adds what an event shows.
fn take(event: &Event<'_>, text: &mut String) {
    match event {
        Event::Text(part) | Event::Code(part) => text.push_str(part),
        Event::SoftBreak | Event::HardBreak => text.push(' '),
        _ => {}
    }
}
