//! The noises that the data suggest, against how large they should be.

use posterior_math::check;
use posterior_math::linalg::DVector;

use crate::{Error, Series, Smoothed, StateSpace};

/// Less than this proportion of what it is the difference of is rounding.
const ROUNDING: f64 = 1e-10;

/// Auxiliary residuals: the mean of each noise given all observations, in units of the standard deviation
/// that this mean has if the model is right. They are then standard normal, but not independent from time to
/// time.
///
/// A large one of an observation is an outlier, a large one of a state is a break: of a level, of a slope, of
/// a season. One beyond 3 is to be expected of 370.
///
/// # Numerics
/// Variances are differences: Var(noise) - Var(noise | y). Where that is only rounding, the observations say
/// nothing of the noise, and the residual is NaN.
///
/// # References
/// A. C. Harvey, S. J. Koopman, Diagnostic checking of unobserved-components time series models, Journal of
/// Business and Economic Statistics 10, 1992; J. Durbin, S. J. Koopman, Time Series Analysis by State Space
/// Methods, 2nd ed. (2012), section 7.5.
///
/// ```
/// use posterior_kalman::diagnostics::AuxiliaryResiduals;
/// use posterior_kalman::structural::Structural;
/// use posterior_kalman::{FilterOptions, Series, filter};
///
/// // The level jumps after the fifth value.
/// let structure: Structural = "local-level(0.1) + noise(1)".parse()?;
/// let model = structure.state_space()?;
/// let series = Series::univariate(&[0.2, -0.3, 0.1, 0.4, -0.2, 7.9, 8.3, 8.1, 7.7, 8.2])?;
/// let smoothed = filter(&model, &series, &FilterOptions::default())?.smooth(&model)?;
/// let residuals = AuxiliaryResiduals::new(&model, &series, &smoothed)?;
/// let of_level = |t: &usize| residuals.states[*t][0].abs();
/// assert_eq!((0..9).max_by(|a, b| of_level(a).total_cmp(&of_level(b))), Some(4));
/// assert!(residuals.states[4][0] > 3.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct AuxiliaryResiduals {
    /// Of the noise of each observation; NaN where it is missing, or has no noise.
    pub observations: Vec<DVector<f64>>,
    /// Of the noise of each state in the step from a time to the next, so that there is one less than times;
    /// NaN where a state has no noise.
    pub states: Vec<DVector<f64>>,
}

impl AuxiliaryResiduals {
    /// Of a series that this model has smoothed.
    ///
    /// # Errors
    /// If model, series and what was smoothed are not of the same sizes and lengths.
    pub fn new(model: &StateSpace, series: &Series, smoothed: &Smoothed) -> Result<Self, Error> {
        model.check(series)?;
        check::dimension("times of the smoothed series", series.len(), smoothed.len())?;
        let of_observation = |t: usize| {
            let signal = smoothed.signal(model, t)?;
            let noise = model.observation().noise().matrix(t);
            let residual = |i: usize| {
                let variance = signal.variance(i);
                standardized(series.at(t)[i] - signal.mean[i], noise[(i, i)], variance, variance)
            };
            Ok(DVector::from_fn(series.width(), |i, _| residual(i)))
        };
        let of_state = |t: usize| {
            let transition = model.transition();
            let (matrix, noise) = (transition.matrix().matrix(t), transition.noise().matrix(t));
            let [now, next] =
                [t, t + 1].map(|t| (DVector::from_column_slice(smoothed.mean(t)), smoothed.covariance(t)));
            let moved = &matrix * &now.0 + DVector::from_column_slice(transition.offset().at(t));
            let spread = &matrix * &now.1 * matrix.transpose();
            let shared = smoothed.lag_one_covariance(t) * matrix.transpose();
            DVector::from_fn(model.states(), |i, _| {
                let whole = next.1[(i, i)] + spread[(i, i)];
                standardized(next.0[i] - moved[i], noise[(i, i)], whole - 2.0 * shared[(i, i)], whole)
            })
        };
        Ok(Self {
            observations: (0..series.len()).map(of_observation).collect::<Result<_, Error>>()?,
            states: (1..series.len()).map(|t| of_state(t - 1)).collect(),
        })
    }
}

/// The mean of a noise of this variance, by the standard deviation of this mean: `remaining` is the variance
/// of the noise given the observations, a difference of numbers of the size `whole`.
fn standardized(mean: f64, variance: f64, remaining: f64, whole: f64) -> f64 {
    let explained = variance - remaining;
    if explained > 1e-8 * variance && explained > ROUNDING * whole {
        mean / explained.sqrt()
    } else {
        f64::NAN
    }
}
