//! A matrix for each time, stored once where it repeats.

use posterior_math::check::{self, DimensionError};
use posterior_math::linalg::DMatrix;

use crate::Error;

/// A matrix for each time: the same for all, one for each, or one of several.
///
/// Entries stand column by column, matrix after matrix, in one block of memory.
///
/// ```
/// use posterior_kalman::Matrices;
/// use posterior_math::linalg::DMatrix;
///
/// let short = DMatrix::from_element(1, 1, 0.5);
/// let long = DMatrix::from_element(1, 1, 2.0);
/// let steps = Matrices::indexed(&[short, long], vec![0, 0, 1])?;
/// assert_eq!((steps.at(1), steps.at(2)), (&[0.5][..], &[2.0][..]));
/// # Ok::<(), posterior_kalman::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(try_from = "Unchecked"))]
pub struct Matrices {
    rows: usize,
    columns: usize,
    entries: Vec<f64>,
    schedule: Schedule,
}

/// Matrices as somebody wrote them.
#[cfg(feature = "serde")]
#[derive(serde::Deserialize)]
struct Unchecked {
    rows: usize,
    columns: usize,
    entries: Vec<f64>,
    schedule: Schedule,
}

#[cfg(feature = "serde")]
impl TryFrom<Unchecked> for Matrices {
    type Error = Error;

    fn try_from(Unchecked { rows, columns, entries, schedule }: Unchecked) -> Result<Self, Error> {
        let each = rows.saturating_mul(columns);
        let kinds = entries.len() / each.max(1);
        let wanted = match &schedule {
            Schedule::Same => 1,
            Schedule::Each => kinds.max(1),
            Schedule::Indexed(which) => {
                kinds.max(which.iter().max().map_or(1, |&last| (last as usize).saturating_add(1)))
            }
        };
        check::dimension("entries of matrices", each.saturating_mul(wanted), entries.len())?;
        Ok(Self { rows, columns, entries, schedule })
    }
}

/// Which of the stored matrices a time has.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
enum Schedule {
    /// The only one.
    Same,
    /// One for each time, in order.
    Each,
    /// The one of this number.
    Indexed(Vec<u32>),
}

impl Matrices {
    /// The same matrix at all times.
    pub fn constant(matrix: &DMatrix<f64>) -> Self {
        let (rows, columns) = matrix.shape();
        Self { rows, columns, entries: matrix.as_slice().to_vec(), schedule: Schedule::Same }
    }

    /// One matrix for each time, in order.
    ///
    /// # Errors
    /// No matrix at all, or one of another shape than the first.
    pub fn each(matrices: &[DMatrix<f64>]) -> Result<Self, Error> {
        let (rows, columns, entries) = packed(matrices)?;
        Ok(Self { rows, columns, entries, schedule: Schedule::Each })
    }

    /// At time t the matrix `matrices[which[t]]`.
    ///
    /// # Errors
    /// No matrix at all, one of another shape than the first, or a number that none of them has.
    pub fn indexed(matrices: &[DMatrix<f64>], which: Vec<u32>) -> Result<Self, Error> {
        let (rows, columns, entries) = packed(matrices)?;
        for &number in &which {
            check::enough(
                "matrices, where one with this number is wanted (it counts from 0)",
                number as usize + 1,
                matrices.len(),
            )?;
        }
        Ok(Self { rows, columns, entries, schedule: Schedule::Indexed(which) })
    }

    /// One matrix for each time from the entries of all, column by column.
    ///
    /// # Errors
    /// If the entries are not those of whole matrices, or of none.
    pub fn from_entries(rows: usize, columns: usize, entries: Vec<f64>) -> Result<Self, Error> {
        let each = rows.saturating_mul(columns);
        let whole = each > 0 && !entries.is_empty() && entries.len().is_multiple_of(each);
        check::dimension(
            "entries of matrices",
            each * (entries.len() / each.max(1)).max(1),
            if whole { entries.len() } else { 0 },
        )?;
        Ok(Self { rows, columns, entries, schedule: Schedule::Each })
    }

