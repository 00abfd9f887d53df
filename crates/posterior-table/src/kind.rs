//! The types of columns.

use std::fmt;

use crate::cell::Look;

/// Rows from which labels that are all different tell rows apart, and nothing else.
const FEW_ROWS: usize = 20;

/// Words of a cell, on average, from which a column is text.
const WORDS_OF_TEXT: f64 = 4.0;

/// Pairs of labels that are truth values, in lower case.
const TRUTH_VALUES: [[&str; 2]; 5] =
    [["true", "false"], ["yes", "no"], ["y", "n"], ["t", "f"], ["on", "off"]];

/// Scales whose labels have an order, in lower case.
const SCALES: [&[&str]; 7] = [
    &["very low", "low", "medium", "high", "very high"],
    &["lowest", "low", "middle", "high", "highest"],
    &["xs", "s", "m", "l", "xl", "xxl"],
    &["tiny", "small", "medium", "large", "huge"],
    &["never", "rarely", "sometimes", "often", "always"],
    &["strongly disagree", "disagree", "neutral", "agree", "strongly agree"],
    &["poor", "fair", "good", "very good", "excellent"],
];

/// The type of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum ColumnKind {
    /// Numbers.
    Number,
    /// Whole numbers from 0.
    Count,
    /// Two labels that are truth values, such as yes and no.
    Boolean,
    /// Labels.
    Category,
    /// Labels of a scale that has an order, such as low, medium and high.
    Ordered,
    /// Dates, with times or without.
    Date,
    /// Words in sentences.
    Text,
    /// Labels that name rows: all are different.
    Identifier,
    /// Whole numbers that name rows: all are different, and the name of the column says it, such as `id`.
    RowNumber,
    /// All cells are missing.
    Missing,
}

impl ColumnKind {
    /// Whether the cells are numbers that measure or count.
    pub const fn is_numeric(self) -> bool {
        matches!(self, Self::Number | Self::Count)
    }

    /// Whether the cells name rows, so that nothing can be learned from them.
    pub const fn names_rows(self) -> bool {
        matches!(self, Self::Identifier | Self::RowNumber)
    }
}

impl fmt::Display for ColumnKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Number => "number",
            Self::Count => "count",
            Self::Boolean => "boolean",
            Self::Category => "category",
            Self::Ordered => "ordered category",
            Self::Date => "date",
            Self::Text => "text",
            Self::Identifier => "identifier",
            Self::RowNumber => "row number",
            Self::Missing => "missing",
        })
    }
}

/// Whether three labels or more all belong to one known scale.
fn are_on_a_scale(labels: &[&str]) -> bool {
    places_on_a_scale(labels).is_some()
}

/// The place of each of three labels or more on the one known scale to which they all belong.
pub(crate) fn places_on_a_scale(labels: &[&str]) -> Option<Vec<usize>> {
    let place = |scale: &[&str], label: &str| scale.iter().position(|own| *own == label.to_lowercase());
    let on = |scale: &&[&str]| labels.iter().map(|label| place(scale, label)).collect();
    if labels.len() > 2 { SCALES.iter().find_map(on) } else { None }
}

/// The cells of a column that are not missing, by what they look like.
#[derive(Debug, Default)]
pub(crate) struct Tally<'a> {
    numbers: usize,
    dates: usize,
    /// Cells that are missing in a column of numbers, and labels anywhere else.
    marks: usize,
    /// Numbers that are no counts.
    fractions: usize,
    cells: Vec<&'a str>,
}

impl<'a> Tally<'a> {
    /// A cell that is missing in a column of numbers only.
    pub(crate) const fn push_mark(&mut self) {
        self.marks += 1;
    }

    pub(crate) fn push(&mut self, cell: &'a str, look: Look) {
        self.numbers += usize::from(look.is_numeric());
        self.dates += usize::from(look == Look::Date);
        self.fractions +=
            usize::from(matches!(look, Look::Number(value) if value < 0.0 || value.fract() != 0.0));
        self.cells.push(cell);
    }

    /// Whether more cells are numbers than are none.
    pub(crate) const fn is_mostly_numbers(&self) -> bool {
        self.numbers > self.cells.len() - self.numbers
    }

