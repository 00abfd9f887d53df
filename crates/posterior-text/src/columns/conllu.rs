//! CoNLL-U: ten columns, with multiword tokens, empty nodes and comments.

use std::fmt;
use std::io::{self, BufRead, Write};
use std::ops::Range;
use std::str::FromStr;

use super::line::Lines;
use super::table::TokenTable;
use crate::error::Error;

/// A column of a CoNLL-U file; parsed from its name, in any case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ConlluColumn {
    /// The number of the word, from 1.
    Id,
    /// The word.
    Form,
    /// Its lemma or stem.
    Lemma,
    /// Its universal part of speech.
    Upos,
    /// Its part of speech by the rules of the language or the treebank.
    Xpos,
    /// Its morphological features.
    Feats,
    /// The number of the word that it depends on, 0 for none.
    Head,
    /// Its relation to that word.
    Deprel,
    /// Its relations to all words, as pairs of a number and a relation.
    Deps,
    /// Anything else.
    Misc,
}

const NAMES: [(&str, ConlluColumn); 10] = [
    ("id", ConlluColumn::Id),
    ("form", ConlluColumn::Form),
    ("lemma", ConlluColumn::Lemma),
    ("upos", ConlluColumn::Upos),
    ("xpos", ConlluColumn::Xpos),
    ("feats", ConlluColumn::Feats),
    ("head", ConlluColumn::Head),
    ("deprel", ConlluColumn::Deprel),
    ("deps", ConlluColumn::Deps),
    ("misc", ConlluColumn::Misc),
];

impl ConlluColumn {
    /// Its place, from 0.
    pub const fn index(self) -> usize {
        self as usize
    }
}

impl fmt::Display for ConlluColumn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(NAMES[self.index()].0)
    }
}

impl FromStr for ConlluColumn {
    type Err = Error;

    /// # Errors
    /// A name that is none of `id`, `form`, `lemma`, `upos`, `xpos`, `feats`, `head`, `deprel`, `deps`,
    /// `misc`.
    fn from_str(name: &str) -> Result<Self, Error> {
        let found = NAMES.iter().find(|(own, _)| own.eq_ignore_ascii_case(name));
        found.map(|(_, column)| *column).ok_or_else(|| {
            let all = NAMES.map(|(own, _)| own).join(", ");
            Error::Corpus(format!("no column of CoNLL-U is called {name:?}; there are {all}"))
        })
    }
}

/// A line of a sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Line {
    /// A comment, a multiword token or an empty node, as it stands in the file.
    Kept(String),
    /// A word.
    Word,
}

/// A sentence of a CoNLL-U file: its words, and the lines around them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConlluSentence {
    lines: Vec<Line>,
    words: TokenTable,
    /// The line of the file with each word.
    places: Vec<usize>,
    /// The words of each multiword token, from 0, and its form.
    tokens: Vec<(Range<usize>, String)>,
}

impl ConlluSentence {
    /// The words with all ten columns; multiword tokens and empty nodes are none.
    pub const fn words(&self) -> &TokenTable {
        &self.words
    }

    /// The words with these columns.
    ///
    /// # Errors
    /// If there is no column.
    pub fn table(&self, columns: &[ConlluColumn]) -> Result<TokenTable, Error> {
        let row = |word: usize| columns.iter().map(move |column| self.words.cell(word, column.index()));
        Ok(TokenTable::from_rows((0..self.words.len()).map(row))?.at(self.words.first_line()))
    }

    /// The line of the file with a word, from 1.
    ///
    /// # Panics
    /// If there is no such word.
    #[track_caller]
    pub fn line(&self, word: usize) -> usize {
        self.places[word]
    }

    /// The comments, with the sign `#`.
    pub fn comments(&self) -> impl Iterator<Item = &str> {
        self.kept().take_while(|line| line.starts_with('#'))
    }

    /// The multiword tokens: their words, from 0, and the form of the token.
    pub fn multiword_tokens(&self) -> impl ExactSizeIterator<Item = (Range<usize>, &str)> {
        self.tokens.iter().map(|(words, form)| (words.clone(), form.as_str()))
    }

    /// The lines of empty nodes, as they stand in the file.
    pub fn empty_nodes(&self) -> impl Iterator<Item = &str> {
        self.kept().filter(|line| !line.starts_with('#') && id_of(line).contains('.'))
    }

