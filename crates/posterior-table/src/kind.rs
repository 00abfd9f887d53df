//! The types of columns.

use std::collections::BTreeSet;
use std::fmt;

use crate::cell::Look;

/// Labels of a column that are kept to count them: more are no categories.
const MOST_LABELS: usize = 10_000;

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
    /// Labels or numbers that name rows: all are different.
    Identifier,
    /// All cells are missing.
    Missing,
}

impl ColumnKind {
    /// Whether the cells are numbers that measure or count.
    pub const fn is_numeric(self) -> bool {
        matches!(self, Self::Number | Self::Count)
    }

    /// Whether the cells are labels that some rows share.
    pub const fn is_categorical(self) -> bool {
        matches!(self, Self::Boolean | Self::Category | Self::Ordered)
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
            Self::Missing => "missing",
        })
    }
}

/// Whether three labels or more all belong to one known scale.
fn are_on_a_scale<'a>(labels: impl Iterator<Item = &'a str>) -> bool {
    let lower: Vec<String> = labels.map(str::to_lowercase).collect();
    lower.len() > 2 && SCALES.iter().any(|scale| lower.iter().all(|label| scale.contains(&label.as_str())))
}

/// What is counted of the cells of a column.
#[derive(Debug)]
pub(crate) struct Tally<'a> {
    numbers: usize,
    dates: usize,
    words: usize,
    /// Cells that are missing numbers, and labels anywhere else.
    marks: usize,
    are_counts: bool,
    labels: BTreeSet<&'a str>,
    /// Spaces in the cells that are words.
    spaces: usize,
}

impl Default for Tally<'_> {
    fn default() -> Self {
        let labels = BTreeSet::new();
        Self { numbers: 0, dates: 0, words: 0, marks: 0, are_counts: true, labels, spaces: 0 }
    }
}

impl<'a> Tally<'a> {
    /// A cell that is a missing number; `missing`: a missing label, too.
    pub(crate) const fn push_mark(&mut self, missing: bool) {
        self.marks += !missing as usize;
    }

    pub(crate) fn push(&mut self, cell: &'a str, look: Look) {
        match look {
            _ if look.is_numeric() => self.numbers += 1,
            Look::Date => self.dates += 1,
            _ => {
                self.words += 1;
                self.spaces += cell.split_whitespace().count().saturating_sub(1);
            }
        }
        self.are_counts &= matches!(look, Look::Number(value) if value >= 0.0 && value.fract() == 0.0);
        if self.labels.len() < MOST_LABELS || self.all_differ() {
            self.labels.insert(cell);
        }
    }

    /// Whether all cells so far are different.
    fn all_differ(&self) -> bool {
        self.labels.len() == self.numbers + self.dates + self.words
    }

    /// Whether more cells are numbers than are none.
    pub(crate) const fn is_mostly_numbers(&self) -> bool {
        self.numbers > self.dates + self.words
    }

    /// The type of a column of this name.
    pub(crate) fn kind(&self, name: &str) -> ColumnKind {
        let (words, rows) = (self.dates + self.words, self.numbers + self.dates + self.words);
        if rows == 0 && self.marks == 0 {
            ColumnKind::Missing
        } else if self.numbers > words {
            match (self.are_counts, self.are_counts && rows > 2 && self.all_differ() && names_rows(name)) {
                (_, true) => ColumnKind::Identifier,
                (true, _) => ColumnKind::Count,
                _ => ColumnKind::Number,
            }
        } else if self.dates > self.numbers + self.words {
            ColumnKind::Date
        } else if self.spaces as f64 > (WORDS_OF_TEXT - 1.0) * rows as f64 && 2 * self.labels.len() > rows {
            ColumnKind::Text
        } else if rows >= FEW_ROWS && self.all_differ() {
            ColumnKind::Identifier
        } else if self.are_truth_values() {
            ColumnKind::Boolean
        } else if self.labels.len() < FEW_ROWS && are_on_a_scale(self.labels.iter().copied()) {
            ColumnKind::Ordered
        } else {
            ColumnKind::Category
        }
    }

    fn are_truth_values(&self) -> bool {
        let lower: BTreeSet<String> = self.labels.iter().map(|label| label.to_lowercase()).collect();
        !lower.is_empty()
            && TRUTH_VALUES.iter().any(|pair| lower.iter().all(|label| pair.contains(&label.as_str())))
    }
}

/// Whether the name of a column says that it names rows: id, row_id, customerID, or nothing at all, as the
/// first column of many exports.
fn names_rows(name: &str) -> bool {
    let ends_in_id = name.strip_suffix("ID").is_some_and(|before| before.ends_with(char::is_lowercase));
    let lower = name.to_lowercase();
    ends_in_id
        || lower.is_empty()
        || matches!(
            lower.as_str(),
            "id" | "index" | "row" | "rownames" | "rowid" | "uuid" | "key" | "unnamed: 0"
        )
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
        let numbers: Vec<String> = (0..30).map(|row| row.to_string()).collect();
        for name in ["", "id", "customer_id", "customerID", "Row ID"] {
            assert_eq!(kind_of(name, &numbers), ColumnKind::Identifier, "{name}");
        }
        for name in ["x", "paid", "VOID", "year"] {
            assert_eq!(kind_of(name, &numbers), ColumnKind::Count, "{name}");
        }
        assert_eq!(kind_of("id", &["1", "1", "2"]), ColumnKind::Count);
    }
}
