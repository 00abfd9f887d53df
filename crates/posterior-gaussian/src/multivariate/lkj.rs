//! Lewandowski-Kurowicka-Joe distribution on the correlation matrices.

use posterior_math::linalg::{Cholesky, gram_of_rows};
use posterior_math::optimize::{RootOptions, find_root};
use posterior_math::special::{digamma_difference, ln_pochhammer, trigamma_difference};
use rand_distr::StandardNormal;

use crate::matrix_check;
use crate::prelude::*;
use posterior_dist::parametric;
use posterior_dist::sample_chi;

/// How far from one a diagonal entry may be.
const DIAGONAL_TOLERANCE: f64 = 1e-9;

/// The distribution of a random correlation matrix: the prior that goes with independent priors of the
/// standard deviations.
///
/// # Density
/// p(R) = |R|^(η - 1) / c, c = Π π^(k/2) Γ(η + (K - 1 - k) / 2) / Γ(η + (K - 1) / 2) over k = 1 … K - 1, of
/// the K (K - 1) / 2 entries below the diagonal
///
/// # Parameters
/// | symbol | here | range | elsewhere |
/// |---|---|---|---|
/// | K | `dimension` | 2, 3, … | `K` (Stan), `d` (TensorFlow Probability) |
/// | η | `concentration` | positive | `concentration` (Stan), `concentration` |
///
/// η = 1 is uniform; larger ones prefer weak correlations.
///
/// # Moments
/// mean I, variance of a correlation 1 / (2 η + K - 1), mode I for η > 1; (rᵢⱼ + 1) / 2 ~ Beta(η - 1 + K/2,
/// η - 1 + K/2)
///
/// # Numerics
/// A point is a correlation matrix if its diagonal is one within 1e-9. Draws by the onion method, row by row
/// of the factor ([`Lkj::sample_cholesky`]): normal numbers and the root of a χ², scaled to length one.
/// Beyond η = 8.9e307, where 2η is infinite, they are NaN.
///
/// # Example
/// ```
/// use posterior_dist::Density;
/// use posterior_gaussian::Lkj;
/// use posterior_math::linalg::DMatrix;
///
/// // Two coordinates: the correlation is uniform on (-1, 1).
/// let distribution = Lkj::new(2, 1.0)?;
/// assert!((distribution.ln_pdf(&DMatrix::from_row_slice(2, 2, &[1.0, 0.3, 0.3, 1.0])) - 0.5_f64.ln()).abs() < 1e-15);
/// # Ok::<(), posterior_math::ParamError>(())
/// ```
///
/// # References
/// D. Lewandowski, D. Kurowicka, H. Joe, Generating random correlation matrices based on vines and extended
/// onion method, J. Multivariate Analysis 100, 2009.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Lkj {
    dimension: usize,
    concentration: f64,
    ln_norm: f64,
}

impl Lkj {
    /// The distribution of K × K correlation matrices with the shape η.
    ///
    /// # Errors
    /// If K is below 2, or η is not positive and finite.
    pub fn new(dimension: usize, concentration: f64) -> Result<Self, ParamError> {
        check::require(dimension >= 2, "Lkj", "dimension", dimension as f64, "at least 2")?;
        check::positive("Lkj", "concentration", concentration)?;
        Ok(Self { dimension, concentration, ln_norm: ln_norm(dimension, concentration) })
    }

    /// E ln |R| = Σ ψ(η + (K - 1 - k) / 2) - ψ(η + (K - 1) / 2).
    pub fn expected_ln_determinant(&self) -> f64 {
        expected_ln_determinant(self.dimension, self.concentration)
    }

