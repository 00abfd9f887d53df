//! Components of a series.

use std::sync::Arc;

use posterior_math::check::{self, ParamError};
use posterior_math::linalg::{DMatrix, MatrixError};

use super::arma::{Arma, partial};
use super::cycle::Cycle;
use super::kind::Kind;
use super::markov::Markov;
use super::part::Start;
use super::regression::Regression;
use super::seasonal::{Dummies, Waves};
use super::trend::{DampedTrend, Level, Trend};
use crate::Error;
use crate::continuous::Process;
use crate::learning::ParameterScale;

/// A component of a series, with the values of its parameters.
///
/// A variance of zero is no parameter: what has it does not wander, whatever the data say.
#[derive(Debug, Clone, PartialEq)]
pub struct SeriesComponent {
    pub(super) kind: Kind,
    pub(super) values: Vec<f64>,
    pub(super) name: String,
    pub(super) is_fixed: bool,
}

impl SeriesComponent {
    fn new(kind: Kind, values: Vec<f64>) -> Self {
        let name = kind.name().to_owned();
        Self { kind, values, name, is_fixed: false }
    }

    /// The local level model's random walk: μ(t+1) = μ(t) + noise of this variance, a Wiener process at
    /// irregular times.
    ///
    /// # Errors
    /// If the variance is negative or not finite, as for all variances.
    pub fn local_level(variance: f64) -> Result<Self, ParamError> {
        let variance = check::non_negative("Component", "level.variance", variance)?;
        Ok(Self::new(Kind::Level(Level), vec![variance]))
    }

    /// A level with a slope, which both wander: μ(t+1) = μ(t) + ν(t) + noise, ν(t+1) = ν(t) + noise.
    ///
    /// At irregular times the slope also wanders in between: it is a Wiener process, and the level its
    /// integral plus another one.
    ///
    /// # Errors
    /// If a variance is negative or not finite.
    pub fn local_linear_trend(level_variance: f64, slope_variance: f64) -> Result<Self, ParamError> {
        let level = check::non_negative("Component", "trend.level_variance", level_variance)?;
        let slope = check::non_negative("Component", "trend.slope_variance", slope_variance)?;
        Ok(Self::new(Kind::Trend(Trend), vec![level, slope]))
    }

    /// A level whose slope wanders, an integrated random walk: the local linear trend with a level variance
    /// of zero.
    ///
    /// # Errors
    /// If the variance is negative or not finite.
    pub fn smooth_trend(slope_variance: f64) -> Result<Self, ParamError> {
        Self::local_linear_trend(0.0, slope_variance)
    }

    /// A level whose slope wanders and shrinks by the damping in each step: ν(t+1) = φ ν(t) + noise.
    /// Forecasts level off. For regular steps only.
    ///
    /// # Errors
    /// If a variance is negative or not finite, or the damping not strictly between 0 and 1.
    ///
    /// # References
    /// R. J. Hyndman, A. B. Koehler, J. K. Ord, R. D. Snyder, Forecasting with exponential smoothing: the
    /// state space approach (2008), section 2.5.
    pub fn damped_trend(level_variance: f64, slope_variance: f64, damping: f64) -> Result<Self, ParamError> {
        let level = check::non_negative("Component", "trend.level_variance", level_variance)?;
        let slope = check::non_negative("Component", "trend.slope_variance", slope_variance)?;
        check::open_probability("Component", "trend.damping", damping)?;
        let trend = DampedTrend { damping: ParameterScale::within(0.0, 1.0)? };
        Ok(Self::new(Kind::DampedTrend(trend), vec![level, slope, damping]))
    }

    /// A season of `period` steps by dummies: any `period` effects in a row add up to noise of this variance.
    /// For regular steps only.
    ///
    /// # Errors
    /// If the period is below 2, or the variance negative or not finite.
    pub fn seasonal(period: usize, variance: f64) -> Result<Self, ParamError> {
        check::require(period >= 2, "Component", "seasonal period", period as f64, "at least 2")?;
        let variance = check::non_negative("Component", "seasonal.variance", variance)?;
        Ok(Self::new(Kind::Dummies(Dummies { period }), vec![variance]))
    }

    /// A season as waves: the first `harmonics` of a period, in units of time, which need not be whole; each
    /// wave wanders with this variance per unit of time.
    ///
    /// In regular steps the wave of two steps, if it is the last, has one state. At given times it has two,
    /// which times that are whole steps apart cannot tell apart: leave it out there.
    ///
    /// # Errors
    /// If the period is not positive and finite, there is no harmonic, or the variance is negative or not
    /// finite.
    pub fn trigonometric(period: f64, harmonics: usize, variance: f64) -> Result<Self, ParamError> {
        check::positive("Component", "seasonal period", period)?;
        check::at_least_one("Component", "harmonics", harmonics)?;
        let variance = check::non_negative("Component", "seasonal.variance", variance)?;
        Ok(Self::new(Kind::Waves(Waves { period, harmonics }), vec![variance]))
    }

