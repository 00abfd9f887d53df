//! How to fit.

use posterior_math::optimize::LbfgsOptions;

use super::Prior;
use crate::Error;
use crate::kernel::KernelParameter;

/// How to learn parameters.
///
/// ```
/// use posterior_dist::Gamma;
/// use posterior_gp::hyperparameters::{HyperparameterOptions, Prior};
///
/// let options = HyperparameterOptions { restarts: 4, ..HyperparameterOptions::default() }
///     .with_prior("rbf.length_scale", Prior::distribution(Gamma::shape_rate(2.0, 0.5)?))
///     .with_limits("noise.variance", 1e-6, 1.0);
/// assert_eq!(options.seed, 0);
/// # Ok::<(), posterior_math::ParamError>(())
/// ```
#[derive(Debug, Clone)]
pub struct HyperparameterOptions {
    /// The search from each start. By default a gradient below 10⁻⁶ (times |ln evidence|, if that is more) or
    /// a gain of less than 10⁻¹⁰ of it ends the search, or 200 steps.
    pub search: LbfgsOptions,
    /// How many searches begin elsewhere, at random within ranges that the data suggest. 0 by default.
    pub restarts: usize,
    /// The seed of the random starts. 0 by default.
    pub seed: u64,
    /// Priors by the names of parameters: with any, the fit is the mode of the posterior density of their
    /// values.
    pub priors: Vec<(String, Prior)>,
    /// Lower and upper limits of values, by the names of parameters. Without, a parameter on a logarithmic
    /// scale may become 10⁸ times as large or as small as it was, and others are free.
    pub limits: Vec<(String, f64, f64)>,
}

impl Default for HyperparameterOptions {
    fn default() -> Self {
        Self {
            search: LbfgsOptions {
                gradient_tolerance: 1e-6,
                value_tolerance: 1e-10,
                max_iterations: 200,
                ..LbfgsOptions::default()
            },
            restarts: 0,
            seed: 0,
            priors: Vec::new(),
            limits: Vec::new(),
        }
    }
}

impl HyperparameterOptions {
    /// The same options with a prior more.
    #[must_use]
    pub fn with_prior(mut self, name: impl Into<String>, prior: Prior) -> Self {
        self.priors.push((name.into(), prior));
        self
    }

    /// The same options with limits more.
    #[must_use]
    pub fn with_limits(mut self, name: impl Into<String>, lower: f64, upper: f64) -> Self {
        self.limits.push((name.into(), lower, upper));
        self
    }

    /// The prior of each parameter.
    pub(super) fn priors_of(&self, parameters: &[KernelParameter]) -> Result<Vec<Option<Prior>>, Error> {
        let mut priors = vec![None; parameters.len()];
        for (name, prior) in &self.priors {
            priors[place(name, parameters)?] = Some(prior.clone());
        }
        Ok(priors)
    }
}

/// The place of a parameter.
pub(super) fn place(name: &str, parameters: &[KernelParameter]) -> Result<usize, Error> {
    parameters.iter().position(|parameter| parameter.name == name).ok_or_else(|| {
        let known: Vec<&str> = parameters.iter().map(|parameter| parameter.name.as_str()).collect();
        Error::UnknownParameter { name: name.to_owned(), known: known.join(", ") }
    })
}
