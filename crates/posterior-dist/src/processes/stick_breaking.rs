//! Stick-breaking: the weights of a Pitman-Yor or Dirichlet process, in size-biased order.

use posterior_math::check::ParamError;
use rand::Rng;

use super::PitmanYor;
use crate::dirichlet::Dirichlet;

/// The first weights of a process, and what is left for all others.
#[derive(Debug, Clone, PartialEq)]
pub struct Sticks {
    ln_weights: Vec<f64>,
    ln_remainder: f64,
}

impl PitmanYor {
    /// Breaks a stick of length one `pieces` times: w_k = v_k Π_{j<k} (1 - v_j) with v_k ~ Beta(1 - d, θ + k
    /// d).
    ///
    /// Drawn as logarithms: neither small concentrations nor many pieces lose a weight or the remainder.
    ///
    /// # Errors
    /// If θ + k d is beyond the range of f64.
    ///
    /// ```
    /// use posterior_dist::{PitmanYor, stream::stream};
    ///
    /// let sticks = PitmanYor::chinese_restaurant(2.0)?.break_stick(50, &mut stream(1, &[]))?;
    /// let sum: f64 = sticks.ln_weights().iter().map(|ln_w| ln_w.exp()).sum();
    /// assert!((sum + sticks.ln_remainder().exp() - 1.0).abs() < 1e-14);
    /// # Ok::<(), posterior_math::ParamError>(())
    /// ```
    pub fn break_stick<R: Rng + ?Sized>(&self, pieces: usize, rng: &mut R) -> Result<Sticks, ParamError> {
        let mut ln_weights = Vec::with_capacity(pieces);
        let mut ln_remainder = 0.0;
        for k in 1..=pieces {
            let rest = self.concentration() + k as f64 * self.discount();
            let ln_proportions = Dirichlet::new(&[1.0 - self.discount(), rest])?.sample_ln(rng);
            ln_weights.push(ln_remainder + ln_proportions[0]);
            ln_remainder += ln_proportions[1];
        }
        Ok(Sticks { ln_weights, ln_remainder })
    }
}

impl Sticks {
    /// ln w_k of the pieces.
    pub fn ln_weights(&self) -> &[f64] {
        &self.ln_weights
    }

    /// ln of what the pieces leave: the error of a truncation after them.
    pub const fn ln_remainder(&self) -> f64 {
        self.ln_remainder
    }
}
