//! The compact format of the embedded word counts, and its decoder.
//!
//! A gzip file of one byte sequence. A *varint* is a number in groups of seven bits, the lowest first, with
//! the high bit of a byte set when more follow.
//!
//! 1. varint number of documents D, varint number of words V.
//! 2. D lines `year,president,party,form,name`.
//! 3. V words in alphabetical order: one byte, how many bytes the word shares with the start of the word
//!    before it, then the rest of the word and a newline.
//! 4. For each word: varint number of documents that have it, then for each of these a varint of how many
//!    documents are skipped since the one before. Alphabetical neighbours are alike in this, and the
//!    skips are small: by document the file would be a fifth larger.
//! 5. The counts as varints, in the order of 4.
//!
//! The decoder trusts nothing: bytes that do not follow the format give `None`.

use std::io::Read;

use flate2::read::GzDecoder;

use super::{Address, Delivery, StateOfTheUnion};

/// The word counts of a compact file, or `None` when it is not one.
pub(super) fn decode(gzip: &[u8]) -> Option<StateOfTheUnion> {
    let mut bytes = Vec::new();
    GzDecoder::new(gzip).read_to_end(&mut bytes).ok()?;
    let mut bytes = Bytes(&bytes);
    let documents = bytes.varint()?;
    let words = bytes.varint()?;
    let mut addresses = (0..documents).map(|_| address(bytes.line()?)).collect::<Option<Vec<_>>>()?;
    let vocabulary = vocabulary(&mut bytes, words)?;
    let postings =
        (0..words).map(|_| documents_of_word(&mut bytes, documents)).collect::<Option<Vec<_>>>()?;
    for (word, documents) in (0..words).zip(&postings) {
        for &document in documents {
            addresses.get_mut(document as usize)?.counts.push((word, bytes.varint()?));
        }
    }
    bytes.0.is_empty().then_some(StateOfTheUnion { vocabulary, addresses })
}

fn address(line: &str) -> Option<Address> {
    let mut fields = line.split(',').map(str::to_owned);
    let address = Address {
        year: fields.next()?.parse().ok()?,
        president: fields.next()?,
        party: fields.next()?,
        form: match fields.next()?.as_str() {
            "speech" => Delivery::Speech,
            "written" => Delivery::Written,
            _ => return None,
        },
        name: fields.next()?,
        counts: Vec::new(),
    };
    fields.next().is_none().then_some(address)
}

fn vocabulary(bytes: &mut Bytes<'_>, words: u32) -> Option<Vec<String>> {
    let mut vocabulary: Vec<String> = Vec::new();
    for _ in 0..words {
        let shared = bytes.byte()? as usize;
        let before = vocabulary.last().map_or("", String::as_str);
        vocabulary.push(format!("{}{}", before.get(..shared)?, bytes.line()?));
    }
    Some(vocabulary)
}

fn documents_of_word(bytes: &mut Bytes<'_>, documents: u32) -> Option<Vec<u32>> {
    let mut next = 0_u32;
    (0..bytes.varint()?)
        .map(|_| {
            let document = next.checked_add(bytes.varint()?)?;
            next = document.checked_add(1)?;
            (document < documents).then_some(document)
        })
        .collect()
}

/// What is left to decode.
struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    fn byte(&mut self) -> Option<u8> {
        let (&first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(first)
    }

    fn varint(&mut self) -> Option<u32> {
        let mut value = 0_u32;
        for shift in (0..32).step_by(7) {
            let byte = self.byte()?;
            value |= u32::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(value);
            }
        }
        None
    }

    fn line(&mut self) -> Option<&'a str> {
        let end = self.0.iter().position(|&byte| byte == b'\n')?;
        let line = str::from_utf8(&self.0[..end]).ok()?;
        self.0 = &self.0[end + 1..];
        Some(line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn varints_run_to_the_largest_number() {
        assert_eq!(Bytes(&[0]).varint(), Some(0));
        assert_eq!(Bytes(&[0x80, 1]).varint(), Some(128));
        assert_eq!(Bytes(&[0xff, 0xff, 0xff, 0xff, 0x0f]).varint(), Some(u32::MAX));
        assert_eq!(Bytes(&[0x80]).varint(), None);
        assert_eq!(Bytes(&[0x80, 0x80, 0x80, 0x80, 0x80, 1]).varint(), None);
    }

    #[test]
    fn bytes_that_are_not_the_format_are_refused() {
        assert_eq!(decode(b"not gzip"), None);
        assert_eq!(decode(&super::super::EMBEDDED[..1000]), None);
        assert_eq!(address("1790,A,B,sung,name"), None);
        assert_eq!(address("1790,A,B,speech,name,more"), None);
    }
}
