//! The horseshoe prior: most coefficients next to zero, and a few left alone.
//!
//! βⱼ ~ N(0, σ² τ² λⱼ²) with half-Cauchy λⱼ ~ C⁺(0, 1) and τ ~ C⁺(0, 1): τ pulls all coefficients towards
//! zero, and the heavy tails of λⱼ let those go that the data insist on. Where no noise is to be measured
//! (the [logistic] regression), σ is 1. Columns are taken as they are: give them in standard units.
//!
//! The posterior is drawn by Gibbs sampling: half-Cauchy variables are inverse gamma variables whose scale is
//! one, too, so that every conditional distribution is known; of a logistic regression with Pólya-Gamma
//! variables beside them.
//!
//! # References
//! C. M. Carvalho, N. G. Polson, J. G. Scott, The horseshoe estimator for sparse signals, Biometrika 97,
//! 2010; E. Makalic, D. F. Schmidt, A simple sampler for the horseshoe estimator, IEEE Signal Processing
//! Letters 23, 2016; A. Bhattacharya, A. Chakraborty, B. K. Mallick, Fast sampling with Gaussian scale
//! mixture priors in high-dimensional regression, Biometrika 103, 2016.

mod gaussian;
mod logistic;
mod normal;
mod scales;

pub use gaussian::{HorseshoePosterior, linear};
pub use logistic::logistic;

use posterior_dist::target::{EvalError, Target};
use posterior_sampling::Draws;
use posterior_sampling::gibbs::Conditionals;
use rand::Rng;

use crate::Error;
use crate::glm::{DrawnBy, GlmDraws};

/// A state that is drawn all at once, part after part.
trait Sweep: Sync {
    fn dim(&self) -> usize;

    fn sweep<R: Rng + ?Sized>(&self, x: &mut [f64], rng: &mut R) -> Result<(), EvalError>;
}

/// A sweep as one block of Gibbs sampling, of which no density is known.
struct Block<S>(S);

impl<S: Sweep> Conditionals for Block<S> {
    fn blocks(&self) -> usize {
        1
    }

    fn draw_block<R: Rng + ?Sized>(&self, _: usize, x: &mut [f64], rng: &mut R) -> Result<(), EvalError> {
        self.0.sweep(x, rng)
    }
}

impl<S: Sweep> Target for Block<S> {
    fn dim(&self) -> usize {
        self.0.dim()
    }

    fn ln_density(&self, _: &[f64]) -> Result<f64, EvalError> {
        Err(EvalError::fatal("only conditional distributions are known, and no density"))
    }
}

/// The first coordinates of each draw, as coefficients with these names; warnings are about all coordinates.
fn coefficients(names: &[String], draws: &Draws, count: usize) -> Result<GlmDraws, Error> {
    let own = draws.map((0..count).map(|place| format!("{} {}", place + 1, names[place])), |from, to| {
        to.copy_from_slice(&from[..count]);
    })?;
    Ok(GlmDraws::of_chains(DrawnBy::Gibbs, &names[..count], &own))
}
