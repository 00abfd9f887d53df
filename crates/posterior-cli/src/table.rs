//! Tables whose columns are asked for by name: as numbers, or as text. The header is read first, then the
//! columns that a verb needs.

mod cell;
mod cells;
mod header;
mod open;
mod watched;

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use self::cell::{LARGEST, Look, Marks};
use self::cells::Cells;
use self::header::Header;

pub(crate) use self::cells::Lines;
pub(crate) use self::header::listed;
pub(crate) use self::open::{Opened, named};
use crate::failure::Failure;
use crate::memory::Memory;
use crate::output::grouped;

/// Lines of missing cells that a message names.
const FEW_LINES: usize = 5;

/// A table with a header, and where it is from.
#[derive(Debug)]
pub(crate) struct Table {
    /// How the file is called in messages.
    pub(crate) source: String,
    /// What the work on the table may take.
    pub(crate) memory: Memory,
    header: Header,
    /// The columns that were asked for, by their places.
    columns: BTreeMap<usize, Cells>,
    lines: Lines,
    marks: Marks,
}

/// What the cells of a column are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Numbers,
    /// Labels of any kind.
    Words,
    Dates,
    /// All cells are missing.
    Nothing,
}

impl Table {
    /// The names of all columns of the file.
    pub(crate) fn header(&self) -> &[String] {
        self.header.names()
    }

    /// How many rows.
    pub(crate) const fn len(&self) -> usize {
        self.lines.rows()
    }

    /// The line of a row in the file.
    pub(crate) fn line(&self, row: usize) -> u64 {
        self.lines.of(row)
    }

    /// The lines of all rows.
    pub(crate) fn lines(&self) -> Lines {
        self.lines.clone()
    }

    /// What a column holds. A column that is numbers but for a few cells is refused: nothing says what they
    /// are. `instead` says what else the verb takes.
    pub(crate) fn kind(&self, name: &str, instead: &str) -> Result<Kind, Failure> {
        let (mut numbers, mut dates, mut words, mut marks) = (0, 0, 0, 0);
        let mut stray = None;
        for (row, cell) in self.cells(name)?.enumerate() {
            if self.marks.no_number(cell) {
                marks += usize::from(!self.marks.no_word(cell));
                continue;
            }
            let look = Look::of(cell);
            match look {
                _ if look.is_numeric() => numbers += 1,
                Look::Date => dates += 1,
                _ => words += 1,
            }
            if stray.is_none() && !matches!(look, Look::Number(_)) {
                stray = Some((row, cell));
            }
        }
        match (numbers, dates, words) {
            (0, 0, 0) if marks == 0 => Ok(Kind::Nothing),
            _ if numbers > dates + words => match stray {
                None => Ok(Kind::Numbers),
                Some((row, cell)) => {
                    let failure = self.no_number(row, name, cell, "a number, as in most rows");
                    Err(failure.with_hint(format!("{}; {instead}", if_missing(cell))))
                }
            },
            _ if dates > numbers + words => Ok(Kind::Dates),
            _ => Ok(Kind::Words),
        }
    }

    /// The numbers of a column, NaN where they are missing.
    pub(crate) fn numbers(&self, name: &str) -> Result<Vec<f64>, Failure> {
        self.numbers_or(name, "a number, or an empty cell where it is missing")
    }

