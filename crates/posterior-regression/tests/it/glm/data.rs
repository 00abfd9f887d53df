//! Tables of the shared data, where they are available.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use posterior_math::linalg::DMatrix;
use posterior_testkit::shared::shared_file;

/// A table of numbers with names of columns; words are kept as NaN but for the ones that are asked for.
pub(super) struct Table {
    names: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// The table, or nothing where the data are not available (the test kit says so).
    pub(super) fn shared(test: &str, path: &str) -> Option<Self> {
        let text = std::fs::read_to_string(shared_file(test, path)?).unwrap();
        let mut lines = text.lines();
        let split = |line: &str| line.split(',').map(|word| word.trim().to_owned()).collect();
        let names = split(lines.next().unwrap());
        Some(Self { names, rows: lines.map(split).collect() })
    }

    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    fn place(&self, name: &str) -> usize {
        self.names.iter().position(|other| other == name).unwrap()
    }

    pub(super) fn column(&self, name: &str) -> Vec<f64> {
        let place = self.place(name);
        self.rows.iter().map(|row| row[place].parse().unwrap()).collect()
    }

    /// 1 where the word is this one.
    pub(super) fn indicator(&self, name: &str, word: &str) -> Vec<f64> {
        let place = self.place(name);
        self.rows.iter().map(|row| f64::from(u8::from(row[place] == word))).collect()
    }
}

/// An intercept and these columns.
pub(super) fn with_intercept(columns: &[Vec<f64>]) -> DMatrix<f64> {
    DMatrix::from_fn(columns[0].len(), columns.len() + 1, |i, j| if j == 0 { 1.0 } else { columns[j - 1][i] })
}
