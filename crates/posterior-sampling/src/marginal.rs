//! Densities with some coordinates integrated out: exactly where they are Gaussian given the others, and by
//! Laplace's method where they are nearly so.
//!
//! A hierarchical model has many coordinates x (effects of groups, states, latent values) and few others φ
//! (scales, correlations, coefficients). The posterior of φ alone has few dimensions and no funnel, and the
//! draws of x given φ are independent. [`IntegratedTarget`] is ln p(φ) with its gradient, made of a target
//! that knows ln p(x, φ) and its gradient only: every sampler takes it, and
//! [`conditional_draw`](IntegratedTarget::conditional_draw) adds x to a draw of φ.
//!
//! ```
//! use posterior_sampling::dist::stream::stream;
//! use posterior_sampling::dist::target::FromGradFn;
//! use posterior_sampling::hamiltonian::Nuts;
//! use posterior_sampling::marginal::{Integration, IntegratedTarget};
//! use posterior_sampling::{Run, Start};
//!
//! // Four groups: a scale exp(s) with s ~ N(0, 1), effects x ~ N(0, exp(s)²), observations y ~ N(x, 1).
//! let y = [0.3, -1.2, 2.1, 0.8];
//! let schools = FromGradFn::new(5, |point, gradient| {
//!     let (s, x) = (point[0], &point[1..]);
//!     let precision = (-2.0 * s).exp();
//!     let squares: f64 = x.iter().map(|x| x * x).sum();
//!     gradient[0] = -s - 4.0 + precision * squares;
//!     let mut value = -0.5 * s * s - 4.0 * s - 0.5 * precision * squares;
//!     for i in 0..4 {
//!         gradient[1 + i] = y[i] - x[i] - precision * x[i];
//!         value -= 0.5 * (y[i] - x[i]) * (y[i] - x[i]);
//!     }
//!     value
//! });
//! let effects = vec![vec![1, 2, 3, 4]];
//! let marginal = IntegratedTarget::new(&schools, &effects, Integration::Gaussian, &[0.0; 5])?;
//! assert_eq!(marginal.coordinates(), [0]); // s is left
//!
//! let sampled = Run { seed: 1, ..Run::default() }.sample(&marginal, &Nuts::default(), &Start::default())?;
//! let whole = marginal.conditional_draw(sampled.draws.draw(0, 0), &mut stream(2, &[]))?;
//! assert_eq!(whole.point.len(), 5);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # How it is computed
//! The second derivatives by x are differences of gradients, which are exact where x is Gaussian; their
//! pattern is found once. All coordinates of one depth in the tree of the elimination of that pattern
//! are moved together, so that as many gradients as the tree has depths give the whole matrix: one for groups
//! that are independent given φ, two where each has an intercept and a slope, log₂ T for a chain of T states.
//! By Fisher's identity ∂ ln p(φ) is the mean of ∂ ln p(x, φ) over x given φ. That mean is a sum over as many
//! points and one more, for the density is of the second degree in x: points whose second moments are those
//! of x wherever two coordinates bend it together.
//!
//! # References
//! M. J. D. Powell, P. L. Toint, On the estimation of sparse Hessian matrices, SIAM J. Numer. Anal. 16, 1979;
//! L. Tierney, J. B. Kadane, Accurate approximations for posterior moments and marginal densities, JASA 81,
//! 1986; C. C. Margossian and others, Hamiltonian Monte Carlo using an adjoint-differentiated Laplace
//! approximation, NeurIPS 33, 2020.

mod exact;
mod laplace;
mod structure;

use posterior_dist::target::{EvalError, GradTarget, Target};
use posterior_math::check;
use posterior_math::log_space::ln_add_exp;
use posterior_math::sparse::SparseCholesky;
use rand::{Rng, RngExt as _};
use rand_distr::{Distribution as _, StandardNormal};

use crate::Error;
use crate::importance::ln_density_or_zero;
use structure::Structure;

/// Draws of a Gaussian of which one is taken.
const CANDIDATES: u32 = 16;

/// How coordinates are integrated out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Integration {
    /// Exactly: given the others they are Gaussian.
    Gaussian,
    /// By Laplace's method: given the others their density has one mode, and is taken as Gaussian there.
    Laplace,
}

