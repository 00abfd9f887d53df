//! What a table says of each class: the sufficient statistics of its columns.

use posterior_math::linalg::DMatrix;
use posterior_math::streaming::MeanVariance;

use super::column::ColumnDistribution;
use crate::Error;
use crate::checks::{index, size};
use crate::naive_bayes::class_counts::new_numbers;

/// Statistics of rows for each class. Rows come one by one, parts merge.
#[derive(Debug, Clone, PartialEq)]
pub struct ClassTable {
    pub(super) columns: Vec<ColumnDistribution>,
    /// For each class its rows.
    pub(super) rows: Vec<f64>,
    /// Classes x columns, a class after the other.
    pub(super) cells: Vec<Cell>,
}

#[derive(Debug, Clone)]
pub(super) enum Cell {
    Moments(MeanVariance),
    Levels(Vec<f64>),
}

/// By what a file holds and a classifier uses: the mean as one number, without the digits that are kept for
/// further rows.
impl PartialEq for Cell {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Moments(own), Self::Moments(other)) => {
                let empty = own.weight() == 0.0;
                own.weight() == other.weight()
                    && own.sum_of_squares() == other.sum_of_squares()
                    && (empty || own.mean() == other.mean())
            }
            (Self::Levels(own), Self::Levels(other)) => own == other,
            _ => false,
        }
    }
}

impl ClassTable {
    /// No row yet.
    ///
    /// # Errors
    /// No class, no column, or a column of no category.
    pub fn new(columns: &[ColumnDistribution], classes: usize) -> Result<Self, Error> {
        if classes == 0 || columns.is_empty() {
            return Err(Error::Corpus(format!("{classes} classes and {} columns to learn", columns.len())));
        }
        let cell = |column: &ColumnDistribution| match column {
            ColumnDistribution::Normal | ColumnDistribution::NormalPredictive(_) => {
                Ok(Cell::Moments(MeanVariance::new()))
            }
            ColumnDistribution::Categorical { levels: 0 } => {
                Err(Error::Corpus("a column of no category".to_owned()))
            }
            ColumnDistribution::Categorical { levels } => Ok(Cell::Levels(vec![0.0; *levels])),
        };
        let of_class = columns.iter().map(cell).collect::<Result<Vec<Cell>, Error>>()?;
        let cells = std::iter::repeat_n(of_class, classes).flatten().collect();
        Ok(Self { columns: columns.to_vec(), rows: vec![0.0; classes], cells })
    }

    /// The statistics of all rows of a table; row `i` is of the class `labels[i]`.
    ///
    /// # Errors
    /// As for [`new`](Self::new) and [`push`](Self::push), and another number of labels than rows.
    pub fn of(
        columns: &[ColumnDistribution],
        table: &DMatrix<f64>,
        labels: &[usize],
        classes: usize,
    ) -> Result<Self, Error> {
        let mut all = Self::new(columns, classes)?;
        size("labels of rows", table.nrows(), labels.len())?;
        let mut row = vec![0.0; table.ncols()];
        for (i, &label) in labels.iter().enumerate() {
            row.iter_mut().zip(table.row(i).iter()).for_each(|(own, value)| *own = *value);
            all.push(&row, label)?;
        }
        Ok(all)
    }

    /// Counts a row of a class, NaN where a value is missing.
    ///
    /// # Errors
    /// There is no such class, the row has another length, a value is infinite, or a category is none:
    /// nothing is counted then.
    pub fn push(&mut self, row: &[f64], class: usize) -> Result<(), Error> {
        index("class", class, self.rows.len())?;
        check_row(&self.columns, row)?;
        self.rows[class] += 1.0;
        let cells = &mut self.cells[class * row.len()..][..row.len()];
        for (cell, &value) in cells.iter_mut().zip(row).filter(|(_, value)| !value.is_nan()) {
            match cell {
                Cell::Moments(moments) => moments.push(value),
                Cell::Levels(counts) => counts[value as usize] += 1.0,
            }
        }
        Ok(())
    }

