//! Reading: the blocks of a file.

use std::borrow::Cow;

use crate::format::draft::{Draft, Placed};
use crate::format::lexer::Lexer;
use crate::format::source::Source;
use crate::{Format, NetworkFile, ParseError};

/// What a file may have at its top level.
const BLOCKS: &str = "`net`, `node` or `potential`";

/// The network in a file. O(bytes).
///
/// # Errors
/// What is wrong first, with its line and column.
pub fn read(bytes: &[u8]) -> Result<NetworkFile, ParseError> {
    let source = Source::new(bytes, Format::Net);
    let lexer = Lexer { source, at: 0 };
    let mut reader = Reader { lexer, draft: Draft::new(source), potentials: Vec::new() };
    reader.blocks()?;
    for potential in std::mem::take(&mut reader.potentials) {
        define(&mut reader.draft, potential)?;
    }
    reader.draft.finish()
}

#[derive(Debug)]
struct Reader<'a> {
    lexer: Lexer<'a>,
    draft: Draft<'a>,
    /// All potentials: they may come before their nodes.
    potentials: Vec<Potential<'a>>,
}

#[derive(Debug)]
struct Potential<'a> {
    child: Placed<'a>,
    parents: Vec<Placed<'a>>,
    /// The numbers and where they stand.
    data: Option<(Vec<f64>, usize)>,
    /// Whether the table is given by a model.
    model: Option<usize>,
    properties: Vec<String>,
}

impl<'a> Reader<'a> {
    fn blocks(&mut self) -> Result<(), ParseError> {
        let mut class = false;
        let mut any = false;
        while !(any && !class && self.at_end()?) {
            if class && self.lexer.accept(b'}')? {
                class = false;
                continue;
            }
            let (word, at) = self.lexer.name(BLOCKS)?;
            match word {
                "net" => self.network()?,
                "class" if !any => {
                    self.draft.name = self.lexer.name("the name of the class")?.0.to_owned();
                    self.lexer.mark(b'{', "after the name of the class")?;
                    class = true;
                }
                "discrete" => {
                    let (word, at) = self.lexer.name("`node`")?;
                    if word != "node" {
                        return Err(self.refuse(at, "`node`"));
                    }
                    self.node()?;
                }
                "node" => self.node()?,
                "potential" => self.potential()?,
                "continuous" | "decision" | "utility" | "function" | "instance" => {
                    let message =
                        format!("`{word}` is not supported: only networks of discrete nodes of chance are");
                    return Err(self.draft.source.error(at, message));
                }
                _ if class => {
                    let text = self.attribute(word)?;
                    self.draft.properties.network.push(text);
                }
                _ => return Err(self.refuse(at, BLOCKS)),
            }
            any = true;
        }
        Ok(())
    }

    fn at_end(&mut self) -> Result<bool, ParseError> {
        self.lexer.skip()?;
        Ok(self.lexer.peek().is_none())
    }

    /// The error that something else stands at this place.
    fn refuse(&mut self, at: usize, what: &str) -> ParseError {
        self.lexer.at = at;
        self.lexer.expected(what)
    }

