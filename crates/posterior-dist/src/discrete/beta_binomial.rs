//! Beta-binomial distribution on {0, 1, …, n}.

use posterior_math::special::digamma_difference;

use super::Binomial;
use super::negative_binomial::{ln_growth, ln_negative_binomial};
use super::smooth_sum::{Extent, Tails, smooth_sum};
use super::steps::{Search, Tail, stepwise};
use crate::continuous::Beta;
use crate::grammar::parametric;
use crate::prelude::*;

/// The distribution of the number of successes in n trials whose probability of success is itself Beta(α, β).
///
/// # Density
/// P(k) = (n choose k) B(α + k, β + n - k) / B(α, β)
///
/// # Parameters
/// | symbol | here | range | elsewhere |
/// |---|---|---|---|
/// | n | `trials` | 0, 1, 2, … | `n` (SciPy), `N` (Stan) |
/// | α | `alpha` | positive | `a` (SciPy), `alpha` (Stan) |
/// | β | `beta` | positive | `b` (SciPy), `beta` (Stan) |
///
/// # Moments
/// with s = α + β: mean nα/s, variance nαβ(s + n)/(s²(s + 1)); the mode is an end of the support for α, β ≤ 1
///
/// # Numerics
/// The density is a saddle-point form (Loader's), whose error does not grow with n, α or β. Tails and entropy
/// have no closed form: they are sums over the masses, of at most some thousand terms, whatever n is, and the
/// entropy takes up to a millisecond. A quantile takes one to some ten of these sums: up to some milliseconds
/// for more than 10⁶ trials, and mostly a quarter of one. A draw is one of the beta distribution, by its
/// logit, and then a binomial one.
///
/// # Example
/// ```
/// use posterior_dist::{BetaBinomial, Density};
///
/// let distribution = BetaBinomial::new(10, 1.0, 1.0)?; // uniform
/// assert!((distribution.ln_pdf(&3) - (1.0_f64 / 11.0).ln()).abs() < 1e-15);
/// # Ok::<(), posterior_math::ParamError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BetaBinomial {
    trials: u64,
    prior: Beta,
    total: f64,
    /// The logarithm of the probability of n under NB(s, s / (s + n)), zero without trials.
    ln_norm: f64,
}

impl BetaBinomial {
    /// n trials, α and β.
    ///
    /// # Errors
    /// If α or β is not positive and finite, or their sum overflows.
    pub fn new(trials: u64, alpha: f64, beta: f64) -> Result<Self, ParamError> {
        check::positive("BetaBinomial", "alpha", alpha)?;
        check::positive("BetaBinomial", "beta", beta)?;
        let total = check::positive("BetaBinomial", "alpha + beta", alpha + beta)?;
        let n = trials as f64;
        let ln_norm = if trials == 0 { 0.0 } else { ln_negative_binomial(total, n, [total, n]) };
        Ok(Self { trials, prior: Beta::new(alpha, beta)?, total, ln_norm })
    }

    /// The number of trials n.
    pub const fn trials(&self) -> u64 {
        self.trials
    }

    /// The distribution of the probability of success.
    pub const fn prior(&self) -> &Beta {
        &self.prior
    }

    /// The first shape α.
    pub const fn alpha(&self) -> f64 {
        self.prior.alpha()
    }

    /// The second shape β.
    pub const fn beta(&self) -> f64 {
        self.prior.beta()
    }

    /// The logarithm of the density at base + offset, also between the counts; the failures are not rounded
    /// either.
    fn ln_mass(&self, base: f64, offset: f64) -> f64 {
        let n = self.trials as f64;
        let cell = |alpha: f64, count: f64| {
            if count == 0.0 {
                -alpha * ln_growth(self.total, n)
            } else {
                ln_negative_binomial(alpha, count, [self.total, n])
            }
        };
        cell(self.alpha(), base + offset) + cell(self.beta(), (n - base) - offset) - self.ln_norm
    }

