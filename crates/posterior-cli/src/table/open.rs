//! Tables on their way into memory: the header first, then the columns that are asked for.

use std::collections::BTreeMap;
use std::path::Path;

use super::Table;
use super::cell::Marks;
use super::cells::{Cells, Lines};
use super::header::Header;
use super::watched::Watched;
use crate::args::TableArgs;
use crate::failure::Failure;
use crate::input::Input;
use crate::memory::{self, Memory};

/// How many cells a table of objects may have for each field that is there, beyond a few: it holds a cell for
/// every name in every row.
const SPARSEST: usize = 100;
const FEW_CELLS: usize = 10_000_000;

/// The bytes in which a separator is looked for.
const START: u64 = 1 << 16;

/// Cells between two looks at the memory that they take.
const OFTEN: usize = 1 << 16;

/// A table of which the header has been read, and no row.
pub(crate) struct Opened {
    pub(crate) source: String,
    header: Header,
    /// The first row, where the file has no header.
    first: Option<(u64, csv::StringRecord)>,
    reader: csv::Reader<Watched>,
    marks: Marks,
    memory: Memory,
}

impl Opened {
    /// Reads the header of a file, or counts the columns of its first line if it has none: then they are
    /// called 1, 2, ...
    pub(crate) fn new(path: &Path, args: &TableArgs, has_header: bool) -> Result<Self, Failure> {
        let memory = Memory::new(args.memory);
        let mut input = Input::open(path)?;
        let source = input.source.clone();
        let delimiter = match &args.delimiter {
            Some(text) => delimiter(text)?,
            None if named(path, &["tsv", "tab"]) => b'\t',
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
        let marks = Marks::new(&args.missing);
        let mut opened = Self { source, header: Header::new(Vec::new()), first: None, reader, marks, memory };
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

    /// The names of the columns.
    pub(crate) fn header(&self) -> &[String] {
        self.header.names()
    }

    /// The name of the last column.
    pub(crate) fn last(&self) -> Result<String, Failure> {
        let last = self.header().last();
        last.cloned().ok_or_else(|| Failure::data(format!("{}: the header names no column", self.source)))
    }

    /// Reads the columns with these names; `work` is the memory, in bytes, that is taken for so many rows
    /// besides the table.
    pub(crate) fn read<S: AsRef<str>>(
        mut self,
        names: &[S],
        work: impl Fn(usize) -> u64,
    ) -> Result<Table, Failure> {
        let mut kept = Vec::with_capacity(names.len());
        for name in names {
            kept.push(self.header.place(&self.source, name.as_ref())?);
        }
        kept.sort_unstable();
        kept.dedup();
        let mut columns = vec![Cells::default(); kept.len()];
        let (mut lines, mut since) = (Lines::default(), 0);
        let mut record = csv::StringRecord::new();
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
        Ok(Table {
            source: self.source,
            memory: self.memory,
            header: self.header,
            columns: kept.into_iter().zip(columns).collect(),
            lines,
            marks: self.marks,
        })
    }

    /// Reads the next record: its line, or none at the end.
    fn advance(&mut self, record: &mut csv::StringRecord) -> Result<Option<u64>, Failure> {
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
        lines: &Lines,
        work: impl Fn(usize) -> u64,
        whole: bool,
    ) -> Result<(), Failure> {
        let rows = lines.rows();
        let cells: usize = columns.iter().map(Cells::bytes).sum();
        let needed = ((cells + lines.bytes()) as u64).saturating_add(work(rows));
        let so_far = if whole { "" } else { "the first " };
        let what = format!("{}: {so_far}{rows} rows take", self.source);
        let read = self.reader.get_ref().progress().filter(|&read| !whole && read > 0.0);
        let way_out = "take fewer rows or columns";
        match read.map(|read| (needed as f64 / read.min(1.0)) as u64) {
            Some(all) => {
                let way_out = format!("all rows take about {}: {way_out}", memory::text(all));
                self.memory.check_part(&what, needed, all, &way_out)
            }
            None => self.memory.check(&what, needed, way_out),
        }
    }
}

impl Table {
    /// Opens a table with a header.
    pub(crate) fn open(path: &Path, args: &TableArgs) -> Result<Opened, Failure> {
        Opened::new(path, args, true)
    }

    /// A table of one JSON object a line: its fields that are texts, numbers or truth values. A field that an
    /// object does not have is missing.
    pub(crate) fn read_json_lines(path: &Path, args: &TableArgs) -> Result<Self, Failure> {
        type Object = BTreeMap<String, serde_json::Value>;
        let (memory, mut input) = (Memory::new(args.memory), Input::open(path)?);
        let source = input.source.clone();
        let mut columns: BTreeMap<String, (Cells, usize)> = BTreeMap::new();
        let (mut lines, mut present, mut taken, mut text) = (Lines::default(), 0, 0, Vec::new());
        for line in 1.. {
            text.clear();
            let read = input.line(&mut text).map_err(|error| Failure::data(format!("{source}: {error}")))?;
            if read == 0 {
                break;
            }
            if text.trim_ascii().is_empty() {
                continue;
            }
            let object: Object = serde_json::from_slice(&text).map_err(|error| {
                Failure::data(format!("{source}: line {line}: expected a JSON object: {error}"))
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
                return Err(Failure::data(message));
            }
            memory.check(&format!("{source}: {rows} rows take"), 2 * taken as u64, "take fewer rows")?;
        }
        let rows = lines.rows();
        if rows == 0 {
            return Err(Failure::data(format!("{source}: no rows: expected one JSON object a line")));
        }
        let (names, mut columns): (Vec<String>, Vec<(Cells, usize)>) = columns.into_iter().unzip();
        for (cells, own) in &mut columns {
            (*own..rows).for_each(|_| cells.push(""));
        }
        let columns = columns.into_iter().map(|(cells, _)| cells).enumerate().collect();
        Ok(Self {
            source,
            memory,
            header: Header::new(names),
            columns,
            lines,
            marks: Marks::new(&args.missing),
        })
    }

    /// A table of the program itself.
    pub(crate) fn embedded<'a>(title: &str, names: &[&str], rows: impl Iterator<Item = &'a [f64]>) -> Self {
        let (mut columns, mut lines) = (vec![Cells::default(); names.len()], Lines::default());
        for (row, line) in rows.zip(2..) {
            lines.push(line);
            columns.iter_mut().zip(row).for_each(|(cells, value)| cells.push(&value.to_string()));
        }
        Self {
            source: title.to_owned(),
            memory: Memory::new(None),
            header: Header::new(names.iter().map(|&name| name.to_owned()).collect()),
            columns: columns.into_iter().enumerate().collect(),
            lines,
            marks: Marks::default(),
        }
    }
}

/// Whether a file is named with one of these endings, packed or not.
pub(crate) fn named(path: &Path, endings: &[&str]) -> bool {
    let name = path.to_string_lossy().to_lowercase();
    let name = name.strip_suffix(".gz").unwrap_or(&name);
    Path::new(name).extension().is_some_and(|own| endings.iter().any(|ending| own == *ending))
}

/// The byte that `--delimiter` names.
fn delimiter(text: &str) -> Result<u8, Failure> {
    match text.as_bytes() {
        _ if text == "tab" => Ok(b'\t'),
        &[byte] if byte.is_ascii() && !b"\"\r\n".contains(&byte) => Ok(byte),
        _ => {
            let message = format!("--delimiter: expected one character or `tab`, found {text:?}");
            Err(Failure::Usage(message))
        }
    }
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
fn no_rows(source: &str) -> Failure {
    Failure::data(format!("{source}: no rows: expected a header with names of columns, and rows below it"))
}

/// What is wrong with a file that is no table.
fn wrong(source: &str, line: u64, error: &csv::Error) -> Failure {
    match error.kind() {
        csv::ErrorKind::UnequalLengths { expected_len, len, .. } => {
            let fields = if *len == 1 { "field" } else { "fields" };
            let message =
                format!("{source}: line {line}: {len} {fields}, expected {expected_len} as in the header");
            Failure::data(message).with_hint(
                "a field that holds what stands between fields is put in quotes; or say --delimiter",
            )
        }
        csv::ErrorKind::Utf8 { .. } => {
            Failure::data(format!("{source}: line {line}: expected text in UTF-8, found other bytes"))
        }
        _ => Failure::data(format!("{source}: {error}")),
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
