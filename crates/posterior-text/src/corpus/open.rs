//! Opening files, gzip'd or not, and standard input.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use posterior_table::{Unpacked, peek};

use super::metered::{Allowance, Metered};
use crate::Error;

/// The path that stands for standard input.
pub(super) const STDIN: &str = "-";

/// A file, standard input or any reader, unpacked when it is gzip'd, with the name that messages call it by.
///
/// A byte-order mark at the start is passed over.
pub struct Source {
    reader: Box<dyn BufRead>,
    path: PathBuf,
    /// The length of the byte-order mark, which is read already.
    offset: usize,
    /// Whether it is unpacked as it is read.
    packed: bool,
    /// The bytes of all contents, where they are known: of a file that is not packed.
    length: Option<u64>,
}

impl std::fmt::Debug for Source {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Source").field("path", &self.path).finish_non_exhaustive()
    }
}

impl Source {
    /// Opens the file at `path`; `-` is standard input.
    ///
    /// A gzip file is recognised by its first bytes, whatever its name.
    ///
    /// # Errors
    /// The file is missing or may not be read, or its name ends in `.gz` and it is something else.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, Error> {
        let path = path.as_ref();
        if path == Path::new(STDIN) {
            return Self::from_reader(io::stdin(), "standard input");
        }
        let file = File::open(path).map_err(|source| Error::io(path, source))?;
        let length = file.metadata().ok().filter(std::fs::Metadata::is_file).map(|own| own.len());
        let opened = Self::from_reader(file, path)?;
        Ok(Self { length: length.filter(|_| !opened.packed), ..opened })
    }

    /// A source that reads from `reader` and is called `name` in messages.
    ///
    /// # Errors
    /// The first bytes cannot be read, or `name` ends in `.gz` and it is something else.
    pub fn from_reader(reader: impl Read + 'static, name: impl AsRef<Path>) -> Result<Self, Error> {
        let path = name.as_ref().to_owned();
        let io_error = |source| Error::io(&path, source);
        let (magic, reader) = peek(BufReader::with_capacity(1 << 16, reader), 2).map_err(io_error)?;
        let gzip = magic == [0x1f, 0x8b];
        if !gzip && !magic.is_empty() && path.extension().is_some_and(|ending| ending == "gz") {
            let error = Error::contents(&path, "named .gz, but not a gzip file (no 1f 8b at its start)");
            return Err(error.with_hint("if it is plain text, drop the .gz from its name"));
        }
        let reader: Box<dyn BufRead> =
            if gzip { Box::new(BufReader::new(Unpacked::new(reader))) } else { Box::new(reader) };
        let (start, mut reader) = peek(reader, BYTE_ORDER_MARK.len() as u64).map_err(io_error)?;
        let offset = if start == BYTE_ORDER_MARK { start.len() } else { 0 };
        reader.consume(offset);
        Ok(Self { reader: Box::new(reader), path, offset, packed: gzip, length: None })
    }

    /// The same, refused as it is read when what is made of it takes more memory than is allowed.
    pub(super) fn metered(self, allowance: Option<Allowance>) -> Self {
        let Some(allowance) = allowance else { return self };
        Self { reader: Box::new(Metered::new(self.reader, allowance, self.length)), ..self }
    }

    /// The name that messages call it by.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Everything, as text without a byte-order mark.
    ///
    /// # Errors
    /// It cannot be read or unpacked, or is not UTF-8.
    pub fn read_to_string(mut self) -> Result<String, Error> {
        let mut bytes = Vec::new();
        self.reader.read_to_end(&mut bytes).map_err(|source| Error::io(&self.path, source))?;
        String::from_utf8(bytes).map_err(|error| {
            let valid = error.utf8_error().valid_up_to();
            let line = error.as_bytes()[..valid].split(|&byte| byte == b'\n').count();
            not_utf8(&self.path, line, self.offset + valid, &error.as_bytes()[valid..])
        })
    }

    /// The first bytes, a few lines of them, which are still there to be read.
    pub(super) fn start(&mut self) -> Result<Vec<u8>, Error> {
        const ENOUGH: u64 = 1 << 14;
        let reader = std::mem::replace(&mut self.reader, Box::new(io::empty()));
        let (start, reader) = peek(reader, ENOUGH).map_err(|source| Error::io(&self.path, source))?;
        self.reader = Box::new(reader);
        Ok(start)
    }

    /// The reader, the name, and the number of bytes of the file before those of the reader.
    pub(super) fn into_parts(self) -> (Box<dyn BufRead>, PathBuf, usize) {
        (self.reader, self.path, self.offset)
    }
}

/// The three bytes that some programs write before UTF-8 text.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// The error for text that is not UTF-8 from byte `offset` of the file on; `bytes` are those from there.
pub(super) fn not_utf8(path: &Path, line: usize, offset: usize, bytes: &[u8]) -> Error {
    let byte = bytes.first().copied().unwrap_or_default();
    let error = Error::parse(path, line, format!("not UTF-8 text: byte {byte:#04x} at offset {offset}"));
    if offset == 0 && matches!(bytes, [0xff, 0xfe, ..] | [0xfe, 0xff, ..]) {
        error.with_hint("it looks like UTF-16: save it as UTF-8")
    } else {
        error.with_hint("save it as UTF-8, for instance by `iconv -f LATIN1 -t UTF-8`")
    }
}
