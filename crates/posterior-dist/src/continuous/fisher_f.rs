//! Fisher's F distribution on (0, ∞).

use super::BetaPrime;
use crate::delegate::delegate;
use crate::grammar::parametric;
use crate::prelude::*;

/// The distribution of the ratio of two independent mean squares with m and n degrees of freedom: the
/// [`BetaPrime`] distribution with α = m/2, β = n/2 and the scale n/m.
///
/// # Density
/// p(x) = (mx/n)^(m/2 - 1) (1 + mx/n)^(-(m + n)/2) m / (n B(m/2, n/2))
///
/// # Parameters
/// | symbol | here | range | elsewhere |
/// |---|---|---|---|
/// | m | `numerator` | positive | `df1` (R), `dfn` (SciPy) |
/// | n | `denominator` | positive | `df2` (R), `dfd` (SciPy) |
///
/// # Moments
/// mean n/(n - 2) for n > 2; the others are those of [`BetaPrime`]
///
/// # Numerics
/// Those of [`BetaPrime`]. A ratio n/m below 2.2e-308 has few digits, and so have the probabilities then.
///
/// # Example
/// ```
/// use posterior_dist::{FisherF, Univariate};
///
/// let distribution = FisherF::new(2.0, 4.0)?;
/// assert!((distribution.sf(2.0) - 0.25).abs() < 1e-15);
/// # Ok::<(), posterior_math::ParamError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FisherF {
    numerator: f64,
    denominator: f64,
    distribution: BetaPrime,
}

impl FisherF {
    /// The degrees of freedom of the numerator and of the denominator.
    ///
    /// # Errors
    /// If one of them is not positive and finite, or their ratio or sum is not.
    pub fn new(numerator: f64, denominator: f64) -> Result<Self, ParamError> {
        check::positive("FisherF", "numerator", numerator)?;
        check::positive("FisherF", "denominator", denominator)?;
        let distribution = BetaPrime::new(0.5 * numerator, 0.5 * denominator, denominator / numerator)?;
        Ok(Self { numerator, denominator, distribution })
    }

    /// The same distribution as a [`BetaPrime`].
    pub const fn beta_prime(&self) -> BetaPrime {
        self.distribution
    }
}

parametric! { FisherF, "fisher_f", new:
    /// The degrees of freedom of the numerator m.
    numerator: f64,
    /// The degrees of freedom of the denominator n.
    denominator: f64,
}
delegate!(FisherF, distribution: Density PointGradient Univariate Moments Shape Entropy Distribution);

impl ParameterGradient for FisherF {
    type Gradient = [f64; 2];

    fn parameter_gradient(&self, x: &f64) -> [f64; 2] {
        let [by_alpha, by_beta, by_scale] = self.distribution.parameter_gradient(x);
        let by_ln_scale = by_scale * self.distribution.scale();
        [0.5 * by_alpha - by_ln_scale / self.numerator, 0.5 * by_beta + by_ln_scale / self.denominator]
    }
}

impl Mode for FisherF {
    fn mode(&self) -> Option<f64> {
        self.distribution.mode()
    }
}
