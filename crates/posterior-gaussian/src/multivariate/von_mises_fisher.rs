//! Von Mises-Fisher distribution on the unit sphere.

mod ratio;

use posterior_dist::Beta;
use posterior_math::check::require;
use posterior_math::special::{LN_TAU, bessel_i_remainder, ln_bessel_i0, ln_gamma};
use posterior_math::vector::dot;
use rand_distr::StandardNormal;
use ratio::{mean_length, mean_length_slope};

use crate::matrix_check;
use crate::prelude::*;

/// How far from one the length of a point may be.
const LENGTH_TOLERANCE: f64 = 1e-9;

/// The distribution of a direction in ℝᵖ about a mean direction: the normal distribution of the sphere, and
/// that of angles for p = 2.
///
/// # Density
/// p(x) = κ^(p/2 - 1) / ((2π)^(p/2) I_(p/2 - 1)(κ)) e^(κ μᵀx) with respect to the area of the sphere |x| = 1
///
/// # Parameters
/// | symbol | here | range | elsewhere |
/// |---|---|---|---|
/// | μ | `mean_direction` | length 1, p ≥ 2 | `mu` (SciPy, R's movMF: θ/κ) |
/// | κ | `concentration` | not negative | `kappa` (SciPy) |
///
/// # Moments
/// With A = I_(p/2)(κ) / I_(p/2 - 1)(κ): mean A μ, covariance A/κ (I - μμᵀ) + (1 - A² - (p - 1) A/κ) μμᵀ,
/// mode μ for κ > 0, entropy -ln p(μ) + κ (1 - A)
///
/// # Numerics
/// The normalizer is Debye's leading term and what is left of the Bessel function, for κ from 0 to 10³⁰⁰. A
/// point is a direction if its length is one within 1e-9. Draws by rejection from a beta distribution (Wood),
/// of which two of three are accepted whatever κ and p, by the distances from μ, which keep their digits.
///
/// # Example
/// ```
/// use posterior_dist::Density;
/// use posterior_gaussian::VonMisesFisher;
///
/// // In space the normalizer is κ / (4π sinh κ).
/// let distribution = VonMisesFisher::new(&[0.0, 0.0, 1.0], 2.0)?;
/// let height = 2.0 / (4.0 * std::f64::consts::PI * 2_f64.sinh());
/// assert!((distribution.ln_pdf(&[1.0, 0.0, 0.0]) - height.ln()).abs() < 1e-14);
/// # Ok::<(), posterior_math::ParamError>(())
/// ```
///
/// # References
/// K. V. Mardia, P. E. Jupp, Directional Statistics, 2000, section 9.3; A. T. A. Wood, Simulation of the von
/// Mises Fisher distribution, Communications in Statistics 23 (1994).
#[derive(Debug, Clone, PartialEq)]
pub struct VonMisesFisher {
    mean_direction: Vec<f64>,
    concentration: f64,
    /// ln p(μ).
    ln_peak: f64,
    angles: Beta,
}

impl VonMisesFisher {
    /// μ, of which a length within 1e-9 of one is made one, and κ.
    ///
    /// # Errors
    /// If μ has fewer than two coordinates or another length, or κ is negative or not finite.
    pub fn new(mean_direction: &[f64], concentration: f64) -> Result<Self, ParamError> {
        const NAME: &str = "VonMisesFisher";
        let dimension = mean_direction.len();
        require(dimension >= 2, NAME, "number of coordinates", dimension as f64, "at least 2")?;
        matrix_check::finite(NAME, "mean_direction", mean_direction)?;
        let length = dot(mean_direction, mean_direction).sqrt();
        let is_unit = (length - 1.0).abs() <= LENGTH_TOLERANCE;
        require(is_unit, NAME, "length of the mean direction", length, "1, within 1e-9")?;
        check::non_negative(NAME, "concentration", concentration)?;
        let half = 0.5 * (dimension as f64 - 1.0);
        // What is one to a few digits of its last place stays as it is written.
        let exact = (length - 1.0).abs() <= 4.0 * f64::EPSILON;
        Ok(Self {
            mean_direction: mean_direction.iter().map(|x| if exact { *x } else { x / length }).collect(),
            concentration,
            ln_peak: ln_peak(dimension as f64, concentration),
            angles: Beta::new(half, half)?,
        })
    }

    /// The number of coordinates p.
    pub const fn dimension(&self) -> usize {
        self.mean_direction.len()
    }

    /// The mean direction μ.
    pub fn mean_direction(&self) -> &[f64] {
        &self.mean_direction
    }

    /// The concentration κ.
    pub const fn concentration(&self) -> f64 {
        self.concentration
    }

    /// The length A of the mean.
    pub fn mean_length(&self) -> f64 {
        mean_length(self.dimension() as f64, self.concentration)
    }

    /// 1 - μᵀx for directions, from their difference.
    fn distance(&self, x: &[f64]) -> f64 {
        0.5 * x.iter().zip(&self.mean_direction).map(|(x, m)| (x - m) * (x - m)).sum::<f64>()
    }

