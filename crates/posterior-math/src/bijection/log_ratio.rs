//! Proportions by log-ratios: the softmax with one logit fixed, and the isometric log-ratio.

use super::bijector::{Bijector, check_lengths};
use crate::check::{self, ParamError};
use crate::log_space::{ln_softmax_in_place, softmax_in_place};

/// K proportions from K - 1 free numbers: x = softmax(y₁, …, yₖ₋₁, 0).
///
/// J is that of x₁, …, xₖ₋₁: ln |J| = Σ ln xₖ, over all K. The inverse looks at ratios only.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SoftmaxMap {
    proportions: usize,
}

impl SoftmaxMap {
    /// The map to so many proportions.
    ///
    /// # Errors
    /// If there is none.
    pub fn new(proportions: usize) -> Result<Self, ParamError> {
        check::positive("Softmax", "proportions", proportions as f64)?;
        Ok(Self { proportions })
    }
}

impl Bijector for SoftmaxMap {
    fn free_dim(&self) -> usize {
        self.proportions - 1
    }

    fn constrained_dim(&self) -> usize {
        self.proportions
    }

    #[track_caller]
    fn forward(&self, free: &[f64], constrained: &mut [f64]) -> f64 {
        check_lengths(self, free.len(), constrained.len());
        constrained[..free.len()].copy_from_slice(free);
        constrained[self.proportions - 1] = 0.0;
        proportions_from_logits(constrained)
    }

    #[track_caller]
    fn inverse(&self, constrained: &[f64], free: &mut [f64]) {
        check_lengths(self, free.len(), constrained.len());
        let ln_last = constrained[self.proportions - 1].ln();
        for (y, x) in free.iter_mut().zip(constrained) {
            *y = x.ln() - ln_last;
        }
    }

    #[track_caller]
    fn pull_back_scaled(&self, free: &[f64], gradient: &[f64], volume: f64, free_gradient: &mut [f64]) {
        check_lengths(self, free.len(), gradient.len());
        assert_eq!(free.len(), free_gradient.len(), "the number of free coordinates");
        let mut logits = free.to_vec();
        logits.push(0.0);
        pull_back_to_logits(&mut logits, gradient, volume);
        free_gradient.copy_from_slice(&logits[..free.len()]);
    }
}

/// K proportions from K - 1 free numbers: the softmax of the numbers with sum 0 whose coordinates along
/// Helmert's orthonormal vectors are y.
///
/// No proportion is singled out: a rotation of y is an isometry of the log-ratios. J is that of x₁, …, xₖ₋₁:
/// ln |J| = Σ ln xₖ + ½ ln K. The inverse looks at ratios only.
///
/// # References
/// J. Egozcue, V. Pawlowsky-Glahn, G. Mateu-Figueras, C. Barceló-Vidal, Isometric logratio transformations
/// for compositional data analysis, Mathematical Geology 35, 2003.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IsometricLogRatio {
    proportions: usize,
}

impl IsometricLogRatio {
    /// The map to so many proportions.
    ///
    /// # Errors
    /// If there is none.
    pub fn new(proportions: usize) -> Result<Self, ParamError> {
        check::positive("IsometricLogRatio", "proportions", proportions as f64)?;
        Ok(Self { proportions })
    }
}

impl Bijector for IsometricLogRatio {
    fn free_dim(&self) -> usize {
        self.proportions - 1
    }

    fn constrained_dim(&self) -> usize {
        self.proportions
    }

    #[track_caller]
    fn forward(&self, free: &[f64], constrained: &mut [f64]) -> f64 {
        check_lengths(self, free.len(), constrained.len());
        from_helmert(free, constrained);
        proportions_from_logits(constrained) + 0.5 * (self.proportions as f64).ln()
    }

    #[track_caller]
    fn inverse(&self, constrained: &[f64], free: &mut [f64]) {
        check_lengths(self, free.len(), constrained.len());
        let logits: Vec<f64> = constrained.iter().map(|x| x.ln()).collect();
        to_helmert(&logits, free);
    }

    #[track_caller]
    fn pull_back_scaled(&self, free: &[f64], gradient: &[f64], volume: f64, free_gradient: &mut [f64]) {
        check_lengths(self, free.len(), gradient.len());
        assert_eq!(free.len(), free_gradient.len(), "the number of free coordinates");
        let mut logits = vec![0.0; self.proportions];
        from_helmert(free, &mut logits);
        pull_back_to_logits(&mut logits, gradient, volume);
        to_helmert(&logits, free_gradient);
    }
}

/// Replaces logits by their softmax, and returns Σ ln xₖ.
fn proportions_from_logits(logits: &mut [f64]) -> f64 {
    // The sum of logs from the logs themselves: the proportions may underflow.
    let mut ln_proportions = logits.to_vec();
    ln_softmax_in_place(&mut ln_proportions);
    softmax_in_place(logits);
    ln_proportions.iter().sum()
}

/// Replaces logits by the gradient in them: xₖ (gₖ - Σ xⱼ gⱼ) + volume (1 - K xₖ).
fn pull_back_to_logits(logits: &mut [f64], gradient: &[f64], volume: f64) {
    softmax_in_place(logits);
    let mean: f64 = logits.iter().zip(gradient).map(|(x, g)| x * g).sum();
    let proportions = logits.len() as f64;
    for (x, g) in logits.iter_mut().zip(gradient) {
        *x = *x * (g - mean) + volume * (1.0 - proportions * *x);
    }
}

/// Σᵢ yᵢ eᵢ with Helmert's vectors eᵢ = (1, …, 1, -i, 0, …, 0) / √(i (i + 1)), in O(K).
fn from_helmert(coordinates: &[f64], point: &mut [f64]) {
    let mut suffix = 0.0;
    for i in (1..point.len()).rev() {
        let scaled = coordinates[i - 1] / ((i * (i + 1)) as f64).sqrt();
        point[i] = suffix - i as f64 * scaled;
        suffix += scaled;
    }
    point[0] = suffix;
}

/// The products eᵢᵀ x with Helmert's vectors, in O(K).
fn to_helmert(point: &[f64], coordinates: &mut [f64]) {
    // Σⱼ≤ᵢ xⱼ - i xᵢ₊₁ as a sum of differences, in which a common shift is gone.
    let mut excess = 0.0;
    for i in 1..point.len() {
        excess += i as f64 * (point[i - 1] - point[i]);
        coordinates[i - 1] = excess / ((i * (i + 1)) as f64).sqrt();
    }
}
