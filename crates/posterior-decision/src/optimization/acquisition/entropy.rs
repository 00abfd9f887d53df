//! How much a trial says about the least value.

use posterior_math::check;
use posterior_math::optimize::{RootOptions, find_root};
use posterior_math::special::{inverse_mills, ln_normal_cdf};
use rand::RngExt;
use rand_pcg::Pcg64;

use super::{Acquisition, AcquisitionScore, TrialState, moments};
use crate::Error;

/// Max-value entropy search: the mutual information of a trial and the least value m of the function,
/// E[g φ(g)/(2 Φ(g)) - ln Φ(g)] with g = (mean - m)/s.
///
/// The least value is drawn from a Gumbel distribution with the quartiles that it has over the candidates if
/// their values are taken to be independent; draws above the best value known are set to it.
///
/// # References
/// Z. Wang, S. Jegelka, Max-value entropy search for efficient Bayesian optimization, ICML 2017.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MaxValueEntropy {
    draws: usize,
}

impl Default for MaxValueEntropy {
    /// 16 draws.
    fn default() -> Self {
        Self { draws: 16 }
    }
}

impl MaxValueEntropy {
    /// With so many draws of the least value.
    ///
    /// # Errors
    /// Without any, or above 10,000.
    pub fn new(draws: usize) -> Result<Self, Error> {
        let requirement = "from 1 to 10,000";
        check::require((1..=10_000).contains(&draws), "MaxValueEntropy", "draws", draws as f64, requirement)?;
        Ok(Self { draws })
    }
}

impl Acquisition for MaxValueEntropy {
    fn score<'a>(&self, round: &TrialState<'a>, rng: &mut Pcg64) -> Result<AcquisitionScore<'a>, Error> {
        let prediction = round.posterior.latent(round.candidates)?;
        let distribution = Gumbel::of_minimum(prediction.mean.as_slice(), prediction.sd().as_slice());
        let minima: Vec<f64> =
            (0..self.draws).map(|_| distribution.quantile(rng.random::<f64>()).min(round.best)).collect();
        Ok(moments(round, move |mean, sd| {
            minima.iter().map(|least| information(mean, sd, *least)).sum::<f64>() / minima.len() as f64
        }))
    }
}

/// By how much the entropy of a normal value falls when it is known not to be less than `least`.
fn information(mean: f64, sd: f64, least: f64) -> f64 {
    if sd == 0.0 {
        return 0.0;
    }
    let g = (mean - least) / sd;
    0.5 * g * inverse_mills(g) - ln_normal_cdf(g)
}

/// The distribution of a minimum: P(m > y) = exp(-exp((y - location)/scale)).
#[derive(Debug, Clone, Copy, PartialEq)]
struct Gumbel {
    location: f64,
    scale: f64,
}

impl Gumbel {
    /// With the quartiles of the least of independent normal values.
    fn of_minimum(means: &[f64], sds: &[f64]) -> Self {
        let values = || means.iter().zip(sds);
        let lower = values().map(|(mean, sd)| mean - 8.0 * sd).fold(f64::INFINITY, f64::min);
        let upper = values().map(|(mean, sd)| mean + 8.0 * sd).fold(f64::INFINITY, f64::min);
        if lower >= upper {
            return Self { location: upper, scale: 0.0 };
        }
        // ln P(m > y) falls in y; a value that is known is a step.
        let ln_survival = |y: f64| -> f64 {
            let one = |(mean, sd): (&f64, &f64)| {
                if *sd > 0.0 {
                    ln_normal_cdf((mean - y) / sd)
                } else if *mean > y {
                    0.0
                } else {
                    -1e300
                }
            };
            values().map(one).sum()
        };
        let quantile = |p: f64| {
            let goal = (-p).ln_1p();
            find_root(|y| ln_survival(y) - goal, lower, upper, &RootOptions::default()).point
        };
        // P(m > y) = 1 - p at y = location + scale ln(-ln(1 - p)).
        let at = |p: f64| (-(-p).ln_1p()).ln();
        let (first, median, third) = (quantile(0.25), quantile(0.5), quantile(0.75));
        let scale = ((third - first) / (at(0.75) - at(0.25))).max(0.0);
        Self { location: median - scale * at(0.5), scale }
    }

    fn quantile(&self, p: f64) -> f64 {
        // Zero is a possible draw, and minus infinity no value.
        let exponent = -(-p.max(f64::EPSILON)).ln_1p();
        self.location + self.scale * exponent.ln()
    }
}

#[cfg(test)]
mod tests;
