//! `std.xml`.

use crate::bounds::{self, quote};
use crate::convert::{arg, wrong};
use crate::generated::records::xml::Element;
use ntl_engine::value::Key;
use ntl_engine::{Dict, Fault, List, Text, Value};
use quick_xml::Reader;
use quick_xml::escape::resolve_predefined_entity;
use quick_xml::events::{BytesStart, Event};

/// How deep elements nest.
const DEEPEST: usize = 100;

/// An element whose end is still to come.
struct Open {
    name: String,
    text: String,
    attributes: Dict,
    children: Vec<Element>,
}

pub(crate) fn parse(s: &Text) -> Result<Element, Fault> {
    let mut reader = Reader::from_str(s.strip_prefix('\u{feff}').unwrap_or(s));
    let (mut open, mut root) = (Vec::new(), None);
    let result = read(&mut reader, &mut open, &mut root);
    let at = usize::try_from(reader.buffer_position()).unwrap_or(usize::MAX);
    let line = s.as_bytes().iter().take(at).filter(|b| **b == b'\n').count() + 1;
    match (result, open.last(), root) {
        (Err(why), ..) => Err(Fault::new("parse", format!("this is no XML: line {line}: {why}"))),
        (Ok(false), ..) => Err(Fault::new("invalid", format!("the elements nest more than {DEEPEST} deep"))),
        (_, Some(element), _) => {
            Err(Fault::new("parse", format!("this is no XML: the element `{}` is never closed", element.name)))
        }
        (_, None, root) => root.ok_or_else(|| Fault::new("parse", "this is no XML: it has no element")),
    }
}

/// Reads to the end; `false` if it nests too deep.
fn read(reader: &mut Reader<&[u8]>, open: &mut Vec<Open>, root: &mut Option<Element>) -> Result<bool, String> {
    loop {
        let said = match reader.read_event().map_err(|e| e.to_string())? {
            Event::Start(tag) => {
                if open.len() == DEEPEST {
                    return Ok(false);
                }
                open.push(begun(&tag)?);
                continue;
            }
            Event::Empty(tag) => {
                end(begun(&tag)?, open, root)?;
                continue;
            }
            Event::End(_) => {
                if let Some(element) = open.pop() {
                    end(element, open, root)?;
                }
                continue;
            }
            Event::Text(part) => part.xml10_content().into_owned(),
            Event::CData(part) => part.xml10_content().into_owned(),
            Event::GeneralRef(entity) => {
                let character = entity.resolve_char_ref().map_err(|e| e.to_string())?;
                let name: &str = &entity;
                let known = character.map(String::from).or_else(|| resolve_predefined_entity(name).map(str::to_owned));
                known.ok_or_else(|| format!("the entity `&{name};` is not known"))?
            }
            Event::Eof => return Ok(true),
            Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::DocType(_) => continue,
        };
        match open.last_mut() {
            Some(element) => element.text.push_str(&said),
            None if said.trim().is_empty() => {}
            None => return Err("there is text outside of the outermost element".into()),
        }
    }
}

fn begun(tag: &BytesStart<'_>) -> Result<Open, String> {
    let mut attributes = Dict::default();
    for attribute in tag.attributes() {
        let attribute = attribute.map_err(|e| e.to_string())?;
        let value = quick_xml::escape::unescape(&attribute.value).map_err(|e| e.to_string())?;
        attributes.insert(Key::str(attribute.key.as_ref()), Value::str(&*value));
    }
    let name = tag.name().as_ref().to_owned();
    Ok(Open { name, text: String::new(), attributes, children: Vec::new() })
}

/// Puts a whole element where it belongs.
fn end(element: Open, open: &mut [Open], root: &mut Option<Element>) -> Result<(), String> {
    let Open { name, text, attributes, children } = element;
    let element = Element { name: name.into(), text: text.trim().into(), attributes, children };
    match open.last_mut() {
        Some(parent) => parent.children.push(element),
        None if root.is_none() => *root = Some(element),
        None => return Err("there is more than one outermost element".into()),
    }
    Ok(())
}

