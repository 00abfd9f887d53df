//! What a classifier reads of a row: the terms of a text, or numbers and categories.

use posterior::math::linalg::{DMatrix, DVector};
use posterior::math::streaming::MeanVariance;
use posterior::table::{ColumnKind, DataFrame};
use posterior::topics::Corpus;
use posterior::topics::corpus::{
    Apostrophes, CorpusBuilder, Digits, Document, LetterSet, Source, StopWords, TextTerms, Tokenizer,
    VocabularyOptions,
};
use serde::{Deserialize, Serialize};

use super::data_input::{self, Content};
use crate::args::{ClassifyFile, ClassifyRecipe, ClassifyWords};
use crate::failure::Failure;
use crate::rows_input::note_of_row_names;

/// What is read, as a file of a model says it.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Features {
    Texts(TextFeatures),
    Rows(RowFeatures),
}

/// The terms of a text that a model knows.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TextFeatures {
    pub(super) text_column: String,
    pub(super) ascii_words: bool,
    pub(super) min_letters: usize,
    pub(super) terms: TextTerms,
    pub(super) min_documents: usize,
    pub(super) stop_words: Vec<String>,
    /// In alphabetical order.
    pub(super) vocabulary: Vec<String>,
}

/// The columns of a row that a model knows.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RowFeatures {
    pub(super) columns: Vec<NamedColumn>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct NamedColumn {
    pub(super) name: String,
    /// The categories; none of a column of numbers.
    pub(super) levels: Option<Vec<String>>,
}

/// Rows to learn from.
pub(super) enum Inputs {
    Texts(Corpus),
    /// A category is its place among the levels; NaN where a value is missing or not known.
    Rows(DMatrix<f64>),
}

/// Rows to predict, with the number of terms that are not known, or values that are missing.
pub(super) enum NewInputs {
    Texts(Vec<CountedText>),
    Rows(DMatrix<f64>),
}

/// The known terms of a text.
#[derive(Debug, Default)]
pub(super) struct CountedText {
    words: Vec<u32>,
    counts: Vec<u32>,
    unknown: u64,
}

impl CountedText {
    pub(super) fn document(&self) -> Document<'_> {
        Document { words: &self.words, counts: &self.counts }
    }
}

impl NewInputs {
    /// How many terms of each row are not known, or values missing.
    pub(super) fn unknown(&self) -> Vec<u64> {
        match self {
            Self::Texts(texts) => texts.iter().map(|own| own.unknown).collect(),
            Self::Rows(rows) => {
                let missing = |row: usize| rows.row(row).iter().filter(|own| own.is_nan()).count() as u64;
                (0..rows.nrows()).map(missing).collect()
            }
        }
    }
}

impl Inputs {
    /// The same as if they were new.
    pub(super) fn as_new(&self) -> NewInputs {
        match self {
            Self::Texts(corpus) => {
                let text = |own: Document<'_>| CountedText {
                    words: own.words.to_vec(),
                    counts: own.counts.to_vec(),
                    unknown: 0,
                };
                NewInputs::Texts(corpus.iter().map(text).collect())
            }
            Self::Rows(rows) => NewInputs::Rows(rows.clone()),
        }
    }
}

impl Features {
    /// The features of a table, its rows, and what to say of columns that were left out.
    pub(super) fn learn(
        table: &DataFrame,
        label: &str,
        content: Content,
        file: &ClassifyFile,
        recipe: &ClassifyRecipe,
    ) -> Result<(Self, Inputs, Option<String>), Failure> {
        match content {
            Content::Texts => {
                let features = TextFeatures::of(file, recipe)?;
                let column = features.text_column.clone();
                let (features, corpus) = features.counted(table, &column)?;
                Ok((Self::Texts(features), Inputs::Texts(corpus), None))
            }
            Content::Rows => {
                let (features, note) = RowFeatures::of(table, label, file)?;
                let rows = features.numbers(table)?;
                Ok((Self::Rows(features), Inputs::Rows(rows), note))
            }
        }
    }

    /// Refuses rows without a number, for a method that has no use for them.
    pub(super) fn complete(&self, table: &DataFrame) -> Result<(), Failure> {
        let Self::Rows(own) = self else { return Ok(()) };
        let check = |column: &NamedColumn| table.complete_numbers(&column.name).map(drop);
        let hint = "logistic regression needs every number: leave the row or, with --x, the column out";
        let mut numbers = own.columns.iter().filter(|column| column.levels.is_none());
        numbers.try_for_each(check).map_err(|error| Failure::from(error).or(hint))
    }

