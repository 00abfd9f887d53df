//! Files and standard input, packed by gzip or not.

use std::cell::Cell;
use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read, stdin};
use std::path::Path;
use std::rc::Rc;

use crate::error::Error;
use crate::unpacked::Unpacked;

/// The mark that some programs write before text in UTF-8.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// A file or standard input, unpacked as it is read, without a byte-order mark.
///
/// ```
/// use std::io::Read;
///
/// let path = std::env::temp_dir().join("posterior-table-input.txt");
/// std::fs::write(&path, "\u{feff}river water\n")?;
/// let mut text = String::new();
/// posterior_table::Input::open(&path)?.read_to_string(&mut text)?;
/// assert_eq!(text, "river water\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Input {
    /// Its name in messages.
    pub source: String,
    reader: Box<dyn BufRead>,
    taken: Rc<Cell<u64>>,
    /// The bytes of the file as it is stored; `None` for standard input.
    length: Option<u64>,
}

impl Input {
    /// Opens a file; `-` is standard input.
    ///
    /// # Errors
    /// The file cannot be opened, or its first bytes cannot be read or unpacked.
    pub fn open(path: &Path) -> Result<Self, Error> {
        let taken = Rc::new(Cell::new(0));
        let (source, reader, length): (_, Box<dyn Read>, _) = if path == Path::new("-") {
            ("standard input".to_owned(), Box::new(stdin()), None)
        } else {
            let file = File::open(path).map_err(|error| Error::io(path, &error))?;
            let length = file.metadata().ok().filter(std::fs::Metadata::is_file).map(|own| own.len());
            (path.display().to_string(), Box::new(file), length)
        };
        let failed = |error: io::Error| Error::new(format!("{source}: {error}"));
        let reader = BufReader::with_capacity(1 << 16, reader);
        let counted = Counted { reader, taken: Rc::clone(&taken) };
        let (magic, reader) = peek(counted, 2).map_err(failed)?;
        let reader: Box<dyn BufRead> = if magic == [0x1f, 0x8b] {
            Box::new(BufReader::with_capacity(1 << 16, Unpacked::new(reader)))
        } else {
            Box::new(reader)
        };
        let (mark, mut reader) = peek(reader, BYTE_ORDER_MARK.len() as u64).map_err(failed)?;
        if mark == BYTE_ORDER_MARK {
            reader.consume(mark.len());
        }
        Ok(Self { source, reader: Box::new(reader), taken, length })
    }

    /// The first bytes, up to `count`, which are still there to be read.
    ///
    /// # Errors
    /// They cannot be read or unpacked.
    pub fn start(&mut self, count: u64) -> Result<Vec<u8>, Error> {
        let reader = std::mem::replace(&mut self.reader, Box::new(io::empty()));
        let (start, reader) =
            peek(reader, count).map_err(|error| Error::new(format!("{}: {error}", self.source)))?;
        self.reader = Box::new(reader);
        Ok(start)
    }

    /// Reads a line with its end into `text`, and returns how many bytes it has: 0 at the end of the input.
    ///
    /// # Errors
    /// The line cannot be read or unpacked.
    pub fn line(&mut self, text: &mut Vec<u8>) -> io::Result<usize> {
        self.reader.read_until(b'\n', text)
    }

    /// The proportion of the file that has been read, from 0 to 1; `None` for standard input.
    pub fn progress(&self) -> Option<f64> {
        self.length.filter(|&length| length > 0).map(|length| self.taken.get() as f64 / length as f64)
    }
}

impl fmt::Debug for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Input").field("source", &self.source).finish_non_exhaustive()
    }
}

impl Read for Input {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.reader.read(buffer)
    }
}

/// Counts the bytes that are taken out of a buffer.
struct Counted<R> {
    reader: R,
    taken: Rc<Cell<u64>>,
}

impl<R: BufRead> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.reader.read(buffer)?;
        self.taken.set(self.taken.get() + read as u64);
        Ok(read)
    }
}

impl<R: BufRead> BufRead for Counted<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.reader.fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        self.taken.set(self.taken.get() + amount as u64);
        self.reader.consume(amount);
    }
}

/// The first bytes of a reader, up to `count`, and a reader that has them still.
///
/// # Errors
/// They cannot be read.
pub fn peek<R: BufRead>(mut reader: R, count: u64) -> io::Result<(Vec<u8>, impl BufRead + use<R>)> {
    let mut start = Vec::new();
    reader.by_ref().take(count).read_to_end(&mut start)?;
    Ok((start.clone(), Cursor::new(start).chain(reader)))
}

/// Reads a whole input: its name in messages, and its bytes.
///
/// # Errors
/// The file cannot be opened, read or unpacked.
pub fn read_bytes(path: &Path) -> Result<(String, Vec<u8>), Error> {
    let mut input = Input::open(path)?;
    let mut bytes = Vec::new();
    input.read_to_end(&mut bytes).map_err(|error| Error::new(format!("{}: {error}", input.source)))?;
    Ok((input.source, bytes))
}

/// Reads a whole input: its name in messages, and its text.
///
/// # Errors
/// The file cannot be opened, read or unpacked, or is not UTF-8.
pub fn read_text(path: &Path) -> Result<(String, String), Error> {
    let (source, bytes) = read_bytes(path)?;
    let text = String::from_utf8(bytes).map_err(|error| {
        let before = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = before.split(|&byte| byte == b'\n').count();
        Error::new(format!("{source}: line {line}: expected UTF-8, found a byte that is not"))
    })?;
    Ok((source, text))
}
