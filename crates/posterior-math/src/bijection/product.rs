//! Maps side by side.

use super::bijector::{Bijector, check_lengths};

/// Blocks of coordinates, each with its own map: the parameters of a model.
///
/// ```
/// use posterior_math::bijection::{Bijector, Elementwise, Exp, Identity, ProductMap};
///
/// let normal = ProductMap::default().and(Elementwise::new(Identity, 1)).and(Elementwise::new(Exp, 1));
/// let mut mean_sd = [0.0; 2];
/// assert_eq!(normal.forward(&[3.0, 0.0], &mut mean_sd), 0.0);
/// assert_eq!(mean_sd, [3.0, 1.0]);
/// ```
#[derive(Debug, Default)]
pub struct ProductMap {
    blocks: Vec<Box<dyn Bijector + Send + Sync>>,
}

impl ProductMap {
    /// The same maps with another block after them.
    #[must_use]
    pub fn and(mut self, block: impl Bijector + Send + Sync + 'static) -> Self {
        self.blocks.push(Box::new(block));
        self
    }
}

impl Bijector for ProductMap {
    fn free_dim(&self) -> usize {
        self.blocks.iter().map(Bijector::free_dim).sum()
    }

    fn constrained_dim(&self) -> usize {
        self.blocks.iter().map(Bijector::constrained_dim).sum()
    }

    #[track_caller]
    fn forward(&self, mut free: &[f64], mut constrained: &mut [f64]) -> f64 {
        check_lengths(self, free.len(), constrained.len());
        let mut ln_jacobian = 0.0;
        for block in &self.blocks {
            let (x, y);
            (x, free) = free.split_at(block.free_dim());
            (y, constrained) = constrained.split_at_mut(block.constrained_dim());
            ln_jacobian += block.forward(x, y);
        }
        ln_jacobian
    }

    #[track_caller]
    fn inverse(&self, mut constrained: &[f64], mut free: &mut [f64]) {
        check_lengths(self, free.len(), constrained.len());
        for block in &self.blocks {
            let (x, y);
            (x, free) = free.split_at_mut(block.free_dim());
            (y, constrained) = constrained.split_at(block.constrained_dim());
            block.inverse(y, x);
        }
    }

    #[track_caller]
    fn pull_back_scaled(
        &self,
        mut free: &[f64],
        mut gradient: &[f64],
        volume: f64,
        mut free_gradient: &mut [f64],
    ) {
        check_lengths(self, free.len(), gradient.len());
        assert_eq!(free.len(), free_gradient.len(), "the number of free coordinates");
        for block in &self.blocks {
            let (x, g, out);
            (x, free) = free.split_at(block.free_dim());
            (g, gradient) = gradient.split_at(block.constrained_dim());
            (out, free_gradient) = free_gradient.split_at_mut(block.free_dim());
            block.pull_back_scaled(x, g, volume, out);
        }
    }
}
