//! Do intervals hold the truth as often as they say?

use posterior_dist::{Binomial, Univariate};
use posterior_math::check::{self, ParamError};

/// How often intervals of a nominal level held the truth.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Coverage {
    /// The level they claim.
    pub nominal: f64,
    /// How many held the truth.
    pub covered: u64,
    /// How many there were.
    pub simulations: u64,
}

impl Coverage {
    /// Of so many intervals, of any method, so many held the truth.
    ///
    /// # Errors
    /// A level that is not in [0, 1]; no interval; more covered than there were.
    pub fn new(nominal: f64, covered: u64, simulations: u64) -> Result<Self, ParamError> {
        check::probability("Coverage", "nominal", nominal)?;
        check::require(simulations > 0, "Coverage", "simulations", 0.0, "positive")?;
        check::require(
            covered <= simulations,
            "Coverage",
            "covered",
            covered as f64,
            "no more than the simulations",
        )?;
        Ok(Self { nominal, covered, simulations })
    }

    /// The proportion that held the truth.
    pub fn rate(&self) -> f64 {
        self.covered as f64 / self.simulations as f64
    }

    /// The proportions between which that of right intervals lies with this probability at least: quantiles
    /// of the binomial distribution.
    ///
    /// # Errors
    /// A probability that is not in (0, 1).
    pub fn band(&self, probability: f64) -> Result<(f64, f64), ParamError> {
        let tail = 0.5 * (1.0 - check::open_probability("Coverage", "probability", probability)?);
        let distribution = self.distribution()?;
        let n = self.simulations as f64;
        Ok((distribution.quantile(tail) / n, distribution.upper_quantile(tail) / n))
    }

    /// The two-sided p-value of the exact binomial test: twice the smaller tail.
    pub fn p_value(&self) -> f64 {
        let Ok(distribution) = self.distribution() else { return 0.0 };
        let count = self.covered as f64;
        let above = if self.covered == 0 { 1.0 } else { distribution.sf(count - 1.0) };
        (2.0 * distribution.cdf(count).min(above)).min(1.0)
    }

    fn distribution(&self) -> Result<Binomial, ParamError> {
        Binomial::new(self.simulations, self.nominal)
    }
}

/// k of the k-th least and the k-th largest of L draws, between which a further one lies with probability 1 -
/// 2k/(L + 1): nearest to the level.
pub(super) fn trimmed(level: f64, draws: usize) -> usize {
    let exact = 0.5 * (1.0 - level) * (draws + 1) as f64;
    (exact.round() as usize).clamp(1, draws / 2)
}
