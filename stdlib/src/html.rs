//! `std.html`. The parser is that of a browser's; what is made of its tree is made without recursion where a page could
//! nest at will.

mod write;

use crate::bounds::{self, quote};
use crate::generated::records::html::{Element, Link};
use ntl_engine::value::Key;
use ntl_engine::{Dict, Fault, Text, Value};
use scraper::{ElementRef, Html, Selector};
use url::Url;

/// The longest text that is read, in bytes, and how deep it may nest: what makes a page of a text takes time by both.
const LONGEST: usize = 16 << 20;
const DEEPEST: usize = 2_000;
/// How deep the elements that a program is given nest.
const ELEMENTS: usize = 100;

/// Elements that have no content, and those whose end is often left out and stands where the next one begins.
const FLAT: &[&str] = &[
    "area", "base", "br", "col", "dd", "dt", "embed", "hr", "img", "input", "li", "link", "meta", "option", "p",
    "source", "td", "th", "tr", "track", "wbr",
];

fn page(s: &str) -> Result<Html, Fault> {
    if s.len() > LONGEST {
        return Err(Fault::new("invalid", format!("the page is longer than {} MB", LONGEST >> 20)));
    }
    let mut depth = 0_usize;
    for tag in s.split('<').skip(1) {
        if tag.starts_with('/') {
            depth = depth.saturating_sub(1);
        } else if tag.starts_with(|c: char| c.is_ascii_alphabetic()) {
            let end = tag.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(tag.len());
            let name = tag.get(..end).unwrap_or(tag);
            let is_flat = FLAT.iter().any(|flat| flat.eq_ignore_ascii_case(name));
            depth += usize::from(!is_flat && !tag.contains("/>"));
        }
        if depth > DEEPEST {
            return Err(Fault::new("invalid", format!("the page nests more than {DEEPEST} elements deep")));
        }
    }
    Ok(Html::parse_document(s))
}

pub(crate) fn text(s: &Text) -> Result<Text, Fault> {
    Ok(write::plain(&page(s)?).into())
}

pub(crate) fn markdown(s: &Text) -> Result<Text, Fault> {
    let text = write::markdown(&page(s)?);
    bounds::text(text.len())?;
    Ok(text.into())
}

pub(crate) fn select(s: &Text, css: &Text) -> Result<Vec<Element>, Fault> {
    let selector =
        Selector::parse(css).map_err(|e| Fault::new("invalid", format!("{} is no CSS selector: {e}", quote(css))))?;
    let page = page(s)?;
    // What is nested is given with each that it is in.
    let mut left = bounds::MAX_TEXT;
    page.select(&selector).map(|found| element(found, 0, &mut left)).collect()
}

fn element(found: ElementRef<'_>, depth: usize, left: &mut usize) -> Result<Element, Fault> {
    if depth == ELEMENTS {
        return Err(Fault::new("invalid", format!("the elements nest more than {ELEMENTS} deep")));
    }
    let text = joined(found);
    let attributes: Dict = found.value().attrs().map(|(name, value)| (Key::str(name), Value::str(value))).collect();
    *left = left.checked_sub(text.len() + size_of::<Element>()).ok_or_else(Fault::text_too_long)?;
    let children = found.child_elements().map(|child| element(child, depth + 1, left)).collect::<Result<_, _>>()?;
    Ok(Element { name: found.value().name().into(), text: text.into(), attributes, children })
}

/// The text in an element, white space joined.
fn joined(found: ElementRef<'_>) -> String {
    let mut text = String::new();
    let mut is_apart = false;
    for part in found.text() {
        for c in part.chars() {
            if c.is_whitespace() {
                is_apart = !text.is_empty();
            } else {
                if std::mem::take(&mut is_apart) {
                    text.push(' ');
                }
                text.push(c);
            }
        }
    }
    text
}

pub(crate) fn links(s: &Text, base: &Text) -> Result<Vec<Link>, Fault> {
    let base = match base.is_empty() {
        true => None,
        false => Some(Url::parse(base).map_err(|e| Fault::new("invalid", format!("{} is no URL: {e}", quote(base))))?),
    };
    let page = page(s)?;
    let anchors = page.root_element().descendent_elements().filter(|e| matches!(e.value().name(), "a" | "area"));
    let found = anchors.filter_map(|a| Some((a, a.value().attr("href")?.trim())));
    Ok(found
        .map(|(a, href)| {
            let url = base.as_ref().and_then(|base| base.join(href).ok());
            Link { text: joined(a).into(), url: url.as_ref().map_or(href, Url::as_str).into() }
        })
        .collect())
}

pub(crate) fn escape(s: &Text) -> Result<Text, Fault> {
    let mut out = String::with_capacity(s.len());
    for c in s.as_str().chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c => out.push(c),
        }
    }
    bounds::text(out.len())?;
    Ok(out.into())
}

pub(crate) fn unescape(s: &Text) -> Result<Text, Fault> {
    if s.len() > LONGEST {
        return Err(Fault::new("invalid", format!("the text is longer than {} MB", LONGEST >> 20)));
    }
    // Read as text alone: nothing in it is a tag, and a line end at its start stays.
    let fragment = Html::parse_fragment(&format!("<i>{}", s.replace('<', "&lt;")));
    Ok(fragment.root_element().text().collect::<String>().into())
}

#[cfg(test)]
mod tests;
