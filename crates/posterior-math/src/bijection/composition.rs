//! One map after the other.

use super::bijector::{Bijector, check_lengths};
use crate::check::{self, ParamError};

/// `second` after `first`.
///
/// ```
/// use posterior_math::bijection::{AffineMap, Bijector, Composition, Elementwise, Ordered};
///
/// let descending = Composition::new(Ordered::new(3), Elementwise::new(AffineMap::new(0.0, -1.0)?, 3))?;
/// let mut point = [0.0; 3];
/// descending.forward(&[0.0, 0.0, 0.0], &mut point);
/// assert_eq!(point, [0.0, -1.0, -2.0]);
/// # Ok::<(), posterior_math::ParamError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Composition<A, B> {
    first: A,
    second: B,
}

impl<A: Bijector, B: Bijector> Composition<A, B> {
    /// The map free ↦ second(first(free)).
    ///
    /// # Errors
    /// If `first` gives points with more coordinates than are free, or `second` takes another number of
    /// coordinates.
    pub fn new(first: A, second: B) -> Result<Self, ParamError> {
        let middle = first.constrained_dim();
        let fits = first.free_dim() == middle && second.free_dim() == middle;
        check::require(fits, "Composition", "dimension between the maps", middle as f64, "free for both")?;
        Ok(Self { first, second })
    }
}

impl<A: Bijector, B: Bijector> Bijector for Composition<A, B> {
    fn free_dim(&self) -> usize {
        self.first.free_dim()
    }

    fn constrained_dim(&self) -> usize {
        self.second.constrained_dim()
    }

    #[track_caller]
    fn forward(&self, free: &[f64], constrained: &mut [f64]) -> f64 {
        check_lengths(self, free.len(), constrained.len());
        let mut middle = vec![0.0; self.first.constrained_dim()];
        let inner = self.first.forward(free, &mut middle);
        inner + self.second.forward(&middle, constrained)
    }

    #[track_caller]
    fn inverse(&self, constrained: &[f64], free: &mut [f64]) {
        check_lengths(self, free.len(), constrained.len());
        let mut middle = vec![0.0; self.first.constrained_dim()];
        self.second.inverse(constrained, &mut middle);
        self.first.inverse(&middle, free);
    }

    #[track_caller]
    fn pull_back_scaled(&self, free: &[f64], gradient: &[f64], volume: f64, free_gradient: &mut [f64]) {
        check_lengths(self, free.len(), gradient.len());
        let dim = self.first.constrained_dim();
        let (mut middle, mut middle_gradient) = (vec![0.0; dim], vec![0.0; dim]);
        self.first.forward(free, &mut middle);
        self.second.pull_back_scaled(&middle, gradient, volume, &mut middle_gradient);
        self.first.pull_back_scaled(free, &middle_gradient, volume, free_gradient);
    }
}
