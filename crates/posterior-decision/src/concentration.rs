//! How far a mean of independent rewards strays from its expectation, at most, with a stated probability.
//!
//! Sₙ is the sum of n independent variables in [0, 1] with mean μ each; martingale differences do as well.
//! Each inequality has a file with three functions, which are one inequality read three ways: the bound of a
//! tail P(Sₙ - nμ ≥ a), the radius ε that the mean exceeds with probability at most δ, and the number of
//! observations after which the mean is within ε on *both* sides with probability 1 - δ.
//!
//! | inequality | needs | file |
//! |---|---|---|
//! | Hoeffding | the range | [`hoeffding_tail`], [`hoeffding_radius`], [`hoeffding_sample_size`] |
//! | Bernstein | the variance, or a bound of it | [`bernstein_tail`], [`bernstein_radius`], [`bernstein_sample_size`] |
//! | empirical Bernstein | the variance of the sample | [`empirical_bernstein_radius`] |
//! | Chernoff, by the divergence of two coins | the mean | [`chernoff_tail`], [`chernoff_interval`], [`chernoff_sample_size`] |
//!
//! ```
//! use posterior_decision::concentration::{chernoff_tail, hoeffding_sample_size, hoeffding_tail};
//!
//! // Sixty heads or more in a hundred tosses: at most 0.1353; by the divergence 0.1335; in truth 0.0284.
//! assert!((hoeffding_tail(100, 10.0)? - 0.1353352832366127).abs() < 1e-15);
//! assert!(chernoff_tail(100, 0.5, 10.0)? < 0.1336);
//! // A rate to within 5 points, with 95 % confidence.
//! assert_eq!(hoeffding_sample_size(0.05, 0.05)?, 738);
//! # Ok::<(), posterior_math::ParamError>(())
//! ```
//!
//! # References
//! W. Hoeffding, Probability inequalities for sums of bounded random variables, JASA 58 (1963). A. Maurer, M.
//! Pontil, Empirical Bernstein bounds and sample-variance penalization, COLT 2009. S. Boucheron, G. Lugosi,
//! P. Massart, Concentration Inequalities, 2013, chapter 2.

mod bernstein;
mod chernoff;
mod hoeffding;

pub use bernstein::{bernstein_radius, bernstein_sample_size, bernstein_tail, empirical_bernstein_radius};
pub(crate) use chernoff::upper as upper_divergence_bound;
pub use chernoff::{
    bernoulli_divergence, chernoff_interval, chernoff_sample_size, chernoff_tail, divergence_bounds,
};
pub use hoeffding::{hoeffding_radius, hoeffding_sample_size, hoeffding_tail};

use posterior_math::check::{self, ParamError};

/// A number of observations, of which there is at least one.
fn observations(count: u64) -> Result<f64, ParamError> {
    check::at_least_one("concentration", "count", count)?;
    Ok(count as f64)
}

/// The smallest whole number of observations from `bound` on.
fn whole(bound: f64) -> Result<u64, ParamError> {
    check::require(
        bound < 1e15,
        "concentration",
        "sample size",
        bound,
        "below 10^15: ask for less precision",
    )?;
    Ok((bound.ceil() as u64).max(1))
}
