//! The scale at which a given proportion of the proposals is accepted.

use posterior_math::check::{self, ParamError};

/// The search of Robbins and Monro for the scale at which a given proportion of the proposals is accepted.
///
/// ln s moves by 3 (n + 5)^-0.6 (rate - goal) after step n; its mean, in which late steps weigh more
/// (linearly), is the answer.
///
/// # References
/// H. Robbins, S. Monro, A stochastic approximation method, Ann. Math. Stat. 22 (1951); C. Andrieu, J. Thoms,
/// A tutorial on adaptive MCMC, Stat. Comput. 18 (2008).
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ScaleSearch {
    goal: f64,
    ln_scale: f64,
    mean: f64,
    steps: usize,
}

impl ScaleSearch {
    /// From this scale, for this proportion of accepted proposals.
    ///
    /// # Errors
    /// A scale that is not positive and finite; a goal that is not strictly between 0 and 1.
    pub fn new(scale: f64, goal: f64) -> Result<Self, ParamError> {
        let ln_scale = check::positive("ScaleSearch", "scale", scale)?.ln();
        let goal = check::open_probability("ScaleSearch", "goal", goal)?;
        Ok(Self { goal, ln_scale, mean: ln_scale, steps: 0 })
    }

    /// Learns from the probability with which the last proposal was accepted.
    pub fn learn(&mut self, acceptance_rate: f64) {
        let n = self.steps as f64;
        self.ln_scale += 3.0 * (n + 5.0).powf(-0.6) * (acceptance_rate - self.goal);
        self.mean += 2.0 / (n + 2.0) * (self.ln_scale - self.mean);
        self.steps += 1;
    }

    /// The scale to try next.
    pub fn trial(&self) -> f64 {
        self.ln_scale.exp()
    }

    /// The answer so far.
    pub fn answer(&self) -> f64 {
        self.mean.exp()
    }

    /// Steps learned from.
    pub const fn steps(&self) -> usize {
        self.steps
    }
}
