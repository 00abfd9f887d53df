//! Reading of tables: the header first, then the columns that are asked for.

use std::collections::BTreeMap;
use std::fmt;
#[cfg(feature = "arrow")]
use std::io::Read as _;
use std::path::Path;

use posterior_math::memory::size_text;

use crate::binary::Binary;
use crate::cell::Marks;
use crate::cells::{Cells, LineNumbers};
#[cfg(feature = "arrow")]
use crate::columnar::ColumnarFile;
use crate::error::Error;
use crate::frame::DataFrame;
use crate::header::Header;
use crate::input::Input;
use crate::memory::MemoryLimit;
use crate::watched::Watched;

/// How many cells a table of objects may have for each field that is there, beyond a few: it holds a cell for
/// every name in every row.
const SPARSEST: usize = 100;
const FEW_CELLS: usize = 10_000_000;

/// The bytes in which a separator is looked for.
const START: u64 = 1 << 16;

/// Cells between two looks at the memory that they take.
const OFTEN: usize = 1 << 16;

/// How a table is read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TableReadOptions {
    /// The byte between fields; `None`: recognised from the header, of comma, semicolon, tab and bar, and a
    /// tab in files named `.tsv` or `.tab`.
    pub delimiter: Option<u8>,
    /// The cells that stand for missing values beside empty ones; if there are none: `NA`, `N/A`, `n/a`,
    /// `#N/A`, `<NA>`, `NaN`, `nan`, `null`, `NULL`, `None` and `?`, and in columns of numbers also `.` and
    /// `-`.
    pub missing: Vec<String>,
    /// The bytes that the table and the work on it may take; `None`: three quarters of the free memory.
    pub memory: Option<u64>,
    /// Whether the first line is a row: then the columns are called 1, 2, ...
    pub no_header: bool,
}

/// A table of which the header has been read, and no row.
pub struct TableFile {
    /// The name of the file in messages.
    pub source: String,
    header: Header,
    /// The first row, where the file has no header.
    first: Option<(u64, csv::StringRecord)>,
    reader: csv::Reader<Watched>,
    /// In the place of what the reader has, where the file is stored by columns.
    #[cfg(feature = "arrow")]
    columnar: Option<ColumnarFile>,
    marks: Marks,
    memory: MemoryLimit,
}

impl fmt::Debug for TableFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TableFile")
            .field("source", &self.source)
            .field("header", &self.header)
            .finish_non_exhaustive()
    }
}

impl TableFile {
    /// Opens a file, `-` being standard input, and reads its header. With the feature `arrow`, Parquet and
    /// Arrow IPC files (Feather, version 2) are read whole, known by how they begin.
    ///
    /// # Errors
    /// The file cannot be read, or is empty; without the feature `arrow`, it is stored by columns.
    pub fn open(path: &Path, options: &TableReadOptions) -> Result<Self, Error> {
        let memory = MemoryLimit::new(options.memory);
        let has_header = !options.no_header;
        let mut input = Input::open(path)?;
        let source = input.source.clone();
        let binary = Binary::of(&input.start(Binary::LENGTH)?);
        #[cfg(feature = "arrow")]
        if let Some(format) = binary {
            return Self::of_columns(input, format, options, memory);
        }
        #[cfg(not(feature = "arrow"))]
        if let Some(format) = binary {
            let message = format!("{source}: {}, which this build does not read", format.words());
            return Err(
                Error::new(message).with_hint("build it with --features arrow, or write the table as CSV")
            );
        }
        let delimiter = match options.delimiter {
            Some(delimiter) => delimiter,
            None if has_ending(path, &["tsv", "tab"]) => b'\t',
            None if has_header => separator(&input.start(START)?),
            None => b',',
        };
        let quoting = delimiter != b'\t';
        let reader = csv::ReaderBuilder::new()
            .delimiter(delimiter)
            .quoting(quoting)
            .has_headers(false)
            .buffer_capacity(1 << 16)
            .from_reader(Watched::new(input, delimiter, quoting, memory));
        let marks = Marks::new(&options.missing);
        let mut opened = Self {
            source,
            header: Header::new(Vec::new()),
            first: None,
            reader,
            #[cfg(feature = "arrow")]
            columnar: None,
            marks,
            memory,
        };
        let mut first = csv::StringRecord::new();
        let Some(line) = opened.advance(&mut first)? else { return Err(no_rows(&opened.source)) };
        opened.header = Header::new(if has_header {
            first.iter().map(|name| name.trim().to_owned()).collect()
        } else {
            (1..=first.len()).map(|number| number.to_string()).collect()
        });
        if !has_header {
            opened.first = Some((line, first));
        }
        Ok(opened)
    }

