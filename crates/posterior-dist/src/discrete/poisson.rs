//! Poisson distribution on {0, 1, 2, …}.

use std::f64::consts::TAU;

use posterior_math::special::{
    gamma_p, gamma_q, ln_factorial, ln_gamma_p, ln_gamma_q, poisson_deviance, stirling_remainder,
};

use super::smooth_sum::Extent;
use super::steps::{Search, Tail, stepwise};
use crate::grammar::parametric;
use crate::prelude::*;

/// The distribution of the number of events that come independently at a constant rate.
///
/// # Density
/// P(k) = λᵏ e^(-λ) / k!
///
/// # Parameters
/// | symbol | here | range | elsewhere |
/// |---|---|---|---|
/// | λ | `rate` | [0, 1.844e19] | `lambda` (R, Stan), `mu` (SciPy) |
///
/// # Moments
/// mean and variance λ, skewness 1/√λ, excess kurtosis 1/λ, mode ⌊λ⌋ unless λ is whole
///
/// # Numerics
/// The density is Loader's saddle-point form, whose error does not grow with λ; both tails are incomplete
/// gamma functions. The entropy has no closed form: it is a sum of some hundred terms, whatever λ is. A rate
/// beyond 1.844e19 would give draws that do not fit in 64 bits. λ = 0, the distribution of no event at all,
/// is what a fit to zeros gives. Draws are by multiplication of uniform numbers for λ < 12, by Ahrens and
/// Dieter's method PD otherwise (`rand_distr`).
///
/// # Example
/// ```
/// use posterior_dist::{Density, Poisson};
///
/// let events = Poisson::new(3.5)?;
/// assert!((events.ln_pdf(&2) - -1.6876212435692093).abs() < 1e-15);
/// assert_eq!(events.to_string(), "poisson(3.5)");
/// # Ok::<(), posterior_math::ParamError>(())
/// ```
///
/// # References
/// C. Loader, Fast and accurate computation of binomial probabilities, 2000. J. H. Ahrens, U. Dieter,
/// Computer generation of Poisson deviates from modified normal distributions, ACM TOMS 8 (1982).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Poisson {
    rate: f64,
    /// `None` for the rate 0.
    sampler: Option<rand_distr::Poisson<f64>>,
}

impl Poisson {
    /// λ = rate.
    ///
    /// # Errors
    /// If the rate is negative, NaN or beyond 1.844e19.
    pub fn new(rate: f64) -> Result<Self, ParamError> {
        const REQUIREMENT: &str = "non-negative and at most 1.844e19";
        let inside = (0.0..=rand_distr::Poisson::<f64>::MAX_LAMBDA).contains(&rate);
        check::require(inside, "Poisson", "rate", rate, REQUIREMENT)?;
        let sampler = (rate > 0.0).then(|| rand_distr::Poisson::new(rate)).transpose();
        Ok(Self {
            rate,
            sampler: sampler.map_err(|_| ParamError::new("Poisson", "rate", rate, REQUIREMENT))?,
        })
    }

    /// The logarithm of the density, also between the counts.
    pub(super) fn ln_mass(&self, x: f64) -> f64 {
        if x == 0.0 {
            -self.rate
        } else {
            -0.5 * (TAU * x).ln() - stirling_remainder(x) - poisson_deviance(x, self.rate)
        }
    }

    fn search(&self) -> Search {
        let sd = self.rate.sqrt();
        let (skewness, excess) = if self.rate > 1e-9 { (sd.recip(), self.rate.recip()) } else { (0.0, 0.0) };
        Search { ends: [0.0, f64::INFINITY], mean: self.rate, sd, skewness, excess }
    }
}

parametric! { Poisson, "poisson", new:
    /// The rate λ.
    rate: f64,
}

impl Density for Poisson {
    type Point = u64;

    fn ln_pdf(&self, &k: &u64) -> f64 {
        self.ln_mass(k as f64)
    }
}

impl ParameterGradient for Poisson {
    type Gradient = [f64; 1];

    fn parameter_gradient(&self, &k: &u64) -> [f64; 1] {
        let k = k as f64;
        [if self.rate > 0.0 {
            (k - self.rate) / self.rate
        } else if k == 0.0 {
            -1.0
        } else {
            f64::NAN
        }]
    }
}