    /// The name of an attribute with its place, or none at the end of the block.
    fn attribute_name(&mut self) -> Result<Option<Placed<'a>>, ParseError> {
        if self.lexer.accept(b'}')? {
            return Ok(None);
        }
        let (name, at) = self.lexer.name("an attribute or `}`")?;
        Ok(Some((Cow::Borrowed(name), at)))
    }

    /// `= value;`, as text with the name before.
    fn attribute(&mut self, name: &str) -> Result<String, ParseError> {
        self.lexer.mark(b'=', "after the name of the attribute")?;
        self.lexer.skip()?;
        let start = self.lexer.at;
        loop {
            match self.lexer.peek() {
                None | Some(b'{' | b'}') => {
                    return Err(self.lexer.expected("`;` at the end of the attribute"));
                }
                Some(b';') => break,
                Some(b'"') => {
                    self.lexer.raw_name("text")?;
                }
                Some(b'%') => self.lexer.skip()?,
                Some(_) => self.lexer.at += 1,
            }
        }
        let text = self.draft.source.text(start, self.lexer.at)?.trim();
        self.lexer.at += 1;
        Ok(format!("{name} = {text}"))
    }

    fn network(&mut self) -> Result<(), ParseError> {
        self.lexer.mark(b'{', "after `net`")?;
        while let Some((name, _)) = self.attribute_name()? {
            let text = self.attribute(&name)?;
            match text.strip_prefix("name = ") {
                Some(name) => name.trim_matches('"').clone_into(&mut self.draft.name),
                None => self.draft.properties.network.push(text),
            }
        }
        Ok(())
    }

    fn node(&mut self) -> Result<(), ParseError> {
        let (name, at) = self.lexer.name("the name of a node")?;
        self.lexer.mark(b'{', "after the name of the node")?;
        let mut states = None;
        let mut properties = Vec::new();
        while let Some((attribute, at)) = self.attribute_name()? {
            if attribute != "states" {
                properties.push(self.attribute(&attribute)?);
                continue;
            }
            if states.is_some() {
                return Err(self.draft.source.error(at, format!("a second list of the states of `{name}`")));
            }
            states = Some(self.states()?);
        }
        let Some(states) = states else {
            return Err(self.draft.source.error(at, format!("the node `{name}` has no states")));
        };
        self.draft.declare((Cow::Borrowed(name), at), states, properties)
    }

    /// `= ("no" "yes");`
    fn states(&mut self) -> Result<Vec<Placed<'a>>, ParseError> {
        self.lexer.mark(b'=', "after `states`")?;
        self.lexer.mark(b'(', "before the states")?;
        let mut states = Vec::new();
        while !self.lexer.accept(b')')? {
            let (state, at) = self.lexer.name("a state or `)`")?;
            states.push((Cow::Borrowed(state), at));
        }
        self.lexer.mark(b';', "after the states")?;
        Ok(states)
    }

    fn potential(&mut self) -> Result<(), ParseError> {
        self.lexer.mark(b'(', "after `potential`")?;
        let (child, at) = self.lexer.name("the name of a node")?;
        let mut parents = Vec::new();
        if self.lexer.accept(b'|')? {
            while !self.lexer.accept(b')')? {
                let (parent, at) = self.lexer.name("the name of a parent or `)`")?;
                parents.push((Cow::Borrowed(parent), at));
            }
        } else {
            self.lexer.mark(b')', "or `|` after the child: one only")?;
        }
        self.lexer.mark(b'{', "before the data")?;
        let child = (Cow::Borrowed(child), at);
        let mut potential = Potential { child, parents, data: None, model: None, properties: Vec::new() };
        while let Some((attribute, at)) = self.attribute_name()? {
            match &*attribute {
                "data" if potential.data.is_some() => {
                    return Err(self.draft.source.error(at, "a second `data`"));
                }
                "data" => potential.data = Some((self.data()?, at)),
                _ => {
                    potential.model = potential.model.or((attribute == "model_data").then_some(at));
                    potential.properties.push(self.attribute(&attribute)?);
                }
            }
        }
        self.potentials.push(potential);
        Ok(())
    }

    /// `= ((0.9 0.1) (0.05 0.95));`
    fn data(&mut self) -> Result<Vec<f64>, ParseError> {
        self.lexer.mark(b'=', "after `data`")?;
        self.lexer.mark(b'(', "before the numbers")?;
        let mut values = Vec::new();
        let mut depth = 1usize;
        while depth > 0 {
            self.lexer.skip()?;
            match self.lexer.peek() {
                Some(b'(') => depth += 1,
                Some(b')') => depth -= 1,
                _ => {
                    values.push(self.lexer.number()?);
                    continue;
                }
            }
            self.lexer.at += 1;
        }
        self.lexer.mark(b';', "after the numbers")?;
        Ok(values)
    }
}

fn define(draft: &mut Draft<'_>, potential: Potential<'_>) -> Result<(), ParseError> {
    let Potential { child, parents, data, model, properties } = potential;
    let find = |(name, at): &Placed<'_>| match draft.find(name) {
        Some(v) => Ok((v, *at)),
        None => Err(draft.source.error(*at, format!("there is no node `{name}`"))),
    };
    let child = find(&child)?;
    let parents: Vec<_> = parents.iter().map(find).collect::<Result<_, _>>()?;
    let count = draft.rows(child, &parents)? * draft.card(child.0);
    let (values, at) = match (data, model) {
        (Some(data), _) => data,
        (None, Some(at)) => return Err(draft.source.error(at, "a table given by a model is not supported")),
        (None, None) => {
            draft.allow(count, child.1)?;
            (vec![1.0 / draft.card(child.0) as f64; count], child.1)
        }
    };
    if values.len() != count {
        return Err(draft.source.error(at, format!("expected {count} numbers, found {}", values.len())));
    }
    let parents: Vec<_> = parents.into_iter().map(|parent| parent.0).collect();
    draft.properties.tables[child.0.index()].extend(properties);
    draft.define(child.0, &parents, values, at)
}