    /// Of a file that is stored by columns.
    #[cfg(feature = "arrow")]
    fn of_columns(
        mut input: Input,
        format: Binary,
        options: &TableReadOptions,
        memory: MemoryLimit,
    ) -> Result<Self, Error> {
        let source = input.source.clone();
        if options.no_header || options.delimiter.is_some() {
            let message = format!("{source}: {} has names of columns and no separators", format.words());
            return Err(Error::new(message));
        }
        let mut bytes = Vec::new();
        let most = memory.limit().saturating_add(1);
        let read = input.by_ref().take(most).read_to_end(&mut bytes);
        read.map_err(|error| Error::new(format!("{source}: {error}")))?;
        memory.check(
            &format!("{source}: the file takes"),
            bytes.len() as u64,
            "take fewer rows or columns",
        )?;
        let columnar = ColumnarFile::open(&source, format, bytes)?;
        Ok(Self {
            header: Header::new(columnar.names()),
            first: None,
            reader: csv::Reader::from_reader(Watched::new(input, b',', true, memory)),
            columnar: Some(columnar),
            marks: Marks::new(&options.missing),
            memory,
            source,
        })
    }

    /// The names of the columns.
    pub fn header(&self) -> &[String] {
        self.header.names()
    }

    /// The name of the last column.
    ///
    /// # Errors
    /// The header is empty.
    pub fn last(&self) -> Result<String, Error> {
        let last = self.header().last();
        last.cloned().ok_or_else(|| Error::new(format!("{}: the header names no column", self.source)))
    }

    /// Reads the columns with these names. `work` gives the bytes that the caller will take for so many rows
    /// beside the table; they count against the limit.
    ///
    /// # Errors
    /// A name is missing in the header or stands there twice; a row has other fields than the header; there
    /// are no rows; the memory does not suffice.
    pub fn read<S: AsRef<str>>(
        mut self,
        names: &[S],
        work: impl Fn(usize) -> u64,
    ) -> Result<DataFrame, Error> {
        let mut kept = Vec::with_capacity(names.len());
        for name in names {
            kept.push(self.header.place(&self.source, name.as_ref())?);
        }
        kept.sort_unstable();
        kept.dedup();
        let mut columns = vec![Cells::default(); kept.len()];
        let (mut lines, mut since) = (LineNumbers::default(), 0);
        let mut record = csv::StringRecord::new();
        #[cfg(feature = "arrow")]
        if let Some(columnar) = self.columnar.take() {
            let source = self.source.clone();
            columnar.read(&source, &kept, |part| {
                // As under a header.
                let from = lines.rows() as u64 + 2;
                let rows = part.first().map_or(0, Vec::len) as u64;
                (from..from + rows).for_each(|line| lines.push(line));
                for (cells, own) in columns.iter_mut().zip(part) {
                    for cell in &own {
                        cells.push(cell);
                    }
                }
                self.check(&columns, &lines, &work, true)
            })?;
        }
        loop {
            let line = match self.first.take() {
                Some((line, first)) => {
                    record = first;
                    Some(line)
                }
                None => self.advance(&mut record)?,
            };
            let Some(line) = line else { break };
            lines.push(line);
            for (cells, &place) in columns.iter_mut().zip(&kept) {
                cells.push(record.get(place).unwrap_or_default().trim());
            }
            since += columns.len().max(1);
            if since >= OFTEN.max(columns.len()) {
                since = 0;
                self.check(&columns, &lines, &work, false)?;
            }
        }
        if lines.rows() == 0 {
            return Err(no_rows(&self.source));
        }
        columns.iter_mut().for_each(Cells::shrink);
        self.check(&columns, &lines, &work, true)?;
        let columns = kept.into_iter().zip(columns).collect();
        Ok(DataFrame::new(self.source, self.memory, self.header, columns, lines, self.marks))
    }