/// A step of a path: where it looks, for which name, with which attribute.
struct Step<'a> {
    is_deep: bool,
    name: &'a str,
    attribute: Option<(&'a str, Option<&'a str>)>,
}

pub(crate) fn select(e: &Value, path: &Text) -> Result<Vec<Element>, Fault> {
    let steps = steps(path).ok_or_else(|| {
        Fault::new("invalid", format!("{} is no path: write one like `a/b`, `//b` or `b[@k='v']`", quote(path)))
    })?;
    let mut found = vec![e.clone()];
    for step in &steps {
        let mut next = Vec::new();
        for element in &found {
            look(element, step, &mut next)?;
        }
        found = next;
    }
    found.iter().map(element).collect()
}

fn element(value: &Value) -> Result<Element, Fault> {
    let children = arg::<&List>(field(value, "children")?)?;
    Ok(Element {
        name: arg::<&Text>(field(value, "name")?)?.clone(),
        text: arg::<&Text>(field(value, "text")?)?.clone(),
        attributes: arg::<&Dict>(field(value, "attributes")?)?.clone(),
        children: children.iter().map(|child| element(&child)).collect::<Result<_, _>>()?,
    })
}

fn steps(path: &str) -> Option<Vec<Step<'_>>> {
    let (mut rest, mut steps) = (path.strip_prefix("./").unwrap_or(path), Vec::new());
    loop {
        let is_deep = rest.starts_with("//");
        rest = rest.strip_prefix("//").or_else(|| rest.strip_prefix('/')).unwrap_or(rest);
        let end = rest.find(['/', '[']).unwrap_or(rest.len());
        let (name, after) = rest.split_at(end);
        if name.is_empty() || name.contains(['@', '\'', '"', ']', '(', ' ']) {
            return None;
        }
        let mut attribute = None;
        rest = after;
        if let Some(asked) = after.strip_prefix("[@") {
            let end = asked.find(['=', ']'])?;
            let (key, said) = asked.split_at(end);
            let value = match said.strip_prefix('=') {
                None => None,
                Some(value) => {
                    let quote = value.chars().next().filter(|c| matches!(c, '\'' | '"'))?;
                    let (value, after) = value.get(1..)?.split_once(quote)?;
                    rest = after;
                    Some(value)
                }
            };
            rest = if value.is_some() { rest } else { said }.strip_prefix(']')?;
            attribute = Some((key, value));
        }
        steps.push(Step { is_deep, name, attribute });
        if rest.is_empty() {
            return Some(steps);
        }
        if !rest.starts_with('/') {
            return None;
        }
    }
}

fn look(element: &Value, step: &Step<'_>, found: &mut Vec<Value>) -> Result<(), Fault> {
    for child in arg::<&List>(field(element, "children")?)?.iter() {
        let is_named = step.name == "*" || arg::<&Text>(field(&child, "name")?)?.as_str() == step.name;
        let attributes = arg::<&Dict>(field(&child, "attributes")?)?;
        let has = |(key, value): (&str, Option<&str>)| match (attributes.get(&Key::str(key)), value) {
            (Some(Value::Str(is)), Some(value)) => is.as_str() == value,
            (is, _) => is.is_some(),
        };
        if is_named && step.attribute.is_none_or(has) {
            found.push(child.clone());
            bounds::items(found.len())?;
        }
        if step.is_deep {
            look(&child, step, found)?;
        }
    }
    Ok(())
}

fn field<'a>(element: &'a Value, name: &str) -> Result<&'a Value, Fault> {
    let Value::Record(record) = element else { return Err(wrong("an element", element)) };
    let fields = record.shape.names.iter().zip(record.fields.iter());
    Ok(fields.filter(|(n, _)| *n == name).map(|(_, value)| value).next().unwrap_or(&Value::Null))
}

pub(crate) fn escape(s: &Text) -> Result<Text, Fault> {
    let escaped = quick_xml::escape::escape(s.as_str());
    bounds::text(escaped.len())?;
    Ok(escaped.as_ref().into())
}
