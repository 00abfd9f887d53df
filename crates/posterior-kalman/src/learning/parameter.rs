//! A number of a model that is to be fitted.

use std::borrow::Cow;

use posterior_math::bijection::{Exp, IntervalMap, ScalarBijector};
use posterior_math::check::{self, ParamError};

/// The values that a parameter can have, and the map from ℝ to them.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum ParameterScale {
    /// Any number: the free value is the natural one.
    Real,
    /// A positive number: the free value is its logarithm.
    Positive,
    /// A number in an open interval.
    Within(IntervalMap),
}

impl ParameterScale {
    /// The interval from `lower` to `upper`; the free value is ln((x - lower) / (upper - x)).
    ///
    /// # Errors
    /// If an end is not finite, or `lower` is not below `upper`.
    pub fn within(lower: f64, upper: f64) -> Result<Self, ParamError> {
        Ok(Self::Within(IntervalMap::logit(lower, upper)?))
    }

    /// The value in natural units.
    pub fn natural(&self, free: f64) -> f64 {
        match self {
            Self::Real => free,
            Self::Positive => Exp.forward(free),
            Self::Within(interval) => interval.forward(free),
        }
    }

    /// The value on the free scale: infinite at a boundary, NaN outside.
    pub fn free(&self, natural: f64) -> f64 {
        match self {
            Self::Real => natural,
            Self::Positive => Exp.inverse(natural),
            Self::Within(interval) => interval.inverse(natural),
        }
    }

    /// The derivative of the natural value in the free one.
    pub fn slope(&self, free: f64) -> f64 {
        match self {
            Self::Real => 1.0,
            Self::Positive => Exp.slope(free),
            Self::Within(interval) => interval.slope(free),
        }
    }

    /// The logarithm of [`slope`](Self::slope), and its derivative.
    pub(crate) fn ln_slope(&self, free: f64) -> (f64, f64) {
        match self {
            Self::Real => (0.0, 0.0),
            Self::Positive => (Exp.ln_slope(free), Exp.ln_slope_derivative(free)),
            Self::Within(interval) => (interval.ln_slope(free), interval.ln_slope_derivative(free)),
        }
    }
}

/// A number of a model that is to be learned: its name, what it can be, and where the search begins.
///
/// ```
/// use posterior_kalman::learning::{Parameter, ParameterScale};
///
/// let variance = Parameter::new("noise variance", ParameterScale::Positive, 1.0)?;
/// assert_eq!(variance.start_free(), 0.0);
/// assert!(Parameter::new("noise variance", ParameterScale::Positive, -1.0).is_err());
/// # Ok::<(), posterior_kalman::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Parameter {
    name: Cow<'static, str>,
    scale: ParameterScale,
    start: f64,
}

impl Parameter {
    /// A parameter whose search begins at `start`, in natural units.
    ///
    /// # Errors
    /// If the start is not inside of what the scale allows.
    pub fn new(
        name: impl Into<Cow<'static, str>>,
        scale: ParameterScale,
        start: f64,
    ) -> Result<Self, ParamError> {
        let inside = scale.free(start).is_finite();
        check::require(inside, "Parameter", "start", start, "inside of what its scale allows")?;
        Ok(Self { name: name.into(), scale, start })
    }

    /// The name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What it can be.
    pub const fn scale(&self) -> &ParameterScale {
        &self.scale
    }

    /// Where the search begins, in natural units.
    pub const fn start(&self) -> f64 {
        self.start
    }

    /// Where the search begins, on the free scale.
    pub fn start_free(&self) -> f64 {
        self.scale.free(self.start)
    }
}
