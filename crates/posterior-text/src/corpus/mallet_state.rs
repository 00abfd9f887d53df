//! The state of a sampler as MALLET writes it: gzip'd text, a token a line.
//!
//! ```text
//! #doc source pos typeindex type topic
//! #alpha : 0.1 0.1
//! #beta : 0.01
//! 0 first 0 7 peace 1
//! ```

use std::io::{self, Write};

use flate2::Compression;
use flate2::write::GzEncoder;

use super::lines::Lines;
use super::number::{excerpt, whole};
use super::open::Source;
use crate::{Corpus, Error};

/// Topics of all tokens of a corpus, with the concentrations of the priors.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct MalletState {
    /// The documents. Their names have `_` where there were blanks.
    pub corpus: Corpus,
    /// The topic of each token, in the order of documents, of words within a document, and of repetitions.
    pub topics: Vec<u32>,
    /// The concentration of each topic in a document.
    pub alpha: Vec<f64>,
    /// The concentration of each word in a topic.
    pub beta: f64,
}

/// Writes the topics of all tokens, in the order of documents, of words within a document, and of
/// repetitions: what a sampler's assignments are. Positions in a document are of this order.
///
/// # Errors
/// [`io::ErrorKind::InvalidInput`] for another number of topics than tokens or for a word with a blank in it,
/// and whatever `out` refuses.
pub fn write_mallet_state(
    corpus: &Corpus,
    topics: impl IntoIterator<Item = u32>,
    alpha: &[f64],
    beta: f64,
    out: impl Write,
) -> io::Result<()> {
    let invalid = |message: String| io::Error::new(io::ErrorKind::InvalidInput, message);
    if let Some(word) = corpus.vocabulary().iter().find(|word| blanks(word)) {
        return Err(invalid(format!(
            "the word {word:?} is empty or has a blank, which this format cannot hold"
        )));
    }
    let mut out = io::BufWriter::new(GzEncoder::new(out, Compression::default()));
    writeln!(out, "#doc source pos typeindex type topic")?;
    let numbers: Vec<String> = alpha.iter().map(f64::to_string).collect();
    writeln!(out, "#alpha : {}\n#beta : {beta}", numbers.join(" "))?;
    let mut topics = topics.into_iter();
    let few = || invalid(format!("fewer topics than the {} tokens", corpus.tokens()));
    for (d, document) in corpus.iter().enumerate() {
        let name = match corpus.names()[d].split_whitespace().collect::<Vec<_>>().join("_") {
            name if name.is_empty() => "NA".to_owned(),
            name => name,
        };
        let mut position = 0_u64;
        for (&word, &count) in document.words.iter().zip(document.counts) {
            for _ in 0..count {
                let topic = topics.next().ok_or_else(few)?;
                writeln!(out, "{d} {name} {position} {word} {} {topic}", corpus.vocabulary()[word as usize])?;
                position += 1;
            }
        }
    }
    if topics.next().is_some() {
        return Err(invalid(format!("more topics than the {} tokens", corpus.tokens())));
    }
    out.into_inner().map_err(io::IntoInnerError::into_error)?.finish()?.flush()
}

