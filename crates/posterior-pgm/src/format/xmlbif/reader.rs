//! Reading: one event after another.

use std::borrow::Cow;

use quick_xml::Reader as XmlReader;
use quick_xml::events::{BytesRef, BytesStart, Event};

use super::elements::Element;
use crate::format::draft::{Draft, Placed};
use crate::format::source::{Source, probability};
use crate::{Format, NetworkFile, ParseError};

/// What XML takes for blanks.
const BLANKS: [char; 4] = [' ', '\t', '\r', '\n'];

/// The network in a file. O(bytes).
///
/// # Errors
/// What is wrong first, with its line and column.
pub fn read(bytes: &[u8]) -> Result<NetworkFile, ParseError> {
    let source = Source::new(bytes, Format::XmlBif);
    let mut xml = XmlReader::from_str(source.text(0, source.bytes.len())?);
    xml.config_mut().expand_empty_elements = true;
    let mut reader = Reader {
        source,
        draft: Draft::new(source),
        open: Vec::new(),
        networks: 0,
        at: 0,
        text: Text::default(),
        variable: Variable::default(),
        definition: Definition::default(),
        definitions: Vec::new(),
    };
    loop {
        reader.at = xml.buffer_position() as usize;
        let event = xml.read_event().map_err(|error| {
            source.error(xml.error_position() as usize, format!("this is no XML: {error}"))
        })?;
        match event {
            Event::Start(tag) => reader.start(&tag)?,
            Event::End(_) => reader.end()?,
            Event::Text(text) => reader.text(&text.xml10_content(), &text, 0)?,
            Event::CData(text) => reader.text(&text.xml10_content(), &text, "<![CDATA[".len())?,
            Event::GeneralRef(entity) => reader.entity(&entity)?,
            Event::Eof => return reader.finish(),
            Event::Empty(_) | Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::DocType(_) => {}
        }
    }
}

/// The text of an element so far.
#[derive(Debug, Default)]
struct Text {
    content: String,
    /// Blanks before this end are part of it: they came as entities or `CDATA`.
    solid: usize,
    at: usize,
}

#[derive(Debug, Default)]
struct Variable<'a> {
    at: usize,
    name: Option<Placed<'a>>,
    states: Vec<Placed<'a>>,
    properties: Vec<String>,
}

#[derive(Debug, Default)]
struct Definition<'a> {
    at: usize,
    child: Option<Placed<'a>>,
    parents: Vec<Placed<'a>>,
    table: Option<usize>,
    values: Vec<f64>,
    properties: Vec<String>,
}

#[derive(Debug)]
struct Reader<'a> {
    source: Source<'a>,
    draft: Draft<'a>,
    /// The elements that are open, the inmost last: at most four.
    open: Vec<Element>,
    networks: usize,
    /// Where the event began.
    at: usize,
    text: Text,
    variable: Variable<'a>,
    definition: Definition<'a>,
    /// All definitions: they may come before their variables.
    definitions: Vec<Definition<'a>>,
}