    fn kept(&self) -> impl Iterator<Item = &str> {
        self.lines.iter().filter_map(|line| match line {
            Line::Kept(line) => Some(line.as_str()),
            Line::Word => None,
        })
    }
}

fn id_of(line: &str) -> &str {
    line.split('\t').next().unwrap_or_default()
}

/// Reads [`ConlluSentence`]s.
///
/// ```
/// use posterior_text::columns::{ConlluColumn, ConlluReader};
///
/// let file = "# text = vámonos\n1-2\tvámonos\t_\t_\t_\t_\t_\t_\t_\t_\n\
///             1\tvamos\tir\tVERB\t_\t_\t0\troot\t_\t_\n2\tnos\tnosotros\tPRON\t_\t_\t1\tobj\t_\t_\n\n";
/// let sentences = ConlluReader::new(file.as_bytes()).collect::<Result<Vec<_>, _>>()?;
/// let words = sentences[0].table(&[ConlluColumn::Form, ConlluColumn::Upos])?;
/// assert_eq!((words.len(), words.cell(1, 0), words.cell(1, 1)), (2, "nos", "PRON"));
/// assert_eq!(sentences[0].multiword_tokens().next(), Some((0..2, "vámonos")));
/// # Ok::<(), posterior_text::Error>(())
/// ```
#[derive(Debug)]
pub struct ConlluReader<R> {
    lines: Lines<R>,
}

impl<R: BufRead> ConlluReader<R> {
    /// A reader of the format of Universal Dependencies 2 (<https://universaldependencies.org/format.html>).
    ///
    /// It refuses lines without ten fields, empty fields, spaces where only forms, lemmas and the last column
    /// may have some, comments inside of a sentence, numbers of words that are not 1, 2, …, and multiword
    /// tokens and empty nodes at the wrong place or with fields that must be `_`.
    pub const fn new(source: R) -> Self {
        Self { lines: Lines::new(source) }
    }

    fn read(&mut self) -> Result<Option<ConlluSentence>, Error> {
        let mut sentence: Option<Begun> = None;
        loop {
            let number = self.lines.number() + 1;
            let Some(line) = self.lines.read()? else { break };
            if line.trim().is_empty() {
                if sentence.is_some() {
                    break;
                }
                continue;
            }
            let own = sentence.get_or_insert_with(|| Begun::at(number));
            own.push(line, number).map_err(|message| Error::Line { line: number, message })?;
        }
        let line = self.lines.number();
        sentence.map(|own| own.finish().map_err(|message| Error::Line { line, message })).transpose()
    }
}

impl<R: BufRead> Iterator for ConlluReader<R> {
    type Item = Result<ConlluSentence, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        let read = self.read();
        self.lines.item(read)
    }
}

/// A sentence of which some lines were read.
struct Begun {
    sentence: ConlluSentence,
    /// How many empty nodes there are after the last word.
    empty: usize,
}

/// The columns in which there may be spaces.
const WITH_SPACES: [ConlluColumn; 3] = [ConlluColumn::Form, ConlluColumn::Lemma, ConlluColumn::Misc];
/// The columns that say nothing of a multiword token, and of an empty node.
const NOT_OF_MULTIWORD_TOKENS: [ConlluColumn; 6] = [
    ConlluColumn::Lemma,
    ConlluColumn::Upos,
    ConlluColumn::Xpos,
    ConlluColumn::Head,
    ConlluColumn::Deprel,
    ConlluColumn::Deps,
];
const NOT_OF_EMPTY_NODES: [ConlluColumn; 2] = [ConlluColumn::Head, ConlluColumn::Deprel];

impl Begun {
    const fn at(line: usize) -> Self {
        let words = TokenTable::empty(line, NAMES.len());
        let sentence = ConlluSentence { lines: Vec::new(), words, places: Vec::new(), tokens: Vec::new() };
        Self { sentence, empty: 0 }
    }

