//! What a run cost and what it gave, in the same words for all samplers.

use std::sync::atomic::{AtomicU64, Ordering};

use posterior_dist::target::{EvalError, GradTarget, Target};
use posterior_sampling::diagnostics::{Undefined, ess_bulk, rhat};

/// A target that counts its gradients.
#[derive(Debug)]
pub struct Counted<T> {
    target: T,
    gradients: AtomicU64,
}

impl<T> Counted<T> {
    /// The target, with the count at zero.
    pub const fn new(target: T) -> Self {
        Self { target, gradients: AtomicU64::new(0) }
    }

    /// Gradients so far.
    pub fn gradients(&self) -> u64 {
        self.gradients.load(Ordering::Relaxed)
    }
}

impl<T: Target> Target for Counted<T> {
    fn dim(&self) -> usize {
        self.target.dim()
    }

    fn ln_density(&self, x: &[f64]) -> Result<f64, EvalError> {
        self.target.ln_density(x)
    }
}

impl<T: GradTarget> GradTarget for Counted<T> {
    fn ln_density_grad(&self, x: &[f64], gradient: &mut [f64]) -> Result<f64, EvalError> {
        // One thread only: no need to lock the bus.
        self.gradients.store(self.gradients() + 1, Ordering::Relaxed);
        self.target.ln_density_grad(x, gradient)
    }
}

/// Chains on a target, and their cost.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Measured {
    /// The number of coordinates.
    pub dim: usize,
    /// For each chain its draws, one after another.
    pub chains: Vec<Vec<f64>>,
    /// Gradients before the draws.
    pub warm_up_gradients: u64,
    /// Gradients of the draws.
    pub gradients: u64,
    /// Seconds of processor time, the warm-up counted.
    pub seconds: f64,
    /// Divergences among the draws.
    pub divergences: usize,
}

impl Measured {
    /// The draws of a coordinate, for each chain.
    pub fn coordinate(&self, k: usize) -> Vec<Vec<f64>> {
        let of_chain = |chain: &Vec<f64>| chain.iter().skip(k).step_by(self.dim).copied().collect();
        self.chains.iter().map(of_chain).collect()
    }

    /// The chains of numbers made of each draw.
    #[must_use]
    pub fn map(&self, width: usize, mut map: impl FnMut(&[f64], &mut [f64])) -> Self {
        let chains = self.chains.iter().map(|chain| {
            let mut rows = vec![0.0; chain.len() / self.dim * width];
            for (draw, row) in chain.chunks_exact(self.dim).zip(rows.chunks_exact_mut(width)) {
                map(draw, row);
            }
            rows
        });
        Self { dim: width, chains: chains.collect(), ..self.clone() }
    }

    /// The least bulk effective sample size of the coordinates, for each thousand of gradients of the draws.
    ///
    /// # Errors
    /// Draws that are all the same, or not finite.
    pub fn ess_per_thousand_gradients(&self) -> Result<f64, Undefined> {
        let mut least = f64::INFINITY;
        for k in 0..self.dim {
            least = least.min(ess_bulk(&self.coordinate(k))?);
        }
        Ok(1e3 * least / self.gradients as f64)
    }

    /// The largest R-hat of the coordinates.
    ///
    /// # Errors
    /// Draws that are all the same, or not finite.
    pub fn worst_rhat(&self) -> Result<f64, Undefined> {
        (0..self.dim).try_fold(0.0_f64, |worst, k| Ok(worst.max(rhat(&self.coordinate(k))?)))
    }

    /// Gradients in a second of processor time, everything else that the sampler does counted in.
    pub fn gradients_per_second(&self) -> f64 {
        (self.warm_up_gradients + self.gradients) as f64 / self.seconds
    }
}
