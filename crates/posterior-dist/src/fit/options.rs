//! What is known of the parameters before the data.

use crate::catalogue::AnyUnivariate;

/// What is known of parameters: values that are not estimated, and prior distributions.
///
/// ```
/// use posterior_dist::fit::{FitOptions, Sample, fit};
/// use posterior_dist::{Binomial, Parametric};
///
/// // Seeds of three pots of ten that came up.
/// let pots = Sample::of(&[7.0, 9.0, 6.0])?;
/// let options = FitOptions::default().with_known("trials", 10.0);
/// let seeds = fit::<Binomial>(&pots, &options)?;
/// assert!((seeds.distribution.parameters()[1] - 22.0 / 30.0).abs() < 1e-9);
/// # Ok::<(), posterior_dist::fit::FitError>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FitOptions {
    pub(super) known: Vec<(String, f64)>,
    pub(super) priors: Vec<(String, AnyUnivariate)>,
}

impl FitOptions {
    /// With this value of the parameter, which is not estimated.
    #[must_use]
    pub fn with_known(mut self, parameter: &str, value: f64) -> Self {
        self.known.push((parameter.to_owned(), value));
        self
    }

    /// With this prior distribution of the parameter: the fit is that of the largest posterior density, in
    /// the parameter as it is named.
    #[must_use]
    pub fn with_prior(mut self, parameter: &str, prior: impl Into<AnyUnivariate>) -> Self {
        self.priors.push((parameter.to_owned(), prior.into()));
        self
    }
}
