//! Priors of single parameters, on the scale of their values.

use std::fmt;
use std::sync::Arc;

use posterior_dist::PointGradient;

/// ln p(θ) and its derivative.
type LnDensity = Arc<dyn Fn(f64) -> (f64, f64) + Send + Sync>;

/// The distribution of a parameter before any data, as a density of its value: of a length, not of its
/// logarithm.
///
/// ```
/// use posterior_dist::Gamma;
/// use posterior_gp::hyperparameters::Prior;
///
/// let length = Prior::distribution(Gamma::shape_rate(2.0, 0.5)?);
/// # Ok::<(), posterior_math::ParamError>(())
/// ```
#[derive(Clone)]
pub struct Prior {
    ln_density: LnDensity,
}

impl Prior {
    /// Any distribution of a number whose density is smooth.
    pub fn distribution(distribution: impl PointGradient<Point = f64> + Send + Sync + 'static) -> Self {
        Self::function(move |value| (distribution.ln_pdf(&value), distribution.point_gradient(&value)))
    }

    /// From a function that returns ln p(θ) + constant, and its derivative.
    pub fn function(ln_density: impl Fn(f64) -> (f64, f64) + Send + Sync + 'static) -> Self {
        Self { ln_density: Arc::new(ln_density) }
    }

    /// ln p(θ) and its derivative.
    pub fn ln_density(&self, value: f64) -> (f64, f64) {
        (self.ln_density)(value)
    }
}

impl fmt::Debug for Prior {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Prior").finish_non_exhaustive()
    }
}
