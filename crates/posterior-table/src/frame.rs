//! A table in memory: its columns as numbers, counts, labels, texts or dates.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use posterior_report::grouped;

use crate::cell::{LARGEST, Look, Marks};
use crate::cells::{Cells, LineNumbers};
use crate::dates::{self, DateColumn, Undated};
use crate::error::Error;
use crate::header::Header;
use crate::kind::{ColumnKind, Tally, places_on_a_scale, truth};
use crate::memory::MemoryLimit;

/// Lines of missing cells that a message names.
const FEW_LINES: usize = 5;

/// The columns of a table that were asked for, and where each row is from.
///
/// ```
/// use posterior_table::{ColumnKind, TableFile, TableReadOptions};
///
/// let path = std::env::temp_dir().join("posterior-table-frame.csv");
/// let text = "day,species,length\n2024-03-01,perch,8.4\n2024-03-02,roach,NA\n";
/// std::fs::write(&path, text)?;
/// let file = TableFile::open(&path, &TableReadOptions::default())?;
/// let table = file.read(&["day", "length", "species"], |_| 0)?;
/// assert_eq!(table.len(), 2);
/// assert_eq!(table.kind("length")?, ColumnKind::Number);
/// assert!(table.numbers("length")?[1].is_nan());
/// assert_eq!(table.labels("species")?, ["perch", "roach"]);
/// assert_eq!(table.dates("day", None)?.values[1].unwrap().to_string(), "2024-03-02T00:00:00");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct DataFrame {
    /// The name of the file in messages.
    pub source: String,
    /// What the work on the table may take.
    pub memory: MemoryLimit,
    header: Header,
    /// The columns that were asked for, by their places.
    columns: BTreeMap<usize, Cells>,
    lines: LineNumbers,
    marks: Marks,
    /// The number of each row in the file, from 1, where some rows of it were taken.
    numbers: Option<Vec<usize>>,
}

impl DataFrame {
    pub(crate) const fn new(
        source: String,
        memory: MemoryLimit,
        header: Header,
        columns: BTreeMap<usize, Cells>,
        lines: LineNumbers,
        marks: Marks,
    ) -> Self {
        Self { source, memory, header, columns, lines, marks, numbers: None }
    }

    /// The rows with these numbers, counted from 0, in this order; each keeps its line and its
    /// [`Self::row_number`].
    ///
    /// # Panics
    /// If there is no such row.
    #[track_caller]
    #[must_use]
    pub fn rows(&self, rows: &[usize]) -> Self {
        let mut columns = BTreeMap::new();
        for (&place, all) in &self.columns {
            let all: Vec<&str> = all.iter().collect();
            let mut cells = Cells::default();
            for &row in rows {
                cells.push(all[row]);
            }
            columns.insert(place, cells);
        }
        let mut lines = LineNumbers::default();
        for &row in rows {
            lines.push(self.line(row));
        }
        let numbers = rows.iter().map(|&row| self.row_number(row)).collect();
        let (header, marks) = (self.header.clone(), self.marks.clone());
        let taken = Self::new(self.source.clone(), self.memory, header, columns, lines, marks);
        Self { numbers: Some(numbers), ..taken }
    }

    /// The number of a row in the file, the first being 1: it stays what it was where rows are taken.
    ///
    /// # Panics
    /// If there is no such row.
    #[track_caller]
    pub fn row_number(&self, row: usize) -> usize {
        self.numbers.as_ref().map_or(row + 1, |numbers| numbers[row])
    }

