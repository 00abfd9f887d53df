//! The distribution of X + Y for independent X and Y, where it has the form of its terms.
//!
//! ```
//! use posterior_dist::{Gamma, Moments, convolution};
//!
//! let sum = convolution::gamma(&Gamma::shape_rate(2.0, 3.0)?, &Gamma::shape_rate(0.5, 3.0)?)?;
//! assert_eq!(sum, Gamma::shape_rate(2.5, 3.0)?);
//! # Ok::<(), posterior_math::ParamError>(())
//! ```

use posterior_math::check::{self, ParamError};

use crate::continuous::{Cauchy, ChiSquared, Gamma, Normal};
use crate::discrete::{Binomial, NegativeBinomial, Poisson};
use crate::moments::Moments;

/// Normal + normal: means and variances add up.
///
/// # Errors
/// If a sum overflows.
pub fn normal(x: &Normal, y: &Normal) -> Result<Normal, ParamError> {
    let [Some(a), Some(b)] = [x.mean(), y.mean()] else {
        return Err(ParamError::new("convolution::normal", "mean", f64::NAN, "defined"));
    };
    Normal::mean_sd(a + b, x.sd().hypot(y.sd()))
}

/// Cauchy + Cauchy: locations and scales add up.
///
/// # Errors
/// If a sum overflows.
pub fn cauchy(x: &Cauchy, y: &Cauchy) -> Result<Cauchy, ParamError> {
    Cauchy::new(x.location() + y.location(), x.scale() + y.scale())
}

/// Chi-squared + chi-squared: the degrees of freedom add up.
///
/// # Errors
/// If the sum overflows.
pub fn chi_squared(x: &ChiSquared, y: &ChiSquared) -> Result<ChiSquared, ParamError> {
    ChiSquared::new(x.degrees_of_freedom() + y.degrees_of_freedom())
}

/// Poisson + Poisson: the rates add up.
///
/// # Errors
/// If the sum overflows.
pub fn poisson(x: &Poisson, y: &Poisson) -> Result<Poisson, ParamError> {
    Poisson::new(x.rate() + y.rate())
}

/// Negative binomial + negative binomial with the same probability of success: the numbers of successes add
/// up.
///
/// # Errors
/// If the probabilities differ, or the sum overflows.
pub fn negative_binomial(x: &NegativeBinomial, y: &NegativeBinomial) -> Result<NegativeBinomial, ParamError> {
    same("convolution::negative_binomial", "probability", x.probability(), y.probability())?;
    NegativeBinomial::new(x.successes() + y.successes(), x.probability())
}

/// Gamma + gamma with the same rate: the shapes add up.
///
/// # Errors
/// If the rates differ, or the sum of the shapes overflows.
pub fn gamma(x: &Gamma, y: &Gamma) -> Result<Gamma, ParamError> {
    same("convolution::gamma", "rate", x.rate(), y.rate())?;
    Gamma::shape_rate(x.shape() + y.shape(), x.rate())
}

/// Binomial + binomial with the same probability of success: the numbers of trials add up.
///
/// # Errors
/// If the probabilities differ, or the sum of the trials overflows.
pub fn binomial(x: &Binomial, y: &Binomial) -> Result<Binomial, ParamError> {
    same("convolution::binomial", "probability", x.probability(), y.probability())?;
    let trials = x.trials().checked_add(y.trials());
    let wrong = || ParamError::new("convolution::binomial", "trials", f64::INFINITY, "less than 2^64 in sum");
    Binomial::new(trials.ok_or_else(wrong)?, x.probability())
}

fn same(function: &'static str, parameter: &'static str, x: f64, y: f64) -> Result<f64, ParamError> {
    check::require(x == y, function, parameter, y, "that of the other distribution")
}
