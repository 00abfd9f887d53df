//! Files of sequences.

use std::path::Path;

use posterior::table::read_bytes;
use posterior::text::columns::{
    AttributeLists, AttributeReader, ConlluColumn, ConlluReader, ConlluSentence, Separator, TableReader,
    TokenTable,
};

use crate::args::{CrfFile, CrfInput};
use crate::failure::Failure;

/// The sequences of a file.
pub(super) struct Sequences {
    /// The name of the file.
    pub(super) source: String,
    pub(super) form: Form,
    /// What the file has around the words.
    pub(super) conllu: Option<Conllu>,
}

/// The sentences of a file in CoNLL-U.
pub(super) struct Conllu {
    pub(super) sentences: Vec<ConlluSentence>,
    /// The columns that count, the label's last.
    pub(super) columns: Vec<ConlluColumn>,
}

/// The columns that count where none were named.
const FORM_AND_TAG: [ConlluColumn; 2] = [ConlluColumn::Form, ConlluColumn::Upos];

/// Columns that `_` says nothing of, beside those of which it is a value.
const WITH_VALUES: [ConlluColumn; 5] =
    [ConlluColumn::Lemma, ConlluColumn::Upos, ConlluColumn::Xpos, ConlluColumn::Head, ConlluColumn::Deprel];

/// What the lines of a file are.
pub(super) enum Form {
    Tables(Vec<TokenTable>),
    Lists(Vec<AttributeLists>),
}

impl Sequences {
    /// The sequences of a file, at least one; `columns` are those of a model.
    pub(super) fn read(path: &Path, options: &CrfFile, columns: &[ConlluColumn]) -> Result<Self, Failure> {
        let (source, bytes) = read_bytes(path)?;
        let refused = |error: posterior::text::Error| Failure::data(format!("{source}: {error}"));
        let mut conllu = None;
        let form = match options.input {
            CrfInput::Conllu => {
                let given = [&options.columns[..], columns].into_iter().find(|own| !own.is_empty());
                let columns = given.unwrap_or(&FORM_AND_TAG).to_vec();
                let sentences: Vec<ConlluSentence> =
                    ConlluReader::new(&bytes[..]).collect::<Result<_, _>>().map_err(refused)?;
                let tables = sentences.iter().map(|own| own.table(&columns));
                let tables = tables.collect::<Result<_, _>>().map_err(refused)?;
                conllu = Some(Conllu { sentences, columns });
                Form::Tables(tables)
            }
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
        let sequences = Self { source, form, conllu };
        if sequences.len() == 0 {
            return Err(Failure::data(format!("{}: no sequence, expected a token a line", sequences.source)));
        }
        Ok(sequences)
    }

    /// The columns of CoNLL-U that count; none for other formats.
    pub(super) fn conllu_columns(&self) -> &[ConlluColumn] {
        self.conllu.as_ref().map_or(&[], |own| &own.columns)
    }

    /// Refuses words of CoNLL-U without a label.
    pub(super) fn check_labels(&self) -> Result<(), Failure> {
        let Some(Conllu { sentences, columns }) = &self.conllu else { return Ok(()) };
        let label = columns.last().filter(|label| WITH_VALUES.contains(label));
        let Some(label) = label else { return Ok(()) };
        for sentence in sentences {
            let words = sentence.words();
            if let Some(word) = (0..words.len()).find(|&word| words.cell(word, label.index()) == "_") {
                let (source, line) = (&self.source, sentence.line(word));
                return Err(Failure::data(format!(
                    "{source}: line {line}, column {label}: expected a label"
                )));
            }
        }
        Ok(())
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
