//! What is known of the particles when they move.

use posterior_math::linalg::{DMatrix, DVector};

/// The particles of one temperature, weighted, before they move: what a kernel can be tuned to.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct TemperingStage {
    /// The inverse temperature.
    pub beta: f64,
    /// Their mean.
    pub mean: DVector<f64>,
    /// Their covariance, with weights; singular if fewer particles than coordinates are left.
    pub covariance: DMatrix<f64>,
    /// A factor for the step size, 1 at first: it rises and falls until the acceptance rate is the wanted
    /// one.
    pub scale: f64,
}

impl TemperingStage {
    /// The step size 2.38 / √n of a random walk, times [`scale`](Self::scale) and the root of the mean
    /// variance of the coordinates.
    pub fn step_size(&self) -> f64 {
        let n = self.mean.len() as f64;
        self.scale * 2.38 / n.sqrt() * (self.covariance.trace() / n).sqrt()
    }
}

/// What happened at one temperature.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct StageReport {
    /// The inverse temperature.
    pub beta: f64,
    /// The effective sample size after the weights were updated, before resampling.
    pub ess: f64,
    /// Whether the particles were resampled.
    pub resampled: bool,
    /// The factor of the step size.
    pub scale: f64,
    /// The mean `acceptance_rate` of the moves; NaN if the kernel has none.
    pub acceptance_rate: f64,
    /// How far the moves took the particles: the mean square of the way over twice the variance, both summed
    /// over the coordinates. About 1 if they went to independent points; near 0 they stayed, and the estimate
    /// of the evidence is worse than its spread says.
    pub renewal: f64,
}