    /// The log-density of the Cholesky factor of a correlation matrix, of its entries below the diagonal: Σ
    /// (K - k + 2 η - 2) ln Lₖₖ - ln c over k = 2 … K. Where a factor is the free parameter, this is its
    /// prior.
    ///
    /// -∞ for another size, or a diagonal entry that is not positive; that the rows have length one is not
    /// checked.
    pub fn ln_pdf_cholesky(&self, factor: &DMatrix<f64>) -> f64 {
        if factor.shape() != (self.dimension, self.dimension) {
            return f64::NEG_INFINITY;
        }
        let term = |k: usize| {
            let pivot = factor[(k, k)];
            let power = (self.dimension - k) as f64 + 2.0 * self.concentration - 3.0;
            if pivot > 0.0 {
                power * pivot.ln()
            } else if pivot.is_nan() {
                pivot
            } else {
                f64::NEG_INFINITY
            }
        };
        (1..self.dimension).map(term).sum::<f64>() - self.ln_norm
    }

    /// The lower triangular factor of a draw: each row has length one.
    pub fn sample_cholesky<R: Rng + ?Sized>(&self, rng: &mut R) -> DMatrix<f64> {
        let mut factor = DMatrix::identity(self.dimension, self.dimension);
        for k in 1..self.dimension {
            let degrees = 2.0 * self.concentration + (self.dimension - 1 - k) as f64;
            let chi = sample_chi(degrees, rng);
            let mut norm = chi * chi;
            for j in 0..k {
                let normal: f64 = StandardNormal.sample(rng);
                factor[(k, j)] = normal;
                norm += normal * normal;
            }
            factor[(k, k)] = chi;
            factor.row_mut(k).unscale_mut(norm.sqrt());
        }
        factor
    }
}

/// ln c.
fn ln_norm(dimension: usize, concentration: f64) -> f64 {
    let term = |k: usize| {
        let half = 0.5 * k as f64;
        half * std::f64::consts::PI.ln()
            - ln_pochhammer(concentration + 0.5 * (dimension - 1 - k) as f64, half)
    };
    (1..dimension).map(term).sum()
}

fn expected_ln_determinant(dimension: usize, concentration: f64) -> f64 {
    let term =
        |k: usize| digamma_difference(concentration + 0.5 * (dimension - 1 - k) as f64, 0.5 * k as f64);
    -(1..dimension).map(term).sum::<f64>()
}

parametric! { Lkj, "lkj", new:
    /// The dimension K.
    dimension: usize,
    /// The concentration η.
    concentration: f64,
}

impl Density for Lkj {
    type Point = DMatrix<f64>;

    /// -∞ for what is no correlation matrix.
    fn ln_pdf(&self, x: &DMatrix<f64>) -> f64 {
        let density = |factor: &Cholesky| (self.concentration - 1.0) * factor.ln_determinant() - self.ln_norm;
        let ln_pdf = matrix_check::density_at(x, self.dimension, density);
        if has_unit_diagonal(x) || ln_pdf.is_nan() { ln_pdf } else { f64::NEG_INFINITY }
    }
}

fn has_unit_diagonal(x: &DMatrix<f64>) -> bool {
    x.diagonal().iter().all(|entry| (entry - 1.0).abs() <= DIAGONAL_TOLERANCE)
}

/// The variance is that of each entry: zero on the diagonal.
impl Moments<DMatrix<f64>, DMatrix<f64>> for Lkj {
    fn mean(&self) -> Option<DMatrix<f64>> {
        Some(DMatrix::identity(self.dimension, self.dimension))
    }

    fn variance(&self) -> Option<DMatrix<f64>> {
        let off_diagonal = (2.0 * self.concentration + self.dimension as f64 - 1.0).recip();
        let mut variance = DMatrix::from_element(self.dimension, self.dimension, off_diagonal);
        variance.fill_diagonal(0.0);
        Some(variance)
    }
}

impl Entropy for Lkj {
    fn entropy(&self) -> f64 {
        self.ln_norm - (self.concentration - 1.0) * self.expected_ln_determinant()
    }
}

