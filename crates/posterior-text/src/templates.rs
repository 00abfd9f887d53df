//! Attributes of tokens from the words around them: templates as in CRF++, and ready-made ones for tagging
//! words.

mod parse;
mod word;

use std::fmt::Write as _;
use std::str::FromStr;

use crate::columns::TokenTable;
use crate::error::Error;
use posterior_math::check::DimensionError;

pub use word::{TaggingFeatures, word_shape};

/// What a template is put together from.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Piece {
    Text(String),
    /// `%x[row,column]`.
    Cell {
        row: isize,
        column: usize,
    },
}

/// A name with places for cells.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Template(Vec<Piece>);

/// Templates that make attributes of a token out of the cells around it.
///
/// The language is that of CRF++ (Kudo 2005). A line that starts with `U` makes one attribute of each token,
/// for its label; one that starts with `B` makes an attribute of each step, for the pair of the labels of the
/// token before and of this one, and `B` alone says that pairs of labels have weights at all. In them
/// `%x[row,column]` stands for a cell: `row` counts from the token, negative for those before it, `column`
/// from 0. Before the first token stand `_B-1`, `_B-2`, ..., after the last `_B+1`, `_B+2`, .... Empty lines
/// and lines that start with `#` are passed over.
///
/// ```
/// use posterior_text::{columns::TableReader, templates::Templates};
///
/// let templates: Templates = "U00:%x[-1,0]\nU01:%x[0,0]/%x[0,1]\nB".parse()?;
/// let sentences: Vec<_> = TableReader::new("He PRP\nsaw VBD\n".as_bytes()).collect::<Result<_, _>>()?;
/// assert_eq!(templates.attributes(&sentences[0], 0)?, ["U00:_B-1", "U01:He/PRP"]);
/// assert_eq!(templates.attributes(&sentences[0], 1)?, ["U00:He", "U01:saw/VBD"]);
/// assert!(templates.has_transitions());
/// # Ok::<(), posterior_text::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Templates {
    nodes: Vec<Template>,
    edges: Vec<Template>,
    transitions: bool,
    /// One more than the largest column in use.
    columns: usize,
}

impl Templates {
    /// The templates of the CoNLL-2000 task: words and tags of two tokens to each side, pairs of words,
    /// pairs and triples of tags, pairs of labels. For tables whose columns are word, tag.
    ///
    /// They are the template of CRF++'s example `chunking`.
    #[expect(clippy::missing_panics_doc, reason = "the constant is parsed by a test")]
    pub fn chunking() -> Self {
        CHUNKING.parse().expect("invariant: a constant, which a test parses")
    }

    /// The number of columns that a table must have.
    pub const fn columns(&self) -> usize {
        self.columns
    }

    /// The number of attributes that each token gets.
    pub const fn per_token(&self) -> usize {
        self.nodes.len()
    }

    /// The number of attributes that each step gets.
    pub const fn per_step(&self) -> usize {
        self.edges.len()
    }

    /// Whether pairs of labels have weights: there is a line `B`.
    pub const fn has_transitions(&self) -> bool {
        self.transitions
    }

    /// The attributes of a token, for its label.
    ///
    /// # Errors
    /// If the table has too few columns, or no such token.
    pub fn attributes(&self, table: &TokenTable, token: usize) -> Result<Vec<String>, Error> {
        self.names(&self.nodes, table, token)
    }

    /// The attributes of the step from the token before to `token`, for the pair of their labels. The first
    /// token has no such step and no such attributes.
    ///
    /// # Errors
    /// As for [`attributes`](Self::attributes).
    pub fn step_attributes(&self, table: &TokenTable, token: usize) -> Result<Vec<String>, Error> {
        self.names(if token == 0 { &[] } else { &self.edges }, table, token)
    }

    fn names(&self, templates: &[Template], table: &TokenTable, token: usize) -> Result<Vec<String>, Error> {
        let (expected, found) = (self.columns, table.columns());
        if found < expected {
            return Err(DimensionError::new("columns that the templates use", expected, found).into());
        }
        if token >= table.len() {
            return Err(DimensionError::new("tokens", token + 1, table.len()).into());
        }
        Ok(templates.iter().map(|template| template.name(table, token)).collect())
    }
}

impl Template {
    fn name(&self, table: &TokenTable, token: usize) -> String {
        let mut name = String::new();
        for piece in &self.0 {
            match piece {
                Piece::Text(text) => name.push_str(text),
                Piece::Cell { row, column } => match place(token, *row, table.len()) {
                    Place::Inside(row) => name.push_str(table.cell(row, *column)),
                    // Writing to a string cannot fail.
                    Place::Before(distance) => drop(write!(name, "_B-{distance}")),
                    Place::After(distance) => drop(write!(name, "_B+{distance}")),
                },
            }
        }
        name
    }
}

/// Where a row is that is looked for.
enum Place {
    Before(usize),
    Inside(usize),
    After(usize),
}

/// The place of the token `offset` from `token`, of `len`.
const fn place(token: usize, offset: isize, len: usize) -> Place {
    let distance = offset.unsigned_abs();
    if offset < 0 {
        if distance > token { Place::Before(distance - token) } else { Place::Inside(token - distance) }
    } else if distance < len - token {
        Place::Inside(token + distance)
    } else {
        Place::After(distance - (len - token) + 1)
    }
}

impl FromStr for Templates {
    type Err = Error;

    /// # Errors
    /// [`Error::Line`] for a line that starts with something else than `U`, `B` or `#`, for `%` without
    /// `x[row,column]` after it, and for two equal lines, whose attributes could not be distinguished.
    fn from_str(text: &str) -> Result<Self, Error> {
        parse::templates(text)
    }
}

const CHUNKING: &str = "\
U00:%x[-2,0]
U01:%x[-1,0]
U02:%x[0,0]
U03:%x[1,0]
U04:%x[2,0]
U05:%x[-1,0]/%x[0,0]
U06:%x[0,0]/%x[1,0]
U10:%x[-2,1]
U11:%x[-1,1]
U12:%x[0,1]
U13:%x[1,1]
U14:%x[2,1]
U15:%x[-2,1]/%x[-1,1]
U16:%x[-1,1]/%x[0,1]
U17:%x[0,1]/%x[1,1]
U18:%x[1,1]/%x[2,1]
U20:%x[-2,1]/%x[-1,1]/%x[0,1]
U21:%x[-1,1]/%x[0,1]/%x[1,1]
U22:%x[0,1]/%x[1,1]/%x[2,1]
B
";