impl Reader<'_> {
    fn error(&self, message: impl Into<String>) -> ParseError {
        self.source.error(self.at, message)
    }

    fn start(&mut self, tag: &BytesStart<'_>) -> Result<(), ParseError> {
        let parent = self.open.last().copied();
        let allowed = Element::children(parent);
        let name = tag.name();
        let element = Element::of_tag(name.as_ref()).filter(|element| allowed.contains(element));
        let Some(element) = element else {
            let names: Vec<String> = allowed.iter().map(|element| format!("<{}>", element.tag())).collect();
            let expected = if names.is_empty() { "text".to_owned() } else { names.join(" or ") };
            let place = parent.map_or(String::new(), |parent| format!(" in <{}>", parent.tag()));
            return Err(self.error(format!("expected {expected}{place}, found <{}>", name.as_ref())));
        };
        match element {
            Element::Network => self.networks += 1,
            Element::Variable => {
                self.check_type(tag)?;
                self.variable = Variable { at: self.at, ..Variable::default() };
            }
            Element::Definition => self.definition = Definition { at: self.at, ..Definition::default() },
            Element::Table if self.definition.table.is_some() => return Err(self.error("a second table")),
            Element::Table => self.definition.table = Some(self.at),
            _ => {}
        }
        if self.networks > 1 || (element == Element::Bif && self.networks > 0) {
            return Err(self.error("a second network"));
        }
        self.text = Text { at: self.at, ..Text::default() };
        self.open.push(element);
        Ok(())
    }

    /// That a variable is one of chance: decisions and utilities are no part of a network.
    fn check_type(&self, tag: &BytesStart<'_>) -> Result<(), ParseError> {
        let mut attributes = tag.attributes();
        // Looking for an attribute that comes twice takes the square of their number.
        for attribute in attributes.with_checks(false) {
            let attribute = attribute.map_err(|error| self.error(format!("this is no XML: {error}")))?;
            let is_type = attribute.key.as_ref().eq_ignore_ascii_case("type");
            if is_type && !attribute.value.eq_ignore_ascii_case("nature") {
                let message = format!("expected a variable of type \"nature\", found {:?}", attribute.value);
                return Err(self.error(message));
            }
        }
        Ok(())
    }

    /// Text `content`, which is `raw` in the file, `offset` bytes after the beginning of the event.
    fn text(&mut self, content: &str, raw: &str, offset: usize) -> Result<(), ParseError> {
        match self.open.last() {
            Some(Element::Table) => self.numbers(raw, offset),
            Some(element) if element.holds_text() => {
                let text = &mut self.text;
                let solid = offset > 0;
                let content = if text.content.is_empty() && !solid {
                    content.trim_start_matches(BLANKS)
                } else {
                    content
                };
                text.content.push_str(content);
                text.solid = if solid { text.content.len() } else { text.solid };
                Ok(())
            }
            _ => match raw.find(|c| !BLANKS.contains(&c)) {
                None => Ok(()),
                Some(place) => {
                    let at = self.at + offset + place;
                    Err(self.source.error(at, format!("expected a tag, found {}", self.source.found(at))))
                }
            },
        }
    }

    fn numbers(&mut self, raw: &str, offset: usize) -> Result<(), ParseError> {
        let bytes = raw.as_bytes();
        let mut i = 0;
        while i < bytes.len() {
            if bytes[i].is_ascii_whitespace() {
                i += 1;
                continue;
            }
            let rest = &bytes[i..];
            let len = rest.iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len());
            let Some(value) = probability(&rest[..len]) else {
                let at = self.at + offset + i;
                return Err(self
                    .source
                    .error(at, format!("expected a probability, found {}", self.source.found(at))));
            };
            self.definition.values.push(value);
            i += len;
        }
        Ok(())
    }

    /// `&amp;` and its like.
    fn entity(&mut self, entity: &BytesRef<'_>) -> Result<(), ParseError> {
        let holds_text = |element: &Element| element.holds_text() && *element != Element::Table;
        if !self.open.last().is_some_and(holds_text) {
            return Err(self.error("an entity where no text may be"));
        }
        let number = entity.resolve_char_ref().map_err(|error| self.error(error.to_string()))?;
        let character = number.or(match &**entity {
            "amp" => Some('&'),
            "lt" => Some('<'),
            "gt" => Some('>'),
            "quot" => Some('"'),
            "apos" => Some('\''),
            _ => None,
        });
        let Some(character) = character else {
            return Err(self.error(format!("the entity `&{};` is not known", &**entity)));
        };
        self.text.content.push(character);
        self.text.solid = self.text.content.len();
        Ok(())
    }

    /// The text of the element that ends, and where that began.
    fn take_text(&mut self) -> (String, usize) {
        let Text { content: mut text, solid, at } = std::mem::take(&mut self.text);
        let len = text.trim_end_matches(BLANKS).len().max(solid);
        text.truncate(len);
        (text, at)
    }

    fn end(&mut self) -> Result<(), ParseError> {
        let Some(element) = self.open.pop() else { return Err(self.error("an end without a beginning")) };
        let parent = self.open.last().copied();
        match element {
            Element::Bif | Element::Network | Element::Table => {}
            Element::Variable => return self.declare(),
            Element::Definition => self.definitions.push(std::mem::take(&mut self.definition)),
            Element::Name if parent == Some(Element::Network) => self.draft.name = self.take_text().0,
            Element::Name => {
                let (name, at) = self.take_text();
                once(&mut self.variable.name, (Cow::Owned(name), at)).map_err(|at| self.twice(at, "name"))?;
            }
            Element::For => {
                let (name, at) = self.take_text();
                let twice = once(&mut self.definition.child, (Cow::Owned(name), at));
                twice.map_err(|at| self.twice(at, "<FOR>: tables of several variables are not supported"))?;
            }
            Element::Outcome => {
                let (name, at) = self.take_text();
                self.variable.states.push((Cow::Owned(name), at));
            }
            Element::Given => {
                let (name, at) = self.take_text();
                self.definition.parents.push((Cow::Owned(name), at));
            }
            Element::Property => {
                let text = self.take_text().0;
                match parent {
                    Some(Element::Variable) => self.variable.properties.push(text),
                    Some(Element::Definition) => self.definition.properties.push(text),
                    _ => self.draft.properties.network.push(text),
                }
            }
        }
        Ok(())
    }

    fn twice(&self, at: usize, what: &str) -> ParseError {
        self.source.error(at, format!("a second {what}"))
    }

    fn declare(&mut self) -> Result<(), ParseError> {
        let Variable { at, name, states, properties } = std::mem::take(&mut self.variable);
        let Some(name) = name else { return Err(self.source.error(at, "a variable without a name")) };
        self.draft.declare(name, states, properties)
    }

    fn finish(mut self) -> Result<NetworkFile, ParseError> {
        if let Some(element) = self.open.last() {
            return Err(self.error(format!("expected </{}>, found the end of the file", element.tag())));
        }
        if self.networks == 0 {
            return Err(self.error("expected <BIF> with a <NETWORK>, found the end of the file"));
        }
        for definition in std::mem::take(&mut self.definitions) {
            define(&mut self.draft, definition)?;
        }
        self.draft.finish()
    }
}

