//! Data about their mean, in a unit near 1.

use posterior_math::linalg::DMatrix;

use crate::error::Error;
use crate::observations::Observations;

/// What takes missing values.
pub(super) const MISSING: &str = "; `fit_factors` takes missing values";

/// √w (x - mean) s for each row, with a power of two s.
#[derive(Debug, Clone)]
pub(super) struct Centred {
    pub(super) rows: DMatrix<f64>,
    pub(super) mean: Vec<f64>,
    /// s.
    pub(super) scale: f64,
}

impl Centred {
    /// About the weighted mean.
    pub(super) fn about_mean(data: &Observations) -> Result<Self, Error> {
        data.require_complete(MISSING)?;
        let scale = scale_of(data.values());
        let total = data.total_weight();
        let mean = |column: &[f64]| {
            let average = |from: f64| {
                let sum: f64 =
                    column.iter().enumerate().map(|(i, x)| data.weight(i) / total * (x * scale - from)).sum();
                from + sum
            };
            // The second time, what is summed is small.
            average(average(0.0)) / scale
        };
        let means = data.values().as_slice().chunks_exact(data.len()).map(mean).collect();
        Ok(Self::about(data, means, scale))
    }

    /// About 0.
    pub(super) fn about_zero(data: &Observations) -> Result<Self, Error> {
        data.require_complete(MISSING)?;
        Ok(Self::about(data, vec![0.0; data.dimension()], scale_of(data.values())))
    }

    fn about(data: &Observations, mean: Vec<f64>, scale: f64) -> Self {
        let mut rows = data.values().clone();
        for (mut column, m) in rows.column_iter_mut().zip(&mean) {
            for (i, x) in column.iter_mut().enumerate() {
                *x = (*x * scale - m * scale) * data.weight(i).sqrt();
            }
        }
        Self { rows, mean, scale }
    }

    /// A sum of squares in the unit of the data.
    pub(super) fn square_outside(&self, square: f64) -> f64 {
        square / self.scale / self.scale
    }
}

/// The power of two that brings the largest number to [1, 2), as far as it is itself within range.
pub(super) fn scale_of(values: &DMatrix<f64>) -> f64 {
    let largest = values.iter().fold(0.0, |largest: f64, x| largest.max(x.abs()));
    let exponent = (largest.to_bits() >> 52) as i32 - 1023;
    if largest == 0.0 { 1.0 } else { 2_f64.powi(-exponent.clamp(-1000, 1000)) }
}

/// Turns columns so that the largest number of each is positive, the first of equals.
pub(super) fn orient(columns: &mut DMatrix<f64>) -> Vec<bool> {
    columns
        .column_iter_mut()
        .map(|mut column| {
            let largest =
                column.iter().fold(0.0_f64, |largest, x| if x.abs() > largest.abs() { *x } else { largest });
            if largest < 0.0 {
                column.neg_mut();
            }
            largest < 0.0
        })
        .collect()
}
