//! Spectral mixtures: any stationary kernel, by its spectrum.

use std::f64::consts::PI;

use posterior_math::check::{self, ParamError};

use super::Kernel;

impl Kernel {
    /// Σ wₙ exp(-2π² vₙ (x - x')²) cos(2π mₙ (x - x')): a mixture of normal distributions with means mₙ and
    /// variances vₙ as the density of frequencies; of one coordinate.
    ///
    /// The expression is a sum of products of variances, RBF kernels of length 1/(2π√vₙ) and cosines of
    /// period 1/mₙ, which are its parameters; where a mean is 0, there is no cosine.
    ///
    /// Source: A. G. Wilson, R. P. Adams, Gaussian process kernels for pattern discovery and extrapolation,
    /// ICML 2013, equation 12.
    ///
    /// # Errors
    /// Unless there is at least one component and as many means and variances as weights; weights and
    /// variances are positive, and means not negative.
    ///
    /// ```
    /// use posterior_gp::Kernel;
    ///
    /// let kernel = Kernel::spectral_mixture(&[2.0], &[0.25], &[0.01])?;
    /// assert!(kernel.to_string().ends_with("*cosine(4)"));
    /// # Ok::<(), posterior_math::ParamError>(())
    /// ```
    pub fn spectral_mixture(weights: &[f64], means: &[f64], variances: &[f64]) -> Result<Self, ParamError> {
        const NAME: &str = "spectral_mixture";
        for (parameter, numbers) in [("number of means", means), ("number of variances", variances)] {
            check::require(
                numbers.len() == weights.len(),
                NAME,
                parameter,
                numbers.len() as f64,
                "that of the weights",
            )?;
        }
        let mut sum: Option<Self> = None;
        for (i, ((&weight, &mean), &variance)) in weights.iter().zip(means).zip(variances).enumerate() {
            let weight = check::positive(NAME, "weights", weight).map_err(|error| error.at(i))?;
            let mean = check::non_negative(NAME, "means", mean).map_err(|error| error.at(i))?;
            let variance = check::positive(NAME, "variances", variance).map_err(|error| error.at(i))?;
            let bell = Self::rbf((2.0 * PI * variance.sqrt()).recip())?;
            let shape = if mean > 0.0 { bell * Self::cosine(mean.recip())? } else { bell };
            let component = shape.scaled(weight)?;
            sum = Some(match sum {
                None => component,
                Some(sum) => sum + component,
            });
        }
        sum.ok_or_else(|| ParamError::new(NAME, "number of weights", 0.0, "at least 1"))
    }
}
