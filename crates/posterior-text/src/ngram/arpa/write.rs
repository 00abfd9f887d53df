//! Writing ARPA files.

use std::io::{self, Write};

use super::{ESCAPES, NEVER};
use crate::alphabet::{Alphabet, BEGIN, END};
use crate::ngram::NGramModel;
use crate::ngram::trie::ROOT;

/// Writes a model with the names of its symbols.
///
/// Numbers have 17 digits, so that reading gives the model back to rounding.
///
/// # Errors
/// An alphabet of another size, or with a name that is empty, has white space or is that of a mark; a model
/// that does not back off ([`Smoothing::AddK`](crate::ngram::Smoothing::AddK) of order 2 and more); what
/// `out` reports.
pub fn write(model: &NGramModel, alphabet: &Alphabet, mut out: impl Write) -> io::Result<()> {
    let names = names(model, alphabet)?;
    if !model.backs_off() {
        return Err(refused("an ARPA file needs a model that goes back to shorter contexts".to_owned()));
    }
    text(model, &names, &mut out)
}

fn names(model: &NGramModel, alphabet: &Alphabet) -> io::Result<Vec<String>> {
    let (vocabulary, expected) = (model.vocabulary, model.vocabulary.symbols());
    if alphabet.len() != expected {
        return Err(refused(format!("{} names for {expected} symbols", alphabet.len())));
    }
    let mut names = Vec::with_capacity(vocabulary.marks());
    for name in alphabet.iter() {
        let escape = ESCAPES.iter().find(|escape| escape.0 == name).map(|escape| escape.1);
        let written = escape.unwrap_or(name);
        let taken = name == BEGIN || name == END || ESCAPES.iter().any(|escape| escape.1 == name);
        if written.is_empty() || written.contains(char::is_whitespace) || taken {
            return Err(refused(format!("the name {name:?} can't be written")));
        }
        names.push(written.to_owned());
    }
    if vocabulary.end().is_some() {
        names.extend([END.to_owned(), BEGIN.to_owned()]);
    }
    Ok(names)
}

fn refused(message: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, message)
}

fn text(model: &NGramModel, names: &[String], out: &mut impl Write) -> io::Result<()> {
    let trie = &model.trie;
    writeln!(out, "\\data\\")?;
    for length in 1..=trie.order() {
        writeln!(out, "ngram {length}={}", trie.level(length).len())?;
    }
    let mut line = Vec::new();
    for length in 1..=trie.order() {
        writeln!(out, "\n\\{length}-grams:")?;
        // The contexts in the order of their children, so that no n-gram has to be looked up from the root.
        for context in trie.level(length - 1) {
            if context != ROOT && !trie.has_children(context) {
                continue;
            }
            line.clear();
            for symbol in trie.ngram(context) {
                line.push(names[symbol].as_str());
            }
            for child in trie.children(context) {
                line.push(names[trie.symbols[child] as usize].as_str());
                write!(out, "{}\t{}", Log10(model.table.probability[child]), line.join(" "))?;
                if trie.has_children(child) {
                    write!(out, "\t{}", Log10(model.table.remainder[child]))?;
                }
                writeln!(out)?;
                line.pop();
            }
        }
    }
    writeln!(out, "\n\\end\\")?;
    out.flush()
}

/// log₁₀ of a probability as it is written.
struct Log10(f64);

impl std::fmt::Display for Log10 {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let number = if self.0 > 0.0 { self.0.log10() } else { NEVER };
        write!(f, "{number}")
    }
}