/// Puts a value into an empty place, or returns where it stands.
fn once<'a>(place: &mut Option<Placed<'a>>, value: Placed<'a>) -> Result<(), usize> {
    if place.is_some() {
        return Err(value.1);
    }
    *place = Some(value);
    Ok(())
}

fn define(draft: &mut Draft<'_>, definition: Definition<'_>) -> Result<(), ParseError> {
    let Definition { at, child, parents, table, values, properties } = definition;
    let Some(child) = child else { return Err(draft.source.error(at, "a definition without <FOR>")) };
    let find = |(name, at): &Placed<'_>| match draft.find(name) {
        Some(v) => Ok((v, *at)),
        None => Err(draft.source.error(*at, format!("there is no variable `{name}`"))),
    };
    let child = find(&child)?;
    let parents: Vec<_> = parents.iter().map(find).collect::<Result<_, _>>()?;
    let rows = draft.rows(child, &parents)?;
    let Some(table) = table else { return Err(draft.source.error(at, "a definition without <TABLE>")) };
    let count = rows * draft.card(child.0);
    if values.len() != count {
        let message = format!("expected {count} numbers in the table, found {}", values.len());
        return Err(draft.source.error(table, message));
    }
    let parents: Vec<_> = parents.into_iter().map(|parent| parent.0).collect();
    draft.properties.tables[child.0.index()].extend(properties);
    draft.define(child.0, &parents, values, table)
}
