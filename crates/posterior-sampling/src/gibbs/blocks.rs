//! Conditional distributions from closures.

use std::fmt;

use posterior_dist::target::{EvalError, GradTarget, Target};
use rand::Rng;

use super::Conditionals;

type Draw<'a> = dyn Fn(&mut [f64], &mut dyn Rng) -> Result<(), EvalError> + Send + Sync + 'a;

/// A target whose blocks are drawn by closures, each of which writes its coordinates.
///
/// ```
/// use posterior_dist::Normal;
/// use posterior_sampling::gibbs::{BlockConditionals, Gibbs};
/// use posterior_sampling::{Untuned, Run, Start};
/// use rand_distr::Distribution;
///
/// // Two standard normal coordinates with correlation 0.8.
/// let draw = |given: f64, rng: &mut dyn rand::Rng| {
///     Normal::mean_sd(0.8 * given, 0.6).map(|distribution| distribution.sample(rng)).unwrap_or(f64::NAN)
/// };
/// let target = BlockConditionals::of_dim(2)
///     .with(move |x, rng| Ok(x[0] = draw(x[1], rng)))
///     .with(move |x, rng| Ok(x[1] = draw(x[0], rng)));
/// let sampled = Run::default().sample(&target, &Untuned(Gibbs::systematic()), &Start::default())?;
/// assert_eq!(sampled.draws.len(), 1000);
/// # Ok::<(), posterior_sampling::Error>(())
/// ```
pub struct BlockConditionals<'a, T> {
    target: T,
    draws: Vec<Box<Draw<'a>>>,
}

/// A distribution of which only conditional distributions are known: to ask for its density ends the run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NoDensity {
    dim: usize,
}

impl BlockConditionals<'_, NoDensity> {
    /// In so many dimensions, with conditional distributions alone and no density.
    pub const fn of_dim(dim: usize) -> Self {
        Self { target: NoDensity { dim }, draws: Vec::new() }
    }
}

impl<'a, T> BlockConditionals<'a, T> {
    /// Of this target, with no block yet.
    pub const fn new(target: T) -> Self {
        Self { target, draws: Vec::new() }
    }

    /// With one block more.
    #[must_use]
    pub fn with(
        mut self,
        draw: impl Fn(&mut [f64], &mut dyn Rng) -> Result<(), EvalError> + Send + Sync + 'a,
    ) -> Self {
        self.draws.push(Box::new(draw));
        self
    }
}

impl<T: fmt::Debug> fmt::Debug for BlockConditionals<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { target, draws } = self;
        f.debug_struct("Blocks").field("target", target).field("blocks", &draws.len()).finish_non_exhaustive()
    }
}

impl<T> Conditionals for BlockConditionals<'_, T> {
    fn blocks(&self) -> usize {
        self.draws.len()
    }

    fn draw_block<R: Rng + ?Sized>(
        &self,
        block: usize,
        x: &mut [f64],
        mut rng: &mut R,
    ) -> Result<(), EvalError> {
        self.draws[block](x, &mut rng)
    }
}

impl<T: Target> Target for BlockConditionals<'_, T> {
    fn dim(&self) -> usize {
        self.target.dim()
    }

    fn ln_density(&self, x: &[f64]) -> Result<f64, EvalError> {
        self.target.ln_density(x)
    }
}

impl<T: GradTarget> GradTarget for BlockConditionals<'_, T> {
    fn ln_density_grad(&self, x: &[f64], gradient: &mut [f64]) -> Result<f64, EvalError> {
        self.target.ln_density_grad(x, gradient)
    }
}

impl Target for NoDensity {
    fn dim(&self) -> usize {
        self.dim
    }

    fn ln_density(&self, _: &[f64]) -> Result<f64, EvalError> {
        Err(EvalError::fatal("only conditional distributions are known, and no density"))
    }
}