    /// Adds the statistics of another part of the rows.
    ///
    /// # Errors
    /// It has other columns or another number of classes.
    pub fn merge(&mut self, other: &Self) -> Result<(), Error> {
        if self.columns != other.columns || self.rows.len() != other.rows.len() {
            return Err(Error::Corpus("rows of other columns or classes cannot be added".to_owned()));
        }
        self.rows.iter_mut().zip(&other.rows).for_each(|(own, other)| *own += other);
        for cells in self.cells.iter_mut().zip(&other.cells) {
            match cells {
                (Cell::Moments(own), Cell::Moments(other)) => own.merge(other),
                (Cell::Levels(own), Cell::Levels(other)) => {
                    own.iter_mut().zip(other).for_each(|(own, other)| *own += other);
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// The same statistics among more classes and levels, under other priors: class `c` is then
    /// `class_of[c]`, level `l` of a column of categories `level_of[column][l]`, which is empty for a column
    /// of numbers.
    ///
    /// # Errors
    /// Not a new number for each class and level, one that is taken twice or is none; columns of another
    /// kind; otherwise as [`new`](Self::new).
    pub fn spread(
        &self,
        columns: &[ColumnDistribution],
        (classes, class_of): (usize, &[usize]),
        level_of: &[Vec<usize>],
    ) -> Result<Self, Error> {
        new_numbers("class", classes, (self.classes(), class_of))?;
        size("columns", self.columns.len(), columns.len())?;
        size("columns of levels", columns.len(), level_of.len())?;
        let mut own = Self::new(columns, classes)?;
        let width = columns.len();
        for (class, &to) in class_of.iter().enumerate() {
            own.rows[to] = self.rows[class];
            for (column, level_of) in level_of.iter().enumerate() {
                match (&mut own.cells[to * width + column], &self.cells[class * width + column]) {
                    (Cell::Moments(to), Cell::Moments(from)) => *to = *from,
                    (Cell::Levels(to), Cell::Levels(from)) => {
                        new_numbers("level", to.len(), (from.len(), level_of))?;
                        from.iter().zip(level_of).for_each(|(n, &place)| to[place] = *n);
                    }
                    _ => return Err(Error::Corpus(format!("column {column} is of another kind"))),
                }
            }
        }
        Ok(own)
    }

    /// Weight, mean and variance of a column of numbers, all classes together; `None` of a column of
    /// categories.
    ///
    /// # Errors
    /// There is no such column.
    pub fn moments(&self, column: usize) -> Result<Option<MeanVariance>, Error> {
        index("column", column, self.columns.len())?;
        let mut all = MeanVariance::new();
        for cell in self.cells.iter().skip(column).step_by(self.columns.len()) {
            match cell {
                Cell::Moments(moments) => all.merge(moments),
                Cell::Levels(_) => return Ok(None),
            }
        }
        Ok(Some(all))
    }

    /// The statistics with each row counted as so many, by its class.
    pub(super) fn weighted(&self, weights: &[f64]) -> Self {
        let mut own = self.clone();
        let cells = own.cells.chunks_exact_mut(self.columns.len());
        for ((cells, rows), &weight) in cells.zip(&mut own.rows).zip(weights).filter(|(_, w)| **w != 1.0) {
            *rows *= weight;
            for cell in cells {
                match cell {
                    Cell::Moments(moments) => moments.scale(weight),
                    Cell::Levels(counts) => counts.iter_mut().for_each(|n| *n *= weight),
                }
            }
        }
        own
    }

    /// The columns.
    pub fn columns(&self) -> &[ColumnDistribution] {
        &self.columns
    }

    /// The number of classes.
    pub const fn classes(&self) -> usize {
        self.rows.len()
    }

    /// The rows of each class.
    pub fn rows(&self) -> &[f64] {
        &self.rows
    }
}

/// Whether the row has a value for each column, or none.
pub(super) fn check_row(columns: &[ColumnDistribution], row: &[f64]) -> Result<(), Error> {
    size("values of a row", columns.len(), row.len())?;
    for (place, (column, &value)) in columns.iter().zip(row).enumerate() {
        let good = match column {
            _ if value.is_nan() => true,
            ColumnDistribution::Normal | ColumnDistribution::NormalPredictive(_) => value.is_finite(),
            ColumnDistribution::Categorical { levels } => {
                value >= 0.0 && value < *levels as f64 && value.trunc() == value
            }
        };
        if !good {
            return Err(Error::Corpus(format!("column {place}: {value} is no value of {column:?}")));
        }
    }
    Ok(())
}
