//! Probabilities of labels against what came.

use posterior_math::check::{self, ParamError};

use crate::Reliability;

/// How good the probabilities of labels are: their logarithmic loss, and whether of those said with
/// probability p a proportion p is right.
///
/// ```
/// use posterior_evaluation::ProbabilityScores;
///
/// let mut scores = ProbabilityScores::new(10);
/// scores.push(&[0.8, 0.2], 0)?;
/// scores.push(&[0.8, 0.2], 1)?;
/// assert!((scores.mean_ln_loss().unwrap() + 0.5 * (0.8_f64.ln() + 0.2_f64.ln())).abs() < 1e-15);
/// // Said with 0.8, right every second time.
/// assert!((scores.reliability().calibration_error().unwrap() - 0.3).abs() < 1e-15);
/// # Ok::<(), posterior_math::check::ParamError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct ProbabilityScores {
    ln_loss: f64,
    squares: f64,
    reliability: Reliability,
}

impl ProbabilityScores {
    /// Nothing counted yet, with so many bins of the same width from 0 to 1, at least 1.
    pub fn new(bins: usize) -> Self {
        Self { ln_loss: 0.0, squares: 0.0, reliability: Reliability::new(bins) }
    }

    /// Counts a token: the probabilities of its labels, and the true one. The true label may be one of none
    /// of them (a label that the model does not know): its probability is 0, and the loss infinite. Of equal
    /// probabilities the first counts as the prediction.
    ///
    /// # Errors
    /// If a probability is not from 0 to 1 but for rounding (1e-9), or there is none.
    pub fn push(&mut self, probabilities: &[f64], truth: usize) -> Result<(), ParamError> {
        const TYPE: &str = "ProbabilityScores";
        let mut best = (0, f64::NEG_INFINITY);
        for (label, &probability) in probabilities.iter().enumerate() {
            let inside = (0.0..=1.0 + 1e-9).contains(&probability);
            check::require(inside, TYPE, "probability", probability, "in [0, 1]")
                .map_err(|error| error.at(label))?;
            if probability > best.1 {
                best = (label, probability);
            }
        }
        check::at_least_one(TYPE, "labels", probabilities.len())?;
        self.reliability.push(best.1.min(1.0), best.0 == truth)?;
        let own = probabilities.get(truth).copied().unwrap_or(0.0).min(1.0);
        self.ln_loss -= own.ln();
        let rest = probabilities.iter().enumerate().filter(|(label, _)| *label != truth);
        self.squares += (1.0 - own).powi(2) + rest.map(|(_, probability)| probability.powi(2)).sum::<f64>();
        Ok(())
    }

    /// Adds what another has counted.
    ///
    /// # Errors
    /// If it has another number of bins.
    pub fn merge(&mut self, other: &Self) -> Result<(), ParamError> {
        self.reliability.merge(&other.reliability)?;
        self.ln_loss += other.ln_loss;
        self.squares += other.squares;
        Ok(())
    }

    /// The number of tokens.
    pub fn count(&self) -> u64 {
        self.reliability.count()
    }

    /// -Σ ln p(truth)/N, in nats; `None` of nothing.
    pub fn mean_ln_loss(&self) -> Option<f64> {
        (self.count() > 0).then(|| self.ln_loss / self.count() as f64)
    }

    /// Brier's (1950) score Σ |p - truth|²/N, from 0 to 2; `None` of nothing.
    pub fn brier(&self) -> Option<f64> {
        (self.count() > 0).then(|| self.squares / self.count() as f64)
    }

    /// Of the events that the most probable label is the true one, with its probability (Guo et al. 2017).
    pub const fn reliability(&self) -> &Reliability {
        &self.reliability
    }
}
