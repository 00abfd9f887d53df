//! The conjugate prior that every exponential family has.

use std::f64::consts::TAU;

use posterior_math::linalg::Cholesky;
use posterior_math::quadrature::{QuadratureOptions, gauss_kronrod_pieces};

use crate::prelude::*;

/// How many standard deviations about the mode the first cuts of the quadrature reach.
const REACH: [f64; 6] = [-8.0, -4.0, -1.5, 1.5, 4.0, 8.0];

/// p(w) = exp(⟨α, w⟩ - ν ln Z(w)) / F(α, ν), a prior of the natural parameters w of any family: as if ν
/// points with the sum of statistics α had been seen.
///
/// What is known of the family is enough for the posterior, which is exact, and the mode. The normaliser F
/// has no closed form in general: by quadrature for families with one parameter, by Laplace's method for all,
/// with a relative error that falls like 1/ν. Where a pair has closed forms, [`Conjugate`](crate::Conjugate)
/// has them.
///
/// # Example
/// ```
/// use posterior_dist::{Bernoulli, CanonicalPrior, Stats};
///
/// // Of the logit of a probability; that of the probability is Beta(1, 1).
/// let prior = CanonicalPrior::<Bernoulli>::new((), vec![1.0], 2.0)?;
/// let data = Stats::<Bernoulli>::of((), &[true, true, false])?;
/// let evidence = prior.ln_evidence(&data)?.exp();
/// assert!((evidence - 1.0 / 12.0).abs() < 1e-10);
/// # Ok::<(), posterior_math::ParamError>(())
/// ```
///
/// # References
/// P. Diaconis and D. Ylvisaker, Conjugate priors for exponential families, Annals of Statistics 7 (1979).
#[derive(Debug, Clone, PartialEq)]
pub struct CanonicalPrior<F: FisherInformation> {
    fixed: F::Fixed,
    alpha: Vec<f64>,
    weight: f64,
    mode: F,
}

impl<F: FisherInformation> CanonicalPrior<F> {
    /// The prior with the sum of statistics α and the weight ν of the points that it stands for.
    ///
    /// # Errors
    /// If the weight is not positive, or no distribution of the family has the expectation α / ν: the prior
    /// is then not proper.
    pub fn new(fixed: F::Fixed, alpha: Vec<f64>, weight: f64) -> Result<Self, ParamError> {
        check::positive("CanonicalPrior", "weight", weight)?;
        let mean = alpha.iter().map(|a| a / weight).collect();
        let mode = F::from_expectation(&Expectation::new(fixed.clone(), mean)?)?;
        Ok(Self { fixed, alpha, weight, mode })
    }

    /// The parameters α.
    pub fn alpha(&self) -> &[f64] {
        &self.alpha
    }

    /// The weight ν.
    pub const fn weight(&self) -> f64 {
        self.weight
    }

    /// The distribution at the most probable natural parameters, whose expectation is α / ν.
    pub const fn most_probable(&self) -> &F {
        &self.mode
    }

    /// The prior updated by data: α + Σ T(x), ν + n.
    ///
    /// # Errors
    /// If the data hold other things fixed.
    pub fn posterior(&self, stats: &Stats<F>) -> Result<Self, ParamError> {
        let same = *stats.fixed() == self.fixed;
        let length = F::statistic_len(stats.fixed()) as f64;
        check::require(same, "Stats", "length of the statistic", length, "of the family of the prior")?;
        let alpha = self.alpha.iter().zip(stats.total()).map(|(a, t)| a + t).collect();
        Self::new(self.fixed.clone(), alpha, self.weight + stats.weight())
    }

    /// ⟨α, w⟩ - ν ln Z(w), ln p(w) up to ln F; -∞ outside of the domain.
    pub fn ln_unnormalized(&self, natural: &Natural<F>) -> f64 {
        let value = natural.inner(&self.alpha) - self.weight * F::ln_partition(natural);
        if value.is_nan() { f64::NEG_INFINITY } else { value }
    }

    /// ln F(α, ν) by Laplace's method.
    ///
    /// # Errors
    /// If the Fisher information at the mode is singular, as in families with more natural parameters than
    /// they need.
    pub fn ln_normalizer_laplace(&self) -> Result<f64, ParamError> {
        let precision = self.mode.fisher_information() * self.weight;
        let singular = |_| {
            let size = precision.nrows() as f64;
            ParamError::new("CanonicalPrior", "parameters", size, "independent, for Laplace's method")
        };
        let ln_determinant = Cholesky::new(&precision).map_err(singular)?.ln_determinant();
        let half = 0.5 * precision.nrows() as f64;
        Ok(self.ln_unnormalized(&self.mode.natural()) + half * TAU.ln() - 0.5 * ln_determinant)
    }

    /// ln F(α, ν), by quadrature to 10⁻¹⁰ if the family has one parameter, otherwise by Laplace's method.
    ///
    /// # Errors
    /// If the quadrature does not converge, or Laplace's method fails.
    pub fn ln_normalizer(&self) -> Result<f64, ParamError> {
        if self.alpha.len() != 1 {
            return self.ln_normalizer_laplace();
        }
        let mode = self.mode.natural();
        let (center, peak) = (mode.as_slice()[0], self.ln_unnormalized(&mode));
        let deviation = (self.weight * self.mode.fisher_information()[(0, 0)]).sqrt().recip();
        let ratio = |steps: f64| {
            let moved = Natural::of(self.fixed.clone(), vec![center + deviation * steps]);
            (self.ln_unnormalized(&moved) - peak).exp()
        };
        let cuts = [&[f64::NEG_INFINITY], &REACH[..], &[f64::INFINITY]].concat();
        let integral = gauss_kronrod_pieces(ratio, &cuts, &QuadratureOptions::default());
        let error = integral.error;
        check::require(integral.converged, "CanonicalPrior", "error of the quadrature", error, "small")?;
        Ok(peak + deviation.ln() + integral.value.ln())
    }

    /// ln p(data) = Σ ln h(xᵢ) + ln F(α + Σ T, ν + n) - ln F(α, ν).
    ///
    /// # Errors
    /// As for [`posterior`](Self::posterior) and [`ln_normalizer`](Self::ln_normalizer).
    pub fn ln_evidence(&self, stats: &Stats<F>) -> Result<f64, ParamError> {
        Ok(stats.ln_base() + self.posterior(stats)?.ln_normalizer()? - self.ln_normalizer()?)
    }
}