    /// The rows in which none of these columns is missing, counted from 0; a column whose cells are all
    /// missing counts as there.
    ///
    /// ```
    /// use posterior_table::DataFrame;
    ///
    /// let table = DataFrame::of_cells("table", &["x", "y"], [["1", "a"], ["NA", "b"], ["3", ""], ["4", "c"]]);
    /// let complete = table.complete_rows(&["x", "y"])?;
    /// assert_eq!(complete, [0, 3]);
    /// assert_eq!(table.rows(&complete).row_number(1), 4);
    /// # Ok::<(), posterior_table::Error>(())
    /// ```
    ///
    /// # Errors
    /// A column was not read.
    pub fn complete_rows<S: AsRef<str>>(&self, names: &[S]) -> Result<Vec<usize>, Error> {
        let mut complete = vec![true; self.len()];
        for name in names {
            let missing = self.missing(name.as_ref())?;
            if !missing.iter().all(|&missing| missing) {
                complete.iter_mut().zip(missing).for_each(|(row, missing)| *row &= !missing);
            }
        }
        Ok((0..self.len()).filter(|&row| complete[row]).collect())
    }

    /// Whether each cell of a column is missing, as its type has it.
    ///
    /// # Errors
    /// The column was not read.
    pub fn missing(&self, name: &str) -> Result<Vec<bool>, Error> {
        let cells = self.cells(name)?;
        if !self.cells(name)?.any(|cell| self.marks.no_number(cell)) {
            return Ok(vec![false; self.len()]);
        }
        // A column that has no type is refused where it is used.
        let numeric = self.kind(name).is_ok_and(ColumnKind::is_numeric);
        let is_missing = |cell| if numeric { self.marks.no_number(cell) } else { self.marks.no_word(cell) };
        Ok(cells.map(is_missing).collect())
    }

    /// The rows of this table and then those of another one, which has columns of the same names. Source,
    /// marks of missing values and limit of the memory are those of the other one.
    ///
    /// ```
    /// use posterior_table::DataFrame;
    ///
    /// let [old, new] = ["1", "2"].map(|cell| DataFrame::of_cells("table", &["x"], [[cell]]));
    /// assert_eq!(old.followed_by(&new)?.numbers("x")?, [1.0, 2.0]);
    /// # Ok::<(), posterior_table::Error>(())
    /// ```
    ///
    /// # Errors
    /// The other table lacks a column.
    pub fn followed_by(self, other: &Self) -> Result<Self, Error> {
        let Self { header, mut columns, mut lines, .. } = self;
        for (place, cells) in &mut columns {
            other.cells(&header.names()[*place])?.for_each(|cell| cells.push(cell));
        }
        (0..other.len()).for_each(|row| lines.push(other.line(row)));
        Ok(Self::new(other.source.clone(), other.memory, header, columns, lines, other.marks.clone()))
    }

    /// The names of all columns of the file.
    pub fn header(&self) -> &[String] {
        self.header.names()
    }

    /// The number of rows.
    pub const fn len(&self) -> usize {
        self.lines.rows()
    }

    /// Whether there are no rows.
    pub const fn is_empty(&self) -> bool {
        self.lines.rows() == 0
    }

    /// The line of a row in the file.
    pub fn line(&self, row: usize) -> u64 {
        self.lines.of(row)
    }

    /// The lines of all rows.
    pub fn lines(&self) -> LineNumbers {
        self.lines.clone()
    }

    /// The type of a column. It costs a look at each cell, and a sort of the cells that are words.
    ///
    /// # Errors
    /// The column was not read, or is numbers but for a few cells: nothing says what those are.
    pub fn kind(&self, name: &str) -> Result<ColumnKind, Error> {
        let mut tally = Tally::default();
        let mut stray = None;
        for (row, cell) in self.cells(name)?.enumerate() {
            if self.marks.no_number(cell) {
                if !self.marks.no_word(cell) {
                    tally.push_mark();
                }
                continue;
            }
            let look = Look::of(cell);
            tally.push(cell, look);
            if stray.is_none() && !matches!(look, Look::Number(_)) {
                stray = Some((row, cell));
            }
        }
        match stray {
            Some((row, cell)) if tally.is_mostly_numbers() => {
                let error = self.no_number(row, name, cell, "a number, as in most rows");
                Err(error.with_hint(if_missing(cell)))
            }
            _ => Ok(tally.kind(name)),
        }
    }

