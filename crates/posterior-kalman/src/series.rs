//! What was observed, and what is missing of it.

use posterior_math::linalg::DMatrix;

use crate::Error;

/// Observations over time: m numbers at each, of which any may be missing.
#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    width: usize,
    /// Time after time; NaN where missing.
    values: Vec<f64>,
}

impl Series {
    /// One row for each time, one column for each component; nothing is missing.
    ///
    /// # Errors
    /// A number that is not finite.
    pub fn new(rows: &DMatrix<f64>) -> Result<Self, Error> {
        Self::checked(rows.ncols(), rows.transpose().as_slice().to_vec(), f64::is_finite)
    }

    /// As [`new`](Self::new), where NaN says that a number is missing.
    ///
    /// # Errors
    /// A number that is infinite.
    pub fn with_missing(rows: &DMatrix<f64>) -> Result<Self, Error> {
        Self::checked(rows.ncols(), rows.transpose().as_slice().to_vec(), |value| !value.is_infinite())
    }

    /// One number at each time.
    ///
    /// # Errors
    /// A number that is not finite.
    pub fn univariate(values: &[f64]) -> Result<Self, Error> {
        Self::checked(1, values.to_vec(), f64::is_finite)
    }

    /// One number at each time, or none.
    ///
    /// # Errors
    /// A number that is not finite.
    pub fn univariate_with_missing(values: &[Option<f64>]) -> Result<Self, Error> {
        for (time, &value) in values.iter().enumerate() {
            if let Some(value) = value.filter(|value| !value.is_finite()) {
                return Err(Error::Observation { time, component: 0, value });
            }
        }
        Ok(Self { width: 1, values: values.iter().map(|value| value.unwrap_or(f64::NAN)).collect() })
    }

    /// Zeros, with what is missing missing in these values too.
    pub(crate) fn of_same_pattern(width: usize, values: &[f64]) -> Self {
        let zero = |value: &f64| if value.is_nan() { f64::NAN } else { 0.0 };
        Self { width, values: values.iter().map(zero).collect() }
    }

    fn checked(width: usize, values: Vec<f64>, legal: impl Fn(f64) -> bool) -> Result<Self, Error> {
        match values.iter().position(|&value| !legal(value)) {
            Some(place) => {
                let (time, component) = (place / width, place % width);
                Err(Error::Observation { time, component, value: values[place] })
            }
            None => Ok(Self { width, values }),
        }
    }

    /// How many times.
    pub const fn len(&self) -> usize {
        match self.values.len().checked_div(self.width) {
            Some(length) => length,
            None => 0,
        }
    }

    /// Whether there is no time.
    pub const fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The number m of outputs.
    pub const fn width(&self) -> usize {
        self.width
    }

    /// What was observed at time `t`; NaN where missing.
    ///
    /// # Panics
    /// At a time after the last.
    #[track_caller]
    pub fn at(&self, t: usize) -> &[f64] {
        &self.values[t * self.width..(t + 1) * self.width]
    }

    /// How many numbers are there.
    pub fn observed(&self) -> usize {
        self.values.iter().filter(|value| !value.is_nan()).count()
    }
}