    /// A stochastic cycle: a wave of this period that shrinks by the damping in each unit of time, kept going
    /// by noise.
    ///
    /// Its variance, in the long run, is variance / (1 - damping²).
    ///
    /// # Errors
    /// If the period is not positive and finite, the damping not strictly between 0 and 1, or the variance
    /// negative or not finite.
    ///
    /// # References
    /// A. C. Harvey, Forecasting, structural time series models and the Kalman filter (1989), section 2.3.3.
    pub fn cycle(period: f64, damping: f64, variance: f64) -> Result<Self, ParamError> {
        check::positive("Component", "cycle.period", period)?;
        check::open_probability("Component", "cycle.damping", damping)?;
        let variance = check::non_negative("Component", "cycle.variance", variance)?;
        let cycle = Cycle { damping: ParameterScale::within(0.0, 1.0)? };
        Ok(Self::new(Kind::Cycle(cycle), vec![period, damping, variance]))
    }

    /// y(t) = Σ φᵢ y(t-i) + ε(t) + Σ θⱼ ε(t-j) with ε of this variance, from its stationary distribution. For
    /// regular steps only.
    ///
    /// As parameters the coefficients are partial autocorrelations, each in (-1, 1): all of them give a
    /// stationary and invertible series. For orders of one they are the coefficients.
    ///
    /// # Errors
    /// If the series is not stationary or the moving average not invertible, there is no coefficient, a
    /// number is not finite, or the variance negative.
    ///
    /// # References
    /// A. C. Harvey, Forecasting, structural time series models and the Kalman filter (1989), section 3.3; J.
    /// F. Monahan, A note on enforcing stationarity in autoregressive-moving average models, Biometrika 71
    /// (1984).
    pub fn arma(autoregressive: &[f64], moving_average: &[f64], variance: f64) -> Result<Self, ParamError> {
        let negative: Vec<f64> = moving_average.iter().map(|theta| -theta).collect();
        let mut values = partial(autoregressive, "autoregressive coefficients")?;
        values.extend(partial(&negative, "moving-average coefficients")?.iter().map(|value| -value));
        Self::arma_of_partial((autoregressive.len(), moving_average.len()), values, variance)
    }

    /// As [`arma`](Self::arma), by its parameters.
    pub(super) fn arma_of_partial(
        (autoregressive, moving_average): (usize, usize),
        mut values: Vec<f64>,
        variance: f64,
    ) -> Result<Self, ParamError> {
        let orders = autoregressive + moving_average;
        check::at_least_one("Component", "arma order", orders)?;
        for (index, &value) in values.iter().enumerate() {
            let inside = value > -1.0 && value < 1.0;
            check::require(inside, "Component", "arma", value, "strictly between -1 and 1")
                .map_err(|error| error.at(index))?;
        }
        values.push(check::non_negative("Component", "arma.variance", variance)?);
        let arma = Arma { autoregressive, moving_average, correlation: ParameterScale::within(-1.0, 1.0)? };
        Ok(Self::new(Kind::Arma(arma), values))
    }

    /// Effects of inputs, one row for each time: the coefficients are states. They do not change if the
    /// variance is zero, and wander otherwise.
    ///
    /// # Errors
    /// If there is no input, a number is not finite, or the variance is negative.
    pub fn regression(inputs: &DMatrix<f64>, variance: f64) -> Result<Self, Error> {
        check::enough("inputs of the regression", 1, inputs.len())?;
        if !inputs.iter().all(|input| input.is_finite()) {
            return Err(Error::Matrix(MatrixError::NotFinite));
        }
        let variance = check::non_negative("Component", "regression.variance", variance)?;
        let regression = Regression { inputs: Arc::new(inputs.clone()) };
        Ok(Self::new(Kind::Regression(regression), vec![variance]))
    }

    /// A process in continuous time, from its own distribution at the first time.
    pub fn process(process: &Process) -> Self {
        Self::markov(process, "process", None, &[], Start::Known)
    }

    /// A process in continuous time, of whose state nothing is known at the first time.
    pub fn diffuse_process(process: &Process) -> Self {
        Self::markov(process, "process", None, &[], Start::Diffuse)
    }

    /// Something that moves with nearly constant velocity: white noise of this intensity accelerates it.
    ///
    /// # Errors
    /// If the intensity is not positive and finite.
    pub fn constant_velocity(intensity: f64) -> Result<Self, ParamError> {
        let process = Process::integrated_wiener().scaled(intensity)?;
        let signals = &["position", "velocity"];
        Ok(Self::markov(&process, "velocity", Some("intensity"), signals, Start::Diffuse))
    }

    /// Something that moves with nearly constant acceleration: white noise of this intensity changes that.
    ///
    /// # Errors
    /// If the intensity is not positive and finite.
    pub fn constant_acceleration(intensity: f64) -> Result<Self, ParamError> {
        let process = Process::repeatedly_integrated_wiener(2)?.scaled(intensity)?;
        let signals = &["position", "velocity", "acceleration"];
        Ok(Self::markov(&process, "acceleration", Some("intensity"), signals, Start::Diffuse))
    }

    fn markov(
        process: &Process,
        name: &'static str,
        parameter: Option<&'static str>,
        signals: &'static [&'static str],
        start: Start,
    ) -> Self {
        let values = process.parameters().iter().map(|parameter| parameter.value).collect();
        Self::new(Kind::Markov(Markov { name, process: process.clone(), parameter, signals, start }), values)
    }

    /// The same with parameters that no fit moves.
    #[must_use]
    pub fn fixed(self) -> Self {
        Self { is_fixed: true, ..self }
    }

    /// The same by another name, for its parameters and what is extracted.
    #[must_use]
    pub fn named(self, name: impl Into<String>) -> Self {
        Self { name: name.into(), ..self }
    }

    /// What it is called.
    pub fn name(&self) -> &str {
        &self.name
    }
}
