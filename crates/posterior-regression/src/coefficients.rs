//! What is known of one coefficient, in numbers for a table.

use posterior_dist::{Normal, StudentT, Univariate};
use posterior_math::ParamError;
use posterior_math::check;
use posterior_math::streaming::quantile_of_sorted;

use crate::student_mixture::StudentMixture;

/// A coefficient: its name, mean and standard deviation, and the quantiles of its distribution.
///
/// ```
/// use posterior_regression::coefficients::Coefficient;
///
/// let slope = Coefficient::normal("slope", 2.0, 0.5)?;
/// assert!((slope.q95 - 2.822426813475736).abs() < 1e-14);
/// assert!((slope.quantile(0.975) - 2.979981992270027).abs() < 1e-14);
/// # Ok::<(), posterior_math::ParamError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Coefficient {
    /// The column of the design that it multiplies.
    pub name: String,
    /// The mean, or the location of a distribution that has none.
    pub mean: f64,
    /// The standard deviation; infinite where there is none.
    pub sd: f64,
    /// The quantile of 0.05.
    pub q05: f64,
    /// The quantile of 0.95.
    pub q95: f64,
    /// All that is known of it.
    #[cfg_attr(feature = "serde", serde(skip))]
    distribution: Marginal,
}

/// The distribution of one coefficient.
#[derive(Debug, Clone, PartialEq)]
enum Marginal {
    Known(f64),
    Normal(Normal),
    StudentT(StudentT),
    Students(StudentMixture),
    /// Ascending draws.
    Draws(Vec<f64>),
    /// Ascending draws with weights that add up to 1.
    Weighted(Vec<(f64, f64)>),
}

impl Marginal {
    fn quantile(&self, p: f64) -> f64 {
        match self {
            Self::Known(value) => *value,
            Self::Normal(own) => own.quantile(p),
            Self::StudentT(own) => own.quantile(p),
            Self::Students(own) => own.quantile(p),
            Self::Draws(sorted) => quantile_of_sorted(sorted, p),
            Self::Weighted(pairs) => weighted_quantile(pairs, p),
        }
    }
}

impl Coefficient {
    fn new(name: impl Into<String>, mean: f64, sd: f64, distribution: Marginal) -> Self {
        let [q05, q95] = [0.05, 0.95].map(|p| distribution.quantile(p));
        Self { name: name.into(), mean, sd, q05, q95, distribution }
    }

    /// The quantile at a probability; of draws, between neighbours on a straight line. A coefficient of draws
    /// holds them all: 8 or 16 bytes each.
    pub fn quantile(&self, p: f64) -> f64 {
        self.distribution.quantile(p)
    }

    /// A coefficient with a normal distribution; a standard deviation of zero is a coefficient that is known.
    ///
    /// # Errors
    /// If the mean is not finite, or the standard deviation negative or not finite.
    pub fn normal(name: impl Into<String>, mean: f64, sd: f64) -> Result<Self, ParamError> {
        let mean = check::finite("Coefficient", "mean", mean)?;
        let sd = check::non_negative("Coefficient", "sd", sd)?;
        if sd == 0.0 {
            return Ok(Self::new(name, mean, sd, Marginal::Known(mean)));
        }
        Ok(Self::new(name, mean, sd, Marginal::Normal(Normal::mean_sd(mean, sd)?)))
    }

    /// A coefficient that was estimated and has no distribution: its standard deviation and its quantiles are
    /// NaN.
    ///
    /// # Errors
    /// If the value is not finite.
    pub fn estimate(name: impl Into<String>, value: f64) -> Result<Self, ParamError> {
        let mean = check::finite("Coefficient", "mean", value)?;
        Ok(Self::new(name, mean, f64::NAN, Marginal::Known(f64::NAN)))
    }