impl Mode for Lkj {
    /// `None` up to η = 1: the density is constant there, and unbounded below.
    fn mode(&self) -> Option<DMatrix<f64>> {
        (self.concentration > 1.0).then(|| DMatrix::identity(self.dimension, self.dimension))
    }
}

impl KlDivergence for Lkj {
    fn kl_divergence(&self, other: &Self) -> f64 {
        if self.dimension != other.dimension {
            return f64::INFINITY;
        }
        other.ln_norm - self.ln_norm
            + (self.concentration - other.concentration) * self.expected_ln_determinant()
    }
}

impl ExponentialFamily for Lkj {
    /// K.
    type Fixed = usize;
    type Summary = Sums;

    fn fixed(&self) -> usize {
        self.dimension
    }

    fn statistic_len(_: &usize) -> usize {
        1
    }

    fn check_point(&dimension: &usize, x: &DMatrix<f64>) -> Result<(), ParamError> {
        matrix_check::length("Lkj", "rows of the point", x.nrows(), dimension)?;
        matrix_check::positive_definite("Lkj", "point", x)?;
        let furthest = x.diagonal().iter().fold(1.0, |furthest: f64, &entry| {
            if (entry - 1.0).abs() > (furthest - 1.0).abs() { entry } else { furthest }
        });
        check::require(has_unit_diagonal(x), "Lkj", "diagonal of the point", furthest, "1").map(drop)
    }

    /// The statistic ln |R|.
    fn add_statistic(_: &usize, x: &DMatrix<f64>, weight: f64, sum: &mut [f64]) {
        sum[0] += weight * Cholesky::new(x).map_or(f64::NAN, |factor| factor.ln_determinant());
    }

    /// The log partition function ln c(w + 1).
    fn ln_partition(natural: &Natural<Self>) -> f64 {
        let concentration = natural.as_slice()[0] + 1.0;
        if concentration > 0.0 { ln_norm(*natural.fixed(), concentration) } else { f64::NAN }
    }

    /// The natural parameter η - 1.
    fn natural(&self) -> Natural<Self> {
        Natural::of(self.dimension, vec![self.concentration - 1.0])
    }

    fn from_natural(natural: &Natural<Self>) -> Result<Self, ParamError> {
        Self::new(*natural.fixed(), natural.as_slice()[0] + 1.0)
    }

    /// The expectation of the statistic E ln |R|.
    fn expectation(&self) -> Expectation<Self> {
        Expectation::of(self.dimension, vec![self.expected_ln_determinant()])
    }

    /// The η whose E ln |R| is this, by bracketing ln η.
    fn from_expectation(expectation: &Expectation<Self>) -> Result<Self, ParamError> {
        let (dimension, target) = (*expectation.fixed(), expectation.as_slice()[0]);
        // ln(-E ln |R|), which falls almost linearly in ln η.
        let excess = |ln_eta: f64| (-expected_ln_determinant(dimension, ln_eta.exp())).ln() - (-target).ln();
        let concentration = find_root(excess, -690.0, 690.0, &RootOptions::default()).point.exp();
        check::require(concentration.is_finite(), "Lkj", "E ln |R|", target, "negative and finite")?;
        Self::new(dimension, concentration)
    }
}

impl FisherInformation for Lkj {
    /// The Fisher information Σ ψ₁(η + (K - 1 - k) / 2) - ψ₁(η + (K - 1) / 2).
    fn fisher_information(&self) -> DMatrix<f64> {
        let start = |k: usize| self.concentration + 0.5 * (self.dimension - 1 - k) as f64;
        let sum: f64 = (1..self.dimension).map(|k| trigamma_difference(start(k), 0.5 * k as f64)).sum();
        DMatrix::from_element(1, 1, sum)
    }
}

impl Distribution<DMatrix<f64>> for Lkj {
    fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> DMatrix<f64> {
        let mut correlations = gram_of_rows(&self.sample_cholesky(rng));
        correlations.fill_diagonal(1.0);
        correlations
    }
}