    /// Reads the next record: its line, or none at the end.
    fn advance(&mut self, record: &mut csv::StringRecord) -> Result<Option<u64>, Error> {
        match self.reader.read_record(record) {
            Ok(true) => Ok(Some(self.reader.get_mut().next_line())),
            Ok(false) => Ok(None),
            Err(error) => {
                let trouble = self.reader.get_mut().trouble();
                Err(trouble.unwrap_or_else(|| {
                    let line = self.reader.get_mut().next_line();
                    wrong(&self.source, line, &error)
                }))
            }
        }
    }

    /// Refuses to go on where too much memory is taken.
    fn check(
        &self,
        columns: &[Cells],
        lines: &LineNumbers,
        work: impl Fn(usize) -> u64,
        whole: bool,
    ) -> Result<(), Error> {
        let rows = lines.rows();
        let cells: usize = columns.iter().map(Cells::bytes).sum();
        let needed = ((cells + lines.bytes()) as u64).saturating_add(work(rows));
        let so_far = if whole { "" } else { "the first " };
        let what = format!("{}: {so_far}{rows} rows take", self.source);
        let read = self.reader.get_ref().progress().filter(|&read| !whole && read > 0.0);
        let way_out = "take fewer rows or columns";
        match read.map(|read| (needed as f64 / read.min(1.0)) as u64) {
            Some(all) => {
                let way_out = format!("all rows take about {}: {way_out}", size_text(all));
                self.memory.check_part(&what, needed, all, &way_out)
            }
            None => self.memory.check(&what, needed, way_out),
        }
    }
}

impl DataFrame {
    /// Reads a file with one JSON object a line: its fields that are texts, numbers or truth values. A field
    /// that an object does not have is missing.
    ///
    /// # Errors
    /// The file cannot be read, a line is no object, there are none, or they share too few fields; the memory
    /// does not suffice.
    pub fn read_json_lines(path: &Path, options: &TableReadOptions) -> Result<Self, Error> {
        type Object = BTreeMap<String, serde_json::Value>;
        let (memory, mut input) = (MemoryLimit::new(options.memory), Input::open(path)?);
        let source = input.source.clone();
        let mut columns: BTreeMap<String, (Cells, usize)> = BTreeMap::new();
        let (mut lines, mut present, mut taken, mut text) = (LineNumbers::default(), 0, 0, Vec::new());
        for line in 1.. {
            text.clear();
            let read = input.line(&mut text).map_err(|error| Error::new(format!("{source}: {error}")))?;
            if read == 0 {
                break;
            }
            if text.trim_ascii().is_empty() {
                continue;
            }
            let object: Object = serde_json::from_slice(&text).map_err(|error| {
                Error::new(format!("{source}: line {line}: expected a JSON object: {error}"))
            })?;
            present += object.len();
            for (name, value) in object {
                let (cells, rows) = columns.entry(name).or_default();
                let cell = match value {
                    serde_json::Value::String(text) => text,
                    serde_json::Value::Number(_) | serde_json::Value::Bool(_) => value.to_string(),
                    _ => String::new(),
                };
                (*rows..lines.rows()).for_each(|_| cells.push(""));
                cells.push(cell.trim());
                *rows = lines.rows() + 1;
                taken += cell.len() + 1;
            }
            lines.push(line);
            let rows = lines.rows();
            if columns.len().saturating_mul(rows) > SPARSEST * present + FEW_CELLS {
                let message = format!(
                    "{source}: {} different fields in {rows} objects: expected the same in most",
                    columns.len()
                );
                return Err(Error::new(message));
            }
            memory.check(&format!("{source}: {rows} rows take"), 2 * taken as u64, "take fewer rows")?;
        }
        let rows = lines.rows();
        if rows == 0 {
            return Err(Error::new(format!("{source}: no rows: expected one JSON object a line")));
        }
        let (names, mut columns): (Vec<String>, Vec<(Cells, usize)>) = columns.into_iter().unzip();
        for (cells, own) in &mut columns {
            (*own..rows).for_each(|_| cells.push(""));
        }
        let columns = columns.into_iter().map(|(cells, _)| cells).enumerate().collect();
        Ok(Self::new(source, memory, Header::new(names), columns, lines, Marks::new(&options.missing)))
    }

