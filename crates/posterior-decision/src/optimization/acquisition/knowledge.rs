//! What a trial is worth if one settles on the least posterior mean afterwards.

use posterior_gp::regression::Prediction;
use posterior_math::check;
use posterior_math::linalg::DMatrix;
use posterior_math::log_space::ln_sum_exp;
use rand_pcg::Pcg64;

use super::improvement::ln_h;
use super::{Acquisition, AcquisitionScore, TrialState};
use crate::Error;

/// A point may come down by so many standard deviations: how low orders what is compared.
const HOPE: f64 = 2.0;

/// The knowledge gradient: by how much the least posterior mean is expected to fall by a trial.
///
/// The least is that of finitely many points and of the one that is tried (Scott et al., equation 4.2):
/// `points` of the trials and the candidates, those that are least when they come out two standard deviations
/// below their means. Over them it is exact, [`ln_knowledge_gradient`]. A trial may be worth much without
/// being good itself; under noise this looks further ahead than expected improvement.
///
/// # Cost
/// n² (p + m) operations for m scores with n trials and p points, and m p ln p.
///
/// # References
/// P. Frazier, W. Powell, S. Dayanik, The knowledge-gradient policy for correlated normal beliefs, INFORMS
/// Journal on Computing 21 (2009); W. Scott, P. Frazier, W. Powell, The correlated knowledge gradient for
/// simulation optimization of continuous parameters, SIAM Journal on Optimization 21 (2011).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KnowledgeGradient {
    points: usize,
}

impl Default for KnowledgeGradient {
    /// 64 points.
    fn default() -> Self {
        Self { points: 64 }
    }
}

impl KnowledgeGradient {
    /// Over so many points; over all that there are if there are fewer.
    ///
    /// # Errors
    /// Without any, or above 10,000.
    pub fn new(points: usize) -> Result<Self, Error> {
        let fits = (1..=10_000).contains(&points);
        check::require(fits, "KnowledgeGradient", "points", points as f64, "from 1 to 10,000")?;
        Ok(Self { points })
    }

    /// The points whose means are compared, a row for each, and their means.
    fn compared(self, round: &TrialState<'_>) -> Result<(DMatrix<f64>, Vec<f64>), Error> {
        let tried = round.posterior.inputs();
        let all = DMatrix::from_fn(tried.nrows() + round.candidates.nrows(), tried.ncols(), |row, column| {
            if row < tried.nrows() {
                tried[(row, column)]
            } else {
                round.candidates[(row - tried.nrows(), column)]
            }
        });
        let Prediction { mean, variance } = round.posterior.latent(&all)?;
        let low: Vec<f64> = mean.iter().zip(&variance).map(|(mean, v)| mean - HOPE * v.sqrt()).collect();
        let mut order: Vec<usize> = (0..low.len()).collect();
        order.sort_by(|&a, &b| low[a].total_cmp(&low[b]));
        order.truncate(self.points);
        Ok((all.select_rows(&order), order.iter().map(|&row| mean[row]).collect()))
    }
}

impl Acquisition for KnowledgeGradient {
    fn score<'a>(&self, round: &TrialState<'a>, _: &mut Pcg64) -> Result<AcquisitionScore<'a>, Error> {
        let posterior = round.posterior;
        let noise = posterior.noise().of_new_observation().ok_or(Error::Acquisition {
            name: "KnowledgeGradient",
            reason: "needs noise that is the same at all points",
        })?;
        let (points, known) = self.compared(round)?;
        Ok(Box::new(move |inputs| {
            let whole: Vec<usize> = (0..posterior.components().len()).collect();
            let whole = posterior.component(&whole)?;
            let covariance = whole.cross_covariance(&points, &whole, inputs)?;
            let Prediction { mean, variance } = posterior.latent(inputs)?;
            let worth = |row: usize| {
                // Of what is known already nothing can be learned.
                if variance[row] == 0.0 {
                    return f64::NEG_INFINITY;
                }
                let sd = (variance[row] + noise).sqrt();
                let means: Vec<f64> = known.iter().copied().chain([mean[row]]).collect();
                let slopes: Vec<f64> =
                    covariance.column(row).iter().map(|c| c / sd).chain([variance[row] / sd]).collect();
                ln_knowledge_gradient(&means, &slopes)
            };
            Ok((0..inputs.nrows()).map(worth).collect())
        }))
    }
}

/// min mean - E min(mean + slope Z) for Z standard normal: [`ln_knowledge_gradient`] without the logarithm.
///
/// ```
/// use posterior_decision::optimization::{expected_improvement, knowledge_gradient};
///
/// // One value that is known, and one that is about to be: expected improvement.
/// let gain = knowledge_gradient(&[1.2, 1.3], &[0.0, 0.5]);
/// assert!((gain - expected_improvement(1.3, 0.5, 1.2)).abs() < 1e-15);
/// ```
///
/// # Panics
/// If there are not as many slopes as means.
#[track_caller]
pub fn knowledge_gradient(means: &[f64], slopes: &[f64]) -> f64 {
    ln_knowledge_gradient(means, slopes).exp()
}

/// ln(min mean - E min(mean + slope Z)) for Z standard normal: by how much the least of several posterior
/// means is expected to fall by a trial that moves them together, each by its slope for a standard deviation
/// of the outcome.
///
/// Exact, by the lower envelope of the lines: Σ (difference of slopes) h(-|c|) over its corners c, with h(z)
/// = φ(z) + z Φ(z) by its logarithm, so that nothing cancels and nothing is zero that is only small. Minus
/// infinity if no outcome changes which is least; NaN for NaN. O(n ln n).
///
/// # Panics
/// If there are not as many slopes as means.
///
/// # References
/// P. Frazier, W. Powell, S. Dayanik, INFORMS Journal on Computing 21 (2009), equation 14 and algorithm 1.
#[track_caller]
pub fn ln_knowledge_gradient(means: &[f64], slopes: &[f64]) -> f64 {
    assert_eq!(means.len(), slopes.len(), "a slope for each mean");
    if means.iter().chain(slopes).any(|value| value.is_nan()) {
        return f64::NAN;
    }
    let corners = envelope(means, slopes);
    let terms: Vec<f64> = corners.iter().map(|(turn, at)| turn.ln() + ln_h(-at.abs())).collect();
    ln_sum_exp(&terms)
}

/// The corners of the least of some lines: by how much the slope falls, and where.
fn envelope(means: &[f64], slopes: &[f64]) -> Vec<(f64, f64)> {
    let mut lines: Vec<(f64, f64)> = means.iter().copied().zip(slopes.iter().copied()).collect();
    // From the left the steepest comes first, and of parallel ones the lowest last.
    lines.sort_by(|a, b| b.1.total_cmp(&a.1).then(b.0.total_cmp(&a.0)));
    let mut lowest: Vec<((f64, f64), f64)> = Vec::new();
    for line in lines {
        let mut from = f64::NEG_INFINITY;
        while let Some(&(last, last_from)) = lowest.last() {
            let fall = last.1 - line.1;
            if fall > 0.0 && (line.0 - last.0) / fall > last_from {
                from = (line.0 - last.0) / fall;
                break;
            }
            lowest.pop();
        }
        lowest.push((line, from));
    }
    lowest.windows(2).map(|pair| (pair[0].0.1 - pair[1].0.1, pair[1].1)).collect()
}

#[cfg(test)]
mod tests;
