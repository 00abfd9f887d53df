//! How probable a prior holds a distribution: what the objective of a maximum a posteriori fit adds to the
//! likelihood.

use std::iter::zip;

use crate::continuous::{Beta, Exponential, Gamma, Normal};
use crate::dirichlet::Dirichlet;
use crate::discrete::{Bernoulli, Binomial, Categorical, Geometric, NegativeBinomial, Poisson};
use crate::multivariate::{Multinomial, NormalGamma, NormalInverseGamma};
use crate::prelude::*;
use crate::wrappers::Product;

/// A prior of the parameters of `F` that has a density at each distribution of the family.
///
/// ```
/// use posterior_dist::{Bernoulli, Beta, PriorDensity};
///
/// let prior = Beta::new(2.0, 2.0)?;
/// let fair = Bernoulli::new(0.5)?;
/// assert!((prior.ln_density_of(&fair) - 1.5_f64.ln()).abs() < 1e-15);
/// # Ok::<(), posterior_math::ParamError>(())
/// ```
///
/// # Distributions
/// Bayes' rule, where the prior is conjugate: ln p(θ) + Σ ln p(xᵢ | θ) = ln p(θ | data) + ln p(data). The
/// density is in the parametrisation in which [`Conjugate::most_probable`](crate::Conjugate::most_probable)
/// is its peak.
pub trait PriorDensity<F: ExponentialFamily> {
    /// ln p(θ) of the parameters of a distribution; -∞ for distributions of another dimension.
    fn ln_density_of(&self, distribution: &F) -> f64;
}

/// The density of a prior at the parameter of the distribution that it is of.
macro_rules! density_at {
    ($($prior:ty, $family:ty, |$distribution:ident| $parameter:expr;)+) => {
        $(impl PriorDensity<$family> for $prior {
            fn ln_density_of(&self, $distribution: &$family) -> f64 {
                self.ln_pdf($parameter)
            }
        })+
    };
}

density_at! {
    Beta, Bernoulli, |distribution| &distribution.probability();
    Beta, Binomial, |distribution| &distribution.probability();
    Beta, Geometric, |distribution| &distribution.probability();
    Beta, NegativeBinomial, |distribution| &distribution.probability();
    Dirichlet, Categorical, |distribution| distribution.probabilities();
    Dirichlet, Multinomial, |distribution| distribution.categories().probabilities();
    Gamma, Poisson, |distribution| &distribution.rate();
    Gamma, Exponential, |distribution| &distribution.rate();
}

impl PriorDensity<Normal> for NormalInverseGamma {
    fn ln_density_of(&self, distribution: &Normal) -> f64 {
        distribution
            .mean()
            .map_or(f64::NAN, |mean| self.ln_pdf(&(mean, distribution.sd() * distribution.sd())))
    }
}

impl PriorDensity<Normal> for NormalGamma {
    fn ln_density_of(&self, distribution: &Normal) -> f64 {
        distribution.mean().map_or(f64::NAN, |mean| self.ln_pdf(&(mean, distribution.precision())))
    }
}

/// Independent priors of independent features.
impl<F, P> PriorDensity<Product<F>> for Product<P>
where
    F: ExponentialFamily,
    F::Point: Sized,
    P: PriorDensity<F>,
{
    fn ln_density_of(&self, distribution: &Product<F>) -> f64 {
        if self.distributions().len() != distribution.distributions().len() {
            return f64::NEG_INFINITY;
        }
        zip(self.distributions(), distribution.distributions())
            .map(|(prior, distribution)| prior.ln_density_of(distribution))
            .sum()
    }
}
