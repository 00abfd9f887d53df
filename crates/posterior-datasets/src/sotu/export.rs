//! The addresses as the files of their source: UCI bag of words, vocabulary and table of addresses.

use std::io::{self, Write};

use super::load;

/// Writes the counts as a UCI bag of words: the numbers of documents, words and entries, one a line, then
/// `document word count` a line, numbered from 1.
///
/// # Errors
/// Whatever `out` refuses.
pub(crate) fn write_docword(out: &mut dyn Write) -> io::Result<()> {
    let sotu = load();
    let mut text = Vec::new();
    writeln!(text, "{}\n{}\n{}", sotu.addresses.len(), sotu.vocabulary.len(), sotu.entries())?;
    for (document, address) in (1..).zip(&sotu.addresses) {
        for &(word, count) in &address.counts {
            writeln!(text, "{document} {} {count}", word + 1)?;
        }
    }
    out.write_all(&text)
}

/// Writes the vocabulary, one word a line.
///
/// # Errors
/// Whatever `out` refuses.
pub(crate) fn write_vocab(out: &mut dyn Write) -> io::Result<()> {
    let mut text = load().vocabulary.join("\n");
    text.push('\n');
    out.write_all(text.as_bytes())
}

/// Writes the table of addresses as CSV with the columns doc, year, president, party, form, file and tokens.
///
/// # Errors
/// Whatever `out` refuses.
pub(crate) fn write_meta(out: &mut dyn Write) -> io::Result<()> {
    let mut text = b"doc,year,president,party,form,file,tokens\n".to_vec();
    for (document, a) in (1..).zip(&load().addresses) {
        let (year, president, party, form, name, tokens) =
            (a.year, &a.president, &a.party, a.form, &a.name, a.tokens());
        writeln!(text, "{document},{year},{president},{party},{form},{name}.txt,{tokens}")?;
    }
    out.write_all(&text)
}
