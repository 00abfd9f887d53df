//! What the adaptive rules are asked for, and what they found.

/// When an adaptive rule may stop.
///
/// ```
/// use posterior_math::quadrature::QuadratureOptions;
///
/// let options = QuadratureOptions { relative: 1e-6, ..QuadratureOptions::default() };
/// assert_eq!(options.absolute, 0.0);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct QuadratureOptions {
    /// The error that is good enough, whatever the integral is. 0 by default: evidences may be as small as
    /// 10^-300.
    pub absolute: f64,
    /// The error that is good enough, as a proportion of the integral. 10^-10 by default.
    pub relative: f64,
    /// The largest number of evaluations of the integrand, 21 000 by default; the first look at each part is
    /// always taken.
    pub max_evaluations: usize,
}

impl Default for QuadratureOptions {
    fn default() -> Self {
        Self { absolute: 0.0, relative: 1e-10, max_evaluations: 21_000 }
    }
}

impl QuadratureOptions {
    /// Whether `error` is good enough for an integral of `value`.
    pub(super) fn accepts(&self, value: f64, error: f64) -> bool {
        error <= self.absolute.max(self.relative * value.abs())
    }
}

/// What a rule found.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Integral {
    /// The integral; NaN if the integrand was NaN somewhere.
    pub value: f64,
    /// An estimate of the absolute error, as a rule too large.
    pub error: f64,
    /// How often the integrand was evaluated.
    pub evaluations: usize,
    /// Whether the error is within the tolerance.
    pub converged: bool,
}

impl Integral {
    /// The integral over nothing.
    pub(super) const ZERO: Self = Self { value: 0.0, error: 0.0, evaluations: 0, converged: true };

    /// The answer to a question that has none, after so many evaluations.
    pub(super) const fn undefined(evaluations: usize) -> Self {
        Self { value: f64::NAN, error: f64::NAN, evaluations, converged: false }
    }
}
