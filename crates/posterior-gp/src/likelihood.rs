//! What is seen of the function, if it is not the function and Gaussian noise.
//!
//! A [`Likelihood`] is the distribution of one observation y given the latent value f of the function at its
//! place. One likelihood is one file: its density with three derivatives in f, what to expect of new
//! observations, its parameters.
//!
//! | observations | likelihood | link |
//! |---|---|---|
//! | one of two classes, -1 or 1 | [`LogisticLikelihood`], [`Probit`] | p = σ(f), p = Φ(f) |
//! | successes in some trials | [`BinomialLikelihood`] | p = σ(f) |
//! | counts | [`PoissonLikelihood`], [`NegativeBinomialLikelihood`] | mean e^f times the exposure |
//! | positive numbers | [`GammaLikelihood`], [`LogLinkGaussian`] | mean e^f |
//! | real numbers with outliers | [`StudentTLikelihood`] | location f |
//! | real numbers | [`GaussianLikelihood`] | mean f |

mod binomial;
mod count;
mod expected;
mod gamma;
mod gaussian;
mod log_link_gaussian;
mod logistic;
mod negative_binomial;
mod poisson;
mod probit;
mod student_t;
mod tilted;

pub use binomial::{BinomialLikelihood, Trials};
pub use count::Count;
pub use expected::ExpectedLikelihood;
pub(crate) use expected::expectation;
pub use gamma::GammaLikelihood;
pub use gaussian::GaussianLikelihood;
pub use log_link_gaussian::LogLinkGaussian;
pub use logistic::LogisticLikelihood;
pub use negative_binomial::NegativeBinomialLikelihood;
pub use poisson::PoissonLikelihood;
pub use probit::Probit;
pub use student_t::StudentTLikelihood;
pub use tilted::Tilted;

use std::fmt;

use posterior_math::check::{self, ParamError};

use crate::kernel::KernelParameter;

/// The distribution of one observation y, given the latent value f.
///
/// ```
/// use posterior_gp::likelihood::{Likelihood, LogisticLikelihood};
///
/// let [slope, curvature, _] = LogisticLikelihood.derivatives(1.0, 0.0);
/// assert_eq!((slope, curvature), (0.5, -0.25));
/// // What is not certain is averaged towards a half.
/// assert_eq!(LogisticLikelihood.response(0.0), 0.5);
/// assert!(LogisticLikelihood.mean_response(2.0, 4.0) < LogisticLikelihood.response(2.0));
/// ```
pub trait Likelihood: Clone + fmt::Debug + PartialEq + Send + Sync {
    /// One observation.
    type Output: Copy + fmt::Debug + PartialEq + Send + Sync;

    /// Whether there can be such an observation.
    ///
    /// # Errors
    /// If not.
    fn check(&self, output: Self::Output) -> Result<(), ParamError>;

    /// ln p(y | f), with all constants: evidences of likelihoods can be compared.
    fn ln_density(&self, output: Self::Output, latent: f64) -> f64;

    /// The first three derivatives of ln p(y | f) in f.
    fn derivatives(&self, output: Self::Output, latent: f64) -> [f64; 3];

    /// What is expected of an observation at f: the probability of class 1, of a success, the mean of counts
    /// (of exposure 1) and numbers.
    fn response(&self, latent: f64) -> f64;

    /// The same under f ~ N(mean, variance): ∫ response(f) N(f; mean, variance) df.
    fn mean_response(&self, mean: f64, variance: f64) -> f64;

    /// Places of f where the density of y may have a peak that is far from all others: where a search for
    /// peaks begins. None for a log-concave density, which has one peak only.
    fn peaks(&self, _output: Self::Output) -> Vec<f64> {
        Vec::new()
    }

    /// The moments of p(y | f) N(f; mean, variance): by adaptive quadrature unless the likelihood knows
    /// better.
    fn tilted(&self, output: Self::Output, mean: f64, variance: f64) -> Tilted {
        Tilted::by_quadrature(self, output, mean, variance)
    }

    /// The expectations of ln p(y | f) and of its derivatives under N(f; mean, variance): by the trapezoidal
    /// rule unless the likelihood knows better.
    fn expected(&self, output: Self::Output, mean: f64, variance: f64) -> ExpectedLikelihood {
        ExpectedLikelihood::by_trapezoid(self, output, mean, variance)
    }

    /// How far from the real line ln p(y | f) is an analytic function of f: what tells the steps of a
    /// quadrature. π by default, as for every function of e^f without other singularities than that of the
    /// logistic function.
    fn analytic_strip(&self) -> f64 {
        std::f64::consts::PI
    }

    /// The normal distribution N(f; μ, s²) with the mode of the likelihood and its curvature there, as (μ,
    /// s²): what turns the observation into one with known Gaussian noise. None where the likelihood has no
    /// mode.
    fn matched_gaussian(&self, _output: Self::Output) -> Option<(f64, f64)> {
        None
    }

    /// The parameters that a fit may move.
    fn parameters(&self) -> Vec<KernelParameter> {
        Vec::new()
    }

    /// The same likelihood with other values of its parameters.
    ///
    /// # Errors
    /// If there is not one value for each parameter, or a value can't be.
    fn with_parameters(&self, values: &[f64]) -> Result<Self, ParamError> {
        require_count("Likelihood", values, 0)?;
        Ok(self.clone())
    }

    /// The derivatives of ln p, of its first, and of its second derivative in f, with respect to a parameter
    /// on its free scale; zero for a parameter that does not exist.
    fn parameter_derivatives(&self, _output: Self::Output, _latent: f64, _parameter: usize) -> [f64; 3] {
        [0.0; 3]
    }
}

/// A likelihood whose logarithm is a concave function of f for every y.
///
/// Then the posterior has one mode, Newton's method finds it, and expectation propagation has sites of
/// positive precision.
pub trait LogConcave: Likelihood {}

/// Refuses a list of values that is not as long as that of the parameters.
fn require_count(name: &'static str, values: &[f64], expected: usize) -> Result<(), ParamError> {
    let requirement = "as many as the likelihood has parameters";
    check::require(values.len() == expected, name, "number of values", values.len() as f64, requirement)?;
    Ok(())
}

/// Refuses an observation that is not -1 or 1.
fn require_label(name: &'static str, label: f64) -> Result<(), ParamError> {
    check::require(label == 1.0 || label == -1.0, name, "label", label, "-1 or 1")?;
    Ok(())
}