    /// The columns of a file that it reads.
    pub(super) fn columns(&self, file: &ClassifyFile) -> Vec<String> {
        match self {
            Self::Texts(own) => vec![own.column(file).to_owned()],
            Self::Rows(own) => own.columns.iter().map(|column| column.name.clone()).collect(),
        }
    }

    /// How many distinct terms or columns it knows.
    pub(super) const fn count(&self) -> usize {
        match self {
            Self::Texts(own) => own.vocabulary.len(),
            Self::Rows(own) => own.columns.len(),
        }
    }

    pub(super) const fn content(&self) -> Content {
        match self {
            Self::Texts(_) => Content::Texts,
            Self::Rows(_) => Content::Rows,
        }
    }

    /// The rows of a table in these terms.
    pub(super) fn of_new(&self, table: &DataFrame, file: &ClassifyFile) -> Result<NewInputs, Failure> {
        match self {
            Self::Texts(own) => {
                let texts = data_input::texts(table, own.column(file))?;
                Ok(NewInputs::Texts(texts.into_iter().map(|text| own.count(text)).collect()))
            }
            Self::Rows(own) => Ok(NewInputs::Rows(own.numbers(table)?)),
        }
    }

    /// Whether the file that it is from makes sense.
    pub(super) fn check(&self) -> Result<(), String> {
        match self {
            Self::Texts(own) if !own.vocabulary.is_sorted_by(|a, b| a < b) => {
                Err("words out of order".to_owned())
            }
            Self::Rows(own)
                if !own
                    .columns
                    .iter()
                    .all(|column| column.levels.as_ref().is_none_or(|own| own.is_sorted())) =>
            {
                Err("categories out of order".to_owned())
            }
            _ => Ok(()),
        }
    }
}

impl TextFeatures {
    /// As the options say, without a vocabulary yet.
    fn of(file: &ClassifyFile, recipe: &ClassifyRecipe) -> Result<Self, Failure> {
        let range = |own: &crate::args::CountRange| (own.least, own.most);
        let terms = match (&recipe.ngrams, &recipe.characters) {
            (_, Some(own)) => {
                let (least, most) = range(own);
                TextTerms::Characters { least, most }
            }
            (Some(own), None) => {
                let (least, most) = range(own);
                TextTerms::Words { least, most }
            }
            (None, None) => TextTerms::default(),
        };
        Ok(Self {
            text_column: data_input::text_column(file),
            ascii_words: recipe.words == ClassifyWords::Ascii,
            min_letters: recipe.min_letters,
            terms,
            min_documents: recipe.min_df,
            stop_words: stop_words(&recipe.stop_words)?.iter().map(str::to_owned).collect(),
            vocabulary: Vec::new(),
        })
    }

    /// The column of texts of a file.
    pub(super) fn column<'a>(&'a self, file: &'a ClassifyFile) -> &'a str {
        file.text.as_deref().unwrap_or(&self.text_column)
    }

    /// With the terms of a column of texts, which are counted.
    pub(super) fn counted(self, table: &DataFrame, column: &str) -> Result<(Self, Corpus), Failure> {
        let vocabulary = VocabularyOptions {
            tokenizer: self.tokenizer(),
            terms: self.terms,
            stop_words: StopWords::new(self.stop_words.iter().map(String::as_str)),
            min_documents: self.min_documents,
            ..VocabularyOptions::default()
        };
        let mut builder = CorpusBuilder::new(vocabulary)?;
        for (row, text) in data_input::texts(table, column)?.into_iter().enumerate() {
            builder.push(table.line(row).to_string(), text);
        }
        let (corpus, _) = builder.build().map_err(|error| data_input::in_file(table, error))?;
        Ok((Self { vocabulary: corpus.vocabulary().to_vec(), ..self }, corpus))
    }

    fn tokenizer(&self) -> Tokenizer {
        let all = Tokenizer { digits: Digits::Keep, min_length: self.min_letters, ..Tokenizer::default() };
        if self.ascii_words {
            Tokenizer { letters: LetterSet::Ascii, apostrophes: Apostrophes::Split, ..all }
        } else {
            Tokenizer { apostrophes: Apostrophes::Keep, ..all }
        }
    }

