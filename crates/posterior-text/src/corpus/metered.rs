//! Readers that stop before what is read takes too much memory.

use std::io::{self, BufRead, Read};

/// The memory that a corpus may take, and how much its contents take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Allowance {
    /// Bytes that may be taken.
    pub(super) bytes: u64,
    /// Bytes for each byte that is read.
    pub(super) of_byte: u64,
    /// Bytes for each line that is read.
    pub(super) of_line: u64,
}

impl Allowance {
    /// Of texts: as they are read, their words as numbers, and these again in the state of a fit; a line may
    /// be a document with its name and its row of metadata.
    pub(super) const fn of_texts(bytes: u64) -> Self {
        Self { bytes, of_byte: 4, of_line: 400 }
    }

    /// Of counts, a line a word of a document or a document: two numbers a count, and a topic for each of
    /// them.
    pub(super) const fn of_counts(bytes: u64) -> Self {
        Self { bytes, of_byte: 4, of_line: 0 }
    }

    /// What so many bytes and lines take.
    pub(super) const fn taken(self, bytes: u64, lines: u64) -> u64 {
        bytes.saturating_mul(self.of_byte).saturating_add(lines.saturating_mul(self.of_line))
    }

    /// That it is too much, with what all of it takes where that is known.
    pub(super) fn error(self, whole: Option<u64>) -> io::Error {
        let gibibytes = |bytes: u64| {
            let mebibytes = bytes as f64 / f64::from(1 << 20);
            if mebibytes < 1024.0 {
                format!("{mebibytes:.1} MiB")
            } else {
                format!("{:.1} GiB", mebibytes / 1024.0)
            }
        };
        let allowed = gibibytes(self.bytes);
        let message = match whole {
            Some(whole) => {
                format!("the corpus takes about {} of memory, and {allowed} may be taken", gibibytes(whole))
            }
            None => format!("the corpus takes more memory than the {allowed} that may be taken"),
        };
        io::Error::new(io::ErrorKind::OutOfMemory, message)
    }
}

/// A reader that counts bytes and lines, and fails where they take more than the allowance.
pub(super) struct Metered<R> {
    reader: R,
    allowance: Allowance,
    /// The bytes of all contents, where they are known.
    length: Option<u64>,
    bytes: u64,
    lines: u64,
}

impl<R: BufRead> Metered<R> {
    pub(super) const fn new(reader: R, allowance: Allowance, length: Option<u64>) -> Self {
        Self { reader, allowance, length, bytes: 0, lines: 0 }
    }

    fn check(&self) -> io::Result<()> {
        let taken = self.allowance.taken(self.bytes, self.lines);
        // Of a whole file its length says enough before the first line.
        let least = self.allowance.taken(self.length.unwrap_or(0), 0);
        if taken.max(least) <= self.allowance.bytes {
            return Ok(());
        }
        let whole = self.length.map(|length| {
            let rest = length.saturating_sub(self.bytes) as f64 / self.bytes.max(1) as f64;
            least.max(taken.saturating_add((taken as f64 * rest) as u64))
        });
        Err(self.allowance.error(whole))
    }
}

impl<R: BufRead> Read for Metered<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let available = self.fill_buf()?;
        let count = available.len().min(buffer.len());
        buffer[..count].copy_from_slice(&available[..count]);
        self.consume(count);
        Ok(count)
    }
}

impl<R: BufRead> BufRead for Metered<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.check()?;
        self.reader.fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        // What is consumed is there to be looked at: a reader that refuses now has refused before.
        if let Ok(available) = self.reader.fill_buf() {
            let consumed = &available[..amount.min(available.len())];
            self.bytes += consumed.len() as u64;
            self.lines += consumed.iter().map(|&byte| u64::from(byte == b'\n')).sum::<u64>();
        }
        self.reader.consume(amount);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_short_lines_are_refused_early_with_the_estimate() {
        let contents = "a\n".repeat(1_000_000);
        let allowance = Allowance::of_texts(100 << 20);
        for (length, expected) in [
            (Some(2_000_000), "takes about 389.1 MiB of memory, and 100.0 MiB may be taken"),
            (None, "takes more memory than the 100.0 MiB that may be taken"),
        ] {
            let mut reader = Metered::new(contents.as_bytes(), allowance, length);
            // A buffer as readers of files have.
            let (mut buffer, mut read) = (vec![0; 1 << 16], 0);
            let error = loop {
                match reader.read(&mut buffer) {
                    Ok(0) => panic!("all was read"),
                    Ok(count) => read += count,
                    Err(error) => break error,
                }
            };
            assert!(read < 600_000, "{read} bytes were read");
            assert!(error.to_string().contains(expected), "{error}");
        }
        let mut all = String::new();
        Metered::new(contents.as_bytes(), Allowance::of_texts(1 << 30), None)
            .read_to_string(&mut all)
            .unwrap();
        assert_eq!(all, contents);
    }

    #[test]
    fn a_long_file_is_refused_before_its_first_line() {
        let mut reader = Metered::new(&b"x"[..], Allowance::of_texts(1 << 20), Some(1 << 20));
        assert!(reader.fill_buf().is_err());
    }
}