    /// (n (α - 1) - (β - 1)) / (s - 2): up to there the masses rise and then they fall if s > 2, the other
    /// way round if s < 2.
    fn turn(&self) -> f64 {
        let (alpha, beta) = (self.alpha() - 1.0, self.beta() - 1.0);
        let (n, sum) = (self.trials as f64, alpha + beta);
        let product = n * alpha;
        if product.is_finite() { (product - beta) / sum } else { n * (alpha / sum) - beta / sum }
    }

    /// Where the masses are largest, or at one of two such places.
    fn peak(&self) -> f64 {
        let n = self.trials as f64;
        if self.total > 2.0 {
            self.turn().ceil().clamp(0.0, n)
        } else if self.beta() < self.alpha() {
            n
        } else {
            0.0
        }
    }

    fn extent(&self) -> Extent {
        let n = self.trials as f64;
        // A bell is as smooth as it is wide; what falls from an end of the support falls as x^(α - 1) (1 -
        // x)^(β - 1).
        let scale = if self.alpha() < 1.0 || self.beta() < 1.0 {
            n / self.total.max(1.0)
        } else {
            self.variance().map_or(0.0, f64::sqrt)
        };
        Extent { low: 0.0, high: self.trials as f64, mode: self.peak(), scale }
    }

    fn center(&self) -> f64 {
        self.trials as f64 * (self.alpha() / self.total)
    }

    fn tails(&self, k: f64) -> Tails {
        self.extent().tails(self.center(), k, |base, offset| self.ln_mass(base, offset))
    }

    /// A search that begins at this quantile of the probability of success, where that varies more than the
    /// counts do for a given one, and otherwise at a quantile of a normal distribution, corrected.
    fn search(&self, (proportion, rest): (f64, f64)) -> Search {
        let n = self.trials as f64;
        let finite = |x: Option<f64>| x.filter(|x| x.is_finite()).unwrap_or(0.0);
        if self.total > n {
            return Search {
                ends: [0.0, n],
                mean: self.center(),
                sd: finite(self.variance()).sqrt(),
                skewness: finite(self.skewness()),
                excess: finite(self.excess_kurtosis()),
            };
        }
        let start = if proportion < rest { n * proportion } else { n - n * rest };
        Search { ends: [0.0, n], mean: start, sd: 0.0, skewness: 0.0, excess: 0.0 }
    }
}

parametric!(BetaBinomial, "beta_binomial", new(trials, alpha, beta));

impl Density for BetaBinomial {
    type Point = u64;

    fn ln_pdf(&self, &k: &u64) -> f64 {
        if k > self.trials {
            f64::NEG_INFINITY
        } else if self.trials == 0 {
            0.0
        } else {
            self.ln_mass(k as f64, 0.0)
        }
    }
}

impl ParameterGradient for BetaBinomial {
    type Gradient = [f64; 3];

    /// NaN in n, which is whole.
    fn parameter_gradient(&self, &k: &u64) -> [f64; 3] {
        if k > self.trials {
            return [f64::NAN; 3];
        }
        let of_total = digamma_difference(self.total, self.trials as f64);
        [
            f64::NAN,
            digamma_difference(self.alpha(), k as f64) - of_total,
            digamma_difference(self.beta(), (self.trials - k) as f64) - of_total,
        ]
    }
}

impl Univariate for BetaBinomial {
    fn cdf(&self, x: f64) -> f64 {
        stepwise(x, [0.0, 1.0], |k| self.tails(k).ln_lower.exp())
    }

    fn sf(&self, x: f64) -> f64 {
        stepwise(x, [1.0, 0.0], |k| self.tails(k).ln_upper.exp())
    }

    fn quantile(&self, p: f64) -> f64 {
        self.search(self.prior().quantile_pair(p))
            .quantile(p, |k| Tail::of_ln(self.ln_cdf(k), self.ln_mass(k, 0.0)))
    }