    /// The terms of a text that are known, and how many are not.
    fn count(&self, text: &str) -> CountedText {
        let (mut known, mut own) = (Vec::new(), CountedText::default());
        self.terms.each(self.tokenizer(), text, |term| {
            match self.vocabulary.binary_search_by(|own| own.as_str().cmp(term)) {
                Ok(id) => known.push(id as u32),
                Err(_) => own.unknown += 1,
            }
        });
        known.sort_unstable();
        for same in known.chunk_by(|a, b| a == b) {
            own.words.push(same[0]);
            own.counts.push(same.len() as u32);
        }
        own
    }
}

fn stop_words(text: &str) -> Result<StopWords, Failure> {
    if text == "none" {
        return Ok(StopWords::none());
    }
    if StopWords::languages().contains(&text) {
        return Ok(StopWords::language(text)?);
    }
    Ok(StopWords::read(Source::open(text)?)?)
}

impl RowFeatures {
    fn of(table: &DataFrame, label: &str, file: &ClassifyFile) -> Result<(Self, Option<String>), Failure> {
        let (names, note) = match file.x.as_slice() {
            [] => predictors(table, label, &file.categorical)?,
            names => (names.to_vec(), None),
        };
        if let Some(other) = file.categorical.iter().find(|name| !names.contains(name)) {
            let message = format!("--categorical {other}: expected one of the columns of --x");
            return Err(Failure::Usage(message));
        }
        let named = |name: String| {
            // A number that is the same in all rows tells no class from another, and has no variance: it is a
            // category with one level.
            let numeric = !file.categorical.contains(&name)
                && matches!(
                    kind(table, &name)?,
                    ColumnKind::Number | ColumnKind::Count | ColumnKind::RowNumber
                )
                && moments(table.numbers(&name)?.iter().copied()).variance() != 0.0;
            let levels = if numeric { None } else { Some(levels(table, &name)?) };
            Ok(NamedColumn { name, levels })
        };
        let columns = names.into_iter().map(named).collect::<Result<Vec<_>, Failure>>()?;
        Ok((Self { columns }, note))
    }

    /// The columns of a table as numbers; a category that is not known is missing.
    pub(super) fn numbers(&self, table: &DataFrame) -> Result<DMatrix<f64>, Failure> {
        let mut values = DMatrix::from_element(table.len(), self.columns.len(), f64::NAN);
        for (j, NamedColumn { name, levels }) in self.columns.iter().enumerate() {
            match levels {
                None => {
                    values.set_column(j, &DVector::from_vec(table.numbers(name)?));
                }
                Some(levels) => {
                    for (i, text) in table.texts_or_missing(name)?.into_iter().enumerate() {
                        let place =
                            text.and_then(|text| levels.binary_search_by(|own| own.as_str().cmp(text)).ok());
                        values[(i, j)] = place.map_or(f64::NAN, |place| place as f64);
                    }
                }
            }
        }
        Ok(values)
    }
}

/// The different cells of a column, in alphabetical order.
pub(super) fn levels(table: &DataFrame, name: &str) -> Result<Vec<String>, Failure> {
    let mut levels: Vec<String> =
        table.texts_or_missing(name)?.into_iter().flatten().map(str::to_owned).collect();
    levels.sort_unstable();
    levels.dedup();
    Ok(levels)
}

/// Mean and variance of the values that are not missing.
pub(super) fn moments(values: impl Iterator<Item = f64>) -> MeanVariance {
    values.filter(|value| !value.is_nan()).collect()
}

/// The columns but the label and those that name rows, and what to say of the latter.
fn predictors(
    table: &DataFrame,
    label: &str,
    categorical: &[String],
) -> Result<(Vec<String>, Option<String>), Failure> {
    let (mut names, mut left_out) = (Vec::new(), Vec::new());
    for name in table.header().iter().filter(|name| *name != label) {
        let is_taken = categorical.contains(name) || !kind(table, name)?.names_rows();
        if is_taken { &mut names } else { &mut left_out }.push(name.clone());
    }
    if names.is_empty() {
        let message = format!("{}: no column but {label} and those that name rows", table.source);
        let hint = "--x names the columns to take, --text a column of texts";
        return Err(Failure::data(message).with_hint(hint));
    }
    Ok((names, note_of_row_names(&left_out, "--x")))
}

/// The type of a column, which may hold categories or be left out.
fn kind(table: &DataFrame, name: &str) -> Result<ColumnKind, Failure> {
    let instead = format!("if the column holds categories, say --categorical {name}; --x leaves it out");
    table.kind(name).map_err(|error| Failure::from(error).or(&instead))
}
