//! What is known of the scale of coefficients before the data.

use posterior_math::check;

use crate::Error;

/// Standard deviations that are tried: this many in each factor of ten, this far up and down from the median.
const IN_A_DECADE: i32 = 4;
const REACH: i32 = 4;

/// A prior of the standard deviation that coefficients have before the data: values with their probabilities.
///
/// ```
/// use posterior_regression::glm::ScalePrior;
///
/// let prior = ScalePrior::half_cauchy(2.0)?;
/// assert_eq!(prior.points().len(), 9);
/// assert!((prior.points().map(|(_, probability)| probability).sum::<f64>() - 1.0).abs() < 1e-14);
/// # Ok::<(), posterior_regression::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct ScalePrior(Vec<(f64, f64)>);

impl ScalePrior {
    /// One standard deviation, which is known.
    ///
    /// # Errors
    /// Unless it is positive and finite.
    pub fn known(sd: f64) -> Result<Self, Error> {
        Ok(Self(vec![(check::positive("ScalePrior", "sd", sd)?, 1.0)]))
    }

    /// A half-Cauchy distribution with this median, on nine values: four in a factor of ten, from a tenth of
    /// the median to ten times it.
    ///
    /// # Errors
    /// A median that is not positive and finite.
    ///
    /// # References
    /// A. Gelman, Prior distributions for variance parameters in hierarchical models, Bayesian Analysis
    /// 1, 2006.
    pub fn half_cauchy(median: f64) -> Result<Self, Error> {
        check::positive("ScalePrior", "median", median)?;
        let ratios = (-REACH..=REACH).map(|step| 10_f64.powf(f64::from(step) / f64::from(IN_A_DECADE)));
        // The density of the logarithm of the ratio.
        let points: Vec<(f64, f64)> =
            ratios.map(|ratio| (median * ratio, (ratio + ratio.recip()).recip())).collect();
        let sum: f64 = points.iter().map(|(_, weight)| weight).sum();
        Ok(Self(points.into_iter().map(|(sd, weight)| (sd, weight / sum)).collect()))
    }

    /// The standard deviations in ascending order, with their probabilities.
    pub fn points(&self) -> impl ExactSizeIterator<Item = (f64, f64)> + '_ {
        self.0.iter().copied()
    }
}

/// The smallest of ascending values that has at least half of the probability at or below it.
pub(crate) fn median(points: impl Iterator<Item = (f64, f64)>) -> f64 {
    let (mut below, mut last) = (0.0, f64::NAN);
    for (value, probability) in points {
        last = value;
        below += probability;
        if below >= 0.5 {
            break;
        }
    }
    last
}
