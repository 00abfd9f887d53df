//! Mercer's expansion in closed form: radial basis functions on a normal distribution.

use posterior_math::check::{self, ParamError};

/// Larger numbers of a recursion are divided by this one.
const LARGE: f64 = 1e100;

/// The kernel exp(-(x - x')²/(2 l²)) on the measure N(0, s²): eigenvalues that fall geometrically, and
/// Hermite functions.
///
/// With a = 1/(4 s²), b = 1/(2 l²), c = √(a² + 2ab) and A = a + b + c: λₖ = √(2a/A) (b/A)ᵏ, and
/// φₖ(x) = (c/a)^¼ exp(-(c - a) x²) Hₖ(√(2c) x)/√(2ᵏ k!), orthonormal on the measure.
///
/// # References
/// C. E. Rasmussen, C. K. I. Williams (2006), section 4.3.1; H. Zhu et al., Gaussian regression and optimal
/// finite dimensional linear models (1997).
///
/// ```
/// use posterior_gp::spectrum::GaussianMeasure;
///
/// let mercer = GaussianMeasure::new(1.0, 1.0)?;
/// let sum: f64 = (0..60).map(|k| mercer.eigenvalue(k)).sum();
/// assert!((sum - 1.0).abs() < 1e-14); // the mean of k(x, x)
/// # Ok::<(), posterior_math::ParamError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GaussianMeasure {
    /// √(2a/A).
    first: f64,
    /// b/A.
    ratio: f64,
    /// (c/a)^¼.
    scale: f64,
    /// c - a.
    decay: f64,
    /// √(2c).
    frequency: f64,
}

impl GaussianMeasure {
    /// The kernel with this length scale, the measure with this standard deviation.
    ///
    /// # Errors
    /// If one of them is not positive and finite, or the length scale below 10⁻¹⁵⁰ standard deviations.
    pub fn new(length_scale: f64, standard_deviation: f64) -> Result<Self, ParamError> {
        check::positive("GaussianMeasure", "length_scale", length_scale)?;
        check::positive("GaussianMeasure", "standard_deviation", standard_deviation)?;
        // In units of the standard deviation; a and b are then 1/4 and 1/(2 l²).
        let relative = length_scale / standard_deviation;
        let requirement = "at least 10^-150 standard deviations";
        check::require(relative >= 1e-150, "GaussianMeasure", "length_scale", length_scale, requirement)?;
        let a = 0.25;
        let b = 0.5 / (relative * relative);
        let c = (a * (a + 2.0 * b)).sqrt();
        let sum = a + b + c;
        Ok(Self {
            first: (2.0 * a / sum).sqrt(),
            ratio: b / sum,
            scale: (c / a).sqrt().sqrt(),
            // c - a = 2ab/(c + a): no digits cancel.
            decay: 2.0 * a * b / (c + a) / (standard_deviation * standard_deviation),
            frequency: (2.0 * c).sqrt() / standard_deviation,
        })
    }

    /// λₖ; the largest is that of k = 0.
    pub fn eigenvalue(&self, k: u32) -> f64 {
        self.first * self.ratio.powf(f64::from(k))
    }

    /// φₖ(x).
    ///
    /// # Cost
    /// k steps of the recursion of the Hermite functions.
    pub fn eigenfunction(&self, k: u32, x: f64) -> f64 {
        let t = self.frequency * x;
        let (mut before, mut value) = (0.0, self.scale);
        // The exponential is taken apart: alone it may be 0 where the product is not.
        let mut ln_factor = -self.decay * x * x;
        for j in 0..k {
            let j = f64::from(j);
            let next = (2.0 / (j + 1.0)).sqrt() * t * value - (j / (j + 1.0)).sqrt() * before;
            (before, value) = (value, next);
            if value.abs() > LARGE {
                (before, value) = (before / LARGE, value / LARGE);
                ln_factor += LARGE.ln();
            }
        }
        value * ln_factor.exp()
    }
}