impl Univariate for Poisson {
    fn cdf(&self, x: f64) -> f64 {
        stepwise(x, [0.0, 1.0], |k| gamma_q(k + 1.0, self.rate))
    }

    fn sf(&self, x: f64) -> f64 {
        stepwise(x, [1.0, 0.0], |k| gamma_p(k + 1.0, self.rate))
    }

    fn quantile(&self, p: f64) -> f64 {
        if p == 1.0 && self.rate == 0.0 { 0.0 } else { self.search().quantile(p, |k| Tail::of(self.cdf(k))) }
    }

    fn upper_quantile(&self, q: f64) -> f64 {
        if q == 0.0 && self.rate == 0.0 {
            0.0
        } else {
            self.search().upper_quantile(q, |k| Tail::of(self.sf(k)))
        }
    }

    fn ln_cdf(&self, x: f64) -> f64 {
        stepwise(x, [f64::NEG_INFINITY, 0.0], |k| ln_gamma_q(k + 1.0, self.rate))
    }

    fn ln_sf(&self, x: f64) -> f64 {
        stepwise(x, [0.0, f64::NEG_INFINITY], |k| ln_gamma_p(k + 1.0, self.rate))
    }
}

impl Moments for Poisson {
    fn mean(&self) -> Option<f64> {
        Some(self.rate)
    }

    fn variance(&self) -> Option<f64> {
        Some(self.rate)
    }
}

impl Shape for Poisson {
    fn skewness(&self) -> Option<f64> {
        (self.rate > 0.0).then(|| self.rate.sqrt().recip())
    }

    fn excess_kurtosis(&self) -> Option<f64> {
        (self.rate > 0.0).then(|| self.rate.recip())
    }
}

impl Entropy for Poisson {
    fn entropy(&self) -> f64 {
        if self.rate == 0.0 {
            return 0.0;
        }
        let extent =
            Extent { low: 0.0, high: f64::INFINITY, mode: self.rate.floor(), scale: self.rate.sqrt() };
        extent.entropy(|base, offset| self.ln_mass(base + offset))
    }
}

impl Mode for Poisson {
    fn mode(&self) -> Option<u64> {
        let mode = self.rate.floor();
        (mode < self.rate || mode == 0.0).then_some(mode as u64)
    }
}

impl KlDivergence for Poisson {
    fn kl_divergence(&self, other: &Self) -> f64 {
        poisson_deviance(self.rate, other.rate)
    }
}

impl ExponentialFamily for Poisson {
    type Fixed = ();
    type Summary = Sums;

    fn fixed(&self) {}

    fn statistic_len((): &()) -> usize {
        1
    }

    fn check_point((): &(), _: &u64) -> Result<(), ParamError> {
        Ok(())
    }

    /// The statistic k.
    fn add_statistic((): &(), &k: &u64, weight: f64, sum: &mut [f64]) {
        sum[0] += weight * k as f64;
    }

    /// The logarithm of the base measure -ln k!.
    fn ln_base((): &(), &k: &u64) -> f64 {
        -ln_factorial(k)
    }

    /// The log partition function eʷ.
    fn ln_partition(natural: &Natural<Self>) -> f64 {
        natural.as_slice()[0].exp()
    }

    /// The natural parameter ln λ.
    fn natural(&self) -> Natural<Self> {
        Natural::of((), vec![self.rate.ln()])
    }

    fn from_natural(natural: &Natural<Self>) -> Result<Self, ParamError> {
        Self::new(natural.as_slice()[0].exp())
    }

    /// The expectation of the statistic λ.
    fn expectation(&self) -> Expectation<Self> {
        Expectation::of((), vec![self.rate])
    }

    fn from_expectation(expectation: &Expectation<Self>) -> Result<Self, ParamError> {
        Self::new(expectation.as_slice()[0])
    }
}

#[cfg(feature = "linalg")]
impl FisherInformation for Poisson {
    /// The Fisher information λ.
    fn fisher_information(&self) -> DMatrix<f64> {
        DMatrix::from_element(1, 1, self.rate)
    }
}

impl Distribution<u64> for Poisson {
    fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> u64 {
        self.sampler.as_ref().map_or(0, |sampler| sampler.sample(rng) as u64)
    }
}
