//! Why there is no Gaussian at the mode.

use std::fmt;

use posterior_dist::target::EvalError;
use posterior_math::check::ParamError;
use posterior_math::iteration::Stop;

/// Why Laplace's method was refused.
#[derive(Debug)]
#[non_exhaustive]
pub enum LaplaceError {
    /// The log-density has no value at the start, or the run was ended by a fatal error.
    Evaluation(EvalError),
    /// The density is zero at the start.
    ZeroDensity,
    /// A start of another dimension.
    Start {
        /// The dimension of the target.
        expected: usize,
        /// The coordinates of the start.
        found: usize,
    },
    /// The search ended where the density still rises: at the edge of its support, at a peak without bound,
    /// or because the limit of steps was reached or the observer stopped it.
    NoMode {
        /// Where the search ended.
        at: Vec<f64>,
        /// The largest component of the gradient there.
        slope: f64,
        /// Why it ended.
        stop: Stop,
    },
    /// The slope vanished, but not at a point: the density rises for ever, as the likelihood of separable
    /// classes.
    AtInfinity {
        /// Where the search ended.
        at: Vec<f64>,
        /// The largest change of a coordinate that the next step of Newton's method would make.
        step: f64,
    },
    /// A point without slope that is no strict maximum: a saddle, or a ridge.
    NotAMaximum {
        /// The point.
        at: Vec<f64>,
        /// The smallest eigenvalue of the precision that a Gaussian there would have.
        eigenvalue: f64,
    },
    /// The covariance is beyond the range of f64.
    Distribution(ParamError),
}

impl fmt::Display for LaplaceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Evaluation(error) => error.fmt(f),
            Self::ZeroDensity => f.write_str("the density is zero at the start, where no slope leads out"),
            Self::Start { expected, found } => {
                write!(f, "the start has {found} coordinates, the target {expected}")
            }
            Self::NoMode { at, slope, stop } => write!(
                f,
                "no mode: at {at:?} the density still rises (largest slope {slope:e}; {stop:?}); the mode may lie on the edge of the \
                 support, or the density be unbounded"
            ),
            Self::AtInfinity { at, step } => write!(
                f,
                "no mode: at {at:?} the slope is gone, but the next step would still move a coordinate by {step:e}; the density rises \
                 towards infinity or the end of a range: a prior is missing, or the mode lies on the end"
            ),
            Self::NotAMaximum { at, eigenvalue } => write!(
                f,
                "not a maximum: at {at:?} the Hessian of -ln p has the eigenvalue {eigenvalue:e}, {}",
                if *eigenvalue < 0.0 { "a saddle" } else { "flat to rounding" }
            ),
            Self::Distribution(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for LaplaceError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Evaluation(error) => error.source(),
            Self::Distribution(error) => error.source(),
            _ => None,
        }
    }
}

impl From<EvalError> for LaplaceError {
    fn from(error: EvalError) -> Self {
        Self::Evaluation(error)
    }
}

impl From<ParamError> for LaplaceError {
    fn from(error: ParamError) -> Self {
        Self::Distribution(error)
    }
}