    /// The dates of a column, of one form for all cells: ISO 8601, the forms of Europe and America, names of
    /// months, quarters, weeks, with times and offsets from UTC or without. `date_form` is one of `strftime`,
    /// such as `%d/%m/%Y`; without it, the form is recognised.
    ///
    /// # Errors
    /// The column was not read; a cell is no date of the form given, or of that of the cells before it; day
    /// and month may be exchanged.
    pub fn dates(&self, name: &str, date_form: Option<&str>) -> Result<DateColumn, Error> {
        let cells = self.texts_or_missing(name)?;
        dates::read(cells.iter().copied(), date_form).map_err(|undated| match (undated, date_form) {
            (Undated::Row(row), Some(form)) => self.refused(row, name, &format!("a date of the form {form}")),
            (Undated::Row(row), None) => {
                let error = self.refused(row, name, "a date of the form of the cells before it");
                error.with_hint(format!("the forms of dates that are recognised: {}", dates::forms()))
            }
            (Undated::Ambiguous { row, forms: [one, other] }, _) => {
                let error = self.refused(row, name, &format!("a date that is either {one} or {other}"));
                error.with_hint("write the dates as 2024-03-31, or give their `date_form`")
            }
        })
    }

    /// The numbers of a column, NaN where they are missing.
    ///
    /// # Errors
    /// The column was not read, or a cell is neither a number nor missing.
    pub fn numbers(&self, name: &str) -> Result<Vec<f64>, Error> {
        self.numbers_or(name, "a number, or an empty cell where it is missing")
    }

    fn numbers_or(&self, name: &str, expected: &str) -> Result<Vec<f64>, Error> {
        let number = |(row, cell): (usize, &str)| {
            if self.marks.no_number(cell) {
                return Ok(f64::NAN);
            }
            match Look::of(cell) {
                Look::Number(value) => Ok(value),
                Look::Date => Err(self.wrong_cell(row, name, cell, "a number, not a date")),
                _ => Err(self.no_number(row, name, cell, expected).with_hint(if_missing(cell))),
            }
        };
        self.cells(name)?.enumerate().map(number).collect()
    }

    /// The numbers of a column without missing values.
    ///
    /// # Errors
    /// The column was not read, or a cell is not a number.
    pub fn complete_numbers(&self, name: &str) -> Result<Vec<f64>, Error> {
        let numbers = self.numbers_or(name, "a number")?;
        self.complete(name, "a number", numbers.iter().map(|value| value.is_nan()))?;
        Ok(numbers)
    }

    /// The cells of a column without missing values, as text.
    ///
    /// # Errors
    /// The column was not read, or a cell is missing.
    pub fn labels(&self, name: &str) -> Result<Vec<&str>, Error> {
        let cells: Vec<&str> = self.cells(name)?.collect();
        self.complete(name, "a label", cells.iter().map(|cell| self.marks.no_word(cell)))?;
        Ok(cells)
    }

    /// Whether each cell of a column without missing values says yes: 1 or 0, yes or no, true or false, y or
    /// n, t or f, on or off.
    ///
    /// ```
    /// use posterior_table::DataFrame;
    ///
    /// let table = DataFrame::of_cells("table", &["ended"], [["yes"], ["No"], ["1"]]);
    /// assert_eq!(table.truths("ended")?, [true, false, true]);
    /// # Ok::<(), posterior_table::Error>(())
    /// ```
    ///
    /// # Errors
    /// The column was not read, or a cell is missing or says neither.
    pub fn truths(&self, name: &str) -> Result<Vec<bool>, Error> {
        let own = |(row, cell): (usize, &str)| {
            truth(cell).ok_or_else(|| self.refused(row, name, "1 or 0, yes or no, or true or false"))
        };
        self.labels(name)?.into_iter().enumerate().map(own).collect()
    }