    fn push(&mut self, line: &str, number: usize) -> Result<(), String> {
        let own = &mut self.sentence;
        if line.starts_with('#') {
            if own.kept().count() < own.lines.len() || own.kept().any(|line| !line.starts_with('#')) {
                return Err("a comment inside of a sentence".to_owned());
            }
            own.lines.push(Line::Kept(line.to_owned()));
            return Ok(());
        }
        let fields: Vec<&str> = line.split('\t').collect();
        if fields.len() != NAMES.len() {
            return Err(format!("{} fields between tabs, expected 10", fields.len()));
        }
        for ((name, column), field) in NAMES.iter().zip(&fields) {
            if field.is_empty() {
                return Err(format!("the field {name} is empty, expected _ where nothing is known"));
            }
            if field.contains(' ') && !WITH_SPACES.contains(column) {
                return Err(format!("the field {name} holds a space"));
            }
        }
        let (id, words) = (fields[0], own.words.len());
        let nothing = |columns: &[ConlluColumn], what: &str| match columns
            .iter()
            .find(|column| fields[column.index()] != "_")
        {
            Some(column) => Err(format!("the field {column} of {what} must be _")),
            None => Ok(()),
        };
        if let Some((first, last)) = id.split_once('-') {
            let (first, last) = (whole(first)?, whole(last)?);
            let end = own.tokens.last().map_or(0, |(words, _)| words.end);
            if first != words + 1 || first > last || first <= end {
                let place = format!("expected {}-N", words.max(end) + 1);
                return Err(format!("the multiword token {id} is not before its first word, {place}"));
            }
            nothing(&NOT_OF_MULTIWORD_TOKENS, "a multiword token")?;
            own.tokens.push((first - 1..last, fields[1].to_owned()));
            own.lines.push(Line::Kept(line.to_owned()));
        } else if let Some((before, place)) = id.split_once('.') {
            let (before, place) = (whole(before)?, whole(place)?);
            if before != words || place != self.empty + 1 {
                return Err(format!("the empty node {id} where {words}.{} is expected", self.empty + 1));
            }
            nothing(&NOT_OF_EMPTY_NODES, "an empty node")?;
            self.empty += 1;
            own.lines.push(Line::Kept(line.to_owned()));
        } else {
            let found = whole(id)?;
            if found != words + 1 {
                return Err(format!("word {found} where {} is expected", words + 1));
            }
            if words == 0 {
                own.words = TokenTable::empty(number, NAMES.len());
            }
            for field in &fields {
                own.words.push(field);
            }
            own.places.push(number);
            own.lines.push(Line::Word);
            self.empty = 0;
        }
        Ok(())
    }

    fn finish(self) -> Result<ConlluSentence, String> {
        let words = self.sentence.words.len();
        if words == 0 {
            return Err("a sentence without words ends here".to_owned());
        }
        match self.sentence.tokens.last() {
            Some((own, form)) if own.end > words => Err(format!(
                "the multiword token {form:?} ends with word {}, the sentence with {words}",
                own.end
            )),
            _ => Ok(self.sentence),
        }
    }
}

/// A number, without a sign.
fn whole(text: &str) -> Result<usize, String> {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| digits).ok_or_else(|| format!("{text:?} does not number a word"))
}

/// Writes a sentence with the columns of its words that `cell` gives, or as they are where it gives `None`;
/// all other lines as they were, `comments` after the others, an empty line at its end.
///
/// # Errors
/// Those of the writer, and `InvalidInput` for a cell that no file can hold: one that is empty, or has a tab,
/// the end of a line, or a space where there must be none.
pub fn write_conllu<'a, W: Write + ?Sized>(
    target: &mut W,
    sentence: &'a ConlluSentence,
    comments: &[String],
    cell: impl Fn(usize, ConlluColumn) -> Option<&'a str>,
) -> io::Result<()> {
    let (mut word, mut begun) = (0, false);
    for line in &sentence.lines {
        let is_comment = matches!(line, Line::Kept(line) if line.starts_with('#'));
        if !is_comment && !begun {
            begun = true;
            comments.iter().try_for_each(|comment| writeln!(target, "# {comment}"))?;
        }
        let Line::Word = line else {
            if let Line::Kept(line) = line {
                writeln!(target, "{line}")?;
            }
            continue;
        };
        for (_, column) in NAMES {
            let own = cell(word, column).unwrap_or_else(|| sentence.words.cell(word, column.index()));
            let space = own.contains(' ') && !WITH_SPACES.contains(&column);
            if own.is_empty() || own.contains(['\t', '\n', '\r']) || space {
                let message = format!("the column {column} of a CoNLL-U file cannot hold {own:?}");
                return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
            }
            write!(target, "{}{own}", if column == ConlluColumn::Id { "" } else { "\t" })?;
        }
        writeln!(target)?;
        word += 1;
    }
    writeln!(target)
}