    /// The type of a column of this name.
    pub(crate) fn kind(self, name: &str) -> ColumnKind {
        let rows = self.cells.len();
        if rows == 0 && self.marks == 0 {
            return ColumnKind::Missing;
        }
        if self.is_mostly_numbers() {
            return if self.fractions > 0 {
                ColumnKind::Number
            } else if rows > 2 && names_rows(name) && distinct(self.cells).len() == rows {
                ColumnKind::RowNumber
            } else {
                ColumnKind::Count
            };
        }
        if self.dates > rows - self.dates {
            return ColumnKind::Date;
        }
        let words: usize = self.cells.iter().map(|cell| cell.split_whitespace().count()).sum();
        let labels = distinct(self.cells);
        if words as f64 > WORDS_OF_TEXT * rows as f64 && 2 * labels.len() > rows {
            ColumnKind::Text
        } else if rows >= FEW_ROWS && labels.len() == rows {
            ColumnKind::Identifier
        } else if are_truth_values(&labels) {
            ColumnKind::Boolean
        } else if are_on_a_scale(&labels) {
            ColumnKind::Ordered
        } else {
            ColumnKind::Category
        }
    }
}

/// The different cells, in order.
fn distinct(mut cells: Vec<&str>) -> Vec<&str> {
    cells.sort_unstable();
    cells.dedup();
    cells
}

/// Whether all labels are of one pair of truth values.
fn are_truth_values(labels: &[&str]) -> bool {
    let in_pair = |pair: &[&str; 2]| labels.iter().all(|label| pair.contains(&label.to_lowercase().as_str()));
    !labels.is_empty() && TRUTH_VALUES.iter().any(in_pair)
}

/// Whether a cell says yes, if it says yes or no: 1, 0, or one of a pair of truth values.
pub(crate) fn truth(cell: &str) -> Option<bool> {
    let cell = cell.trim().to_lowercase();
    let pair = |[yes, no]: &[&str; 2]| if cell == *yes { Some(true) } else { (cell == *no).then_some(false) };
    [["1", "0"]].iter().chain(&TRUTH_VALUES).find_map(pair)
}

/// Whether the name of a column says that it names rows: id, row_id, customerID, or nothing at all, as the
/// first column of many exports.
fn names_rows(name: &str) -> bool {
    let ends_in_id = name.strip_suffix("ID").is_some_and(|before| before.ends_with(char::is_lowercase));
    let lower = name.to_lowercase();
    ends_in_id
        || lower.is_empty()
        || matches!(lower.as_str(), "id" | "index" | "row" | "rownames" | "rowid" | "unnamed: 0")
        || [" id", "_id", "-id", ".id"].iter().any(|ending| lower.ends_with(ending))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind_of<S: AsRef<str>>(name: &str, cells: &[S]) -> ColumnKind {
        let mut tally = Tally::default();
        for cell in cells {
            tally.push(cell.as_ref(), Look::of(cell.as_ref()));
        }
        tally.kind(name)
    }

    #[test]
    fn columns_have_types() {
        for (cells, kind) in [
            (&["1.5", "2"][..], ColumnKind::Number),
            (&["1", "0", "1"], ColumnKind::Count),
            (&["-1", "0"], ColumnKind::Number),
            (&["yes", "No", "yes"], ColumnKind::Boolean),
            (&["TRUE", "FALSE"], ColumnKind::Boolean),
            (&["yes", "no", "maybe"], ColumnKind::Category),
            (&["red", "blue", "red"], ColumnKind::Category),
            (&["low", "high", "Medium"], ColumnKind::Ordered),
            (&["low", "high"], ColumnKind::Category),
            (&["2024-01-01", "2024-01-02"], ColumnKind::Date),
            (&["the river rose at night", "the bank was closed to boats"], ColumnKind::Text),
            (&[], ColumnKind::Missing),
        ] {
            assert_eq!(kind_of("x", cells), kind, "{cells:?}");
        }
    }

    #[test]
    fn names_of_rows_are_identifiers() {
        let words: Vec<String> = (0..30).map(|row| format!("A{row}")).collect();
        assert_eq!(kind_of("code", &words), ColumnKind::Identifier);
        assert_eq!(kind_of("code", &words[..5]), ColumnKind::Category);
        let many: Vec<String> = (0..20_000).map(|row| format!("A{row}")).collect();
        assert_eq!(kind_of("code", &many), ColumnKind::Identifier);
        let numbers: Vec<String> = (0..30).map(|row| row.to_string()).collect();
        for name in ["", "id", "customer_id", "customerID", "Row ID"] {
            assert_eq!(kind_of(name, &numbers), ColumnKind::RowNumber, "{name}");
        }
        for name in ["x", "paid", "VOID", "year"] {
            assert_eq!(kind_of(name, &numbers), ColumnKind::Count, "{name}");
        }
        assert_eq!(kind_of("id", &["1", "1", "2"]), ColumnKind::Count);
    }
}