/// ln of the density of some coordinates of a target, with the others integrated out.
///
/// See the [module](self).
#[derive(Debug, Clone)]
pub struct IntegratedTarget<T> {
    target: T,
    structure: Structure,
    /// The coordinates that are left.
    rest: Vec<usize>,
    integration: Integration,
    /// Where the search for the mode of the block begins, and steps of its coordinates: about as wide as it
    /// is.
    centre: Vec<f64>,
    steps: Vec<f64>,
}

/// A draw of all coordinates.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ConditionalDraw {
    /// All coordinates of the target.
    pub point: Vec<f64>,
    /// ln of the density of the target at the point over the density that it was drawn from: the marginal one
    /// times that of the block given the rest. Zero where both are exact; weights for
    /// [`pareto_smoothed`](crate::importance::pareto_smoothed), whose k̂ says whether an approximation holds.
    pub ln_weight: f64,
}

/// The block given the rest.
struct Conditional {
    mode: Vec<f64>,
    /// ln of the density of the target at the mode.
    ln_density: f64,
    factor: SparseCholesky,
}

impl Conditional {
    /// ln of the integral over the block.
    fn ln_integral(&self) -> f64 {
        let width = self.mode.len() as f64 * std::f64::consts::TAU.ln();
        self.ln_density + 0.5 * (width - self.factor.ln_determinant())
    }
}

impl<T: GradTarget> IntegratedTarget<T> {
    /// Integrates out groups of coordinates of a target; which of them depend on each other is found by
    /// moving each one. `start` is a point with a density.
    ///
    /// A group is left in the target where integrating it costs more than sampling it: where each of its
    /// coordinates depends on so many others that it takes a gradient of its own, as coefficients do that all
    /// observations share.
    ///
    /// Costs two gradients for each coordinate of the groups, once, and then
    /// [`gradients_per_evaluation`](Self::gradients_per_evaluation).
    ///
    /// # Errors
    /// No coordinates in the groups, or all of the target; one that is in two groups or that the target does
    /// not have; a start without a density, or at which the block has no mode.
    pub fn new(
        target: T,
        groups: &[Vec<usize>],
        integration: Integration,
        start: &[f64],
    ) -> Result<Self, Error> {
        let dim = target.dim();
        check::dimension("coordinates of the start", dim, start.len())?;
        let mut block: Vec<usize> = groups.concat();
        block.sort_unstable();
        check::at_least_one("IntegratedTarget", "coordinates", block.len())?;
        let requirement = "fewer than the target has: of a Gaussian there is nothing to sample";
        check::require(block.len() != dim, "IntegratedTarget", "coordinates", dim as f64, requirement)?;
        let places =
            block.last().is_some_and(|last| *last < dim) && block.windows(2).all(|two| two[0] < two[1]);
        let requirement = "different ones of the target";
        check::require(places, "IntegratedTarget", "coordinates", block.len() as f64, requirement)?;
        let structure = Structure::new(&target, block, start)?.without_alone(groups)?;
        let rest = (0..dim).filter(|at| !structure.block.contains(at)).collect();
        let centre = structure.block.iter().map(|&at| start[at]).collect();
        let steps = vec![1.0; structure.len()];
        let mut own = Self { target, structure, rest, integration, centre, steps };
        let mut point = start.to_vec();
        let found = match integration {
            Integration::Gaussian => own.gaussian(&mut point)?,
            Integration::Laplace => own.mode(&mut point)?.conditional,
        };
        // Where x is about that wide the differences lose the fewest digits.
        let spreads = found.factor.selected_inverse().diagonal();
        own.steps = spreads.into_iter().map(f64::sqrt).collect();
        own.centre = found.mode;
        Ok(own)
    }

    /// The coordinates of the target that are left, in their order: those of this density.
    pub fn coordinates(&self) -> &[usize] {
        &self.rest
    }

    /// The coordinates of the target that are integrated out.
    pub fn integrated(&self) -> &[usize] {
        &self.structure.block
    }

    /// How many gradients of the target one density with its gradient takes; by Laplace's method so many for
    /// each step of the search for the mode.
    pub const fn gradients_per_evaluation(&self) -> usize {
        2 * self.structure.depths.len() + 2
    }

    /// The coordinates that are left of a point of the target.
    ///
    /// # Panics
    /// If the point has fewer coordinates than the target.
    pub fn rest_of(&self, point: &[f64]) -> Vec<f64> {
        self.rest.iter().map(|&at| point[at]).collect()
    }

