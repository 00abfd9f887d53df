//! Reading: the blocks of a file.

use std::borrow::Cow;

use posterior_graph::VarId;

use super::rows::Rows;
use crate::format::draft::{Draft, Placed};
use crate::format::lexer::Lexer;
use crate::format::source::Source;
use crate::{Format, NetworkFile, ParseError};

/// The network in a file. O(bytes).
///
/// # Errors
/// What is wrong first, with its line and column.
///
/// ```
/// let file = posterior_pgm::bif::read(b"
///     network coin { }
///     variable side { type discrete [ 2 ] { heads, tails }; }
///     probability ( side ) { table 0.5, 0.5; }
/// ")?;
/// assert_eq!(file.name, "coin");
/// assert_eq!(file.network.parameter_count(), 1);
/// # Ok::<(), posterior_pgm::ParseError>(())
/// ```
pub fn read(bytes: &[u8]) -> Result<NetworkFile, ParseError> {
    let source = Source::new(bytes, Format::Bif);
    let lexer = Lexer { source, at: 0 };
    let mut reader = Reader { lexer, draft: Draft::new(source), later: Vec::new(), rows: Rows::default() };
    reader.blocks()?;
    reader.draft.finish()
}

#[derive(Debug)]
struct Reader<'a> {
    lexer: Lexer<'a>,
    draft: Draft<'a>,
    /// Where blocks begin whose variables were not yet declared.
    later: Vec<usize>,
    rows: Rows,
}

/// The variables of a table: the child, then its parents, with their places.
type Header = Vec<(VarId, usize)>;

impl<'a> Reader<'a> {
    fn blocks(&mut self) -> Result<(), ParseError> {
        let mut any = false;
        loop {
            self.lexer.skip()?;
            let start = self.lexer.at;
            match self.lexer.keyword()? {
                b"network" => self.network()?,
                b"variable" => self.variable()?,
                b"probability" => self.probability()?,
                b"" if start == self.lexer.source.bytes.len() && any => break,
                _ => {
                    self.lexer.at = start;
                    return Err(self.lexer.expected("`network`, `variable` or `probability`"));
                }
            }
            any = true;
        }
        for start in std::mem::take(&mut self.later) {
            self.lexer.at = start;
            let header = self.header()?.map_err(|(name, at)| {
                self.draft.source.error(at, format!("there is no variable `{name}`"))
            })?;
            self.table(&header)?;
        }
        Ok(())
    }

    fn network(&mut self) -> Result<(), ParseError> {
        let mut words: Vec<&str> = Vec::new();
        while !self.lexer.accept(b'{')? {
            words.push(self.lexer.name("the name of the network or `{`")?.0);
        }
        self.draft.name = words.join(" ");
        loop {
            self.lexer.skip()?;
            let start = self.lexer.at;
            match self.lexer.keyword()? {
                b"property" => self.draft.properties.network.push(self.lexer.property()?),
                b"" if self.lexer.accept(b'}')? => return Ok(()),
                _ => {
                    self.lexer.at = start;
                    return Err(self.lexer.expected("`property` or `}`"));
                }
            }
        }
    }

    fn variable(&mut self) -> Result<(), ParseError> {
        let (name, at) = self.lexer.name("the name of a variable")?;
        self.lexer.mark(b'{', "after the name of the variable")?;
        let mut states = None;
        let mut properties = Vec::new();
        loop {
            self.lexer.skip()?;
            let start = self.lexer.at;
            match self.lexer.keyword()? {
                b"type" if states.is_some() => {
                    return Err(self.draft.source.error(start, format!("a second type of `{name}`")));
                }
                b"type" => states = Some(self.states()?),
                b"property" => properties.push(self.lexer.property()?),
                b"" if self.lexer.accept(b'}')? => break,
                _ => {
                    self.lexer.at = start;
                    return Err(self.lexer.expected("`type`, `property` or `}`"));
                }
            }
        }
        let Some(states) = states else {
            return Err(self.draft.source.error(at, format!("the variable `{name}` has no type")));
        };
        self.draft.declare((Cow::Borrowed(name), at), states, properties)
    }