    /// The different labels of a column, numbers by size and words by the alphabet, and the place of each
    /// row's label among them.
    ///
    /// # Errors
    /// The column was not read, or a cell is missing.
    pub fn classes(&self, name: &str) -> Result<(Vec<String>, Vec<usize>), Error> {
        let of_row = self.labels(name)?;
        let labels = distinct_labels(of_row.iter().copied());
        let places: BTreeMap<&str, usize> =
            labels.iter().enumerate().map(|(place, label)| (label.as_str(), place)).collect();
        let of_row = of_row.iter().map(|label| places.get(label).copied().unwrap_or_default()).collect();
        Ok((labels, of_row))
    }

    /// The same in the order of a scale, where the labels are of a known one: low before medium before high.
    ///
    /// # Errors
    /// As [`classes`](Self::classes).
    pub fn ordered_classes(&self, name: &str) -> Result<(Vec<String>, Vec<usize>), Error> {
        let (labels, of_row) = self.classes(name)?;
        let words: Vec<&str> = labels.iter().map(String::as_str).collect();
        let Some(places) = places_on_a_scale(&words) else { return Ok((labels, of_row)) };
        let mut order: Vec<usize> = (0..labels.len()).collect();
        order.sort_by_key(|&own| places[own]);
        let mut rank = vec![0; order.len()];
        for (place, &own) in order.iter().enumerate() {
            rank[own] = place;
        }
        let labels = order.iter().map(|&own| labels[own].clone()).collect();
        Ok((labels, of_row.into_iter().map(|own| rank[own]).collect()))
    }

    /// The counts of a column without missing values.
    ///
    /// # Errors
    /// The column was not read, or a cell is no whole number from 0 to 9e15.
    pub fn counts(&self, name: &str) -> Result<Vec<u64>, Error> {
        let numbers = self.complete_numbers(name)?;
        numbers.into_iter().enumerate().map(|(row, number)| self.count(row, name, number)).collect()
    }

    /// The counts of a column; `None` where they are missing.
    ///
    /// # Errors
    /// The column was not read, or a cell is neither missing nor a whole number from 0 to 9e15.
    pub fn counts_or_missing(&self, name: &str) -> Result<Vec<Option<u64>>, Error> {
        let count = |(row, number): (usize, f64)| {
            if number.is_nan() { Ok(None) } else { self.count(row, name, number).map(Some) }
        };
        self.numbers(name)?.into_iter().enumerate().map(count).collect()
    }

    fn count(&self, row: usize, name: &str, number: f64) -> Result<u64, Error> {
        if number >= 0.0 && number.fract() == 0.0 && number < 9e15 {
            return Ok(number as u64);
        }
        Err(self.refused(row, name, "a count"))
    }

    /// The cells of a column as text; `None` where they are missing.
    ///
    /// # Errors
    /// The column was not read.
    pub fn texts_or_missing(&self, name: &str) -> Result<Vec<Option<&str>>, Error> {
        Ok(self.cells(name)?.map(|cell| Some(cell).filter(|cell| !self.marks.no_word(cell))).collect())
    }

    /// Whether a cell stands for a missing value in a column of words.
    pub fn is_missing(&self, cell: &str) -> bool {
        self.marks.no_word(cell)
    }

    /// A note about cells that are taken as missing although they are neither empty nor NA.
    ///
    /// # Errors
    /// The column was not read.
    pub fn note_of_marks(&self, name: &str) -> Result<Option<String>, Error> {
        let mut marks: BTreeSet<&str> = BTreeSet::new();
        let mut count = 0;
        for cell in self.cells(name)?.filter(|cell| self.marks.no_word(cell)) {
            if !matches!(cell, "" | "NA") {
                marks.insert(cell);
                count += 1;
            }
        }
        let quoted: Vec<String> = marks.iter().map(|mark| format!("{mark:?}")).collect();
        Ok((count > 0).then(|| {
            format!(
                "column {name}: taken as missing: {} with {}; `missing` NA takes such cells as they are",
                cells_of(count),
                quoted.join(", ")
            )
        }))
    }

