//! What a covariance function can do.

use std::fmt;

use posterior_kalman::continuous::Process;
use posterior_math::check::ParamError;
use posterior_math::linalg::DMatrix;

use super::SpectralDistribution;
use super::{InputTile, Kernel, KernelParameter, Tile};
use crate::Error;

/// How kernels are approximated of which no process with finitely many states has the covariance.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ProcessOptions {
    /// The number of states for `rbf`, up to 12: its error falls about tenfold with two more. 0 by default,
    /// which refuses it.
    pub rbf_states: usize,
    /// The largest error of a `periodic` kernel, which is cut off after some harmonics. 10^-9 by default.
    pub periodic_error: f64,
}

impl Default for ProcessOptions {
    fn default() -> Self {
        Self { rbf_states: 0, periodic_error: 1e-9 }
    }
}

/// A covariance function: symmetric, and positive semidefinite on any finite set of inputs.
///
/// Five methods say what it is: k, its gradient, its parameters, and how it is written. Gram matrices are
/// made of tiles, all pairs of a few rows and a few columns, which fit into the cache; a covariance that can
/// do better than pair by pair has its own [`fill`](Self::fill) and [`pull_back`](Self::pull_back).
pub trait CovarianceFunction: fmt::Debug + Send + Sync {
    /// k(x, x'): plain and slow; what the tiles are tested against.
    fn value(&self, x: &[f64], y: &[f64]) -> f64;

    /// Writes ∂k(x, x')/∂φ for each parameter on its free scale φ: plain and slow too.
    fn gradient(&self, x: &[f64], y: &[f64], gradient: &mut [f64]);

    /// The parameters that a fit may move.
    fn parameters(&self) -> Vec<KernelParameter>;

    /// How many parameters there are.
    fn number_of_parameters(&self) -> usize {
        self.parameters().len()
    }

    /// The same with other values of the parameters; there is one for each.
    ///
    /// # Errors
    /// If a value can't be.
    fn with_parameters(&self, values: &[f64]) -> Result<Kernel, ParamError>;

    /// Writes the expression, as it is read.
    ///
    /// # Errors
    /// If the formatter does not take it.
    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result;

    /// The number of coordinates that an input must have; `None` if any.
    fn dimension(&self) -> Option<usize> {
        None
    }

    /// Whether these inputs, which are finite, are in the domain; wrong sizes are found before.
    ///
    /// # Errors
    /// What is wrong with them.
    fn check(&self, _inputs: &DMatrix<f64>) -> Result<(), Error> {
        Ok(())
    }

    /// Writes k of all pairs of a tile, column by column.
    fn fill(&self, tile: &Tile<'_>, values: &mut [f64]) {
        tile.for_each_pair(|index, x, y| values[index] = self.value(x, y));
    }

    /// Adds Σ wᵢⱼ ∂k(xᵢ, x'ⱼ)/∂φ to `gradient`, for each parameter on its free scale φ; weights as the values
    /// of [`fill`](Self::fill).
    fn pull_back(&self, tile: &Tile<'_>, weights: &[f64], gradient: &mut [f64]) {
        if gradient.is_empty() {
            return;
        }
        let mut one = vec![0.0; gradient.len()];
        tile.for_each_pair(|index, x, y| {
            self.gradient(x, y, &mut one);
            add_multiple(gradient, weights[index], &one);
        });
    }

    /// [`fill`](Self::fill) and [`pull_back`](Self::pull_back) at once: what both need is computed once.
    fn fill_and_pull_back(&self, tile: &Tile<'_>, weights: &[f64], values: &mut [f64], gradient: &mut [f64]) {
        self.fill(tile, values);
        self.pull_back(tile, weights, gradient);
    }

    /// Writes k(x, x) of each point.
    fn diagonal(&self, points: &InputTile<'_>, values: &mut [f64]) {
        points.for_each(|index, x| values[index] = self.value(x, x));
    }

    /// Adds Σ wᵢ ∂k(xᵢ, xᵢ)/∂φ to `gradient`.
    fn pull_back_diagonal(&self, points: &InputTile<'_>, weights: &[f64], gradient: &mut [f64]) {
        if gradient.is_empty() {
            return;
        }
        let mut one = vec![0.0; gradient.len()];
        points.for_each(|index, x| {
            self.gradient(x, x, &mut one);
            add_multiple(gradient, weights[index], &one);
        });
    }

    /// The Gauss-Markov process in one dimension of time with this covariance, of a kernel that stands alone:
    /// its parameters are those of the kernel, in the same order. None by default.
    fn process(&self, _options: &ProcessOptions) -> Option<Process> {
        None
    }

    /// The distribution of frequencies, of a stationary kernel that stands alone. None by default.
    fn spectral_distribution(&self) -> Option<SpectralDistribution> {
        None
    }

    /// The name of a function in Rust that the text of the kernel does not hold: with one it can be printed,
    /// but not read again, and serde refuses to write it. None by default, and only asked of a kernel that
    /// stands alone.
    fn function_name(&self) -> Option<String> {
        None
    }

    /// ∂k(x, x')/∂x for each coordinate, of a kernel that stands alone; any finite number where there is
    /// none, as at x = x' of a rough kernel. None by default: inducing inputs cannot be fitted then.
    fn input_slope(&self, _x: &[f64], _y: &[f64]) -> Option<Vec<f64>> {
        None
    }

    /// What the expression is made of.
    fn structure(&self) -> Structure<'_> {
        Structure::Leaf
    }
}

/// What an expression is made of.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub enum Structure<'a> {
    /// A kernel that stands alone.
    Leaf,
    /// Terms.
    Sum(&'a [Kernel]),
    /// Factors.
    Product(&'a [Kernel]),
    /// A variance and what it multiplies.
    Scaled(f64, &'a Kernel),
    /// A kernel whose parameters no fit moves.
    Fixed(&'a Kernel),
}

fn add_multiple(sum: &mut [f64], weight: f64, terms: &[f64]) {
    for (sum, term) in sum.iter_mut().zip(terms) {
        *sum += weight * term;
    }
}
