//! Estimates of a number: the posterior mean, median, quantile or mode, each by the loss that it minimises.

use posterior_dist::{Binomial, Density};
use posterior_math::check;

use crate::Error;

/// What an estimate a costs when the number is x.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum PointLoss {
    /// (x - a)²: the mean.
    Squared,
    /// |x - a|: the median.
    Absolute,
    /// τ (x - a) above the estimate and (1 - τ)(a - x) below: the quantile of level τ, strictly between 0
    /// and 1. To be too low costs τ/(1 - τ) times as much as to be too high.
    Pinball {
        /// τ.
        level: f64,
    },
    /// 1 if |x - a| exceeds the tolerance, else 0: the middle of the most probable interval of twice that
    /// width; with a small tolerance the mode.
    ZeroOne {
        /// Not negative.
        tolerance: f64,
    },
}

impl PointLoss {
    /// The loss of the estimate `a` when the number is `x`.
    pub fn loss(&self, x: f64, a: f64) -> f64 {
        match *self {
            Self::Squared => (x - a) * (x - a),
            Self::Absolute => (x - a).abs(),
            Self::Pinball { level } => {
                if x >= a {
                    level * (x - a)
                } else {
                    (1.0 - level) * (a - x)
                }
            }
            Self::ZeroOne { tolerance } => f64::from(u8::from(!((x - a).abs() <= tolerance))),
        }
    }

    fn check(&self) -> Result<(), Error> {
        match *self {
            Self::Squared | Self::Absolute => {}
            Self::Pinball { level } => {
                check::open_probability("PointLoss", "level", level)?;
            }
            Self::ZeroOne { tolerance } => {
                check::non_negative("PointLoss", "tolerance", tolerance)?;
            }
        }
        Ok(())
    }
}

/// The estimate that loses least, and how much that is.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct PointEstimate {
    /// The estimate.
    pub estimate: f64,
    /// Its mean loss over the draws.
    pub expected_loss: f64,
}

/// The estimate with the least mean loss over draws of a posterior: exactly that of the draws.
///
/// Where all points between two draws are as good it is their middle, as the median of an even number is. O(n
/// ln n).
///
/// # Errors
/// If there are no draws, one is not finite, or the loss has a parameter that it cannot have.
pub fn point_estimate(draws: &[f64], loss: PointLoss) -> Result<PointEstimate, Error> {
    loss.check()?;
    check::at_least_one("point_estimate", "draws", draws.len())?;
    for (place, &draw) in draws.iter().enumerate() {
        check::finite("point_estimate", "draw", draw).map_err(|error| error.at(place))?;
    }
    let count = draws.len() as f64;
    let estimate = match loss {
        // Of the proportions, so that no sum overflows.
        PointLoss::Squared => draws.iter().map(|draw| draw / count).sum(),
        PointLoss::Absolute => quantile(&sorted(draws), 0.5),
        PointLoss::Pinball { level } => quantile(&sorted(draws), level),
        PointLoss::ZeroOne { tolerance } => densest(&sorted(draws), tolerance),
    };
    let expected_loss = draws.iter().map(|&draw| loss.loss(draw, estimate) / count).sum();
    Ok(PointEstimate { estimate, expected_loss })
}

fn sorted(draws: &[f64]) -> Vec<f64> {
    let mut sorted = draws.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted
}

/// Where a proportion of `level` is below; between two draws if both are as good.
fn quantile(sorted: &[f64], level: f64) -> f64 {
    let place = level * sorted.len() as f64;
    let above = (place.floor() as usize).min(sorted.len() - 1);
    // A level such as 0.3 of 10 draws is a whole place only up to rounding.
    let whole = (place - place.round()).abs() <= 1e-12 * place;
    let nearest = place.round() as usize;
    if whole && nearest > 0 && nearest < sorted.len() {
        sorted[nearest - 1].midpoint(sorted[nearest])
    } else {
        sorted[above]
    }
}

/// The middle of the draws in the fullest window of twice the tolerance, the first if several are as full.
fn densest(sorted: &[f64], tolerance: f64) -> f64 {
    let (mut first, mut best) = (0, (0, 0));
    for last in 0..sorted.len() {
        while 0.5 * sorted[last] - 0.5 * sorted[first] > tolerance {
            first += 1;
        }
        if last - first > best.1 - best.0 {
            best = (first, last);
        }
    }
    sorted[best.0].midpoint(sorted[best.1])
}

/// The risk of an estimator of a probability: its expected loss over the data, at a true probability θ.
///
/// Σ_k P(k; n, θ) l(θ, estimator(k)) over the successes k among n trials; n + 1 evaluations.
///
/// ```
/// use posterior_decision::loss::{PointLoss, binomial_risk};
///
/// // (k + √n/2)/(n + √n) has the same risk everywhere, n/(4(n + √n)²): the minimax estimator.
/// let estimator = |k: u64| (k as f64 + 2.0) / 20.0;
/// for theta in [0.0, 0.2, 0.5, 0.9] {
///     let risk = binomial_risk(16, theta, estimator, PointLoss::Squared)?;
///     assert!((risk - 0.01).abs() < 1e-15);
/// }
/// # Ok::<(), posterior_decision::Error>(())
/// ```
///
/// # Errors
/// If θ is not in [0, 1], or the loss has a parameter that it cannot have.
pub fn binomial_risk(
    trials: u64,
    theta: f64,
    estimator: impl Fn(u64) -> f64,
    loss: PointLoss,
) -> Result<f64, Error> {
    loss.check()?;
    let distribution = Binomial::new(trials, theta)?;
    Ok((0..=trials).map(|k| distribution.ln_pdf(&k).exp() * loss.loss(theta, estimator(k))).sum())
}
