//! The law of X + Y for independent X and Y, where it has the form of its terms.
//!
//! ```
//! use posterior_dist::{Gamma, Moments, convolution};
//!
//! let sum = convolution::gamma(&Gamma::shape_rate(2.0, 3.0)?, &Gamma::shape_rate(0.5, 3.0)?)?;
//! assert_eq!(sum, Gamma::shape_rate(2.5, 3.0)?);
//! # Ok::<(), posterior_math::ParamError>(())
//! ```

use posterior_math::check::{self, ParamError};

use crate::continuous::Gamma;
use crate::discrete::Binomial;

/// Gamma + gamma with the same rate: the shapes add up.
///
/// # Errors
/// If the rates differ, or the sum of the shapes overflows.
pub fn gamma(x: &Gamma, y: &Gamma) -> Result<Gamma, ParamError> {
    check::require(x.rate() == y.rate(), "convolution::gamma", "rate", y.rate(), "that of the other law")?;
    Gamma::shape_rate(x.shape() + y.shape(), x.rate())
}

/// Binomial + binomial with the same probability of success: the numbers of trials add up.
///
/// # Errors
/// If the probabilities differ, or the sum of the trials overflows.
pub fn binomial(x: &Binomial, y: &Binomial) -> Result<Binomial, ParamError> {
    let requirement = "that of the other law";
    check::require(x.success() == y.success(), "convolution::binomial", "success", y.success(), requirement)?;
    let trials = x.trials().checked_add(y.trials());
    let wrong = || ParamError::new("convolution::binomial", "trials", f64::INFINITY, "less than 2^64 in sum");
    Binomial::new(trials.ok_or_else(wrong)?, x.success())
}
