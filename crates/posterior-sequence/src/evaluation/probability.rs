//! Probabilities of labels against what came.

use posterior_math::check::{self, ParamError};

/// How good the probabilities of labels are: their logarithmic loss, and whether of those said with probability p a share p is right.
///
/// ```
/// use posterior_sequence::evaluation::ProbabilityScores;
///
/// let mut scores = ProbabilityScores::new(10);
/// scores.push(&[0.8, 0.2], 0)?;
/// scores.push(&[0.8, 0.2], 1)?;
/// assert!((scores.mean_ln_loss().unwrap() + 0.5 * (0.8_f64.ln() + 0.2_f64.ln())).abs() < 1e-15);
/// // Said with 0.8, right every second time.
/// assert!((scores.calibration_error().unwrap() - 0.3).abs() < 1e-15);
/// # Ok::<(), posterior_math::check::ParamError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct ProbabilityScores {
    ln_loss: f64,
    squares: f64,
    bins: Vec<Bin>,
}

/// Tokens whose most probable label has a probability in some range.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[non_exhaustive]
pub struct Bin {
    /// How many.
    pub count: u64,
    /// Of them those whose most probable label was the true one.
    pub correct: u64,
    /// The sum of the probabilities.
    pub confidence: f64,
}

impl Bin {
    /// The mean probability, `None` of an empty bin.
    pub fn mean_confidence(&self) -> Option<f64> {
        (self.count > 0).then(|| self.confidence / self.count as f64)
    }

    /// The share that was right, `None` of an empty bin.
    pub fn accuracy(&self) -> Option<f64> {
        (self.count > 0).then(|| self.correct as f64 / self.count as f64)
    }
}

impl ProbabilityScores {
    /// Nothing counted yet, with so many bins of the same width from 0 to 1, at least 1.
    pub fn new(bins: usize) -> Self {
        Self { ln_loss: 0.0, squares: 0.0, bins: vec![Bin::default(); bins.max(1)] }
    }

    /// Counts a token: the probabilities of its labels, and the true one. The true label may be one of none of them (a label that
    /// the model does not know): its probability is 0, and the loss infinite. Of equal probabilities the first counts as the prediction.
    ///
    /// # Errors
    /// If a probability is not from 0 to 1 but for rounding (1e-9), or there is none.
    pub fn push(&mut self, probabilities: &[f64], truth: usize) -> Result<(), ParamError> {
        const TYPE: &str = "ProbabilityScores";
        let mut best = (0, f64::NEG_INFINITY);
        for (label, &probability) in probabilities.iter().enumerate() {
            let requirement = "in [0, 1]";
            let inside = (0.0..=1.0 + 1e-9).contains(&probability);
            check::require(inside, TYPE, "probability", probability, requirement)?;
            if probability > best.1 {
                best = (label, probability);
            }
        }
        check::require(!probabilities.is_empty(), TYPE, "labels", 0.0, "at least one")?;
        let own = probabilities.get(truth).copied().unwrap_or(0.0).min(1.0);
        self.ln_loss -= own.ln();
        let rest = probabilities.iter().enumerate().filter(|(label, _)| *label != truth);
        self.squares += (1.0 - own).powi(2) + rest.map(|(_, probability)| probability.powi(2)).sum::<f64>();
        let confidence = best.1.min(1.0);
        let last = self.bins.len() - 1;
        let bin = &mut self.bins[((confidence * (last + 1) as f64) as usize).min(last)];
        bin.count += 1;
        bin.correct += u64::from(best.0 == truth);
        bin.confidence += confidence;
        Ok(())
    }

    /// The number of tokens.
    pub fn count(&self) -> u64 {
        self.bins.iter().map(|bin| bin.count).sum()
    }

    /// -Σ ln p(truth)/N, in nats; `None` of nothing.
    pub fn mean_ln_loss(&self) -> Option<f64> {
        (self.count() > 0).then(|| self.ln_loss / self.count() as f64)
    }

    /// Brier's (1950) score Σ |p - truth|²/N, from 0 to 2; `None` of nothing.
    pub fn brier(&self) -> Option<f64> {
        (self.count() > 0).then(|| self.squares / self.count() as f64)
    }

    /// The bins, by the probability of the most probable label.
    pub fn bins(&self) -> &[Bin] {
        &self.bins
    }

    /// The expected calibration error: |accuracy - mean probability| of the bins, weighted by their tokens (Guo et al. 2017). `None` of nothing.
    pub fn calibration_error(&self) -> Option<f64> {
        let gaps = self.bins.iter().map(|bin| (bin.correct as f64 - bin.confidence).abs());
        (self.count() > 0).then(|| gaps.sum::<f64>() / self.count() as f64)
    }
}
