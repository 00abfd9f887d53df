//! Straight lines through the values at a few points: statistical linear regression.

use posterior_math::check::{self, ParamError};
use posterior_math::linalg::{DMatrix, DVector, triangularize};
use posterior_math::quadrature::GaussHermite;

use super::linearize::value_at;
use super::{Linearization, Linearize, Map};
use crate::Error;

/// The most points of a rule: more would not end in time.
const MAX_POINTS: f64 = 1e6;

/// Points around the mean at which a function is evaluated, with weights: unscented, cubature and
/// Gauss-Hermite filters.
///
/// The line is that of least squares over the points. What is left has its covariance as a sum of squares for
/// every rule here, so that covariances stay positive semidefinite although weights may be negative.
///
/// # Numerics
/// Of symmetric points the regression leaves only second differences dᵢ = (g(x₊ᵢ) + g(x₋ᵢ)) / 2 - g(x₀), i =
/// 1..n. With γ² = α² (n + κ), their mean d, and s = n d / γ², the covariance of the scaled unscented rule
/// around the line is Σ (dᵢ - d)(dᵢ - d)ᵀ / γ² + (β + α² κ / n) s sᵀ.
///
/// # References
/// S. Julier, J. Uhlmann (2004); E. Wan, R. van der Merwe (2000) for α, β, κ; I. Arasaratnam, S. Haykin
/// (2009) for cubature; Á. García-Fernández et al. (2015) for the regression.
#[derive(Debug, Clone, PartialEq)]
pub struct SigmaPoints {
    rule: Rule,
}

#[derive(Debug, Clone, PartialEq)]
enum Rule {
    /// The mean, and two points along each column of the root.
    Symmetric { alpha: f64, beta: f64, kappa: f64 },
    /// All combinations of nodes.
    Product(GaussHermite),
}

impl Default for SigmaPoints {
    fn default() -> Self {
        Self::cubature()
    }
}

impl SigmaPoints {
    /// The spherical cubature rule of degree three: 2n points √n standard deviations from the mean.
    pub const fn cubature() -> Self {
        Self { rule: Rule::Symmetric { alpha: 1.0, beta: 0.0, kappa: 0.0 } }
    }

    /// The scaled unscented rule: the mean and 2n points α √(n + κ) standard deviations from it; β = 2 takes
    /// the fourth moment of a normal distribution into the covariance. α = 10⁻³, β = 2, κ = 0 are often used;
    /// α = 1, β = 0 and κ = 0 is [`cubature`](Self::cubature).
    ///
    /// # Errors
    /// Unless α is positive, and β and κ are finite. Where it is used, n + κ must be positive, and β + α² κ /
    /// n must not be negative.
    pub fn unscented(alpha: f64, beta: f64, kappa: f64) -> Result<Self, ParamError> {
        let alpha = check::positive("SigmaPoints", "alpha", alpha)?;
        let beta = check::finite("SigmaPoints", "beta", beta)?;
        let kappa = check::finite("SigmaPoints", "kappa", kappa)?;
        Ok(Self { rule: Rule::Symmetric { alpha, beta, kappa } })
    }

    /// All combinations of the `nodes` points of Gauss and Hermite along each column of the root: nodesⁿ
    /// points.
    ///
    /// # Errors
    /// If there are fewer than two nodes or more than 10 000. Where it is used, nodesⁿ must be at most a
    /// million.
    pub fn gauss_hermite(nodes: usize) -> Result<Self, ParamError> {
        check::require(nodes > 1, "SigmaPoints", "nodes", nodes as f64, "at least 2")?;
        Ok(Self { rule: Rule::Product(GaussHermite::new(nodes)?) })
    }
}

