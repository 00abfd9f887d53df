//! A smooth density of values that were seen: the kernel density estimate.

mod bandwidth;

use posterior_math::check::{self, ParamError};

use crate::continuous::Normal;
use crate::delegate::delegate;
use crate::prelude::*;
use crate::wrappers::{Mixture, Truncated};

pub use bandwidth::Bandwidth;

/// The density of values as the mean of normal densities of one width, each about a value.
///
/// # Density
/// p(x) = 1/n Σ φ((x - x_i)/h) / h
///
/// # Parameters
/// | symbol | here | range |
/// |---|---|---|
/// | x | `values` | at least one, finite |
/// | h | `bandwidth` | positive, or by a rule |
///
/// # Moments
/// the mean of the values, their variance (with n below) and h² more
///
/// # Numerics
/// A [`Mixture`] of normal distributions, and as exact as that in both tails. O(n) for a density or a tail,
/// some twelve times that for a quantile, O(1) for a draw.
///
/// # Boundaries
/// On the line the density goes beyond the values, whatever they are of: positive values get some probability
/// below zero, and too low a density next to it. [`reflected`](Self::reflected) is for values between known
/// ends.
///
/// # Example
/// ```
/// use posterior_dist::{Bandwidth, Density, KernelDensity, Moments, Univariate};
///
/// let values = [1.0, 1.5, 2.5, 4.0];
/// let density = KernelDensity::new(&values, Bandwidth::Width(0.5))?;
/// assert!((density.mean().unwrap_or(f64::NAN) - 2.25).abs() < 1e-15);
/// assert!(density.cdf(0.0) > 0.0);
///
/// let positive = density.reflected(0.0, f64::INFINITY)?;
/// assert_eq!(positive.cdf(0.0), 0.0);
/// # Ok::<(), posterior_math::ParamError>(())
/// ```
///
/// # References
/// B. W. Silverman, Density Estimation for Statistics and Data Analysis, 1986.
#[derive(Debug, Clone, PartialEq)]
pub struct KernelDensity {
    values: Vec<f64>,
    mixture: Mixture<Normal>,
    bandwidth: f64,
}

impl KernelDensity {
    /// Of values, with a width that is given or found by a rule.
    ///
    /// # Errors
    /// No values, or one that is not finite; a width that is not positive; values for which a rule has none:
    /// all the same, or a single one.
    pub fn new(values: &[f64], bandwidth: Bandwidth) -> Result<Self, ParamError> {
        check::at_least_one("KernelDensity", "number of values", values.len())?;
        check::each(values, |x| check::finite("KernelDensity", "values", x))?;
        let bandwidth = bandwidth.of(values)?;
        Ok(Self { values: values.to_vec(), mixture: bells(values.to_vec(), bandwidth)?, bandwidth })
    }

    /// The standard deviation h of the kernel.
    pub const fn bandwidth(&self) -> f64 {
        self.bandwidth
    }

    /// The values, in the order in which they came.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// The density on an interval that all values are of, one end of which may be infinite: what goes beyond
    /// an end is reflected there, so that the slope is 0 at it.
    ///
    /// # Errors
    /// `low` is not below `high`, both are infinite, or a value lies outside.
    pub fn reflected(&self, low: f64, high: f64) -> Result<Truncated<Mixture<Normal>>, ParamError> {
        check::require(low < high, "KernelDensity", "high", high, "above low")?;
        let has_end = low.is_finite() || high.is_finite();
        check::require(has_end, "KernelDensity", "low", low, "finite, or high")?;
        let values = &self.values;
        check::each(values, |x| {
            check::require((low..=high).contains(&x), "KernelDensity", "values", x, "from low to high")
        })?;
        let mirrors = [low, high].into_iter().filter(|end| end.is_finite());
        let images = mirrors.flat_map(|end| values.iter().map(move |x| end + (end - x)));
        let all: Vec<f64> = values.iter().copied().chain(images).collect();
        Truncated::new(bells(all, self.bandwidth)?, low, high)
    }
}

/// Normal distributions of one width, with the same weight.
fn bells(centers: Vec<f64>, width: f64) -> Result<Mixture<Normal>, ParamError> {
    let components = centers.into_iter().map(|x| Normal::mean_sd(x, width)).collect::<Result<Vec<_>, _>>()?;
    Mixture::from_weights(&vec![1.0; components.len()], components)
}

delegate!(KernelDensity, mixture: Density PointGradient Univariate Moments Shape Distribution);
