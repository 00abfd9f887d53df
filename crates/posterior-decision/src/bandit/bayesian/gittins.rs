//! Gittins' index of a Bernoulli arm with a Beta prior, by calibration.

use posterior_dist::{Beta, Moments};
use posterior_math::check::{self, ParamError};
use posterior_math::optimize::{RootOptions, find_root};
use rand::Rng;

use crate::bandit::arm::Arm;
use crate::bandit::index_rule::{IndexRule, Round};

/// How much of the future is left out: the discount of the last play that is looked at, beside that of the
/// first.
const TAIL: f64 = 1e-9;

/// Discounts beyond need tables of more than some twenty thousand plays.
const LARGEST_DISCOUNT: f64 = 0.999;

/// The index of an arm with the posterior Beta(α, β): the sure reward per play for which one would as soon
/// leave the arm for ever.
///
/// With rewards discounted by γ per play. The value of playing n times more and then staying with the better
/// of the two is computed backwards from where γⁿ is 10⁻⁹; the root is then found by Brent's method. O(n²)
/// per step of the root: a millisecond for γ = 0.9, seconds for 0.999.
///
/// ```
/// use posterior_decision::bandit::gittins_index;
///
/// // Gittins 1989, table 8.
/// assert!((gittins_index(1.0, 1.0, 0.9)? - 0.7029).abs() < 5e-5);
/// # Ok::<(), posterior_math::ParamError>(())
/// ```
///
/// # References
/// J. C. Gittins, Multi-armed Bandit Allocation Indices, 1989, chapter 7.
///
/// # Errors
/// If α or β is not positive and finite, or γ is not in (0, 0.999].
pub fn gittins_index(alpha: f64, beta: f64, discount: f64) -> Result<f64, ParamError> {
    let distribution = Beta::new(alpha, beta)?;
    let usable = discount > 0.0 && discount <= LARGEST_DISCOUNT;
    check::require(usable, "Gittins", "discount", discount, "in (0, 0.999]")?;
    let plays = (TAIL.ln() / discount.ln()).ceil() as usize + 1;
    let mut values = vec![0.0; plays + 1];
    let mean = distribution.mean().unwrap_or(0.5);
    let advantage = |sure: f64| advantage(alpha, beta, discount, sure, &mut values);
    // Never below the mean, and never above 1.
    let root = find_root(
        advantage,
        mean,
        1.0,
        &RootOptions { relative: 1e-12, absolute: 1e-12, ..RootOptions::default() },
    );
    // Where nothing is left to learn the signs are those of rounding.
    Ok(if root.point.is_nan() { mean } else { root.point })
}

/// By how much to play the arm once, and then to do what is best, beats the sure reward for ever.
fn advantage(alpha: f64, beta: f64, discount: f64, sure: f64, values: &mut [f64]) -> f64 {
    let depth = values.len() - 1;
    let total = alpha + beta;
    // After the last play the better of the two for ever.
    for (successes, value) in values.iter_mut().enumerate() {
        let mean = (alpha + successes as f64) / (total + depth as f64);
        *value = (mean - sure).max(0.0) / (1.0 - discount);
    }
    for played in (0..depth).rev() {
        let size = (total + played as f64).recip();
        for successes in 0..=played {
            let mean = (alpha + successes as f64) * size;
            let future = mean * values[successes + 1] + (1.0 - mean) * values[successes];
            let play = mean - sure + discount * future;
            values[successes] = if played == 0 { play } else { play.max(0.0) };
        }
    }
    values[0]
}

/// Gittins' index of each arm: the policy that is best for discounted rewards of zeros and ones.
///
/// Each play costs one [`gittins_index`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Gittins {
    /// What a reward is worth if it comes a play later: in (0, 0.999]; 0.95 by default.
    pub discount: f64,
    /// The prior of every arm's mean; uniform by default.
    pub prior: Beta,
}

impl Default for Gittins {
    fn default() -> Self {
        Self { discount: 0.95, prior: Beta::new(1.0, 1.0).expect("invariant: one is positive") }
    }
}

impl IndexRule for Gittins {
    type Summary = (f64, Beta);

    fn name(&self) -> String {
        format!("gittins:{}", self.discount)
    }

    fn summarize(&self, arm: &Arm) -> Result<(f64, Beta), ParamError> {
        let failures = (arm.plays() as f64 - arm.total()).max(0.0);
        let distribution = Beta::new(self.prior.alpha() + arm.total(), self.prior.beta() + failures)?;
        Ok((gittins_index(distribution.alpha(), distribution.beta(), self.discount)?, distribution))
    }

    fn index(&self, _: &Arm, summary: &(f64, Beta), _: &Round, _: &mut dyn Rng) -> f64 {
        summary.0
    }

    fn check_reward(&self, reward: f64) -> Result<(), ParamError> {
        check::require(reward == 0.0 || reward == 1.0, "Gittins", "reward", reward, "0 or 1")?;
        Ok(())
    }

    fn moments(&self, (_, distribution): &(f64, Beta)) -> Option<[f64; 2]> {
        Some([distribution.mean()?, distribution.variance()?.sqrt()])
    }
}
