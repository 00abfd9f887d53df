//! Rejection with a proposal and a bound that are given.

use std::fmt::Debug;

use posterior_math::check;
use posterior_math::streaming::MeanVariance;
use rand::Rng;
use rand::distr::{Distribution, Open01};

use crate::Error;
use crate::estimate::{Estimate, LnEstimate};

/// How far, in units of the last place of the bound, a ratio may be above it and count as rounding.
const ROUNDING: f64 = 64.0 * f64::EPSILON;

/// Options of [`rejection`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RejectionOptions {
    /// A bound of ln p̃ - ln q, over all points.
    pub ln_bound: f64,
    /// Proposals for one draw before an error.
    pub max_attempts: usize,
}

impl Default for RejectionOptions {
    /// Bound 0, which is right where p̃ ≤ q; ten million proposals for a draw.
    fn default() -> Self {
        Self { ln_bound: 0.0, max_attempts: 10_000_000 }
    }
}

/// Draws, and what they cost.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Accepted<X> {
    /// Independent draws.
    pub draws: Vec<X>,
    /// All proposals, those that were accepted among them.
    pub attempts: usize,
    /// The probability that a proposal is accepted, without bias: (n - 1)/(N - 1) for n draws of N proposals.
    pub acceptance: Estimate,
    /// ln of the integral of p̃, if q is normalised: from the ratios of all proposals but the last, those
    /// refused too. Its error is smaller than that of the acceptance rate.
    pub ln_z: LnEstimate,
}

/// Draws from p ∝ p̃ by proposals from q: a proposal x is accepted with probability p̃(x) / (c q(x)).
///
/// `ln_ratio` is ln p̃ - ln q at a point, -∞ where p̃ is zero; `ln_bound` is ln c. Neither density has to be
/// normalised. A ratio above the bound, by more than its rounding, ends with an error that names the point:
/// the draws would follow another distribution.
///
/// ```
/// use posterior_dist::{Density, Laplace, Normal, stream::stream};
/// use posterior_sampling::rejection::{RejectionOptions, rejection};
///
/// // A normal density under a Laplace density: the ratio is largest at ±1.
/// let laplace = Laplace::new(0.0, 1.0)?;
/// let ln_ratio = |x: &f64| -0.5 * x * x - laplace.ln_pdf(x);
/// let options = RejectionOptions { ln_bound: ln_ratio(&1.0), ..RejectionOptions::default() };
/// let accepted = rejection(&laplace, ln_ratio, 2000, &options, &mut stream(1, &[]))?;
/// // √(π/2e) = 0.76 are accepted, and Z = √(2π).
/// assert!((accepted.acceptance.value - 0.7602).abs() < 3.0 * accepted.acceptance.standard_error);
/// let ln_z = 0.5 * (2.0 * std::f64::consts::PI).ln();
/// assert!((accepted.ln_z.ln_value - ln_z).abs() < 3.0 * accepted.ln_z.standard_error);
/// # Ok::<(), posterior_sampling::Error>(())
/// ```
///
/// # Errors
/// Fewer than two draws; a bound that is not finite; a violated bound; a ratio that is NaN; more proposals
/// for a draw than are allowed.
///
/// # References
/// J. von Neumann, Various techniques used in connection with random digits, 1951.
pub fn rejection<X, Q, R>(
    proposal: &Q,
    mut ln_ratio: impl FnMut(&X) -> f64,
    draws: usize,
    options: &RejectionOptions,
    rng: &mut R,
) -> Result<Accepted<X>, Error>
where
    X: Debug,
    Q: Distribution<X>,
    R: Rng + ?Sized,
{
    let RejectionOptions { ln_bound, max_attempts } = *options;
    check::finite("rejection", "ln_bound", ln_bound)?;
    check::require(draws >= 2, "rejection", "draws", draws as f64, "at least 2")?;
    let slack = ROUNDING * ln_bound.abs().max(1.0);
    let mut kept = Vec::with_capacity(draws);
    let mut tally = Tally::default();
    let mut refused = 0;
    while kept.len() < draws {
        if refused >= max_attempts {
            return Err(Error::Attempts { what: "rejection", attempts: refused, accepted: kept.len() });
        }
        let x = proposal.sample(rng);
        let ln_proportion = ln_ratio(&x) - ln_bound;
        if ln_proportion.is_nan() {
            return Err(Error::NoValue {
                what: "the ratio of densities",
                at: format!("{x:?}"),
                value: ln_proportion,
            });
        }
        if ln_proportion > slack {
            return Err(Error::Envelope { at: format!("{x:?}"), excess: ln_proportion });
        }
        tally.push(ln_proportion.min(0.0));
        let uniform: f64 = Open01.sample(rng);
        if uniform.ln() < ln_proportion {
            kept.push(x);
            refused = 0;
        } else {
            refused += 1;
        }
    }
    Ok(tally.report(kept, ln_bound))
}

/// The ratios of all proposals but the last one.
#[derive(Default)]
struct Tally {
    before: MeanVariance,
    last: Option<f64>,
}

impl Tally {
    fn push(&mut self, ln_proportion: f64) {
        if let Some(proportion) = self.last.replace(ln_proportion.exp()) {
            self.before.push(proportion);
        }
    }

    /// That the last proposal was accepted is sure: without it the means have no bias.
    fn report<X>(self, draws: Vec<X>, ln_bound: f64) -> Accepted<X> {
        let before = self.before.weight();
        let value = (draws.len() - 1) as f64 / before;
        let acceptance = Estimate {
            value,
            standard_error: value * ((1.0 - value) / (draws.len() - 1) as f64).sqrt(),
            draws: before as usize,
        };
        let ratio = Estimate::of_independent(&self.before, 1);
        let ln_z = LnEstimate {
            ln_value: ln_bound + ratio.value.ln(),
            standard_error: if before > 1.0 { ratio.standard_error / ratio.value } else { f64::NAN },
            draws: before as usize,
        };
        Accepted { draws, attempts: before as usize + 1, acceptance, ln_z }
    }
}
