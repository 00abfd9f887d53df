//! How a model is fitted.

/// What is done with the hyperparameters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum HyperEstimate {
    /// They are integrated over, by nested Laplace approximation: the whole posterior.
    Posterior,
    /// The most probable ones under their priors, on the scales on which they are searched: empirical Bayes.
    PosteriorMode,
    /// The most likely ones after flat fixed effects were integrated out (REML), as `lmer` of R's lme4. Their
    /// priors don't count.
    RestrictedLikelihood,
    /// The most likely ones together with the most likely fixed effects (ML), as `lmer` with `REML = FALSE`
    /// and `glmer`. No prior counts.
    Likelihood,
}

/// Of which numbers the skewness is computed; means always have their correction of third order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Skewness {
    /// Of fixed effects and of all latent values: one solution with the factor for each of them at each
    /// point of the hyperparameters. For up to some thousand latent values.
    All,
    /// Of the fixed effects.
    FixedEffects,
    /// Of none: mixtures of normal distributions.
    None,
}

/// At which points hyperparameters are integrated over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum HyperPoints {
    /// A lattice for up to two hyperparameters, and for up to five where rows and latent values are at most
    /// 5,000 together; else a design. Of more rows and latent values a lattice is wider, with 40 points for
    /// two hyperparameters: quantiles are then off by up to 2 % of a standard deviation.
    Automatic,
    /// A lattice around the mode: 80 points for two hyperparameters and some hundred for more, exact to about
    /// three digits. For more than five hyperparameters there is none, and a design is taken.
    Lattice,
    /// A central composite design: 15 points for three hyperparameters, 81 for eight. Distributions of
    /// hyperparameters are then half normal to both sides of the mode, and may be off by a third of their
    /// standard deviation.
    Design,
}

/// How a model is fitted.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HierarchicalOptions {
    /// What is done with the hyperparameters: [`HyperEstimate::Posterior`] by default.
    pub estimate: HyperEstimate,
    /// Of which numbers the skewness is computed: [`Skewness::All`] by default.
    pub skewness: Skewness,
    /// At which points hyperparameters are integrated over: [`HyperPoints::Automatic`] by default.
    pub points: HyperPoints,
    /// Whether ln p(y | θ) has the terms of second order that Laplace's method lacks, in the integral over
    /// hyperparameters of up to 1000 rows whose ln p(y | η) bends down, if they are small two standard
    /// deviations from the mode: [`has_second_order`](crate::HierarchicalFit::has_second_order) says whether.
    /// True by default; without them the approximation is that of R-INLA. They cost O(rows²) at each point.
    pub second_order: bool,
    /// The largest number of steps of the search for the hyperparameters. 200 by default.
    pub max_iterations: usize,
}

impl Default for HierarchicalOptions {
    fn default() -> Self {
        Self {
            estimate: HyperEstimate::Posterior,
            skewness: Skewness::All,
            points: HyperPoints::Automatic,
            second_order: true,
            max_iterations: 200,
        }
    }
}