    fn upper_quantile(&self, q: f64) -> f64 {
        self.search(self.prior().upper_quantile_pair(q))
            .upper_quantile(q, |k| Tail::of_ln(self.ln_sf(k), self.ln_mass(k, 0.0)))
    }

    fn ln_cdf(&self, x: f64) -> f64 {
        stepwise(x, [f64::NEG_INFINITY, 0.0], |k| self.tails(k).ln_lower)
    }

    fn ln_sf(&self, x: f64) -> f64 {
        stepwise(x, [0.0, f64::NEG_INFINITY], |k| self.tails(k).ln_upper)
    }
}

impl Moments for BetaBinomial {
    fn mean(&self) -> Option<f64> {
        let product = self.trials as f64 * self.alpha();
        Some(if product < f64::INFINITY { product / self.total } else { self.center() })
    }

    fn variance(&self) -> Option<f64> {
        let (n, s) = (self.trials as f64, self.total);
        Some(n * (self.alpha() / s) * (self.beta() / s) * ((s + n) / (s + 1.0)))
    }
}

impl Shape for BetaBinomial {
    fn skewness(&self) -> Option<f64> {
        let (n, s) = (self.trials as f64, self.total);
        let variance = self.variance().filter(|&variance| variance > 0.0)?;
        let asymmetry = (self.beta() - self.alpha()) / s;
        Some(asymmetry * ((s + 2.0 * n) / (s + 2.0)) / variance.sqrt())
    }

    fn excess_kurtosis(&self) -> Option<f64> {
        let (n, s) = (self.trials as f64, self.total);
        self.variance().filter(|&variance| variance > 0.0)?;
        let proportion = (self.alpha() / s) * (self.beta() / s);
        // Numerator and denominator are homogeneous in s, n and 1, which are scaled so that nothing
        // overflows.
        let scale = s.max(1.0);
        let (s, m, t) = (s / scale, n / scale, scale.recip());
        let plain = (s + t) * (s * (s - t + 6.0 * m) + 6.0 * m * m);
        let mixed = s * (s * (s + t + 5.0 * m) + m * (5.0 * m + 6.0 * t)) + 6.0 * m * m * t;
        let denominator = n * proportion * (s + 2.0 * t) * (s + 3.0 * t) * (s + m);
        Some((plain - 6.0 * proportion * mixed) / denominator)
    }
}

impl Entropy for BetaBinomial {
    fn entropy(&self) -> f64 {
        let extent = self.extent();
        if self.trials == 0 {
            return 0.0;
        }
        if self.alpha() >= 1.0 || self.beta() >= 1.0 {
            return extent.entropy(|base, offset| self.ln_mass(base, offset));
        }
        // Falling from both ends: from each up to the least mass.
        let least = self.turn().floor().clamp(0.0, extent.high - 1.0);
        let term = |base: f64, offset: f64| {
            let ln_mass = self.ln_mass(base, offset);
            if ln_mass == f64::NEG_INFINITY { 0.0 } else { -ln_mass * ln_mass.exp() }
        };
        smooth_sum(term, 0.0, least, extent.scale) + smooth_sum(term, extent.high, least + 1.0, extent.scale)
    }
}

impl Mode for BetaBinomial {
    fn mode(&self) -> Option<u64> {
        let (n, turn) = (self.trials as f64, self.turn());
        let tie = if self.total > 2.0 {
            turn.floor() == turn && (0.0..n).contains(&turn)
        } else {
            self.alpha() == self.beta() && self.trials > 0
        };
        (!tie).then_some((self.peak() as u64).min(self.trials))
    }
}

impl Distribution<u64> for BetaBinomial {
    fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> u64 {
        let (ln_success, ln_failure) = self.prior.sample_ln(rng);
        Binomial::from_logit(self.trials, ln_success - ln_failure).map_or(0, |binomial| binomial.sample(rng))
    }
}
