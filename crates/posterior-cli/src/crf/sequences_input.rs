//! Files of sequences.

use std::path::Path;

use posterior::table::read_bytes;
use posterior::text::columns::{AttributeLists, AttributeReader, Separator, TableReader, TokenTable};

use crate::args::{CrfFile, CrfInput};
use crate::failure::Failure;

/// The sequences of a file.
pub(super) struct Sequences {
    /// The name of the file.
    pub(super) source: String,
    pub(super) form: Form,
}

/// What the lines of a file are.
pub(super) enum Form {
    Tables(Vec<TokenTable>),
    Lists(Vec<AttributeLists>),
}

impl Sequences {
    /// The sequences of a file, at least one.
    pub(super) fn read(path: &Path, options: &CrfFile) -> Result<Self, Failure> {
        let (source, bytes) = read_bytes(path)?;
        let refused = |error: posterior::text::Error| Failure::data(format!("{source}: {error}"));
        let form = match options.input {
            CrfInput::Attributes => {
                Form::Lists(AttributeReader::new(&bytes[..]).collect::<Result<_, _>>().map_err(refused)?)
            }
            CrfInput::Columns | CrfInput::Tabs => {
                let separator =
                    if options.input == CrfInput::Tabs { Separator::Tab } else { Separator::Blanks };
                let mut reader = TableReader::new(&bytes[..]).with_separator(separator);
                if let Some(start) = &options.comments {
                    reader = reader.with_comments(start);
                }
                Form::Tables(reader.collect::<Result<_, _>>().map_err(refused)?)
            }
        };
        let sequences = Self { source, form };
        if sequences.len() == 0 {
            return Err(Failure::data(format!("{}: no sequence, expected a token a line", sequences.source)));
        }
        Ok(sequences)
    }

    pub(super) const fn len(&self) -> usize {
        match &self.form {
            Form::Tables(tables) => tables.len(),
            Form::Lists(lists) => lists.len(),
        }
    }

    /// The number of columns; `None` for lists of attributes.
    pub(super) fn columns(&self) -> Option<usize> {
        match &self.form {
            Form::Tables(tables) => tables.first().map(TokenTable::columns),
            Form::Lists(_) => None,
        }
    }

    /// The labels of a sequence: its last column, or what stands before its attributes.
    pub(super) fn labels(&self, sequence: usize) -> Vec<&str> {
        match &self.form {
            Form::Tables(tables) => {
                let table = &tables[sequence];
                table.column(table.columns() - 1).collect()
            }
            Form::Lists(lists) => lists[sequence].labels.iter().map(String::as_str).collect(),
        }
    }

    /// That no labels of a sequence keep to what was asked.
    pub(super) fn impossible(&self, sequence: usize) -> Failure {
        let place = match &self.form {
            Form::Tables(tables) => format!("line {}", tables[sequence].first_line()),
            Form::Lists(_) => format!("sequence {}", sequence + 1),
        };
        let source = &self.source;
        Failure::data(format!("{source}: {place}: no labels of this sequence keep to --constraints"))
    }

    /// The words of a sequence: its first column; none where there are lists of attributes.
    pub(super) fn words(&self, sequence: usize) -> Option<Vec<&str>> {
        match &self.form {
            Form::Tables(tables) => Some(tables[sequence].column(0).collect()),
            Form::Lists(_) => None,
        }
    }
}
