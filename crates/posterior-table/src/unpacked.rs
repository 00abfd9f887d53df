//! Gzip data that are unpacked as they are read.

use std::fmt;
use std::io::{self, BufRead, Read};

use flate2::bufread::MultiGzDecoder;

/// What any data may unpack to.
const ALLOWED: u64 = 1 << 30;

/// What more data may unpack to, in units of their packed size: texts and counts shrink to a fifth, tables of
/// zeros to a fiftieth.
const MOST: u64 = 100;

/// Unpacks gzip data of one or several members, and says what is wrong with them in words that name the cure.
///
/// What unpacks to more than a gibibyte and more than 100 times its own size is refused: a few megabytes
/// could else fill any memory.
///
/// ```
/// use std::io::Read;
///
/// use flate2::{Compression, write::GzEncoder};
/// use posterior_table::Unpacked;
///
/// let mut packer = GzEncoder::new(Vec::new(), Compression::default());
/// std::io::Write::write_all(&mut packer, b"river water")?;
/// let (packed, mut text) = (packer.finish()?, String::new());
/// Unpacked::new(packed.as_slice()).read_to_string(&mut text)?;
/// assert_eq!(text, "river water");
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct Unpacked<R> {
    decoder: MultiGzDecoder<Counted<R>>,
    given: u64,
    allowed: u64,
}

impl<R> fmt::Debug for Unpacked<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Unpacked").field("given", &self.given).finish_non_exhaustive()
    }
}

impl<R: BufRead> Unpacked<R> {
    /// A reader of what the gzip data `packed` hold.
    pub fn new(packed: R) -> Self {
        Self::with_allowance(packed, ALLOWED)
    }

    fn with_allowance(packed: R, allowed: u64) -> Self {
        Self { decoder: MultiGzDecoder::new(Counted { reader: packed, taken: 0 }), given: 0, allowed }
    }
}

impl<R: BufRead> Read for Unpacked<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.decoder.read(buffer).map_err(|error| match error.kind() {
            kind @ io::ErrorKind::UnexpectedEof => {
                io::Error::new(kind, "the gzip data end early: the file is cut off")
            }
            kind @ (io::ErrorKind::InvalidInput | io::ErrorKind::InvalidData) => {
                io::Error::new(kind, format!("the gzip data are damaged ({error})"))
            }
            _ => error,
        })?;
        self.given += read as u64;
        let packed = self.decoder.get_ref().taken;
        if self.given > self.allowed.max(packed.saturating_mul(MOST)) {
            let message = format!(
                "the gzip data unpack to more than {MOST} times their size: unpack the file first if it is meant so"
            );
            return Err(io::Error::new(io::ErrorKind::InvalidData, message));
        }
        Ok(read)
    }
}

/// Counts the bytes that are taken from a reader.
struct Counted<R> {
    reader: R,
    taken: u64,
}

impl<R: BufRead> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.reader.read(buffer)?;
        self.taken += read as u64;
        Ok(read)
    }
}

impl<R: BufRead> BufRead for Counted<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.reader.fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        self.taken += amount as u64;
        self.reader.consume(amount);
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use flate2::{Compression, write::GzEncoder};

    use super::*;

    fn packed(bytes: &[u8]) -> Vec<u8> {
        let mut packer = GzEncoder::new(Vec::new(), Compression::default());
        packer.write_all(bytes).unwrap();
        packer.finish().unwrap()
    }

    #[test]
    fn zeros_beyond_the_allowance_are_refused_in_one_member_or_many() {
        let zeros = vec![0; 1 << 20];
        for bytes in [packed(&zeros), packed(&zeros[..1 << 18]).repeat(4)] {
            let read = |allowed| {
                let mut out = Vec::new();
                let outcome = Unpacked::with_allowance(bytes.as_slice(), allowed).read_to_end(&mut out);
                (outcome, out.len())
            };
            let (refused, taken) = read(1 << 16);
            assert!(refused.unwrap_err().to_string().contains("more than 100 times their size"));
            assert!(taken < 1 << 19, "{taken} bytes were read");
            assert_eq!(read(1 << 20).0.unwrap(), zeros.len());
        }
    }
}
