//! Documents as texts, before they become counts, with what else is known of them.

use super::metadata::Metadata;
use super::open::Source;
use super::vocabulary::CorpusBuilder;
use super::vocabulary_options::VocabularyOptions;
use super::vocabulary_report::VocabularyReport;
use crate::{Corpus, Error};

/// A document as text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Text {
    /// The name of the document.
    pub name: String,
    /// Its words.
    pub text: String,
}

/// Documents as texts, in order, and a table with a row for each where their file has more than the text.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Texts {
    /// The documents.
    pub texts: Vec<Text>,
    /// The other columns of their file.
    pub metadata: Option<Metadata>,
}

impl Texts {
    /// Texts of which nothing else is known.
    ///
    /// ```
    /// use posterior_text::corpus::{Text, Texts, VocabularyOptions};
    ///
    /// let text = |name: &str, text: &str| Text { name: name.to_owned(), text: text.to_owned() };
    /// let texts = Texts::new(vec![text("first", "war and peace"), text("second", "peace")]);
    /// assert_eq!(texts.count(VocabularyOptions::default())?.0.tokens(), 4);
    /// # Ok::<(), posterior_text::Error>(())
    /// ```
    pub const fn new(texts: Vec<Text>) -> Self {
        Self { texts, metadata: None }
    }

    /// Counts the words: the corpus, and what each filter of the vocabulary removed.
    ///
    /// # Errors
    /// An option is out of its range, there is no text, or no word is left.
    pub fn count(&self, options: VocabularyOptions) -> Result<(Corpus, VocabularyReport), Error> {
        let mut builder = CorpusBuilder::new(options)?;
        for Text { name, text } in &self.texts {
            builder.push(name.as_str(), text);
        }
        builder.build()
    }
}

/// Reads a CSV table with a header: texts from the column `text`, names from the column `name` where one is
/// given (else the number of the row), the other columns as metadata.
///
/// # Errors
/// It is not a CSV table, or one without these columns or without a row; as [`Metadata::read_csv`].
pub fn read_csv_texts(source: Source, text: &str, name: Option<&str>) -> Result<Texts, Error> {
    let required: Vec<&str> = std::iter::once(text).chain(name).collect();
    let mut table = Metadata::read_csv_with(source, &required)?;
    if table.rows() == 0 {
        return Err(Error::contents(
            table.path(),
            "no rows: expected one for each document under the header",
        ));
    }
    let names: Vec<String> = match name {
        Some(column) => table.text(column)?.into_iter().map(str::to_owned).collect(),
        None => (1..=table.rows()).map(|number| number.to_string()).collect(),
    };
    let fields = table.take(text)?;
    let texts = names.into_iter().zip(fields).map(|(name, (_, text))| Text { name, text }).collect();
    Ok(Texts { texts, metadata: (!table.columns().is_empty()).then_some(table) })
}
