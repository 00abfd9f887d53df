//! Dirichlet-multinomial (Pólya) distribution on vectors of K counts with sum n.

mod fit;

use super::multinomial::{checked_sum, sample_counts, to_conditional};
use crate::dirichlet::Dirichlet;
use crate::discrete::{ln_growth, ln_negative_binomial};
use crate::prelude::*;

/// The distribution of the counts of n draws from categories whose probabilities are themselves Dirichlet:
/// the predictive distribution of a [`Multinomial`](crate::Multinomial).
///
/// # Density
/// P(x) = n! / Π x_k! · B(α + x) / B(α)
///
/// # Parameters
/// | symbol | here | range | elsewhere |
/// |---|---|---|---|
/// | n | `trials` | 0, 1, 2, … | `n` (SciPy), Σ `y` (Stan) |
/// | α | `prior` | a [`Dirichlet`] | `alpha` (SciPy, Stan) |
///
/// # Moments
/// mean n a_k, covariance n (δ_kl a_k - a_k a_l) (n + α₀) / (1 + α₀) with a = α / α₀; the entropy has no
/// closed form and is not here
///
/// # Numerics
/// This is the density of a *vector of counts*, with the coefficient; for a sequence see
/// [`Dirichlet::ln_sequence_evidence`]. Counts with independent negative binomial distributions NB(α_k, α₀ /
/// (α₀ + n)) have this distribution given their sum, which is NB(α₀, α₀ / (α₀ + n)); each of these
/// probabilities is taken in the saddle-point form (Loader), so that the error does not grow with n or α. A
/// draw is one of the prior and then conditional binomials.
///
/// # Example
/// ```
/// use posterior_dist::{Density, Dirichlet, DirichletMultinomial};
///
/// let distribution = DirichletMultinomial::new(3, Dirichlet::new(&[1.0, 2.0, 3.0])?);
/// assert!((distribution.ln_pdf(&[2, 0, 1]) - (3.0_f64 / 56.0).ln()).abs() < 1e-14);
/// # Ok::<(), posterior_math::ParamError>(())
/// ```
///
/// # References
/// C. Loader, Fast and accurate computation of binomial probabilities, 2000.
#[derive(Debug, Clone, PartialEq)]
pub struct DirichletMultinomial {
    trials: u64,
    prior: Dirichlet,
    /// The logarithm of the probability of n under NB(α₀, α₀ / (α₀ + n)), zero without trials.
    ln_norm: f64,
}

impl DirichletMultinomial {
    /// n draws with probabilities from `prior`.
    pub fn new(trials: u64, prior: Dirichlet) -> Self {
        let (total, n) = (prior.total(), trials as f64);
        let ln_norm = if trials == 0 { 0.0 } else { ln_negative_binomial(total, n, [total, n]) };
        Self { trials, prior, ln_norm }
    }

    /// The number of draws.
    pub const fn trials(&self) -> u64 {
        self.trials
    }

    /// The distribution of the probabilities.
    pub const fn prior(&self) -> &Dirichlet {
        &self.prior
    }
}

impl Density for DirichletMultinomial {
    type Point = [u64];

    fn ln_pdf(&self, x: &[u64]) -> f64 {
        if x.len() != self.prior.concentration().len() || checked_sum(x) != Some(self.trials) {
            return f64::NEG_INFINITY;
        }
        let (total, n) = (self.prior.total(), self.trials as f64);
        let (mut seen, mut unseen) = (0.0, 0.0);
        for (&alpha, &count) in self.prior.concentration().iter().zip(x) {
            if count == 0 {
                unseen += alpha;
            } else {
                seen += ln_negative_binomial(alpha, count as f64, [total, n]);
            }
        }
        // Of the cells without counts, ln pʳ each.
        seen - unseen * ln_growth(total, n) - self.ln_norm
    }
}

#[cfg(feature = "linalg")]
impl Moments<Vec<f64>, DMatrix<f64>> for DirichletMultinomial {
    fn mean(&self) -> Option<Vec<f64>> {
        let mean = self.prior.mean()?;
        Some(mean.into_iter().map(|a| self.trials as f64 * a).collect())
    }

    /// n (n + α₀) times the covariance of the prior, factor by factor: with a large α₀ the one overflows
    /// where the other underflows.
    fn variance(&self) -> Option<DMatrix<f64>> {
        let (n, total, mean) = (self.trials as f64, self.prior.total(), self.prior.mean()?);
        let factor = n * ((n + total) / (1.0 + total));
        let proportion = |k: usize, l: usize| if k == l { self.prior.rest(k) / total } else { -mean[l] };
        Some(DMatrix::from_fn(mean.len(), mean.len(), |k, l| factor * mean[k] * proportion(k, l)))
    }
}

impl Distribution<Vec<u64>> for DirichletMultinomial {
    fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> Vec<u64> {
        let mut proportions: Vec<f64> = self.prior.sample(rng);
        to_conditional(&mut proportions);
        sample_counts(self.trials, &proportions, rng)
    }
}