impl<M: Map + ?Sized> Linearize<M> for SigmaPoints {
    fn linearize(
        &self,
        map: &M,
        t: usize,
        mean: &DVector<f64>,
        root: &DMatrix<f64>,
    ) -> Result<Linearization, Error> {
        match &self.rule {
            &Rule::Symmetric { alpha, beta, kappa } => {
                let n = root.ncols() as f64;
                let reach = check::positive("SigmaPoints", "n + kappa", n + kappa)?;
                let weight = beta + alpha * alpha * kappa / n;
                let weight = check::non_negative("SigmaPoints", "beta + alpha^2 kappa / n", weight)?;
                Ok(symmetric(map, t, mean, root, alpha * reach.sqrt(), weight))
            }
            Rule::Product(line) => {
                let points = (line.nodes().len() as f64).powf(root.ncols() as f64);
                let few = points <= MAX_POINTS;
                check::require(few, "SigmaPoints", "nodes^n", points, "at most a million")?;
                Ok(product(map, t, mean, root, line))
            }
        }
    }
}

/// The points `spread` columns of the root from the mean, on both sides; `weight` is that of s sᵀ.
fn symmetric<M: Map + ?Sized>(
    map: &M,
    t: usize,
    mean: &DVector<f64>,
    root: &DMatrix<f64>,
    spread: f64,
    weight: f64,
) -> Linearization {
    let (m, n) = (map.outputs(), root.ncols());
    let (mut slope, mut middles) = (DMatrix::zeros(m, n), DMatrix::zeros(m, n));
    for (i, column) in root.column_iter().enumerate() {
        let step = column * spread;
        let (up, down) = (value_at(map, t, mean, &step), value_at(map, t, mean, &-step));
        slope.set_column(i, &((&up - &down) / (2.0 * spread)));
        middles.set_column(i, &((up + down) / 2.0));
    }
    // n / γ²: how much of the mean is that of the outer points; 1 for cubature, which then needs no value at
    // the mean.
    let proportion = n as f64 / (spread * spread);
    let middle = middles.column_mean();
    let mut residual_root = DMatrix::zeros(m, n + 1);
    for (i, column) in middles.column_iter().enumerate() {
        residual_root.set_column(i, &((column - &middle) / spread));
    }
    let mut own_mean = middle;
    if weight > 0.0 || proportion != 1.0 {
        let center = value_at(map, t, mean, &DVector::zeros(mean.len()));
        let shift = (&own_mean - &center) * proportion;
        residual_root.set_column(n, &(&shift * weight.sqrt()));
        own_mean = center + shift;
    }
    Linearization { mean: own_mean, slope, residual_root }
}

/// All combinations of nodes.
fn product<M: Map + ?Sized>(
    map: &M,
    t: usize,
    mean: &DVector<f64>,
    root: &DMatrix<f64>,
    line: &GaussHermite,
) -> Linearization {
    let (m, n, nodes) = (map.outputs(), root.ncols(), line.nodes().len());
    let points = nodes.pow(n as u32);
    let mut values = DMatrix::zeros(m, points);
    let (mut own_mean, mut slope) = (DVector::zeros(m), DMatrix::zeros(m, n));
    let place = |point: usize| {
        let digits = (0..n).scan(point, |left, _| {
            let digit = *left % nodes;
            *left /= nodes;
            Some(digit)
        });
        let (mut zeta, mut weight) = (DVector::zeros(n), 1.0);
        for (i, digit) in digits.enumerate() {
            zeta[i] = line.nodes()[digit];
            weight *= line.weights()[digit];
        }
        (zeta, weight)
    };
    for point in 0..points {
        let (zeta, weight) = place(point);
        let value = value_at(map, t, mean, &(root * &zeta));
        own_mean.axpy(weight, &value, 1.0);
        slope.ger(weight, &value, &zeta, 1.0);
        values.set_column(point, &value);
    }
    for point in 0..points {
        let (zeta, weight) = place(point);
        let residual = (values.column(point) - &own_mean - &slope * zeta) * weight.sqrt();
        values.set_column(point, &residual);
    }
    Linearization { mean: own_mean, slope, residual_root: triangularize(values.transpose()).transpose() }
}
