//! Gibbs sampling: each block of coordinates from its distribution given all others.
//!
//! A block is drawn from its full conditional distribution, which leaves the joint distribution alone: it is
//! Metropolis-Hastings with a = 1. A target says how by [`Conditionals`]; closures do it too
//! ([`BlockConditionals`]). Where a block has no such distribution that one can draw from, take a step of
//! another kernel: a [`Cycle`](crate::composite::Cycle) of [`Gibbs`] and of Metropolis-Hastings on a block
//! ([`OnBlock`](crate::metropolis::OnBlock)) is Metropolis within Gibbs.
//!
//! The chain can only go where its blocks lead, one at a time: where coordinates determine each other it may
//! be reducible, and where they go together it is slow. Of two normal coordinates with correlation ρ, each
//! sweep keeps ρ² of the deviation.
//!
//! # References
//! S. Geman, D. Geman, Stochastic relaxation, Gibbs distributions, and the Bayesian restoration of images,
//! IEEE Trans. Pattern Anal. 6 (1984). G. O. Roberts, S. K. Sahu, Updating schemes, correlation structure,
//! blocking and parameterization for the Gibbs sampler, J. R. Stat. Soc. B 59 (1997).

mod blocks;
mod scan;

pub use blocks::{BlockConditionals, NoDensity};
pub use scan::{Gibbs, Scan, Swept, Visitor};

use posterior_dist::target::EvalError;
use rand::Rng;

/// A distribution whose blocks can be drawn from their distributions given all other coordinates.
pub trait Conditionals {
    /// How many blocks.
    fn blocks(&self) -> usize;

    /// Draws the coordinates of a block, given those of the others, which stay.
    ///
    /// # Errors
    /// [`EvalError`] ends the run: a conditional distribution that does not exist.
    ///
    /// # Panics
    /// May panic if there is no such block, or `x` has not as many coordinates as the target.
    fn draw_block<R: Rng + ?Sized>(&self, block: usize, x: &mut [f64], rng: &mut R) -> Result<(), EvalError>;
}

impl<C: Conditionals + ?Sized> Conditionals for &C {
    fn blocks(&self) -> usize {
        (**self).blocks()
    }

    fn draw_block<R: Rng + ?Sized>(&self, block: usize, x: &mut [f64], rng: &mut R) -> Result<(), EvalError> {
        (**self).draw_block(block, x, rng)
    }
}
