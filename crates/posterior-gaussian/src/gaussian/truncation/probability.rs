//! The probability of a box.

use posterior_dist::Univariate;
use posterior_math::check::{self, ParamError};
use posterior_math::quadrature::{QuadratureOptions, gauss_kronrod};
use posterior_math::streaming::MeanVariance;

use super::lattice::{coordinate, generators, shift};
use super::ordering::OrderedBox;
use super::tilting::Tilted;
use crate::gaussian::Gaussian;

/// Up to here the probability is an integral by quadrature.
const QUADRATURE_UP_TO: usize = 3;

/// How many points of the lattice, and how often.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BoxOptions {
    /// Points of the lattice.
    pub points: usize,
    /// Copies of it, each shifted for itself: their means give the standard error.
    pub copies: usize,
    /// The seed of the shifts.
    pub seed: u64,
}

impl Default for BoxOptions {
    /// 12 copies of 2,000 points.
    fn default() -> Self {
        Self { points: 2000, copies: 12, seed: 1 }
    }
}

impl BoxOptions {
    pub(super) fn check(&self) -> Result<(), ParamError> {
        check::at_least_one("BoxOptions", "points", self.points)?;
        check::require(self.copies >= 2, "BoxOptions", "copies", self.copies as f64, "at least 2").map(drop)
    }
}

/// The probability of a box, with what is known of its error.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BoxProbability {
    /// The logarithm of the probability.
    pub ln_probability: f64,
    /// The standard error over the probability; of an integral by quadrature a bound of the error.
    pub relative_error: f64,
}

impl BoxProbability {
    /// The probability, which may be too small for f64.
    pub fn probability(&self) -> f64 {
        self.ln_probability.exp()
    }
}

impl Gaussian {
    /// P(low ≤ X ≤ high) in all coordinates, of which ends may be infinite; with `low` = -∞ it is the
    /// distribution function.
    ///
    /// Relative precision, however small the probability: importance sampling from independent truncated
    /// normal variables with the means of Botev's minimax tilting, whose weights are bounded, at the points
    /// of a shifted lattice. In up to three dimensions the same integral by adaptive quadrature, to some 10
    /// digits.
    ///
    /// # Errors
    /// If there is not one end for each coordinate, one lower end is not below the upper one, the interval of
    /// a coordinate has no probability in f64, or the search for the means does not end; no points, or fewer
    /// than two copies.
    ///
    /// # Cost
    /// O(n²) for each of `points` · `copies` points after O(n³) steps of a search, some 10 ms in 10
    /// dimensions with the default options; in three dimensions some 10⁵ weights, tenths of a second.
    ///
    /// ```
    /// use posterior_gaussian::{BoxOptions, Gaussian};
    /// use posterior_math::linalg::DMatrix;
    ///
    /// // Both positive: 1/4 + arcsin(1/2) / 2π.
    /// let gaussian = Gaussian::new(&[0.0, 0.0], &DMatrix::from_row_slice(2, 2, &[1.0, 0.5, 0.5, 1.0]))?;
    /// let both = gaussian.box_probability(&[0.0; 2], &[f64::INFINITY; 2], &BoxOptions::default())?;
    /// assert!((both.probability() - 1.0 / 3.0).abs() < 1e-10);
    /// # Ok::<(), posterior_math::ParamError>(())
    /// ```
    ///
    /// # References
    /// A. Genz, Numerical computation of multivariate normal probabilities, Journal of Computational and
    /// Graphical Statistics 1 (1992); Z. I. Botev, Simulation and
    /// estimation via minimax tilting, Journal of the Royal Statistical Society B 79 (2017).
    pub fn box_probability(
        &self,
        low: &[f64],
        high: &[f64],
        options: &BoxOptions,
    ) -> Result<BoxProbability, ParamError> {
        options.check()?;
        if self.dimension() == 0 {
            return Ok(BoxProbability { ln_probability: 0.0, relative_error: 0.0 });
        }
        let tilted = Tilted::new(OrderedBox::new(self, low, high)?)?;
        Ok(probability(&tilted, options))
    }
}

pub(super) fn probability(tilted: &Tilted, options: &BoxOptions) -> BoxProbability {
    let (value, error) = if tilted.dimension() <= QUADRATURE_UP_TO {
        by_quadrature(tilted)
    } else {
        by_lattice(tilted, options)
    };
    BoxProbability { ln_probability: tilted.ln_bound + value.ln(), relative_error: error / value }
}

/// The mean weight over its bound, and its standard error.
fn by_lattice(tilted: &Tilted, options: &BoxOptions) -> (f64, f64) {
    let inner = tilted.dimension() - 1;
    let generators = generators(inner);
    let mut means = MeanVariance::new();
    let mut z = vec![0.0; inner];
    for copy in 0..options.copies {
        let shift = shift(inner, options.seed, copy as u64);
        let sum: f64 = (0..options.points)
            .map(|index| {
                let ln_weight = tilted.propose(&mut z, |place, within| {
                    within.quantile(coordinate(generators[place], shift[place], index))
                });
                (ln_weight - tilted.ln_bound).exp()
            })
            .sum();
        means.push(sum / options.points as f64);
    }
    (means.mean(), (means.sample_variance() / options.copies as f64).sqrt())
}

/// The same as an integral over the unit square, or interval.
fn by_quadrature(tilted: &Tilted) -> (f64, f64) {
    let inner = tilted.dimension() - 1;
    let weight = |u: [f64; 2]| {
        let mut z = [0.0; 2];
        let ln_weight = tilted.propose(&mut z[..inner], |place, within| within.quantile(u[place]));
        (ln_weight - tilted.ln_bound).exp()
    };
    let options = |relative: f64| QuadratureOptions { relative, ..QuadratureOptions::default() };
    let found = match inner {
        0 => return (weight([0.0; 2]), f64::EPSILON),
        1 => gauss_kronrod(|u| weight([u, 0.0]), 0.0, 1.0, &options(1e-12)),
        _ => gauss_kronrod(
            |u| gauss_kronrod(|v| weight([u, v]), 0.0, 1.0, &options(1e-11)).value,
            0.0,
            1.0,
            &QuadratureOptions { max_evaluations: 2100, ..options(1e-10) },
        ),
    };
    (found.value, found.error + 1e-12 * found.value)
}
