//! Monte Carlo means with their standard errors.
//!
//! The mean of f over S draws has the standard deviation of f over √S for its error: one more digit costs a
//! hundred times as many draws. An estimate therefore comes with its [standard
//! error](Estimate::standard_error), and better draws are worth more than many:
//!
//! | you have | take | error |
//! |---|---|---|
//! | independent draws | [`mean`], [`monte_carlo`]; [`vector_mean`] for several functions and for functions of means | σ/√S |
//! | draws of a chain | [`batch_means`] | σ/√(effective draws) |
//! | functions of the draws whose means are known | [`control_variates`] | what they leave of σ |
//! | two things to be compared | [`mean_difference`] of both on the same random numbers | what they do not share |
//! | a function that rises or falls in each uniform number | [`antithetic`] | smaller than σ/√S |
//! | a conditional mean in closed form | [`monte_carlo`] of that mean (Rao and Blackwell) | never larger |
//! | a smooth function of a few uniform numbers | [`quasi_monte_carlo`] | about 1/S, to S^(-3/2) |
//! | ln p(y given x) of draws x | [`ln_mean_exp`], [`marginal_density`] | relative, in logarithms |
//!
//! [`Inversion`] draws from a distribution by its quantiles; [`predictive_draws`] and [`predictive_check`]
//! ask what data a posterior expects.
//!
//! ```
//! use posterior_dist::stream::stream;
//! use posterior_sampling::estimate::monte_carlo;
//! use rand::distr::{Distribution, StandardUniform};
//!
//! // The area of a quarter of the disc.
//! let inside = |&(x, y): &(f64, f64)| if x * x + y * y <= 1.0 { 1.0 } else { 0.0 };
//! let quarter = monte_carlo(&StandardUniform, inside, 10_000, &mut stream(1, &[]))?;
//! assert!((quarter.standard_error - 0.0041).abs() < 1e-4);
//! assert!((quarter.value - std::f64::consts::FRAC_PI_4).abs() < 3.0 * quarter.standard_error);
//! # Ok::<(), posterior_math::ParamError>(())
//! ```

mod batch_means;
mod control_variates;
mod inversion;
mod ln_mean;
mod mean;
mod paired;
mod predictive;
mod quasi;
mod scramble;
mod sobol;
mod vector;

use std::fmt;

use posterior_math::check::{self, ParamError};
use posterior_math::special::normal_quantile;
use posterior_math::streaming::MeanVariance;

pub use batch_means::{batch_means, batch_means_of_length};
pub use control_variates::{Controlled, control_variates};
pub use inversion::Inversion;
pub use ln_mean::{LnEstimate, ln_mean_exp, marginal_density};
pub use mean::{mean, monte_carlo};
pub use paired::{antithetic, mean_difference, mean_of_pairs};
pub use predictive::{PredictiveCheck, predictive_check, predictive_draws};
pub use quasi::{QuasiOptions, quasi_monte_carlo};
pub use sobol::Sobol;
pub use vector::{VectorEstimate, vector_mean};

/// A mean over draws, and how far it may be from the truth.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Estimate {
    /// The mean.
    pub value: f64,
    /// The standard deviation of the mean, itself estimated from the draws.
    pub standard_error: f64,
    /// How many draws, or evaluations of the function, it took.
    pub draws: usize,
}

impl Estimate {
    /// The mean of independent points, each of which took `draws_each` draws.
    pub(crate) fn of_independent(points: &MeanVariance, draws_each: usize) -> Self {
        let count = points.weight();
        Self {
            value: points.mean(),
            standard_error: (points.sample_variance() / count).sqrt(),
            draws: count as usize * draws_each,
        }
    }

    /// Where the truth is with this probability, by the central limit theorem.
    ///
    /// # Errors
    /// A probability that is not strictly between 0 and 1.
    ///
    /// ```
    /// use posterior_sampling::estimate::Estimate;
    ///
    /// let (low, high) = Estimate { value: 1.0, standard_error: 0.1, draws: 100 }.interval(0.95)?;
    /// assert!((low - 0.804).abs() < 1e-4 && (high - 1.196).abs() < 1e-4);
    /// # Ok::<(), posterior_math::ParamError>(())
    /// ```
    pub fn interval(&self, probability: f64) -> Result<(f64, f64), ParamError> {
        check::open_probability("Estimate::interval", "probability", probability)?;
        let half = -normal_quantile(0.5 * (1.0 - probability)) * self.standard_error;
        Ok((self.value - half, self.value + half))
    }
}

impl fmt::Display for Estimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.value, f)?;
        f.write_str(" ± ")?;
        fmt::Display::fmt(&self.standard_error, f)
    }
}

/// The mean and the variance of values that all have to be finite.
fn moments(
    function: &'static str,
    values: impl IntoIterator<Item = f64>,
) -> Result<MeanVariance, ParamError> {
    let mut points = MeanVariance::new();
    for (i, value) in values.into_iter().enumerate() {
        points.push(check::finite(function, "value", value).map_err(|error| error.at(i))?);
    }
    Ok(points)
}

/// `count`, if there are enough.
fn at_least(
    least: usize,
    count: usize,
    function: &'static str,
    parameter: &'static str,
    requirement: &'static str,
) -> Result<usize, ParamError> {
    check::require(count >= least, function, parameter, count as f64, requirement)?;
    Ok(count)
}