    /// A coefficient with a Student t distribution: the standard deviation is infinite up to two degrees of
    /// freedom.
    ///
    /// # Errors
    /// If the location is not finite, or the degrees of freedom or the scale are not positive.
    pub fn student_t(
        name: impl Into<String>,
        degrees_of_freedom: f64,
        location: f64,
        scale: f64,
    ) -> Result<Self, ParamError> {
        let distribution = StudentT::new(degrees_of_freedom, location, scale)?;
        let sd = if degrees_of_freedom > 2.0 {
            scale * (degrees_of_freedom / (degrees_of_freedom - 2.0)).sqrt()
        } else {
            f64::INFINITY
        };
        Ok(Self::new(name, location, sd, Marginal::StudentT(distribution)))
    }

    /// A coefficient by draws from its distribution, with quantiles between neighbours on a straight line
    /// (type 7 of Hyndman and Fan).
    ///
    /// # Errors
    /// If there is no draw, or one is not finite.
    pub fn of_draws(name: impl Into<String>, draws: &[f64]) -> Result<Self, ParamError> {
        check::at_least_one("Coefficient", "draws", draws.len())?;
        let mut moments = posterior_math::streaming::MeanVariance::new();
        for (index, &draw) in draws.iter().enumerate() {
            moments.push(check::finite("Coefficient", "draws", draw).map_err(|error| error.at(index))?);
        }
        let mut sorted = draws.to_vec();
        sorted.sort_by(f64::total_cmp);
        let sd = if draws.len() > 1 { moments.sample_variance().sqrt() } else { 0.0 };
        Ok(Self::new(name, moments.mean(), sd, Marginal::Draws(sorted)))
    }

    /// A coefficient by weighted draws, with quantiles between neighbours on a straight line, each draw in
    /// the middle of its weight (type 5 of Hyndman and Fan, where weights are equal). Weights need not add up
    /// to 1.
    ///
    /// # Errors
    /// If there is no draw, one is not finite, there is another number of weights, one is negative, or none
    /// is positive.
    pub(crate) fn of_weighted_draws(
        name: impl Into<String>,
        draws: &[f64],
        weights: &[f64],
    ) -> Result<Self, ParamError> {
        check::at_least_one("Coefficient", "draws", draws.len())?;
        let fits = draws.len() == weights.len();
        check::require(fits, "Coefficient", "weights", weights.len() as f64, "as many as draws")?;
        for (index, (&draw, &weight)) in draws.iter().zip(weights).enumerate() {
            check::finite("Coefficient", "draws", draw).map_err(|error| error.at(index))?;
            check::non_negative("Coefficient", "weights", weight).map_err(|error| error.at(index))?;
        }
        let sum = check::positive("Coefficient", "sum of the weights", weights.iter().sum())?;
        let mut pairs: Vec<(f64, f64)> =
            draws.iter().copied().zip(weights.iter().map(|weight| weight / sum)).collect();
        pairs.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        let mean: f64 = pairs.iter().map(|(draw, weight)| draw * weight).sum();
        let variance: f64 = pairs.iter().map(|(draw, weight)| weight * (draw - mean).powi(2)).sum();
        // What is left of 1 is 1 - 1/n for equal weights.
        let left = 1.0 - pairs.iter().map(|(_, weight)| weight * weight).sum::<f64>();
        let sd = if left > 0.0 { (variance / left).sqrt() } else { 0.0 };
        Ok(Self::new(name, mean, sd, Marginal::Weighted(pairs)))
    }

    /// A coefficient with a mixture of Student t distributions.
    pub(crate) fn of_students(name: impl Into<String>, mixture: StudentMixture) -> Self {
        let (mean, sd) = (mixture.mean(), mixture.sd());
        Self::new(name, mean, sd, Marginal::Students(mixture))
    }
}

/// Of ascending numbers with weights that add up to 1.
pub(crate) fn weighted_quantile(pairs: &[(f64, f64)], p: f64) -> f64 {
    let (mut before, mut last) = (0.0, None);
    for &(draw, weight) in pairs.iter().filter(|(_, weight)| *weight > 0.0) {
        let place = before + 0.5 * weight;
        if place >= p {
            return last.map_or(draw, |(at, lower)| lower + (draw - lower) * (p - at) / (place - at));
        }
        before += weight;
        last = Some((place, draw));
    }
    last.map_or(f64::NAN, |(_, draw)| draw)
}