    /// 1 - μᵀx of a draw.
    fn draw_distance<R: Rng + ?Sized>(&self, rng: &mut R) -> f64 {
        let (kappa, degrees) = (self.concentration, self.dimension() as f64 - 1.0);
        let b = degrees / (2.0 * kappa + (2.0 * kappa).hypot(degrees));
        // 1 - x₀ and x₀ = (1 - b)/(1 + b).
        let (rest, center) = (2.0 * b / (1.0 + b), (1.0 - b) / (1.0 + b));
        // ln(1 - x₀²)
        let ln_width = (4.0 * b).ln() - 2.0 * b.ln_1p();
        loop {
            let z: f64 = self.angles.sample(rng);
            let distance = 2.0 * b * z / (1.0 - (1.0 - b) * z);
            let ln_ratio = kappa * (rest - distance) + degrees * ((rest + center * distance).ln() - ln_width);
            let exponential: f64 = rand_distr::Exp1.sample(rng);
            if ln_ratio >= -exponential {
                return distance.min(2.0);
            }
        }
    }
}

/// ln(κ^ν / ((2π)^(p/2) I_ν(κ))) + κ with ν = p/2 - 1.
fn ln_peak(dimension: f64, kappa: f64) -> f64 {
    let nu = 0.5 * dimension - 1.0;
    if kappa == 0.0 {
        // One over the area of the sphere.
        return ln_gamma(0.5 * dimension)
            - std::f64::consts::LN_2
            - 0.5 * dimension * std::f64::consts::PI.ln();
    }
    if nu == 0.0 {
        return kappa - ln_bessel_i0(kappa) - LN_TAU;
    }
    let r = nu.hypot(kappa);
    // r - κ = ν² / (r + κ)
    let excess = nu * (nu / (r + kappa));
    nu * (nu + r).ln() + 0.5 * (LN_TAU + r.ln())
        - excess
        - bessel_i_remainder(nu, kappa).ln()
        - 0.5 * dimension * LN_TAU
}

impl Density for VonMisesFisher {
    type Point = [f64];

    fn ln_pdf(&self, x: &[f64]) -> f64 {
        if x.iter().any(|x| x.is_nan()) {
            return f64::NAN;
        }
        let length = dot(x, x).sqrt();
        if x.len() != self.dimension() || !((length - 1.0).abs() <= LENGTH_TOLERANCE) {
            return f64::NEG_INFINITY;
        }
        self.ln_peak - self.concentration * self.distance(x)
    }
}

impl Moments<Vec<f64>, DMatrix<f64>> for VonMisesFisher {
    fn mean(&self) -> Option<Vec<f64>> {
        let length = self.mean_length();
        Some(self.mean_direction.iter().map(|x| length * x).collect())
    }

    fn variance(&self) -> Option<DMatrix<f64>> {
        let (p, kappa) = (self.dimension(), self.concentration);
        let along = mean_length_slope(p as f64, kappa);
        // Both are 1/p for κ = 0.
        let across = if kappa > 1e-50 { self.mean_length() / kappa } else { along };
        let mean = &self.mean_direction;
        Some(DMatrix::from_fn(p, p, |i, j| {
            let unit = if i == j { across } else { 0.0 };
            unit + (along - across) * mean[i] * mean[j]
        }))
    }
}

impl Entropy for VonMisesFisher {
    fn entropy(&self) -> f64 {
        self.concentration * ratio::rest(self.dimension() as f64, self.concentration) - self.ln_peak
    }
}

impl Mode for VonMisesFisher {
    /// `None` for κ = 0, where all directions are equally probable.
    fn mode(&self) -> Option<Vec<f64>> {
        (self.concentration > 0.0).then(|| self.mean_direction.clone())
    }
}

impl KlDivergence for VonMisesFisher {
    fn kl_divergence(&self, other: &Self) -> f64 {
        if self.dimension() != other.dimension() {
            return f64::INFINITY;
        }
        let length = self.mean_length();
        // E ln p - E ln q, both less their peaks.
        let apart = ratio::rest(self.dimension() as f64, self.concentration);
        let from_other = apart + length * other.distance(&self.mean_direction);
        self.ln_peak - other.ln_peak - self.concentration * apart + other.concentration * from_other
    }
}

impl Distribution<Vec<f64>> for VonMisesFisher {
    fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> Vec<f64> {
        let distance = self.draw_distance(rng);
        let mut x: Vec<f64> = (0..self.dimension()).map(|_| StandardNormal.sample(rng)).collect();
        // What of the noise is across the mean direction.
        let along = dot(&x, &self.mean_direction);
        x.iter_mut().zip(&self.mean_direction).for_each(|(x, m)| *x -= along * m);
        let scale = (distance * (2.0 - distance)).sqrt() / dot(&x, &x).sqrt();
        x.iter_mut().zip(&self.mean_direction).for_each(|(x, m)| *x = m + (*x * scale - distance * m));
        let length = dot(&x, &x).sqrt();
        for x in &mut x {
            *x /= length;
        }
        x
    }
}
