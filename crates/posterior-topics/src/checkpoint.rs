//! What checkpoints of all samplers have in common.

use std::io::{Error, ErrorKind, Read};

use flate2::Crc;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::{Corpus, Error as TopicError};

/// A checksum of the vocabulary and all counts.
pub(crate) fn fingerprint(corpus: &Corpus) -> u32 {
    let mut crc = Crc::new();
    for word in corpus.vocabulary() {
        crc.update(word.as_bytes());
        crc.update(b"\n");
    }
    for document in corpus.iter() {
        crc.update(&(document.words.len() as u64).to_le_bytes());
        for (word, count) in document.words.iter().zip(document.counts) {
            crc.update(&word.to_le_bytes());
            crc.update(&count.to_le_bytes());
        }
    }
    crc.sum()
}

/// Refuses a corpus that is not the one with this checksum.
pub(crate) fn same_corpus(saved: u32, corpus: &Corpus) -> Result<(), TopicError> {
    if saved == fingerprint(corpus) {
        Ok(())
    } else {
        Err(TopicError::Corpus("the checkpoint was made with another corpus".to_owned()))
    }
}

/// What is said of a checkpoint whose parts do not fit together.
pub(crate) fn contradiction() -> TopicError {
    TopicError::Corpus("the checkpoint contradicts itself".to_owned())
}

/// Refuses a file of another format.
pub(crate) fn check_format(found: &str, expected: &str) -> Result<(), String> {
    if found == expected { Ok(()) } else { Err(format!("format {found:?}, expected {expected:?}")) }
}

/// A checkpoint in JSON, whose field `format` must be the one that is expected.
pub(crate) fn read<T: DeserializeOwned>(mut reader: impl Read, expected: &str) -> Result<T, Error> {
    #[derive(Deserialize)]
    struct Tagged {
        format: String,
    }
    let mut json = Vec::new();
    reader.read_to_end(&mut json)?;
    let Tagged { format } = serde_json::from_slice(&json)?;
    check_format(&format, expected).map_err(|message| Error::new(ErrorKind::InvalidData, message))?;
    Ok(serde_json::from_slice(&json)?)
}
