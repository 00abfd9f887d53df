//! Data as rows, with weights and missing values where there are some.

use std::borrow::Cow;

use posterior_math::check;
use posterior_math::linalg::DMatrix;

use crate::error::Error;

/// Vectors of one length, one for each row: complete or with missing values, each counted once or by a
/// weight.
///
/// ```
/// use posterior_latent::Observations;
/// use posterior_math::linalg::DMatrix;
///
/// let values = DMatrix::from_row_slice(3, 2, &[1.0, 2.0, f64::NAN, 4.0, 5.0, 6.0]);
/// assert!(Observations::new(&values).is_err());
/// let data = Observations::with_missing(&values)?.weighted(&[1.0, 2.0, 1.0])?;
/// assert_eq!((data.len(), data.dimension(), data.total_weight()), (3, 2, 4.0));
/// assert!(!data.is_complete());
/// # Ok::<(), posterior_latent::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Observations {
    values: DMatrix<f64>,
    weights: Option<Vec<f64>>,
    complete: bool,
}

impl Observations {
    /// Complete rows of finite numbers.
    ///
    /// # Errors
    /// If there is no row or no column, or a value is not finite.
    pub fn new(values: &DMatrix<f64>) -> Result<Self, Error> {
        Self::checked(values, f64::is_finite, "; `with_missing` takes NaN as missing")
    }

    /// Rows of finite numbers in which NaN stands for what is missing.
    ///
    /// # Errors
    /// If there is no row or no column, or a value is infinite.
    pub fn with_missing(values: &DMatrix<f64>) -> Result<Self, Error> {
        Self::checked(values, |value| !value.is_infinite(), ", or NaN where it is missing")
    }

    fn checked(values: &DMatrix<f64>, fits: impl Fn(f64) -> bool, hint: &'static str) -> Result<Self, Error> {
        for (what, found) in [("observations", values.nrows()), ("coordinates", values.ncols())] {
            check::enough(what, 1, found)?;
        }
        let wrong = values.iter().position(|&value| !fits(value));
        if let Some(place) = wrong {
            let (row, column) = (place % values.nrows(), place / values.nrows());
            return Err(Error::NotFinite { row, column, value: values[place], hint });
        }
        let complete = values.iter().all(|value| value.is_finite());
        Ok(Self { values: values.clone(), weights: None, complete })
    }

    /// The same rows, row i counted `weights[i]` times.
    ///
    /// # Errors
    /// If there are not as many weights as rows, if one is negative, infinite or NaN, or if all are 0.
    pub fn weighted(self, weights: &[f64]) -> Result<Self, Error> {
        check::dimension("weights", self.len(), weights.len())?;
        for (row, &weight) in weights.iter().enumerate() {
            check::non_negative("Observations", "weight", weight).map_err(|error| error.at(row))?;
        }
        check::positive("Observations", "total weight", weights.iter().sum())?;
        Ok(Self { weights: Some(weights.to_vec()), ..self })
    }

    /// How many rows.
    pub fn len(&self) -> usize {
        self.values.nrows()
    }

    /// Never: there is at least one row.
    pub const fn is_empty(&self) -> bool {
        false
    }

    /// The length of a row.
    pub fn dimension(&self) -> usize {
        self.values.ncols()
    }

    /// The rows; NaN where a value is missing.
    pub const fn values(&self) -> &DMatrix<f64> {
        &self.values
    }

    /// The weights, if there are any but 1.
    pub fn weights(&self) -> Option<&[f64]> {
        self.weights.as_deref()
    }

    /// The weight of a row.
    ///
    /// # Panics
    /// If there is no such row.
    #[track_caller]
    pub fn weight(&self, row: usize) -> f64 {
        assert!(row < self.len(), "row {row} of {} observations", self.len());
        self.weights.as_ref().map_or(1.0, |weights| weights[row])
    }

    /// The sum of the weights: the number of rows, where there are none.
    pub fn total_weight(&self) -> f64 {
        self.weights.as_ref().map_or(self.len() as f64, |weights| weights.iter().sum())
    }

    /// Refuses missing values, and says what else can be done.
    pub(crate) fn require_complete(&self, hint: &'static str) -> Result<(), Error> {
        let rows = self.len();
        match self.values.iter().position(|value| value.is_nan()) {
            None => Ok(()),
            Some(place) => {
                Err(Error::NotFinite { row: place % rows, column: place / rows, value: f64::NAN, hint })
            }
        }
    }

    /// Those of positive weight: a weight of 0 is no observation, wherever it is.
    pub(crate) fn counted(&self) -> Cow<'_, Self> {
        let Some(weights) = self.weights.as_ref().filter(|weights| weights.contains(&0.0)) else {
            return Cow::Borrowed(self);
        };
        let rows: Vec<usize> = (0..self.len()).filter(|&row| weights[row] > 0.0).collect();
        let values = self.values.select_rows(&rows);
        let complete = values.iter().all(|value| !value.is_nan());
        let weights = Some(rows.iter().map(|&row| weights[row]).collect());
        Cow::Owned(Self { values, weights, complete })
    }

    /// The first row of positive weight.
    pub(crate) fn first_counted(&self) -> usize {
        let weights = self.weights.as_deref().unwrap_or_default();
        weights.iter().position(|&weight| weight > 0.0).unwrap_or(0)
    }

    /// The same rows, each counted once.
    pub(crate) fn unweighted(&self) -> Self {
        Self { values: self.values.clone(), weights: None, complete: self.complete }
    }

    /// Some of the observations, in this order, with their weights.
    ///
    /// # Errors
    /// If there is none, or all weights are 0.
    pub(crate) fn of_rows(&self, rows: &[usize]) -> Result<Self, Error> {
        let values = self.values.select_rows(rows);
        let some = Self::checked(&values, |_| true, "")?;
        match &self.weights {
            Some(weights) => some.weighted(&rows.iter().map(|&row| weights[row]).collect::<Vec<_>>()),
            None => Ok(some),
        }
    }

    /// The same observations with the mean of what was observed in a column, by weight, in its gaps; 0 where
    /// that is nothing.
    pub(crate) fn filled_with_means(&self) -> Self {
        let mut values = self.values.clone();
        for mut column in values.column_iter_mut() {
            let (mut sum, mut total) = (0.0, 0.0);
            for (row, &x) in column.iter().enumerate().filter(|(_, x)| !x.is_nan()) {
                sum += self.weight(row) * x;
                total += self.weight(row);
            }
            let mean = if total > 0.0 { sum / total } else { 0.0 };
            column.iter_mut().filter(|x| x.is_nan()).for_each(|x| *x = mean);
        }
        Self { values, weights: self.weights.clone(), complete: true }
    }

    /// Whether no value is missing.
    pub const fn is_complete(&self) -> bool {
        self.complete
    }
}
