//! Corpora larger than memory: compressed rows in a file, written once and read back block by block.
//!
//! [`pack`] counts the words of texts and stores them in bounded memory, a [`Writer`] takes a document at a
//! time, [`store_uci`] and [`store_lda_c`] read the line-wise formats
//! without holding their rows, and [`StoredCorpus::write`] stores what is in memory. A [`StoredCorpus`] knows
//! the vocabulary and the sizes and reads any block of documents.
//!
//! # The file
//! Numbers are varints (7 bits a byte, the lowest first) unless said otherwise.
//!
//! | part | holds |
//! |---|---|
//! | header | `posterior corpus 1` and a line end |
//! | blocks | length of the payload and its CRC-32 (4 bytes each, little-endian), then the payload: for each document its name, the number of its distinct words, and for each the step from the word before and the count |
//! | index | the vocabulary; for each block its place, documents, entries and tokens |
//! | end | place of the index (8 bytes), its length (8 bytes), its CRC-32 (4 bytes), `end\n` |
//!
//! The index comes last: a file that is cut off has none, and is refused.

mod block;
pub(super) mod bytes;
mod convert;
mod corpus;
mod index;
mod writer;

use flate2::Crc;

pub use block::Block;
pub use convert::{store_lda_c, store_uci};
pub use corpus::StoredCorpus;
pub use writer::Writer;

pub(super) const MAGIC: &[u8] = b"posterior corpus 1\n";
const END: &[u8] = b"end\n";
/// Place, length and checksum of the index, and the last mark.
const TAIL: usize = 8 + 8 + 4 + 4;

fn checksum(bytes: &[u8]) -> u32 {
    let mut crc = Crc::new();
    crc.update(bytes);
    crc.sum()
}
