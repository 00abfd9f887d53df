//! What becomes of the words of the texts before they are counted.

use std::io::Write;
use std::path::Path;

use posterior::report::{Page, PageTable, TableColumn, grouped};
use posterior::topics::corpus::{
    Accents, LetterSet, Proportion, Removed, Source, StopWords, Tokenizer, VocabularyOptions, read_folder,
};

use crate::story::tell_table;
use crate::{Outcome, Sources};

/// A text of the folder, and the stop words, by which the folder is known to be there.
const STOP_WORDS: &str = "sotu/stopwords.txt";
const FIRST: &str = "sotu/raw/1790_George-Washington.txt";

/// Counts the texts as the embedded counts were made, and says what each filter removes; without the texts
/// where they are.
pub(super) fn filters(out: &mut dyn Write, sources: &Sources, page: &mut Page) -> Outcome<()> {
    let (Some(stop_words), Some(first)) = (sources.file(STOP_WORDS), sources.file(FIRST)) else {
        writeln!(out, "what each filter of the words removed is said where {STOP_WORDS} and sotu/raw are")?;
        return Ok(());
    };
    let tokenizer = Tokenizer { letters: LetterSet::Ascii, accents: Accents::Fold, ..Tokenizer::default() };
    let options = VocabularyOptions {
        tokenizer,
        stop_words: StopWords::read(Source::open(&stop_words)?)?,
        min_documents: 5,
        max_document_proportion: 0.9,
        max_words: Some(10_000),
        ..VocabularyOptions::default()
    };
    let (_, report) = read_folder(first.parent().unwrap_or(Path::new(".")))?.count(options)?;
    let columns = [TableColumn::text("words")]
        .into_iter()
        .chain(["distinct", "running", "% of running"].map(TableColumn::number))
        .collect();
    let row = |name: &str, own: Proportion| {
        let percent = 100.0 * own.tokens as f64 / report.found.tokens as f64;
        vec![name.to_owned(), grouped(own.words as u64), grouped(own.tokens), format!("{percent:.1}")]
    };
    let mut rows = vec![row("in the texts", report.found)];
    rows.extend(Removed::ALL.map(|filter| row(filter.label(), report.removed(filter))));
    rows.push(row("kept", report.kept));
    let text = "Each filter takes its words from those that the filters before it have left; what is kept is what is counted below.";
    tell_table(out, page, "What the filters remove", text, PageTable { columns, rows })
}
