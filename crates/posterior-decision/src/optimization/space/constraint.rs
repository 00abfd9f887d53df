//! Linear inequalities.

use posterior_math::check;

use super::Axis;
use crate::Error;

/// A point may be so far beyond a bound, in units of the terms: rounding, no more.
const SLACK: f64 = 1e-12;

/// Points whose coordinates, times these coefficients, sum to at most a bound.
///
/// A bound from below has the opposite signs. Coordinates are those of the points, on a logarithmic axis too.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct LinearConstraint {
    /// One for each axis; that of an axis of categories is 0.
    pub coefficients: Vec<f64>,
    /// The most that the sum may be.
    pub bound: f64,
}

impl LinearConstraint {
    pub(super) fn check(&self, axes: &[Axis]) -> Result<(), Error> {
        const NAME: &str = "LinearConstraint";
        check::dimension("coefficients of a constraint", axes.len(), self.coefficients.len())?;
        check::finite(NAME, "bound", self.bound)?;
        for (index, (axis, &coefficient)) in axes.iter().zip(&self.coefficients).enumerate() {
            let named = matches!(axis, Axis::Category { .. });
            check::finite(NAME, "coefficient", coefficient)
                .and_then(|_| {
                    let fits = !named || coefficient == 0.0;
                    check::require(fits, NAME, "coefficient", coefficient, "0 of an axis of categories")
                })
                .map_err(|error| error.at(index))?;
        }
        Ok(())
    }

    /// By how much a point is beyond the bound; nothing of what rounding may be.
    pub(super) fn excess(&self, point: &[f64]) -> f64 {
        let terms = || self.coefficients.iter().zip(point).map(|(c, x)| c * x);
        let size: f64 = terms().map(f64::abs).sum::<f64>() + self.bound.abs();
        terms().sum::<f64>() - self.bound - SLACK * size
    }
}