    /// The error that says where a cell is that is not as expected.
    pub fn refused(&self, row: usize, name: &str, expected: &str) -> Error {
        let cell = self.cells(name).ok().and_then(|mut cells| cells.nth(row)).unwrap_or_default();
        self.wrong_cell(row, name, cell, expected)
    }

    /// Refuses a column with missing cells: how many, and where.
    fn complete(&self, name: &str, expected: &str, missing: impl Iterator<Item = bool>) -> Result<(), Error> {
        let rows: Vec<usize> =
            missing.enumerate().filter(|(_, missing)| *missing).map(|(row, _)| row).collect();
        let Some(&first) = rows.first() else { return Ok(()) };
        let lines: Vec<String> = rows.iter().take(FEW_LINES).map(|&row| self.line(row).to_string()).collect();
        let more = if rows.len() > FEW_LINES { ", .." } else { "" };
        let error = self.refused(first, name, expected);
        let count = format!("{} of {} are missing", grouped(rows.len() as u64), cells_of(self.len()));
        let line = if lines.len() == 1 { "line" } else { "lines" };
        Err(Error::new(format!("{error}; {count}, in {line} {}{more}", lines.join(", "))).with_hint(
            "leave these rows out of the table or fill the cells; a cell that is no missing value: `missing` says what is",
        ))
    }

    fn no_number(&self, row: usize, name: &str, cell: &str, expected: &str) -> Error {
        match Look::of(cell) {
            Look::TooLarge => {
                let expected = format!("a number of at most {LARGEST:e} in size");
                let error = self.wrong_cell(row, name, cell, &expected);
                error.with_hint("larger ones have no finite squares: give the column in larger units")
            }
            Look::Commas => {
                let error = self.wrong_cell(row, name, cell, "a number without commas");
                error.with_hint("numbers have a decimal point, and nothing between thousands: 1000.5")
            }
            _ => self.wrong_cell(row, name, cell, expected),
        }
    }

    fn wrong_cell(&self, row: usize, name: &str, cell: &str, expected: &str) -> Error {
        let line = self.line(row);
        Error::new(format!(
            "{}: line {line}, column {name}: expected {expected}, found {cell:?}",
            self.source
        ))
    }

    /// The same table with other cells in one column that was read.
    ///
    /// # Errors
    /// No column or several have this name; not one cell for each row.
    pub fn with_cells<S: AsRef<str>>(&self, name: &str, new: &[S]) -> Result<Self, Error> {
        let place = self.header.place(&self.source, name)?;
        if new.len() != self.len() {
            let (found, rows) = (new.len(), self.len());
            return Err(Error::new(format!("{}: {found} cells for {rows} rows", self.source)));
        }
        let mut cells = Cells::default();
        for cell in new {
            cells.push(cell.as_ref());
        }
        let mut columns = self.columns.clone();
        columns.insert(place, cells);
        Ok(Self {
            source: self.source.clone(),
            memory: self.memory,
            header: self.header.clone(),
            columns,
            lines: self.lines.clone(),
            marks: self.marks.clone(),
            numbers: self.numbers.clone(),
        })
    }

    /// The cells of a column as they are.
    ///
    /// # Errors
    /// The column was not read, or no column or several have this name.
    pub fn cells(&self, name: &str) -> Result<impl Iterator<Item = &str>, Error> {
        let place = self.header.place(&self.source, name)?;
        let cells = self.columns.get(&place);
        cells.map(Cells::iter).ok_or_else(|| {
            Error::new(format!("{}: the column {name:?} was not asked for: this is a bug", self.source))
        })
    }
}

