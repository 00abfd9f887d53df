//! What is known of each document besides its words: one row a document, in the order of the documents.

use super::csv_error::csv_error;
use super::number::excerpt;
use super::open::Source;
use super::text_visitor::VisitText;
use crate::Error;
use std::collections::BTreeSet;
use std::io::BufRead;
use std::path::{Path, PathBuf};

/// A table with a row for each document.
///
/// ```
/// use posterior_text::corpus::{Metadata, Source};
///
/// let csv = "year,president\n1790,George Washington\n1862,Abraham Lincoln\n";
/// let meta = Metadata::read_csv(Source::from_reader(csv.as_bytes(), "meta.csv")?)?;
/// assert_eq!(meta.numbers("year")?, [1790.0, 1862.0]);
/// assert_eq!(meta.text("president")?[1], "Abraham Lincoln");
/// # Ok::<(), posterior_text::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Metadata {
    path: PathBuf,
    columns: Vec<String>,
    rows: Vec<Row>,
}

/// The rows of a CSV table under its header, its path and its columns.
type CsvTable = (csv::Reader<Box<dyn BufRead>>, PathBuf, Vec<String>);

/// A table that must have these columns, which its header says before a row is read.
fn csv_table(source: Source, required: &[&str]) -> Result<CsvTable, Error> {
    let (reader, path, _) = source.into_parts();
    let mut reader = csv::ReaderBuilder::new().from_reader(reader);
    let header = reader.headers().map_err(|error| csv_error(&path, error))?;
    let columns: Vec<String> = header.iter().map(|name| name.trim().to_owned()).collect();
    if columns.is_empty() {
        let error = Error::contents(&path, "empty file: expected a CSV table");
        return Err(error.with_hint("its first line names the columns"));
    }
    let mut seen = BTreeSet::new();
    if let Some(at) = (0..columns.len()).find(|&at| !seen.insert(&columns[at])) {
        let message = format!("the column {:?} is there twice", columns[at]);
        return Err(Error::parse(&path, 1, message));
    }
    if let Some(column) = required.iter().find(|&&column| columns.iter().all(|name| name != column)) {
        return Err(missing_column(&path, 1, column, &columns));
    }
    Ok((reader, path, columns))
}

/// The fields of a document, and the line where they are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Row {
    pub(super) line: usize,
    pub(super) fields: Vec<String>,
}

impl Metadata {
    /// A table of rows as long as `columns`.
    pub(super) fn new(path: &Path, columns: Vec<String>, rows: Vec<Row>) -> Self {
        Self { path: path.to_owned(), columns, rows }
    }

    /// Reads a CSV table with a header.
    ///
    /// # Errors
    /// The source cannot be read, is empty, is not UTF-8, has a column name twice, or a row of another length
    /// than the header.
    pub fn read_csv(source: Source) -> Result<Self, Error> {
        Self::read_csv_with(source, &[])
    }

    /// The same for a table that must have these columns, which its header says before a row is read.
    pub(super) fn read_csv_with(source: Source, required: &[&str]) -> Result<Self, Error> {
        let (mut reader, path, columns) = csv_table(source, required)?;
        let mut rows = Vec::new();
        let mut record = csv::StringRecord::new();
        while reader.read_record(&mut record).map_err(|error| csv_error(&path, error))? {
            let line = record.position().map_or(0, csv::Position::line) as usize;
            rows.push(Row { line, fields: record.iter().map(str::to_owned).collect() });
        }
        Ok(Self { path, columns, rows })
    }

    /// Visits the text of each row, and its name: that of a column, or its number.
    pub(super) fn for_each_text(
        source: Source,
        text: &str,
        name: Option<&str>,
        visit: &mut VisitText<'_>,
    ) -> Result<(), Error> {
        let required: Vec<&str> = std::iter::once(text).chain(name).collect();
        let (mut reader, path, columns) = csv_table(source, &required)?;
        let place = |wanted: &str| columns.iter().position(|own| own == wanted).unwrap_or(0);
        let (text, name) = (place(text), name.map(place));
        let mut record = csv::StringRecord::new();
        let mut number = 0_u64;
        while reader.read_record(&mut record).map_err(|error| csv_error(&path, error))? {
            number += 1;
            let counted = number.to_string();
            visit(name.map_or(&counted, |place| &record[place]), &record[text])?;
        }
        if number == 0 {
            return Err(Error::contents(&path, "no rows: expected one for each document under the header"));
        }
        Ok(())
    }

    /// The names of the columns.
    pub fn columns(&self) -> &[String] {
        &self.columns
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.rows.len()
    }

    /// A column as text; missing values are empty.
    ///
    /// # Errors
    /// There is no such column: the message names those there are.
    pub fn text(&self, column: &str) -> Result<Vec<&str>, Error> {
        let at = self.position(column)?;
        Ok(self.rows.iter().map(|row| row.fields[at].as_str()).collect())
    }

