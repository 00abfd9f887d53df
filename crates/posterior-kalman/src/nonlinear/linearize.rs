//! Functions replaced by straight lines, where the state is thought to be.

use posterior_math::linalg::{DMatrix, DVector};

use super::{DifferentiableMap, Map};
use crate::Error;

/// g(x) ≈ μ + B ζ + e for x = mean + root ζ, where ζ is standard normal and e has the covariance E Eᵀ: a
/// straight line, and how far values are from it.
#[derive(Debug, Clone, PartialEq)]
pub struct Linearization {
    /// μ, m numbers.
    pub mean: DVector<f64>,
    /// B: m rows, and a column for each column of the root. The slope of the line, times the root.
    pub slope: DMatrix<f64>,
    /// E: m rows, any number of columns.
    pub residual_root: DMatrix<f64>,
}

impl Linearization {
    /// Whether all numbers are finite.
    pub(super) fn is_finite(&self) -> bool {
        let mut all = self.mean.iter().chain(self.slope.iter()).chain(self.residual_root.iter());
        all.all(|entry| entry.is_finite())
    }
}

/// How to replace a function by a straight line.
pub trait Linearize<M: ?Sized> {
    /// The line for `map` at time `t`, where x = mean + root ζ with a standard normal ζ.
    ///
    /// # Errors
    /// If the rule cannot be used for so many numbers. Values that are not finite are the caller's to find.
    fn linearize(
        &self,
        map: &M,
        t: usize,
        mean: &DVector<f64>,
        root: &DMatrix<f64>,
    ) -> Result<Linearization, Error>;
}

/// The tangent at the mean: the extended filter. With iterations, of the observation, the iterated extended
/// filter.
///
/// What is not straight is left out, and covariances come out too small by that.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Taylor;

impl<M: DifferentiableMap + ?Sized> Linearize<M> for Taylor {
    fn linearize(
        &self,
        map: &M,
        t: usize,
        mean: &DVector<f64>,
        root: &DMatrix<f64>,
    ) -> Result<Linearization, Error> {
        let mut value = DVector::zeros(map.outputs());
        let mut jacobian = DMatrix::zeros(map.outputs(), map.inputs());
        map.evaluate_with_jacobian(t, mean.as_slice(), value.as_mut_slice(), &mut jacobian);
        let residual_root = DMatrix::zeros(map.outputs(), 0);
        Ok(Linearization { mean: value, slope: jacobian * root, residual_root })
    }
}

/// g at mean + root ζ.
pub(super) fn value_at<M: Map + ?Sized>(
    map: &M,
    t: usize,
    mean: &DVector<f64>,
    step: &DVector<f64>,
) -> DVector<f64> {
    let mut value = DVector::zeros(map.outputs());
    map.evaluate(t, (mean + step).as_slice(), value.as_mut_slice());
    value
}