    /// A table of numbers that is in memory already; the first row counts as line 2.
    pub fn embedded<'a>(title: &str, names: &[&str], rows: impl Iterator<Item = &'a [f64]>) -> Self {
        Self::of_cells(title, names, rows.map(|row| row.iter().map(f64::to_string)))
    }

    /// A table of texts that is in memory already, a cell for each name in each row; the first row counts as
    /// line 2.
    pub fn of_cells<S: AsRef<str>, R: IntoIterator<Item: AsRef<str>>>(
        title: &str,
        names: &[S],
        rows: impl IntoIterator<Item = R>,
    ) -> Self {
        let (mut columns, mut lines) = (vec![Cells::default(); names.len()], LineNumbers::default());
        for (row, line) in rows.into_iter().zip(2..) {
            lines.push(line);
            columns.iter_mut().zip(row).for_each(|(cells, cell)| cells.push(cell.as_ref()));
        }
        let header = Header::new(names.iter().map(|name| name.as_ref().to_owned()).collect());
        let columns = columns.into_iter().enumerate().collect();
        Self::new(title.to_owned(), MemoryLimit::new(None), header, columns, lines, Marks::default())
    }
}

/// Whether the name of a file ends in one of these, perhaps with `.gz` after it.
pub fn has_ending(path: &Path, endings: &[&str]) -> bool {
    let name = path.to_string_lossy().to_lowercase();
    let name = name.strip_suffix(".gz").unwrap_or(&name);
    Path::new(name).extension().is_some_and(|own| endings.iter().any(|ending| own == *ending))
}

/// What stands between the names of a header: a comma, unless there is none outside of quotes and one of the
/// others is.
fn separator(start: &[u8]) -> u8 {
    let mut found = [0_usize; 4];
    let mut quoted = false;
    for &byte in start.trim_ascii_start().iter().take_while(|&&byte| byte != b'\n' && byte != b'\r') {
        quoted ^= byte == b'"';
        if let Some(place) = b",;\t|".iter().position(|&own| own == byte && !quoted) {
            found[place] += 1;
        }
    }
    match found {
        [0, _, 0, 0] if found[1] > 0 => b';',
        [0, 0, _, 0] if found[2] > 0 => b'\t',
        [0, 0, 0, _] if found[3] > 0 => b'|',
        _ => b',',
    }
}

/// What is wrong with a file of a header, or of nothing.
fn no_rows(source: &str) -> Error {
    Error::new(format!("{source}: no rows: expected a header with names of columns, and rows below it"))
}

/// What is wrong with a file that is no table.
fn wrong(source: &str, line: u64, error: &csv::Error) -> Error {
    match error.kind() {
        csv::ErrorKind::UnequalLengths { expected_len, len, .. } => {
            let fields = if *len == 1 { "field" } else { "fields" };
            let message =
                format!("{source}: line {line}: {len} {fields}, expected {expected_len} as in the header");
            Error::new(message).with_hint(
                "a field that holds what stands between fields is put in quotes; or give `delimiter`",
            )
        }
        csv::ErrorKind::Utf8 { .. } => {
            Error::new(format!("{source}: line {line}: expected text in UTF-8, found other bytes"))
        }
        _ => Error::new(format!("{source}: {error}")),
    }
}

#[cfg(test)]
mod tests {
    use super::separator;

    #[test]
    fn a_header_tells_what_stands_between_fields() {
        for (start, expected) in [
            ("a,b\n1;2", b','),
            ("a;b\n1,2", b';'),
            ("a\tb\r\n", b'\t'),
            ("a|b", b'|'),
            ("a;b,c", b','),
            ("a;b|c", b','),
            ("\"a,b\";c", b';'),
            ("\n\na;b\n", b';'),
            ("a", b','),
            ("", b','),
        ] {
            assert_eq!(separator(start.as_bytes()), expected, "{start:?}");
        }
    }
}
