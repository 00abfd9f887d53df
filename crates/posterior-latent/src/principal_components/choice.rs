//! How many components.

use posterior_math::check;
use posterior_math::special::ln_gamma;

use crate::error::Error;

/// How many components to keep.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[non_exhaustive]
pub enum ComponentChoice {
    /// All that have variance. The default.
    #[default]
    All,
    /// So many, or all that have variance where these are fewer.
    Count(usize),
    /// The fewest that explain this proportion of the variance.
    Proportion(f64),
    /// The leading ones that explain more than pieces of a stick broken at random would: the j-th of d has
    /// Σᵢ₌ⱼ 1/i / d (Jackson 1993).
    BrokenStick,
    /// The most probable number under probabilistic PCA, by Laplace's method (Minka, Automatic choice of
    /// dimensionality for PCA, NIPS 2000); at least 1, at most d - 1.
    Evidence,
}

impl ComponentChoice {
    /// The number to keep of these descending variances (of n rows, maximum likelihood), some of which may
    /// be 0.
    pub(super) fn count(self, variances: &[f64], dimension: usize, n: f64) -> Result<usize, Error> {
        let positive = variances.iter().filter(|&&variance| variance > 0.0).count();
        let total: f64 = variances.iter().sum();
        Ok(match self {
            Self::All => positive,
            Self::Count(count) => count.min(positive),
            Self::Proportion(proportion) => {
                check::require(
                    proportion > 0.0 && proportion <= 1.0,
                    "Choice",
                    "proportion",
                    proportion,
                    "above 0 and at most 1",
                )?;
                let mut sum = 0.0;
                let enough = variances.iter().position(|variance| {
                    sum += variance;
                    sum >= proportion * total
                });
                enough.map_or(positive, |place| place + 1).min(positive)
            }
            Self::BrokenStick => {
                let piece =
                    |j: usize| (j + 1..=dimension).map(|i| 1.0 / i as f64).sum::<f64>() / dimension as f64;
                let more = |&(j, variance): &(usize, &f64)| *variance > piece(j) * total;
                variances[..positive].iter().enumerate().take_while(more).count()
            }
            Self::Evidence => {
                let mut all = variances.to_vec();
                all.resize(dimension, 0.0);
                // Beyond them nothing is left for the noise, which is impossible.
                let most = dimension.min(positive + 1);
                let scores: Vec<f64> = (1..most).map(|k| ln_evidence(&all, k, n)).collect();
                let better = |best: usize, k: usize| if scores[k] > scores[best] { k } else { best };
                let best = if scores.is_empty() { 0 } else { (1..scores.len()).fold(0, better) };
                (best + 1).min(positive)
            }
        })
    }
}

/// ln p(data | k) up to a constant (Minka 2000, equation 76 with its constants): -∞ where the noise would
/// have no variance.
pub(super) fn ln_evidence(variances: &[f64], k: usize, n: f64) -> f64 {
    let d = variances.len();
    let noise = variances[k..].iter().sum::<f64>() / (d - k) as f64;
    if !(noise > 0.0) {
        return f64::NEG_INFINITY;
    }
    let of_frames: f64 = (0..k)
        .map(|i| {
            let half = 0.5 * (d - i) as f64;
            ln_gamma(half) - half * std::f64::consts::PI.ln() - std::f64::consts::LN_2
        })
        .sum();
    let fit = -0.5 * n * variances[..k].iter().map(|variance| variance.ln()).sum::<f64>()
        - 0.5 * n * (d - k) as f64 * noise.ln();
    let free = (d * k) as f64 - 0.5 * (k * (k + 1)) as f64;
    let mut ln_curvature = 0.0;
    for i in 0..k {
        for j in i + 1..d {
            let own = if j < k { variances[j] } else { noise };
            ln_curvature += ((1.0 / own - 1.0 / variances[i]) * (variances[i] - variances[j])).ln() + n.ln();
        }
    }
    of_frames + fit + 0.5 * (free + k as f64) * std::f64::consts::TAU.ln()
        - 0.5 * ln_curvature
        - 0.5 * k as f64 * n.ln()
}
