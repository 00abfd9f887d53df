//! Corpora: readers, writers and their messages.

mod in_order;
mod lda_c;
mod mallet_state;
mod matrix_market;
mod metadata;
mod packing;
mod phrases;
mod read;
mod round_trip;
mod sotu;
mod split;
mod stored;
mod terms;
mod texts;
mod uci;
mod vocabulary;
mod word_list;

use std::io::{Cursor, Write};

use posterior_text::Error;
use posterior_text::corpus::Source;

/// A source with these contents, called `name` in messages.
fn source(name: &str, contents: impl AsRef<[u8]>) -> Source {
    Source::from_reader(Cursor::new(contents.as_ref().to_vec()), name).expect("the first bytes are readable")
}

/// The contents, gzip'd.
fn gzip(contents: impl AsRef<[u8]>) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(contents.as_ref()).expect("memory takes everything");
    encoder.finish().expect("memory takes everything")
}

/// The message and the hint (empty without one) of the error that was expected.
fn complaint<T>(result: Result<T, Error>) -> (String, String) {
    let Err(error) = result else { return ("no error".to_owned(), String::new()) };
    (error.to_string(), error.hint().unwrap_or_default().to_owned())
}

/// The message of the error that was expected.
fn message<T>(result: Result<T, Error>) -> String {
    complaint(result).0
}

fn words(words: &str) -> Vec<String> {
    words.split(' ').map(str::to_owned).collect()
}