    fn numbers_or(&self, name: &str, expected: &str) -> Result<Vec<f64>, Failure> {
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

    /// The numbers of a column that must all be there.
    pub(crate) fn complete_numbers(&self, name: &str) -> Result<Vec<f64>, Failure> {
        let numbers = self.numbers_or(name, "a number")?;
        self.complete(name, "a number", numbers.iter().map(|value| value.is_nan()))?;
        Ok(numbers)
    }

    /// The cells of a column as text; none may be missing.
    pub(crate) fn labels(&self, name: &str) -> Result<Vec<&str>, Failure> {
        let cells: Vec<&str> = self.cells(name)?.collect();
        self.complete(name, "a label", cells.iter().map(|cell| self.marks.no_word(cell)))?;
        Ok(cells)
    }

    /// The different labels of a column, numbers by size and words by the alphabet, and the place of each
    /// row's label among them.
    pub(crate) fn classes(&self, name: &str) -> Result<(Vec<String>, Vec<usize>), Failure> {
        let of_row = self.labels(name)?;
        let labels = distinct_labels(of_row.iter().copied());
        let places: BTreeMap<&str, usize> =
            labels.iter().enumerate().map(|(place, label)| (label.as_str(), place)).collect();
        let of_row = of_row.iter().map(|label| places.get(label).copied().unwrap_or_default()).collect();
        Ok((labels, of_row))
    }

    /// The whole numbers of a column, from 0 on.
    pub(crate) fn counts(&self, name: &str) -> Result<Vec<u64>, Failure> {
        let numbers = self.complete_numbers(name)?;
        numbers.into_iter().enumerate().map(|(row, number)| self.count(row, name, number)).collect()
    }

    /// The whole numbers from 0 on of a column; `None` where they are missing.
    pub(crate) fn counts_or_missing(&self, name: &str) -> Result<Vec<Option<u64>>, Failure> {
        let count = |(row, number): (usize, f64)| {
            if number.is_nan() { Ok(None) } else { self.count(row, name, number).map(Some) }
        };
        self.numbers(name)?.into_iter().enumerate().map(count).collect()
    }

    fn count(&self, row: usize, name: &str, number: f64) -> Result<u64, Failure> {
        if number >= 0.0 && number.fract() == 0.0 && number < 9e15 {
            return Ok(number as u64);
        }
        Err(self.refused(row, name, "a count"))
    }

    /// The cells of a column as text; `None` where they are missing.
    pub(crate) fn texts_or_missing(&self, name: &str) -> Result<Vec<Option<&str>>, Failure> {
        Ok(self.cells(name)?.map(|cell| Some(cell).filter(|cell| !self.marks.no_word(cell))).collect())
    }

    /// Whether a cell of words marks a missing value.
    pub(crate) fn is_missing(&self, cell: &str) -> bool {
        self.marks.no_word(cell)
    }

    /// What to say of cells that are words anywhere else and are taken as missing here.
    pub(crate) fn note_of_marks(&self, name: &str) -> Result<Option<String>, Failure> {
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
                "column {name}: taken as missing: {} with {}; --missing NA takes such cells as they are",
                cells_of(count),
                quoted.join(", ")
            )
        }))
    }

    /// What to say of a cell that is none of those expected.
    pub(crate) fn refused(&self, row: usize, name: &str, expected: &str) -> Failure {
        let cell = self.cells(name).ok().and_then(|mut cells| cells.nth(row)).unwrap_or_default();
        self.wrong_cell(row, name, cell, expected)
    }

    /// Refuses a column with missing cells: how many, and where.
    fn complete(
        &self,
        name: &str,
        expected: &str,
        missing: impl Iterator<Item = bool>,
    ) -> Result<(), Failure> {
        let rows: Vec<usize> =
            missing.enumerate().filter(|(_, missing)| *missing).map(|(row, _)| row).collect();
        let Some(&first) = rows.first() else { return Ok(()) };
        let lines: Vec<String> = rows.iter().take(FEW_LINES).map(|&row| self.line(row).to_string()).collect();
        let more = if rows.len() > FEW_LINES { ", .." } else { "" };
        let Failure::Data { message, .. } = self.refused(first, name, expected) else {
            return Err(self.refused(first, name, expected));
        };
        let count = format!("{} of {} are missing", grouped(rows.len() as u64), cells_of(self.len()));
        let line = if lines.len() == 1 { "line" } else { "lines" };
        Err(Failure::data(format!("{message}; {count}, in {line} {}{more}", lines.join(", "))).with_hint(
            "leave these rows out of the table or fill the cells; a cell that is no missing value: --missing says what is",
        ))
    }

    fn no_number(&self, row: usize, name: &str, cell: &str, expected: &str) -> Failure {
        match Look::of(cell) {
            Look::TooLarge => {
                let expected = format!("a number of at most {LARGEST:e} in size");
                let failure = self.wrong_cell(row, name, cell, &expected);
                failure.with_hint("larger ones have no finite squares: give the column in larger units")
            }
            Look::Commas => {
                let failure = self.wrong_cell(row, name, cell, "a number without commas");
                failure.with_hint("numbers have a decimal point, and nothing between thousands: 1000.5")
            }
            _ => self.wrong_cell(row, name, cell, expected),
        }
    }

    fn wrong_cell(&self, row: usize, name: &str, cell: &str, expected: &str) -> Failure {
        let line = self.line(row);
        Failure::data(format!(
            "{}: line {line}, column {name}: expected {expected}, found {cell:?}",
            self.source
        ))
    }

    /// The cells of a column as they are.
    pub(crate) fn cells(&self, name: &str) -> Result<impl Iterator<Item = &str>, Failure> {
        let place = self.header.place(&self.source, name)?;
        let cells = self.columns.get(&place);
        cells.map(Cells::iter).ok_or_else(|| {
            Failure::data(format!("{}: the column {name:?} was not asked for: this is a bug", self.source))
        })
    }
}

/// What to do if a cell marks a missing value.
fn if_missing(cell: &str) -> String {
    format!("if {cell:?} marks a missing value, name the marks that there are: --missing {cell:?},NA")
}

/// "1 cell", "2 cells".
fn cells_of(count: usize) -> String {
    format!("{} {}", grouped(count as u64), if count == 1 { "cell" } else { "cells" })
}

/// The different labels, numbers by size and then words by the alphabet.
pub(crate) fn distinct_labels<'a>(labels: impl Iterator<Item = &'a str>) -> Vec<String> {
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
            let opened = Table::open(&path, &crate::args::TableArgs::default()).unwrap();
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
