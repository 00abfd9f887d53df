//! What the draws of several chains say of a probability, and how well.

use crate::diagnostics::{ess_mean, rhat_split};

/// A probability by the draws of several chains.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Estimate {
    /// The proportion of draws.
    pub(super) p: f64,
    /// How many independent draws would be worth as much; `None` if no chain ever changed.
    pub(super) effective_size: Option<f64>,
    /// Split R-hat, infinite if chains stand still in different places. That of the ranks of an indicator is
    /// the same: they have two values too.
    pub(super) rhat: f64,
}

impl Estimate {
    /// Of a state that no draw was in.
    pub(super) const NEVER: Self = Self { p: 0.0, effective_size: None, rhat: 1.0 };

    /// By the proportion of draws for which the indicator is 1. The chains are of the same length.
    pub(super) fn new(indicator: &[Vec<f64>]) -> Self {
        let draws: usize = indicator.iter().map(Vec::len).sum();
        Self {
            p: indicator.iter().flatten().sum::<f64>() / draws as f64,
            effective_size: ess_mean(indicator).ok(),
            // Draws that are all the same are in the same place.
            rhat: rhat_split(indicator).unwrap_or(1.0),
        }
    }

    /// Of the other one of two states.
    pub(super) fn complement(self) -> Self {
        Self { p: 1.0 - self.p, ..self }
    }
}

/// The standard error of a proportion p of draws that are worth `size` independent ones. As if half a draw
/// more had been seen on either side: a state that was never drawn is not known to be impossible.
pub(super) fn standard_error(p: f64, size: f64) -> f64 {
    let p = (p * size + 0.5) / (size + 1.0);
    (p * (1.0 - p) / size).sqrt()
}
