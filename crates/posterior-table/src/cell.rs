//! What a cell is: a number, a mark that a value is missing, a date, or a word. Nothing else in the program
//! decides this.

use crate::dates::is_date;

/// What stands for a missing value in any column, beside an empty cell.
const MISSING: [&str; 11] = ["NA", "N/A", "n/a", "#N/A", "<NA>", "NaN", "nan", "null", "NULL", "None", "?"];

/// What stands for one in a column of numbers only: elsewhere they are labels, as + and - may be.
const MISSING_NUMBER: [&str; 2] = [".", "-"];

/// The largest size of a number: the squares of a hundred million such numbers have a sum.
pub(crate) const LARGEST: f64 = 1e150;

/// What stands for a missing value.
#[derive(Debug, Clone, Default)]
pub(crate) struct Marks {
    /// Instead of the known ones.
    given: Option<Vec<String>>,
}

impl Marks {
    /// These marks, or the known ones if there are none.
    pub(crate) fn new(given: &[String]) -> Self {
        Self { given: (!given.is_empty()).then(|| given.to_vec()) }
    }

    /// Whether a cell of words is missing.
    pub(crate) fn no_word(&self, cell: &str) -> bool {
        cell.is_empty()
            || match &self.given {
                Some(given) => given.iter().any(|mark| mark == cell),
                None => MISSING.contains(&cell),
            }
    }

    /// Whether a cell of numbers is missing.
    pub(crate) fn no_number(&self, cell: &str) -> bool {
        self.no_word(cell) || self.given.is_none() && MISSING_NUMBER.contains(&cell)
    }
}

/// What a cell that is not missing looks like.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Look {
    Number(f64),
    /// A number that cannot be squared, or is none of `f64`.
    TooLarge,
    /// Digits with commas: thousands, or a decimal comma.
    Commas,
    Date,
    Word,
}

impl Look {
    pub(crate) fn of(cell: &str) -> Self {
        match cell.parse::<f64>() {
            Ok(value) if value.abs() <= LARGEST => Self::Number(value),
            Ok(value) if !value.is_nan() => Self::TooLarge,
            _ if has_commas(cell) => Self::Commas,
            _ if is_date(cell) => Self::Date,
            _ => Self::Word,
        }
    }

    /// Whether somebody meant a number.
    pub(crate) const fn is_numeric(self) -> bool {
        matches!(self, Self::Number(_) | Self::TooLarge | Self::Commas)
    }
}

/// Whether a cell would be a number without its commas.
fn has_commas(cell: &str) -> bool {
    let digits = cell.starts_with(|c: char| c.is_ascii_digit() || "+-,.".contains(c));
    digits && cell.contains(',') && cell.replace(',', "").parse::<f64>().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_what_they_look_like() {
        for (cell, look) in [
            ("1", Look::Number(1.0)),
            ("-1.5e3", Look::Number(-1500.0)),
            ("1e150", Look::Number(1e150)),
            ("1e-999", Look::Number(0.0)),
            ("1e308", Look::TooLarge),
            ("1e999", Look::TooLarge),
            ("-inf", Look::TooLarge),
            ("1,000", Look::Commas),
            ("-1,000,000.5", Look::Commas),
            ("0,5", Look::Commas),
            ("1973-07-25", Look::Date),
            ("1973-07", Look::Date),
            ("1973/7/25", Look::Date),
            ("25.07.1973", Look::Date),
            ("7/25/73", Look::Date),
            ("1973-07-25T12:30:00Z", Look::Date),
            ("1973-07-25 12:30", Look::Date),
            ("TRUE", Look::Word),
            ("3+", Look::Word),
            ("1-2", Look::Word),
            ("1.2.3", Look::Word),
            ("192.168.0.1", Look::Word),
            ("a,b", Look::Word),
            (",", Look::Word),
            ("red", Look::Word),
        ] {
            assert_eq!(Look::of(cell), look, "{cell}");
        }
    }

    #[test]
    fn marks_that_are_given_stand_for_themselves() {
        let (known, given) = (Marks::default(), Marks::new(&["-9".to_owned()]));
        for mark in ["", "NA", "N/A", "n/a", "NaN", "nan", "null", "NULL", "None", "?"] {
            assert!(known.no_word(mark) && known.no_number(mark), "{mark}");
            assert_eq!(given.no_number(mark), mark.is_empty(), "{mark}");
        }
        for mark in [".", "-"] {
            assert!(!known.no_word(mark) && known.no_number(mark) && !given.no_number(mark), "{mark}");
        }
        assert!(given.no_word("-9") && given.no_number("-9") && !known.no_number("-9"));
    }
}