    /// A column as finite numbers, none of them missing.
    ///
    /// # Errors
    /// There is no such column, or a field is missing or not a number: the message names its line.
    pub fn numbers(&self, column: &str) -> Result<Vec<f64>, Error> {
        let numbers = self.optional_numbers(column)?;
        let present = numbers.into_iter().zip(&self.rows).map(|(number, row)| {
            let missing = || format!("column {column:?}: expected a number, but the value is missing");
            number.ok_or_else(|| Error::parse(&self.path, row.line, missing()))
        });
        present.collect()
    }

    /// A column as finite numbers; an empty field or `NA` is a missing one.
    ///
    /// # Errors
    /// There is no such column, or a field is something else: the message names its line.
    pub fn optional_numbers(&self, column: &str) -> Result<Vec<Option<f64>>, Error> {
        let at = self.position(column)?;
        let number = |row: &Row| match row.fields[at].trim() {
            "" | "NA" => Ok(None),
            text => match text.parse::<f64>() {
                Ok(number) if number.is_finite() => Ok(Some(number)),
                _ => {
                    let message = format!("column {column:?}: expected a number, found {}", excerpt(text));
                    Err(Error::parse(&self.path, row.line, message))
                }
            },
        };
        self.rows.iter().map(number).collect()
    }

    /// Checks that there is one row for each document.
    ///
    /// # Errors
    /// There are more or fewer rows than `documents`.
    pub fn check_documents(&self, documents: usize) -> Result<(), Error> {
        if self.rows.len() == documents {
            return Ok(());
        }
        let error =
            Error::contents(&self.path, format!("{} rows for {documents} documents", self.rows.len()));
        Err(error.with_hint("a row is needed for each document, in the order of the documents"))
    }

    /// The rows in the order of the documents, and the column by which they were put in it.
    ///
    /// A column that holds every name (or file: `.txt` and `.txt.gz` are passed over) exactly once decides;
    /// rows of other documents are left out. Without such a column, or when the names are mere numbers, the
    /// rows are taken to be in order, one for each document.
    ///
    /// # Errors
    /// No column holds the names, and there are more or fewer rows than documents.
    pub fn for_documents(self, names: &[String]) -> Result<(Self, Option<String>), Error> {
        let numbered = names.iter().all(|name| name.bytes().all(|byte| byte.is_ascii_digit()));
        let found = if numbered { None } else { self.rows_by_name(names) };
        let Some((column, order)) = found else {
            self.check_documents(names.len())?;
            return Ok((self, None));
        };
        let rows = order.into_iter().map(|place| self.rows[place].clone()).collect();
        Ok((Self { rows, ..self }, Some(column)))
    }

    /// The first column that holds every name once, and the places of the names in it.
    fn rows_by_name(&self, names: &[String]) -> Option<(String, Vec<usize>)> {
        (0..self.columns.len()).find_map(|at| {
            let key = |place: usize| document_of(&self.rows[place].fields[at]);
            let mut sorted: Vec<usize> = (0..self.rows.len()).collect();
            sorted.sort_by_key(|&place| key(place));
            let place_of = |name: &String| {
                let start = sorted.partition_point(|&place| key(place) < name.as_str());
                let mut same = sorted[start..].iter().take_while(|&&place| key(place) == name);
                same.next().copied().filter(|_| same.next().is_none())
            };
            let order = names.iter().map(place_of).collect::<Option<Vec<_>>>()?;
            Some((self.columns[at].clone(), order))
        })
    }

    /// Takes a column out of the table: its fields, with their lines.
    pub(super) fn take(&mut self, column: &str) -> Result<Vec<(usize, String)>, Error> {
        let at = self.position(column)?;
        self.columns.remove(at);
        Ok(self.rows.iter_mut().map(|row| (row.line, row.fields.remove(at))).collect())
    }

    /// The name that messages call the table by.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    fn position(&self, column: &str) -> Result<usize, Error> {
        let position = self.columns.iter().position(|name| name == column);
        position.ok_or_else(|| missing_column(&self.path, 1, column, &self.columns))
    }
}

/// The name of the document in a file of this name.
fn document_of(file: &str) -> &str {
    let file = file.trim();
    let unpacked = file.strip_suffix(".gz").unwrap_or(file);
    unpacked.strip_suffix(".txt").unwrap_or(file)
}

/// The error that a line has no column of this name, but others.
pub(super) fn missing_column(path: &Path, line: usize, column: &str, columns: &[String]) -> Error {
    let there = if columns.is_empty() { "none".to_owned() } else { columns.join(", ") };
    Error::parse(path, line, format!("no column {column:?}; there are: {there}"))
        .with_hint("name one of the columns that there are")
}
