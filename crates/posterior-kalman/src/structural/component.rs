//! Components of a series.

use std::sync::Arc;

use posterior_math::check::{self, ParamError};
use posterior_math::linalg::{DMatrix, MatrixError};

use super::ArimaOrder;
use super::arma::{Arma, partials};
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
        let order = ArimaOrder {
            autoregressive: autoregressive.len(),
            moving_average: moving_average.len(),
            ..ArimaOrder::default()
        };
        let none: &[f64] = &[];
        Self::arma_of_partial(
            "arma",
            order,
            partials([autoregressive, moving_average, none, none])?,
            variance,
        )
    }

    /// An ARIMA model: an autoregression with a moving average of the differences of the series, of this
    /// [order](ArimaOrder) with seasons or without, and with ε of this variance. For regular steps only.
    ///
    /// The differences start from their stationary distribution; the values before the first, and the
    /// constant, are exactly diffuse, so that missing values are no difficulty. With a noise of zero the
    /// likelihood is the density of the differenced series, less ½ ln 2π for each value that differences use
    /// up; of a constant it is the restricted one. Coefficients begin at zero; their parameters are partial
    /// autocorrelations, as those of [`arma`](Self::arma): see
    /// [`Structural::arma_coefficients`](super::Structural::arma_coefficients).
    ///
    /// # Errors
    /// If the order is that of white noise, the period is 0, or of seasonal terms 1, or the variance is
    /// negative or not finite.
    ///
    /// # References
    /// G. E. P. Box, G. M. Jenkins, Time series analysis: forecasting and control (1970), chapter 9; J.
    /// Durbin, S. J. Koopman, Time Series Analysis by State Space Methods, 2nd ed. (2012), section 3.4.
    ///
    /// ```
    /// use posterior_kalman::structural::{ArimaOrder, SeriesComponent, Structural};
    ///
    /// // The airline model of monthly data.
    /// let order = ArimaOrder {
    ///     differences: 1,
    ///     moving_average: 1,
    ///     seasonal_differences: 1,
    ///     seasonal_moving_average: 1,
    ///     period: 12,
    ///     ..ArimaOrder::default()
    /// };
    /// let model = Structural::new(vec![SeriesComponent::arima(&order, 1.0)?], 0.0)?;
    /// assert_eq!(model, "arima:0,1,1,0,1,1,12".parse()?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn arima(order: &ArimaOrder, variance: f64) -> Result<Self, ParamError> {
        order.check()?;
        Self::arma_of_partial("arima", *order, vec![0.0; order.coefficients()], variance)
    }

    /// As [`arima`](Self::arima), with these coefficients: autoregressive, of the moving average, and those
    /// of the season. Numbers of the order must be as many.
    ///
    /// # Errors
    /// As [`arima`](Self::arima) and [`arma`](Self::arma); if there is not a coefficient for each of the
    /// order.
    pub fn arima_of_coefficients(
        order: &ArimaOrder,
        coefficients: [&[f64]; 4],
        variance: f64,
    ) -> Result<Self, ParamError> {
        let counts = order.counts();
        for (count, found) in counts.iter().zip(coefficients) {
            let requirement = "as many as the order says";
            check::require(
                *count == found.len(),
                "Component",
                "coefficients",
                found.len() as f64,
                requirement,
            )?;
        }
        Self::arma_of_partial("arima", *order, partials(coefficients)?, variance)
    }

    /// As [`arma`](Self::arma) and [`arima`](Self::arima), by its parameters.
    pub(super) fn arma_of_partial(
        name: &'static str,
        order: ArimaOrder,
        mut values: Vec<f64>,
        variance: f64,
    ) -> Result<Self, ParamError> {
        order.check()?;
        for (index, &value) in values.iter().enumerate() {
            let inside = value > -1.0 && value < 1.0;
            check::require(inside, "Component", "arma", value, "strictly between -1 and 1")
                .map_err(|error| error.at(index))?;
        }
        values.push(check::non_negative("Component", "arma.variance", variance)?);
        let arma = Arma { name, order, correlation: ParameterScale::within(-1.0, 1.0)? };
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
