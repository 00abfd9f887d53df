//! What filter and smoother say of one column.

use posterior::kalman::diagnostics::ResidualChecks;
use posterior::kalman::structural::{Extracted, Structural};
use posterior::kalman::{Error, FilterOptions, Series, Signal, StateSpace, filter};
use serde::Serialize;

/// The most lags at which residuals are compared.
const LAGS: usize = 20;

/// Mean and variance of a number that is not known.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub(super) struct Moments {
    pub(super) mean: f64,
    pub(super) variance: f64,
}

/// Standard deviations on either side of the mean of a normal distribution that hold 95 % of it.
pub(super) const MOST: f64 = 1.959_963_984_540_054;

impl Moments {
    pub(super) fn sd(self) -> f64 {
        self.variance.sqrt()
    }

    /// With independent noise of this variance: a value, where these are moments of the signal.
    pub(super) fn with_noise(self, noise: f64) -> Self {
        Self { variance: self.variance + noise, ..self }
    }

    /// The quantiles at 2.5 % and 97.5 % of a normal distribution.
    pub(super) fn band(self) -> [f64; 2] {
        [self.mean - MOST * self.sd(), self.mean + MOST * self.sd()]
    }
}

/// A part of the signal, at all times.
#[derive(Debug, Clone)]
pub(super) struct Part {
    pub(super) name: String,
    pub(super) moments: Vec<Moments>,
}

/// All that is known of a column.
#[derive(Debug, Clone)]
pub(super) struct Analysis {
    pub(super) ln_likelihood: f64,
    /// How many values are there.
    pub(super) observed: usize,
    /// The signal without its noise, given what was seen so far; `None` where that is not enough to say
    /// anything.
    pub(super) filtered: Vec<Option<Moments>>,
    /// The signal without its noise, given everything; forecasts after the last value.
    pub(super) smoothed: Vec<Moments>,
    /// The variance of the noise, at each time.
    pub(super) noise: Vec<f64>,
    pub(super) parts: Vec<Part>,
    /// Standardised innovations; NaN where there is none.
    pub(super) residuals: Vec<f64>,
    pub(super) checks: Result<ResidualChecks, String>,
}

impl Analysis {
    /// A value at each time, given everything: the signal with its noise.
    pub(super) fn value(&self, t: usize) -> Moments {
        self.smoothed[t].with_noise(self.noise[t])
    }

    /// Filters and smooths `values`, NaN where missing, which end with as many missing ones as are to be
    /// forecast.
    pub(super) fn new(structure: &Structural, model: &StateSpace, values: &[f64]) -> Result<Self, Error> {
        let observed: Vec<Option<f64>> =
            values.iter().map(|&value| Some(value).filter(|v| !v.is_nan())).collect();
        let series = Series::univariate_with_missing(&observed)?;
        let filtered = filter(model, &series, &FilterOptions::default())?;
        let smoothed = filtered.smooth(model)?;
        let mut analysis = Self {
            ln_likelihood: filtered.ln_likelihood(),
            observed: series.observed(),
            filtered: Vec::with_capacity(values.len()),
            smoothed: Vec::with_capacity(values.len()),
            noise: (0..values.len()).map(|t| model.observation().noise().at(t)[0]).collect(),
            parts: structure.extract(&smoothed)?.iter().map(part).collect(),
            residuals: Vec::with_capacity(values.len()),
            checks: Err(String::new()),
        };
        for t in 0..values.len() {
            let row = model.observation().matrix().matrix(t);
            let said = |signal: Signal| Moments { mean: signal.mean[0], variance: signal.variance(0) };
            let known = (row * filtered.diffuse_directions(t)).amax() == 0.0;
            let now = said(filtered.signal(model, t)?);
            analysis.filtered.push(known.then_some(now));
            analysis.smoothed.push(said(smoothed.signal(model, t)?));
            let residual = filtered.standardized_innovation(t);
            analysis.residuals.push(residual.iter().next().copied().unwrap_or(f64::NAN));
        }
        let count = analysis.residuals.iter().filter(|residual| !residual.is_nan()).count();
        let lags = LAGS.min(count / 4).max(1);
        analysis.checks = ResidualChecks::new(&analysis.residuals, lags).map_err(|error| error.to_string());
        Ok(analysis)
    }
}

fn part(extracted: &Extracted) -> Part {
    let moments = extracted.mean().iter().zip(extracted.variance());
    let moments = moments.map(|(&mean, &variance)| Moments { mean, variance }).collect();
    Part { name: extracted.name().to_owned(), moments }
}
