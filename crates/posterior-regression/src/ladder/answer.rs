//! What each rung says.

use posterior_sampling::Run;

use crate::Error;

/// The rungs, from the cheapest up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Rung {
    /// The most likely coefficients, without the prior.
    MaximumLikelihood,
    /// The most probable coefficients.
    MaximumPosterior,
    /// The Gaussian at the mode.
    Laplace,
    /// The Gaussian of least KL(q ‖ p).
    Variational,
    /// Draws of a t distribution around the mode, weighted.
    ImportanceSampling,
    /// The No-U-Turn sampler.
    Nuts,
}

/// The answer of a rung.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Answer {
    /// Whose.
    pub rung: Rung,
    /// The coefficients: the point, or the mean of the distribution.
    pub mean: Vec<f64>,
    /// Their standard deviations; the standard errors of a maximum.
    pub sd: Vec<f64>,
    /// ln p(y), where the rung has it: Laplace's approximation, the lower bound of the variational rung, the estimate of importance sampling.
    pub ln_evidence: Option<f64>,
    /// k̂ of the weights of draws from this rung's distribution: up to 0.5 it is close, up to 0.7 its draws serve with their weights.
    pub pareto_shape: Option<f64>,
}

/// All answers.
#[derive(Debug)]
#[non_exhaustive]
pub struct Ladder {
    /// One for each rung that could be climbed.
    pub answers: Vec<Answer>,
    /// Why the others could not: there are no most likely coefficients for separated responses, for instance.
    pub refused: Vec<(Rung, Error)>,
    /// The lowest rung with a distribution whose k̂ is reliable and whose means and standard deviations agree with the highest rungs': means to
    /// a tenth of a standard deviation, standard deviations to a tenth.
    pub sufficient: Rung,
}

impl Ladder {
    /// The answer of a rung.
    pub fn rung(&self, rung: Rung) -> Option<&Answer> {
        self.answers.iter().find(|answer| answer.rung == rung)
    }
}

/// What the rungs may spend.
#[derive(Debug, Clone, PartialEq)]
pub struct LadderOptions {
    /// The seed of everything random.
    pub seed: u64,
    /// Draws of each approximation that are weighted, and of importance sampling: 40,000 by default: with few, the judgement of a good approximation is noise.
    pub weighted_draws: usize,
    /// Chains of the No-U-Turn sampler: four of 1,000 draws after 500 steps of warm-up, by default. Its seed is replaced.
    pub run: Run,
}

impl Default for LadderOptions {
    fn default() -> Self {
        Self { seed: 0, weighted_draws: 40_000, run: Run { warm_up: 500, ..Run::default() } }
    }
}