    /// Rows of each.
    pub const fn rows(&self) -> usize {
        self.rows
    }

    /// Columns of each.
    pub const fn columns(&self) -> usize {
        self.columns
    }

    /// For how many times there is one; `None` if for all.
    pub fn times(&self) -> Option<usize> {
        match &self.schedule {
            Schedule::Same => None,
            Schedule::Each => Some(self.distinct()),
            Schedule::Indexed(which) => Some(which.len()),
        }
    }

    /// How many are stored.
    pub fn distinct(&self) -> usize {
        self.entries.len() / (self.rows * self.columns).max(1)
    }

    /// The number, among those that are stored, of the matrix at time `t`.
    ///
    /// # Panics
    /// At a time for which there is none.
    #[track_caller]
    pub fn number(&self, t: usize) -> usize {
        match &self.schedule {
            Schedule::Same => 0,
            Schedule::Each => t,
            Schedule::Indexed(which) => which[t] as usize,
        }
    }

    /// The entries of the stored matrix with this number, column by column.
    ///
    /// # Panics
    /// If none has this number.
    #[track_caller]
    pub fn stored(&self, number: usize) -> &[f64] {
        let each = self.rows * self.columns;
        &self.entries[number * each..(number + 1) * each]
    }

    /// The entries of the matrix at time `t`, column by column.
    ///
    /// # Panics
    /// At a time for which there is none.
    #[track_caller]
    pub fn at(&self, t: usize) -> &[f64] {
        self.stored(self.number(t))
    }

    /// The matrix at time `t`.
    ///
    /// # Panics
    /// At a time for which there is none.
    #[track_caller]
    pub fn matrix(&self, t: usize) -> DMatrix<f64> {
        DMatrix::from_column_slice(self.rows, self.columns, self.at(t))
    }

    /// The entries of all that are stored, matrix after matrix.
    pub(crate) fn entries(&self) -> &[f64] {
        &self.entries
    }

    /// The same schedule of other matrices: each that is stored, changed.
    ///
    /// # Errors
    /// Those of `change`; or if it returns matrices of several shapes.
    pub(crate) fn try_map(
        &self,
        mut change: impl FnMut(&DMatrix<f64>) -> Result<DMatrix<f64>, Error>,
    ) -> Result<Self, Error> {
        let changed = (0..self.distinct())
            .map(|number| change(&DMatrix::from_column_slice(self.rows, self.columns, self.stored(number))))
            .collect::<Result<Vec<_>, _>>()?;
        let (rows, columns, entries) = packed(&changed)?;
        Ok(Self { rows, columns, entries, schedule: self.schedule.clone() })
    }

    /// The same schedule of other matrices of the same shape: each that is stored, changed by a function of
    /// the old and the new entries.
    pub(crate) fn try_map_entries(
        &self,
        mut change: impl FnMut(&[f64], &mut [f64]) -> Result<(), Error>,
    ) -> Result<Self, Error> {
        let each = (self.rows * self.columns).max(1);
        let mut changed = self.clone();
        for (new, old) in changed.entries.chunks_exact_mut(each).zip(self.entries.chunks_exact(each)) {
            change(old, new)?;
        }
        Ok(changed)
    }
}

fn packed(matrices: &[DMatrix<f64>]) -> Result<(usize, usize, Vec<f64>), Error> {
    let Some(first) = matrices.first() else {
        return Err(DimensionError::new("matrices over time", 1, 0).into());
    };
    let (rows, columns) = first.shape();
    let mut entries = Vec::with_capacity(rows * columns * matrices.len());
    for matrix in matrices {
        check::dimension("rows of a matrix over time", rows, matrix.nrows())?;
        check::dimension("columns of a matrix over time", columns, matrix.ncols())?;
        entries.extend_from_slice(matrix.as_slice());
    }
    Ok((rows, columns, entries))
}