    /// `discrete [ 2 ] { yes, no };`
    fn states(&mut self) -> Result<Vec<Placed<'a>>, ParseError> {
        self.lexer.skip()?;
        let start = self.lexer.at;
        if self.lexer.keyword()? != b"discrete" {
            self.lexer.at = start;
            return Err(self.lexer.expected("`discrete`"));
        }
        self.lexer.mark(b'[', "and the number of states")?;
        let (count, at) = self.lexer.name("the number of states")?;
        let Ok(count) = count.parse::<usize>() else {
            self.lexer.at = at;
            return Err(self.lexer.expected("the number of states"));
        };
        self.lexer.mark(b']', "after the number of states")?;
        self.lexer.mark(b'{', "before the states")?;
        let mut states = Vec::new();
        loop {
            self.lexer.skip_commas()?;
            if self.lexer.accept(b'}')? {
                break;
            }
            let (state, at) = self.lexer.name("a state or `}`")?;
            states.push((Cow::Borrowed(state), at));
        }
        if states.len() != count {
            let message = format!("{count} states are announced, and {} listed", states.len());
            return Err(self.draft.source.error(at, message));
        }
        self.lexer.accept(b';')?;
        Ok(states)
    }

    fn probability(&mut self) -> Result<(), ParseError> {
        let start = self.lexer.at;
        if let Ok(header) = self.header()? {
            return self.table(&header);
        }
        self.later.push(start);
        self.lexer.at = start;
        self.lexer.skip_block()
    }

    /// `( child | parents )`, or the name that is no variable, with its place.
    fn header(&mut self) -> Result<Result<Header, (&'a str, usize)>, ParseError> {
        self.lexer.mark(b'(', "before the variables of the table")?;
        let mut header = Header::new();
        let mut bar = false;
        loop {
            self.lexer.skip_commas()?;
            match self.lexer.peek() {
                Some(b')') => break,
                Some(b'|') if !bar && header.len() == 1 => {
                    bar = true;
                    self.lexer.at += 1;
                    continue;
                }
                Some(b'|') => return Err(self.lexer.expected("one variable, `|` and its parents")),
                _ => {}
            }
            let (name, at) = self.lexer.name("the name of a variable or `)`")?;
            match self.draft.find(name) {
                Some(v) => header.push((v, at)),
                None => return Ok(Err((name, at))),
            }
        }
        if header.is_empty() {
            return Err(self.lexer.expected("the name of a variable"));
        }
        self.lexer.at += 1;
        Ok(Ok(header))
    }

    /// `{ table …; }` or `{ (state, …) …; default …; }`
    fn table(&mut self, header: &Header) -> Result<(), ParseError> {
        self.rows.begin(&self.draft, header)?;
        let (child, at) = header[0];
        self.lexer.mark(b'{', "before the probabilities")?;
        loop {
            self.lexer.skip()?;
            let start = self.lexer.at;
            if self.lexer.peek() == Some(b'(') {
                self.rows.row(&mut self.lexer, &self.draft)?;
                continue;
            }
            match self.lexer.keyword()? {
                b"table" => self.rows.all(&mut self.lexer, &self.draft, start)?,
                b"default" => self.rows.default_row(&mut self.lexer, &self.draft, start)?,
                b"property" => self.draft.properties.tables[child.index()].push(self.lexer.property()?),
                b"" if self.lexer.accept(b'}')? => break,
                _ => {
                    self.lexer.at = start;
                    return Err(self.lexer.expected("`table`, `default`, `property`, `(` or `}`"));
                }
            }
        }
        let values = self.rows.finish(&mut self.draft, at)?;
        self.draft.define(child, &self.rows.parents, values, at)
    }
}