/// What to do if a cell marks a missing value.
fn if_missing(cell: &str) -> String {
    format!("if {cell:?} marks a missing value, name the marks that there are: `missing` {cell:?},NA")
}

/// "1 cell", "2 cells".
fn cells_of(count: usize) -> String {
    format!("{} {}", grouped(count as u64), if count == 1 { "cell" } else { "cells" })
}

/// The different labels, numbers by size and then words by the alphabet.
pub fn distinct_labels<'a>(labels: impl Iterator<Item = &'a str>) -> Vec<String> {
    let different: BTreeSet<&str> = labels.collect();
    let mut labels: Vec<String> = different.into_iter().map(str::to_owned).collect();
    labels.sort_unstable_by(|a, b| by_size_then_alphabet(a, b));
    labels
}

/// A total order, in which 1 and 1.0 are two labels.
fn by_size_then_alphabet(a: &str, b: &str) -> Ordering {
    match (a.parse::<f64>(), b.parse::<f64>()) {
        (Ok(x), Ok(y)) => x.total_cmp(&y).then_with(|| a.cmp(b)),
        (Ok(_), Err(_)) => Ordering::Less,
        (Err(_), Ok(_)) => Ordering::Greater,
        (Err(_), Err(_)) => a.cmp(b),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file of so many rows and columns with one digit a cell, opened and read with these columns: what was
    /// allocated, and its bytes.
    fn measured(rows: usize, columns: usize, wanted: &[&str]) -> (allocation_counter::AllocationInfo, u64) {
        let names: Vec<String> = (0..columns).map(|column| format!("c{column}")).collect();
        let row = vec!["7"; columns].join(",") + "\n";
        let text = names.join(",") + "\n" + &row.repeat(rows);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("t.csv");
        std::fs::write(&path, &text).unwrap();
        let read = || {
            let opened =
                crate::file::TableFile::open(&path, &crate::file::TableReadOptions::default()).unwrap();
            if !wanted.is_empty() {
                assert_eq!(opened.read(wanted, |_| 0).unwrap().len(), rows);
            }
        };
        (allocation_counter::measure(read), text.len() as u64)
    }

    #[test]
    fn a_table_takes_little_more_than_its_bytes() {
        // A cell of a digit and what ends it are two bytes in the file, and two in memory; vectors that grow
        // have twice as much.
        let (all, bytes) = measured(500_000, 2, &["c0", "c1"]);
        assert!(all.bytes_max < 2 * bytes + (1 << 20), "{} of {bytes}", all.bytes_max);
        let (one, bytes) = measured(20_000, 50, &["c7"]);
        assert!(one.bytes_max < bytes / 2, "{} of {bytes}", one.bytes_max);
        let (none, bytes) = measured(500_000, 2, &[]);
        assert!(none.bytes_max < bytes / 2 && none.bytes_max < 1 << 20, "{} of {bytes}", none.bytes_max);
    }

    #[test]
    fn allocations_grow_with_the_cells_and_not_with_their_square() {
        let names: Vec<String> = (0..8_000).map(|column| format!("c{column}")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let [few, many] = [2_000, 8_000].map(|columns| measured(3, columns, &names[..columns]).0);
        assert!(many.count_total < 5 * few.count_total, "{} {}", many.count_total, few.count_total);
        assert!(many.bytes_total < 5 * few.bytes_total, "{} {}", many.bytes_total, few.bytes_total);
    }

    #[test]
    fn labels_have_one_order_whatever_mixes_numbers_and_words() {
        // 10 < 1a < 9 by the alphabet and 9 < 10 by size: an order that mixes both goes round.
        let labels = ["10", "1a", "9", "1.0", "1", "nan", "1", "1.0", "-0", "0"];
        let distinct = distinct_labels(labels.repeat(10).into_iter());
        assert_eq!(distinct, ["-0", "0", "1", "1.0", "9", "10", "nan", "1a"]);
    }
}