    /// Draws the integrated coordinates given the others. By Laplace's method, one of 16 draws of the
    /// Gaussian by their weights: nearly one of the distribution itself, and the mean of the weights is kept.
    ///
    /// # Errors
    /// A point without a marginal density.
    ///
    /// # Panics
    /// Unless `rest` has the coordinates of this density.
    pub fn conditional_draw<R: Rng + ?Sized>(
        &self,
        rest: &[f64],
        rng: &mut R,
    ) -> Result<ConditionalDraw, EvalError> {
        let mut point = self.whole(rest);
        let found = self.conditional(&mut point)?;
        let count = match self.integration {
            Integration::Gaussian => 1,
            Integration::Laplace => CANDIDATES,
        };
        let (mut chosen, mut total) = (point.clone(), f64::NEG_INFINITY);
        for _ in 0..count {
            let mut moved: Vec<f64> = (0..self.structure.len()).map(|_| StandardNormal.sample(rng)).collect();
            let squares: f64 = moved.iter().map(|e| e * e).sum();
            found.factor.half_solve_transpose_slice_in_place(&mut moved);
            self.put(&mut point, |i| found.mode[i] + moved[i]);
            let ln_density = ln_density_or_zero(self.target.ln_density(&point), &mut 0)?;
            let ln_weight = ln_density - found.ln_density + 0.5 * squares;
            total = ln_add_exp(total, ln_weight);
            // Each is the one so far with its share of the weight so far.
            if total == f64::NEG_INFINITY || rng.random::<f64>().ln() <= ln_weight - total {
                chosen.copy_from_slice(&point);
            }
        }
        Ok(ConditionalDraw { point: chosen, ln_weight: total - f64::from(count).ln() })
    }

    /// A point of the target with these coordinates; those of the block are at its centre.
    fn whole(&self, rest: &[f64]) -> Vec<f64> {
        assert_eq!(rest.len(), self.rest.len(), "coordinates of the marginal density");
        let mut point = vec![0.0; self.target.dim()];
        for (&at, x) in self.rest.iter().zip(rest) {
            point[at] = *x;
        }
        self.put(&mut point, |i| self.centre[i]);
        point
    }

    /// Writes the coordinates of the block.
    fn put(&self, point: &mut [f64], value: impl Fn(usize) -> f64) {
        for (i, &at) in self.structure.block.iter().enumerate() {
            point[at] = value(i);
        }
    }

    /// The gradient of the target with the block here; it has a value.
    fn gradient(
        &self,
        point: &mut [f64],
        block: impl Fn(usize) -> f64,
    ) -> Result<(f64, Vec<f64>), EvalError> {
        self.put(point, block);
        let mut gradient = vec![0.0; point.len()];
        let value = self.target.ln_density_grad(point, &mut gradient)?;
        if value.is_finite() && gradient.iter().all(|slope| slope.is_finite()) {
            Ok((value, gradient))
        } else {
            Err(EvalError::reject("the density or its gradient has no value where it is integrated"))
        }
    }

    /// The derivatives by the block of a gradient of the target.
    fn slopes(&self, gradient: &[f64]) -> Vec<f64> {
        self.structure.block.iter().map(|&at| gradient[at]).collect()
    }

    fn conditional(&self, point: &mut [f64]) -> Result<Conditional, EvalError> {
        match self.integration {
            Integration::Gaussian => {
                let mut found = self.gaussian(point)?;
                self.put(point, |i| found.mode[i]);
                found.ln_density = self.target.ln_density(point)?;
                Ok(found)
            }
            Integration::Laplace => Ok(self.mode(point)?.conditional),
        }
    }
}

impl<T: GradTarget> Target for IntegratedTarget<T> {
    fn dim(&self) -> usize {
        self.rest.len()
    }

    fn ln_density(&self, rest: &[f64]) -> Result<f64, EvalError> {
        Ok(self.conditional(&mut self.whole(rest))?.ln_integral())
    }
}

impl<T: GradTarget> GradTarget for IntegratedTarget<T> {
    fn ln_density_grad(&self, rest: &[f64], gradient: &mut [f64]) -> Result<f64, EvalError> {
        let mut point = self.whole(rest);
        let (value, all) = match self.integration {
            Integration::Gaussian => self.gaussian_gradient(&mut point)?,
            Integration::Laplace => self.laplace_gradient(&mut point)?,
        };
        for (slope, &at) in gradient.iter_mut().zip(&self.rest) {
            *slope = all[at];
        }
        Ok(value)
    }
}
