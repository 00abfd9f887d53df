//! Beta-negative-binomial distribution on {0, 1, 2, …}.

use posterior_math::special::{digamma_difference, ln_pochhammer};

use super::negative_binomial::{NegativeBinomial, ln_ways};
use crate::continuous::Beta;
use crate::grammar::parametric;
use crate::prelude::*;

/// The distribution of the number of failures before the r-th success in trials whose probability of success
/// is itself Beta(α, β): the predictive distribution of a [`NegativeBinomial`] and, for r = 1, of a
/// [`Geometric`](crate::Geometric) distribution. For r = 1 it is also called the Waring distribution.
///
/// # Density
/// P(k) = Γ(r + k)/(Γ(r) k!) · B(α + r, β + k)/B(α, β)
///
/// # Parameters
/// | symbol | here | range | elsewhere |
/// |---|---|---|---|
/// | r | `successes` | positive | `n` (SciPy), `r` (Stan) |
/// | α | `alpha` | positive | `a` (SciPy), `alpha` (Stan) |
/// | β | `beta` | positive | `b` (SciPy), `beta` (Stan) |
///
/// # Moments
/// mean rβ/(α - 1), infinite for α ≤ 1; variance r(α + r - 1)β(α + β - 1)/((α - 2)(α - 1)²), infinite for α ≤
/// 2
///
/// # Numerics
/// The tail falls as k^(-α - 1) only. A draw is one of the beta distribution, by its logit, and then a
/// negative binomial one; it is 2⁶⁴ - 1 where it would not fit in 64 bits.
///
/// # Example
/// ```
/// use posterior_dist::{BetaNegativeBinomial, Density};
///
/// let distribution = BetaNegativeBinomial::new(1.0, 1.0, 1.0)?; // 1/((k + 1)(k + 2))
/// assert!((distribution.ln_pdf(&2) + 12_f64.ln()).abs() < 1e-15);
/// # Ok::<(), posterior_math::ParamError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BetaNegativeBinomial {
    successes: f64,
    prior: Beta,
}

impl BetaNegativeBinomial {
    /// r, α and β.
    ///
    /// # Errors
    /// If one of them is not positive and finite, or α + β overflows.
    pub fn new(successes: f64, alpha: f64, beta: f64) -> Result<Self, ParamError> {
        check::positive("BetaNegativeBinomial", "successes", successes)?;
        check::positive("BetaNegativeBinomial", "alpha", alpha)?;
        check::positive("BetaNegativeBinomial", "beta", beta)?;
        Ok(Self { successes, prior: Beta::new(alpha, beta)? })
    }

    /// The number of successes r.
    pub const fn successes(&self) -> f64 {
        self.successes
    }

    /// The first parameter α of the distribution of the probability.
    pub const fn alpha(&self) -> f64 {
        self.prior.alpha()
    }

    /// The second parameter β of the distribution of the probability.
    pub const fn beta(&self) -> f64 {
        self.prior.beta()
    }

    /// The distribution of the probability of success.
    pub const fn prior(&self) -> &Beta {
        &self.prior
    }
}

parametric!(BetaNegativeBinomial, "beta_negative_binomial", new(successes, alpha, beta));

impl Density for BetaNegativeBinomial {
    type Point = u64;

    fn ln_pdf(&self, &k: &u64) -> f64 {
        let (k, r) = (k as f64, self.successes);
        let (alpha, beta) = (self.prior.alpha(), self.prior.beta());
        let ln_ratio = ln_pochhammer(alpha, r) + ln_pochhammer(beta, k) - ln_pochhammer(alpha + beta, r + k);
        ln_ways(r, k) + ln_ratio
    }
}

impl ParameterGradient for BetaNegativeBinomial {
    type Gradient = [f64; 3];

    fn parameter_gradient(&self, &k: &u64) -> [f64; 3] {
        let (k, r) = (k as f64, self.successes);
        let (alpha, beta) = (self.prior.alpha(), self.prior.beta());
        let of_total = digamma_difference(alpha + beta, r + k);
        [
            digamma_difference(r, k) - digamma_difference(alpha + r, beta + k),
            digamma_difference(alpha, r) - of_total,
            digamma_difference(beta, k) - of_total,
        ]
    }
}

impl Moments for BetaNegativeBinomial {
    fn mean(&self) -> Option<f64> {
        let (alpha, beta) = (self.prior.alpha(), self.prior.beta());
        Some(if alpha > 1.0 { self.successes * beta / (alpha - 1.0) } else { f64::INFINITY })
    }

    fn variance(&self) -> Option<f64> {
        let (alpha, beta) = (self.prior.alpha(), self.prior.beta());
        if alpha <= 2.0 {
            return Some(f64::INFINITY);
        }
        let growth = (alpha + self.successes - 1.0) * ((alpha + beta - 1.0) / (alpha - 1.0));
        Some(self.mean()? * growth / (alpha - 2.0))
    }
}

impl Distribution<u64> for BetaNegativeBinomial {
    fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> u64 {
        let (ln_success, ln_failure) = self.prior.sample_ln(rng);
        let (success, failure) = (ln_success.exp(), ln_failure.exp());
        if failure == 0.0 {
            return 0;
        }
        // Where the probability of success is too small for f64, the count does not fit.
        NegativeBinomial::with_failure(self.successes, success, failure)
            .map_or(u64::MAX, |distribution| distribution.sample(rng))
    }
}