/// Reads a state that [`write_mallet_state`] or MALLET wrote, gzip'd or not. Tokens of a document may be in
/// any order; words without a token are called by their numbers.
///
/// # Errors
/// The source cannot be read, or is not such a file: the message names the line.
pub fn read_mallet_state(source: Source) -> Result<MalletState, Error> {
    let mut lines = Lines::new(source);
    let alpha = header(&mut lines, "#alpha :")?;
    let beta = match header(&mut lines, "#beta :")?.as_slice() {
        [beta] => *beta,
        other => return Err(lines.error(format!("expected one beta, found {}", other.len()))),
    };
    let (mut tokens, mut vocabulary, mut names) = (Vec::new(), Vec::new(), Vec::<String>::new());
    while lines.advance_to_filled()? {
        let token = token(&lines)?;
        if token.topic as usize >= alpha.len() {
            return Err(lines.error(format!("topic {} of {}", token.topic, alpha.len())));
        }
        let document = token.document as usize;
        if document + 1 < names.len() || document > names.len() {
            let message = format!("document {document} after {} documents: they come in order", names.len());
            return Err(lines.error(message));
        }
        if document == names.len() {
            names.push(token.name.to_owned());
        }
        put_word(&lines, &mut vocabulary, token.word, token.text, tokens.len())?;
        tokens.push((token.document, token.word, token.topic));
    }
    tokens.sort_by_key(|&(document, word, _)| (document, word));
    let words: Vec<String> = (0..)
        .zip(vocabulary)
        .map(|(id, word): (u32, String)| if word.is_empty() { id.to_string() } else { word })
        .collect();
    let mut rest = tokens.as_slice();
    let rows = (0..names.len()).map(|document| {
        let (row, after) = rest.split_at(rest.partition_point(|token| token.0 as usize <= document));
        rest = after;
        row.iter().map(|&(_, word, _)| (word, 1)).collect()
    });
    let corpus = Corpus::from_row_iter(words, names, rows).map_err(|error| error.in_file(lines.path()))?;
    let topics = tokens.iter().map(|&(.., topic)| topic).collect();
    Ok(MalletState { corpus, topics, alpha, beta })
}

fn blanks(word: &str) -> bool {
    word.is_empty() || word.chars().any(char::is_whitespace)
}

/// The numbers after `start`, on the next line but for the one that names the columns.
fn header(lines: &mut Lines, start: &str) -> Result<Vec<f64>, Error> {
    let mut there = lines.advance()?;
    if there && lines.number() == 1 && lines.line().starts_with("#doc") {
        there = lines.advance()?;
    }
    let numbers = there.then(|| lines.line().strip_prefix(start)).flatten();
    let Some(numbers) = numbers else {
        let found = excerpt(lines.line());
        return Err(lines.error(format!("expected {start:?} and numbers, found {found}")));
    };
    let number = |text: &str| match text.parse::<f64>() {
        Ok(value) if value > 0.0 && value.is_finite() => Ok(value),
        _ => Err(lines.error(format!("expected a positive number, found {}", excerpt(text)))),
    };
    numbers.split_ascii_whitespace().map(number).collect()
}

struct Token<'a> {
    document: u32,
    name: &'a str,
    word: u32,
    text: &'a str,
    topic: u32,
}

fn token(lines: &Lines) -> Result<Token<'_>, Error> {
    let fields: Vec<&str> = lines.line().split_ascii_whitespace().collect();
    let [document, name, _, word, text, topic] = fields.as_slice() else {
        let found = excerpt(lines.line());
        return Err(lines.error(format!("expected `doc source pos typeindex type topic`, found {found}")));
    };
    let number = |what, text| whole(what, text).map_err(|message| lines.error(message));
    Ok(Token {
        document: number("document", document)?,
        name,
        word: number("typeindex", word)?,
        text,
        topic: number("topic", topic)?,
    })
}

/// Notes what a word is called; a number far beyond what the tokens can mean is refused before memory is
/// taken.
fn put_word(
    lines: &Lines,
    vocabulary: &mut Vec<String>,
    word: u32,
    text: &str,
    tokens: usize,
) -> Result<(), Error> {
    const UNUSED_FOR_EACH_TOKEN: usize = 64;
    const ALWAYS_ALLOWED: usize = 1 << 20;
    let word = word as usize;
    if word >= ALWAYS_ALLOWED.max(UNUSED_FOR_EACH_TOKEN * tokens) {
        return Err(lines.error(format!("typeindex {word} after {tokens} tokens")));
    }
    if word >= vocabulary.len() {
        vocabulary.resize(word + 1, String::new());
    }
    if vocabulary[word].is_empty() {
        text.clone_into(&mut vocabulary[word]);
    } else if vocabulary[word] != text {
        let message = format!("typeindex {word} is {text:?} here and was {:?}", vocabulary[word]);
        return Err(lines.error(message));
    }
    Ok(())
}
