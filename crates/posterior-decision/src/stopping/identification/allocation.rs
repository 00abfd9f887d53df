//! How plays should be shared among arms of known means.

use posterior_math::check;
use posterior_math::optimize::{RootOptions, find_root};

use crate::Error;
use crate::concentration::bernoulli_divergence;

/// The proportions of plays that find the best arm soonest.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Allocation {
    /// The proportion of each arm; they sum to 1.
    pub proportions: Vec<f64>,
    /// T*: to be wrong with probability at most δ takes about T* ln(1/δ) plays, and no fewer.
    pub characteristic_time: f64,
}

/// The best proportions for arms of zeros and ones with these means, by the two nested equations of Garivier
/// and Kaufmann (COLT 2016, theorem 5).
///
/// # Errors
/// If there are fewer than two arms, a mean is not strictly between 0 and 1, or two are best.
pub fn best_allocation(means: &[f64]) -> Result<Allocation, Error> {
    check::require(means.len() > 1, "best_allocation", "arms", means.len() as f64, "at least 2")?;
    for (arm, &mean) in means.iter().enumerate() {
        check::open_probability("best_allocation", "mean", mean).map_err(|error| error.at(arm))?;
    }
    let best = (1..means.len()).fold(0, |best, arm| if means[arm] > means[best] { arm } else { best });
    for (arm, &mean) in means.iter().enumerate() {
        let apart = arm == best || mean < means[best];
        check::require(
            apart,
            "best_allocation",
            "mean",
            mean,
            "below the best one: two best arms are never distinguished",
        )
        .map_err(|error| error.at(arm))?;
    }
    let top = means[best];
    let others: Vec<f64> = (0..means.len()).filter(|&arm| arm != best).map(|arm| means[arm]).collect();
    // No arm can give more evidence per play of the best one than the divergence of the best from it.
    let most = others.iter().map(|&mean| bernoulli_divergence(top, mean)).fold(f64::INFINITY, f64::min);
    let excess = |proportion: f64| {
        let level = proportion * most;
        let term = |&mean: &f64| {
            let (_, middle) = ratio_at(top, mean, level);
            bernoulli_divergence(top, middle) / bernoulli_divergence(mean, middle)
        };
        others.iter().map(term).sum::<f64>() - 1.0
    };
    // At no evidence the sum is 0, at the most it is infinite.
    let root = find_root(
        |proportion| {
            if proportion <= 0.0 {
                -1.0
            } else if proportion >= 1.0 {
                f64::INFINITY
            } else {
                excess(proportion)
            }
        },
        0.0,
        1.0,
        &RootOptions::default(),
    );
    let level = root.point * most;
    let mut proportions = vec![1.0; means.len()];
    for (arm, proportion) in proportions.iter_mut().enumerate().filter(|(arm, _)| *arm != best) {
        *proportion = ratio_at(top, means[arm], level).0;
    }
    let sum: f64 = proportions.iter().sum();
    let characteristic_time = sum / level;
    check::finite("best_allocation", "characteristic time", characteristic_time)?;
    Ok(Allocation {
        proportions: proportions.into_iter().map(|proportion| proportion / sum).collect(),
        characteristic_time,
    })
}

/// How often the other arm is played for each play of the best one so that both give the evidence `level`
/// against being equal, and the mean of both together.
fn ratio_at(top: f64, mean: f64, level: f64) -> (f64, f64) {
    // In t = x/(1 + x), the proportion of the other arm, the mean of both is linear.
    let middle = |t: f64| top + t * (mean - top);
    let evidence = |t: f64| {
        if t >= 1.0 {
            return bernoulli_divergence(top, mean) - level;
        }
        let m = middle(t);
        bernoulli_divergence(top, m) + t / (1.0 - t) * bernoulli_divergence(mean, m) - level
    };
    let t = find_root(evidence, 0.0, 1.0, &RootOptions::default()).point;
    (t / (1.0 - t), middle(t))
}
