//! Bytes with their length and checksum, and numbers in bytes.

use std::path::Path;

use flate2::Crc;

use crate::Error;

/// The length of what follows (8 bytes, little-endian) and its CRC-32 (4 bytes).
const HEAD: usize = 12;

/// A payload as it stands in a file or a message.
pub(super) fn framed(payload: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(HEAD + payload.len());
    bytes.extend((payload.len() as u64).to_le_bytes());
    bytes.extend(checksum(payload).to_le_bytes());
    bytes.extend_from_slice(payload);
    bytes
}

pub(super) fn checksum(bytes: &[u8]) -> u32 {
    let mut crc = Crc::new();
    crc.update(bytes);
    crc.sum()
}

/// The payloads of bytes that are frames, one after the other.
///
/// # Errors
/// One is damaged or cut off: the message names the file and the offset.
pub(super) fn payloads<'a>(path: &Path, bytes: &'a [u8]) -> Result<Vec<&'a [u8]>, Error> {
    let mut found = Vec::new();
    let mut rest = bytes;
    while !rest.is_empty() {
        let offset = bytes.len() - rest.len();
        let damaged = |what: &str| Error::contents(path, format!("damaged at byte {offset}: {what}"));
        let (head, after) =
            rest.split_first_chunk::<HEAD>().ok_or_else(|| damaged("the file ends in a length"))?;
        let [a, b, c, d, e, f, g, h, crc @ ..] = *head;
        let length = usize::try_from(u64::from_le_bytes([a, b, c, d, e, f, g, h]));
        let split = length.ok().and_then(|length| after.split_at_checked(length));
        let (payload, after) = split.ok_or_else(|| damaged("the file ends before its part does"))?;
        if checksum(payload) != u32::from_le_bytes(crc) {
            return Err(damaged("its checksum is another"));
        }
        found.push(payload);
        rest = after;
    }
    Ok(found)
}

/// That a payload has a good checksum and holds something else than expected.
pub(super) fn foreign(path: &Path) -> Error {
    let error = Error::contents(path, "it holds something else than this chain has written");
    error.with_hint("it may be of another run: begin anew, or give the folder of this one")
}

/// Appends a number, 7 bits a byte, the lowest first.
#[inline]
pub(super) fn put(bytes: &mut Vec<u8>, mut number: u32) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// The numbers that [`put`] has written.
#[derive(Debug, Clone, Copy)]
pub(super) struct Numbers<'a>(pub(super) &'a [u8]);

impl Numbers<'_> {
    #[inline]
    pub(super) fn take(&mut self) -> Option<u32> {
        let (&first, rest) = self.0.split_first()?;
        self.0 = rest;
        if first < 0x80 {
            return Some(u32::from(first));
        }
        let mut number = u32::from(first & 0x7f);
        for place in 1..5 {
            let (&byte, rest) = self.0.split_first()?;
            self.0 = rest;
            number |= u32::from(byte & 0x7f).checked_shl(7 * place)?;
            if byte < 0x80 {
                return (place < 4 || byte < 0x10).then_some(number);
            }
        }
        None
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back_and_others_are_refused() {
        let numbers = [0, 1, 127, 128, 16_383, 16_384, 1 << 28, u32::MAX];
        let mut bytes = Vec::new();
        for &number in &numbers {
            put(&mut bytes, number);
        }
        let mut read = Numbers(&bytes);
        assert!(numbers.iter().all(|&number| read.take() == Some(number)));
        assert!(read.is_empty() && read.take().is_none());
        assert_eq!(Numbers(&[0x80]).take(), None);
        assert_eq!(Numbers(&[0xff, 0xff, 0xff, 0xff, 0x10]).take(), None);
        assert_eq!(Numbers(&[0xff; 6]).take(), None);
    }

    #[test]
    fn damage_is_named_with_its_place() {
        let path = Path::new("topics-1-2");
        let bytes = [framed(b"first"), framed(b""), framed(b"third")].concat();
        assert_eq!(payloads(path, &bytes).unwrap(), [&b"first"[..], b"", b"third"]);
        assert!(payloads(path, &[]).unwrap().is_empty());
        for at in 0..bytes.len() {
            let mut other = bytes.clone();
            other[at] ^= 4;
            let message = payloads(path, &other).unwrap_err().to_string();
            assert!(message.starts_with("topics-1-2: damaged at byte "), "{message}");
        }
        for end in (1..bytes.len()).filter(|end| ![17, 29].contains(end)) {
            assert!(payloads(path, &bytes[..end]).is_err(), "{end}");
        }
    }
}
