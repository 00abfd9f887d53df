//! What each method says.

use posterior_sampling::Run;

use crate::Error;

/// The methods, from the cheapest up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Method {
    /// The most likely coefficients, without the prior.
    MaximumLikelihood,
    /// The most probable coefficients.
    MaximumPosterior,
    /// The Gaussian at the mode.
    Laplace,
    /// The Gaussian of expectation propagation.
    Propagation,
    /// The Gaussian of least KL(q ‖ p).
    Variational,
    /// Draws of a t distribution around the mode, weighted.
    ImportanceSampling,
    /// The No-U-Turn sampler.
    Nuts,
}

/// The answer of a method.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct MethodAnswer {
    /// Whose.
    pub method: Method,
    /// The coefficients: the point, or the mean of the distribution.
    pub mean: Vec<f64>,
    /// Their standard deviations; the standard errors of a maximum.
    pub sd: Vec<f64>,
    /// ln p(y), where the method has it: the approximations of Laplace's method and of expectation
    /// propagation, the lower bound of the variational method, the estimate of importance sampling.
    pub ln_evidence: Option<f64>,
    /// k̂ of the weights of draws from this method's distribution: up to 0.5 it is close, up to 0.7 its draws
    /// serve with their weights.
    pub pareto_shape: Option<f64>,
}

/// All answers.
#[derive(Debug)]
#[non_exhaustive]
pub struct MethodComparison {
    /// One for each method that ran.
    pub answers: Vec<MethodAnswer>,
    /// Why the others could not: there are no most likely coefficients for separated responses, for instance.
    pub refused: Vec<(Method, Error)>,
    /// The lowest method with a distribution whose k̂ is reliable and whose means and standard deviations
    /// agree with the highest methods': means to a tenth of a standard deviation, standard deviations to a
    /// tenth.
    pub sufficient: Method,
}

impl MethodComparison {
    /// The answer of a method.
    pub fn method(&self, method: Method) -> Option<&MethodAnswer> {
        self.answers.iter().find(|answer| answer.method == method)
    }
}

/// What the methods may spend.
#[derive(Debug, Clone, PartialEq)]
pub struct ComparisonOptions {
    /// The seed of everything random.
    pub seed: u64,
    /// Draws of each approximation that are weighted, and of importance sampling: 40,000 by default: with
    /// few, the judgement of a good approximation is noise.
    pub weighted_draws: usize,
    /// Chains of the No-U-Turn sampler: four of 1,000 draws after 500 steps of warm-up, by default. Its seed
    /// is replaced.
    pub run: Run,
}

impl Default for ComparisonOptions {
    fn default() -> Self {
        Self { seed: 0, weighted_draws: 40_000, run: Run { warm_up: 500, ..Run::default() } }
    }
}
